"""Glossaries: one term for one thing in all texts of a language, and nouns in the right number."""

import itertools
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from nousu.engine.messages import sentence
from nousu.i18n import GLOSSARY, LANGUAGES, clause_texts, titles, translator
from tools import collect_messages

PLACE = re.compile(r"\{(\w+)\}")
TEXT = re.compile(
    r"(name|other|seat|side|card|suit|option|setting|preset|path|reason|who|player|word|by|text|value)"
    r"s?(_\w+)?$|(table|round|plan|old|number|entry|line|game|hand|rank)$|(numbers|listed|possible|choice|choices|known|last|example|others|rulings|rule|why|told|average)$"
)
"""Places that are filled with words, or with the number of a thing: ``table 5``."""


@cache
def glossary(language: str) -> dict[str, Any]:
    """The glossary of a language, as it is on disk."""
    return tomllib.loads((GLOSSARY / f"{language}.toml").read_text("utf-8"))


def texts(language: str) -> Iterator[str]:
    """Every message, every clause and every title in that language."""
    yield from clause_texts(language).values()
    yield from titles(language).values()
    if language == "en":
        yield from collect_messages.used()
        return
    for entry in collect_messages.read(language):
        if entry.id:
            yield from entry.string if isinstance(entry.string, tuple) else (str(entry.string),)


def test_glossary_terms_are_used_everywhere(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            found, shown = [], tuple(texts(language))
            for term, row in glossary(language)["terms"].items():
                assert row["say"] and row["not"], term
                for pattern in row["not"]:  # with a capital in it, capitals count
                    wrong = re.compile(rf"\b(?:{pattern})", re.IGNORECASE if pattern.islower() else 0)
                    found += [f"{term}: {text}" for text in shown if wrong.search(text)]
            assert found == []


def test_glossary_finds_a_wrong_word() -> None:
    rows = glossary("fi")["terms"]
    assert re.search(rf"\b(?:{'|'.join(rows['raise']['not'])})", "{name} tuppaa sokkona.")
    assert re.search(rf"\b(?:{'|'.join(rows['partner']['not'])})", "Kaverin kortti".lower())


def test_number_stands_before_the_right_form(subtests: pytest.Subtests) -> None:
    """Every message with 0, 1, 2 and 5 in every place of a number: never ``1 points`` or ``5 trick``."""
    for language in LANGUAGES:
        with subtests.test(language=language):
            counted = glossary(language)["counted"].values()
            one = "|".join(word for row in counted for word in row["one"])
            many = "|".join(word for row in counted for word in row["many"])
            wrong = re.compile(rf"(?<![\d.,–…-])(?:1 (?:{many})|(?:0|2|5) (?:{one}))(?![\w-])")
            say, seen, found = translator(language), 0, []
            for forms in collect_messages.said():
                message = sentence(*forms)
                places = list(dict.fromkeys(PLACE.findall(forms[-1])))
                numbers = [place for place in places if not TEXT.match(place)]
                words = {place: "X" for place in places}
                for values in itertools.product((0, 1, 2, 5), repeat=min(len(numbers), 3)):
                    filled = words | dict.fromkeys(numbers, 5) | dict(zip(numbers, values, strict=False))
                    if "most" in filled:
                        filled["most"] = max(2, filled["most"])  # ``1 to {most} players``
                    text = say(message, **filled)
                    seen += bool(re.search(rf"\d (?:{one}|{many})(?![\w-])", text))
                    if wrong.search(text):
                        found.append(f"{forms[0]} → {text}")
                        break
            assert found == []
            assert seen > 100


def test_glossary_of_every_language() -> None:
    assert {path.stem for path in GLOSSARY.glob("*.toml")} == set(LANGUAGES)
