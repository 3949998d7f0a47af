"""The random player: every legal action as likely, from a seed and without a view."""

from collections import Counter

import pytest

import nousu
from nousu.engine.actions import Call
from nousu.players import DEFAULT_BUDGET
from nousu.players.random import RandomPlayer
from nousu.players.seat_loop import derive_seed

PLAYER = RandomPlayer()


def test_random_actions_are_equally_likely(subtests: pytest.Subtests) -> None:
    """6,000 seeds: no action is taken more than 4.5 standard deviations too often or too rarely."""
    for count in [2, 3, 13]:
        for hashed in [False, True]:
            with subtests.test(count=count, hashed=hashed):
                legal = [Call(str(one)) for one in range(count)]
                seeds = [derive_seed(one) if hashed else one for one in range(6000)]
                taken = Counter(PLAYER.choose_among(legal, seed).action for seed in seeds)
                expected = len(seeds) / count
                deviation = (expected * (1 - 1 / count)) ** 0.5
                assert all(abs(taken[action] - expected) < 4.5 * deviation for action in legal)


@pytest.mark.parametrize("preset", ["tuppi", "huutopussi", "tuppen_zk"])
def test_view_changes_nothing(preset: str) -> None:
    match = nousu.start(preset, seed=4)
    for seed in range(20):
        seat = match.hand.owed()[0]
        action = PLAYER.choose_among(match.hand.legal(seat), seed).action
        assert PLAYER.choose(match.hand.view(seat), DEFAULT_BUDGET, seed).action == action
        match = match.apply(seat, action)
        if match.played:
            return
    assert len(match.hand.log) == 21


def test_seed_may_be_any_whole_number(subtests: pytest.Subtests) -> None:
    for seed in [-1, 0, 2**64 - 1, 2**200]:
        with subtests.test(seed=seed):
            legal = [Call("one"), Call("two"), Call("three")]
            assert PLAYER.choose_among(legal, seed).action in legal
