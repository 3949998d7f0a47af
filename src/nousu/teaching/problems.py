"""Problems to solve: a moment of a hand, and the choice that is best in (nearly) all deals that fit.

``problems/<theme>.jsonl`` holds them, one per line, as ``nousu problems make`` found them; ``nousu problems
check`` judges them again. The texts are made from the problem itself, so they cannot say anything untrue.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from nousu.engine.game import Game, Hand
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, parse_seat
from nousu.games import find
from nousu.teaching.lessons import played

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
        sentence("A rami: tricks are wanted. Which card brings your side most?"),
    ),
    "sooli": Theme(
        sentence("Sooli: alone against two"),
        sentence("A sooli: the ace is low, and the soloist must not take a trick. Which card decides it?"),
    ),
    "marriages": Theme(
        sentence("Huutopussi: marriages and questions"),
        sentence("You may make trumps or ask for a marriage before you lead. What brings your side most?"),
    ),
    "fold": Theme(
        sentence("Tuppen: go along or leave"),
        sentence("The stake goes up. Do you go along, or do you leave?"),
    ),
}
"""The themes in the order of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem, with what is known of its solution."""

    id: str
    theme: str
    number: int
    """Its place in the theme, from 1."""
    game: Game
    rules: str
    seat: Seat
    hand: Hand
    right: tuple[str, ...]
    """The best actions, as records write them; they bring the same in every deal."""
    second: str
    """The best of the others."""
    deals: int
    every: bool
    """Whether all deals that fit were looked at, or a random sample."""
    share: float
    """In what share of them nothing is better."""
    lead: float
    """How much more it brings on average than the second."""
    found: tuple[str, ...]
    """The computer players that find it."""
    level: int
    """How hard it is: 1 easy, 2 middling, 3 hard."""


def level_of(found: tuple[str, ...]) -> int:
    """How hard a problem is that these of the four players find (rules, beginner, club, searcher)."""
    return 1 if len(found) == 4 else 2 if len(found) >= 2 else 3


@cache
def _lines(theme: str) -> tuple[Mapping[str, Any], ...]:
    path = PROBLEMS / f"{theme}.jsonl"
    if not path.exists():
        return ()
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def count(theme: str) -> int:
    """How many problems a theme has."""
    return len(_lines(theme))


def levels(theme: str) -> tuple[tuple[str, int], ...]:
    """Id and difficulty of every problem of a theme, in order."""
    return tuple((one["id"], level_of(tuple(one["found"]))) for one in _lines(theme))


@cache
def problem(theme: str, number: int) -> Problem | None:
    """A problem by its theme and number; None where there is none."""
    if theme not in THEMES or not 1 <= number <= count(theme):
        return None
    one = _lines(theme)[number - 1]
    game, rules = find(one["rules"])
    return Problem(
        id=one["id"],
        theme=theme,
        number=number,
        game=game,
        rules=one["rules"],
        seat=parse_seat(one["seat"], _SEATS),
        hand=played(game, rules, one).hand,
        right=tuple(one["right"]),
        second=one["second"],
        deals=one["deals"],
        every=one["every"],
        share=one["share"],
        lead=one["lead"],
        found=tuple(one["found"]),
        level=level_of(tuple(one["found"])),
    )


def daily(day: date) -> tuple[str, int]:
    """Theme and number of the problem of a day: the themes in turn, each from its first to its last."""
    turn = day.toordinal()
    themes = [theme for theme in THEMES if count(theme)]
    theme = themes[turn % len(themes)]
    return theme, turn // len(themes) % count(theme) + 1
