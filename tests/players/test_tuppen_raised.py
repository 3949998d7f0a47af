"""Hands of Tuppen played out with more raises to come."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest

from nousu.engine.cards import CardSet, card_set
from nousu.engine.game import View
from nousu.games.tuppen import RAISE, Facts
from nousu.players.tuppen.playouts import (
    ANY,
    losses_if_holding,
    losses_if_leaving,
    losses_if_raising,
    losses_if_silent,
)
from nousu.review.families import tuppen
from tuppen_table import SWEEP, said, table

Course = Callable[[View, Sequence[CardSet], int], Mapping[int, int]]


def silent(view: View, hands: Sequence[CardSet], seed: int) -> Mapping[int, int]:
    return losses_if_silent(view, hands, seed, ANY)


def courses(view: View, course: Course, count: int) -> list[Mapping[int, int]]:
    """Losses of all seats in this many imagined deals."""
    found, rng = tuppen.possible_deals(view), Random(2)
    return [course(view, found.sample(rng).hands, seed) for seed in range(count)]


def test_hand_that_cannot_lose_is_paid_by_all_the_others() -> None:
    """North leads clubs that win every trick."""
    hand = table({0: SWEEP}, points="7 7 7 7")
    view = hand.apply(3, RAISE).view(0)
    for lost in courses(view, losses_if_holding, 50):
        assert set(lost) == {1, 2, 3} and min(lost.values()) >= 1 and max(lost.values()) >= 2
    for course in (losses_if_raising, silent):
        for lost in courses(hand.view(0), course, 50):
            assert set(lost) == {1, 2, 3}


def test_raise_in_vain_costs_two_at_least_and_silence_sometimes_one() -> None:
    """Two can be lost by staying only; leaving the first raise costs one."""
    view = table({0: "S:J H:J D:Q C:K"}, points="7 7 7 7").view(0)
    assert min(lost.get(0, 2) for lost in courses(view, losses_if_raising, 200)) == 2
    assert min(lost.get(0, 2) for lost in courses(view, silent, 200)) == 1


def test_leaver_pays_the_price_of_leaving_alone() -> None:
    """North could win every trick."""
    view = table({0: SWEEP}, points="7 7 7 7").apply(3, RAISE).view(0)
    found = courses(view, losses_if_leaving, 50)
    assert {lost[0] for lost in found} == {1} and all(len(lost) == 3 for lost in found)
    assert max(max(lost.values()) for lost in found) >= 2


def test_last_raiser_waits_for_another_raise() -> None:
    """North wins every trick and would raise before each; the others see too little to do it."""
    hand = said(table({0: SWEEP, 1: "S:97 H:9 D:8"}, points="7 7 7 7"), "N raise; E hold; S hold; W hold")
    real = [card_set(hand.view(seat).cards) for seat in range(4)]
    found = [losses_if_silent(hand.view(0), real, seed, ANY) for seed in range(60)]
    assert found.count({1: 2, 2: 2, 3: 2}) > 40


def test_losers_are_all_but_one_and_pay_no_more_than_they_have(subtests: pytest.Subtests) -> None:
    for points in ["7 7 7 7", "2 7 3 2", "7 2 2"]:
        for game in ["tuppen_zk", "toepen", "tuppen_zk+raise_timing=own_turn"]:
            with subtests.test(points=points, game=game):
                quiet = table({}, game, points=points)
                asked = quiet.apply(0, RAISE)
                facts = Facts.of(asked.view(None).facts)
                for hand, seat, course in (
                    (asked, facts.asked[0], losses_if_holding),
                    (asked, facts.asked[0], losses_if_leaving),
                    (quiet, 0, losses_if_raising),
                    (quiet, 0, silent),
                ):
                    for lost in courses(hand.view(seat), course, 40):
                        assert len(lost) == len(facts.in_hand) - 1 and set(lost) < set(
                            range(len(facts.points))
                        )
                        assert all(1 <= paid <= facts.points[loser] for loser, paid in lost.items())
