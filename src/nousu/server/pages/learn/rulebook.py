"""The rules page of a table: an introduction to the game, options, differences, all clauses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Play
from nousu.engine.errors import BadRules
from nousu.engine.game import Game
from nousu.engine.messages import Note
from nousu.engine.options import differences, options
from nousu.games import find
from nousu.i18n import corner, titles
from nousu.i18n.names import family_name, group_name, option_name, preset_name, value_words
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.server.pages.table.cards import Face, face, suit_lanes
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.teaching.clauses import (
    RESOLUTIONS,
    Clause,
    clauses_in,
    family_sources,
    resolution_prefixes,
    rule_sources,
)
from nousu.teaching.page import CardPicture, ClauseFilter, Examples, NumberTable, sections
from nousu.teaching.worked_hand import comment, worked_example


def routes(server: Server) -> list[Route]:
    """The route of the page."""
    return [get(server, "/rules/{preset}", rules)]


async def rules(visit: Visit) -> Response:
    """The rules of a preset with options, as written in the address."""
    text = visit.request.path_params["preset"].replace(" ", "+")
    try:
        game, values = find(text)
    except BadRules as error:
        return visit.error(error.note, 404)
    table = visit.request.query_params.get("table", "")
    shown = {
        "book": rulebook(game, values, text, visit.reader),
        "rules_link": visit.request.url.path,
        "table_link": f"/t/{table}" if re.fullmatch(r"[\w-]{1,40}", table) else "",
    }
    return visit.page("rules.html", shown)


@dataclass(frozen=True, slots=True)
class OptionValue:
    """An option with its value at this table."""

    name: str
    about: str
    value: str
    standard: str
    """The preset's value if it differs, else empty."""
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the clauses that prove it."""

    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block below a heading: a paragraph, with cards, a table or examples."""

    said: tuple[Sentence, ...]
    """A paragraph, or the caption of cards or a table."""
    faces: tuple[Face, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Sentence, tuple[int, ...]], ...] = ()
    examples: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the introduction."""

    name: str
    """The end of its address: ``scoring``."""
    heading: str
    folded: bool
    listed: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class WorkedTrick:
    """A trick of the worked hand."""

    number: int
    parts: tuple[tuple[tuple[str, ...], tuple[tuple[str, Face, bool], ...]], ...]
    """Sentences about words, then cards with name and whether they take the trick, in their order."""
    said: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedHand:
    """The worked hand in the reader's language."""

    hands: tuple[tuple[str, tuple[tuple[str, str, tuple[str, ...]], ...]], ...]
    """Names with the cards dealt (`suit_lanes`), the highest first."""
    before: tuple[str, ...]
    """Sentences about the hand before the first lead."""
    steps: tuple[WorkedTrick, ...]
    result: tuple[str, ...]
    elsewhere: str
    """The preset by which it was played, if the table's rules do not allow it; else empty."""


@dataclass(frozen=True, slots=True)
class RelatedPreset:
    """Another rule set of the family, with its differences from this table."""

    preset: str
    title: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The rules page."""

    title: str
    text: str
    family: str
    house: bool
    """True if the rules differ from a preset."""
    chapters: tuple[Chapter, ...]
    """The introduction."""
    worked: WorkedHand | None
    base: str
    """The preset the differences are counted from, in words."""
    changes: tuple[OptionValue, ...]
    groups: tuple[tuple[str, tuple[OptionValue, ...]], ...]
    own: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The sources of this table: name and clauses."""
    others: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The other sources of the family."""
    presets: tuple[RelatedPreset, ...]
    known: frozenset[str]
    """The clause ids on the page."""
    altered: Mapping[str, tuple[OptionValue, ...]]
    """The options of this table that replace a clause, by clause."""


def _choices(rules: Any, standard: Any, reader: Reader) -> dict[str, list[OptionValue]]:
    changed = differences(rules, standard)
    groups: dict[str, list[OptionValue]] = {}
    for item in options(rules):
        value = value_words(item.name, getattr(rules, item.name), reader.say)
        usual = (
            value_words(item.name, getattr(standard, item.name), reader.say) if item.name in changed else ""
        )
        choice = OptionValue(
            option_name(item.name, reader.say), reader.say(item.doc), value, usual, item.clauses
        )
        groups.setdefault(item.group, []).append(choice)
    return groups


def _sentence(note: Note, force: ClauseFilter, known: frozenset[str], reader: Reader) -> Sentence:
    return Sentence(reader.say(note.message, **note.values), tuple(id for id in force(note) if id in known))


def _chapters(
    game: Game, rules: Any, base: str, known: frozenset[str], reader: Reader
) -> tuple[Chapter, ...]:
    """The introduction in the reader's language."""
    force = ClauseFilter.for_rules(game, rules, base)

    def taught(block: object) -> Block:
        match block:
            case CardPicture(cards, said):
                shown = tuple(face(card, reader) for card in cards)
                return Block(said=(_sentence(said, force, known, reader),), faces=shown)
            case NumberTable(caption, head, rows):
                lines = tuple((_sentence(row.label, force, known, reader), row.cells) for row in rows)
                above = Sentence("", ()) if caption is None else _sentence(caption, force, known, reader)
                corners = tuple(corner(str(rank), reader.language) for rank in head)
                return Block(said=(above,), head=corners, rows=lines)
            case Examples(listed):
                examples = tuple(_sentence(note, force, known, reader) for note in listed)
                label = reader.say("Three hands") if len(examples) == 3 else reader.say("Examples")
                return Block(said=(Sentence(label, ()),), examples=examples)
            case Note():
                return Block(said=(_sentence(block, force, known, reader),))
        raise TypeError(f"{block!r} stands on no page")

    return tuple(
        Chapter(section.name, reader.say(section.heading), section.folded, listed)
        for section in sections(game, rules, base)
        for listed in (_paragraphs([taught(block) for block in section.blocks], section.name in _LISTS),)
        if listed or section.name in ("hand", "origin")
    )


_LISTS = ("tips", "words")
"""Chapters without paragraphs of several sentences."""
_LONGEST = 3
"""The most sentences in a paragraph."""


def _paragraphs(blocks: Sequence[Block], apart: bool) -> tuple[Block, ...]:
    """Sentences that follow each other, gathered into paragraphs."""
    paragraphs: list[Block] = []
    for block in blocks:
        plain = not (block.faces or block.rows or block.examples)
        last = paragraphs[-1] if paragraphs else None
        joins = last is not None and not (last.faces or last.rows or last.examples)
        if last is not None and joins and plain and not apart and len(last.said) < _LONGEST:
            paragraphs[-1] = replace(last, said=(*last.said, *block.said))
        else:
            paragraphs.append(block)
    return tuple(paragraphs)


def _worked(game: Game, rules: Any, base: str, reader: Reader) -> WorkedHand | None:
    say = reader.say
    shown = worked_example(game, rules, base)
    if shown is None:
        return None
    voice = Voice(shown.names, game.sides, None, say)
    steps = []
    for number, step in enumerate(shown.steps, 1):
        winner = None if step.trick is None else step.trick.winner
        parts = tuple(
            (
                tuple(map(voice.sentence, talk)),
                tuple(
                    (voice.name(seat), face(play.card, reader), seat == winner)
                    for seat, play in plays
                    if isinstance(play, Play)
                ),
            )
            for talk, plays in step.parts
        )
        taken, remark = "", None
        if step.trick is not None:
            taken = say("{name} takes the trick.", name=voice.name(step.trick.winner))
            best = next(card for seat, card in step.trick.plays if seat == winner)
            remark = comment(game, number, step.trick.plays[0][1], best)
        steps.append(WorkedTrick(number, parts, taken, say(remark.message) if remark else ""))
    notes = (*shown.played.result.notes, *shown.played.tally.notes())
    return WorkedHand(
        hands=tuple(
            (name, suit_lanes(sorted(cards, key=lambda card: -card.rank), reader))
            for name, cards in zip(shown.names, shown.hands, strict=True)
        ),
        before=tuple(map(voice.sentence, shown.before)),
        steps=tuple(steps),
        result=tuple(voice.note(note) for note in notes),
        elsewhere=""
        if shown.by_own_rules
        else say(
            "This hand was played by the rules of {name}, which differ from those here.",
            name=preset_name(base, say),
        ),
    )


def _other(game: Game, preset: str, rules: Any, reader: Reader) -> RelatedPreset:
    changed = differences(game.presets[preset], rules)
    words = tuple(
        reader.say(
            "{option}: {value}",
            option=option_name(name, reader.say),
            value=value_words(name, value, reader.say),
        )
        for name, value in changed.items()
    )
    return RelatedPreset(preset, preset_name(preset, reader.say), words)


def rulebook(game: Game, rules: Any, text: str, reader: Reader) -> Rulebook:
    """The rules page of a rule set.

    A preset is compared with the first one of its family, a rule set with house rules with its own preset.
    """
    base = text.split("+")[0]
    family = next(iter(game.presets))
    against = base if "+" in text else family
    groups = _choices(rules, game.presets[against], reader)
    standard, mine = rule_sources(game.name, base)
    files, letters = family_sources(game.name), resolution_prefixes(game.name)
    mine = (*mine, *(file for file in files if file == RESOLUTIONS))
    rest = [file for file in files if file not in mine]

    def chapter(file: str) -> tuple[str, tuple[Clause, ...]]:
        listed = clauses_in(file)
        if file == RESOLUTIONS:
            listed = tuple(clause for clause in listed if clause.id.startswith(letters))
        return reader.say(titles()[file]), tuple(
            clause._replace(text=reader.say(clause.text)) for clause in listed
        )

    own, others = tuple(map(chapter, mine)), tuple(map(chapter, rest))
    changes = tuple(choice for group in groups.values() for choice in group if choice.standard)
    described = _choices(rules, game.presets.get(standard, game.presets[base]), reader)
    altered: dict[str, tuple[OptionValue, ...]] = {}
    for choice in (choice for group in described.values() for choice in group if choice.standard):
        for clause in choice.clauses:
            altered[clause] = (*altered.get(clause, ()), choice)
    known = frozenset(clause.id for _, listed in (*own, *others) for clause in listed)
    return Rulebook(
        title=preset_name(text, reader.say),
        text=text,
        family=family_name(game, reader.say),
        house="+" in text,
        worked=_worked(game, rules, base, reader),
        chapters=_chapters(game, rules, base, known, reader),
        base=preset_name(against, reader.say),
        changes=changes,
        groups=tuple((group_name(group, reader.say), tuple(entries)) for group, entries in groups.items()),
        own=own,
        others=others,
        presets=tuple(_other(game, name, rules, reader) for name in game.presets if name != text),
        known=known,
        altered=altered,
    )
