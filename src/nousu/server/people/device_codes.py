"""Codes by which a person's further device, or a new one after a loss, gets their session.

Codes are single-use. A device code is valid for ten minutes; a recovery code, to be written down, for as long
as the session of a person who never comes.
"""

import secrets
import time

from starlette.requests import Request

from nousu.engine.messages import sentence
from nousu.server.errors import NotYours
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, address_of, hash_token

CODE_LIVES = 600.0
"""Seconds for which a device code is valid."""
RECOVERY_LIVES = 400 * 86400.0
"""Seconds for which a recovery code is valid."""
LONGEST = 40
"""Greatest number of letters read of a typed code."""
_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters of codes, without those that look alike."""
_NOT_VALID = sentence("This code is not valid: it works once, within ten minutes. Ask for a new one.")
_CODE, _RECOVERY = 8, 24
"""Letters of a device code, and of a recovery code: 118 bits."""


async def new_code(server: Server, session: Session) -> str:
    """A new device code, in place of any earlier one."""
    return await _add_code(server, session, random_code(), CODE_LIVES)


async def new_recovery_code(server: Server, session: Session) -> str:
    """A new recovery code, in place of any earlier one."""
    return await _add_code(server, session, random_code(_RECOVERY), RECOVERY_LIVES)


async def _add_code(server: Server, session: Session, code: str, lives: float) -> str:
    await server.limits.hit("mine", session.id)
    await server.store.people.add_code(hash_token(code), session.id, time.time() + lives)
    return format_code(code)


async def owner_name(server: Server, request: Request, code: str) -> str:
    """The name of a code's owner; `NotYours` for a code that is not valid."""
    return (await _owner(server, request, hash_token(parse_code(code))))[1]


async def redeem(server: Server, request: Request, code: str) -> None:
    """Give the device of a request the owner's session; the answer sets its cookie. `NotYours` as above."""
    token, id = secrets.token_urlsafe(16), hash_token(parse_code(code))
    session, _ = await _owner(server, request, id)
    if not await server.store.people.redeem(id, hash_token(token)):
        raise NotYours(_NOT_VALID)
    if request.state.token:
        old = hash_token(request.state.token)
        await server.store.subscriptions.move(old, hash_token(token), session)
    request.state.token = token
    request.state.new_token = token


async def _owner(server: Server, request: Request, id: str) -> tuple[str, str]:
    """Session and name of the owner of a code; `NotYours` for a code that is not valid."""
    await server.limits.hit("code", address_of(request))
    owner = await server.store.people.code(id)
    if owner is None:
        raise NotYours(_NOT_VALID)
    return owner


async def sign_out_devices(server: Server, session: Session) -> None:
    """Invalidate a person's open codes and all devices that used one."""
    await server.store.people.drop_codes(session.id)
    await server.store.people.drop_devices(session.id)
    server.sessions.cut(session)


def random_code(letters: int = _CODE) -> str:
    """A new code of this many letters."""
    return "".join(secrets.choice(_LETTERS) for _ in range(letters))


def format_code(code: str) -> str:
    """A code in groups of four letters."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def parse_code(text: str) -> str:
    """The code in a text as a person typed it."""
    return "".join(letter for letter in text.upper() if letter in _LETTERS)
