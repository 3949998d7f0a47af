"""Routes of all tournament pages."""

from starlette.routing import Route

from nousu.server.people.server import Server
from nousu.server.tournament import (
    assistant,
    board,
    draw,
    entrant_page,
    event_review,
    links,
    my_page,
    online_setup,
    paper,
    people,
    plan,
    projector,
    results,
    rulings,
    setup,
    slips,
)
from nousu.server.tournament.files import HostedTournaments
from nousu.server.tournament.links import EntryPages
from nousu.server.tournament.roles import path_of
from nousu.server.tournament.season import season_routes
from nousu.server.tournament.visit import Page, page_routes

PAGES: tuple[Page, ...] = (
    *links.PAGES,
    *board.PAGES,
    *slips.PAGES,
    *rulings.PAGES,
    *setup.PAGES,
    *people.PAGES,
    *entrant_page.PAGES,
    *draw.PAGES,
    *plan.PAGES,
    *paper.PAGES,
    *results.PAGES,
    *event_review.PAGES,
    *projector.PAGES,
    *assistant.PAGES,
    *online_setup.PAGES,
    *my_page.PAGES,
)
"""The pages of a tournament, with the roles that may open them."""


def routes(tournaments: HostedTournaments, server: Server, new_events: str) -> list[Route]:
    """Routes of the tournament pages. `new_events` is the setting of that name."""
    entry = EntryPages(tournaments, server, new_events)
    return [
        Route("/tournaments", entry.start),
        Route("/tournaments", entry.begin, methods=["POST"]),
        Route(path_of("{name}") + "/in/{key}", entry.enter),
        Route(path_of("{name}") + "/leave", entry.leave, methods=["POST"]),
        *page_routes(PAGES, tournaments, server),
        *season_routes(tournaments, server, entry),
    ]
