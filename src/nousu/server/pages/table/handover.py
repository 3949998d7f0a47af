"""The pages on which a player hands a seat to a friend: the code, and the question to the friend."""

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nousu.server.pages.visit import Visit, get, post
from nousu.server.people import device_codes, seat_codes
from nousu.server.people.server import Server
from nousu.server.people.sessions import check_session
from nousu.tournament.qr import picture


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        post(server, "/t/{id}/hand-over", new_code),
        get(server, "/t/{id}/take", ask),
        post(server, "/t/{id}/take", take_seat),
    ]


async def new_code(visit: Visit) -> Response:
    """A new code for the player's own seat."""
    check_session(visit.session)
    code = await seat_codes.offer(visit.server, visit.session, visit.table_id)
    back = f"/t/{visit.table_id}"
    address = f"{visit.origin}{back}/take?code={code.replace('-', '')}"
    label = visit.reader.say("QR code of the link that hands your seat over")
    values = {"code": code, "address": address, "qr": Markup(picture(address, label)), "back": back}
    return visit.page("handover.html", values, headers={"cache-control": "no-store"})


async def ask(visit: Visit) -> Response:
    """Ask the friend whether to take the seat."""
    code = visit.query("code", device_codes.LONGEST)
    _, giver = await seat_codes.giver(visit.server, visit.request, visit.table_id, code)
    values = {"code": code, "giver": giver, "name": visit.session.name, "table": visit.table_id}
    return visit.page("take_seat.html", values)


async def take_seat(visit: Visit) -> Response:
    """Take the seat with the code."""
    form = await visit.request.form()
    code = str(form.get("code", ""))[: device_codes.LONGEST]
    name = str(form.get("name", "")).strip() or visit.session.name
    await seat_codes.take(visit.server, visit.request, visit.table_id, code, name)
    return RedirectResponse(f"/t/{visit.table_id}", 303)
