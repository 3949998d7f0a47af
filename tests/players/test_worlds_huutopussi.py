"""The worlds of Huutopussi: every sample could have been, none is missing or favoured."""

from collections import Counter
from math import comb, factorial
from random import Random

import pytest

from hands import placements
from nousu.engine.actions import Call
from nousu.engine.cards import card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.laws import random_actor
from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.games import find, games
from nousu.games.huutopussi import Facts
from nousu.players.worlds import World, played_by, replay_world, worlds

PRESETS = list(games()["huutopussi"].presets)


def talkative(hand, rng):
    """Chance, but it asks and declares whenever it may, so that there is something to reckon with."""
    seat, action = random_actor(hand, 4, rng)
    if seat >= 0 and hand.view(seat).phase == "play":
        said = [one for one in hand.legal(seat) if isinstance(one, Call)]
        if said:
            return seat, rng.choice(said)
    while action == Call("redeal"):
        action = rng.choice(hand.legal(seat))
    return seat, action


def hands_of(preset, seed, hands):
    """Every position of some hands played by chance."""
    rng = Random(seed)
    done = 0
    while done < hands:
        match = Match.start(*find(preset), 4)
        while done < hands and match.winner is None:
            before = len(match.played)
            match = match.apply(*talkative(match.hand, rng))
            done += len(match.played) - before
            yield match.hand


@pytest.mark.parametrize("preset", PRESETS)
def test_samples_are_possible_deals(preset):
    rng = Random(preset)
    seen = 0
    for hand in hands_of(preset, preset, 14):
        if not hand.log or rng.random() > 0.15:
            continue
        for seat in (0, 1, 2, 3, None):
            view = hand.view(seat)
            found = worlds(view)
            assert found.count > 0
            world = found.sample(rng)
            other = replay_world(view, world)
            assert repr(other.view(seat)) == repr(view)
            assert tuple(other.table.hands if other.table else other.hands) == world.hands
            seen += 1
    assert seen > 100


def possible(view):
    """All placements by trying to put every hidden card everywhere and replaying the hand; the exchange is
    made up as in `worlds`, which the replay does not mind."""
    played = played_by(view)
    sample = worlds(view).sample(Random(1))
    hidden = cards_of(sum(sample.hands) & ~card_set(view.cards))
    return [hands for hands in placements(view, hidden) if could_be(view, hands, played)]


def could_be(view, hands, played):
    """Whether some exchange makes these hands possible: the one that fits what the viewer knows."""
    gifts = [action for _, action in view.heard if type(action).__name__ == "Give"]
    dealt = [cards | past for cards, past in zip(hands, played, strict=True)]
    declarer, mate = gifts[0].to, (gifts[0].to + 2) % 4
    first, back = (card_set(card for card in gift.cards if card >= 0) for gift in gifts)
    if not back:
        back = card_set(cards_of(dealt[mate])[: len(gifts[1].cards)])
    if back & ~dealt[mate]:
        return False
    dealt[mate] &= ~back
    dealt[declarer] |= back
    if not first:
        first = card_set(cards_of(dealt[declarer])[: len(gifts[0].cards)])
    if first & ~dealt[declarer]:
        return False
    dealt[declarer] &= ~first
    dealt[mate] |= first
    world = World(tuple(hands), tuple(dealt), (), (cards_of(first), cards_of(back)))
    try:
        return repr(replay_world(view, world).view(view.seat)) == repr(view)
    except IllegalAction:
        return False


@pytest.mark.clause("A-H-06")
def test_demand_for_four_sixes_that_failed_leaves_one_with_the_other_pair():
    deal = "deal N S:A6 H:A6 D:AKQJT / E S:KQJT H:KQJT C:J / S S:987 H:9 D:987 C:KQ / W H:87 D:6 C:AT9876"
    match = Match.start(*find("huutopussi_illisoft"), 4, 3).apply(*parse_entry(deal, 4))
    every = factorial(27) // factorial(9) ** 3
    assert worlds(match.hand.view(1)).count == every
    hand = match.apply(0, Call("sixes")).hand
    # East holds no six: with him, West has one. North holds two: not both others are South's.
    assert worlds(hand.view(1)).count == every - every * comb(18, 4) // comb(27, 4)
    assert worlds(hand.view(0)).count == every - every * comb(9, 2) // comb(27, 2)
    assert worlds(hand.view(3)).count == every


@pytest.mark.parametrize("preset", ["huutopussi", "huutopussi_gamerules_literal", "huutopussi_illisoft"])
def test_worlds_are_complete_and_equally_likely(preset):
    """With two or three tricks left, after questions and answers: exact count and chi-square."""
    rng = Random(11)
    checked = denied = 0
    for hand in hands_of(preset, "late", 120):
        view = hand.view(rng.randrange(4))
        if (
            hand.table is None
            or len(view.tricks) < 6
            or Facts.of(view.facts).declarer is None
            or rng.random() > 0.12
        ):
            continue
        if hand.result() is not None or max(view.counts) < 2:
            continue
        expected = possible(view)
        found = worlds(view)
        assert found.count % len(expected) == 0
        draws = 40 * len(expected)
        seen = Counter(found.sample(rng).hands for _ in range(draws))
        assert set(seen) == set(expected)
        freedom = len(expected) - 1
        square = sum((seen[hands] - 40) ** 2 / 40 for hands in expected)
        assert square <= freedom + 4.5 * (2 * freedom) ** 0.5 + 5
        checked += 1
        denied += any(action == Call("no") for by, action in view.heard if by != view.seat)
        if checked == 12:
            break
    assert checked == 12
    assert denied >= 2
