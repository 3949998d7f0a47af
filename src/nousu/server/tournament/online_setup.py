"""Direction's page of online play: tables to move to Nousu or to paper, and everybody's personal link."""

from starlette.responses import Response

from nousu.engine.messages import Note
from nousu.server.pages.visit import whole_number
from nousu.server.tournament import online
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.events.slips import IN_THE_HALL
from nousu.tournament.links import person_key, shown_link
from nousu.tournament.messages import Refusal
from nousu.tournament.model import order
from nousu.tournament.print_language import round_heading


def show(visit: Visit, wrong: list[str] | None = None) -> Response:
    """Show the page: ``/online``; after a refusal with its reasons."""
    state, say = visit.state, visit.say
    alone = Note("", IN_THE_HALL, {"preset": state.format.preset})
    void = state.format.void(state)
    rounds = []
    for label in sorted(state.rounds, key=order):
        played = state.rounds[label]
        open_tables = [
            {
                "table": key,
                "at": key.partition(".")[2],
                "names": " · ".join(map(state.who, seats)),
                "online": state.is_online(key),
                "unfit": visit.text(visit.hosted.unfit[key]) if key in visit.hosted.unfit else "",
            }
            for key, seats in zip(played.names(), played.tables, strict=True)
            if len(seats) > 1 and state.slip(key).result is None and state.kind(key).slips.table_rules(key)
        ]
        if open_tables and label not in void:
            rounds.append((label, round_heading(state, label, say), open_tables))
    people = [
        (entrant.id, member, name, visit.address(f"/me/{person_key(state, (entrant.id, member))}"))
        for entrant in state.active()
        for member, name in enumerate(entrant.members)
    ]
    values = {
        "hall_alone": "" if state.format.slips.table_rules("1.1") else visit.text(alone),
        "planned": bool(state.rounds),
        "rounds": rounds,
        "people": people if shown_link(state, "table") is not None else [],
        "phones": shown_link(state, "table") is not None,
        "listed": "\n".join(f"{name}: {address}" for _, _, name, address in people),
        "local": not visit.tournaments.address,
        "wrong": wrong or [],
    }
    return step_page(visit, "/online", values, 400 if wrong else 200)


async def change(visit: Visit) -> Response:
    """Move tables to Nousu, or back to paper."""
    form = await visit.form()
    tables = [str(table)[:20] for table in form.getlist("table")]
    state = visit.state
    try:
        if form.get("do") == "paper":
            so_far = {}
            for table in tables:
                if state.is_online(table):
                    games = await online.games(visit.server, state, table)
                    so_far[table] = online.words(state, table, games)
            await visit.act(lambda office, by: office.play_on_paper(by, tables, so_far))
        else:
            await visit.act(lambda office, by: office.play_online(by, tables))
    except Refusal as refusal:
        return await visit.render(show, visit, visit.refusal_lines(refusal))
    for table in tables:
        visit.hosted.unfit.pop(table, None)
    return visit.redirect("/board?table=" + tables[0] if form.get("from") == "slip" else "/online")


async def renew(visit: Visit) -> Response:
    """Renew a personal link; the previous one becomes invalid."""
    form = await visit.form()
    id, member = (whole_number(str(form.get(name, ""))) for name in ("id", "member"))
    if id < 0 or member not in (0, 1):
        raise Refusal("there is no player {text}", values={"text": str(form.get("id"))[:60]}, where="player")
    await visit.act(lambda office, by: office.act(by, "relinked", id=id, member=member))
    return visit.redirect("/online")


PAGES = (
    Page("/online", show, DIRECTION),
    Page("/online", change, DIRECTION, "POST"),
    Page("/online/link", renew, DIRECTION, "POST"),
)
