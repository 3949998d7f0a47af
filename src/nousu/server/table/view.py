"""What one viewer may know of a table: the only thing pages, the API and live connections ever print.

A `Seen` is built by listing what is known, from `Hand.view` of the viewer's seat and from the public part
of the match. It never holds a `Hand` or a `Match`, so nothing secret can be printed by mistake.
"""

from dataclasses import dataclass
from typing import Any

from nousu.engine.actions import Action
from nousu.engine.cards import Card
from nousu.engine.game import Result, Seating, Tally, View
from nousu.engine.messages import Note
from nousu.engine.seats import Seat
from nousu.players import Choice
from nousu.review import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSeen:
    """A finished hand as everybody may know it. What a viewer heard of it besides is `Table.hand_view`."""

    index: int
    """Its place among the finished hands of the match, from 1; void hands count."""
    number: int
    """The hand's number in the match; a void hand and its repetition share it."""
    dealer: Seat
    result: Result
    score: tuple[int, ...]
    """The standing after it."""
    tally: Tally
    """The standing after it, with `facts` and the `notes` on what this hand did to it."""


@dataclass(slots=True, kw_only=True)
class MatchSeen:
    """The public part of a match; never changed once it is made."""

    game: str
    """The family: ``whist``, ``huutopussi``, ``tuppen``."""
    rules: Any
    seats: int
    dealer: Seat
    """The first dealer."""
    number: int
    """The number of the hand on the table."""
    played: tuple[HandSeen, ...]
    tally: Tally
    winner: tuple[int, ...] | None
    """None while the match goes on; then the winning sides or seats, () for a draw."""
    seating: Seating | None
    drawn: tuple[Card, ...]
    """The cards drawn for seats and first dealer."""


@dataclass(slots=True, kw_only=True)
class Seen:
    """A table as one viewer may see it now; never changed once it is made. (A frozen one takes a third longer
    to make, and each event makes one for each viewer.)"""

    table_id: str
    seq: int
    """How many events the table has had; an action names the number it was decided at."""
    view: View
    """The hand on the table. Between hands it is still the finished one: nothing is legal in it, and what the
    rules keep secret (discards, bids not turned up) stays secret (A-T-25)."""
    names: tuple[str, ...]
    """By seat; empty text for a place nobody has taken yet."""
    computers: tuple[bool, ...]
    seat: Seat | None
    """The viewer's seat (while places are open, their place); None: a spectator."""
    preset: str
    """The rules as ``preset+option=value``."""
    base_preset: str
    """The preset they were written from."""
    match: MatchSeen
    finished: bool
    """`view` is that of the hand finished last."""
    waiting: bool
    """The viewer is asked to go on to the next hand."""
    over: bool
    """The match is over."""
    window: float | None
    """Seconds left in which this viewer may still speak before the table goes on; None: no such window."""
    lang: str
    thinking: tuple[Seat, ...] = ()
    """Computer players the table waits for."""
    away: tuple[Seat, ...] = ()
    """Persons who have left; a computer player plays for them until they come back."""
    started: bool = True
    """False while places are open: nothing is drawn or dealt, and `view` is that of an empty table."""
    ready: tuple[Seat, ...] = ()
    """Who has already asked for the next hand."""
    commitment: str = ""
    """SHA-256 of the secret every shuffle of this match comes from, in hex; public before the first card."""
    secret: str | None = None
    """The secret itself, in hex, once the match is over."""
    chances: tuple["ChanceSeen", ...] = ()
    """What the seats have added to the shuffles of a match of version 1; public."""
    shares: tuple["ShareSeen", ...] = ()
    """The persons' shares of the shuffles, promised or opened; public."""
    opens: bool = False
    """The viewer has promised a share, all promises are in, and it is to be opened now."""
    learning: bool = False
    """Whoever sits here may ask for hints; everybody at the table is told so."""
    chosen: bool = False
    """People sit where they like."""
    host: bool = False
    """The viewer came first, and may ask others to leave."""
    kept: tuple[bool, ...] = ()
    """Open places that are kept for those of that name, by seat."""
    again: str = ""
    """The table at which the people of this one meet again; empty until somebody asks for it."""
    rehearses: str = ""
    """The address of the moment of another hand that is played on from here; empty: this is a match."""
    evening: tuple[int, ...] = ()
    """Matches won this evening before this one, by seat; empty in the first."""
    event: str = ""
    """The tournament this table belongs to."""
    turns_up: bool = False
    """What the viewer laid face down is turned up, or said aloud, by the table itself now."""
    refused: Note | None = None
    """Why the viewer's last action sent by form was refused."""
    talk: "TalkSeen | None" = None
    """What was said at the table."""
    request: "Request | None" = None
    """What is asked of somebody at the table."""
    asks: tuple[str, ...] = ()
    """What the viewer may ask of the others now."""
    claims: "tuple[ClaimSeen, ...]" = ()
    """The claims that were settled in this match."""
    seats_to_take: tuple[Seat, ...] = ()
    """Seats of computer players that the viewer, who does not sit here, may take now."""
    takes_back: bool = False
    """Mis-clicks may be taken back at this table."""

    hurries: bool = False
    """Only computer players play on in this hand, and the viewer may have them finish it at once."""

    @property
    def resting(self) -> bool:
        """The last hand is still looked at: the viewer, or a person they wait for, has not gone on."""
        if self.waiting or self.over or self.seats_to_take:
            return True
        if not self.ready:
            return False
        here = {*self.ready, *self.away}
        return not all(computer or seat in here for seat, computer in enumerate(self.computers))


REQUESTS = ("claim mine", "claim theirs", "undo")
"""What a seat may ask of others: that it, or the other side, takes the rest; to take its last action back."""


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of seats at the table, which waits until they have answered."""

    seat: Seat
    """Who asks."""
    what: str
    of: tuple[Seat, ...]
    """Who has yet to agree; nobody once all have, or where a claim is proven."""


@dataclass(frozen=True, slots=True)
class ClaimSeen:
    """A claim that was settled."""

    hand: int
    """The place of the hand among the finished ones, from 1."""
    tricks: int
    """Tricks that had been played."""
    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class Line:
    """Something said at the table."""

    number: int
    """Of the event by which it was said."""
    session: str
    """Whose words they are; a viewer's `TalkSeen` names nobody's but the viewer's own."""
    name: str
    """What they were called then."""
    word: str
    text: str
    reported: bool = False


@dataclass(frozen=True, slots=True)
class SignalCard:
    """What a pair has agreed on: ids of ready-made signals, and its own words."""

    signals: tuple[str, ...] = ()
    own: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSeen:
    """What one viewer may read and say at the table."""

    lines: tuple[Line, ...] = ()
    """What was said last, the latest last; nothing of those whom the viewer does not want to read."""
    muted: tuple[bool, ...] = ()
    """By seat, whom the viewer does not want to read; empty for a spectator."""
    mutable: tuple[bool, ...] = ()
    """By seat, who is a person and not the viewer."""
    writes: bool = False
    """The viewer may write words of their own now."""
    gestures: tuple[str, ...] = ()
    """Signals the viewer may give now."""
    cards: tuple[SignalCard, ...] = ()
    """What the pairs have agreed on, by side; empty where signals are not allowed."""
    agrees: bool = False
    """The viewer may change what their pair has agreed on now."""


@dataclass(frozen=True, slots=True)
class ShareSeen:
    """A person's share of the shuffles: promised first, opened when all promises are in."""

    place: int
    """Whose: the number of the person as they came."""
    pledge: str
    """SHA-256 of the share's digits, in hex."""
    text: str = ""
    """Its hexadecimal digits; empty until it is opened."""


@dataclass(frozen=True, slots=True)
class ChanceSeen:
    """Randomness one person added to the shuffles of a match of version 1."""

    shuffle: int
    """The first shuffle it goes into: 0 is the draw for seats, then one a deal."""
    place: int
    """Who: the number of the person as they came."""
    text: str
    """Hexadecimal digits."""
    own: bool
    """Brought by the person's own device; else drawn by the server for a person who brought none."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a good player would consider, asked for at a learning table."""

    seen: Seen
    choice: Choice | None
    """None: to keep silent, where the seat may speak out of turn."""
    card: Card | None = None
    """The card of which the person asks why not."""
    asked: Action | None = None
    """What may be done instead, of which the person asks why not: with that card, or without any."""
    beside: Comparison | None = None
    """The same beside the choice, played out in deals that fit what the seat knows."""
