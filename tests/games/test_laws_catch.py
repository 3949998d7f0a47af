"""Each law of the kit catches a hand that breaks it: games bent on purpose, in one way each."""

from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import pytest

from broken_game import Apply, Bent
from nousu.engine import laws
from nousu.engine.actions import Action, Call, Play, Show
from nousu.engine.cards import DECK_52
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Game, Hand, Setup
from nousu.engine.options import option
from nousu.engine.seats import Seat
from nousu.games import find


def broken_law(preset: str, **bent: Any) -> str:
    """The law that a bent game breaks."""
    game, rules = find(preset)
    crooked = replace(game, start=lambda rules, setup: Bent(game.start(rules, setup), **bent))
    return broken_by(crooked, rules)


def broken_by(game: Game, rules: Any) -> str:
    with pytest.raises(laws.LawBroken) as found:
        for seed in range(30):
            laws.check(game, rules, game.seats.start, Random(seed), hands=1, worlds=0)
    return found.value.law


def nothing_on_turn(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    return () if len(hand.log) == 9 else legal


def something_after_the_end(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    return legal if hand.result() is None else (Call("again"),)


def one_twice(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    return legal[:1] + legal


def no_text(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    return (*legal, Call("bid!")) if legal else legal


def a_choice_of_shows(hand: Hand, seat: Seat, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    return (*legal, Call("pass")) if any(isinstance(one, Show) for one in legal) else legal


def test_wrong_legal_set_is_caught(subtests: pytest.Subtests) -> None:
    for preset, may, law in [
        ("tuppi", nothing_on_turn, "owed"),
        ("minnesota", something_after_the_end, "over"),
        ("tuppi", one_twice, "text"),
        ("tuppi", no_text, "text"),
        ("minnesota", a_choice_of_shows, "forced show"),
    ]:
        with subtests.test(preset=preset, may=may, law=law):
            assert broken_law(preset, may=may) == law


def swallow(hand: Hand, seat: Seat, action: Action) -> Hand:
    """An illegal card is taken for the first legal one."""
    legal = hand.legal(seat)
    if isinstance(action, Play) and legal and action not in legal:
        return hand.apply(seat, legal[0])
    return hand.apply(seat, action)


def unexplained(hand: Hand, seat: Seat, action: Action) -> Hand:
    try:
        return hand.apply(seat, action)
    except IllegalAction as error:
        raise IllegalAction("", "no", error.legal) from None


def without_the_legal_set(hand: Hand, seat: Seat, action: Action) -> Hand:
    try:
        return hand.apply(seat, action)
    except IllegalAction as error:
        raise IllegalAction(error.clause, "no", (Call("never"),)) from None


@pytest.mark.parametrize(
    ("do", "law"),
    [(swallow, "only legal"), (unexplained, "refusal"), (without_the_legal_set, "refusal")],
)
def test_wrong_refusal_is_caught(do: Apply, law: str) -> None:
    assert broken_law("huutopussi", do=do) == law


@pytest.mark.parametrize("away", [-2, -1, 4])
def test_view_from_a_seat_that_does_not_exist_is_caught(away: Seat) -> None:
    assert broken_law("minnesota", look=lambda _hand, seat: 3 if seat == away else seat) == "view"


def test_hand_that_remembers_its_process_is_caught() -> None:
    """Reading the record must give the match back: here every start of a hand is another one."""
    game, rules = find("minnesota")
    numbers = count(1)

    def start(rules: Any, setup: Setup) -> Hand:
        return game.start(rules, replace(setup, number=next(numbers)))

    assert broken_by(replace(game, start=start), rules) == "replay"


@dataclass(frozen=True, kw_only=True)
class Mute:
    """An option without a description."""

    points: int = option(1, clause="", doc="", group="", low=0, high=3)


@dataclass(frozen=True, kw_only=True)
class Impossible:
    """A default that is not among the values."""

    points: int = option(9, clause="X-1", doc="Points.", group="score", low=0, high=3)


@pytest.mark.parametrize("rules", [Mute, Impossible])
def test_options_without_a_word_are_caught(rules: type) -> None:
    game, _ = find("minnesota")
    with pytest.raises(laws.LawBroken, match="rules: points"):
        laws.every_rule_field_is_documented(replace(game, rules=rules, presets={}))


def test_kit_that_finds_nothing_says_how_much_it_looked_at(last_trick: Game) -> None:
    rules = last_trick.presets["last_trick"]
    assert laws.check(last_trick, rules, 3, Random(1), hands=3, worlds=0) == 0
    assert laws.check(last_trick, rules, 3, Random(1), hands=3, worlds=1) > 20


def test_leaves_count_the_tree(last_trick: Game) -> None:
    """Two cards each of one suit: two choices, then one, then nothing is left to choose."""
    hand = last_trick.start(last_trick.rules_named("last_trick+cards=2+doubling=off"), _setup(last_trick))
    pack = [card for card in DECK_52 if card.suit == 0]
    hand = hand.apply(-1, hand.dealing().dealt([*pack[:4], *(c for c in DECK_52 if c not in pack[:4])]))
    assert [laws.leaves(hand, depth) for depth in range(6)] == [1, 2, 4, 4, 4, 4]


def _setup(game: Game) -> Setup:
    return Setup(2, 0, game.tally(game.presets["last_trick"], 2))
