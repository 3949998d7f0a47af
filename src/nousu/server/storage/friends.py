"""Rows of people who have finished a hand together; each pair is listed from both ends, or not at all."""

import time
from collections.abc import Collection, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nousu.ids import new_id
from nousu.server.storage.rows import Rows, insert_into
from nousu.server.storage.schema import daily, friends, sessions, standing, standing_people, unlisted


class FriendRow(NamedTuple):
    """A person on another's list."""

    id: str
    """Names the row on pages; it says nothing of the person."""
    session: str
    name: str
    hands: int
    last: float
    """The end of the last hand, in seconds since 1970."""
    preset: str
    seen: str
    """Table and number of the last hand."""


class SharedHand(NamedTuple):
    """A finished hand of two people or more."""

    people: Sequence[str]
    """Their sessions."""
    preset: str
    """The rules."""
    seen: str
    """Table and number of the hand."""


@cache
def _one_hand_more(dialect: str) -> sa.Insert:
    # Built once: SQLAlchemy leaves hundreds of objects in cycles for each statement with `excluded`.
    insert = insert_into(friends, dialect)
    changed = {name: insert.excluded[name] for name in ("last", "preset", "seen")}
    return insert.on_conflict_do_update(
        index_elements=["session", "other"],
        set_={"hands": friends.c.hands + 1, **changed},
        where=friends.c.seen != insert.excluded.seen,
    )


class FriendRows(Rows):
    """The lists of all people."""

    async def add_hands(self, hands: Collection[SharedHand]) -> None:
        """Note that people have finished hands together; those who are on no list are left out.

        Args:
            hands: The hands; one that was noted last counts once.
        """
        people = {person for hand in hands for person in hand.people}
        async with self._write() as connection:
            wanted = sa.select(unlisted.c.session).where(unlisted.c.session.in_(people))
            off = set((await connection.execute(wanted)).scalars())
            now = time.time()
            rows = [
                {"session": person, "other": other, "id": new_id(12), "hands": 1}
                | {"last": now, "preset": hand.preset, "seen": hand.seen}
                for hand in hands
                for person, other in permutations(hand.people, 2)
                if not {person, other} & off
            ]
            # In one order, for servers that share a database lock each other's rows otherwise.
            rows.sort(key=lambda row: (row["session"], row["other"]))
            if rows:
                await connection.execute(_one_hand_more(connection.dialect.name), rows)

    async def of(self, session: str) -> Sequence[FriendRow]:
        """A person's list, the latest first."""
        wanted = (
            sa.select(
                *(friends.c.id, friends.c.other, sessions.c.name, friends.c.hands),
                *(friends.c.last, friends.c.preset, friends.c.seen),
            )
            .join(sessions, sessions.c.id == friends.c.other)
            .where(friends.c.session == session)
            .order_by(friends.c.last.desc(), friends.c.other)
        )
        async with self._read() as connection:
            return [FriendRow(*row) for row in (await connection.execute(wanted)).all()]

    async def take_off(self, session: str, id: str) -> None:
        """Take a person off a list, and its owner off theirs."""
        async with self._write() as connection:
            mine = sa.and_(friends.c.session == session, friends.c.id == id)
            other = (await connection.execute(sa.select(friends.c.other).where(mine))).scalar()
            ends = sa.or_(
                sa.and_(friends.c.session == session, friends.c.other == other),
                sa.and_(friends.c.session == other, friends.c.other == session),
            )
            await connection.execute(friends.delete().where(ends))

    async def is_remembered(self, session: str) -> bool:
        """Whether a person may stand on lists."""
        async with self._read() as connection:
            wanted = sa.select(unlisted.c.session).where(unlisted.c.session == session)
            return (await connection.execute(wanted)).first() is None

    async def remember(self, session: str, on: bool) -> None:
        """Let a person stand on lists from now on, or on none: then both ends of all pairs go."""
        async with self._write() as connection:
            await connection.execute(unlisted.delete().where(unlisted.c.session == session))
            if not on:
                await connection.execute(unlisted.insert().values(session=session))
                both = sa.or_(friends.c.session == session, friends.c.other == session)
                await connection.execute(friends.delete().where(both))


async def forget_ties(connection: AsyncConnection, gone: Any) -> None:
    """Delete what ties sessions to others, from both ends: lists, standing tables, daily answers."""
    owned = sa.select(standing.c.id).where(standing.c.owner.in_(gone))
    await connection.execute(standing_people.delete().where(standing_people.c.standing.in_(owned)))
    await connection.execute(standing.delete().where(standing.c.owner.in_(gone)))
    for table in (standing_people, daily, friends, unlisted):
        await connection.execute(table.delete().where(table.c.session.in_(gone)))
    await connection.execute(friends.delete().where(friends.c.other.in_(gone)))
