"""Shared parts of all pages: the template environment, static files with fingerprints, the shell."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from nousu.engine.messages import Note, pgettext, sentence
from nousu.games import games
from nousu.i18n import LANGUAGES, corner, language_name, numeral
from nousu.i18n.reader import Reader
from nousu.server.errors import public_note
from nousu.server.pages.preferences import preferences_of
from nousu.server.pages.template_whitespace import OneElementPerLine
from nousu.teaching.lessons import course_for

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
FAMILY_SHEETS = sorted((name for name in games() if (STATIC / "css" / f"{name}.css").exists()), reverse=True)
LAYERS = ("base", "components", "table", "pages", "calm")
"""The cascade layers: whatever its selector, a rule of a later layer wins."""
STYLESHEETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "nousu.css": {
        "base": ("tokens", "base"),
        "components": ("cards", "forms"),
        "table": (
            *("score", "hand", "table", "side", *FAMILY_SHEETS),
            *("result", "lobby", "late", "tips", "presence", "chat", "small_screens", "layout", "wide"),
        ),
        "pages": ("home",),
        "calm": ("calm",),
    },
    "pages.css": {
        "pages": (
            *("learn", "review", "friends", "diagram"),
            *("tournament", "projector", "tournament_setup", "season"),
        )
    },
}
"""The stylesheets, each with its parts by layer. The way to a table needs the first one alone."""


@cache
def stylesheet(name: str) -> bytes:
    """The parts of a stylesheet in one file, each in its layer, without comments and needless space."""
    parts = [f"@layer {', '.join(LAYERS)};"]
    for layer, sheets in STYLESHEETS[name].items():
        rules = [(STATIC / "css" / f"{sheet}.css").read_text("utf-8") for sheet in sheets]
        parts += [f"@layer {layer} {{", *rules, "}"]
    bare = re.sub(r"\s*/\*.*?\*/|(?<=\n)\s+", "", "\n".join(parts), flags=re.DOTALL)
    return re.sub(r" ?([{};,]) ?\n?", r"\1", bare).encode()


@cache
def _packed_stylesheet(name: str) -> bytes:
    return gzip.compress(stylesheet(name), mtime=0)


async def send_stylesheet(request: Request) -> Response:
    """Send one of the stylesheets, which is compressed once: that takes longer than any page."""
    name = request.url.path.rpartition("/")[2]
    headers = {"vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(stylesheet(name), media_type="text/css", headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(_packed_stylesheet(name), media_type="text/css", headers=headers)


@cache
def static(name: str) -> str:
    """The address of a static file with a digest of its content, so that it may be cached for ever.

    All scripts have one digest, in a folder of their addresses: a script and what it imports belong together.
    """
    if name.endswith(".js"):
        return f"/static/scripts-{_scripts_digest()}/{name}"
    content = stylesheet(name) if name in STYLESHEETS else (STATIC / name).read_bytes()
    return f"/static/{name}?v={_digest(content)}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:10]


@cache
def _scripts_digest() -> str:
    return _digest(b"\n".join(path.read_bytes() for path in sorted(STATIC.rglob("*.js"))))


@cache
def _bare_script(path: str) -> bytes:
    """A script without the lines that are comments."""
    return re.sub(rb"(?m)^[ \t]*//.*\n", b"", (STATIC / path).read_bytes())


class ScriptFiles(StaticFiles):
    """The scripts under `static`; they may be cached for ever at the address of their present digest."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Send a script."""
        response = await super().get_response(path, scope)
        if response.status_code == 200:
            response = Response(_bare_script(path), media_type="text/javascript")
        if scope["path_params"]["digest"] == _scripts_digest() and response.status_code == 200:
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


SCRIPTS = Mount("/static/scripts-{digest}", ScriptFiles())
"""The route of all scripts."""


@cache
def imported_modules(*scripts: str) -> tuple[str, ...]:
    """The addresses of all modules that these scripts import, and of these scripts but the first."""
    paths = list(scripts)
    for name in paths:
        for other in re.findall(r'\b(?:import|from)\s*"(\.[^"]+)"', (STATIC / name).read_text("utf-8")):
            path = (STATIC / name).parent.joinpath(other).resolve().relative_to(STATIC.resolve()).as_posix()
            if path not in paths:
                paths.append(path)
    return tuple(static(name) for name in paths[1:])


def mark_code(text: str) -> Markup:
    """Text with its parts between backticks marked as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        extensions=[OneElementPerLine],
        auto_reload=False,
    )
    environment.globals["static"] = static
    environment.globals |= {"corner": corner, "numeral": numeral, "sentence": sentence, "pgettext": pgettext}
    environment.globals |= {"course_for": course_for}
    environment.filters["ticks"] = mark_code
    return environment


def render(template: str, reader: Reader, values: Mapping[str, object]) -> str:
    """Render a template for a reader with these names."""
    return (
        _environment().get_template(template).render({"say": reader.say, "lang": reader.language, **values})
    )


_ERRORS = {
    400: (sentence("This did not work"), ""),
    403: (sentence("This is not open to you"), sentence("The way back is by the link that you were sent.")),
    404: (
        sentence("Nothing is here"),
        sentence("Is the whole link there? A piece of it may have been lost when it was copied."),
    ),
    429: (sentence("One moment"), ""),
    503: (sentence("One moment"), ""),
}
"""Title and help of the error page by HTTP status."""


def error_page(
    request: HTTPConnection, lang: str, why: Note, status: int, headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    """The error page: what is the matter, and what helps."""
    reader = Reader.of(lang)
    title, help = _ERRORS.get(status, _ERRORS[400])
    values = {
        "title": reader.say(title),
        "sentence": reader.explanation(public_note(why)),
        "help": reader.say(help) if help else "",
        "status": status,
        "again": status in (429, 500, 503) and request.scope.get("method") == "GET",
        "here": "/",
    }
    return HTMLResponse(page(request, "error.html", lang, values), status, headers)


def page(request: HTTPConnection, template: str, lang: str, values: Mapping[str, object]) -> str:
    """Render a whole page: the template in the shell, with menu, preferences and language."""
    shell: dict[str, object] = {
        "look": preferences_of(request),
        "here": request.url.path,
        "languages": [(code, language_name(code)) for code in LANGUAGES],
        "heading": "",
        "rules_link": "/rules/tuppi",
    }
    return render(template, Reader.of(lang), shell | dict(values))
