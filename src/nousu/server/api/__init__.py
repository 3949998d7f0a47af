"""``/api/v1``: the actions of the pages, for programs. Described by ``/api/v1/openapi.json``.

A program asks for a session once and sends its token as ``Authorization: Bearer TOKEN``. Refusals are
sentences in the language of its ``Accept-Language``, English without one.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Body, FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from nousu import __version__
from nousu.engine.errors import BadRecord, BadRules, IllegalAction
from nousu.engine.messages import Note
from nousu.games import find, games
from nousu.i18n import best_language, translator
from nousu.i18n.sentences import Voice
from nousu.server.api.bodies import Act, Fill, NewSession, NewTable, Next, Problem, Seat, Share, TableId
from nousu.server.api.shapes import hand_json, preset_json, rules_json, seen_json, view_json
from nousu.server.api.table_actions import add_table_actions, session_of
from nousu.server.errors import RequestError, Stale
from nousu.server.http.rate_limits import TooManyRequests
from nousu.server.people.commands import DoAction, OpenPledge
from nousu.server.people.server import Server
from nousu.server.table import shuffle
from nousu.server.table.options import TableOptions
from nousu.server.table.record import hand_view

RECORD_LIMIT = 60_000
"""Longest record that `verify` reads, in characters; longer than any match."""

_PROBLEM = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
"""Error responses. The model stands at one status alone: FastAPI would parse it for every status."""
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, **_PROBLEM},
    **{status: _PROBLEM for status in (401, 403, 404, 409, 413, 422, 429, 503)},
}


def create_api(server: Server) -> FastAPI:
    """The API as an application to be mounted."""
    api = FastAPI(title="Nousu", version=__version__, docs_url=None, redoc_url=None, responses=_PROBLEMS)
    _add_error_handlers(api, server)
    _add_rules(api, server)
    _add_sessions(api, server)
    _add_tables(api, server)
    add_table_actions(api, server)
    _add_records(api, server)
    return api


def _add_rules(api: FastAPI, server: Server) -> None:
    @api.get("/presets")
    async def presets() -> list[dict[str, Any]]:
        """The presets of all games."""
        return [preset_json(game, name) for game in games().values() for name in game.presets]

    @api.get("/presets/{preset}")
    async def preset(preset: Annotated[str, Path(max_length=1000)]) -> dict[str, Any]:
        """A rule set, ``preset`` or ``preset+option=value``, with every option."""
        game, rules = find(preset)
        return rules_json(game, rules, preset)

    @api.get("/players")
    async def players() -> list[str]:
        """The computer players that may be asked to sit down."""
        return list(server.players)


def _add_sessions(api: FastAPI, server: Server) -> None:
    @api.post("/session", status_code=201)
    async def session(request: Request, new: NewSession) -> dict[str, str]:
        """A session of your own. Keep its token; send it as ``Authorization: Bearer TOKEN``."""
        request.state.token = ""
        session = await server.sessions.update(
            await server.sessions.ensure(request), name=new.name, lang=new.lang
        )
        token = request.state.new_token
        del request.state.new_token  # a program keeps its token itself and wants no cookie
        return {"token": token, "name": session.name, "lang": session.lang, "commitment": session.commitment}

    @api.delete("/session", status_code=204)
    async def end_session(request: Request) -> None:
        """End your session for good: its token is no longer valid, and computer players take your seats."""
        await server.sessions.end(await session_of(server, request))

    @api.get("/session")
    async def own_session(request: Request) -> dict[str, str]:
        """Your session, with the commitment to the secret of the next table you open."""
        session = await session_of(server, request)
        return {"name": session.name, "lang": session.lang, "commitment": session.commitment}


def _add_tables(api: FastAPI, server: Server) -> None:
    @api.post("/tables", status_code=201)
    async def new_table(request: Request, new: NewTable) -> dict[str, Any]:
        """Open a table and sit down."""
        session = await session_of(server, request)
        name, options = new.name or session.name, TableOptions.parse_request(new.options)
        table_id = await server.openings.open(
            new.preset, new.players, options, session, name=name, pledge=new.pledge
        )
        return {"table": table_id, "commitment": session.commitment}

    @api.get("/tables/{table}")
    async def table(request: Request, table: TableId) -> dict[str, Any]:
        """The table as you may see it; a spectator without a session sees what is public."""
        return seen_json(await server.views.view(table, await server.sessions.find(request)))

    @api.get("/tables/{table}/hands/{index}")
    async def hand(
        request: Request, table: TableId, index: Annotated[int, Path(ge=1, le=100_000)]
    ) -> dict[str, Any]:
        """A finished hand as you may see it, by its place among the finished hands."""
        session = await server.sessions.find(request)
        _, finished = await server.views.hand(table, session, index)
        here = (await server.tables.room(table)).table
        view = hand_view(here, session.id if session is not None else None, index)
        return {**hand_json(finished), "view": view_json(view)}

    @api.post("/tables/{table}/actions")
    async def act(request: Request, table: TableId, action: Act) -> dict[str, int]:
        """Do an action; it is on disk when this answers.

        The same key again gives the same answer; 409 with the fresh view if the table has moved on; 422 if
        the key came with another action.
        """
        session = await session_of(server, request)
        return {"seq": await server.actions.do(table, session, DoAction(action.act, action.seq, action.key))}

    @api.post("/tables/{table}/next")
    async def next_hand(request: Request, table: TableId, asked: Next) -> dict[str, int]:
        """Ask for the next hand."""
        session = await session_of(server, request)
        return {"seq": await server.actions.do(table, session, DoAction("next", 0, asked.key))}

    @api.post("/tables/{table}/seat")
    async def seat(request: Request, table: TableId, who: Seat) -> dict[str, int | None]:
        """Take the first open place."""
        session = await session_of(server, request)
        return {"seat": await server.actions.join(table, session, who.name or session.name, who.pledge)}

    @api.post("/tables/{table}/fill", status_code=204)
    async def fill(request: Request, table: TableId, how: Fill) -> Response:
        """Give all open places to a computer player."""
        await server.actions.fill(table, await session_of(server, request), how.player)
        return Response(status_code=204)

    @api.post("/tables/{table}/share")
    async def share(request: Request, table: TableId, mine: Share) -> dict[str, int]:
        """Open the share you promised, within five seconds of the last place being taken.

        Before that, note commitment and pledges in the table's ``shuffle``: those in the record must be the
        same.
        """
        session = await session_of(server, request)
        return {"seq": await server.actions.do(table, session, OpenPledge(mine.share))}


def _add_records(api: FastAPI, server: Server) -> None:
    @api.get("/tables/{table}/record", response_class=PlainTextResponse)
    async def record(request: Request, table: TableId) -> str:
        """The written record: all of it when the match is over, else what you may know."""
        return await server.views.record(table, await server.sessions.find(request))

    @api.get("/tables/{table}/verify")
    async def verify_table(request: Request, table: TableId) -> dict[str, Any]:
        """Repeat every shuffle of a finished match and compare."""
        seen = await server.views.view(table, None)
        if not seen.over:
            raise Stale("The shuffles can be checked when the match is over.")
        return _verdict(await server.views.verify(request, await server.views.record(table, None)))

    @api.post("/verify")
    async def verify_text(
        request: Request,
        text: Annotated[str, Body(media_type="text/plain", min_length=1, max_length=RECORD_LIMIT)],
    ) -> dict[str, Any]:
        """Repeat every shuffle of a record and compare; the body is the record's text."""
        return _verdict(await server.views.verify(request, text))

    @api.get("/health")
    async def health() -> dict[str, Any]:
        """Whether the database answers, and its size."""
        return {"ok": True, "version": __version__, **await server.store.counts()}


def _verdict(check: shuffle.ShuffleCheck) -> dict[str, Any]:
    return {
        "ok": not check.problems,
        "shuffles": check.shuffles,
        "problems": list(check.problems),
        "unopened": list(check.unopened),
    }


_SEATS = tuple("0123456789")
"""Seats as the API writes them."""


def _text(request: Request, note: Note) -> str:
    """Reason of a refusal, in the language of the request."""
    language = best_language(request.headers.get("accept-language"))
    return note.english if language == "en" else Voice(_SEATS, 0, None, translator(language)).note(note)


def _add_error_handlers(api: FastAPI, server: Server) -> None:
    """Add handlers that turn errors into JSON: status by class, text in the language of the request."""

    async def refused(request: Request, error: RequestError) -> JSONResponse:
        body: dict[str, Any] = {"error": _text(request, error.note), "clause": error.clause}
        if isinstance(error, Stale) and "table" in request.path_params:
            body["view"] = seen_json(
                await server.views.view(request.path_params["table"], await server.sessions.find(request))
            )
        seconds = str(getattr(error, "retry_after", 1))
        headers = {"retry-after": seconds} if error.status in (429, 503) else None
        request.state.reason = error.note.message
        return JSONResponse(body, error.status, headers)

    async def illegal(request: Request, error: IllegalAction) -> JSONResponse:
        legal = [str(action) for action in error.legal]
        text = _text(request, error.note)
        return JSONResponse({"error": text, "clause": error.clause, "legal": legal}, 400)

    async def bad_rules(request: Request, error: BadRules) -> JSONResponse:
        text = _text(request, error.note)
        return JSONResponse({"error": text, "clause": error.clause, "field": error.field}, 400)

    async def bad_record(_: Request, error: BadRecord) -> JSONResponse:
        return JSONResponse({"error": str(error), "clause": "", "line": error.line}, 400)

    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part)[:40] for part in first["loc"]).encode(errors="replace").decode()
        return JSONResponse({"error": f"{where}: {first['msg']}", "clause": ""}, 422)

    async def missing(request: Request, error: HTTPException) -> JSONResponse:
        nothing = Note("", "There is no such page.")
        text = _text(request, nothing) if error.status_code in (404, 405) else error.detail
        return JSONResponse({"error": text, "clause": ""}, error.status_code, error.headers)

    async def broken(request: Request, _: Exception) -> JSONResponse:
        lost = Note("", "Something went wrong here; nothing was lost. Please try again.")
        return JSONResponse({"error": _text(request, lost), "clause": ""}, 500)

    handlers: dict[type[Exception], Callable[[Request, Any], Awaitable[Response]]] = {
        RequestError: refused,
        TooManyRequests: refused,
        IllegalAction: illegal,
        BadRules: bad_rules,
        BadRecord: bad_record,
        RequestValidationError: malformed,
        HTTPException: missing,
        Exception: broken,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)
