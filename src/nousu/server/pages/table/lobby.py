"""A table at which places are open: chairs to choose, the way to call friends, what is expected."""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

import segno

from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate
from nousu.i18n.names import preset_name
from nousu.i18n.sentences import note_with_clause
from nousu.server.pages.site import render
from nousu.server.pages.table.chat import talk_of
from nousu.server.pages.table.common import people
from nousu.server.pages.words import table_rules
from nousu.server.table.table import Table
from nousu.server.table.view import Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A place in the lobby."""

    seat: Seat
    place: str
    """n, e, s or w from the viewer; empty at tables of more than four."""
    name: str
    note: str
    free: bool
    """The viewer may sit down here."""
    us: bool
    goes: bool
    """The viewer, who is the host, may ask whoever sits here to leave."""


@lru_cache(256)
def qr(address: str) -> bytes:
    """An address as a QR code in SVG; dark on light in every theme."""
    out = BytesIO()
    segno.make(address, error="m", micro=False).save(out, kind="svg", border=2, omitsize=True, light="#fff")
    return out.getvalue()


def chairs(seen: Seen, say: Translate) -> tuple[Chair, ...]:
    """All places, the viewer's own in front."""
    who = people(seen)
    seats = len(seen.names)
    found = []
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
        found.append(
            Chair(
                seat=seat,
                place=who.place(seat) if seats <= 4 else "",
                name=name or (say("Sit here") if seen.chosen else say("free seat")),
                note=note,
                free=not taken and not kept and seen.chosen,
                us=mine or (seen.chosen and who.sides > 0 and seen.seat is not None and who.ours(seat)),
                goes=seen.host and not mine and bool(name),
            )
        )
    return tuple(found)


def render_lobby(seen: Seen, say: Translate, lang: str, origin: str) -> str:
    """The fragment of a table at which places are open."""
    free = sum(not name or kept for name, kept in zip(seen.names, seen.kept, strict=True))
    values = {
        "seen": seen,
        "title": preset_name(seen.preset, say),
        "refused": note_with_clause(seen.refused, say) if seen.refused else "",
        "address": f"{origin}/t/{seen.table_id}",
        "chairs": chairs(seen, say),
        "seated": len(seen.names) - free,
        "rules": table_rules(seen, say),
        "invitation": invitation(seen, say),
        "talk": talk_of(seen, say),
    }
    return render("table/lobby.html", say, lang, values)


def invitation(seen: Seen, say: Translate) -> str:
    """What a link to the table says of it where it is sent."""
    names = [name for name, kept in zip(seen.names, seen.kept, strict=True) if name and not kept]
    free = len(seen.names) - len(names)
    title = preset_name(seen.preset, say)
    return say(
        sentence("{count} free seat for {game} with {names}", "{count} free seats for {game} with {names}"),
        count=free,
        game=title,
        names=", ".join(names),
    )


def waits(table: Table, say: Translate) -> tuple[str, str, str]:
    """An open table on the start page: its address, its game, who is there and how many are awaited."""
    names = ", ".join(place.name for place in table.places if place.session)
    free = len(table.open_places())
    text = say(
        sentence("{count} free seat, with {names}", "{count} free seats, with {names}"),
        count=free,
        names=names,
    )
    return f"/t/{table.id}", preset_name(table.written, say), text
