"""The worlds of Tuppen: hands, packets laid face down, and the rest of the stock.

New cards come from the top of the stock, so a packet laid down by a seat is what it was dealt (or got for the
packet before), and its hand is what it got last. An honest packet holds pictures only.
"""

from collections.abc import Iterator, Sequence, Set
from functools import partial as bind
from itertools import combinations
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Give
from nousu.engine.cards import DECK_32, TEN_HIGH, CardSet, card_set, cards_of, in_order
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.engine.tricks import Duties
from nousu.games.tuppen import KEEP, PICTURES, SEVENS, Facts, is_true_claim, may_bluff
from nousu.players.card_placements import Placements
from nousu.players.worlds import Case, World, Worlds, cards_ruled_out, original_hand, played_by

_PACK = card_set(DECK_32)
_FOLLOW = Duties(TEN_HIGH)


class _Packet(NamedTuple):
    """Four cards laid down: their owner, and the cards if the viewer knows them."""

    owner: Seat
    cards: CardSet


def _packets(view: View) -> list[_Packet]:
    """The packets in the order in which they were laid down."""
    laid = [by for by, action in view.heard if isinstance(action, Give)]
    own = [
        card_set(action.cards) for by, action in view.heard if isinstance(action, Give) and by == view.seat
    ]
    packets: list[_Packet] = []
    for owner, packet in zip(laid, Facts.of(view.facts).packets, strict=True):
        packets.append(_Packet(owner, own.pop(0) if owner == view.seat else card_set(packet.cards)))
    return packets


class _ForcedWorlds(Worlds):
    """Worlds in which nobody has kept cards that had to be laid down (A-U-30); `count` is an upper bound."""

    def __init__(self, cases: Sequence[Case], view: View) -> None:
        super().__init__(cases)
        kept = {by for by, action in view.heard if action == KEEP}
        self._kept = [(seat, played_by(view)[seat]) for seat in kept if seat != view.seat]
        self._rules = view.rules

    def _may_be(self, world: World) -> bool:
        return not any(is_true_claim(self._rules, world.hands[seat] | gone) for seat, gone in self._kept)

    def sample(self, rng: Random) -> World:
        while not self._may_be(world := super().sample(rng)):
            pass
        return world

    def every(self, rng: Random) -> Iterator[tuple[World, int]]:
        return (one for one in super().every(rng) if self._may_be(one[0]))


def worlds(view: View) -> Worlds:
    """The worlds of a view of Tuppen."""
    packets = _packets(view)
    honest = not may_bluff(view.rules, Facts.of(view.facts).kind)
    cases = _cases(view, packets, set(range(len(packets))) if honest else set(), 1)
    return _ForcedWorlds(cases, view) if view.rules.four_pictures == "compulsory" else Worlds(cases)


def worlds_with_lies(view: View, lies: tuple[int, int]) -> Worlds:
    """The worlds of a view, packets of others believed as far as people lie.

    `lies` are two numbers: of the second number of hands without four pictures people lay the first one down.
    """
    packets, (false, of) = _packets(view), lies
    closed = [at for at, packet in enumerate(packets) if not packet.cards]
    if not may_bluff(view.rules, Facts.of(view.facts).kind):
        return worlds(view)
    cases = []
    for count in range(len(closed) + 1):
        ways = (of - false) ** count * false ** (len(closed) - count)
        for some in combinations(closed, count):
            cases += _cases(view, packets, set(some), ways)
    return Worlds(cases)


def _cases(view: View, packets: Sequence[_Packet], honest: Set[int], ways: int) -> list[Case]:
    """The worlds in which these packets are true: each of pictures, or also with a seven (A-U-31)."""
    if not view.rules.white_wash:
        return [_case(view, packets, honest, set(), ways)]
    closed = [at for at in honest if not packets[at].cards]
    washes = (some for count in range(len(closed) + 1) for some in combinations(closed, count))
    return [_case(view, packets, honest, set(some), ways) for some in washes]


def _case(view: View, packets: Sequence[_Packet], honest: Set[int], washed: Set[int], ways: int) -> Case:
    """The worlds in which the honest packets hold pictures only, the washed ones also a seven."""
    played = sum(played_by(view))
    known = card_set(view.cards) | played
    for packet in packets:
        known |= packet.cards
    hidden = _PACK & ~known
    not_held = [0] * len(view.counts)
    for plays in [*(trick.plays for trick in view.tricks), view.trick]:
        for upto in range(2, len(plays) + 1):
            seat, barred = cards_ruled_out(hidden, plays[:upto], len(view.counts), _FOLLOW)
            not_held[seat] |= barred
    seats = [seat for seat, count in enumerate(view.counts) if seat != view.seat and count]
    slots: list[tuple[int, int, CardSet]] = []
    for at in [at for at, packet in enumerate(packets) if not packet.cards]:
        whole = (at, 4, PICTURES if at in honest else _PACK)
        slots += [(at, 3, PICTURES), (at, 1, SEVENS)] if at in washed else [whole]
    sizes = [view.counts[seat] for seat in seats] + [size for _, size, _ in slots]
    sizes.append(hidden.bit_count() - sum(sizes))
    allowed = {}
    for card in cards_of(hidden):
        bits = 1 << len(sizes) - 1
        for at, seat in enumerate(seats):
            bits |= (not not_held[seat] >> card & 1) << at
        for at, (_, _, fit) in enumerate(slots):
            bits |= (fit >> card & 1) << len(seats) + at
        allowed[int(card)] = bits
    world = bind(_world, view, tuple(packets), tuple(seats), tuple(at for at, _, _ in slots))
    return Case(Placements(allowed, sizes), world, ways)


def _world(
    view: View,
    packets: tuple[_Packet, ...],
    seats: tuple[Seat, ...],
    closed: tuple[int, ...],
    lying: tuple[CardSet, ...],
    rng: Random,
) -> World:
    hands = [0] * len(view.counts)
    for seat, cards in zip(seats, lying, strict=False):
        hands[seat] = cards
    if view.seat is not None:
        hands[view.seat] = card_set(view.cards)
    laid = [packet.cards for packet in packets]
    for at, cards in zip(closed, lying[len(seats) : -1], strict=True):
        laid[at] |= cards
    last = [cards | past for cards, past in zip(hands, played_by(view), strict=True)]
    # The new cards for a packet are the seat's next packet, or its hand in the end.
    received = list(last)
    stock: list[CardSet] = [0] * len(packets)
    for at in range(len(packets) - 1, -1, -1):
        stock[at] = received[packets[at].owner]
        received[packets[at].owner] = laid[at]
    rest = list(cards_of(lying[-1]))
    rng.shuffle(rest)
    if view.seat is not None:
        received[view.seat] = original_hand(view)
    top = tuple(card for cards in stock for card in cards_of(cards))
    given = tuple(in_order(cards_of(cards)) for cards in laid)
    return World(tuple(hands), tuple(received), (*top, *rest), given)
