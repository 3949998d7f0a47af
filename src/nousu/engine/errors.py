"""The three exception classes raised to players; a server maps the class, never the text."""

from nousu.engine.actions import Action
from nousu.engine.messages import Explained, Note, Values


class IllegalAction(Explained):
    """An action the rules forbid now: the clause that forbids it and what is legal instead."""

    def __init__(
        self,
        clause: str,
        message: str,
        legal: tuple[Action, ...] = (),
        values: Values | None = None,
    ) -> None:
        note = Note(clause, message, values or {})
        self.legal = legal
        super().__init__(note, f"{clause}: {note.english}" if clause else note.english)


class BadRules(Explained):
    """A rule set that contradicts itself or names an unknown option or value."""

    def __init__(self, field: str, message: str, clause: str = "", values: Values | None = None) -> None:
        self.field = field
        super().__init__(Note(clause, message, values or {}))


class BadRecord(ValueError):
    """A record that cannot be read or replayed, and the line of the mistake (from 1).

    The message is for people who write records; pages and terminal name the line in the reader's language.
    """

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")
