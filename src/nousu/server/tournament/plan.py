"""The plan: proposed with its figures, put into force, typed in by hand, two people swapped."""

import json
import secrets
from collections import Counter
from dataclasses import dataclass

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.server.tournament.jobs import OutOfLimits
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.setup import step
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Round, Tournament, order
from nousu.tournament.office import propose_plan
from nousu.tournament.print_language import round_heading
from nousu.tournament.seating.quality import Figures, figures
from nousu.tournament.seating.text import from_text

SECONDS = 3.0
"""How long a plan is sought for: no director waits longer than five."""
_LONGEST = 15.0
"""Seconds after which the search is stopped, whatever it does."""
_MOST = 40_000
"""Characters of a plan that is typed in."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One round as the page shows it."""

    label: str
    title: str
    tables: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    """Each table: its number (empty: sits out), and number and name of everybody in seat order."""
    begun: bool


def show(visit: Visit) -> Response:
    """``/plan``: the plan in force."""
    return _page(visit)


def _page(
    visit: Visit,
    *,
    proposed: tuple[Round, ...] = (),
    about: Figures | None = None,
    seed: int = 1,
    text: str = "",
    wrong: list[str] | None = None,
) -> Response:
    state = visit.state
    rounds = proposed or tuple(state.rounds[label] for label in sorted(state.rounds, key=order))
    found = about or (figures(state) if state.rounds else None)
    values = {
        "rounds": [_shown(state, one, visit) for one in rounds],
        "facts": _facts(state, found, visit) if found else [],
        "proposed": json.dumps([[one.label, one.tables] for one in proposed]) if proposed else "",
        "seed": seed,
        "again": secrets.randbelow(9000) + 1000,
        "people": [(number, state.who(number)) for number in range(1, len(state.numbers) + 1)],
        "changing": [(one.label, round_heading(state, one.label, visit.say)) for one in _open(state)],
        "next": state.next_round(),
        "text": text,
        "wrong": wrong or [],
    }
    return step(visit, "/plan", values, 400 if wrong else 200)


def _open(state: Tournament) -> list[Round]:
    """The rounds that have not begun."""
    return [played for label, played in state.rounds.items() if not state.has_begun(label)]


def _shown(state: Tournament, played: Round, visit: Visit) -> Shown:
    tables = tuple(
        (str(at) if len(seats) > 1 else "", tuple((number, state.who(number)) for number in seats))
        for at, seats in enumerate(played.tables, 1)
        if seats
    )
    begun = played.label in state.rounds and state.has_begun(played.label)
    return Shown(played.label, round_heading(state, played.label, visit.say), tables, begun)


def _facts(state: Tournament, found: Figures, visit: Visit) -> list[str]:
    """What a plan is worth, in sentences."""
    say = visit.say
    if state.format.everybody_meets or not found.small:
        return []
    facts = [
        say(
            "Repeated meetings: {repeats} (no plan with these tables has fewer than {bound}).",
            repeats=found.repeats,
            bound=found.lower_bound,
        )
    ]
    counts = Counter(found.small.values())
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
        for a, b, table in found.unwanted
    ]
    return facts


async def make(visit: Visit) -> Response:
    """Propose a plan, put a proposed one into force, or take one that was typed in."""
    form = await visit.form()
    text = str(form.get("text", ""))[:_MOST]
    given = str(form.get("seed", "1"))
    seed = int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else 1
    hall, state = visit.hall, visit.state
    try:
        match form.get("do"):
            case "take":
                rounds = _read(str(form.get("rounds", "")))
                await visit.act(lambda office, by: office.seat(by, rounds, seed=seed))
            case "hand":
                rounds = from_text(text, state)
                await visit.act(lambda office, by: office.seat(by, rounds))
            case _:
                if not state.numbers:
                    raise Refusal("The numbers have not been drawn yet.", clause="TU-ZK-I2", remedy="draw")
                jobs, address = visit.halls.jobs, visit.guest.address
                try:
                    proposed, about = await jobs.run(
                        hall.name, address, _LONGEST, propose_plan, hall.path, "", seed, SECONDS
                    )
                except OutOfLimits:
                    raise Refusal("no plan was found in time; type one in, or plan fewer rounds") from None
                return await visit.render(_page, visit, proposed=proposed, about=about, seed=seed)
    except Refusal as refusal:
        return await visit.render(_page, visit, text=text, wrong=visit.refused(refusal))
    return visit.go("/plan")


def _read(text: str) -> tuple[Round, ...]:
    """The rounds of a proposal as the page sent them. `Refusal` where it is none."""
    try:
        return tuple(
            Round(str(label), tuple(tuple(int(number) for number in table) for table in tables))
            for label, tables in json.loads(text)
        )
    except (ValueError, TypeError, RecursionError):
        raise Refusal("the plan is empty") from None


async def swap(visit: Visit) -> Response:
    """Let two people change seats in a round that has not begun."""
    form = await visit.form()
    label, one, other = (str(form.get(name, ""))[:100] for name in ("round", "one", "other"))
    try:
        if not (one and other):
            raise Refusal("name two people to swap", where="player")
        await visit.act(lambda office, by: office.swap(by, label, one, other))
    except Refusal as refusal:
        return await visit.render(_page, visit, wrong=visit.refused(refusal))
    return visit.go("/plan")


PAGES = (
    Page("/plan", show, DIRECTION),
    Page("/plan", make, DIRECTION, "POST"),
    Page("/plan/swap", swap, DIRECTION, "POST"),
)
