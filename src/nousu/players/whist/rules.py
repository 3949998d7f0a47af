"""Rules of thumb for the whist family: what an experienced player does without counting further than needed.

Bids follow the strength of the hand and the state of the match; play follows the old sayings: second hand
low, third hand high, cash what is high, and in low games get rid of the cards that will have to win.
"""

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any, NamedTuple

from nousu.engine.actions import Action, Give, Play, Seal, Show
from nousu.engine.cards import (
    ACE_HIGH,
    ACE_LOW,
    DECK_52,
    LANE,
    SUIT_SETS,
    Card,
    CardSet,
    Strength,
    card_set,
    cards_of,
)
from nousu.engine.game import View
from nousu.engine.notes import Note
from nousu.engine.seats import Seat, partner, side
from nousu.games.whist import END, PASS, SOOLI, Facts, Rise, bid_in, call_of, colour, sealed
from nousu.players import Choice

PACK = card_set(DECK_52)

HIGH_BID = 13.5
"""Strength from which a hand is bid high (see `high_strength`). Tried against 11 … 15.5 in the arena."""
SOOLI_DANGER = 1.8
"""The most danger (see `danger`) with which sooli is called when one card is exchanged."""
SOOLI_DANGER_BARE = 1.1
"""The same where no card is exchanged."""


def choose(view: View, seed: int) -> Choice:
    """The action a careful player would take for the seat of `view`."""
    legal = view.legal
    if END in legal:
        return _because(END, "The rising side can no longer score")
    if len(legal) == 1:
        return Choice(legal[0])
    rng = Random(seed)
    match Facts.of(view.facts).phase:
        case "bid":
            return _bid(view, rng)
        case "auction":
            return _speak(view)
        case "sooli":
            return _sooli(view)
        case "discard" | "return":
            return _throw(view)
        case "give":
            return _helpful(view)
    return _play(view, rng)


def _because(action: Action, message: str, **values: int | str) -> Choice:
    return Choice(action, Note("", message, values))


# ----------------------------------------------------------------------------------------- bidding


@cache
def _suit_strength(ranks: int) -> float:
    """Strength of one suit for a high hand: honours by the count 4-3-2-1, long suits a little more."""
    honours = sum(points for rank, points in ((12, 4), (11, 3), (10, 2), (9, 1)) if ranks >> rank & 1)
    length = ranks.bit_count()
    long = 0.5 * max(0, length - 4) * (1 + (honours >= 4))
    bare = 0.5 * (length <= 1 and 0 < honours < 4) + 0.5 * (length <= 2 and 0 < honours < 3)
    return honours + long + 0.2 * (ranks >> 8 & 1) - bare


def high_strength(cards: CardSet) -> float:
    """How good a hand is for winning tricks; 10 is average."""
    return sum(_suit_strength(cards >> 16 * suit & LANE) for suit in range(4))


def wants_high(view: View) -> bool:
    """Whether this hand is bid high: by its strength and by what the score makes of a risk."""
    return high_strength(card_set(view.cards)) >= HIGH_BID + _caution(view)


def _caution(view: View) -> float:
    """How much more (or less) strength the score asks for before a high bid."""
    tally = view.setup.tally
    rules = view.rules
    assert view.seat is not None
    ours = side(view.seat)
    cost = 0.5 if rules.high_fail_points + rules.high_fail_debit > rules.high_points else -0.5
    if not isinstance(tally, Rise) or tally.riser is None:
        return cost
    # The falling side keeps nothing of what it wins, so it only asks which game is more likely won;
    # the rising side has all its points to lose.
    return cost if tally.riser == ours else cost - 1.0


def _bid(view: View, rng: Random) -> Choice:
    high = wants_high(view)
    wanted = colour(high, view.rules)
    bids = (bid_in(action) for action in view.legal if isinstance(action, Seal))
    cards = [bid for bid in bids if isinstance(bid, Card) and wanted >> bid & 1]
    message = "Strong enough to win tricks" if high else "Too weak to promise tricks"
    if cards:
        return _because(Seal(_quiet_card(cards, view.cards, high, rng)), message)
    spoken = sealed(view.rules.words[0 if high else 1])
    if spoken in view.legal:
        return _because(spoken, message)
    shown = next((action for action in view.legal if isinstance(action, Show)), None)
    if shown is not None:
        return _because(shown, "A hand of one colour is better dealt again")
    return Choice(rng.choice(view.legal))


def _quiet_card(cards: list[Card], hand: tuple[Card, ...], high: bool, rng: Random) -> Card:
    """A bid card that tells little: a small one of a high hand, a middling one of a low hand, from a long
    suit; chance decides between equals."""
    lengths = [sum(card.suit == suit for card in hand) for suit in range(4)]
    rng.shuffle(cards)
    if high:
        return min(cards, key=lambda card: (card.rank, -lengths[card.suit]))
    return max(cards, key=lambda card: (lengths[card.suit], card.rank))


def _speak(view: View) -> Choice:
    high, low = map(call_of, view.rules.words)
    if wants_high(view):
        return _because(high, "Strong enough to win tricks")
    if low in view.legal and high_strength(card_set(view.cards)) <= 7:
        return _because(low, "Weak enough to lose tricks")
    return _because(PASS, "Too weak to promise tricks")


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


def _by_strength(ranks: int, strength: Strength) -> int:
    return sum(1 << strength[rank] for rank in range(13) if ranks >> rank & 1)


def danger(cards: CardSet) -> float:
    """How likely a hand is to be caught in a sooli; 0 is quite safe, above 2 mostly lost."""
    return sum(_suit_danger(_by_strength(cards >> 16 * suit & LANE, ACE_LOW)) for suit in range(4))


def _worst(cards: CardSet, candidates: Iterable[Card]) -> Card:
    """The card whose loss makes the hand safest, the higher one of equals."""
    return min(candidates, key=lambda card: (danger(cards & ~(1 << card)), -ACE_LOW[card.rank], card))


def _sooli(view: View) -> Choice:
    cards = card_set(view.cards)
    allowed = SOOLI_DANGER_BARE
    if view.rules.sooli_exchange != "none":
        allowed = SOOLI_DANGER
        cards &= ~(1 << _worst(cards, view.cards))
    if danger(cards) <= allowed:
        return _because(SOOLI, "Nothing in this hand has to win a trick")
    return _because(PASS, "Too many cards here would have to win")


def _throw(view: View) -> Choice:
    """The most dangerous card leaves the soloist's hand."""
    gifts = [action for action in view.legal if isinstance(action, Give)]
    worst = _worst(card_set(view.cards), (gift.cards[0] for gift in gifts))
    return _because(
        next(gift for gift in gifts if gift.cards[0] == worst), "The most dangerous card goes away"
    )


def _helpful(view: View) -> Choice:
    """The partner of the soloist gives a low card, from a suit where it holds others too: the soloist
    probably has some of the rest."""
    gifts = [action for action in view.legal if isinstance(action, Give)]
    lengths = [sum(card.suit == suit for card in view.cards) for suit in range(4)]
    best = min(gifts, key=lambda gift: (ACE_LOW[gift.cards[0].rank], lengths[gift.cards[0].suit]))
    return _because(best, "A low card helps the soloist")


# -------------------------------------------------------------------------------------------- play


class Deduced(NamedTuple):
    """What the seat on turn can work out from what it has seen."""

    seat: Seat
    hand: CardSet
    legal: tuple[Card, ...]
    trick: tuple[tuple[Seat, Card], ...]
    unseen: CardSet
    """Cards that are in other hands (or aside)."""
    strength: Strength
    friends: frozenset[Seat]
    """Whose tricks are as good (or bad) as one's own."""
    waiting: tuple[Seat, ...]
    """Who still plays to this trick after this seat."""
    voids: dict[Seat, CardSet]
    """Suits a seat has shown to be out of."""

    @property
    def best(self) -> tuple[Seat, Card] | None:
        """The card that wins the trick so far."""
        if not self.trick:
            return None
        led = self.trick[0][1].suit
        return max(
            (play for play in self.trick if play[1].suit == led),
            key=lambda play: self.strength[play[1].rank],
        )

    def rank(self, card: Card) -> int:
        """The strength of a card within its suit."""
        return self.strength[card.rank]

    def beats(self, card: Card) -> bool:
        """Whether `card` would win the trick as it lies."""
        best = self.best
        return best is None or (card.suit == best[1].suit and self.rank(card) > self.rank(best[1]))

    def above(self, card: Card) -> int:
        """How many unseen cards of its suit are stronger than `card`."""
        return sum(
            self.rank(other) > self.rank(card) for other in cards_of(self.unseen & SUIT_SETS[card.suit])
        )

    def below(self, card: Card) -> int:
        """How many unseen cards of its suit are weaker than `card`."""
        return sum(
            self.rank(other) < self.rank(card) for other in cards_of(self.unseen & SUIT_SETS[card.suit])
        )

    def length(self, suit: int) -> int:
        """How many cards of a suit this hand holds."""
        return (self.hand & SUIT_SETS[suit]).bit_count()


def table_of(view: View) -> Deduced:
    """The table as `view` shows it to the seat that has to play a card."""
    seat = view.seat
    assert seat is not None
    facts = Facts.of(view.facts)
    kind, soloist, out = facts.kind, facts.soloist, facts.out
    played = [play for trick in view.tricks for play in trick.plays] + list(view.trick)
    hand = card_set(view.cards)
    seen = hand | card_set(card for _, card in played)
    for by, action in view.heard:
        if by == seat and isinstance(action, Give) and action.to is None:
            seen |= card_set(action.cards)
    voids: dict[Seat, CardSet] = {}
    for plays in [*(trick.plays for trick in view.tricks), view.trick]:
        for by, card in plays[1:]:
            if card.suit != plays[0][1].suit:
                voids[by] = voids.get(by, 0) | SUIT_SETS[plays[0][1].suit]
    if kind == "sooli":
        friends = frozenset({seat} if seat == soloist else {s for s in range(4) if s not in (soloist, out)})
    else:
        friends = frozenset({seat, partner(seat)})
    done = {by for by, _ in view.trick}
    order = [(seat + step) % 4 for step in range(1, 4)]
    waiting = tuple(by for by in order if by not in done and by != out)
    return Deduced(
        seat,
        hand,
        tuple(action.card for action in view.legal if isinstance(action, Play)),
        view.trick,
        PACK & ~seen,
        ACE_LOW if kind == "sooli" else ACE_HIGH,
        friends,
        waiting,
        voids,
    )


def _play(view: View, rng: Random) -> Choice:
    table = table_of(view)
    facts = Facts.of(view.facts)
    if facts.kind == "high":
        chosen = _lead_high(table, view) if not table.trick else _follow_high(table)
    elif facts.kind == "low":
        chosen = _lead_low(table) if not table.trick else _follow_low(table)
    elif table.seat == facts.soloist:
        chosen = _follow_low(table) if table.trick else _lead_low(table)
    else:
        assert facts.soloist is not None
        chosen = _hunt(table, facts.soloist)
    card, note = chosen
    return Choice(Play(card), note)


Chosen = tuple[Card, Note]


def _least(cards: Iterable[Card], key: Callable[[Card], Any]) -> Card:
    """The smallest by `key`; between equals the first in reading order."""
    return min(cards, key=lambda card: (key(card), card))


def _lead_high(table: Deduced, view: View) -> Chosen:
    """Cash what is high, continue a long suit, lead the top of a sequence or a small card of the longest."""
    masters = [card for card in table.legal if table.above(card) == 0]
    friend = partner(table.seat)
    if masters:
        running = [
            card
            for card in masters
            if table.length(card.suit) > 1 or not table.below(card) or len(masters) > 2
        ]
        if running:
            best = _least(running, lambda card: (-table.length(card.suit), -table.rank(card)))
            return best, Note("", "This card is high now")
    partners_suit = next(
        (
            trick.plays[0][1].suit
            for trick in view.tricks
            if trick.leader == friend and table.length(trick.plays[0][1].suit)
        ),
        None,
    )

    def worth(suit: int) -> float:
        held = table.hand & SUIT_SETS[suit]
        foes = [seat for seat in range(4) if seat not in table.friends]
        value = 1.0 * table.length(suit) + 0.35 * _suit_strength(held >> 16 * suit & LANE)
        value += 1.5 * (suit == partners_suit)
        value -= 1.5 * bool(table.voids.get(friend, 0) & SUIT_SETS[suit])
        return value - 0.5 * sum(bool(table.voids.get(foe, 0) & SUIT_SETS[suit]) for foe in foes)

    suit = max({card.suit for card in table.legal}, key=lambda one: (worth(one), -one))
    cards = sorted((card for card in table.legal if card.suit == suit), key=table.rank, reverse=True)
    if len(cards) > 1 and table.above(cards[0]) == table.above(cards[1]) and cards[0].rank >= 8:
        return cards[0], Note("", "The top of a sequence")
    if suit == partners_suit:
        return cards[0] if len(cards) <= 2 else cards[-1], Note("", "Back in the partner’s suit")
    return cards[-1], Note("", "A small card of the longest suit")


def _follow_high(table: Deduced) -> Chosen:
    best = table.best
    assert best is not None
    winning = [card for card in table.legal if table.beats(card)]
    friendly = best[0] in table.friends
    last = not table.waiting
    foes_waiting = [seat for seat in table.waiting if seat not in table.friends]
    if not winning:
        return _discard_high(table)
    if friendly and (last or table.above(best[1]) == 0 or not foes_waiting):
        return _discard_high(table, Note("", "The partner wins this trick"))
    cheapest = _least(winning, table.rank)
    if last:
        return cheapest, Note("", "Won as cheaply as possible")
    sure = [card for card in winning if table.above(card) == 0]
    if len(table.trick) == 1:
        if sure and (table.length(sure[0].suit) <= 2 or best[1].rank >= 8):
            return _least(sure, table.rank), Note("", "Sure to win")
        if best[1].rank >= 8 and cheapest.rank >= 10:
            return cheapest, Note("", "An honour covers an honour")
        return _discard_high(table, Note("", "Second hand plays low"))
    if friendly and table.above(best[1]) <= 1:
        return _discard_high(table, Note("", "The partner’s card is good enough"))
    if sure:
        return _least(sure, table.rank), Note("", "Sure to win")
    top = max(winning, key=table.rank)
    # Of touching cards the lowest does the same work.
    same = [card for card in winning if table.above(card) == table.above(top)]
    return _least(same, table.rank), Note("", "Third hand plays high")


def _discard_high(table: Deduced, note: Note = Note("", "Nothing to win here")) -> Chosen:
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


def _burden(table: Deduced, card: Card) -> float:
    """How much one would like to be rid of `card` in a low game: it has many cards below it outside and
    few small companions."""
    below, above = table.below(card), table.above(card)
    if below + above == 0:
        return 0.5
    smaller = sum(
        table.rank(other) < table.rank(card) for other in cards_of(table.hand & SUIT_SETS[card.suit])
    )
    return below * (1.0 + 1.0 / (1 + smaller)) + 0.05 * table.rank(card)


def _lead_low(table: Deduced) -> Chosen:
    """A card that somebody else should have to beat; best a low one of a short suit."""
    foes = [seat for seat in range(4) if seat not in table.friends]

    def risk(card: Card) -> float:
        above, below = table.above(card), table.below(card)
        if above == 0:
            return 20.0 + below
        dry = sum(bool(table.voids.get(foe, 0) & SUIT_SETS[card.suit]) for foe in foes)
        chance = below / (above + below)
        return chance * 10 + 4.0 * dry * chance + 0.3 * table.length(card.suit) - 0.1 * table.rank(card)

    return _least(table.legal, risk), Note("", "A low lead for others to win")


def _follow_low(table: Deduced) -> Chosen:
    best = table.best
    assert best is not None
    led = table.trick[0][1].suit
    if table.legal[0].suit != led:
        return _least(table.legal, lambda card: -_burden(table, card)), Note(
            "", "The most dangerous card goes away"
        )
    under = [card for card in table.legal if not table.beats(card)]
    ours = best[0] in table.friends
    if not table.waiting and (ours or not under):
        # The trick is ours anyway: the highest card can do no more harm. If only the partner's card would
        # win, let it: the lead is the same side's either way.
        return max(table.legal, key=table.rank), Note("", "The trick is lost anyway: the highest card goes")
    if under:
        return max(under, key=table.rank), Note("", "The highest card that does not win")
    sure = all(table.above(card) == 0 for card in table.legal)
    if sure:
        return max(table.legal, key=table.rank), Note("", "The trick is lost anyway: the highest card goes")
    return _least(table.legal, table.rank), Note("", "Low enough that somebody may have to go over it")


def _hunt(table: Deduced, soloist: Seat) -> Chosen:
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
        return max(table.legal, key=table.rank), Note("", "The soloist is out of this suit: a high card goes")
    return _least(table.legal, table.rank), Note("", "As low as possible under the soloist")
