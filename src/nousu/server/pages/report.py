"""The page that sends a report to the host."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from nousu.i18n.reader import Reader
from nousu.server.errors import Refused
from nousu.server.live.tables import Desk
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.site import error_page, page
from nousu.server.pages.table.fragment import render_table
from nousu.server.people import reports


def routes(desk: Desk) -> list[Route]:
    """The one address."""

    async def send(request: Request) -> Response:
        """Store what this person saw, and thank them."""
        session = await desk.session(request)
        sent, table = await request.form(), request.path_params["id"]
        try:
            seen = await desk.seen(table, session)
            settings = preferences_of(request)
            await reports.report(
                desk,
                session,
                table,
                str(sent.get("kind", "")),
                str(sent.get("text", "")),
                page=render_table(seen, Reader.of(session.lang), order=settings.get("order", "")),
                settings=settings,
                browser=request.headers.get("user-agent", ""),
            )
        except Refused as refusal:
            return error_page(request, session.lang, refusal.note, refusal.status)
        return HTMLResponse(
            page(request, "reported.html", session.lang, {"id": table, "here": f"/t/{table}"})
        )

    return [Route("/t/{id}/report", send, methods=["POST"])]
