"""Sentences about a table: actions, the reasons of scores, cards and choices.

A sentence is one message of the catalogues. `Voice` knows the players and speaks to one listener.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from nousu.engine.actions import Action, Call, Deal, Entry, Give, Play, Seal, Show
from nousu.engine.cards import HIDDEN, SUITS, Card, parse_card
from nousu.engine.messages import Note, Values, is_person, pgettext, sentence
from nousu.engine.seats import DIRECTOR, Seat, parse_seat, side
from nousu.i18n import Translate
from nousu.i18n.families import CallKind, call_message
from nousu.i18n.names import allowed_words, preset_name, setting_words

_FIRST = re.compile(r"\{(\w+)\}")


def rank_words(card: Card, say: Translate) -> str:
    """The rank in words: ``queen``, ``10``."""
    court = {"A": say("ace"), "K": say("king"), "Q": say("queen"), "J": say("jack")}
    return court.get(card.letter, card.letter)


@lru_cache(1024)
def card_words(card: Card, say: Translate) -> str:
    """The card in words: ``queen of hearts``; a hidden one is a hidden card."""
    if card == HIDDEN:
        return say("a hidden card")
    rank = rank_words(card, say)
    if rank.isdecimal():  # some languages write 'queen of hearts' in one word, but '10 of hearts' in two
        return (
            say("{number} of spades", number=rank),
            say("{number} of hearts", number=rank),
            say("{number} of diamonds", number=rank),
            say("{number} of clubs", number=rank),
        )[card.suit]
    return (
        say("{rank} of spades", rank=rank),
        say("{rank} of hearts", rank=rank),
        say("{rank} of diamonds", rank=rank),
        say("{rank} of clubs", rank=rank),
    )[card.suit]


@lru_cache(64)
def suit_words(suit: int, say: Translate) -> str:
    """The suit in words: ``hearts``."""
    return (say("spades"), say("hearts"), say("diamonds"), say("clubs"))[suit]


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


@dataclass(frozen=True, slots=True)
class Voice:
    """Sentences about one table for one listener."""

    names: tuple[str, ...]
    """The players by seat."""
    sides: int
    """2 if partners play together, 0 if everybody plays alone."""
    listener: Seat | None
    say: Translate
    direct: bool = False
    """Says *you* to the listener where a sentence is about their own action."""

    def name(self, seat: Seat) -> str:
        """The name of the player in a seat."""
        if seat == DIRECTOR:
            return self.say("The director")
        return self.names[seat] if 0 <= seat < len(self.names) else "–"

    def side(self, number: int) -> str:
        """A side within a sentence; the player where everybody plays alone."""
        if not self.sides:
            return self.name(number)
        if self.listener is None:
            return self.say("{name} & {other}", name=self.name(number), other=self.name(number + 2))
        return self.say("our side") if number == side(self.listener) else self.say("their side")

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards one after another in words."""
        return ", ".join(card_words(card, self.say) for card in cards)

    def note(self, note: Note) -> str:
        """A note of the rules, with names, sides, cards and options filled in, as a sentence."""
        text = self.phrase(note)
        first = _FIRST.match(self.say(note.message))
        typed = first is not None and text.startswith(str(note.values.get(first[1], note)))
        return text if typed else capital(text)  # paths and typed text stay as they are

    def phrase(self, note: Note) -> str:
        """A note as part of a sentence."""
        values = {key: self._value(key, value, note.values) for key, value in note.values.items()}
        return self.say(note.message, **values)

    def _value(self, key: str, value: int | str | Note, values: Values) -> object:
        """A value of a note in words; its name says what it is (see `Note`)."""
        if isinstance(value, Note):
            return self.phrase(value)
        if isinstance(value, int):
            if not is_person(key):
                return value
            return self.side(value) if key.startswith("side") else self.name(value)
        match key:
            case "options":
                text = ", ".join(setting_words(option, self.say) for option in value.split(", "))
            case "presets":
                text = value  # as they are typed
            case "preset":
                text = preset_name(value, self.say)
            case "values":
                text = allowed_words(str(values["setting"]).partition("=")[0], value, self.say)
            case "suit" if value in SUITS:
                text = suit_words(SUITS.index(value), self.say)
            case "card":
                text = card_words(parse_card(value), self.say)
            case _:
                is_setting = key.startswith(("option", "setting"))
                text = setting_words(value, self.say) if is_setting else value
        return text

    def sentence(self, entry: Entry, leads: bool = False) -> str:
        """An entry of a log as a sentence: ``Aino leads 9 of hearts`` with a full stop.

        Args:
            entry: An entry that the listener has heard (hidden cards cut).
            leads: Whether a played card opens a trick.
        """
        by, action = entry
        if self.direct and by == self.listener and (own := self._own(action, leads)):
            return own
        say, name = self.say, self.name(by)
        match action:
            case Deal():
                return say("The cards are dealt.")
            case Play(card) if leads:
                return say("{name} leads {card}.", name=name, card=card_words(card, say))
            case Play(card):
                return say("{name} plays {card}.", name=name, card=card_words(card, say))
            case Call(word):
                return self._call(name, word)
            case Show(cards):
                return say("{name} shows {cards}.", name=name, cards=self.cards(cards))
            case Seal(bid) if bid == HIDDEN:
                return say("{name} lays a bid face down.", name=name)
            case Seal(bid):
                text = self.word(bid) if isinstance(bid, str) else card_words(bid, say)
                return say("{name} lays a bid face down: {card}.", name=name, card=text)
            case Give(cards, to):
                return self._gift(name, cards, to)

    def _own(self, action: Action, leads: bool) -> str:
        """An action of the listener in the second person; empty where there is no such sentence."""
        say = self.say
        match action:
            case Call(word):
                return self._call_words("own_calls", word)
            case Play(card):
                text = sentence("You lead {card}.") if leads else sentence("You play {card}.")
                return say(text, card=card_words(card, say))
            case Show(cards):
                return say("You show {cards}.", cards=self.cards(cards))
            case Seal(bid) if bid != HIDDEN:
                laid = self.word(bid) if isinstance(bid, str) else card_words(bid, say)
                return say("You lay a bid face down: {card}.", card=laid)
            case Give(cards, None):
                return say("You lay aside {cards}.", cards=self.cards(cards))
            case Give(cards, int(to)):
                return say("You give {other} {cards}.", other=self.name(to), cards=self.cards(cards))
        return ""

    def _gift(self, name: str, cards: Sequence[Card], to: Seat | None) -> str:
        say, count = self.say, len(cards)
        hidden = HIDDEN in cards
        if to is None and hidden:
            return say(
                sentence("{name} lays {count} card aside.", "{name} lays {count} cards aside."),
                name=name,
                count=count,
            )
        if to is None:
            return say("{name} lays aside {cards}.", name=name, cards=self.cards(cards))
        other = self.name(to)
        if hidden:
            return say(
                sentence("{name} gives {other} {count} card.", "{name} gives {other} {count} cards."),
                name=name,
                other=other,
                count=count,
            )
        return say("{name} gives {other} {cards}.", name=name, other=other, cards=self.cards(cards))

    def _call(self, name: str, word: str) -> str:
        message = self._call_words("calls", word, name=name)
        return message or self.say("{name} says {word}.", name=name, word=word)

    def word(self, word: str) -> str:
        """A spoken word as it stands on a list of choices: ``Pass``, ``Rami``, ``Marriage in hearts``."""
        return self._call_words("choices", word) or word[:1].upper() + word[1:]

    def _call_words(self, kind: CallKind, word: str, **names: str) -> str:
        """The sentence or label of a call; empty where no family has one for it."""
        known = call_message(kind, word)
        if known is None:
            return ""
        message, written = known
        values: dict[str, object] = {**names}
        try:
            for key, text in written.items():
                is_player = key in ("name", "other")
                values[key] = (
                    self.name(parse_seat(text, len(self.names))) if is_player else self._value(key, text, {})
                )
        except ValueError:
            return ""
        return self.say(message, **values)

    def choice(self, action: Action) -> str:
        """An action as it stands on a list of choices."""
        match action:
            case Call(word):
                return self.word(word)
            case Seal(bid):
                return self.word(bid) if isinstance(bid, str) else card_words(bid, self.say)
            case Play(card):
                return card_words(card, self.say)
            case Give(cards, None):
                return self.say("Lay aside {cards}", cards=self.cards(cards))
            case Give(cards, int(to)):
                return self.say("Give {name} {cards}", name=self.name(to), cards=self.cards(cards))
            case Show(cards):
                return self.say("Show {cards}", cards=self.cards(cards))
        return self.say(pgettext("action", "Deal"))


def note_with_clause(note: Note, say: Translate) -> str:
    """A note that names no player, with its clause in brackets: ``Follow suit: … (T-CAT-33)``."""
    text = Voice((), 0, None, say).note(note)
    return f"{text} ({note.clause})" if note.clause else text


def sentences(voice: Voice, heard: Sequence[Entry], sizes: Sequence[int] = (), start: int = 0) -> list[str]:
    """Sentences for a log, one for each entry.

    Args:
        voice: Speaks to the listener.
        heard: The entries that the listener has heard.
        sizes: The number of cards in each finished trick; it tells which cards are leads.
        start: The number of the first entry to put into words.
    """
    tricks, room = iter(sizes), 0
    played = [*map(type, map(itemgetter(1), heard[:start]))].count(Play)
    while played > 0:
        size = next(tricks, len(voice.names))
        room, played = max(0, size - played), played - size
    lines = []
    for entry in heard[start:]:
        leads = False
        if type(entry[1]) is Play:
            leads = room == 0
            room = next(tricks, len(voice.names)) if leads else room
            room -= 1
        lines.append(voice.sentence(entry, leads))
    return lines
