"""Events about slips: printed, entered, confirmed by a second person, accepted, corrected, forfeited."""

from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.events.registry import event, from_to
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json, Online, Slip, SlipChange, SlipResult, Tournament, order, round_of
from nousu.tournament.people import name_key

IN_THE_HALL = sentence(
    "at Nousu’s tables {preset} cannot end after a fixed number of hands; with hands=0 a round is a whole "
    "match and can be played there"
)
"""The reason why no table of an event can be played online."""
LATE_MINUTES = 15
"""Minutes after which a side that is late forfeits, as in the rules of the Finnish federation."""


TRAIL_WORDS = {
    "entered": sentence("entered"),
    "repeated": sentence("typed once more on the same device"),
    "confirmed": sentence("confirmed"),
    "accepted": sentence("accepted"),
    "corrected": sentence("corrected"),
    "forfeited": sentence("forfeited"),
    "printed": sentence("printed"),
    "online": sentence("to be played at Nousu’s table"),
    "paper": sentence("to be played on paper"),
    "seated": sentence("begun at Nousu’s table"),
}
"""Steps in the trail of a slip (`Change.what`), as messages."""


def name_or_number(state: Tournament, number: int) -> str:
    """The name behind a number; the number itself where nobody has it."""
    return state.who(number) if 1 <= number <= len(state.numbers) else str(number)


def change_slip(was: Tournament, event: Json, what: str, slip: Slip, **changes: Any) -> Tournament:
    """The tournament with one slip changed and the change in its trail."""
    notes: tuple[Note, ...] = ()
    if slip.result is not None and "result" in changes:
        notes = result_changes(was, slip.table, slip.result, changes["result"])
    change = SlipChange(event["n"], event["at"], event["by"], what, event.get("reason", ""), notes)
    new = replace(slip, trail=(*slip.trail, change), **changes)
    return replace(was, slips={**was.slips, slip.table: new})


def result_changes(
    state: Tournament, table: str, before: SlipResult | None, after: SlipResult
) -> tuple[Note, ...]:
    """Lines of a result that differ from the result before, with their old and new text."""
    describe = state.kind(table).slips.describe
    old = () if before is None else describe(state, table, before)
    pairs = zip_longest(old, describe(state, table, after))
    return tuple(from_to(before, other) for before, other in pairs if before != other)


@event(
    "printed",
    lambda event, state: Note("", "printed the slips of {tables}", {"tables": ", ".join(event["tables"])}),
    for_play_off=True,
    marks={"begins": False},
)
def _print(state: Tournament, event: Json) -> Tournament:
    """Handle ``printed``, with the fields tables and begins.

    Begins is false; events of earlier versions lack it, and begin their round (`Slip.begins`).
    """
    for table in event["tables"]:
        state.seats(table)
        slip = state.slip(table)
        how, begins = "printed" if slip.state == "open" else slip.state, event.get("begins", True)
        state = change_slip(state, event, "printed", slip, state=how, begins=slip.begins or begins)
    return state


@event(
    "slip",
    lambda event, state: Note(
        "",
        sentence("the slip of table {table} came from Nousu’s table")
        if "online" in event
        else sentence("entered the slip of table {table}"),
        {"table": event["table"]},
    ),
    needs_numbers=True,
    for_play_off=True,
)
def _enter(state: Tournament, event: Json) -> Tournament:
    """Handle ``slip``, with the fields table, result, plan, online, device (of a phone).

    Plan is its number on the paper; absent, it is not checked. Online is the source at Nousu's tables: their
    ids, and the people for whom computer players acted.
    """
    table = event["table"]
    seats = state.seats(table)
    slip = state.slip(table)
    if "plan" in event and event["plan"] != state.plans.get(table):
        raise void_slip(state, table, seats, event["plan"])
    if slip.result is not None:
        raise Refusal(
            "the slip of table {table} was already entered by {by}; a correction with a reason can change it",
            values={"table": table, "by": slip.by},
            where="table",
            remedy="correct",
        )
    if state.is_online(table) != ("online" in event):
        raise Refusal(
            sentence("table {table} is played at Nousu’s tables; move it to paper first")
            if state.is_online(table)
            else sentence("table {table} is played on paper"),
            values={"table": table},
            where="table",
        )
    result, source = load_result(state, table, event["result"]), event.get("online")
    changes = {"result": result, "by": event["by"], "online": source, "device": event.get("device", "")}
    return change_slip(state, event, "entered", slip, state="entered", **changes)


def load_result(state: Tournament, table: str, result: Json) -> SlipResult:
    """The result that a log holds for a table. `Refusal` if it is impossible."""
    kind = state.kind(table)
    kind.check_table(state, table)
    loaded: SlipResult = kind.slips.load(state, table, result)
    kind.slips.check(state, table, loaded)
    return loaded


def void_slip(state: Tournament, table: str, seats: tuple[int, ...], plan: int) -> Refusal:
    """The refusal of a slip of another plan, with the people now at the table."""
    return Refusal(
        "this slip of plan {old} is void; under plan {plan} these sit at table {table}: {names}",
        values={
            "old": plan,
            "plan": state.plans.get(table, 0),
            "table": table,
            "names": ", ".join(map(state.who, seats)),
        },
        where="table",
    )


def by_another(first: str, second: str) -> None:
    """Raise `Refusal` if the second person is the first one."""
    if name_key(first) == name_key(second):
        raise Refusal(
            "{name} has entered this; a second person must confirm it",
            values={"name": first},
            where="by",
            clause="TU-ZK-I5",
        )


@event(
    "confirmed",
    lambda event, state: Note(
        "",
        "confirmed the slip of table {table}",
        {"table": ", ".join(event.get("tables", [event.get("table", "–")]))},
    ),
    after_publishing="allowed",
)
def _confirm(state: Tournament, event: Json) -> Tournament:
    """Handle ``confirmed``, with the fields table, result (None, or typed once more to compare), device.

    With the field tables it confirms several slips as they are.
    """
    for table in event["tables"] if "tables" in event else (event["table"],):
        slip = _by_second_person(state, table, event)
        if slip.device and slip.device == event.get("device"):
            raise Refusal(
                "this device entered the slip of table {table}; another phone or the desk confirms it",
                values={"table": table},
                where="table",
                clause="TU-ZK-I5",
                remedy="desk",
            )
        state = change_slip(state, event, "confirmed", slip, state="confirmed", repeated=False)
    return state


@event(
    "repeated",
    lambda event, state: Note(
        "", "typed the slip of table {table} once more on the same device", {"table": event["table"]}
    ),
    for_play_off=True,
)
def _repeat(state: Tournament, event: Json) -> Tournament:
    """Handle ``repeated``, with the fields table, result: typed by a second person on the same phone."""
    slip = _by_second_person(state, event["table"], event)
    return change_slip(state, event, "repeated", slip, repeated=True)


def _by_second_person(state: Tournament, table: str, event: Json) -> Slip:
    """The entered slip of a table. `Refusal` for an event by the first person, or with another result."""
    slip = _with_result(state, table)
    if slip.state != "entered":
        raise Refusal(
            "the slip of table {table} is already confirmed", values={"table": slip.table}, where="table"
        )
    by_another(slip.by, event["by"])
    typed = event.get("result")
    if typed is not None and not _agree(state, slip, typed):
        raise Refusal(
            "this differs from what {by} entered at table {table}; compare with the slip and correct it",
            values={"by": slip.by, "table": slip.table},
            where="result",
            remedy="correct",
        )
    return slip


def _agree(state: Tournament, slip: Slip, typed: Json) -> bool:
    """Whether a result typed once more is the same, however both were written."""
    assert slip.result is not None
    second: SlipResult = state.kind(slip.table).slips.load(state, slip.table, typed)
    return second.figures() == slip.result.figures()


def _with_result(state: Tournament, table: str) -> Slip:
    """The slip of a table that has a result."""
    state.seats(table)
    slip = state.slip(table)
    if slip.result is None:
        raise Refusal(
            "the slip of table {table} has not been entered yet", values={"table": table}, where="table"
        )
    return slip


@event(
    "accepted",
    lambda event, state: Note("", "accepted the slips of {tables}", {"tables": ", ".join(event["tables"])}),
    for_play_off=True,
)
def _accept(state: Tournament, event: Json) -> Tournament:
    """Handle ``accepted``, with the fields tables."""
    for table in event["tables"]:
        slip = _with_result(state, table)
        if slip.state != "confirmed":
            raise Refusal(
                sentence("the slip of table {table} has not been confirmed by a second person yet")
                if slip.state == "entered"
                else sentence("the slip of table {table} is already accepted"),
                values={"table": table},
                where="table",
            )
        state = change_slip(state, event, "accepted", slip, state="accepted")
    return state


def needs_reason(event: Json) -> None:
    """Raise `Refusal` unless the event says why."""
    if not str(event.get("reason", "")).strip():
        raise Refusal("say why", where="reason", clause="TU-ZK-I6")


@event(
    "corrected",
    lambda event, state: Note("", "corrected the slip of table {table}", {"table": event["table"]}),
    after_publishing="two people",
    changes=lambda event, state: result_changes(
        state,
        event["table"],
        state.slip(event["table"]).result,
        state.kind(event["table"]).slips.load(state, event["table"], event["result"]),
    ),
)
def _correct(state: Tournament, event: Json) -> Tournament:
    """Handle ``corrected``, with the fields table, result, reason."""
    needs_reason(event)
    slip = _with_result(state, event["table"])
    result = load_result(state, slip.table, event["result"])
    if result == slip.result:
        raise Refusal("this is what the slip already says", where="result")
    _no_later_round(state, slip.table, result)
    return _replace_result(state, event, "corrected", slip, result)


def _replace_result(state: Tournament, event: Json, what: str, slip: Slip, result: SlipResult) -> Tournament:
    """Put a new result on a slip: a second person confirms it, after the freeze before it counts at all."""
    settled = "accepted" if event.get("seconded") else "entered"
    changes = {"result": result, "by": event["by"], "unplayed": False, "device": "", "repeated": False}
    return change_slip(state, event, what, slip, state=settled, **changes)


def _no_later_round(state: Tournament, table: str, result: SlipResult) -> None:
    """Refuse another winner of a cup match if the old one already sits in the next round."""
    label = round_of(table)
    before = state.slip(table).result
    if label[:1] != "C" or before is None:
        return
    later = [old for old in state.rounds if old[:1] == "C" and order(old) > order(label)]
    if later and result.winner != before.winner:
        raise Refusal(
            "round {round} is planned on this result; undo that plan first",
            values={"round": later[0]},
            where="table",
        )


@event(
    "forfeited",
    lambda event, state: Note(
        "",
        "gave table {table} to the other side: {name} forfeits",
        {"table": event["table"], "name": name_or_number(state, event["loser"])},
    ),
    needs_numbers=True,
    after_publishing="two people",
    changes=lambda event, state: result_changes(
        state,
        event["table"],
        state.slip(event["table"]).result,
        state.kind(event["table"]).slips.forfeit(state, event["table"], event["loser"]),
    ),
)
def _forfeit(state: Tournament, event: Json) -> Tournament:
    """Handle ``forfeited``, with the fields table, loser, reason."""
    table, loser = event["table"], event["loser"]
    _sits_at(state, table, loser)
    started = state.clocks.get((table, loser))
    minutes = LATE_MINUTES if started is None else _minutes(started, event["at"])
    if started is None or minutes < LATE_MINUTES:
        if started is not None and not event.get("reason"):
            raise Refusal(
                sentence(
                    "{name} is {minutes} minute late; after {limit} min, or for a reason, the director may "
                    "declare a forfeit",
                    "{name} is {minutes} minutes late; after {limit} min, or for a reason, the director "
                    "may declare a forfeit",
                ),
                values={"name": state.who(loser), "minutes": minutes, "limit": LATE_MINUTES},
                clause="5.1",
            )
        needs_reason(event)
    slip = state.slip(table)
    result = state.kind(table).slips.forfeit(state, table, loser)
    if slip.result is not None:
        needs_reason(event)
        _no_later_round(state, table, result)
    return _replace_result(state, event, "forfeited", slip, result)


def _sits_at(state: Tournament, table: str, number: int) -> None:
    """Raise `Refusal` unless a number sits at a table."""
    if number not in state.seats(table):
        raise Refusal(
            "{name} does not sit at table {table}",
            values={"name": state.who(number), "table": table},
            where="player",
        )


def _minutes(start: str, end: str) -> int:
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


@event(
    "late",
    lambda event, state: Note(
        "",
        "started the clock on {name} at table {table}",
        {"name": name_or_number(state, event["number"]), "table": event["table"]},
    ),
    needs_numbers=True,
    for_play_off=True,
)
def _start_clock(state: Tournament, event: Json) -> Tournament:
    """Handle ``late``, with the fields table, number."""
    table, number = event["table"], event["number"]
    _sits_at(state, table, number)
    if state.slip(table).result is not None:
        raise Refusal("the slip of table {table} is already entered", values={"table": table})
    return replace(state, clocks={**state.clocks, (table, number): event["at"]})


@event(
    "online",
    lambda event, state: Note(
        "",
        sentence("moved {tables} to Nousu’s tables") if event["on"] else sentence("moved {tables} to paper"),
        {"tables": ", ".join(event["tables"])},
    ),
    needs_numbers=True,
    for_play_off=True,
)
def _move(state: Tournament, event: Json) -> Tournament:
    """Handle ``online``, with the fields tables, on, and key or so_far.

    Key maps a table to the beginning of the ids of Nousu's tables. So_far, for play on paper, maps it to the
    words of the slip so far.
    """
    online = dict(state.online)
    for table in event["tables"]:
        state.seats(table)
        if state.slip(table).result is not None:
            raise Refusal("the slip of table {table} is already entered", values={"table": table})
        if event["on"] == state.is_online(table):
            raise Refusal(
                sentence("table {table} is already played at Nousu’s tables")
                if event["on"]
                else sentence("table {table} is played on paper"),
                values={"table": table},
                where="table",
            )
        if not state.kind(table).slips.table_rules(table):
            raise Refusal(IN_THE_HALL, values={"preset": state.kind(table).preset}, where="table")
        if event["on"]:
            online[table] = Online(event["key"][table])
        else:
            so_far = tuple(event.get("so_far", {}).get(table, ()))
            online[table] = Online(online[table].key, on=False, so_far=so_far)
        state = change_slip(state, event, "online" if event["on"] else "paper", state.slip(table))
    return replace(state, online=online)


@event(
    "seated",
    lambda event, state: Note("", "table {table} begins at Nousu’s table", {"table": event["table"]}),
    needs_numbers=True,
    for_play_off=True,
)
def _sit_down(state: Tournament, event: Json) -> Tournament:
    """Handle ``seated``, with the fields table."""
    table = event["table"]
    state.seats(table)
    if not state.is_online(table):
        raise Refusal("table {table} is played on paper", values={"table": table}, where="table")
    if table in state.seated:
        return state
    state = change_slip(state, event, "seated", state.slip(table))
    return replace(state, seated={**state.seated, table: event["at"]})
