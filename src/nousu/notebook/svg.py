"""Hands, tricks, views and matches as small pictures (SVG), for papers and slides: the seats around the table
with the cards they hold, the trick between them. Nothing is drawn that `repr` would not say.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING

from nousu.engine.cards import SUITS, Card, in_order
from nousu.engine.seats import Seat, seat_name
from nousu.notebook.html import COLOURS, SIGNS, hand_title, view

if TYPE_CHECKING:
    from nousu.engine.game import Hand, View
    from nousu.engine.match import Match
    from nousu.engine.tricks import Trick

_LINE = 17
_WIDTH = 170
_LETTER = 8.5
"""About how wide a letter is."""


def table(
    title: str, hands: Sequence[Sequence[Card] | str], trick: Mapping[Seat, Card], winner: Seat | None
) -> str:
    """The picture: for each seat the cards it holds, or a word where they are not shown; the trick."""
    seats = len(hands)
    wide, high = (260, 130) if seats <= 4 else (300, 210)
    if not any(hands):
        wide, high = 150, 90
    width, height = 2 * wide + _WIDTH, 2 * high + 150
    drawn = [_text(width / 2, 20, title, "middle", 14)]
    for seat, held in enumerate(hands):
        angle = 2 * pi * seat / seats - pi / 2
        x, y = width / 2 + wide * cos(angle), 10 + height / 2 + high * sin(angle)
        drawn += _holding(x, y, seat_name(seat, seats), held)
        if seat in trick:
            bold = ' font-weight="bold"' if seat == winner else ""
            at = width / 2 + 0.3 * wide * cos(angle), 15 + height / 2 + 0.36 * high * sin(angle)
            drawn.append(_card(*at, trick[seat], bold))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="15">'
        f'<title>{escape(title)}</title><rect width="{width}" height="{height}" fill="#fff"/>'
        + "".join(drawn)
        + "</svg>"
    )


def _holding(x: float, y: float, name: str, held: Sequence[Card] | str) -> list[str]:
    """A seat's name over its cards, suit by suit, as a block around a point."""
    if isinstance(held, str):
        lines = [_text(x, y + _LINE, held, "middle")] if held else []
        return [_text(x, y, name, "middle", bold=True), *lines]
    suits = [[card for card in in_order(held) if card.suit == suit] for suit in range(len(SUITS))]
    longest = max((sum(len(card.letter) + 1 for card in cards) for cards in suits), default=0)
    left, top = x - (16 + longest * _LETTER) / 2, y - 2 * _LINE
    found = [_text(x, top, name, "middle", bold=True)]
    for suit, cards in enumerate(suits):
        line = top + _LINE * (suit + 1)
        letters = " ".join(card.letter for card in cards) or "–"
        found.append(_text(left, line, SIGNS[suit], "start", fill=_ink(suit)))
        found.append(_text(left + 16, line, letters, "start"))
    return found


def _card(x: float, y: float, card: Card, bold: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" font-size="18"{bold}>'
        f'<tspan fill="{_ink(card.suit)}">{SIGNS[card.suit]}</tspan>'
        f'<tspan fill="#111">{card.letter}</tspan></text>'
    )


def _text(
    x: float, y: float, words: str, anchor: str, size: int = 0, bold: bool = False, fill: str = "#111"
) -> str:
    more = (f' font-size="{size}"' if size else "") + (' font-weight="bold"' if bold else "")
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{fill}"{more}>{escape(words)}</text>'


def _ink(suit: int) -> str:
    return "#111" if COLOURS[suit] == "inherit" else COLOURS[suit]


def of_hand(here: "Hand") -> str:
    """All cards, and the trick on the table."""
    seats = here.setup.seats
    held = [here.view(seat).cards for seat in range(seats)]
    return table(hand_title(here), held, dict(here.view(None).trick), None)


def of_view(here: "View") -> str:
    """The viewer's own cards, how many the others hold, the trick on the table."""
    held: list[Sequence[Card] | str] = [f"{count} cards" if count != 1 else "1 card" for count in here.counts]
    if here.seat is not None:
        held[here.seat] = here.cards
    return table(view(here)[1:].partition(":")[0], held, dict(here.trick), None)


def of_match(here: "Match") -> str:
    """The hand on the table."""
    return of_hand(here.hand)


def of_trick(here: "Trick") -> str:
    """The cards of a trick where they were played, the winner's in bold."""
    seats = 4 if max(seat for seat, _ in here.plays) < 4 else 8
    title = f"Won by {seat_name(here.winner, seats)}"
    return table(title, [""] * seats, dict(here.plays), here.winner)
