"""The switch of notifications on the settings page: on, off, and its present state."""

import json
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nousu.server.errors import RequestError
from nousu.server.live.tables import Desk
from nousu.server.notifications.webpush import named
from nousu.server.pages.visit import Visit, member, post
from nousu.server.people.history import hashed


def routes(desk: Desk) -> list[Route]:
    """The routes that the script of the settings page asks."""
    return [
        post(desk, "/notices/on", switch_on, member),
        post(desk, "/notices/off", switch_off),
        post(desk, "/notices/asked", state),
    ]


async def switch_on(visit: Visit) -> Response:
    """Subscribe this browser at its push service."""
    session = visit.session
    try:
        values = await _values(visit.request)
        await visit.desk.limits.hit("mine", session.id)
        await visit.desk.notices.subscribe(
            session.id,
            hashed(visit.request.state.token),
            session.lang,
            values.get("endpoint", ""),
            values.get("p256dh", ""),
            values.get("auth", ""),
        )
    except RequestError as refusal:
        return JSONResponse({"error": visit.reader.explanation(refusal.note)}, refusal.status)
    return JSONResponse({"on": True})


async def switch_off(visit: Visit) -> Response:
    """Drop the subscription of this browser."""
    id, known = await _subscription(visit)
    if known:
        await visit.desk.store.subscriptions.drop(id)
    return JSONResponse({"on": False})


async def state(visit: Visit) -> Response:
    """Whether this browser is subscribed."""
    return JSONResponse({"on": (await _subscription(visit))[1]})


async def _subscription(visit: Visit) -> tuple[str, bool]:
    """The id of the browser's subscription, and whether it is stored for this session."""
    id, session = named((await _values(visit.request)).get("endpoint", "")), visit.session
    return id, bool(session.id) and await visit.desk.store.subscriptions.known(id, session.id)


async def _values(request: Request) -> Mapping[str, str]:
    """The texts of the JSON object in the body."""
    try:
        values = json.loads(await request.body())
        json.dumps(values, ensure_ascii=False).encode()  # halves of letters are no text
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise RequestError("This is not what this page sends.")
    return {name: text for name, text in values.items() if isinstance(text, str)}
