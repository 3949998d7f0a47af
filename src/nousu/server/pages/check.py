"""What a page needs to check every shuffle of a finished match by itself; see `nousu.server.dealing`."""

import json
from typing import Any

from nousu.engine.actions import Deal, Give
from nousu.engine.seats import CHANCE
from nousu.games import games
from nousu.server.dealing import VERSION, chance_text, share_text
from nousu.server.seen import HandSeen, Seen


def proof(seen: Seen) -> str:
    """Everything the page computes with, as JSON: the commitment, the secret once it is out, the shares, and
    of every deal its order form with the cards this viewer was dealt or saw."""
    shares = sorted(seen.shares, key=lambda one: one.place)
    given = [{"shuffle": one.shuffle, "text": chance_text(one)} for one in seen.chances]
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
            "deals": _deals(seen) if seen.secret is not None else [],
        }
    )


def _name(seen: Seen, place: int) -> str:
    seating = seen.match.seating
    return seen.names[place if seating is None else seating.places[place]]


def _deals(seen: Seen) -> list[dict[str, Any]]:
    hands = [hand for hand in seen.match.played if _dealt(hand) is not None]
    return [_deal(seen, hand) for hand in hands]


def _dealt(hand: HandSeen) -> Deal | None:
    """The deal of a hand as the viewer heard it; a hand that was only a booking has none."""
    found = (action for by, action in hand.view.heard if by == CHANCE and isinstance(action, Deal))
    return next(found, None)


def _deal(seen: Seen, hand: HandSeen) -> dict[str, Any]:
    form = games()[seen.match.game].start(seen.match.rules, hand.view.setup).dealing()
    deal = _dealt(hand)
    assert deal is not None
    known = {str(seat): [str(card) for card in cards if card >= 0] for seat, cards in enumerate(deal.hands)}
    # Cards that changed hands are played by somebody they were not dealt to.
    changed = any(isinstance(action, Give) for _, action in hand.view.heard)
    for trick in () if changed else hand.view.tricks:
        for seat, card in trick.plays:
            known[str(seat)].append(str(card))
    return {
        "hand": hand.number,
        "deck": [str(card) for card in form.deck],
        "sizes": list(form.sizes),
        "start": form.start,
        "batch": form.batch,
        "known": {seat: sorted(set(cards)) for seat, cards in known.items()},
    }
