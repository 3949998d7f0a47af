"""What the server says no to, each with a sentence for the person; the class gives the HTTP status."""

from nousu.engine.messages import Explained, Note, Values


class Refused(Explained):
    """A request the table refuses, with a sentence for the person."""

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
    """The table has gone on since the number the action was decided at."""

    status = 409


class KeyReused(Refused):
    """The same idempotency key came with another action."""

    status = 422


class Unavailable(Refused):
    """The database cannot be written now; nothing was accepted."""

    status = 503
