"""One slip: entering it, typing it once more without seeing the first entry, correcting it, its trail.

If two people enter the same slip at the same moment, the later entry is compared with the first one, like
any entry by a second person.
"""

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from nousu.engine.messages import Note
from nousu.i18n.office import done_words, local_time
from nousu.server.tournament import online
from nousu.server.tournament.my_page import stand_in_notes
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.form_fields import Difference, differences
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Slip
from nousu.tournament.office import Office, Opened
from nousu.tournament.people import name_key
from nousu.tournament.print_language import heading
from nousu.tournament.todo import board

_TABLE = OFFICE | {"table"}


def show(visit: Visit) -> Response:
    """Show a slip: ``/slip/{table}``."""
    return _shown(visit, visit.request.path_params["table"])


def _shown(visit: Visit, table: str, **values: Any) -> Response:
    status = int(values.pop("status", 200))
    return visit.page("slip_page.html", {"slip": picture(visit, table, **values)}, status)


def picture(
    visit: Visit,
    table: str,
    typed: Mapping[str, str] | None = None,
    wrong: tuple[str, ...] = (),
    unlike: tuple[Difference, ...] = (),
) -> Mapping[str, object]:
    """A slip as its form shows it.

    `typed` has the texts of the boxes, `wrong` the refusal, `unlike` the differences from the first
    entry.
    """
    state = visit.state
    seats = state.seats(table)
    label, _, at = table.partition(".")
    slip = state.slip(table)
    square = next(square for square in board(state)[label] if square.table == table)
    mode = _mode(visit, slip, square.state)
    kind = state.kind(table)
    fresh = typed if typed is not None else {}
    if mode == "done" and typed is None and slip.result is not None:
        fresh = slip.result.fields()
    if mode == "enter" and typed is None and table in state.online:
        fresh = kind.slips.fields(state, table, state.online[table].so_far)
    phone = visit.guest.role == "table"
    return {
        "table": table,
        "round": label,
        "number": at,
        "title": heading(state, table, visit.say) if label[0] == "C" else "",
        "plan": square.plan,
        "state": square.state,
        "mode": mode,
        "form": kind.slips.form(state, table, fresh),
        "wrong": wrong,
        "unlike": unlike,
        "by": slip.by,
        "twice": slip.repeated and slip.state == "entered",
        "notes": tuple(visit.text(note) for note in kind.slips.describe(state, table, slip.result))
        if slip.result is not None and mode in ("done", "look")
        else (),
        "online": _online(visit, table),
        "stood_in": stand_in_notes(visit, table),
        "trail": () if mode == "second" else _trail(visit, slip),
        "penalties": tuple(
            {"rule": one.rule, "name": state.who(one.number), "game": one.game, "points": one.points}
            for one in state.penalties
            if one.table == table
        ),
        "rules": tuple(
            (rule, visit.text(Note("", note.message, note.values))) for rule, note in _rules(visit)
        ),
        "people": tuple((number, state.at_round(table).who(number)) for number in seats),
        "forfeits": state.format.pairs,
        "clocks": tuple(
            (state.who(number), local_time(at)[-5:])
            for (at_table, number), at in state.clocks.items()
            if at_table == table
        ),
        "phone": phone,
        "paper": kind.slips.paper,
        "assists": kind.slips.has_assistant and mode == "enter",
        "key": visit.guest.key,
        "me": visit.guest.number,
    }


def _trail(visit: Visit, slip: Slip) -> tuple[Mapping[str, object], ...]:
    """The entries about a slip, in words."""
    return tuple(
        {
            "at": local_time(change.at),
            "by": change.by,
            "what": done_words(change.what, visit.say),
            "reason": change.reason,
            "changes": [visit.text(note) for note in change.changes],
            "entry": change.entry,
        }
        for change in slip.trail
    )


def _online(visit: Visit, table: str) -> tuple[tuple[int, str, str], ...]:
    """The games at Nousu's tables: number, address of the table, and progress."""
    state, say = visit.state, visit.say
    if table not in state.online or table not in state.seated:
        return ()
    games = []
    for game in online.games_at_hand(visit.server, state, table):
        if game.table is None and state.slip(table).result is None:
            continue
        progress = say("over") if game.table is None or game.over else say("being played")
        waits = [place.name for place in game.table.seats.places if not place.session] if game.table else []
        if waits:
            progress = say("waits for {names}", names=", ".join(waits))
        games.append((game.number, f"/t/{game.id}", progress))
    return tuple(games)


def _rules(visit: Visit) -> list[tuple[str, Note]]:
    """The penalties of the sheet; rulings in tournament points are the direction's and have a page."""
    return [(rule, note) for rule, note in visit.state.format.rules().items() if rule not in ("I6", "5.1")]


def _mode(visit: Visit, slip: Slip, state: str) -> str:
    """The possible action of this person.

    These are: enter it, type it once more, confirm it by a look if it came from Nousu's table, wait for it to
    come from there (online), or look at it (done).
    """
    if state == "void":
        return "void"
    if visit.state.is_online(slip.table):
        return "online"
    if visit.guest.role == "table" and not visit.guest.number:
        return "who"
    if slip.result is None:
        return "enter"
    if slip.state == "entered" and name_key(slip.by) != name_key(visit.guest.who):
        return "look" if slip.online is not None and slip.by == online.SIGNED else "second"
    return "done"


async def enter(visit: Visit) -> Response:
    """Enter a typed slip: the first time, or once more by a second person."""
    table = visit.request.path_params["table"]
    typed = await _typed(visit)
    try:
        words = visit.state.kind(table).slips.typed_words(visit.state, table, typed)
        slip = visit.state.slip(table)
        if slip.result is None:
            try:
                device = await visit.device() if visit.guest.role == "table" else ""
                await visit.act(lambda office, by: office.slip(by, table, words, device=device))
            except Refusal as refusal:
                if refusal.remedy != "correct":
                    raise
                visit.opened = await visit.hosted.opened()  # another entry was quicker
                return await _compare_entries(visit, table, typed, words)
            return _next(visit, table)
        if typed.get("again") and _is_own_entry(visit, table, words):
            return _next(visit, table)  # the entry arrived; only the answer was lost
        return await _compare_entries(visit, table, typed, words)
    except Refusal as refusal:
        wrong = tuple(visit.refusal_lines(refusal))
        return await visit.render(_shown, visit, table, typed=typed, wrong=wrong, status=400)


def _is_own_entry(visit: Visit, table: str, words: tuple[str, ...]) -> bool:
    """Whether the visitor has entered, or confirmed, exactly this before."""
    slip, kind = visit.state.slip(table), visit.state.kind(table)
    mine = any(name_key(entry.by) == name_key(visit.guest.who) for entry in slip.trail)
    return mine and slip.result == kind.slips.parse(visit.state, table, words)


async def _compare_entries(
    visit: Visit, table: str, typed: Mapping[str, str], words: tuple[str, ...]
) -> Response:
    """Compare a second entry: an equal one confirms the first; differences are shown."""
    slip = visit.state.slip(table)
    device = await visit.device() if slip.device else ""
    try:
        await visit.act(lambda office, by: office.confirm(by, table, words, device))
    except Refusal as refusal:
        if refusal.remedy == "desk":
            if not slip.repeated:
                await visit.act(lambda office, by: office.repeat(by, table, words))
            return _next(visit, table)
        if refusal.remedy != "correct" or slip.result is None:
            raise
        slips = visit.state.kind(table).slips
        form = slips.form(visit.state, table, typed)
        second = typed if form.by == "places" else slips.parse(visit.state, table, words).fields()
        unlike = differences(form, slip.result.fields(), second)
        wrong = tuple(visit.refusal_lines(refusal))
        return await visit.render(_shown, visit, table, typed=second, wrong=wrong, unlike=unlike, status=409)
    return _next(visit, table)


def _next(visit: Visit, table: str) -> Response:
    """Redirect after an entry: helpers to the board, where the next missing slip is open; a player stays."""
    if visit.guest.role == "table":
        return visit.redirect(f"/slip/{table}?k={visit.guest.key}&me={visit.guest.number}")
    return visit.redirect(f"/board?done={table}")


async def _typed(visit: Visit) -> dict[str, str]:
    form = await visit.form()
    return {name: str(value)[:400] for name, value in form.items() if isinstance(value, str)}


async def check(visit: Visit) -> Response:
    """The office's answer to words that are being typed; nothing is stored."""
    table = visit.request.path_params["table"]
    typed = await _typed(visit)
    state = visit.state
    try:
        kind = state.kind(table)
        words = kind.slips.typed_words(state, table, typed)
        if progress := kind.slips.progress(state, table, words):
            return JSONResponse({"good": False, "lines": [visit.text(note) for note in progress]})
        result = kind.slips.parse(state, table, words)
        kind.check_table(state, table)
        kind.slips.check(state, table, result)
    except Refusal as refusal:
        return JSONResponse({"good": False, "lines": visit.refusal_lines(refusal)})
    return JSONResponse(
        {"good": True, "lines": [visit.text(note) for note in kind.slips.describe(state, table, result)]}
    )


async def correct(visit: Visit) -> Response:
    """Enter another result for a slip, with a reason; a second person confirms it."""
    table = visit.request.path_params["table"]
    typed = await _typed(visit)
    reason = typed.get("reason", "").strip()
    try:
        words = visit.state.kind(table).slips.typed_words(visit.state, table, typed)
        await visit.act(lambda office, by: office.correct(by, table, words, reason))
    except Refusal as refusal:
        wrong = tuple(visit.refusal_lines(refusal))
        return await visit.render(_shown, visit, table, typed=typed, wrong=wrong, status=400)
    return visit.redirect(f"/board?done={table}")


def queue(visit: Visit) -> Response:
    """Show ``/confirm``: all slips that wait for a second person, and whether this person may be it."""
    waiting = []
    for table in visit.state.waiting("entered"):
        slip = visit.state.slip(table)
        own = name_key(slip.by) == name_key(visit.guest.who)
        notes = visit.state.kind(table).slips.describe(visit.state, table, slip.result)
        waiting.append(
            {
                "table": table,
                "by": slip.by,
                "own": own,
                "twice": slip.repeated,
                "notes": [visit.text(note) for note in notes],
            }
        )
    return visit.page("confirm.html", {"waiting": waiting})


async def confirm(visit: Visit) -> Response:
    """Confirm several slips, compared with the paper, as they are: all of them or none."""
    form = await visit.form()
    tables = [str(table) for table in form.getlist("table")]
    await visit.act(lambda office, by: office.confirm_all(by, tables))
    return visit.redirect("/confirm")


async def accept(visit: Visit) -> Response:
    """Accept confirmed slips for the direction: one, or all that wait."""
    table = str((await visit.form()).get("table", ""))

    def work(office: Office, by: str) -> Opened:
        tables = [table] if table else list(office.open().tournament.waiting("confirmed"))
        if not tables:
            raise Refusal("no slip is waiting to be accepted")
        return office.act(by, "accepted", tables=tables)

    await visit.act(work)
    return visit.redirect("/board")


PAGES = (
    Page("/slip/{table}", show, _TABLE),
    Page("/slip/{table}", enter, _TABLE, "POST"),
    Page("/slip/{table}/check", check, _TABLE, "POST"),
    Page("/slip/{table}/correct", correct, OFFICE, "POST"),
    Page("/confirm", queue, OFFICE),
    Page("/confirm", confirm, OFFICE, "POST"),
    Page("/accept", accept, DIRECTION, "POST"),
)
