"""Who comes to a tournament, and by what right: a link, kept in a cookie of that tournament alone."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from nousu.server.http.rate_limits import client_key
from nousu.server.people import cookies
from nousu.tournament.links import link_of
from nousu.tournament.model import ROLES, Chair, Tournament

NOBODY = "nobody"
"""The role of whoever has no link (any more)."""
DIRECTION = frozenset({"direction"})
OFFICE = frozenset({"direction", "entry"})
HALL = frozenset(ROLES)
EVERYBODY = HALL | {NOBODY}


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has come."""

    role: str = NOBODY
    who: str = ""
    """The name on the link; what this person does is signed with it."""
    entry: int = 0
    """The entry of the link."""
    address: str = "unknown"
    key: str = ""
    """The key of the slip that a player at its table holds."""
    number: int = 0
    """Who of that table this is; 0: not said yet."""
    chair: Chair | None = None
    """Whose personal link it is: (id of the entrant, member)."""

    @property
    def may_enter(self) -> bool:
        """Whether this person enters and confirms slips."""
        return self.role in OFFICE

    @property
    def directs(self) -> bool:
        """Whether this person is the direction."""
        return self.role in DIRECTION


def path_of(name: str) -> str:
    """Where the pages of a tournament begin."""
    return f"/tournament/{name}"


def guest_of(request: HTTPConnection, state: Tournament) -> Guest:
    """The person asking, by the link kept in the cookie."""
    address = client_key(request.client.host) if request.client is not None else "unknown"
    secure = request.url.scheme == "https"
    link = link_of(state, cookies.tournament_key(request.headers.getlist("cookie"), secure))
    if link is None:
        return Guest(address=address)
    return Guest(link.role, link.who, link.entry, address)


def outranks(one: str, other: str) -> bool:
    """Whether a role may do more than another."""
    return one in ROLES and (other not in ROLES or ROLES.index(one) < ROLES.index(other))
