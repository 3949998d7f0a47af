"""The cards of the rule-based player of the whist family.

Leads, and second and third hand in a rami, follow habits fitted to solved deals (`card_features`); the rest
follows old rules of thumb: fourth hand as cheaply as possible, and in low games away with the cards that will
have to win.
"""

from collections.abc import Callable, Iterable
from typing import Any

from nousu.engine.actions import Play
from nousu.engine.cards import SUIT_SETS, Card, cards_of
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.engine.seats import Seat
from nousu.games.whist import Facts
from nousu.players import Choice
from nousu.players.skill import FULL, Attention
from nousu.players.whist.card_features import CardChoice, card_choice, rating
from nousu.players.whist.inference import WhistDeductions, deduce


def choose(view: View, attention: Attention = FULL) -> Choice:
    """The card for the seat of `view`, which has to play one."""
    facts = Facts.of(view.facts)
    table = deduce(view, attention)
    if facts.kind == "high" and not attention.weighs:
        chosen = _lead_by_maxim(table) if not table.trick else _follow_by_maxim(table)
    elif facts.kind == "high":
        spot = card_choice(view, table, attention)
        chosen = _lead_high(spot) if not table.trick else _follow_high(spot)
    elif facts.kind == "low" and not table.trick:
        weighed = attention.weighs
        chosen = _lead_nolo(card_choice(view, table, attention)) if weighed else _lead_lowest(table)
    elif facts.kind == "low":
        chosen = _follow_low(table) if attention.weighs else _follow_low_by_maxim(table)
    elif table.seat == facts.soloist:
        chosen = _follow_low(table) if table.trick else _lead_low(table)
    else:
        assert facts.soloist is not None
        chosen = _hunt(table, facts.soloist)
    card, note = chosen
    return Choice(Play(card), note)


_CardWithReason = tuple[Card, Note]


def _least(cards: Iterable[Card], key: Callable[[Card], Any]) -> Card:
    """The smallest by `key`; between equals the first in reading order."""
    return min(cards, key=lambda card: (key(card), card))


def _by_habit(habit: str, spot: CardChoice) -> Card:
    """The card that this habit rates highest."""
    return _least(spot.table.legal, lambda card: -rating(habit, spot, card))


def _lead_high(spot: CardChoice) -> _CardWithReason:
    """The lead that wins most tricks in solved deals, by habit."""
    table = spot.table
    card = _by_habit("rami_lead", spot)
    suit = spot.suits[card.suit]
    if table.above(card) == 0:
        return card, Note("", "This card is high now")
    if suit.sequence(card):
        return card, Note("", "The top of a sequence")
    if suit.led_by_partner:
        return card, Note("", "Back in the partner’s suit")
    if card == suit.held[-1] and len(suit.held) == max(len(other.held) for other in spot.suits):
        return card, Note("", "A small card of the longest suit")
    return card, Note("", "A lead like this costs least in solved deals")


def _lead_by_maxim(table: WhistDeductions) -> _CardWithReason:
    """The lead of beginners: a master, else a small card of the longest suit."""
    masters = [card for card in table.legal if table.above(card) == 0]
    if masters:
        best = _least(masters, lambda card: (-table.length(card.suit), -table.rank(card)))
        return best, Note("", "This card is high now")
    low = _least(table.legal, lambda card: (-table.length(card.suit), table.rank(card)))
    return low, Note("", "A small card of the longest suit")


def _follow_by_maxim(table: WhistDeductions) -> _CardWithReason:
    """Second hand low, third hand high, the last as cheaply as possible; never over a partner’s picture."""
    best = table.best
    assert best is not None
    winning = [card for card in table.legal if table.beats(card)]
    if not winning:
        return _least(table.legal, table.rank), Note("", "Nothing to win here")
    if best[0] in table.friends and (not table.waiting or best[1].rank >= 9):
        return _least(table.legal, table.rank), Note("", "The partner wins this trick")
    if not table.waiting:
        return _least(winning, table.rank), Note("", "Won as cheaply as possible")
    highest = max(winning, key=table.rank)
    if table.above(highest) == 0:
        return highest, Note("", "Sure to win")
    if len(table.trick) == 1:
        return _least(table.legal, table.rank), Note("", "Second hand plays low")
    return highest, Note("", "Third hand plays high")


def _follow_high(spot: CardChoice) -> _CardWithReason:
    table = spot.table
    best = table.best
    assert best is not None
    if table.legal[0].suit != table.trick[0][1].suit:
        return _discard_high(table)
    if table.waiting:
        return _habitual(spot, best)
    winning = [card for card in table.legal if table.beats(card)]
    if not winning:
        return _discard_high(table)
    if best[0] in table.friends:
        return _discard_high(table, Note("", "The partner wins this trick"))
    return _least(winning, table.rank), Note("", "Won as cheaply as possible")


def _habitual(spot: CardChoice, best: tuple[Seat, Card]) -> _CardWithReason:
    """Second or third hand, by the habits of each."""
    table = spot.table
    second = len(table.trick) == 1
    card = _by_habit("rami_second_hand" if second else "rami_third_hand", spot)
    if not table.beats(card):
        if best[0] in table.friends:
            return card, Note("", "The partner’s card is good enough")
        return card, Note("", "Second hand plays low") if second else Note("", "Nothing to win here")
    if table.above(card) == 0:
        return card, Note("", "Sure to win")
    if second and best[1].rank >= 8:
        return card, Note("", "An honour covers an honour")
    return card, Note("", "Third hand plays high") if not second else Note("", "Won as cheaply as possible")


def _discard_high(table: WhistDeductions, note: Note = Note("", "Nothing to win here")) -> _CardWithReason:
    """The least useful card: low, from a suit without prospects, never baring a guarded honour."""
    led = table.trick[0][1].suit

    def value(card: Card) -> float:
        if card.suit == led:
            return table.rank(card)
        length = table.length(card.suit)
        held = cards_of(table.hand & SUIT_SETS[card.suit])
        top = held[0]
        guard = table.above(top)
        keep = 0.0
        if guard == 0:
            keep = 4.0 + length if card != top else 20.0
        elif guard < length <= guard + 1:
            keep = 5.0
        return table.rank(card) + keep - 0.4 * length

    return _least(table.legal, value), note


def _card_danger(table: WhistDeductions, card: Card) -> float:
    """The danger of `card` in a low game: many unseen cards below it, and few small companions."""
    below, above = table.below(card), table.above(card)
    if below + above == 0:
        return 0.5
    smaller = sum(
        table.rank(other) < table.rank(card) for other in cards_of(table.hand & SUIT_SETS[card.suit])
    )
    return below * (1.0 + 1.0 / (1 + smaller)) + 0.05 * table.rank(card)


def _lead_nolo(spot: CardChoice) -> _CardWithReason:
    """The lead that loses most tricks in solved deals, by habit."""
    card = _by_habit("nolo_lead", spot)
    if spot.table.below(card) == 0:
        return card, Note("", "A low lead for others to win")
    return card, Note("", "A lead like this costs least in solved deals")


def _lead_lowest(table: WhistDeductions) -> _CardWithReason:
    """The lead of beginners in a nolo: their smallest card."""
    return _least(table.legal, table.rank), Note("", "A low lead for others to win")


def _follow_low_by_maxim(table: WhistDeductions) -> _CardWithReason:
    """The card of beginners to a trick they do not want: high where it loses, else as low as they can."""
    led = table.trick[0][1].suit
    if table.legal[0].suit != led:
        return max(table.legal, key=lambda card: (table.rank(card), -card)), Note(
            "", "Discard the most dangerous card"
        )
    under = [card for card in table.legal if not table.beats(card)]
    if under:
        return max(under, key=table.rank), Note("", "The highest card that does not win")
    return _least(table.legal, table.rank), Note("", "Low enough that somebody may have to go over it")


def _lead_low(table: WhistDeductions) -> _CardWithReason:
    """The soloist's lead: a card that another seat probably has to beat, best a low one of a short suit."""
    foes = [seat for seat in range(4) if seat not in table.friends]

    def risk(card: Card) -> float:
        above, below = table.above(card), table.below(card)
        if above == 0:
            return 20.0 + below
        dry = sum(bool(table.voids.get(foe, 0) & SUIT_SETS[card.suit]) for foe in foes)
        chance = below / (above + below)
        return chance * 10 + 4.0 * dry * chance + 0.3 * table.length(card.suit) - 0.1 * table.rank(card)

    return _least(table.legal, risk), Note("", "A low lead for others to win")


def _follow_low(table: WhistDeductions) -> _CardWithReason:
    best = table.best
    assert best is not None
    led = table.trick[0][1].suit
    if table.legal[0].suit != led:
        return _least(table.legal, lambda card: -_card_danger(table, card)), Note(
            "", "Discard the most dangerous card"
        )
    under = [card for card in table.legal if not table.beats(card)]
    ours = best[0] in table.friends
    if not table.waiting and (ours or not under):
        # The trick is ours anyway: the highest card can do no more harm. If only the partner's card would
        # win, let it: the lead is the same side's either way.
        return max(table.legal, key=table.rank), Note(
            "", "The trick is lost anyway: get rid of the highest card"
        )
    if under:
        return max(under, key=table.rank), Note("", "The highest card that does not win")
    sure = all(table.above(card) == 0 for card in table.legal)
    if sure:
        return max(table.legal, key=table.rank), Note(
            "", "The trick is lost anyway: get rid of the highest card"
        )
    return _least(table.legal, table.rank), Note("", "Low enough that somebody may have to go over it")


def _hunt(table: WhistDeductions, soloist: Seat) -> _CardWithReason:
    """The two opponents of a soloist: low cards of suits in which the soloist must follow."""
    free = table.voids.get(soloist, 0)
    trick = {by for by, _ in table.trick}
    if not table.trick:

        def lead(card: Card) -> float:
            below = table.below(card)
            return below + 20.0 * bool(free >> card & 1) + 0.5 * table.length(card.suit)

        return _least(table.legal, lead), Note("", "A low lead the soloist may have to win")
    led = table.trick[0][1].suit
    if table.legal[0].suit != led:

        def value(card: Card) -> float:
            # High cards and suits the soloist no longer follows are of no use to the hunters.
            return -table.below(card) - 15.0 * bool(free >> card & 1)

        return _least(table.legal, value), Note("", "Low cards are kept for the hunt")
    under = [card for card in table.legal if not table.beats(card)]
    if soloist in trick and table.best is not None and table.best[0] == soloist and under:
        return max(under, key=table.rank), Note("", "The soloist must win this")
    if free >> table.legal[0] & 1:
        return max(table.legal, key=table.rank), Note(
            "", "The soloist is void in this suit: get rid of a high card"
        )
    return _least(table.legal, table.rank), Note("", "As low as possible under the soloist")
