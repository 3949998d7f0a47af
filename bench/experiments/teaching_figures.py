"""Figures quoted by the tips on the rules pages, measured on deals of a fixed seed.

    python -m bench.experiments.teaching_figures

High and low hands are played out by the nets, soolis that the rule-based player would call by `expert`;
Huutopussi and Tuppen are played by the rule-based player. It prints the content of
``src/nousu/teaching/tip_figures.toml``, and exits with 1 if the pages quote other figures.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from random import Random

from bench.experiments.sooli_chance import played_soolis
from nousu.engine.actions import Deal
from nousu.engine.cards import DECK_36, DECK_52, Card, CardSet, card_set
from nousu.engine.match import Match, shuffled
from nousu.games import find
from nousu.games.huutopussi.facts import PlayedHand
from nousu.games.huutopussi.rules import PAIR
from nousu.games.tuppen.calls import RAISE
from nousu.games.tuppen.facts import Won
from nousu.games.whist import BOOK
from nousu.players import DEFAULT_BUDGET
from nousu.players.rules import RulesPlayer
from nousu.players.seat_loop import next_choice, seeds
from nousu.players.whist import policy, rules
from nousu.players.whist.playouts import WhistTable, play_out
from nousu.teaching.tip_figures import FIGURES, Figure

SEED = 12
DEALS = 60_000
"""Deals played out for the whist family."""
SOOLIS = 200
PLAYED = 3000
"""Hands played by the computer players for Huutopussi and for Tuppen."""


def hands(rng: Random, deck: tuple[Card, ...], seats: int, size: int) -> tuple[tuple[Card, ...], ...]:
    """Random hands of so many cards."""
    pack = list(deck)
    rng.shuffle(pack)
    return tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in range(seats))


def honours(hand: tuple[Card, ...]) -> int:
    """Honour points: four for an ace, three for a king, two for a queen, one for a jack."""
    return sum(max(0, card.rank - 8) for card in hand)


def small(hand: tuple[Card, ...]) -> int:
    """Number of cards from two to five."""
    return sum(card.rank <= 3 for card in hand)


def whist(deals: int = DEALS, seed: int = SEED) -> Iterator[tuple[str, Figure]]:
    """Figures of rami, nolo and sooli, for a hand of seat 0."""
    rng = Random(seed)
    dealt = [hands(rng, DECK_52, 4, 13) for _ in range(deals)]
    sets = [tuple(map(card_set, four)) for four in dealt]
    nets = policy.packed_weights()
    tricks = played(WhistTable("high", 0, None, None, 3), sets, nets)
    for name, least, most in (("weak", 0, 8), ("good", 12, 14), ("strong", 15, 40)):
        found = (won > BOOK for won, four in zip(tricks, dealt, strict=True) if least <= honours(four[0]) <= most)
        yield f"rami_{name}", share(found)
    quarter = deals // 4
    tricks = [
        won
        for leader in range(4)
        for won in played(
            WhistTable("low", None, None, None, leader), sets[leader * quarter : (leader + 1) * quarter], nets
        )
    ]
    for name, least, most in (("few", 0, 3), ("many", 6, 13)):
        found = (won <= BOOK for won, four in zip(tricks, dealt, strict=True) if least <= small(four[0]) <= most)
        yield f"nolo_{name}", share(found)
    soolis = islice(played_soolis("tuppi", seed, rules.SOOLI_DANGER), SOOLIS)
    yield "sooli_called", share(sooli.made for sooli in soolis)


def played(table: WhistTable, deals: Sequence[Sequence[CardSet]], nets: bytes = b"") -> tuple[int, ...]:
    """Tricks of North and South in each deal."""
    return play_out(table, [(four, 0) for four in deals], nets=nets).gained[0]


def huutopussi(played: int = PLAYED, seed: int = SEED) -> Iterator[tuple[str, Figure]]:
    """Figures of marriages and of the declarer's cards."""
    rng = Random(seed)
    own, pair = [], []
    for _ in range(50 * played):
        one, other = hands(rng, DECK_36, 2, 9)
        own.append(any(couple & ~card_set(one) == 0 for couple in PAIR))
        pair.append(any(couple & ~card_set((*one, *other)) == 0 for couple in PAIR))
    yield "marriage_own", share(own)
    yield "marriage_pair", share(pair)
    plain = contracts = 0
    for match in islice(first_hands("huutopussi", 4, seed), played):
        outcome = match.played[0].result.outcome
        if isinstance(outcome, PlayedHand) and outcome.declarer is not None:
            ours = outcome.declarer % 2
            plain += outcome.earned[ours] - outcome.marriages[ours]
            contracts += 1
    yield "declarer_cards", Figure(plain, contracts)


def tuppen(played: int = PLAYED, seed: int = SEED) -> Iterator[tuple[str, Figure]]:
    """Figures of hands won by tens and nines dealt, and of raises, with four players."""
    wins: dict[int, list[bool]] = {0: [], 1: [], 2: []}
    alone = []
    for match in islice(first_hands("tuppen_zk", 4, seed), played):
        hand, outcome = match.played[0].hand, match.played[0].result.outcome
        if not isinstance(outcome, Won):
            continue
        deal = next(action for _, action in hand.log if isinstance(action, Deal))
        for seat, cards in enumerate(deal.hands):
            best = min(2, sum(card.rank in (7, 8) for card in cards))
            wins[best].append(outcome.ladder[0] == seat)
        if any(action == RAISE for _, action in hand.log):
            alone.append(len(outcome.ladder) == 1)
    for best, name in ((0, "none"), (1, "one"), (2, "two")):
        yield f"win_{name}", share(wins[best])
    yield "alone", share(alone)


def first_hands(preset: str, seats: int, seed: int) -> Iterator[Match]:
    """Matches after their first hand, played by the rule-based player at every seat; without end."""
    game, rules = find(preset)
    company = [RulesPlayer()] * seats
    for number in count():
        rng = Random(f"{seed}/{preset}/{number}")
        match = Match.start(game, rules, seats, number % seats)
        while not match.played:
            move = next_choice(match, company, seeds(match, number), DEFAULT_BUDGET)
            if move is None:
                match = match.apply(-1, shuffled(match.hand.dealing(), rng))
            else:
                match = match.apply(move[0], move[1].action)
        yield match


def share(found: Iterable[bool]) -> Figure:
    """Number of true values, and of all."""
    listed = list(found)
    return Figure(sum(listed), len(listed))


def main() -> int:
    """Print every figure; 1 if the pages quote others."""
    found = {**dict(whist()), **dict(huutopussi()), **dict(tuppen())}
    for name, figure in found.items():
        print(f"{name} = [{figure.times}, {figure.of}]", flush=True)
    return int(found != FIGURES)


if __name__ == "__main__":
    sys.exit(main())
