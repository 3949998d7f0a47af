"""A hint at a learning table: the choice of a good player with its reason, and the seat's knowledge.

A hint follows from the seat's own `View` and from a choice based on it, so it reveals nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nousu.engine.actions import Call, Give, Play, Show, single
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.games import games
from nousu.i18n import decimal
from nousu.i18n.reader import Reader
from nousu.i18n.review import action_words
from nousu.i18n.sentences import Voice, capital, card_words, suit_words
from nousu.review import Comparison
from nousu.server.pages.table.common import people
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.table.view import Advice


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A hint in words."""

    choice: str
    reason: str
    asked: tuple[str, ...]
    """Sentences about the card that was asked about."""
    known: tuple[str, ...]
    """Sentences about the seat's knowledge: highest cards, voids, the meaning of bids."""
    others: tuple[tuple[str, str], ...]
    """The actions that may be asked about: as text of records, and in words."""


MOST_CALLS = 8
"""Greatest number of legal calls that can be asked about one by one."""


def hint(advice: Advice, reader: Reader) -> Hint:
    """The hint for a reader."""
    seen, choice, view = advice.seen, advice.choice, advice.seen.view
    who = people(seen)
    voice = who.voice(reader)
    return Hint(
        choice=reader.say("Nothing: wait") if choice is None else voice.choice(choice.action),
        reason=who.note(choice.reason, reader) if choice is not None and choice.reason is not None else "",
        asked=tuple(capital(text) for text in _why_not(advice, who, reader)),
        known=tuple(_knowledge(view, who, reader)),
        others=tuple((act, text) for text, act in _others(advice, voice)),
    )


def _others(advice: Advice, voice: Voice) -> Iterator[tuple[str, str]]:
    """The other actions, those of one meaning once: in words, and as text of records."""
    view, choice = advice.seen.view, advice.choice
    words = sum(isinstance(action, Call) for action in view.legal)
    known = set() if choice is None else {action_words(choice.action, voice, view.rules)}
    for action in view.legal:
        asked = single(action) is not None or (isinstance(action, Call) and words <= MOST_CALLS)
        text = action_words(action, voice, view.rules)
        if asked and text not in known:
            known.add(text)
            yield text, str(action)


def _played_cards(view: View) -> Iterator[Card]:
    """The cards played so far."""
    yield from (card for trick in view.tricks for _, card in trick.plays)
    yield from (card for _, card in view.trick)


def higher_unseen(view: View, card: Card) -> int:
    """The number of higher cards of the suit that the seat has not seen."""
    strength, seen = hand_notes(view.game).strength_of(view), {*_played_cards(view), *view.cards}
    pack = (other for other in games()[view.game].deck if other.suit == card.suit and other not in seen)
    return sum(strength[other.rank] > strength[card.rank] for other in pack)


def _knowledge(view: View, who: SeatNames, reader: Reader) -> Iterator[str]:
    """Sentences about the seat's knowledge, the most useful first."""
    say = reader.say
    yield from hand_notes(view.game).reminders(view, who, reader)
    if view.phase == "play":
        top = tuple(card for card in view.cards if not higher_unseen(view, card))
        if top:
            yield say("Highest of their suits now: {cards}.", cards=who.voice(reader).cards(top))
        for seat, suit in sorted(_voids(view)):
            yield say("{name} has no {suit} left.", name=who.name(seat), suit=suit_words(suit, say))
    played = set(_played_cards(view))
    for by, action in view.heard:
        if by not in (CHANCE, view.seat) and isinstance(action, Show) and len(action.cards) == 1:
            card = action.cards[0]
            if card not in played and not getattr(view.facts, "soloist", None):
                name = who.name(by)
                yield say(
                    "{name} has shown {card} and still holds it.", name=name, card=card_words(card, say)
                )


def _voids(view: View) -> set[tuple[Seat, int]]:
    """The suits that other seats did not follow."""
    tricks = [*(trick.plays for trick in view.tricks), *([view.trick] if view.trick else [])]
    return {
        (seat, plays[0][1].suit)
        for plays in tricks
        for seat, card in plays
        if card.suit != plays[0][1].suit and seat != view.seat
    }


def _why_not(advice: Advice, who: SeatNames, reader: Reader) -> Iterator[str]:
    """Sentences about the card or call that was asked about, compared with the good player's choice."""
    say = reader.say
    view, card, asked, choice = advice.seen.view, advice.card, advice.asked, advice.choice
    card = single(asked) if asked is not None else card
    if card is None and asked is None:
        return
    name = "" if card is None else card_words(card, say)
    if card is not None and card not in view.cards:
        yield say("You do not hold this card.")
    elif asked is None and isinstance(view.legal[0], Give):
        given = choice is not None and isinstance(choice.action, Give) and card in choice.action.cards
        text = sentence("A good player would give the {card}, too.")
        yield say(text if given else sentence("A good player would keep the {card}."), card=name)
    elif asked is None:
        yield say("The {card} may not be played now.", card=name)
    elif choice is not None and choice.action == asked:
        yield say("This is what a good player would consider, too.")
    else:
        if card is not None and isinstance(asked, Play):
            yield from _effect(view, card, name, who, reader)
        if advice.beside is not None:
            yield from _beside(advice.beside, who, reader)


def _beside(beside: Comparison, who: SeatNames, reader: Reader) -> Iterator[str]:
    """Sentences about the two choices, played out in the same deals."""
    say = reader.say
    if beside.alike:
        yield say("It is as good as the good player’s choice.")
        return
    yield say(
        sentence(
            "Both were played out in the {count} deal that fits what you know.",
            "Both were played out in all {count} deals that fit what you know.",
        )
        if beside.every
        else sentence(
            "Both were played out in {count} deal that fits what you know.",
            "Both were played out in {count} deals that fit what you know.",
        ),
        count=beside.deals,
    )
    if beside.reason is not None:
        yield who.note(beside.reason, reader)
        return
    if not beside.clear:
        yield say("Neither is clearly better.")
    elif beside.cost is None:
        better = sentence("The good player’s choice does clearly better.")
        yield say(better if beside.clear > 0 else sentence("This choice did even better."))
    else:
        better = sentence("The good player’s choice is better by {points} on average, in points.")
        even = sentence("This choice was even better by {points} on average, in points.")
        points = decimal(abs(beside.cost), reader.language, signed=False)
        yield say(better if beside.clear > 0 else even, points=points)
    mine, others = (str(round(100 * share)) for share in beside.ahead)
    yield say(
        "You come out ahead in {mine}% of the deals this way, in {others}% the good player’s way.",
        mine=mine,
        others=others,
    )


def _effect(view: View, card: Card, name: str, who: SeatNames, reader: Reader) -> Iterator[str]:
    say = reader.say
    if view.trick:
        taker = trick_winner(view, card)
        if taker is None:
            yield say("The {card} would win the trick for now.", card=name)
        else:
            yield say("The {card} leaves the trick to {name}.", card=name, name=who.name(taker))
    out = higher_unseen(view, card)
    if not out:
        yield say("The {card} is the highest of its suit now.", card=name)
    else:
        text = sentence(
            "{count} higher card of its suit is still out.", "{count} higher cards of its suit are still out."
        )
        yield say(text, count=out)


def trick_winner(view: View, card: Card) -> Seat | None:
    """The seat that holds the trick against this card; None if the card takes it."""
    strength, trump = hand_notes(view.game).strength_of(view), getattr(view.facts, "trump", None)
    led = view.trick[0][1].suit

    def rank(card: Card) -> tuple[bool, bool, int]:
        return card.suit == trump, card.suit == led, strength[card.rank]

    seat, best = max(view.trick, key=lambda play: rank(play[1]))
    return None if rank(card) > rank(best) else seat
