"""Refusals of requests, each with a sentence for the user; the class gives the HTTP status."""

import traceback
from pathlib import Path

from nousu.engine.messages import Explained, Note, Values


class RequestError(Explained):
    """A refused request.

    Args:
        message: an English sentence, translated for the user (a catalogue message id).
        values: fill its placeholders.
    """

    status = 400
    """Of HTTP."""

    def __init__(self, message: str, values: Values | None = None) -> None:
        super().__init__(Note("", message, values or {}))


def public_note(note: Note) -> Note:
    """The same note for visitors: of a file of this machine they are told the name, not where it lies."""
    path = note.values.get("path")
    return note._replace(values={**note.values, "path": Path(path).name}) if isinstance(path, str) else note


class NoSuchTable(RequestError):
    """There is no table of that id."""

    status = 404


class NotYours(RequestError):
    """Only the user of that seat, or of a free one, may do this."""

    status = 403


class Stale(RequestError):
    """The table has moved on since the event number of the action."""

    status = 409


class KeyReused(RequestError):
    """An idempotency key that was used for another action."""

    status = 422


class Unavailable(RequestError):
    """The database cannot be written now; nothing was stored."""

    status = 503


def safe_traceback(error: BaseException) -> str:
    """The class of an exception and the lines it went through, for the log: its message might name a card."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip()
