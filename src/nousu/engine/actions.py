"""The six actions at a card table, a closed list: their text, and their secrets.

Every disclosure of a card is one of these actions, and `heard` alone removes secrets from the log, so the log
decides what each seat knows.
"""

import re
from dataclasses import dataclass
from functools import cache

from nousu.engine.cards import (
    HIDDEN,
    LANE,
    Card,
    CardSet,
    hand_text,
    in_order,
    lane_parts,
    parse_card,
    parse_hand,
)
from nousu.engine.messages import Explained, Note, brief, sentence
from nousu.engine.seats import CHANCE, Seat, parse_seat, seat_name


@dataclass(frozen=True, slots=True)
class Deal:
    """Whole hands, one per seat, and the stock, top card first. Each seat learns its own hand."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(in_order(hand) for hand in self.hands))

    def __str__(self) -> str:
        seats = len(self.hands)
        parts = [f"{seat_name(seat, seats)} {hand_text(hand)}" for seat, hand in enumerate(self.hands)]
        if self.stock:
            parts.append("stock " + " ".join(map(str, self.stock)))
        return "deal " + " / ".join(parts)


@dataclass(frozen=True, slots=True)
class Call:
    """Words spoken: a bid, pass, sooli, raise, an answer. Everyone hears them."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Seal:
    """A bid laid face down; only its owner knows it.

    It is a card, which stays in the hand, or a word: a bidding card, or a word to be said aloud later.
    """

    bid: Card | str

    def __str__(self) -> str:
        return f"seal {self.bid}"


@dataclass(frozen=True, slots=True)
class Show:
    """Cards turned face up for everyone."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "show " + " ".join(map(str, self.cards))


@dataclass(frozen=True, slots=True)
class Give:
    """Cards pushed face down to a seat (giver and receiver know them), or aside when `to` is None."""

    cards: tuple[Card, ...]
    to: Seat | None = None

    def __str__(self) -> str:
        cards = " ".join(map(str, self.cards))
        return f"give {cards} " + ("away" if self.to is None else f"to {seat_name(self.to)}")


@dataclass(frozen=True, slots=True)
class Play:
    """A card played to the trick; everyone sees it."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


Action = Deal | Call | Seal | Show | Give | Play
Entry = tuple[Seat, Action]
"""A log entry: the seat and its action."""

_PLAYED: dict[tuple[Seat, Card], Entry] = {}


def entry(seat: Seat, action: Action) -> Entry:
    """One entry of the log; equal plays share an object, since servers keep thousands of hands."""
    line = (seat, action)
    if type(action) is Play and type(action.card) is Card:  # equal numbers are no substitute
        return _PLAYED.setdefault((seat, action.card), line)
    return line


_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*( [A-Za-z0-9-]+)*")


def single(action: Action) -> Card | None:
    """The one card of the hand that an action is about, if it is about exactly one."""
    match action:
        case Play(card) | Seal(Card() as card):
            return card
        case Show((card,)) | Give((card,), _):
            return card
    return None


def parse_action(text: str) -> Action:
    """The action that `str` wrote: ``parse_action(str(a)) == a`` for every legal action.

    Raises:
        Explained: The text is no action; the message says why (a ValueError).

    >>> parse_action("play h9")
    Play(card=H9)
    """
    kind, _, rest = text.strip().partition(" ")
    match kind:
        case "deal":
            return _parse_deal(rest)
        case "seal":
            bid = rest.strip()
            return Seal(bid if bid.isalpha() and len(bid) > 2 else parse_card(bid))
        case "play":
            return _play(parse_card(rest.strip()))
        case "show":
            return Show(_cards(rest.split()))
        case "give":
            words = rest.split()
            if words and words[-1] == "away":
                return Give(_cards(words[:-1]))
            if len(words) < 3 or words[-2] != "to":
                message = sentence("‘{text}’: write ‘give H7 S8 to S’ or ‘give H7 away’")
                raise Explained(Note("", message, {"text": brief(text)}))
            return Give(_cards(words[:-2]), parse_seat(words[-1]))
    word = " ".join(text.split())
    if not _WORD.fullmatch(word):
        message = sentence("‘{text}’ is not an action; write deal, seal, show, give, play or a spoken word")
        raise Explained(Note("", message, {"text": brief(text)}))
    return Call(word)


def check_action(action: object) -> Action:
    """The action itself; `TypeError` unless it is one of the six (its text is not)."""
    if isinstance(action, Action):
        return action
    hint = f"; parse_action({brief(action)!r}) reads one" if isinstance(action, str) else ""
    given = brief(repr(action)) + hint
    raise TypeError(f"an action is a Deal, Call, Seal, Show, Give or Play, not {given}")


def _cards(words: list[str]) -> tuple[Card, ...]:
    if not words:
        raise Explained(Note("", "a card is missing"))
    return tuple(parse_card(word) for word in words)


@cache
def _play(card: Card) -> Play:
    """One shared object for equal plays, since servers keep those of thousands of hands."""
    return Play(card)


def _parse_deal(text: str) -> Deal:
    parts = [part.strip() for part in text.split(" / ")]
    stock: tuple[Card, ...] = ()
    if parts[-1].startswith("stock "):
        stock = _cards(parts.pop().split()[1:])
    hands = []
    for seat, part in enumerate(parts):
        name, _, cards = part.partition(" ")
        if parse_seat(name, len(parts)) != seat:
            wanted = {"text": brief(part), "place": seat_name(seat, len(parts))}
            raise Explained(Note("", "‘{text}’: expected the hand of {place}", wanted))
        hands.append(parse_hand(cards))
    return Deal(tuple(hands), stock)


_SEALED = Seal(HIDDEN)


def _cut(deal: Deal, viewer: Seat | None) -> Deal:
    """The deal with one hand left. It needs no sorting: every view cuts one, this is the hot path."""
    cut = object.__new__(Deal)
    hands = [hand if seat == viewer else _hidden(len(hand)) for seat, hand in enumerate(deal.hands)]
    object.__setattr__(cut, "hands", tuple(hands))
    object.__setattr__(cut, "stock", _hidden(len(deal.stock)))
    return cut


@cache
def _hidden(count: int) -> tuple[Card, ...]:
    return (HIDDEN,) * count


def heard(viewer: Seat | None, action: Action, by: Seat) -> Action:
    """The action as `viewer` (None: a spectator) learns of it; nothing else removes secrets from a log."""
    if by == viewer and by != CHANCE:
        return action
    match action:
        case Seal():
            return _SEALED
        case Deal():
            return _cut(action, viewer)
        case Give(cards, to):
            return action if to is not None and to == viewer else Give(_hidden(len(cards)), to)
        case Call() | Show() | Play():
            return action


OPEN = frozenset({Call, Show, Play})
"""Classes of actions that are public as they are."""


def hearing(viewer: Seat | None, log: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The log of a hand as `viewer` heard it: only its secrets go through `heard`, the rest is shared."""
    return tuple(
        [entry if type(entry[1]) in OPEN else (entry[0], heard(viewer, entry[1], entry[0])) for entry in log]
    )


_UPPER, _LOWER = lane_parts(_play)


def plays(cards: CardSet) -> tuple[Play, ...]:
    """One `Play` for each card of the set, in reading order (shared objects: this is the hot path)."""
    spades = cards & LANE
    actions = _UPPER[0][spades >> 7] + _LOWER[0][spades & 127]
    if spades == cards:
        return actions
    if hearts := cards >> 16 & LANE:
        actions += _UPPER[1][hearts >> 7] + _LOWER[1][hearts & 127]
    if diamonds := cards >> 32 & LANE:
        actions += _UPPER[2][diamonds >> 7] + _LOWER[2][diamonds & 127]
    if clubs := cards >> 48 & LANE:
        actions += _UPPER[3][clubs >> 7] + _LOWER[3][clubs & 127]
    return actions
