"""Match equity of Huutopussi and Tuppen: laws, hand-made cases, matches drawn by the rules."""

from itertools import permutations
from random import Random

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.engine.game import Result, Setup
from nousu.games import find, huutopussi, tuppen
from nousu.players.huutopussi import equity as contracts
from nousu.players.tuppen import equity as places


@pytest.mark.parametrize("preset", contracts.HANDS.presets)
def test_chances_of_both_sides_of_a_huutopussi_add_up_to_one(preset):
    measured = contracts.outcomes(preset)
    assert sum(way.share for way in measured.ways) == pytest.approx(1)
    if preset != "huutopussi":
        return  # the tables of all presets would take seconds
    scores = [(one, two) for one in range(-300, 500, 95) for two in range(-300, 500, 95)]
    at = {score: contracts.equity(preset, measured, score) for score in scores}
    assert all(at[one, two] + at[two, one] == pytest.approx(1, abs=1e-4) for one, two in scores)
    assert all(at[one, two] <= at[one + 95, two] + 1e-4 for one, two in scores if (one + 95, two) in at)
    tally = huutopussi.Totals(find(preset)[1], (400, 250), 6)
    assert contracts.win_chance(tally) == contracts.equity(preset, measured, (400, 250)) > 0.75


def test_huutopussi_decided_by_a_hand_or_two():
    made = contracts.balance([(100, 0, True, 1)], 1, "")
    # Ours wins; theirs makes it 400 all.
    assert contracts.equity("huutopussi", made, (400, 300)) == pytest.approx(0.5 + 0.5 * 0.5)
    both = contracts.balance([(100, 0, True, 1), (-100, 0, True, 1)], 2, "")
    at = {score: contracts.equity("huutopussi", both, score) for score in ((400, 300), (400, 200))}
    assert at[400, 300] == pytest.approx((1 + 0.5 + 0.5 + at[400, 200]) / 4, abs=1e-4)


def test_winner_where_both_reach_the_target_is_that_of_the_rules():
    seen = contracts.balance([(50, 60, True, 1)], 1, "")
    assert contracts.equity("huutopussi", seen, (495, 460)) == 1, "always more points"
    illisoft = contracts.equity("huutopussi_illisoft", seen, (495, 460))
    assert illisoft == pytest.approx(0.5), "the declarer's side goes first, each as often"


def test_huutopussi_matches_drawn_by_the_rules_agree():
    preset, matches, rng = "huutopussi", 1200, Random(4)
    rules, measured, start = find(preset)[1], contracts.outcomes(preset), (350, 200)
    weights, won = [way.share for way in measured.ways], 0.0
    for _ in range(matches):
        tally = huutopussi.Totals(rules, start, 4)
        while tally.winner() is None:
            way = rng.choices(measured.ways, weights)[0]
            result = Result(points=way.points, outcome=_played(way.side))
            tally = tally.add(result, Setup(4, 0, tally))
        won += tally.winner() == (0,)
    assert won / matches == pytest.approx(contracts.equity(preset, measured, start), abs=0.04)


def _played(declarer):
    two = (0, 0)
    return huutopussi.PlayedHand(
        declarer=declarer,
        bid=50,
        contract=50,
        made=True,
        cards=two,
        marriages=two,
        last_trick=0,
        earned=two,
        tricks=two,
        trumps=(),
    )


# -------------------------------------------------------------------------------------------- Tuppen


def test_places_are_all_given_out(subtests: pytest.Subtests):
    for preset in places.HANDS.presets:
        with subtests.test(preset=preset):
            for points, worth in (((5, 5, 5, 5), 11), ((1, 2, 3, 4), 11), ((0, 2, 3, 4), 11), ((4, 1), 8)):
                found = sum(places.equity(preset, points))
                if find(preset)[1].dead_playoff:
                    assert found == pytest.approx(worth)
                else:
                    assert found >= worth - 1e-9, (
                        "who dies together has the best of these places, all of them"
                    )


def test_players_with_equal_points_expect_equal_places():
    for points in set(permutations((5, 3, 3, 1))):
        found = places.equity("tuppen_zk", points)
        assert found[points.index(5)] == max(found) and found[points.index(1)] == min(found)
        first, second = (seat for seat in range(4) if points[seat] == 3)
        assert found[first] == pytest.approx(found[second])


def test_players_with_a_point_each_play_for_first_place():
    assert places.equity("tuppen_zk", (1, 1)) == pytest.approx((4, 4))
    # All of three die or win together: two of them play off second and third place.
    assert places.equity("tuppen_zk", (1, 1, 1)) == pytest.approx((10 / 3,) * 3)


def test_tuppen_drawn_by_the_rules_agrees():
    """Games from unequal points, each hand drawn from the measured ones and booked by the standing."""
    preset, games, rng, start = "tuppen_zk", 1500, Random(8), (7, 4, 2, 1)
    rules, measured = find(preset)[1], places.outcomes(preset)
    sums = [0.0] * 4
    for _ in range(games):
        standing = tuppen.Standing(rules, start, (0, 0, 0, 0), host=0, dealt=0)
        while standing.winner() is None:
            standing = standing.add(*_hand(standing, measured, rng))
        for seat, place in enumerate(standing.places):
            sums[seat] += places.PLACES[place - 1]
    found = places.equity(preset, start)
    assert [one / games for one in sums] == pytest.approx(found, abs=0.12)


def _hand(standing, measured, rng):
    """A hand of the group on turn: its winner by chance, losses dealt out as they were measured."""
    group = list(standing.group)
    rng.shuffle(group)
    lost = dict.fromkeys(group[1:], {"dead": 0, "poor": 1}.get(standing.kind, 0))
    if standing.kind == "regular":
        ways, shares = zip(*measured.ways[len(group)], strict=True)
        lost = dict(zip(group[1:], rng.choices(ways, shares)[0], strict=True))
    points = tuple(max(0, had - lost.get(seat, 0)) for seat, had in enumerate(standing.points))
    change = tuple(after - had for after, had in zip(points, standing.points, strict=True))
    nothing = (0, 0, 0, 0)
    won = tuppen.Won(
        kind=standing.kind,
        ladder=tuple(group),
        stake=1,
        left=(),
        costs=nothing,
        fines=nothing,
        killed=(),
        poor=(),
        before=standing.points,
    )
    return Result(points=change, outcome=won), Setup(4, 0, standing)


def test_command_tells_what_the_places_bring():
    found = CliRunner().invoke(app, ["equity", "tuppen_zk", "7-5-3-2"])
    assert found.exit_code == 0 and "places bring" in found.output
    assert "bench.experiments.hand_outcomes" in found.output
    found = CliRunner().invoke(app, ["equity", "huutopussi", "400-250"])
    assert found.exit_code == 0 and "North–South win" in found.output
