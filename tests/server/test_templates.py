"""Whitespace of templates, the length of their lines, and the one stylesheet."""

import re

import pytest
from jinja2 import Environment

from nousu.server.pages.site import HERE, STYLESHEETS, stylesheet
from nousu.server.pages.template_whitespace import OneElementPerLine

TEMPLATES = sorted((HERE / "templates").rglob("*.html"))
LONGEST = 150
"""Characters a line of a template; only drawings and whole sentences may be longer."""


def printed(source: str, **values: object) -> str:
    return Environment(extensions=[OneElementPerLine]).from_string(source).render(values)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>\n  one\n  two\n</p>\n", "<p>one two</p>"),
        ("<p>one <b>two</b>\n  <i>three</i>\n</p>", "<p>one <b>two</b><i>three</i></p>"),
        ('<p\n  class="a"\n  {% if x %} id="b"{% endif %}\n>\n{{ x }}\n</p>', '<p class="a"  id="b" >1</p>'),
        ("{% if x %}\n  <b>{{ x }}</b>\n{% else %}\n  no\n{% endif %}", "<b>1</b>"),
        ("{{ x }}\n{{ x }}", "1 1"),
        ("<pre>\n  kept\n</pre>", "<pre>\n  kept\n</pre>"),
        ('<a title="{{ "a > b" }}"\n>x</a>', '<a title="a > b" >x</a>'),
    ],
)
def test_line_breaks_are_not_rendered(source: str, text: str) -> None:
    assert printed(source, x=1) == text


def test_template_errors_name_the_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        printed("<p>\n\n  <b>\n    {{ 1 // x }}</b>\n</p>", x=0)
    assert caught.traceback[-1].lineno + 1 == 4


def test_template_lines_are_short() -> None:
    long = [
        f"{path.name}:{number} has {len(line)} characters"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST and not re.search(r"\bd=\"|say\(\"", line)
    ]
    assert long == []


def _without_space(css: str) -> str:
    return re.sub(r"/\*.*?\*/|\s+", "", css, flags=re.DOTALL)


def test_every_part_is_sent_in_one_stylesheet() -> None:
    parts = [path.stem for path in (HERE / "static" / "css").glob("*.css")]
    assert sorted(parts) == sorted(
        part for layers in STYLESHEETS.values() for names in layers.values() for part in names
    )
    for name, layers in STYLESHEETS.items():
        css = stylesheet(name).decode()
        sent = _without_space(css)
        for part in (part for names in layers.values() for part in names):
            text = (HERE / "static" / "css" / f"{part}.css").read_text(encoding="utf-8")
            assert _without_space(text) in sent, part
        assert "/*" not in css
    page = (HERE / "templates" / "page.html").read_text(encoding="utf-8")
    assert page.count('rel="stylesheet"') == len(STYLESHEETS)


def _all_styles() -> str:
    return "".join(stylesheet(name).decode() for name in STYLESHEETS)


def test_every_class_of_the_stylesheet_is_used() -> None:
    sources = [path for kind in ("*.html", "*.js", "*.py") for path in HERE.rglob(kind)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    css = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", _all_styles(), flags=re.S)
    begun = set(re.findall(r"([\w-]+-)(?:\$\{|\{\{|\" ~)", text))
    used = set(re.findall(r"[\w-]+", text))
    named = set(re.findall(r"\.([a-zA-Z][\w-]+)", css))
    unused = {name for name in named - used if not name.startswith(tuple(begun))}
    assert unused == set()


def test_stylesheet_has_no_not_within_has() -> None:
    """`:has(:not())` makes browsers match every ancestor anew whenever any element comes or goes: ten
    milliseconds a picture at the table. An attribute on the ancestor says the same."""
    wrong = re.findall(r"[^{}]*:has\((?:[^()]|\([^()]*\))*:not\([^{}]*", _all_styles())
    assert wrong == []


def test_macros_and_imported_names_are_used() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES]
    called = [name for text in texts for name in re.findall(r"\b(\w+)\(", re.sub(r"macro \w+", "", text))]
    macros = {name for text in texts for name in re.findall(r"{% macro (\w+)", text)}
    assert macros - set(called) == set()
    for path, text in zip(TEMPLATES, texts, strict=True):
        names = (
            re.findall(r"import ([\w, ]+?)(?: with context)? %}", text) if path.name != "base.html" else []
        )
        imported = [name for group in names for name in group.split(", ")]
        assert [name for name in imported if len(re.findall(rf"\b{name}\b", text)) < 2] == [], path.name
