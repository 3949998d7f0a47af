"""Rulings of the direction: penalties, withdrawals, late arrivals, forfeits, length, publishing, undo."""

import re

from starlette.responses import Response

from nousu.engine.messages import Note, brief
from nousu.i18n.office import event_words, local_time
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.events.plans import programme_lines
from nousu.tournament.events.rulings import RULINGS
from nousu.tournament.history import EVENTS, changes, undone_entries
from nousu.tournament.messages import Refusal
from nousu.tournament.office import Office, Opened
from nousu.tournament.people import from_text

_SHOWN = 300
"""Entries of the log on one page."""


def _whole(text: str, where: str = "") -> int:
    """Whole number as typed, with either minus sign; 0 where nothing is typed. `Refusal` for other text."""
    plain = text.strip().replace("−", "-")
    digits = plain.removeprefix("-").removeprefix("+")
    if not plain:
        return 0
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 6):
        raise Refusal("{text} is not a whole number", values={"text": brief(text)}, where=where)
    return int(plain)


async def _sent(visit: Visit, *names: str) -> list[str]:
    form = await visit.form()
    return [str(form.get(name, "")).strip() for name in names]


async def penalty(visit: Visit) -> Response:
    """Book a penalty by the number of its rule; only the direction rules in tournament points."""
    number, rule, table, game, points, reason = await _sent(
        visit, "number", "rule", "table", "game", "points", "reason"
    )
    if rule in RULINGS and not visit.guest.directs:
        raise Refusal("only the director makes a ruling in points", where="rule", clause="TU-ZK-I6")

    def work(office: Office, by: str) -> Opened:
        about = {"table": table, "game": _whole(game)} if table else {}
        return office.act(
            by,
            "penalty",
            number=_whole(number),
            rule=rule,
            points=_whole(points, "points"),
            reason=reason,
            **about,
        )

    await visit.act(work)
    return visit.redirect(f"/board?table={table}" if table else "/rulings")


def rulings(visit: Visit) -> Response:
    """Show ``/rulings``: the catalogue, booked penalties, withdrawals, the length of the evening."""
    state = visit.state
    rules = state.format.rules()
    catalogue = [
        (rule, visit.text(Note("", note.message, note.values)), note.clause) for rule, note in rules.items()
    ]
    booked = [
        {
            "entry": ruling.entry,
            "rule": ruling.rule,
            "text": visit.text(Note("", rules[ruling.rule].message, rules[ruling.rule].values)),
            "name": state.before_entry(ruling.entry).who(ruling.number),
            "table": ruling.table,
            "game": ruling.game,
            "points": f"{ruling.points:+d}" if ruling.points else "",
            "reason": ruling.reason,
            "by": ruling.by,
        }
        for ruling in state.penalties
    ]
    gone = [
        {"name": state.who(number), "round": ruling.round, "game": ruling.game, "reason": ruling.reason}
        for number, ruling in state.withdrawals.items()
    ]
    length = state.format.length_option
    values = {
        "catalogue": catalogue,
        "points": [rule for rule in rules if rule in RULINGS],
        "booked": booked,
        "gone": gone,
        "people": [(number, state.who(number)) for number in state.playing()] if state.numbers else [],
        "tables": [key for key, _ in state.tables()],
        "length": getattr(state.format, length) if length else 0,
    }
    return visit.page("rulings.html", values)


async def withdraw(visit: Visit) -> Response:
    """Withdraw a number from a round on; earlier results stay, later rounds need a new plan."""
    number, label, game, reason = await _sent(visit, "number", "round", "game", "reason")
    await visit.act(lambda office, by: office.withdraw(by, _whole(number), label, _whole(game) or 1, reason))
    return visit.redirect("/board")


async def enter_late_arrival(visit: Visit) -> Response:
    """Enter a late arrival, who gets the next number and plays from the next plan on."""
    (name,) = await _sent(visit, "name")

    def work(office: Office, by: str) -> Opened:
        pairs = office.open().tournament.format.pairs
        return office.enter(by, from_text(name, pairs=pairs).given)

    await visit.act(work)
    return visit.redirect("/board")


async def start_clock(visit: Visit) -> Response:
    """Start the clock of an absent side; after fifteen minutes the table may be forfeited."""
    table, number = await _sent(visit, "table", "number")
    await visit.act(lambda office, by: office.act(by, "late", table=table, number=_whole(number)))
    return visit.redirect(f"/board?table={table}#slip")


async def forfeit(visit: Visit) -> Response:
    """Forfeit a table; a second person confirms it like any other slip."""
    table, number, reason = await _sent(visit, "table", "number", "reason")
    await visit.act(
        lambda office, by: office.act(by, "forfeited", table=table, loser=_whole(number), reason=reason)
    )
    return visit.redirect(f"/board?table={table}#slip")


async def length(visit: Visit) -> Response:
    """Shorten or lengthen the evening, with a reason; rounds that have begun stay."""
    count, reason = await _sent(visit, "length", "reason")
    option = visit.state.format.length_option or "rounds"  # refused if there is none
    await visit.act(lambda office, by: office.change(by, {option: _whole(count, option)}, reason))
    return visit.redirect("/board")


async def starts(visit: Visit) -> Response:
    """Announce when a round begins, on the projector and on personal pages."""
    label, time = await _sent(visit, "round", "time")
    await visit.act(lambda office, by: office.act(by, "starts", round=label, time=time))
    return visit.redirect("/board")


async def programme(visit: Visit) -> Response:
    """Set the programme of the evening: a time and a text, line by line."""
    (text,) = await _sent(visit, "programme")
    lines = programme_lines(text[:8000])
    await visit.act(lambda office, by: office.act(by, "programme", lines=lines))
    return visit.redirect("/board#programme")


async def note_begun(visit: Visit) -> Response:
    """Note that the cards of a round are out: no new plan changes its seats."""
    (label,) = await _sent(visit, "round")
    await visit.act(lambda office, by: office.act(by, "begun", round=label))
    return visit.redirect("/board")


async def stechen(visit: Visit) -> Response:
    """Plan the play-off (Stechen) for the cup among those who are level."""
    await visit.act(lambda office, by: office.stechen(by))
    return visit.redirect("/board")


async def publish(visit: Visit) -> Response:
    """Publish the result; refused while anything is missing."""
    (contest,) = await _sent(visit, "contest")
    about = {"contest": contest} if contest else {}
    await visit.act(lambda office, by: office.act(by, "published", **about))
    return visit.redirect("/results")


async def confirm_ruling(visit: Visit) -> Response:
    """Agree, as the second person, to a ruling made after publishing."""
    (entry,) = await _sent(visit, "entry")
    await visit.act(lambda office, by: office.act(by, "seconded", entry=_whole(entry)))
    return visit.redirect("/board")


async def undo(visit: Visit) -> Response:
    """Undo an entry; the undo is an entry itself."""
    entry, reason = await _sent(visit, "entry", "reason")
    await visit.limits.hit("undo", visit.hosted.name)
    await visit.act(lambda office, by: office.undo(by, _whole(entry), reason))
    return visit.redirect("/log")


def log(visit: Visit) -> Response:
    """Show entries in words, the newest first: ``/log``, or those before a number."""
    events = visit.opened.log.events
    typed = visit.request.query_params.get("before", "")
    before = int(typed) if re.fullmatch("[1-9][0-9]{0,6}", typed) else len(events) + 1
    shown = events[max(0, before - 1 - _SHOWN) : max(0, before - 1)]
    undone = visit.hosted.cached(visit.opened, ("undone",), lambda: undone_entries(events))
    notes = visit.hosted.cached(visit.opened, ("changes",), lambda: changes(events))
    entries = [
        {
            "n": event["n"],
            "at": local_time(event["at"]),
            "by": event["by"],
            "said": event_words(event, visit.state, visit.say),
            "changes": [visit.text(note) for note in notes.get(event["n"], ())],
            "undone": event["n"] in undone,
            "can": EVENTS[event["do"]].undoable and event["n"] not in undone and not visit.state.frozen,
        }
        for event in reversed(shown)
    ]
    older = shown[0]["n"] if shown and shown[0]["n"] > 1 else 0
    return visit.page("log.html", {"entries": entries, "head": visit.opened.log.short, "older": older})


PAGES = (
    Page("/penalty", penalty, OFFICE, "POST"),
    Page("/rulings", rulings, DIRECTION),
    Page("/withdraw", withdraw, DIRECTION, "POST"),
    Page("/late", enter_late_arrival, DIRECTION, "POST"),
    Page("/clock", start_clock, OFFICE, "POST"),
    Page("/forfeit", forfeit, DIRECTION, "POST"),
    Page("/length", length, DIRECTION, "POST"),
    Page("/starts", starts, DIRECTION, "POST"),
    Page("/begun", note_begun, DIRECTION, "POST"),
    Page("/programme", programme, DIRECTION, "POST"),
    Page("/stechen", stechen, DIRECTION, "POST"),
    Page("/publish", publish, DIRECTION, "POST"),
    Page("/second", confirm_ruling, OFFICE, "POST"),
    Page("/log", log, OFFICE),
    Page("/undo", undo, DIRECTION, "POST"),
)
