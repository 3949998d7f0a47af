"""What live pages show of a table: each picture made once for all who see the same.

Viewers of one table who sit at the same seat (or all watch), read the same language and address the server
alike form a *class*. A class has one picture of each state of the table; its text is made once, in pieces,
and whoever holds the class's last picture is sent only the pieces that changed
(`nousu.server.pages.table.parts`).
"""

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from nousu.engine.seats import Seat
from nousu.i18n.reader import Reader
from nousu.server.pages.table.fragment import table_fragment, table_picture
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.lobby import render_lobby
from nousu.server.pages.table.parts import Pieces, news
from nousu.server.pages.table.picture import Picture
from nousu.server.table.table import Table
from nousu.server.table.view import Seen
from nousu.server.table.view_builder import Sight

_NUMBERS = count()
_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False)


@lru_cache(8192)
def _quoted(piece: str) -> str:
    """A piece as it stands in a message; most are sent to several viewers, and again some time."""
    return _JSON.encode(piece)


class Who(NamedTuple):
    """A class of viewers of one table."""

    seat: Seat | None
    lang: str
    origin: str
    """The server as they address it."""
    order: str = ""
    """The order of the cards they have chosen; empty: the usual one."""


class Shown:
    """What a class of viewers saw of one state of a table."""

    def __init__(self, seen: Seen, picture: Picture | None, pieces: Pieces) -> None:
        self.seen = seen
        self.pieces = pieces
        self.shared = False
        """Several are shown it, so what is sent to one of them is kept for the others."""
        self._picture = picture
        self._number = next(_NUMBERS)
        self._texts: dict[int | None, str] = {}

    def message(self, before: "Shown | None", window: float | None) -> str:
        """What to send to somebody who was shown `before` last (None: nothing yet): the number of the table's
        last event, the pieces of its picture (null: as before), what is spoken, and `window`, the seconds
        left to interrupt. Made once for all who were shown the same."""
        last = before._number if before is not None else None
        text = self._texts.get(last)
        if text is None:
            earlier = before.seen if before is not None else None
            same = earlier is not None and earlier.seq == self.seen.seq
            said = "" if same else announcement(earlier, self.seen, Reader.of(self.seen.lang), self._picture)
            found = news(before.pieces if before is not None else (), self.pieces)
            parts = [_quoted(one) if isinstance(one, str) else f"[{one[0]},{one[1]}]" for one in found]
            text = f'{{"seq":{self.seen.seq},"parts":[{",".join(parts)}],"say":{_JSON.encode(said)}}}'
            if self.shared:
                self._texts[last] = text
        return f'{text[:-1]},"window":{"null" if window is None else window}}}'


class Viewing:
    """A class of viewers that has members."""

    def __init__(self, who: Who, sights: Callable[[Table], Sight]) -> None:
        self.who = who
        self._sights = sights
        self.members = 0
        self._fragment = table_fragment(Reader.of(who.lang))
        self._shown: Shown | None = None

    def forget(self) -> None:
        """Free its pictures: the class has no members any more."""
        self._fragment.forget()

    def shown(self, table: Table, session: str | None, now: float) -> Shown:
        """What the class sees of a table; `session` is that of any member."""
        if self._shown is None or self._shown.seen.seq != table.seq:
            seen = self._sights(table).seen(session, now, self.who.lang)
            reader = Reader.of(self.who.lang)
            if seen.started:
                drawn = table_picture(seen, reader, self.who.order)
                self._shown = Shown(seen, drawn, self._fragment.printed(drawn))
            else:
                lobby = render_lobby(seen, reader, self.who.origin)
                self._shown = Shown(seen, None, (lobby,))
        self._shown.shared = self.members > 1
        return self._shown


class Viewings:
    """The classes of viewers of one table."""

    def __init__(self) -> None:
        self._found: dict[Who, Viewing] = {}
        self._sight: Sight | None = None

    def enter(self, who: Who) -> Viewing:
        """One more member of a class."""
        found = self._found.get(who)
        if found is None:
            found = self._found[who] = Viewing(who, self._sight_of)
        found.members += 1
        return found

    def leave(self, viewing: Viewing) -> None:
        """One member less; a class without members is forgotten with its pictures."""
        viewing.members -= 1
        if not viewing.members:
            del self._found[viewing.who]
            viewing.forget()

    def _sight_of(self, table: Table) -> Sight:
        if self._sight is None or self._sight.table is not table:
            self._sight = Sight(table, self._sight)
        return self._sight

    def __len__(self) -> int:
        return len(self._found)
