"""Pages of a season: the ranking, one person, the wall, and the direction's page.

Everybody who knows the address may read; the direction has a link of its own, which a cookie of the season
stores.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import iscoroutinefunction
from typing import cast
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.messages import Note, sentence
from nousu.i18n import LANGUAGES, Translate, translator
from nousu.i18n.office import column_words, note_words, speech
from nousu.i18n.sentences import note_with_clause
from nousu.players.processes import OutOfLimits
from nousu.server.errors import NoSuchTable, NotYours, public_note
from nousu.server.http.rate_limits import client_key
from nousu.server.pages.site import error_page, page
from nousu.server.pages.visit import whole_number
from nousu.server.people import cookies
from nousu.server.people.server import Server
from nousu.server.people.sessions import address_of
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import EntryPages
from nousu.server.tournament.roles import set_link_cookie
from nousu.server.tournament.season_files import SECONDS, HostedSeasons
from nousu.server.tournament.visit import download, refusal_sentences
from nousu.tournament.export import season_to_json, to_csv, to_xlsx
from nousu.tournament.messages import Damaged, Refusal
from nousu.tournament.model import Link
from nousu.tournament.office import fingerprint
from nousu.tournament.people import name_key
from nousu.tournament.print_language import day
from nousu.tournament.qr import picture
from nousu.tournament.season import (
    COUNTS,
    GUESTS,
    SCALE,
    Season,
    SeasonEvening,
    SeasonRow,
    SeasonRule,
    doubts,
    figure,
    ranking,
    rule_notes,
    season_standings,
)
from nousu.tournament.season_file import EveningLog, OpenedSeason, SeasonFile, evening_log, held_entry

_PRINTING = 30.0
"""Seconds after which a PDF is given up."""
_PER_PAGE = 34
"""People on one page of the wall."""


@dataclass(slots=True)
class SeasonVisit:
    """A request to a season, with the values that its page needs."""

    request: Request
    seasons: HostedSeasons
    server: Server
    name: str
    """The season's name in addresses."""
    opened: OpenedSeason
    link: Link | None
    """The direction's link; None for everybody else."""
    lang: str
    say: Translate

    @property
    def season(self) -> Season:
        """The season as it is."""
        return self.opened.season

    @property
    def address(self) -> str:
        """The client address."""
        return client_key(address_of(self.request))

    def path(self, path: str = "") -> str:
        """Path of a page of this season."""
        return _path_of(self.name) + path

    def text(self, note: Note) -> str:
        """A note in the visitor's language."""
        return note_words(public_note(note), self.say)

    def short_day(self, evening: SeasonEvening) -> str:
        """Day and month of an evening."""
        return column_words(evening.date, self.say)

    def long_day(self, evening: SeasonEvening) -> str:
        """Day, month and year of an evening."""
        return day(evening.date, self.say)

    async def act(self, do: str, **fields: object) -> None:
        """Do one thing in the name of the direction; on disk when this returns."""
        assert self.link is not None
        by = self.link.who
        await self.server.limits.hit("act", f"{self.name} {self.link.entry}")
        await self.seasons.act(self.name, lambda season: season.act(by, do, **fields))
        self.opened = await self.seasons.open(self.name)

    def page(self, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """A page rendered from a template of ``templates/season``."""
        shell: dict[str, object] = {
            "heading": self.say("Season"),
            "season": self.season,
            "at": self.path(),
            "directs": self.link is not None,
            "short_day": self.short_day,
            "long_day": self.long_day,
            "figure": lambda value: str(figure(value)).replace("-", "−"),
            "notices": [self.text(note) for note in self.opened.notices],
            "person_link": lambda row: f"{self.path()}/person?name={quote(row.spellings[-1])}",
        }
        body = page(self.request, f"season/{template}", self.lang, shell | dict(values))
        return HTMLResponse(body, status)

    def redirect(self, path: str = "") -> Response:
        """Redirect to another page of this season after a change."""
        return RedirectResponse(self.path(path), 303)


def _path_of(name: str) -> str:
    return f"/season/{name}"


# public pages


def show_ranking(visit: SeasonVisit) -> Response:
    """Show the ranking: ``/season/{name}``."""
    season, rows = visit.season, ranking(visit.season)
    values = {
        "title": _headline(season, rows, visit.say),
        "tables": _tables(season, rows, visit.say),
        "ties": _ties(rows, visit),
        "notes": [visit.text(note) for note in rule_notes(season)],
        "evenings": [(evening, _winners(evening, season)) for evening in reversed(season.evenings)],
        "level": _level(rows),
    }
    return visit.page("ranking.html", values)


def _headline(season: Season, rows: tuple[SeasonRow, ...], say: Translate) -> str:
    """The leader or winner, and the lead."""
    ranked = [row for row in rows if not (row.guest and season.rule.guests == "apart")]
    if not ranked:
        return say("No evening yet")
    first = [row.name for row in ranked if row.rank == 1]
    if len(first) > 1:
        shared = sentence("{names} share the win") if season.over else sentence("{names} share the lead")
        return say(shared, names=", ".join(first))
    lead = ranked[0].total - ranked[1].total if len(ranked) > 1 else None
    if not lead:
        alone = sentence("{name} wins the season") if season.over else sentence("{name} leads")
        return say(alone, name=ranked[0].name)
    message = (
        sentence("{name} wins by {points} point", "{name} wins by {points} points")
        if season.over
        else sentence("{name} leads by {points} point", "{name} leads by {points} points")
    )
    return say(message, name=ranked[0].name, points=figure(lead))


def _tables(season: Season, rows: tuple[SeasonRow, ...], say: Translate) -> list[tuple[str, list[SeasonRow]]]:
    """The ranking, and behind it that of guests where they are apart."""
    if season.rule.guests != "apart":
        return [("", list(rows))]
    tables = [("", [row for row in rows if not row.guest])]
    if guests := [row for row in rows if row.guest]:
        tables.append((say("Guests"), guests))
    return tables


def _level(rows: tuple[SeasonRow, ...]) -> set[str]:
    """Names of people with a total that another person has too."""
    return {row.name for row in rows if row.why}


def _ties(rows: tuple[SeasonRow, ...], visit: SeasonVisit) -> list[tuple[int, str, list[str]]]:
    """Places that a tie concerns: rank, name and tie-break."""
    return [(row.rank, row.name, [visit.text(note) for note in row.why]) for row in rows if row.why]


def _winners(evening: SeasonEvening, season: Season) -> str:
    names = [season.people[season.key(name)] for result in evening.winners for name in result.names]
    return ", ".join(names)


def show_person(visit: SeasonVisit) -> Response:
    """Show one person, evening by evening: ``/season/{name}/person?name=…``."""
    season, rows = visit.season, ranking(visit.season)
    asked = visit.request.query_params.get("name", "")[:100]
    row = next((row for row in rows if season.key(asked) == season.key(row.spellings[0])), None)
    if row is None:
        if asked or not rows:
            raise NoSuchTable("There is no such page.")
        row = rows[0]
    counting = [cell.value for cell in row.cells if cell is not None and cell.counts]
    played = [cell.value for cell in row.cells if cell is not None]
    best = max(cell.value for each in rows for cell in each.cells if cell is not None)
    full = season.rule.best and len(counting) >= season.rule.best
    values = {
        "row": row,
        "rows": rows,
        "of": sum(other.guest == row.guest for other in rows) if season.rule.guests == "apart" else len(rows),
        "bars": [
            (evening, cell, _percent(cell.value, best) if cell is not None else 0)
            for evening, cell in zip(season.evenings, row.cells, strict=True)
        ],
        "dropped": len(played) > len(counting),
        "to_beat": figure(min(counting)) if full and counting else "",
        "why": [visit.text(note) for note in row.why],
        "title": row.name,
    }
    return visit.page("person.html", values)


def _percent(value: Fraction, best: Fraction) -> int:
    """The height of a result's bar, in percent of the best one."""
    return int(100 * max(value, Fraction(0)) / best) if best > 0 else 0


def show_wall(visit: SeasonVisit) -> Response:
    """Show the ranking on the wall: ``/season/{name}/wall``."""
    season, rows = visit.season, ranking(visit.season)
    members = tuple(row for row in rows if not (row.guest and season.rule.guests == "apart"))
    chunks = [members[at : at + _PER_PAGE] for at in range(0, len(members), _PER_PAGE)]
    values = {
        "title": _headline(season, rows, visit.say),
        "chunks": chunks,
        "ties": _ties(members, visit)[:2],
        "people": len(rows),
        "parts": sum(len(evening.results) for evening in season.evenings),
        "rule": visit.text(rule_notes(season)[0]),
        "level": _level(members),
    }
    return visit.page("wall.html", values)


def _render_pdf(opened: OpenedSeason, kind: str, lang: str, paper: str) -> bytes:
    """A PDF of a season; runs in the process of a job."""
    from nousu.tournament.paper.season import season_paper

    return season_paper(opened.season, kind, speech(lang), paper)


async def send_paper(visit: SeasonVisit) -> Response:
    """Send the ranking list or certificates as PDF: ``/season/{name}/print/{kind}``."""
    kind, paper = visit.request.path_params["kind"], visit.request.query_params.get("paper", "a4")[:20]
    lang = visit.lang if visit.lang in LANGUAGES else "en"
    jobs = visit.seasons.tournaments.jobs
    try:
        data = await jobs.run(
            f"season {visit.name}", visit.address, _PRINTING, _render_pdf, visit.opened, kind, lang, paper
        )
    except OutOfLimits:
        raise Refusal("this takes too long to print at once; print one round at a time") from None
    return download(data, f"{visit.name}-{kind}.pdf")


def send_file(visit: SeasonVisit) -> Response:
    """Send the ranking (CSV, XLSX, JSON) or, to the direction, the season file: ``/season/{name}/file/…``."""
    kind = visit.request.path_params["kind"]
    if kind == "csv":
        data = ("\ufeff" + to_csv(season_standings(visit.season))).encode()
    elif kind == "xlsx":
        data = to_xlsx(season_standings(visit.season))
    elif kind == "json":
        data = season_to_json(visit.opened).encode()
    elif kind == "season":
        if visit.link is None:
            raise NotYours("Only the director can hand out the tournament file.")
        data = visit.seasons.path(visit.name).read_bytes()
    else:
        raise NoSuchTable("There is no such page.")
    return download(data, f"{visit.name}.{kind}")


# pages of the direction


async def show_direction(
    visit: SeasonVisit, *, wrong: list[str] | None = None, made: str = "", link: tuple[str, str] = ("", "")
) -> Response:
    """Show the direction's page: ``/season/{name}/direction``.

    Args:
        visit: the request.
        wrong: the reasons of a refusal.
        made: a sentence about an evening just added.
        link: name and address of a new link, shown only once.
    """
    season = visit.season
    corrected = await visit.seasons.corrected(visit.name, visit.address, visit.opened)
    values = {
        "title": visit.say("Direction"),
        "rule": season.rule,
        "counts": [(key, visit.say(title)) for key, title in COUNTS.items()],
        "guest_rules": [(key, visit.say(title)) for key, title in GUESTS.items()],
        "scale": ", ".join(map(str, season.rule.scale)),
        "doubts": doubts(season),
        "rows": ranking(season),
        "corrected": corrected,
        "made": made,
        "link": link,
        "links": [(one, one == visit.link) for one in visit.opened.state.links.values()],
        "qr": lambda address: Markup(picture(address, visit.say("QR code of the link"))),
        "wrong": wrong or [],
    }
    return visit.page("direction.html", values, 400 if wrong else 200)


def _check_evening(data: bytes) -> EveningLog:
    """An uploaded evening, checked; runs in the process of a job."""
    try:
        return evening_log(data)
    except Damaged as damage:  # a form that a process can pass on
        raise Refusal(damage.note.message, values=damage.note.values, where=damage.where) from None


async def add_evening(visit: SeasonVisit) -> Response:
    """Add the evening of a file, or follow its corrections."""
    form = await visit.request.form()
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        raise Refusal("choose the file of an evening first")
    data = await file.read()
    assert visit.link is not None
    await visit.server.limits.hit("act", f"{visit.name} {visit.link.entry}")
    try:
        evening = await visit.seasons.tournaments.jobs.run(
            f"season {visit.name}", visit.address, SECONDS, _check_evening, data
        )
    except OutOfLimits:
        raise Refusal("this file takes too long to check; use the command on your own computer") from None
    date = str(form.get("date", ""))[:10]
    by = visit.link.who
    again = held_entry(visit.opened.state, evening.lines)
    await visit.seasons.act(visit.name, lambda season: season.add(by, evening, date))
    visit.opened = await visit.seasons.open(visit.name)
    if again:
        notice = visit.say("The corrections of {name} are followed.", name=evening.name)
    else:
        message = sentence(
            "{name} is in the season, with {count} person.", "{name} is in the season, with {count} people."
        )
        notice = visit.say(message, name=evening.name, count=evening.people)
    return await show_direction(visit, made=notice)


async def admit(visit: SeasonVisit) -> Response:
    """Make a link for another director; its address is shown once."""
    assert visit.link is not None
    form = await visit.request.form()
    by, who = visit.link.who, str(form.get("who", "")).strip()[:60]
    if any(name_key(link.who) == name_key(who) for link in visit.opened.state.links.values()):
        raise Refusal(
            sentence("{name} already has such a link; revoke it first, or give this one another name"),
            values={"name": who},
            where="who",
        )
    await visit.server.limits.hit("act", f"{visit.name} {visit.link.entry}")
    _, secret = await visit.seasons.act(visit.name, lambda season: season.admit(by, who))
    visit.opened = await visit.seasons.open(visit.name)
    base = visit.seasons.tournaments.address or str(visit.request.base_url).rstrip("/")
    return await show_direction(visit, link=(who, base + visit.path(f"/in/{secret}")))


async def follow_evenings(visit: SeasonVisit) -> Response:
    """Follow the corrections of all evenings that this server has."""
    assert visit.link is not None
    by = visit.link.who
    for evening in (await visit.seasons.corrected(visit.name, visit.address, visit.opened)).values():
        await visit.seasons.act(visit.name, partial(SeasonFile.add, by=by, evening=evening))
    return visit.redirect("/direction")


def _number(form: FormData, name: str) -> int:
    """A whole number of a form; 0 if it is none."""
    return max(0, whole_number(str(form.get(name, "")).strip()))


async def change_season(visit: SeasonVisit) -> Response:
    """Take an evening out, change the rule, join or separate names, mark guests, revoke a link."""
    form = await visit.request.form()
    names = [str(name)[:100] for name in form.getlist("name")]
    match str(form.get("do", "")):
        case "remove":
            await visit.act("removed", entry=_number(form, "entry"))
        case "rule":
            await visit.act("rule", rule=_rule_of(form))
        case "join":
            kept = str(form.get("keep", "")).strip()[:100]
            called = str(form.get("other", "")).strip()[:100] if kept == "other" else kept
            await visit.act("joined", name=called or "".join(names[-1:]), spellings=names)
        case "separate":
            await visit.act("separated", entry=_number(form, "entry"))
        case "different":
            await visit.act("different", names=names)
        case "revoke":
            await visit.act("revoked", entry=_number(form, "entry"))
        case "guest":
            await visit.act("guests", names=names, on=form.get("on") == "yes")
        case _:
            raise NoSuchTable("There is no such page.")
    return visit.redirect("/direction")


def _rule_of(form: FormData) -> Mapping[str, object]:
    """The rule in the form of the direction."""
    typed = str(form.get("scale", "")).replace(",", " ").replace("…", " ").split()
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in typed):
        raise Refusal("the figures by place are whole numbers that do not rise", where="option")
    rule = {
        "counts": str(form.get("counts", "")),
        "best": _number(form, "best"),
        "evenings": _number(form, "evenings"),
        "scale": [int(part) for part in typed] or list(SCALE),
        "guests": str(form.get("guests", "")),
    }
    return SeasonRule.from_json(rule).to_json()


# routes


class SeasonEntryPages:
    """Pages before a season is entered."""

    def __init__(self, seasons: HostedSeasons, server: Server, events: EntryPages) -> None:
        self.seasons = seasons
        self.server = server
        self._events = events

    async def begin(self, request: Request) -> Response:
        """Begin a season; its creator becomes its direction."""
        session = await self.server.sessions.visitor(request)
        self._events.check_place(request)
        async with request.form() as form:
            title, by, code = (str(form.get(name, "")).strip()[:60] for name in ("name", "by", "code"))
        try:
            await self._events.check_beginning(session.address, by, code)
            name, secret = await self.seasons.create(title, by)
        except Refusal as refusal:
            return error_page(request, session.lang, refusal.note, 400)
        return _entrance(request, name, secret)

    async def enter(self, request: Request) -> Response:
        """Open the direction's link, and store its key in this browser."""
        name, key = request.path_params["name"], request.path_params["key"]
        if _link_of(await self.seasons.open(name), key) is None:
            raise NotYours("This link is not (or no longer) valid; ask the director for a new one.")
        return _entrance(request, name, key)


def _entrance(request: Request, name: str, key: str) -> Response:
    """The way to the direction's page, with the key of its link."""
    response = RedirectResponse(f"{_path_of(name)}/direction", 303)
    set_link_cookie(response, request, _path_of(name), key)
    return response


def _link_of(opened: OpenedSeason, key: str) -> Link | None:
    links = opened.state.links.values()
    return next((link for link in links if secrets.compare_digest(link.key, fingerprint(key))), None)


SEASON_PAGES: tuple[tuple[str, str, Callable[[SeasonVisit], Response | Awaitable[Response]], bool], ...] = (
    ("", "GET", show_ranking, False),
    ("/person", "GET", show_person, False),
    ("/wall", "GET", show_wall, False),
    ("/print/{kind}", "GET", send_paper, False),
    ("/file/{kind}", "GET", send_file, False),
    ("/direction", "GET", show_direction, True),
    ("/evenings", "POST", add_evening, True),
    ("/follow", "POST", follow_evenings, True),
    ("/links", "POST", admit, True),
    ("/change", "POST", change_season, True),
)
"""Path below ``/season/{name}``, method, handler, and whether it is for the direction alone."""


def season_routes(tournaments: HostedTournaments, server: Server, events: EntryPages) -> list[Route]:
    """Routes of the pages of seasons; `events` checks the right to begin one."""
    seasons = HostedSeasons(tournaments)
    entry = SeasonEntryPages(seasons, server, events)
    return [
        Route("/seasons", entry.begin, methods=["POST"]),
        Route(_path_of("{name}") + "/in/{key}", entry.enter),
        *(
            Route(_path_of("{name}") + path, _endpoint(answer, closed, seasons, server), methods=[method])
            for path, method, answer, closed in SEASON_PAGES
        ),
    ]


def _endpoint(
    answer: Callable[[SeasonVisit], Response | Awaitable[Response]],
    closed: bool,
    seasons: HostedSeasons,
    server: Server,
) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        session = await server.sessions.visitor(request)
        say = translator(session.lang)
        name = request.path_params["name"]
        try:
            opened = await seasons.open(name)
        except Refusal as refusal:
            return error_page(request, session.lang, refusal.note, 409)
        secure = request.url.scheme == "https"
        key = cookies.tournament_key(request.headers.getlist("cookie"), secure)
        visit = SeasonVisit(request, seasons, server, name, opened, _link_of(opened, key), session.lang, say)
        if closed and visit.link is None:
            raise NotYours(
                "This page needs a link from the tournament director; an old one may have been revoked."
            )
        try:
            if iscoroutinefunction(answer):
                response: Response = await answer(visit)
                return response
            return await seasons.render(cast(Callable[[SeasonVisit], Response], answer), visit)
        except Refusal as refusal:
            if not closed:
                return error_page(request, session.lang, refusal.note, 409)
            wrong = refusal_sentences(refusal, lambda note: note_with_clause(public_note(note), say), say)
            return await show_direction(visit, wrong=wrong)
        finally:
            await request.close()  # files that came with a form

    return respond
