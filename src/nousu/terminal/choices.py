"""What a person may do, sorted for choosing, and what typed words mean."""

from dataclasses import dataclass

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action
from nousu.engine.cards import Card, parse_card
from nousu.engine.game import View
from nousu.engine.messages import brief
from nousu.i18n import typed_corners
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
        """How many cards have to be picked: 0 where none may."""
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
    one: dict[Card, Action] = {}
    several: dict[frozenset[Card], Action] = {}
    words: list[Action] = []
    for action in view.legal:
        named = cards_in(action)
        if len(named) == 1:
            one[named[0]] = action
        elif named and len(named) < len(view.cards):
            several[frozenset(named)] = action
        else:
            words.append(action)
    return Choices(one, several, tuple(words))


class Unclear(ValueError):
    """Typed words that mean no action; the text says what could be typed."""


def understood(text: str, view: View, voice: Voice) -> Action:
    """The action typed as ``h9``, ``s10 h7 d6``, ``2`` (second of the words), ``pass``, ``so`` or as a record
    has it. It need not be legal: a card that is not is named in the same kind of action as the legal ones, so
    that the rules can say why. Raises `Unclear`."""
    found = choices(view)
    words = " ".join(text.split())
    if words.isdecimal() and not any(action == Call(words) for action in view.legal):
        if len(words) < 4 and 1 <= int(words) <= len(found.words):
            return found.words[int(words) - 1]
        raise Unclear(voice.say("There is no choice number {number}.", number=brief(words)))
    named = _cards(words)
    if named:
        return _with_cards(named, found)
    for action in view.legal:
        if words == str(action):
            return action
    labels = {action: voice.choice(action).casefold() for action in found.words}
    spoken = {action: str(action).casefold() for action in found.words}
    start = words.casefold()
    exact = [one for one in found.words if start in (labels[one], spoken[one])]
    begun = [one for one in found.words if labels[one].startswith(start) or spoken[one].startswith(start)]
    hits = exact or begun
    if len(hits) == 1:
        return hits[0]
    if hits:
        listed = ", ".join(voice.choice(action) for action in hits)
        raise Unclear(voice.say("That could be: {choices}.", choices=listed))
    try:
        action = parse_action(words)
    except ValueError:
        action = Call(words)
    if isinstance(action, Call):
        raise Unclear(voice.say("{text} means nothing here.", text=words))
    return action


def _cards(words: str) -> tuple[Card, ...]:
    """The cards typed: suit first (``h9``) or rank first (``9h``), with spaces between them; court cards by
    the letter of any language (``hb`` is the jack a German reads)."""
    found, corners = [], typed_corners()
    for word in words.replace(",", " ").split():
        court = corners.get(word[1:].upper(), word[1:])
        for spelling in (word, word[-1:] + word[:-1], word[:1] + court):
            try:
                card = parse_card(spelling)
            except ValueError:
                continue
            if card >= 0:
                found.append(card)
                break
        else:
            return ()
    return tuple(found)


def _with_cards(cards: tuple[Card, ...], found: Choices) -> Action:
    """The legal action with these cards, else the like of it, so that the rules can refuse it."""
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
