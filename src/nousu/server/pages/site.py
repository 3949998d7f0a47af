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
from nousu.i18n import LANGUAGES, Translate, corner, language_name, numeral, translator
from nousu.i18n.sentences import note_with_clause
from nousu.server.pages.preferences import look_of
from nousu.server.pages.table.template_marks import each, each_now, items_now, named_now, now, once, part
from nousu.server.pages.template_cache import kept_beside
from nousu.server.pages.template_whitespace import OneElementALine
from nousu.teaching.lessons import course_for

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
SHEETS = (
    "tokens",
    "base",
    "hill",
    "cards",
    "hand",
    "table",
    "bids",
    "mats",
    "teach",
    "review",
    "result",
    "home",
    "forms",
    "diagram",
    "desk",
    "beamer",
    "setup",
    "talk",
    "sizes",
    "rooms",
)
"""The parts of the one stylesheet, in their order; `sizes` overrides the others on small screens, and `rooms`
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


def ticks(text: str) -> Markup:
    """Text in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


class _Context(Context):
    """The names of a template that is being printed; it is noted, so that it can be taken apart."""

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        contexts = _PRINTED.get()
        # A template imported without its importer's names is read once and kept for all who import it.
        if contexts is not None and "say" in self.parent:
            contexts.add(self)


class Contexts:
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


_PRINTED: ContextVar[Contexts | None] = ContextVar("_PRINTED", default=None)
"""Where the names of what is being printed are noted."""


@cache
def _environment() -> Environment:
    folder = HERE / "templates"
    found = Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=kept_beside(folder),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        extensions=[OneElementALine],
        auto_reload=False,  # else every part of every picture asks the disk whether its template is another
    )
    found.context_class = _Context
    found.globals |= {"part": part, "once": once, "each": each}
    found.globals |= {"now": now, "named_now": named_now, "each_now": each_now, "items_now": items_now}
    found.globals["static"] = static
    found.globals |= {"corner": corner, "numeral": numeral, "sentence": sentence}
    found.globals |= {"course_for": course_for}
    found.filters["ticks"] = ticks
    return found


def templates() -> None:
    """Compile all templates, or read them back compiled."""
    for name in _environment().list_templates(["html"]):
        _environment().get_template(name)


def render(
    template: str, say: Translate, lang: str, values: Mapping[str, object], contexts: Contexts | None = None
) -> str:
    """A template printed in that language. Whoever prints parts of it again later gives `contexts`, and
    forgets them in the end."""
    printed = contexts or Contexts()
    before = _PRINTED.set(printed)
    try:
        return _environment().get_template(template).render({"say": say, "lang": lang, **values})
    finally:
        _PRINTED.reset(before)
        if contexts is None:
            printed.forget()


def sorry(
    request: HTTPConnection, lang: str, why: Note, status: int, headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    """The page that says why something did not work."""
    values = {"sentence": note_with_clause(why, translator(lang)), "here": "/"}
    return HTMLResponse(page(request, "sorry.html", lang, values), status, headers)


def page(request: HTTPConnection, template: str, lang: str, values: Mapping[str, object]) -> str:
    """A whole page: the template within the shell, with menu, look and language."""
    shell: dict[str, object] = {
        "look": look_of(request),
        "here": request.url.path,
        "languages": [(code, language_name(code)) for code in LANGUAGES],
        "heading": "",
        "rules_link": "/rules/tuppi",
    }
    return render(template, translator(lang), lang, shell | dict(values))
