"""API of the people at a table: chat, claims, undo requests, leaving, rematch."""

from fastapi import FastAPI, Request, Response

from nousu.server.api.bodies import Answer, Ask, At, Mute, Rematch, Report, Say, Signals, TableId
from nousu.server.errors import NotYours
from nousu.server.people.commands import (
    AgreeSignals,
    AnswerRequest,
    Command,
    LeaveTable,
    LetStandIn,
    MakeRequest,
    MutePerson,
    RemovePerson,
    ReportChatLine,
    WriteChatLine,
)
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session


class _NoSession(NotYours):
    status = 401


async def session_of(server: Server, request: Request) -> Session:
    """The session of a request. Refused with 401 where it has none."""
    session = await server.sessions.find(request)
    if session is None:
        raise _NoSession("Ask POST /api/v1/session for a session first, and send its token.")
    return session


def add_table_actions(api: FastAPI, server: Server) -> None:
    """Add these operations to the API."""

    async def do(request: Request, table: str, command: Command) -> dict[str, int]:
        return {"seq": await server.actions.do(table, await session_of(server, request), command)}

    @api.post("/tables/{table}/say")
    async def say(request: Request, table: TableId, said: Say) -> dict[str, int]:
        """Say a ready-made phrase, or write a text where the rules of the table allow it."""
        return await do(request, table, WriteChatLine(said.word, said.text, said.key))

    @api.post("/tables/{table}/mute")
    async def mute(request: Request, table: TableId, whom: Mute) -> dict[str, int]:
        """Mute the person in a seat, or unmute them."""
        return await do(request, table, MutePerson(whom.seat, whom.off))

    @api.post("/tables/{table}/report")
    async def report(request: Request, table: TableId, what: Report) -> dict[str, int]:
        """Show a chat line to the host of the server."""
        return await do(request, table, ReportChatLine(what.line))

    @api.post("/tables/{table}/signals")
    async def signals(request: Request, table: TableId, card: Signals) -> dict[str, int]:
        """Rewrite the card of your pair's signals, before a hand (T-CAT-38)."""
        return await do(request, table, AgreeSignals(tuple(card.signals), card.own))

    @api.post("/tables/{table}/ask")
    async def ask(request: Request, table: TableId, asked: Ask) -> dict[str, int]:
        """Claim the rest, give it away, or ask to take your last action back."""
        return await do(request, table, MakeRequest(asked.what, asked.seq))

    @api.post("/tables/{table}/answer")
    async def answer(request: Request, table: TableId, given: Answer) -> dict[str, int]:
        """Agree to the open request at the table, or do not."""
        return await do(request, table, AnswerRequest(given.agree))

    @api.post("/tables/{table}/stand-in")
    async def stand_in(request: Request, table: TableId, whose: At) -> dict[str, int]:
        """Let a computer player play on for the person in a seat whose connection is lost."""
        return await do(request, table, LetStandIn(whose.seat))

    @api.post("/tables/{table}/remove", status_code=204)
    async def remove(request: Request, table: TableId, whom: At) -> Response:
        """Ask a person to leave the table you opened."""
        await do(request, table, RemovePerson(whom.seat))
        return Response(status_code=204)

    @api.post("/tables/{table}/leave", status_code=204)
    async def leave(request: Request, table: TableId) -> Response:
        """Leave the table; a computer player plays on until you act again."""
        await do(request, table, LeaveTable())
        return Response(status_code=204)

    @api.post("/tables/{table}/again")
    async def again(request: Request, table: TableId, how: Rematch) -> dict[str, str]:
        """Meet again after the match; the id of that table."""
        return {"table": await server.actions.again(table, await session_of(server, request), how.pledge)}
