"""Cards, tricks, hands, views, matches and positions as HTML tables for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from nousu.engine.cards import SUITS, Card, cards_of, in_order
from nousu.engine.game import Hand, Setup, View, state_text
from nousu.engine.match import Match, Played
from nousu.engine.record import Record
from nousu.engine.seats import Seat, seat_name
from nousu.engine.tricks import Trick
from nousu.solver.position import Position

SIGNS: Final = "♠♥♦♣"
COLOURS: Final = ("inherit", "#c22", "#c22", "inherit")


def html(value: object) -> str | None:
    """The HTML of a card, trick, hand, view, match, record or position; None for anything else.

    A hand shows all cards, a view those that its seat has seen.
    """
    match value:
        case Card():
            return card_html(value)
        case Trick():
            return trick_html(value)
        case View():
            return view_html(value)
        case Match():
            return match_html(value)
        case Record():
            return match_html(value.match)
        case Played():
            return hand_html(value.hand)
        case Position():
            return position_html(value)
    hand = as_hand(value)
    return None if hand is None else hand_html(hand)


def as_hand(value: Any) -> Hand | None:
    """`value` if it is a hand of any game, else None."""
    if isinstance(value, type) or not isinstance(getattr(value, "setup", None), Setup):
        return None
    hand: Hand = value
    return hand


def card_html(card: Card) -> str:
    """A card as its suit sign and rank."""
    return "??" if card < 0 else f"{_sign(card.suit)}{card.letter}"


def cards_html(cards: Sequence[Card]) -> str:
    """A hand, suit by suit; hidden cards are counted."""
    open_cards = [card for card in in_order(cards) if card >= 0]
    suits = [
        f"{_sign(suit)}&nbsp;" + "&nbsp;".join(card.letter for card in open_cards if card.suit == suit)
        for suit in range(len(SUITS))
        if any(card.suit == suit for card in open_cards)
    ]
    hidden = len(cards) - len(open_cards)
    return " ".join([*suits, *([f"{hidden} hidden"] if hidden else [])]) or "–"


def trick_html(trick: Trick) -> str:
    """The cards of a trick in the order of play, the winner's in bold."""
    seats = 4 if max(seat for seat, _ in trick.plays) < 4 else 8
    return _plays(trick.plays, trick.winner, seats)


def hand_html(hand: Hand) -> str:
    """One row per seat with the cards it holds, then the tricks."""
    seats = hand.setup.seats
    rows = [(seat_name(seat, seats), cards_html(hand.view(seat).cards)) for seat in range(seats)]
    return _table(hand_title(hand), [*rows, *_tricks(hand.view(None))])


def view_html(view: View) -> str:
    """The viewer's own cards, the number of cards of the others, the tricks."""
    seats = view.setup.seats
    rows = [
        (seat_name(seat, seats), cards_html(view.cards) if seat == view.seat else f"{count} cards")
        for seat, count in enumerate(view.counts)
    ]
    return _table(view_title(view), [*rows, *_tricks(view)])


def position_html(position: Position) -> str:
    """One row per seat with the cards it holds, then the trick."""
    seats = len(position.hands)
    rows = [
        (seat_name(seat, seats), cards_html(cards_of(cards))) for seat, cards in enumerate(position.hands)
    ]
    now = _plays(position.trick, None, seats)
    return _table(position_title(position), [*rows, *([("now", now)] if now else [])])


def match_html(match: Match) -> str:
    """The match in a line and the hand on the table."""
    return f"<p>{escape(repr(match)[1:-1])}</p>{hand_html(match.hand)}"


def hand_title(hand: Hand) -> str:
    """The title above a hand: number, dealer, state."""
    setup = hand.setup
    dealer = seat_name(setup.dealer, setup.seats)
    return f"Hand {setup.number}, dealer {dealer}, {state_text(hand.owed(), setup.seats)}"


def view_title(view: View) -> str:
    """The title above a view: the start of its `repr`."""
    return repr(view)[1:].partition(":")[0]


def position_title(position: Position) -> str:
    """The title above a position: the seat to play."""
    return f"{seat_name(position.turn, len(position.hands))} to play"


def _tricks(view: View) -> list[tuple[str, str]]:
    seats = view.setup.seats
    done = [
        (f"trick {number}", _plays(trick.plays, trick.winner, seats))
        for number, trick in enumerate(view.tricks, 1)
    ]
    return [*done, *([("now", _plays(view.trick, None, seats))] if view.trick else [])]


def _plays(plays: Iterable[tuple[Seat, Card]], winner: Seat | None, seats: int) -> str:
    named = ((seat, f"{seat_name(seat, seats)}&nbsp;{card_html(card)}") for seat, card in plays)
    return " ".join(f"<b>{text}</b>" if seat == winner else text for seat, text in named)


def _sign(suit: int) -> str:
    return f'<span style="color:{COLOURS[suit]}">{SIGNS[suit]}</span>'


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(
        f'<tr><th>{escape(head)}</th><td style="text-align:left">{cells}</td></tr>' for head, cells in rows
    )
    return f"<table><caption>{escape(title)}</caption>{body}</table>"
