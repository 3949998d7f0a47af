"""Events about plans: seats, swaps of two people, options changed for rounds not begun."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from nousu.engine.messages import Note, sentence
from nousu.tournament.events.registry import event, from_to
from nousu.tournament.events.slips import name_or_number, needs_reason
from nousu.tournament.formats import make
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json, Round, Tournament, order


@event(
    "planned",
    lambda event, state: Note(
        "",
        "put plan {number} into force for round {rounds}",
        {"number": event.get("plan", "–"), "rounds": ", ".join(event["rounds"])},
    ),
    for_play_off=True,
    makes_plan=True,
)
def _plan(state: Tournament, event: Json) -> Tournament:
    """Handle ``planned``, with the fields rounds, seed (of the search), plan (its number).

    Rounds are tables by label.
    """
    new = [Round(label, tuple(tuple(table) for table in tables)) for label, tables in event["rounds"].items()]
    if not new:
        raise Refusal("the plan is empty")
    first = min(order(played.label) for played in new)
    kept = {
        label: old
        for label, old in state.rounds.items()
        if order(label) < first or order(label)[0] != first[0]
    }
    for label, old in state.rounds.items():
        if label not in kept and any(_has_result(state, key) for key in old.names()):
            raise Refusal(
                "round {round} already has slips; only later rounds can be planned again",
                values={"round": label},
            )
    rounds = {one.label: one for one in sorted([*kept.values(), *new], key=lambda one: order(one.label))}
    seed = event.get("seed", event.get("facts", {}).get("seed", state.plan_seed))
    planned = replace(_with_rounds(state, event, rounds), plan_seed=seed)
    for played in new:
        _check_seats(state, played)
        _check_apart(state, played)
        state.format.check_round(planned, played)
    return planned


def _has_result(state: Tournament, table: str) -> bool:
    """Whether a table was played: its result is entered, and not by a withdrawal alone."""
    slip = state.slip(table)
    return slip.result is not None and not slip.unplayed


def _with_rounds(state: Tournament, event: Json, rounds: Mapping[str, Round]) -> Tournament:
    """The tournament with these rounds.

    A table that seats the same people in the same order as before keeps its slip and the number of its plan;
    all others begin anew under the next number.
    """
    number = int(event.get("plan", state.plan + 1))
    if number <= state.plan:
        raise Refusal("plan {number} already exists", values={"number": number})
    slips, plans, online = {}, {}, {}
    for label, played in rounds.items():
        was = dict(state.rounds[label].named_tables()) if label in state.rounds else {}
        for key, table in played.named_tables():
            kept = was.get(key) == table
            plans[key] = state.plans.get(key, number) if kept else number
            if kept and key in state.slips:
                slips[key] = state.slips[key]
            if kept and key in state.online:
                online[key] = state.online[key]
    same = frozenset(label for label in state.cards_out if rounds.get(label) == state.rounds.get(label))
    return replace(
        state, rounds=dict(rounds), slips=slips, plans=plans, plan=number, online=online, cards_out=same
    )


def _check_seats(state: Tournament, played: Round) -> None:
    """Refuse numbers that sit twice, are unknown or gone; seating everybody is the format's matter."""
    seen: set[int] = set()
    known = len(state.numbers) or len(state.active())
    for key, table in played.named_tables():
        for number in table:
            if not 1 <= number <= known or state.has_withdrawn(number, played.label):
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


def _check_apart(state: Tournament, played: Round) -> None:
    """Refuse tables of people who must not meet ("rather not" is the planner's matter)."""
    if not played.label[0].isdigit():
        return
    apart = state.kept_apart()
    for key, table in played.named_tables():
        for pair in combinations(sorted(table), 2):
            if apart.get(pair) == "must":
                raise Refusal(
                    "{name} and {other} must not meet, but would at table {table}",
                    values={"name": state.who(pair[0]), "other": state.who(pair[1]), "table": key},
                    where="plan",
                )


@event(
    "swapped",
    lambda event, state: Note(
        "",
        "swapped {name} and {other} in round {round}",
        {
            "name": name_or_number(state, event["a"]),
            "other": name_or_number(state, event["b"]),
            "round": event["round"],
        },
    ),
    needs_numbers=True,
    for_play_off=True,
    makes_plan=True,
)
def _swap(state: Tournament, event: Json) -> Tournament:
    """Handle ``swapped``, with the fields round, a, b, plan (its number)."""
    label, a, b = event["round"], event["a"], event["b"]
    old = state.rounds.get(label)
    if old is None:
        raise Refusal("round {round} is not planned", values={"round": label}, where="round")
    for number in (a, b):
        for key, table in old.named_tables():
            if number in table and _has_result(state, key):
                raise Refusal(
                    "the slip of table {table} is entered; nobody there can be swapped",
                    values={"table": key},
                    where="player",
                )
        if all(number not in table for table in old.tables):
            raise Refusal(
                "{name} has no seat in round {round}",
                values={"name": state.who(number), "round": label},
                where="player",
            )
    other = {a: b, b: a}
    new = Round(label, tuple(tuple(other.get(number, number) for number in table) for table in old.tables))
    if new == old:
        raise Refusal("name two people to swap", where="player")
    swapped = _with_rounds(state, event, {**state.rounds, label: new})
    _check_seats(state, new)
    _check_apart(state, new)
    state.kind(label).check_round(swapped, new)
    return swapped


def _changed_options(event: Json, state: Tournament) -> tuple[Note, ...]:
    before = state.format.to_json()
    return tuple(
        Note("", "{name}: {change}", {"name": name, "change": from_to(str(before[name]), str(value))})
        for name, value in event["options"].items()
        if before[name] != value
    )


@event(
    "options",
    lambda event, state: Note(
        "",
        "changed options: {options}",
        {"options": ", ".join(f"{name}={value}" for name, value in event["options"].items())},
    ),
    changes=_changed_options,
)
def _change_options(state: Tournament, event: Json) -> Tournament:
    """Handle ``options``, with the fields options (name → value), reason (once there is a plan).

    Rounds that have begun are played on as they began; planned rounds that the new options do not allow are
    dropped and must be planned again.
    """
    if state.rounds:
        needs_reason(event)
    new = make({**state.format.to_json(), **event["options"]})
    if new == state.format:
        raise Refusal("these options are already in force", where="option")
    if new.name != state.format.name:
        raise Refusal("the kind of event cannot be changed", where="option")
    state.format.check_change(state, new)
    begun = {label for label in state.rounds if state.has_begun(label)}
    changed = replace(state, format=new, earlier={**dict.fromkeys(begun, state.format), **state.earlier})
    kept: dict[str, Round] = {}
    for label in sorted(state.rounds, key=order):
        stage = [
            one for one in state.rounds if order(one)[0] == order(label)[0] and order(one) < order(label)
        ]
        try:
            if label not in begun:
                new.check_round(changed, state.rounds[label])
        except Refusal:
            continue
        if all(one in kept for one in stage):
            kept[label] = state.rounds[label]
    held = {key for played in kept.values() for key in played.names()}
    return replace(
        changed,
        rounds=kept,
        slips={key: slip for key, slip in state.slips.items() if key in held},
        plans={key: number for key, number in state.plans.items() if key in held},
        online={key: place for key, place in state.online.items() if key in held},
        cards_out=state.cards_out & kept.keys(),
    )


_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
MOST_LINES = 40
"""Greatest number of lines of a programme."""
LONGEST_LINE = 80
"""Greatest number of characters of its lines."""


def check_time(time: str) -> None:
    """Raise `Refusal` if this is no time of day."""
    if not _CLOCK.fullmatch(time):
        raise Refusal("{text} is not a time; write it like 19:45", values={"text": time or "-"}, where="time")


_LINE = re.compile(r"(\d{1,2})[:.](\d\d)(?:\s*(?:–|-|:|Uhr|klo|kl\.?))?\s+(.*)")
"""A line of the programme as people type it."""


def programme_lines(text: str) -> list[list[str]]:
    """Lines of a programme as typed: ``19:30 Series 1``. `Refusal` names a line without a time."""
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _LINE.fullmatch(line)
        if match is None:
            raise Refusal(
                "{text} is not a time; write it like 19:45", values={"text": line[:60]}, where="time"
            )
        lines.append([f"{int(match[1]):02d}:{match[2]}", match[3]])
    return lines


def _describe_start(event: Json, state: Tournament) -> Note:
    if event["time"]:
        values = {"round": event["round"], "time": event["time"]}
        return Note("", "said that round {round} begins at {time}", values)
    return Note("", "took back when round {round} begins", {"round": event["round"]})


@event("starts", _describe_start)
def _set_start(state: Tournament, event: Json) -> Tournament:
    """Handle ``starts``, with the fields round, time (``19:45``; empty: it is not known any more)."""
    label, time = event["round"], event["time"]
    if label not in state.rounds:
        raise Refusal("round {round} is not planned", values={"round": label}, where="round")
    if time:
        check_time(time)
    rest = {other: at for other, at in state.starts.items() if other != label}
    return replace(state, starts={**rest, label: time} if time else rest)


@event(
    "programme",
    lambda event, state: Note(
        "",
        "set the programme: {lines}",
        {"lines": ", ".join(f"{time} {text}" for time, text in event["lines"]) or "–"},
    ),
    after_publishing="allowed",
)
def _set_programme(state: Tournament, event: Json) -> Tournament:
    """Handle ``programme``, with the fields lines: pairs of a time (``19:45``) and a text."""
    lines = tuple((str(time), " ".join(str(text).split())) for time, text in event["lines"])
    if len(lines) > MOST_LINES:
        raise Refusal(
            sentence("a programme has at most {most} line", "a programme has at most {most} lines"),
            values={"most": MOST_LINES},
        )
    for time, text in lines:
        check_time(time)
        if not text or len(text) > LONGEST_LINE:
            raise Refusal("{time}: say in a few words what happens then", values={"time": time})
    return replace(state, programme=lines)


@event(
    "begun",
    lambda event, state: Note("", "said that the cards of round {round} are out", {"round": event["round"]}),
    needs_numbers=True,
    for_play_off=True,
)
def _begin(state: Tournament, event: Json) -> Tournament:
    """Handle ``begun``, with the fields round: its cards are out, and it has begun."""
    label = event["round"]
    if label not in state.rounds:
        raise Refusal("round {round} is not planned", values={"round": label}, where="round")
    return replace(state, cards_out=state.cards_out | {label})


@event(
    "added",
    lambda event, state: Note(
        "",
        sentence("seated {names} at a new table in round {round}")
        if not event["table"]
        else sentence("seated {names} at table {table}"),
        {
            "names": ", ".join(name_or_number(state, number) for number in event["numbers"]),
            "round": event["round"],
            "table": f"{event['round']}.{event['table']}",
        },
    ),
    needs_numbers=True,
    makes_plan=True,
)
def _add_to_round(state: Tournament, event: Json) -> Tournament:
    """Handle ``added``, with the fields round, table (0: a new one), numbers, plan (its number).

    Latecomers sit down in one round, also if it has begun; all other tables stay as they are.
    """
    label, at, numbers = event["round"], event["table"], tuple(event["numbers"])
    old = state.rounds.get(label)
    if old is None or not label[0].isdigit():
        raise Refusal("round {round} is not planned", values={"round": label}, where="round")
    if state.format.everybody_meets:
        raise Refusal("in a pool everybody meets everybody; plan again", remedy="plan")
    if not numbers:
        raise Refusal("name the people first", where="player")
    tables = list(old.tables)
    if at:
        key = f"{label}.{at}"
        if key not in old.names():
            raise Refusal("there is no table {table} in this plan", values={"table": key}, where="table")
        if state.slip(key).result is not None or state.is_online(key):
            raise Refusal(
                "the slip of table {table} is already entered", values={"table": key}, where="table"
            )
        tables[at - 1] = (*tables[at - 1], *numbers)
    else:
        tables.append(numbers)
    new = Round(label, tuple(tables))
    _check_seats(state, new)
    _check_apart(state, new)
    added = replace(_with_rounds(state, event, {**state.rounds, label: new}), cards_out=state.cards_out)
    state.kind(label).check_round(added, new, all_sit=False)
    return added
