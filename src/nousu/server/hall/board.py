"""The board: how far every slip has come, what blocks publishing, and the button that removes it."""

from starlette.responses import Response

from nousu.server.hall.roles import OFFICE
from nousu.server.hall.site import Page, Visit
from nousu.tournament.board import board, todo


async def show(visit: Visit) -> Response:
    """``/board``"""
    listed = [(visit.told(one.said), one) for one in todo(visit.state)]
    return visit.page("board.html", {"board": board(visit.state), "todo": listed})


PAGES = (Page("/board", show, OFFICE),)
