"""P13 beyond the API: every route, forms included, withstands whatever is sent to it, whoever sends it.

Requests are made of the route table: addresses of tables and tournaments that exist or do not, fields by the
words that the endpoint's module knows, texts made to hurt, bodies that are no form; and of the forms that
pages show, with some of their fields changed. They are sent by nobody, a stranger and somebody at the table,
and by every role of a tournament. No answer is a failure of the server, each bears all headers, and nobody
changes what their role may not.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine
from starlette.routing import Route
from starlette.testclient import TestClient

import states
from applications import app_on
from nousu.i18n import translator
from nousu.server.http.middleware import SECURITY_HEADERS
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import create_links
from nousu.tournament.links import key_of, person_key, shown_link, slip_key
from nousu.tournament.office import SHOWN, Office
from routes import field_names, forms_of, plain_routes
from soaking import report, times
from tournament_fixtures import evening

PEOPLE = ("nobody", "stranger", "seated")
ROLES = ("nobody", "direction", "entry", *SHOWN, "person", "slip")
_STREAMS = {"/tournament/{name}/news", "/tournament/{name}/me/{person}/news"}
"""They have no end, so tests of their own follow them."""
_TOKENS = {"stranger": "s" * 22, "seated": states.token(0)}


@dataclass
class World:
    """A server with a table of people and two tournaments, of which one belongs to somebody else."""

    folder: Path
    browser: TestClient
    office: Office
    other: Office
    keys: dict[str, str] = field(default_factory=dict)
    person: str = ""

    def log(self, office: Office) -> bytes:
        """The file of a tournament."""
        return office.path.read_bytes()

    async def seq(self) -> int:
        """The number of the last event of the table."""
        return (await self.browser.app.state.server.tables.room("full")).table.seq  # type: ignore[attr-defined, no-any-return]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("routes")
    sitting, _ = states.reach(states.STATES["play, late"])
    states.put(folder / "tables.db", "full", sitting, theirs=True)
    people = [f"Given{at} Family{at}" for at in range(1, 10)]
    office, other = (evening(folder / f"{name}.nousu", people) for name in ("evening", "other"))
    secret = create_links(office, "Ellen", translator("en"))
    entry = office.admit("Ellen", "entry", "Uwe")[1]
    state = office.open().tournament
    shown = {role: key_of(link) for role in SHOWN if (link := shown_link(state, role)) is not None}
    tournaments = HostedTournaments(folder)
    app = app_on(folder / "tables.db", pace=60, tournaments=tournaments)
    headers = {"origin": "http://testserver"}
    with TestClient(app, headers=headers, raise_server_exceptions=False, follow_redirects=False) as browser:
        made = World(folder, browser, office, other)
        made.keys = {"direction": secret, "entry": entry, **shown}
        made.person = person_key(state, (1, 0))
        yield made


TABLE = app_on(":memory:")
ROUTES = [(method, route) for method, route in plain_routes(list(TABLE.routes)) if route.path not in _STREAMS]

HURTFUL = (
    "", "0", "1", "2", "9", "-1", "1.5", "²", "٣", "9" * 5000, "1e400", "NaN", "1.1", "1.2/1", "S1.1", "yes",
    "no", "on", "look", "enter", "strike", "paper", "online", "confirm", "must", "free", "direction", "entry",
    "table", "tuppi", "tuppen", "drive", "minnesota", "play HA", "pass", "HA", "=1+1", "<b>&\"'", "\0",
    "\r\nx: y", "../..", "%2e%2e", "{0}", "{name}", "a" * 3000, "Ä" * 300, "e\u0301" * 100, "\u202e\u2066",
    "\U0001f469\u200d\U0001f467", "\x1b[2J", "https://elsewhere.example/", "//elsewhere.example", "19:45",
    "25:99", "Given1 Family1", "en", "xx", "[]", "null",
)  # fmt: skip
texts = st.one_of(st.sampled_from(HURTFUL), st.text(max_size=30))
values = st.recursive(
    st.none() | st.integers() | st.text(max_size=9), lambda inner: st.lists(inner, max_size=3)
)
bodies = st.one_of(
    st.binary(max_size=200),
    st.sampled_from((b"%ED%A0%80=%ED%A0%80&k=%FF&name=%00", b"name" + b"&a" * 3000)),
    st.just(b'{"endpoint": "\\ud800"}'),
    values.map(lambda value: json.dumps(value).encode()),
)
_FORM, _PARTS = "application/x-www-form-urlencoded", "multipart/form-data"
kinds = st.sampled_from((_FORM, f"{_PARTS}; boundary=b", _PARTS, "application/json", "x"))


def path_of(draw: Callable[..., Any], route: Route, world: World) -> str:
    """An address of a route: mostly of something that exists."""
    known = {
        "id": ["full"], "name": ["evening"], "table": ["1.1", "1.2", "full"], "person": [world.person],
        "key": list(world.keys.values()), "index": ["1", "2"], "round": ["1"], "label": ["1"],
        "kind": ["csv", "json", "pdf", "log", "slips"], "number": ["1"], "hand": ["1"], "step": ["1"],
        "preset": ["tuppi"], "game": ["tuppi"], "theme": ["tuppi"],
    }  # fmt: skip

    def value(match: re.Match[str]) -> str:
        name, kind = match[1], match[2]
        if kind == ":int":
            return draw(st.sampled_from(("1", "2", "99999999999999999999")))
        good = st.sampled_from(known[name])
        text = draw(
            good if draw(st.integers(0, 4)) else texts.filter(lambda text: text not in ("", ".", ".."))
        )
        return quote(text[:500].encode("utf-8", "replace"), safe="")

    return re.sub(r"{(\w+)(:\w+)?}", value, route.path)


def come(world: World, role: str) -> None:
    """Let a person or a role use the browser."""
    cookies = world.browser.cookies
    cookies.clear()
    if role in _TOKENS:
        cookies.set("nousu", _TOKENS[role])
    elif role in world.keys:
        world.browser.get(f"/tournament/evening/in/{world.keys[role]}")
        cookies.set("nousu", _TOKENS["stranger"])


def check(answer: Any, about: str) -> None:
    """Assert what holds for every answer."""
    assert answer.status_code < 500 or (answer.status_code == 503 and "retry-after" in answer.headers), about
    assert "Traceback" not in answer.text, about
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers.get(name) == value, f"{about}: {name}"
    leads = answer.headers.get("location", "/")
    assert leads.startswith("/") and not leads.startswith("//"), f"{about} leads to {leads}"


def guard(world: World, role: str, send: Callable[[], Any], about: str) -> None:
    """Send something; who has no right to change a tournament or a table has not changed it."""
    portal = world.browser.portal
    assert portal is not None
    before, other, seq = world.log(world.office), world.log(world.other), portal.call(world.seq)
    check(send(), about)
    assert world.log(world.other) == other, f"{about} changed another's tournament"
    if role not in ("direction", "entry", "table", "person", "slip"):
        assert world.log(world.office) == before, f"{about} changed the tournament"
    if role != "seated":
        assert portal.call(world.seq) == seq, f"{about} changed the table"


def quick(examples: int) -> Any:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.promise("P13")
@pytest.mark.parametrize(("method", "route"), ROUTES, ids=lambda value: getattr(value, "path", value))
def test_whatever_is_sent_to_a_route_is_answered(world: World, method: str, route: Route) -> None:
    names = (*field_names(route), "k", "me", "g1-0", "g1-1", "g1-2", "n1")
    roles = ROLES if route.path.startswith("/tournament/") else PEOPLE
    examples = times(len(roles), 400)
    fields = st.dictionaries(st.sampled_from(names), texts, max_size=8)
    count = iter(range(10**9))

    @quick(examples)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        draw, role = data.draw, roles[next(count) % len(roles)]
        address, sent = path_of(draw, route, world), draw(fields)
        if role == "slip":
            sent["k"] = slip_key(world.office.open().tournament, "1.1")
        come(world, role)
        about = f"{method} {address} as {role}: {sent!r}"[:600]
        plain = {name: text.encode("utf-8", "surrogatepass") for name, text in sent.items()}
        as_form = draw(st.integers(0, 3))
        options: dict[str, Any] = {"params": plain} if method == "GET" else {"data": plain}
        if method != "GET" and not as_form:
            options = {"content": draw(bodies), "headers": {"content-type": draw(kinds)}}
        elif method != "GET" and as_form == 1:
            options["files"] = {"file": ("list.xlsx", draw(bodies))}
        guard(world, role, lambda: world.browser.request(method, address, **options), about)

    send()
    report(f"P13: {examples} requests {method} {route.path}, no failure")


PAGES = [route for method, route in ROUTES if method == "GET" and not route.path.startswith("/static/")]


@pytest.mark.promise("P13")
@pytest.mark.parametrize("role", [*PEOPLE[1:], "direction", "entry", "table", "person", "slip"])
def test_forms_of_pages_withstand_changed_fields(world: World, role: str) -> None:
    """A form comes with its own values, so that a change of one of them goes deep."""
    examples = times(25, 5000)
    state = world.office.open().tournament
    own = "/tournament/" if role not in PEOPLE else ""
    pages = [route for route in PAGES if own in route.path] if own else PAGES
    reached: set[str] = set()

    @quick(examples)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        draw = data.draw
        come(world, role)
        address = path_of(draw, draw(st.sampled_from(pages)), world)
        key = f"?k={slip_key(state, '1.1')}" if role == "slip" else ""
        page = world.browser.get(address + key)
        check(page, address)
        forms = forms_of(page.text) if page.headers.get("content-type", "").startswith("text/html") else []
        if not forms:
            return
        form = draw(st.sampled_from(forms))
        if form.action in ("/forget", "/device"):
            return  # whoever forgets themselves is another person afterwards
        values = dict(form.fields)
        for name in draw(st.lists(st.sampled_from([*values, "extra"]), max_size=3)):
            values[name] = draw(texts)
        plain = {name: text.encode("utf-8", "surrogatepass") for name, text in values.items()}
        sent: dict[str, Any] = {"params": plain} if form.method == "GET" else {"data": plain}
        target = form.action or address
        about = f"{form.method} {target} from {address} as {role}: {values!r}"[:600]
        guard(world, role, lambda: world.browser.request(form.method, target, **sent), about)
        reached.add(target)

    send()
    assert reached
    report(f"P13: {examples} changed forms as {role} at {len(reached)} addresses, no failure")


def test_pages_that_are_read_again_write_nothing(world: World) -> None:
    """A transaction holds up the events of all tables, and anybody may read a page as often as they like."""
    come(world, "seated")
    form = {"preset": "tuppi", "weekday": "1", "time": "19:00", "zone": "UTC"}
    made = world.browser.post("/every", data=form)
    weekly = made.headers["location"]
    pages = [re.sub(r"{id}", "full", route.path) for method, route in ROUTES if method == "GET"]
    pages = [path for path in pages if "{" not in path and not path.endswith("/events")]
    written: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.lstrip().upper().startswith(("BEGIN", "SELECT", "PRAGMA")):
            written.append(statement)

    def noted(work: Callable[[], object]) -> list[str]:
        written.clear()
        sa.event.listen(Engine, "before_cursor_execute", note)
        try:
            work()
        finally:
            sa.event.remove(Engine, "before_cursor_execute", note)
        return written.copy()

    portal = world.browser.portal
    assert portal is not None
    store = world.browser.app.state.server.store  # type: ignore[attr-defined]
    # A minute after its start the server forgets old sessions, maybe while a page is read.
    housekeeping = noted(lambda: portal.call(store.people.forget_sessions, 0.0, 0.0))
    assert housekeeping
    for path in (*pages, weekly):
        world.browser.get(path)
        again = noted(partial(world.browser.get, path))
        assert [one for one in again if one not in housekeeping] == [], path
