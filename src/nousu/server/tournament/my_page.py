"""A person's own page, by their personal link: where they sit now and next, the way to Nousu's table, what
was played there to be confirmed; and the way back from such a table."""

from dataclasses import dataclass

from starlette.responses import RedirectResponse, Response

from nousu.engine.messages import Note, sentence
from nousu.server.tournament import online
from nousu.server.tournament.links import news
from nousu.server.tournament.projector import coming
from nousu.server.tournament.roles import EVERYBODY, path_of
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.links import key_of, person_key, shown_link, slip_key
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Chair
from nousu.tournament.print_language import round_heading

_OWN = frozenset({"table"})


@dataclass(frozen=True, slots=True)
class Sitting:
    """One round of this person's evening."""

    title: str
    table: str
    with_whom: str
    """The others at the table; empty: sits out."""
    online: bool
    said: str
    """How far its slip is."""
    notes: tuple[str, ...]
    """What was played online, while it waits to be confirmed."""
    starts: str
    """When the round begins, where that is known and it has not; ``19:45``."""
    slip: str
    """Where the slip of a table in the hall is typed; empty: nowhere by this person now."""


async def show(visit: Visit) -> Response:
    """``/me/{person}``"""
    return await _page(visit)


async def _page(visit: Visit, wrong: list[str] | None = None) -> Response:
    number, member = _chair(visit)
    state = visit.state
    table = online.online_now(state, number) if number else ""
    found = await online.games(visit.desk, state, table) if table else ()
    return await visit.render(_made, visit, number, member, table, online.current(found), wrong)


def _made(
    visit: Visit, number: int, member: int, table: str, game: online.Game | None, wrong: list[str] | None
) -> Response:
    state = visit.state
    readers = shown_link(state, "read")
    unfit = visit.hall.unfit.get(table) if table else None
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
        "readers": visit.here(f"/in/{key_of(readers)}") if readers is not None else "",
        "me": visit.here(f"/me/{visit.guest.key}"),
        "wrong": wrong or [],
    }
    return visit.page("me.html", values, 400 if wrong else 200)


def _id(visit: Visit) -> int:
    if visit.guest.chair is None:
        raise Refusal("this is nobody’s own link", where="player")
    return visit.guest.chair[0]


def _chair(visit: Visit) -> Chair:
    """This person's number and member."""
    _id(visit)
    assert visit.guest.chair is not None
    return visit.guest.number, visit.guest.chair[1]


def _people(visit: Visit, chairs: tuple[Chair, ...], own: Chair) -> str:
    """Who sits at Nousu's table besides this person."""
    state = visit.state
    return ", ".join(state.entrant(number).members[at] for number, at in chairs if (number, at) != own)


def _come(game: online.Game | None) -> tuple[str, ...]:
    """Who has come to Nousu's table."""
    if game is None or game.table is None:
        return ()
    return tuple(place.name for place in game.table.places if place.session)


def _sittings(visit: Visit, number: int) -> list[Sitting]:
    state, say, found = visit.state, visit.say, []
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
            others = [state.who(one) for one in seats if one != number]
            waits = slip.state == "entered" and slip.online is not None and slip.result is not None
            notes = state.kind(key).slips.describe(state, key, slip.result) if waits and slip.result else ()
            hall = plays and not slip.online and not state.is_online(key) and slip_key(state, key)
            now = state.has_begun(label) or label == coming(state)
            may = hall and now and slip.state in ("open", "printed", "entered")
            address = visit.here(f"/slip/{key}?k={slip_key(state, key)}&me={number}") if may else ""
            found.append(
                Sitting(
                    round_heading(state, label, say),
                    key if plays else "",
                    " · ".join(others),
                    slip.online is not None or state.is_online(key),
                    say(words[slip.state]) if slip.state in words else "",
                    (*map(visit.text, notes), *stood_in(visit, key)),
                    "" if state.has_begun(label) else state.starts.get(label, ""),
                    address,
                )
            )
    return found


def stood_in(visit: Visit, table: str) -> tuple[str, ...]:
    """For whom computer players acted at a table, in sentences."""
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
                    "game": one["game"],
                    "name": visit.state.entrant(one["number"]).members[one["member"]],
                    "hands": one["hands"],
                },
            )
        )
        for one in source["stood_in"]
    )


async def act(visit: Visit) -> Response:
    """Sit down at Nousu's table, or confirm what was played there."""
    number, member = _chair(visit)
    form = await visit.form()
    try:
        if form.get("do") == "confirm":
            table = str(form.get("table", ""))[:20]
            if number not in visit.state.seats(table) or visit.state.slip(table).online is None:
                raise Refusal("you are not playing at any of Nousu’s tables now", where="table")
            await visit.act(lambda office, by: office.confirm(by, table))
            return visit.go(f"/me/{visit.guest.key}")
        session = await visit.desk.session(visit.request)
        pledge = str(form.get("pledge", ""))[:100]
        found = await online.sit(visit.desk, visit.hall, session, number, member, pledge)
    except Refusal as refusal:
        return await _page(visit, visit.refused(refusal))
    return RedirectResponse(f"/t/{found}", 303)


async def follow(visit: Visit) -> Response:
    """``/me/{person}/news``: a line that says whenever something has happened."""
    _id(visit)
    return await news(visit)


async def back(visit: Visit) -> Response:
    """``/from/{id}``: from Nousu's table back to the tournament; whoever sits there to their own page, for
    they came by it."""
    session = await visit.desk.known(visit.request)
    room = await visit.desk.room(visit.request.path_params["id"])
    seat = room.table.seat_of(session.id if session is not None else None)
    state = visit.state
    if seat is None or room.table.event.partition(" ")[0] != visit.hall.name:
        return RedirectResponse(path_of(visit.hall.name), 303)
    number, member = online.chairs_in(room.table)[seat]
    return visit.go(f"/me/{person_key(state, (state.numbers[number - 1], member))}")


PAGES = (
    Page("/me/{person}", show, _OWN),
    Page("/me/{person}", act, _OWN, "POST"),
    Page("/me/{person}/news", follow, _OWN),
    Page("/from/{id}", back, EVERYBODY),
)
