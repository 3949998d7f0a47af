"""Soolis alone: the same soolis played by `expert` and another player, with the sides exchanged.

    python -m bench.experiments.sooli_nets 'cmd:OLD/nousu player expert' 200 1 OUT.jsonl
        200 soolis, seed 1, against another player; those in the file are kept
    python -m bench.experiments.sooli_nets OUT.jsonl
        the gain in points a hand, and how often soolis are made

Bids are by rules of thumb, and a sooli is called where `expert` calls it at 0–0. It is then exchanged and played
twice: by `expert` against the other player as hunters, and by the other player against `expert`.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.experiments.sooli_chance import MOST, after_choice, hands_with_a_choice
from bench.results import interval
from nousu.engine.actions import Action
from nousu.engine.cards import card_set
from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import PASS, SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, Player, find_player, load_player
from nousu.players.seat_loop import derive_seed
from nousu.players.whist import rules


class SooliPair(NamedTuple):
    """A sooli, and whether it was made by whom."""

    deal: int
    ours: bool
    """By `expert` against the other player."""
    theirs: bool
    """By the other player against `expert`."""


def called_soolis(preset: str, seed: int) -> Iterator[tuple[int, Hand]]:
    """Hands in which a sooli has just been called, with their numbers, without end."""
    _, game = find(preset)
    for number, hand in hands_with_a_choice(preset, seed):
        while hand.owed() and Facts.of(hand.view(None).facts).phase == "sooli":
            seat = hand.owed()[0]
            view = hand.view(seat)
            action: Action = PASS
            if rules.danger_left(card_set(view.cards), game) <= MOST:
                asked = derive_seed(seed, number, "sooli")
                action = find_player("expert").choose(view, DEFAULT_BUDGET, asked).action
            hand = hand.apply(seat, action)
            if action == SOOLI:
                yield number, hand
                break


def is_made(hand: Hand, alone: Player, hunters: Player, *seed: object) -> bool:
    """Whether a sooli that has been called is made by these players."""
    soloist = Facts.of(hand.view(None).facts).soloist
    assert soloist is not None
    moves = 0
    while hand.owed():
        moves += 1
        player = alone if hand.owed()[0] % 2 == soloist % 2 else hunters
        hand = after_choice(hand, player, derive_seed(*seed, moves))
    result = hand.result()
    assert result is not None
    return result.points[soloist % 2] > 0


def describe(pairs: Sequence[SooliPair], worth: int) -> str:
    """The gain of `expert` in points a hand with a 95 % interval, and the shares of soolis made."""
    mean, low, high = interval([float(worth * (pair.ours - pair.theirs)) for pair in pairs])
    shares = [100 * sum(column) / len(pairs) for column in zip(*(pair[1:] for pair in pairs), strict=True)]
    return (
        f"{len(pairs)} soolis twice: {mean:+.2f} points a hand ({low:+.2f} … {high:+.2f}); made by expert"
        f" {shares[0]:.1f} %, by the other {shares[1]:.1f} %"
    )


def main() -> None:
    """Play soolis against another player, or describe those that were played."""
    *words, name = sys.argv[1:]
    file = Path(name)
    kept = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    pairs = [SooliPair(*json.loads(line)) for line in kept]
    _, game = find("tuppi")
    if words:
        other, ours = load_player(words[0]), find_player("expert")
        many, seed = map(int, words[1:])
        for at, (number, hand) in zip(range(many), called_soolis("tuppi", seed), strict=False):
            if at < len(pairs):
                continue
            sides = (ours, other), (other, ours)
            pairs.append(SooliPair(number, *(is_made(hand, *two, seed, number) for two in sides)))
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(pairs[-1]) + "\n")
    print(describe(pairs, game.sooli_points))


if __name__ == "__main__":
    main()
