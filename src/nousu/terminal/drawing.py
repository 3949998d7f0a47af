"""The table in characters: players, trick, hand, and the score in each family's own form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.text import Text

from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.extensions import Point, extension
from nousu.i18n import corner, numeral
from nousu.i18n.sentences import Voice

SIGNS = "♠♥♦♣"
_COLOURS = ("bold", "bold #eb0000", "bold #0d73e6", "bold #008a00")
"""Four colours, so that shape alone distinguishes no two suits.

Each is legible on a dark and on a light background, as are `QUESTION` and `REMARK`.
"""
QUESTION = "bold"
REMARK = "italic #ad6500"


class TerminalFamily(Protocol):
    """A family's module at `Point.TERMINAL`; it may also follow `SeatMarks` and `SeatRows`."""

    def status_lines(self, view: View, voice: Voice, /) -> Iterator[Text]:
        """The contract and the score."""
        ...


class SeatMarks(Protocol):
    """A family that marks players beside their names."""

    def marks(self, view: View, voice: Voice, seat: Seat, /) -> Iterator[str]:
        """The marks of a player: bidder, alone, sits out."""
        ...


class SeatRows(Protocol):
    """A family whose players each have a row with points of their own."""

    def points_text(self, view: View, seat: Seat, /) -> Text:
        """The points of a player."""
        ...

    def state(self, view: View, voice: Voice, seat: Seat, /) -> str:
        """The state of a player: out, away, or the number of cards."""
        ...


@dataclass(frozen=True, slots=True)
class HandMarks:
    """Marks in the hand: the cursor, cards picked for an exchange, usable cards."""

    at: Card | None = None
    picked: frozenset[Card] = frozenset()
    usable: frozenset[Card] = frozenset()


def card_text(card: Card, language: str, style: str = "") -> Text:
    """One card: ``♥10``."""
    if card < 0:
        return Text("░░", style="dim")
    return Text(SIGNS[card.suit] + corner(card.letter, language), style=style or _COLOURS[card.suit])


def hand_text(cards: Sequence[Card], marked: HandMarks, language: str) -> Text:
    """A hand, suit by suit: unusable cards dim, picked ones underlined, the cursor reversed."""
    line = Text()
    suit = -1
    for card in cards:
        if card >= 0 and card.suit != suit:
            line.append("  " if suit >= 0 else "")
            suit = card.suit
        style = "" if not marked.usable or card in marked.usable else "dim"
        style += " underline" if card in marked.picked else ""
        style += " reverse" if card == marked.at else ""
        piece = card_text(card, language, (_COLOURS[card.suit] if card >= 0 else "") + " " + style)
        line.append(" ")
        line.append_text(piece)
    return line


def table_lines(view: View, voice: Voice, language: str, wide: int = 66) -> Iterator[Text]:
    """The table, at most `wide` letters across.

    Four players sit around the trick. Other numbers of players, and families with `SeatRows`, have one row
    for each player.
    """
    plays = dict(view.trick)
    winner: Seat | None = None
    if not view.trick and view.tricks:
        plays, winner = dict(view.tricks[-1].plays), view.tricks[-1].winner
    if len(view.counts) == 4 and extension(SeatRows, Point.TERMINAL, view.game) is None:
        yield from _compass(view, voice, plays, winner, language, min(wide, 66))
    else:
        yield from _rows(view, voice, plays, winner, language)


def _card_in_trick(plays: dict[Seat, Card], seat: Seat, winner: Seat | None, language: str) -> Text:
    """The card of a seat in the trick; the one that took the last trick has a star."""
    if seat not in plays:
        return Text(" · ", style="dim")
    text = card_text(plays[seat], language)
    if winner is None:
        return text
    return Text.assemble(text, "★") if seat == winner else Text(text.plain, style="dim")


def _person(view: View, voice: Voice, seat: Seat) -> Text:
    """The name with its marks: on turn, dealer, bid, tricks, sits out."""
    say = voice.say
    style = "bold reverse" if seat in view.owed else "bold"
    text = Text(voice.name(seat), style=style)
    marks = []
    if seat == view.setup.dealer:
        marks.append(say("dealer"))
    family = extension(SeatMarks, Point.TERMINAL, view.game)
    if family is not None:
        marks += family.marks(view, voice, seat)
    taken = sum(trick.winner == seat for trick in view.tricks)
    if taken:
        marks.append(say("tricks {count}", count=taken))
    if marks:
        text.append(" " + ", ".join(marks), style="not bold not reverse dim")
    return text


def _compass(
    view: View, voice: Voice, plays: dict[Seat, Card], winner: Seat | None, language: str, wide: int
) -> Iterator[Text]:
    own = view.seat or 0
    west, north, east = ((own + step) % 4 for step in (1, 2, 3))
    card = {seat: _card_in_trick(plays, seat, winner, language) for seat in range(4)}
    yield _centre(_person(view, voice, north), wide)
    yield _centre(card[north], wide)
    yield _sides(_person(view, voice, west), _person(view, voice, east), wide)
    yield _centre(Text.assemble(card[west], "         ", card[east]), wide)
    yield _centre(card[own], wide)
    yield _centre(_person(view, voice, own), wide)


def _centre(text: Text, wide: int) -> Text:
    return Text.assemble(" " * max(0, (wide - text.cell_len) // 2), text)


def _sides(left: Text, right: Text, wide: int) -> Text:
    return Text.assemble(left, " " * max(2, wide - left.cell_len - right.cell_len), right)


def _rows(
    view: View, voice: Voice, plays: dict[Seat, Card], winner: Seat | None, language: str
) -> Iterator[Text]:
    count, viewer, family = len(view.counts), view.seat or 0, extension(SeatRows, Point.TERMINAL, view.game)
    people = {seat: _person(view, voice, seat) for seat in range(count)}
    column = min(34, max(person.cell_len for person in people.values()) + 2)
    for step in range(1, count + 1):
        seat = (viewer + step) % count
        line = people[seat]
        line.append(" " * max(1, column - line.cell_len))
        if family is not None:
            line.append_text(family.points_text(view, seat))
        line.append_text(_card_in_trick(plays, seat, winner, language))
        state = (
            voice.say("cards {count}", count=view.counts[seat])
            if family is None
            else family.state(view, voice, seat)
        )
        line.append("  " + state, style="dim")
        yield line


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """The contract and the score, in the family's own form."""
    family = extension(TerminalFamily, Point.TERMINAL, view.game)
    if family is not None:
        yield from family.status_lines(view, voice)
        return
    score = view.setup.tally.score()
    yield Text("   ".join(f"{voice.side(at)} {numeral(points)}" for at, points in enumerate(score)))
