"""Sentences for people: a message with values to fill in, and the errors that carry one.

Below `nousu.words` a sentence is never put together: it is an English message of the catalogues and its
values. Whoever shows it says it in the reader's language; `str` of an error is the plain English.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Note(NamedTuple):
    """One reason for people: the clause and a message of the catalogues with named values to fill in.

    The name of a value says what it is: ``seat…`` and ``side…`` (numbers), ``option`` and ``setting…`` (an
    option, or ``option=value``), ``preset``; ``options``, ``presets`` and ``values`` (those of the option of
    ``setting``) list several, with a comma and a space between them; ``card`` is written ``S10``,
    ``suit`` is its letter. Others are filled in as they are; a note within a note is said first.
    """

    clause: str
    message: str
    values: "Values" = MappingProxyType({})

    @property
    def english(self) -> str:
        """The sentence in English, cards and options as records write them."""
        if not self.values:
            return self.message
        plain = {key: one.english if isinstance(one, Note) else one for key, one in self.values.items()}
        return self.message.format(**plain)


Values = Mapping[str, int | str | Note]
"""What a message is filled in with, by the names of its places."""


_LONGEST = 60


def brief(text: object) -> str:
    """What somebody wrote, as an error quotes it: one line, and no more than sixty letters of it.

    >>> brief("x" * 5000)[-3:]
    'xx…'
    """
    words = " ".join(str(text)[: 4 * _LONGEST].split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


class Explained(ValueError):
    """An error that speaks to people: `note` is said in the reader's language where it is shown."""

    def __init__(self, note: Note, text: str = "") -> None:
        self.note = note
        super().__init__(text or note.english)

    @property
    def clause(self) -> str:
        """The clause behind it, or nothing."""
        return self.note.clause
