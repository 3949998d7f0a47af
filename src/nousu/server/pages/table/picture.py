"""The picture of a table: values in the viewer's language that templates render.

The module of a family (`whist`, `huutopussi`, `tuppen`) makes a `Picture` of what a viewer has `SeatView`;
the template of the same name renders it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from nousu.server.pages.table.cards import Face

Made = TypeVar("Made")


class Lazy(Generic[Made]):
    """A value that is computed when it is rendered.

    Equality and hash use `of`, so list every input of `make` there.
    """

    __slots__ = ("_made", "_make", "_of")

    def __init__(self, make: Callable[[], Made], *of: object) -> None:
        self._make: Callable[[], Made] | None = make
        self._of = of
        self._made: Made | None = None

    @property
    def made(self) -> Made:
        """The value."""
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made  # type: ignore[return-value]  # None only if `make` returned it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lazy) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)


@dataclass(frozen=True, slots=True)
class BidChip:
    """A kind of game as a chip; word, shape and ink say the same."""

    word: str
    shape: str
    """Symbol: rami (peak, high), nolo (valley, low), sooli (ring)."""
    ink: str
    """red or black."""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button for a legal action."""

    act: str
    """The action as text; ``{}`` stands for the chosen cards when `many` is set."""
    label: str
    note: str = ""
    main: bool = False
    bid: BidChip | None = None
    many: int = 0
    """The number of cards of the hand to choose first."""
    picks: str = ""
    """The card of the hand this button lifts."""
    sure: str = ""
    """The question before an action that would be costly by mistake; empty for none."""


class HandCard(NamedTuple):
    """A card of the viewer's own hand."""

    face: Face
    row: int
    x: float
    y: float
    act: str = ""
    """The action of the second tap; empty if the card may not be played now."""
    shape: str = ""
    """The bid that the card stands for while bids are chosen."""
    choose: bool = False
    """One of several cards to be chosen together."""

    @property
    def item(self) -> tuple[str, tuple[object, ...]]:
        """The start tag of its list item with its place, and the arguments of its macro."""
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
    """The name plate of a player."""

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
        """The plate without its name, which many players share, and the name with its initial."""
        return self._replace(name=""), (self.name, self.initial)

    @property
    def initial(self) -> str:
        """The first letter of the name."""
        return self.name[:1].upper()


class BidSpot(NamedTuple):
    """A bid in front of a player, face down or shown."""

    place: str
    nth: int
    face: Face | None = None
    back: bool = False
    bid: BidChip | None = None
    note: str = ""
    slot: str = ""
    """The text of an empty place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A question to the viewer."""

    title: str
    presses: tuple[Button, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceList:
    """A list for choices too many for buttons."""

    label: str
    choices: tuple[tuple[str, str], ...]
    """Action and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """The score of a game in which only one side holds points: one marker on two slopes."""

    side: str
    """The slope of the marker: us, them or none."""
    score: int
    target: int
    start: int | None
    """The score before the finished hand, if on the same slope."""
    us: str
    them: str
    us_note: str
    them_note: str
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBar:
    """The points of one side or player on the way to the target."""

    name: str
    points: int
    share: float
    """0 … 1 of the way."""
    us: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """The score sheet: heads, and one row a hand; each row links to its replay."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: int = 0
    """The column, from 1, that takes the remaining width; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseReason:
    """A reason with its clause."""

    text: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOutcome:
    """A finished hand, and the match if it ended with it."""

    index: int
    """The place of the hand among the finished ones, for its replay."""
    bid: BidChip | None
    lead: str
    """The bid and its player in a sentence."""
    title: str
    accent: str
    theirs: bool = False
    """The headline is good news for the others."""
    won: tuple[str, ...] = ()
    """A row of boxes, one a trick: us, over, or empty."""
    key: tuple[tuple[str, int, bool], ...] = ()
    """Captions under the boxes: text, width, accent."""
    reasons: tuple[ClauseReason, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Small print: caption and value."""
    match: str = ""
    """The winner of the match in a sentence; empty while it goes on."""
    waits: bool = False
    """The viewer is asked to go on to the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLine:
    """A chat line."""

    number: int
    name: str
    words: str
    mine: bool
    reported: bool
    reports: bool
    """The viewer may report it to the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCard:
    """The signals that a pair has agreed on."""

    title: str
    signals: tuple[str, ...]
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPanel:
    """The chat of a table, and everything that the viewer may say."""

    company: bool = True
    """There is, or was, another person at the table."""
    lines: tuple[ChatLine, ...] = ()
    says: tuple[tuple[str, str], ...] = ()
    """Phrases: id and words."""
    gestures: tuple[tuple[str, str], ...] = ()
    """Signals that may be given now: id and words."""
    writes: bool = False
    sits: bool = False
    people: tuple[tuple[int, str, bool], ...] = ()
    """The other persons: seat, name, and whether the viewer has muted them."""
    cards: tuple[PairCard, ...] = ()
    choices: tuple[tuple[str, str, bool], ...] = ()
    """Signals to agree on: id, words, whether they are agreed; empty while they may not be changed."""
    own: str = ""
    """The agreement of the viewer's pair in its own words."""
    note: str = ""
    asks: tuple[tuple[str, str, str], ...] = ()
    """Requests to the others: id, words, question before sending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequest:
    """A request that waits for answers."""

    text: str
    mine: bool
    """The viewer is to answer."""


@dataclass(slots=True, kw_only=True)
class Picture:
    """The picture of a table for one viewer: begun by `base_picture`, completed by the family."""

    id: str
    seq: int
    template: str = "table/fallback.html"
    """The template that renders the picture."""
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
    """The place that took the trick shown, if it is a finished one."""
    slot: str = ""
    """The place whose card the trick waits for."""
    lays: tuple[BidSpot, ...] = ()
    contract: BidChip | None = None
    contract_note: str = ""
    tricks: str = ""
    tricks_label: str = ""
    last: tuple[Face, ...] = ()
    """The cards of the last trick."""
    last_note: str = ""
    line: str = ""
    line_suit: str = ""
    my_turn: bool = False
    ask: Prompt | None = None
    bids: tuple[Button, ...] = ()
    acts: tuple[Button, ...] = ()
    many: Button | None = None
    more: ChoiceList | None = None
    hint: str = ""
    hand: tuple[HandCard, ...] = ()
    hill: "Hill | Lazy[Hill] | None" = None
    target: int = 0
    """The end of the bars."""
    bars: "tuple[ScoreBar, ...] | Lazy[tuple[ScoreBar, ...]]" = ()
    sheet: "ScoreSheet | Lazy[ScoreSheet] | None" = None
    rules: tuple[tuple[str, str], ...] = ()
    outcome: HandOutcome | None = None
    window: float | None = None
    lost: bool = False
    """The match is over, and others have won it."""
    sits: bool = False
    """The viewer sits at this table."""
    leaves: bool = False
    """The viewer may leave other persons at this table."""
    again: bool = False
    """Another player has opened a rematch."""
    rehearses: str = ""
    """The address of the moment from which this hand is played on; empty in a match."""
    evening: tuple[tuple[str, int], ...] = ()
    """Matches won in this series of rematches, by side or player."""
    event: str = ""
    """The tournament of the table."""
    refused: str = ""
    """The reason why an action sent by form was refused."""
    refused_clause: str = ""
    """The clause that forbids it, where a rule does."""
    talk: ChatPanel | None = None
    asks: tuple[str, ...] = ()
    """The ids of requests that may be made now (`ChatPanel.asks`)."""
    asked: PendingRequest | None = None
    to_take: tuple[tuple[int, str], ...] = ()
    """The computer players, by seat and name, that the viewer may replace now."""
    claimed: str = ""
    """A sentence if the finished hand ended by a claim."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """Values of the family's own template."""

    @property
    def turn(self) -> str:
        """``yes`` if it is the viewer's turn, else ``no``."""
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
        """The speech line is shown; a question or the bidder's hint would take its place."""
        return not ((self.bids and self.hint) or self.ask)

    @property
    def empty(self) -> bool:
        """No card lies on the table, and none is to be played."""
        return self.phase != "play" and not self.trick

    @property
    def held(self) -> int:
        """The number of cards in the viewer's hand."""
        return len(self.hand)

    @property
    def holds(self) -> bool:
        """The viewer has cards."""
        return bool(self.hand)

    @property
    def north(self) -> Plate | None:
        """The plate across the table."""
        return self.plates.get("n")

    @property
    def west(self) -> Plate | None:
        """The plate on the left."""
        return self.plates.get("w")

    @property
    def east(self) -> Plate | None:
        """The plate on the right."""
        return self.plates.get("e")

    @property
    def south(self) -> Plate | None:
        """The viewer's plate; for a spectator that of seat 0."""
        return self.plates.get("s")

    @property
    def rows(self) -> int:
        """Rows of the hand on a narrow screen."""
        return 2 if any([card.row for card in self.hand]) else 1

    @property
    def dims(self) -> bool:
        """Whether forbidden cards are greyed, because others are allowed."""
        return any([card.act or card.choose for card in self.hand])
