"""Huutopussi under the laws of the house with every option drawn at random, and its own invariants."""

import json
from functools import partial
from random import Random
from typing import Any

import pytest

from hands import go
from nousu.engine import laws
from nousu.engine.actions import Give
from nousu.engine.cards import card_set
from nousu.engine.errors import BadRules
from nousu.engine.match import Match
from nousu.engine.options import options
from nousu.games.huutopussi import GAME, PRESETS, Hand, Marriage, PlayedHand, Rules, card_points


def any_rules(rng: Random) -> Rules:
    """A rule set with every option drawn at random; contradictory ones are drawn again."""
    while True:
        drawn: dict[str, Any] = {}
        for item in options(Rules):
            if item.values is not None:
                drawn[item.name] = rng.choice(item.values)
            else:
                assert item.low is not None
                assert item.high is not None
                drawn[item.name] = rng.randint(item.low, item.high)
        drawn["min_bid"] -= drawn["min_bid"] % drawn["bid_step"]
        try:
            return Rules(**drawn)
        except BadRules:
            continue


def test_value_of_every_option_is_drawn() -> None:
    rng = Random(1)
    drawn = [any_rules(rng) for _ in range(400)]
    for item in options(Rules):
        seen = {getattr(rules, item.name) for rules in drawn}
        if item.values is not None and len(item.values) < 10:
            assert seen == set(item.values), item.name
        else:
            choices = len(item.values or range(item.low or 0, (item.high or 0) + 1))
            assert len(seen) >= min(21, choices), item.name


def test_any_options_together_keep_the_laws(subtests: pytest.Subtests) -> None:
    for seed in range(24):
        with subtests.test(seed=seed):
            rng = Random(seed)
            rules = any_rules(rng)
            laws.check(GAME, rules, 4, rng, hands=2, worlds=0.05)
            assert GAME.rules_named(GAME.name_of(rules)) == rules


def both_cards_held(before: Hand, after: Hand, named: Marriage) -> bool:
    """Own and full: both in one hand of the pair; half: one in each (HP-GR-26)."""
    assert before.table is not None
    hands = before.table.hands
    pair = card_set(card for card in GAME.deck if card.suit == named.suit and card.rank in (10, 11))
    mine, partners = hands[named.by] & pair, hands[(named.by + 2) % 4] & pair
    if named.how == "half":
        return mine.bit_count() == partners.bit_count() == 1
    return (mine if named.how == "own" else partners) == pair


@pytest.mark.clause("HP-GR-26", "HP-GR-27", "HP-GR-29", "A-H-01")
@pytest.mark.parametrize("preset", [*PRESETS, "any"])
def test_points_and_marriages_add_up(preset: str) -> None:
    rng = Random(preset)
    marriages = finished = 0
    for _ in range(10 if preset == "any" else 5):
        rules = any_rules(rng) if preset == "any" else PRESETS[preset]
        before: Hand | None = None
        for _, hand in laws.random_match(GAME, rules, 4, rng, hands=6):
            assert isinstance(hand, Hand)
            json.dumps(hand.view(0).facts.plain())
            json.dumps(hand.setup.tally.plain())
            if hand.hands and hand.outcome is None:
                counts = [len(hand.view(seat).cards) for seat in range(4)]
                assert tuple(counts) == hand.view(None).counts
                held = sum(hand.table.hands if hand.table else hand.hands)
                played = [card for trick in hand.table.done for _, card in trick.plays] if hand.table else []
                laid = [card for _, card in hand.table.plays] if hand.table else []
                assert held + card_set(played) + card_set(laid) == card_set(GAME.deck)
            if before is not None and len(hand.marriages) > len(before.marriages):
                assert both_cards_held(before, hand, hand.marriages[-1])
                suits = [one.suit for one in hand.marriages]
                assert len(set(suits)) == len(suits)
                marriages += 1
            result = hand.result()
            if result is not None and not result.void:
                facts = PlayedHand.of(result.outcome)
                assert sum(facts.cards) == card_points(card_set(GAME.deck), rules.card_values)
                assert sum(facts.earned) == sum(facts.cards) + rules.last_trick + sum(facts.marriages)
                assert sum(facts.tricks) == 9
                assert sorted(facts.trumps) == sorted(one.suit for one in hand.marriages)
                assert sum(facts.earned) <= rules.total
                assert json.loads(json.dumps(facts.plain())) == facts.plain()
                assert all(note.clause for note in result.notes)
                finished += 1
            before = hand
    assert marriages > 0
    assert finished >= 20


def test_exchange_stays_in_the_pair() -> None:
    """Worlds in which other cards were exchanged look the same to everybody else."""
    rng = Random(8)
    compared = 0
    for _ in range(12):
        for _, hand in laws.random_match(GAME, PRESETS["huutopussi"], 4, rng, hands=1):
            gifts = [(by, action) for by, action in hand.log if isinstance(action, Give)]
            if len(gifts) < 2 or hand.outcome is not None or rng.random() < 0.5:
                continue
            start = partial(GAME.start, PRESETS["huutopussi"], hand.setup)
            other = laws.other_world(hand, start, 1, rng)
            if other is None or other.log == hand.log or gifts[0][0] % 2 == 1:
                continue
            compared += other.log != hand.log
            assert repr(other.view(1)) == repr(hand.view(1))
    assert compared > 5


@pytest.mark.clause("A-H-06")
@pytest.mark.parametrize("claim", ["N sixes", "N pass; E sixes"])
def test_result_of_a_claim_of_four_sixes_is_no_leak(claim: str) -> None:
    """The table checks it: a hand that is over by it is no world in which the hand could go on."""
    deal = "deal N S:A6 H:A6 D:AKQJT / E S:KQJT H:KQJT C:J / S S:987 H:9 D:86 C:KQ6 / W H:87 D:97 C:AT987"
    hand: Any = go(Match.start(GAME, PRESETS["huutopussi_illisoft"], 4, dealer=3).hand, f"{deal}; {claim}")
    start = partial(GAME.start, hand.rules, hand.setup)
    found = [laws.worlds_a_seat_cannot_tell_apart_look_the_same(hand, start, 4, Random(n)) for n in range(40)]
    assert sum(found) > 20
