"""The start page, the settings of a device, and the list of all pages with their addresses."""

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nousu.i18n import LANGUAGES
from nousu.i18n.names import introductions
from nousu.server.pages import notifications, report
from nousu.server.pages.history import hand_review, match_review, my_tables, replay, verify
from nousu.server.pages.learn import lessons, mistakes, problems, rulebook
from nousu.server.pages.preferences import VALUES, preference_list, preferences_of
from nousu.server.pages.site import STATIC
from nousu.server.pages.table import handover, table_page
from nousu.server.pages.table.lobby import waiting_table
from nousu.server.pages.visit import Visit, get, local_address, post
from nousu.server.people import cookies
from nousu.server.people.server import Server

_YEAR = 365 * 24 * 3600


def routes(server: Server) -> list[Route]:
    """The pages, but those of tournaments."""
    return [
        get(server, "/", home),
        get(server, "/offline", offline),
        get(server, "/sw.js", service_worker),
        post(server, "/look", save_preferences),
        get(server, "/settings", settings),
        get(server, "/forget", forget),
        post(server, "/forget", end_session),
        *table_page.routes(server),
        *handover.routes(server),
        *report.routes(server),
        *replay.routes(server),
        *hand_review.routes(server),
        *match_review.routes(server),
        *verify.routes(server),
        *my_tables.routes(server),
        *rulebook.routes(server),
        *lessons.routes(server),
        *problems.routes(server),
        *mistakes.routes(server),
        *notifications.routes(server),
    ]


async def home(visit: Visit) -> Response:
    """The start page: the games, and open tables that wait for players."""
    values = {
        "games": introductions(visit.reader.say),
        "name": visit.session.name,
        "waiting": [waiting_table(table, visit.reader) for table in visit.server.tables.open_to_strangers()],
    }
    return visit.page("home.html", values)


async def offline(visit: Visit) -> Response:
    """The page that the installed app shows without a network."""
    return visit.page("offline.html", {"here": "/"})


async def service_worker(visit: Visit) -> Response:
    """The service worker, at the root because it must see every page that is asked for."""
    return Response((STATIC / "js" / "sw.js").read_bytes(), media_type="text/javascript")


async def save_preferences(visit: Visit) -> Response:
    """Store the language and the preferences that a form sends."""
    form = await visit.request.form()
    response = RedirectResponse(local_address(str(form.get("back", "/"))), 303)
    if form.get("lang") in LANGUAGES:
        await visit.server.sessions.update(
            await visit.server.sessions.ensure(visit.request), lang=str(form["lang"])
        )
    secure = visit.request.url.scheme == "https"
    for name, values in VALUES.items():
        if form.get(name) in values:
            value = str(form[name])
            response.set_cookie(f"nousu_{name}", value, max_age=_YEAR, samesite="lax", secure=secure)
    return response


async def settings(visit: Visit) -> Response:
    """The page of all settings of this device."""
    values = {
        "settings": preference_list(preferences_of(visit.request), visit.reader),
        "back": local_address(visit.request.query_params.get("back", "/")),
        "notices_key": visit.request.app.state.notices.key,
    }
    return visit.page("settings.html", values)


async def forget(visit: Visit) -> Response:
    """The question whether this device should forget its user."""
    return visit.page("forget.html", {})


async def end_session(visit: Visit) -> Response:
    """End the session and delete all data in the browser."""
    if visit.session.id:
        await visit.server.sessions.end(visit.session)
    response = RedirectResponse("/", 303)
    for cookie in cookies.deletions(visit.request.url.scheme == "https"):
        response.headers.append("set-cookie", cookie)
    response.headers["clear-site-data"] = '"cookies", "storage"'
    return response
