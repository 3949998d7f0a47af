"""A seat handed to a friend: the person who sits there makes a code, the friend who has it takes the seat.

Both consent by that. A code counts once, for ten minutes, at that table alone; with the seat the friend gets
its cards.
"""

import time

from starlette.requests import Request

from nousu.server.errors import NotYours
from nousu.server.live.input_checks import address
from nousu.server.live.tables import Desk
from nousu.server.people import history
from nousu.server.people.sessions import Session
from nousu.server.table import seating


async def offer(desk: Desk, session: Session, table_id: str) -> str:
    """A code that hands over the seat of this person at that table, in place of any earlier one."""
    await desk.limits.hit("mine", session.id)
    table = (await desk.room(table_id)).table
    seating.check_handing(table, session.id)
    code = history.drawn()
    await desk.store.mine.add_code(_at(table_id, code), session.id, time.time() + history.CODE_LIVES)
    return history.shown(code)


async def giver(desk: Desk, request: Request, table_id: str, code: str) -> tuple[str, str]:
    """Session and name of the person whose seat that code hands over; `NotYours` where it is worth
    nothing."""
    await desk.limits.hit("code", address(request))
    found = await desk.store.mine.code(_at(table_id, history.plain(code)))
    if found is None:
        raise NotYours("This seat is not offered any more. Ask for a new code.")
    session, name = found
    return session, (await desk.room(table_id)).table.name_at(session) or name


async def take(desk: Desk, request: Request, table_id: str, code: str, name: str) -> None:
    """Whoever asks takes the seat that the code hands over."""
    owner, _ = await giver(desk, request, table_id, code)
    room = await desk.room(table_id)
    session = await desk.keep(await desk.session(request), name=name)
    await desk.store.mine.sits(session.id, table_id)
    await room.commit(lambda table, now: seating.hand_over(table, owner, session.id, session.name, now))
    await desk.store.mine.drop_code(_at(table_id, history.plain(code)))


def _at(table_id: str, code: str) -> str:
    return history.hashed(f"seat {table_id} {code}")
