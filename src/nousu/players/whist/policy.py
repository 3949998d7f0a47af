"""Small nets that rate the cards of the whist family by the knowledge of the seat to play.

`SHAPE` lists the features of the nets (`nousu.players.nets`) in each of the six situations of a rami and a
nolo, ``policy.txt`` holds their weights, and `cpp/playouts/whist_policy.h` rates every card the same. The
weights are fitted
to cards that were played out, not solved: ``python -m tools.training tuppi FOLDER`` makes them.
"""

from functools import cache
from importlib.resources import files

from nousu.engine.actions import Play
from nousu.engine.cards import LANE, Card
from nousu.engine.game import View
from nousu.engine.seats import partner, side
from nousu.games.whist import BOOK, Facts
from nousu.players import nets
from nousu.players.nets import NetChoice, NetShape, clip, count_masters
from nousu.players.whist.inference import WhistDeductions, deduce

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
)
SHAPE = NetShape(_SHARED, _OWN, _SITUATIONS)


def net_choice(view: View, table: WhistDeductions | None = None) -> NetChoice:
    """The choice of the seat of `view`, which has to play a card of a rami or a nolo, as the nets see it."""
    table = table or deduce(view)
    facts = Facts.of(view.facts)
    seat, ours = table.seat, side(table.seat)
    others = (seat + 1) % 4, partner(seat), (seat + 3) % 4
    led = [0, 0, 0, 0]
    for trick in view.tricks:
        led[trick.plays[0][1].suit] |= 1 << (trick.leader - seat) % 4
    voids = [
        sum((table.voids.get(other, 0) >> 16 * suit & 1) << at for at, other in enumerate(others))
        for suit in range(4)
    ]
    held = [table.hand >> 16 * suit & LANE for suit in range(4)]
    unseen = [table.unseen >> 16 * suit & LANE for suit in range(4)]
    lengths = [ranks.bit_count() for ranks in held]
    best = table.best
    following = best is not None and table.legal[0].suit == best[1].suit
    shared = [
        max(view.counts),
        clip(BOOK + 1 - facts.tricks[ours], 7),
        clip(BOOK + 1 - facts.tricks[1 - ours], 7),
        0 if facts.bidder is None else 1 + (facts.bidder - seat) % 4,
        clip(sum(count_masters(held[suit], unseen[suit]) for suit in range(4)), 7),
        clip(sum(_exits(held[suit], unseen[suit]) for suit in range(4)), 7),
    ]
    if best is None:
        shared += [0, 0, 0, 0]
    else:
        suit = best[1].suit
        waiting = (4 - len(table.trick)) - 1
        shared += [
            2 * len(table.trick) - 1 + (best[0] in table.friends),
            1 + clip((unseen[suit] >> best[1].rank).bit_count(), 4),
            voids[suit] & (1 << waiting) - 1,
            1 + clip(unseen[suit].bit_count(), 8),
        ]
    shared.append(clip(lengths.count(0), 3))
    own = []
    for card in table.legal:
        suit, rank = card.suit, card.rank
        mine, out = held[suit], unseen[suit]
        higher, lower = mine >> rank + 1, mine & (1 << rank) - 1
        above = (out >> rank).bit_count()
        top, bottom = mine.bit_length() - 1, (mine & -mine).bit_length() - 1
        left = mine & ~(1 << rank)
        beating, gap = 0, 0
        if best is not None:
            beating = 1
        if following and best is not None:
            over = best[1].rank
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
    situation = 3 * (facts.kind == "low") + (0 if best is None else 1 if following else 2)
    return NetChoice(situation, table.legal, tuple(shared), tuple(own))


def _exits(held: int, unseen: int) -> int:
    """Held ranks that beat no unseen one, where one is left to beat them."""
    return (held & (unseen & -unseen) - 1).bit_count() if unseen else 0


@cache
def packed_weights() -> bytes:
    """The weights of all nets as the core reads them."""
    return nets.decode_weights(files(__package__).joinpath("policy.txt").read_text(encoding="ascii"))


def best_card(view: View, weights: bytes | None = None) -> Card:
    """The card that is rated highest; by other weights than the package's where given."""
    return nets.best_card(SHAPE, weights or packed_weights(), net_choice(view))


def shortfalls(view: View, most: float) -> list[float]:
    """Shortfall of each legal card: units by which it is rated below the best, at most `most`."""
    return nets.shortfalls(SHAPE, packed_weights(), net_choice(view), most)


def is_covered(view: View) -> bool:
    """Whether the nets know such a choice: a card of a rami or a nolo."""
    facts = Facts.of(view.facts)
    return facts.phase == "play" and facts.kind in ("high", "low") and isinstance(view.legal[0], Play)
