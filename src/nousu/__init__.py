"""Nousu ("the rise"): the northern trick-taking games, to play, direct, solve and study.

This module has what most programs need, and imports the rest of the package only when it is called:

>>> import nousu
>>> match = nousu.start("tuppi+sooli=off", seed=1)
>>> match
<Match tuppi+sooli=off: hand 1, E, S, W, N to act, score 0 0>
>>> match.hand.view(0).cards
(SK, SQ, S10, S8, HJ, H9, H5, H3, D6, D3, CA, C9, C2)
>>> match = match.apply(0, match.hand.legal(0)[0])
>>> nousu.read(nousu.write(match)).match == match
True

The hidden cards lie as in one of the worlds of a seat's view, and each world is a position to solve:

>>> from random import Random
>>> match = nousu.start("minnesota", seed=1)
>>> while match.hand.view(None).phase != "play" or len(match.hand.view(None).tricks) < 8:
...     seat = match.hand.owed()[0]
...     match = match.apply(seat, match.hand.legal(seat)[-1])
>>> view = match.hand.view(match.hand.owed()[0])
>>> world = nousu.worlds(view).sample(Random(1))
>>> nousu.solve(nousu.position_of(view, world), nousu.goal_of(view)).best
(S2, S9, H7, H8, HQ)

A match is a value: `apply` gives the match after an action. ``match.hand`` says whom the table waits for
(`owed`), what a seat may do (`legal`) and what it knows (`view`). `nousu.engine` and `nousu.games` hold the
rules, `nousu.solver` perfect play, `nousu.players` computer players.

The package is a stack of floors, and imports only go down (tests/test_house.py):
``cli`` → ``terminal``, ``server``, ``research`` → ``words`` → ``review`` → ``tournament``, ``players`` →
``env`` → ``solver`` → ``games`` → ``engine``. This module, ``engine``, ``games``, ``solver`` and ``players``
need no third-party package.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from nousu.engine.game import Game, Hand, View
    from nousu.engine.match import Match
    from nousu.engine.record import Record
    from nousu.engine.tricks import Trick
    from nousu.players.worlds import Worlds
    from nousu.solver import Goal, Position, Solution
    from nousu.solver.views import Lying

__all__ = ["Position", "find", "goal_of", "position_of", "read", "solve", "start", "svg", "worlds", "write"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`Position` is loaded when it is asked for."""
    if name == "Position":
        from nousu.solver import Position

        return Position
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    cards); without one the match waits for them: ``match.deal(random.Random(7))``. `ValueError` if these
    rules are not for that many players, if nobody sits in the dealer's seat, or if a `seed` is given where
    players may speak before the deal, as with the blind raises of siebenschraem.

    >>> start("huutopussi", dealer=2)
    <Match huutopussi: hand 1, to be dealt, score 0 0>
    >>> start("tuppen_zk", seats=3, seed=5).hand.view(0).cards
    (H9, H7, D10, CJ)
    >>> start("siebenschraem", seed=5)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    nousu.engine.errors.IllegalAction: TU-ZK-II2a: first everybody who may raise blind is asked, then the ...
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
    """Perfect play with all hands open: what it takes, and the value after every legal move.

    `deal` is a position, or a deal as PBN writes it, in which the first seat leads. `goal` is one of the
    solver's goals, or a word; `line` adds a line of best play, `seconds` limits the search (`SolveStopped`).
    ValueError says what is wrong with a deal, a position or a word. For more, and for many deals at once, see
    `nousu.solver`.

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


def worlds(view: "View") -> "Worlds":
    """All ways in which the cards may lie that this seat has not seen: counted exactly, drawn uniformly.

    ValueError before the deal, and for a game that has no worlds of its own.

    >>> from random import Random
    >>> found = worlds(start("tuppi", seed=1).hand.view(0))
    >>> found.count  # 39 cards among three others
    84478098072866400
    >>> found.sample(Random(1)).hands == found.sample(Random(1)).hands
    True
    """
    from nousu.players.worlds import worlds

    return worlds(view)


def position_of(view: "View", world: "Lying") -> "Position":
    """The position on the table, as `view` sees it, if the cards lie as in `world`.

    Args:
        view: What a seat knows.
        world: One of `worlds`, or any value with the ``hands`` of all seats.

    Raises:
        ValueError: Before the first lead and after the last card.
    """
    from nousu.solver import position_of

    return position_of(view, world)


def goal_of(view: "View") -> "Goal":
    """What is being played for in the hand of this view, as a goal for the solver.

    In the whist family rami, nolo or sooli; in Huutopussi how many points more the viewer's side takes; in
    Tuppen the last trick for the viewer, against all others together. ValueError before the first lead.
    """
    from nousu.solver import goal_of

    return goal_of(view)


def svg(shown: "Match | Hand | View | Trick | Position") -> str:
    """A picture of a hand, a trick, a view, a match or a position: the text of an SVG file. A view shows what
    its seat has seen, a hand all cards. TypeError for anything else.

    >>> svg(start("tuppi", seed=1).hand.view(0))[:34]
    '<svg xmlns="http://www.w3.org/2000'
    """
    from nousu.notebook.svg import svg

    picture = svg(shown)
    if picture is None:
        raise TypeError(f"there is no picture of a {type(shown).__name__}; of hands and positions there is")
    return picture


def read(record: str | Path) -> "Record":
    r"""The record in a file (a `Path`) or in a text, replayed.

    `BadRecord` (a ``ValueError``) names the first line that is wrong. The match is ``.match``, the names of
    the players ``.names``.

    >>> read("nousu record 1\ngame minnesota\nseats 4 Aino | Eero | Kaisa | Kerttu\ndealer E\n").names
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


if "IPython" in sys.modules:
    from nousu.notebook import register_displays

    register_displays()
