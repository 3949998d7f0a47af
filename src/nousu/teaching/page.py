"""What a page that teaches a game is made of: sections of sentences, pictures of cards, tables, a worked
hand.

A family writes its pages in ``nousu.teaching.<family>``: a function ``sections(rules)`` whose sentences
depend on the rules in force. Every number on a page is a place that is filled from these rules or by the
engine's own scoring, so no page can say what its table does not play. A `Note` names all the clauses that say
its sentence, in whichever source; a reader is shown those of the sources in force (`in_force`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nousu.engine.cards import Card
from nousu.engine.game import Game
from nousu.engine.messages import Note, sentence
from nousu.engine.options import differences, options
from nousu.games import part
from nousu.teaching.clauses import clauses, followed

Name = Literal[
    "aim",
    "need",
    "deal",
    "bidding",
    "play",
    "special",
    "solo",
    "hand",
    "scoring",
    "end",
    "talk",
    "tips",
    "words",
    "origin",
]

TITLES: Mapping[Name, str] = {
    "aim": sentence("The aim"),
    "need": sentence("What you need"),
    "deal": sentence("The deal"),
    "bidding": sentence("Bidding"),
    "play": sentence("Play"),
    "hand": sentence("A hand, trick by trick"),
    "scoring": sentence("Scoring"),
    "end": sentence("The end of the match"),
    "talk": sentence("Talk at the table"),
    "tips": sentence("Five tips"),
    "words": sentence("Words of the game"),
    "origin": sentence("Where it comes from"),
}
"""The headings, in the order of every page."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Some cards with what they show."""

    cards: tuple[Card, ...]
    said: Note


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: what it is about, and one number per column."""

    label: Note
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers computed from the rules in force."""

    caption: Note | None
    """What it says; None where its one row does."""
    head: tuple[int | str, ...]
    """What stands over the columns: numbers, letters of ranks, symbols of suits."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences with what the engine's scoring makes of them."""

    listed: tuple[Note, ...]


Block = Note | Picture | Numbers | Examples


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is below it."""

    name: Name
    blocks: tuple[Block, ...]
    title: str = ""
    """Its own heading where the one in `TITLES` does not fit."""
    folded: bool = False
    """Whether it opens with a tap: what is rare, or looked up."""

    @property
    def heading(self) -> str:
        """The message of its heading."""
        return self.title or TITLES[self.name]


def sections(game: Game, rules: Any, preset: str) -> tuple[Section, ...]:
    """The page of a game by these rules; () for a family that has written none."""
    family = part("nousu.teaching", game.name)
    if family is None:
        return ()
    found: tuple[Section, ...] = family.sections(rules, preset)
    return found


def notes(block: Block) -> tuple[Note, ...]:
    """Every sentence of a block."""
    match block:
        case Note():
            return (block,)
        case Picture(_, said):
            return (said,)
        case Numbers(caption, _, rows):
            labels = tuple(row.label for row in rows)
            return labels if caption is None else (caption, *labels)
        case Examples(listed):
            return listed


def cited(pages: Iterable[Section]) -> frozenset[str]:
    """Every clause the sentences of a page name, in force or not."""
    blocks = (block for section in pages for block in section.blocks)
    return frozenset(id for block in blocks for note in notes(block) for id in note.clause.split())


@dataclass(frozen=True, slots=True)
class InForce:
    """Which clauses prove a sentence of a page under these rules."""

    sources: frozenset[str]
    """The sources the rules follow."""
    altered: frozenset[str]
    """Clauses of theirs that the rules set aside, because an option they belong to has another value."""

    def __call__(self, note: Note) -> tuple[str, ...]:
        """The clauses of a sentence that are played: those of the sources followed, resolutions where there
        is
        no such clause, and another source only where the sentence names nothing else."""
        named = note.clause.split()
        own = [id for id in named if id in clauses() and clauses()[id].source in self.sources]
        played = tuple(id for id in own if id not in self.altered)
        if played or own:
            return played or tuple(id for id in named if id.startswith("A-"))
        return tuple(id for id in named if id.startswith("A-")) or tuple(named[: len(named) == 1])


def in_force(game: Game, rules: Any, preset: str) -> InForce:
    """The clauses in force at a table of these rules."""
    standard, files = followed(game.name, preset)
    described = game.presets.get(standard, game.presets[preset])
    changed = differences(rules, described)
    named = {id for item in options(rules) if item.name in changed for id in item.clauses}
    altered = {id for id in named & set(clauses()) if clauses()[id].source in files}
    return InForce(frozenset(files), frozenset(altered))
