"""Short lessons at a real table: a prepared deal, one thing to do, an answer to what was done.

``lessons/<file>.toml`` holds the deals and the texts, which are messages of the catalogues. The engine plays
every lesson up to the learner's turn and refuses what the rules forbid, so no lesson can teach a wrong rule.
One file may teach several rule sets: what has only one way to go on (turning up a bid) it leaves out.
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


def _data() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(LESSONS.glob("*.toml")):
        yield path.name, tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def courses() -> tuple[str, ...]:
    """What has lessons: ``tuppi``, ``minnesota`` …, in the order of the games."""
    found = [(data["order"], name) for _, data in _data() for name in data["course"]]
    return tuple(name for _, name in sorted(found, key=lambda one: one[0]))


@cache
def course_for(preset: str) -> str:
    """The course that teaches these rules (``preset+option=value``); empty where there is none."""
    base = preset.split("+")[0]
    listed = ((name, one) for _, data in _data() for name, one in data["course"].items())
    return next((name for name, one in listed if base in one["teaches"]), "")


@cache
def course(name: str) -> Course | None:
    """The lessons of a game, played up to the learner's turn; None for one without."""
    for _, data in _data():
        if name in data["course"]:
            about = data["course"][name]
            game, rules = find(about["rules"])
            return Course(
                name=name,
                title=about["title"],
                game=game,
                rules=about["rules"],
                names=tuple(data["names"]),
                lessons=tuple(_lesson(game, rules, one) for one in data["lesson"]),
            )
    return None


def _lesson(game: Game, rules: Any, one: Mapping[str, Any]) -> Lesson:
    seat = parse_seat(one["seat"], _SEATS)
    return Lesson(
        id=one["id"],
        title=one["title"],
        task=one["task"],
        seat=seat,
        hand=_forced(played(game, rules, one), seat, None).hand,
        right=tuple(_each(one["right"])),
        praise=one["praise"],
        wrong={act: text for key, text in one["wrong"].items() for act in _each([key])},
    )


def played(game: Game, rules: Any, one: Mapping[str, Any]) -> Match:
    """A match at the moment that a file tells of: ``dealer``, ``deal``, ``log``, and the ``points`` it starts
    with where these matter. What has only one way to go on may be left out of the log."""
    match = Match.start(game, rules, _SEATS, parse_seat(one["dealer"], _SEATS))
    if "points" in one and game.standing is not None:
        plain = {"points": one["points"], "places": [0] * _SEATS, "group": range(_SEATS), "kind": "regular"}
        tally = game.standing(rules, _SEATS, plain | {"host": None})
        match = replace(match, tally=tally, hand=game.start(rules, Setup(_SEATS, match.dealer, tally)))
    match = match.apply(CHANCE, parse_action(f"deal {one['deal']}"))
    for line in one["log"]:
        by, action = parse_entry(line, _SEATS)
        match = _forced(match, by, action).apply(by, action)
    return match


def _forced(match: Match, by: Seat, action: Action | None) -> Match:
    """The match after all that had to happen before `by` does that, or (None) may do anything at all."""
    while True:
        legal = match.hand.legal(by)
        if action in legal if action is not None else len(legal) > 1:
            return match
        owed = match.hand.owed()[0]
        only = match.hand.legal(owed)
        if len(only) != 1:
            return match
        match = match.apply(owed, only[0])


def _each(texts: Sequence[str]) -> Iterator[str]:
    """Actions as records write them; ``contract 60..80`` stands for every number of an auction between."""
    for text in texts:
        found = re.fullmatch(r"(.*?)([0-9]+)\.\.([0-9]+)", text)
        if found is None:
            yield text if text == "else" else _written(parse_action(text))
        else:
            yield from (f"{found[1]}{n}" for n in range(int(found[2]), int(found[3]) + 1, 5))


def _written(action: Action) -> str:
    """An action as the lists of the lessons write it: given cards in the order of hands."""
    if isinstance(action, Give):
        return str(Give(cards_of(card_set(action.cards)), action.to))
    return str(action)


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
    text = _written(action)
    if text in lesson.right:
        return Answer(True, lesson.praise, after)
    return Answer(False, lesson.wrong.get(text, lesson.wrong["else"]), lesson.hand)


def texts() -> Iterator[tuple[str, str]]:
    """Every message of the lessons, with the file it stands in."""
    for name, data in _data():
        file = f"teaching/lessons_data/{name}"
        for about in data["course"].values():
            yield about["title"], file
        for one in data["lesson"]:
            for text in (one["title"], one["task"], one["praise"], *one["wrong"].values()):
                yield text, file
