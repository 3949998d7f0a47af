"""The table view of a family without a page of its own, made from the view alone.

It shows the players with cards, tricks and the card in the trick, the latest calls, the viewer's hand, all
other legal actions as buttons, the score of the tally, and the reasons of a result.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from nousu.engine.actions import Play
from nousu.engine.cards import ACE_HIGH, Strength
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.i18n import numeral, signed_number
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice, sentences
from nousu.server.pages.table.common import base_view, match_winner, people, plates, reasons, score_bars
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import HandOutcome, Plate, ScoreSheet, TableView
from nousu.server.table.view import SeatView

STRENGTH = ACE_HIGH
"""The usual order of the cards."""
LATEST = 6
"""The number of calls shown."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player at the table."""

    plate: Plate
    cards: int
    """The number of cards in the hand."""
    tricks: int
    card: str
    """The card in the present trick, or in the last one; empty for none."""
    won: bool
    """True if the card took the trick."""


@dataclass(slots=True, kw_only=True)
class PlainView(TableView):
    """The view of a table whose family has none of its own."""

    drawing: Literal["plain"] = "plain"
    people: tuple[PlayerRow, ...] = ()
    """The players clockwise from the viewer's left, the viewer last."""
    said: tuple[str, ...] = ()
    """Sentences about the latest actions other than played cards."""


def _rows(seen: SeatView, reader: Reader) -> tuple[PlayerRow, ...]:
    """The players clockwise from the viewer's left, the viewer last."""
    view = seen.view
    done = view.tricks[-1] if view.tricks and not view.trick else None
    shown = dict(done.plays if done is not None else view.trick)
    won = Counter(trick.winner for trick in view.tricks)
    plate_of = {plate.seat: plate for plate in plates(seen, reader)}

    def row(seat: Seat) -> PlayerRow:
        card = shown.get(seat)
        taken = done is not None and done.winner == seat
        shown_card = "" if card is None else str(card)
        return PlayerRow(plate_of[seat], view.counts[seat], won[seat], shown_card, taken)

    order = ((step + (seen.seat or 0)) % len(seen.names) for step in range(1, len(seen.names) + 1))
    return tuple(row(seat) for seat in order)


def _latest_words(seen: SeatView, who: SeatNames, reader: Reader) -> tuple[str, ...]:
    """Sentences about the latest actions other than played cards."""
    heard = seen.view.heard
    lines = sentences(who.voice(reader), heard)
    words = [text for text, (_, action) in zip(lines, heard, strict=True) if not isinstance(action, Play)]
    return tuple(words[-LATEST:])


def score_sheet(seen: SeatView, reader: Reader) -> ScoreSheet:
    """The score sheet: the points of each hand."""
    who = people(seen)
    columns = range(len(seen.match.tally.score()))
    rows = []
    for done in seen.match.played:
        result = done.result
        points = list(map(signed_number, result.points))
        if result.void:
            points = [reader.say("void")] * len(columns)
        rows.append((str(done.number), *points))
    heads = (reader.say("Hand"), *(who.side_short(number, reader) for number in columns))
    return ScoreSheet(heads=heads, rows=tuple(rows))


def _outcome(seen: SeatView, who: SeatNames, reader: Reader) -> HandOutcome:
    done = seen.match.played[-1]
    result, ours = done.result, who.our_side()
    standing = tuple(
        (who.side_short(number, reader), numeral(points)) for number, points in enumerate(done.tally.score())
    )
    return HandOutcome(
        index=done.index,
        bid=None,
        lead="",
        title=reader.say("The deal is void") if result.void else reader.say("The hand is over"),
        accent="" if result.void else signed_number(result.points[ours]),
        theirs=not result.void and result.points[ours] < max(result.points),
        reasons=reasons(done, who, reader),
        facts=standing,
        match=match_winner(seen, who, reader) if seen.over else "",
        waits=seen.waiting,
    )


def table(seen: SeatView, reader: Reader) -> PlainView:
    """The view of the table."""
    who = people(seen)
    plain = base_view(PlainView, seen, reader)
    plain.target = int(getattr(seen.view.rules, "target", 0) or 0)
    plain.bars = score_bars(seen, plain.target, reader)
    plain.outcome = _outcome(seen, who, reader) if seen.resting and seen.match.played else None
    plain.people = _rows(seen, reader)
    plain.said = _latest_words(seen, who, reader)
    return plain


def strength_of(view: View) -> Strength:
    """The order of the cards in the hand on the table."""
    return STRENGTH


def state_words(view: View, voice: Voice) -> tuple[str, ...]:
    """Return no words: a family without a page tells only what the view shows."""
    return ()


def reminders(view: View, who: SeatNames, reader: Reader) -> tuple[str, ...]:
    """Return no reminders, for the same reason."""
    return ()
