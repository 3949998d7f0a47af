"""Short lessons at a real table: a prepared deal, one thing to do, an answer to what was done.

``lessons/<game>.toml`` holds the deals and the texts, which are messages of the catalogues. The engine plays
every lesson up to the learner's turn and refuses what the rules forbid, so no lesson can teach a wrong rule.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nousu.engine.actions import Action, parse_action
from nousu.engine.game import Game, Hand
from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.engine.seats import CHANCE, Seat, parse_seat
from nousu.games import find

LESSONS = Path(__file__).parent / "lessons"
_SEATS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing to learn."""

    id: str
    title: str
    task: str
    seat: Seat
    """Where the learner sits."""
    hand: Hand
    """The hand at the learner's turn."""
    right: tuple[str, ...]
    """The actions the lesson asks for."""
    praise: str
    wrong: Mapping[str, str]
    """Answers to other actions that are allowed, by what records write for them; ``else`` to the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """All lessons of a game, in order."""

    name: str
    title: str
    game: Game
    rules: str
    names: tuple[str, ...]
    """The people by seat; empty for the learner."""
    lessons: tuple[Lesson, ...]


def courses() -> tuple[str, ...]:
    """The games that have lessons."""
    return tuple(path.stem for path in sorted(LESSONS.glob("*.toml")))


@cache
def course(name: str) -> Course | None:
    """The lessons of a game, played up to the learner's turn; None for one without."""
    if name not in courses():
        return None
    data = tomllib.loads((LESSONS / f"{name}.toml").read_text(encoding="utf-8"))
    game, rules = find(data["rules"])
    lessons = []
    for one in data["lesson"]:
        match = Match.start(game, rules, _SEATS, parse_seat(one["dealer"], _SEATS))
        match = match.apply(CHANCE, parse_action(f"deal {one['deal']}"))
        for line in one["log"]:
            match = match.apply(*parse_entry(line, _SEATS))
        lessons.append(
            Lesson(
                id=one["id"],
                title=one["title"],
                task=one["task"],
                seat=parse_seat(one["seat"], _SEATS),
                hand=match.hand,
                right=tuple(one["right"]),
                praise=one["praise"],
                wrong=one["wrong"],
            )
        )
    return Course(
        name=name,
        title=data["title"],
        game=game,
        rules=data["rules"],
        names=tuple(data["names"]),
        lessons=tuple(lessons),
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What the teacher says to an action."""

    good: bool
    said: str
    """A message of the catalogues."""
    hand: Hand
    """The hand after it; unchanged where it was not what the lesson asks for."""


def answer(lesson: Lesson, action: Action) -> Answer:
    """The answer to what the learner did; `IllegalAction` says which rule forbids it."""
    after = lesson.hand.apply(lesson.seat, action)
    text = str(action)
    if text in lesson.right:
        return Answer(True, lesson.praise, after)
    return Answer(False, lesson.wrong.get(text, lesson.wrong["else"]), lesson.hand)


def texts() -> Iterator[tuple[str, str]]:
    """Every message of the lessons, with the file it stands in."""
    for name in courses():
        file = f"words/teach/lessons/{name}.toml"
        data = tomllib.loads((LESSONS / f"{name}.toml").read_text(encoding="utf-8"))
        yield data["title"], file
        for one in data["lesson"]:
            for text in (one["title"], one["task"], one["praise"], *one["wrong"].values()):
                yield text, file
