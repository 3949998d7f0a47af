"""Match equity: it keeps the laws of chances, and matches drawn hand by hand under the real rules agree."""

from itertools import accumulate, pairwise
from random import Random

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.engine.game import Result, Setup
from nousu.games import find
from nousu.games.whist import Outcome, Rise, Totals
from nousu.players.whist.equity import HANDS, balance, equity, outcomes


def test_shares_add_up_and_the_sides_are_equal():
    for preset in HANDS.presets:
        measured = outcomes(preset)
        assert sum(way.share for way in measured.ways) == pytest.approx(1)
        turned = {
            (way.points[::-1], None if way.side is None else 1 - way.side): way.share for way in measured.ways
        }
        assert all(turned[way.points, way.side] == way.share for way in measured.ways)


def test_rise_is_worth_more_the_higher_it_is():
    measured = outcomes("tuppi")
    ours = [equity("tuppi", measured, riser=0, points=points) for points in range(1, 52)]
    theirs = [equity("tuppi", measured, riser=1, points=points) for points in range(1, 52)]
    assert equity("tuppi", measured) == pytest.approx(0.5)
    assert all(one <= other + 1e-9 for one, other in pairwise(ours))
    assert all(one + other == pytest.approx(1) for one, other in zip(ours, theirs, strict=True))
    # Half the time the next hand brings the rising side home, else both begin again at nothing.
    assert ours[-1] == pytest.approx(0.5 + 0.5 * 0.5)


@pytest.mark.parametrize("preset", ["minnesota", "south_dakota"])
def test_totals_are_worth_more_the_more_one_leads(preset):
    measured, target = outcomes(preset), find(preset)[1].target
    at = {
        (one, two): equity(preset, measured, totals=(one, two))
        for one in range(target)
        for two in range(target)
    }
    assert all(at[one, two] + at[two, one] == pytest.approx(1, abs=1e-6) for one, two in at)
    assert all(at[one, two] <= at[one + 1, two] + 1e-9 for one, two in at if one + 1 < target)


def test_match_decided_by_one_hand():
    """North–South score in three hands of four: then they win as often, wherever each hand is the last."""
    seen = [((60, 0), 0, 3), ((0, 60), 1, 1)]
    assert equity("tuppi", balance(seen, 4, "")) == pytest.approx(0.5), "sides are taken as equal"
    assert equity("minnesota", balance(seen, 4, ""), totals=(12, 0)) == pytest.approx(0.5)


def test_matches_drawn_by_the_rules_agree(subtests: pytest.Subtests):
    """Fifteen hundred matches, each hand drawn from the measured ones and booked by the rules of the game."""
    for preset, start in [
        ("tuppi", {"riser": 0, "points": 36}),
        ("tuppi_tournament", {"riser": 0, "points": 20, "totals": (40, 24), "hands": 11}),
        ("tuppi_tournament", {"riser": 1, "points": 8, "totals": (60, 44), "hands": 14}),
        ("tuppi_tournament", {"riser": 1, "points": 8, "totals": (60, 56), "hands": 16}),  # the extension
        ("minnesota", {"totals": (7, 10)}),
        ("south_dakota", {"totals": (4, 0)}),
        ("tuppi_tournament_catsatcards", {"riser": 0, "points": 4, "peaks": (4, 24), "hands": 9}),
    ]:
        with subtests.test(preset=preset, start=start):
            _, rules = find(preset)
            measured, rng, matches = outcomes(preset), Random(9), 1500
            bounds = list(accumulate(way.share for way in measured.ways))
            won = 0.0
            for _ in range(matches):
                points, totals = start.get("points", 0), start.get("totals", (0, 0))
                if rules.score_model == "cumulative":
                    tally = Totals(rules, totals)
                else:
                    riser = start["riser"]
                    peak = start.get("peaks", (points, 0) if riser == 0 else (0, points))
                    tally = Rise(rules, riser, points, totals, peak, start.get("hands", 0))
                while tally.winner() is None:
                    way = rng.choices(measured.ways, cum_weights=bounds)[0]
                    result = Result(points=way.points, outcome=Outcome(scorer=way.side))
                    tally = tally.add(result, Setup(4, 0, tally))
                # Where the limit finds both level the sides are taken as even, whatever decides then.
                level = False
                if isinstance(tally, Rise) and tally.points < rules.target:
                    one, two = tally.peak if rules.limit_criterion == "peak" else tally.total
                    level = one == two
                won += 0.5 if level else tally.winner() == (0,)
            assert won / matches == pytest.approx(equity(preset, measured, **start), abs=0.05)


def test_wrong_score_is_told(subtests: pytest.Subtests):
    for arguments, answer in [
        (["huutopussi", "500-0"], "with 500 points the match is over"),
        (["huutopussi", "100-0", "--hands", "3"], "write 400-250"),
        (["tuppen_zk", "9-1"], "a player has 0 to 7 points"),
        (["tuppen_zk", "1-1-1-1-1"], "1 to 4 players"),
        (["tuppi", "60-0"], "with 60 points the match is over"),
        (["tuppi", "8-4"], "only one side can be rising"),
        (["tuppi", "much"], "is no score"),
        (["tuppi_tournament", "0-0", "--hands", "16"], "is over after them"),
    ]:
        with subtests.test(arguments=arguments, answer=answer):
            found = CliRunner().invoke(app, ["equity", *arguments])
            assert found.exit_code == 2 and answer in found.output


def test_command_says_what_it_rests_on():
    found = CliRunner().invoke(app, ["equity", "tuppi", "48-0"])
    assert found.exit_code == 0
    assert "North–South win 75.0 %" in found.output and "bench.experiments.hand_outcomes" in found.output
