"""Alphabetical order of names in the languages of the product."""

import unicodedata
from collections.abc import Sequence

from nousu.engine.normal_forms import normal_form
from nousu.tournament.people import name_key

_LAST = {"fi": "åäö", "sv": "åäö", "nb": "æøå"}
"""Letters behind z, in their order, by language."""
_SAME = {
    "fi": {"æ": "ä", "ø": "ö", "õ": "ö", "ő": "ö"},
    "sv": {"æ": "ä", "ø": "ö", "ő": "ö"},
    "nb": {"ä": "æ", "ö": "ø", "ő": "ø"},
}
"""Letters of neighbours, ordered as the language's own letter."""
_PLAIN = str.maketrans(
    dict(zip("ßæœøłđðþŋŧı", ("ss", "ae", "oe", "o", "l", "d", "d", "th", "n", "t", "i"), strict=True))
)
"""Letters that Unicode does not decompose into a plain letter and an accent."""


_ADDED = frozenset({"jr", "sr", "jun", "sen"})
"""Additions behind a surname."""


def plain_letters(text: str) -> str:
    """The text in small letters without accents.

    >>> plain_letters("Łucja Größe-Bjørnstad")
    'lucja grosse-bjornstad'
    """
    bare = normal_form("NFD", name_key(text).translate(_PLAIN))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


def alphabetical(name: str, language: str) -> tuple[str, str]:
    """Sort key of a name; accents that make no letter of their own decide between equal names only.

    >>> sorted(["Örn", "Otto", "Zoë"], key=lambda name: alphabetical(name, "fi"))
    ['Otto', 'Zoë', 'Örn']
    >>> sorted(["Örn", "Otto", "Zoë"], key=lambda name: alphabetical(name, "de"))
    ['Örn', 'Otto', 'Zoë']
    """
    last, same = _LAST.get(language, ""), _SAME.get(language, {})
    key = []
    for letter in name_key(name):
        own = same.get(letter, letter)
        key.append(
            "{" + str(last.index(own)) if own in last else plain_letters(letter) or letter
        )  # { follows z
    return "".join(key), name_key(name)


def split_surname(name: str) -> tuple[str, str]:
    """Surname and first names.

    A surname stands before a comma, or begins with its particles and ends with additions (sen., 2); a single
    word is a surname, and a name with an initial at its end stands under its first word.

    >>> split_surname("Charlotte von der Weyden"), split_surname("Heinz Groß jun."), split_surname("Guest 7")
    (('von der Weyden', 'Charlotte'), ('Groß jun.', 'Heinz'), ('Guest 7', ''))
    >>> split_surname("Weiß, Jörg"), split_surname("Peter A.")
    (('Weiß', 'Jörg'), ('Peter A.', ''))
    """
    surname, _, firsts = map(str.strip, name.partition(","))
    if surname and firsts:
        return surname, firsts
    words = name.split()
    if len(words) > 1 and len(words[-1].rstrip(".")) == 1 and words[-1][0].isalpha():
        return name, ""
    main = max((at for at, word in enumerate(words) if _is_name(word)), default=0)
    at = next((at for at, word in enumerate(words[1:main], 1) if word.islower()), main)
    return " ".join(words[at:]), " ".join(words[:at])


def _is_name(word: str) -> bool:
    """Whether a word is more than an addition to a name."""
    return word[0].isalpha() and not word.islower() and word.casefold().rstrip(".") not in _ADDED


def surname_first(members: Sequence[str]) -> tuple[str, str]:
    """Surnames and first names of a person or a pair.

    >>> surname_first(("Aino Kuu", "Eino"))
    ('Kuu & Eino', 'Aino')
    """
    surnames, firsts = zip(*map(split_surname, members), strict=True)
    return " & ".join(surnames), " & ".join(filter(None, firsts))


def listed_name(name: str) -> str:
    """Name of one person as a list by surnames shows it.

    >>> listed_name("Ursula Thelen"), listed_name("Ada")
    ('Thelen, Ursula', 'Ada')
    """
    return ", ".join(filter(None, split_surname(name)))


def name_order(members: Sequence[str], language: str) -> tuple[tuple[str, str], ...]:
    """Sort key of a person or a pair in a list by surnames."""
    return tuple(alphabetical(part, language) for name in members for part in split_surname(name))
