"""Small nets that rate the cards of Huutopussi by the knowledge of the seat to play.

`SHAPE` lists the features of the nets (`nousu.players.nets`), ``policy.txt`` holds their weights, and
`cpp/playouts/huutopussi_policy.h` rates every card the same. They decide about cards only; declarations,
questions and
answers stay with the rules of thumb. Since a seat must beat and must trump if it can, all cards that may be
played to a trick overtake it, or none does. ``python -m tools.training huutopussi FOLDER`` makes the weights.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nousu.engine.actions import Action, Play
from nousu.engine.cards import SUIT_SETS, TEN_BELOW_ACE, Card, CardSet, card_set
from nousu.engine.game import View
from nousu.engine.seats import Seat, partner, side
from nousu.games.huutopussi import PAIR, Facts, card_points, marriage_values
from nousu.players import nets
from nousu.players.huutopussi.rules import PACK, HuutopussiDeductions, deduce
from nousu.players.nets import NetChoice, NetShape, clip, count_masters

_SHARED = {
    "left": 9,  # cards in hand, less one
    "declarer": 5,  # nobody, me, the next seat, the partner, the last seat
    "needed": 18,  # tens of points that the declarer's side needs for the contract
    "open": 12,  # points not taken yet, by fifteens
    "trumps": 7,  # none declared; else own trumps
    "trumps_out": 9,  # unseen trumps
    "pair": 5,  # the dearest marriage that the seat may declare: none, 40 … 100
    "half": 5,  # the dearest of which the partner may hold the other half
    "ask": 3,  # suits of which the partner may hold the marriage, where the seat may ask in full
    "masters": 7,  # own cards that no unseen card of the suit beats
    "place": 7,  # the lead; else second to fourth hand, and whether the partner's card is the best so far
    "best_above": 6,  # the lead; else how many unseen cards of its suit beat the best so far
    "laid": 9,  # the lead; else the points in the trick, by fives
    "dry": 8,  # which of the others still to play are out of the suit led
    "trumpless": 8,  # which of the others hold no trump: the next seat, the partner, the last
    "led_unseen": 10,  # the lead; else how many cards of the suit led are unseen
    "declared": 5,  # marriages
    "rights": 8,  # which of the others may still declare from hand
}
_OWN = {
    "rank": 9,  # from the six to the ace
    "length": 7,  # of the suit, less one
    "unseen": 9,
    "above": 7,
    "from_top": 5,  # own cards of the suit above it
    "from_bottom": 5,
    "suit_masters": 4,
    "top_above": 6,  # unseen cards above the own highest
    "touching": 4,  # the own card below and the one above are as good
    "voids": 8,  # seats out of the suit: the next one, the partner, the last
    "led_by": 16,  # seats that led the suit in finished tricks: the seat itself and those
    "trump": 3,  # none declared, a trump, another suit
    "marriage": 12,  # _MARRIAGE of the suit; the same for a king or queen
    "worth": 5,  # of that marriage while it can be declared: nothing, 40 … 100
    "among": 4,  # the lowest, and the highest, of its suit that may be played
    "gap": 7,  # does not beat in the same suit; else how many unseen cards lie between the best so far and it
    "longer": 4,  # own suits that are longer
    "top_left": 7,  # nothing; else unseen cards above the highest of the suit that is left
    "over": 8,  # which of the others still to play may hold a higher card of the suit
    "ruffed": 8,  # which of them may have to trump it
    "partner": 4,  # known to hold of the suit: nothing, lower cards, a higher one, one that no other beats
}
_SITUATIONS = ("lead", "lead_with_trumps", "overtaking", "under", "discard")
_MARRIAGE = ("gone", "mine", "half_known", "half_possible", "half_elsewhere", "unseen")
"""A marriage cannot be declared any more; the seat holds it, or half of it and the partner holds, may hold,
or does not hold the other half; nobody has shown any of it."""
SHAPE = NetShape(_SHARED, _OWN, _SITUATIONS)


class _TableView(NamedTuple):
    """The table by suits, whose ranks are sets in order of strength."""

    table: HuutopussiDeductions
    facts: Facts
    values: str
    """The values of cards."""
    legal: tuple[Card, ...]
    others: tuple[Seat, ...]
    """The next seat, the partner, the last."""
    waiting: tuple[Seat, ...]
    """The others that still play to the trick."""
    held: list[int]
    unseen: list[int]
    lacking: list[int]
    """Seats among the others that have none of a suit, by suit."""
    marriage: list[int]
    """`_MARRIAGE` of each suit."""
    worth: list[int]
    """The worth of each suit's marriage: 1 for 40 points to 4 for 100."""
    best: tuple[Seat, Card] | None
    """The play that wins the trick so far."""
    led: int
    """The suit led."""


def net_choice(view: View, table: HuutopussiDeductions | None = None) -> NetChoice:
    """The choice of the seat of `view`, which has to play a card, as the nets see it."""
    table = table or deduce(view)
    facts, seat = Facts.of(view.facts), table.seat
    others = (seat + 1) % 4, partner(seat), (seat + 3) % 4
    legal = tuple(action.card for action in view.legal if isinstance(action, Play))
    best = table.best()
    view_of_table = _TableView(
        table,
        facts,
        view.rules.card_values,
        legal,
        others,
        others[: 3 - len(table.trick)],
        [_ordered(table.hand, suit) for suit in range(4)],
        [_ordered(table.unseen, suit) for suit in range(4)],
        [_bits(not table.possible[other] & SUIT_SETS[suit] for other in others) for suit in range(4)],
        [_marriage(table, facts, suit) for suit in range(4)],
        [points // 20 - 1 for points in marriage_values(view.rules)],
        best,
        -1 if best is None else table.trick[0][1].suit,
    )
    if best is None:
        situation = int(facts.trump is not None)
    elif table.beats(legal[0], best[1]):
        situation = 2
    else:
        situation = 3 if legal[0].suit in (view_of_table.led, facts.trump) else 4
    leads = [[trick.leader for trick in view.tricks if trick.plays[0][1].suit == suit] for suit in range(4)]
    led_by = [_bits(other in leads[suit] for other in (seat, *others)) for suit in range(4)]
    lasting = card_points(PACK, view_of_table.values) + view.rules.last_trick - sum(facts.cards)
    own = tuple(_of_card(view_of_table, card, led_by[card.suit]) for card in legal)
    return NetChoice(situation, legal, _of_choice(view_of_table, lasting), own)


def _of_choice(shown: _TableView, lasting: int) -> tuple[int, ...]:
    """The features `_SHARED`; `lasting` points are not taken yet."""
    table, facts, trump, best = shown.table, shown.facts, shown.facts.trump, shown.best
    seat, mate, declarer = table.seat, partner(table.seat), facts.declarer
    needed = 0 if declarer is None else (facts.contract or 0) - facts.taken[side(declarer)]
    marriages = list(zip(shown.marriage, shown.worth, strict=True))
    possible = sum(
        state == 5 and not PAIR[suit] & ~table.possible[mate] for suit, state in enumerate(shown.marriage)
    )
    place = best_above = laid = dry = led_unseen = 0
    if best is not None:
        on = card_set(card for _, card in table.trick)
        place = 2 * len(table.trick) - 1 + (side(best[0]) == side(seat))
        best_above = 1 + clip((shown.unseen[best[1].suit] >> _rank(best[1])).bit_count(), 4)
        laid = 1 + clip(card_points(on, shown.values) // 5, 7)
        dry = shown.lacking[shown.led] & (1 << len(shown.waiting)) - 1
        led_unseen = 1 + clip(shown.unseen[shown.led].bit_count(), 8)
    return (
        table.hand.bit_count() - 1,
        0 if declarer is None else 1 + (declarer - seat) % 4,
        clip((needed + 9) // 10, 17),
        clip(lasting // 15, 11),
        0 if trump is None else 1 + clip(shown.held[trump].bit_count(), 5),
        0 if trump is None else clip(shown.unseen[trump].bit_count(), 8),
        max(worth * (state == 1 and facts.may_declare_own[seat]) for state, worth in marriages),
        max(worth * (state in (2, 3)) for state, worth in marriages),
        clip(possible, 2) if facts.may_ask_full[seat] else 0,
        clip(sum(map(count_masters, shown.held, shown.unseen)), 6),
        place,
        best_above,
        laid,
        dry,
        0 if trump is None else shown.lacking[trump],
        led_unseen,
        clip(len(facts.marriages), 4),
        _bits(facts.may_declare_own[other] for other in shown.others),
    )


def _of_card(shown: _TableView, card: Card, led_by: int) -> tuple[int, ...]:
    """The features `_OWN` of a card that may be played."""
    table, trump, suit, rank = shown.table, shown.facts.trump, card.suit, _rank(card)
    mine, out, state = shown.held[suit], shown.unseen[suit], shown.marriage[suit]
    higher, lower = mine >> rank + 1, mine & (1 << rank) - 1
    above, left = (out >> rank).bit_count(), mine & ~(1 << rank)
    may = _ordered(card_set(map(int, shown.legal)), suit)
    led = suit if shown.best is None else shown.led
    ruffed = gap = of_partner = 0
    if trump is not None and trump not in (suit, led):
        ruffed = _bits(
            bool(table.possible[other] & SUIT_SETS[trump]) and not table.known[other] & SUIT_SETS[led]
            for other in shown.waiting
        )
    if shown.best is not None and suit == shown.best[1].suit and rank > _rank(shown.best[1]):
        gap = 1 + clip((out >> _rank(shown.best[1])).bit_count() - above, 5)
    if partners := _ordered(table.known[partner(table.seat)], suit):
        of_partner = 1 if not partners >> rank else 2 if out & ~partners > partners else 3
    return (
        rank,
        clip(mine.bit_count() - 1, 6),
        clip(out.bit_count(), 8),
        clip(above, 6),
        clip(higher.bit_count(), 4),
        clip(lower.bit_count(), 4),
        clip(count_masters(mine, out), 3),
        clip((out >> mine.bit_length() - 1).bit_count(), 5),
        int(bool(lower) and (out >> lower.bit_length() - 1).bit_count() == above)
        + 2 * (bool(higher) and (out >> rank + (higher & -higher).bit_length()).bit_count() == above),
        shown.lacking[suit],
        led_by,
        0 if trump is None else 1 if suit == trump else 2,
        state + 6 * (state > 0 and bool(1 << card & PAIR[suit])),
        shown.worth[suit] if state else 0,
        int(not may & (1 << rank) - 1) + 2 * (not may >> rank + 1),
        gap,
        sum(ranks.bit_count() > mine.bit_count() for ranks in shown.held),
        0 if not left else 1 + clip((out >> left.bit_length() - 1).bit_count(), 5),
        _bits(_ordered(table.possible[other], suit) >> rank for other in shown.waiting),
        ruffed,
        of_partner,
    )


def _marriage(table: HuutopussiDeductions, facts: Facts, suit: int) -> int:
    """The state of a suit's marriage, as a place in `_MARRIAGE`."""
    mine, out = table.hand & PAIR[suit], table.unseen & PAIR[suit]
    if mine | out != PAIR[suit] or any(marriage.suit == suit for marriage in facts.marriages):
        return 0
    if not mine or not out:
        return 1 if mine else 5
    mate = partner(table.seat)
    return 2 if table.known[mate] & out else 3 if table.possible[mate] & out else 4


def _rank(card: Card) -> int:
    """The strength of a card in its suit, from 0 for the six to 8 for the ace."""
    return TEN_BELOW_ACE[card.rank]


def _ordered(cards: CardSet, suit: int) -> int:
    """The cards of a suit as a set of ranks in order of strength: the ten above the king."""
    ranks = cards >> 16 * suit + 4 & 0x1FF
    return ranks & 0x10F | ranks >> 1 & 0x70 | ranks << 3 & 0x80


def _bits(values: Iterable[object]) -> int:
    """A set of places as bits, the first the lowest: those at which the value holds."""
    return sum(bool(value) << at for at, value in enumerate(values))


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


def shortfalls(view: View, most: float) -> dict[Action, float]:
    """Shortfall of each legal card: units by which it is rated below the best, at most `most`."""
    choice = net_choice(view)
    rated = nets.shortfalls(SHAPE, packed_weights(), choice, most)
    return {Play(card): less for card, less in zip(choice.cards, rated, strict=True)}


def is_covered(view: View) -> bool:
    """Whether the nets know such a choice, once a card and no word is to be chosen."""
    return Facts.of(view.facts).phase == "play"
