"""Whitespace of templates: one element a line is rendered as if all stood on one line.

As in JSX, whitespace with a line break is dropped beside a tag or a statement, and is one space between
words.
"""

import re

from jinja2.ext import Extension

_GAP = re.compile(r"\s*\n\s*")
_MARKUP = re.compile(
    r"""
    (?P<gap>  \s*\n\s* )
  | (?P<kept> <(?:script|style|pre|textarea)\b.*?</(?:script|style|pre|textarea)> )
  | (?P<tag>  </?[a-z!](?: \{\{.*?\}\} | \{%.*?%\} | "(?:\{\{.*?\}\}|\{%.*?%\}|[^"])*" | [^>"] )*> )
  | (?P<statement> \{%.*?%\} | \{\#.*?\#\} )
  | (?P<text> \{\{.*?\}\} | [^\s{<]+ | . )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def join_lines(source: str) -> str:
    r"""The template with its line breaks in comments, so that the numbers of lines stay true.

    >>> join_lines("<p>\n  one\n  two <b>three</b>\n</p>").replace("{#\n#}", "")
    '<p>one two <b>three</b></p>'
    """
    out: list[str] = []
    before, gap = "tag", ""
    for match in _MARKUP.finditer(source):
        kind, text = match.lastgroup or "text", match.group()
        if kind == "gap":
            gap = _as_comment(text)
            continue
        out.append(gap + " " if gap and before == "text" == kind else gap)
        out.append(_GAP.sub(lambda gap: " " + _as_comment(gap.group()), text) if kind == "tag" else text)
        before, gap = kind, ""
    return "".join(out) + gap


def _as_comment(gap: str) -> str:
    return "{#" + "\n" * gap.count("\n") + "#}"


class OneElementPerLine(Extension):
    """A Jinja extension that passes every template through `join_lines`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source as Jinja compiles it."""
        return join_lines(source)
