"""The pages of a table: opening it, the table itself, and its forms."""

import json
from collections.abc import Awaitable
from dataclasses import asdict, replace
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.cards import parse_card
from nousu.engine.errors import BadRules
from nousu.games import find
from nousu.i18n.reader import Reader
from nousu.server.errors import NoSuchTable, RequestError
from nousu.server.live.presence import RATES
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.site import imported_modules
from nousu.server.pages.table import setup_form
from nousu.server.pages.table.hints import hint
from nousu.server.pages.table.live_view import encode
from nousu.server.pages.table.lobby import LobbyView, qr_code
from nousu.server.pages.table.messages import live_line_schema
from nousu.server.pages.table.page_view import page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.table.words import page_words
from nousu.server.pages.visit import Visit, get, member, post, whole_number
from nousu.server.people.commands import LeaveTable, RemovePerson
from nousu.server.people.server import Server
from nousu.server.table.options import TableOptions


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/new", new),
        post(server, "/new", open_table, member),
        get(server, "/live/schema.json", schema),
        get(server, "/t/{id}", table),
        post(server, "/t/{id}/join", join, member),
        post(server, "/t/{id}/watch", watch),
        get(server, "/t/{id}/qr.svg", link_code),
        post(server, "/t/{id}/again", rematch),
        post(server, "/t/{id}/remove", remove),
        post(server, "/t/{id}/fill", fill),
        post(server, "/t/{id}/leave", leave),
        get(server, "/t/{id}/hint", hint_page),
    ]


# ---- opening a table


async def new(visit: Visit) -> Response:
    """The form on which rules and players are chosen."""
    # A plus sign in a link arrives as a space.
    text = visit.request.query_params.get("rules", "tuppi").replace(" ", "+")
    form = setup_form.form_of_rules(text, visit.reader)
    return _form_page(visit, form, 400 if form.error else 200)


async def open_table(visit: Visit) -> Response:
    """Open a table by the form, or show the errors of the form."""
    values = await visit.request.form()
    form = setup_form.form_of_post(values, visit.reader)
    # The name stays in the form too, so that no typed text is lost.
    visit.session = replace(visit.session, name=str(values.get("name", "")).strip() or visit.session.name)
    if form.error:
        return _form_page(visit, form, 400)
    if values.get("do") == "link":
        return RedirectResponse("/new?rules=" + quote(form.text, safe="+=,[]"), 303)
    players = setup_form.other_players(values, form.seats, visit.server.players)
    options = _options(values)
    if "open" in players:
        options |= _options_with_friends(values)
    elif values.get("newcomer"):
        options["learning"] = "yes"  # the first table is one that explains itself
    if "calm" in preferences_of(visit.request):
        options.setdefault("pace", setup_form.SPEEDS["calm"])
    try:
        table_id = await visit.server.openings.open(
            form.text,
            players,
            TableOptions.parse_request(options),
            visit.session,
            name=visit.session.name,
            lang=visit.session.lang,
            pledge=str(values.get("pledge", "")),
        )
    except (BadRules, RequestError) as refusal:
        return _form_page(visit, replace(form, error=visit.reader.explanation(refusal.note)), 400)
    return RedirectResponse(f"/t/{table_id}", 303)


def _form_page(visit: Visit, form: setup_form.SetupForm, status: int) -> Response:
    known = visit.server.players
    values = {
        "form": form,
        "name": visit.session.name,
        "usual": setup_form.USUAL_PLAYER,
        "places": range(2, min(setup_form.MOST_PLACES, form.high_seats) + 1),
        "players": setup_form.player_choices(known, find(form.base)[0].name, visit.reader),
        "link": f"{visit.origin}/new?rules=" + quote(form.text, safe="+=,[]"),
        "rules_link": f"/rules/{form.text}",
    }
    return visit.page("new.html", values, status)


def _options_with_friends(form: FormData) -> dict[str, str]:
    """The options of a table for friends, who choose their seats unless they are to be drawn."""
    options = {"seats": "drawn" if form.get("seating") == "drawn" else "chosen"}
    options |= {"undo": "yes"} if form.get("undo") else {}
    options |= {"clock": str(form["clock"])} if form.get("clock") in RATES else {}
    return options | ({"public": "yes"} if form.get("public") else {})


def _options(form: FormData) -> dict[str, str]:
    """The options of any table: hints, and the pace of computer players."""
    pace = setup_form.SPEEDS.get(str(form.get("speed", "")))
    return ({"learning": "yes"} if form.get("learning") else {}) | ({"pace": pace} if pace else {})


# ---- the table


async def table(visit: Visit, refusal: RequestError | None = None) -> Response:
    """The table as this session may see it; after a refusal with its reason."""
    seen = await visit.server.views.view(visit.table_id, visit.session)
    order = preferences_of(visit.request).get("order", "")
    view = page_view(seen, visit.reader, visit.origin, order)
    values = {
        "title": view.title,
        "first": first_data(view, visit.reader),
        "preloads": imported_modules("js/table.js", f"js/table/{view.drawing}.js"),
        "refused": visit.reader.explanation(refusal.note) if refusal is not None else "",
        "rules_link": f"/rules/{seen.preset}?table={seen.table_id}",
        "here": f"/t/{seen.table_id}",
        "hints": f"/t/{seen.table_id}/hint" if seen.learning and seen.seat is not None else "",
        "invitation": view.invitation if isinstance(view, LobbyView) else "",
        "origin": visit.origin,
    }
    return visit.page("table_page.html", values, 200 if refusal is None else refusal.status)


def first_data(view: TableView | LobbyView, reader: Reader) -> Markup:
    """The first view of the page, as JSON in a script element, which it cannot end."""
    words = json.dumps(page_words(reader), ensure_ascii=False)
    return Markup(f'{{"words":{words},"view":{encode(view)}}}'.replace("<", "\\u003c"))


async def link_code(visit: Visit) -> Response:
    """The link to a table as a QR code."""
    await visit.server.tables.room(visit.table_id)
    return Response(qr_code(f"{visit.origin}/t/{visit.table_id}"), media_type="image/svg+xml")


async def schema(visit: Visit) -> Response:
    """The JSON Schema of the live line."""
    return JSONResponse(live_line_schema())


# ---- forms


async def _done(visit: Visit, command: Awaitable[object]) -> Response:
    """Redirect to the table after a command, or show the table with the reason of its refusal."""
    try:
        await command
    except RequestError as refusal:
        return await table(visit, refusal)
    return RedirectResponse(f"/t/{visit.table_id}", 303)


async def join(visit: Visit) -> Response:
    """Sit down at a table, at the chosen place if one is named."""
    form = await visit.request.form()
    name = str(form.get("name", "")).strip() or visit.session.name
    seat, pledge = str(form.get("seat", "")), str(form.get("pledge", ""))
    at = whole_number(seat) if seat else None
    return await _done(
        visit, visit.server.actions.join(visit.table_id, visit.session, name, pledge, at, waits=True)
    )


async def watch(visit: Visit) -> Response:
    """Only watch: the chair that was kept is free again."""
    return await _done(visit, visit.server.actions.release_chair(visit.table_id, visit.session))


async def rematch(visit: Visit) -> Response:
    """Open the next table of the same people."""
    pledge = str((await visit.request.form()).get("pledge", ""))
    try:
        table_id = await visit.server.actions.again(visit.table_id, visit.session, pledge)
    except RequestError as refusal:
        return await table(visit, refusal)
    return RedirectResponse(f"/t/{table_id}", 303)


async def remove(visit: Visit) -> Response:
    """Send a player away from a table that has not begun."""
    seat = whole_number(str((await visit.request.form()).get("remove", "")))
    return await _done(visit, visit.server.actions.do(visit.table_id, visit.session, RemovePerson(seat)))


async def fill(visit: Visit) -> Response:
    """Give the free places to computer players."""
    known = visit.server.players
    player = setup_form.USUAL_PLAYER if setup_form.USUAL_PLAYER in known else known[0]
    return await _done(visit, visit.server.actions.fill(visit.table_id, visit.session, player))


async def leave(visit: Visit) -> Response:
    """Leave a table for good."""
    await visit.server.actions.do(visit.table_id, visit.session, LeaveTable())
    return RedirectResponse("/", 303)


async def hint_page(visit: Visit) -> Response:
    """A hint: a page of its own, or its values alone for the script of the table."""
    panel = "script" in visit.request.query_params
    try:
        text, action = visit.query("card", 4), visit.request.query_params.get("act", "")
        card = parse_card(text) if text else None
        advice = await visit.server.actions.hint(visit.table_id, visit.session, card, action)
    except (RequestError, ValueError) as error:
        refusal = error if isinstance(error, RequestError) else RequestError("This is not a card.")
        if panel:
            return JSONResponse({"error": visit.reader.explanation(refusal.note)}, refusal.status)
        if isinstance(refusal, NoSuchTable):
            raise refusal from None
        return await table(visit, refusal)
    advised = hint(advice, visit.reader)
    if panel:
        return JSONResponse(asdict(advised))
    return visit.page("hint.html", {"hint": advised, "here": f"/t/{visit.table_id}"})
