"""Incremental templates: a picture in pieces, each rendered anew only when a value in it has changed.

Theory of operation
-------------------
A fragment is rendered as a row of *pieces*; together they are its text. A live page that holds the pieces of
the last picture is sent only those that it lacks (`news`). Marks in a template make pieces
(`nousu.server.pages.table.template_marks`):

``{% call part("own") %} … {% endcall %}`` is a part of the picture; parts may stand in parts. While a part is
rendered, every value of the picture that it reads is recorded, those of inner parts with the inner parts. For
the next picture of the same viewer a part is rendered anew only if one of these values has changed. Its text
before that is cached, and used when the same values come again. Dependencies are recorded, never listed.
Values that change with every picture belong in small parts, so that outer parts last a whole match. No part
stands in a loop.

``{% call part("line", shared=true) %}`` is rendered once for all viewers of all tables with the same values.
It is for parts with few possible texts that read the picture and the language only, and hold no other parts.

``{{ now("seq") }}`` renders one value of the picture, ``{{ now("north", plate) }}`` a macro with the value as
argument (nothing for None), like a part of its own but cheaper. It may stand in several places. ``{{
each_now("trick", laid, "taken") }}`` calls the macro for each element of the value, with the other values
named; ``{{ items_now("hand", own, "dims") }}`` renders the elements as items of a list.

``{{ named_now("north", plate) }}`` renders a macro for a value that many pictures share but for its words:
its `apart` gives the argument, and the words that follow. The text is cached without the words.

``{{ once(plate, one) }}`` renders a macro that depends on its arguments and the language alone, and caches
the text for all viewers of all tables. Reading another value of the picture in it is an error, so that no
viewer gets the text of another one.
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
"""Marks the places of pieces in rendered text: a character that HTML forbids."""
_HERE = Markup(_EDGE)
_FEW = 24
"""Up to this number of changed pieces, none is looked for in another place of the picture before."""
_ROOM = 4 * 1024 * 1024
"""The size in bytes of each generation of cached macro texts."""
_SHARED_ROOM = 1024 * 1024
"""The same for shared parts; four times as much saved one rendering in a hundred."""
_ENTRY, _PIECE = 400, 60
"""The overhead in bytes of a cached text, and of each of its pieces."""

_WORDS = ("\x1c", "\x1d", "\x1e")
"""Placeholders for words, each a piece of its own."""
_APART = re.compile(f"([{''.join(_WORDS)}])")

Pieces = tuple[str, ...]
Draw = Callable[[], str]
Read = Callable[[object], tuple[object, ...]]
Text = TypeVar("Text")


class Item(Protocol):
    """A value that is an item of a list."""

    @property
    def item(self) -> tuple[str, tuple[object, ...]]:
        """The start tag of the item, and the arguments of its macro."""
        ...


class Named(Protocol):
    """A value with words that few others share."""

    @property
    def apart(self) -> tuple[object, tuple[str, ...]]:
        """The argument of its macro, and the words that follow it."""
        ...


class _Names(NamedTuple):
    """Names of values of a picture.

    Sets of names are numbers with one bit a name (`_bit`), because they are intersected many times a second.
    """

    names: tuple[str, ...]
    bits: tuple[int, ...]
    read: Read
    """Reads all of them at once."""


class _Print(NamedTuple):
    """The earlier rendering of a part (see `_Part`)."""

    reads: int
    values: tuple[object, ...]
    below: int
    rows: list[Pieces]
    live: "tuple[_Part | _Value, ...]"
    places: tuple[int, ...]


class _Part:
    """A part of one viewer's picture as rendered last."""

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
        """The values of the picture that it read, without its inner parts."""
        self.values: tuple[object, ...] = ()
        """Those values, in the order of `_named`."""
        self.below = 0
        """The values that it or its inner parts may have read."""
        self.rows: list[Pieces] = []
        """The pieces of its own text and of its content, in order."""
        self.live: tuple[_Part | _Value, ...] = ()
        """The content that another picture may change."""
        self.places: tuple[int, ...] = ()
        """The rows of `live`."""
        self.before: dict[str, _Part] | None = None
        """Inner parts by name; None if there never was one."""
        self.stale = True
        """It was not in the last picture."""
        self.left = False
        """Nor was it in the earlier rendering of its outer part."""
        self.pieces: Pieces = ()
        self.earlier: _Print | None = None
        """The earlier rendering, because pictures alternate: bidding and play, play and result."""

    def hold(self, inner: Sequence["_Part | _Value | Pieces"]) -> None:
        """Take a rendering as content."""
        self.rows = [one if isinstance(one, tuple) else one.pieces for one in inner]
        live = [(at, one) for at, one in enumerate(inner) if not isinstance(one, tuple)]
        self.places = tuple([at for at, _ in live])
        self.live = tuple([one for _, one in live])
        self.join()

    def join(self) -> None:
        """Put texts and inner pieces together."""
        self.pieces = tuple(chain.from_iterable(self.rows))

    def keep(self) -> None:
        """Remember the rendering for the same values."""
        self.earlier = _Print(self.reads, self.values, self.below, self.rows, self.live, self.places)

    def give_way(self) -> None:
        """Mark inner parts as absent until they are placed again."""
        if self.before:
            for inner in self.before.values():
                inner.left, inner.stale = inner.stale, True


class _Value:
    """A place for values of the picture."""

    __slots__ = ("below", "names", "pieces", "plain", "read", "write")

    def __init__(self, names: tuple[str, ...], write: Callable[..., Pieces], plain: bool = False) -> None:
        self.names = names
        self.plain = plain
        self.read = _reader(names)
        self.write = write
        self.below = _mask(names)
        self.pieces: Pieces = ()


class _Drawing:
    """A part while it is rendered."""

    __slots__ = ("inner", "part", "reads")

    def __init__(self, part: _Part) -> None:
        self.part = part
        self.reads: dict[str, object] = {}
        """The values read so far."""
        self.inner: list[_Part | _Value | Pieces] = []
        """The content so far, each at an edge of the text."""


class _Shared(NamedTuple):
    """A rendered shared part."""

    inner: list[Pieces | str]
    """Its content: pieces, or the name of a value of the picture."""
    pieces: Pieces | None
    """All pieces, if it holds no such value."""


class Reading:
    """The picture that a template reads: every read is recorded for the part that is rendered."""

    __slots__ = ("_changed", "_kind", "_known", "_lang", "_last", "_model", "_named", "_open", "_shut")

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._model: object = None
        self._kind: object = ""
        """The template: a part may render blocks that differ between templates."""
        self._known = 0
        """All values ever read."""
        self._named = _named(0)
        """The same at the start of the present picture."""
        self._last: tuple[object, ...] = ()
        """Those values in the present picture."""
        self._changed = 0
        """The values that differ from the picture before."""
        self._open: list[_Drawing] = []
        self._shut = 0
        """The number of renderings in progress that may not read the picture."""

    def __getattr__(self, name: str) -> object:
        if self._shut:
            raise RuntimeError(f"what is rendered once may not depend on {name!r} of the picture")
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
        """Make a part show the present picture.

        Args:
            one: The part.
            stale: It may show an older picture than the last.

        Returns:
            Whether its pieces changed.
        """
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
        """Restore the earlier rendering of a part if its values are the same again; its content is stale."""
        earlier = one.earlier
        if earlier is None or _named(earlier.reads).read(self._model) != earlier.values:
            return False
        one.keep()
        one.reads, one.values, one.below, one.rows, one.live, one.places = earlier
        one.give_way()
        return True

    def _write(self, one: _Value) -> bool:
        """Render values as they are now; whether their text changed."""
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
        """Render a part anew; its content."""
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
        """The key of a shared part: macro, language, template."""
        draw: Any = one.draw
        return number_of(draw), self._lang, self._kind

    def _printed(self, one: _Part) -> bool:
        """Take a shared part from the cache; whether the same values were rendered before."""
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
        """Cache a shared part."""
        ways = _WAYS.setdefault(self._place(one), {})
        way = ways.get(one.reads)
        if way is None:
            way = ways[one.reads] = next(_NUMBERS)
        kept = _Shared([_kept_as(each) for each in inner], None if one.live else one.pieces)
        with suppress(TypeError):
            _SHARED.keep((way, one.values), kept, one.pieces)

    def part(self, name: str, draw: Draw, shared: bool = False) -> Markup:
        """Place a part within the one that is rendered."""
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
        """Place values of the picture with their way of rendering."""
        if self._shut:
            raise RuntimeError(f"what is rendered once may not depend on {names[0]!r} of the picture")
        found = _Value(names, write, plain)
        self._stand(found)
        self._open[-1].inner.append(found)
        return _HERE

    def _placed(self, name: str) -> _Value:
        """A place for a plain value."""
        found = _Value((name,), plain_text, plain=True)
        self._stand(found)
        return found

    def _stand(self, one: _Value) -> None:
        """Render values for the first time."""
        self._known |= one.below
        self._write(one)

    def once(self, macro: Macro, given: tuple[object, ...]) -> Markup:
        """Place a macro that is rendered once."""
        self._open[-1].inner.append(self.kept(number_of(macro), macro, given))
        return _HERE

    def each(self, macro: Macro, many: Iterable[object], given: tuple[object, ...]) -> Markup:
        """Place a macro that is rendered once for each value."""
        self._open[-1].inner.append(self.each_kept(macro, many, given))
        return _HERE

    def each_kept(self, macro: Macro, many: Iterable[object], given: tuple[object, ...]) -> Pieces:
        """The pieces of a macro for each value, rendered once."""
        found: list[str] = []
        number = number_of(macro)
        for one in many:
            found += self.kept(number, macro, (one, *given))
        return tuple(found)

    def items_kept(self, macro: Macro, many: Iterable[Item], given: tuple[object, ...]) -> Pieces:
        """The pieces of list items, rendered once."""
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
        """The pieces of a macro, rendered once for its arguments."""
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
        """The pieces of a macro, rendered once, with the words of a value."""
        given, words = one.apart
        own = dict(zip(_WORDS, words, strict=False))
        kept = self.kept(number, macro, (given, *own))
        return tuple([_escaped(own[piece]) if piece in own else piece for piece in kept])


class Fragment:
    """The fragment of one viewer, picture after picture.

    Args:
        lang: The language.
        draw: Renders the template for a reading of the picture.
        end: Frees the contexts of the template.
    """

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
        """Free everything; nothing more is rendered."""
        self._whole = None
        self._end()


class _Texts(Generic[Text]):
    """A cache in two generations; the older one is dropped when the younger one fills its `room` (bytes)."""

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
        """Cache a text of these pieces."""
        self._put(key, (text, _ENTRY + _PIECE * len(pieces) + sum(map(len, pieces))))

    def _put(self, key: object, kept: tuple[Text, int]) -> None:
        if self._left < kept[1]:
            self._old, self._young, self._left = self._young, {}, self._room
        self._young[key] = kept
        self._left -= kept[1]


_ONCE: _Texts[Pieces] = _Texts(_ROOM)
_SHARED: _Texts[_Shared] = _Texts(_SHARED_ROOM)
"""Shared parts by the set of names that they read, and their values."""
_WAYS: dict[object, dict[int, int]] = {}
"""The sets of names that shared parts read, by place: set of names → number."""
_CODES: dict[int, object] = {}
"""Code objects of macros by number; kept, so that no other object gets the number."""
_BITS: dict[str, int] = {}
"""The bit that stands for a name in sets of names."""
_NUMBERS = count()


def number_of(macro: Any) -> int:
    """A number for a macro, the same in every context, because contexts share the code of macros."""
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
    """A function that reads values of a picture at once."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda model: ()
    read = attrgetter(*names)
    return lambda model: (read(model),)


def plain_text(value: object) -> Pieces:
    """A value as escaped text."""
    kind = type(value)
    if kind is int:
        return (str(value),)
    return (_escaped(value) if kind is str else str(escape(value)),)


@lru_cache(8192)
def _same(text: str) -> str:
    """The same object for equal texts: comparison is quick, and viewers share memory.

    `sys.intern` is no alternative: its table keeps the places of dead strings and is rebuilt, 4 MB at a time.
    """
    return text


@lru_cache(8192)
def _escaped(word: str) -> str:
    return str(escape(word))


def _kept_as(inner: _Part | _Value | Pieces) -> Pieces | str:
    """The content of a shared part for the cache: pieces, or the name of a value."""
    if isinstance(inner, tuple):
        return inner
    if isinstance(inner, _Value) and inner.plain:
        return inner.names[0]
    raise RuntimeError("a shared part holds no other parts")


def whole(pieces: Pieces) -> str:
    """The text that pieces make together."""
    return "".join(pieces)


def news(before: Pieces, now: Pieces) -> list[str | list[int]]:
    """The difference between two rows of pieces.

    Returns:
        New pieces as text, and runs of old pieces as ``[first, number]``, in the order of `now`.
    """
    if len(before) == len(now):
        changed = [at for at in compress(count(), map(is_not, before, now)) if before[at] != now[at]]
        if len(changed) <= _FEW:
            return _changed(now, changed)
    held = dict(zip(before, range(len(before)), strict=True))
    found: list[str | list[int]] = []
    first = at = 0
    """The run of old pieces from `first` to before `at`."""
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
    """The difference if all pieces but the `changed` ones are in place."""
    found: list[str | list[int]] = []
    first = 0
    for at in [*changed, len(now)]:
        if at > first:
            found.append([first, at - first])
        if at < len(now):
            found.append(now[at])
        first = at + 1
    return found
