"""The lines from which hands are bid high, by score and place."""

import numpy as np
import pytest

from nousu.engine.actions import Deal
from nousu.engine.cards import parse_hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import Rise, Totals, bid_in, means_high
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist.bid_lines import LEAST, STEP, bid_line
from tools.training.bid_lines import resting_lines


def rising(ours, theirs=0):
    """A score of Tuppi as North–South see it."""
    riser = 0 if ours else 1 if theirs else None
    return Rise(find("tuppi")[1], riser, ours or theirs)


def mean(tally, ours=0):
    return sum(bid_line(tally, ours, place) for place in range(4)) / 4


def test_lines_of_tuppi_stand_in_the_order_of_the_playouts():
    """Of the same hands most are bid high with 48, fewer with 20, fewer at nought, fewest against 20."""
    assert mean(rising(48)) < mean(rising(20)) < mean(rising(0)) < mean(rising(0, 20))
    assert mean(rising(0, 48)) < mean(rising(0))


def test_more_hands_are_high_at_the_end_of_minnesota():
    rules = find("minnesota")[1]
    assert mean(Totals(rules, (12, 12))) < mean(Totals(rules, (0, 0))) - 1


@pytest.mark.parametrize("tally", [rising(20), rising(0, 32), Totals(find("minnesota")[1], (7, 11))])
def test_sides_see_the_same_score_from_both_ends(tally):
    turned = {
        Rise: lambda: Rise(tally.rules, 1 - tally.riser, tally.points),
        Totals: lambda: Totals(tally.rules, tally.points[::-1]),
    }[type(tally)]()
    for place in range(4):
        assert bid_line(tally, 0, place) == bid_line(turned, 1, place)


def test_rules_that_pay_alike_share_their_lines_and_others_have_none():
    for preset, alike in [("tuppi", "tuppi+table_talk=none"), ("minnesota", "norwegian_set_bonus")]:
        rules = find(preset)[1]
        other = find(alike)[1]
        start = Match.start(*find(preset), 4).tally
        assert bid_line(start, 0, 1) == bid_line(type(start)(other), 0, 1) is not None
        assert rules != other
    assert bid_line(Match.start(*find("tuppi+low_points=5"), 4).tally, 0, 0) is None


MIDDLING = "S:AQ2 H:AQ4 D:875 C:JT83"
OTHERS = "S:KJ3 H:KT3 D:KJ4 C:9642 / S:T87 H:J98 D:AT6 C:AKQ5 / S:9654 H:7652 D:Q932 C:7"


@pytest.mark.parametrize("player", ["easy", "club", "rules", "searcher", "strong", "expert"])
def test_every_level_but_the_first_bids_by_the_score(player):
    """The same middling hand is high with 48 of one's own, and low against 20."""
    game, rules = find("tuppi")
    for tally, high in ((rising(48), True), (rising(0, 20), False)):
        start = Match.start(game, rules, 4, dealer=3)
        setup = start.hand.setup
        hand = game.start(rules, type(setup)(4, 3, tally))
        hand = hand.apply(
            CHANCE, Deal(tuple(parse_hand(one) for one in f"{MIDDLING} / {OTHERS}".split(" / ")))
        )
        choice = find_player(player).choose(hand.view(0), DEFAULT_BUDGET, 1)
        assert means_high(bid_in(choice.action), rules) == high


def test_lines_come_to_rest_where_high_bids_begin_to_gain():
    """A high bid gains what its strength is above ten. The last bids high from ten on; the one before it
    also where it loses less than the last is about to gain: 10/3 on average, of strengths from 5 to 20."""
    strengths = np.random.default_rng(1).uniform(5, 20, (20_000, 4))
    results = [(strengths[:, place] - 10) * (1 - 2 * (place % 2)) for place in range(4)]
    lines = resting_lines(strengths, [*results, np.zeros(len(strengths))])
    assert LEAST + STEP * lines[3] == pytest.approx(10, abs=STEP)
    assert LEAST + STEP * lines[2] == pytest.approx(10 - 10 / 3, abs=STEP)
