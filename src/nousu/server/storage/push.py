"""Rows of push subscriptions, and the server's key."""

from typing import NamedTuple

import sqlalchemy as sa

from nousu.server.storage.rows import Rows, insert_into
from nousu.server.storage.schema import keys, sessions, subscriptions

MOST = 5
"""Greatest number of browsers of one person."""


class Subscription(NamedTuple):
    """A browser that gets push notifications."""

    id: str
    """SHA-256 of its address at the push service, in hex."""
    session: str
    device: str
    """SHA-256 of the token it came with, in hex."""
    lang: str
    """The language of the page it was asked for on."""
    endpoint: str
    p256dh: str
    auth: str
    created: float
    """The time, in seconds since 1970."""


class Subscriptions(Rows):
    """The push subscriptions, and the keys of the server."""

    async def key(self, name: str, new: bytes) -> bytes:
        """The key of that name, the same for all processes on the database.

        `new` is stored where there is none.
        """
        async with self._write() as connection:
            insert = insert_into(keys, connection.dialect.name).values(name=name, value=new)
            await connection.execute(insert.on_conflict_do_nothing())
            wanted = sa.select(keys.c.value).where(keys.c.name == name)
            return bytes((await connection.execute(wanted)).scalar_one())

    async def sessions(self) -> set[str]:
        """The sessions with subscriptions."""
        async with self._read() as connection:
            return set((await connection.execute(sa.select(subscriptions.c.session).distinct())).scalars())

    async def add(self, row: Subscription) -> None:
        """Store a subscription in place of an earlier one of the browser.

        A person keeps the `MOST` newest.
        """
        mine = subscriptions.c.session == row.session
        newest = sa.select(subscriptions.c.id).where(mine).order_by(subscriptions.c.created.desc())
        async with self._write() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.id == row.id))
            await connection.execute(subscriptions.insert().values(**row._asdict()))
            kept = list((await connection.execute(newest.limit(MOST))).scalars())
            await connection.execute(subscriptions.delete().where(mine, subscriptions.c.id.not_in(kept)))

    async def of(self, session: str) -> list[tuple[Subscription, str]]:
        """A person's subscriptions, each with the language for it."""
        wanted = (
            sa.select(subscriptions, sessions.c.lang.label("chosen"))
            .join(sessions, sessions.c.id == subscriptions.c.session)
            .where(subscriptions.c.session == session)
        )
        async with self._read() as connection:
            rows = [dict(row) for row in (await connection.execute(wanted)).mappings()]
        languages = [row.pop("chosen") for row in rows]
        return [(Subscription(**row), lang or row["lang"]) for row, lang in zip(rows, languages, strict=True)]

    async def has(self, id: str, session: str) -> bool:
        """Whether a subscription is a person's."""
        this = sa.and_(subscriptions.c.id == id, subscriptions.c.session == session)
        async with self._read() as connection:
            wanted = sa.select(subscriptions.c.id).where(this)
            return (await connection.execute(wanted)).first() is not None

    async def drop(self, id: str) -> None:
        """Delete a subscription."""
        async with self._write() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.id == id))

    async def move(self, device: str, new: str, session: str) -> None:
        """Give the subscription of a device to another token, of that person."""
        this = subscriptions.c.device == device
        async with self._write() as connection:
            await connection.execute(subscriptions.update().where(this).values(device=new, session=session))
