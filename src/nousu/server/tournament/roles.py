"""Roles of visitors of a tournament, given by a link that a cookie of that tournament stores."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

from nousu.server.http.rate_limits import client_key
from nousu.server.people import cookies
from nousu.server.people.sessions import address_of
from nousu.tournament.links import link_of
from nousu.tournament.model import ROLES, Chair, Tournament

NOBODY = "nobody"
"""Role of a visitor without a valid link."""
DIRECTION = frozenset({"direction"})
OFFICE = frozenset({"direction", "entry"})
LINK_HOLDERS = frozenset(ROLES)
EVERYBODY = LINK_HOLDERS | {NOBODY}


@dataclass(frozen=True, slots=True)
class Guest:
    """A visitor of a tournament."""

    role: str = NOBODY
    who: str = ""
    """Name on the link; it signs the visitor's entries."""
    entry: int = 0
    """Log entry of the link."""
    address: str = "unknown"
    key: str = ""
    """Key of the slip, for a player at its table."""
    number: int = 0
    """Number of that player; 0: not chosen yet."""
    chair: Chair | None = None
    """Owner of a personal link: (id of the entrant, member)."""

    @property
    def may_enter(self) -> bool:
        """Whether the visitor enters and confirms slips."""
        return self.role in OFFICE

    @property
    def directs(self) -> bool:
        """Whether the visitor is the direction."""
        return self.role in DIRECTION


def path_of(name: str) -> str:
    """Address of a tournament."""
    return f"/tournament/{name}"


def guest_of(request: HTTPConnection, state: Tournament) -> Guest:
    """The visitor, by the link in the cookie."""
    address = client_key(address_of(request))
    secure = request.url.scheme == "https"
    link = link_of(state, cookies.tournament_key(request.headers.getlist("cookie"), secure))
    if link is None:
        return Guest(address=address)
    return Guest(link.role, link.who, link.entry, address)


def set_link_cookie(response: Response, request: HTTPConnection, path: str, key: str) -> None:
    """Store the key of a link in the browser, for the pages below `path`; an empty key deletes it."""
    secure = request.url.scheme == "https"
    response.headers.append("set-cookie", cookies.tournament_cookie(key, path, secure))


def outranks(one: str, other: str) -> bool:
    """Whether a role has more rights than another."""
    return one in ROLES and (other not in ROLES or ROLES.index(one) < ROLES.index(other))
