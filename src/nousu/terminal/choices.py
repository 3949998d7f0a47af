"""The legal actions of a person, sorted for choosing, and a parser of typed input."""

from dataclasses import dataclass

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.game import View
from nousu.engine.messages import brief
from nousu.i18n import corner_ranks
from nousu.i18n.sentences import Voice


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal actions of a view: one card, several cards, or words."""

    cards: dict[Card, Action]
    """Actions that name one card of the hand."""
    sets: dict[frozenset[Card], Action]
    """Actions that name several cards (an exchange)."""
    words: tuple[Action, ...]
    """Everything else, in the order of the rules."""

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
    return Choices(cards, sets, tuple(words))


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
    found = choices(view)
    words = " ".join(text.split())
    if words.isdecimal() and not any(action == Call(words) for action in view.legal):
        if len(words) < 4 and 1 <= int(words) <= len(found.words):
            return found.words[int(words) - 1]
        raise UnclearInput(voice.say("There is no choice number {number}.", number=brief(words)))
    named = _cards(words)
    if named:
        return _with_cards(named, found)
    for action in view.legal:
        if words == str(action):
            return action
    labels = {action: voice.choice(action).casefold() for action in found.words}
    spoken = {action: str(action).casefold() for action in found.words}
    start = words.casefold()
    exact = [word for word in found.words if start in (labels[word], spoken[word])]
    hits = exact or [
        word for word in found.words if labels[word].startswith(start) or spoken[word].startswith(start)
    ]
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


def _with_cards(cards: tuple[Card, ...], found: Choices) -> Action:
    """The legal action with these cards, or else a similar one that the rules can refuse."""
    chosen = found.sets.get(frozenset(cards))
    if chosen is not None:
        return chosen
    if len(cards) == 1 and cards[0] in found.cards:
        return found.cards[cards[0]]
    model = next(iter((*found.sets.values(), *found.cards.values())), None)
    if isinstance(model, Give):
        return Give(cards, model.to)
    if isinstance(model, Seal):
        return Seal(cards[0])
    return Play(cards[0])
