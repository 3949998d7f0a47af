"""Rules of thumb for Tuppen: the chance of this hand among those still in, and the cost of playing on.

Everything rests on one number, the chance to win the hand. It is estimated by imagining how the unseen cards
may lie and letting all seats play them by three rules of thumb: throw low cards early, win the last trick but
one, keep the best card for the end. The chance decides about cards, about holding a raise and raising,
and about changing weak pictures. A few raises and claims are bluffs, decided by the seed.
"""

from collections.abc import Iterator, Sequence
from math import comb
from random import Random

from nousu.engine.actions import Call, Give, Play, Show
from nousu.engine.cards import DECK_32, TEN_HIGH, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.engine.tricks import SUIT_LADDER
from nousu.games.tuppen import (
    HOLD,
    KEEP,
    LEAVE,
    LOOK,
    PICTURES,
    RAISE,
    SEVENS,
    Challenge,
    Facts,
    four_pictures,
    is_true_claim,
    leaving_costs,
    losing_costs,
    said,
)
from nousu.players import Choice, choice_because
from nousu.players.skill import FULL, Attention
from nousu.players.tuppen import policy
from nousu.players.tuppen.playouts import is_between_two, needed_to_hold, needed_to_raise, spite
from nousu.players.worlds import worlds

WORLDS = 24
"""Ways the unseen cards may lie that are imagined for one choice."""
BLUFF = 0.05
"""Share of the other chances at which the stake is raised all the same, while nobody else has."""
LIES = 0.03
"""Share of hands without four pictures that others are taken to claim."""
DOUBT_BELOW = 0.33
"""A packet is doubted when it is honest with less than this chance."""

ENOUGH = 3
"""Cards above a king with which a player that counts them goes along between two."""

FREE = sentence("Nothing more can be lost by raising")
"""The reason to raise of a seat that can lose no more."""

HIGH = card_set(card for card in DECK_32 if TEN_HIGH[card.rank] >= TEN_HIGH[12])
"""Aces, sevens, eights, nines and tens, which are above a king."""

_STRENGTH = {card: 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}


def choose(view: View, seed: int) -> Choice:
    """The action of a careful player for the seat of `view`, which is owed."""
    return choose_with_skill(view, seed, FULL)


def choose_with_skill(view: View, seed: int, attention: Attention) -> Choice:
    """The action of a player with this much attention."""
    if len(view.legal) == 1:
        return Choice(view.legal[0])
    rng = Random(seed)
    if LOOK in view.legal:
        return choice_because(LOOK, "The cards come first")
    if HOLD in view.legal:
        return _answer(view, rng, attention)
    packet = _packet(view, seed, attention)
    if packet is not None:
        return packet
    if KEEP in view.legal:
        return _pictures(view, rng, attention)
    counts, maxim = _counts(view, attention), _maxim(view, attention)
    chances = {} if counts and maxim else _chances(view, rng)
    raised = _raise(view, None if counts else max(chances.values()), rng, attention)
    chosen = raised or maxim
    if chosen is not None:
        return chosen
    best = max(chances, key=lambda card: (round(chances[card], 3), -_STRENGTH[card]))
    return choice_because(
        Play(best), "The chance to win the hand is {chance}%", chance=round(100 * chances[best])
    )


def interrupt(view: View, seed: int) -> Choice | None:
    """A raise or a doubt out of turn, or silence."""
    return interrupt_with_skill(view, seed, FULL)


def interrupt_with_skill(view: View, seed: int, attention: Attention) -> Choice | None:
    """A raise or a doubt out of turn of a player with this much attention, or silence."""
    packet = _packet(view, seed, attention)
    if packet is not None or RAISE not in view.legal:
        return packet
    rng = Random(seed)
    return _raise(view, None if _counts(view, attention) else _chance(view, rng), rng, attention)


# ------------------------------------------------------------------------------------- the estimate


def _imagined(view: View, rng: Random) -> Iterator[list[list[Card]]]:
    """Hands of all seats as they may be, each way equally likely."""
    imagined = worlds(view)
    for _ in range(WORLDS):
        yield [list(cards_of(hand)) for hand in imagined.sample(rng).hands]


def _chances(view: View, rng: Random) -> dict[Card, float]:
    """The chance to win the hand for each card that may be played now."""
    seat = _seat(view)
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    won = dict.fromkeys(cards, 0)
    for hands in _imagined(view, rng):
        for card in cards:
            won[card] += _winner(view, hands, seat, rng, card) == seat
    return {card: count / WORLDS for card, count in won.items()}


def _chance(view: View, rng: Random) -> float:
    """The chance to win the hand as things stand."""
    seat = _seat(view)
    turn = _turn(view)
    return sum(_winner(view, hands, turn, rng) == seat for hands in _imagined(view, rng)) / WORLDS


def _seat(view: View) -> Seat:
    assert view.seat is not None
    return view.seat


def _turn(view: View) -> Seat:
    """The seat whose card comes next, of those still in."""
    facts = Facts.of(view.facts)
    assert facts.turn is not None
    if facts.turn in facts.in_hand:
        return facts.turn
    return next((seat for seat in facts.in_hand if seat > facts.turn), facts.in_hand[0])


def _winner(
    view: View, held: Sequence[Sequence[Card]], turn: Seat, rng: Random, first: Card | None = None
) -> Seat:
    """The winner of the hand if all play by the rules of thumb, `first` being played now if given."""
    hands = [list(hand) for hand in held]
    playing = Facts.of(view.facts).in_hand
    trick = list(view.trick)
    while True:
        done = {seat for seat, _ in trick}
        waiting = [seat for seat in playing if seat not in done]
        for seat in [s for s in waiting if s >= turn] + [s for s in waiting if s < turn]:
            hand = hands[seat]
            card = first if first is not None else _maxim_card(hand, trick, playing, rng)
            first = None
            hand.remove(card)
            trick.append((seat, card))
        suit = trick[0][1].suit
        valid = [play for play in trick if play[0] in playing]
        turn = max(valid, key=lambda play: (play[1].suit == suit, _STRENGTH[play[1]]))[0]
        if not hands[turn]:
            return turn
        trick = []


def _maxim_card(
    hand: list[Card], trick: list[tuple[Seat, Card]], playing: Sequence[Seat], rng: Random
) -> Card:
    """Low cards first; in the last trick but one the best that wins, so as to lead the last one."""
    if len(hand) == 1:
        return hand[0]
    if not trick:
        return (max if len(hand) == 2 else min)(hand, key=_STRENGTH.__getitem__)
    suit = trick[0][1].suit
    able = [card for card in hand if card.suit == suit]
    if not able:
        return min(hand, key=_STRENGTH.__getitem__)
    best = max((_STRENGTH[c] for s, c in trick if c.suit == suit and s in playing), default=-1)
    high = max(able, key=_STRENGTH.__getitem__)
    if _STRENGTH[high] > best and (len(hand) == 2 or rng.random() < 0.2):
        return high
    return min(able, key=_STRENGTH.__getitem__)


# ---------------------------------------------------------------------------------------- decisions


def _answer(view: View, rng: Random, attention: Attention) -> Choice:
    """Hold when leaving is no cheaper than the average loss.

    A player that counts cards above a king leaves with too few of them.
    """
    facts, seat = Facts.of(view.facts), _seat(view)
    leaving, losing = leaving_costs(view.rules, facts, seat), losing_costs(facts, seat)
    if leaving >= losing:
        return choice_because(HOLD, "Leaving costs as much as losing")
    hopes, counts = _hopes(view), _counts(view, attention)
    if hopes >= (_enough(view, attention) if counts else attention.along):
        return choice_because(HOLD, "Enough cards above a king to go along: {count}", count=hopes)
    if counts:
        return choice_because(LEAVE, "Too few cards above a king to go along: {count}", count=hopes)
    chance = _chance(view, rng)
    percent = round(100 * chance)
    if RAISE in view.legal and attention.bids and chance >= needed_to_raise(len(facts.raisers)):
        return choice_because(RAISE, "Strong enough to raise: the chance to win is {chance}%", chance=percent)
    if chance >= needed_to_hold(leaving, losing, spite(facts)):
        return choice_because(HOLD, "Wins often enough to go along: {chance}%", chance=percent)
    return choice_because(LEAVE, "Too weak to go along: the chance to win is {chance}%", chance=percent)


def _enough(view: View, attention: Attention) -> int:
    """The number of cards above a king with which a player that counts them goes along.

    A beginner wants one more for each raise after the first, and so many even with fewer cards left.
    """
    if attention.weighs:
        return min(ENOUGH, len(view.cards))
    return ENOUGH + len(Facts.of(view.facts).raisers) - 1


def _hopes(view: View) -> int:
    """The number of cards above a king in the hand, which beginners count."""
    return (card_set(view.cards) & HIGH).bit_count()


def _counts(view: View, attention: Attention) -> bool:
    """Whether the player raises and goes along by the number of cards above a king, between two."""
    return not attention.bids and is_between_two(Facts.of(view.facts))


def _raise(view: View, chance: float | None, rng: Random, attention: Attention) -> Choice | None:
    """Raise when strong, when it costs nothing more, and now and then as a bluff.

    Without a chance, cards above a king are counted, one more for each earlier raise, and nobody bluffs.
    """
    if RAISE not in view.legal:
        return None
    facts = Facts.of(view.facts)
    points, stake = facts.points[_seat(view)], facts.stake
    if chance is None:
        hopes = _hopes(view)
        if hopes > attention.weighs + len(facts.raisers):
            return choice_because(RAISE, "Enough cards above a king to raise: {count}", count=hopes)
        return choice_because(RAISE, FREE) if points <= stake else None
    percent = round(100 * chance)
    raisers = len(facts.raisers) if attention.infers else 0
    if chance >= needed_to_raise(raisers):
        return choice_because(RAISE, "Strong enough to raise: the chance to win is {chance}%", chance=percent)
    if points <= stake:
        return choice_because(RAISE, FREE)
    if not facts.raisers and points > stake + 1 and rng.random() < BLUFF:
        return choice_because(RAISE, "A bluff")
    return None


def _maxim(view: View, attention: Attention) -> Choice | None:
    """The card by a maxim, for players that do not weigh cards.

    Between two also for those that overlook that the last trick but one decides who leads to the last.
    """
    if attention.weighs and (attention.ahead or not is_between_two(Facts.of(view.facts))):
        return None
    return _high_first(view)


def _high_first(view: View) -> Choice:
    """A beginner's choice: a card that wins the trick, though only the last one counts; else a low one."""
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    best = max((_key(card, view) for _, card in view.trick), default=-1)
    highest = max(cards, key=lambda card: _key(card, view))
    if _key(highest, view) > best:
        if not view.trick:
            return choice_because(Play(highest), "The highest card first")
        return choice_because(Play(highest), "Takes the trick as it lies")
    return choice_because(Play(min(cards, key=_STRENGTH.__getitem__)), "The lowest card that may be played")


def _key(card: Card, view: View) -> int:
    """The strength of a card in the suit led, -1 for other suits, which win nothing."""
    led = view.trick[0][1].suit if view.trick else card.suit
    return _STRENGTH[card] if card.suit == led else -1


def _packet(view: View, seed: int, attention: Attention) -> Choice | None:
    """A doubt, or a packet laid down, if any.

    Between two, odds decide about both: a player that hardly ever doubts can be lied to in every hand.
    """
    if not attention.bids or not policy.is_covered(view):
        return _doubt(view)
    action = policy.choose_words(view, seed, about=("lay", "doubt"))
    return None if action is None else choice_because(action, policy.WHY)


def _pictures(view: View, rng: Random, attention: Attention) -> Choice:
    """Change four pictures when they win less often than others; rarely three of them as a bluff.

    Beginners change nothing.
    """
    claim = next((action for action in view.legal if isinstance(action, Give | Show)), None)
    if claim is None:
        return Choice(KEEP)
    if not attention.weighs:
        return choice_because(KEEP, "These cards are kept")
    facts, held = Facts.of(view.facts), card_set(view.cards)
    even = 1 / len(facts.in_hand)
    if is_true_claim(view.rules, held) and _chance(view, rng) < even:
        if four_pictures(held):
            return choice_because(claim, "Four weak pictures are exchanged")
        return choice_because(claim, "Three weak pictures and a seven are exchanged")
    if is_true_claim(view.rules, held):
        return choice_because(KEEP, "These cards are kept")
    if (held & PICTURES).bit_count() == 3 and facts.points[_seat(view)] > 2 and rng.random() < BLUFF:
        return choice_because(claim, "A bluff")
    return choice_because(KEEP, "These cards are kept")


def honesty(seen_cards: CardSet, times: int, white_wash: bool = False) -> float:
    """The chance that a seat that has laid down so many packets told the truth.

    `seen_cards` are the cards that the doubter has seen elsewhere; with a white wash three pictures and a
    seven are true as well.
    """
    unseen = card_set(DECK_32) & ~seen_cards
    left = (unseen & PICTURES).bit_count()
    ways = comb(left, 4) + (comb(left, 3) * (unseen & SEVENS).bit_count() if white_wash else 0)
    pictures = ways / comb(unseen.bit_count(), 4)
    return (pictures / (pictures + LIES * (1 - pictures))) ** times


def _doubt(view: View) -> Choice | None:
    """Doubt a packet that is probably a lie, unless being wrong would be the end."""
    seats = len(view.counts)
    calls = [action for action in view.legal if isinstance(action, Call)]
    doubts = [call for call in calls if isinstance(said(call, seats), Challenge)]
    facts = Facts.of(view.facts)
    if not doubts or facts.points[_seat(view)] <= view.rules.penalty_points:
        return None
    seen_cards = card_set(view.cards)
    for by, action in view.heard:
        if isinstance(action, Play):
            seen_cards |= 1 << action.card
        elif isinstance(action, Give) and by == view.seat:
            seen_cards |= card_set(action.cards)
    times = max(sum(packet.owner == owner for packet in facts.packets) for owner in range(seats))
    chance = honesty(seen_cards, times, view.rules.white_wash)
    if chance >= DOUBT_BELOW:
        return None
    return choice_because(
        doubts[-1], "Four pictures are unlikely there: {chance}%", chance=round(100 * chance)
    )
