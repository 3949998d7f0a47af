"""Examples in docstrings become blocks of code on the site.

Griffe calls this extension (``extensions`` in mkdocs.yml) for a package that it has read. Markdown would take
``>>>`` for quotations in quotations, and what an example indexes for a link.
"""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?m)^>>>(?:.*\n?)(?:.+\n?)*")
_LITERAL = re.compile(r"(?m)^::\n\n|(?<=\S)::$")


def with_code_blocks(text: str) -> str:
    """The docstring with its examples, and the signs of literal blocks, as Markdown writes them."""
    fenced = _EXAMPLE.sub(lambda block: f"```pycon\n{block[0].rstrip()}\n```\n", text)
    return _LITERAL.sub(lambda sign: "" if sign[0].startswith("::\n") else ":", fenced)


class DoctestBlocks(griffe.Extension):
    """Writes the examples of all docstrings as code."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Change the docstrings of a package and of all that is defined in it."""
        waiting: list[griffe.Object] = [pkg]
        while waiting:
            defined = waiting.pop()
            if defined.docstring:
                defined.docstring.value = with_code_blocks(defined.docstring.value)
            waiting += [member for member in defined.members.values() if isinstance(member, griffe.Object)]
