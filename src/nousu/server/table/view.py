"""A table as one viewer may see it: the only source of pages, the API and live connections.

A `SeatView` is built by listing the viewer's knowledge, from `Hand.view` of their seat and from the public
part of the match. It never holds a `Hand` or a `Match`, so no secret can be shown by mistake.
"""

from dataclasses import dataclass
from typing import Any

from nousu.engine.actions import Action
from nousu.engine.cards import Card
from nousu.engine.game import Result, Seating, Tally, View
from nousu.engine.seats import Seat
from nousu.players import Choice
from nousu.review import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSummary:
    """The public facts of a finished hand; see `nousu.server.table.record.hand_view` for a viewer's own."""

    index: int
    """The index among the finished hands of the match, from 1; void hands count."""
    number: int
    """The hand's number in the match; a void hand and its repetition share it."""
    dealer: Seat
    result: Result
    score: tuple[int, ...]
    """The standing after the hand."""
    tally: Tally
    """The tally with its `facts`, and `notes` on the changes by this hand."""


@dataclass(slots=True, kw_only=True)
class MatchView:
    """The public part of a match; not to be modified."""

    game: str
    """The family: ``whist``, ``huutopussi``, ``tuppen``."""
    rules: Any
    seats: int
    dealer: Seat
    """The first dealer."""
    number: int
    """The number of the hand on the table."""
    played: tuple[HandSummary, ...]
    tally: Tally
    winner: tuple[int, ...] | None
    """The winning sides or seats, () for a draw; None while the match goes on."""
    seating: Seating | None
    drawn: tuple[Card, ...]
    """The cards drawn for seats and first dealer."""


@dataclass(slots=True, kw_only=True)
class SeatView:
    """A table as one viewer (a seat or a spectator) may see it now; not to be modified.

    (A frozen class takes a third longer to make, and each event makes one for each viewer.)
    """

    table_id: str
    seq: int
    """Number of events of the table; an action names the number at which it was decided."""
    view: View
    """The hand on the table. Between hands it is still the finished one, in which nothing is legal; cards
    that the rules keep secret (discards, bids not turned up) stay secret (A-T-25)."""
    names: tuple[str, ...]
    """Names by seat; empty for an open place."""
    computers: tuple[bool, ...]
    seat: Seat | None
    """The viewer's seat (while places are open, their place); None: a spectator."""
    preset: str
    """The rules as ``preset+option=value``."""
    base_preset: str
    """The preset alone."""
    match: MatchView
    finished: bool
    """True if `view` is of the hand finished last."""
    waiting: bool
    """True if the table waits for the viewer to ask for the next hand."""
    over: bool
    """True if the match is over."""
    window: float | None
    """Seconds left in which the viewer may interrupt before the table goes on; None: no such window."""
    lang: str
    thinking: tuple[Seat, ...] = ()
    """Seats of computer players that the table waits for."""
    away: tuple[Seat, ...] = ()
    """Seats of absent persons, for whom a computer player acts."""
    started: bool = True
    """False while places are open: nothing is drawn or dealt, and `view` is that of an empty table."""
    ready: tuple[Seat, ...] = ()
    """Seats that have asked for the next hand."""
    commitment: str = ""
    """SHA-256 of the secret of all shuffles of this match, in hex; public before the first card."""
    secret: str | None = None
    """The secret itself, in hex, once the match is over."""
    chances: tuple["OpenShare", ...] = ()
    """Shares of the shuffles in a match of version 1; public."""
    shares: tuple["ShuffleShare", ...] = ()
    """Shares of the shuffles, pledged or opened; public."""
    opens: bool = False
    """True if the viewer is to open their share now: all are pledged."""
    learning: bool = False
    """True if players may ask for hints; everybody at the table is told so."""
    chosen: bool = False
    """True if people choose their seats."""
    host: bool = False
    """True if the viewer came first, and may remove others."""
    kept: tuple[bool, ...] = ()
    """True by seat for an open place reserved for the person of that name."""
    again: str = ""
    """The id of the table for the rematch; empty until one is asked for."""
    rehearses: str = ""
    """The address of the moment of another hand from which this table plays on; empty: this is a match."""
    evening: tuple[int, ...] = ()
    """Matches won this evening before this one, by seat; empty in the first."""
    event: str = ""
    """The tournament this table belongs to."""
    turns_up: bool = False
    """True if the table itself turns up now, or says aloud, the viewer's face-down bid."""
    chat: "ChatView | None" = None
    """The chat of the table."""
    request: "TableRequest | None" = None
    """The open claim or request to take an action back."""
    asks: tuple[str, ...] = ()
    """Requests (of `REQUESTS`) that the viewer may make now."""
    claims: "tuple[SettledClaim, ...]" = ()
    """The settled claims of this match."""
    seats_to_take: tuple[Seat, ...] = ()
    """Seats of computer players that the viewer, a spectator, may take now."""
    seats_to_keep: tuple[Seat, ...] = ()
    """Seats of computer players that may be kept for the viewer, a spectator, until this hand ends."""
    chair: Seat | None = None
    """The seat that is kept for the viewer until this hand ends."""
    heirs: tuple[str, ...] = ()
    """By seat: the name of the person who takes it when this hand ends; empty for nobody."""
    faces: tuple[str, ...] = ()
    """By seat: the drawn face of a person; empty: the first letter of the name."""
    host_name: str = ""
    """The person who came first; empty where nobody did, or has left for good."""
    trick_time: float = 0.0
    """Seconds that a trick of this hand takes on average; 0 before the first."""
    barred: bool = False
    """The host has removed the viewer."""
    takes_back: bool = False
    """True if mis-clicks may be taken back at this table."""
    hurries: bool = False
    """True if only computer players play on in this hand, and the viewer may have them finish it at once."""

    @property
    def resting(self) -> bool:
        """Whether the last hand is still shown: the viewer, or a person they wait for, has not gone on."""
        if self.waiting or self.over or self.seats_to_take:
            return True
        if not self.ready:
            return False
        here = {*self.ready, *self.away}
        return not all(computer or seat in here for seat, computer in enumerate(self.computers))


REQUESTS = ("claim mine", "claim theirs", "undo")
"""Requests of a seat: it, or the other side, takes the rest; or its last action is taken back."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A claim or a request to take an action back; the table waits for the answers."""

    seat: Seat
    """The seat that makes the request."""
    what: str
    of: tuple[Seat, ...]
    """Seats that have yet to agree; none once all have, or where a claim is proven."""


@dataclass(frozen=True, slots=True)
class SettledClaim:
    """A claim that was played out."""

    hand: int
    """The index of the hand among the finished ones, from 1."""
    tricks: int
    """Tricks that had been played."""
    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of the chat at a table."""

    number: int
    """The number of its event."""
    session: str
    """The speaker's session; a viewer's `ChatView` holds the viewer's own alone."""
    name: str
    """The speaker's name at that time."""
    word: str
    text: str
    reported: bool = False


@dataclass(frozen=True, slots=True)
class SignalCard:
    """The agreed signals of a pair: ids of ready-made ones, and its own words."""

    signals: tuple[str, ...] = ()
    own: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatView:
    """The chat at a table as one viewer may read it, and the words open to them."""

    lines: tuple[ChatLine, ...] = ()
    """The last lines, the latest last; without those of persons whom the viewer has muted."""
    muted: tuple[bool, ...] = ()
    """True by seat if muted by the viewer; empty for a spectator."""
    mutable: tuple[bool, ...] = ()
    """True by seat for a person other than the viewer."""
    writes: bool = False
    """True if the viewer may write words of their own now."""
    gestures: tuple[str, ...] = ()
    """Signals the viewer may give now."""
    cards: tuple[SignalCard, ...] = ()
    """The cards of the pairs, by side; empty where signals are not allowed."""
    agrees: bool = False
    """True if the viewer may change the card of their pair now."""


@dataclass(frozen=True, slots=True)
class ShuffleShare:
    """A person's share of the shuffles: pledged first, opened when all are pledged."""

    place: int
    """The place of the person, as they came."""
    pledge: str
    """SHA-256 of the share's digits, in hex."""
    text: str = ""
    """The hexadecimal digits; empty until the share is opened."""


@dataclass(frozen=True, slots=True)
class OpenShare:
    """A person's share of the shuffles in a match of version 1, open from the first."""

    shuffle: int
    """The first shuffle it goes into: 0 is the draw for seats, then one a deal."""
    place: int
    """The place of the person, as they came."""
    text: str
    """Hexadecimal digits."""
    own: bool
    """True if from the person's own device; else the server drew it for a person without one."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint: the choice of a good player at a seat."""

    seen: SeatView
    choice: Choice | None
    """The choice; None: to stay silent, where the seat may speak out of turn."""
    card: Card | None = None
    """The card asked about, “why not this one”."""
    asked: Action | None = None
    """The action asked about, with that card or without any."""
    beside: Comparison | None = None
    """A comparison of that action and the choice, both played out in deals that fit the seat's knowledge."""
