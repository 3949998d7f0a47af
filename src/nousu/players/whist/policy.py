"""Small nets that rate the cards of the whist family by the knowledge of the seat to play.

`SHAPE` lists the features of the nets (`nousu.players.nets`) in each situation of a rami, a nolo and a
sooli, ``policy.txt`` holds their weights, and `cpp/playouts/whist_policy.h` rates every card the same. The
weights are fitted to cards that were played out, not solved: ``python -m tools.training tuppi FOLDER`` makes
those of ramis and nolos, ``python -m tools.training sooli FOLDER`` those of soolis.

In a sooli the two seats to watch are the soloist and the other hunter, or for the soloist the hunters on the
left and on the right. A few features mean something else there (`_sooli_shared`, `_sooli_suits`).
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nousu.engine.actions import Play
from nousu.engine.cards import LANE, Card
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner, side
from nousu.games.whist import BOOK, Facts
from nousu.players import nets
from nousu.players.nets import NetChoice, NetShape, clip, count_masters
from nousu.players.whist.inference import WhistDeductions, deduce
from nousu.solver.native import in_order

_SHARED = {
    "left": 14,  # tricks still to be played
    "needed": 8,  # tricks the own side needs for seven
    "their_need": 8,
    "bidder": 5,  # nobody, me, the next seat, the partner, the last seat
    "masters": 8,  # own cards that no unseen card beats
    "exits": 8,  # own cards that beat no unseen card
    "place": 7,  # the lead; else second to fourth hand, and whether the partner's card is the best so far
    "best_above": 6,  # the lead; else how many unseen cards beat the best so far
    "dry": 8,  # which of the others still to play are out of the suit led
    "led_unseen": 10,  # the lead; else how many cards of the suit led are unseen
    "empty": 4,  # suits of which the seat holds none
}
_OWN = {
    "length": 8,  # of the suit, less one
    "unseen": 13,
    "above": 9,
    "below": 11,
    "from_top": 6,  # own cards of the suit above it
    "from_bottom": 6,
    "suit_masters": 5,
    "top_above": 6,  # unseen cards above the own highest
    "bottom_below": 8,
    "touching": 4,  # the own card below and the one above are as good
    "voids": 8,  # seats out of the suit: the next one, the partner, the last
    "led_by": 16,  # seats that led the suit in finished tricks: the seat itself and those
    "rank": 13,
    "beating": 7,  # a lead, a discard; the highest loser, another; the cheapest winner, the highest, another
    "gap": 7,  # loses; else how many unseen cards lie between the best so far and it
    "longer": 4,  # own suits that are longer
    "top_left": 7,  # nothing; else unseen cards above the highest of the suit that is left
    "bottom_left": 8,
}
_SITUATIONS = (
    "rami_lead",
    "rami_following",
    "rami_discard",
    "nolo_lead",
    "nolo_following",
    "nolo_discard",
    "sooli_following",  # the soloist never has the lead
    "sooli_discard",
    "hunt_lead",
    "hunt_following",
    "hunt_discard",
)
RAMI_AND_NOLO, SOOLI = range(6), range(6, 11)
"""The situations by the kind of hand."""
SHAPE = NetShape(_SHARED, _OWN, _SITUATIONS)


def net_choice(view: View, table: WhistDeductions | None = None) -> NetChoice:
    """The choice of the seat of `view`, which has to play a card, as the nets see it."""
    table = table or deduce(view)
    facts = Facts.of(view.facts)
    hand, hidden = in_order(table.hand, table.strength), in_order(table.unseen, table.strength)
    held = [hand >> 16 * suit & LANE for suit in range(4)]
    unseen = [hidden >> 16 * suit & LANE for suit in range(4)]
    lengths = [ranks.bit_count() for ranks in held]
    best = table.best
    following = best is not None and table.legal[0].suit == best[1].suit
    turn = 0 if best is None else 1 if following else 2
    if facts.soloist is None:
        situation = 3 * (facts.kind == "low") + turn
        voids, led, needs, dry = _seats(view, table, facts)
    else:
        situation = (5 if table.seat == facts.soloist else 8) + turn
        voids, led, needs, dry = _sooli_seats(view, table, facts.soloist, held, unseen)
    main = facts.bidder if facts.soloist is None else facts.soloist
    shared = [
        view.counts[table.seat],
        *needs,
        0 if main is None else 1 + (main - table.seat) % 4,
        clip(sum(count_masters(held[suit], unseen[suit]) for suit in range(4)), 7),
        clip(sum(_exits(held[suit], unseen[suit]) for suit in range(4)), 7),
    ]
    if best is None:
        shared += [0, 0, 0, 0]
    else:
        suit = best[1].suit
        shared += [
            2 * len(table.trick) - 1 + (best[0] in table.friends),
            1 + clip((unseen[suit] >> table.rank(best[1])).bit_count(), 4),
            dry,
            1 + clip(unseen[suit].bit_count(), 8),
        ]
    shared.append(clip(lengths.count(0), 3))
    own = []
    for card in table.legal:
        suit, rank = card.suit, table.rank(card)
        mine, out = held[suit], unseen[suit]
        higher, lower = mine >> rank + 1, mine & (1 << rank) - 1
        above = (out >> rank).bit_count()
        top, bottom = mine.bit_length() - 1, (mine & -mine).bit_length() - 1
        left = mine & ~(1 << rank)
        beating, gap = 0, 0
        if best is not None:
            beating = 1
        if following and best is not None:
            over = table.rank(best[1])
            if rank < over:
                beating = 2 if not (mine & (1 << over) - 1) >> rank + 1 else 3
            else:
                beating = 4 if not lower >> over else 5 if not higher else 6
                gap = 1 + clip((out >> over).bit_count() - above, 5)
        own.append(
            (
                clip(lengths[suit] - 1, 7),
                clip(out.bit_count(), 12),
                clip(above, 8),
                clip((out & (1 << rank) - 1).bit_count(), 10),
                clip(higher.bit_count(), 5),
                clip(lower.bit_count(), 5),
                clip(count_masters(mine, out), 4),
                clip((out >> top).bit_count(), 5),
                clip((out & (1 << bottom) - 1).bit_count(), 7),
                int(bool(lower) and (out >> lower.bit_length() - 1).bit_count() == above)
                + 2 * (bool(higher) and (out >> rank + (higher & -higher).bit_length()).bit_count() == above),
                voids[suit],
                led[suit],
                rank,
                beating,
                gap,
                sum(length > lengths[suit] for length in lengths),
                0 if not left else 1 + clip((out >> left.bit_length() - 1).bit_count(), 5),
                0 if not left else 1 + clip((out & (left & -left) - 1).bit_count(), 6),
            )
        )
    return NetChoice(situation, table.legal, tuple(shared), tuple(own))


class _Seats(NamedTuple):
    """Features that are counted otherwise in a sooli."""

    voids: Sequence[int]
    """By suit."""
    led: Sequence[int]
    needs: tuple[int, int]
    dry: int


def _seats(view: View, table: WhistDeductions, facts: Facts) -> _Seats:
    """The seats of a rami or a nolo: the next one, the partner, the last."""
    seat, ours = table.seat, side(table.seat)
    led = [0, 0, 0, 0]
    for trick in view.tricks:
        led[trick.plays[0][1].suit] |= 1 << (trick.leader - seat) % 4
    voids = [
        sum((table.voids.get((seat + 1 + at) % 4, 0) >> 16 * suit & 1) << at for at in range(3))
        for suit in range(4)
    ]
    needs = clip(BOOK + 1 - facts.tricks[ours], 7), clip(BOOK + 1 - facts.tricks[1 - ours], 7)
    dry = voids[table.trick[0][1].suit] & (1 << 3 - len(table.trick)) - 1 if table.trick else 0
    return _Seats(voids, led, needs, dry)


def _sooli_seats(
    view: View, table: WhistDeductions, soloist: Seat, held: Sequence[int], unseen: Sequence[int]
) -> _Seats:
    """The two seats to watch in a sooli.

    A suit's voids are those of the two, and whether the soloist has discarded from it. Instead of who led it:
    how many unseen cards are below the soloist's last card of the suit, and how many between that card and
    the one that won the trick, which the soloist would rather have played. Instead of tricks needed: suits of
    which the first is out, whether the second is out of any, and suits held without an exit.
    """
    seat = table.seat
    first, second = ((seat + 1) % 4, (seat + 3) % 4) if seat == soloist else (soloist, partner(seat))
    out = [[table.voids.get(by, 0) >> 16 * suit & 1 for suit in range(4)] for by in (first, second)]
    voids = [one + 2 * other for one, other in zip(*out, strict=True)]
    led = [0, 0, 0, 0]
    for trick in view.tricks:
        lead = trick.plays[0][1].suit
        card = next(card for by, card in trick.plays if by == soloist)
        if card.suit == lead:
            rank, won = (table.rank(dict(trick.plays)[by]) for by in (soloist, trick.winner))
            below = (unseen[lead] & (1 << rank) - 1).bit_count()
            between = (unseen[lead] >> rank & (1 << won - rank) - 1).bit_count()
            led[lead] = 1 + 3 * clip(below, 4) + clip(between, 2)
        else:
            voids[card.suit] |= 4
    weak = sum(bool(mine) and not _exits(mine, theirs) for mine, theirs in zip(held, unseen, strict=True))
    needs = clip(sum(out[0]), 3) + 4 * any(out[1]), weak
    dry = 0
    if table.trick:
        lead = table.trick[0][1].suit
        waits = [by in table.waiting for by in (first, second)]
        dry = waits[0] * out[0][lead] + 2 * waits[1] * out[1][lead] + 4 * waits[0]
    return _Seats(voids, led, needs, dry)


def _exits(held: int, unseen: int) -> int:
    """Held ranks that beat no unseen one, where one is left to beat them."""
    return (held & (unseen & -unseen) - 1).bit_count() if unseen else 0


def packed_text() -> str:
    """The file of the weights, with the commands that made them."""
    return files(__package__).joinpath("policy.txt").read_text(encoding="ascii")


@cache
def packed_weights() -> bytes:
    """The weights of all nets as the core reads them."""
    return nets.decode_weights(packed_text())


def best_card(view: View, weights: bytes | None = None) -> Card:
    """The card that is rated highest; by other weights than the package's where given."""
    return nets.best_card(SHAPE, weights or packed_weights(), net_choice(view))


def shortfalls(view: View, most: float) -> list[float]:
    """Shortfall of each legal card: units by which it is rated below the best, at most `most`."""
    return nets.shortfalls(SHAPE, packed_weights(), net_choice(view), most)


def is_covered(view: View) -> bool:
    """Whether the nets know such a choice: a card, unless the soloist has taken a trick already."""
    facts = Facts.of(view.facts)
    return facts.phase == "play" and not facts.caught and isinstance(view.legal[0], Play)
