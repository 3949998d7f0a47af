"""The diagram of a hand at one moment: the cards of all seats, the trick, the words.

A `Diagram` is made of a `Story` and rendered by ``parts/diagram.html``; ``diagram.js`` steps from moment to
moment by the same numbers.
"""

from dataclasses import dataclass

from nousu.engine.actions import heard
from nousu.engine.cards import ACE_HIGH, Card, Strength
from nousu.engine.seats import Seat, clockwise
from nousu.engine.timeline import Held, Story, Taken
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import capital, sentences
from nousu.server.pages.table.cards import Face, face, suit_symbol
from nousu.server.pages.table.seat_names import SeatNames


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipCard:
    """A card on a seat's slip."""

    face: Face
    since: int
    until: int
    played: bool
    known: str
    """The moment from which each seat knew the card, by seat, separated by spaces."""
    state: str
    """out (played), now (the last card on the table), gone (not in the hand, or unknown), or empty (held)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSlip:
    """The cards of one seat."""

    seat: Seat
    place: str
    """s, w, n or e; empty at larger tables."""
    name: str
    us: bool
    me: bool
    suits: tuple[tuple[str, tuple[SlipCard, ...]], ...]
    """Symbol of the suit, and the cards of it."""
    counts: str
    """The number of cards at each moment, separated by spaces."""
    hidden: int
    """The number of cards that are not shown now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickCard:
    """A card of a trick."""

    face: Face
    place: str
    name: str
    at: int
    """The moment at which it was played."""
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of the hand: a trick, or all entries before the first one."""

    number: int
    """The number of the trick; 0: before the first one."""
    first: int
    last: int
    cards: tuple[TrickCard, ...]
    best: Face | None
    """The card that took the trick."""
    us: bool
    title: str
    on: bool
    """True if the present moment lies in it."""

    @property
    def full(self) -> int:
        """The moment at which the trick is complete."""
        return self.cards[-1].at if self.cards else self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentLine:
    """A moment in words."""

    at: int
    text: str
    cut: str
    """The words for seats that did not see the cards; empty if they are the same."""
    knows: str
    """The seats that know all of the entry, separated by spaces."""

    def heard_by(self, eyes: Seat | None) -> str:
        """The words for a seat; None stands for all seats together."""
        return (
            self.cut if self.cut and eyes is not None and str(eyes) not in self.knows.split() else self.text
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """The diagram at one moment, as one seat or all seats together see it."""

    first: int
    last: int
    at: int
    eyes: Seat | None
    slips: tuple[HandSlip, ...]
    """The slips, clockwise from the viewer."""
    round: bool
    """True for at most four seats, each with a side of the table."""
    piles: tuple[Stretch, ...]
    lines: tuple[MomentLine, ...]

    @property
    def text(self) -> str:
        """The latest event in words."""
        return next((line for line in self.lines if line.at == self.at), self.lines[0]).heard_by(self.eyes)

    @property
    def pile(self) -> Stretch:
        """The stretch of the present moment."""
        return next(pile for pile in self.piles if pile.on)

    @property
    def before(self) -> int:
        """The last moment of the stretch before this one."""
        return max((pile.last for pile in self.piles if pile.last < self.at), default=self.first)

    @property
    def after(self) -> int:
        """The next moment at which a stretch is complete."""
        return min((pile.last for pile in self.piles if pile.last > self.at), default=self.last)


def diagram(
    story: Story,
    who: SeatNames,
    reader: Reader,
    *,
    at: int = -1,
    eyes: Seat | None = None,
    strength: Strength = ACE_HIGH,
) -> Diagram:
    """The diagram of a story.

    Args:
        story: The events of a hand.
        who: The players.
        reader: The language.
        at: The moment, cut to those of the story.
        eyes: The seat whose knowledge is shown; None for all cards.
        strength: The order of the cards.
    """
    seats = len(who.names)
    at = max(story.first, min(at, story.last))
    eyes = eyes if eyes in range(seats) else None
    piles = _stretches(story, who, reader, at)
    on_table = next((pile.cards for pile in piles if pile.on), ())
    last = next((card.face.text for card in reversed(on_table) if card.at <= at), "")
    return Diagram(
        first=story.first,
        last=story.last,
        at=at,
        eyes=eyes,
        slips=tuple(
            _slip(story, seat, who, reader, at, eyes, strength, last)
            for seat in clockwise(who.seat or 0, seats)
        ),
        round=seats <= 4,
        piles=piles,
        lines=_lines(story, who, reader),
    )


def _slip(
    story: Story,
    seat: Seat,
    who: SeatNames,
    reader: Reader,
    at: int,
    eyes: Seat | None,
    strength: Strength,
    last: str,
) -> HandSlip:
    held = [held for held in story.held if held.seat == seat and held.until > story.first]
    held.sort(key=lambda item: (-strength[item.card.rank], item.since))
    pips = {id(item): _slip_card(item, reader, at, eyes, last) for item in held}
    suits = tuple(
        (suit_symbol(suit), tuple(pips[id(item)] for item in held if item.card.suit == suit))
        for suit in range(4)
    )
    shown = sum(not pip.state for pip in pips.values())
    return HandSlip(
        seat=seat,
        place=who.place(seat) if len(who.names) <= 4 else "",
        name=who.name(seat),
        us=who.ours(seat),
        me=seat == who.seat,
        suits=suits,
        counts=" ".join(str(count[seat]) for count in story.counts),
        hidden=story.counts[at][seat] - shown,
    )


def _slip_card(held: Held, reader: Reader, at: int, eyes: Seat | None, last: str) -> SlipCard:
    drawn = face(held.card, reader)
    if held.played and held.until <= at:
        state = "now" if drawn.text == last else "out"
    elif not held.since <= at < held.until or (eyes is not None and held.known[eyes] > at):
        state = "gone"
    else:
        state = ""
    known = " ".join(map(str, held.known))
    return SlipCard(
        face=drawn, since=held.since, until=held.until, played=held.played, known=known, state=state
    )


def _stretches(story: Story, who: SeatNames, reader: Reader, at: int) -> tuple[Stretch, ...]:
    starts = [story.first, *(trick.first for trick in story.tricks)]
    ends = [*(start - 1 for start in starts[1:]), story.last]
    stretches = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        trick = story.tricks[number - 1] if number else None
        if number == 0 and end < start:
            continue
        cards = () if trick is None else _trick_cards(trick, who, reader)
        stretches.append(
            Stretch(
                number=number,
                first=start,
                last=end,
                cards=cards,
                best=next((card.face for card in cards if card.won), None),
                us=trick is not None and trick.winner is not None and who.ours(trick.winner),
                title=reader.say("Trick {number}", number=number)
                if number
                else reader.say("Before the play"),
                on=start <= at <= end,
            )
        )
    return tuple(stretches)


def _trick_cards(trick: Taken, who: SeatNames, reader: Reader) -> tuple[TrickCard, ...]:
    def drawn(card: Card) -> Face:
        return face(card, reader)

    small = len(who.names) <= 4
    return tuple(
        TrickCard(
            face=drawn(card),
            place=who.place(seat) if small else "",
            name=who.name(seat),
            at=moment,
            won=seat == trick.winner,
        )
        for moment, seat, card in trick.plays
    )


def _lines(story: Story, who: SeatNames, reader: Reader) -> tuple[MomentLine, ...]:
    voice = who.voice(reader)
    sizes = [len(trick.plays) for trick in story.tricks]
    full = sentences(voice, story.log, sizes)
    outside = tuple((by, heard(None, action, by)) for by, action in story.log)
    cut = sentences(voice, outside, sizes)
    lines = []
    for at in range(max(1, story.first), story.last + 1):
        text, less = full[at - 1], cut[at - 1]
        deals = at == story.first
        knows = (
            "" if deals else " ".join(str(seat) for seat in range(len(who.names)) if story.knows(seat, at))
        )
        lines.append(
            MomentLine(
                at=at, text=capital(text), cut="" if deals or less == text else capital(less), knows=knows
            )
        )
    winners = {trick.plays[-1][0]: trick.winner for trick in story.tricks}
    return tuple(_line_with_winner(line, winners.get(line.at), who, reader) for line in lines)


def _line_with_winner(line: MomentLine, winner: Seat | None, who: SeatNames, reader: Reader) -> MomentLine:
    if winner is None:
        return line
    taken = reader.say("{name} takes the trick.", name=who.name(winner))
    return MomentLine(at=line.at, text=f"{line.text} {taken}", cut=line.cut, knows=line.knows)
