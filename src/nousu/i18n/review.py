"""The review of a hand in sentences, for pages, the terminal and paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from nousu.engine.actions import Action, Play, Seal
from nousu.engine.cards import Card
from nousu.engine.messages import sentence
from nousu.extensions import Point, extension
from nousu.games import games
from nousu.i18n import decimal, signed_amount
from nousu.i18n.sentences import Voice, capital, card_words, suit_words
from nousu.review import HandReview, JudgedChoice, KeyLayout, Verdict

VERDICTS: dict[Verdict, str] = {
    "mistake": sentence("clear mistake"),
    "lucky": sentence("mistake, but lucky"),
    "style": sentence("matter of style"),
    "unsure": sentence("unsure"),
    "good": sentence("well done"),
    "only": sentence("only good choice"),
}
_ONLY_CARD = sentence("only card")
_WHY: dict[Verdict, str] = {
    "mistake": sentence("Better, given what was known: {best}."),
    "lucky": sentence("Better, given what was known: {best}. As the cards lay, it cost nothing."),
    "style": sentence("About as good: {best}."),
    "unsure": sentence("Perhaps better: {best}. The deals do not show which is better."),
    "good": sentence("Nothing better was found."),
    "only": sentence("Everything else was clearly worse."),
}
FEW_HANDS = 8
"""Least number of earlier hands whose mean is said."""
MISTAKES = ("mistake", "lucky")
"""Verdicts on a choice that was clearly worse, given the knowledge of its player."""
_SMALL = sentence(
    "Perhaps better: {best}. The difference is too small, or depends too much on how you read the others, "
    "to call it a mistake."
)
_OPEN = sentence("Perhaps better: {best}. If everybody saw all cards, it would be no better.")
_SCORE = sentence("More points on average: {best}. But it does not clearly win more matches from this score.")
_KINDS = {
    "bid high": sentence("High bids (rami)"),
    "bid low": sentence("Low bids (nolo)"),
    "lead high": sentence("Leads in high hands (rami)"),
    "follow high": sentence("Later cards in high hands (rami)"),
    "lead low": sentence("Leads in low hands (nolo)"),
    "follow low": sentence("Later cards in low hands (nolo)"),
    "sooli": sentence("Calling a sooli or not"),
    "sooli alone": sentence("Cards in your own sooli"),
    "sooli against": sentence("Cards against a sooli"),
    "exchange": sentence("Exchange of cards"),
    "bid": sentence("Bids"),
    "contract": sentence("Naming the contract"),
    "marriage": sentence("Marriages and questions"),
    "leave": sentence("Leaving after a raise"),
    "hold": sentence("Going along with a raise"),
    "raise": sentence("Raises"),
    "blind": sentence("Blind raises"),
    "pictures": sentence("Exchanging four pictures or not"),
    "doubt": sentence("Challenging four pictures"),
    "lead": sentence("Leads"),
    "follow": sentence("Later cards"),
}
"""Kinds of choices by the names that families give them."""
_OTHER = sentence("Other words")


def habit_words(kind: str) -> str:
    """The name of a kind of choices: a message of the catalogues."""
    return _KINDS.get(kind, _OTHER)


class SealedBids(Protocol):
    """A family's module at `Point.REVIEW` whose bids are laid face down."""

    def bid_word(self, action: Seal, rules: Any, /) -> str | None:
        """The word that a sealed bid stands for: ``rami``; None if it is hidden."""
        ...


@dataclass(frozen=True, slots=True)
class LayoutWords:
    """A layout of the cards in words, with its share of all deals in per cent, and its cost in points."""

    text: str
    percent: int
    cost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceWords:
    """A choice that mattered, in words."""

    step: int
    where: str
    """The trick, or the phase before the first card."""
    did: str
    """The action in words."""
    verdict: Verdict
    title: str
    """The verdict in words."""
    amount: str
    """The cost in points."""
    range: str
    """The interval of the cost; empty if it was not measured, or is too narrow."""
    match: str
    """The cost as a chance to win the match; empty if it is not measured."""
    why: str
    best: str
    reason: str
    """The reason for the best choice; may be empty."""
    card: Card | None
    best_card: Card | None
    table: tuple[Card, ...]
    odds: tuple[LayoutWords, ...]
    options: tuple[tuple[str, str], ...]
    """The possible actions with their values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandWords:
    """The review of a hand in words."""

    headline: str
    curve: str
    """The meaning of the curve in a sentence."""
    choices: tuple[ChoiceWords, ...]
    praised: tuple[ChoiceWords, ...]
    """The choices after which everything else was clearly worse."""


def hand_words(review: HandReview, voice: Voice, language: str, rules: Any) -> HandWords:
    """A review in words.

    Args:
        review: The review of a hand.
        voice: Speaks of the players.
        language: The language of the voice, for numbers.
        rules: The rules of the hand.
    """
    return HandWords(
        headline=_headline(review, voice, language),
        curve=_curve(review, voice, language),
        choices=tuple(choice_words(choice, voice, language, rules) for choice in review.mattered()),
        praised=tuple(choice_words(choice, voice, language, rules) for choice in review.praised),
    )


def _headline(review: HandReview, voice: Voice, language: str) -> str:
    if review.void:
        return voice.say("This hand was dealt again.")
    if not review.choices:
        return voice.say("There was nothing to choose in this hand.")
    if review.given_away < review.unit / 10:
        return voice.say("Nothing to speak of was given away.")
    points = decimal(review.given_away, language, signed=False)
    return voice.say("Points given away: about {points}.", points=points)


def _curve(review: HandReview, voice: Voice, language: str) -> str:
    if not review.curve:
        return ""
    first, last = decimal(review.curve[0].value, language), signed_amount(review.curve[-1].value, language)
    message = sentence("Expected result by trick: {first} at the start, {last} at the end.")
    return voice.say(message, first=first, last=last)


def choice_words(judged: JudgedChoice, voice: Voice, language: str, rules: Any) -> ChoiceWords:
    """The words for a choice."""
    say = voice.say
    best = action_words(judged.best, voice, rules)
    low, high = (decimal(-bound, language) for bound in (judged.cost.high, judged.cost.low))
    only = judged.verdict == "only" and isinstance(judged.action, Play)
    return ChoiceWords(
        step=judged.step,
        where=say("Trick {number}", number=judged.trick) if judged.trick else say("Before the cards"),
        did=action_words(judged.action, voice, rules),
        verdict=judged.verdict,
        title=say(_ONLY_CARD if only else VERDICTS[judged.verdict]),
        amount=decimal(-judged.cost.mean, language),
        range=say("from {low} to {high}", low=low, high=high) if low != high else "",
        match=_match(judged, voice, language),
        why=say(_why(judged), best=best),
        best=best,
        reason="" if judged.reason is None else voice.note(judged.reason),
        card=_card(judged.action),
        best_card=_card(judged.best) if judged.best != judged.action else None,
        table=tuple(card for _, card in judged.table),
        odds=tuple(_layout_words(layout, voice, language) for layout in judged.layouts),
        options=tuple(
            (action_words(option.action, voice, rules), decimal(option.value, language))
            for option in judged.options
        ),
    )


def _why(judged: JudgedChoice) -> str:
    """The explanation of a verdict; a cost that is certainly above 0 has explanations of its own."""
    if judged.cost.low <= 0 or judged.verdict != "unsure":
        return _WHY[judged.verdict]
    if judged.second is not None and judged.second <= 0:
        return _OPEN
    return _SMALL if judged.match is None or judged.match.low > 0 else _SCORE


def _match(judged: JudgedChoice, voice: Voice, language: str) -> str:
    if judged.match is None:
        return ""
    percent = decimal(-judged.match.mean, language)
    return voice.say("Chance to win the match: {percent}%", percent=percent)


def par_words(review: HandReview, voice: Voice, language: str) -> str:
    """The par of a hand in a sentence: its value with all hands open."""
    points = signed_amount(review.par or 0.0, language)
    return voice.say("Par, with all hands open and best play by everybody: {points}.", points=points)


def costliest_choice(reviews: Iterable[HandReview]) -> tuple[HandReview, JudgedChoice] | None:
    """The clear mistake with the greatest cost, lucky ones included; None where none mattered."""
    mattered = ((hand, judged) for hand in reviews for judged in hand.mattered())
    mistakes = ((hand, judged) for hand, judged in mattered if judged.verdict in MISTAKES)
    return max(mistakes, key=lambda row: row[1].cost.mean, default=None)


def luckiest_hand(reviews: Iterable[HandReview]) -> tuple[HandReview, float] | None:
    """The hand with most points above its expected result at the start, and the difference in points."""
    gains = ((hand, hand.points - hand.curve[0].value) for hand in reviews if hand.curve)
    return max(gains, key=lambda row: row[1], default=None)


def evening_words(
    reviews: Sequence[HandReview], earlier: Sequence[HandReview], voice: Voice, language: str
) -> str:
    """The points given away a hand, beside those of the same player's earlier hands; empty without hands."""
    played = [review for review in reviews if not review.void]
    if not played:
        return ""
    points = decimal(fmean(review.given_away for review in played), language, signed=False)
    name, unit = voice.name(played[0].seat), fmean(review.unit for review in played)
    before = [review.given_away / review.unit for review in earlier if not review.void]
    if len(before) < FEW_HANDS:
        return voice.say(
            "Points a hand given away by clear mistakes, {name}: {points}.", name=name, points=points
        )
    return voice.say(
        "Points a hand given away by clear mistakes, {name}: {points}; in earlier hands: {mean}.",
        name=name,
        points=points,
        mean=decimal(unit * fmean(before), language, signed=False),
    )


def costliest_words(hand: HandReview, judged: JudgedChoice, voice: Voice, language: str, rules: Any) -> str:
    """The costliest choice in a sentence."""
    return voice.say(
        "Costliest choice: hand {number}, {name}: {action} ({points}).",
        number=hand.number,
        name=voice.name(hand.seat),
        action=action_words(judged.action, voice, rules),
        points=decimal(-judged.cost.mean, language),
    )


def luckiest_words(hand: HandReview, luck: float, voice: Voice, language: str) -> str:
    """The luckiest hand in a sentence."""
    return voice.say(
        "Luckiest hand: hand {number}, {name}; points above what the cards promised: {points}.",
        number=hand.number,
        name=voice.name(hand.seat),
        points=decimal(luck, language, signed=False),
    )


def action_words(action: Action | None, voice: Voice, rules: Any) -> str:
    """An action on a list: a card, a word, a bid by its meaning."""
    if action is None:
        return voice.say("say nothing")
    if isinstance(action, Seal):
        names = (game.name for game in games().values() if isinstance(rules, game.rules))
        family = extension(SealedBids, Point.REVIEW, next(names, ""))
        word = None if family is None else family.bid_word(action, rules)
        if word is not None:
            return voice.word(word)
    text = voice.choice(action)
    return text if isinstance(action, Play) else text[:1].lower() + text[1:]


def _card(action: Action | None) -> Card | None:
    match action:
        case Play(card):
            return card
        case Seal(Card() as card) if card >= 0:
            return card
    return None


def _layout_words(layout: KeyLayout, voice: Voice, language: str) -> LayoutWords:
    name = voice.name(layout.seat)
    if layout.card is not None:
        text = voice.say("{card} with {name}", card=card_words(layout.card, voice.say), name=name)
    elif layout.void:
        text = voice.say("{name} has no {suit}", name=name, suit=suit_words(layout.suit, voice.say))
    else:
        text = voice.say("{name} has {suit}", name=name, suit=suit_words(layout.suit, voice.say))
    return LayoutWords(capital(text), round(100 * layout.share), decimal(-layout.cost, language))
