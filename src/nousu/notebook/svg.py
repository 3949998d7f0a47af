"""Tricks, hands, views, matches and positions as SVG pictures, for notebooks, papers and slides.

The seats stand around the table with their cards, the trick between them. Lengths are in SVG user units.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, pi, sin

from nousu.engine.cards import SUITS, Card, cards_of, in_order
from nousu.engine.game import Hand, View
from nousu.engine.match import Match, Played
from nousu.engine.seats import Seat, seat_name
from nousu.engine.tricks import Trick
from nousu.notebook.html import COLOURS, SIGNS, as_hand, hand_title, position_title, view_title
from nousu.solver.position import Position

_LINE_HEIGHT = 17
_WIDTH = 170
_LETTER_WIDTH = 8.5


def svg(value: object) -> str | None:
    """The SVG file of a trick, hand, view, match or position; None for anything else.

    A hand shows all cards, a view those that its seat has seen.
    """
    match value:
        case Trick():
            return _trick_svg(value)
        case View():
            return _view_svg(value)
        case Match() | Played():
            return _hand_svg(value.hand)
        case Position():
            hands = [cards_of(cards) for cards in value.hands]
            return _table(position_title(value), hands, dict(value.trick), None)
    hand = as_hand(value)
    return None if hand is None else _hand_svg(hand)


def _hand_svg(hand: Hand) -> str:
    """All cards, and the trick on the table."""
    hands = [hand.view(seat).cards for seat in range(hand.setup.seats)]
    return _table(hand_title(hand), hands, dict(hand.view(None).trick), None)


def _view_svg(view: View) -> str:
    """The viewer's own cards, the number of cards of the others, the trick on the table."""
    hands: list[Sequence[Card] | str] = [
        f"{count} cards" if count != 1 else "1 card" for count in view.counts
    ]
    if view.seat is not None:
        hands[view.seat] = view.cards
    return _table(view_title(view), hands, dict(view.trick), None)


def _trick_svg(trick: Trick) -> str:
    """The cards of a trick where they were played, the winner's in bold."""
    seats = 4 if max(seat for seat, _ in trick.plays) < 4 else 8
    return _table(f"Won by {seat_name(trick.winner, seats)}", [""] * seats, dict(trick.plays), trick.winner)


def _table(
    title: str, hands: Sequence[Sequence[Card] | str], trick: Mapping[Seat, Card], winner: Seat | None
) -> str:
    """The picture: the cards of each seat, or a text where they are hidden, and the trick."""
    seats = len(hands)
    wide, high = (260, 130) if seats <= 4 else (300, 210)
    if not any(hands):
        wide, high = 150, 90
    width, height = 2 * wide + _WIDTH, 2 * high + 150
    elements = [_text(width / 2, 20, title, "middle", 14)]
    for seat, cards in enumerate(hands):
        angle = 2 * pi * seat / seats - pi / 2
        x, y = width / 2 + wide * cos(angle), 10 + height / 2 + high * sin(angle)
        elements += _holding(x, y, seat_name(seat, seats), cards)
        if seat in trick:
            bold = ' font-weight="bold"' if seat == winner else ""
            at = width / 2 + 0.3 * wide * cos(angle), 15 + height / 2 + 0.36 * high * sin(angle)
            elements.append(_card(*at, trick[seat], bold))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="15">'
        f'<title>{escape(title)}</title><rect width="{width}" height="{height}" fill="#fff"/>'
        + "".join(elements)
        + "</svg>"
    )


def _holding(x: float, y: float, name: str, held: Sequence[Card] | str) -> list[str]:
    """A seat's name over its cards, suit by suit, as a block around a point."""
    if isinstance(held, str):
        lines = [_text(x, y + _LINE_HEIGHT, held, "middle")] if held else []
        return [_text(x, y, name, "middle", bold=True), *lines]
    suits = [[card for card in in_order(held) if card.suit == suit] for suit in range(len(SUITS))]
    longest = max((sum(len(card.letter) + 1 for card in cards) for cards in suits), default=0)
    left, top = x - (16 + longest * _LETTER_WIDTH) / 2, y - 2 * _LINE_HEIGHT
    elements = [_text(x, top, name, "middle", bold=True)]
    for suit, cards in enumerate(suits):
        line = top + _LINE_HEIGHT * (suit + 1)
        letters = " ".join(card.letter for card in cards) or "–"
        elements.append(_text(left, line, SIGNS[suit], "start", fill=_ink(suit)))
        elements.append(_text(left + 16, line, letters, "start"))
    return elements


def _card(x: float, y: float, card: Card, bold: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" font-size="18"{bold}>'
        f'<tspan fill="{_ink(card.suit)}">{SIGNS[card.suit]}</tspan>'
        f'<tspan fill="#111">{card.letter}</tspan></text>'
    )


def _text(
    x: float, y: float, text: str, anchor: str, size: int = 0, bold: bool = False, fill: str = "#111"
) -> str:
    more = (f' font-size="{size}"' if size else "") + (' font-weight="bold"' if bold else "")
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{fill}"{more}>{escape(text)}</text>'


def _ink(suit: int) -> str:
    return "#111" if COLOURS[suit] == "inherit" else COLOURS[suit]
