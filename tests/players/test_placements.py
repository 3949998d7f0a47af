"""The counting of hidden cards against plain enumeration."""

from collections import Counter
from itertools import product
from math import comb, prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nousu.players.card_placements import Placements, shuffle


def all_placements(allowed, sizes, apart):
    """All placements by trying every one."""
    found = []
    cards = list(allowed)
    for where in product(range(len(sizes)), repeat=len(cards)):
        if any(not allowed[card] >> place & 1 for card, place in zip(cards, where, strict=True)):
            continue
        lying = [0] * len(sizes)
        for card, place in zip(cards, where, strict=True):
            lying[place] |= 1 << card
        if any(cards.bit_count() != size for cards, size in zip(lying, sizes, strict=True)):
            continue
        if any(lying[place] >> one & 1 and lying[place] >> two & 1 for place, one, two in apart):
            continue
        found.append(tuple(lying))
    return found


@st.composite
def problems(draw):
    places = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(0, 3), min_size=places, max_size=places))
    while sum(sizes) > 7:
        sizes[sizes.index(max(sizes))] -= 1
    everywhere = (1 << places) - 1
    mask = st.one_of(st.just(everywhere), st.integers(0, everywhere))
    allowed = {16 * (at % 4) + at: draw(mask) for at in range(sum(sizes))}
    cards = list(allowed)
    apart = [
        (draw(st.integers(0, places - 1)), cards[at], cards[at + 1])
        for at in range(0, len(cards) - 1, 2)
        if draw(st.booleans())
    ]
    return allowed, sizes, apart


@settings(max_examples=150)
@given(problems())
def test_count_equals_enumeration(problem):
    allowed, sizes, apart = problem
    worlds = all_placements(allowed, sizes, apart)
    assert Placements(allowed, sizes, apart).count == len(worlds)


@settings(max_examples=150)
@given(problems())
def test_placements_come_once_each(problem):
    allowed, sizes, apart = problem
    assert sorted(Placements(allowed, sizes, apart).every()) == sorted(all_placements(allowed, sizes, apart))


@settings(max_examples=40)
@given(problems(), st.integers(0, 1000))
def test_samples_are_placements(problem, seed):
    allowed, sizes, apart = problem
    worlds = set(all_placements(allowed, sizes, apart))
    placements = Placements(allowed, sizes, apart)
    if not worlds:
        with pytest.raises(ValueError, match="no placement"):
            placements.sample(Random(seed))
    else:
        rng = Random(seed)
        assert all(placements.sample(rng) in worlds for _ in range(20))


@pytest.mark.parametrize(
    ("allowed", "sizes", "apart"),
    [
        pytest.param(dict.fromkeys(range(6), 0b111), (2, 2, 2), (), id="free"),
        pytest.param({0: 1, 1: 3, 2: 6, 3: 7, 4: 7, 5: 5}, (2, 2, 2), (), id="voids"),
        pytest.param(dict.fromkeys(range(5), 0b111), (2, 2, 1), ((0, 0, 1), (1, 0, 1)), id="pair apart"),
        pytest.param({0: 7, 1: 7, 2: 7, 3: 5, 4: 5}, (1, 2, 2), ((2, 2, 4),), id="both"),
    ],
)
def test_placements_are_equally_likely(allowed, sizes, apart):
    """Chi-square against the uniform distribution; the seed is fixed, so this never flickers."""
    worlds = all_placements(allowed, sizes, apart)
    placements = Placements(allowed, sizes, apart)
    draws = 200 * len(worlds)
    rng = Random(7)
    seen = Counter(placements.sample(rng) for _ in range(draws))
    assert set(seen) == set(worlds)
    freedom = len(worlds) - 1
    square = sum((seen[world] - 200) ** 2 / 200 for world in worlds)
    assert square < freedom + 4 * (2 * freedom) ** 0.5 + 5


def test_full_table_is_counted_exactly():
    """39 unseen cards in three hands of 13."""
    cards = {16 * suit + rank: 0b111 for suit in range(1, 4) for rank in range(13)}
    assert Placements(cards, (13, 13, 13)).count == comb(39, 13) * comb(26, 13)


def test_sizes_must_fit():
    with pytest.raises(ValueError, match="do not fill"):
        Placements({1: 1}, (2,))
    with pytest.raises(ValueError, match="one other card"):
        Placements({1: 1, 2: 1, 3: 1}, (3,), ((0, 1, 2), (0, 2, 3)))


@given(st.integers(0, 60), st.integers())
def test_quick_shuffle_is_that_of_python(count, seed):
    ours, theirs = list(range(count)), list(range(count))
    rngs = Random(seed), Random(seed)
    shuffle(ours, rngs[0])
    rngs[1].shuffle(theirs)
    assert ours == theirs and rngs[0].random() == rngs[1].random()


@settings(max_examples=100)
@given(problems(), st.data())
def test_odds_count_and_draw_each_placement_by_the_product_of_its_cards(problem, data):
    allowed, sizes, apart = problem
    factor = st.sampled_from([0.25, 1.0, 4.0])
    odds = {
        card: tuple(data.draw(st.lists(factor, min_size=len(sizes), max_size=len(sizes)))) for card in allowed
    }
    weights = Counter()
    for lying in all_placements(allowed, sizes, apart):
        weights[lying] = prod(
            odds[card][place] for card in allowed for place in range(len(sizes)) if lying[place] >> card & 1
        )
    found = Placements(allowed, sizes, apart, odds)
    assert found.count == pytest.approx(sum(weights.values()))
    if weights:
        rng = Random(1)
        draws = [found.sample(rng) for _ in range(60)]
        assert set(draws) <= set(weights)
        likeliest = max(weights.values()) / sum(weights.values())
        if likeliest > 0.9:
            assert Counter(draws).most_common(1)[0][1] > 30
