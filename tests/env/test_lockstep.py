"""The core plays as the Python rules do: seat, legal actions, observation, points and score at every step."""

import os
from itertools import islice

import pytest

from lockstep import texts, walk_both
from nousu.games import games
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
]
FAMILIES = {"whist": 50_000, "huutopussi": 30_000, "tuppen": 20_000}
"""How many actions in the quick loop."""
EACH = 400
"""Actions by the same rules."""


def walk_actions(family: str, actions: int, seed: int, every: int) -> int:
    """This many actions, over all presets and then random options."""
    done = 0
    for at, (rules, seats) in enumerate(islice(texts(games()[family], seed), -(-actions // EACH))):
        lanes = 1 if at % 4 else 4  # whole matches in one, many hands in several
        done += walk_both(rules, EACH, seed + at, seats=seats, matches=lanes == 1, lanes=lanes, every=every)
    return done


@pytest.mark.parametrize("family", FAMILIES)
def test_preset_and_random_options(family: str) -> None:
    assert walk_actions(family, FAMILIES[family], 7, every=4) >= FAMILIES[family]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_many_more(family: str) -> None:
    """NOUSU_LOCKSTEP says how many actions a family: 3334000 for ten million in all, half an hour."""
    actions = int(os.environ.get("NOUSU_LOCKSTEP", "200000"))
    assert walk_actions(family, actions, 1_000_000, every=1) >= actions


CLOSE = {
    "tuppi+sooli=off+bid_mode=bid_card+max_hands=4+high_points=1+high_fail_points=1+low_points=1"
    "+limit_tiebreak=[extra_hands]": (),
    "south_dakota+max_hands=2+limit_tiebreak=[extra_hands]": (),
    "huutopussi+target=50+both_reach=declarer_first": ("bid", "name", "pass"),
    "huutopussi_gamerules_literal+target=50": ("bid", "name", "pass"),
}
"""Rules whose matches are short and often close, and words that are said whenever they may be."""


def test_lockstep_of_the_winner_in_close_matches(subtests: pytest.Subtests) -> None:
    for rules in CLOSE:
        with subtests.test(rules=rules):
            assert walk_both(rules, 3000, 17, lanes=4, every=100, prefer=CLOSE[rules]) >= 3000
