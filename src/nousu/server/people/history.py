"""A person's own tables: in play and finished, results of matches, and their records."""

import asyncio
import contextlib
import io
import json
import time
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nousu.engine.seats import Seat
from nousu.server.errors import RequestError
from nousu.server.people.server import Server
from nousu.server.people.sessions import Session
from nousu.server.storage.people import DeviceRow, SeatRow
from nousu.server.table.record import record
from nousu.server.table.table import Table

MOST = 200
"""Greatest number of tables that are listed and packed, latest first."""
_AT_ONCE = 20
"""Greatest number of finished matches loaded at one visit; their results are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInPlay:
    """A table whose match goes on, or has not begun."""

    id: str
    preset: str
    names: tuple[str, ...]
    hand: int
    """The number of the hand on the table; 0: places are still open."""
    turn: bool
    """True if the table waits for this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedMatch:
    """A finished match of a person."""

    id: str
    at: float
    """The time at which this person joined, in seconds since 1970."""
    preset: str
    names: tuple[str, ...]
    """The names of the others."""
    hands: int
    won: bool
    drawn: bool
    left: bool
    """True if another person had the seat at the end; the hands before count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCount:
    """The finished matches of one game."""

    preset: str
    matches: int
    """Number of matches whose end this person played."""
    won: int
    drawn: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A person's tables and devices."""

    running: tuple[TableInPlay, ...]
    ended: tuple[FinishedMatch, ...]
    counts: tuple[GameCount, ...]
    """Counts by game, the one played most first."""
    waiting: int
    """Number of finished matches not loaded yet: they come at the next visit."""
    devices: tuple[DeviceRow, ...]


async def load_history(server: Server, session: Session) -> History:
    """A person's tables; the results of some finished matches are worked out and stored."""
    await server.limits.hit("mine", session.id)
    people = server.store.people
    rows = [row for row in await people.tables(session.id, MOST) if _is_match(row)]
    running: list[TableInPlay] = []
    ended: list[FinishedMatch] = []
    looked = 0
    for row in rows:
        result = json.loads(row.result) if row.result else None
        if result is None and looked < _AT_ONCE:
            looked += 1
            with contextlib.suppress(RequestError):
                table = (await server.tables.room(row.table_id)).table
                if not table.over:
                    running += _in_play(table, session.id)
                    continue
                result = result_of(table, session.id)
                await people.set_result(session.id, row.table_id, result)
        if result is not None and result.get("hands"):
            ended.append(finished_match(row, result))
    done = sum(bool(row.result) for row in rows) + looked
    return History(
        running=tuple(running),
        ended=tuple(ended),
        counts=counts_by_game(ended),
        waiting=len(rows) - done,
        devices=tuple(await people.devices(session.id)),
    )


def counts_by_game(matches: Sequence[FinishedMatch]) -> tuple[GameCount, ...]:
    """Finished matches counted by game."""
    by_preset: dict[str, list[FinishedMatch]] = defaultdict(list)
    for match in matches:
        by_preset[match.preset.split("+")[0]].append(match)
    counts = [
        GameCount(
            preset=preset,
            matches=sum(not match.left for match in some),
            won=sum(match.won for match in some),
            drawn=sum(match.drawn for match in some),
            hands=sum(match.hands for match in some),
        )
        for preset, some in by_preset.items()
    ]
    return tuple(sorted(counts, key=lambda count: -count.matches))


def _is_match(row: SeatRow) -> bool:
    """Whether a table is a match, and not a hand played on from its middle."""
    return "position" not in json.loads(row.options)


def _in_play(table: Table, session: str) -> tuple[TableInPlay, ...]:
    seat = table.seats.seat_of(session)
    if seat is None:
        return ()
    match = table.match
    turn = match is not None and seat in match.hand.owed()
    number = match.hand.setup.number if match is not None else 0
    names = tuple(name for name in table.seats.names if name)
    return (TableInPlay(id=table.id, preset=table.written, names=names, hand=number, turn=turn),)


def result_of(table: Table, session: str) -> dict[str, object]:
    """The result of a finished match for a person, as it is stored.

    Each hand counts for the holder of the seat at its end; without any hand there is no result.
    """
    played = hands_of(table, session)
    if not played or table.match is None:
        return {"hands": 0}
    match, now = table.match, table.seats.seat_of(session)
    seat = played[max(played)] if now is None else now
    left = now is None
    sides = table.game.sides or len(table.seats)
    return {
        "preset": table.written,
        "names": [name for at, name in enumerate(table.seats.names) if at != seat],
        "hands": len(played),
        "won": not left and seat % sides in (match.winner or ()),
        "drawn": not left and not match.winner,
        "left": left,
    }


def hands_of(table: Table, session: str) -> dict[int, Seat]:
    """The finished hands at whose end this person had a seat: their indices from 1, with that seat."""
    return {
        hand: seat
        for hand in range(1, len(table.finished_hands) + 1)
        for seat in range(len(table.seats))
        if table.seats.holders(seat, hand)[-1] == session
    }


def finished_match(row: SeatRow, result: Mapping[str, object]) -> FinishedMatch:
    """A finished match from its stored result."""
    return FinishedMatch(
        id=row.table_id,
        at=row.since,
        preset=str(result["preset"]),
        names=tuple(map(str, result["names"])) if isinstance(result["names"], list) else (),
        hands=int(str(result["hands"])),
        won=bool(result["won"]),
        drawn=bool(result["drawn"]),
        left=bool(result.get("left")),
    )


async def zip_records(server: Server, session: Session) -> bytes:
    """The records in one ZIP file, each as this person may read it: whole once its match is over."""
    await server.limits.hit("verify", session.id)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for row in await server.store.people.tables(session.id, MOST):
            with contextlib.suppress(RequestError):  # a damaged table must not block the others
                table = (await server.tables.room(row.table_id)).table
                played = table.seats.seat_of(session.id) is not None or hands_of(table, session.id)
                if played and table.match is not None:
                    day = time.strftime("%Y-%m-%d", time.gmtime(row.since))
                    text = await asyncio.to_thread(record, table, session.id)
                    file.writestr(f"{day} {row.table_id}.nousu", text)
    return out.getvalue()
