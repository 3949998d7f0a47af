"""The form that sends a report to the host of the server."""

from starlette.responses import Response
from starlette.routing import Route

from nousu.server.live.tables import Desk
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.table.fragment import render_table
from nousu.server.pages.visit import Visit, member, post
from nousu.server.people import reports


def routes(desk: Desk) -> list[Route]:
    """The route of the form."""
    return [post(desk, "/t/{id}/report", send, member)]


async def send(visit: Visit) -> Response:
    """Store the report with the table as its author saw it, and say thanks."""
    form = await visit.request.form()
    seen = await visit.desk.seen(visit.table_id, visit.session)
    preferences = preferences_of(visit.request)
    await reports.report(
        visit.desk,
        visit.session,
        visit.table_id,
        str(form.get("kind", "")),
        str(form.get("text", "")),
        page=render_table(seen, visit.reader, order=preferences.get("order", "")),
        settings=preferences,
        browser=visit.request.headers.get("user-agent", ""),
    )
    return visit.page("reported.html", {"id": visit.table_id, "here": f"/t/{visit.table_id}"})
