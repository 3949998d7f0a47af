"""The fingerprint of the rules differs with every change of behaviour, and with nothing else."""

import ast
from importlib.resources import files

import pytest

from nousu.about import _sources, rules_hash
from nousu.fingerprint import fingerprint

CARDS = '''
"""Cards."""
LOW, HIGH = 2, 14

def is_card(number: int, *, least: int = LOW) -> bool:
    """Whether it is one."""
    return least <= number <= HIGH
'''
NOTES = """
class Refusal(ValueError):
    def __init__(self, clause, message):
        self.clause, self.message = clause, message

def sentence(text):
    return text

def quoted(text):
    return text[:60]
"""
GAME = '''
from dataclasses import dataclass, field
from typing import Protocol

from table import notes
from table.cards import HIGH, is_card

class Table(Protocol):
    def take(self, card): ...

@dataclass(frozen=True)
class Hand:
    """A hand."""

    cards: tuple[int, ...]
    """What it holds."""
    target: int = field(default=52, metadata={"clause": "T-1"})

    def __repr__(self):
        return f"<Hand of {len(self.cards)}>"

    def take(self, card):
        # The clause wants it so.
        if not is_card(card, least=3) or card in self.cards:
            raise notes.Refusal("T-2", f"there is no card {notes.quoted(card)}")
        message = notes.sentence("You hold it")
        return self._with(card), message

    def _with(self, card):
        held = tuple(one for one in self.cards if one != card)
        first = held + (card,)
        return Hand(first)

    def _without(self, card):
        return Hand(tuple([one for one in self.cards if one > card]))

def best(hand):
    return max(hand.cards, key=lambda card: (card == HIGH, card))

def worst(hand):
    return min(hand.cards)

GAME = {"start": Hand, "best": best, "presets": {"long": Hand((), 52), "short": Hand((), 26)}}
'''
SOURCES = {"table.cards": CARDS, "table.notes": NOTES, "table.game": GAME}


def mark(sources: dict[str, str]) -> str:
    return fingerprint(sources, {"GAME"})


def changed(old: str, new: str) -> dict[str, str]:
    assert any(old in text for text in SOURCES.values()), old
    return {name: text.replace(old, new) for name, text in SOURCES.items()}


def test_names_and_texts_do_not_count(subtests: pytest.Subtests) -> None:
    for old, new in [
        ('"""A hand."""', '"""Cards in a hand."""'),
        ('    """What it holds."""\n', ""),
        ("# The clause wants it so.", "# And no wonder."),
        ("there is no card", "no such card as"),
        ('"You hold it"', '"It is in your hand already"'),
        ("[:60]", "[:50]"),
        ("<Hand of", "<Cards of"),
        ("number: int, *", "number, *"),
        ("cards: tuple[int, ...]", "cards: list"),
        ("one for one in self.cards if one !=", "other for other in self.cards if other !="),
        ("first", "cards"),
        ("lambda card: (card == HIGH, card)", "lambda each: (each == HIGH, each)"),
        ("_with(", "_and("),
        ("best(", "_strongest("),
        ("is_card", "_is_in_pack"),
        ("HIGH", "ACE"),
        ("Hand", "Holding"),
        ("quoted", "brief"),
        ("        message = ", "        refuse_no_card(card)\n        message = "),
    ]:
        with subtests.test(old=old, new=new):
            after = changed(old, new)
            if old == "best(":
                after["table.game"] = after["table.game"].replace('"best": best', '"best": _strongest')
            assert after != SOURCES
            assert mark(after) == mark(SOURCES)


def test_files_and_order_do_not_count() -> None:
    moved = {
        "table.pack": CARDS,
        "elsewhere.messages": NOTES,
        "table.game": GAME.replace("import notes", "import notes\nfrom elsewhere import messages")
        .replace("from table import notes\n", "")
        .replace("notes.", "messages.")
        .replace("table.cards", "table.pack"),
    }
    assert mark(moved) == mark(SOURCES)
    head, *definitions = GAME.partition("def best")
    best, worst = (definitions[0] + definitions[1]).split("\n\ndef worst")
    swapped = f"{head}def worst{worst.partition('GAME')[0]}\n\n{best}\n\nGAME{worst.partition('GAME')[2]}"
    assert mark(SOURCES | {"table.game": swapped}) == mark(SOURCES)
    own = SOURCES["table.game"].replace("from table.cards import HIGH, is_card", CARDS)
    assert mark({"table.notes": NOTES, "table.game": own}) == mark(SOURCES), "wherever a definition stands"
    unread = SOURCES | {"table.display": "from table.game import Hand\n\ndef html(hand):\n    return '<p>'\n"}
    assert mark(unread) == mark(SOURCES), "what the roots do not reach"


def test_change_of_behaviour_counts(subtests: pytest.Subtests) -> None:
    for old, new in [
        ("LOW, HIGH = 2, 14", "HIGH, LOW = 2, 14"),
        ("LOW, HIGH = 2, 14", "LOW, HIGH = 2, 13"),
        ("least <= number", "least < number"),
        ("least=3", "least=4"),
        (" or card in", " or card not in"),
        ('"T-2"', '"T-3"'),
        ('"T-1"', '"T-3"'),
        ("default=52", "default=51"),
        ("target", "goal"),
        ("Hand((), 26)", "Hand((), 27)"),
        ('"short"', '"brief"'),
        ("held + (card,)", "(card,) + held"),
        ("one != card", "card != one"),
        ("return Hand(first)", "return Hand(held)"),
        ("self._with(card)", "self._without(card)"),
        ('"best": best', '"best": worst'),
        ("(card == HIGH, card)", "(card, card == HIGH)"),
        ("def take(", "def grab("),
        ("    def take(self, card):\n", "    def take(self, card):\n        card += 0\n"),
    ]:
        with subtests.test(old=old, new=new):
            assert mark(changed(old, new)) != mark(SOURCES)


def test_parameters_given_by_name_may_not_be_swapped() -> None:
    before = "def away(a, b):\n    return a - b\n\nGAME = away(a=1, b=2)\n"
    after = "def away(b, a):\n    return b - a\n\nGAME = away(a=1, b=2)\n"
    assert mark({"game": before}) != mark({"game": after})


def test_roots_must_be_there() -> None:
    with pytest.raises(ValueError, match="no module defines MATCH"):
        fingerprint(SOURCES, {"GAME", "MATCH"})


def test_fingerprint_is_calculated_from_the_rules_of_today() -> None:
    """Comments and docstrings of all modules may go; one preset's option may not."""
    sources = {
        name: text
        for package in ("engine", "games")
        for name, text in _sources(files("nousu") / package, f"nousu.{package}").items()
    }
    bare = {name: ast.unparse(ast.parse(text)) for name, text in sources.items()}
    assert fingerprint(bare, {"GAME", "Match"}) == rules_hash()
    rules = "nousu.games.whist.rules"
    other = sources[rules].replace('"high_fail_points": 6', '"high_fail_points": 7')
    assert other != sources[rules]
    assert fingerprint(sources | {rules: other}, {"GAME", "Match"}) != rules_hash()
