"""Normal forms of Unicode in a time that grows no faster than the text.

The library sorts the marks on one letter by insertion: 32,000 of them, which a form may hold, take a second,
and a file of them takes hours, during which nothing else runs in the process.
"""

import unicodedata
from functools import lru_cache
from typing import Literal

MOST_MARKS = 100
"""Marks on one letter that are kept: more than any name has letters; no script has 30."""


def normal_form(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """The normal form of a text; of the marks on a letter the first 100 stay."""
    return unicodedata.normalize(form, text if text.isascii() else _with_few_marks(text))


def _with_few_marks(text: str) -> str:
    kept, marks = [], 0
    for letter in text:
        marks = marks + 1 if _is_mark(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


@lru_cache(4096)
def _is_mark(letter: str) -> bool:
    """Whether a letter, taken apart, begins with a mark."""
    return unicodedata.combining(unicodedata.normalize("NFKD", letter)[0]) > 0
