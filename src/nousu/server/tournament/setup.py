"""Setting an evening up, step by step: format, people, draw, plan, paper. The steps, and the format."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from nousu.engine.messages import sentence
from nousu.games import games
from nousu.i18n import Translate
from nousu.i18n.names import preset_words
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.formats import make
from nousu.tournament.formats.drive import Drive
from nousu.tournament.formats.tuppen import TuppenSeries
from nousu.tournament.formats.tuppi import TuppiPairs
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Format
from nousu.tournament.score_sheet import whist_rules
from nousu.tournament.seating.pairings import full_rounds
from nousu.tournament.seating.planner import mixes, split

STEPS: tuple[tuple[str, str], ...] = (
    ("/setup", sentence("Format")),
    ("/people", sentence("People")),
    ("/draw", sentence("The draw")),
    ("/plan", sentence("Plan")),
    ("/paper", sentence("Paper")),
    ("/online", sentence("Online")),
)


def step(visit: Visit, path: str, values: Mapping[str, object], status: int = 200) -> Response:
    """The page of a step (its template is called like it), with the way from step to step."""
    state = visit.state
    done = {
        "/setup": bool(state.entrants),
        "/people": bool(state.numbers),
        "/draw": bool(state.numbers),
        "/plan": bool(state.rounds),
        "/paper": any(slip.state != "open" for slip in state.slips.values()),
        "/online": bool(state.online),
    }
    at = [one for one, _ in STEPS].index(path)
    shell = {
        "steps": [
            (number, visit.here(one), visit.say(said), done[one], one == path)
            for number, (one, said) in enumerate(STEPS, 1)
        ],
        "onward": visit.here(STEPS[at + 1][0]) if at + 1 < len(STEPS) else "",
        "wrong": [],
    }
    return visit.page(f"{path.strip('/')}.html", shell | dict(values), status)


@dataclass(frozen=True, slots=True)
class Field:
    """One option of a format as the page asks for it."""

    name: str
    said: str
    about: str = ""
    low: int = 0
    high: int = 0
    """Bounds of a whole number."""
    choices: tuple[tuple[str, str], ...] = ()


_LOWEST = Field("lowest", sentence("The lowest sum wins"))
_TEAMS = Field(
    "teams",
    sentence("Results that count for a team"),
    sentence("How many results of each team count, best first; 0: no teams."),
    0,
    50,
)
_RULES = Field("preset", sentence("Rules at the tables"))
FIELDS: Mapping[str, tuple[Field, ...]] = {
    "tuppen": (
        _RULES,
        Field("series", sentence("Series"), sentence("How often everybody gets a new table."), 1, 30),
        Field(
            "games",
            sentence("Games in a series"),
            sentence("How many are played before everybody changes tables."),
            1,
            10,
        ),
        Field("least", sentence("Smallest table"), "", 2, 8),
        Field("most", sentence("Largest table"), "", 2, 8),
        Field(
            "place_points",
            sentence("Points by place"),
            sentence("The winner first, with commas between them: 5,3,2,1,0."),
        ),
        Field(
            "cup",
            sentence("A tie at the top is played off"),
            sentence("A play-off (Stechen), for the cup only."),
        ),
        _LOWEST,
        _TEAMS,
    ),
    "tuppi": (
        _RULES,
        Field(
            "hands",
            sentence("Hands of a match"),
            sentence("The number of hands after which the match ends if nobody has won; usually 16 to 24."),
            1,
            60,
        ),
        Field(
            "pools",
            sentence("Pools"),
            sentence("In a pool everybody meets everybody; 0: a cup only."),
            0,
            26,
        ),
        Field(
            "legs", sentence("Matches of two pairs"), sentence("How often two pairs of a pool meet."), 1, 6
        ),
        Field(
            "through",
            sentence("Pairs that go on to the cup"),
            sentence("How many pairs of each pool play in the cup, best first; 0: no cup."),
            0,
            16,
        ),
        Field("third_place", sentence("A match for third place")),
    ),
    "drive": (
        _RULES,
        Field(
            "unit",
            sentence("Who enters"),
            sentence("Pairs stay together; players get a new partner every round."),
            choices=(("pairs", sentence("pairs")), ("players", sentence("single players"))),
        ),
        Field("rounds", sentence("Rounds"), "", 1, 60),
        Field("hands", sentence("Hands of a round"), sentence("0: as many as it takes."), 0, 60),
        Field(
            "bye",
            sentence("A round sat out scores"),
            "",
            choices=(
                ("mean", sentence("the average of the player’s other rounds")),
                ("zero", sentence("nothing")),
            ),
        ),
        _LOWEST,
        _TEAMS,
    ),
}
"""What the page of a format asks for, in this order."""


async def show(visit: Visit) -> Response:
    """``/setup``: the options in force."""
    return _page(visit, visit.state.format, _texts(visit.state.format), "")


def _page(
    visit: Visit,
    shown: Format,
    texts: Mapping[str, str],
    people: str,
    *,
    reason: str = "",
    wrong: list[str] | None = None,
) -> Response:
    """The form with these texts, and what `shown` would be for so many people."""
    say = visit.say
    entered = len(visit.state.active()) + len(visit.state.lone()) // 2
    count = int(people) if people.isascii() and people.isdecimal() else entered or 12
    rows = []
    for field in FIELDS[shown.name]:
        choices = (
            _presets(shown, say) if field is _RULES else [(one, say(name)) for one, name in field.choices]
        )
        kind = "choice" if choices else "number" if field.high else "text"
        rows.append(
            {
                "name": field.name,
                "said": say(field.said),
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
        "people": min(count, 400),
        "facts": _facts(shown, min(count, 400), visit),
        "reason": reason,
        "ask_reason": bool(visit.state.rounds),
        "wrong": wrong or [],
    }
    return step(visit, "/setup", values, 400 if wrong else 200)


def _texts(kind: Format) -> dict[str, str]:
    """The options as the form shows them."""
    texts = {}
    for name, value in kind.to_json().items():
        if isinstance(value, bool):
            texts[name] = "yes" if value else "no"
        else:
            texts[name] = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    if isinstance(kind, TuppiPairs):
        texts["hands"] = str(whist_rules(kind.preset).max_hands or 0)
        texts["preset"] = kind.preset.partition("+max_hands=")[0]
    return texts


def _presets(kind: Format, say: Translate) -> list[tuple[str, str]]:
    """The rule sets a format of this kind takes, and the one it has."""
    own = _texts(kind)["preset"]
    found = []
    for game in games().values():
        for preset in game.presets:
            try:
                make({"name": kind.name, "preset": preset})
            except Refusal:
                continue
            found.append(preset)
    if own not in found:
        found.append(own)
    return [(preset, preset_words(preset, say)) for preset in found]


async def change(visit: Visit) -> Response:
    """Look at other options, or take them."""
    form = await visit.form()
    kind = visit.state.format
    texts = _texts(kind)
    for field in FIELDS[kind.name]:
        given = str(form.get(field.name, "")).strip()
        texts[field.name] = given if texts[field.name] not in ("yes", "no") else "yes" if given else "no"
    people, reason = str(form.get("people", "")), str(form.get("reason", "")).strip()
    try:
        new = _made(kind, texts)
        if form.get("do") == "look":
            return _page(visit, new, texts, people, reason=reason)
        if new != kind:
            options = dict(new.to_json())
            del options["name"]
            await visit.act(lambda office, by: office.change(by, options, reason))
    except Refusal as refusal:
        return _page(visit, kind, texts, people, reason=reason, wrong=visit.refused(refusal))
    return visit.go("/people" if not visit.state.entrants else "/setup")


def _made(kind: Format, texts: Mapping[str, str]) -> Format:
    """The format that the texts of a form mean. `Refusal` names the option that cannot be."""
    values: dict[str, Any] = {"name": kind.name}
    for field in FIELDS[kind.name]:
        text = texts[field.name]
        if field.name == "place_points":
            values[field.name] = [_whole(field, part) for part in text.replace(" ", "").split(",")]
        elif field.high:
            values[field.name] = _whole(field, text)
        else:
            values[field.name] = text == "yes" if text in ("yes", "no") else text
    if kind.name == "tuppi":
        hands = values.pop("hands")
        if hands != whist_rules(values["preset"]).max_hands:
            values["preset"] += f"+max_hands={hands}"
    return make(values)


def _whole(field: Field, text: str) -> int:
    number = text.strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise Refusal("{text} is not a whole number", values={"text": number or "–"}, where=field.name)
    return int(number)


def _facts(kind: Format, people: int, visit: Visit) -> list[str]:
    """What a format means for so many people, in sentences; or why it cannot be."""
    try:
        if isinstance(kind, TuppenSeries):
            return _tuppen_facts(kind, people, visit.say)
        if isinstance(kind, TuppiPairs):
            return _tuppi_facts(kind, people, visit.say)
        assert isinstance(kind, Drive)
        return _drive_facts(kind, people, visit.say)
    except Refusal as refusal:
        return visit.refused(refusal)


def _tables(sizes: tuple[int, ...], say: Translate) -> str:
    """Tables by their sizes: ``7 tables of 4, 1 table of 3``."""
    return ", ".join(
        say(
            sentence("{count} table of {size}", "{count} tables of {size}"),
            count=sizes.count(size),
            size=size,
        )
        for size in sorted(set(sizes), reverse=True)
    )


def _tuppen_facts(kind: TuppenSeries, people: int, say: Translate) -> list[str]:
    sizes = mixes(people, kind.least, kind.most)[0]
    return [
        say("Tables in each series: {tables}.", tables=_tables(sizes, say)),
        say(
            sentence("Everybody plays {games} game.", "Everybody plays {games} games."),
            games=kind.series * kind.games,
        ),
        *(
            say(
                "Points at a table of {size}: {points}.",
                size=size,
                points=" – ".join(map(str, kind.place_points[:size])),
            )
            for size in sorted(set(sizes), reverse=True)
        ),
        say("Slips in all: {slips}.", slips=len(sizes) * kind.series),
    ]


def _tuppi_facts(kind: TuppiPairs, pairs: int, say: Translate) -> list[str]:
    facts = []
    if kind.pools:
        sizes = split(pairs, kind.pools)
        rounds = max(full_rounds(size) for size in sizes) * kind.legs
        facts.append(say("Pairs in the pools: {sizes}.", sizes=", ".join(map(str, sizes))))
        matches = sum(size * (size - 1) // 2 for size in sizes) * kind.legs
        facts.append(
            say("Rounds in the pools: {rounds}; matches: {matches}.", rounds=rounds, matches=matches)
        )
    going = kind.pools * kind.through if kind.pools else pairs
    if going > 1:
        facts.append(
            say("Pairs in the cup: {pairs}; rounds: {rounds}.", pairs=going, rounds=(going - 1).bit_length())
        )
    return facts


def _drive_facts(kind: Drive, people: int, say: Translate) -> list[str]:
    seats = 2 if kind.pairs else 4
    facts = [say("Tables in each round: {tables}.", tables=people // seats)]
    if people % seats:
        facts.append(say("Sitting out in each round: {count}.", count=people % seats))
    facts.append(say("Slips in all: {slips}.", slips=people // seats * kind.rounds))
    return facts


PAGES = (
    Page("/setup", show, DIRECTION),
    Page("/setup", change, DIRECTION, "POST"),
)
