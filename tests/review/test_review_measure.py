"""Intervals and verdicts: what figures allow to say of a choice."""

from random import Random

import pytest

from nousu.engine.cards import DECK_52, card_set, parse_card
from nousu.review.key_cards import key_layouts
from nousu.review.model import Interval
from nousu.review.statistics import effective, interval, verdict


def test_interval_holds_the_mean_and_shrinks_with_the_root_of_the_deals() -> None:
    few = interval([0.0, 4.0] * 50, [1.0] * 100)
    many = interval([0.0, 4.0] * 200, [1.0] * 400)
    assert few.mean == many.mean == 2.0
    assert few.low == pytest.approx(2 - 1.96 * 2 / 10, rel=0.01)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(2, rel=0.02)
    assert interval([3.0], [1.0]).high == float("inf"), "one deal says nothing"


def test_weights_move_the_mean_and_cost_certainty() -> None:
    weights = [1.0, 3.0] * 50
    weighed = interval([0.0, 4.0] * 50, weights)
    assert weighed.mean == 3.0
    assert effective(weights) == pytest.approx(80)
    assert effective([1.0] * 7) == 7


SMALL, AGAINST = Interval(0.7, 0.4, 1.0), Interval(-0.5, -2.0, 1.0)
SURE, DOUBTFUL, NONE = Interval(4.0, 2.0, 6.0), Interval(1.0, -1.0, 3.0), Interval(0.0, -0.1, 0.1)


def test_verdicts(subtests: pytest.Subtests) -> None:
    for cost, uniform, open_cost, second, deals, expected in [
        (SURE, SURE, 4.0, SURE, 200.0, "mistake"),
        (SURE, SURE, None, None, 200.0, "mistake"),
        (SURE, SURE, 0.0, SURE, 200.0, "lucky"),
        (SURE, SURE, 4.0, AGAINST, 200.0, "unsure"),  # another kind of strong play sees it otherwise
        (SMALL._replace(mean=0.5), SMALL, 0.0, None, 200.0, "unsure"),  # little, but surely something
        (SURE, DOUBTFUL, 4.0, SURE, 200.0, "unsure"),  # only what bids are taken to mean speaks so
        (SURE, SURE, 4.0, SURE, 5.0, "unsure"),
        (SMALL, SMALL, 4.0, DOUBTFUL, 200.0, "unsure"),
        (SMALL, SMALL, 4.0, SURE, 200.0, "mistake"),  # solved deals alone would say so
        (DOUBTFUL, DOUBTFUL, 0.0, None, 200.0, "unsure"),
        (NONE, NONE, 8.0, None, 200.0, "good"),
        (NONE, NONE, 0.0, None, 200.0, "good"),
        (Interval(0.2, -0.1, 0.5), NONE, 0.0, None, 200.0, "style"),
    ]:
        with subtests.test(
            cost=cost, uniform=uniform, open_cost=open_cost, second=second, deals=deals, expected=expected
        ):
            assert verdict(cost, uniform, open_cost, second, deals, 4.0) == expected


def test_points_are_no_mistake_where_they_win_no_more_matches() -> None:
    for match, expected in [(SURE, "mistake"), (DOUBTFUL, "unsure"), (AGAINST, "unsure")]:
        assert verdict(SURE, SURE, 4.0, SURE, 200.0, 4.0, match=match) == expected


def test_key_card_is_named_with_its_holders_and_their_shares() -> None:
    ace, king, two = (1 << parse_card(text) for text in ("HA", "HK", "H2"))
    with_east = (0, ace | two, king, 0)
    with_west = (0, two, king, ace)
    hands = [with_east] * 12 + [with_west] * 8
    found = key_layouts(hands, card_set([]), [3.0] * 12 + [0.0] * 8, [1.0] * 20)
    assert [(one.seat, str(one.card), one.share, one.cost) for one in found] == [
        (1, "HA", 0.6, 3.0),
        (3, "HA", 0.4, 0.0),
    ]


def test_key_card_is_not_named_where_nothing_differs() -> None:
    assert key_layouts([(1, 2), (2, 1)], 0, [1.0, 1.0], [1.0, 1.0]) == ()


def _dealt(rng: Random) -> tuple[int, ...]:
    pack = list(DECK_52[:39])
    rng.shuffle(pack)
    return (0, *(card_set(pack[at : at + 13]) for at in (0, 13, 26)))


def test_key_card_that_tells_no_more_than_chance_is_not_named() -> None:
    """In 300 reviews whose costs have nothing to do with the cards, about three may name one."""
    rng = Random(20)
    named = 0
    for _ in range(300):
        hands = [_dealt(rng) for _ in range(60)]
        costs = [rng.choice((-4.0, 0.0, 4.0, 8.0)) for _ in hands]
        named += bool(key_layouts(hands, 0, costs, [rng.uniform(0.1, 2) for _ in hands]))
    assert named <= 8


def test_key_card_is_found_among_costs_that_scatter() -> None:
    rng = Random(21)
    king = DECK_52[7]
    hands = [_dealt(rng) for _ in range(120)]
    costs = [3.0 * (deal[1] >> king & 1) + rng.gauss(0, 2) for deal in hands]
    assert {one.card for one in key_layouts(hands, 0, costs, [1.0] * len(hands))} == {king}
