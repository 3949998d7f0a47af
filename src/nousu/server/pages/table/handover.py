"""The pages on which a seat is handed to a friend: the code of one, the question to the other."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.server.errors import NotYours, RequestError
from nousu.server.live.tables import Desk
from nousu.server.pages.site import page, sorry
from nousu.server.pages.table.lobby import qr
from nousu.server.people import history, seat_codes


def routes(desk: Desk) -> list[Route]:
    """These pages."""
    pages = _Pages(desk)
    return [
        Route("/t/{id}/hand-over", pages.offer, methods=["POST"]),
        Route("/t/{id}/take", pages.ask),
        Route("/t/{id}/take", pages.take, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def offer(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("You are watching; only those who sit at the table may act.")
        table = request.path_params["id"]
        code = await seat_codes.offer(self.desk, session, table)
        address = f"{request.base_url}t/{table}/take?code={code.replace('-', '')}"
        values = {"code": code, "address": address, "qr": qr(address).decode(), "back": f"/t/{table}"}
        answer = page(request, "hand_over.html", session.lang, values)
        return HTMLResponse(answer, headers={"cache-control": "no-store"})

    async def ask(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        table, code = request.path_params["id"], request.query_params.get("code", "")[: history.LONGEST]
        try:
            _, giver = await seat_codes.giver(self.desk, request, table, code)
        except RequestError as refusal:
            return sorry(request, session.lang, refusal.note, refusal.status)
        values = {"code": code, "giver": giver, "name": session.name, "table": table}
        return HTMLResponse(page(request, "take_seat.html", session.lang, values))

    async def take(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        table, sent = request.path_params["id"], await request.form()
        code = str(sent.get("code", ""))[: history.LONGEST]
        name = str(sent.get("name", "")).strip() or session.name
        try:
            await seat_codes.take(self.desk, request, table, code, name)
        except RequestError as refusal:
            return sorry(request, session.lang, refusal.note, refusal.status)
        return RedirectResponse(f"/t/{table}", 303)
