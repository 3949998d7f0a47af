"""Codes by which a player hands their seat to a friend.

Creating and entering the code is the consent. Codes are single-use, valid for ten minutes, at that table
alone; with the seat the friend gets its cards.
"""

import time

from starlette.requests import Request

from nousu.server.errors import NotYours
from nousu.server.people.device_codes import CODE_LIVES, format_code, parse_code, random_code
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session, address_of, hash_token
from nousu.server.table import seating


async def offer(server: Server, session: Session, table_id: str) -> str:
    """A new code for the seat of this person at a table, in place of any earlier one."""
    await server.limits.hit("mine", session.id)
    table = (await server.tables.room(table_id)).table
    seating.check_handover(table, session.id)
    code = random_code()
    await server.store.people.add_code(_key(table_id, code), session.id, time.time() + CODE_LIVES)
    return format_code(code)


async def giver(server: Server, request: Request, table_id: str, code: str) -> tuple[str, str]:
    """Session and name of the person whose seat a code hands over.

    `NotYours` for a code that is not valid.
    """
    await server.limits.hit("code", address_of(request))
    owner = await server.store.people.code(_key(table_id, parse_code(code)))
    if owner is None:
        raise NotYours("This seat is not offered any more. Ask for a new code.")
    session, name = owner
    return session, (await server.tables.room(table_id)).table.seats.name_of(session) or name


async def take(server: Server, request: Request, table_id: str, code: str, name: str) -> None:
    """Give the sender of a request the seat that a code hands over."""
    owner, _ = await giver(server, request, table_id, code)
    session = await server.sessions.update(await server.sessions.ensure(request), name=name)
    await server.actions.take_handed(table_id, owner, session)
    await server.store.people.drop_code(_key(table_id, parse_code(code)))


def _key(table_id: str, code: str) -> str:
    return hash_token(f"seat {table_id} {code}")
