"""The worlds of Tuppen: hands, packets and stock; every sample could have been, none is missing."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from nousu.engine.cards import card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.laws import random_match
from nousu.games import find, games
from nousu.players.worlds import World, played_by, replay_world, worlds

PRESETS = [
    *games()["tuppen"].presets,
    "tuppen_zk+four_pictures=claim_honest",
    "tuppen_zk+four_pictures=claim_honest+white_wash=on",
    "tuppen_zk+four_pictures=compulsory+white_wash=on",
]


def test_samples_are_possible_deals(subtests: pytest.Subtests):
    for preset in PRESETS:
        for seats in [2, 4, 6]:
            with subtests.test(preset=preset, seats=seats):
                rng = Random(f"{preset}{seats}")
                game, rules = find(preset)
                seen = packets = 0
                for _, hand in random_match(game, rules, seats, rng, hands=60):
                    if hand.table is None or hand.result() is not None or rng.random() > 0.35:
                        continue
                    viewer = rng.randrange(seats)
                    view = hand.view(viewer)
                    found = worlds(view)
                    assert found.count > 0
                    for _ in range(2):
                        world = found.sample(rng)
                        other = replay_world(view, world)
                        assert repr(other.view(viewer)) == repr(view)
                        assert tuple(other.table.hands) == world.hands
                    seen += 1
                    packets += bool(view.facts.packets)
                assert seen > 5
                assert (
                    packets
                    or not preset.startswith("tuppen_zk")
                    or "honest" in preset
                    or "compulsory" in preset
                )


def test_worlds_are_complete_and_equally_likely():
    """Before the last trick of three: two unknown cards and a stock, counted by replaying."""
    rng = Random(2)
    game, rules = find("tuppen_zk+four_pictures=off")
    checked = 0
    while checked < 3:
        for _, hand in random_match(game, rules, 3, rng, hands=3):
            if hand.table is None or hand.result() is not None or len(hand.table.done) != 3:
                continue
            view = hand.view(rng.randrange(3))
            others = [seat for seat in range(3) if seat != view.seat and view.counts[seat]]
            if len(others) != 2 or view.trick or [view.counts[seat] for seat in others] != [1, 1]:
                continue
            played = played_by(view)
            hidden = cards_of(card_set(game.deck) & ~sum(played) & ~card_set(view.cards))
            expected = set()
            for pair in combinations(hidden, 2):
                for one, two in (pair, pair[::-1]):
                    hands = [card_set(view.cards)] * 3
                    hands[others[0]], hands[others[1]] = 1 << one, 1 << two
                    stock = tuple(card for card in hidden if card not in (one, two))
                    dealt = tuple(now | past for now, past in zip(hands, played, strict=True))
                    try:
                        other = replay_world(view, World(tuple(hands), dealt, stock))
                    except IllegalAction:
                        continue
                    if repr(other.view(view.seat)) == repr(view):
                        expected.add(tuple(hands))
            found = worlds(view)
            assert found.count == len(expected)
            seen = Counter(found.sample(rng).hands for _ in range(20 * len(expected)))
            assert set(seen) <= expected
            freedom = len(expected) - 1
            square = sum((seen[hands] - 20) ** 2 / 20 for hands in expected)
            assert square <= freedom + 4.5 * (2 * freedom) ** 0.5 + 5
            checked += 1
            break
