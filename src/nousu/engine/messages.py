"""Sentences for people: a message with values to fill in, and the errors that carry one.

Below `nousu.i18n` a sentence is never put together: it is an English message of the catalogues and its
values. Pages and terminal say it in the reader's language; `str` of an error is the plain English.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Self

_PLACE = re.compile(r"\{(\w+)\}")
_SIGNED = re.compile(r"[-+−]\d+")


class Counted(str):
    """A message with a number in it: the text is used when the number is 1, `many` for all others."""

    many: str

    def __new__(cls, one: str, many: str) -> Self:
        """Make a message with both forms, which name the same places."""
        message = super().__new__(cls, one)
        message.many = many
        return message

    def __reduce__(self) -> tuple[type["Counted"], tuple[str, str]]:
        """Return both forms, for copies and other processes."""
        return Counted, (str(self), self.many)


class InContext(str):
    """A message whose English has several meanings: `context` says which, for the catalogues."""

    context: str

    def __new__(cls, context: str, message: str) -> Self:
        """Make a message with the context in which it stands."""
        marked = super().__new__(cls, message)
        marked.context = context
        return marked

    def __reduce__(self) -> tuple[type["InContext"], tuple[str, str]]:
        """Return message and context, for copies and other processes."""
        return InContext, (self.context, str(self))


def pgettext(context: str, message: str) -> str:
    """Mark a message whose English has another meaning elsewhere: ``say(pgettext("of a match", "drawn"))``.

    The name is that of gettext, by which the collector knows it. A `Note` that is stored keeps no context.
    """
    return InContext(context, message)


def sentence(one: str, many: str = "") -> str:
    """Mark a message of the catalogues, with its plural where it holds a number.

    ``sentence("{tricks} trick", "{tricks} tricks")``. Messages in `Note`, `say` and errors need the mark
    only for their plural.
    """
    return Counted(one, many) if many else one


def number_in(message: str, values: Mapping[str, object]) -> int | None:
    """The number that decides between singular and plural: the first one a counted message names.

    Seats and sides are people, and text is not a number, unless it is a signed one: ``+12``.

    >>> number_in(sentence("{name}: {n} point", "{name}: {n} points"), {"name": "Eero", "n": 1})
    1
    """
    if not isinstance(message, Counted):
        return None
    for place in _PLACE.findall(message.many):
        value = values.get(place)
        if isinstance(value, int) and not is_person(place):
            return abs(value)
        if isinstance(value, str) and _SIGNED.fullmatch(value):
            return int(value[1:])
    return None


def is_person(place: str) -> bool:
    """Whether the number of a place of that name is a seat or a side."""
    return place.startswith(("seat", "side")) and place != "seats"


class Note(NamedTuple):
    """A reason for people: the clause and a message of the catalogues with named values to fill in.

    The name of a value tells its kind: ``seat…`` and ``side…`` (numbers), ``option`` and ``setting…`` (an
    option, or ``option=value``), ``preset``; ``options``, ``presets`` and ``values`` (those of the option of
    ``setting``) list several, with a comma and a space between them; ``card`` is written ``S10``,
    ``suit`` is its letter. Others are filled in as they are; a note within a note is said first.
    """

    clause: str
    message: str
    values: "Values" = MappingProxyType({})

    def __reduce__(self) -> tuple[type["Note"], tuple[str, str, "Values"]]:
        """Return the values as a dictionary for copies and other processes: a read-only one has no pickle."""
        return Note, (self.clause, self.message, dict(self.values))

    @property
    def english(self) -> str:
        """The sentence in English, cards and options as records write them."""
        if not self.values:
            return self.message
        plain = {key: item.english if isinstance(item, Note) else item for key, item in self.values.items()}
        text = self.message
        if isinstance(text, Counted) and number_in(text, self.values) != 1:
            text = text.many
        return text.format(**plain)


Values = Mapping[str, int | str | Note]
"""The values that fill in a message, by the names of its places."""


_LONGEST = 60


def brief(text: object) -> str:
    """Shorten a user's text for an error message: one line of at most sixty letters.

    >>> brief("x" * 5000)[-3:]
    'xx…'
    """
    words = " ".join(str(text)[: 4 * _LONGEST].split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


class Explained(ValueError):
    """An error for people: pages and terminal say its `note` in the reader's language."""

    def __init__(self, note: Note, text: str = "") -> None:
        self.note = note
        super().__init__(text or note.english)

    @property
    def clause(self) -> str:
        """The clause behind the error, or an empty text."""
        return self.note.clause
