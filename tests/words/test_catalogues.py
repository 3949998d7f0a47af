"""Every catalogue says every message, with the same places to fill in."""

import pytest

from nousu.words import LANGUAGES, extract

COMPLETE = [language for language in LANGUAGES if (extract.CATALOGUES / f"{language}.po").exists()]


def test_the_home_language_has_a_catalogue() -> None:
    assert LANGUAGES[0] in COMPLETE


def test_the_extraction_finds_words_in_python_templates_notes_and_options() -> None:
    used = extract.used()
    assert used["Take a seat."] == ["server/templates/home.html:9"]
    assert any(place.startswith("server/pages/whist.py") for place in used["Do you play sooli?"])
    assert any(place.startswith("games/whist.py") for place in used["{side} is rising with {points}"])
    assert "Points for sooli, to whichever side wins it." in used


@pytest.mark.parametrize("language", COMPLETE)
def test_nothing_is_missing_or_fuzzy(language: str) -> None:
    assert extract.missing(language) == []


@pytest.mark.parametrize("language", COMPLETE)
def test_places_to_fill_in_are_the_same(language: str) -> None:
    assert extract.broken(language) == []
