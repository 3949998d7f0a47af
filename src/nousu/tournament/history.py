"""From the log to the tournament: every event in turn, checked when it is written and again when read.

An event is a JSON object with ``n`` (its entry number), ``at`` (UTC), ``by`` (who) and ``do`` (what); the
other fields are listed with the function that carries it out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from nousu.engine.notes import sentence
from nousu.tournament.draw import draw
from nousu.tournament.formats import digest, make
from nousu.tournament.model import (
    Change,
    Entrant,
    Json,
    Penalty,
    PlanFacts,
    Proposal,
    Publication,
    Round,
    Slip,
    Tournament,
    Withdrawal,
    order,
)
from nousu.tournament.notes import Refusal
from nousu.tournament.people import alike, clean

FORMAT_VERSION = 1

LATE_MINUTES = 15
"""A side that is later than this forfeits (RULES 5.1, from the federation's tournament rules)."""

TWO_PERSONS = frozenset({"corrected", "penalty", "forfeited", "renamed", "withdrawn"})
"""What can still be done after the freeze, by two persons."""

FOR_THE_CUP = frozenset({"planned", "printed", "slip", "late", "accepted", "withdrawn"})
"""What can still be done after the freeze for a Stechen, which a ruling after it may call for."""

NUMBERED = frozenset({"slip", "forfeited", "late", "penalty", "withdrawn", "published"})
"""What speaks of numbers, and so needs the draw."""

BEFORE_FREEZE_ONLY = frozenset(
    {"entered", "struck", "drawn", "planned", "printed", "slip", "withdrawn", "late", "accepted"}
)


def tournament(events: Iterable[Json]) -> Tournament:
    """The tournament that the events make. `Refusal` names the line of an event that cannot be."""
    events = tuple(events)
    undone = effective_undo(events)
    state: Tournament | None = None
    for line, event in enumerate(events, 1):
        try:
            if state is None:
                state = _opened(event)
            elif event["do"] == "undone":
                check_undo(events[: line - 1], event)
            elif line not in undone:
                state = after(state, event)
        except Refusal as refusal:
            raise Refusal(
                refusal.note.message,
                clause=refusal.note.clause,
                values=refusal.note.values,
                where=f"line {line}" + (f", {refusal.where}" if refusal.where else ""),
            ) from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise Refusal(
                "this event is not complete ({reason})",
                values={"reason": f"{type(error).__name__}: {error}"},
                where=f"line {line}",
            ) from None
    if state is None:
        raise Refusal("the file is empty: no tournament was begun in it")
    return state


def effective_undo(events: Iterable[Json]) -> frozenset[int]:
    """The entries that no longer count. An undo that is itself undone takes nothing back."""
    undone: set[int] = set()
    for event in reversed(tuple(events)):
        if event.get("do") == "undone" and event["n"] not in undone:
            undone.add(event["entry"])
    return frozenset(undone)


def after(state: Tournament, event: Json) -> Tournament:
    """The tournament after one more event (all but undoing)."""
    kind = event["do"]
    if kind not in _DO:
        raise Refusal("{kind} is no event this version knows", values={"kind": str(kind)})
    if not alike(event["by"]):
        raise Refusal("say who does this: --by NAME", where="by")
    if kind in NUMBERED and not state.numbers:
        raise Refusal("numbers are not drawn yet: nousu tournament draw", clause="TU-ZK-I2")
    if state.frozen:
        if kind in BEFORE_FREEZE_ONLY and not _for_the_cup(event):
            raise Refusal(
                "the result is published; only corrections and rulings by two persons are possible now"
            )
        if kind in TWO_PERSONS:
            _DO[kind](state, event)  # what cannot be done shall not be proposed
            waiting = Proposal(event["n"], event["by"], event)
            return replace(state, proposals={**state.proposals, event["n"]: waiting})
    return _DO[kind](state, event)


def _for_the_cup(event: Json) -> bool:
    """Whether an event concerns a Stechen alone."""
    if event["do"] not in FOR_THE_CUP:
        return False
    about = [
        *event.get("rounds", ()),
        *event.get("tables", ()),
        event.get("table", ""),
        event.get("round", ""),
    ]
    return all(one[:1] == "S" for one in about if one)


def _opened(event: Json) -> Tournament:
    """do=opened: version, name, format"""
    if event["do"] != "opened" or event["version"] != FORMAT_VERSION:
        raise Refusal("the file does not begin as a tournament of this version does")
    return Tournament(name=clean(event["name"], "name"), format=make(event["format"]))


def check_undo(before: tuple[Json, ...], event: Json) -> None:
    """do=undone: entry, reason"""
    entry, undone = event["entry"], effective_undo(before)
    if not 2 <= entry <= len(before):
        raise Refusal("there is no entry {entry} to undo", values={"entry": entry})
    if entry in undone:
        raise Refusal("entry {entry} is undone already", values={"entry": entry})
    freeze = next((one["n"] for one in before if one["do"] == "published" and one["n"] not in undone), None)
    if freeze is not None and not (entry > freeze and before[entry - 1]["do"] in TWO_PERSONS):
        raise Refusal("the result is published; use a correction, which a second person confirms")


def _entered(state: Tournament, event: Json) -> Tournament:
    """do=entered: people = [{members, team}]"""
    if state.numbers and (closed := state.format.closed(state)):
        raise Refusal(closed.message, clause=closed.clause, values=closed.values)
    entrants, numbers = list(state.entrants), list(state.numbers)
    taken = {alike(name): one for one in state.active() for name in one.members}
    for person in event["people"]:
        members = tuple(clean(name) for name in person["members"])
        if len(members) != (2 if state.format.pairs else 1):
            raise Refusal(
                sentence("a pair has two names") if state.format.pairs else sentence("a player has one name")
            )
        one = Entrant(len(entrants) + 1, members, person.get("team", ""))
        for name in members:
            if alike(name) in taken:
                raise Refusal(
                    "{name} is entered already",
                    values={"name": name},
                    where=f"line {person['line']}" if person.get("line") else "player",
                )
            taken[alike(name)] = one
        entrants.append(one)
        if numbers:
            numbers.append(one.id)
    return replace(state, entrants=tuple(entrants), numbers=tuple(numbers))


def _renamed(state: Tournament, event: Json) -> Tournament:
    """do=renamed: id, members, team"""
    one = state.entrants[event["id"] - 1]
    members = tuple(clean(name) for name in event["members"])
    if len(members) != len(one.members):
        raise Refusal(
            sentence("a pair has two names") if state.format.pairs else sentence("a player has one name")
        )
    for other in state.active():
        for name in members:
            if other.id != one.id and alike(name) in map(alike, other.members):
                raise Refusal("{name} is entered already", values={"name": name}, where="player")
    changed = replace(one, members=members, team=event.get("team", one.team))
    return replace(
        state, entrants=tuple(changed if other.id == one.id else other for other in state.entrants)
    )


def _struck(state: Tournament, event: Json) -> Tournament:
    """do=struck: id"""
    if state.numbers or state.rounds:
        raise Refusal(
            "numbers or plan exist already; use withdraw for {name}",
            values={"name": state.entrants[event["id"] - 1].name},
        )
    one = replace(state.entrants[event["id"] - 1], struck=True)
    return replace(state, entrants=tuple(one if other.id == one.id else other for other in state.entrants))


def _drawn(state: Tournament, event: Json) -> Tournament:
    """do=drawn: seed, names, numbers (ids in the order drawn)"""
    if any(slip.result is not None for slip in state.slips.values()):
        raise Refusal("slips are entered already; the numbers stay as they are drawn")
    if state.withdrawals:
        raise Refusal("somebody has withdrawn already; the numbers stay as they are drawn")
    people = state.active()
    if len(people) < 2:
        raise Refusal("nobody is entered yet; a draw needs two at least")
    names = tuple(one.name for one in people)
    numbers = tuple(people[at].id for at in draw(event["seed"], names))
    if list(numbers) != list(event["numbers"]) or list(names) != list(event["names"]):
        raise Refusal("this is not the draw that the seed gives", clause="TU-ZK-I2")
    return replace(state, seed=event["seed"], numbers=numbers, drawn=names)


def _planned(state: Tournament, event: Json) -> Tournament:
    """do=planned: rounds = {label: tables}, facts, plan (its number)"""
    new = [Round(label, tuple(tuple(table) for table in tables)) for label, tables in event["rounds"].items()]
    if not new:
        raise Refusal("the plan is empty")
    first = min(order(one.label) for one in new)
    kept = {
        label: old
        for label, old in state.rounds.items()
        if order(label) < first or order(label)[0] != first[0]
    }
    for label, old in state.rounds.items():
        if label not in kept and any(_played(state, key) for key in old.names()):
            raise Refusal(
                "round {round} has slips already; only later rounds can be planned anew",
                values={"round": label},
            )
    rounds = {one.label: one for one in sorted([*kept.values(), *new], key=lambda one: order(one.label))}
    facts = state.facts
    if event.get("facts"):
        told = event["facts"]
        facts = PlanFacts(
            told["repeats"],
            told["lower_bound"],
            {int(number): count for number, count in told["small"].items()},
            told["seed"],
        )
    planned = replace(_seated(state, event, rounds), facts=facts)
    for one in new:
        _check_seats(state, one)
        state.format.check_round(planned, one)
    return planned


def _played(state: Tournament, table: str) -> bool:
    """Whether somebody has sat down at a table and its result is entered."""
    slip = state.slip(table)
    return slip.result is not None and not slip.unplayed


def _seated(state: Tournament, event: Json, rounds: Mapping[str, Round]) -> Tournament:
    """The tournament with these rounds. A table that seats the same people in the same order as before
    keeps its slip and the number of its plan; all others begin anew under the next number."""
    number = int(event.get("plan", state.plan + 1))
    if number <= state.plan:
        raise Refusal("plan {number} exists already", values={"number": number})
    slips, plans = {}, {}
    for label, played in rounds.items():
        was = dict(_named(state.rounds.get(label)))
        for key, table in _named(played):
            same = was.get(key) == table
            plans[key] = state.plans.get(key, number) if same else number
            if same and key in state.slips:
                slips[key] = state.slips[key]
    return replace(state, rounds=dict(rounds), slips=slips, plans=plans, plan=number)


def _named(played: Round | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The tables of a round with their names."""
    return zip(played.names(), played.tables, strict=True) if played else iter(())


def _check_seats(state: Tournament, played: Round) -> None:
    """Nobody sits twice or is unknown or gone; that everybody sits is the format's matter."""
    seen: set[int] = set()
    known = len(state.numbers) or len(state.active())
    for key, table in zip(played.names(), played.tables, strict=True):
        for number in table:
            if not 1 <= number <= known or state.gone(number, played.label):
                raise Refusal(
                    "number {number} does not play in round {round}",
                    values={"number": number, "round": played.label},
                    where=f"table {key}",
                )
            if number in seen:
                raise Refusal(
                    "number {number} sits twice in round {round}",
                    values={"number": number, "round": played.label},
                    where=f"table {key}",
                )
            seen.add(number)


def _changed(was: Tournament, event: Json, what: str, slip: Slip, **changes: Any) -> Tournament:
    """The tournament with one slip changed and the change in its trail."""
    change = Change(event["n"], event["at"], event["by"], what, event.get("reason", ""))
    new = replace(slip, trail=(*slip.trail, change), **changes)
    return replace(was, slips={**was.slips, slip.table: new})


def _printed(state: Tournament, event: Json) -> Tournament:
    """do=printed: tables"""
    for table in event["tables"]:
        state.seats(table)
        slip = state.slip(table)
        state = _changed(
            state, event, "printed", slip, state="printed" if slip.state == "open" else slip.state
        )
    return state


def _slip(state: Tournament, event: Json) -> Tournament:
    """do=slip: table, result, plan (its number on the paper; absent: not looked at)"""
    table = event["table"]
    seats = state.seats(table)
    slip = state.slip(table)
    if "plan" in event and event["plan"] != state.plans.get(table):
        raise Refusal(
            "this slip of plan {old} is void; by plan {plan} these sit at table {table}: {names}",
            values={
                "old": event["plan"],
                "plan": state.plans.get(table, 0),
                "table": table,
                "names": ", ".join(map(state.who, seats)),
            },
            where="table",
        )
    if slip.result is not None:
        raise Refusal(
            "the slip of table {table} was entered already by {by}; to change it, use correct with a reason",
            values={"table": table, "by": slip.by},
            where="table",
        )
    state.kind(table).check(state, table, event["result"])
    return _changed(state, event, "entered", slip, state="entered", result=event["result"], by=event["by"])


def _second(first: str, second: str) -> None:
    if alike(first) == alike(second):
        raise Refusal(
            "{name} has entered this; a second person must confirm it",
            values={"name": first},
            where="by",
            clause="TU-ZK-I5",
        )


def _confirmed(state: Tournament, event: Json) -> Tournament:
    """do=confirmed: table, result (None, or typed once more to compare)"""
    slip = _with_result(state, event["table"])
    if slip.state != "entered":
        raise Refusal(
            "the slip of table {table} is confirmed already", values={"table": slip.table}, where="table"
        )
    _second(slip.by, event["by"])
    typed = event.get("result")
    if typed is not None and _figures(typed) != _figures(slip.result or {}):
        raise Refusal(
            "this differs from what {by} entered at table {table}; compare with the slip, then use correct",
            values={"by": slip.by, "table": slip.table},
            where="result",
        )
    return _changed(state, event, "confirmed", slip, state="confirmed")


def _figures(result: Json) -> Json:
    """What a result says, however it was written: sheet or totals, places or deaths."""
    plain = {name: value for name, value in result.items() if name not in ("sheet", "totals_only")}
    if "games" in plain:
        plain["games"] = [game["order"] for game in plain["games"]]
    return plain


def _with_result(state: Tournament, table: str) -> Slip:
    """The slip of a table that has a result."""
    state.seats(table)
    slip = state.slip(table)
    if slip.result is None:
        raise Refusal("the slip of table {table} is not entered yet", values={"table": table}, where="table")
    return slip


def _accepted(state: Tournament, event: Json) -> Tournament:
    """do=accepted: tables"""
    for table in event["tables"]:
        slip = _with_result(state, table)
        if slip.state != "confirmed":
            raise Refusal(
                sentence("the slip of table {table} is not confirmed by a second person yet")
                if slip.state == "entered"
                else sentence("the slip of table {table} is accepted already"),
                values={"table": table},
                where="table",
            )
        state = _changed(state, event, "accepted", slip, state="accepted")
    return state


def _reason(event: Json) -> None:
    if not str(event.get("reason", "")).strip():
        raise Refusal("say why: --reason TEXT", where="reason", clause="TU-ZK-I6")


def _corrected(state: Tournament, event: Json) -> Tournament:
    """do=corrected: table, result, reason"""
    _reason(event)
    slip = _with_result(state, event["table"])
    state.kind(slip.table).check(state, slip.table, event["result"])
    if event["result"] == slip.result:
        raise Refusal("this is what the slip says already", where="result")
    _no_later_round(state, slip.table, event["result"])
    return _replaced(state, event, "corrected", slip, event["result"])


def _replaced(state: Tournament, event: Json, what: str, slip: Slip, result: Json) -> Tournament:
    """A new result on a slip: a second person confirms it, after the freeze before it counts at all."""
    settled = "accepted" if event.get("seconded") else "entered"
    return _changed(state, event, what, slip, state=settled, result=result, by=event["by"], unplayed=False)


def _no_later_round(state: Tournament, table: str, result: Json) -> None:
    """A cup match whose winner already sits in the next round cannot turn round silently."""
    label = table.partition(".")[0]
    if label[:1] != "C" or state.slip(table).result is None:
        return
    later = [old for old in state.rounds if old[:1] == "C" and order(old) > order(label)]
    if later and result.get("winner") != (state.slip(table).result or {}).get("winner"):
        raise Refusal(
            "round {round} is planned on this result; undo that plan first",
            values={"round": later[0]},
            where="table",
        )


def _forfeited(state: Tournament, event: Json) -> Tournament:
    """do=forfeited: table, loser, reason"""
    table, loser = event["table"], event["loser"]
    if loser not in state.seats(table):
        raise Refusal(
            "{name} does not sit at table {table}",
            values={"name": state.who(loser), "table": table},
            where="player",
        )
    started = state.clocks.get((table, loser))
    minutes = LATE_MINUTES if started is None else _minutes(started, event["at"])
    if started is None or minutes < LATE_MINUTES:
        if started is not None and not event.get("reason"):
            raise Refusal(
                "{name} is {minutes} minutes late; a forfeit is due after {limit}, or with a reason",
                values={"name": state.who(loser), "minutes": minutes, "limit": LATE_MINUTES},
                clause="5.1",
            )
        _reason(event)
    slip = state.slip(table)
    result = state.kind(table).forfeit(state, table, loser)
    if slip.result is not None:
        _reason(event)
        _no_later_round(state, table, result)
    return _replaced(state, event, "forfeited", slip, result)


def _minutes(start: str, end: str) -> int:
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


def _late(state: Tournament, event: Json) -> Tournament:
    """do=late: table, number"""
    table, number = event["table"], event["number"]
    if number not in state.seats(table):
        raise Refusal(
            "{name} does not sit at table {table}",
            values={"name": state.who(number), "table": table},
            where="player",
        )
    if state.slip(table).result is not None:
        raise Refusal("the slip of table {table} is entered already", values={"table": table})
    return replace(state, clocks={**state.clocks, (table, number): event["at"]})


def _penalty(state: Tournament, event: Json) -> Tournament:
    """do=penalty: number, rule, table, game, points, reason"""
    number, rule, table = event["number"], event["rule"], event.get("table", "")
    rules = state.format.rules()
    if rule not in rules:
        raise Refusal(
            "{rule} is no rule a penalty can name here; there are {rules}",
            values={"rule": rule, "rules": ", ".join(rules)},
            where="rule",
        )
    state.who(number)
    if table and number not in state.seats(table):
        raise Refusal(
            "{name} does not sit at table {table}",
            values={"name": state.who(number), "table": table},
            where="player",
        )
    points = event.get("points", 0)
    if points and rule not in RULINGS:
        raise Refusal(
            "a penalty by {rule} is paid at the table; only a ruling ({rulings}) changes tournament points",
            values={"rule": rule, "rulings": ", ".join(sorted(RULINGS & rules.keys()))},
            clause="TU-ZK-IV1",
            where="points",
        )
    if rule in RULINGS:
        _reason(event)
    elif not table:
        raise Refusal("say at which table: round.table", where="table")
    one = Penalty(
        event["n"], number, rule, table, event.get("game", 0), points, event.get("reason", ""), event["by"]
    )
    return replace(state, penalties=(*state.penalties, one))


RULINGS = frozenset({"I6", "5.1"})
"""Rules under which the direction may change tournament points, with a reason."""


def _withdrawn(state: Tournament, event: Json) -> Tournament:
    """do=withdrawn: number, round, game, reason"""
    number, label = event["number"], event["round"]
    name = state.who(number)
    if number in state.withdrawals:
        raise Refusal("{name} has withdrawn already", values={"name": name}, where="player")
    order(label)
    for key, seats in state.tables():
        at = key.partition(".")[0]
        played = number in seats and state.slip(key).result is not None
        if played and (order(at) > order(label) or (at == label and event.get("game", 1) == 1)):
            raise Refusal(
                "{name} has played at table {table} already; name a later round",
                values={"name": name, "table": key},
                where="round",
            )
    left = Withdrawal(label, event.get("game", 1), event.get("reason", ""))
    gone = replace(state, withdrawals={**state.withdrawals, number: left})
    for key, seats in state.tables():
        if number not in seats or not gone.gone(number, key.partition(".")[0], event.get("game", 1)):
            continue
        if state.slip(key).result is None:
            result = state.kind(key).on_withdrawal(gone, key, number)
            if result is not None:
                slip = gone.slip(key)
                changes = {"state": "accepted", "result": result, "by": event["by"], "unplayed": True}
                gone = _changed(gone, event, "forfeited", slip, **changes)
    return gone


def _published(state: Tournament, event: Json) -> Tournament:
    """do=published: digest"""
    if missing := state.missing():
        raise Refusal(
            "{count} slips are missing: {tables}",
            values={"count": len(missing), "tables": ", ".join(missing)},
            clause="TU-ZK-I5",
        )
    for waiting, message in (
        ("entered", sentence("{count} slips wait for a second person: {tables}")),
        ("confirmed", sentence("{count} slips wait to be accepted: {tables}")),
    ):
        if tables := state.waiting(waiting):
            raise Refusal(message, values={"count": len(tables), "tables": ", ".join(tables)})
    if open_ends := state.format.unfinished(state):
        first = open_ends[0]
        raise Refusal(first.message, clause=first.clause, values=first.values)
    if not state.active() or not any(True for _ in state.counted()):
        raise Refusal("there is nothing to publish: nobody has played")
    if state.publications and state.publications[-1].digest in (publication_digest(state), event["digest"]):
        raise Refusal("this result is published already; nothing has changed since")
    return _sealed(state, event)


def _sealed(state: Tournament, event: Json) -> Tournament:
    """The state with a publication of its standings."""
    one = Publication(event["n"], event["at"], event["by"], len(state.publications) + 1, event["digest"])
    return replace(state, publications=(*state.publications, one))


def _seconded(state: Tournament, event: Json) -> Tournament:
    """do=seconded: entry, digest"""
    waiting = state.proposals.get(event["entry"])
    if waiting is None:
        raise Refusal("entry {entry} waits for nobody", values={"entry": event["entry"]}, where="entry")
    _second(waiting.by, event["by"])
    done = _DO[waiting.body["do"]](state, {**waiting.body, "seconded": event["by"]})
    rest = {entry: one for entry, one in state.proposals.items() if entry != event["entry"]}
    return _sealed(replace(done, proposals=rest), event)


def publication_digest(state: Tournament) -> str:
    """What the standings of this moment are sealed with."""
    return digest(state.format.standings(state))


_DO: Mapping[str, Callable[[Tournament, Json], Tournament]] = {
    "entered": _entered,
    "renamed": _renamed,
    "struck": _struck,
    "drawn": _drawn,
    "planned": _planned,
    "printed": _printed,
    "slip": _slip,
    "confirmed": _confirmed,
    "accepted": _accepted,
    "corrected": _corrected,
    "forfeited": _forfeited,
    "late": _late,
    "penalty": _penalty,
    "withdrawn": _withdrawn,
    "published": _published,
    "seconded": _seconded,
}
