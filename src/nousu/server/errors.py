"""Refusals of the server, each with a sentence for the person; the class gives the HTTP status."""

import traceback

from nousu.engine.messages import Explained, Note, Values


class Refused(Explained):
    """A request the server refuses."""

    status = 400

    def __init__(self, message: str, values: Values | None = None) -> None:
        super().__init__(Note("", message, values or {}))


class NoSuchTable(Refused):
    """There is no table of that id."""

    status = 404


class NotYours(Refused):
    """Only the person of that seat (or of a free one) may do this."""

    status = 403


class Stale(Refused):
    """The table has gone on since the event at which the person decided."""

    status = 409


class KeyReused(Refused):
    """The same idempotency key came with another action."""

    status = 422


class Unavailable(Refused):
    """The database cannot be written now; nothing was accepted."""

    status = 503


def failure_text(error: BaseException) -> str:
    """The class of a failure and the lines it went through, for the log: its message might name a card."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip()
