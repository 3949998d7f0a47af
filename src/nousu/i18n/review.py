"""The review of a hand in sentences, for pages, the terminal and paper alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nousu.engine.actions import Action, Play, Seal
from nousu.engine.cards import Card
from nousu.engine.messages import sentence
from nousu.games import whist
from nousu.i18n import decimal, gained
from nousu.i18n.sentences import Voice, capital, card_words, suit_words
from nousu.review import HandReview, JudgedChoice, KeyLayout, Verdict

VERDICTS: dict[Verdict, str] = {
    "mistake": sentence("clear mistake"),
    "lucky": sentence("mistake, but lucky"),
    "unlucky": sentence("unlucky"),
    "style": sentence("matter of style"),
    "unsure": sentence("unsure"),
    "good": sentence("well done"),
}
_WHY: dict[Verdict, str] = {
    "mistake": sentence("Better, given what was known: {best}."),
    "lucky": sentence("Better, given what was known: {best}. As the cards lay, it cost nothing."),
    "unlucky": sentence("Right, given what was known. As the cards lay, another way was better."),
    "style": sentence("About as good: {best}."),
    "unsure": sentence("Perhaps better: {best}. The deals do not settle it."),
    "good": sentence("Nothing better was found."),
}
MISTAKES = ("mistake", "lucky")
"""Verdicts on a choice that what was known spoke clearly against."""
_SMALL = sentence(
    "Perhaps better: {best}. The difference is too small, or too much a matter of how one reads the others, "
    "to be called a mistake."
)
_DIFFER = sentence("Strong players disagree here; another way is {best}.")


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
    "doubt": sentence("Doubting four pictures"),
    "lead": sentence("Leads"),
    "follow": sentence("Later cards"),
}
"""Kinds of choices as families name them (`kind`)."""
_OTHER = sentence("Other words")


def habit_words(kind: str) -> str:
    """What a kind of choices is called: a message of the catalogues."""
    return _KINDS.get(kind, _OTHER)


@dataclass(frozen=True, slots=True)
class Odds:
    """A way the cards may lie."""

    text: str
    percent: int
    cost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceWords:
    """A choice that mattered, in words."""

    step: int
    where: str
    """The trick, or that it was before the cards."""
    did: str
    """What was done."""
    verdict: Verdict
    title: str
    """The verdict in words."""
    amount: str
    """What it cost, in points."""
    range: str
    """The interval of that; empty where it was not measured, or is too narrow to be seen."""
    match: str
    """The same as a chance to win the match; empty where that is not measured."""
    why: str
    best: str
    reason: str
    """Why a strong player would act so; may be empty."""
    card: Card | None
    best_card: Card | None
    table: tuple[Card, ...]
    odds: tuple[Odds, ...]
    options: tuple[tuple[str, str], ...]
    """What could be done, and what each was worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandWords:
    """The review of a hand in words."""

    headline: str
    curve: str
    """What the curve shows, in a sentence."""
    choices: tuple[ChoiceWords, ...]


def hand_words(review: HandReview, voice: Voice, language: str, rules: Any) -> HandWords:
    """The review of a hand by these rules in the language of `voice`, which speaks of the people there."""
    return HandWords(
        headline=_headline(review, voice, language),
        curve=_curve(review, voice, language),
        choices=tuple(choice_words(one, voice, language, rules) for one in review.mattered()),
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
    first, last = decimal(review.curve[0].value, language), gained(review.curve[-1].value, language)
    message = sentence("Expected result by trick: {first} at the start, {last} at the end.")
    return voice.say(message, first=first, last=last)


def choice_words(judged: JudgedChoice, voice: Voice, language: str, rules: Any) -> ChoiceWords:
    """One choice in words."""
    say = voice.say
    best = action_words(judged.best, voice, rules)
    cost = judged.seen if judged.verdict == "unlucky" else judged.cost.mean
    low, high = (decimal(-one, language) for one in (judged.cost.low, judged.cost.high))
    measured = judged.verdict != "unlucky"
    return ChoiceWords(
        step=judged.step,
        where=say("Trick {number}", number=judged.trick) if judged.trick else say("Before the cards"),
        did=action_words(judged.action, voice, rules),
        verdict=judged.verdict,
        title=say(VERDICTS[judged.verdict]),
        amount=decimal(-(cost or 0.0), language),
        range=say("from {low} to {high}", low=high, high=low) if measured and low != high else "",
        match=_match(judged, voice, language) if measured else "",
        why=say(_why(judged), best=best),
        best=best,
        reason="" if judged.reason is None else voice.note(judged.reason),
        card=_card(judged.action),
        best_card=_card(judged.best) if judged.best != judged.action else None,
        table=tuple(card for _, card in judged.table),
        odds=tuple(_odds(one, voice, language) for one in judged.layouts),
        options=tuple(
            (action_words(option.action, voice, rules), decimal(option.value, language))
            for option in judged.options
        ),
    )


def _why(judged: JudgedChoice) -> str:
    """What is said of the verdict. Where the cost is above nothing for sure, the deals do settle it."""
    if judged.cost.low > 0:
        if judged.verdict == "unsure":
            return _SMALL
        if judged.verdict == "style" and judged.second is not None:
            return _DIFFER
    return _WHY[judged.verdict]


def _match(judged: JudgedChoice, voice: Voice, language: str) -> str:
    if judged.match is None:
        return ""
    percent = decimal(-judged.match.mean, language)
    return voice.say("Chance to win the match: {percent}%", percent=percent)


def par_words(review: HandReview, voice: Voice, language: str) -> str:
    """What the hand was worth with all cards seen."""
    points = gained(review.par or 0.0, language)
    return voice.say("Par, with all hands open and best play by everybody: {points}.", points=points)


def dearest(reviews: Iterable[HandReview]) -> tuple[HandReview, JudgedChoice] | None:
    """The clear mistake that cost most, lucky ones too."""
    found = ((one, judged) for one in reviews for judged in one.judged if judged.verdict in MISTAKES)
    return max(found, key=lambda row: row[1].cost.mean, default=None)


def luckiest(reviews: Iterable[HandReview]) -> tuple[HandReview, float] | None:
    """The hand that brought most beyond what the cards promised at first, and how many points."""
    found = ((one, one.points - one.curve[0].value) for one in reviews if one.curve)
    return max(found, key=lambda row: row[1], default=None)


def dearest_words(one: HandReview, judged: JudgedChoice, voice: Voice, language: str, rules: Any) -> str:
    """The dearest choice in a sentence."""
    return voice.say(
        "Costliest choice: hand {number}, {name}: {action} ({points}).",
        number=one.number,
        name=voice.name(one.seat),
        action=action_words(judged.action, voice, rules),
        points=decimal(-judged.cost.mean, language),
    )


def luckiest_words(one: HandReview, luck: float, voice: Voice, language: str) -> str:
    """The luckiest hand in a sentence."""
    return voice.say(
        "Luckiest hand: hand {number}, {name}; points above what the cards promised: {points}.",
        number=one.number,
        name=voice.name(one.seat),
        points=decimal(luck, language, signed=False),
    )


def action_words(action: Action | None, voice: Voice, rules: Any) -> str:
    """What may be done, on a list: a card, a word, a bid by what it means."""
    if action is None:
        return voice.say("say nothing")
    if isinstance(action, Seal) and isinstance(rules, whist.Rules):
        bid = whist.bid_in(action)
        if bid is not None:
            return voice.word(str(rules.words[0 if whist.means_high(bid, rules) else 1]))
    text = voice.choice(action)
    return text if isinstance(action, Play) else text[:1].lower() + text[1:]


def _card(action: Action | None) -> Card | None:
    if isinstance(action, Play):
        return action.card
    bid = whist.bid_in(action) if isinstance(action, Seal) else None
    return bid if isinstance(bid, Card) else None


def _odds(layout: KeyLayout, voice: Voice, language: str) -> Odds:
    name = voice.name(layout.seat)
    if layout.card is not None:
        text = voice.say("{card} with {name}", card=card_words(layout.card, voice.say), name=name)
    elif layout.void:
        text = voice.say("{name} has no {suit}", name=name, suit=suit_words(layout.suit, voice.say))
    else:
        text = voice.say("{name} has {suit}", name=name, suit=suit_words(layout.suit, voice.say))
    return Odds(capital(text), round(100 * layout.share), decimal(-layout.cost, language))
