"""Languages: choice for a reader, messages without translation, numbers, card corners."""

import copy
import pickle

import pytest

from nousu.engine.messages import Note, pgettext, sentence
from nousu.i18n import LANGUAGES, Signed, best_language, clause_texts, corner, translator


def test_language_of_a_reader_is_the_preferred_one() -> None:
    preferred = {
        None: "en",
        "": "en",
        "fi-FI,fi;q=0.9,en;q=0.8": "fi",
        "en-GB,fi;q=0.9": "en",
        "fr,sv;q=0.5,de;q=0.7": "de",
        "no": "nb",
        "nn-NO": "nb",
        "sv_FI.UTF-8": "sv",
        "fi;q=zero,de;q=0.1": "de",
        "xx,yy": "en",
        "*": "en",
    }
    for header, language in preferred.items():
        assert best_language(header) == language, header


@pytest.mark.foreign_words
def test_message_without_translation_is_english():
    for language in LANGUAGES:
        say = translator(language)
        assert say("no catalogue holds {this}", this="message") == "no catalogue holds message"
        assert say("braces {stay} without values") == "braces {stay} without values"


@pytest.mark.foreign_words
def test_message_with_a_number_has_a_singular_and_a_plural():
    """The first number named decides, whatever its sign; seats are people and text is no number."""
    tricks = sentence("{seat}: {tricks} trick, {points}", "{seat}: {tricks} tricks, {points}")
    say = translator("en")
    result = [say(tricks, seat="3", tricks=tricks_, points=5) for tricks_ in (0, 1, 2, -1)]
    assert result == ["3: 0 tricks, 5", "3: 1 trick, 5", "3: 2 tricks, 5", "3: −1 trick, 5"]
    assert [say(tricks, seat="3", tricks=text, points=5) for text in ("+1", "−4")] == [
        "3: +1 trick, 5",
        "3: −4 tricks, 5",
    ]
    assert Note("", tricks, {"seat": 1, "tricks": 5, "points": 1}).english == "1: 5 tricks, 1"
    assert Note("", tricks, {"seat": 5, "tricks": 1, "points": 5}).english == "5: 1 trick, 5"
    for other in (copy.deepcopy(tricks), pickle.loads(pickle.dumps(tricks))):
        assert say(other, seat="", tricks=1, points=0) == ": 1 trick, 0"


def test_message_with_a_context_has_the_meaning_of_that_place() -> None:
    """One English word is two words elsewhere: cards are drawn, and a match is drawn."""
    drawn = pgettext("result of a match", "drawn")
    assert (translator("de")("drawn"), translator("de")(drawn)) == ("gezogen", "unentschieden")
    assert (translator("fi")("won"), translator("fi")(pgettext("result of a match", "won"))) == (
        "vei",
        "voitto",
    )
    assert translator("en")(drawn) == "drawn"
    for other in (copy.deepcopy(drawn), pickle.loads(pickle.dumps(drawn))):
        assert translator("sv")(other) == "oavgjort"


@pytest.mark.foreign_words
def test_number_has_a_minus_sign_and_the_comma_of_the_language():
    for language in LANGUAGES:
        say = translator(language)
        result = "−12.8 +0.4 −3 +2" if language == "en" else "−12,8 +0,4 −3 +2"
        assert say("{a} {b} {c} {d}", a="-12.8", b="+0.4", c=-3, d="+2") == result
        assert say("{a} {b}", a="1.10", b="-h") == "1.10 -h"  # a version and an option stay as they are


def test_card_corners_follow_the_language() -> None:
    nordic = "E K D Kn 10"
    corners = {"fi": "A K Q J 10", "en": "A K Q J 10", "sv": nordic, "nb": nordic, "de": "A K D B 10"}
    for language, letters in corners.items():
        assert " ".join(corner(letter, language) for letter in ("A", "K", "Q", "J", "10")) == letters


def test_clauses_are_translated_into_every_language(subtests: pytest.Subtests):
    for language in [language for language in LANGUAGES if language != "en"]:
        with subtests.test(language=language):
            english, other = clause_texts(), clause_texts(language)
            assert len(english) >= 189 + 90
            assert set(other) == set(english)
            same = [id for id in english if english[id] == other[id]]
            assert same == []
            assert translator(language)(english["T-CAT-14"]) == other["T-CAT-14"]


def test_gain_has_the_plural_of_its_number_and_a_sign() -> None:
    text = sentence("{points} point", "{points} points")
    assert [translator("en")(text, points=Signed(points)) for points in (1, 12, -440)] == [
        "+1 point",
        "+12 points",
        "−440 points",
    ]
