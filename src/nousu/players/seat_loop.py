"""The order in which computer players around a table are asked, reproducible from a seed.

After every action each seat that may speak out of turn is asked once, clockwise from the seat that is waited
for; the first that wants to is heard, and then all are asked anew. When nobody does, the seat waited for acts
(of several, the first in asking order). So when several want to speak at the same moment the one nearest to
the seat on turn goes first, and no seat is asked twice about the same position. The arena, simulations, the
terminal and the server's tables all use this order.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from random import Random

from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat, clockwise
from nousu.players import DEFAULT_BUDGET, BlindPlayer, Budget, Choice, Interrupter, Player

SeatPlayers = Sequence[Player | None]
"""The player of each seat; None is a person."""
Seeds = Callable[[str, Seat], int]
"""A seed for a question to a seat: ``move`` or ``interrupt``."""


def derive_seed(*parts: object) -> int:
    """A seed that depends on all of `parts` and on nothing else."""
    text = "/".join([str(part) for part in parts])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def view_seed(view: View) -> int:
    """A seed that depends on the view of a seat and on nothing else."""
    return derive_seed(view.game, view.rules, view.setup, view.seat, view.heard, view.cards, view.legal)


def step_number(match: Match) -> int:
    """The number of things that have happened in a match, by which every choice has its own seed."""
    log = match.hand.log if match.hand.owed() else ()
    return sum([len(played.hand.log) for played in match.played]) + len(log)


def seeds(match: Match, seed: int) -> Seeds:
    """The seeds of this moment of a match."""
    step = step_number(match)
    return lambda what, seat: derive_seed(seed, what, step, seat)


def deal_by_seed(match: Match, seed: int) -> Match:
    """The match with the cards dealt by the seed of this moment; chance must be owed."""
    return match.deal(Random(derive_seed(seed, "deal", step_number(match), len(match.played))))


def free_to_speak(hand: Hand) -> tuple[Seat, ...]:
    """The seats that may act although others are waited for, in the order of asking."""
    owed = hand.owed()
    if not owed or owed == (CHANCE,):
        return ()
    return tuple(
        seat for seat in clockwise(owed[0], hand.setup.seats) if seat not in owed and hand.legal(seat)
    )


def next_choice(
    match: Match, company: SeatPlayers, seeds: Seeds, budget: Budget = DEFAULT_BUDGET
) -> tuple[Seat, Choice] | None:
    """The next choice of a computer player; None while only persons (or chance) are waited for."""
    hand = match.hand
    owed = hand.owed()
    if not owed or owed == (CHANCE,):
        return None
    if [player for player in company if hasattr(player, "interrupt")]:
        for seat in free_to_speak(hand):
            player = company[seat]
            if isinstance(player, Interrupter):
                spoken = player.interrupt(hand.view(seat), budget, seeds("interrupt", seat))
                if spoken is not None:
                    return seat, spoken
    for seat in owed:
        player = company[seat]
        if player is not None:
            legal = hand.legal(seat)
            if len(legal) == 1:
                return seat, Choice(legal[0])
            seed = seeds("move", seat)
            if isinstance(player, BlindPlayer):
                return seat, player.choose_among(legal, seed)
            return seat, player.choose(hand.view(seat), budget, seed)
    return None


def advance(match: Match, company: SeatPlayers, seed: int, budget: Budget = DEFAULT_BUDGET) -> Match | None:
    """The match after the next deal or computer choice; None when a person is waited for or it is over."""
    if match.hand.owed() == (CHANCE,):
        return deal_by_seed(match, seed)
    choice = next_choice(match, company, seeds(match, seed), budget)
    return None if choice is None else match.apply(choice[0], choice[1].action)
