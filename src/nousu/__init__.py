"""Nousu ("the rise"): the northern trick-taking games, to play, direct, solve and study.

What most programs need stands here, and loads what it takes when it is called:

>>> import nousu
>>> match = nousu.start("tuppi+sooli=off", seed=1)
>>> match
<Match tuppi+sooli=off: hand 1, E, S, W, N to act, score 0 0>
>>> match.hand.view(0).cards
(SK, SQ, S10, S8, HJ, H9, H5, H3, D6, D3, CA, C9, C2)
>>> match = match.apply(0, match.hand.legal(0)[0])
>>> nousu.read(nousu.write(match)).match == match
True

A match is a value: `apply` gives the match after an action, ``match.hand`` answers whom the table waits for
(`owed`), what a seat may do (`legal`) and what it knows (`view`). `nousu.engine` and `nousu.games` hold the
rules, `nousu.solver` perfect play, `nousu.players` computer players.

The package is a stack of floors; imports go down only (tests/test_house.py):
``cli`` → ``terminal``, ``server``, ``research`` → ``words`` → ``tournament``, ``players`` → ``env`` →
``games``, ``solver`` → ``engine``. This module, ``engine``, ``games``, ``solver`` and ``players`` need no
third-party package.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from nousu.engine.game import Game
    from nousu.engine.match import Match
    from nousu.engine.record import Record
    from nousu.solver import Goal, Position, Solution

__all__ = ["find", "read", "solve", "start", "write"]
__version__ = "0.1.0"


def find(rules: str) -> "tuple[Game, Any]":
    """The game and the rules written ``preset`` or ``preset+option=value+…``.

    `BadRules` (a ``ValueError``) says what is wrong and what is possible.

    >>> game, rules = find("tuppi+high_fail_points=6")
    >>> game.name, list(game.presets)[:2]
    ('whist', ['tuppi', 'tuppi_catsatcards'])
    >>> rules.high_fail_points
    6
    """
    from nousu.games import find

    return find(rules)


def start(rules: str = "tuppi", *, seats: int = 0, dealer: int = 0, seed: int | None = None) -> "Match":
    """A new match by rules as in `find`, at its first hand.

    `seats` 0 is the usual number of players. With a `seed` the cards are dealt (the same seed deals the same
    ones); without one the match waits for them: ``match.deal(random.Random(7))``. `ValueError` if these rules
    are not for so many players or nobody sits where the dealer is.

    >>> start("huutopussi", dealer=2)
    <Match huutopussi: hand 1, to be dealt, score 0 0>
    >>> start("tuppen_zk", seats=3, seed=5).hand.view(0).cards
    (H9, H7, D10, CJ)
    """
    from random import Random

    from nousu.engine.match import Match

    game, chosen = find(rules)
    takes = game.seats_for(rules)
    count = seats or (4 if 4 in takes else takes.start)
    game.check_seats(rules, count)
    match = Match.start(game, chosen, count, dealer)
    return match if seed is None else match.deal(Random(seed))


def solve(
    deal: "str | Position",
    goal: "Goal | Literal['rami', 'nolo']" = "rami",
    *,
    line: bool = False,
    seconds: float | None = None,
) -> "Solution":
    """Perfect play with all cards seen: what it takes, and the value after every legal move.

    `deal` is a position, or a deal as PBN writes it, in which the first seat leads. `goal` is one of the
    solver's, or a word; `line` adds a line of best play, `seconds` bounds the search (`SolveStopped`).
    ValueError says what is wrong with a deal, a position or a word.
    More, and many deals at once: `nousu.solver`.

    >>> found = solve("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q")
    >>> found.value, found.best
    (2, (SA, HK, DQ, CJ))
    """
    from nousu.solver import Nolo, Rami, parse_deal
    from nousu.solver import solve as solved

    position = parse_deal(deal) if isinstance(deal, str) else deal
    words: dict[str, Goal] = {"rami": Rami(), "nolo": Nolo()}
    if isinstance(goal, str):
        if goal not in words:
            raise ValueError(f"'{goal}' is not a goal; write rami or nolo, or give one of nousu.solver's")
        goal = words[goal]
    return solved(position, goal, line=line, seconds=seconds)


def read(record: str | Path) -> "Record":
    """The record in a file (a `Path`) or written out (a text), replayed.

    `BadRecord` (a ``ValueError``) names the first line that is wrong. The match is ``.match``, the names of
    the players ``.names``.

    >>> read("nousu record 1\\ngame minnesota\\nseats 4 Aino | Eero | Kaisa | Kerttu\\ndealer E\\n").names
    ('Aino', 'Eero', 'Kaisa', 'Kerttu')
    """
    from nousu.engine.record import read
    from nousu.games import find

    return read(record.read_text("utf-8") if isinstance(record, Path) else record, find)


def write(match: "Match", names: Sequence[str] = ()) -> str:
    """The record of a match: a text that people can read and that `read` turns into the same match.
    ValueError unless there is a name for every seat, or none at all.

    >>> print(write(start("minnesota"), ["Aino", "Eero", "Kaisa", "Kerttu"]))
    nousu record 1
    game minnesota
    seats 4 Aino | Eero | Kaisa | Kerttu
    dealer N
    <BLANKLINE>
    """
    from nousu.engine.record import Record, write

    if names and len(names) != match.seats:
        raise ValueError(f"{len(names)} names for {match.seats} seats")
    return write(Record(match, tuple(names)))
