"""A finished hand as a picture of the table, from the deal to its result, for whoever may look at it."""

from dataclasses import dataclass

from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.server.pages.history.diagram import Diagram, diagram
from nousu.server.pages.table.common import people, reasons
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.picture import ClauseReason
from nousu.server.table.view import HandSeen, Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage:
    """The whole hand."""

    title: str
    number: int
    index: int
    last: int
    """How many finished hands the match has."""
    picture: Diagram
    reasons: tuple[ClauseReason, ...]
    """What it was worth, and why."""
    whole: bool
    """Nothing of the hand is hidden from the viewer: it may be played on from here."""
    over: bool
    """The match is over."""


def replay_page(
    seen: Seen, hand: HandSeen, story: Story, reader: Reader, at: int, eyes: Seat | None
) -> ReplayPage:
    """The replay of a finished hand at one moment, through the eyes of one seat or of everybody."""
    who = people(seen)
    notes = hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())
    strength = hand_notes(seen.view.game).STRENGTH
    return ReplayPage(
        title=preset_name(seen.preset, reader.say),
        number=hand.number,
        index=hand.index,
        last=len(seen.match.played),
        picture=diagram(story, who, reader, at=at, eyes=eyes, strength=strength),
        reasons=reasons(notes, who, reader),
        whole=story.whole,
        over=seen.over,
    )
