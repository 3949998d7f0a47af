"""The three ways to be wrong. Their text speaks to players; a server maps the class, never the text."""

from nousu.engine.actions import Action


class IllegalAction(ValueError):
    """An action the rules forbid now: the clause that forbids it and what is legal instead."""

    def __init__(self, clause: str, message: str, legal: tuple[Action, ...] = ()) -> None:
        self.clause = clause
        self.message = message
        self.legal = legal
        super().__init__(f"{clause}: {message}" if clause else message)


class BadRecord(ValueError):
    """A record that cannot be read or replayed, with the line where it goes wrong (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")


class BadRules(ValueError):
    """A rule set that contradicts itself or names an unknown option or value."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        self.message = message
        super().__init__(message)
