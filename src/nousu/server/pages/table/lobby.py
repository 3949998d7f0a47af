"""The lobby of a table with open places: seats to choose, the link for friends, the rules in short."""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Literal

import segno

from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.server.pages.table.chat import chat_panel
from nousu.server.pages.table.common import people, table_rules
from nousu.server.pages.table.table_view import ChatPanel
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView
from nousu.teaching.lessons import course_for


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySeat:
    """A place in the lobby."""

    seat: Seat
    place: str
    """n, e, s or w from the viewer; empty at tables of more than four."""
    name: str
    note: str
    free: bool
    """True if the viewer may sit down here."""
    us: bool
    me: bool
    face: str
    """A symbol of ``/static/faces.svg``; empty: the first letter of the name."""
    goes: bool
    """True if the viewer is the host and may send this player away."""


@dataclass(slots=True, kw_only=True)
class LobbyView:
    """The knowledge of one viewer about a table with open places."""

    drawing: Literal["lobby"] = "lobby"
    id: str
    seq: int
    """The number of the table's last event."""
    preset: str
    """The rules as ``preset+option=value``."""
    base: str
    """The preset alone."""
    title: str
    phase: Literal["lobby"] = "lobby"
    seat: Seat | None
    """The viewer's seat; null for a guest."""
    my_turn: bool = False
    seats: int
    """The number of seats."""
    seated: int
    """The number of players who are here."""
    chosen: bool
    """True if people choose their seats."""
    host: bool
    """True if the viewer came first, and may remove others."""
    event: str
    """The tournament of the table."""
    address: str
    """The link to the table."""
    chairs: tuple[LobbySeat, ...]
    """The places, the viewer's own first."""
    rules: tuple[tuple[str, str], ...]
    """The rules in short: option and value."""
    course: str
    """The lessons of the game; empty for none."""
    invitation: str
    """The text that goes with the link."""
    removed: str = ""
    """A sentence for somebody whom the host has asked to leave."""
    talk: ChatPanel | None


@lru_cache(256)
def qr_code(address: str) -> bytes:
    """An address as a QR code in SVG, dark on light in every theme."""
    out = BytesIO()
    segno.make(address, error="m", micro=False).save(out, kind="svg", border=2, omitsize=True, light="#fff")
    return out.getvalue()


def lobby_seats(seen: SeatView, reader: Reader) -> tuple[LobbySeat, ...]:
    """The places, the viewer's own first."""
    say = reader.say
    who = people(seen)
    seats = len(seen.names)
    places = []
    for step in range(seats):
        seat = ((seen.seat or 0) + step) % seats
        name, kept = seen.names[seat], bool(seen.kept) and seen.kept[seat]
        taken = bool(name) and not kept
        mine = seat == seen.seat
        partner = seen.chosen and who.sides > 0 and seen.seat is not None and who.ours(seat) and not mine
        if kept:
            note = say("kept")
        elif mine:
            note = say("you")
        elif seen.computers[seat]:
            note = say("computer")
        else:
            note = say("partner") if partner else "" if taken else say("or computer")
        places.append(
            LobbySeat(
                seat=seat,
                place=who.place(seat) if seats <= 4 else "",
                name=name or (say("Sit here") if seen.chosen else say("free seat")),
                note=note,
                free=not taken and not kept and seen.chosen,
                us=mine or (seen.chosen and who.sides > 0 and seen.seat is not None and who.ours(seat)),
                me=mine,
                face=seen.faces[seat] if seen.faces else "",
                goes=seen.host and not mine and bool(name),
            )
        )
    return tuple(places)


def lobby_view(seen: SeatView, reader: Reader, origin: str) -> LobbyView:
    """The lobby for one viewer."""
    free = sum(not name or kept for name, kept in zip(seen.names, seen.kept, strict=True))
    return LobbyView(
        id=seen.table_id,
        seq=seen.seq,
        preset=seen.preset,
        base=seen.base_preset,
        title=preset_name(seen.preset, reader.say),
        seat=seen.seat,
        seats=len(seen.names),
        seated=len(seen.names) - free,
        chosen=seen.chosen,
        host=seen.host,
        event=seen.event,
        address=f"{origin}/t/{seen.table_id}",
        chairs=lobby_seats(seen, reader),
        rules=table_rules(seen, reader),
        course=course_for(seen.preset) or "",
        invitation=invitation(seen, reader),
        removed=removal(seen, reader),
        talk=chat_panel(seen, reader),
    )


def removal(seen: SeatView, reader: Reader) -> str:
    """Words for somebody whom the host has asked to leave; empty for everybody else."""
    return (
        reader.say("The host has asked you to leave this table.") if seen.barred and seen.seat is None else ""
    )


def invitation(seen: SeatView, reader: Reader) -> str:
    """The text that goes with the link to a table."""
    names = [name for name, kept in zip(seen.names, seen.kept, strict=True) if name and not kept]
    free = len(seen.names) - len(names)
    title = preset_name(seen.preset, reader.say)
    return reader.say(
        sentence("{count} free seat for {game} with {names}", "{count} free seats for {game} with {names}"),
        count=free,
        game=title,
        names=", ".join(names),
    )


def waiting_table(table: Table, reader: Reader) -> tuple[str, str, str]:
    """An open table on the start page: address, game, and a sentence about players and free seats."""
    names = ", ".join(place.name for place in table.seats.places if place.session)
    free = len(table.seats.open_places())
    text = reader.say(
        sentence("{count} free seat, with {names}", "{count} free seats, with {names}"),
        count=free,
        names=names,
    )
    return f"/t/{table.id}", preset_name(table.written, reader.say), text
