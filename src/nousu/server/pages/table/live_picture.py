"""Live pictures of a table: each rendered once for all viewers who see the same.

Viewers of one table with the same seat (or all spectators), language and server address form a *class*. A
class has one picture of each state of the table; its text is made once, in pieces, and a viewer who holds the
class's last picture is sent only the pieces that changed (`nousu.server.pages.table.parts`).
"""

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import NamedTuple
from weakref import WeakKeyDictionary

from nousu.engine.seats import Seat
from nousu.i18n.reader import Reader
from nousu.server.live.room import Room
from nousu.server.pages.table.fragment import table_fragment, table_picture
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.lobby import render_lobby
from nousu.server.pages.table.parts import Pieces, news
from nousu.server.pages.table.picture import Picture
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import ViewBuilder

_NUMBERS = count()
_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False)


@lru_cache(8192)
def _quoted(piece: str) -> str:
    """A piece as it stands in a message; most are sent to several viewers, and again some time."""
    return _JSON.encode(piece)


class ViewerClass(NamedTuple):
    """What viewers of one table have in common who see the same."""

    seat: Seat | None
    lang: str
    origin: str
    """The server's address as they know it."""
    order: str = ""
    """The order of the cards they have chosen; empty: the usual one."""


class LivePicture:
    """The picture of one state of a table for a class of viewers."""

    def __init__(self, view: SeatView, picture: Picture | None, pieces: Pieces) -> None:
        self.view = view
        self.pieces = pieces
        self.shared = False
        """Several viewers get it, so a message to one of them is cached for the others."""
        self._picture = picture
        self._number = next(_NUMBERS)
        self._texts: dict[int | None, str] = {}

    def message(self, before: "LivePicture | None", window: float | None) -> str:
        """The message to a viewer, in JSON; made once for all who had the same picture before.

        It holds the number of the table's last event, the pieces of its picture (null: as before), the text
        for the live region, and the window.

        Args:
            before: The picture the viewer has (None: none yet).
            window: Seconds left to interrupt, if any.
        """
        last = before._number if before is not None else None
        text = self._texts.get(last)
        if text is None:
            earlier = before.view if before is not None else None
            same = earlier is not None and earlier.seq == self.view.seq
            region = (
                "" if same else announcement(earlier, self.view, Reader.of(self.view.lang), self._picture)
            )
            pieces = news(before.pieces if before is not None else (), self.pieces)
            parts = [
                _quoted(piece) if isinstance(piece, str) else f"[{piece[0]},{piece[1]}]" for piece in pieces
            ]
            text = f'{{"seq":{self.view.seq},"parts":[{",".join(parts)}],"say":{_JSON.encode(region)}}}'
            if self.shared:
                self._texts[last] = text
        return f'{text[:-1]},"window":{"null" if window is None else window}}}'


class Viewing:
    """A class of viewers that has members, and its last picture."""

    def __init__(self, viewers: ViewerClass, builder_of: Callable[[Table], ViewBuilder]) -> None:
        self.viewers = viewers
        self._builder_of = builder_of
        self.members = 0
        self._fragment = table_fragment(Reader.of(viewers.lang))
        self._picture: LivePicture | None = None

    def forget(self) -> None:
        """Free its pictures: the class has no members any more."""
        self._fragment.forget()

    def picture(self, table: Table, session: str | None, now: float) -> LivePicture:
        """The picture of a table for the class; `session` is that of any member."""
        if self._picture is None or self._picture.view.seq != table.seq:
            lang, order, origin = self.viewers.lang, self.viewers.order, self.viewers.origin
            view = self._builder_of(table).view(session, now, lang)
            reader = Reader.of(lang)
            if view.started:
                drawn = table_picture(view, reader, order)
                self._picture = LivePicture(view, drawn, self._fragment.printed(drawn))
            else:
                self._picture = LivePicture(view, None, (render_lobby(view, reader, origin),))
        self._picture.shared = self.members > 1
        return self._picture


class Viewings:
    """The classes of viewers of one table."""

    def __init__(self) -> None:
        self._viewings: dict[ViewerClass, Viewing] = {}
        self._builder: ViewBuilder | None = None

    def enter(self, viewers: ViewerClass) -> Viewing:
        """The viewing of a class, with one more member."""
        viewing = self._viewings.get(viewers)
        if viewing is None:
            viewing = self._viewings[viewers] = Viewing(viewers, self._builder_of)
        viewing.members += 1
        return viewing

    def leave(self, viewing: Viewing) -> None:
        """Take a member out; a class without members is forgotten with its pictures."""
        viewing.members -= 1
        if not viewing.members:
            del self._viewings[viewing.viewers]
            viewing.forget()

    def _builder_of(self, table: Table) -> ViewBuilder:
        if self._builder is None or self._builder.table is not table:
            self._builder = ViewBuilder(table, self._builder)
        return self._builder

    def __len__(self) -> int:
        return len(self._viewings)


_VIEWINGS: WeakKeyDictionary[Room, Viewings] = WeakKeyDictionary()


def viewings_of(room: Room) -> Viewings:
    """The classes of viewers of a room."""
    viewings = _VIEWINGS.get(room)
    if viewings is None:
        viewings = _VIEWINGS[room] = Viewings()
    return viewings
