"""Exercises: one moment at a table, drawn as a table in play, and the answer to what was tried.

Lessons, problems and a person's own mistakes are exercises. A choice is an address,
``/learn/tuppi/2?act=play+CA``; its page holds the answer, which the script of the page takes over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.responses import Response

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action, single
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, View
from nousu.engine.messages import sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice, card_words, suit_words
from nousu.server.pages.site import imported_modules
from nousu.server.pages.table.cards import suit_lanes
from nousu.server.pages.table.common import card_group_actions
from nousu.server.pages.table.family import hand_notes, table_page
from nousu.server.pages.table.table_page import first_data
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.visit import Visit
from nousu.server.table.view import MatchView, SeatView

_LISTED = 6
"""The most choices that an answer lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A choice with the answer."""

    said: str = ""
    """The answer in words; empty before the first choice."""
    good: bool = False
    """The choice was right."""
    hand: Hand
    """The hand after the choice if it was right, else before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The calls and tricks before the moment."""

    heard: tuple[str, ...]
    """The calls so far in sentences."""
    state: tuple[str, ...]
    """Sentences of the family: points, stake, open cards, contract, trumps."""
    gone: tuple[tuple[str, str, tuple[str, ...]], ...]
    """The cards of finished tricks by suit: symbol, name, corners from the highest down."""


class Exercise(Protocol):
    """The values that the page of an exercise shows."""

    @property
    def table(self) -> TableView:
        """The table at the moment, or after the right choice."""
        ...


def exercise_response(
    visit: Visit, template: str, shown: Exercise, rules: str, more: Mapping[str, object] | None = None
) -> Response:
    """The page of an exercise by a template that extends ``exercise.html``, with `more` values for it."""
    values = {
        **(more or {}),
        "show": shown,
        "first": first_data(shown.table, visit.reader),
        "preloads": imported_modules("js/exercise.js", f"js/table/{shown.table.drawing}.js"),
        "rules_link": f"/rules/{rules}",
    }
    return visit.page(template, values)


def exercise_table(view: View, names: Sequence[str], preset: str, reader: Reader) -> TableView:
    """The table of a moment as its family draws it, from the view of one seat alone.

    Args:
        view: The learner's view.
        names: The players by seat.
        preset: The rules as ``preset+option=value``.
        reader: The language.
    """
    seen = SeatView(
        table_id="",
        seq=0,
        view=view,
        names=tuple(names),
        computers=(False,) * len(names),
        seat=view.seat,
        preset=preset,
        base_preset=preset.split("+")[0],
        match=MatchView(
            game=view.game,
            rules=view.rules,
            seats=len(names),
            dealer=view.setup.dealer,
            number=view.setup.number,
            played=(),
            tally=view.setup.tally,
            winner=None,
            seating=None,
            drawn=(),
        ),
        finished=False,
        waiting=False,
        over=False,
        window=None,
        lang=reader.language,
    )
    return table_page(view.game).table(seen, reader)


def background(view: View, voice: Voice, reader: Reader) -> Background:
    """The calls and cards before the moment of a view, without those of its own seat."""
    seat, notes = view.seat or 0, hand_notes(view.game)
    strength = notes.strength_of(view)
    played = sorted(
        (card for trick in view.tricks for _, card in trick.plays), key=lambda card: -strength[card.rank]
    )
    return Background(
        heard=tuple(
            _action_words(voice, by, action, seat)
            for by, action in view.heard
            if by not in (CHANCE, seat) and isinstance(action, Call | Show | Give)
        ),
        state=notes.state_words(view, voice),
        gone=suit_lanes(played, reader),
    )


def _action_words(voice: Voice, by: Seat, action: Action, seat: Seat) -> str:
    match action:
        case Give(cards, to) if to == seat:
            return voice.say("{name} gives you {cards}.", name=voice.name(by), cards=voice.cards(cards))
    return voice.sentence((by, action))


def attempt(act: str, hand: Hand, seat: Seat, voice: Voice, judged: Callable[[Action], Attempt]) -> Attempt:
    """Judge an action; what the rules forbid is answered in words about these cards.

    Args:
        act: The action as text of records.
        hand: The hand before it.
        seat: The learner's seat.
        voice: The voice of the answer.
        judged: Judges a legal action.
    """
    action = None
    try:
        action = parse_action(act)
        return judged(action)
    except (IllegalAction, ValueError):
        return Attempt(said=_forbidden_words(hand.view(seat), action, voice), hand=hand)


def problem_attempt(
    act: str, hand: Hand, seat: Seat, voice: Voice, right: Callable[[Action], bool]
) -> Attempt:
    """An attempt at a problem; no action, or ``answer`` for the solution, is none."""

    def judged(action: Action) -> Attempt:
        after = hand.apply(seat, action)
        if right(action):
            return Attempt(said=voice.say("That is best."), good=True, hand=after)
        return Attempt(said=voice.say("Something else is better. Try again."), hand=hand)

    return attempt(act, hand, seat, voice, judged) if act and act != "answer" else Attempt(hand=hand)


def _forbidden_words(view: View, action: Action | None, voice: Voice) -> str:
    """Why an action cannot be done with these cards, and what can."""
    say = voice.say
    card = None if action is None else single(action)
    fitting = tuple(other for choice in view.legal if (other := single(choice)) in view.cards and other)
    if card in view.cards and card is not None and fitting:
        cards = voice.cards(fitting)
        if isinstance(action, Play) and view.trick:
            barred = _barred_words(view, card, fitting, voice)
            return " ".join((barred, say("You may play: {cards}.", cards=cards)))
        if isinstance(action, Seal):
            barred = say("The {card} cannot be laid as a bid.", card=card_words(card, say))
            return " ".join((barred, say("These cards can: {cards}.", cards=cards)))
    counts = {count for count, _ in card_group_actions(view.legal).values()}
    if isinstance(action, Give) and counts and len(action.cards) not in counts:
        count = max(counts)
        return say(sentence("Choose exactly {count} card.", "Choose exactly {count} cards."), count=count)
    if 0 < len(view.legal) <= _LISTED:
        choices = ", ".join(voice.choice(choice) for choice in view.legal)
        return say("That cannot be done now. This can: {choices}.", choices=choices)
    return say("That cannot be done now. The cards and buttons in colour can.")


def _barred_words(view: View, card: Card, fitting: Sequence[Card], voice: Voice) -> str:
    """Why a card of the hand may not be played to the trick."""
    say, led = voice.say, view.trick[0][1].suit
    name, suit = card_words(card, say), suit_words(led, say)
    if any(held.suit == led for held in view.cards):
        if card.suit != led:
            text = sentence("The {card} would not follow: {suit} were led, and you hold some.")
            return say(text, card=name, suit=suit)
        return say("The {card} would stay below, and whoever can beat the trick must.", card=name)
    if card.suit != fitting[0].suit:
        return say("You hold no {suit}, and whoever has a trump must play it then.", suit=suit)
    return say("The {card} is too low a trump: whoever can go higher must.", card=name)
