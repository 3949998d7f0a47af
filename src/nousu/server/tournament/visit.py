"""A request to a tournament: the visitor, their rights, and the office that carries out changes.

A `Page` has a path below ``/tournament/{name}``, the roles that may open it, and a function that turns a
`Visit` into a response. `PAGES` of `nousu.server.tournament.routes` lists them all; a test walks every page
with every role.
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
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
from nousu.i18n.series import series_translator
from nousu.server.errors import NotYours, RequestError, public_note
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.site import error_page, page
from nousu.server.pages.visit import whole_number
from nousu.server.people.server import Server
from nousu.server.people.sessions import RequestLimits
from nousu.server.tournament.files import HostedTournament, HostedTournaments
from nousu.server.tournament.page_process import PageRequest
from nousu.server.tournament.roles import DIRECTION, LINK_HOLDERS, NOBODY, OFFICE, Guest, guest_of, path_of
from nousu.tournament.links import person_keys, slip_link
from nousu.tournament.messages import Refusal
from nousu.tournament.model import PROJECTOR, Standings, Tournament
from nousu.tournament.office import Office, Opened
from nousu.tournament.print_language import round_heading

Value = TypeVar("Value")
LINK_ENDED = sentence(
    "The tournament director has ended or renewed this personal link. A game that you sit at can be "
    "finished; for all else ask for your new link."
)
"""Told to people whose personal link is no longer valid."""
_GZIP = b"\x1f\x8b"
_SCOPE = (
    *("type", "http_version", "method", "scheme", "server", "path", "raw_path", "root_path"),
    *("query_string", "headers"),
)
"""Keys of the scope that belong to the request alone."""


@dataclass(frozen=True, slots=True)
class Tab:
    """An entry of the navigation bar."""

    path: str
    said: str
    roles: frozenset[str]


TABS = (
    Tab("/board", sentence("Desk"), OFFICE),
    Tab("/setup", sentence("Set up"), DIRECTION),
    Tab("/door", sentence("Check-in"), OFFICE),
    Tab("/standings", sentence("Standings"), LINK_HOLDERS),
    Tab("/beamer", sentence("Projector"), OFFICE | {PROJECTOR}),
    Tab("/rulings", sentence("Rulings"), DIRECTION),
    Tab("/log", sentence("Log"), OFFICE),
    Tab("/links", sentence("Links"), DIRECTION),
)
"""Pages of the navigation bar, for those who may open them."""


@dataclass(slots=True)
class Visit:
    """A request to a tournament, with the values that its page needs."""

    request: Request
    tournaments: HostedTournaments
    hosted: HostedTournament
    opened: Opened
    guest: Guest
    lang: str
    say: Translate
    server: Server

    @property
    def limits(self) -> RequestLimits:
        """Rate limits of the server."""
        return self.server.limits

    @property
    def state(self) -> Tournament:
        """The current tournament."""
        return self.opened.tournament

    def path(self, path: str = "") -> str:
        """Path of a page of this tournament."""
        return path_of(self.hosted.name) + path

    def address(self, path: str = "") -> str:
        """Absolute address of a page, as phones in the hall reach it."""
        base = self.tournaments.address or str(self.request.base_url).rstrip("/")
        return base + self.path(path)

    async def form(self) -> FormData:
        """The form sent."""
        return await self.request.form()

    async def device(self) -> str:
        """Fingerprint of the browser in this tournament, by its session, which is made if necessary."""
        session = await self.server.sessions.ensure(self.request)
        return sha256(f"{self.state.name} {session.id}".encode()).hexdigest()[:16]

    async def act(self, work: Callable[[Office, str], Value]) -> Value:
        """Do `work` with the office in the visitor's name; on disk when this returns."""
        guest = self.guest
        await self.limits.hit("act", f"{self.hosted.name} {guest.key or guest.entry or guest.address}")
        by = self.guest.who
        done = await self.hosted.act(lambda office: work(office, by))
        self.opened = await self.hosted.opened()
        return done

    async def render(self, work: Callable[..., Value], *arguments: object, **named: object) -> Value:
        """Make a page away from the event loop; see `HostedTournament.render`."""
        return await self.hosted.render(work, *arguments, **named)

    def standings(self) -> Standings:
        """The standings, calculated once for each state."""
        state = self.state
        return self.hosted.cached(self.opened, ("standings",), lambda: state.format.standings(state))

    def text(self, note: Note) -> str:
        """Sentence of a note in the visitor's language; the office sees its clause in brackets behind it."""
        words = self.hall_text(note)
        return f"{words} [{note.clause}]" if note.clause and self.guest.may_enter else words

    def hall_text(self, note: Note) -> str:
        """Sentence of a note as everybody in the hall reads it."""
        return Voice((), 0, None, self.say).note(public_note(note))

    def refusal_lines(self, refusal: Refusal) -> list[str]:
        """Sentences of a refusal, each with the field it concerns."""
        return refusal_sentences(refusal, self.text, self.say)

    def round_words(self, label: str, count: int) -> str:
        """Progress of the event: the current round (of a Tuppen evening: series)."""
        if not label:
            return self.say("Before the first round")
        if label[0] == "S":
            return self.say("Stechen {round}", round=label)
        if label[0] == "C":
            return round_heading(self.state, label, self.say)
        if self.state.format.called == "series":
            return self.say("Series {round} of {count}", round=label, count=count)
        return self.say("Round {round} of {count}", round=label, count=count)

    def page(self, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """Page rendered from a template of ``templates/tournament``."""
        shell: dict[str, object] = {
            "say": self.say,
            "heading": self.state.name,
            "at": self.path(),
            "tabs": [
                (self.path(tab.path), self.say(tab.said))
                for tab in TABS
                if self.guest.role in tab.roles and self.guest.chair is None
            ],
            "guest": self.guest,
            "notices": [self.text(note) for note in self.opened.notices],
            "state": self.state,
            "version": self.hosted.version_of(self.opened),
            "in_series": self.state.format.called == "series",
            "round_words": self.round_words,
        }
        html = page(self.request, f"tournament/{template}", self.lang, shell | dict(values)).encode()
        # Compressed where it is made: the loop would take up to 17 ms for a page of 600 people.
        return self._response_of(gzip.compress(html, 6, mtime=0), status)

    def _response_of(self, body: bytes, status: int = 200) -> Response:
        """Response with a page that is compressed, plain where the browser wants it so."""
        headers = {"vary": "accept-encoding"}
        if "gzip" not in self.request.headers.get("accept-encoding", ""):
            return HTMLResponse(gzip.decompress(body), status, headers)
        return HTMLResponse(body, status, headers | {"content-encoding": "gzip"})

    def cached_page(
        self, template: str, values: Callable[[], Mapping[str, object]], address: str = ""
    ) -> Response:
        """Page that is the same for one role and language until the file changes.

        Rendered and compressed once, however many phones request it. `address` is what it tells of its own
        address, which may be what a visitor calls this server.
        """
        look = preferences_of(self.request)
        key = (
            template,
            self.lang,
            str(sorted(look.items())),
            self.guest.role,
            self.request.url.path,
            address,
        )

        def compressed() -> bytes:
            body = bytes(self.page(template, values()).body)
            return body if body.startswith(_GZIP) else gzip.compress(body, 6, mtime=0)

        return self._response_of(self.hosted.cached(self.opened, key, compressed))

    def redirect(self, path: str = "") -> Response:
        """Redirect to another page of this tournament after a change."""
        return RedirectResponse(self.path(path), 303)


@dataclass(frozen=True, slots=True)
class Page:
    """An address of a tournament."""

    path: str
    """The path below ``/tournament/{name}``."""
    do: Callable[[Visit], Awaitable[Response] | Response]
    """The handler: a coroutine runs on the event loop; a plain function calculates and runs in a thread."""
    roles: frozenset[str]
    """Roles that may open it."""
    method: str = "GET"


def page_routes(pages: tuple[Page, ...], tournaments: HostedTournaments, server: Server) -> list[Route]:
    """Routes of pages; each checks the visitor's role first."""
    return [
        Route(path_of("{name}") + page.path, _endpoint(page, tournaments, server), methods=[page.method])
        for page in pages
    ]


_MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "pdf": "application/pdf",
}


def download(data: bytes, name: str) -> Response:
    """A file to be saved under a name, whose ending says what it is."""
    media = _MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(data, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})


def refusal_sentences(refusal: Refusal, text: Callable[[Note], str], say: Translate) -> list[str]:
    """Sentences of a refusal, made by `text`, each with the field it concerns."""
    return [
        (f"{where_words(part.where, say)}: " if part.where else "") + text(part.note)
        for part in (refusal, *refusal.more)
    ]


def tournament_translator(tournament: Tournament, language: str) -> Translate:
    """The sentences of a tournament in a language: of series where its format calls rounds so."""
    return (series_translator if tournament.format.called == "series" else translator)(language)


def _endpoint(
    page: Page, tournaments: HostedTournaments, server: Server
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return await respond(request)
        finally:
            await request.close()  # files that came with a form

    async def respond(request: Request) -> Response:
        session = await server.sessions.visitor(request)
        hosted = tournaments.visit(request.path_params["name"])
        try:
            opened = await hosted.opened()
        except Refusal as refusal:
            return error_page(request, session.lang, refusal.note, 409)
        guest = guest_of(request, opened.tournament)
        guest = _with_person(request, hosted, opened, guest)
        guest = await _with_slip(request, opened.tournament, guest)
        if guest.role != NOBODY:
            server.limits.note_hall_visit(guest.address)
        if guest.role not in page.roles:
            if "person" in request.path_params and guest.role == NOBODY:
                raise NotYours(LINK_ENDED)
            raise _no_right(guest, "k" in request.query_params)
        say = tournament_translator(opened.tournament, session.lang)
        visit = Visit(request, tournaments, hosted, opened, guest, session.lang, say, server)
        try:
            if iscoroutinefunction(page.do):
                response: Response = await page.do(visit)
                return response
            make = cast(Callable[[Visit], Response], page.do)
            tournaments.page_process.requests += 1
            try:
                crowded = await _page_for_crowd(page, visit)
                return await visit.render(make, visit) if crowded is None else crowded
            finally:
                tournaments.page_process.requests -= 1
        except Refusal as refusal:
            return await visit.render(
                visit.page, "refused.html", {"lines": visit.refusal_lines(refusal)}, 409
            )

    return answer


async def _page_for_crowd(page: Page, visit: Visit) -> Response | None:
    """The page as the process for crowds makes it; None where it does not."""
    process, hosted, request = visit.tournaments.page_process, visit.hosted, visit.request
    if page.method != "GET" or not process.is_ready:
        return None
    scope = {name: request.scope[name] for name in _SCOPE if name in request.scope}
    scope["path_params"] = dict(request.path_params)
    asked = PageRequest(
        hosted.name,
        hosted.path,
        page.path,
        scope,
        visit.guest,
        visit.lang,
        visit.tournaments.address,
        hosted.unfit,
    )
    async with process.turn_of(visit.guest.address):
        return await hosted.render_in_process(process, asked)


def _with_person(request: Request, hosted: HostedTournament, opened: Opened, guest: Guest) -> Guest:
    """The visitor, or the owner of a personal link, whose key is part of the address."""
    if "person" not in request.path_params:
        return guest
    state = opened.tournament
    owner = hosted.cached(opened, ("people",), lambda: person_keys(state)).get(request.path_params["person"])
    if owner is None:
        return guest
    link, (entrant, member) = owner
    number = state.numbers.index(entrant) + 1 if entrant in state.numbers else 0
    members = state.members(number) if number else state.entrants[entrant - 1].members
    who, key = members[member], request.path_params["person"]
    return Guest("table", who, link.entry, guest.address, key, number, (entrant, member))


async def _with_slip(request: Request, state: Tournament, guest: Guest) -> Guest:
    """The visitor, or a player with the key of the table's slip in the address or the form."""
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
    try:
        seated = state.seats(table)
    except Refusal:  # it is no longer planned, or never was
        return guest
    number = whole_number(me) if whole_number(me) in seated else 0
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
