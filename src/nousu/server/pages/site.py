"""What every page shares: templates, static files with their fingerprints, language and look."""

import hashlib
import re
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakSet

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from nousu.engine.messages import Note, sentence
from nousu.i18n import LANGUAGES, corner, language_name, numeral
from nousu.i18n.reader import Reader
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.table.template_marks import each, each_now, items_now, named_now, now, once, part
from nousu.server.pages.template_cache import bytecode_cache
from nousu.server.pages.template_whitespace import OneElementPerLine
from nousu.teaching.lessons import course_for

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
SHEETS = (
    "tokens",
    "base",
    "score",
    "cards",
    "hand",
    "table",
    "whist",
    "tuppen",
    "learn",
    "review",
    "result",
    "lobby",
    "home",
    "forms",
    "diagram",
    "tournament",
    "projector",
    "tournament_setup",
    "chat",
    "small_screens",
    "layout",
)
"""The parts of the one stylesheet, in their order; `small_screens` overrides the others, and `layout`
gives everything its fixed place."""
BUNDLE = "nousu.css"
"""The name under which the parts are served as one file."""


@cache
def stylesheet() -> bytes:
    """The parts of the stylesheet in one, so that a page asks for one file."""
    return b"\n".join((STATIC / "css" / f"{sheet}.css").read_bytes() for sheet in SHEETS)


async def send_stylesheet(request: Request) -> Response:
    """Answers ``/static/nousu.css``."""
    return Response(stylesheet(), media_type="text/css")


@cache
def static(name: str) -> str:
    """The address of a static file, changing with its content so that it may be cached for ever."""
    content = stylesheet() if name == BUNDLE else (STATIC / name).read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:10]
    return f"/static/{name}?v={digest}"


def mark_code(text: str) -> Markup:
    """Text in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


class _Context(Context):
    """The names of a template that is being printed; it is noted, so that it can be taken apart."""

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        contexts = _CONTEXTS.get()
        # A template imported without its importer's names is read once and kept for all who import it.
        if contexts is not None and "say" in self.parent:
            contexts.add(self)


class TemplateContexts:
    """The names of the templates that something was printed by.

    They refer to the macros of their template and these back to them, 45 KiB for a picture, which the
    interpreter frees only when it looks for such circles. It seldom does here (`nousu.server.memory`), and
    between two looks a server would need tens of MiB for pages that nobody reads any more.
    """

    def __init__(self) -> None:
        self._found: WeakSet[Context] = WeakSet()

    def add(self, context: Context) -> None:
        """Note one more."""
        self._found.add(context)

    def forget(self) -> None:
        """Take them apart; nothing of what was printed by them can be printed again."""
        for context in self._found:
            context.vars.clear()
        self._found.clear()


_CONTEXTS: ContextVar[TemplateContexts | None] = ContextVar("_PRINTED", default=None)
"""Where the names of what is being printed are noted."""


@cache
def _environment() -> Environment:
    folder = HERE / "templates"
    found = Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=bytecode_cache(folder),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        extensions=[OneElementPerLine],
        auto_reload=False,  # else every part of every picture asks the disk whether its template is another
    )
    found.context_class = _Context
    found.globals |= {"part": part, "once": once, "each": each}
    found.globals |= {"now": now, "named_now": named_now, "each_now": each_now, "items_now": items_now}
    found.globals["static"] = static
    found.globals |= {"corner": corner, "numeral": numeral, "sentence": sentence}
    found.globals |= {"course_for": course_for}
    found.filters["ticks"] = mark_code
    return found


def compile_templates() -> None:
    """Compile all templates, or read them back compiled."""
    for name in _environment().list_templates(["html"]):
        _environment().get_template(name)


def render(
    template: str, reader: Reader, values: Mapping[str, object], contexts: TemplateContexts | None = None
) -> str:
    """A template printed in that language. Whoever prints parts of it again later gives `contexts`, and
    forgets them in the end."""
    printed = contexts or TemplateContexts()
    before = _CONTEXTS.set(printed)
    try:
        return (
            _environment()
            .get_template(template)
            .render({"say": reader.say, "lang": reader.language, **values})
        )
    finally:
        _CONTEXTS.reset(before)
        if contexts is None:
            printed.forget()


def error_page(
    request: HTTPConnection, lang: str, why: Note, status: int, headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    """The page that says why something did not work."""
    values = {"sentence": Reader.of(lang).explanation(why), "here": "/"}
    return HTMLResponse(page(request, "error.html", lang, values), status, headers)


def page(request: HTTPConnection, template: str, lang: str, values: Mapping[str, object]) -> str:
    """A whole page: the template within the shell, with menu, look and language."""
    shell: dict[str, object] = {
        "look": preferences_of(request),
        "here": request.url.path,
        "languages": [(code, language_name(code)) for code in LANGUAGES],
        "heading": "",
        "rules_link": "/rules/tuppi",
    }
    return render(template, Reader.of(lang), shell | dict(values))
