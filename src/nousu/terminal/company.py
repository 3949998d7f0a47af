"""The computer players around a table: whose choice comes next, reproducible from a seed."""

from collections.abc import Sequence
from random import Random

from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat, clockwise
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, Player
from nousu.players.arena import number_of

Company = Sequence[Player | None]
"""Who sits where; None is a person."""


def step_of(match: Match) -> int:
    """How many things have happened in a match: every choice has its own seed by this number."""
    log = match.hand.log if match.hand.owed() else ()
    return sum(len(played.hand.log) for played in match.played) + len(log)


def dealt(match: Match, seed: int) -> Match:
    """The match with the cards dealt that belong to this moment and seed; chance must be owed."""
    return match.deal(Random(number_of(seed, "deal", step_of(match), len(match.played))))


def chosen(
    match: Match, company: Company, seed: int, budget: Budget = DEFAULT_BUDGET
) -> tuple[Seat, Choice] | None:
    """What a computer player does next and why; None while only persons (or chance) are waited for.

    Players that may interrupt are asked first, clockwise from the seat that is owed, each once in a position.
    """
    hand = match.hand
    owed = hand.owed()
    if not owed or owed == (CHANCE,):
        return None
    step = step_of(match)
    for seat in clockwise(owed[0], match.seats):
        player = company[seat]
        if seat not in owed and hand.legal(seat) and isinstance(player, Interrupter):
            spoken = player.interrupt(hand.view(seat), budget, number_of(seed, "interrupt", step, seat))
            if spoken is not None:
                return seat, spoken
    for seat in owed:
        player = company[seat]
        if player is not None:
            view = hand.view(seat)
            if len(view.legal) == 1:
                return seat, Choice(view.legal[0])
            return seat, player.choose(view, budget, number_of(seed, "move", step, seat))
    return None


def moved(match: Match, company: Company, seed: int, budget: Budget = DEFAULT_BUDGET) -> Match | None:
    """The match after the next deal or computer choice; None when a person is waited for or it is over."""
    if match.winner is not None:
        return None
    if match.hand.owed() == (CHANCE,):
        return dealt(match, seed)
    choice = chosen(match, company, seed, budget)
    return None if choice is None else match.apply(choice[0], choice[1].action)
