"""Messages of the office: clause, message with named values, and place. Sentences are catalogue ids."""

from collections.abc import Callable
from dataclasses import dataclass

from nousu.engine.errors import BadRules
from nousu.engine.messages import Explained, Note, Values, sentence


def plain(note: Note) -> str:
    """The note in English, its clause in brackets behind it: for files, programs and tests."""
    return f"{note.english} [{note.clause}]" if note.clause else note.english


class Refusal(Explained):
    """A refusal by the office.

    The sentence, the clause behind it and, where it applies, the line of a file or the field of a slip.
    `more` holds further refusals of the same input, `remedy` names the way out: an action of the office
    (draw, plan, correct …).
    """

    def __init__(
        self,
        message: str,
        *,
        clause: str = "",
        values: Values | None = None,
        where: str = "",
        remedy: str = "",
        more: "tuple[Refusal, ...]" = (),
    ) -> None:
        self.where = where
        self.remedy = remedy
        self.more = more
        note = Note(clause, message, dict(values or {}))
        line = f"{where}: {plain(note)}" if where else plain(note)
        super().__init__(note, "\n".join([line, *map(str, more)]))

    @classmethod
    def of(
        cls, note: Note, *, where: str = "", remedy: str = "", more: "tuple[Refusal, ...]" = ()
    ) -> "Refusal":
        """The refusal whose sentence and clause are those of a note."""
        return Refusal(
            note.message, clause=note.clause, values=note.values, where=where, remedy=remedy, more=more
        )


@dataclass(frozen=True, slots=True)
class Speech:
    """A language as paper needs it; the translations come from the caller."""

    language: str
    """The code of the language, for programs that read the paper aloud."""
    say: Callable[..., str]
    """A function that says a message with its values."""
    note: Callable[[Note], str]
    """A function that says a reason: of a rank, of a result."""
    column: Callable[[str], str]
    """The heading of a column of the standings."""


Address = Callable[[str], str]
"""The address that the code of a table's slip leads to."""


@dataclass(frozen=True, slots=True)
class Todo:
    """A step still to do, and the action that does it."""

    said: Note
    action: str = ""
    """The action that removes it: enter, confirm, accept, second, draw, pair, plan, stechen."""
    tables: tuple[str, ...] = ()
    entry: int = 0
    """The entry of the ruling that waits for a second person."""
    start: str = ""
    """The round from which to plan again."""
    blocks: bool = True
    """Whether the result cannot be published before."""


class Damaged(Refusal):
    """A log with a changed byte: `line` (from 1) is the first line that is not as it was written."""

    def __init__(self, line: int, message: str, values: Values | None = None) -> None:
        self.line = line
        super().__init__(message, values=values, where=f"line {line}")

    @property
    def notice(self) -> Note:
        """The notice for a reader of the rest of the log."""
        message = sentence(
            "line {line} is not as it was written; everything before it is shown, but nothing can be added: "
            "save what is left in a new file"
        )
        return Note("", message, {"line": self.line})


WRONG_EVENT = (Refusal, KeyError, TypeError, ValueError, IndexError, AttributeError)
"""The errors by which an event in a file is refused, or turns out not to be complete."""


def refusal_in_line(line: int, error: Exception) -> Refusal:
    """The refusal of the event in a line of a file, after one of the errors `WRONG_EVENT`."""
    if isinstance(error, Refusal):
        where = f"line {line}" + (f", {error.where}" if error.where else "")
        return Refusal.of(error.note, where=where)
    return Refusal(
        "this event is not complete ({reason})",
        values={"reason": f"{type(error).__name__}: {error}"},
        where=f"line {line}",
    )


def refusal_of(error: BadRules) -> Refusal:
    """The refusal of an event whose rule set is wrong."""
    return Refusal.of(error.note, where="preset")
