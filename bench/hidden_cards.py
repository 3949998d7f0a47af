"""Choices that change with hidden cards (number; goal: 0), for every player.

    python -m bench hidden_cards              3,334 positions for each player and table: 140,028 in all
    python -m bench.hidden_cards 5000 tuppi   so many, only that game (or only a player named)

In each position another world is drawn that the seat cannot tell apart from the real one, and is replayed by
the rules, so that the player gets a view of a hand in which the hidden cards really lie elsewhere. It must
choose the same. ``make test`` tries 1,000 positions.
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from bench.results import options, parse
from nousu.engine.game import Hand
from nousu.engine.laws import random_match
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.players import Budget, Player, find_player
from nousu.players.worlds import replay_world, worlds

PLAYERS = ("rules", "beginner", "easy", "club", "searcher", "strong", "expert")
GAMES = ("tuppi", "minnesota", "norwegian_parlett", "huutopussi", "tuppen_zk")
SEATS = 4
TABLES = (*((preset, SEATS) for preset in GAMES), ("tuppen_zk", 2))
"""Presets with the number of seats; the odds of Tuppen are for two."""
POSITIONS = 3334
SMALL = Budget(seconds=0.003, worlds=20)
"""Budget of a choice: enough to search endings, little enough for thousands of positions."""


class Comparison(NamedTuple):
    """Choices of one player in one game, each in two worlds."""

    positions: int
    moved: int
    """Positions in which hidden cards lay elsewhere in the other world."""
    searched: int
    """Choices that differ from the rule-based player's in action or reason."""
    changed: tuple[str, ...]
    """Choices that differ between the two worlds, in words."""


def positions(preset: str, count: int, seats: int) -> Iterator[tuple[Hand, Seat, Random]]:
    """Yield so many positions of random matches, with a seat that has a choice there."""
    rng = Random(preset)
    game, rules = find(preset)
    number = 0
    while number < count:
        for _, hand in random_match(game, rules, seats, rng, hands=30):
            owed = hand.owed()
            if not owed or owed == (CHANCE,) or len(hand.legal(owed[-1])) < 2 or rng.random() < 0.5:
                continue
            yield hand, owed[-1], rng
            number += 1
            if number == count:
                return


def compare(player: Player, preset: str, count: int, seats: int = SEATS) -> Comparison:
    """Compare a player's choices in so many positions with those in another world of each."""
    moved = searched = 0
    changed = []
    for hand, seat, rng in positions(preset, count, seats):
        view = hand.view(seat)
        world = worlds(view).sample(rng)
        other_view = replay_world(view, world).view(seat)
        seed = rng.randrange(1 << 32)
        choice, other = player.choose(view, SMALL, seed), player.choose(other_view, SMALL, seed)
        moved += world.hands != _hands(hand)
        searched += choice != find_player("rules").choose(view, SMALL, seed)
        if choice != other:
            changed.append(f"{preset}, seat {seat}: {choice.action}, in the other world {other.action}")
    return Comparison(count, moved, searched, tuple(changed))


def _hands(hand: Any) -> tuple[int, ...]:
    table = getattr(hand, "table", None)
    return tuple(hand.hands if table is None else table.hands)


def main(words: Sequence[str] = ()) -> bool:
    """Compare every player in every game; return whether a choice changed."""
    parser = options("hidden_cards", __doc__)
    parser.add_argument("positions", nargs="?", type=int, default=POSITIONS)
    parser.add_argument("names", nargs="*", choices=[*PLAYERS, *GAMES, []], help="players and games")
    arguments, report = parse(parser, words)
    for preset, seats in [table for table in TABLES if table[0] in arguments.names] or TABLES:
        for player in [name for name in PLAYERS if name in arguments.names] or PLAYERS:
            comparison = compare(find_player(player), preset, arguments.positions, seats)
            name = f"{preset} for {seats}, {player}"
            report.add(f"{name}: positions with other hidden cards", comparison.moved, "positions")
            report.add(f"{name}: choices searched", comparison.searched, "choices")
            report.add(
                f"{name}: choices changed",
                len(comparison.changed),
                "choices",
                n=comparison.positions,
                at_most=0,
            )
            for line in comparison.changed[:5]:
                print(f"    {line}")
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
