"""The marks of incremental templates, as functions that templates call.

`nousu.server.pages.table.parts` describes them. In a page that is rendered at once they render their content.
"""

from collections.abc import Iterable
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from nousu.server.pages.table.parts import Draw, Reading, number_of, plain_text


@pass_context
def part(context: Context, name: str, caller: Draw, shared: bool = False) -> str:
    """A part."""
    table: Any = context.get("table")
    return table.part(name, caller, shared) if isinstance(table, Reading) else caller()


@pass_context
def once(context: Context, macro: Macro, *given: Any) -> str:
    """A macro rendered once for its (hashable) arguments."""
    table: Any = context.get("table")
    if not isinstance(table, Reading):
        return macro(*given)
    return table.once(macro, given)


@pass_context
def now(context: Context, name: str, macro: Macro | None = None) -> object:
    """A value of the picture."""
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
    """A value with words of its own."""
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
    """A macro rendered once for each value, followed by the other arguments."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.each(macro, many, given)
    return Markup("").join([macro(one, *given) for one in many])


@pass_context
def each_now(context: Context, name: str, macro: Macro, *others: str) -> Markup:
    """A value for each element."""
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.now((name, *others), lambda many, *given: table.each_kept(macro, many, given))
    given = [getattr(table, other) for other in others]
    return Markup("").join([macro(one, *given) for one in getattr(table, name)])


@pass_context
def items_now(context: Context, name: str, macro: Macro, *others: str) -> Markup:
    """The items of a list.

    The `item` of each value gives its start tag and the first arguments of the macro.
    """
    table: Any = context.get("table")
    if isinstance(table, Reading):
        return table.now((name, *others), lambda many, *given: table.items_kept(macro, many, given))
    given = [getattr(table, other) for other in others]
    begun = (one.item for one in getattr(table, name))
    return Markup("".join([f"{begin}{macro(*inner, *given)}</li>" for begin, inner in begun]))
