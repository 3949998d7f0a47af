"""Personal page, opened by a personal link: seats now and next, tables on Nousu, results to confirm."""

from dataclasses import dataclass

from starlette.responses import RedirectResponse, Response

from nousu.engine.messages import Note, sentence
from nousu.server.errors import NotYours
from nousu.server.tournament import online
from nousu.server.tournament.links import news
from nousu.server.tournament.roles import EVERYBODY, path_of
from nousu.server.tournament.visit import LINK_ENDED, Page, Visit
from nousu.tournament.links import key_of, person_key, shown_link, slip_key
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Chair
from nousu.tournament.print_language import round_heading

_OWN = frozenset({"table"})


@dataclass(frozen=True, slots=True)
class PersonalRound:
    """A round of a person's evening."""

    title: str
    table: str
    with_whom: str
    """Names of the others at the table; empty where the person sits out."""
    online: bool
    said: str
    """State of its slip."""
    notes: tuple[str, ...]
    """Result played on Nousu, while it waits to be confirmed."""
    starts: str
    """Announced start of a coming round, ``19:45``; empty where unknown."""
    slip: str
    """Address of the slip form; empty where this person cannot enter it now."""


async def show(visit: Visit, wrong: list[str] | None = None) -> Response:
    """Show the personal page: ``/me/{person}``; after a refusal with its reasons."""
    number, member = _chair(visit)
    state = visit.state
    table = online.online_now(state, number) if number else ""
    games = await online.games(visit.server, state, table) if table else ()
    return await visit.render(_render, visit, number, member, table, online.current(games), wrong)


def _render(
    visit: Visit,
    number: int,
    member: int,
    table: str,
    game: online.OnlineGame | None,
    wrong: list[str] | None,
) -> Response:
    state = visit.state
    readers = shown_link(state, "read")
    unfit = visit.hosted.unfit.get(table) if table else None
    values = {
        "name": visit.guest.who,
        "number": number,
        "entrant": visit.opened.tournament.entrants[_id(visit) - 1],
        "sittings": _sittings(visit, number) if number else (),
        "now": table,
        "now_title": round_heading(state, table.partition(".")[0], visit.say) if table else "",
        "now_table": table.partition(".")[2],
        "game": game,
        "games": state.kind(table).slips.games_at(table) if table else 0,
        "with_whom": _people(visit, game.chairs, (number, member)) if game else "",
        "come": _come(game),
        "sits": game is not None and (number, member) in game.chairs,
        "unfit": visit.text(unfit) if unfit else "",
        "gone": bool(number) and state.has_withdrawn(number),
        "readers": visit.path(f"/in/{key_of(readers)}") if readers is not None else "",
        "me": visit.path(f"/me/{visit.guest.key}"),
        "wrong": wrong or [],
    }
    return visit.page("me.html", values, 400 if wrong else 200)


def _id(visit: Visit) -> int:
    if visit.guest.chair is None:
        raise Refusal("this is nobody’s own link", where="player")
    return visit.guest.chair[0]


def _chair(visit: Visit) -> Chair:
    """Number and member of this person."""
    _id(visit)
    assert visit.guest.chair is not None
    return visit.guest.number, visit.guest.chair[1]


def _people(visit: Visit, chairs: tuple[Chair, ...], own: Chair) -> str:
    """Names of the others at the table on Nousu."""
    state = visit.state
    return ", ".join(state.members(number)[at] for number, at in chairs if (number, at) != own)


def _come(game: online.OnlineGame | None) -> tuple[str, ...]:
    """Names of the people seated at the table on Nousu."""
    if game is None or game.table is None:
        return ()
    return tuple(place.name for place in game.table.seats.places if place.session)


def _sittings(visit: Visit, number: int) -> list[PersonalRound]:
    state, say, sittings = visit.state, visit.say, []
    words = {
        "entered": sentence("waits to be confirmed"),
        "confirmed": sentence("confirmed"),
        "accepted": sentence("accepted"),
    }
    void = state.format.void(state)
    for label, played in state.rounds.items():
        for key, seats in zip(played.names(), played.tables, strict=True):
            if number not in seats or label in void:
                continue
            slip, plays = state.slip(key), len(seats) > 1
            others = [state.who(other) for other in seats if other != number]
            waits = slip.state == "entered" and slip.online is not None and slip.result is not None
            notes = state.kind(key).slips.describe(state, key, slip.result) if waits and slip.result else ()
            hosted = plays and not slip.online and not state.is_online(key) and slip_key(state, key)
            now = state.has_begun(label) or label == state.round_to_find()
            may = hosted and now and slip.state in ("open", "printed", "entered")
            address = visit.path(f"/slip/{key}?k={slip_key(state, key)}&me={number}") if may else ""
            sittings.append(
                PersonalRound(
                    round_heading(state, label, say),
                    key if plays else "",
                    " · ".join(others),
                    slip.online is not None or state.is_online(key),
                    say(words[slip.state]) if slip.state in words else "",
                    (*map(visit.text, notes), *stand_in_notes(visit, key)),
                    "" if state.has_begun(label) else state.starts.get(label, ""),
                    address,
                )
            )
    return sittings


def stand_in_notes(visit: Visit, table: str) -> tuple[str, ...]:
    """Sentences naming the people for whom computer players acted at a table."""
    source = visit.state.slip(table).online
    if source is None:
        return ()
    return tuple(
        visit.text(
            Note(
                "",
                sentence(
                    "Game {game}: a computer player stood in for {name} in {hands} hand",
                    "Game {game}: a computer player stood in for {name} in {hands} hands",
                ),
                {
                    "game": entry["game"],
                    "name": visit.state.members(entry["number"])[entry["member"]],
                    "hands": entry["hands"],
                },
            )
        )
        for entry in source["stood_in"]
    )


async def act(visit: Visit) -> Response:
    """Sit down at a table on Nousu, or confirm its result."""
    number, member = _chair(visit)
    form = await visit.form()
    try:
        if form.get("do") == "confirm":
            table = str(form.get("table", ""))[:20]
            if number not in visit.state.seats(table) or visit.state.slip(table).online is None:
                raise Refusal("you are not playing at any of Nousu’s tables now", where="table")
            await visit.act(lambda office, by: office.confirm(by, table))
            return visit.redirect(f"/me/{visit.guest.key}")
        session = await visit.server.sessions.ensure(visit.request)
        pledge = str(form.get("pledge", ""))[:100]
        table_id = await online.sit(visit.server, visit.hosted, session, number, member, pledge)
    except Refusal as refusal:
        return await show(visit, visit.refusal_lines(refusal))
    return RedirectResponse(f"/t/{table_id}", 303)


async def follow(visit: Visit) -> Response:
    """Stream an event after every change: ``/me/{person}/news``."""
    _id(visit)
    return await news(visit)


async def back(visit: Visit) -> Response:
    """Redirect ``/from/{id}``, the way back from a table on Nousu, to the personal page of its player.

    Raises:
        NotYours: phones are no longer admitted.
    """
    session = await visit.server.sessions.find(visit.request)
    room = await visit.server.tables.room(visit.request.path_params["id"])
    seat = room.table.seats.seat_of(session.id if session is not None else None)
    state = visit.state
    if seat is None or room.table.options.event.partition(" ")[0] != visit.hosted.name:
        return RedirectResponse(path_of(visit.hosted.name), 303)
    number, member = online.chairs_in(room.table)[seat]
    key = person_key(state, (state.numbers[number - 1], member))
    if not key:
        raise NotYours(LINK_ENDED)
    return visit.redirect(f"/me/{key}")


PAGES = (
    Page("/me/{person}", show, _OWN),
    Page("/me/{person}", act, _OWN, "POST"),
    Page("/me/{person}/news", follow, _OWN),
    Page("/from/{id}", back, EVERYBODY),
)
