"""The page that verifies every shuffle of a finished match; see `nousu.server.table.shuffle`."""

import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Deal, Give
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.engine.seats import CHANCE
from nousu.games import games
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.server.table.record import hand_view
from nousu.server.table.shuffle import VERSION, open_share_text, share_text
from nousu.server.table.view import SeatView

_NO_DEALS = Note("", "Nothing was dealt at this table: it continues a hand from another one.")


def routes(server: Server) -> list[Route]:
    """The route of the page."""
    return [get(server, "/t/{id}/check", verify)]


async def verify(visit: Visit) -> Response:
    """The page; its script computes the shuffles."""
    seen = await visit.server.views.view(visit.table_id, visit.session)
    table = (await visit.server.tables.room(visit.table_id)).table
    if seen.rehearses:
        return visit.error(_NO_DEALS, 404)
    played = () if seen.secret is None else seen.match.played
    views = [hand_view(table, visit.session.id, hand.index) for hand in played]
    values = {"seen": seen, "proof": shuffle_proof(seen, views), "rules_link": f"/rules/{seen.preset}"}
    return visit.page("verify.html", values)


def shuffle_proof(seen: SeatView, views: Sequence[View]) -> str:
    """The data that the page computes with, as JSON.

    Args:
        seen: The table as the viewer may see it.
        views: The viewer's views of finished hands, which show the cards that the viewer knows.

    Returns:
        The commitment, the secret once it is published, the shares, and the order form of each deal.
    """
    shares = sorted(seen.shares, key=lambda share: share.place)
    given = [{"shuffle": chance.shuffle, "text": open_share_text(chance)} for chance in seen.chances]
    given += [{"shuffle": 0, "text": share_text(share)} for share in shares]
    return json.dumps(
        {
            "table": seen.table_id,
            "version": 1 if seen.chances else VERSION,
            "commitment": seen.commitment,
            "secret": seen.secret,
            "given": given,
            "shares": [
                {
                    "place": share.place,
                    "name": _name(seen, share.place),
                    "pledge": share.pledge,
                    "share": share.text,
                }
                for share in shares
            ],
            "deck": [str(card) for card in games()[seen.match.game].deck],
            "drawn": [str(card) for card in seen.match.drawn],
            "deals": [_deal_proof(view, deal) for view in views if (deal := _deal_of(view)) is not None],
        }
    )


def _name(seen: SeatView, place: int) -> str:
    seating = seen.match.seating
    return seen.names[place if seating is None else seating.places[place]]


def _deal_of(view: View) -> Deal | None:
    """The deal of a hand as the viewer heard it; None for a hand that was only booked."""
    deals = (action for by, action in view.heard if by == CHANCE and isinstance(action, Deal))
    return next(deals, None)


def _deal_proof(view: View, deal: Deal) -> dict[str, Any]:
    form = games()[view.game].start(view.rules, view.setup).dealing()
    known = {str(seat): [str(card) for card in cards if card >= 0] for seat, cards in enumerate(deal.hands)}
    # Cards that changed hands are played by another seat than the one they were dealt to.
    changed = any(isinstance(action, Give) for _, action in view.heard)
    for trick in () if changed else view.tricks:
        for seat, card in trick.plays:
            known[str(seat)].append(str(card))
    return {
        "hand": view.setup.number,
        "deck": [str(card) for card in form.deck],
        "sizes": list(form.sizes),
        "start": form.start,
        "batch": form.batch,
        "known": {seat: sorted(set(cards)) for seat, cards in known.items()},
    }
