"""The pages of the web application and their addresses."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import quote

from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.cards import parse_card
from nousu.engine.errors import BadRules, IllegalAction
from nousu.engine.messages import Note, sentence
from nousu.games import find, offered
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.names import preset_name
from nousu.i18n.sentences import note_with_clause
from nousu.server.errors import RequestError
from nousu.server.live.clock import RATES
from nousu.server.live.reviews import Asked, finished, permitted
from nousu.server.live.tables import Ask, Desk
from nousu.server.pages.history.hand_review import reviewed
from nousu.server.pages.history.replay import replay
from nousu.server.pages.history.verify import proof
from nousu.server.pages.learn import rulebook
from nousu.server.pages.learn.lessons import lesson_page
from nousu.server.pages.learn.problems import listed, problem_page, today
from nousu.server.pages.preferences import VALUES, choices, look_of
from nousu.server.pages.site import STATIC, page, render, sorry
from nousu.server.pages.table import setup_form
from nousu.server.pages.table.fragment import picture, render_table
from nousu.server.pages.table.hints import hint
from nousu.server.pages.table.lobby import invitation, qr, waits
from nousu.server.people import cookies
from nousu.server.people.sessions import Session
from nousu.server.table import chat_commands, claim_commands
from nousu.server.table.view import Seen
from nousu.teaching.lessons import course, courses
from nousu.teaching.problems import problem

_NO_LESSON = Note("", "There is no such lesson.")
_NO_DEALS = Note("", "Nothing was dealt at this table: it continues a hand from another one.")
_YEAR = 365 * 24 * 3600


def routes(desk: Desk) -> list[Route]:
    """All pages, asking `desk` for everything that is not words and pictures."""
    pages = _Pages(desk)
    return [
        Route("/", pages.home),
        Route("/offline", pages.offline),
        Route("/sw.js", pages.worker),
        Route("/look", pages.look, methods=["POST"]),
        Route("/settings", pages.settings),
        Route("/forget", pages.forget),
        Route("/forget", pages.end, methods=["POST"]),
        Route("/new", pages.new),
        Route("/new", pages.open, methods=["POST"]),
        Route("/t/{id}", pages.table),
        Route("/t/{id}/act", pages.act, methods=["POST"]),
        Route("/t/{id}/join", pages.join, methods=["POST"]),
        Route("/t/{id}/qr.svg", pages.code),
        Route("/t/{id}/again", pages.again, methods=["POST"]),
        Route("/t/{id}/remove", pages.remove, methods=["POST"]),
        Route("/t/{id}/fill", pages.fill, methods=["POST"]),
        Route("/t/{id}/leave", pages.leave, methods=["POST"]),
        Route("/t/{id}/talk", pages.talk, methods=["POST"]),
        Route("/t/{id}/ask", pages.ask, methods=["POST"]),
        Route("/t/{id}/hand/{index}", pages.hand),
        Route("/t/{id}/hand/{index}/play", pages.play_on, methods=["POST"]),
        Route("/t/{id}/review/{index}", pages.review),
        Route("/t/{id}/check", pages.check),
        Route("/t/{id}/hint", pages.hint),
        Route("/rules/{preset}", pages.rules),
        Route("/problems", pages.problems),
        Route("/problems/{theme}/{number:int}", pages.problem),
        Route("/learn", pages.learn),
        Route("/learn/{game}", pages.lessons),
        Route("/learn/{game}/{number:int}", pages.lesson),
    ]


def local(address: str) -> str:
    """The address if it is a path of this server, else the start page: nobody is sent elsewhere."""
    return address if re.fullmatch(r"/(?![/\\])[^\\\s]*", address) else "/"


def _number(text: str) -> int:
    """A number as people and pages write one; -1 where it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


def _together(sent: FormData) -> dict[str, str]:
    """The options of a table for friends: they sit where they like unless seats are to be drawn."""
    seats = "drawn" if sent.get("seating") == "drawn" else "chosen"
    seats_and_more = {"seats": seats} | ({"undo": "yes"} if sent.get("undo") else {})
    if sent.get("clock") in RATES:
        seats_and_more |= {"clock": str(sent["clock"])}
    return seats_and_more | ({"public": "yes"} if sent.get("public") else {})


def _asked(sent: FormData) -> Ask:
    """What a form asks for by way of talk."""
    if "agree" in sent:
        signals, own = [str(one) for one in sent.getlist("signal")], str(sent.get("own", ""))
        return lambda table, session, now: chat_commands.agree(table, session, signals, own, now)
    if "answer" in sent:
        yes = sent["answer"] == "yes"
        return lambda table, session, now: claim_commands.answer(table, session, yes, now)
    if "mute" in sent:
        seat, off = _number(str(sent["mute"])), sent.get("off") == "yes"
        return lambda table, session, now: chat_commands.mute(table, session, seat, off, now)
    if "report" in sent:
        number = _number(str(sent["report"]))
        return lambda table, session, now: chat_commands.report(table, session, number, now)
    word, text = str(sent.get("say", "")), str(sent.get("write", ""))
    return lambda table, session, now: chat_commands.say(table, session, word, text, None, now)


def _alone_too(sent: FormData) -> dict[str, str]:
    """The options that a table has alone and with friends: for learning, and how fast computers play."""
    pace = setup_form.SPEEDS.get(str(sent.get("speed", "")))
    return ({"learning": "yes"} if sent.get("learning") else {}) | ({"pace": pace} if pace else {})


class _Pages:
    """The endpoints; each reads a request, asks the server, prints a template."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def home(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        games = [(text, preset_name(text, say)) for text in offered() if setup_form.exists(text)]
        waiting = [waits(table, say) for table in self.desk.open_tables()]
        values = {"games": games, "name": session.name, "waiting": waiting}
        return HTMLResponse(page(request, "home.html", session.lang, values))

    async def offline(self, request: Request) -> Response:
        """What the installed app shows without a network."""
        session = await self.desk.visitor(request)
        return HTMLResponse(page(request, "offline.html", session.lang, {"here": "/"}))

    async def worker(self, request: Request) -> Response:
        """The service worker: it stands at the root, for it is to see every page asked for."""
        return Response((STATIC / "js" / "sw.js").read_bytes(), media_type="text/javascript")

    async def look(self, request: Request) -> Response:
        sent = await request.form()
        response = RedirectResponse(local(str(sent.get("back", "/"))), 303)
        if sent.get("lang") in LANGUAGES:
            await self.desk.keep(await self.desk.session(request), lang=str(sent["lang"]))
        for name, values in VALUES.items():
            if sent.get(name) in values:
                secure = request.url.scheme == "https"
                kept = f"nousu_{name}"
                response.set_cookie(kept, str(sent[name]), max_age=_YEAR, samesite="lax", secure=secure)
        return response

    async def settings(self, request: Request) -> Response:
        """All settings of this device in one place."""
        session = await self.desk.visitor(request)
        values = {
            "settings": choices(look_of(request), translator(session.lang)),
            "back": local(request.query_params.get("back", "/")),
            "notices_key": self.desk.notices.key,
        }
        return HTMLResponse(page(request, "settings.html", session.lang, values))

    async def forget(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        return HTMLResponse(page(request, "forget.html", session.lang, {}))

    async def end(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is not None:
            await self.desk.end(session)
        response = RedirectResponse("/", 303)
        for cookie in cookies.deletions(request.url.scheme == "https"):
            response.headers.append("set-cookie", cookie)
        response.headers["clear-site-data"] = '"cookies", "storage"'
        return response

    async def new(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        # A plus sign in a link arrives as a space.
        text = request.query_params.get("rules", "tuppi").replace(" ", "+")
        shown = setup_form.read(text, translator(session.lang))
        return self._form(request, session, shown, 400 if shown.error else 200)

    def _form(self, request: Request, session: Session, shown: setup_form.Form, status: int) -> Response:
        values = {
            "form": shown,
            "name": session.name,
            "usual": setup_form.USUAL,
            "places": range(2, min(setup_form.PLACES, shown.high_seats) + 1),
            "players": setup_form.player_names(
                self.desk.players(), find(shown.base)[0].name, translator(session.lang)
            ),
            "link": str(request.base_url) + "new?rules=" + quote(shown.text, safe="+=,[]"),
            "rules_link": f"/rules/{shown.text}",
        }
        return HTMLResponse(page(request, "new.html", session.lang, values), status)

    async def open(self, request: Request) -> Response:
        session = await self.desk.session(request)
        say = translator(session.lang)
        sent = await request.form()
        shown = setup_form.sent(sent, say)
        # The name stays in the form too, so that nothing typed is lost.
        session = replace(session, name=str(sent.get("name", "")).strip() or session.name)
        if shown.error:
            return self._form(request, session, shown, 400)
        if sent.get("do") == "link":
            return RedirectResponse("/new?rules=" + quote(shown.text, safe="+=,[]"), 303)
        try:
            table = await self._open(session, sent, shown)
        except (BadRules, RequestError) as refusal:
            wrong = note_with_clause(refusal.note, say)
            return self._form(request, session, replace(shown, error=wrong), 400)
        return RedirectResponse(f"/t/{table}", 303)

    async def _open(self, session: Session, sent: FormData, shown: setup_form.Form) -> str:
        name = str(sent.get("name", "")).strip() or session.name
        players = setup_form.company(sent, shown.seats, self.desk.players())
        return await self.desk.new_table(
            shown.text,
            name,
            session.lang,
            players,
            (_together(sent) if "open" in players else {}) | _alone_too(sent),
            session=session,
            pledge=str(sent.get("pledge", "")),
        )

    async def table(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        return await self._shown(
            request, session, self.desk.seen(request.path_params["id"], session), lambda seen: seen
        )

    async def _shown(
        self,
        request: Request,
        session: Session,
        asked: Awaitable[Seen],
        change: Callable[[Seen], Seen],
        status: int = 200,
    ) -> Response:
        say = translator(session.lang)
        try:
            seen = change(await asked)
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        order = look_of(request).get("order", "")
        values = {
            "table": picture(seen, say, session.lang),
            "fragment": Markup(
                render_table(seen, say, session.lang, str(request.base_url).rstrip("/"), order)
            ),
            "rules_link": f"/rules/{seen.preset}?table={seen.table_id}",
            "here": f"/t/{seen.table_id}",
            "hints": f"/t/{seen.table_id}/hint" if seen.learning and seen.seat is not None else "",
            "invitation": invitation(seen, say) if not seen.started else "",
            "origin": str(request.base_url).rstrip("/"),
        }
        return HTMLResponse(page(request, "table_page.html", session.lang, values), status)

    def _sorry(self, request: Request, session: Session, refusal: RequestError) -> Response:
        return sorry(request, session.lang, refusal.note, refusal.status)

    async def act(self, request: Request) -> Response:
        """The same as an action over the live connection, for pages without script."""
        session = await self.desk.visitor(request)
        sent = await request.form()
        seq, key = _number(str(sent.get("seq", ""))), str(sent.get("key", ""))
        text = str(sent.get("act", "")).replace("{}", " ".join(map(str, sent.getlist("card"))))
        doing = self.desk.act(request.path_params["id"], session, text, seq, key)
        return await self._back(request, session, doing)

    async def _back(
        self, request: Request, session: Session, doing: Awaitable[object], after: str = ""
    ) -> Response:
        """To the table once something is done there, or the table with the reason why it was refused."""
        try:
            await doing
        except IllegalAction as illegal:
            return await self._refused(request, session, illegal.note, 400)
        except RequestError as refusal:
            return await self._refused(request, session, refusal.note, refusal.status)
        return RedirectResponse(f"/t/{request.path_params['id']}{after}", 303)

    async def _refused(self, request: Request, session: Session, why: Note, status: int) -> Response:
        asked = self.desk.seen(request.path_params["id"], session)
        return await self._shown(request, session, asked, lambda seen: replace(seen, refused=why), status)

    async def join(self, request: Request) -> Response:
        session = await self.desk.session(request)
        sent = await request.form()
        name = str(sent.get("name", "")).strip() or session.name
        seat, pledge = str(sent.get("seat", "")), str(sent.get("pledge", ""))
        at = _number(seat) if seat else None
        doing = self.desk.join(request.path_params["id"], session, name, pledge, at)
        return await self._back(request, session, doing)

    async def code(self, request: Request) -> Response:
        """The link to a table as a QR code."""
        await self.desk.room(request.path_params["id"])
        address = str(request.base_url) + f"t/{request.path_params['id']}"
        return Response(qr(address), media_type="image/svg+xml")

    async def again(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        sent = await request.form()
        try:
            table = await self.desk.again(request.path_params["id"], session, str(sent.get("pledge", "")))
        except RequestError as refusal:
            return await self._refused(request, session, refusal.note, refusal.status)
        return RedirectResponse(f"/t/{table}", 303)

    async def remove(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        seat = _number(str((await request.form()).get("remove", "")))
        return await self._back(request, session, self.desk.remove(request.path_params["id"], session, seat))

    async def fill(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        known = self.desk.players()
        player = setup_form.USUAL if setup_form.USUAL in known else known[0]
        return await self._back(request, session, self.desk.fill(request.path_params["id"], session, player))

    async def leave(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        try:
            await self.desk.leave(request.path_params["id"], session)
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        return RedirectResponse("/", 303)

    async def ask(self, request: Request) -> Response:
        """What is asked of the others at a table, for pages without script."""
        session = await self.desk.visitor(request)
        sent = await request.form()
        what, seq = str(sent.get("ask", "")), _number(str(sent.get("seq", "")))
        return await self._back(
            request, session, self.desk.ask(request.path_params["id"], session, what, seq)
        )

    async def talk(self, request: Request) -> Response:
        """What is said at a table, for pages without script; and what a pair agrees on, for all."""
        session = await self.desk.visitor(request)
        sent = await request.form()
        doing = self.desk.talk(request.path_params["id"], session, _asked(sent))
        return await self._back(request, session, doing, "" if "agree" in sent else "#talk")

    async def hand(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        table, index = request.path_params["id"], _number(request.path_params["index"])
        try:
            seen, hand, story = await self.desk.story(table, session, index)
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        at, eyes = (_number(request.query_params.get(name, "")) for name in ("at", "eyes"))
        values = {
            "show": replay(seen, hand, story, say, session.lang, at, eyes),
            "origin": str(request.base_url).rstrip("/"),
            "rules_link": f"/rules/{seen.preset}",
            "id": table,
        }
        return HTMLResponse(page(request, "replay.html", session.lang, values))

    async def review(self, request: Request) -> Response:
        """What the choices of a finished hand cost: a first answer, or the full one."""
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        table, index = request.path_params["id"], _number(request.path_params["index"])
        seat, full = _number(request.query_params.get("seat", "")), "full" in request.query_params
        try:
            seen, _, story = await self.desk.story(table, session, index)
            asked = permitted(Asked(table, index, seat, False, True), seen, story)
            if not await self.desk.reviews.known(asked):
                asked = asked._replace(full=full)
                client = request.client.host if request.client is not None else "unknown"
                await self.desk.limits.hit("review", client)
            here = (await self.desk.room(table)).table
            found = await self.desk.reviews.of(asked, finished(here, index, asked.seat))
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        values = {
            "show": reviewed(seen, story, found, index, asked.full, say, session.lang),
            "rules_link": f"/rules/{seen.preset}",
            "id": table,
        }
        return HTMLResponse(page(request, "review.html", session.lang, values))

    async def play_on(self, request: Request) -> Response:
        """Play on from a moment of a finished hand."""
        session = await self.desk.session(request)
        sent = await request.form()
        at, eyes = (_number(str(sent.get(name, ""))) for name in ("at", "eyes"))
        index = _number(request.path_params["index"])
        try:
            found = await self.desk.play_on(
                request.path_params["id"], session, index, at, eyes if eyes >= 0 else None
            )
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        return RedirectResponse(f"/t/{found}", 303)

    async def check(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        table_id = request.path_params["id"]
        try:
            seen = await self.desk.seen(table_id, session)
            table = (await self.desk.room(table_id)).table
        except RequestError as refusal:
            return self._sorry(request, session, refusal)
        if seen.rehearses:
            return sorry(request, session.lang, _NO_DEALS, 404)
        done = () if seen.secret is None else seen.match.played
        views = [table.hand_view(session.id, hand.index) for hand in done]
        values = {"seen": seen, "proof": proof(seen, views), "rules_link": f"/rules/{seen.preset}"}
        return HTMLResponse(page(request, "check.html", session.lang, values))

    async def hint(self, request: Request) -> Response:
        """What a good player would consider: a page, or for the table's script the panel alone."""
        session = await self.desk.visitor(request)
        table, part = request.path_params["id"], "script" in request.query_params
        say = translator(session.lang)
        try:
            text = request.query_params.get("card", "")[:4]
            act = request.query_params.get("act", "")
            advice = await self.desk.hint(table, session, parse_card(text) if text else None, act)
        except (RequestError, ValueError) as refusal:
            found = refusal if isinstance(refusal, RequestError) else RequestError("This is not a card.")
            if part:
                return HTMLResponse(escape(note_with_clause(found.note, say)), found.status)
            return self._sorry(request, session, found)
        values = {"hint": hint(advice, say, session.lang), "here": f"/t/{table}"}
        if part:
            return HTMLResponse(render("parts/hint.html", say, session.lang, {**values, "panel": True}))
        return HTMLResponse(page(request, "hint.html", session.lang, values))

    async def rules(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        text = request.path_params["preset"].replace(" ", "+")
        try:
            game, rules = find(text)
        except BadRules as wrong:
            return sorry(request, session.lang, wrong.note, 404)
        book = rulebook.book(game, rules, text, say, session.lang)
        table = request.query_params.get("table", "")
        values = {
            "book": book,
            "rules_link": request.url.path,
            "table_link": f"/t/{table}" if re.fullmatch(r"[\w-]{1,40}", table) else "",
        }
        return HTMLResponse(page(request, "rules.html", session.lang, values))

    async def problems(self, request: Request) -> Response:
        """All problems by theme, and that of the day."""
        session = await self.desk.visitor(request)
        values = {"themes": listed(translator(session.lang)), "today": today()}
        return HTMLResponse(page(request, "problems.html", session.lang, values))

    async def problem(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        found = problem(request.path_params["theme"], request.path_params["number"])
        if found is None:
            return sorry(request, session.lang, Note("", "There is no such problem."), 404)
        act = request.query_params.get("act", "")[:60]
        shown = problem_page(found, act, translator(session.lang), session.lang)
        values = {"show": shown, "rules_link": f"/rules/{found.rules}"}
        return HTMLResponse(page(request, "problem.html", session.lang, values))

    async def learn(self, request: Request) -> Response:
        """All games that have lessons."""
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        listed = [found for name in courses() if (found := course(name)) is not None]
        long = sentence("{count} lesson", "{count} lessons")
        shown = [(one, preset_name(one.rules, say), say(long, count=len(one.lessons))) for one in listed]
        values = {"courses": shown}
        return HTMLResponse(page(request, "courses.html", session.lang, values))

    async def lessons(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        say = translator(session.lang)
        found = course(request.path_params["game"])
        if found is None:
            return sorry(request, session.lang, _NO_LESSON, 404)
        values = {
            "title": say(found.title),
            "course": found.name,
            "rules": found.rules,
            "lessons": [{"id": one.id, "title": say(one.title)} for one in found.lessons],
            "rules_link": f"/rules/{found.rules}",
        }
        return HTMLResponse(page(request, "learn.html", session.lang, values))

    async def lesson(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        found, number = course(request.path_params["game"]), request.path_params["number"]
        if found is None or not 1 <= number <= len(found.lessons):
            return sorry(request, session.lang, _NO_LESSON, 404)
        act = request.query_params.get("act", "")[:60]
        act = act.replace("{}", " ".join(request.query_params.getlist("card")[:14]))[:120]
        shown = lesson_page(found, number, act, translator(session.lang), session.lang)
        values = {"show": shown, "rules_link": f"/rules/{found.rules}"}
        return HTMLResponse(page(request, "lesson.html", session.lang, values))
