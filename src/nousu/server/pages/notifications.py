"""What the page of settings asks for about notices to closed pages: on, off, and whether they are."""

import json
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nousu.i18n import translator
from nousu.i18n.sentences import explained
from nousu.server.errors import Refused
from nousu.server.live.tables import Desk
from nousu.server.notifications.webpush import subscription_id
from nousu.server.people.history import hashed


def routes(desk: Desk) -> list[Route]:
    """Three addresses, each for a browser that names its own at the push service."""

    async def on(request: Request) -> Response:
        session = await desk.session(request)
        try:
            sent = await _sent(request)
            await desk.limits.hit("mine", session.id)
            await desk.notices.subscribe(
                session.id,
                hashed(request.state.token),
                session.lang,
                sent.get("endpoint", ""),
                sent.get("p256dh", ""),
                sent.get("auth", ""),
            )
        except Refused as refusal:
            why = explained(refusal.note, translator(session.lang))
            return JSONResponse({"error": why}, refusal.status)
        return JSONResponse({"on": True})

    async def off(request: Request) -> Response:
        id, known = await _asked(request)
        if known:
            await desk.store.subscriptions.drop(id)
        return JSONResponse({"on": False})

    async def asked(request: Request) -> Response:
        return JSONResponse({"on": (await _asked(request))[1]})

    async def _asked(request: Request) -> tuple[str, bool]:
        session, id = await desk.visitor(request), subscription_id((await _sent(request)).get("endpoint", ""))
        return id, bool(session.id) and await desk.store.subscriptions.known(id, session.id)

    return [
        Route("/notices/on", on, methods=["POST"]),
        Route("/notices/off", off, methods=["POST"]),
        Route("/notices/asked", asked, methods=["POST"]),
    ]


async def _sent(request: Request) -> Mapping[str, str]:
    """The texts of a JSON object."""
    try:
        found = json.loads(await request.body())
        str(found).encode()  # halves of letters that are no text
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("This is not what this page sends.")
    return {name: text for name, text in found.items() if isinstance(text, str)}
