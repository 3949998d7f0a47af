"""A finished hand, slide by slide: what was said, then one slide a trick, walked by arrow keys or swipes."""

from dataclasses import dataclass

from nousu.engine.actions import Play
from nousu.engine.seats import CHANCE
from nousu.server.pages.common import dealt, people, reasons
from nousu.server.pages.faces import Face, arranged, face
from nousu.server.pages.model import Reason
from nousu.server.seen import HandSeen, Seen
from nousu.words import Translate
from nousu.words.options import preset_name


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of a trick, and who played it."""

    name: str
    place: str
    """s, w, n or e; empty at larger tables."""
    face: Face
    nth: int
    won: bool


@dataclass(frozen=True, slots=True)
class Slide:
    """One trick."""

    number: int
    caption: str
    plays: tuple[Laid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The whole hand."""

    title: str
    number: int
    index: int
    last: int
    """How many finished hands the match has."""
    said: tuple[str, ...]
    """Sentences, in order, on everything but the cards played."""
    slides: tuple[Slide, ...]
    own: tuple[Face, ...]
    """The viewer's hand as it was dealt."""
    reasons: tuple[Reason, ...]


def slides(seen: Seen, hand: HandSeen, say: Translate, lang: str) -> Replay:
    """The replay of a finished hand as this viewer may know it."""
    view, who = hand.view, people(seen)
    small = len(seen.names) <= 4
    found = []
    for number, trick in enumerate(view.tricks, 1):
        plays = tuple(
            Laid(
                name=who.name(seat),
                place=who.place(seat) if small else "",
                face=face(card, say, lang),
                nth=nth,
                won=seat == trick.winner,
            )
            for nth, (seat, card) in enumerate(trick.plays, 1)
        )
        found.append(Slide(number, say("{name} takes the trick.", name=who.name(trick.winner)), plays))
    voice = who.voice(say)
    said = [
        voice.sentence(entry) for entry in view.heard if entry[0] != CHANCE and not isinstance(entry[1], Play)
    ]
    own = () if view.seat is None else arranged(dealt(view), dealt(view))
    notes = hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())
    return Replay(
        title=preset_name(seen.preset, say),
        number=hand.number,
        index=hand.index,
        last=len(seen.match.played),
        said=tuple(said),
        slides=tuple(found),
        own=tuple(face(spot.card, say, lang) for spot in own),
        reasons=reasons(notes, who, say),
    )
