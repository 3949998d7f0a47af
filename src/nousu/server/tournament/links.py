"""The way in: beginning a tournament, links that open it, and the list of links in force."""

from collections.abc import AsyncIterator

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from nousu.i18n import Translate, translator
from nousu.i18n.office import role_words
from nousu.i18n.sentences import explained
from nousu.server.errors import NotYours
from nousu.server.http.rate_limits import client_key
from nousu.server.live.tables import Desk
from nousu.server.pages.site import page
from nousu.server.people import cookies
from nousu.server.tournament.files import BEAT, Halls
from nousu.server.tournament.roles import DIRECTION, EVERYBODY, HALL, NOBODY, guest_of, outranks, path_of
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.formats import FORMATS, make
from nousu.tournament.links import key_of, link_of, shown_link
from nousu.tournament.messages import Refusal
from nousu.tournament.model import ROLES
from nousu.tournament.office import SHOWN, Office
from nousu.tournament.qr import picture

_APART = 25
"""Milliseconds between the questions of two phones after news: those of a hall share one address, which may
ask sixty times a second."""
_FIRST = {"direction": "/board", "entry": "/board", "beamer": "/beamer", NOBODY: "/results"}
"""The first page of a role; for all others the standings."""


def let_in(office: Office, by: str, say: Translate) -> str:
    """Make what the hall needs: links for phones, beamer and readers, where there are none yet, and one for
    the direction; its secret."""
    state = office.open().tournament
    for role in SHOWN:
        if shown_link(state, role) is None:
            office.admit(by, role, role_words(role, say))
    return office.admit(by, "direction", by)[1]


class Door:
    """The pages in front of a tournament."""

    def __init__(self, halls: Halls, desk: Desk) -> None:
        self.halls = halls
        self.desk = desk

    async def start(self, request: Request) -> Response:
        """``/tournaments``: begin one, or go back to one this device knows."""
        session = await self.desk.visitor(request)
        return self._start(request, session.lang, {"by": session.name}, "", 200)

    def _start(self, request: Request, lang: str, sent: dict[str, str], wrong: str, status: int) -> Response:
        say = translator(lang)
        formats = [(name, say(kind.title), say(kind.about)) for name, kind in FORMATS.items()]
        typed = {"name": "", "by": "", "format": "tuppen"} | sent
        values = {"sent": typed, "wrong": wrong, "formats": formats}
        return HTMLResponse(page(request, "tournament/start.html", lang, values), status)

    async def begin(self, request: Request) -> Response:
        """Begin a tournament; whoever does is its direction."""
        session = await self.desk.visitor(request)
        address = client_key(request.client.host) if request.client is not None else "unknown"
        await self.desk.limits.hit("table", address)
        form = await request.form()
        sent = {field: str(form.get(field, "")).strip() for field in ("name", "by", "format")}
        try:
            if not sent["by"]:
                raise Refusal("say who is doing this", where="by")
            kind = make({"name": sent["format"] if sent["format"] in FORMATS else "tuppen"})
            hall = await self.halls.begin(sent["name"], kind, sent["by"])
            secret = await hall.act(lambda office: let_in(office, sent["by"], translator(session.lang)))
        except Refusal as refusal:
            wrong = explained(refusal.note, translator(session.lang))
            return self._start(request, session.lang, sent, wrong, 400)
        response = RedirectResponse(path_of(hall.name) + "/setup", 303)
        _keep(response, request, hall.name, secret)
        return response

    async def enter(self, request: Request) -> Response:
        """``/tournament/{name}/in/{key}``: a link is opened; its key stays in this browser. A link that may
        do less than the one this browser has takes nothing away."""
        hall = self.halls.hall(request.path_params["name"])
        state = (await hall.opened()).tournament
        key = request.path_params["key"]
        link = link_of(state, key)
        if link is None:
            raise NotYours("This link is not (or no longer) valid; ask the director for a new one.")
        response = RedirectResponse(path_of(hall.name) + _FIRST.get(link.role, "/standings"), 303)
        if not outranks(guest_of(request, state).role, link.role):
            _keep(response, request, hall.name, key)
        return response

    async def leave(self, request: Request) -> Response:
        """This browser forgets its link."""
        hall = self.halls.hall(request.path_params["name"])
        response = RedirectResponse("/", 303)
        _keep(response, request, hall.name, "")
        return response


def _keep(response: Response, request: Request, name: str, key: str) -> None:
    secure = request.url.scheme == "https"
    response.headers.append("set-cookie", cookies.tournament_cookie(key, path_of(name), secure))


def first(visit: Visit) -> Response:
    """``/tournament/{name}``: the first page of whoever comes."""
    return visit.go(_FIRST.get(visit.guest.role, "/standings"))


def links(visit: Visit) -> Response:
    """The links in force, with those that may be shown."""
    return _links(visit)


def _links(visit: Visit, made: tuple[str, str] = ("", ""), wrong: str = "", status: int = 200) -> Response:
    """The page of links; `made` is a new one, whom it is for and its address: it is shown this once."""
    listed = [
        {
            "link": one,
            "role": role_words(one.role, visit.say),
            "address": visit.outside(f"/in/{key_of(one)}") if one.role in SHOWN[1:] else "",
            "own": one.entry == visit.guest.entry,
        }
        for one in visit.state.links.values()
    ]
    roles = [(role, role_words(role, visit.say)) for role in ROLES]
    values = {
        "links": listed,
        "roles": roles,
        "made": made,
        "wrong": wrong,
        "qr": lambda address: Markup(picture(address, visit.say("QR code of the link"))),
        "local": not visit.halls.address,
    }
    return visit.page("links.html", values, status)


async def admit(visit: Visit) -> Response:
    """A new link."""
    form = await visit.form()
    role, who = str(form.get("role", "")), str(form.get("who", "")).strip()
    called = who or (role_words(role, visit.say) if role in SHOWN else "")
    try:
        _, secret = await visit.act(lambda office, by: office.admit(by, role, called))
    except Refusal as refusal:
        return await visit.render(_links, visit, wrong=visit.refused(refusal)[0], status=400)
    if role in SHOWN:
        return visit.go("/links")
    return await visit.render(_links, visit, (who, visit.outside(f"/in/{secret}")))


async def revoke(visit: Visit) -> Response:
    """End a link; whoever came by it is out at once."""
    entry = str((await visit.form()).get("entry", ""))
    number = int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 10 else 0
    await visit.act(lambda office, by: office.act(by, "revoked", entry=number))
    return visit.go("/links")


async def news(visit: Visit) -> Response:
    """A line that says whenever something has happened; the page then asks anew for what it shows."""
    hall, guest = visit.hall, visit.guest
    if visit.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    hall.make_room()
    visit.limits.acquire(guest.address)


    def beat() -> str:
        return f"event: beat\ndata: {BEAT * 1000:.0f} {hall.followers * _APART}\n\n"

    async def lines() -> AsyncIterator[str]:
        try:
            yield beat()
            async for name in hall.follow():
                if guest.entry not in (await hall.opened()).tournament.links:
                    return  # the link was revoked
                yield f"data: {name}\n\n" if name else beat()
        finally:
            visit.limits.release(guest.address)

    return StreamingResponse(lines(), media_type="text/event-stream")


PAGES = (
    Page("", first, EVERYBODY),
    Page("/news", news, HALL),
    Page("/links", links, DIRECTION),
    Page("/links", admit, DIRECTION, "POST"),
    Page("/links/revoke", revoke, DIRECTION, "POST"),
)
