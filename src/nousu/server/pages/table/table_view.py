"""The value that a table page draws: the knowledge of one viewer, in their language, ready for JSON.

A card is its code (``H10``); the page's words hold its corner and its name. A sentence is here only where the
server must choose it; words that never change are the page's own. There are no functions or properties here:
a client sees every field.

A page holds a first view and its words (`nousu.server.pages.table.words`) as JSON; then it receives messages
(`nousu.server.pages.table.messages`).
"""

from dataclasses import dataclass

from nousu.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class BidChip:
    """A kind of game as a chip; word, shape and ink say the same."""

    word: str
    shape: str
    """Symbol: rami (peak, high), nolo (valley, low), sooli (ring), no (pass)."""
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
    """The question before an action that is costly by mistake; empty for none."""


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the viewer's own hand."""

    card: str
    row: int
    """Row 0 or 1 of a hand in two rows."""
    x: float
    """The offset in that row, in cards from its middle."""
    y: float
    """The offset in a hand of one row."""
    act: str = ""
    """The action of the second tap; empty if the card may not be played now."""
    shape: str = ""
    """The bid that the card stands for while bids are chosen: high or low."""
    choose: bool = False
    """True for one of several cards to be chosen together."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The name plate of a player."""

    name: str
    seat: Seat
    place: str
    """s (the viewer), w, n, e; at tables of more than four the number of chairs from the viewer."""
    us: bool
    me: bool
    turn: bool
    dealer: bool
    lead: bool = False
    note: str = ""
    away: bool = False
    face: str = ""
    """A symbol of ``/static/faces.svg``; empty: the first letter of the name."""
    heir: str = ""
    """A sentence about the person who takes this chair when the hand ends."""


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a trick."""

    place: str
    card: str


@dataclass(frozen=True, slots=True)
class BidSpot:
    """A bid in front of a player, face down or shown."""

    place: str
    nth: int
    """The number in the order of exposing."""
    card: str = ""
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
class FallenRise:
    """A rise that ended before the match did."""

    us: bool
    peak: int
    hand: str
    """The hand in which it stood there, in words."""


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
    fallen: FallenRise | None = None
    """The rise that the finished hand ended."""
    rises: tuple[FallenRise, ...] = ()
    """All rises that have fallen, once the match is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBar:
    """The points of one side or player on the way to the target."""

    name: str
    points: int
    share: float
    """0 … 1 of the way."""
    us: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """The score sheet: heads, and one row a hand; row N links to the replay of hand N, from 1."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: int = 0
    """The column, from 1, that takes the remaining width; 0 for none."""
    falls: tuple[int, ...] = ()
    """The rows, from 0, in which a side fell back to nothing."""


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
    """True if the headline is good news for the others."""
    won: tuple[str, ...] = ()
    """A row of boxes, one a trick: us, over, or empty."""
    key: tuple[tuple[str, int, bool], ...] = ()
    """Captions under the boxes: text, width, accent."""
    reasons: tuple[ClauseReason, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Small print: caption and value."""
    match: str = ""
    """The winner of the match in a sentence; empty while it goes on."""
    winners: tuple[Seat, ...] = ()
    """The seats that have won the match."""
    decided: str = ""
    """A sentence about the hand that moved the score most towards the winner of the match."""
    final: str = ""
    """The score of a match that is over, the viewer's side first."""
    dealer: str = ""
    """The next dealer, also of a rematch; empty where the game has none."""
    waits: bool = False
    """True if the viewer is asked to go on to the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A chat line."""

    number: int
    name: str
    words: str
    mine: bool
    reported: bool
    seat: Seat | None
    """The speaker's seat; null for somebody who has left."""
    reports: bool
    """True if the viewer may report it to the host."""
    picture: str = ""
    """A symbol of ``/static/faces.svg`` that says the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCard:
    """The signals that a pair has agreed on."""

    title: str
    signals: tuple[str, ...]
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPanel:
    """The chat of a table, and the words open to the viewer."""

    company: bool = True
    """True if there is, or was, another person at the table."""
    lines: tuple[ChatRow, ...] = ()
    says: tuple[tuple[str, str], ...] = ()
    """Phrases: id and words."""
    gestures: tuple[tuple[str, str], ...] = ()
    """Signals that may be given now: id and words."""
    writes: bool = False
    sits: bool = False
    people: tuple[tuple[int, str, bool], ...] = ()
    """The other persons: seat, name, and whether the viewer has muted them."""
    cards: tuple[PairCard, ...] = ()
    code: tuple[str, ...] = ()
    """The signals of computer players, in sentences."""
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
    """True if the viewer is to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateOffer:
    """The choice of somebody who comes while a hand is played: a computer player's chair when it ends."""

    title: str
    text: str
    progress: str
    """The trick being played, of how many."""
    done: int
    """Finished tricks."""
    tricks: int
    """All tricks of the hand."""
    wait: str
    """About how long the hand still takes."""
    chairs: tuple[tuple[Seat, str, str], ...] = ()
    """The chairs that may be kept for the viewer: seat, name, and the words of a button; none if one is."""


@dataclass(slots=True, kw_only=True)
class TableView:
    """The knowledge of one viewer about a table in play: begun by `base_view`, completed by the family.

    Once complete it never changes. (A frozen class takes a third longer to make.)
    """

    drawing: str = ""
    """The family that draws the view; ``plain`` for one without a page of its own."""
    id: str
    seq: int
    """The number of the table's last event."""
    preset: str
    """The rules as ``preset+option=value``."""
    base: str
    """The preset alone, for the rules page."""
    title: str
    phase: str
    hand_number: int
    seat: Seat | None = None
    """The viewer's seat; null for a spectator."""
    plates: tuple[Plate, ...] = ()
    counts: tuple[int, ...] = ()
    """By seat: the cards in the hand."""
    trick: tuple[PlayedCard, ...] = ()
    taken: str = ""
    """The place that took the trick shown, if it is a finished one."""
    slot: str = ""
    """The place whose card the trick waits for."""
    lays: tuple[BidSpot, ...] = ()
    contract: BidChip | None = None
    contract_note: str = ""
    tricks: str = ""
    tricks_label: str = ""
    won_tricks: tuple[int, ...] = ()
    """Tricks won so far by the viewer's side and by the other; empty where everybody plays alone."""
    last: tuple[str, ...] = ()
    """The cards of the last trick."""
    last_note: str = ""
    line: str = ""
    """The speech line."""
    line_suit: str = ""
    """The suit symbol before it: s, h, d or c."""
    my_turn: bool = False
    ask: Prompt | None = None
    bids: tuple[Button, ...] = ()
    acts: tuple[Button, ...] = ()
    many: Button | None = None
    more: ChoiceList | None = None
    hint: str = ""
    hand: tuple[HandCard, ...] = ()
    flat: bool = False
    """True for a short hand in one row, without a slope above the table."""
    hill: Hill | None = None
    target: int = 0
    """The end of the bars."""
    bars: tuple[ScoreBar, ...] = ()
    sheet: ScoreSheet | None = None
    rules: tuple[tuple[str, str], ...] = ()
    """The rules in short: option and value."""
    outcome: HandOutcome | None = None
    """The finished hand, while it is shown."""
    lost: bool = False
    """True if the match is over, and others have won it."""
    leaves: bool = False
    """True if the viewer may leave other persons at this table."""
    again: bool = False
    """True if another player has opened a rematch."""
    rehearses: str = ""
    """The address of the moment from which this hand is played on; empty in a match."""
    evening: tuple[tuple[str, int], ...] = ()
    """Matches won in this series of rematches, by side or player."""
    event: str = ""
    """The tournament of the table."""
    talk: ChatPanel | None = None
    asks: tuple[str, ...] = ()
    """The ids of requests that may be made now (`ChatPanel.asks`)."""
    asked: PendingRequest | None = None
    to_take: tuple[tuple[int, str], ...] = ()
    """The computer players, by seat and name, that the viewer may replace now."""
    tip: str = ""
    """The meaning of the first choice for the viewer's own cards."""
    tips: tuple[str, ...] = ()
    """At a learning table, before the first card: who plays with whom, `tip`, how a card is played."""
    claims: tuple[tuple[str, str, str], ...] = ()
    """Claims that could be true: id, words, question before sending."""
    concession: tuple[str, str, str] | None = None
    """The claim that concedes the hand: id, words, question before sending."""
    removed: str = ""
    """A sentence for somebody whom the host has asked to leave."""
    waits_for: str = ""
    """A sentence about the people who have not asked for the next hand, once somebody has."""
    late: LateOffer | None = None
    """The choice of a spectator while a hand is played."""
    claimed: str = ""
    """A sentence if the finished hand ended by a claim."""
