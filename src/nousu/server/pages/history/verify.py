"""What a page needs to check every shuffle of a finished match by itself; see
`nousu.server.table.shuffle`."""

import json
from collections.abc import Sequence
from typing import Any

from nousu.engine.actions import Deal, Give
from nousu.engine.game import View
from nousu.engine.seats import CHANCE
from nousu.games import games
from nousu.server.table.shuffle import VERSION, open_share_text, share_text
from nousu.server.table.view import SeatView


def proof(seen: SeatView, views: Sequence[View]) -> str:
    """Everything the page computes with, as JSON: the commitment, the secret once it is out, the shares, and
    of the deal of each of these finished hands its order form with the cards this viewer was dealt or saw."""
    shares = sorted(seen.shares, key=lambda one: one.place)
    given = [{"shuffle": one.shuffle, "text": open_share_text(one)} for one in seen.chances]
    given += [{"shuffle": 0, "text": share_text(one)} for one in shares]
    return json.dumps(
        {
            "table": seen.table_id,
            "version": 1 if seen.chances else VERSION,
            "commitment": seen.commitment,
            "secret": seen.secret,
            "given": given,
            "shares": [
                {"place": one.place, "name": _name(seen, one.place), "pledge": one.pledge, "share": one.text}
                for one in shares
            ],
            "deck": [str(card) for card in games()[seen.match.game].deck],
            "drawn": [str(card) for card in seen.match.drawn],
            "deals": [_deal(view, deal) for view in views if (deal := _dealt(view)) is not None],
        }
    )


def _name(seen: SeatView, place: int) -> str:
    seating = seen.match.seating
    return seen.names[place if seating is None else seating.places[place]]


def _dealt(view: View) -> Deal | None:
    """The deal of a hand as the viewer heard it; a hand that was only a booking has none."""
    found = (action for by, action in view.heard if by == CHANCE and isinstance(action, Deal))
    return next(found, None)


def _deal(view: View, deal: Deal) -> dict[str, Any]:
    form = games()[view.game].start(view.rules, view.setup).dealing()
    known = {str(seat): [str(card) for card in cards if card >= 0] for seat, cards in enumerate(deal.hands)}
    # Cards that changed hands are played by somebody they were not dealt to.
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
