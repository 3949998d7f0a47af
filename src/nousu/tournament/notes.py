"""What the office says: clause, message with named values, and where. Sentences are catalogue ids."""

from collections.abc import Mapping

from nousu.engine.game import Note


def say(note: Note) -> str:
    """The note in English, its clause in brackets behind it."""
    text = note.message.format(**note.values)
    return f"{text} [{note.clause}]" if note.clause else text


class Refusal(ValueError):
    """Something the office cannot accept: the sentence, the clause behind it and, where it applies, the
    line of a file or the field of a slip. `notes` holds further refusals of the same input."""

    def __init__(
        self,
        message: str,
        *,
        clause: str = "",
        values: Mapping[str, int | str] | None = None,
        where: str = "",
        more: "tuple[Refusal, ...]" = (),
    ) -> None:
        self.note = Note(clause, message, dict(values or {}))
        self.where = where
        self.more = more
        super().__init__("\n".join([self._line(), *(one._line() for one in more)]))

    def _line(self) -> str:
        return f"{self.where}: {say(self.note)}" if self.where else say(self.note)


class Damaged(Refusal):
    """A log with a changed byte: `line` (from 1) is the first one that is not as it was written."""

    def __init__(self, line: int, message: str, values: Mapping[str, int | str] | None = None) -> None:
        self.line = line
        super().__init__(message, values=values, where=f"line {line}")
