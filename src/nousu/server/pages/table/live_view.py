"""Live views of tables: each made once for all viewers who see the same, and sent as its changes.

Viewers of one table with the same seat (or all spectators), language, server address and order of cards form
a *group*. A group has one view of each state of the table. A viewer who holds the group's last view is sent
only the fields that are no longer equal; everybody else the whole view.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, NamedTuple, get_type_hints
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter

from nousu.engine.seats import Seat
from nousu.i18n.reader import Reader
from nousu.server.live.room import Room
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.lobby import LobbyView
from nousu.server.pages.table.messages import VERSION
from nousu.server.pages.table.page_view import Drawn, page_view
from nousu.server.pages.table.table_view import TableView
from nousu.server.table.table import Table
from nousu.server.table.view_builder import ViewBuilder

_NUMBERS = count()


@cache
def _encoder(kind: Any) -> Callable[[object], bytes]:
    """The function that writes a value of a type as JSON."""
    return TypeAdapter(kind).serializer.to_json


class _FieldEncoding(NamedTuple):
    """Readers and encoders for the fields of a kind of view."""

    values: Callable[[object], tuple[Any, ...]]
    encoders: tuple[tuple[str, Callable[[object], bytes]], ...]
    """The name of each field, and its encoder."""


@cache
def _encoding(kind: type) -> _FieldEncoding:
    names = [field.name for field in fields(kind)]
    hints = get_type_hints(kind)
    return _FieldEncoding(attrgetter(*names), tuple([(name, _encoder(hints[name])) for name in names]))


def encode(view: TableView | LobbyView, before: TableView | LobbyView | None = None) -> str:
    """A view as a JSON object; of a view that follows another of its kind only the fields that differ."""
    encoding = _encoding(type(view))  # type: ignore[arg-type]  # classes of values without hash have one
    values = encoding.values(view)
    fields: Iterable[tuple[tuple[str, Callable[[object], bytes]], Any]]
    if before is None:
        fields = zip(encoding.encoders, values, strict=True)
    else:
        old = encoding.values(before)
        others = compress(zip(encoding.encoders, values, old, strict=True), map(is_not, values, old))
        fields = ((encoder, value) for encoder, value, earlier in others if value != earlier)
    members = [f'"{name}":{write(value).decode()}' for (name, write), value in fields]
    return f"{{{','.join(members)}}}"


def first_message(view: TableView | LobbyView, region: str = "") -> str:
    """The message that brings a whole view, with a text for the live region."""
    text = f',"say":{_encoder(str)(region).decode()}' if region else ""
    return f'{{"view":{encode(view)},"seq":{view.seq},"version":{VERSION}{text}}}'


class ViewerClass(NamedTuple):
    """The key of a class of viewers of one table that see the same."""

    seat: Seat | None
    lang: str
    origin: str
    """The server's address as they know it."""
    order: str = ""
    """The order of the cards they have chosen; empty: the usual one."""
    chair: Seat | None = None
    """The seat that is kept for them, who watch, until the hand ends."""
    barred: bool = False
    """The host has removed them."""


class LiveView:
    """The view of one state of a table for a class of viewers."""

    def __init__(self, drawn: Drawn, shared: bool) -> None:
        self.drawn = drawn
        self.shared = shared
        """True if several viewers get it, so that a message to one of them is cached for the others."""
        self._number = next(_NUMBERS)
        self._texts: dict[int | None, str] = {}

    def message(self, before: "LiveView | None", window: float | None, next_in: float | None = None) -> str:
        """The message to a viewer, in JSON (`nousu.server.pages.table.messages`).

        Args:
            before: The view that the viewer has (None: none yet).
            window: Seconds left to interrupt, if any.
            next_in: Seconds until the next hand is dealt, where somebody is waited for.
        """
        last = before._number if before is not None else None
        text = self._texts.get(last)
        if text is None:
            text = self._message(before)
            if self.shared:
                self._texts[last] = text
        due = "" if next_in is None else f',"next_in":{next_in}'
        return f'{text[:-1]},"window":{"null" if window is None else window}{due}}}'

    def _message(self, before: "LiveView | None") -> str:
        """The message, made once for all who had the same view before."""
        seen, view = self.drawn
        earlier = before.drawn if before is not None else None
        region = ""
        if earlier is None or earlier.seen.seq != seen.seq:
            table = view if isinstance(view, TableView) else None
            region = announcement(earlier.seen if earlier else None, seen, Reader.of(seen.lang), table)
        if earlier is None or type(earlier.view) is not type(view) or earlier.view.seat != view.seat:
            return first_message(view, region)
        changed, after = encode(view, earlier.view), earlier.view.seq
        return f'{{"set":{changed},"seq":{view.seq},"after":{after},"say":{_encoder(str)(region).decode()}}}'


class ViewerGroup:
    """A class of viewers that has members, and its last view."""

    def __init__(self, viewers: ViewerClass, builder_of: Callable[[Table], ViewBuilder]) -> None:
        self.viewers = viewers
        self.members = 0
        self._builder_of = builder_of
        self._live: LiveView | None = None

    def live_view(self, table: Table, session: str | None, now: float) -> LiveView:
        """The view of a table for the group; `session` is that of any member."""
        before = self._live
        if before is None or before.drawn.seen.seq != table.seq:
            lang, origin, order = self.viewers[1:4]
            seen = self._builder_of(table).view(session, now, lang)
            view = page_view(seen, Reader.of(lang), origin, order, before.drawn if before else None)
            self._live = LiveView(Drawn(seen, view), self.members > 1)
        assert self._live is not None
        self._live.shared = self.members > 1
        return self._live


class ViewerGroups:
    """The groups of viewers of one table."""

    def __init__(self) -> None:
        self._groups: dict[ViewerClass, ViewerGroup] = {}
        self._builder: ViewBuilder | None = None

    def enter(self, viewers: ViewerClass) -> ViewerGroup:
        """The group of a class, with one more member."""
        group = self._groups.get(viewers)
        if group is None:
            group = self._groups[viewers] = ViewerGroup(viewers, self._builder_of)
        group.members += 1
        return group

    def leave(self, group: ViewerGroup) -> None:
        """Take a member out; a group without members is forgotten."""
        group.members -= 1
        if not group.members:
            del self._groups[group.viewers]

    def _builder_of(self, table: Table) -> ViewBuilder:
        if self._builder is None or self._builder.table is not table:
            self._builder = ViewBuilder(table, self._builder)
        return self._builder

    def __len__(self) -> int:
        return len(self._groups)


_GROUPS: WeakKeyDictionary[Room, ViewerGroups] = WeakKeyDictionary()


def groups_of(room: Room) -> ViewerGroups:
    """The groups of viewers of a room."""
    groups = _GROUPS.get(room)
    if groups is None:
        groups = _GROUPS[room] = ViewerGroups()
    return groups
