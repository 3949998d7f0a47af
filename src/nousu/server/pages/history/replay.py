"""The replay of a finished hand, from the deal to its result, and the written record."""

from dataclasses import dataclass

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.actions import Play
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.server.pages.history.diagram import Diagram, diagram
from nousu.server.pages.table.common import people, reasons
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.table_view import ClauseReason
from nousu.server.pages.visit import Visit, get, member, post, whole_number
from nousu.server.people.server import Server
from nousu.server.table.view import HandSummary, SeatView


def routes(server: Server) -> list[Route]:
    """The routes of the replay."""
    return [
        get(server, "/t/{id}/hand/{index}", replay),
        post(server, "/t/{id}/hand/{index}/play", play_on, member),
        get(server, "/t/{id}/record", record),
    ]


async def replay(visit: Visit) -> Response:
    """A finished hand at the moment of the query, through the eyes of one seat or of everybody."""
    seen, hand, story = await visit.server.views.timeline(visit.table_id, visit.session, visit.hand_index)
    at = visit.query_number("at") if visit.query("at") else first_card(story)
    eyes = visit.query_number("eyes")
    values = {
        "show": replay_page(seen, hand, story, visit.reader, at, eyes),
        "origin": visit.origin,
        "rules_link": f"/rules/{seen.preset}",
        "id": visit.table_id,
    }
    return visit.page("replay.html", values)


async def record(visit: Visit) -> Response:
    """The written record: all of it once the match is over."""
    text = await visit.server.views.record(visit.table_id, visit.session)
    headers = {"content-disposition": f'inline; filename="{visit.table_id}.nousu"'}
    return PlainTextResponse(text, headers=headers)


def first_card(story: Story) -> int:
    """The moment at which the first card of a trick lies on the table; the deal if none was played."""
    played = (moment for moment, (_, action) in enumerate(story.log, 1) if isinstance(action, Play))
    return next(played, story.first)


async def play_on(visit: Visit) -> Response:
    """Open a table that goes on from a moment of a finished hand."""
    form = await visit.request.form()
    at, eyes = (whole_number(str(form.get(name, ""))) for name in ("at", "eyes"))
    seat = eyes if eyes >= 0 else None
    table_id = await visit.server.openings.open_what_if(
        visit.table_id, visit.session, visit.hand_index, at, seat
    )
    return RedirectResponse(f"/t/{table_id}", 303)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage:
    """The replay of a hand."""

    title: str
    number: int
    index: int
    last: int
    """The number of finished hands of the match."""
    picture: Diagram
    reasons: tuple[ClauseReason, ...]
    """The reasons of its result."""
    whole: bool
    """True if all cards are public: the hand may be played on from here."""
    over: bool
    """True if the match is over."""


def replay_page(
    seen: SeatView, hand: HandSummary, story: Story, reader: Reader, at: int, eyes: Seat | None
) -> ReplayPage:
    """The replay at a moment, as the seat `eyes` or all seats together see it."""
    who = people(seen)
    strength = hand_notes(seen.view.game).STRENGTH
    return ReplayPage(
        title=preset_name(seen.preset, reader.say),
        number=hand.number,
        index=hand.index,
        last=len(seen.match.played),
        picture=diagram(story, who, reader, at=at, eyes=eyes, strength=strength),
        reasons=reasons(hand, who, reader),
        whole=story.whole,
        over=seen.over,
    )
