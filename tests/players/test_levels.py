"""Levels: each plays every family, calls with restraint, forgets by its memory, keeps a made hand."""

from itertools import pairwise
from random import Random

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import card_set, parse_card
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.engine.tricks import Trick
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.arena import Contest, play_contest
from nousu.players.levels import LEVELS, MADE
from nousu.players.skill import FULL, Attention
from nousu.players.whist.card_features import card_choice
from nousu.players.whist.inference import deduce
from nousu.players.whist.searcher import sure_choice
from nousu.solver.native import core

GAMES = ("tuppi", "minnesota", "huutopussi", "tuppen_zk")


def views(preset, player, hands=1, seed=7):
    """Views of each seat that has a choice, in hands of `player`."""
    match = Match.start(*find(preset), 4)
    while len(match.played) < hands and match.winner is None:
        seat = match.hand.owed()[0]
        if seat == CHANCE:
            match = match.deal(Random(seed + len(match.played)))
            continue
        view = match.hand.view(seat)
        if len(view.legal) > 1:
            yield view
        match = match.apply(seat, find_player(player).choose(view, DEFAULT_BUDGET, seed).action)


def test_level_is_calm(subtests: pytest.Subtests):
    """The same position and seed, the same card."""
    for preset in GAMES:
        for level in LEVELS:
            with subtests.test(preset=preset, level=level):
                seen = list(views(preset, level))
                assert seen
                for view in seen:
                    choice = find_player(level).choose(view, DEFAULT_BUDGET, 3)
                    assert choice.action in view.legal
                    assert choice.reason is not None
                    assert find_player(level).choose(view, DEFAULT_BUDGET, 3) == choice


def test_cards_of_low_rank_in_earlier_tricks_are_forgotten():
    def trick(text):
        return Trick(0, tuple(enumerate(map(parse_card, text.split()))), 0)

    tricks = (trick("S2 S3 SK S4"), trick("H2 H3 H4 HA"), trick("D2 D3 D4 D5"))
    assert Attention(tricks=1).remembered(tricks) == card_set(
        map(parse_card, ["SK", "HA", "D2", "D3", "D4", "D5"])
    )
    assert Attention(tricks=0, high=12).remembered(tricks) == card_set([parse_card("HA")])
    assert FULL.remembered(tricks).bit_count() == 12


def test_player_without_inference_marks_no_voids():
    late = [view for view in views("tuppi", "rules", hands=3) if len(view.tricks) > 6]
    assert any(deduce(view).voids for view in late)
    assert not any(deduce(view, Attention(infers=False)).voids for view in late)


def test_player_without_inference_remembers_the_partners_leads_alone():
    late = [view for view in views("tuppi", "rules", hands=3) if len(view.tricks) > 3]
    easy = LEVELS["easy"]["whist"]
    suits = [suit for view in late for suit in card_choice(view, deduce(view, easy), easy).suits]
    assert any(suit.led_by_partner for suit in suits)
    assert not any(suit.led_by_foe or suit.led_by_me for suit in suits)


def test_levels_overlook_more_the_lower_they_are():
    """In the same positions the lower level leaves the careful player's card more often."""
    seen = [view for game in GAMES for view in views(game, "rules", hands=2)]
    careful = [find_player("rules").choose(view, DEFAULT_BUDGET, 1).action for view in seen]
    apart = [
        sum(
            find_player(level).choose(view, DEFAULT_BUDGET, 1).action != action
            for view, action in zip(seen, careful, strict=True)
        )
        for level in LEVELS
    ]
    assert all(lower > higher for lower, higher in pairwise(apart))


@pytest.mark.native
def test_made_hand_is_not_thrown_away():
    """Where a card is certain to reach the goal of the hand, one such card is played; its own rules of thumb
    would throw some of these hands away."""
    assert core is not None
    saved = 0
    for view in views("tuppi+sooli=off+early_end=off", "beginner", hands=30):
        if max(view.counts) > MADE.cards:
            continue
        careless = find_player("beginner")._rules["whist"].choose(view, DEFAULT_BUDGET, 1)
        found = sure_choice(view, MADE, Random(1), careless)
        choice = find_player("beginner").choose(view, DEFAULT_BUDGET, 1)
        assert isinstance(choice.action, Play)
        assert sure_choice(view, MADE, Random(1), choice) is None
        saved += found is not None
    assert saved


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi"])
def test_level_beats_the_one_below(preset):
    """A smoke test with few deals; docs/research/strength.md has the figures."""
    for lower, higher in pairwise([*LEVELS][:3]):
        assert play_contest(Contest(a=higher, b=lower, game=preset, pairs=150, seed=2026)).mean > 0
