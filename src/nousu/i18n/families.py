"""Texts about each game family, read from the ``sources.toml`` beside its rules.

The file names the family, its rule pages and sources, and gives the names of its presets, options, values
and calls. Its texts are messages of the catalogues. A family of another package may have the same file in
its package; without one its names are shown as they are typed.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

from nousu.engine.game import Game
from nousu.games import USUAL, games

FILE = "sources.toml"
CallKind = Literal["calls", "own_calls", "choices"]
Kind = Literal["presets", "introductions", "groups", "options", "values", CallKind]
_KINDS: tuple[Kind, ...] = get_args(Kind)
_PLACE = re.compile(r"\\{(\w+)\\}")
_WORD = r"\S+"


@dataclass(frozen=True, slots=True)
class RulePage:
    """A page of docs/play/rules: the sources that it lists, and the preset that it teaches."""

    name: str
    title: str
    teaches: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FamilyTexts:
    """The content of a family's file."""

    name: str
    described_as: str = ""
    """The preset whose sources explain presets that have none of their own."""
    resolutions: tuple[str, ...] = ()
    """Beginnings of the ids of its resolutions."""
    pages: tuple[RulePage, ...] = ()
    """The rule pages; the first one lists the options and presets of the family."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The sources whose clauses explain a preset."""
    messages: Mapping[Kind, Mapping[str, str]] = field(default_factory=dict)
    """The messages for presets, introductions, groups, options, values and calls, by what is typed."""

    def texts(self) -> Iterator[str]:
        """The messages of the file."""
        yield self.name
        for table in self.messages.values():
            yield from table.values()


@cache
def families() -> Mapping[str, FamilyTexts]:
    """The texts of every family that has a file, by its name; the family of `USUAL` comes first."""
    ordered = sorted(games().values(), key=lambda game: USUAL not in game.presets)
    return {game.name: texts for game in ordered if (texts := _load(game)) is not None}


def _load(game: Game) -> FamilyTexts | None:
    package = game.rules.__module__.rpartition(".")[0]
    if not package or not (file := files(package) / FILE).is_file():
        return None
    table = tomllib.loads(file.read_text("utf-8"))
    return FamilyTexts(
        table["name"],
        table["described_as"],
        tuple(table["resolutions"]),
        tuple(RulePage(**page | {"sources": tuple(page["sources"])}) for page in table["pages"]),
        {preset: tuple(sources) for preset, sources in table["sources"].items()},
        {kind: table.get(kind, {}) for kind in _KINDS},
    )


@cache
def messages(kind: Kind) -> Mapping[str, str]:
    """The messages of one kind, of all families together; those that two families share are equal."""
    return {
        written: text for family in families().values() for written, text in family.messages[kind].items()
    }


@lru_cache(4096)
def call_message(kind: CallKind, word: str) -> tuple[str, Mapping[str, str]] | None:
    """The message for a call, with the values of its places as they are written.

    >>> call_message("choices", "contract 150")
    ('Play for {points}', {'points': '150'})
    """
    if word in messages(kind):
        return messages(kind)[word], {}
    for pattern, message in _patterns(kind):
        match = pattern.fullmatch(word)
        if match is not None:
            return message, match.groupdict()
    return None


@cache
def _patterns(kind: CallKind) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The calls with places in braces, as regular expressions."""
    kinds = {"points": r"\d+", "number": r"\d+", "suit": "[SHDC]"}

    def place(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}>{kinds.get(match[1], _WORD)})"

    return tuple(
        (re.compile(_PLACE.sub(place, re.escape(written))), text)
        for written, text in messages(kind).items()
        if "{" in written
    )
