"""Names: visible letters only, and no two at a table that look alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.server.table.display_names import LENGTH, clean_name, skeleton


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
