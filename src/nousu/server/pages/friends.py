"""The pages of friends: people one has played with, and standing tables."""

from collections.abc import Mapping
from datetime import UTC, datetime

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.errors import BadRules
from nousu.engine.messages import sentence
from nousu.i18n.names import introductions, preset_name
from nousu.i18n.reader import Reader
from nousu.server.errors import RequestError
from nousu.server.pages.history.my_tables import day_words
from nousu.server.pages.visit import Visit, get, member, owner, post, whole_number
from nousu.server.people import weekly_tables
from nousu.server.people.friends import MOST, friend_of, latest_group, tables_that_wait
from nousu.server.people.server import Server
from nousu.server.people.weekly_tables import Evening
from nousu.server.storage.friends import FriendRow

_WEEKDAYS = (
    sentence("Monday"),
    sentence("Tuesday"),
    sentence("Wednesday"),
    sentence("Thursday"),
    sentence("Friday"),
    sentence("Saturday"),
    sentence("Sunday"),
)
_TABLES = (
    sentence("Monday table"),
    sentence("Tuesday table"),
    sentence("Wednesday table"),
    sentence("Thursday table"),
    sentence("Friday table"),
    sentence("Saturday table"),
    sentence("Sunday table"),
)
"""The names of standing tables without one of their own."""


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/friends", friends),
        post(server, "/friends/off", take_off, owner),
        post(server, "/friends/remember", remember, member),
        post(server, "/friends/again", again, owner),
        post(server, "/every", create, member),
        get(server, "/every/{id}", standing_table),
        get(server, "/every/{id}/calendar.ics", calendar_file),
        post(server, "/every/{id}/answer", answer, member),
        post(server, "/every/{id}/sit", sit, member),
        post(server, "/every/{id}/end", end, member),
    ]


async def friends(visit: Visit) -> Response:
    """The standing tables of a user, the last company, and everybody on the list."""
    reader, rows, session = visit.reader, visit.server.store.friends, visit.session
    found = (await rows.of(session.id))[:MOST] if session.id else []
    mine = await visit.server.store.weekly_tables.of(session.id) if session.id else []
    evenings = await weekly_tables.evenings(visit.server, session, mine) if mine else []
    group = latest_group(found)
    values = {
        "friends": [_item(friend, reader) for friend in found],
        "group": [(friend.id, friend.name) for friend in group],
        "game": preset_name(group[0].preset, reader.say) if group else "",
        "preset": group[0].preset if group else "",
        "waiting": waiting(visit),
        "evenings": [_evening(one, reader) for one in evenings],
        "remembered": await rows.is_remembered(session.id) if session.id else True,
        "games": [(preset, title) for preset, title, _ in introductions(reader.say)],
        "weekdays": [reader.say(name) for name in _WEEKDAYS],
        "today": datetime.now(UTC).weekday(),
        "name": session.name,
    }
    return visit.page("friends.html", values)


def waiting(visit: Visit) -> list[tuple[str, str, str]]:
    """The tables at which a chair is kept for the visitor: address, game, who is there."""
    return [
        (
            f"/t/{table.id}",
            preset_name(table.written, visit.reader.say),
            ", ".join(place.name for place in table.seats.places if place.session),
        )
        for table in tables_that_wait(visit.server.tables, visit.session)
    ]


def _item(friend: FriendRow, reader: Reader) -> Mapping[str, object]:
    hands = sentence("{count} hand together", "{count} hands together")
    text = reader.say(hands, count=friend.hands)
    parts = (text, day_words(friend.last, reader), preset_name(friend.preset, reader.say))
    return {"id": friend.id, "name": friend.name, "about": " · ".join(parts)}


def _evening(seen: Evening, reader: Reader) -> Mapping[str, object]:
    say, row, start = reader.say, seen.row, seen.start
    when = sentence("{weekday} {day}/{month}, {hour}:{minute}")
    words = {
        "come": sentence("comes"),
        "perhaps": sentence("perhaps"),
        "no": sentence("cannot"),
        "": sentence("not said yet"),
    }
    weekday, time = say(_WEEKDAYS[row.weekday]), {"hour": f"{start:%H}", "minute": f"{start:%M}"}
    return {
        "id": row.id,
        "title": row.title or say(_TABLES[row.weekday]),
        "game": preset_name(row.preset, say),
        "when": say(when, weekday=weekday, day=start.day, month=start.month, **time),
        "zone": row.zone,
        "people": [
            (person.name, person.answer if person.date == seen.day else "", say(words[person.answer]))
            for person in seen.people
        ],
        "mine": seen.mine,
        "opens": seen.opens,
        "owns": seen.owns,
        "listed": seen.listed,
    }


async def take_off(visit: Visit) -> Response:
    """Take a person off the list; both lists lose the other."""
    await visit.server.limits.hit("act", visit.session.id)
    form = await visit.request.form()
    await visit.server.store.friends.take_off(visit.session.id, str(form.get("id", ""))[:32])
    return RedirectResponse("/friends", 303)


async def remember(visit: Visit) -> Response:
    """Stand on lists, or on none."""
    await visit.server.limits.hit("act", visit.session.id)
    form = await visit.request.form()
    await visit.server.store.friends.remember(visit.session.id, form.get("remember") == "yes")
    return RedirectResponse("/friends", 303)


async def again(visit: Visit) -> Response:
    """Open a table with chairs kept for the chosen people."""
    form = await visit.request.form()
    rows = visit.server.store.friends
    chosen = [await friend_of(rows, visit.session, str(id)) for id in form.getlist("with")[:6]]
    invited = [(friend.name, friend.session) for friend in chosen if friend is not None]
    preset = str(form.get("preset", ""))
    if not preset and chosen and chosen[0] is not None:
        preset = chosen[0].preset
    if not invited:
        raise RequestError("Choose at least one person.")
    try:
        table = await visit.server.openings.open_for_friends(
            preset or "tuppi", visit.session, invited, str(form.get("pledge", ""))
        )
    except BadRules as wrong:
        raise RequestError(wrong.note.message, wrong.note.values) from None
    return RedirectResponse(f"/t/{table}", 303)


async def create(visit: Visit) -> Response:
    """Make a standing table."""
    form = {key: str(value) for key, value in (await visit.request.form()).items()}
    hour, _, minute = form.get("time", "").partition(":")
    if name := form.get("name", "").strip():
        visit.session = await visit.server.sessions.update(visit.session, name=name)
    try:
        id = await weekly_tables.create(
            visit.server,
            visit.session,
            form.get("title", ""),
            form.get("preset", "tuppi"),
            whole_number(form.get("weekday", "")),
            whole_number(hour) * 60 + whole_number(minute)
            if whole_number(hour) >= 0 <= whole_number(minute) < 60
            else -1,
            form.get("zone", "")[:60],
        )
    except BadRules as wrong:
        raise RequestError(wrong.note.message, wrong.note.values) from None
    return RedirectResponse(f"/every/{id}", 303)


async def standing_table(visit: Visit) -> Response:
    """The page behind the link of a standing table."""
    seen = await weekly_tables.evening(visit.server, visit.session, visit.table_id)
    shown = _evening(seen, visit.reader)
    values = {"show": shown, "name": visit.session.name, "link": f"{visit.origin}/every/{visit.table_id}"}
    return visit.page("standing.html", values)


async def calendar_file(visit: Visit) -> Response:
    """The calendar file of a standing table."""
    seen = await weekly_tables.evening(visit.server, visit.session, visit.table_id)
    title = str(_evening(seen, visit.reader)["title"])
    link = f"{visit.origin}/every/{visit.table_id}"
    text = weekly_tables.calendar(seen.row, f"Nousu: {title}", link, datetime.now(UTC))
    headers = {"content-disposition": 'attachment; filename="nousu.ics"'}
    return Response(text, media_type="text/calendar; charset=utf-8", headers=headers)


async def answer(visit: Visit) -> Response:
    """Say whether the visitor comes."""
    form = await visit.request.form()
    name = str(form.get("name", "")).strip()
    await weekly_tables.answer(visit.server, visit.session, visit.table_id, str(form.get("answer", "")), name)
    return RedirectResponse(f"/every/{visit.table_id}", 303)


async def sit(visit: Visit) -> Response:
    """Sit down at the table of the evening."""
    form = await visit.request.form()
    name, pledge = str(form.get("name", "")).strip(), str(form.get("pledge", ""))
    table = await weekly_tables.sit(visit.server, visit.session, visit.table_id, name, pledge)
    return RedirectResponse(f"/t/{table}", 303)


async def end(visit: Visit) -> Response:
    """Give a standing table up, or leave another's."""
    await weekly_tables.leave(visit.server, visit.session, visit.table_id)
    return RedirectResponse("/friends", 303)
