"""The form that sends a report to the host of the server."""

from starlette.responses import Response
from starlette.routing import Route

from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.table.live_view import encode
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.visit import Visit, member, post
from nousu.server.people import reports
from nousu.server.people.server import Server


def routes(server: Server) -> list[Route]:
    """The route of the form."""
    return [post(server, "/t/{id}/report", send, member)]


async def send(visit: Visit) -> Response:
    """Store the report with the table as its author saw it, and say thanks."""
    form = await visit.request.form()
    seen = await visit.server.views.view(visit.table_id, visit.session)
    preferences = preferences_of(visit.request)
    await reports.add_report(
        visit.server,
        visit.session,
        visit.table_id,
        str(form.get("kind", "")),
        str(form.get("text", "")),
        page=encode(page_view(seen, visit.reader, order=preferences.get("order", ""))),
        settings=preferences,
        browser=visit.request.headers.get("user-agent", ""),
    )
    return visit.page("reported.html", {"id": visit.table_id, "here": f"/t/{visit.table_id}"})
