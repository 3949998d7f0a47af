"""Cookies of the server: parsed by one bounded pattern, and written here alone.

No other code may parse a Cookie header: the standard library's parser takes quadratic time for backslashes
between quotes (CVE-2024-7592), and a browser never needs more of it than names and plain words.
"""

import re
from collections.abc import Iterable, Mapping

TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}")
"""Pattern of a session token: 128 random bits in base64."""
MAX_LENGTH = 4096
"""Greatest number of characters of a request's Cookie headers; longer ones are not parsed."""
PREFERENCES = tuple(
    f"nousu_{name}"
    for name in ("theme", "four", "cards", "order", "taps", "forced", "motion", "sound", "buzz")
)
"""Cookies with the preferences of pages; scripts of the pages write them too."""
_SESSION = "nousu"
_SECURE_SESSION = "__Host-nousu"
"""The session cookie over https: browsers accept a cookie of that name from this very host alone."""
_TOURNAMENT = "nousu_hall"
_SECURE_TOURNAMENT = "__Secure-nousu_hall"
"""The key of a link to a tournament, sent to the pages of that tournament alone."""
_YEAR = 365 * 86400
_NAMES = "|".join((_SESSION, _SECURE_SESSION, _TOURNAMENT, _SECURE_TOURNAMENT, *PREFERENCES))
_PAIR = re.compile(rf"(?:^|;)[ \t]*({_NAMES})=([A-Za-z0-9_-]{{1,64}})(?=[ \t]*(?:;|$))")


def parse(headers: Iterable[str]) -> Mapping[str, str]:
    """The cookies of this server among Cookie headers, by name; the first one where a name comes twice."""
    values: dict[str, str] = {}
    for header in headers:
        if len(header) <= MAX_LENGTH:
            for name, value in _PAIR.findall(header):
                values.setdefault(name, value)
    return values


def session_token(headers: Iterable[str], secure: bool) -> str:
    """The session token among Cookie headers, else an empty text. `secure`: the request came over https."""
    token = parse(headers).get(_SECURE_SESSION if secure else _SESSION, "")
    return token if TOKEN_PATTERN.fullmatch(token) else ""


def session_cookie(token: str, secure: bool) -> str:
    """The Set-Cookie header of a session. Lax, so that a link from a chat finds the seat of its user."""
    name, more = (_SECURE_SESSION, "; Secure") if secure else (_SESSION, "")
    return f"{name}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{more}"


def deletions(secure: bool) -> list[str]:
    """The Set-Cookie headers that delete the session and the preferences from a browser."""
    ended = "Path=/; Max-Age=0; SameSite=Lax" + ("; Secure" if secure else "")
    return [f"{name}=; {ended}" for name in (_SECURE_SESSION if secure else _SESSION, *PREFERENCES)]


def tournament_key(headers: Iterable[str], secure: bool) -> str:
    """The key of a link to a tournament among Cookie headers, else an empty text."""
    return parse(headers).get(_SECURE_TOURNAMENT if secure else _TOURNAMENT, "")


def tournament_cookie(key: str, path: str, secure: bool) -> str:
    """The Set-Cookie header with the key of a link for the pages below `path`; an empty key deletes it."""
    name, more = (_SECURE_TOURNAMENT, "; Secure") if secure else (_TOURNAMENT, "")
    age = _YEAR if key else 0
    return f"{name}={key}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{more}"
