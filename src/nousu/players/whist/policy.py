"""Which card is usually best for somebody who sees only their own: small nets over what the seat knows.

Every card that may be played is rated by itself. What the seat knows of it is a row of small whole numbers
(`SHARED`, the same for all cards of a choice, and `OWN`); each value of each has a weight for every hidden
unit (``policy.txt``), and each of the six situations of a rami and a nolo has a net of its own. Nothing but
whole numbers is reckoned with, so `cpp/policy.h` rates every card the same, some hundred times as fast. The
weights are fitted to cards that were played out, not solved: ``python bench/policy.py`` makes them.
"""

from base64 import b85decode
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple
from zlib import decompress

from nousu.engine.actions import Play
from nousu.engine.cards import LANE, Card
from nousu.engine.game import View
from nousu.engine.seats import partner, side
from nousu.games.whist import BOOK, Facts
from nousu.players.whist.deduced import Deduced, table_of

HIDDEN = 32
"""Hidden units of each net."""
SHARED: Mapping[str, int] = {
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
"""What is the same for every card of a choice: how many values it has, the last one for all beyond."""
OWN: Mapping[str, int] = {
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
    "voids": 8,  # who is out of the suit: the next seat, the partner, the last
    "led_by": 16,  # who led the suit in finished tricks: the seat itself and those
    "rank": 13,
    "beating": 7,  # a lead, a discard; the highest loser, another; the cheapest winner, the highest, another
    "gap": 7,  # loses; else how many unseen cards lie between the best so far and it
    "longer": 4,  # own suits that are longer
    "top_left": 7,  # nothing; else unseen cards above the highest of the suit that is left
    "bottom_left": 8,
}
"""What is known of one card."""
_OWN = tuple(OWN.values())
_SHARED = tuple(SHARED.values())
INPUTS = sum(_SHARED) + sum(_OWN)
_STARTS = tuple(accumulate((*_SHARED, *_OWN), initial=0))
SITUATIONS = (
    "rami_lead",
    "rami_following",
    "rami_discard",
    "nolo_lead",
    "nolo_following",
    "nolo_discard",
)
UNIT = 65536
"""So much is one unit of what the nets were fitted to."""


class Known(NamedTuple):
    """A choice in a rami or a nolo as the nets are told of it."""

    situation: int
    cards: tuple[Card, ...]
    shared: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    """For each card."""


def known(view: View, table: Deduced | None = None) -> Known:
    """What the seat of `view`, which has to play a card of a rami or a nolo, knows."""
    table = table or table_of(view)
    facts = Facts.of(view.facts)
    seat, ours = table.seat, side(table.seat)
    others = (seat + 1) % 4, partner(seat), (seat + 3) % 4
    led = [0, 0, 0, 0]
    for trick in view.tricks:
        led[trick.plays[0][1].suit] |= 1 << (trick.leader - seat) % 4
    voids = [
        sum((table.voids.get(one, 0) >> 16 * suit & 1) << at for at, one in enumerate(others))
        for suit in range(4)
    ]
    held = [table.hand >> 16 * suit & LANE for suit in range(4)]
    unseen = [table.unseen >> 16 * suit & LANE for suit in range(4)]
    lengths = [ranks.bit_count() for ranks in held]
    best = table.best
    following = best is not None and table.legal[0].suit == best[1].suit
    shared = [
        max(view.counts),
        _most(BOOK + 1 - facts.tricks[ours], 7),
        _most(BOOK + 1 - facts.tricks[1 - ours], 7),
        0 if facts.bidder is None else 1 + (facts.bidder - seat) % 4,
        _most(sum(_masters(held[suit], unseen[suit]) for suit in range(4)), 7),
        _most(sum(_exits(held[suit], unseen[suit]) for suit in range(4)), 7),
    ]
    if best is None:
        shared += [0, 0, 0, 0]
    else:
        suit = best[1].suit
        waiting = (4 - len(table.trick)) - 1
        shared += [
            2 * len(table.trick) - 1 + (best[0] in table.friends),
            1 + _most((unseen[suit] >> best[1].rank).bit_count(), 4),
            voids[suit] & (1 << waiting) - 1,
            1 + _most(unseen[suit].bit_count(), 8),
        ]
    shared.append(_most(lengths.count(0), 3))
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
                gap = 1 + _most((out >> over).bit_count() - above, 5)
        own.append(
            (
                _most(lengths[suit] - 1, 7),
                _most(out.bit_count(), 12),
                _most(above, 8),
                _most((out & (1 << rank) - 1).bit_count(), 10),
                _most(higher.bit_count(), 5),
                _most(lower.bit_count(), 5),
                _most(_masters(mine, out), 4),
                _most((out >> top).bit_count(), 5),
                _most((out & (1 << bottom) - 1).bit_count(), 7),
                int(bool(lower) and (out >> lower.bit_length() - 1).bit_count() == above)
                + 2 * (bool(higher) and (out >> rank + (higher & -higher).bit_length()).bit_count() == above),
                voids[suit],
                led[suit],
                rank,
                beating,
                gap,
                sum(length > lengths[suit] for length in lengths),
                0 if not left else 1 + _most((out >> left.bit_length() - 1).bit_count(), 5),
                0 if not left else 1 + _most((out & (left & -left) - 1).bit_count(), 6),
            )
        )
    situation = 3 * (facts.kind == "low") + (0 if best is None else 1 if following else 2)
    return Known(situation, table.legal, tuple(shared), tuple(own))


def _most(value: int, most: int) -> int:
    """`value`, at least 0 and at most `most`."""
    return 0 if value < 0 else most if value > most else value


def _masters(held: int, unseen: int) -> int:
    """Held ranks that no unseen one beats."""
    return (held >> unseen.bit_length()).bit_count()


def _exits(held: int, unseen: int) -> int:
    """Held ranks that beat no unseen one, where one is left to beat them."""
    return (held & (unseen & -unseen) - 1).bit_count() if unseen else 0


class Net(NamedTuple):
    """The net of one situation."""

    weights: tuple[tuple[int, ...], ...]
    """For each input, a weight for each hidden unit."""
    out: tuple[int, ...]
    """What each hidden unit is worth."""


@cache
def packed() -> bytes:
    """The weights of all nets as the core reads them: numbers of 16 bits, the low byte first; for each
    situation those of every input, then those of the hidden units."""
    lines = files(__package__).joinpath("policy.txt").read_text(encoding="ascii").splitlines()
    return decompress(b85decode("".join(line for line in lines if not line.startswith("# "))))


@cache
def nets() -> tuple[Net, ...]:
    """The nets of all situations."""
    data = packed()
    rows = [
        tuple(
            int.from_bytes(data[at : at + 2], "little", signed=True)
            for at in range(start, start + 2 * HIDDEN, 2)
        )
        for start in range(0, len(data), 2 * HIDDEN)
    ]
    size = INPUTS + 1
    return tuple(Net(tuple(rows[at : at + INPUTS]), rows[at + INPUTS]) for at in range(0, len(rows), size))


def ratings(choice: Known) -> list[int]:
    """How good each card is; only differences mean something, `UNIT` being one."""
    net = nets()[choice.situation]
    shared = _summed(net, [start + value for start, value in zip(_STARTS, choice.shared, strict=False)])
    starts = _STARTS[len(_SHARED) : -1]
    found = []
    for own in choice.own:
        mine = _summed(net, [start + value for start, value in zip(starts, own, strict=True)])
        found.append(
            sum(worth * max(0, one + other) for worth, one, other in zip(net.out, shared, mine, strict=True))
        )
    return found


def _summed(net: Net, inputs: Sequence[int]) -> list[int]:
    return [sum(column) for column in zip(*(net.weights[one] for one in inputs), strict=True)]


def best(view: View) -> Card:
    """The card that is rated highest, the first in reading order of equals."""
    choice = known(view)
    rated = ratings(choice)
    return min(zip(choice.cards, rated, strict=True), key=lambda one: (-one[1], one[0]))[0]


def behind(view: View, most: float) -> list[float]:
    """For each legal card, by how many units it is rated below the best; at most `most`."""
    rated = ratings(known(view))
    return [min(most, (max(rated) - one) / UNIT) for one in rated]


def rates(view: View) -> bool:
    """Whether the nets know such a choice: a card of a rami or a nolo."""
    facts = Facts.of(view.facts)
    return facts.phase == "play" and facts.kind in ("high", "low") and isinstance(view.legal[0], Play)
