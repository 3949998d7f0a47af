"""Set-up of an evening: the shell of its steps, and the page of the format."""

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.games import games
from nousu.i18n import Translate
from nousu.i18n.names import preset_words
from nousu.server.pages.visit import whole_number
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.formats import make
from nousu.tournament.formats.base import RULES_FIELD
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Format

STEPS: tuple[tuple[str, str], ...] = (
    ("/setup", sentence("Format")),
    ("/people", sentence("People")),
    ("/draw", sentence("The draw")),
    ("/plan", sentence("Plan")),
    ("/paper", sentence("Paper")),
    ("/online", sentence("Online")),
)


_NAMED = 12
"""Most names in one sentence."""


def listed_names(names: Sequence[str]) -> str:
    """Names in one line, the first dozen of many."""
    return ", ".join(names[:_NAMED]) + (f" … ({len(names)})" if len(names) > _NAMED else "")


def step_page(visit: Visit, path: str, values: Mapping[str, object], status: int = 200) -> Response:
    """Page of a step, rendered from the template of that name, with the bar of steps."""
    state = visit.state
    done = {
        "/setup": bool(state.entrants),
        "/people": bool(state.numbers),
        "/draw": bool(state.numbers),
        "/plan": bool(state.rounds),
        "/paper": any(slip.state != "open" for slip in state.slips.values()),
        "/online": bool(state.online),
    }
    at = [address for address, _ in STEPS].index(path)
    shell = {
        "steps": [
            (number, visit.path(address), visit.say(title), done[address], address == path)
            for number, (address, title) in enumerate(STEPS, 1)
        ],
        "onward": visit.path(STEPS[at + 1][0]) if at + 1 < len(STEPS) else "",
        "wrong": [],
        "absent": listed_names([entrant.name for entrant in state.absent()])
        if path in ("/people", "/draw", "/plan")
        else "",
        "drawn": bool(state.numbers),
    }
    return visit.page(f"{path.strip('/')}.html", shell | dict(values), status)


def show(visit: Visit) -> Response:
    """Show the options in force: ``/setup``."""
    return _page(visit, visit.state.format, visit.state.format.texts, "")


def _page(
    visit: Visit,
    shown: Format,
    texts: Mapping[str, str],
    people: str,
    *,
    reason: str = "",
    wrong: list[str] | None = None,
) -> Response:
    """Form with these texts, and the facts of `shown` for this many people."""
    say = visit.say
    entered = len(visit.state.active()) + len(visit.state.lone()) // 2
    count = min(whole_number(people) if whole_number(people) >= 0 else entered or 12, 400)
    rows = []
    for field in shown.fields:
        choices = (
            _presets(shown, say)
            if field is RULES_FIELD
            else [(value, say(name)) for value, name in field.choices]
        )
        kind = "choice" if choices else "number" if field.high else "text"
        rows.append(
            {
                "name": field.name,
                "said": say(field.label),
                "about": say(field.about) if field.about else "",
                "kind": "tick" if texts[field.name] in ("yes", "no") else kind,
                "low": field.low,
                "high": field.high,
                "choices": choices,
                "value": texts[field.name],
            }
        )
    values = {
        "fields": rows,
        "people": count,
        "facts": _facts(shown, count, visit),
        "reason": reason,
        "ask_reason": bool(visit.state.rounds),
        "wrong": wrong or [],
    }
    return step_page(visit, "/setup", values, 400 if wrong else 200)


def _presets(kind: Format, say: Translate) -> list[tuple[str, str]]:
    """The rule sets a format of this kind takes, and the one it has."""
    own = kind.texts["preset"]
    presets = []
    for game in games().values():
        for preset in game.presets:
            try:
                make({"name": kind.name, "preset": preset})
            except Refusal:
                continue
            presets.append(preset)
    if own not in presets:
        presets.append(own)
    return [(preset, preset_words(preset, say)) for preset in presets]


async def change(visit: Visit) -> Response:
    """Look at other options, or take them."""
    form = await visit.form()
    kind = visit.state.format
    texts = kind.texts
    for field in kind.fields:
        given = str(form.get(field.name, "")).strip()
        texts[field.name] = given if texts[field.name] not in ("yes", "no") else "yes" if given else "no"
    people, reason = str(form.get("people", "")), str(form.get("reason", "")).strip()
    try:
        new = kind.from_texts(texts)
        if form.get("do") == "look":
            return await visit.render(_page, visit, new, texts, people, reason=reason)
        if new != kind:
            options = dict(new.to_json())
            del options["name"]
            await visit.act(lambda office, by: office.change(by, options, reason))
    except Refusal as refusal:
        return await visit.render(
            _page, visit, kind, texts, people, reason=reason, wrong=visit.refusal_lines(refusal)
        )
    return visit.redirect("/people" if not visit.state.entrants else "/setup")


def _facts(kind: Format, people: int, visit: Visit) -> list[str]:
    """Consequences of a format for this many people, in sentences; or the reason for its refusal."""
    try:
        return kind.facts(people, visit.say)
    except Refusal as refusal:
        return visit.refusal_lines(refusal)


PAGES = (Page("/setup", show, DIRECTION), Page("/setup", change, DIRECTION, "POST"))
