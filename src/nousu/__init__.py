"""Nousu ("the rise"): the northern trick-taking games, to play, direct, solve and study.

This module has the functions that most programs need, and imports the rest of the package on demand:

>>> import nousu
>>> match = nousu.start("tuppi+sooli=off", seed=1)
>>> match
<Match tuppi+sooli=off: hand 1, E, S, W, N to act, score 0 0>
>>> match.hand.view(0).cards
(SK, SQ, S10, S8, HJ, H9, H5, H3, D6, D3, CA, C9, C2)
>>> match = match.apply(0, match.hand.legal(0)[0])
>>> nousu.read(nousu.write(match)).match == match
True

The hidden cards are as in one of the worlds of a seat's view, and each world is a position to solve:

>>> from random import Random
>>> match = nousu.start("minnesota", seed=1)
>>> while match.hand.view(None).phase != "play" or len(match.hand.view(None).tricks) < 8:
...     seat = match.hand.owed()[0]
...     match = match.apply(seat, match.hand.legal(seat)[-1])
>>> view = match.hand.view(match.hand.owed()[0])
>>> world = nousu.worlds(view).sample(Random(1))
>>> nousu.solve(nousu.position_of(view, world), nousu.goal_of(view)).best
(S2, S9, H7, H8, HQ)

A match is a value: `apply` returns the match after an action. ``match.hand`` has the seats to act (`owed`),
the legal actions of a seat (`legal`) and its knowledge (`view`). `nousu.engine` and `nousu.games` hold the
rules, `nousu.solver` perfect play, `nousu.players` computer players.

Imports go down only (``[tool.importlinter]`` in pyproject.toml): ``cli`` → ``datasets`` → ``terminal``,
``server``, ``integrations`` → ``teaching`` → ``i18n`` → ``review`` → ``tournament``, ``players`` → ``env`` →
``notebook`` → ``solver`` → ``games`` → ``engine``. This module, ``engine``, ``games``, ``solver`` and
``players`` need no third-party package.
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
    """Load `Position` on demand."""
    if name == "Position":
        from nousu.solver import Position

        return Position
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def find(rules: str) -> "tuple[Game, Any]":
    """The game and the rules written ``preset`` or ``preset+option=value+…``.

    Raises:
        BadRules: No such rules; this ``ValueError`` names the possible ones.

    >>> game, rules = find("tuppi+high_fail_points=6")
    >>> game.name, list(game.presets)[:2]
    ('whist', ['tuppi', 'tuppi_catsatcards'])
    >>> rules.high_fail_points
    6
    """
    from nousu.games import find

    return find(rules)


def start(rules: str = "tuppi", *, seats: int = 0, dealer: int = 0, seed: int | None = None) -> "Match":
    """Start a match at its first hand.

    Args:
        rules: The rules, written as for `find`.
        seats: The number of players; 0 is the usual number.
        dealer: The seat of the first dealer.
        seed: Deals the cards; the same seed deals the same cards. Without it the match waits for the deal:
            ``match.deal(random.Random(7))``.

    Raises:
        ValueError: The rules are not for that many players, the dealer's seat is empty, or a seed is given
            though players may speak before the deal, as with the blind raises of siebenschraem.

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
    """Solve a position with all hands open. `nousu.solver` has more, and solves many deals at once.

    Args:
        deal: A position, or a deal as PBN writes it, in which the first seat leads.
        goal: One of the solver's goals, or a word.
        line: Whether to add a line of best play.
        seconds: The time limit; None for none.

    Returns:
        The value of perfect play, and the value after every legal move.

    Raises:
        ValueError: The deal, the position or the word is wrong.
        SolveStopped: The time limit was reached.

    >>> solution = solve("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q")
    >>> solution.value, solution.best
    (2, (SA, HK, DQ, CJ))
    """
    from nousu.solver import Nolo, Rami, parse_deal
    from nousu.solver import solve as solve_position

    position = parse_deal(deal) if isinstance(deal, str) else deal
    words: dict[str, Goal] = {"rami": Rami(), "nolo": Nolo()}
    if isinstance(goal, str):
        if goal not in words:
            raise ValueError(f"'{goal}' is not a goal; write rami or nolo, or give one of nousu.solver's")
        goal = words[goal]
    return solve_position(position, goal, line=line, seconds=seconds)


def worlds(view: "View") -> "Worlds":
    """The possible layouts of the cards that a seat has not seen: counted exactly, sampled uniformly.

    Raises:
        ValueError: Before the deal, and for a game without worlds.

    >>> from random import Random
    >>> possible = worlds(start("tuppi", seed=1).hand.view(0))
    >>> possible.count  # 39 cards among three others
    84478098072866400
    >>> possible.sample(Random(1)).hands == possible.sample(Random(1)).hands
    True
    """
    from nousu.players.worlds import worlds

    return worlds(view)


def position_of(view: "View", world: "Lying") -> "Position":
    """The position on the table in one world of a view.

    Args:
        view: The view of a seat.
        world: One of `worlds`, or any value with the ``hands`` of all seats.

    Raises:
        ValueError: Before the first lead and after the last card.
    """
    from nousu.solver import position_of

    return position_of(view, world)


def goal_of(view: "View") -> "Goal":
    """The goal of the hand in a view, for the solver.

    In the whist family it is rami, nolo or sooli; in Huutopussi the difference in points between the
    viewer's side and the other; in Tuppen the last trick for the viewer, against all others together.

    Raises:
        ValueError: Before the first lead.
    """
    from nousu.solver import goal_of

    return goal_of(view)


def svg(value: "Match | Hand | View | Trick | Position") -> str:
    """The SVG file of a picture; a view shows the cards that its seat has seen, a hand all cards.

    Raises:
        TypeError: There is no picture of such a value.

    >>> svg(start("tuppi", seed=1).hand.view(0))[:34]
    '<svg xmlns="http://www.w3.org/2000'
    """
    from nousu.notebook.svg import svg

    picture = svg(value)
    if picture is None:
        raise TypeError(f"there is no picture of a {type(value).__name__}; of hands and positions there is")
    return picture


def read(record: str | Path) -> "Record":
    r"""Read and replay a record.

    Args:
        record: The text of a record, or the `Path` of a file.

    Returns:
        The record: ``.match``, and the ``.names`` of the players.

    Raises:
        BadRecord: A line is wrong; this ``ValueError`` names the first one.

    >>> read("nousu record 1\ngame minnesota\nseats 4 Aino | Eero | Kaisa | Kerttu\ndealer E\n").names
    ('Aino', 'Eero', 'Kaisa', 'Kerttu')
    """
    from nousu.engine.encodings import decode
    from nousu.engine.record import read
    from nousu.games import find

    return read(decode(record.read_bytes()) if isinstance(record, Path) else record, find)


def write(match: "Match", names: Sequence[str] = ()) -> str:
    """The record of a match: a readable text that `read` turns into the same match.

    Raises:
        ValueError: There are names, but not one for every seat.

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
