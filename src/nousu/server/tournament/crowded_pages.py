"""Pages as the process of `nousu.server.tournament.page_process` makes them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request

from nousu.server.tournament.files import HostedTournament, HostedTournaments
from nousu.server.tournament.page_process import Made, PageRequest
from nousu.server.tournament.routes import PAGES
from nousu.server.tournament.visit import Visit, tournament_translator
from nousu.tournament.messages import Refusal

_MOST = 8
"""Tournaments that stay in the memory of the process."""
_PAGES = {page.path: page.do for page in PAGES if page.method == "GET"}
_hosted: dict[str, HostedTournament] = {}
_threads = ThreadPoolExecutor(1)
_server = HostedTournaments(Path())


def make(asked: PageRequest) -> Made | Refusal | None:
    """Make a page from the file as it is now; None where it needs what only the server has."""
    hosted = _hosted.pop(asked.name, None) or HostedTournament(asked.name, asked.file, _threads, _threads)
    _hosted[asked.name] = hosted
    if len(_hosted) > _MOST:
        del _hosted[next(iter(_hosted))]
    hosted.unfit = dict(asked.unfit)
    _server.address = asked.address
    try:
        opened = hosted.open_here()
        say = tournament_translator(opened.tournament, asked.lang)
        request = Request(dict(asked.scope))
        server = cast(Any, None)
        visit = Visit(request, _server, hosted, opened, asked.guest, asked.lang, say, server)
        response = cast(Any, _PAGES[asked.page](visit))
        return response.status_code, list(response.raw_headers), response.body
    except Refusal as refusal:
        return refusal
    except Exception:  # the server makes it once more, and tells what is wrong
        return None
