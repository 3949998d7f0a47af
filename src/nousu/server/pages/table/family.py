"""Interfaces of a game family's table page, with a fallback for families that add nothing."""

from functools import cache
from typing import Protocol

from nousu.engine.cards import Strength
from nousu.engine.game import View
from nousu.extensions import Point, extension
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.server.pages.table import fallback
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import ScoreSheet, TableView
from nousu.server.table.view import SeatView


class TablePage(Protocol):
    """The table of a family as a page draws it."""

    def table(self, seen: SeatView, reader: Reader) -> TableView:
        """The view of a started table for one viewer, without the score sheet."""
        ...

    def score_sheet(self, seen: SeatView, reader: Reader) -> ScoreSheet:
        """The score sheet of the match so far."""
        ...


class HandNotes(Protocol):
    """Facts of a family's hand for hints, lessons, replays and reviews."""

    STRENGTH: Strength
    """The usual order of the cards, by rank."""

    def strength_of(self, view: View) -> Strength:
        """The order of the cards in the hand on the table."""
        ...

    def state_words(self, view: View, voice: Voice) -> tuple[str, ...]:
        """Sentences about the state of the table beside the trick: points, stake, contract."""
        ...

    def reminders(self, view: View, who: SeatNames, reader: Reader) -> tuple[str, ...]:
        """Sentences that the viewer should keep in mind in this hand."""
        ...


@cache
def table_page(game: str) -> TablePage:
    """The table page of a family; without one of its own, a plain one."""
    return extension(TablePage, Point.PAGES, game) or fallback


@cache
def hand_notes(game: str) -> HandNotes:
    """The notes of a family; without its own, aces are high and there are no sentences."""
    return extension(HandNotes, Point.PAGES, game) or fallback
