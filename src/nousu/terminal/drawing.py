"""The table drawn with characters: people, trick, hand, and what each family shows of its score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games import part
from nousu.i18n import corner, numeral
from nousu.i18n.sentences import Voice

SIGNS = "♠♥♦♣"
_COLOURS = ("bold bright_white", "bold red", "bold yellow", "bold green")
"""Four colours, so that no two suits are told apart by shape alone."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked in the hand: the cursor, cards picked for an exchange, cards that may be used."""

    at: Card | None = None
    picked: frozenset[Card] = frozenset()
    usable: frozenset[Card] = frozenset()


def card_text(card: Card, language: str, style: str = "") -> Text:
    """One card: ``♥10``."""
    if card < 0:
        return Text("░░", style="dim")
    return Text(SIGNS[card.suit] + corner(card.letter, language), style=style or _COLOURS[card.suit])


def hand_text(cards: Sequence[Card], marked: Marked, language: str) -> Text:
    """The own hand, suit by suit; unusable cards are dim, picked ones underlined, the cursor reversed."""
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
    """The table, at most `wide` letters across: four around a trick; other numbers, and families
    whose players each have points of their own to show, row by row."""
    plays = dict(view.trick)
    winner: Seat | None = None
    if not view.trick and view.tricks:
        plays, winner = dict(view.tricks[-1].plays), view.tricks[-1].winner
    if len(view.counts) == 4 and _row_by_row(view) is None:
        yield from _compass(view, voice, plays, winner, language, min(wide, 66))
    else:
        yield from _rows(view, voice, plays, winner, language)


def _row_by_row(view: View) -> Any:
    """The family's own module if it says what stands in a player's row (`points_text` and `state`)."""
    own = part("nousu.terminal", view.game)
    return own if hasattr(own, "points_text") else None


def _shown(plays: dict[Seat, Card], seat: Seat, winner: Seat | None, language: str) -> Text:
    """The card of a seat in the trick; the one that took the last trick has a star."""
    if seat not in plays:
        return Text(" · ", style="dim")
    text = card_text(plays[seat], language)
    if winner is None:
        return text
    return Text.assemble(text, "★") if seat == winner else Text(text.plain, style="dim")


def _person(view: View, voice: Voice, seat: Seat) -> Text:
    """The name with its marks: on turn, dealer, bid, tricks, sitting out."""
    say = voice.say
    style = "bold reverse" if seat in view.owed else "bold"
    text = Text(voice.name(seat), style=style)
    marks = []
    if seat == view.setup.dealer:
        marks.append(say("dealer"))
    own = part("nousu.terminal", view.game)
    if own is not None and hasattr(own, "marks"):
        marks += own.marks(view, voice, seat)
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
    card = {seat: _shown(plays, seat, winner, language) for seat in range(4)}
    yield _centred(_person(view, voice, north), wide)
    yield _centred(card[north], wide)
    yield _sides(_person(view, voice, west), _person(view, voice, east), wide)
    yield _centred(Text.assemble(card[west], "         ", card[east]), wide)
    yield _centred(card[own], wide)
    yield _centred(_person(view, voice, own), wide)


def _centred(text: Text, wide: int) -> Text:
    return Text.assemble(" " * max(0, (wide - text.cell_len) // 2), text)


def _sides(one: Text, two: Text, wide: int) -> Text:
    return Text.assemble(one, " " * max(2, wide - one.cell_len - two.cell_len), two)


def _rows(
    view: View, voice: Voice, plays: dict[Seat, Card], winner: Seat | None, language: str
) -> Iterator[Text]:
    count, viewer, own = len(view.counts), view.seat or 0, _row_by_row(view)
    people = {seat: _person(view, voice, seat) for seat in range(count)}
    column = min(34, max(person.cell_len for person in people.values()) + 2)
    for step in range(1, count + 1):
        seat = (viewer + step) % count
        line = people[seat]
        line.append(" " * max(1, column - line.cell_len))
        if own is not None:
            line.append_text(own.points_text(view, seat))
        line.append_text(_shown(plays, seat, winner, language))
        state = (
            voice.say("cards {count}", count=view.counts[seat])
            if own is None
            else own.state(view, voice, seat)
        )
        line.append("  " + state, style="dim")
        yield line


# ------------------------------------------------------------------------------------------- score


def status_lines(view: View, voice: Voice) -> Iterator[Text]:
    """What is being played and how it stands, in the family's own picture."""
    own = part("nousu.terminal", view.game)
    if own is not None:
        yield from own.status_lines(view, voice)
        return
    score = view.setup.tally.score()
    yield Text("   ".join(f"{voice.side(at)} {numeral(points)}" for at, points in enumerate(score)))
