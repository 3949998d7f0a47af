"""Access to a tournament: starting one, opening a link, and the list of valid links."""

import secrets
from collections.abc import AsyncIterator

from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from nousu.engine.messages import sentence
from nousu.i18n import Translate, translator
from nousu.i18n.office import local_time, role_words
from nousu.i18n.sentences import note_with_clause
from nousu.server.errors import NotYours, public_note
from nousu.server.http.addresses import is_loopback
from nousu.server.http.rate_limits import client_key
from nousu.server.pages.site import page
from nousu.server.pages.visit import whole_number
from nousu.server.people.server import Server
from nousu.server.people.sessions import address_of
from nousu.server.tournament.files import HEARTBEAT, HostedTournaments
from nousu.server.tournament.roles import (
    DIRECTION,
    EVERYBODY,
    LINK_HOLDERS,
    NOBODY,
    guest_of,
    outranks,
    path_of,
    set_link_cookie,
)
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.formats import FORMATS, make
from nousu.tournament.links import key_of, link_of, shown_link
from nousu.tournament.messages import Refusal
from nousu.tournament.model import PROJECTOR, ROLES, Tournament
from nousu.tournament.office import SHOWN, Office
from nousu.tournament.people import name_key
from nousu.tournament.qr import picture

_APART = 25
"""Milliseconds between the questions of two phones after news: those of a hall share one address, which may
ask sixty times a second."""
_LONGEST = 200
"""Greatest number of letters that are read of a field: this form may be as long as the file of an event."""
_FORWARDED = ("x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via")
"""Headers by which a proxy says that it is one."""
_FIRST = {"direction": "/board", "entry": "/board", PROJECTOR: "/beamer", NOBODY: "/results"}
"""First page by role; all others see the standings."""


def create_links(office: Office, by: str, say: Translate) -> str:
    """Create a link for the direction and return its secret.

    Links for phones, the projector and readers are created too, where there are none yet.
    """
    state = office.open().tournament
    for role in SHOWN:
        if shown_link(state, role) is None:
            office.admit(by, role, role_words(role, say))
    return office.admit(by, "direction", by)[1]


class EntryPages:
    """Pages before a tournament is entered."""

    def __init__(self, tournaments: HostedTournaments, server: Server, new_events: str) -> None:
        self.tournaments = tournaments
        self.server = server
        self._new_events = new_events
        self._code = new_events.partition(":")[2]

    async def start(self, request: Request) -> Response:
        """Show ``/tournaments``: start one, or return to one this device knows."""
        session = await self.server.sessions.visitor(request)
        return self._start(request, session.lang, {"by": session.name}, "", 200)

    def _start(self, request: Request, lang: str, sent: dict[str, str], wrong: str, status: int) -> Response:
        say = translator(lang)
        formats = [(name, say(kind.title), say(kind.about)) for name, kind in FORMATS.items()]
        typed = {"name": "", "by": "", "format": "tuppen", "code": ""} | sent
        values = {
            "sent": typed,
            "wrong": wrong,
            "formats": formats,
            "may_begin": self._new_events != "here" or _is_here(request),
            "needs_code": bool(self._code),
        }
        return HTMLResponse(page(request, "tournament/start.html", lang, values), status)

    async def begin(self, request: Request) -> Response:
        """Start a tournament; its creator becomes its direction."""
        session = await self.server.sessions.visitor(request)
        self.check_place(request)
        address = client_key(session.address)
        async with request.form() as form:
            fields = ("name", "by", "format", "code")
            sent = {field: str(form.get(field, "")).strip()[:_LONGEST] for field in fields}
            file = form.get("file")
            data = await file.read() if isinstance(file, UploadFile) else b""
        try:
            await self.check_beginning(address, sent["by"], sent["code"])
            if file is not None:
                if not data:
                    raise Refusal("choose the file of an event", where="file")
                hosted = await self.tournaments.add(data, address)
            else:
                kind = make({"name": sent["format"] if sent["format"] in FORMATS else "tuppen"})
                hosted = await self.tournaments.create(sent["name"], kind, sent["by"])
            secret = await hosted.act(
                lambda office: create_links(office, sent["by"], translator(session.lang))
            )
        except Refusal as refusal:
            wrong = note_with_clause(public_note(refusal.note), translator(session.lang))
            return self._start(request, session.lang, sent, wrong, 400)
        path, first = path_of(hosted.name), "/setup" if file is None else "/board"
        response = RedirectResponse(path + first, 303)
        set_link_cookie(response, request, path, secret)
        return response

    def check_place(self, request: Request) -> None:
        """Raise `NotYours` if events may be begun only at the computer of the host."""
        if self._new_events == "here" and not _is_here(request):
            raise NotYours(sentence("New tournaments are begun at the computer of the host."))

    async def check_beginning(self, address: str, by: str, code: str) -> None:
        """Refuse an event, or a season, with a wrong code or without its creator's name, and too many."""
        if self._code and not secrets.compare_digest(code.encode(errors="replace"), self._code.encode()):
            await self.server.limits.hit("code", address)
            raise Refusal(sentence("that is not the code of the host"), where="code")
        if not by:
            raise Refusal("say who is doing this", where="by")
        await self.server.limits.hit("event", address)
        await self.server.limits.hit("events", "")

    async def enter(self, request: Request) -> Response:
        """Open a link, ``/tournament/{name}/in/{key}``, and store its key in this browser.

        A link with fewer rights than the stored one replaces nothing.
        """
        hosted = self.tournaments.visit(request.path_params["name"])
        state = (await hosted.opened()).tournament
        key = request.path_params["key"]
        link = link_of(state, key)
        if link is None:
            raise NotYours("This link is not (or no longer) valid; ask the director for a new one.")
        response = RedirectResponse(path_of(hosted.name) + _first_page(link.role, state), 303)
        guest = guest_of(request, state)
        self.server.limits.note_hall_visit(guest.address)
        if not outranks(guest.role, link.role):
            set_link_cookie(response, request, path_of(hosted.name), key)
        return response

    async def leave(self, request: Request) -> Response:
        """Delete the link stored in this browser."""
        hosted = self.tournaments.find(request.path_params["name"])
        response = RedirectResponse("/", 303)
        set_link_cookie(response, request, path_of(hosted.name), "")
        return response


def _is_here(request: Request) -> bool:
    """Whether a request comes from a browser on this computer, and not through a public proxy."""
    proxied = any(name in request.headers for name in _FORWARDED)
    return is_loopback(address_of(request)) and is_loopback(request.url.hostname or "") and not proxied


def first(visit: Visit) -> Response:
    """Redirect ``/tournament/{name}`` to the first page of the visitor's role."""
    return visit.redirect(_first_page(visit.guest.role, visit.state))


def _first_page(role: str, state: Tournament) -> str:
    """First page of a role: helpers check people in until the numbers are drawn."""
    if role == "entry" and state.entrants and not state.numbers:
        return "/door"
    return _FIRST.get(role, "/standings")


def links(visit: Visit, made: tuple[str, str] = ("", ""), wrong: str = "") -> Response:
    """Show the valid links: ``/links``; `made` holds name and address of a new one, shown only once."""
    made_at = {event["n"]: local_time(event["at"]) for event in visit.opened.log.events}
    phones = shown_link(visit.state, "table")
    listed = [
        {
            "link": link,
            "at_time": made_at.get(link.entry, ""),
            "ends": _ends(visit) if link == phones else "",
            "role": role_words(link.role, visit.say),
            "address": visit.address(f"/in/{key_of(link)}") if link.role in SHOWN[1:] else "",
            "own": link.entry == visit.guest.entry,
        }
        for link in visit.state.links.values()
    ]
    roles = [(role, role_words(role, visit.say)) for role in ROLES]
    values = {
        "links": listed,
        "roles": roles,
        "made": made,
        "wrong": wrong,
        "qr": lambda address: Markup(picture(address, visit.say("QR code of the link"))),
        "local": not visit.tournaments.address,
    }
    return visit.page("links.html", values, 400 if wrong else 200)


def _ends(visit: Visit) -> str:
    """A sentence on the accesses that end when phones are no longer admitted."""
    tables = [table for table in visit.state.online if visit.state.is_online(table)]
    ends = visit.say(
        "All phones lose access at once: codes on printed slips and everybody’s personal links end, and "
        "new paper has to be printed for a new link."
    )
    if tables:
        ends += " " + visit.say(
            sentence(
                "People who sit at {count} table of Nousu ({tables}) can finish the game there; nobody else "
                "can sit down. Hand out new personal links, or continue on paper.",
                "People who sit at {count} tables of Nousu ({tables}) can finish the games there; nobody "
                "else can sit down. Hand out new personal links, or continue on paper.",
            ),
            count=len(tables),
            tables=", ".join(tables),
        )
    return ends


async def admit(visit: Visit) -> Response:
    """Create a link; two of the same kind and name could not be told apart."""
    form = await visit.form()
    role, who = str(form.get("role", "")), str(form.get("who", "")).strip()
    called = who or (role_words(role, visit.say) if role in SHOWN else "")
    try:
        if any(
            link.role == role and name_key(link.who) == name_key(called)
            for link in visit.state.links.values()
        ):
            raise Refusal(
                sentence("{name} already has such a link; revoke it first, or give this one another name"),
                values={"name": called},
                where="who",
            )
        _, secret = await visit.act(lambda office, by: office.admit(by, role, called))
    except Refusal as refusal:
        return await visit.render(links, visit, wrong=visit.refusal_lines(refusal)[0])
    if role in SHOWN:
        return visit.redirect("/links")
    return await visit.render(links, visit, (who, visit.address(f"/in/{secret}")))


async def revoke(visit: Visit) -> Response:
    """Revoke a link; its users lose access at once."""
    entry = whole_number(str((await visit.form()).get("entry", "")))
    await visit.act(lambda office, by: office.act(by, "revoked", entry=entry))
    return visit.redirect("/links")


async def news(visit: Visit) -> Response:
    """Stream an event after every change; the page then reloads its live parts."""
    hosted, guest = visit.hosted, visit.guest
    if visit.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    hosted.check_capacity()
    visit.limits.acquire(guest.address)

    def beat() -> str:
        return f"event: beat\ndata: {HEARTBEAT * 1000:.0f} {hosted.followers * _APART}\n\n"

    async def lines() -> AsyncIterator[str]:
        try:
            yield beat()
            async for name in hosted.follow():
                if guest.entry not in (await hosted.opened()).tournament.links:
                    return  # the link was revoked
                yield f"data: {name}\n\n" if name else beat()
        finally:
            visit.limits.release(guest.address)

    return StreamingResponse(lines(), media_type="text/event-stream")


PAGES = (
    Page("", first, EVERYBODY),
    Page("/news", news, LINK_HOLDERS),
    Page("/links", links, DIRECTION),
    Page("/links", admit, DIRECTION, "POST"),
    Page("/links/revoke", revoke, DIRECTION, "POST"),
)
