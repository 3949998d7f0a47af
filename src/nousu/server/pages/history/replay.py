"""A finished hand as a picture of the table, from the deal to its result, for whoever may look at it."""

from dataclasses import dataclass

from nousu.engine.cards import ACE_HIGH
from nousu.engine.seats import Seat
from nousu.engine.timeline import Story
from nousu.games import part
from nousu.i18n import Translate
from nousu.i18n.names import preset_name
from nousu.server.pages.history.diagram import Diagram, diagram
from nousu.server.pages.table.common import people, reasons
from nousu.server.pages.table.picture import Reason
from nousu.server.table.view import HandSummary, SeatView


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The whole hand."""

    title: str
    number: int
    index: int
    last: int
    """How many finished hands the match has."""
    picture: Diagram
    reasons: tuple[Reason, ...]
    """What it was worth, and why."""
    whole: bool
    """Nothing of the hand is hidden from the viewer: it may be played on from here."""
    over: bool
    """The match is over."""


def replay(
    seen: SeatView, hand: HandSummary, story: Story, say: Translate, lang: str, at: int, eyes: Seat | None
) -> Replay:
    """The replay of a finished hand at one moment, through the eyes of one seat or of everybody."""
    who = people(seen)
    notes = hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())
    strength = getattr(part("nousu.server.pages.table", seen.view.game), "STRENGTH", ACE_HIGH)
    return Replay(
        title=preset_name(seen.preset, say),
        number=hand.number,
        index=hand.index,
        last=len(seen.match.played),
        picture=diagram(story, who, say, lang, at=at, eyes=eyes, strength=strength),
        reasons=reasons(notes, who, say),
        whole=story.whole,
        over=seen.over,
    )
