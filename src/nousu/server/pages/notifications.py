"""The switch of notifications on the settings page: on, off, and its present state."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nousu.server.errors import RequestError
from nousu.server.notifications.webpush import subscription_id
from nousu.server.pages.visit import Visit, member, parse_object, post
from nousu.server.people.server import Server
from nousu.server.people.sessions import hash_token


def routes(server: Server) -> list[Route]:
    """The routes that the script of the settings page asks."""
    return [
        post(server, "/notices/on", switch_on, member),
        post(server, "/notices/off", switch_off),
        post(server, "/notices/asked", state),
    ]


async def switch_on(visit: Visit) -> Response:
    """Subscribe this browser at its push service."""
    session = visit.session
    try:
        values = await _values(visit.request)
        await visit.server.limits.hit("mine", session.id)
        await visit.request.app.state.notices.subscribe(
            session.id,
            hash_token(visit.request.state.token),
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
        await visit.server.store.subscriptions.drop(id)
    return JSONResponse({"on": False})


async def state(visit: Visit) -> Response:
    """Whether this browser is subscribed."""
    return JSONResponse({"on": (await _subscription(visit))[1]})


async def _subscription(visit: Visit) -> tuple[str, bool]:
    """The id of the browser's subscription, and whether it is stored for this session."""
    id, session = subscription_id((await _values(visit.request)).get("endpoint", "")), visit.session
    return id, bool(session.id) and await visit.server.store.subscriptions.has(id, session.id)


async def _values(request: Request) -> Mapping[str, str]:
    """The texts of the JSON object in the body."""
    values = parse_object(await request.body())
    if values is None:
        raise RequestError("This did not come from a form on this page.")
    return {name: text for name, text in values.items() if isinstance(text, str)}
