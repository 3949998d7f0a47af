"""What pages may ask of the server behind them; `nousu.server.desk.Desk` answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import HTTPConnection

from nousu.engine.notes import Explained, Note, Values
from nousu.engine.seats import Seat
from nousu.server.seen import HandSeen, Seen


@dataclass(frozen=True, slots=True)
class Session:
    """A browser (or a program) that came with a session, or has just been given one. Cookies are set and
    renewed by the server around the pages; a page never touches them."""

    id: str
    """SHA-256 of the token, in hex: the token itself is nowhere kept."""
    name: str
    """What this person was called last; empty at first."""
    lang: str
    """The language of the pages: chosen by the person, else what the browser likes best."""
    commitment: str
    """SHA-256 of the secret of the next table this session opens. It is fixed before the person sends
    `chance`, so that nobody can choose one to fit the other."""


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


class Deps(Protocol):
    """The server as pages see it. Every method raises a `Refused` with a sentence for the person."""

    async def session(self, request: HTTPConnection) -> Session:
        """Who asks; a new session is made (and its cookie set) where there was none."""
        ...

    async def keep(self, session: Session, name: str | None = None, lang: str | None = None) -> Session:
        """Remember a name or a language for this session."""
        ...

    def players(self) -> Sequence[str]:
        """Names of the computer players that may be asked to sit down."""
        ...

    async def new_table(
        self,
        preset_text: str,
        name: str,
        lang: str,
        players: Sequence[str],
        options: Mapping[str, str],
        *,
        session: Session | None = None,
        chance: str = "",
    ) -> str:
        """Open a table and sit its first person down; the new table's id. `preset_text` is
        ``preset+option=value``; `players` are the other places in order: a computer player's name, or
        ``open`` for a person who comes by the link. `options` are the table's own: ``window`` (seconds for
        interrupts, "2"), ``pace`` (seconds a computer player takes for a card). `chance` is the person's
        share of the shuffle, 32 to 64 hexadecimal digits. `BadRules` names a wrong rule option."""
        ...

    async def seen(self, table_id: str, session: Session | None) -> Seen:
        """The table as this session may see it (None: a spectator)."""
        ...

    async def hand(self, table_id: str, session: Session | None, index: int) -> tuple[Seen, HandSeen]:
        """A finished hand, by its place among the finished hands (from 1)."""
        ...

    async def act(self, table_id: str, session: Session, text: str, seq: int, key: str) -> int:
        """Do an action (``play H9``) or, with text ``next``, ask for the next hand; the number of the event
        it became, on disk. Raises `IllegalAction` or a `Refused`."""
        ...

    async def join(self, table_id: str, session: Session, name: str, chance: str = "") -> Seat | None:
        """Take the first open place. The seat, once seats are drawn."""
        ...

    async def leave(self, table_id: str, session: Session) -> None:
        """Leave the table; a computer player plays on until this person comes back."""
        ...

    async def fill(self, table_id: str, session: Session, player: str) -> None:
        """Give all places that are still open to a computer player ("play now")."""
        ...
