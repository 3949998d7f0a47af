"""Rules of thumb for Huutopussi: the play of an experienced person, without search.

The value of a hand is the points that its side may expect with it; bids stop where a contract stops paying.
In the exchange marriages are brought together and aces collected, since every ace led is a chance to declare.
In the play each card is weighed: the chance that the trick comes home, the points in it, the later use of the
card, and the marriage that may be declared after leading to a trick and winning it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt
from typing import Final, NamedTuple

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import DECK_36, SUIT_SETS, SUITS, TEN_BELOW_ACE, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, partner, side
from nousu.games.huutopussi import (
    ACES,
    PAIR,
    Ask,
    AskFull,
    AskHalf,
    AskSuit,
    Bid,
    Contract,
    Declare,
    Doubling,
    Facts,
    Kontra,
    No,
    Pass,
    Redeal,
    Rules,
    Sixes,
    Yes,
    call_of,
    card_points,
    marriage_values,
    may_ask_half,
    other_half,
    said,
)
from nousu.players import Choice, choice_because
from nousu.players.skill import FULL, Attention

PACK: Final = card_set(DECK_36)
KINGS_QUEENS: Final = PAIR[0] | PAIR[1] | PAIR[2] | PAIR[3]
TENS: Final = card_set(card for card in DECK_36 if card.rank == 8)

REDEAL_BELOW: Final = 95.0
"""Points below which a hand is thrown in where that is allowed."""
SPREAD: Final = 40.0
"""Standard deviation of the points of a side from those expected after the exchange."""
DEFENCE: Final = 130.0
"""Margin over the bid that a hand must promise: only the contract scores, the rest is lost, and a side
that defends keeps all it earns. Tried against 15 … 150 in 300 duplicate hands each."""
DEFENCE_PLAYED_OUT: Final = 80.0
"""`DEFENCE` for a player that chooses return and contract by playouts, and so scores more as declarer."""
LOW_OPENING: Final = 60.0
"""Lowest bid up to which these margins hold. From 120 on a quarter of them is left: in hands between players
like this one half are then bid for, and five contracts of six are made."""
OVER_PARTNER: Final = 190.0
"""Points with which a hand bids over the partner's compulsory opening."""

KONTRA, RE = 45.0, 40.0
"""Margins over the contract that a defender's hand must be worth for kontra, and over the points still needed
that a declarer's must be for re. Kontra is rare: whatever a defender holds, players like this one make
two contracts of three; a declarer with that much to spare makes nine of ten."""

GIFT_PAIR, GIFT_BROKEN, GIFT_HALF = 0.7, -0.3, 0.3
"""Share of a marriage's points that giving it (each card), breaking it, or giving one lone card is worth."""
GIFT_ACE, GIFT_TEN = 20.0, 5.0
"""Points that giving such a card is worth."""

KEEP_RANK, KEEP_TOP, KEEP_TOP_LATE, KEEP_TRUMP = 0.8, 10.0, 3.0, 8.0
"""The worth of keeping a card: a step of rank, being the highest of its suit (less with the last two
cards), being trump."""
KEEP_OWN, KEEP_BARRED, KEEP_HALF = 0.6, 0.1, 0.5
"""Share of a marriage's points that a card of it stands for: both in hand, with and without the right to
declare it, or one that may be asked for."""
DECLARE = 0.8
"""Share of a marriage's points that the right to declare it next is worth."""
LEAD_TEN = 10.0
"""Points that leading a ten costs whose ace an opponent may hold."""


def choose(view: View, seed: int) -> Choice:
    """The action of a careful player for the seat of `view`; the same view gives the same action."""
    return choose_with_skill(view, seed, FULL)


def choose_with_skill(view: View, seed: int, attention: Attention) -> Choice:
    """The action of a player with this much attention."""
    legal = view.legal
    if len(legal) == 1:
        return Choice(legal[0])
    for demand in map(call_of, (Redeal(), Sixes())):
        if demand in legal and hand_value(view.rules, card_set(view.cards)) < REDEAL_BELOW:
            return choice_because(demand, "A hand as poor as this is better dealt again")
    match Facts.of(view.facts).phase:
        case "auction":
            return choose_bid(view)
        case "give":
            return _gift(view, attention)
        case "contract":
            return _contract(view, attention)
        case "return":
            return _return(view)
        case "answer":
            return _answer(view)
    return _play(view, attention)


# ------------------------------------------------------------------------------------ what a hand is worth


def suit_features(cards: CardSet, suit: int) -> tuple[int, bool, bool, bool, bool]:
    """Length of a suit and whether ace, ten, king and queen are held."""
    lane = cards >> 16 * suit
    ace, ten, king, queen = (bool(lane >> rank & 1) for rank in (12, 8, 11, 10))
    return (cards & SUIT_SETS[suit]).bit_count(), ace, ten, king, queen


class Weights(NamedTuple):
    """Points that features of a hand add to those of a declarer's side.

    Least squares over 2,500 hands of this player against itself with a random declarer, simple values.
    """

    base: float
    ace: float
    guarded_ten: float
    bare_ten: float
    long: float
    """Each card of a suit over three."""
    best: tuple[float, float]
    """Share of the dearest marriage in hand that is earned, without and with an ace to lead."""
    other: tuple[float, float]
    """Share of the other marriages that is earned, with fewer than two aces and with two."""
    company: float
    """Each further card in the suit of a marriage."""
    half: float
    """Share of a marriage of which one card is held."""


DEALT = Weights(68.7, 21.5, 10.9, 4.5, 4.0, (0.64, 0.74), (0.5, 0.55), 4.0, 0.23)
"""Nine cards as they were dealt; the points lie 59 (one standard deviation) around this."""
KEPT = Weights(7.0, 21.0, 12.0, 3.2, 7.2, (0.25, 1.1), (0.45, 0.83), 4.0, 0.07)
"""The nine cards kept after the exchange; the points lie `SPREAD` around this."""


def hand_value(rules: Rules, cards: CardSet, weights: Weights = DEALT) -> float:
    """The points that a side may expect when this hand is the declarer's."""
    marriages = marriage_values(rules)
    aces = (cards & ACES).bit_count()
    total = weights.base + weights.ace * aces
    pairs = []
    spoken = 0.0
    for suit in range(4):
        length, ace, ten, king, queen = suit_features(cards, suit)
        total += weights.long * max(0, length - 3)
        if ten:
            total += weights.guarded_ten if ace else weights.bare_ten
        if king and queen:
            pairs.append(marriages[suit])
            spoken += weights.company * (length - 2)
        elif king or queen:
            spoken += weights.half * marriages[suit]
    pairs.sort()
    if pairs:
        spoken += weights.best[aces > 0] * pairs.pop() + weights.other[aces > 1] * sum(pairs)
    return total * (rules.total - 280) / 160 + spoken


def bid_margin(rules: Rules, defence: float) -> float:
    """Margin over the bid that a hand must promise, by where the bids begin."""
    return defence * min(1.0, LOW_OPENING / rules.min_bid) ** 2


def choose_bid(view: View, defence: float = DEFENCE) -> Choice:
    """The bid of a player that wants the hand to promise `defence` points more than it."""
    rules: Rules = view.rules
    facts = Facts.of(view.facts)
    assert view.seat is not None
    value = hand_value(rules, card_set(view.cards))
    words = [said(action) for action in view.legal if isinstance(action, Call)]
    bids = [call_of(word) for word in words if isinstance(word, Bid)]
    points = [word.points for word in words if isinstance(word, Bid)]
    pass_ = call_of(Pass())
    if not bids:
        return Choice(pass_)
    if pass_ not in view.legal:
        return choice_because(bids[0], "The opening is compulsory")
    limit = value - bid_margin(rules, defence)
    if facts.bidder == partner(view.seat):
        compulsory = rules.forced_opening and facts.bid == rules.min_bid and len(facts.auction) < 4
        if not compulsory or value < OVER_PARTNER:
            return choice_because(pass_, "The partner has the bid")
        return choice_because(bids[0], "The partner had to bid; this hand is better")
    if points[0] <= limit:
        return choice_because(
            bids[0],
            sentence("The hand may be worth {points} point", "The hand may be worth {points} points"),
            points=round(value),
        )
    return choice_because(pass_, "The hand is not worth more")


def contract_chance(expected: float, contract: float) -> float:
    """The chance to reach a contract when so many points are expected."""
    return 0.5 * (1 + erf((expected - contract) / (SPREAD * sqrt(2))))


def _contract(view: View, attention: Attention) -> Choice:
    """The contract with the best mean; never more than the match still asks for."""
    assert view.seat is not None
    points_expected = expected_points(view)
    words = [said(action) for action in view.legal if isinstance(action, Call)]
    contracts = [word.points for word in words if isinstance(word, Contract)]
    score = view.setup.tally.score()[side(view.seat)]
    least = view.rules.target - score + (view.rules.win_condition == "exceed")
    wanted = [points for points in contracts if points < least + 5] or contracts[:1]
    loses = view.rules.failed_contract == "minus_contract"

    def mean(points: int) -> float:
        chance = contract_chance(points_expected, points)
        return points * (chance - (1 - chance if loses else 0.0))

    if not attention.bids:
        return choice_because(call_of(Contract(wanted[0])), "The least that was promised")
    best = max(wanted, key=mean)
    return choice_because(
        call_of(Contract(best)),
        sentence("Expect about {points} point", "Expect about {points} points"),
        points=round(points_expected),
    )


def expected_points(view: View) -> float:
    """The points that the declarer's side may expect of the cards that will be kept, before the contract."""
    cards = card_set(view.cards)
    if len(view.cards) > 9:
        cards &= ~_least_useful(view.rules, view.cards)
    return hand_value(view.rules, cards, KEPT)


# ---------------------------------------------------------------------------------------- exchange


def _gift(view: View, attention: Attention) -> Choice:
    """The gift to the declarer: marriages together, aces, halves of marriages, for leads and declarations."""
    rules: Rules = view.rules
    marriages = marriage_values(rules)
    mine = card_set(view.cards)

    def value(gift: Give) -> float:
        given = card_set(gift.cards)
        if not attention.bids:
            return float(card_points(given, rules.card_values))
        total = 0.0
        for suit in range(4):
            held, gone = mine & PAIR[suit], given & PAIR[suit]
            if held == PAIR[suit]:
                total += marriages[suit] * (GIFT_PAIR if gone == held else GIFT_BROKEN if gone else 0.0)
            elif gone:
                total += GIFT_HALF * marriages[suit]
        return total + GIFT_ACE * (given & ACES).bit_count() + GIFT_TEN * (given & TENS).bit_count()

    gifts = [action for action in view.legal if isinstance(action, Give)]
    return choice_because(max(gifts, key=value), "Aces and marriages belong in the declarer’s hand")


def usefulness(rules: Rules, cards: CardSet, card: Card) -> float:
    """The use of a card to the declarer who keeps it, in points."""
    marriages = marriage_values(rules)
    suit = card.suit
    length, ace, *_ = suit_features(cards, suit)
    pair = not PAIR[suit] & ~cards
    value = 4.0 * pair + 1.0 * (length - 2) + 0.5 * TEN_BELOW_ACE[card.rank]
    if 1 << card & ACES:
        return value + 40.0
    if 1 << card & KINGS_QUEENS:
        return value + marriages[suit] * (1.0 if pair else 0.25)
    if 1 << card & TENS:
        return value + (14.0 if ace else 5.0)
    return value


def _least_useful(rules: Rules, cards: Iterable[Card]) -> CardSet:
    """The cards the declarer gives back."""
    held = card_set(cards)
    ordered = sorted(cards_of(held), key=lambda card: (usefulness(rules, held, card), card))
    return card_set(ordered[: rules.exchange_cards])


def _return(view: View) -> Choice:
    back = cards_of(_least_useful(view.rules, view.cards))
    assert view.seat is not None
    return choice_because(Give(back, partner(view.seat)), "The least useful cards go back")


# ------------------------------------------------------------------------------- what a seat has learned


@dataclass(frozen=True)
class HuutopussiDeductions:
    """Deductions of the seat on turn from what it has seen."""

    view: View
    seat: Seat
    hand: CardSet
    trump: int | None
    trick: tuple[tuple[Seat, Card], ...]
    possible: tuple[CardSet, ...]
    """The unseen cards each other seat may still hold."""
    known: tuple[CardSet, ...]
    """The unseen cards each other seat is known to hold."""
    counts: tuple[int, ...]

    @cached_property
    def unseen(self) -> CardSet:
        """The cards in the other hands."""
        return self.possible[0] | self.possible[1] | self.possible[2] | self.possible[3]

    def holds(self, seat: Seat, card: int) -> float:
        """About how likely a seat holds an unseen card."""
        if self.known[seat] >> card & 1:
            return 1.0
        if not self.possible[seat] >> card & 1 or any(held >> card & 1 for held in self.known):
            return 0.0
        rooms = [
            self.counts[other] - self.known[other].bit_count()
            for other in range(4)
            if other != self.seat and self.possible[other] >> card & 1
        ]
        room = self.counts[seat] - self.known[seat].bit_count()
        return room / sum(rooms) if room > 0 else 0.0

    def any_of(self, seat: Seat, cards: CardSet) -> float:
        """About how likely a seat holds at least one of these cards."""
        none = 1.0
        for card in cards_of(cards & self.possible[seat]):
            none *= 1.0 - self.holds(seat, card)
        return 1.0 - none

    def above(self, card: Card) -> CardSet:
        """Unseen cards of the suit that are higher."""
        higher = _higher(card)
        return self.unseen & higher

    def beats(self, card: Card, other: Card) -> bool:
        """Whether `card`, played after `other` was winning, takes over."""
        if card.suit == other.suit:
            return TEN_BELOW_ACE[card.rank] > TEN_BELOW_ACE[other.rank]
        return card.suit == self.trump

    def best(self) -> tuple[Seat, Card] | None:
        """The play that wins the trick so far."""
        winning: tuple[Seat, Card] | None = None
        for play in self.trick:
            if winning is None or self.beats(play[1], winning[1]):
                winning = play
        return winning

    def danger(self, seat: Seat, best: Card, led: int) -> float:
        """The chance that a seat that plays later takes the trick from `best`: it must if it can."""
        higher = _higher(best) if best.suit == led else 0
        follow = self.any_of(seat, higher)
        if self.trump is None or led == self.trump:
            return follow
        void = 1.0 - self.any_of(seat, SUIT_SETS[led])
        over = SUIT_SETS[self.trump] if best.suit != self.trump else _higher(best)
        return min(1.0, follow + void * self.any_of(seat, over))

    def comes_home(self, card: Card) -> tuple[float, float]:
        """The chance that this card's trick is won by the side, and by the card itself."""
        winning = self.best()
        led = self.trick[0][1].suit if self.trick else card.suit
        if winning is None or self.beats(card, winning[1]):
            winning = (self.seat, card)
        ours = 1.0 if side(winning[0]) == side(self.seat) else 0.0
        itself = 1.0 if winning[0] == self.seat else 0.0
        later = [(self.seat + step) % 4 for step in range(1, 4 - len(self.trick))]
        for seat in later:
            takes = self.danger(seat, winning[1], led)
            itself *= 1.0 - takes
            ours = ours + (1.0 - ours) * takes if seat == partner(self.seat) else ours * (1.0 - takes)
        return ours, itself

    def at_stake(self, card: Card) -> float:
        """The points the trick will hold, about."""
        values = self.view.rules.card_values
        laid = card_set(played for _, played in self.trick) | 1 << card
        rest = card_points(self.unseen, values) / max(1, self.unseen.bit_count())
        last = self.view.rules.last_trick if self.hand.bit_count() == 1 else 0
        return card_points(laid, values) + rest * (3 - len(self.trick)) + last


def _higher(card: Card) -> CardSet:
    """The cards of the suit above this one."""
    strength = TEN_BELOW_ACE[card.rank]
    return card_set(o for o in cards_of(PACK & SUIT_SETS[card.suit]) if TEN_BELOW_ACE[o.rank] > strength)


def deduce(view: View, attention: Attention = FULL) -> HuutopussiDeductions:
    """Deductions from the cards played, exchanged and declared in `view`, and from the duties.

    They go as far as the seat pays attention.
    """
    seat = view.seat
    assert seat is not None
    facts = Facts.of(view.facts)
    hand = card_set(view.cards)
    gone = card_set(card for trick in view.tricks for _, card in trick.plays)
    played = attention.remembered(view.tricks) | gone & (ACES | TENS | KINGS_QUEENS)
    laid = card_set(card for _, card in view.trick)
    unseen = PACK & ~(hand | played | laid)
    possible = [0 if other == seat else unseen for other in range(4)]
    known = _learn_from_words(view, seat, possible)
    noticed = [*(trick.plays for trick in view.tricks), view.trick] if attention.infers else []
    for number, plays in enumerate(noticed, 1):
        trump = next(
            (marriage.suit for marriage in reversed(facts.marriages) if marriage.trick <= number), None
        )
        _learn(plays, trump, possible)
    for other in range(4):
        known[other] &= possible[other] & ~gone
    for other in range(4):
        elsewhere = known[0] | known[1] | known[2] | known[3]
        possible[other] &= ~(elsewhere & ~known[other])
    return HuutopussiDeductions(
        view, seat, hand, facts.trump, view.trick, tuple(possible), tuple(known), view.counts
    )


def _learn_from_words(view: View, seat: Seat, possible: list[CardSet]) -> list[CardSet]:
    """Cards each seat is known to hold by gifts, marriages and questions; `possible` loses those denied."""
    known = [0, 0, 0, 0]
    for by, action in view.heard:
        if isinstance(action, Give) and by == seat:
            known[partner(seat)] |= card_set(action.cards)
    for marriage in Facts.of(view.facts).marriages:
        if marriage.how == "own":
            known[marriage.by] |= PAIR[marriage.suit]
        elif marriage.how == "full":
            known[partner(marriage.by)] |= PAIR[marriage.suit]
    words = [(by, said(action)) for by, action in view.heard if isinstance(action, Call)]
    asked = None
    for (by, word), after in zip(words, [*words[1:], (0, None)], strict=True):
        if isinstance(word, Ask):
            asked = word
        if isinstance(word, No) and isinstance(asked, AskSuit) and view.rules.answers == "truthful":
            possible[by] &= ~PAIR[asked.suit]
        if isinstance(word, AskHalf):
            known[by] |= 1 << word.card
            if isinstance(after[1], Yes):
                known[partner(by)] |= 1 << other_half(word.card)
            elif view.rules.answers == "truthful":
                possible[partner(by)] &= ~(1 << other_half(word.card))
    return known


def _learn(plays: tuple[tuple[Seat, Card], ...], trump: int | None, possible: list[CardSet]) -> None:
    """Rule out cards by a trick: of the suit for a seat that did not follow, to beat for one that did not."""
    best: Card | None = None
    for by, card in plays:
        if best is None:
            best = card
            continue
        led = plays[0][1].suit
        beats = card.suit == trump != best.suit
        if card.suit == best.suit:
            beats = TEN_BELOW_ACE[card.rank] > TEN_BELOW_ACE[best.rank]
        if card.suit != led:
            possible[by] &= ~SUIT_SETS[led]
            if trump is not None and card.suit != trump:
                possible[by] &= ~SUIT_SETS[trump]
        if not beats and card.suit == best.suit:
            possible[by] &= ~_higher(best)
        best = card if beats else best


# -------------------------------------------------------------------------------------------- play


def _answer(view: View) -> Choice:
    """Answer a question: the dearest of several marriages; always yes where no is allowed."""
    marriages = marriage_values(view.rules)
    words = [said(action) for action in view.legal if isinstance(action, Call)]
    yes = [word for word in words if isinstance(word, Yes)]
    best = max(yes, key=lambda word: 0 if word.suit is None else marriages[word.suit])
    return choice_because(call_of(best), "The partner’s question is answered")


@dataclass(frozen=True)
class MarriageAttempt:
    """A declaration or question before a lead, and the points it promises."""

    word: Declare | Ask
    points: float

    @property
    def action(self) -> Call:
        """The attempt as a call."""
        return call_of(self.word)


def attempts(table: HuutopussiDeductions, may_own: bool, may_full: bool) -> list[MarriageAttempt]:
    """Possible attempts of the seat on lead, the best first: marriages from hand, then questions."""
    marriages = marriage_values(table.view.rules)
    declared = {marriage.suit for marriage in Facts.of(table.view.facts).marriages}
    mate = partner(table.seat)
    may_half = may_ask_half(table.view.rules, table.view.heard)[table.seat]
    possible = []
    full = 0.0
    for suit in range(4):
        if suit in declared:
            continue
        mine = table.hand & PAIR[suit]
        if mine == PAIR[suit]:
            if may_own:
                possible.append(MarriageAttempt(Declare(suit), float(marriages[suit])))
        elif mine and may_half:
            named = cards_of(mine)[0]
            points = marriages[suit] * table.holds(mate, other_half(named))
            by_card = table.view.rules.half_requires_card
            possible.append(MarriageAttempt(AskHalf(named) if by_card else AskSuit(suit), points))
        elif not mine:
            king, queen = cards_of(PAIR[suit])
            both = table.holds(mate, king) * table.holds(mate, queen)
            full = full + (1.0 - full / 280) * marriages[suit] * both
    if may_full and full > 0:
        possible.append(MarriageAttempt(AskFull(), full))
    return sorted(possible, key=lambda attempt: -attempt.points)


def _attempt(table: HuutopussiDeductions) -> Choice | None:
    """The attempt to make now, if any: from hand before asking, and in full before by halves."""
    calls = [action for action in table.view.legal if isinstance(action, Call)]
    if not calls:
        return None
    facts = Facts.of(table.view.facts)
    seat = table.seat
    ranked = attempts(table, facts.may_declare_own[seat], facts.may_ask_full[seat])
    ranked = [attempt for attempt in ranked if attempt.action in calls and attempt.points > 1]
    own = [attempt.word for attempt in ranked if isinstance(attempt.word, Declare)]
    if own:
        suit = SUITS[own[0].suit]
        return choice_because(call_of(own[0]), "A marriage in hand: {suit} are trumps", suit=suit)
    if ranked:
        return choice_because(ranked[0].action, "The partner may hold a marriage")
    return None


def _play(view: View, attention: Attention) -> Choice:
    table = deduce(view, attention)
    double = _double(view)
    if double is not None:
        return double
    attempt = _attempt(table)
    if attempt is not None:
        return attempt
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    if len(cards) == 1:
        return Choice(Play(cards[0]))
    if not attention.weighs:
        spare = [card for card in cards if not marriage_cards(table) >> card & 1] if attention.bids else []
        return _by_maxim(table, spare or cards)
    facts = Facts.of(view.facts)
    later = attempts(table, facts.may_declare_own[table.seat], facts.may_ask_full[table.seat])
    return max((_weighed(table, card, later) for card in cards), key=lambda weighed: weighed[0])[1]


def marriage_cards(table: HuutopussiDeductions) -> CardSet:
    """Kings and queens of marriages in hand that the seat may still declare."""
    facts = Facts.of(table.view.facts)
    if not facts.may_declare_own[table.seat] or table.hand.bit_count() <= 2:
        return 0
    declared = {marriage.suit for marriage in facts.marriages}
    return sum(pair for suit, pair in enumerate(PAIR) if suit not in declared and not pair & ~table.hand)


def _double(view: View) -> Choice | None:
    """Kontra or re, if it may be said and should be."""
    words = {said(action): action for action in view.legal if isinstance(action, Call)}
    doubling = next((word for word in words if isinstance(word, Doubling)), None)
    facts = Facts.of(view.facts)
    if doubling is None or facts.contract is None or facts.declarer is None:
        return None
    action, cards = words[doubling], card_set(view.cards)
    if isinstance(doubling, Kontra):
        if hand_value(view.rules, cards) - facts.contract < KONTRA:
            return None
        return choice_because(action, "The contract is too high against this hand")
    needed = facts.contract - facts.taken[side(facts.declarer)]
    if hand_value(view.rules, cards, KEPT) - needed < RE:
        return None
    return choice_because(action, "The contract should be made")


def _by_maxim(table: HuutopussiDeductions, cards: list[Card]) -> Choice:
    """A beginner's choice: aces first, points on the partner's tricks, else the cheapest card that does."""

    def strength(card: Card) -> int:
        return TEN_BELOW_ACE[card.rank]

    best = table.best()
    if best is None:
        aces = [card for card in cards if 1 << card & ACES]
        if aces:
            return choice_because(Play(aces[0]), "Sure to win")
        return choice_because(
            Play(min(cards, key=lambda card: (strength(card), card))), "A low lead for others to win"
        )
    if side(best[0]) == side(table.seat) and 1 << best[1] & ACES:
        return choice_because(
            Play(max(cards, key=lambda card: (strength(card), card))), "The partner wins this trick"
        )
    winning = [card for card in cards if table.beats(card, best[1])]
    if winning:
        return choice_because(
            Play(max(winning, key=lambda card: (strength(card), card))), "We should make sure of this trick"
        )
    return choice_because(
        Play(min(cards, key=lambda card: (strength(card), card))), "The cheapest way out of this trick"
    )


def _weighed(table: HuutopussiDeductions, card: Card, later: list[MarriageAttempt]) -> tuple[float, Choice]:
    """The value of playing a card: the trick it may win, the right it may bring, its later use."""
    ours, itself = table.comes_home(card)
    value = (2 * ours - 1) * table.at_stake(card) - keeping_value(table, card)
    if not table.trick and may_lose_to_ace(table, card):
        value -= LEAD_TEN
    right = 0.0
    if not table.trick or table.view.rules.declare_right == "won":
        right = itself * next((attempt.points for attempt in later if not _needs(attempt.word, card)), 0.0)
    choice = choice_because(
        Play(card),
        sentence("Winning this trick gives the right to declare")
        if right > 20
        else sentence("We should make sure of this trick")
        if ours > 0.5
        else sentence("The cheapest way out of this trick"),
    )
    return value + DECLARE * right, choice


def may_lose_to_ace(table: HuutopussiDeductions, card: Card) -> bool:
    """Whether the card is a ten whose ace an opponent may hold."""
    foes = table.possible[(table.seat + 1) % 4] | table.possible[(table.seat + 3) % 4]
    return bool(1 << card & TENS and foes & table.above(card))


def _needs(word: Declare | Ask, card: Card) -> bool:
    """Whether an attempt is lost when this card has been played."""
    if isinstance(word, AskFull) or not 1 << card & KINGS_QUEENS:
        return False
    return card.suit == (word.card.suit if isinstance(word, AskHalf) else word.suit)


def keeping_value(table: HuutopussiDeductions, card: Card) -> float:
    """The value of keeping a card, in points."""
    facts = Facts.of(table.view.facts)
    marriages = marriage_values(table.view.rules)
    left = table.hand.bit_count()
    value = KEEP_RANK * TEN_BELOW_ACE[card.rank]
    if not table.above(card):
        value += KEEP_TOP if left > 2 else KEEP_TOP_LATE
    if table.trump == card.suit:
        value += KEEP_TRUMP
    if 1 << card & KINGS_QUEENS and left > 2:
        declared = any(marriage.suit == card.suit for marriage in facts.marriages)
        other = PAIR[card.suit] & ~(1 << card)
        if not declared and table.hand & other:
            value += marriages[card.suit] * (KEEP_OWN if facts.may_declare_own[table.seat] else KEEP_BARRED)
        elif not declared and table.unseen & other:
            value += (
                KEEP_HALF * marriages[card.suit] * table.holds(partner(table.seat), other.bit_length() - 1)
            )
    return value
