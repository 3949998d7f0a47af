"""The pages of a user's mistakes, as problems to solve again, and habits."""

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.game import Hand
from nousu.engine.messages import sentence
from nousu.i18n import decimal
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.i18n.review import ChoiceWords, LayoutWords, choice_words, habit_words
from nousu.i18n.sentences import Voice
from nousu.review.playouts import hand_before
from nousu.server.errors import NoSuchTable, RequestError
from nousu.server.pages.history.match_review import waiting_words
from nousu.server.pages.learn.exercise import (
    Attempt,
    Background,
    background,
    exercise_response,
    exercise_table,
    problem_attempt,
)
from nousu.server.pages.table.cards import Face, face
from nousu.server.pages.table.common import people
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.visit import Visit, get, owner
from nousu.server.people import daily, progress
from nousu.server.people.progress import CostChange, Habit, Mistake
from nousu.server.people.server import Server
from nousu.server.table.view import SeatView

_FEW_DAYS = 3
"""Answers to problems of the day that are worth a sentence."""
_CHANGES = 3
"""The most changes that are told."""
MOST_SHOWN = 60
"""The most mistakes listed, the costliest first."""


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/mine/mistakes", mistakes, owner),
        get(server, "/mine/mistakes/{table}/{hand:int}/{step:int}", mistake, owner),
    ]


@dataclass(frozen=True, slots=True)
class MistakeItem:
    """A mistake in the list."""

    id: str
    address: str
    title: str
    face: Face | None
    did: str
    cost: str


@dataclass(frozen=True, slots=True)
class HabitRow:
    """A habit in the table."""

    name: str
    count: int
    value: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakePage:
    """A mistake as a problem."""

    course: str
    id: str
    address: str
    title: str
    task: str
    tried: Attempt
    revealed: bool
    """True if solved, or if the solution was asked for."""
    rules: str
    point: tuple[str, ...]
    odds: tuple[LayoutWords, ...]
    review: str
    story: Background
    table: TableView


async def mistakes(visit: Visit) -> Response:
    """The page of a user's clear mistakes and habits."""
    reader, say = visit.reader, visit.reader.say
    learned = await progress.load_progress(visit.server, visit.session)
    shown = learned.mistakes[:MOST_SHOWN]
    games = await _games(visit, {mistake.table for mistake in shown})
    values: Mapping[str, object] = {
        "mistakes": [_mistake_item(mistake, games.get(mistake.table, ""), reader) for mistake in shown],
        "habits": [_row(habit, reader) for habit in learned.habits],
        "lately": await _lately(visit, learned.changes),
        "levels": [name for name, _ in LEVELS],
        "level_names": [say(text) for _, text in LEVELS],
        "hands": learned.hands,
        "waiting": waiting_words(learned.waiting, say),
    }
    return visit.page("mistakes.html", values)


async def _lately(visit: Visit, changes: Sequence[CostChange]) -> list[str]:
    """The latest progress of a user, in sentences."""
    say, lang = visit.reader.say, visit.reader.language
    answered, found = daily.found_lately(await visit.server.store.daily.of(visit.session.id), date.today())
    lines = []
    if answered >= _FEW_DAYS:
        lines.append(
            say(
                sentence(
                    "Of your last {count} problem of the day you found {found}.",
                    "Of your last {count} problems of the day you found {found}.",
                ),
                count=answered,
                found=found,
            )
        )
    better = sentence(
        "Better than before: {habit}. Tricks given away per hundred choices: {before} then, {now} now."
    )
    worse = sentence(
        "Look at this again: {habit}. Tricks given away per hundred choices: {before} then, {now} now."
    )
    for change in changes[:_CHANGES]:
        before, now = (decimal(100 * mean, lang, signed=False) for mean in (change.before, change.now))
        text = better if change.now < change.before else worse
        lines.append(say(text, habit=say(habit_words(change.kind)), before=before, now=now))
    return lines


async def _games(visit: Visit, tables: Collection[str]) -> dict[str, str]:
    """The names of the rules of these tables, by table."""
    names = {}
    for id in tables:
        with contextlib.suppress(RequestError):
            names[id] = preset_name((await visit.server.tables.room(id)).table.preset, visit.reader.say)
    return names


async def mistake(visit: Visit) -> Response:
    """The page of a mistake as a problem: the moment again, without the better choice."""
    parameters = visit.request.path_params
    place = {name: parameters[name] for name in ("table", "hand", "step")}
    entry = await progress.find_mistake(visit.server, visit.session, **place)
    if entry is None:
        raise NoSuchTable("There is no such mistake on your list.")
    seen = await visit.server.views.view(entry.table, visit.session)
    table = (await visit.server.tables.room(entry.table)).table
    if table.match is None or seen.seat != entry.review.seat:
        raise NoSuchTable("There is no such mistake on your list.")
    hand = hand_before(table.match.played[entry.hand - 1].hand, entry.judged.step)
    shown = _mistake_page(entry, seen, hand, visit.query_action(), visit.reader)
    return exercise_response(visit, "mistake.html", shown, seen.preset)


LEVELS = (
    ("beginner", sentence("Beginner")),
    ("easy", sentence("Easy")),
    ("club", sentence("Club player")),
    ("searcher", sentence("Searching player")),
)
"""The computer players that users are compared with."""


def _mistake_item(mistake: Mistake, game: str, reader: Reader) -> MistakeItem:
    say = reader.say
    where = (
        say("Trick {number}", number=mistake.judged.trick)
        if mistake.judged.trick
        else say("Before the cards")
    )
    card = getattr(mistake.judged.action, "card", None)
    return MistakeItem(
        id=_id(mistake),
        address=_address(mistake),
        title=" · ".join(filter(None, (game, say("Hand {number}", number=mistake.review.number)))),
        face=None if card is None else face(card, reader),
        did=where,
        cost=decimal(-mistake.judged.cost.mean, reader.language),
    )


def _id(mistake: Mistake) -> str:
    return f"{mistake.table}-{mistake.hand}-{mistake.judged.step}"


def _address(mistake: Mistake) -> str:
    return f"/mine/mistakes/{mistake.table}/{mistake.hand}/{mistake.judged.step}"


def _row(habit: Habit, reader: Reader) -> HabitRow:
    def written(mean: float, half: float) -> str:
        numbers = [decimal(100 * value, reader.language, signed=False) for value in (mean, half)]
        return " ± ".join(numbers)

    by = {level.name: written(level.mean, level.half) for level in habit.levels}
    return HabitRow(
        name=reader.say(habit_words(habit.kind)),
        count=habit.times,
        value=written(habit.mean, habit.half),
        levels=tuple(by.get(name, "–") for name, _ in LEVELS),
    )


def _mistake_page(mistake: Mistake, seen: SeatView, hand: Hand, act: str, reader: Reader) -> MistakePage:
    say = reader.say
    seat = mistake.review.seat
    view = hand.view(seat)
    who = people(seen)
    names = tuple(say("You") if at == seat else who.name(at) for at in range(len(seen.names)))
    voice = Voice(names, who.sides, seat, say)
    tried = problem_attempt(
        act, hand, seat, voice, lambda action: progress.is_solution(mistake.judged, action)
    )
    revealed = tried.good or act == "answer"
    words = choice_words(mistake.judged, voice, reader.language, seen.match.rules)
    return MistakePage(
        course="mistakes",
        id=_id(mistake),
        address=_address(mistake),
        title=" · ".join(
            (preset_name(seen.preset, say), say("Hand {number}", number=mistake.review.number), words.where)
        ),
        task=say("You were here before, and something else was clearly better. What do you do?"),
        tried=tried,
        revealed=revealed,
        rules=seen.preset,
        point=tuple(_point(words, reader)) if revealed else (),
        odds=words.odds if revealed else (),
        review=f"/t/{mistake.table}/review/{mistake.hand}#choice-{mistake.judged.step}",
        story=background(view, voice, reader),
        table=exercise_table(tried.hand.view(seat), names, seen.preset, reader),
    )


def _point(words: ChoiceWords, reader: Reader) -> Iterator[str]:
    yield words.why
    if words.reason:
        yield words.reason
    yield reader.say("Then you chose: {choice} ({points}).", choice=words.did, points=words.amount)
