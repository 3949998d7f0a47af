"""Plan page: propose a plan with its figures, put it into force, type one in, swap two people."""

import json
import secrets
from collections import Counter
from dataclasses import dataclass

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.players.processes import OutOfLimits
from nousu.server.pages.visit import whole_number
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Round, Tournament, order
from nousu.tournament.office import propose_plan, with_newcomers
from nousu.tournament.print_language import round_heading
from nousu.tournament.seating.quality import Figures, figures
from nousu.tournament.seating.text import from_text
from nousu.tournament.todo import stale

SECONDS = 3.0
"""Time limit of the search for a plan, in seconds."""
_LONGEST = 15.0
"""Seconds after which the search is stopped in any case."""
_MOST = 40_000
"""Greatest length of a typed plan, in characters."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as the page shows it."""

    label: str
    title: str
    tables: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    """Number of each table (empty for a person who sits out), with numbers and names in seat order."""
    begun: bool


def show(
    visit: Visit,
    *,
    proposed: tuple[Round, ...] = (),
    about: Figures | None = None,
    seed: int = 1,
    text: str = "",
    wrong: list[str] | None = None,
) -> Response:
    """Show the plan in force, or one that is `proposed`: ``/plan``."""
    state = visit.state
    rounds = proposed or tuple(state.rounds[label] for label in sorted(state.rounds, key=order))
    quality = about or (figures(state) if state.rounds else None)
    values = {
        "rounds": [_round_view(state, played, visit) for played in rounds],
        "facts": _facts(state, quality, visit) if quality else [],
        "proposed": json.dumps([[played.label, played.tables] for played in proposed]) if proposed else "",
        "seed": seed,
        "again": secrets.randbelow(9000) + 1000,
        "people": [(number, state.who(number)) for number in range(1, len(state.numbers) + 1)],
        "changing": [
            (label, round_heading(state, label, visit.say))
            for label in state.rounds
            if not state.has_begun(label)
        ],
        "next": state.next_round(),
        "by_hand": _places(state, visit),
        "standing": sorted({n for label in state.rounds for n in _without_seat(state, label)}),
        "newcomers": [state.who(number) for number in stale(state)[2] or state.unseated()],
        "may_add": _may_add(state),
        "text": text,
        "wrong": wrong or [],
    }
    return step_page(visit, "/plan", values, 400 if wrong else 200)


def _without_seat(state: Tournament, label: str) -> list[int]:
    """Numbers that play in a round and have no seat there."""
    seated = {number for table in state.rounds[label].tables for number in table}
    return [number for number in state.playing(label) if number not in seated]


def _places(state: Tournament, visit: Visit) -> list[tuple[str, str]]:
    """Places for latecomers by hand: tables without a result, or a new one."""
    if state.format.everybody_meets or state.frozen:
        return []
    places = []
    for label in sorted(state.rounds, key=order):
        if not label[0].isdigit() or not _without_seat(state, label):
            continue
        title = round_heading(state, label, visit.say)
        for key in state.rounds[label].names():
            if state.slip(key).result is None:
                table = visit.say("Table {table}", table=key.partition(".")[2])
                places.append((key, f"{title}: {table}"))
        new = visit.say("a new table")
        places.append((f"{label}.0", f"{title}: {new}"))
    return places


def _may_add(state: Tournament) -> bool:
    """Whether newcomers can be seated without a new plan."""
    try:
        return bool(with_newcomers(state))
    except Refusal:
        return False


def _round_view(state: Tournament, played: Round, visit: Visit) -> RoundView:
    then = state.at_round(played.label)
    tables = tuple(
        (str(at) if len(seats) > 1 else "", tuple((number, then.who(number)) for number in seats))
        for at, seats in enumerate(played.tables, 1)
        if seats
    )
    begun = played.label in state.rounds and state.has_begun(played.label)
    return RoundView(played.label, round_heading(state, played.label, visit.say), tables, begun)


def _facts(state: Tournament, quality: Figures, visit: Visit) -> list[str]:
    """Quality of a plan, in sentences."""
    say = visit.say
    if state.format.everybody_meets or not quality.small:
        return []
    facts = [
        say(
            "Repeated meetings: {repeats} (no plan with these tables has fewer than {bound}).",
            repeats=quality.repeats,
            bound=quality.lower_bound,
        )
    ]
    counts = Counter(quality.small.values())
    if set(counts) != {0}:
        facts += [
            say(
                sentence(
                    "{people} person {count} × at a smaller table.",
                    "{people} people {count} × at a smaller table.",
                ),
                people=people,
                count=count,
            )
            for count, people in sorted(counts.items())
        ]
    facts += [
        say(
            "{name} and {other} should preferably not meet, but do at table {table}.",
            name=state.who(a),
            other=state.who(b),
            table=table,
        )
        for a, b, table in quality.unwanted
    ]
    return facts


async def make(visit: Visit) -> Response:
    """Propose a plan, put a proposed one into force, or take one typed in."""
    form = await visit.form()
    text = str(form.get("text", ""))[:_MOST]
    given = whole_number(str(form.get("seed", "")))
    seed = given if given >= 0 else 1
    hosted, state = visit.hosted, visit.state
    try:
        match form.get("do"):
            case "take":
                rounds = _parse_rounds(str(form.get("rounds", "")))
                await visit.act(lambda office, by: office.seat(by, rounds, seed=seed))
            case "add":
                await visit.act(lambda office, by: office.seat_newcomers(by))
            case "hand":
                rounds = from_text(text, state)
                await visit.act(lambda office, by: office.seat(by, rounds))
            case _:
                if not state.numbers:
                    raise Refusal("The numbers have not been drawn yet.", clause="TU-ZK-I2", remedy="draw")
                jobs, address = visit.tournaments.jobs, visit.guest.address
                try:
                    proposed, quality = await jobs.run(
                        hosted.name, address, _LONGEST, propose_plan, hosted.path, "", seed, SECONDS
                    )
                except OutOfLimits:
                    raise Refusal("no plan was found in time; type one in, or plan fewer rounds") from None
                return await visit.render(show, visit, proposed=proposed, about=quality, seed=seed)
    except Refusal as refusal:
        return await visit.render(show, visit, text=text, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/plan")


def _parse_rounds(text: str) -> tuple[Round, ...]:
    """Parse the rounds of a proposal as the page sends them. `Refusal` where they are malformed."""
    try:
        return tuple(
            Round(str(label), tuple(tuple(int(number) for number in table) for table in tables))
            for label, tables in json.loads(text)
        )
    except (ValueError, TypeError, RecursionError):
        raise Refusal("the plan is empty") from None


async def swap(visit: Visit) -> Response:
    """Swap two people in a round that has not begun."""
    form = await visit.form()
    label, one, other = (str(form.get(name, ""))[:100] for name in ("round", "one", "other"))
    try:
        if not (one and other):
            raise Refusal("name two people to swap", where="player")
        await visit.act(lambda office, by: office.swap(by, label, one, other))
    except Refusal as refusal:
        return await visit.render(show, visit, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/plan")


async def seat(visit: Visit) -> Response:
    """Seat latecomers by hand at a table of one round."""
    form = await visit.form()
    label, _, table = str(form.get("table", ""))[:20].partition(".")
    people = [str(number)[:10] for number in form.getlist("number")]
    try:
        if (at := whole_number(table)) < 0 or not people:
            raise Refusal("name the people first", where="player")
        await visit.act(lambda office, by: office.add_to_round(by, label, people, at))
    except Refusal as refusal:
        return await visit.render(show, visit, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/plan")


PAGES = (
    Page("/plan", show, DIRECTION),
    Page("/plan/seat", seat, DIRECTION, "POST"),
    Page("/plan", make, DIRECTION, "POST"),
    Page("/plan/swap", swap, DIRECTION, "POST"),
)
