"""Figures quoted by the tips on the rules pages, measured on deals of a fixed seed.

    python -m bench.experiments.teaching_figures

High and low hands and sooli are solved with all cards seen; Huutopussi and Tuppen are played by the rule-
based player. It prints the content of ``src/nousu/teaching/tip_figures.toml``, and exits with 1 if the pages
quote other figures.
"""

import sys
from collections.abc import Iterator
from random import Random

from nousu.engine.actions import Deal
from nousu.engine.cards import ACE_LOW, DECK_36, DECK_52, Card, card_set
from nousu.engine.match import Match, shuffled
from nousu.games import find
from nousu.games.huutopussi.facts import PlayedHand
from nousu.games.huutopussi.rules import PAIR
from nousu.games.tuppen.calls import RAISE
from nousu.games.tuppen.facts import Won
from nousu.players import DEFAULT_BUDGET
from nousu.players.rules import RulesPlayer
from nousu.players.seat_loop import next_choice, seeds
from nousu.solver import Goal, Nolo, Position, Rami, Sooli, solve_many
from nousu.teaching.tip_figures import FIGURES, TipFigure

SEED = 12
DEALS = 500
"""Deals solved for each kind of hand of the whist family."""
PLAYED = 400
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


def high(hand: tuple[Card, ...]) -> int:
    """Number of cards from ten to king, which are dangerous in sooli."""
    return sum(8 <= card.rank <= 11 for card in hand)


def whist(deals: int = DEALS, seed: int = SEED) -> Iterator[tuple[str, TipFigure]]:
    """Figures of rami, nolo and sooli in solved deals."""
    rng = Random(seed)
    dealt = [hands(rng, DECK_52, 4, 13) for _ in range(deals)]
    sets = [tuple(map(card_set, four)) for four in dealt]
    rami: list[tuple[Position, Goal]] = [(Position(hands=four, turn=3), Rami()) for four in sets]
    nolo: list[tuple[Position, Goal]] = [
        (Position(hands=four, turn=index % 4), Nolo()) for index, four in enumerate(sets)
    ]
    made = [answer is not None and answer.value >= 7 for answer in solve_many(rami, want="value")]
    few = [answer is not None and answer.value <= 6 for answer in solve_many(nolo, want="value")]
    for name, least, most in (("weak", 0, 8), ("fair", 9, 11), ("good", 12, 14), ("strong", 15, 40)):
        yield (
            f"rami_{name}",
            share(won for won, four in zip(made, dealt, strict=True) if least <= honours(four[0]) <= most),
        )
    for name, least, most in (("few", 0, 3), ("some", 4, 5), ("many", 6, 13)):
        yield (
            f"nolo_{name}",
            share(won for won, four in zip(few, dealt, strict=True) if least <= small(four[0]) <= most),
        )
    low: dict[int, list[tuple[Position, Goal]]] = {1: [], 2: [], 3: []}
    while min(map(len, low.values())) < deals // 5:
        four = hands(rng, DECK_52, 4, 13)
        bucket = max(1, high(four[0]))
        if bucket <= 3 and len(low[bucket]) < deals // 5:
            held = tuple(0 if seat == 2 else card_set(cards) for seat, cards in enumerate(four))
            place = Position(hands=held, turn=1, active=(0, 1, 3), last=0, strength=ACE_LOW)
            low[bucket].append((place, Sooli(0)))
    for bucket, problems in low.items():
        answers = solve_many(problems, want="value")
        yield f"sooli_{bucket}", share(answer is not None and answer.value == 1 for answer in answers)


def huutopussi(played: int = PLAYED, seed: int = SEED) -> Iterator[tuple[str, TipFigure]]:
    """Figures of marriages and contracts."""
    rng = Random(seed)
    own, pair = [], []
    for _ in range(50 * played):
        one, other = hands(rng, DECK_36, 2, 9)
        own.append(any(couple & ~card_set(one) == 0 for couple in PAIR))
        pair.append(any(couple & ~card_set((*one, *other)) == 0 for couple in PAIR))
    yield "marriage_own", share(own)
    yield "marriage_pair", share(pair)
    made, with_marriage = [], []
    plain = 0
    for match in first_hands("huutopussi", 4, played, seed):
        outcome = match.played[0].result.outcome
        if isinstance(outcome, PlayedHand) and outcome.declarer is not None:
            ours = outcome.declarer % 2
            made.append(bool(outcome.made))
            with_marriage.append(outcome.marriages[ours] > 0)
            plain += outcome.earned[ours] - outcome.marriages[ours]
    yield "contract_made", share(made)
    yield "contract_marriage", share(with_marriage)
    yield "declarer_cards", TipFigure(plain, len(made))


def tuppen(played: int = PLAYED, seed: int = SEED) -> Iterator[tuple[str, TipFigure]]:
    """Figures of hands won by tens and nines dealt, and of raises, with four players."""
    wins: dict[int, list[bool]] = {0: [], 1: [], 2: []}
    alone = []
    for match in first_hands("tuppen_zk", 4, played, seed):
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


def first_hands(preset: str, seats: int, count: int, seed: int) -> Iterator[Match]:
    """Matches after their first hand, played by the rule-based player at every seat."""
    game, rules = find(preset)
    company = [RulesPlayer()] * seats
    for number in range(count):
        rng = Random(f"{seed}/{preset}/{number}")
        match = Match.start(game, rules, seats, number % seats)
        while not match.played:
            move = next_choice(match, company, seeds(match, number), DEFAULT_BUDGET)
            if move is None:
                match = match.apply(-1, shuffled(match.hand.dealing(), rng))
            else:
                match = match.apply(move[0], move[1].action)
        yield match


def share(found: Iterator[bool] | list[bool]) -> TipFigure:
    """Number of true values, and of all."""
    listed = list(found)
    return TipFigure(sum(listed), len(listed))


def main() -> int:
    """Print every figure; 1 if the pages quote others."""
    found = {**dict(whist()), **dict(huutopussi()), **dict(tuppen())}
    for name, figure in found.items():
        print(f"{name} = [{figure.times}, {figure.of}]  # {figure.percent} %", flush=True)
    return int(found != FIGURES)


if __name__ == "__main__":
    sys.exit(main())
