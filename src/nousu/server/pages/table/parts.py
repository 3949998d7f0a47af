"""A picture in pieces, each printed anew only when something it shows has changed.

Theory of operation
-------------------
A fragment is printed as a row of *pieces*; together they are its text. A live page that holds the pieces of
the last picture is sent only those it does not hold (`news`). These marks in a template make pieces
(`nousu.server.pages.table.template_marks`):

``{% call part("own") %} … {% endcall %}`` is a part of the picture; parts may stand in parts. While one is
printed, what it reads of the picture is written down, what inner parts read with those. For the next picture
of the same viewer a part is printed anew only if something it read is another now: a template that reads the
same prints the same. What it had printed before that is kept, and taken up when it reads the same again.
Nobody lists what a part depends on, so nobody can forget it. Keep what changes with every picture in small
parts, and outer parts stand for a whole match. No part stands in a loop.

``{% call part("line", shared=true) %}`` is printed once for everybody: wherever a picture reads the same
values, at whatever table and moment, the same text stands. That is for parts that say one of few things, read
nothing but the picture and the language, and hold no other parts.

``{{ now("seq") }}`` prints one value of the picture, ``{{ now("north", plate) }}`` the macro that is given it
(nothing for None), as a part of its own would, with less work. It may stand in several places.
``{{ each_now("trick", laid, "taken") }}`` prints what that value holds, one after another, the macro being
given each and the other values named; ``{{ items_now("hand", own, "dims") }}`` the same as items of a list.

``{{ named_now("north", plate) }}`` prints a macro for a value that looks like many others, but for its words:
it says by its `apart` what the macro is given, and which words follow. What these stand in is kept
without them, for whoever has other ones.

``{{ once(plate, one) }}`` prints a macro whose text follows from its arguments and the language alone, and
keeps it for whoever shows the same next: other viewers, other tables. Such a macro can read nothing of the
picture but what it is given; that is refused, so that nobody is shown what was printed for somebody else.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, compress, count
from operator import attrgetter, is_not
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from jinja2.runtime import Macro
from markupsafe import Markup, escape

from nousu.server.pages.table.picture import Lazy

_EDGE = "\x1f"
"""Where pieces stand in printed text: a character that HTML forbids."""
_HERE = Markup(_EDGE)
_FEW = 24
"""So many pieces that have changed are sent without looking whether they stood elsewhere before."""
_ROOM = 4 * 1024 * 1024
"""Bytes, roughly, of texts that macros print once; as much again of those that were not asked for lately."""
_SHARED_ROOM = 1024 * 1024
"""The same of shared parts. Four times as much spared one print in a hundred, and sixty tables took twenty
minutes to fill it."""
_ENTRY, _PIECE = 400, 60
"""Bytes that a kept text takes besides its letters, and each of its pieces."""

_WORDS = ("\x1c", "\x1d", "\x1e")
"""What stands for words that are put in later: other such characters, each a piece of its own."""
_APART = re.compile(f"([{''.join(_WORDS)}])")

Pieces = tuple[str, ...]
Draw = Callable[[], str]
Read = Callable[[object], tuple[object, ...]]
Text = TypeVar("Text")


class Item(Protocol):
    """Something that is an item of a list."""

    @property
    def item(self) -> tuple[str, tuple[object, ...]]:
        """The markup that the item begins with, and what its macro is given."""
        ...


class Named(Protocol):
    """Something that bears words which few others have."""

    @property
    def apart(self) -> tuple[object, tuple[str, ...]]:
        """What its macro is given, and the words that it is given after that."""
        ...


class _Names(NamedTuple):
    """Some values of a picture. Sets of their names are kept as numbers, one bit a name (`_bit`): each viewer
    of each table has dozens, and asks many times a second whether two of them meet."""

    names: tuple[str, ...]
    bits: tuple[int, ...]
    read: Read
    """What reads them all at once."""


class _Print(NamedTuple):
    """What a part printed before it read something else (see `_Part`)."""

    reads: int
    values: tuple[object, ...]
    below: int
    rows: list[Pieces]
    live: "tuple[_Part | _Value, ...]"
    places: tuple[int, ...]


class _Part:
    """A part of one viewer's picture as it was printed last."""

    __slots__ = (
        "before",
        "below",
        "draw",
        "earlier",
        "left",
        "live",
        "pieces",
        "places",
        "reads",
        "rows",
        "shared",
        "stale",
        "values",
    )

    def __init__(self, draw: Draw, shared: bool = False) -> None:
        self.draw = draw
        self.shared = shared
        self.reads = 0
        """Which values of the picture it read, inner parts apart."""
        self.values: tuple[object, ...] = ()
        """What these were, in the order of `_named`."""
        self.below = 0
        """What it and its inner parts may have read."""
        self.rows: list[Pieces] = []
        """The pieces of what it printed and of what stands within that, one after another."""
        self.live: tuple[_Part | _Value, ...] = ()
        """What stands within it that another picture may change."""
        self.places: tuple[int, ...] = ()
        """Which rows these are."""
        self.before: dict[str, _Part] | None = None
        """Inner parts by name; None where there never were any."""
        self.stale = True
        """It stood nowhere in the last picture."""
        self.left = False
        """Nor did it in what its outer part printed before that."""
        self.pieces: Pieces = ()
        self.earlier: _Print | None = None
        """What it printed before: much goes to and fro, from bidding to play, from play to the result."""

    def hold(self, inner: Sequence["_Part | _Value | Pieces"]) -> None:
        """Stand for what was printed, and for what stands within that."""
        self.rows = [one if isinstance(one, tuple) else one.pieces for one in inner]
        live = [(at, one) for at, one in enumerate(inner) if not isinstance(one, tuple)]
        self.places = tuple([at for at, _ in live])
        self.live = tuple([one for _, one in live])
        self.join()

    def join(self) -> None:
        """Put texts and inner pieces together."""
        self.pieces = tuple(chain.from_iterable(self.rows))

    def keep(self) -> None:
        """Keep what was printed for when the same is read again."""
        self.earlier = _Print(self.reads, self.values, self.below, self.rows, self.live, self.places)

    def give_way(self) -> None:
        """Inner parts stand nowhere until they are placed or brought up anew."""
        if self.before:
            for inner in self.before.values():
                inner.left, inner.stale = inner.stale, True


class _Value:
    """A place where values of the picture stand."""

    __slots__ = ("below", "names", "pieces", "plain", "read", "write")

    def __init__(self, names: tuple[str, ...], write: Callable[..., Pieces], plain: bool = False) -> None:
        self.names = names
        self.plain = plain
        self.read = _reader(names)
        self.write = write
        self.below = _mask(names)
        self.pieces: Pieces = ()


class _Drawing:
    """A part that is being printed."""

    __slots__ = ("inner", "part", "reads")

    def __init__(self, part: _Part) -> None:
        self.part = part
        self.reads: dict[str, object] = {}
        """What it has read of the picture so far."""
        self.inner: list[_Part | _Value | Pieces] = []
        """What stands in it so far, each at an edge of its text."""


class _Shared(NamedTuple):
    """A shared part as it was printed for somebody."""

    inner: list[Pieces | str]
    """What it printed: the same for all, or a value of the picture by name."""
    pieces: Pieces | None
    """All of it, where no such value stands in it."""


class Reading:
    """A picture as its template reads it: what is read is written down for the part being printed."""

    __slots__ = ("_changed", "_kind", "_known", "_lang", "_last", "_model", "_named", "_open", "_shut")

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._model: object = None
        self._kind: object = ""
        """Which template prints it: a part that stands in several may print blocks of theirs."""
        self._known = 0
        """All that was ever read."""
        self._named = _named(0)
        """The same, as far as it was known when the present picture was begun."""
        self._last: tuple[object, ...] = ()
        """What that was in the present picture."""
        self._changed = 0
        """What of that was another in the picture before."""
        self._open: list[_Drawing] = []
        self._shut = 0
        """How many texts are being printed that may read nothing of the picture."""

    def __getattr__(self, name: str) -> object:
        if self._shut:
            raise RuntimeError(f"what is printed once may not depend on {name!r} of the picture")
        value: object = getattr(self._model, name)
        self._known |= _bit(name)
        self._open[-1].reads[name] = value
        return value.made if isinstance(value, Lazy) else value

    def show(self, whole: _Part, model: object) -> Pieces:
        """The pieces of a picture."""
        known = _named(self._known)
        if known is not self._named:
            self._named = known
            self._last = known.read(self._model)
        self._model = model
        self._kind = getattr(model, "template", "")
        before, self._last = self._last, known.read(model)
        others = compress(count(), map(is_not, before, self._last))
        self._changed = sum([known.bits[at] for at in others if before[at] != self._last[at]])
        self._bring_up(whole, whole.stale)
        return whole.pieces

    def _bring_up(self, one: _Part, stale: bool) -> bool:
        """Make a part show the present picture; whether that changed it. One that is `stale` may show another
        than the last."""
        changed = self._changed
        if stale:
            same = bool(one.rows) and _named(one.reads).read(self._model) == one.values
        else:
            same = not changed & one.reads
        one.stale = False
        again = not same and self._as_earlier(one)
        if not (same or again):
            self._print(one)
            return True
        found, stale = again, stale or again
        for at, inner in zip(one.places, one.live, strict=True):
            if not (stale or changed & inner.below):
                continue
            if isinstance(inner, _Value):
                if not (self._write(inner) or again):
                    continue
            elif self._bring_up(inner, stale) or again:
                one.below |= inner.below
            else:
                continue
            one.rows[at] = inner.pieces
            found = True
        if found:
            one.join()
        return found

    def _as_earlier(self, one: _Part) -> bool:
        """Take up what a part printed before its last print, if it reads the same again; what stands within
        it is still to be brought up."""
        earlier = one.earlier
        if earlier is None or _named(earlier.reads).read(self._model) != earlier.values:
            return False
        one.keep()
        one.reads, one.values, one.below, one.rows, one.live, one.places = earlier
        one.give_way()
        return True

    def _write(self, one: _Value) -> bool:
        """Print values as they are now; whether that changed their text."""
        before = one.pieces
        one.pieces = one.write(*one.read(self._model))
        return one.pieces != before

    def _print(self, one: _Part) -> None:
        one.give_way()
        if not one.shared:
            if one.rows:
                one.keep()
            self._draw(one)
        elif not self._printed(one):
            self._share(one, self._draw(one))
        one.below = one.reads
        for live in one.live:
            one.below |= live.below

    def _draw(self, one: _Part) -> Sequence[_Part | _Value | Pieces]:
        """Print a part anew; what it printed, and what stands within that."""
        drawing = _Drawing(one)
        self._open.append(drawing)
        try:
            texts = str(one.draw()).split(_EDGE)
        finally:
            self._open.pop()
        around = [(_same(text),) if text else () for text in texts]
        inner = [around[0], *chain.from_iterable(zip(drawing.inner, around[1:], strict=True))]
        inner = [each for each in inner if each != ()]
        one.hold(inner)
        one.reads = _mask(tuple(drawing.reads))
        one.values = tuple([drawing.reads[name] for name in _named(one.reads).names])
        if one.before:  # what gave way to something else often comes back with the next
            one.before = {name: each for name, each in one.before.items() if not (each.stale and each.left)}
        return inner

    def _place(self, one: _Part) -> tuple[object, ...]:
        """Where a shared part stands in templates, for readers of which language."""
        draw: Any = one.draw
        return number_of(draw), self._lang, self._kind

    def _printed(self, one: _Part) -> bool:
        """Print a shared part as somebody's was that read the same; whether there is such a one."""
        for reads, way in _WAYS.get(self._place(one), {}).items():
            values = _named(reads).read(self._model)
            try:
                found = _SHARED.get((way, values))
            except TypeError:  # nothing that could be looked up
                continue
            if found is None:
                continue
            one.reads, one.values = reads, values
            self._known |= reads
            if found.pieces is None:
                one.hold([self._placed(each) if isinstance(each, str) else each for each in found.inner])
            else:
                one.rows, one.live, one.places, one.pieces = [], (), (), found.pieces
            return True
        return False

    def _share(self, one: _Part, inner: Sequence[_Part | _Value | Pieces]) -> None:
        """Keep a shared part for all who read the same."""
        ways = _WAYS.setdefault(self._place(one), {})
        way = ways.get(one.reads)
        if way is None:
            way = ways[one.reads] = next(_NUMBERS)
        kept = _Shared([_kept_as(each) for each in inner], None if one.live else one.pieces)
        with suppress(TypeError):
            _SHARED.keep((way, one.values), kept, one.pieces)

    def part(self, name: str, draw: Draw, shared: bool = False) -> Markup:
        """The place of a part within the one being printed."""
        outer = self._open[-1]
        before = outer.part.before
        if before is None:
            before = outer.part.before = {}
        inner = before.get(name)
        if inner is None:
            inner = before[name] = _Part(draw, shared)
        if not inner.stale:
            raise RuntimeError(f"part {name!r} stands twice")
        inner.draw = draw
        self._bring_up(inner, inner.stale)
        outer.inner.append(inner)
        return _HERE

    def now(self, names: tuple[str, ...], write: Callable[..., Pieces], plain: bool = False) -> Markup:
        """The place of values of the picture, and how they are written."""
        if self._shut:
            raise RuntimeError(f"what is printed once may not depend on {names[0]!r} of the picture")
        found = _Value(names, write, plain)
        self._stand(found)
        self._open[-1].inner.append(found)
        return _HERE

    def _placed(self, name: str) -> _Value:
        """The place of a value as it is."""
        found = _Value((name,), plain_text, plain=True)
        self._stand(found)
        return found

    def _stand(self, one: _Value) -> None:
        """Print values for the first time."""
        self._known |= one.below
        self._write(one)

    def once(self, macro: Macro, given: tuple[object, ...]) -> Markup:
        """The place of what is the same wherever it stands for readers of the language."""
        self._open[-1].inner.append(self.kept(number_of(macro), macro, given))
        return _HERE

    def each(self, macro: Macro, many: Iterable[object], given: tuple[object, ...]) -> Markup:
        """The place of one such thing after another, printed as one."""
        self._open[-1].inner.append(self.each_kept(macro, many, given))
        return _HERE

    def each_kept(self, macro: Macro, many: Iterable[object], given: tuple[object, ...]) -> Pieces:
        """What is printed once of one thing after another."""
        found: list[str] = []
        number = number_of(macro)
        for one in many:
            found += self.kept(number, macro, (one, *given))
        return tuple(found)

    def items_kept(self, macro: Macro, many: Iterable[Item], given: tuple[object, ...]) -> Pieces:
        """What is printed once as a list."""
        found: list[str] = []
        number = number_of(macro)
        end = ""
        for one in many:
            begin, inner = one.item
            found.append(end + begin)
            found += self.kept(number, macro, (*inner, *given))
            end = "</li>"
        return (*found, end) if end else ()

    def kept(self, number: int, macro: Macro, given: tuple[object, ...]) -> Pieces:
        """What is printed once by a macro, which has that number."""
        key = (number, self._lang, given)
        text = _ONCE.get(key)
        if text is None:
            self._shut += 1
            try:
                found = _Part(lambda: macro(*given))
                self._print(found)
            finally:
                self._shut -= 1
            text = tuple([_same(one) for piece in found.pieces for one in _APART.split(piece) if one])
            _ONCE.keep(key, text, text)
        return text

    def named_kept(self, number: int, macro: Macro, one: Named) -> Pieces:
        """What is printed once by a macro, which has that number, with the words of this one."""
        given, words = one.apart
        own = dict(zip(_WORDS, words, strict=False))
        kept = self.kept(number, macro, (given, *own))
        return tuple([_escaped(own[piece]) if piece in own else piece for piece in kept])


class Fragment:
    """What one viewer is shown, picture after picture; `draw` prints the template, reading the picture, and
    `end` frees what it was printed by."""

    def __init__(
        self, lang: str, draw: Callable[[Reading], str], end: Callable[[], None] = lambda: None
    ) -> None:
        self._draw = draw
        self._end = end
        self._reading = Reading(lang)
        self._whole: _Part | None = None

    def printed(self, model: object) -> Pieces:
        """The pieces of a picture."""
        whole = self._whole or _Part(lambda: self._draw(self._reading))
        self._whole = None  # until it is printed to the end
        pieces = self._reading.show(whole, model)
        self._whole = whole
        return pieces

    def forget(self) -> None:
        """Nothing more is printed: free what that would take."""
        self._whole = None
        self._end()


class _Texts(Generic[Text]):
    """What is printed once and was asked for lately: in two generations, of which the older one is forgotten
    when the younger one fills its `room` (in bytes)."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._young: dict[object, tuple[Text, int]] = {}
        self._old: dict[object, tuple[Text, int]] = {}
        self._left = room

    def get(self, key: object) -> Text | None:
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self._put(key, found)
        return found[0]

    def keep(self, key: object, text: Text, pieces: Pieces) -> None:
        """Keep what was printed as these pieces."""
        self._put(key, (text, _ENTRY + _PIECE * len(pieces) + sum(map(len, pieces))))

    def _put(self, key: object, kept: tuple[Text, int]) -> None:
        if self._left < kept[1]:
            self._old, self._young, self._left = self._young, {}, self._room
        self._young[key] = kept
        self._left -= kept[1]


_ONCE: _Texts[Pieces] = _Texts(_ROOM)
_SHARED: _Texts[_Shared] = _Texts(_SHARED_ROOM)
"""Shared parts by the way in which they read the picture, and what they read."""
_WAYS: dict[object, dict[int, int]] = {}
"""Which values shared parts read, by where they stand: each in as many ways, by number, as it has been seen
to."""
_CODES: dict[int, object] = {}
"""What macros were compiled to, by number; kept, so that no other object ever has that number."""
_BITS: dict[str, int] = {}
"""The bit that stands for a name in sets of names."""
_NUMBERS = count()


def number_of(macro: Any) -> int:
    """A macro's number, the same in every context: macros are made anew with each, what they were compiled to
    is not. (The hash of that would be computed from all that stands in it, each time.)"""
    code = macro._func.__code__
    number = id(code)
    if number not in _CODES:
        _CODES[number] = code
    return number


def _bit(name: str) -> int:
    return _BITS.setdefault(name, 1 << len(_BITS))


@lru_cache(4096)
def _mask(names: tuple[str, ...]) -> int:
    """The set of these names."""
    return sum({_bit(name) for name in names})


@lru_cache(4096)
def _named(mask: int) -> _Names:
    """The names in a set, in the order in which they were first read by anybody."""
    found = [(name, bit) for name, bit in _BITS.items() if mask & bit]
    names = tuple([name for name, _ in found])
    return _Names(names, tuple([bit for _, bit in found]), _reader(names))


@lru_cache(4096)
def _reader(names: tuple[str, ...]) -> Read:
    """What reads values of a picture, all at once."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda model: ()
    read = attrgetter(*names)
    return lambda model: (read(model),)


def plain_text(value: object) -> Pieces:
    """A value as it stands in a page."""
    kind = type(value)
    if kind is int:
        return (str(value),)
    return (_escaped(value) if kind is str else str(escape(value)),)


@lru_cache(8192)
def _same(text: str) -> str:
    """The same object for equal texts, so that it is seen at a glance what has not changed, and lines share
    what they hold. (`sys.intern` puts them into the interpreter's own table, which fills with the places of
    those long gone: at sixty tables it was built anew every half hour, 4 MB at a time.)"""
    return text


@lru_cache(8192)
def _escaped(word: str) -> str:
    return str(escape(word))


def _kept_as(inner: _Part | _Value | Pieces) -> Pieces | str:
    """What stands in a shared part, for others: the same pieces, or the name of a value of theirs."""
    if isinstance(inner, tuple):
        return inner
    if isinstance(inner, _Value) and inner.plain:
        return inner.names[0]
    raise RuntimeError("a shared part holds no other parts")


def whole(pieces: Pieces) -> str:
    """The text that pieces make together."""
    return "".join(pieces)


def news(before: Pieces, now: Pieces) -> list[str | list[int]]:
    """What somebody who holds the pieces `before` must be sent to hold `now`: a piece as it is, or which of
    those before it is, and so many after that: ``[first, number]``."""
    if len(before) == len(now):
        changed = [at for at in compress(count(), map(is_not, before, now)) if before[at] != now[at]]
        if len(changed) <= _FEW:
            return _changed(now, changed)
    held = dict(zip(before, range(len(before)), strict=True))
    found: list[str | list[int]] = []
    first = at = 0
    """Those from `first` to before `at` stand one after another."""
    end = len(before)
    for text in now:
        if at < end and before[at] == text:
            at += 1
            continue
        if at > first:
            found.append([first, at - first])
        known = held.get(text)
        if known is None:
            found.append(text)
            first = at = end
        else:
            first, at = known, known + 1
    if at > first:
        found.append([first, at - first])
    return found


def _changed(now: Pieces, changed: list[int]) -> list[str | list[int]]:
    """The same where all pieces but those `changed` stand where they stood."""
    found: list[str | list[int]] = []
    first = 0
    for at in [*changed, len(now)]:
        if at > first:
            found.append([first, at - first])
        if at < len(now):
            found.append(now[at])
        first = at + 1
    return found
