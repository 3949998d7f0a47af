"""Short lessons at a real table: a prepared deal, one task, an answer to the learner's action.

``lessons_data/<file>.toml`` holds the deals and the texts, which are messages of the catalogues. The engine
plays every lesson up to the learner's turn and refuses illegal actions, so no lesson can teach a wrong rule.
One file may teach several rule sets, because it leaves out actions without a choice (turning up a bid).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from nousu.engine.actions import Action, Give, parse_action
from nousu.engine.cards import card_set, cards_of
from nousu.engine.game import Game, Hand, Setup
from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.engine.seats import CHANCE, Seat, parse_seat
from nousu.games import find

LESSONS = Path(__file__).parent / "lessons_data"
_SEATS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: one thing to learn."""

    id: str
    title: str
    task: str
    aim: str
    """The goal of the learner's side in this hand, or at this moment."""
    seat: Seat
    """The learner's seat."""
    hand: Hand
    """The hand at the learner's turn."""
    right: tuple[str, ...]
    """The actions the lesson asks for."""
    praise: str
    wrong: Mapping[str, str]
    """Answers to other legal actions, by their text in records; ``else`` is the answer to all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The lessons of a game, in order."""

    name: str
    title: str
    game: Game
    rules: str
    names: tuple[str, ...]
    """The people by seat; empty for the learner."""
    lessons: tuple[Lesson, ...]


def _data() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(LESSONS.glob("*.toml")):
        yield path.name, tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def courses() -> tuple[str, ...]:
    """The names of all courses: ``tuppi``, ``minnesota`` …, in the order of the games."""
    ordered = sorted(_data(), key=lambda file: int(file[1]["order"]))
    return tuple(name for _, data in ordered for name in data["course"])


def course_for(preset: str) -> str:
    """The course that teaches these rules (``preset+option=value``); empty where there is none."""
    return _courses_by_preset().get(preset.split("+")[0], "")


@cache
def _courses_by_preset() -> Mapping[str, str]:
    courses = [pair for _, data in _data() for pair in data["course"].items()]
    return {base: name for name, about in reversed(courses) for base in about["teaches"]}


def course(name: str) -> Course | None:
    """The lessons of a game, played up to the learner's turn; None for one without."""
    return _course(name) if name in courses() else None


@cache
def _course(name: str) -> Course:
    data = next(data for _, data in _data() if name in data["course"])
    about = data["course"][name]
    game, rules = find(about["rules"])
    return Course(
        name=name,
        title=about["title"],
        game=game,
        rules=about["rules"],
        names=tuple(data["names"]),
        lessons=tuple(_lesson(game, rules, lesson) for lesson in data["lesson"]),
    )


def _lesson(game: Game, rules: Any, row: Mapping[str, Any]) -> Lesson:
    seat = parse_seat(row["seat"], _SEATS)
    return Lesson(
        id=row["id"],
        title=row["title"],
        task=row["task"],
        aim=row["aim"],
        seat=seat,
        hand=_force(match_at(game, rules, row), seat, None).hand,
        right=tuple(_action_texts(row["right"])),
        praise=row["praise"],
        wrong={act: text for key, text in row["wrong"].items() for act in _action_texts([key])},
    )


def match_at(game: Game, rules: Any, row: Mapping[str, Any]) -> Match:
    """A match at the moment that a lesson or problem describes.

    Args:
        game: The game.
        rules: Its rules.
        row: ``dealer``, ``deal`` and ``log`` as records write them, and optionally the ``points`` of all
            seats before the hand. The log may leave out actions without a choice.

    Raises:
        IllegalAction: The rules forbid an action of the log.
    """
    match = Match.start(game, rules, _SEATS, parse_seat(row["dealer"], _SEATS))
    if "points" in row:
        match = with_points(match, row["points"])
    match = match.apply(CHANCE, parse_action(f"deal {row['deal']}"))
    for line in row["log"]:
        by, action = parse_entry(line, _SEATS)
        match = _force(match, by, action).apply(by, action)
    return match


def with_points(match: Match, points: Sequence[int]) -> Match:
    """A match of Tuppen that begins with these points of all seats; any other match as it is."""
    game, seats = match.game, match.seats
    if game.standing is None:
        return match
    plain = {"points": points, "places": [0] * seats, "group": range(seats), "kind": "regular", "host": None}
    tally = game.standing(match.rules, seats, plain)
    return replace(match, tally=tally, hand=game.start(match.rules, Setup(seats, match.dealer, tally)))


def _force(match: Match, by: Seat, action: Action | None) -> Match:
    """Apply the actions without a choice that come before this action, or (None) before the seat's turn."""
    while True:
        legal = match.hand.legal(by)
        if action in legal if action is not None else len(legal) > 1:
            return match
        owed = match.hand.owed()[0]
        only = match.hand.legal(owed)
        if len(only) != 1:
            return match
        match = match.apply(owed, only[0])


def _action_texts(texts: Sequence[str]) -> Iterator[str]:
    """Actions as records write them; ``contract 60..80`` stands for every number of an auction between."""
    for text in texts:
        match = re.fullmatch(r"(.*?)([0-9]+)\.\.([0-9]+)", text)
        if match is None:
            yield text if text == "else" else _action_text(parse_action(text))
        else:
            yield from (f"{match[1]}{n}" for n in range(int(match[2]), int(match[3]) + 1, 5))


def _action_text(action: Action) -> str:
    """An action as the lists of the lessons write it: given cards in the order of hands."""
    if isinstance(action, Give):
        return str(Give(cards_of(card_set(action.cards)), action.to))
    return str(action)


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The teacher's answer to an action."""

    good: bool
    text: str
    """A message of the catalogues."""
    hand: Hand
    """The hand after the action; unchanged where the lesson asks for another one."""


def answer(lesson: Lesson, action: Action) -> LessonAnswer:
    """Answer the learner's action.

    Raises:
        IllegalAction: The rules forbid the action.
    """
    after = lesson.hand.apply(lesson.seat, action)
    text = _action_text(action)
    if text in lesson.right:
        return LessonAnswer(True, lesson.praise, after)
    return LessonAnswer(False, lesson.wrong.get(text, lesson.wrong["else"]), lesson.hand)


def texts() -> Iterator[tuple[str, str]]:
    """Every message of the lessons with its file."""
    for name, data in _data():
        file = f"teaching/lessons_data/{name}"
        for about in data["course"].values():
            yield about["title"], file
        for row in data["lesson"]:
            for text in (row["title"], row["task"], row["aim"], row["praise"], *row["wrong"].values()):
                yield text, file
