"""The picture of a game that brings no page of its own, made from the view alone.

It shows everybody with the number of cards and tricks and the card in the trick, what has been said, the
viewer's cards and everything else that is legal as buttons, the score as the tally has it, and why a hand
counted what it did.
"""

from collections import Counter
from dataclasses import dataclass

from nousu.engine.actions import Play
from nousu.engine.seats import Seat
from nousu.i18n import Translate, numeral, signed_number
from nousu.i18n.sentences import sentences
from nousu.server.pages.table.cards import Face, face
from nousu.server.pages.table.common import base, match_winner, people, reasons
from nousu.server.pages.table.picture import Later, Outcome, Picture, Plate, Sheet
from nousu.server.pages.table.seat_names import People
from nousu.server.table.view import Seen

LATEST = 6
"""So many of the things that were said last stand on the table."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player at a plain table."""

    plate: Plate
    cards: int
    """How many cards he holds."""
    tricks: int
    card: Face | None
    """His card in the trick on the table, or in the last one."""
    won: bool
    """Whether that card took the trick."""


def _rows(seen: Seen, table: Picture, say: Translate, lang: str) -> tuple[Row, ...]:
    """Everybody, clockwise from the viewer's left, the viewer last."""
    view = seen.view
    done = view.tricks[-1] if view.tricks and not view.trick else None
    shown = dict(done.plays if done is not None else view.trick)
    won = Counter(trick.winner for trick in view.tricks)
    plates = {plate.seat: plate for plate in table.plates.values()}

    def row(seat: Seat) -> Row:
        card = shown.get(seat)
        taken = done is not None and done.winner == seat
        drawn = None if card is None else face(card, say, lang)
        return Row(plates[seat], view.counts[seat], won[seat], drawn, taken)

    order = ((step + (seen.seat or 0)) % len(seen.names) for step in range(1, len(seen.names) + 1))
    return tuple(row(seat) for seat in order)


def _said(seen: Seen, who: People, say: Translate) -> tuple[str, ...]:
    """The latest of what was done in this hand beside playing cards."""
    heard = seen.view.heard
    lines = sentences(who.voice(say), heard)
    words = [text for text, (_, action) in zip(lines, heard, strict=True) if not isinstance(action, Play)]
    return tuple(words[-LATEST:])


def _sheet(seen: Seen, who: People, say: Translate) -> Sheet:
    columns = range(len(seen.match.tally.score()))
    rows = []
    for done in seen.match.played:
        result = done.result
        points = [say("void")] * len(columns) if result.void else list(map(signed_number, result.points))
        rows.append((str(done.number), *points))
    heads = (say("Hand"), *(who.side_short(one, say) for one in columns))
    return Sheet(heads=heads, rows=tuple(rows))


def _outcome(seen: Seen, who: People, say: Translate) -> Outcome:
    done = seen.match.played[-1]
    result, ours = done.result, who.our_side()
    notes = result.notes if result.void else (*result.notes, *done.tally.notes())
    standing = tuple(
        (who.side_short(one, say), numeral(points)) for one, points in enumerate(done.tally.score())
    )
    return Outcome(
        index=done.index,
        bid=None,
        lead="",
        title=say("The deal is void") if result.void else say("The hand is over"),
        accent="" if result.void else signed_number(result.points[ours]),
        theirs=not result.void and result.points[ours] < max(result.points),
        reasons=reasons(notes, who, say),
        facts=standing,
        match=match_winner(seen, who, say) if seen.over else "",
        waits=seen.waiting,
    )


def plain(seen: Seen, say: Translate, lang: str) -> Picture:
    """The picture of a table whose game has no page."""
    who = people(seen)
    table = base(seen, say, lang)
    return table.filled(
        sheet=Later(lambda: _sheet(seen, who, say), seen.match.played, who, say),
        outcome=_outcome(seen, who, say) if seen.resting and seen.match.played else None,
        extra={"people": _rows(seen, table, say, lang), "said": _said(seen, who, say)},
    )
