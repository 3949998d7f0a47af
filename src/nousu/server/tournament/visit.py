"""One request to a tournament: who asks, whether they may, what the office says to it.

A page of the desk is a `Page`: its path below ``/tournament/{name}``, the roles that may ask for it, and a
coroutine that makes the answer of a `Visit`. `PAGES` of `nousu.server.tournament.routes` lists them all; a
test walks every page with every role.
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import TypeVar, cast

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.messages import Note, sentence
from nousu.i18n import Translate, translator
from nousu.i18n.office import where_words
from nousu.i18n.sentences import Voice
from nousu.server.errors import NotYours, RequestError
from nousu.server.http.rate_limits import RateLimits
from nousu.server.live.tables import Desk
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.site import error_page, page
from nousu.server.tournament.files import Hall, Halls
from nousu.server.tournament.roles import DIRECTION, HALL, NOBODY, OFFICE, Guest, guest_of, path_of
from nousu.tournament.links import person_keys, slip_link
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Standings, Tournament
from nousu.tournament.office import Office, Opened

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Tab:
    """An entry of the bar that leads from page to page."""

    path: str
    said: str
    roles: frozenset[str]


TABS = (
    Tab("/board", sentence("Desk"), OFFICE),
    Tab("/setup", sentence("Set up"), DIRECTION),
    Tab("/standings", sentence("Standings"), HALL),
    Tab("/beamer", sentence("Projector"), frozenset({"direction", "entry", "beamer"})),
    Tab("/rulings", sentence("Rulings"), DIRECTION),
    Tab("/log", sentence("Log"), OFFICE),
    Tab("/links", sentence("Links"), DIRECTION),
)
"""The pages that stand in the bar of every page, for those who may open them."""


@dataclass(slots=True)
class Visit:
    """One request, with everything a page needs to answer it."""

    request: Request
    halls: Halls
    hall: Hall
    opened: Opened
    guest: Guest
    lang: str
    say: Translate
    desk: Desk

    @property
    def limits(self) -> RateLimits:
        """How often somebody may do what costs something."""
        return self.desk.limits

    @property
    def state(self) -> Tournament:
        """The tournament as it stands."""
        return self.opened.tournament

    def here(self, path: str = "") -> str:
        """The address of a page of this tournament."""
        return path_of(self.hall.name) + path

    def outside(self, path: str = "") -> str:
        """The whole address of a page, as phones in the hall must ask for it."""
        base = self.halls.address or str(self.request.base_url).rstrip("/")
        return base + self.here(path)

    async def form(self) -> FormData:
        """What was sent."""
        return await self.request.form()

    async def act(self, work: Callable[[Office, str], Found]) -> Found:
        """Do something with the office in this person's name; on disk when it returns. Passes on its
        `Refusal`."""
        await self.limits.hit("act", f"{self.hall.name} {self.guest.entry or self.guest.address}")
        by = self.guest.who
        done = await self.hall.act(lambda office: work(office, by))
        self.opened = await self.hall.opened()
        return done

    async def render(self, work: Callable[..., Found], *arguments: object, **named: object) -> Found:
        """Make a page away from the event loop; see `Hall.render`."""
        return await self.hall.render(work, *arguments, **named)

    def standings(self) -> Standings:
        """The standings, calculated once of a state."""
        state = self.state
        return self.hall.value(self.opened, ("standings",), lambda: state.format.standings(state))

    def text(self, note: Note) -> str:
        """A note in this person's language, its clause in brackets behind it."""
        said = Voice((), 0, None, self.say).note(note)
        return f"{said} [{note.clause}]" if note.clause else said

    def refused(self, refusal: Refusal) -> list[str]:
        """A refusal in sentences: what it is about, and why not."""
        lines = []
        for one in (refusal, *refusal.more):
            where = f"{where_words(one.where, self.say)}: " if one.where else ""
            lines.append(where + self.text(one.note))
        return lines

    def round_words(self, label: str, count: int) -> str:
        """How far the event is: which of its rounds (of a Tuppen evening: series) is played."""
        if not label:
            return self.say("Before the first round")
        if label[0] == "S":
            return self.say("Stechen {round}", round=label)
        if self.state.format.called == "series":
            return self.say("Series {round} of {count}", round=label, count=count)
        return self.say("Round {round} of {count}", round=label, count=count)

    def page(self, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """A page of the desk: a template of ``templates/hall`` within its shell."""
        shell: dict[str, object] = {
            "heading": self.state.name,
            "at": self.here(),
            "tabs": [
                (self.here(tab.path), self.say(tab.said))
                for tab in TABS
                if self.guest.role in tab.roles and self.guest.chair is None
            ],
            "guest": self.guest,
            "notices": [self.text(note) for note in self.opened.notices],
            "state": self.state,
            "state_name": self.hall.name_of(self.opened),
            "in_series": self.state.format.called == "series",
            "round_words": self.round_words,
        }
        return HTMLResponse(
            page(self.request, f"tournament/{template}", self.lang, shell | dict(values)), status
        )

    def kept(self, template: str, values: Callable[[], Mapping[str, object]]) -> Response:
        """A page that is the same for all of one role and language as long as nothing happens: drawn and
        packed once, however many phones ask for it at the same moment."""
        look = preferences_of(self.request)
        key = (template, self.lang, str(sorted(look.items())), self.guest.role, self.request.url.path)

        def packed() -> bytes:
            return gzip.compress(bytes(self.page(template, values()).body), 6, mtime=0)

        body = self.hall.value(self.opened, key, packed)
        if "gzip" not in self.request.headers.get("accept-encoding", ""):
            return HTMLResponse(gzip.decompress(body))
        return HTMLResponse(body, headers={"content-encoding": "gzip", "vary": "accept-encoding"})

    def go(self, path: str = "") -> Response:
        """On to another page of this tournament, after something was done."""
        return RedirectResponse(self.here(path), 303)


@dataclass(frozen=True, slots=True)
class Page:
    """One address of the desk."""

    path: str
    """Below ``/tournament/{name}``."""
    do: Callable[[Visit], Awaitable[Response] | Response]
    """A coroutine runs on the event loop; a plain function calculates, so it runs in a thread."""
    roles: frozenset[str]
    """Who may ask for it."""
    method: str = "GET"


def routed(pages: tuple[Page, ...], halls: Halls, desk: Desk) -> list[Route]:
    """The routes of pages; each looks who asks before anything else."""
    return [
        Route(path_of("{name}") + one.path, _endpoint(one, halls, desk), methods=[one.method])
        for one in pages
    ]


def _endpoint(one: Page, halls: Halls, desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        session = await desk.visitor(request)
        say = translator(session.lang)
        hall = halls.hall(request.path_params["name"])
        try:
            opened = await hall.opened()
        except Refusal as refusal:
            return error_page(request, session.lang, refusal.note, 409)
        guest = guest_of(request, opened.tournament)
        guest = _with_person(request, hall, opened, guest)
        guest = await _with_slip(request, opened.tournament, guest)
        if guest.role not in one.roles:
            raise _no_right(guest, "k" in request.query_params)
        visit = Visit(request, halls, hall, opened, guest, session.lang, say, desk)
        try:
            if iscoroutinefunction(one.do):
                response: Response = await one.do(visit)
                return response
            make = cast(Callable[[Visit], Response], one.do)
            return await visit.render(make, visit)
        except Refusal as refusal:
            values = {"lines": visit.refused(refusal), "note": refusal.note}
            return await visit.render(visit.page, "refused.html", values, 409)

    return answer


def _with_person(request: Request, hall: Hall, opened: Opened, guest: Guest) -> Guest:
    """The guest, or the person whose own link they have opened: its key stands in the address."""
    if "person" not in request.path_params:
        return guest
    state = opened.tournament
    found = hall.value(opened, ("people",), lambda: person_keys(state)).get(request.path_params["person"])
    if found is None:
        return guest
    link, (one, member) = found
    number = state.numbers.index(one) + 1 if one in state.numbers else 0
    who, key = state.entrants[one - 1].members[member], request.path_params["person"]
    return Guest("table", who, link.entry, guest.address, key, number, (one, member))


async def _with_slip(request: Request, state: Tournament, guest: Guest) -> Guest:
    """The guest, or a player at the table whose slip they hold: its key stands in the address or the form."""
    table = request.path_params.get("table")
    if table is None or guest.role in OFFICE:
        return guest
    sent: Mapping[str, object] = request.query_params
    if request.method == "POST":
        sent = await request.form()
    key, me = str(sent.get("k", "")), str(sent.get("me", ""))
    link = slip_link(state, table, key)
    if link is None:
        return guest
    number = int(me) if me.isascii() and me.isdecimal() and len(me) < 6 else 0
    if number not in state.seats(table):
        number = 0
    who = state.who(number) if number else ""
    return Guest("table", who, link.entry, guest.address, key, number)


def _no_right(guest: Guest, slip: bool) -> RequestError:
    if slip:
        return NotYours(
            "This slip belongs to another plan, or phones are not (or no longer) admitted; "
            "bring it to the desk."
        )
    if guest.role == NOBODY:
        return NotYours(
            sentence("This page needs a link from the tournament director; an old one may have been revoked.")
        )
    return NotYours(
        sentence("Your link does not open this page; ask the tournament director for another one.")
    )
