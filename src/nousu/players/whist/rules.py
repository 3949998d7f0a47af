"""Rules of thumb for the whist family: the choices of an experienced player without deep counting.

Bids follow the strength of the hand, the score of the match and the place of the bid (`bid_lines`);
`nousu.players.whist.card_rules` plays the cards.
"""

from collections.abc import Iterable
from functools import cache
from math import inf
from random import Random

from nousu.engine.actions import Give, Seal, Show
from nousu.engine.cards import (
    ACE_LOW,
    LANE,
    Card,
    CardSet,
    card_set,
)
from nousu.engine.game import View
from nousu.engine.seats import Seat, side
from nousu.games.whist import END, PASS, SOOLI, Facts, Rules, bid_in, bid_order, call_of, colour, sealed
from nousu.players import Choice, choice_because
from nousu.players.skill import FULL, Attention
from nousu.players.whist import card_rules
from nousu.players.whist.bid_lines import bid_line, bid_strength

HIGH_BID = 12.2
"""Strength from which a hand is bid high (see `bid_strength`) where the lines of no score are known. Tried
against 11.3 and 13.1 in the arena."""
PLACES = (0.15, -0.2, -0.9, -1.5)
"""Strength that such a line takes more, by when the bid is turned up: after the first bid the three others
may yet be high, before the last none was. There the bids came to rest, in Tuppi as in Minnesota, when each
seat in turn bid what brought it most in 150,000 deals played out by the nets."""
HIGH_COUNT = 10.0
"""The line for players that count pictures and long suits (`beginner_strength`): as many hands are bid
high."""
SOOLI_DANGER = 1.8
"""The most danger (see `danger`) with which sooli is called when one card is exchanged."""
SOOLI_DANGER_BARE = 1.1
"""`SOOLI_DANGER` where no card is exchanged."""


def choose(view: View, seed: int) -> Choice:
    """The action of a careful player for the seat of `view`."""
    return choose_with_skill(view, seed, FULL)


def choose_with_skill(view: View, seed: int, attention: Attention) -> Choice:
    """The action of a player with this much attention."""
    legal = view.legal
    if END in legal:
        return choice_because(END, "The rising side can no longer score")
    if len(legal) == 1:
        return Choice(legal[0])
    rng = Random(seed)
    match Facts.of(view.facts).phase:
        case "bid":
            return _bid(view, rng, attention)
        case "auction":
            return _speak(view, attention)
        case "sooli":
            return _sooli(view)
        case "discard" | "return":
            return _throw(view)
        case "give":
            return _helpful(view)
    return card_rules.choose(view, attention)


# ----------------------------------------------------------------------------------------- bidding


@cache
def _suit_strength(ranks: int) -> float:
    """Strength of one suit for a high hand: its honours; length brings none.

    In the ratio of the tricks they bring by regression over solved ramis (A 1.58, K 1.09, Q 0.64, J 0.27).
    """
    return sum(points for rank, points in ((12, 4.0), (11, 2.76), (10, 1.62), (9, 0.68)) if ranks >> rank & 1)


def high_strength(cards: CardSet) -> float:
    """Strength of a hand for winning tricks; 9 is average."""
    return sum(_suit_strength(cards >> 16 * suit & LANE) for suit in range(4))


def beginner_strength(cards: CardSet) -> float:
    """The strength of a hand as beginners see it, on the scale of `bid_strength`.

    A picture is a picture, and a long suit promises tricks.
    """
    total = 0.0
    for suit in range(4):
        ranks = cards >> 16 * suit & LANE
        total += 2.0 * (ranks >> 9).bit_count() + 1.0 * max(0, ranks.bit_count() - 4)
    return total


def wants_high(view: View, attention: Attention = FULL) -> bool:
    """Whether this hand is bid high, by its strength, the score and the place of its bid."""
    if not attention.bids:
        return beginner_strength(card_set(view.cards)) >= HIGH_COUNT
    assert view.seat is not None
    return bid_strength(card_set(view.cards)) >= high_bid_strength(view, view.seat)


def high_bid_strength(view: View, seat: Seat) -> float:
    """The strength from which `seat` bids high at this score and table."""
    rules: Rules = view.rules
    place = bid_order(rules, view.setup.dealer).index(seat)
    line = bid_line(view.setup.tally, side(seat), place)
    if line is not None:
        return line
    dear = rules.high_fail_points + rules.high_fail_debit > rules.high_points
    return HIGH_BID + PLACES[place] + (0.5 if dear else -0.5)


def _bid(view: View, rng: Random, attention: Attention) -> Choice:
    return sealed_bid(view, wants_high(view, attention), rng)


def sealed_bid(view: View, high: bool, rng: Random) -> Choice:
    """The bid card (or word) laid face down for high or low."""
    wanted = colour(high, view.rules)
    bids = (bid_in(action) for action in view.legal if isinstance(action, Seal))
    cards = [bid for bid in bids if isinstance(bid, Card) and wanted >> bid & 1]
    message = "Strong enough to win tricks" if high else "Too weak to promise tricks"
    if cards:
        return choice_because(Seal(_quiet_card(cards, view.cards, high, rng)), message)
    spoken = sealed(view.rules.words[0 if high else 1])
    if spoken in view.legal:
        return choice_because(spoken, message)
    shown = next((action for action in view.legal if isinstance(action, Show)), None)
    if shown is not None:
        return choice_because(shown, "A hand of one colour is better dealt again")
    return Choice(rng.choice(view.legal))


def _quiet_card(cards: list[Card], hand: tuple[Card, ...], high: bool, rng: Random) -> Card:
    """A bid card that tells little, from a long suit: small for a high hand, middling for a low one.

    Chance decides between equals.
    """
    lengths = [sum(card.suit == suit for card in hand) for suit in range(4)]
    rng.shuffle(cards)
    if high:
        return min(cards, key=lambda card: (card.rank, -lengths[card.suit]))
    return max(cards, key=lambda card: (lengths[card.suit], card.rank))


def _speak(view: View, attention: Attention) -> Choice:
    high, low = map(call_of, view.rules.words)
    if wants_high(view, attention):
        return choice_because(high, "Strong enough to win tricks")
    if low in view.legal and high_strength(card_set(view.cards)) <= 6.3:
        return choice_because(low, "Weak enough to lose tricks")
    return choice_because(PASS, "Too weak to promise tricks")


# ------------------------------------------------------------------------------------------- sooli


@cache
def _suit_danger(ranks: int) -> float:
    """Danger of one suit (bits by strength, ace low) for a player who must win no trick.

    Two opponents who play their lowest cards use up two of them a round, so the i-th lowest card is
    safe while at least 2i + 2 smaller or interleaved cards are with the others.
    """
    held = [rank for rank in range(13) if ranks >> rank & 1]
    if not held:
        return 0.0
    total = 0.0
    for at, rank in enumerate(held[:4]):
        below = rank - at
        slack = below - 1.3 * (at + 1)
        left_over = 13 - len(held) - below
        if left_over == 0 and at == 0 and len(held) < 13:
            total += 3.0
        elif slack > 0:
            total += slack * (0.55, 0.3, 0.16, 0.08)[at]
    return total


@cache
def suit_danger(ranks: int) -> tuple[float, float]:
    """The danger of one suit (bits by rank), and how much of it one card less takes off at the most."""
    in_order = [1 << ACE_LOW[rank] for rank in range(13) if ranks >> rank & 1]
    whole = sum(in_order)
    danger = _suit_danger(whole)
    return danger, max((danger - _suit_danger(whole - card) for card in in_order), default=-inf)


def danger(cards: CardSet) -> float:
    """Danger of being caught in a sooli with a hand; 0 is quite safe, above 2 mostly lost."""
    return sum(suit_danger(cards >> 16 * suit & LANE)[0] for suit in range(4))


def danger_left(cards: CardSet, rules: Rules) -> float:
    """The danger of the hand once a soloist has thrown away the card that may be thrown."""
    dangers = [suit_danger(cards >> 16 * suit & LANE) for suit in range(4)]
    relief = 0.0 if rules.sooli_exchange == "none" else max([less for _, less in dangers])
    return sum([whole for whole, _ in dangers]) - relief


def may_call_sooli(cards: CardSet, rules: Rules) -> bool:
    """Whether a defender with this hand calls sooli."""
    allowed = SOOLI_DANGER_BARE if rules.sooli_exchange == "none" else SOOLI_DANGER
    return danger_left(cards, rules) <= allowed


def _worst(cards: CardSet, candidates: Iterable[Card]) -> Card:
    """The card whose loss makes the hand safest, the higher one of equals."""
    return min(candidates, key=lambda card: (danger(cards & ~(1 << card)), -ACE_LOW[card.rank], card))


def _sooli(view: View) -> Choice:
    if may_call_sooli(card_set(view.cards), view.rules):
        return choice_because(SOOLI, "Nothing in this hand has to win a trick")
    return choice_because(PASS, "Too many cards here would have to win")


def _throw(view: View) -> Choice:
    """Throw the most dangerous card of the soloist's hand away."""
    gifts = [action for action in view.legal if isinstance(action, Give)]
    worst = _worst(card_set(view.cards), (gift.cards[0] for gift in gifts))
    return choice_because(
        next(gift for gift in gifts if gift.cards[0] == worst), "Discard the most dangerous card"
    )


def _helpful(view: View) -> Choice:
    """The gift of the soloist's partner: a low card, from a suit where it holds others too.

    The soloist probably has some of the rest.
    """
    gifts = [action for action in view.legal if isinstance(action, Give)]
    lengths = [sum(card.suit == suit for card in view.cards) for suit in range(4)]
    best = min(gifts, key=lambda gift: (ACE_LOW[gift.cards[0].rank], lengths[gift.cards[0].suit]))
    return choice_because(best, "A low card helps the soloist")
