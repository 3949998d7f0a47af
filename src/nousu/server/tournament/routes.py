"""All pages of the desk."""

from starlette.routing import Route

from nousu.server.people.server import Server
from nousu.server.tournament import (
    assistant,
    board,
    draw,
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
from nousu.server.tournament.files import Halls
from nousu.server.tournament.links import Door
from nousu.server.tournament.roles import path_of
from nousu.server.tournament.visit import Page, routed

PAGES: tuple[Page, ...] = (
    *links.PAGES,
    *board.PAGES,
    *slips.PAGES,
    *rulings.PAGES,
    *setup.PAGES,
    *people.PAGES,
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
"""Every page of a tournament, with the roles that may ask for it."""


def routes(halls: Halls, server: Server) -> list[Route]:
    """The routes of the desk."""
    way_in = Door(halls, server)
    return [
        Route("/tournaments", way_in.start),
        Route("/tournaments", way_in.begin, methods=["POST"]),
        Route(path_of("{name}") + "/in/{key}", way_in.enter),
        Route(path_of("{name}") + "/leave", way_in.leave, methods=["POST"]),
        *routed(PAGES, halls, server),
    ]
