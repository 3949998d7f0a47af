"""The cookies of this server, read by one bounded pattern and written by one function.

Nothing else may look into a Cookie header: the standard library's parser takes quadratic time for backslashes
between quotes (CVE-2024-7592), and a browser never needs more of it than names and plain words.
"""

import re
from collections.abc import Iterable, Mapping

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""A session's token: 128 random bits in letters."""
LIMIT = 4096
"""Letters of all Cookie headers of a request; longer ones are refused unread."""
LOOKS = ("nousu_theme", "nousu_four")
"""The cookies in which pages keep how they look; scripts of the pages write them too."""
_SESSION = "nousu"
_LOCKED = "__Host-nousu"
"""The session's name over https: browsers take a cookie of that name from this very host alone."""
_YEAR = 365 * 86400
_PAIR = re.compile(
    rf"(?:^|;)[ \t]*({'|'.join((_SESSION, _LOCKED, *LOOKS))})=([A-Za-z0-9_-]{{1,64}})(?=[ \t]*(?:;|$))"
)


def read(lines: Iterable[str]) -> Mapping[str, str]:
    """The cookies of ours among Cookie headers, by name; the first one where a name comes twice. Whatever is
    not a plain word is not ours."""
    found: dict[str, str] = {}
    for line in lines:
        if len(line) <= LIMIT:
            for name, value in _PAIR.findall(line):
                found.setdefault(name, value)
    return found


def token(lines: Iterable[str], secure: bool) -> str:
    """The session token among Cookie headers; empty where there is none. `secure`: the request came over
    https."""
    found = read(lines).get(_LOCKED if secure else _SESSION, "")
    return found if TOKEN.fullmatch(found) else ""


def session(token: str, secure: bool) -> str:
    """The Set-Cookie header of a session. Lax, so that a link from a chat finds its person's seat."""
    name, more = (_LOCKED, "; Secure") if secure else (_SESSION, "")
    return f"{name}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{more}"
