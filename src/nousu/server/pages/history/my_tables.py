"""The pages of a user's own tables, and of further devices."""

from datetime import UTC, datetime

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.messages import sentence
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.server.pages.table.seat_names import name_list
from nousu.server.pages.visit import Visit, get, owner, post
from nousu.server.people import device_codes, history
from nousu.server.people.server import Server
from nousu.tournament.qr import picture


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/mine", my_tables),
        get(server, "/mine/records.zip", records, owner),
        post(server, "/mine/device", device_code, owner),
        post(server, "/mine/recovery", recovery_code, owner),
        post(server, "/mine/devices/end", sign_out, owner),
        get(server, "/device", device),
        post(server, "/device", take_over),
    ]


async def my_tables(visit: Visit) -> Response:
    """Running and finished matches, and the devices of the user."""
    reader, say = visit.reader, visit.reader.say
    past = await history.load_history(visit.server, visit.session) if visit.session.id else None
    values: dict[str, object] = {"name": visit.session.name, "found": past}
    if past is not None:
        values["running"] = [
            (row, preset_name(row.preset, say), name_list(row.names, reader)) for row in past.running
        ]
        values["ended"] = [
            (row, preset_name(row.preset, say), name_list(row.names, reader), day_words(row.at, reader))
            for row in past.ended
        ]
        values["counts"] = [(row, preset_name(row.preset, say)) for row in past.counts]
        more = sentence(
            "{count} more finished match is counted at the next visit.",
            "{count} more finished matches are counted at the next visit.",
        )
        values["waiting"] = say(more, count=past.waiting) if past.waiting else ""
        values["devices"] = [day_words(device.created, reader) for device in past.devices]
    return visit.page("my_tables.html", values)


async def records(visit: Visit) -> Response:
    """The records of the user's matches in one archive."""
    headers = {"content-disposition": 'attachment; filename="nousu-records.zip"'}
    archive = await history.zip_records(visit.server, visit.session)
    return Response(archive, media_type="application/zip", headers=headers)


async def device_code(visit: Visit) -> Response:
    """A code for one further device, as letters and as a QR code."""
    code = await device_codes.new_code(visit.server, visit.session)
    address = f"{visit.origin}/device"
    link = f"{address}?code={code.replace('-', '')}"
    code_picture = Markup(picture(link, visit.reader.say("QR code for your other device")))
    values = {"code": code, "address": address, "qr": code_picture, "here": "/mine"}
    return visit.page("device_code.html", values, headers={"cache-control": "no-store"})


async def recovery_code(visit: Visit) -> Response:
    """A code for the day on which the device is lost."""
    code = await device_codes.new_recovery_code(visit.server, visit.session)
    values = {"code": code, "address": f"{visit.origin}/device", "here": "/mine"}
    return visit.page("recovery_code.html", values, headers={"cache-control": "no-store"})


async def sign_out(visit: Visit) -> Response:
    """Sign out all other devices."""
    await device_codes.sign_out_devices(visit.server, visit.session)
    return RedirectResponse("/mine", 303)


async def device(visit: Visit) -> Response:
    """The form for a code on the further device, with the name of the code's owner."""
    code = visit.query("code", device_codes.LONGEST)
    name = await device_codes.owner_name(visit.server, visit.request, code) if code else ""
    return visit.page("device.html", {"code": code, "name": name, "before": visit.session.name})


async def take_over(visit: Visit) -> Response:
    """Make this browser a further device of the code's owner."""
    code = str((await visit.request.form()).get("code", ""))[: device_codes.LONGEST]
    await device_codes.redeem(visit.server, visit.request, code)
    return RedirectResponse("/mine", 303)


def day_words(at: float, reader: Reader) -> str:
    """A day as people write it, in UTC."""
    day = datetime.fromtimestamp(at, UTC)
    return reader.say("{day}/{month}/{year}", day=f"{day:%d}", month=f"{day:%m}", year=f"{day:%Y}")
