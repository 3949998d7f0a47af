"""What is a person's own: tables in play and finished, how the matches ended, records, further devices."""

import asyncio
import contextlib
import io
import json
import secrets
import time
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from starlette.requests import Request

from nousu.engine.seats import Seat
from nousu.server.errors import NotYours, RequestError
from nousu.server.live.input_checks import address
from nousu.server.live.tables import Desk
from nousu.server.people.sessions import Session
from nousu.server.storage.people import DeviceRow, SeatRow
from nousu.server.table.table import Table

MOST = 200
"""So many tables are listed and packed, those of late first."""
_AT_ONCE = 20
"""So many finished matches are looked into at one visit; what was found is kept."""
CODE_LIVES = 600.0
"""Seconds for which a code for another device counts."""
_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are made of: nothing that is mistaken for something else."""
_CODE, _RECOVERY = 8, 24
"""Letters of a code for now, and of one that is kept: 118 bits."""
RECOVERY_LIVES = 400 * 86400.0
"""Seconds for which a recovery code counts: as long as a person who never comes is remembered."""
LONGEST = 40
"""Letters that are read of a code as it was typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A table whose match goes on, or has not begun."""

    id: str
    preset: str
    names: tuple[str, ...]
    hand: int
    """The number of the hand on the table; 0: places are still open."""
    turn: bool
    """It waits for this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A finished match."""

    id: str
    at: float
    """When this person came to it, seconds since 1970."""
    preset: str
    names: tuple[str, ...]
    """The others."""
    hands: int
    won: bool
    drawn: bool
    left: bool
    """Somebody else had the seat at the end; the hands before count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The finished matches of one game."""

    preset: str
    matches: int
    """Those whose end this person played."""
    won: int
    drawn: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """All of it."""

    running: tuple[Running, ...]
    ended: tuple[Ended, ...]
    counts: tuple[Count, ...]
    """By game, the one played most first."""
    waiting: int
    """Finished matches not looked into yet: they come at the next visit."""
    devices: tuple[DeviceRow, ...]


async def gathered(desk: Desk, session: Session) -> Mine:
    """What is this person's."""
    await desk.limits.hit("mine", session.id)
    rows = [row for row in await desk.store.mine.tables(session.id, MOST) if _counts(row)]
    running: list[Running] = []
    ended: list[Ended] = []
    looked = 0
    for row in rows:
        result = json.loads(row.result) if row.result else None
        if result is None and looked < _AT_ONCE:
            looked += 1
            with contextlib.suppress(RequestError):
                table = (await desk.room(row.table_id)).table
                if not table.over:
                    running += _running(table, session.id)
                    continue
                result = result_of(table, session.id)
                await desk.store.mine.keep_result(session.id, row.table_id, result)
        if result is not None and result.get("hands"):
            ended.append(ended_of(row, result))
    done = sum(bool(row.result) for row in rows) + looked
    return Mine(
        running=tuple(running),
        ended=tuple(ended),
        counts=counted(ended),
        waiting=len(rows) - done,
        devices=tuple(await desk.store.mine.devices(session.id)),
    )


def counted(ended: Sequence[Ended]) -> tuple[Count, ...]:
    """Matches by game."""
    by: dict[str, list[Ended]] = defaultdict(list)
    for one in ended:
        by[one.preset.split("+")[0]].append(one)
    found = [
        Count(
            preset=preset,
            matches=sum(not one.left for one in some),
            won=sum(one.won for one in some),
            drawn=sum(one.drawn for one in some),
            hands=sum(one.hands for one in some),
        )
        for preset, some in by.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.matches))


def _counts(row: SeatRow) -> bool:
    """A hand played on from its middle is no match."""
    return "position" not in json.loads(row.options)


def _running(table: Table, session: str) -> tuple[Running, ...]:
    seat = table.seat_of(session)
    if seat is None:
        return ()
    match = table.match
    turn = match is not None and seat in match.hand.owed()
    number = match.hand.setup.number if match is not None else 0
    names = tuple(name for name in table.names if name)
    return (Running(id=table.id, preset=table.written, names=names, hand=number, turn=turn),)


def result_of(table: Table, session: str) -> dict[str, object]:
    """How a finished match ended for a person. Each hand counts for whoever had the seat at its end; who had
    it at the end of none has nothing."""
    played = hands_of(table, session)
    if not played or table.match is None:
        return {"hands": 0}
    match, now = table.match, table.seat_of(session)
    seat = played[max(played)] if now is None else now
    left = now is None
    sides = table.game.sides or len(table.places)
    return {
        "preset": table.written,
        "names": [name for at, name in enumerate(table.names) if at != seat],
        "hands": len(played),
        "won": not left and seat % sides in (match.winner or ()),
        "drawn": not left and not match.winner,
        "left": left,
    }


def hands_of(table: Table, session: str) -> dict[int, Seat]:
    """The finished hands at whose end this person had a seat, by their places from 1, with that seat."""
    return {
        hand: seat
        for hand in range(1, len(table.finished) + 1)
        for seat in range(len(table.places))
        if table.holders(seat, hand)[-1] == session
    }


def ended_of(row: SeatRow, result: Mapping[str, object]) -> Ended:
    """A finished match as it was kept."""
    return Ended(
        id=row.table_id,
        at=row.since,
        preset=str(result["preset"]),
        names=tuple(map(str, result["names"])) if isinstance(result["names"], list) else (),
        hands=int(str(result["hands"])),
        won=bool(result["won"]),
        drawn=bool(result["drawn"]),
        left=bool(result.get("left")),
    )


async def records(desk: Desk, session: Session) -> bytes:
    """All records in one ZIP file, each as this person may read it: whole once its match is over."""
    await desk.limits.hit("verify", session.id)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for row in await desk.store.mine.tables(session.id, MOST):
            with contextlib.suppress(RequestError):  # a damaged table keeps nobody from the others
                table = (await desk.room(row.table_id)).table
                here = table.seat_of(session.id) is not None or hands_of(table, session.id)
                if here and table.match is not None:
                    day = time.strftime("%Y-%m-%d", time.gmtime(row.since))
                    text = await asyncio.to_thread(table.record, session.id)
                    file.writestr(f"{day} {row.table_id}.nousu", text)
    return out.getvalue()


# ------------------------------------------------------------------------------------------------ devices


async def new_code(desk: Desk, session: Session) -> str:
    """A code by which another device becomes this person's: it counts once, for ten minutes, in place of any
    earlier one."""
    await desk.limits.hit("mine", session.id)
    code = drawn()
    await desk.store.mine.add_code(hashed(code), session.id, time.time() + CODE_LIVES)
    return shown(code)


async def new_recovery(desk: Desk, session: Session) -> str:
    """A code to be written down, by which a person whose devices are lost is themselves again on another. It
    counts once, in place of any earlier one."""
    await desk.limits.hit("mine", session.id)
    code = drawn(_RECOVERY)
    await desk.store.mine.add_code(hashed(code), session.id, time.time() + RECOVERY_LIVES)
    return shown(code)


async def owner(desk: Desk, request: Request, code: str) -> str:
    """The name of the person whose code this is; `NotYours` where it is worth nothing."""
    await desk.limits.hit("code", address(request))
    found = await desk.store.mine.code(hashed(plain(code)))
    if found is None:
        raise NotYours("This code is not valid: it works once, within ten minutes. Ask for a new one.")
    return found[1]


async def take_over(desk: Desk, request: Request, code: str) -> None:
    """This device is that person's from now on; the cookie follows with the answer."""
    await desk.limits.hit("code", address(request))
    token, id = secrets.token_urlsafe(16), hashed(plain(code))
    found = await desk.store.mine.code(id)
    if found is None or not await desk.store.mine.redeem(id, hashed(token)):
        raise NotYours("This code is not valid: it works once, within ten minutes. Ask for a new one.")
    if request.state.token:
        await desk.store.subscriptions.move(hashed(request.state.token), hashed(token), found[0])
    request.state.token = token
    request.state.new_token = token


async def sign_out(desk: Desk, session: Session) -> None:
    """Codes not used yet, and all devices that came by one, are worth nothing from now on."""
    await desk.store.mine.drop_codes(session.id)
    await desk.store.mine.drop_devices(session.id)
    desk.cut(session)


def drawn(letters: int = _CODE) -> str:
    """A new code."""
    return "".join(secrets.choice(_LETTERS) for _ in range(letters))


def shown(code: str) -> str:
    """A code as it is shown."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def plain(code: str) -> str:
    """A code as it was made, however it was typed."""
    return "".join(letter for letter in code.upper() if letter in _LETTERS)


def hashed(text: str) -> str:
    """What of a code or token is kept on disk."""
    return sha256(text.encode()).hexdigest()
