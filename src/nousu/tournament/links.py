"""Links to a tournament: those in force, and the keys printed on paper and shown on screens.

The log keeps a fingerprint of every link's secret. A link that only one person gets (direction, entry)
carries the secret itself. The key of a public link (the phones of a table, the projector, everybody) is
computed from the fingerprint, so that it can be shown and printed again at any time; its only right is to
write a slip that a second person must confirm. Revoking a link ends both.
"""

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache

from nousu.tournament.model import Chair, Link, Tournament
from nousu.tournament.office import SHOWN, holder

_EDGES = {"-": "a", "_": "A"}
"""Replacements at the ends of a key for the signs that chat programs leave out of links."""


def key_of(link: Link) -> str:
    """The key in the address of a link that may be shown."""
    assert link.role in SHOWN
    return _key_for(link, link.role)


def link_of(state: Tournament, key: str) -> Link | None:
    """The link in force that a key belongs to: a secret, or a key that may be shown."""
    if not key or not key.isascii():
        return None
    found = holder(state, key)
    if found is not None:
        return found
    shown = [link for link in state.links.values() if link.role in SHOWN]
    return next((link for link in shown if _is_made(link, link.role, key)), None)


def shown_link(state: Tournament, role: str) -> Link | None:
    """The first link of a role in force."""
    return next((link for link in state.links.values() if link.role == role), None)


def slip_key(state: Tournament, table: str) -> str:
    """The key on the slip of a table, beside its plan's number.

    A holder of the paper (or of a photograph) may enter this slip and no other. Empty where phones are not
    let in.
    """
    link = shown_link(state, "table")
    return _key_for(link, f"slip {table}/{state.plans.get(table, 0)}") if link is not None else ""


def slip_link(state: Tournament, table: str, key: str) -> Link | None:
    """The link that makes a slip's key valid, for the plan in force."""
    if not key or not key.isascii():
        return None
    for link in state.links.values():
        if link.role == "table" and _is_made(link, f"slip {table}/{state.plans.get(table, 0)}", key):
            return link
    return None


def person_key(state: Tournament, one: Chair) -> str:
    """The key of a person's link, (id of the entrant, member).

    It leads to their seats and nowhere else, and is valid until they get a new one. Empty where phones are
    not let in.
    """
    link = shown_link(state, "table")
    return _key_for(link, _person(state, one)) if link is not None else ""


def person_keys(state: Tournament) -> dict[str, tuple[Link, Chair]]:
    """The personal keys in force, with their owners: (id of the entrant, member)."""
    return {
        made(link, _person(state, (entrant.id, member))): (link, (entrant.id, member))
        for made in (_digest, _key_for)
        for link in reversed([*state.links.values()])
        if link.role == "table"
        for entrant in state.active()
        for member in range(len(entrant.members))
    }


def _person(state: Tournament, one: Chair) -> str:
    return f"person {one[0]}.{one[1]}/{state.renewed.get(one, 0)}"


def _key_for(link: Link, about: str) -> str:
    """The key for a subject, of signs that stand in any address, with a letter or digit at both ends."""
    key = _digest(link, about)
    return _EDGES.get(key[0], key[0]) + key[1:-1] + _EDGES.get(key[-1], key[-1])


def _is_made(link: Link, about: str, key: str) -> bool:
    """Whether that is the key for a subject, as it is written now or was printed by earlier versions."""
    return any(secrets.compare_digest(made(link, about), key) for made in (_key_for, _digest))


def _digest(link: Link, about: str) -> str:
    return _key_from_secret(link.key, about)


@lru_cache(maxsize=1 << 16)
def _key_from_secret(secret: str, about: str) -> str:
    """A key computed from a secret; cached, as the same keys are needed after every entry."""
    digest = hmac.new(secret.encode(), f"nousu {about}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:15]).decode()
