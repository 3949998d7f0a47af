"""What the direction rules: penalties, points, who goes and who comes late, the length of the evening, the
Stechen, publishing, what needs a second person, and taking an entry back."""

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.i18n.office import event_words, local_time
from nousu.server.tournament.roles import DIRECTION, OFFICE
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.events.rulings import RULINGS
from nousu.tournament.history import EVENTS, effective_undo
from nousu.tournament.messages import Refusal
from nousu.tournament.office import Office, Opened
from nousu.tournament.people import from_text


def _whole(text: str) -> int:
    """A number as people type one, 0 where it is none; minus signs of both kinds."""
    plain = text.strip().replace("−", "-")
    digits = plain.removeprefix("-").removeprefix("+")
    return int(plain) if digits.isascii() and digits.isdecimal() and len(digits) < 6 else 0


async def _sent(visit: Visit, *names: str) -> list[str]:
    form = await visit.form()
    return [str(form.get(name, "")).strip() for name in names]


async def penalty(visit: Visit) -> Response:
    """A penalty of the sheet, by the number of its rule; a ruling in tournament points is the direction's."""
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
            points=_whole(points),
            reason=reason,
            **about,
        )

    await visit.act(work)
    return visit.go(f"/board?table={table}" if table else "/rulings")


def rulings(visit: Visit) -> Response:
    """``/rulings``: the catalogue, what has been booked, who has gone, options that can change."""
    state = visit.state
    rules = state.format.rules()
    catalogue = [
        (rule, visit.text(Note("", note.message, note.values)), note.clause) for rule, note in rules.items()
    ]
    booked = [
        {
            "entry": one.entry,
            "rule": one.rule,
            "text": visit.text(Note("", rules[one.rule].message, rules[one.rule].values)),
            "name": state.who(one.number),
            "table": one.table,
            "game": one.game,
            "points": f"{one.points:+d}" if one.points else "",
            "reason": one.reason,
            "by": one.by,
        }
        for one in state.penalties
    ]
    gone = [
        {"name": state.who(number), "round": one.round, "reason": one.reason}
        for number, one in state.withdrawals.items()
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
        "next": state.next_round(),
        "games": state.format.slips.games_at("1.1"),
    }
    return visit.page("rulings.html", values)


async def withdraw(visit: Visit) -> Response:
    """Somebody goes; their results stay, and the plan must be made again from the round that is said."""
    number, label, game, reason = await _sent(visit, "number", "round", "game", "reason")

    await visit.act(lambda office, by: office.withdraw(by, _whole(number), label, _whole(game) or 1, reason))
    return visit.go("/board")


async def late(visit: Visit) -> Response:
    """Somebody comes late: they get the next number, and play from the next plan on."""
    (name,) = await _sent(visit, "name")

    def work(office: Office, by: str) -> Opened:
        pairs = office.open().tournament.format.pairs
        return office.enter(by, from_text(name, pairs=pairs).given)

    await visit.act(work)
    return visit.go("/board")


async def clock(visit: Visit) -> Response:
    """A side has not come: its clock runs; after fifteen minutes the table may be forfeited."""
    table, number = await _sent(visit, "table", "number")
    await visit.act(lambda office, by: office.act(by, "late", table=table, number=_whole(number)))
    return visit.go(f"/board?table={table}#slip")


async def forfeit(visit: Visit) -> Response:
    """A side gives up or does not come; a second person confirms it like any other slip."""
    table, number, reason = await _sent(visit, "table", "number", "reason")
    await visit.act(
        lambda office, by: office.act(by, "forfeited", table=table, loser=_whole(number), reason=reason)
    )
    return visit.go(f"/board?table={table}#slip")


async def length(visit: Visit) -> Response:
    """The evening is made shorter or longer, with a reason; rounds that have begun stay as they are."""
    count, reason = await _sent(visit, "length", "reason")
    option = visit.state.format.length_option or "rounds"  # refused where there is none
    await visit.act(lambda office, by: office.change(by, {option: _whole(count)}, reason))
    return visit.go("/board")


async def starts(visit: Visit) -> Response:
    """When a round begins is told to everybody: on the beamer and on people's own pages."""
    label, time = await _sent(visit, "round", "time")
    await visit.act(lambda office, by: office.act(by, "starts", round=label, time=time))
    return visit.go("/board")


async def stechen(visit: Visit) -> Response:
    """The play-off for the cup is planned: exactly those who are level sit in it."""
    await visit.act(lambda office, by: office.stechen(by))
    return visit.go("/board")


async def publish(visit: Visit) -> Response:
    """The result is published; refused while anything is missing."""
    await visit.act(lambda office, by: office.act(by, "published"))
    return visit.go("/results")


async def second(visit: Visit) -> Response:
    """A second person agrees to what was ruled after publishing."""
    (entry,) = await _sent(visit, "entry")
    await visit.act(lambda office, by: office.act(by, "seconded", entry=_whole(entry)))
    return visit.go("/board")


async def undo(visit: Visit) -> Response:
    """An entry is taken back; that is an entry itself."""
    entry, reason = await _sent(visit, "entry", "reason")
    await visit.act(lambda office, by: office.undo(by, _whole(entry), reason))
    return visit.go("/log")


def log(visit: Visit) -> Response:
    """``/log``: every entry in words, the newest first."""
    events = visit.opened.log.events
    gone = effective_undo(events)
    entries = [
        {
            "n": one["n"],
            "at": local_time(one["at"]),
            "by": one["by"],
            "said": event_words(one, visit.state, visit.say),
            "undone": one["n"] in gone,
            "can": EVENTS[one["do"]].undoable and one["n"] not in gone and not visit.state.frozen,
        }
        for one in reversed(events)
    ]
    return visit.page("log.html", {"entries": entries, "head": visit.opened.log.short})


PAGES = (
    Page("/penalty", penalty, OFFICE, "POST"),
    Page("/rulings", rulings, DIRECTION),
    Page("/withdraw", withdraw, DIRECTION, "POST"),
    Page("/late", late, DIRECTION, "POST"),
    Page("/clock", clock, OFFICE, "POST"),
    Page("/forfeit", forfeit, DIRECTION, "POST"),
    Page("/length", length, DIRECTION, "POST"),
    Page("/starts", starts, DIRECTION, "POST"),
    Page("/stechen", stechen, DIRECTION, "POST"),
    Page("/publish", publish, DIRECTION, "POST"),
    Page("/second", second, OFFICE, "POST"),
    Page("/log", log, OFFICE),
    Page("/undo", undo, DIRECTION, "POST"),
)
