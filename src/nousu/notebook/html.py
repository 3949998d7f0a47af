"""Hands, tricks, views and matches as a person at a prompt or in a notebook wants to see them: `repr` in one
line, HTML in a small table. An object shows what it holds: a hand shows all cards, a view those that its seat
has seen.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from nousu.engine.cards import SUITS, Card, hand_text, in_order
from nousu.engine.seats import Seat, seat_name

if TYPE_CHECKING:
    from nousu.engine.game import Hand, View
    from nousu.engine.match import Match
    from nousu.engine.tricks import Trick

SIGNS = "♠♥♦♣"
COLOURS = ("inherit", "#c22", "#c22", "inherit")


def cards_by_seat(hands: Iterable[Sequence[Card]], seats: int) -> str:
    """``N S:AQ84 H:K72 / E …``."""
    return " / ".join(f"{seat_name(seat, seats)} {hand_text(cards)}" for seat, cards in enumerate(hands))


def hand(here: "Hand") -> str:
    """One line: number, who is to act, all cards."""
    setup = here.setup
    cards = cards_by_seat((here.view(seat).cards for seat in range(setup.seats)), setup.seats)
    return f"<Hand {setup.number}, {_waiting(here.owed(), setup.seats)}: {cards}>"


def view(here: "View") -> str:
    """One line: whose view, who is to act, one's own cards, the trick."""
    seats = here.setup.seats
    who = "a spectator" if here.seat is None else seat_name(here.seat, seats)
    trick = " ".join(f"{seat_name(seat, seats)} {card}" for seat, card in here.trick)
    about = f"{here.game} hand {here.setup.number} seen by {who}, {_waiting(here.owed, seats)}"
    return f"<View {about}: {hand_text(here.cards)}" + (f" | {trick}>" if trick else ">")


def match(here: "Match") -> str:
    """One line: rules, hand, who is to act or has won, score."""
    score = " ".join(map(str, here.tally.score()))
    now = f"hand {here.hand.setup.number}, {_waiting(here.hand.owed(), here.seats)}"
    if here.winner is not None:
        sides = (
            ("N–S", "E–W")
            if here.game.sides == 2
            else [seat_name(at, here.seats) for at in range(here.seats)]
        )
        won = ", ".join(sides[one] for one in here.winner)
        now = f"won by {won}" if won else "drawn"
        now += f" after {len(here.played)} hands" if len(here.played) != 1 else " after 1 hand"
    return f"<Match {here.game.name_of(here.rules)}: {now}, score {score}>"


def card_html(card: Card) -> str:
    """A card as its suit sign and rank."""
    return "??" if card < 0 else f"{_sign(card.suit)}{card.letter}"


def cards_html(cards: Sequence[Card]) -> str:
    """A hand, suit by suit; hidden cards are counted."""
    known = [card for card in in_order(cards) if card >= 0]
    suits = [
        f"{_sign(suit)}&nbsp;" + "&nbsp;".join(card.letter for card in known if card.suit == suit)
        for suit in range(len(SUITS))
        if any(card.suit == suit for card in known)
    ]
    hidden = len(cards) - len(known)
    return " ".join([*suits, *([f"{hidden} hidden"] if hidden else [])]) or "–"


def trick_html(here: "Trick", seats: int = 0) -> str:
    """The cards of a trick in the order of play, the winner's in bold."""
    seats = seats or (4 if max(seat for seat, _ in here.plays) < 4 else 8)
    return _plays(here.plays, here.winner, seats)


def hand_html(here: "Hand") -> str:
    """One row per seat with the cards it holds, then the tricks."""
    seats = here.setup.seats
    rows = [(seat_name(seat, seats), cards_html(here.view(seat).cards)) for seat in range(seats)]
    return _table(hand_title(here), [*rows, *_tricks(here.view(None))])


def view_html(here: "View") -> str:
    """The viewer's own cards, how many the others hold, the tricks."""
    seats = here.setup.seats
    rows = [
        (seat_name(seat, seats), cards_html(here.cards) if seat == here.seat else f"{count} cards")
        for seat, count in enumerate(here.counts)
    ]
    return _table(view(here)[1:].partition(":")[0], [*rows, *_tricks(here)])


def position_html(turn: Seat, hands: Sequence[Sequence[Card]], trick: Iterable[tuple[Seat, Card]]) -> str:
    """One row per seat with the cards it holds, then the trick."""
    rows = [(seat_name(seat, len(hands)), cards_html(cards)) for seat, cards in enumerate(hands)]
    now = _plays(trick, None, len(hands))
    return _table(f"{seat_name(turn, len(hands))} to play", [*rows, *([("now", now)] if now else [])])


def match_html(here: "Match") -> str:
    """The match in a line and the hand on the table."""
    return f"<p>{escape(match(here)[1:-1])}</p>{hand_html(here.hand)}"


def hand_title(here: "Hand") -> str:
    """The title above a hand."""
    setup = here.setup
    dealer = seat_name(setup.dealer, setup.seats)
    return f"Hand {setup.number}, dealer {dealer}, {_waiting(here.owed(), setup.seats)}"


def _waiting(owed: Iterable[Seat], seats: int) -> str:
    names = ", ".join(seat_name(seat, seats) for seat in owed)
    return {"": "over", "chance": "to be dealt"}.get(names, f"{names} to act")


def _tricks(here: "View") -> list[tuple[str, str]]:
    seats = here.setup.seats
    done = [(f"trick {at}", _plays(one.plays, one.winner, seats)) for at, one in enumerate(here.tricks, 1)]
    return [*done, *([("now", _plays(here.trick, None, seats))] if here.trick else [])]


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
