"""The pages of what is a person's own, and of a further device."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.messages import sentence
from nousu.i18n import Translate, translator
from nousu.i18n.names import preset_name
from nousu.server.errors import NotYours, RequestError
from nousu.server.live.tables import Desk
from nousu.server.pages.site import page, sorry
from nousu.server.pages.table.lobby import qr
from nousu.server.pages.table.seat_names import listed
from nousu.server.people import history


def routes(desk: Desk) -> list[Route]:
    """The pages, asking `desk` for everything that is not words and pictures."""
    pages = _Pages(desk)
    return [
        Route("/mine", pages.mine),
        Route("/mine/records.zip", pages.records),
        Route("/mine/device", pages.code, methods=["POST"]),
        Route("/mine/recovery", pages.recovery, methods=["POST"]),
        Route("/mine/devices/end", pages.sign_out, methods=["POST"]),
        Route("/device", pages.device),
        Route("/device", pages.take_over, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def mine(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        say, lang = translator(session.lang), session.lang
        found = await history.gathered(self.desk, session) if session.id else None
        values: dict[str, object] = {"name": session.name, "found": found}
        if found is not None:
            values["running"] = [
                (one, preset_name(one.preset, say), listed(one.names, say)) for one in found.running
            ]
            values["ended"] = [
                (one, preset_name(one.preset, say), listed(one.names, say), _day(one.at, say))
                for one in found.ended
            ]
            values["counts"] = [(one, preset_name(one.preset, say)) for one in found.counts]
            more = sentence(
                "{count} more finished match is counted at the next visit.",
                "{count} more finished matches are counted at the next visit.",
            )
            values["waiting"] = say(more, count=found.waiting) if found.waiting else ""
            values["devices"] = [_day(one.created, say) for one in found.devices]
        return HTMLResponse(page(request, "mine.html", lang, values))

    async def records(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        named = {"content-disposition": 'attachment; filename="nousu-records.zip"'}
        packed = await history.records(self.desk, session)
        return Response(packed, media_type="application/zip", headers=named)

    async def code(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        code = await history.new_code(self.desk, session)
        address = f"{request.base_url}device"
        picture = qr(f"{address}?code={code.replace('-', '')}").decode()
        values = {"code": code, "address": address, "qr": picture, "here": "/mine"}
        return HTMLResponse(
            page(request, "device_code.html", session.lang, values), headers={"cache-control": "no-store"}
        )

    async def recovery(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        code = await history.new_recovery(self.desk, session)
        values = {"code": code, "address": f"{request.base_url}device", "here": "/mine"}
        answer = page(request, "recovery_code.html", session.lang, values)
        return HTMLResponse(answer, headers={"cache-control": "no-store"})

    async def sign_out(self, request: Request) -> Response:
        session = await self.desk.known(request)
        if session is None:
            raise NotYours("This device has no tables yet.")
        await history.sign_out(self.desk, session)
        return RedirectResponse("/mine", 303)

    async def device(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        code = request.query_params.get("code", "")[: history.LONGEST]
        name = await history.owner(self.desk, request, code) if code else ""
        values = {"code": code, "name": name, "before": session.name}
        return HTMLResponse(page(request, "device.html", session.lang, values))

    async def take_over(self, request: Request) -> Response:
        session = await self.desk.visitor(request)
        code = str((await request.form()).get("code", ""))[: history.LONGEST]
        try:
            await history.take_over(self.desk, request, code)
        except RequestError as refusal:
            return sorry(request, session.lang, refusal.note, refusal.status)
        return RedirectResponse("/mine", 303)


def _day(at: float, say: Translate) -> str:
    """A day as people write it."""
    found = datetime.fromtimestamp(at, UTC)
    return say("{day}/{month}/{year}", day=f"{found:%d}", month=f"{found:%m}", year=f"{found:%Y}")
