"""No player looks at hidden cards: in another world that its seat cannot tell apart it does the same.

    python -m bench nopeek              3,334 positions for each player and table: 140,028 in all
    python bench/nopeek.py 5000 tuppi   so many, only that game (or only a player named)

The other world is drawn by the sampler and replayed through the rules, so the player gets a view made from
a hand in which the hidden cards really lie elsewhere. ``make test`` tries 1,000 positions. Prints, for each
player and game, how many positions were tried, in how many the hidden cards lay elsewhere, how many choices
were searched rather than made by rule, and how many differed; exit code 1 if any did.
"""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

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
"""Presets with the players at a table; what was learnt in Tuppen is for two."""
POSITIONS = 3334
SMALL = Budget(seconds=0.003, worlds=20)
"""What a player may spend on one choice: enough to search endings, little enough to try thousands."""


class Findings(NamedTuple):
    """What was seen in the positions of one player and game."""

    positions: int
    moved: int
    """Positions in which the other world really was another."""
    searched: int
    """Choices that differ from the rule-based player's in action or reason."""
    peeked: tuple[str, ...]
    """The positions in which the other world changed the choice: what was chosen here and there."""


def positions(preset: str, count: int, seats: int) -> Iterator[tuple[Hand, Seat, Random]]:
    """Positions of matches played by chance, with a seat that has a choice there."""
    rng = Random(preset)
    game, rules = find(preset)
    found = 0
    while found < count:
        for _, hand in random_match(game, rules, seats, rng, hands=30):
            owed = hand.owed()
            if not owed or owed == (CHANCE,) or len(hand.legal(owed[-1])) < 2 or rng.random() < 0.5:
                continue
            yield hand, owed[-1], rng
            found += 1
            if found == count:
                return


def findings(player: Player, preset: str, count: int, seats: int = SEATS) -> Findings:
    """What this player does in so many positions and in another world of each."""
    moved = searched = 0
    peeked = []
    for hand, seat, rng in positions(preset, count, seats):
        view = hand.view(seat)
        world = worlds(view).sample(rng)
        there = replay_world(view, world).view(seat)
        seed = rng.randrange(1 << 32)
        chosen, other = player.choose(view, SMALL, seed), player.choose(there, SMALL, seed)
        moved += world.hands != _hands(hand)
        searched += chosen != find_player("rules").choose(view, SMALL, seed)
        if chosen != other:
            peeked.append(f"{preset}, seat {seat}: {chosen.action} here, {other.action} there")
    return Findings(count, moved, searched, tuple(peeked))


def _hands(hand: Any) -> tuple[int, ...]:
    table = getattr(hand, "table", None)
    return tuple(hand.hands if table is None else table.hands)


def main() -> int:
    """Print one line a player and game; 1 if any player was caught."""
    words = sys.argv[1:]
    count = next((int(word) for word in words if word.isdigit()), POSITIONS)
    caught = 0
    for preset, seats in [table for table in TABLES if table[0] in words] or TABLES:
        for player in [name for name in PLAYERS if name in words] or PLAYERS:
            seen = findings(find_player(player), preset, count, seats)
            print(
                f"{preset:17} for {seats} {player:9} {seen.positions} positions, hidden cards elsewhere in "
                f"{seen.moved}, {seen.searched} choices searched: {len(seen.peeked)} changed",
                flush=True,
            )
            for line in seen.peeked[:5]:
                print(f"  {line}")
            caught += len(seen.peeked)
    print("no player peeks" if not caught else f"{caught} choices CHANGED with hidden cards")
    return 1 if caught else 0


if __name__ == "__main__":
    sys.exit(main())
