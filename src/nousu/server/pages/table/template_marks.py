"""The marks that make pieces of a template, as functions that templates call.

`nousu.server.pages.table.parts` says what each is for. Where a page is printed at once, they print what
stands in them.
"""

from collections.abc import Iterable
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from nousu.server.pages.table.parts import Draw, Reading, number_of, plain_text


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
    if not isinstance(table, Reading):
        value = getattr(table, name)
        return value if macro is None else "" if value is None else macro(value)
    if macro is None:
        return table.now((name,), plain_text, plain=True)
    number = number_of(macro)
    return table.now((name,), lambda value: () if value is None else table.kept(number, macro, (value,)))


@pass_context
def named_now(context: Context, name: str, macro: Macro) -> object:
    """What ``{{ named_now(NAME, MACRO) }}`` does."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        number = number_of(macro)
        return table.now(
            (name,), lambda value: () if value is None else table.named_kept(number, macro, value)
        )
    value = getattr(table, name)
    if value is None:
        return ""
    given, words = value.apart
    return macro(given, *words)


@pass_context
def each(context: Context, macro: Macro, many: Iterable[object], *given: Any) -> Markup:
    """The same for one thing after another, each followed by what else is given."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.each(macro, many, given)
    return Markup("").join([macro(one, *given) for one in many])


@pass_context
def each_now(context: Context, name: str, macro: Macro, *others: str) -> Markup:
    """What ``{{ each_now(NAME, MACRO, …) }}`` does: the macro for each that this value of the picture holds,
    given the others as well."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.now((name, *others), lambda many, *given: table.each_kept(macro, many, given))
    given = [getattr(table, other) for other in others]
    return Markup("").join([macro(one, *given) for one in getattr(table, name)])


@pass_context
def items_now(context: Context, name: str, macro: Macro, *others: str) -> Markup:
    """What ``{{ items_now(NAME, MACRO, …) }}`` does: the items of a list. Each thing that this value of the
    picture holds says by its `item` how that begins and what the macro is given, before the other values."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.now((name, *others), lambda many, *given: table.items_kept(macro, many, given))
    given = [getattr(table, other) for other in others]
    begun = (one.item for one in getattr(table, name))
    return Markup("".join([f"{begin}{macro(*inner, *given)}</li>" for begin, inner in begun]))
