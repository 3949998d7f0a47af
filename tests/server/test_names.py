"""Names: visible letters only, and no two at a table that look alike."""

import time
import unicodedata
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nousu
from nousu.engine.normal_forms import MOST_MARKS, normal_form
from nousu.server.table.display_names import LENGTH, clean_name, skeleton
from nousu.tournament.people import LONGEST


def test_names_are_clean_and_different() -> None:
    assert clean_name("  Väinö \u202e\n\x07 Möttönen ") == "Väinö Möttönen"
    assert clean_name("") == "Guest"
    assert clean_name("x" * 90) == "x" * 24
    assert clean_name("ＡＩＮＯ", ["aino", "Aino 2"]) == "ＡＩＮＯ 3"


def test_names_that_look_alike_are_told_apart(subtests: pytest.Subtests) -> None:
    for known, other in [
        ("Aino", "Аinо"),  # two Cyrillic letters
        ("Aino", "ΑΙΝΟ"),  # all Greek
        ("Aino", "AINO"),
        ("Aino", "A1n0"),
        ("Ville", "VilIe"),
        ("Ville", "ｖｉｌｌｅ"),
        ("Emma", "Ernrna"),
        ("Cocos", "Сосоѕ"),
        ("Väinö", "Va\u0308ino\u0308"),
    ]:
        with subtests.test(known=known, other=other):
            assert clean_name(other, [known]).endswith(" 2")


def test_names_without_a_look_alike_are_left_alone(subtests: pytest.Subtests) -> None:
    for other in ["Aina", "Vaino", "Eero", "Aino K"]:
        with subtests.test(other=other):
            assert clean_name(other, ["Aino", "Väinö"]) == other


def test_name_that_cannot_be_seen_is_none(subtests: pytest.Subtests) -> None:
    for nothing in ["\u3164", "\u115f\u1160", "\u2800" * 5, "\ufe0f", "\u0301\u0301", "\u00ad", "\ud800"]:
        with subtests.test(nothing=nothing):
            assert clean_name(nothing) == "Guest"
            assert clean_name(f"Ai{nothing}no") in ("Ai no", "Aino", "Aíno", "Aí\u0301no", "Ai\u0301\u0301no")


def test_picture_of_several_stays_whole(subtests: pytest.Subtests) -> None:
    for picture in ["🏳️‍🌈", "👩🏽‍🦳", "🤷‍♀️", "❤️‍🔥", "👨‍👩‍👧‍👦", "❤️"]:
        with subtests.test(picture=picture):
            assert clean_name(f"Aino {picture}") == f"Aino {picture}"
            parts = picture.replace("\u200d", "").replace("\ufe0f", "")
            assert clean_name(picture, [parts]).endswith(" 2")
    assert clean_name("Ai\u200dno \u200d🦊\u200d \ufe0f") == "Ai no 🦊"
    assert clean_name("x" * 22 + "👩‍👩") == "x" * 22 + "👩"


def test_letter_carries_few_marks() -> None:
    assert len(clean_name("Z" + "\u0335" * 30 + "o")) == 4


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=6))
def test_text_of_any_kind_becomes_a_name(text: str, others: list[str]) -> None:
    taken: list[str] = []
    for one in (*others, text):
        taken.append(clean_name(one, taken))
        shown = taken[-1]
        assert 0 < len(shown) <= LENGTH and shown == " ".join(shown.split())
        assert not any(unicodedata.category(letter)[0] == "C" for letter in shown)
        shown.encode()
    assert len({skeleton(name) for name in taken}) == len(taken)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
def test_normal_form_takes_no_longer_for_marks_made_to_be_sorted(form: Literal["NFC", "NFD", "NFKC"]) -> None:
    """A name of 62 KB held up every table for a second, one of 8 MB for hours."""
    texts = (
        "a" + "\u0301" * 20_000 + "\u0316" * 20_000,
        "\u0f73" * 40_000,
        ("\u0301" * 30 + "\uff9e") * 1000,
    )
    for text in texts:
        began = time.thread_time()
        assert normal_form(form, text)
        assert time.thread_time() - began < 0.3, ascii(text[:3])


@given(st.sampled_from(["NFC", "NFD", "NFKC"]), st.text(max_size=LONGEST))
def test_normal_form_of_a_name_is_that_of_the_library(form: Literal["NFC", "NFD", "NFKC"], text: str) -> None:
    assert normal_form(form, text) == unicodedata.normalize(form, text)
    assert MOST_MARKS > LONGEST, "names that are stored stay what they are"


def test_no_other_module_sorts_marks() -> None:
    folder = Path(nousu.__file__).parent
    using = [
        path.name for path in folder.rglob("*.py") if "unicodedata.normalize(" in path.read_text("utf-8")
    ]
    assert using == ["normal_forms.py"]
