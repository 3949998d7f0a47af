"""Refusals of requests, each with a sentence for the user; the class gives the HTTP status."""

import traceback

from nousu.engine.messages import Explained, Note, Values


class RequestError(Explained):
    """A refused request.

    Args:
        message: an English sentence, translated for the user (a catalogue message id).
        values: fill its placeholders.
    """

    status = 400
    """The HTTP status."""

    def __init__(self, message: str, values: Values | None = None) -> None:
        super().__init__(Note("", message, values or {}))


class NoSuchTable(RequestError):
    """A table id that does not exist."""

    status = 404


class NotYours(RequestError):
    """An action open only to the user of that seat, or of a free one."""

    status = 403


class Stale(RequestError):
    """An action for an event number after which the table has moved on."""

    status = 409


class KeyReused(RequestError):
    """An idempotency key that was used for another action."""

    status = 422


class Unavailable(RequestError):
    """A failure of the database: it cannot be written now, and nothing was stored."""

    status = 503


def safe_traceback(error: BaseException) -> str:
    """The class of an exception and the lines it went through, for the log: its message might name a card."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip()
