"""The page that teaches a game: sections of sentences, pictures of cards, tables and a worked hand.

A family writes its page in ``nousu.teaching.<family>``. Every number on a page is filled in from the rules in
force or by the engine's own scoring, so no page can contradict its table. A `Note` names all clauses of its
sentence, in whichever source; readers see those of the sources in force (`ClauseFilter`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from nousu.engine.cards import Card
from nousu.engine.game import Game
from nousu.engine.messages import Note, sentence
from nousu.engine.options import differences, options
from nousu.extensions import Point, extension
from nousu.games import find
from nousu.teaching.clauses import clauses, rule_sources

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
class CardPicture:
    """Some cards and the sentence about them."""

    cards: tuple[Card, ...]
    text: Note


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A line of a table: its label, and one number per column."""

    label: Note
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table of numbers that are calculated from the rules in force."""

    caption: Note | None
    """The caption; None where the label of the only row says enough."""
    head: tuple[int | str, ...]
    """The heads of the columns: numbers, letters of ranks, symbols of suits."""
    rows: tuple[NumberRow, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples with the results of the engine's scoring."""

    notes: tuple[Note, ...]


Block = Note | CardPicture | NumberTable | Examples


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading and the blocks below it."""

    name: Name
    blocks: tuple[Block, ...]
    title: str = ""
    """The heading, if the one in `TITLES` does not fit."""
    folded: bool = False
    """Whether it opens with a tap: for rare rules and for reference."""

    @property
    def heading(self) -> str:
        """The message of the heading."""
        return self.title or TITLES[self.name]


class TeachingFamily(Protocol):
    """A family's module at `Point.TEACHING`."""

    def sections(self, rules: Any, preset: str, /) -> tuple[PageSection, ...]:
        """The family's page by these rules."""
        ...


def sections(game: Game, rules: Any, preset: str) -> tuple[PageSection, ...]:
    """The page of a game by these rules; () for a family without one."""
    family = extension(TeachingFamily, Point.TEACHING, game.name)
    return () if family is None else family.sections(rules, preset)


def block_notes(block: Block) -> tuple[Note, ...]:
    """Every sentence of a block."""
    match block:
        case Note():
            return (block,)
        case CardPicture(_, text):
            return (text,)
        case NumberTable(caption, _, rows):
            labels = tuple(row.label for row in rows)
            return labels if caption is None else (caption, *labels)
        case Examples(notes):
            return notes


@dataclass(frozen=True, slots=True)
class ClauseFilter:
    """Chooses the clauses of a sentence that are in force under some rules."""

    sources: frozenset[str]
    """The sources that explain the rules."""
    altered: frozenset[str]
    """Clauses of theirs that are not in force, because an option that belongs to them has another value."""

    @classmethod
    def for_rules(cls, game: Game, rules: Any, preset: str) -> "ClauseFilter":
        """The filter for a table of these rules."""
        standard, sources = rule_sources(game.name, preset)
        changed = differences(rules, game.presets.get(standard, game.presets[preset]))
        named = {id for item in options(rules) if item.name in changed for id in item.clauses}
        altered = {id for id in named & set(clauses()) if clauses()[id].source in sources}
        return cls(frozenset(sources), frozenset(altered))

    def __call__(self, note: Note) -> tuple[str, ...]:
        """The clauses of a sentence that are in force.

        These are clauses of the sources. Where there are none, they are resolutions; a clause of another
        source counts only where the sentence names nothing else.
        """
        named = note.clause.split()
        own = [id for id in named if id in clauses() and clauses()[id].source in self.sources]
        valid = tuple(id for id in own if id not in self.altered)
        if valid or own:
            return valid or tuple(id for id in named if id.startswith("A-"))
        return tuple(id for id in named if id.startswith("A-")) or tuple(named[: len(named) == 1])


def markdown_lines(text: str) -> Iterator[str]:
    """The page that teaches some rules in English, as Markdown.

    Args:
        text: The rules as `nousu.find` reads them: ``tuppi+target=20``.

    Yields:
        The lines, with the ids of clauses in ``<small>``.
    """
    game, rules = find(text)
    preset = text.split("+")[0]
    in_force = ClauseFilter.for_rules(game, rules, preset)

    def with_clauses(note: Note) -> str:
        return note.english + "".join(f" <small>{id}</small>" for id in in_force(note))

    def table_line(label: str, cells: Iterable[int | str]) -> str:
        return f"| {label} | " + " | ".join(map(str, cells)) + " |"

    for section in sections(game, rules, preset):
        if section.blocks:
            yield from ("", f"## {section.heading}")
        for block in section.blocks:
            if isinstance(block, NumberTable):
                yield from ("", table_line(with_clauses(block.caption) if block.caption else "", block.head))
                yield "|---" * (1 + len(block.head)) + "|"
                yield from (table_line(with_clauses(row.label), row.cells) for row in block.rows)
            else:
                for note in block_notes(block):
                    yield from ("", with_clauses(note))
