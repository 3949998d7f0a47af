"""Text from bytes: marks, UTF-16, UTF-8, and the older encodings of lists told apart by their letters."""

import codecs

import pytest

from nousu.engine.encodings import OLDER, BadText, decode, guesses, is_clear

NAMES = "Name;Verein\nJürgen Groß;TV\nÅsa Öberg;IF\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marks_and_unicode(encoding: str) -> None:
    assert decode(NAMES.encode(encoding)) == NAMES
    big = codecs.BOM_UTF16_BE + NAMES.encode("utf-16-be")
    assert decode(big) == NAMES


def test_other_bytes_name_their_line_or_are_what_the_format_says() -> None:
    data = "first\nM\xf8ller \x81\n".encode("latin-1")
    with pytest.raises(BadText, match="line 2: this is no UTF-8 text"):
        decode(data)
    assert decode(data, "cp1252") == "first\nMøller \x81\n"  # a byte that Windows-1252 lacks
    with pytest.raises(BadText):
        decode(codecs.BOM_UTF16_LE + b"\x00", "cp1252")


def test_older_encodings_are_told_apart_by_their_letters(subtests: pytest.Subtests) -> None:
    for encoding in ("cp1252", "mac_roman", "cp850"):
        for text in [NAMES, "Øyvind Ærø", "JÖRG Groß", "Ødegård", "MÜLLER", "Éva"]:
            with subtests.test(encoding=encoding, text=text):
                ranked = guesses(text.encode(encoding))
                assert (ranked[0].encoding, ranked[0].text) == (encoding, text)
                assert is_clear(ranked)


def test_doubtful_list_is_not_clear() -> None:
    for text, encoding in (
        ("Jürgen", "cp850"),
        ("Señor", "mac_roman"),
        ("Zoë", "cp1252"),
        ("Łukasz Żak, Žofie Ňová, Őry Ödön", "cp1250"),
    ):
        assert encoding in OLDER
        data = text.encode(encoding)
        assert not is_clear(guesses(data))
        assert text in [guess.text for guess in guesses(data)]
