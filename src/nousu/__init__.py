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
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

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
_Rules = TypeVar("_Rules")


def __getattr__(name: str) -> Any:
    """Load `Position` on demand."""
    if name == "Position":
        from nousu.solver import Position

        return Position
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@overload
def find(rules: str) -> "tuple[Game, Any]": ...
@overload
def find(rules: str, kind: "type[_Rules]") -> "tuple[Game, _Rules]": ...
def find(rules: str, kind: type[Any] = object) -> "tuple[Game, Any]":
    """The game and the rules written ``preset`` or ``preset+option=value+…``.

    Args:
        rules: A preset, and options that differ from it.
        kind: The rules of one family, for programs that know it: ``find("tuppi", nousu.games.whist.Rules)``.
            Type checkers then know the options.

    Raises:
        BadRules: No such rules; this ``ValueError`` names the possible ones.
        TypeError: The rules are no text, or those of another family.

    >>> game, rules = find("tuppi+high_fail_points=6")
    >>> game.name, list(game.presets)[:2]
    ('whist', ['tuppi', 'tuppi_catsatcards'])
    >>> rules.high_fail_points
    6
    """
    from nousu.games import find

    return find(rules, kind)


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
    from nousu.games import seats_of

    game, chosen = find(rules)
    match = Match.start(game, chosen, seats_of(rules, seats), dealer)
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
        TypeError: There is neither a position nor a text.
        ValueError: The deal, the position or the word is wrong.
        SolveStopped: The time limit was reached.

    >>> solution = solve("N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q")
    >>> solution.value, solution.best
    (2, (SA, HK, DQ, CJ))
    """
    from nousu.solver import Nolo, Position, Rami, parse_deal
    from nousu.solver import solve as solve_position

    if not isinstance(deal, str | Position):
        raise TypeError(
            f"a position or a deal as PBN writes it is wanted, not a {type(deal).__name__}; "
            "nousu.position_of(view, world) makes a position"
        )
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
        TypeError: There is no view of a seat.
        ValueError: Before the deal, and for a game without worlds.

    >>> from random import Random
    >>> possible = worlds(start("tuppi", seed=1).hand.view(0))
    >>> possible.count  # 39 cards among three others
    84478098072866400
    >>> possible.sample(Random(1)).hands == possible.sample(Random(1)).hands
    True
    """
    from nousu.players.worlds import worlds

    return worlds(_checked_view(view))


def position_of(view: "View", world: "Lying") -> "Position":
    """The position on the table in one world of a view.

    Args:
        view: The view of a seat.
        world: One of `worlds`, or any value with the ``hands`` of all seats.

    Raises:
        TypeError: There is no view of a seat, or no world.
        ValueError: Before the first lead and after the last card.
    """
    from nousu.solver import position_of

    if not hasattr(world, "hands"):
        raise TypeError(f"a world of nousu.worlds(view) is wanted, not a {type(world).__name__}")
    return position_of(_checked_view(view), world)


def goal_of(view: "View") -> "Goal":
    """The goal of the hand in a view, for the solver.

    In the whist family it is rami, nolo or sooli; in Huutopussi the difference in points between the
    viewer's side and the other; in Tuppen the last trick for the viewer, against all others together.

    Raises:
        TypeError: There is no view of a seat.
        ValueError: Before the first lead.
    """
    from nousu.solver import goal_of

    return goal_of(_checked_view(view))


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
        record: The text of a record, or the `Path` of a file; a string is never the name of a file.

    Returns:
        The record: ``.match``, and the ``.names`` of the players.

    Raises:
        BadRecord: A line is wrong, or the text is the name of a file; this ``ValueError`` names the line.
        OSError: There is no such file.
        TypeError: There is neither a text nor a `Path`.

    >>> read("nousu record 1\ngame minnesota\nseats 4 Aino | Eero | Kaisa | Kerttu\ndealer E\n").names
    ('Aino', 'Eero', 'Kaisa', 'Kerttu')
    """
    from nousu.engine.encodings import decode
    from nousu.engine.errors import BadRecord
    from nousu.engine.messages import brief
    from nousu.engine.record import read
    from nousu.games import find

    if isinstance(record, Path):
        return read(decode(record.read_bytes()), find)
    if not isinstance(record, str):
        raise TypeError(f"the text of a record or a Path is wanted, not a {type(record).__name__}")
    if len(record.split()) == 1 and (Path(record).suffix or len(Path(record).parts) > 1):
        name = brief(record)
        hint = f"a file of that name is read by read(Path({name!r}))"
        raise BadRecord(1, f"{name!r} is the text of no record; {hint}")
    return read(record, find)


def write(match: "Match", names: Sequence[str] = ()) -> str:
    """The record of a match: a readable text that `read` turns into the same match.

    Raises:
        TypeError: There is no match.
        ValueError: There are names, but not one for every seat.

    >>> print(write(start("minnesota"), ["Aino", "Eero", "Kaisa", "Kerttu"]))
    nousu record 1
    game minnesota
    seats 4 Aino | Eero | Kaisa | Kerttu
    dealer N
    <BLANKLINE>
    """
    from nousu.engine.match import Match
    from nousu.engine.record import Record, write

    if not isinstance(match, Match):
        raise TypeError(f"a match is wanted, not a {type(match).__name__}")
    if names and len(names) != match.seats:
        raise ValueError(f"{len(names)} names for {match.seats} seats")
    return write(Record(match, tuple(names)))


def _checked_view(view: object) -> "View":
    """The view of a seat; `TypeError` for other values."""
    from nousu.engine.game import View

    if isinstance(view, View):
        return view
    raise TypeError(f"the view of a seat is wanted (match.hand.view(0)), not a {type(view).__name__}")


if "IPython" in sys.modules:
    from nousu.notebook import register_displays

    register_displays()
