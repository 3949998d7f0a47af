"""The rules of a table as a page: what teaches the game, then options, differences and every clause."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nousu.engine.actions import Play, Seal
from nousu.engine.cards import Card
from nousu.engine.game import Game
from nousu.engine.messages import Note
from nousu.engine.options import differences, options
from nousu.engine.seats import CHANCE
from nousu.i18n import Translate, corner, titles
from nousu.i18n.names import family_name, group_name, option_name, preset_name, value_words
from nousu.i18n.sentences import Voice, suit_words
from nousu.server.pages.table.cards import Face, face
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


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as this table has it."""

    name: str
    about: str
    value: str
    standard: str
    """The preset's value where it differs, else empty."""
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with the clauses that prove it."""

    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """One thing below a heading: a sentence, with cards, a table or examples where it has them."""

    said: tuple[Said, ...]
    """A paragraph of sentences, or what is said of a picture or a table."""
    faces: tuple[Face, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Said, tuple[int, ...]], ...] = ()
    examples: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the page that teaches."""

    name: str
    """What its address ends with: ``scoring``."""
    heading: str
    folded: bool
    listed: tuple[Taught, ...]


Suit = tuple[str, str]
"""The symbol of a suit and its name."""


@dataclass(frozen=True, slots=True)
class Step:
    """A trick of the worked hand."""

    number: int
    plays: tuple[tuple[str, Face, bool], ...]
    """Name, card and whether it takes the trick, in the order of play."""
    said: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedHand:
    """The worked hand in the reader's language."""

    hands: tuple[tuple[str, tuple[tuple[Suit, tuple[str, ...]], ...]], ...]
    """Names with what they were dealt: suits with the corners of their cards."""
    before: tuple[str, ...]
    """What happened before the first lead."""
    steps: tuple[Step, ...]
    result: tuple[str, ...]
    elsewhere: str
    """Whose rules it was played by, where the table's own rules do not allow it; else empty."""


@dataclass(frozen=True, slots=True)
class Other:
    """Another rule set of the family, with how it differs from this table."""

    preset: str
    title: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Everything on a rules page."""

    title: str
    text: str
    family: str
    house: bool
    """Whether the table has rules of its own."""
    chapters: tuple[Chapter, ...]
    """The page that teaches."""
    worked: WorkedHand | None
    base: str
    """The preset the differences are counted from, in words."""
    changes: tuple[Choice, ...]
    groups: tuple[tuple[str, tuple[Choice, ...]], ...]
    own: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The sources this table follows: name and clauses."""
    others: tuple[tuple[str, tuple[Clause, ...]], ...]
    """The other sources of the family."""
    presets: tuple[Other, ...]
    known: frozenset[str]
    """Ids that stand on the page."""
    altered: Mapping[str, tuple[Choice, ...]]
    """What this table has instead, by the clauses that say otherwise."""


def _choices(rules: Any, standard: Any, say: Translate) -> dict[str, list[Choice]]:
    changed = differences(rules, standard)
    groups: dict[str, list[Choice]] = {}
    for item in options(rules):
        value = value_words(item.name, getattr(rules, item.name), say)
        usual = value_words(item.name, getattr(standard, item.name), say) if item.name in changed else ""
        choice = Choice(option_name(item.name, say), say(item.doc), value, usual, item.clauses)
        groups.setdefault(item.group, []).append(choice)
    return groups


def _said(note: Note, force: ClauseFilter, known: frozenset[str], say: Translate) -> Said:
    return Said(say(note.message, **note.values), tuple(id for id in force(note) if id in known))


def _chapters(
    game: Game, rules: Any, base: str, known: frozenset[str], say: Translate, lang: str
) -> tuple[Chapter, ...]:
    """The page that teaches, in the reader's language."""
    force = ClauseFilter.for_rules(game, rules, base)

    def taught(block: object) -> Taught:
        match block:
            case CardPicture(cards, said):
                shown = tuple(face(card, say, lang) for card in cards)
                return Taught(said=(_said(said, force, known, say),), faces=shown)
            case NumberTable(caption, head, rows):
                lines = tuple((_said(row.label, force, known, say), row.cells) for row in rows)
                label = Said("", ()) if caption is None else _said(caption, force, known, say)
                corners = tuple(corner(str(one), lang) for one in head)
                return Taught(said=(label,), head=corners, rows=lines)
            case Examples(listed):
                examples = tuple(_said(note, force, known, say) for note in listed)
                return Taught(said=(Said(say("Three hands"), ()),), examples=examples)
            case Note():
                return Taught(said=(_said(block, force, known, say),))
        raise TypeError(f"{block!r} stands on no page")

    return tuple(
        Chapter(section.name, say(section.heading), section.folded, listed)
        for section in sections(game, rules, base)
        for listed in (_paragraphs([taught(block) for block in section.blocks], section.name in _LISTS),)
        if listed or section.name in ("hand", "origin")
    )


_LISTS = ("tips", "words")
"""Chapters in which every sentence stands by itself."""
_LONGEST = 3
"""So many sentences make a paragraph."""


def _paragraphs(blocks: Sequence[Taught], apart: bool) -> tuple[Taught, ...]:
    """Sentences that follow each other, gathered into paragraphs."""
    found: list[Taught] = []
    for one in blocks:
        plain = not (one.faces or one.rows or one.examples)
        last = found[-1] if found else None
        joins = last is not None and not (last.faces or last.rows or last.examples)
        if last is not None and joins and plain and not apart and len(last.said) < _LONGEST:
            found[-1] = replace(last, said=(*last.said, *one.said))
        else:
            found.append(one)
    return tuple(found)


def _worked(game: Game, rules: Any, base: str, say: Translate, lang: str) -> WorkedHand | None:
    shown = worked_example(game, rules, base)
    if shown is None:
        return None
    hand, voice = shown.played.hand, Voice(shown.names, game.sides, None, say)
    view = hand.view(None)
    first = next(index for index, (_, action) in enumerate(hand.log) if isinstance(action, Play))
    steps = []
    for number, trick in enumerate(view.tricks, 1):
        best = next(card for seat, card in trick.plays if seat == trick.winner)
        remark = comment(game, number, trick.plays[0][1], best)
        plays = tuple(
            (voice.name(seat), face(card, say, lang), seat == trick.winner) for seat, card in trick.plays
        )
        taken = say("{name} takes the trick.", name=voice.name(trick.winner))
        steps.append(Step(number, plays, taken, say(remark.message) if remark else ""))
    notes = (*shown.played.result.notes, *shown.played.tally.notes())
    return WorkedHand(
        hands=tuple((shown.names[seat], _suits(cards, say, lang)) for seat, cards in enumerate(shown.hands)),
        before=tuple(
            voice.sentence(entry)
            for entry in hand.log[:first]
            if entry[0] != CHANCE and not isinstance(entry[1], Seal)
        ),
        steps=tuple(steps),
        result=tuple(voice.note(note) for note in notes),
        elsewhere=""
        if shown.by_own_rules
        else say(
            "This hand was played by the rules of {name}, which differ from those here.",
            name=preset_name(base, say),
        ),
    )


def _suits(cards: Sequence[Card], say: Translate, lang: str) -> tuple[tuple[Suit, tuple[str, ...]], ...]:
    """A hand suit by suit, highest cards first."""
    ranked = sorted(cards, key=lambda card: -card.rank)
    lanes = (
        (suit, tuple(corner(card.letter, lang) for card in ranked if card.suit == suit)) for suit in range(4)
    )
    return tuple((("shdc"[suit], suit_words(suit, say)), lane) for suit, lane in lanes if lane)


def _other(game: Game, preset: str, rules: Any, say: Translate) -> Other:
    changed = differences(game.presets[preset], rules)
    words = tuple(
        say("{option}: {value}", option=option_name(name, say), value=value_words(name, value, say))
        for name, value in changed.items()
    )
    return Other(preset, preset_name(preset, say), words)


def book(game: Game, rules: Any, text: str, say: Translate, lang: str) -> Book:
    """The rules page of a rule set. A preset is compared with the first of its family, a rule set with
    house rules with its own preset."""
    base = text.split("+")[0]
    family = next(iter(game.presets))
    against = base if "+" in text else family
    groups = _choices(rules, game.presets[against], say)
    standard, mine = rule_sources(game.name, base)
    files, letters = family_sources(game.name), resolution_prefixes(game.name)
    mine = (*mine, *(file for file in files if file == RESOLUTIONS))
    rest = [file for file in files if file not in mine]

    def chapter(file: str) -> tuple[str, tuple[Clause, ...]]:
        listed = clauses_in(file)
        if file == RESOLUTIONS:
            listed = tuple(clause for clause in listed if clause.id.startswith(letters))
        return say(titles()[file]), tuple(clause._replace(text=say(clause.text)) for clause in listed)

    own, others = tuple(map(chapter, mine)), tuple(map(chapter, rest))
    changes = tuple(choice for group in groups.values() for choice in group if choice.standard)
    described = _choices(rules, game.presets.get(standard, game.presets[base]), say)
    altered: dict[str, tuple[Choice, ...]] = {}
    for choice in (choice for group in described.values() for choice in group if choice.standard):
        for clause in choice.clauses:
            altered[clause] = (*altered.get(clause, ()), choice)
    known = frozenset(clause.id for _, listed in (*own, *others) for clause in listed)
    return Book(
        title=preset_name(text, say),
        text=text,
        family=family_name(game, say),
        house="+" in text,
        worked=_worked(game, rules, base, say, lang),
        chapters=_chapters(game, rules, base, known, say, lang),
        base=preset_name(against, say),
        changes=changes,
        groups=tuple((group_name(group, say), tuple(found)) for group, found in groups.items()),
        own=own,
        others=others,
        presets=tuple(_other(game, name, rules, say) for name in game.presets if name != text),
        known=known,
        altered=altered,
    )
