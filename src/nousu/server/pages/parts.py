"""A picture in pieces, each printed anew only when something it shows has changed.

Theory of operation
-------------------
A fragment is printed as a row of *pieces*; together they are its text. A live page that holds the pieces of
the last picture is sent only those it does not hold (`news`). Three marks in a template make pieces:

``{% call part("own") %} … {% endcall %}`` is a part of the picture; parts may stand in parts. While one is
printed, what it reads of the picture is written down, what inner parts read with those. For the next picture
of the same viewer a part is printed anew only if something it read is another now: a template that reads the
same prints the same. Nobody lists what a part depends on, so nobody can forget it. Keep what
changes with every picture in small parts, and outer parts stand for a whole match. No part stands in a loop.

``{% call part("line", shared=true) %}`` is printed once for everybody: wherever a picture reads the same
values, at whatever table and moment, the same text stands. That is for parts that say one of few things, read
nothing but the picture and the language, and hold no other parts.

``{{ now("seq") }}`` prints one value of the picture, ``{{ now("north", plate) }}`` the macro that is given it
(nothing for None), as a part of its own would, with less work. It may stand in several places.

``{{ once(plate, one) }}`` prints a macro whose text follows from its arguments and the language alone, and
keeps it for whoever shows the same next: other viewers, other tables. Such a macro can read nothing of the
picture but what it is given; that is refused, so that nobody is shown what was printed for somebody else.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

from jinja2 import pass_context
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from nousu.server.pages.model import Later

_EDGE = "\x1f"
"""Where pieces stand in printed text: a character that HTML forbids."""
_HERE = Markup(_EDGE)
_MOST = 8192
"""Texts kept of what is printed once; as many again that were not asked for lately."""

Pieces = tuple[str, ...]
Draw = Callable[[], str]
Text = TypeVar("Text")


class Item(Protocol):
    """Something that is an item of a list."""

    @property
    def item(self) -> tuple[str, tuple[object, ...]]:
        """The markup that the item begins with, and what its macro is given."""
        ...


class _Part:
    """A part of one viewer's picture as it was printed last."""

    __slots__ = ("before", "below", "draw", "inner", "pieces", "reads", "shared", "stale", "texts")

    def __init__(self, draw: Draw, shared: bool = False) -> None:
        self.draw = draw
        self.shared = shared
        self.reads: dict[str, object] = {}
        """What it read of the picture, inner parts apart."""
        self.below: set[str] = set()
        """What it and its inner parts may have read."""
        self.texts: list[str] = []
        """What it printed around the inner ones."""
        self.inner: list[_Part | _Value | Pieces] = []
        self.before: dict[str, _Part] = {}
        """Inner parts by name, those that stand nowhere now as well."""
        self.stale = True
        """It stood nowhere in the last picture."""
        self.pieces: Pieces = ()

    def join(self) -> None:
        """Put texts and inner pieces together."""
        if not self.inner:
            self.pieces = tuple(self.texts)
            return
        found = [self.texts[0]] if self.texts[0] else []
        for one, after in zip(self.inner, self.texts[1:], strict=True):
            if isinstance(one, tuple):
                found += one
            else:
                found += one.pieces
                self.below |= one.below
            if after:
                found.append(after)
        self.pieces = tuple(found)


class _Value:
    """A place where one value of the picture stands."""

    __slots__ = ("below", "name", "pieces", "plain", "write")

    def __init__(self, name: str, write: Callable[[object], Pieces], plain: bool = False) -> None:
        self.name = name
        self.plain = plain
        self.write = write
        self.below = {name}
        self.pieces: Pieces = ()


class Reading:
    """A picture as its template reads it: what is read is written down for the part being printed."""

    __slots__ = ("_changed", "_kind", "_lang", "_model", "_open", "_shut", "_values")

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._model: object = None
        self._kind: object = ""
        """Which template prints it: a part that stands in several may print blocks of theirs."""
        self._values: dict[str, object] = {}
        """All that was ever read, as it is in the present picture."""
        self._changed: set[str] = set()
        """What of that was another in the picture before."""
        self._open: list[_Part] = []
        self._shut = 0
        """How many texts are being printed that may read nothing of the picture."""

    def __getattr__(self, name: str) -> object:
        if self._shut:
            raise RuntimeError(f"what is printed once may not depend on {name!r} of the picture")
        value: object = getattr(self._model, name)
        self._values[name] = self._open[-1].reads[name] = value
        return value.made if isinstance(value, Later) else value

    def show(self, whole: _Part, model: object) -> Pieces:
        """The pieces of a picture."""
        self._model = model
        self._kind = getattr(model, "template", "")
        self._changed = changed = set()
        values = self._values
        for name, value in values.items():
            now = getattr(model, name)
            if now is not value and now != value:
                values[name] = now
                changed.add(name)
        self._bring_up(whole, whole.stale)
        return whole.pieces

    def _bring_up(self, one: _Part, stale: bool) -> bool:
        """Make a part show the present picture; whether that changed it. One that is `stale` may show another
        than the last."""
        if stale:
            now = [getattr(self._model, name) for name in one.reads]
            same = bool(one.texts) and now == [*one.reads.values()]
            self._values |= one.reads if same else {}
        else:
            same = self._changed.isdisjoint(one.reads)
        one.stale = False
        if not same:
            self._print(one)
            return True
        if not stale and self._changed.isdisjoint(one.below):
            return False
        found = False
        for inner in one.inner:
            if isinstance(inner, _Part):
                found |= self._bring_up(inner, stale)
            elif isinstance(inner, _Value) and (stale or inner.name in self._changed):
                found |= self._write(inner)
        if found:
            one.join()
            return True
        return False

    def _write(self, one: _Value) -> bool:
        """Print a value as it is now; whether that changed its text."""
        before = one.pieces
        self._values[one.name] = value = getattr(self._model, one.name)
        one.pieces = one.write(value)
        return one.pieces != before

    def _print(self, one: _Part) -> None:
        one.inner, one.reads = [], {}
        for inner in one.before.values():
            inner.stale = True
        if one.shared:
            self._share(one)
        else:
            self._draw(one)
        one.below = set(one.reads)
        one.join()

    def _draw(self, one: _Part) -> None:
        self._open.append(one)
        try:
            one.texts = str(one.draw()).split(_EDGE)
        finally:
            self._open.pop()

    def _share(self, one: _Part) -> None:
        """Print a part as somebody's was that read the same."""
        draw: Any = one.draw
        key = (draw._func.__code__, self._lang, self._kind)
        model = self._model
        ways = _WAYS.setdefault(key, [])
        for names in ways:
            values = [getattr(model, name) for name in names]
            try:
                found = _SHARED.get((key, names, *values))
            except TypeError:  # nothing that could be looked up
                continue
            if found is not None:
                one.reads = dict(zip(names, values, strict=True))
                self._values |= one.reads
                one.texts, inner = found
                one.inner = [self._placed(each) if isinstance(each, str) else each for each in inner]
                return
        self._draw(one)
        names = tuple(one.reads)
        if names not in ways:
            ways.append(names)
        inner = [_kept_as(each) for each in one.inner]
        with suppress(TypeError):
            _SHARED.keep((key, names, *one.reads.values()), (one.texts, inner))

    def part(self, name: str, draw: Draw, shared: bool = False) -> Markup:
        """The place of a part within the one being printed."""
        outer = self._open[-1]
        inner = outer.before.setdefault(name, _Part(draw, shared))
        if not inner.stale:
            raise RuntimeError(f"part {name!r} stands twice")
        inner.draw = draw
        self._bring_up(inner, inner.stale)
        outer.inner.append(inner)
        return _HERE

    def now(self, name: str, macro: Macro | None) -> Markup:
        """The place of one value of the picture, written by a macro or as it is."""
        if self._shut:
            raise RuntimeError(f"what is printed once may not depend on {name!r} of the picture")

        if macro is None:
            self._open[-1].inner.append(self._placed(name))
            return _HERE

        def write(value: object) -> Pieces:
            return () if value is None else self._kept(macro, (value,))

        found = _Value(name, write)
        self._write(found)
        self._open[-1].inner.append(found)
        return _HERE

    def _placed(self, name: str) -> _Value:
        """The place of a value as it is."""
        found = _Value(name, _plain, plain=True)
        self._write(found)
        return found

    def once(self, macro: Macro, given: tuple[object, ...]) -> Markup:
        """The place of what is the same wherever it stands for readers of the language."""
        self._open[-1].inner.append(self._kept(macro, given))
        return _HERE

    def each(self, macro: Macro, many: Iterable[object], given: tuple[object, ...]) -> Markup:
        """The place of one such thing after another, printed as one."""
        found: list[str] = []
        for one in many:
            found += self._kept(macro, (one, *given))
        self._open[-1].inner.append(tuple(found))
        return _HERE

    def items(self, macro: Macro, many: Iterable[Item], given: tuple[object, ...]) -> Markup:
        """The place of a list."""
        found: list[str] = []
        end = ""
        for one in many:
            begin, inner = one.item
            found.append(end + begin)
            found += self._kept(macro, (*inner, *given))
            end = "</li>"
        self._open[-1].inner.append((*found, end) if end else ())
        return _HERE

    def _kept(self, macro: Macro, given: tuple[object, ...]) -> Pieces:
        # Macros are made anew with each context; what they were compiled to is not.
        key = (macro._func.__code__, self._lang, given)
        text = _ONCE.get(key)
        if text is None:
            self._shut += 1
            try:
                found = _Part(lambda: macro(*given))
                self._print(found)
            finally:
                self._shut -= 1
            text = found.pieces
            _ONCE.keep(key, text)
        return text


class Fragment:
    """What one viewer is shown, picture after picture; `draw` prints the template, reading the picture."""

    def __init__(self, lang: str, draw: Callable[[Reading], str]) -> None:
        self._draw = draw
        self._reading = Reading(lang)
        self._whole: _Part | None = None

    def printed(self, model: object) -> Pieces:
        """The pieces of a picture."""
        whole = self._whole or _Part(lambda: self._draw(self._reading))
        self._whole = None  # until it is printed to the end
        pieces = self._reading.show(whole, model)
        self._whole = whole
        return pieces


class _Texts(Generic[Text]):
    """The texts of what is printed once, those used lately."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._young: dict[object, Text] = {}
        self._old: dict[object, Text] = {}

    def get(self, key: object) -> Text | None:
        found = self._young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.keep(key, found)
        return found

    def keep(self, key: object, text: Text) -> None:
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = text


_ONCE: _Texts[Pieces] = _Texts(_MOST)
_SHARED: _Texts[tuple[list[str], list[Pieces | str]]] = _Texts(_MOST)
"""Shared parts by where they stand and what they read: texts, and what stands between them."""
_WAYS: dict[object, list[tuple[str, ...]]] = {}
"""Which values shared parts read, each in as many ways as it has been seen to."""


def _plain(value: object) -> Pieces:
    return (str(escape(value)),)


def _kept_as(inner: "_Part | _Value | Pieces") -> Pieces | str:
    """What stands in a shared part, for others: the same pieces, or the name of a value of theirs."""
    if isinstance(inner, tuple):
        return inner
    if isinstance(inner, _Value) and inner.plain:
        return inner.name
    raise RuntimeError("a shared part holds no other parts")


@pass_context
def part(context: Context, name: str, caller: Draw, shared: bool = False) -> str:
    """What ``{% call part(NAME) %}`` and ``{% call part(NAME, shared=true) %}`` do."""
    table: Any = context.get("table")
    return table.part(name, caller, shared) if isinstance(table, Reading) else caller()


@pass_context
def once(context: Context, macro: Macro, *given: Any) -> str:
    """What ``{{ once(MACRO, …) }}`` does: the macro printed with those (hashable) arguments."""
    table: Any = context.get("table")
    if not isinstance(table, Reading):
        return macro(*given)
    return table.once(macro, given)


@pass_context
def now(context: Context, name: str, macro: Macro | None = None) -> object:
    """What ``{{ now(NAME) }}`` and ``{{ now(NAME, MACRO) }}`` do."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.now(name, macro)
    value = getattr(table, name)
    return value if macro is None else "" if value is None else macro(value)


@pass_context
def each(context: Context, macro: Macro, many: Iterable[object], *given: Any) -> Markup:
    """The same for one thing after another, each followed by what else is given."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.each(macro, many, given)
    return Markup("").join([macro(one, *given) for one in many])


@pass_context
def items(context: Context, macro: Macro, many: Iterable[Item], *given: object) -> Markup:
    """What ``{{ items(MACRO, …) }}`` does: the items of a list. Each thing says by its `item` how that
    begins and what the macro is given, before what else is given to all."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.items(macro, many, given)
    return Markup(
        "".join([f"{begin}{macro(*inner, *given)}</li>" for begin, inner in (one.item for one in many)])
    )


def whole(pieces: Pieces) -> str:
    """The text that pieces make together."""
    return "".join(pieces)


def news(before: Pieces, now: Pieces) -> list[str | list[int]]:
    """What somebody who holds the pieces `before` must be sent to hold `now`: a piece as it is, or which of
    those before it is, and so many after that: ``[first, number]``."""
    held = {text: at for at, text in enumerate(before)}
    found: list[str | list[int]] = []
    run: list[int] | None = None
    for text in now:
        if run is not None and (at := run[0] + run[1]) < len(before) and before[at] == text:
            run[1] += 1
        elif (first := held.get(text)) is not None:
            run = [first, 1]
            found.append(run)
        else:
            run = None
            found.append(text)
    return found
