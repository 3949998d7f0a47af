"""The route table of an application, walked; what its endpoints read, and the forms of its pages."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from types import FunctionType, MethodType
from typing import NamedTuple

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from nousu.server.tournament.visit import Page


def addresses(routes: list[BaseRoute], before: str = "") -> list[tuple[str, str]]:
    """Every method and path of an application, parameters filled in."""
    pairs = []
    for route in routes:
        if isinstance(route, Mount):
            inside = addresses(list(route.routes), before + route.path)
            pairs += inside or [("GET", before + route.path + "/none")]
        elif isinstance(route, Route):
            path = re.sub(r"{(\w+)(:\w+)?}", lambda m: "1" if m[1] == "index" else "tuppi", route.path)
            pairs += [(method, before + path) for method in sorted(route.methods or ()) if method != "HEAD"]
        else:
            assert isinstance(route, WebSocketRoute), route
    return pairs


def plain_routes(routes: list[BaseRoute]) -> list[tuple[str, Route]]:
    """Every method and route of an application outside its mounts."""
    methods = ("GET", "POST", "PUT", "PATCH", "DELETE")
    plain = [route for route in routes if isinstance(route, Route)]
    return [(method, route) for route in plain for method in methods if method in (route.methods or ())]


def _functions(endpoint: object, depth: int = 4) -> Iterator[FunctionType]:
    """The functions of the product inside an endpoint: closures and pages hold the inner ones."""
    if isinstance(endpoint, MethodType):
        endpoint = endpoint.__func__
    if isinstance(endpoint, Page):
        endpoint = endpoint.do
    if isinstance(endpoint, FunctionType) and depth:
        if endpoint.__module__.startswith("nousu."):
            yield endpoint
        for cell in endpoint.__closure__ or ():
            yield from _functions(cell.cell_contents, depth - 1)


@cache
def _words(module: str) -> frozenset[str]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return frozenset(text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z][a-z_]*", text))


def field_names(route: Route) -> tuple[str, ...]:
    """Possible names of a request's fields: the words in the modules that answer it."""
    return tuple(
        sorted(set().union(*(_words(function.__module__) for function in _functions(route.endpoint))))
    )


class _FormParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[PageForm] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            action, method = found.get("action", ""), found.get("method", "get").upper()
            self.forms.append(PageForm(action, method, []))
        elif tag in ("input", "button", "textarea", "select") and self.forms and found.get("name"):
            self.forms[-1].fields.append((found["name"], found.get("value", "")))


class PageForm(NamedTuple):
    """A form of a page: address, method, and fields with the values they come with."""

    action: str
    method: str
    fields: list[tuple[str, str]]


def forms_of(page: str) -> list[PageForm]:
    """The forms of an HTML page."""
    parser = _FormParser()
    parser.feed(page)
    return parser.forms
