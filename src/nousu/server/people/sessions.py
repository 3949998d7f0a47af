"""Sessions: who a browser or a program is, by the token that it keeps."""

from dataclasses import dataclass
from hashlib import sha256

from starlette.requests import HTTPConnection

from nousu.i18n import best_language
from nousu.server.errors import NotYours
from nousu.server.storage.store import SessionRow
from nousu.server.table import shuffle


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
    """SHA-256 of the secret of the next table this session opens. It is fixed before the person promises
    a share, so that nobody can choose one to fit the other."""


def check_session(session: Session) -> None:
    """Refuse a visitor without a session: places that are nobody's have none either."""
    if not session.id:
        raise NotYours("You are watching; only those who sit at the table may act.")


def hashed(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def session_of(row: SessionRow, request: HTTPConnection) -> Session:
    """The session of a row; its language is what the browser likes best until the person has chosen one."""
    lang = row.lang or best_language(request.headers.get("accept-language"))
    return Session(row.id, row.name, lang, shuffle.commitment(row.secret))
