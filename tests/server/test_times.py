"""Statistics of ``python -m bench.soak answers refusals growth``, and some real refusals (P8, P2)."""

import random
from pathlib import Path

import pytest

from bench.results import Report
from bench.soak.memory_growth import slope
from bench.soak.timing_leaks import (
    MOST_ERRORS,
    Comparison,
    Play,
    hidden_facts,
    refusals,
    report_comparisons,
)


def _compare_times(longer: float, public: float = 0.0, at_random: bool = True) -> Comparison:
    """Times of a hundredth of a second, give or take: so much longer where it is so, and in the second of two
    situations, in which it is so more often unless that is at random."""
    rng, found = random.Random(1), Comparison()
    for _ in range(4000):
        second = rng.random() < 0.5
        so = rng.random() < (0.5 if at_random else 0.8 if second else 0.2)
        found.add((second,), so, rng.gauss(0.01 + longer * so + public * second, 0.002))
    return found


def test_equal_times_tell_nothing_and_others_do() -> None:
    number, longer, t = _compare_times(longer=0.0).welch()
    assert number == 4000 and abs(longer) < 0.001 and abs(t) < MOST_ERRORS
    number, longer, t = _compare_times(longer=0.001).welch()
    assert number == 4000 and longer == pytest.approx(0.001, rel=0.2) and t > MOST_ERRORS
    assert _compare_times(longer=-0.001).welch()[2] < -MOST_ERRORS


def test_public_facts_are_not_taken_for_a_secret() -> None:
    _, longer, t = _compare_times(longer=0.0, public=0.05, at_random=False).welch()
    assert abs(longer) < 0.001 and abs(t) < MOST_ERRORS
    assert _compare_times(longer=0.001, public=0.05, at_random=False).welch()[2] > MOST_ERRORS


def test_situation_seen_too_seldom_does_not_count() -> None:
    found = Comparison()
    for so in (True, False, False):
        found.add(("the last card",), so, 0.01)
    assert found.welch() == (0, 0.0, 0.0)


def _plays(text: str) -> list[Play]:
    return [Play(*one.split(":")) for one in text.split()]


def test_secrets_are_those_of_the_hand_before_the_card() -> None:
    plays = _plays("N:H2 E:H9 S:HK W:C3  S:SA W:S4 N:S5 E:HA  S:DQ W:D2 N:D3 E:CJ")
    assert hidden_facts(plays, 1) == {
        "one card to choose from": False,  # the nine and the ace of hearts
        "more than half its cards high": True,  # an ace and a jack of three
        "its partner has more high cards": False,  # West: none
    }
    assert hidden_facts(plays, 2)["one card to choose from"]  # the king alone follows
    assert hidden_facts(plays, 5) == {
        "one card to choose from": True,
        "more than half its cards high": False,
        "its partner has more high cards": True,  # East: an ace and a jack
    }
    assert not hidden_facts(plays, 4)["one card to choose from"]  # who leads may choose
    assert not hidden_facts(plays, 7)["one card to choose from"]  # out of spades: the ace or the jack


def test_refusals_do_not_tell_who_has_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("refusals")
    refusals(tmp_path / "n.db", 150, report)
    assert report.problems == []
    assert "refusals, the partner has that card: " in capsys.readouterr().out


def test_growth_is_the_slope_of_the_line_of_least_squares() -> None:
    assert slope([(0.0, 5.0), (1.0, 7.0), (2.0, 9.0)]) == pytest.approx(2.0)
    assert slope([(0.0, 5.0), (1.0, 7.0), (2.0, 6.0), (3.0, 4.0)]) == pytest.approx(-0.4)


def test_difference_above_the_goal_is_a_problem() -> None:
    report = Report("answers")
    report_comparisons("answers", {"an ace": _compare_times(longer=0.0)}, report)
    assert report.problems == []
    report_comparisons("answers", {"an ace": _compare_times(longer=0.001)}, report)
    (problem,) = report.problems
    assert problem.startswith("answers, an ace: size of the difference is ")
