"""The cookies of this server, read by one bounded pattern and written by one function.

Nothing else may look into a Cookie header: the standard library's parser takes quadratic time for backslashes
between quotes (CVE-2024-7592), and a browser never needs more of it than names and plain words.
"""

import re
from collections.abc import Iterable, Mapping

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""A session's token: 128 random bits in letters."""
LIMIT = 4096
"""Letters of a Cookie header of a request; longer ones are refused unread."""
LOOKS = tuple(
    f"nousu_{name}"
    for name in ("theme", "four", "cards", "order", "taps", "forced", "motion", "sound", "buzz")
)
"""The cookies of the display preferences; scripts of the pages write them too."""
_SESSION = "nousu"
_LOCKED = "__Host-nousu"
"""The session's name over https: browsers take a cookie of that name from this very host alone."""
_HALL = "nousu_hall"
_LOCKED_HALL = "__Secure-nousu_hall"
"""The key of a link to a tournament, sent to the pages of that tournament alone."""
_YEAR = 365 * 86400
_NAMES = "|".join((_SESSION, _LOCKED, _HALL, _LOCKED_HALL, *LOOKS))
_PAIR = re.compile(rf"(?:^|;)[ \t]*({_NAMES})=([A-Za-z0-9_-]{{1,64}})(?=[ \t]*(?:;|$))")


def read(lines: Iterable[str]) -> Mapping[str, str]:
    """The cookies of this server among Cookie headers, by name; the first one where a name comes twice.

    A value that is not a plain word is none of ours.
    """
    values: dict[str, str] = {}
    for line in lines:
        if len(line) <= LIMIT:
            for name, value in _PAIR.findall(line):
                values.setdefault(name, value)
    return values


def token(lines: Iterable[str], secure: bool) -> str:
    """The session token among Cookie headers; empty where there is none.

    `secure`: the request came over https.
    """
    value = read(lines).get(_LOCKED if secure else _SESSION, "")
    return value if TOKEN.fullmatch(value) else ""


def session_cookie(token: str, secure: bool) -> str:
    """The Set-Cookie header of a session. Lax, so that a link from a chat finds its person's seat."""
    name, more = (_LOCKED, "; Secure") if secure else (_SESSION, "")
    return f"{name}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{more}"


def expired_cookies(secure: bool) -> list[str]:
    """The Set-Cookie headers that delete the session and the preferences in a browser."""
    gone = "Path=/; Max-Age=0; SameSite=Lax" + ("; Secure" if secure else "")
    return [f"{name}=; {gone}" for name in (_LOCKED if secure else _SESSION, *LOOKS)]


def hall_key(lines: Iterable[str], secure: bool) -> str:
    """The key of a link to a tournament among Cookie headers; empty where there is none."""
    return read(lines).get(_LOCKED_HALL if secure else _HALL, "")


def hall_cookie(key: str, path: str, secure: bool) -> str:
    """The Set-Cookie header that stores the key of a link for the pages below `path`.

    An empty key deletes it.
    """
    name, more = (_LOCKED_HALL, "; Secure") if secure else (_HALL, "")
    age = _YEAR if key else 0
    return f"{name}={key}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{more}"
