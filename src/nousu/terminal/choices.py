"""The legal actions of a person, sorted for choosing, and a parser of typed input."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.game import View
from nousu.engine.messages import brief, sentence
from nousu.extensions import Point, extension
from nousu.i18n import corner_ranks
from nousu.i18n.sentences import Voice

_DIGITS = 6
"""The most digits of a number that is shown to the rules."""
_FAR = 100
"""Distance above the lowest number from which on a number has to be given twice."""


class NumberCalls(Protocol):
    """A family whose calls name numbers, such as bids; its module at `Point.TERMINAL`."""

    def number_in(self, call: Call, /) -> int | None:
        """The number that the call names; None for other calls."""
        ...


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal actions of a view: one card, several cards, or words."""

    cards: dict[Card, Action]
    """Actions that name one card of the hand."""
    sets: dict[frozenset[Card], Action]
    """Actions that name several cards (an exchange)."""
    words: tuple[Action, ...]
    """The other actions, in the order of the rules."""
    numbers: dict[int, Action]
    """Actions that name a number, bids or contracts. A typed number then means nothing else."""

    def is_far(self, action: Action) -> bool:
        """Whether an action names a number far above the lowest: it may cost much, and be a slip."""
        lowest = min(self.numbers, default=0)
        return any(number >= lowest + _FAR and other == action for number, other in self.numbers.items())

    @property
    def size(self) -> int:
        """The number of cards to pick: 0 where none may be picked."""
        return next((len(cards) for cards in self.sets), 1 if self.cards else 0)


def cards_in(action: Action) -> tuple[Card, ...]:
    """The cards an action names."""
    match action:
        case Play(card) | Seal(Card() as card):
            return (card,)
        case Show(cards) | Give(cards, _):
            return cards
    return ()


def choices(view: View) -> Choices:
    """The legal actions of a view. A set that leaves no choice (the whole hand) is a word."""
    cards: dict[Card, Action] = {}
    sets: dict[frozenset[Card], Action] = {}
    words: list[Action] = []
    for action in view.legal:
        named = cards_in(action)
        if len(named) == 1:
            cards[named[0]] = action
        elif named and len(named) < len(view.cards):
            sets[frozenset(named)] = action
        else:
            words.append(action)
    return Choices(cards, sets, tuple(words), _numbers(view.game, words))


def _numbers(game: str, words: list[Action]) -> dict[int, Action]:
    """The calls that name numbers, by number."""
    family = extension(NumberCalls, Point.TERMINAL, game)
    numbers: dict[int, Action] = {}
    for action in words:
        if not isinstance(action, Call):
            continue
        number = family.number_in(action) if family else None
        if number is None and action.word.isdecimal():
            number = int(action.word)
        if number is not None:
            numbers[number] = action
    return numbers


def number_range(offered: Choices, voice: Voice) -> str:
    """The numbers that may be named: ``55 to 440 by 5: type the number``."""
    numbers = sorted(offered.numbers)
    steps = {high - low for low, high in pairwise(numbers)}
    if len(steps) != 1:
        return ", ".join(map(str, numbers))
    (step,) = steps
    return voice.say(
        "{low} to {high} by {step}: type the number", low=numbers[0], high=numbers[-1], step=step
    )


def possible_choices(view: View, voice: Voice) -> str:
    """The possible choices in one line: cards, number of cards, numbers, words."""
    offered = choices(view)
    parts = [voice.choice(action) for action in offered.cards.values()]
    if offered.sets:
        cards = voice.say(sentence("Name {count} card.", "Name {count} cards."), count=offered.size)
        parts.append(cards.rstrip("."))
    if offered.numbers:
        parts.append(number_range(offered, voice))
    parts += [voice.choice(action) for action in offered.words if action not in offered.numbers.values()]
    return ", ".join(parts)


class UnclearInput(ValueError):
    """Raised for typed text that is no action; its message suggests others."""


def parse_input(text: str, view: View, voice: Voice) -> Action:
    """Parse a typed action.

    Args:
        text: ``h9``, ``s10 h7 d6``, ``2`` (the second of the words), ``pass``, ``so`` (the beginning of a
            word), or an action as records write it.
        view: The view of the person.
        voice: Speaks to the person.

    Returns:
        An action. It need not be legal: an illegal card comes in an action like the legal ones, so that the
        rules can explain the refusal.

    Raises:
        UnclearInput: The text is no action, or fits several.
    """
    offered = choices(view)
    words = " ".join(text.split())
    if words.isdecimal() and offered.numbers:
        return _with_number(words, offered, voice)
    if words.isdecimal():
        if len(words) < 4 and 1 <= int(words) <= len(offered.words):
            return offered.words[int(words) - 1]
        raise UnclearInput(voice.say("There is no choice number {number}.", number=brief(words)))
    named = _cards(words)
    if named:
        return _with_cards(named, offered)
    for action in view.legal:
        if words == str(action):
            return action
    labels = {action: voice.choice(action).casefold() for action in offered.words}
    spoken = {action: str(action).casefold() for action in offered.words}
    start = words.casefold()
    exact = [word for word in offered.words if start in (labels[word], spoken[word])]
    hits = exact or [
        word for word in offered.words if _begins(labels[word], start) or _begins(spoken[word], start)
    ]
    if len(hits) > 1 and set(hits) <= set(offered.numbers.values()):
        raise UnclearInput(voice.say("That could be: {choices}.", choices=number_range(offered, voice)))
    if len(hits) == 1:
        return hits[0]
    if hits:
        listed = ", ".join(voice.choice(action) for action in hits)
        raise UnclearInput(voice.say("That could be: {choices}.", choices=listed))
    try:
        action = parse_action(words)
    except ValueError:
        action = Call(words)
    if isinstance(action, Call):
        raise UnclearInput(voice.say("{text} means nothing here.", text=words))
    return action


def _begins(words: str, start: str) -> bool:
    """Whether the words begin so; a number is never completed: ``contract 44`` is not one of 440."""
    rest = words[len(start) :]
    return words.startswith(start) and not (start[-1:].isdigit() and rest[:1].isdigit())


def _with_number(digits: str, offered: Choices, voice: Voice) -> Action:
    """The action that names this number, or else a similar one that the rules can refuse."""
    if len(digits) > _DIGITS:
        raise UnclearInput(voice.say("There is no choice number {number}.", number=brief(digits)))
    number = int(digits)
    if number in offered.numbers:
        return offered.numbers[number]
    lowest = min(offered.numbers)
    model = offered.numbers[lowest]
    assert isinstance(model, Call)
    return Call(model.word.replace(str(lowest), str(number)))


def _cards(words: str) -> tuple[Card, ...]:
    """Parse typed cards, separated by spaces: suit first (``h9``) or rank first (``9h``).

    Court cards may have the letter of any language: ``hb`` is a jack in German.
    """
    cards, corners = [], corner_ranks()
    for word in words.replace(",", " ").split():
        court = corners.get(word[1:].upper(), word[1:])
        for spelling in (word, word[-1:] + word[:-1], word[:1] + court):
            try:
                card = parse_card(spelling)
            except ValueError:
                continue
            if card >= 0:
                cards.append(card)
                break
        else:
            return ()
    return tuple(cards)


def _with_cards(cards: tuple[Card, ...], offered: Choices) -> Action:
    """The legal action with these cards, or else a similar one that the rules can refuse."""
    chosen = offered.sets.get(frozenset(cards))
    if chosen is not None:
        return chosen
    if len(cards) == 1 and cards[0] in offered.cards:
        return offered.cards[cards[0]]
    model = next(iter((*offered.sets.values(), *offered.cards.values())), None)
    if isinstance(model, Give):
        return Give(cards, model.to)
    if isinstance(model, Seal):
        return Seal(cards[0])
    return Play(cards[0])
