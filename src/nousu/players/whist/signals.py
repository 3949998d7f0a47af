"""The code of signals: small cards by which a seat tells of its hand, the same for people and players.

`CODE` is the whole agreement. A rule says on which occasion a card tells something, and of what: of the cards
that are free there (`free_ranks`) a seat plays a higher one for yes and its lowest for no. Both sides know
the code, and both read it. It holds where the rules allow agreed signals (T-CAT-38), and never in a
tournament.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from nousu.engine.cards import LANE, Card, CardSet, card_set
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, partner
from nousu.games.whist import Facts, Rules, of_a_tournament
from nousu.players.worlds import World, played_by

Kind = Literal["high", "low"]
Occasion = Literal["partner_led", "others_led", "first_discard"]
SMALL = (1 << 8) - 1
"""Ranks of the small cards, 2 to 9."""
HONOURS = 0b111 << 10
"""Ranks of queen, king and ace."""
LOWEST = 0b111
"""Ranks of 2, 3 and 4."""
KNOWS = 0.7
"""The share of seats that are believed to know the code; the small cards of others tell nothing."""
KEPT = 0.95
"""How often a seat that knows the code plays by it: `expert` does in 93 % of the occasions of a rami."""


class Rule(NamedTuple):
    """A rule of the code: what a higher card tells, by the ranks held in its suit before it is played."""

    tells: Callable[[int], bool]
    words: str


def _has_honour(held: int) -> bool:
    return bool(held & HONOURS)


def _is_even(held: int) -> bool:
    return held.bit_count() % 2 == 0


def _has_low_card(held: int) -> bool:
    return bool(held & LOWEST)


_NOLO = Rule(
    _has_low_card,
    sentence(
        "Nolo: of cards that do the same, the highest says that you hold a 2, 3 or 4 of that suit, the "
        "lowest that you hold none."
    ),
)
CODE: Mapping[tuple[Kind, Occasion], Rule] = {
    ("high", "partner_led"): Rule(
        _has_honour,
        sentence(
            "Rami, your partner has led: a higher small card says that you hold the ace, king or queen of "
            "that suit, your lowest that you do not."
        ),
    ),
    ("high", "others_led"): Rule(
        _is_even,
        sentence(
            "Rami, the others have led: a higher small card says that you hold an even number of that suit, "
            "this card included, your lowest an odd number."
        ),
    ),
    ("high", "first_discard"): Rule(
        _has_honour,
        sentence(
            "Rami, your first discard: a higher small card says that you hold the ace, king or queen of its "
            "suit, your lowest that you do not."
        ),
    ),
    ("low", "partner_led"): _NOLO,
    ("low", "others_led"): _NOLO,
    ("low", "first_discard"): _NOLO,
}
CARD = (
    *dict.fromkeys(rule.words for rule in CODE.values()),
    sentence("Small cards are 2 to 9. A card that takes the trick says nothing."),
)
"""The card of signals: the code in sentences."""


def are_agreed(rules: Rules) -> bool:
    """Whether the code holds at a table with these rules."""
    is_tuppi = rules.score_model == "single_riser"
    return is_tuppi and rules.table_talk == "agreed_signals" and not of_a_tournament(rules)


class Sign(NamedTuple):
    """A card on an occasion of the code."""

    seat: Seat
    card: Card
    kind: Kind
    occasion: Occasion
    best: int
    """The rank that wins the trick before it, of the same suit; −1 for a discard."""
    gone: int
    """Ranks of its suit played before it."""
    shown: int
    """Ranks of its suit known to have been held before it: its own, and all played since."""


def free_ranks(sign: Sign, held: int) -> int:
    """The ranks among which a seat may choose to say something, of those held before the card; 0 for none.

    In a rami they are the small cards that do not take the trick; in a nolo, where the height of a card
    matters, those that do the same: no card in another hand lies between them.
    """
    rank, best = sign.card.rank, sign.best
    if sign.kind == "high":
        free = held & SMALL if best < 0 else held & SMALL & (1 << best) - 1
        return free if free >> rank & 1 else 0
    known = (held | sign.gone) & ~(1 << best if best >= 0 else 0)
    low = high = rank
    while low and known >> low - 1 & 1:
        low -= 1
    while known >> high + 1 & 1:
        high += 1
    return held & (2 << high) - (1 << low)


def keeps_code(sign: Sign, held: int) -> bool | None:
    """Whether a sign is by the code if these ranks were held before it; None where there was no choice."""
    free = free_ranks(sign, held)
    if not free & (free - 1):
        return None
    is_higher = bool(free & (1 << sign.card.rank) - 1)
    return is_higher == CODE[sign.kind, sign.occasion].tells(held)


def world_likelihoods(view: View, worlds: Sequence[World]) -> list[float]:
    """The likelihood of all signs of the other seats, in each world.

    Each seat either knows the code or does not. So a wrong sign excludes no deal, and a seat that is seen to
    play against the code is believed less.
    """
    found = [1.0] * len(worlds)
    by_seat: dict[Seat, list[Sign]] = {}
    for sign in signs(view):
        by_seat.setdefault(sign.seat, []).append(sign)
    for seat, given in by_seat.items():
        known: dict[int, float] = {}
        suits = sum(LANE << 16 * suit for suit in {sign.card.suit for sign in given})
        for at, world in enumerate(worlds):
            hand = world.hands[seat] & suits
            value = known.get(hand)
            if value is None:
                value = known[hand] = seat_likelihood(given, hand)
            found[at] *= value
    return found


def seat_likelihood(given: Sequence[Sign], hand: CardSet) -> float:
    """The likelihood of the signs of one seat if this is left in its hand."""
    by_code, by_chance = KNOWS, 1 - KNOWS
    for sign in given:
        keeps = keeps_code(sign, hand >> 16 * sign.card.suit & LANE | sign.shown)
        if keeps is not None:
            by_code *= KEPT if keeps else 1 - KEPT
            by_chance *= 0.5
    return by_code + by_chance


def signs(view: View) -> list[Sign]:
    """The signs of the other seats so far."""
    kind = _kind(view)
    if kind is None:
        return []
    found: list[Sign] = []
    gone, played, discarded = 0, [0] * 4, 0
    for plays in [*(trick.plays for trick in view.tricks), view.trick]:
        best: Card | None = None
        for seat, card in plays:
            ranks = gone >> 16 * card.suit & LANE
            if best is not None and seat != view.seat:
                follows = card.suit == best.suit
                occasion = _occasion(seat, plays[0][0], follows, bool(discarded >> seat & 1))
                if occasion:
                    found.append(Sign(seat, card, kind, occasion, best.rank if follows else -1, ranks, 0))
            discarded |= (best is not None and card.suit != best.suit) << seat
            if best is None or (card.suit == best.suit and card > best):
                best = card
            gone |= 1 << card
            played[seat] |= 1 << card
    return [
        sign._replace(shown=played[sign.seat] >> 16 * sign.card.suit & LANE & ~sign.gone) for sign in found
    ]


def _kind(view: View) -> Kind | None:
    kind = Facts.of(view.facts).kind
    return None if kind == "sooli" else kind


def _occasion(seat: Seat, leader: Seat, follows: bool, has_discarded: bool) -> Occasion | None:
    """The occasion of a card to a trick; None where it says nothing."""
    if not follows:
        return None if has_discarded else "first_discard"
    return "partner_led" if leader == partner(seat) else "others_led"


def own_sign(view: View, card: Card) -> Sign | None:
    """The sign that the seat of `view` would give with a card; None where it would say nothing."""
    kind, seat = _kind(view), view.seat
    if kind is None or seat is None or not view.trick:
        return None
    leader, led = view.trick[0]
    follows = card.suit == led.suit
    has_discarded = any(
        by == seat and one.suit != trick.plays[0][1].suit for trick in view.tricks for by, one in trick.plays
    )
    occasion = _occasion(seat, leader, follows, has_discarded)
    if occasion is None:
        return None
    best = max(one.rank for _, one in view.trick if one.suit == led.suit) if follows else -1
    gone, held = [cards >> 16 * card.suit & LANE for cards in (sum(played_by(view)), card_set(view.cards))]
    sign = Sign(seat, card, kind, occasion, best, gone, held)
    free = free_ranks(sign, held)
    return sign if free & (free - 1) else None


def is_by_code(view: View, card: Card) -> bool:
    """Whether a card of the seat of `view` says by the code what its hand is."""
    sign = own_sign(view, card)
    return sign is not None and bool(keeps_code(sign, sign.shown))


def code_card(view: View, alike: Sequence[Card]) -> Card | None:
    """The card of the code among cards of one suit that do as well; None where the code is silent."""
    sign = next(filter(None, (own_sign(view, card) for card in alike)), None)
    if sign is None:
        return None
    free = free_ranks(sign, sign.shown)
    choices = [card for card in alike if free >> card.rank & 1]
    return max(choices) if CODE[sign.kind, sign.occasion].tells(sign.shown) else min(choices)


def card_of_signals(rules: object) -> tuple[str, ...]:
    """The code as sentences for the people at a table with these rules; empty where it does not hold."""
    return CARD if isinstance(rules, Rules) and are_agreed(rules) else ()
