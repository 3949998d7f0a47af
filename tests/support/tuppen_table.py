"""Tuppen tables written as text: hands by seat, a course of entries, points to start from."""

from dataclasses import replace
from typing import Any

from hands import filled, go
from nousu.engine.actions import Call, Deal
from nousu.engine.cards import DECK_32
from nousu.engine.game import Setup
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find

SWEEP = "C:T987"
"""Four clubs that win every trick when led."""


def match_at(game: str = "tuppen_zk", *, points: str | int = 4, dealer: int | None = None) -> Match:
    """A match before its deal: points by seat (``"7 5 2"``) or this many players with all points.

    The last seat deals, so that seat 0 leads, unless `dealer` says otherwise."""
    family, rules = find(game)
    seats = points if isinstance(points, int) else len(points.split())
    dealer = seats - 1 if dealer is None else dealer
    match = Match.start(family, rules, seats, dealer)
    if isinstance(points, str):
        tally = replace(match.tally, points=tuple(map(int, points.split())))  # type: ignore[type-var]
        match = replace(match, tally=tally, hand=family.start(rules, Setup(seats, dealer, tally)))
    return match


def cards(match: Match, known: dict[int, str] | None = None) -> Deal:
    """A deal for the hand that waits, (parts of) some hands given."""
    return filled(match.hand.dealing().sizes, known or {}, DECK_32)


def kept(match: Match) -> Match:
    """The match when nobody swaps."""
    while match.hand.phase == "pictures":  # type: ignore[attr-defined]
        match = match.apply(match.hand.owed()[0], Call("keep"))
    return match


def dealt(match: Match, known: dict[int, str] | None = None) -> Match:
    """The match with the cards dealt and nobody swapping."""
    return kept(match.apply(CHANCE, cards(match, known)))


def table(
    known: dict[int, str], game: str = "tuppen_zk", *, points: str | int = 4, dealer: int | None = None
) -> Any:
    """A dealt hand by itself."""
    return dealt(match_at(game, points=points, dealer=dealer), known).hand


def said(hand: Any, course: str) -> Any:
    """The hand after a course of entries, ``"P2 raise; P3 hold"``."""
    return go(hand, course, hand.setup.seats)


def course(match: Match, text: str) -> Match:
    """The match after a course of entries."""
    result: Match = go(match, text, match.seats)
    return result


def played_out(match: Match) -> Match:
    """The hand on the table played to its end: questions are answered with hold, first legal cards."""
    hands = len(match.played)
    while len(match.played) == hands:
        seat = match.hand.owed()[0]
        match = match.apply(seat, match.hand.legal(seat)[0])
    return match


def won_by(match: Match, seat: int) -> Match:
    """The next hand, dealt so that `seat` leads or follows with clubs that win, played to its end."""
    dealer = match.hand.setup.dealer
    group = [other % match.seats for other in range(dealer + 1, dealer + 1 + match.seats)]
    order = [other for other in group if other in match.hand.in_hand]  # type: ignore[attr-defined]
    leads = {seat: SWEEP}
    if order[0] != seat:
        leads[order[0]] = "C:J S:J H:J D:J"
    match = dealt(match, leads)
    while match.hand.owed() and match.hand.phase != "play":  # type: ignore[attr-defined]
        match = match.apply(match.hand.owed()[0], Call("hold"))
    if order[0] != seat:
        match = match.apply(order[0], next(a for a in match.hand.legal(order[0]) if str(a) == "play CJ"))
    return played_out(match)


__all__ = ["cards", "course", "dealt", "go", "kept", "match_at", "played_out", "said", "table", "won_by"]
