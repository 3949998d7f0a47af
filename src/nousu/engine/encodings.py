"""Text from bytes: byte order marks, UTF-16, UTF-8, and the older encodings of lists of names.

All text that comes in goes through `decode`: records, PBN, settings, lists, standard input. It takes
a byte order mark off, reads UTF-16 by its mark, else UTF-8, else what the format of the file defines. A list
of names defines nothing: `guesses` ranks the older encodings by the letters that they would give.
"""

import codecs
from dataclasses import dataclass

OLDER = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman", "cp850": "DOS 850"}
"""Encodings of lists from older programs, each with its usual name."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USUAL = frozenset("äöüßåæøé")
_RARE = frozenset("èêëáàâãíìîïóòôõúùûñçœšžýðþ")
"""Letters beyond ASCII of which names of northern and of western Europe are made, in lower case."""


class BadText(ValueError):
    """Bytes that are no text of the expected encoding.

    Attributes:
        line: The line of the first wrong byte, from 1.
    """

    def __init__(self, line: int) -> None:
        """Keep the line; the sentence is always the same."""
        super().__init__(f"line {line}: this is no UTF-8 text")
        self.line = line


@dataclass(frozen=True, slots=True)
class Guess:
    """A text as one of the older encodings would give it.

    Attributes:
        encoding: The name by which Python knows the encoding, a key of `OLDER`.
        text: The whole text.
        oddity: Number of signs that hardly stand in names: 0 if every letter beyond ASCII is a usual one.
    """

    encoding: str
    text: str
    oddity: int


def decode(data: bytes, otherwise: str = "") -> str:
    r"""Decode the bytes of a text and take its byte order mark off.

    Args:
        data: The bytes of a file or of standard input.
        otherwise: The encoding that the format defines for bytes that are not UTF-8; without it they are an
            error. Windows-1252 stands for Latin-1 too: bytes that it lacks are read as Latin-1.

    Raises:
        BadText: The bytes are no text.

    >>> decode(b"\xef\xbb\xbfAino"), decode("Aino".encode("utf-16")), decode(b"M\xf8ller", "cp1252")
    ('Aino', 'Aino', 'Møller')
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if not otherwise or encoding != "utf-8":
            raise BadText(error.object[: error.start].count(b"\n") + 1) from None
    try:
        return data.decode(otherwise)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def guesses(data: bytes) -> tuple[Guess, ...]:
    r"""The readings of bytes that are not UTF-8, the likeliest first.

    An encoding that lacks one of the bytes gives none. Equally likely ones stay in the order of `OLDER`.

    >>> [guess.encoding for guess in guesses("Jürgen Groß".encode("mac_roman"))][0]
    'mac_roman'
    """
    readings = []
    for encoding in OLDER:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        readings.append(Guess(encoding, text, _oddity(text)))
    return tuple(sorted(readings, key=lambda guess: guess.oddity))


def is_clear(ranked: tuple[Guess, ...]) -> bool:
    """Whether the first of ranked guesses has only usual letters, and no other comes near."""
    return bool(ranked) and not ranked[0].oddity and all(guess.oddity > 1 for guess in ranked[1:])


def _oddity(text: str) -> int:
    """Count signs beyond ASCII that hardly stand in names, and letters of the wrong size for their place."""
    odd = 0
    for before, letter, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if letter < "\x80" or letter in "’–\N{NO-BREAK SPACE}":
            continue
        small = letter.lower()
        odd += 0 if small in _USUAL else 1 if small in _RARE else 3
        odd += 3 * (letter.isupper() and before.islower())
        odd += 3 * (letter.islower() and letter != "ß" and before.isupper() and after.isupper())
        odd += letter.islower() and not before.isalpha()
    return odd
