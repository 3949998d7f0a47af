"""The page that sends a report to the host."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from nousu.i18n import translator
from nousu.server.errors import RequestError
from nousu.server.live.tables import Desk
from nousu.server.pages.preferences import look_of
from nousu.server.pages.site import page, sorry
from nousu.server.pages.table.fragment import render_table
from nousu.server.people import reports


def routes(desk: Desk) -> list[Route]:
    """The one address."""

    async def send(request: Request) -> Response:
        """Store what this person saw, and thank them."""
        session = await desk.session(request)
        say, sent, table = translator(session.lang), await request.form(), request.path_params["id"]
        try:
            seen = await desk.seen(table, session)
            settings = look_of(request)
            await reports.report(
                desk,
                session,
                table,
                str(sent.get("kind", "")),
                str(sent.get("text", "")),
                page=render_table(seen, say, session.lang, order=settings.get("order", "")),
                settings=settings,
                browser=request.headers.get("user-agent", ""),
            )
        except RequestError as refusal:
            return sorry(request, session.lang, refusal.note, refusal.status)
        return HTMLResponse(
            page(request, "reported.html", session.lang, {"id": table, "here": f"/t/{table}"})
        )

    return [Route("/t/{id}/report", send, methods=["POST"])]
