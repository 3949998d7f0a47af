"""What a table's picture is made of: plain values that games fill in and templates print.

A game's page module (`whist`, `huutopussi`, `tuppen`) turns a viewer's `SeatView` into one `Picture`; the
template of the same name prints it. Everything is already in the viewer's language.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from nousu.server.pages.table.cards import Face

Made = TypeVar("Made")


class Later(Generic[Made]):
    """What of a picture is made only when it is printed. Two are equal that are made `of` equal things, which
    must therefore be all that `make` depends on."""

    __slots__ = ("_made", "_make", "_of")

    def __init__(self, make: Callable[[], Made], *of: object) -> None:
        self._make: Callable[[], Made] | None = make
        self._of = of
        self._made: Made | None = None

    @property
    def made(self) -> Made:
        """The thing itself."""
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made  # type: ignore[return-value]  # None only if that is what was made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)


@dataclass(frozen=True, slots=True)
class Bid:
    """A kind of game as a chip: word, shape and ink say the same thing three times."""

    word: str
    shape: str
    """Symbol: rami (peak, high), nolo (valley, low), sooli (ring)."""
    ink: str
    """red or black."""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button that does a legal action."""

    act: str
    """The action as text; ``{}`` stands for the chosen cards when `many` is set."""
    label: str
    note: str = ""
    main: bool = False
    bid: Bid | None = None
    many: int = 0
    """How many cards of the hand must be chosen first."""
    picks: str = ""
    """The card of the hand this button lifts."""
    sure: str = ""
    """What is asked before it is done, where a slip of the finger would cost much; empty: nothing."""


class HandCard(NamedTuple):
    """A card of the viewer's own hand."""

    face: Face
    row: int
    x: float
    y: float
    act: str = ""
    """The action it does on the second tap; empty: not allowed now."""
    shape: str = ""
    """The bid it stands for while bids are chosen."""
    choose: bool = False
    """One of several cards to be chosen together."""

    @property
    def item(self) -> tuple[str, tuple[object, ...]]:
        """How its item of the list begins, where it lies for the stylesheet; and what stands in it."""
        return _begun(self.face.text, self.row, self.x, self.y), (
            self.face,
            self.act,
            self.shape,
            self.choose,
        )


@lru_cache(2048)
def _begun(card: str, row: int, x: float, y: float) -> str:
    return f'<li id="li-{card}" style="--r:{row};--x:{x};--y:{y}">'


class Plate(NamedTuple):
    """A player's name plate: one is made for each player with nearly every event, for each viewer."""

    name: str
    seat: int
    place: str
    us: bool
    me: bool
    turn: bool
    dealer: bool
    lead: bool = False
    note: str = ""
    away: bool = False

    @property
    def apart(self) -> "tuple[Plate, tuple[str, str]]":
        """The plate without its name, which looks like many others; and the name, with its first letter."""
        return self._replace(name=""), (self.name, self.initial)

    @property
    def initial(self) -> str:
        """The first letter of the name."""
        return self.name[:1].upper()


class Lay(NamedTuple):
    """A bid in front of a player, face down or shown."""

    place: str
    nth: int
    face: Face | None = None
    back: bool = False
    bid: Bid | None = None
    note: str = ""
    slot: str = ""
    """An empty place, and what stands in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question put to the viewer."""

    title: str
    presses: tuple[Press, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Choices too many for buttons, as a list with a button of its own."""

    label: str
    choices: tuple[tuple[str, str], ...]
    """Action and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """One marker on two slopes: only one side holds points."""

    side: str
    """us, them or none: whose slope the marker is on."""
    score: int
    target: int
    start: int | None
    """Where the marker stood before the hand just finished, if on the same slope."""
    us: str
    them: str
    us_note: str
    them_note: str
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """The points of one side or player on the way to the target."""

    name: str
    points: int
    share: float
    """0 … 1 of the way."""
    us: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The score sheet: heads, and one row a hand; each row links to its replay."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: int = 0
    """The column, from 1, that takes what room the others leave, however long its words are; 0: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One sentence of why, with its clause."""

    text: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished hand, and the match if it ended with it."""

    index: int
    """The place of the hand among the finished ones, for its replay."""
    bid: Bid | None
    lead: str
    """Who played what."""
    title: str
    accent: str
    theirs: bool = False
    """The headline is good news for the others."""
    won: tuple[str, ...] = ()
    """A row of boxes, one a trick: us, over, or empty."""
    key: tuple[tuple[str, int, bool], ...] = ()
    """Captions under the boxes: text, width, accent."""
    reasons: tuple[Reason, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Small print: caption and value."""
    match: str = ""
    """Who won the match; empty while it goes on."""
    waits: bool = False
    """The viewer is asked to go on to the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A line of talk."""

    number: int
    name: str
    words: str
    mine: bool
    reported: bool
    reports: bool
    """The viewer may show it to the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCard:
    """The signals that a pair has agreed on."""

    title: str
    signals: tuple[str, ...]
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What is said at the table, and what the viewer may say."""

    company: bool = True
    """Somebody is there to talk to, or was."""
    lines: tuple[Spoken, ...] = ()
    says: tuple[tuple[str, str], ...] = ()
    """What a tap says: its id and the words."""
    gestures: tuple[tuple[str, str], ...] = ()
    """The signals a tap gives now."""
    writes: bool = False
    sits: bool = False
    people: tuple[tuple[int, str, bool], ...] = ()
    """The other persons: seat, name, and whether the viewer does not want to read them."""
    cards: tuple[PairCard, ...] = ()
    choices: tuple[tuple[str, str, bool], ...] = ()
    """Signals to agree on now: id, words, whether they are; empty while nothing may be changed."""
    own: str = ""
    """What the viewer's pair has agreed on in its own words."""
    note: str = ""
    asks: tuple[tuple[str, str, str], ...] = ()
    """What may be asked of the others at some moment: its id, the words, those it is asked by once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody at the table asks of others."""

    text: str
    mine: bool
    """The viewer is to answer."""


@dataclass(slots=True, kw_only=True)
class Picture:
    """The whole picture of a table for one viewer; filled in step by step, and never changed after that."""

    id: str
    seq: int
    template: str = "table/plain.html"
    """What prints this picture."""
    flat: bool = False
    """A short hand in one row, and no slope above the table."""
    preset: str
    title: str
    base: str
    """The name of the preset alone, for the rules page."""
    hand_number: int
    plates: Mapping[str, Plate]
    phase: str
    trick: tuple[tuple[str, Face], ...] = ()
    taken: str = ""
    """Place of who took the trick shown, when it is a finished one."""
    slot: str = ""
    """The place whose card the trick waits for."""
    lays: tuple[Lay, ...] = ()
    contract: Bid | None = None
    contract_note: str = ""
    tricks: str = ""
    tricks_label: str = ""
    last: tuple[Face, ...] = ()
    """The last trick, for those who ask."""
    last_note: str = ""
    line: str = ""
    line_suit: str = ""
    my_turn: bool = False
    ask: Ask | None = None
    bids: tuple[Press, ...] = ()
    acts: tuple[Press, ...] = ()
    many: Press | None = None
    more: More | None = None
    hint: str = ""
    hand: tuple[HandCard, ...] = ()
    hill: "Hill | Later[Hill] | None" = None
    target: int = 0
    """What the bars climb to."""
    bars: "tuple[Bar, ...] | Later[tuple[Bar, ...]]" = ()
    sheet: "Sheet | Later[Sheet] | None" = None
    rules: tuple[tuple[str, str], ...] = ()
    outcome: Outcome | None = None
    window: float | None = None
    lost: bool = False
    """The match is over, and others have won it."""
    sits: bool = False
    """The viewer sits at this table."""
    leaves: bool = False
    """The viewer may leave others waiting at this table."""
    again: bool = False
    """Somebody has asked for a rematch, and waits there."""
    rehearses: str = ""
    """The address of the moment that is played on from here, where this is no match."""
    evening: tuple[tuple[str, int], ...] = ()
    """Matches won this evening, by side or player."""
    event: str = ""
    """The tournament this table belongs to."""
    refused: str = ""
    """Why the viewer's last action by form was refused."""
    refused_clause: str = ""
    """The clause that forbids it, where a rule does."""
    talk: Talk | None = None
    asks: tuple[str, ...] = ()
    """What may be asked of the others now, by id (`Talk.asks`)."""
    asked: Asked | None = None
    to_take: tuple[tuple[int, str], ...] = ()
    """Computer players, by seat and name, whose place the viewer may take now."""
    claimed: str = ""
    """That the hand looked at ended by a claim."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """What only this game's template prints."""

    def filled(self, **values: object) -> "Picture":
        """This picture, with some more of it filled in."""
        for name, value in values.items():
            setattr(self, name, value)
        return self

    @property
    def turn(self) -> str:
        """``yes`` where it is the viewer's turn, else ``no``: so the page is told."""
        return "yes" if self.my_turn else "no"

    @property
    def rests(self) -> bool:
        """A finished hand is shown."""
        return self.outcome is not None

    @property
    def ended(self) -> bool:
        """The finished hand that is shown ended the match."""
        return self.outcome is not None and bool(self.outcome.match)

    @property
    def looks_back(self) -> bool:
        """There is a last trick."""
        return bool(self.last)

    @property
    def bidding(self) -> bool:
        """Bids lie on the table."""
        return bool(self.lays)

    @property
    def playing(self) -> bool:
        """Cards are played to tricks."""
        return self.phase == "play"

    @property
    def speaks(self) -> bool:
        """The line of speech is shown: a question, or what a bidder should know, takes its place."""
        return not ((self.bids and self.hint) or self.ask)

    @property
    def empty(self) -> bool:
        """No card is played, nor to be."""
        return self.phase != "play" and not self.trick

    @property
    def held(self) -> int:
        """How many cards the viewer has."""
        return len(self.hand)

    @property
    def holds(self) -> bool:
        """The viewer has cards."""
        return bool(self.hand)

    @property
    def north(self) -> Plate | None:
        """Who sits across."""
        return self.plates.get("n")

    @property
    def west(self) -> Plate | None:
        """Who sits on the viewer's left."""
        return self.plates.get("w")

    @property
    def east(self) -> Plate | None:
        """Who sits on the viewer's right."""
        return self.plates.get("e")

    @property
    def south(self) -> Plate | None:
        """The viewer, or whoever is nearest to a spectator."""
        return self.plates.get("s")

    @property
    def rows(self) -> int:
        """Rows of the hand on a narrow screen."""
        return 2 if any([card.row for card in self.hand]) else 1

    @property
    def dims(self) -> bool:
        """Whether the cards that may not be touched are greyed: some others may."""
        return any([card.act or card.choose for card in self.hand])
