"""The pages of what a person learns from: mistakes as problems, and habits."""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from nousu.engine.game import Hand
from nousu.engine.messages import sentence
from nousu.i18n import Translate, decimal, translator
from nousu.i18n.names import preset_name
from nousu.i18n.review import ChoiceWords, LayoutWords, choice_words, habit_words
from nousu.i18n.sentences import Voice
from nousu.review.playouts import before
from nousu.server.errors import NoSuchTable, NotYours, RequestError
from nousu.server.live.tables import Desk
from nousu.server.pages.learn.lessons import Attempt, Scene, scene, solved
from nousu.server.pages.site import page, sorry
from nousu.server.pages.table.cards import Face, face
from nousu.server.pages.table.common import people
from nousu.server.people import progress
from nousu.server.people.progress import Habit, Mistake
from nousu.server.table.view import Seen

SHOWN = 60
"""Mistakes that are listed, those of late first."""


def routes(desk: Desk) -> list[Route]:
    """The pages, asking `desk` for everything that is not words and pictures."""
    pages = _Pages(desk)
    return [
        Route("/mine/mistakes", pages.mistakes),
        Route("/mine/mistakes/{table}/{hand:int}/{step:int}", pages.mistake),
    ]


@dataclass(frozen=True, slots=True)
class Listed:
    """A mistake in the list."""

    id: str
    address: str
    title: str
    face: Face | None
    did: str
    cost: str


@dataclass(frozen=True, slots=True)
class Row:
    """A habit in the table."""

    name: str
    count: int
    value: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A mistake as a problem."""

    course: str
    id: str
    address: str
    title: str
    task: str
    tried: Attempt
    revealed: bool
    """Solved, or the solution was asked for."""
    rules: str
    point: tuple[str, ...]
    odds: tuple[LayoutWords, ...]
    review: str
    scene: Scene
    flat: bool
    """There are too many seats for the picture."""


class _Pages:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def mistakes(self, request: Request) -> Response:
        """All clear mistakes of a person, and their habits."""
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        say, lang = translator(session.lang), session.lang
        found = await progress.gathered(self.desk, session)
        shown = found.mistakes[:SHOWN]
        games = await self._games({one.table for one in shown}, say)
        listed = [_listed(one, games.get(one.table, ""), say, lang) for one in shown]
        more = sentence("{count} review is being worked out.", "{count} reviews are being worked out.")
        values: Mapping[str, object] = {
            "mistakes": listed,
            "habits": [_row(one, say, lang) for one in found.habits],
            "levels": [name for name, _ in LEVELS],
            "level_names": [say(text) for _, text in LEVELS],
            "hands": found.hands,
            "waiting": say(more, count=found.waiting) if found.waiting else "",
        }
        return HTMLResponse(page(request, "mistakes.html", lang, values))

    async def _games(self, tables: Collection[str], say: Translate) -> dict[str, str]:
        """By what rules these tables play, in words."""
        found = {}
        for id in tables:
            with contextlib.suppress(RequestError):
                found[id] = preset_name((await self.desk.room(id)).table.preset, say)
        return found

    async def mistake(self, request: Request) -> Response:
        """One mistake as a problem: the moment again, before it is told what was better."""
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        say, lang = translator(session.lang), session.lang
        named = {name: request.path_params[name] for name in ("table", "hand", "step")}
        try:
            one = await progress.mistake(self.desk, session, **named)
            if one is None:
                raise NoSuchTable("There is no such mistake on your list.")
            seen = await self.desk.seen(one.table, session)
            table = (await self.desk.room(one.table)).table
            if table.match is None or seen.seat != one.review.seat:
                raise NoSuchTable("There is no such mistake on your list.")
        except RequestError as refusal:
            return sorry(request, lang, refusal.note, refusal.status)
        hand = before(table.match.played[one.hand - 1].hand, one.judged.step)
        act = request.query_params.get("act", "")[:60]
        act = act.replace("{}", " ".join(request.query_params.getlist("card")[:14]))[:120]
        shown = _problem(one, seen, hand, act, say, lang)
        return HTMLResponse(page(request, "mistake.html", lang, {"show": shown}))


LEVELS = (
    ("beginner", sentence("Beginner")),
    ("easy", sentence("Easy")),
    ("club", sentence("Club player")),
    ("searcher", sentence("Searching player")),
)
"""The computer players people are compared with."""


def _listed(one: Mistake, game: str, say: Translate, lang: str) -> Listed:
    where = say("Trick {number}", number=one.judged.trick) if one.judged.trick else say("Before the cards")
    card = getattr(one.judged.action, "card", None)
    return Listed(
        id=_id(one),
        address=_address(one),
        title=" · ".join(filter(None, (game, say("Hand {number}", number=one.review.number)))),
        face=None if card is None else face(card, say, lang),
        did=where,
        cost=decimal(-one.judged.cost.mean, lang),
    )


def _id(one: Mistake) -> str:
    return f"{one.table}-{one.hand}-{one.judged.step}"


def _address(one: Mistake) -> str:
    return f"/mine/mistakes/{one.table}/{one.hand}/{one.judged.step}"


def _row(habit: Habit, say: Translate, lang: str) -> Row:
    def written(mean: float, half: float) -> str:
        numbers = [decimal(100 * value, lang, signed=False) for value in (mean, half)]
        return " ± ".join(numbers)

    by = {level.name: written(level.mean, level.half) for level in habit.levels}
    return Row(
        name=say(habit_words(habit.kind)),
        count=habit.times,
        value=written(habit.mean, habit.half),
        levels=tuple(by.get(name, "–") for name, _ in LEVELS),
    )


def _problem(one: Mistake, seen: Seen, hand: Hand, act: str, say: Translate, lang: str) -> Problem:
    seat = one.review.seat
    view = hand.view(seat)
    who = people(seen)
    names = tuple(say("You") if at == seat else who.name(at) for at in range(len(seen.names)))
    voice = Voice(names, who.sides, seat, say)
    tried = solved(act, hand, seat, voice, lambda action: progress.answered(one.judged, action))
    revealed = tried.good or act == "answer"
    words = choice_words(one.judged, voice, lang, seen.match.rules)
    return Problem(
        course="mistakes",
        id=_id(one),
        address=_address(one),
        title=" · ".join(
            (preset_name(seen.preset, say), say("Hand {number}", number=one.review.number), words.where)
        ),
        task=say("You were here before, and something else was clearly better. What do you do?"),
        tried=tried,
        revealed=revealed,
        rules=seen.preset,
        point=tuple(_point(words, say)) if revealed else (),
        odds=words.odds if revealed else (),
        review=f"/t/{one.table}/review/{one.hand}#choice-{one.judged.step}",
        scene=scene(view, names, who.sides, say, lang, done=tried.good),
        flat=len(names) > 4,
    )


def _point(words: ChoiceWords, say: Translate) -> Iterator[str]:
    yield words.why
    if words.reason:
        yield words.reason
    yield say("Then you chose: {choice} ({points}).", choice=words.did, points=words.amount)
