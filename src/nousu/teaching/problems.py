"""Problems to solve: a moment of a hand, and the choice that is best in (nearly) all possible deals.

``problems_data/<theme>.jsonl`` holds them, one per line, as ``nousu problems make`` prints them; ``nousu
problems check`` judges them again. Their texts are made from the problem itself, so they cannot be untrue.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from nousu.engine.game import Game, Hand
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, parse_seat
from nousu.games import find
from nousu.teaching.lessons import match_at

PROBLEMS = Path(__file__).parent / "problems_data"
_SEATS = 4


@dataclass(frozen=True, slots=True)
class Theme:
    """A kind of problems."""

    title: str
    task: str


THEMES: Mapping[str, Theme] = {
    "nolo": Theme(
        sentence("Nolo: get out of the tricks"),
        sentence("A nolo: both sides want few tricks. Which card costs your side least?"),
    ),
    "rami": Theme(
        sentence("Rami: every trick counts"),
        sentence("A rami: you want tricks. Which card wins your side the most?"),
    ),
    "sooli": Theme(
        sentence("Sooli: alone against two"),
        sentence("A sooli: the ace is low, and the soloist must not take a trick. Which card decides it?"),
    ),
    "marriages": Theme(
        sentence("Huutopussi: marriages and questions"),
        sentence("You may make trumps or ask for a marriage before you lead. What gains your side most?"),
    ),
    "fold": Theme(
        sentence("Tuppen: go along or leave"),
        sentence("The stake goes up. Do you go along, or do you leave?"),
    ),
}
"""The themes in the order of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedProblem:
    """One problem and its solution."""

    id: str
    theme: str
    number: int
    """The place in the theme, from 1."""
    game: Game
    rules: str
    seat: Seat
    hand: Hand
    right: tuple[str, ...]
    """The best actions, as records write them; their values are equal in every deal."""
    second: str
    """The best of the other actions."""
    deals: int
    every: bool
    """Whether all possible deals were solved, or a random sample."""
    share: float
    """The share of deals in which nothing is better, from 0 to 1."""
    lead: float
    """The average lead over the second, in points (tricks in the whist family)."""
    found: tuple[str, ...]
    """The computer players that find it."""
    level: int
    """Difficulty: 1 easy, 2 medium, 3 hard."""


def level_of(found: tuple[str, ...]) -> int:
    """The difficulty (1–3) of a problem that these of the four players find."""
    return 1 if len(found) == 4 else 2 if len(found) >= 2 else 3


@cache
def _lines(theme: str) -> tuple[Mapping[str, Any], ...]:
    path = PROBLEMS / f"{theme}.jsonl"
    if not path.exists():
        return ()
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def count(theme: str) -> int:
    """The number of problems of a theme."""
    return len(_lines(theme))


def levels(theme: str) -> tuple[tuple[str, int], ...]:
    """Id and difficulty of every problem of a theme, in order."""
    return tuple((row["id"], level_of(tuple(row["found"]))) for row in _lines(theme))


def problem(theme: str, number: int) -> SolvedProblem | None:
    """The problem with that number (from 1) in a theme; None where there is none."""
    return _problem(theme, number) if theme in THEMES and 1 <= number <= count(theme) else None


@cache
def _problem(theme: str, number: int) -> SolvedProblem:
    return problem_of(theme, number, _lines(theme)[number - 1])


def read_problem(theme: str, number: int, line: str) -> SolvedProblem:
    """The problem on a line of a file of problems.

    Args:
        theme: The theme of the file; a problem whose id names another is of that one.
        number: The number of the line.
        line: The line.

    Raises:
        ValueError: The line is no problem.
    """
    try:
        row = json.loads(line)
        named = str(row["id"]).partition("-")[0]
        return problem_of(named if named in THEMES else theme, number, row)
    except json.JSONDecodeError:
        raise ValueError("it is no JSON") from None
    except KeyError as error:
        raise ValueError(f"it has no {error.args[0]}") from None
    except TypeError:
        raise ValueError("it is no row of a problem") from None


def problem_of(theme: str, number: int, row: Mapping[str, Any]) -> SolvedProblem:
    """The problem that a row of a theme's file describes."""
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme}")
    game, rules = find(row["rules"])
    return SolvedProblem(
        id=row["id"],
        theme=theme,
        number=number,
        game=game,
        rules=row["rules"],
        seat=parse_seat(row["seat"], _SEATS),
        hand=match_at(game, rules, row).hand,
        right=tuple(row["right"]),
        second=row["second"],
        deals=row["deals"],
        every=row["every"],
        share=row["share"],
        lead=row["lead"],
        found=tuple(row["found"]),
        level=level_of(tuple(row["found"])),
    )


def daily(day: date, secret: bytes) -> tuple[str, int]:
    """The theme and number of the problem of a day: each once in a round, as the secret orders them."""
    turn, place = divmod(day.toordinal(), sum(map(count, THEMES)))
    return _round(secret, turn)[place]


@lru_cache(4)
def _round(secret: bytes, turn: int) -> tuple[tuple[str, int], ...]:
    """All problems in the order of one round."""
    everything = [(theme, number) for theme in THEMES for number in range(1, count(theme) + 1)]

    def drawn(one: tuple[str, int]) -> bytes:
        return hmac.digest(secret, f"{turn} {one[0]} {one[1]}".encode(), "sha256")

    return tuple(sorted(everything, key=drawn))


def sealed(day: date, secret: bytes) -> tuple[str, str]:
    """The problem of a day as a line of text, and its seal: the SHA-256 of that line, in hex.

    The line ends in digits that nobody can guess, so the seal tells nothing until the line is shown.
    """
    theme, number = daily(day, secret)
    salt = hmac.digest(secret, f"salt {day}".encode(), "sha256").hex()[:32]
    line = f"{day} {theme} {number} {salt}"
    return line, hashlib.sha256(line.encode()).hexdigest()
