"""All pages of the desk."""

from starlette.routing import Route

from nousu.server.desk import Desk
from nousu.server.hall import (
    assistant,
    beamer,
    board,
    door,
    draw,
    paper,
    people,
    plan,
    play,
    results,
    reviewed,
    rulings,
    seats,
    setup,
    slips,
)
from nousu.server.hall.door import Door
from nousu.server.hall.halls import Halls
from nousu.server.hall.roles import path_of
from nousu.server.hall.site import Page, routed

PAGES: tuple[Page, ...] = (
    *door.PAGES,
    *board.PAGES,
    *slips.PAGES,
    *rulings.PAGES,
    *setup.PAGES,
    *people.PAGES,
    *draw.PAGES,
    *plan.PAGES,
    *paper.PAGES,
    *results.PAGES,
    *reviewed.PAGES,
    *beamer.PAGES,
    *assistant.PAGES,
    *play.PAGES,
    *seats.PAGES,
)
"""Every page of a tournament, with the roles that may ask for it."""


def routes(halls: Halls, desk: Desk) -> list[Route]:
    """The routes of the desk."""
    way_in = Door(halls, desk)
    return [
        Route("/tournaments", way_in.start),
        Route("/tournaments", way_in.begin, methods=["POST"]),
        Route(path_of("{name}") + "/in/{key}", way_in.enter),
        Route(path_of("{name}") + "/leave", way_in.leave, methods=["POST"]),
        *routed(PAGES, halls, desk),
    ]
