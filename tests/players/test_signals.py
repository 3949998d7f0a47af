"""The code of signals: each rule, what it is read as, and that it is silent where signals are not agreed."""

from random import Random

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import Card, parse_card
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.players import Budget, find_player
from nousu.players.whist import signals
from nousu.players.whist.signals import CODE, Sign, code_card, free_ranks, keeps_code, seat_likelihood
from nousu.players.worlds import worlds

SMALL = Budget(seconds=0.02, worlds=6)
SPADES = {letter: parse_card(f"S{letter}") for letter in "23456789TJQKA"}


def ranks(text):
    """The ranks of some cards, as bits."""
    return sum(1 << SPADES[letter].rank for letter in text)


def by_code(kind, occasion, held, best, gone):
    """The cards that agree with the code, of those held on that occasion; best: of the trick so far."""
    over = SPADES[best].rank if best else -1
    found = ""
    for letter in held:
        card = SPADES[letter]
        sign = Sign(1, card, kind, occasion, over, ranks(gone), ranks(held))
        if keeps_code(sign, ranks(held)):
            found += letter
    return found


@pytest.mark.parametrize(
    ("kind", "occasion", "held", "best", "gone", "cards"),
    [
        ("high", "partner_led", "Q852", "K", "K", "85"),  # an honour: a higher small card
        ("high", "partner_led", "J852", "K", "K", "2"),
        ("high", "partner_led", "Q8", "K", "K", ""),  # no other small card: nothing is told
        ("high", "partner_led", "Q852", "6", "6", "5"),  # the 8 would take the trick
        ("high", "others_led", "J852", "A", "A", "85"),  # an even number
        ("high", "others_led", "J8532", "A", "A", "2"),
        ("high", "first_discard", "K73", "", "", "7"),
        ("high", "first_discard", "J73", "", "", "3"),
    ],
)
def test_each_rule_of_the_code(kind, occasion, held, best, gone, cards):
    assert by_code(kind, occasion, held, best, gone) == cards


def hands(preset, player, seed):
    """The hands at each card of a match of one hand."""
    match = Match.start(*find(preset), 4, dealer=seed % 4)
    while not match.played:
        seat = match.hand.owed()[0]
        if seat == CHANCE:
            match = match.deal(Random(seed))
            continue
        view = match.hand.view(seat)
        if view.facts.phase == "play":
            yield match.hand, view
        match = match.apply(seat, find_player(player).choose(view, SMALL, seed).action)


def test_what_a_seat_gives_is_what_the_others_read():
    """In the true deal the card of the code keeps it, and the opposite one does not."""
    met = set()
    for seed in range(60):
        for hand, view in hands("tuppi+sooli=off+early_end=off", "rules", seed):
            for first in [action.card for action in view.legal]:
                alike = [
                    first,
                    *(a.card for a in view.legal if a.card.suit == first.suit and a.card != first),
                ]
                given = code_card(view, alike)
                if given is None:
                    continue
                after = hand.apply(view.seat, Play(given))
                reader = after.view((view.seat + 1) % 4)
                sign = signals.signs(reader)[-1]
                assert (sign.seat, sign.card) == (view.seat, given)
                held = sum(1 << card.rank for card in view.cards if card.suit == given.suit)
                assert keeps_code(sign, held)
                free = free_ranks(sign, held)
                low = (free & -free).bit_length() - 1
                other = low if given.rank != low else free.bit_length() - 1
                assert keeps_code(sign._replace(card=Card(given - given.rank + other)), held) is False
                met.add((sign.kind, sign.occasion))
    assert met == set(CODE)


def test_wrong_signal_excludes_no_deal_and_makes_the_seat_less_believed():
    """An honour that is told and not held, by a seat that keeps the code elsewhere or does not."""
    with_honour, without = ranks("Q852"), ranks("J852")
    by_code = Sign(1, SPADES["8"], "high", "partner_led", SPADES["K"].rank, ranks("K"), ranks("8"))
    against = by_code._replace(card=SPADES["2"], shown=ranks("2"))
    one = seat_likelihood([by_code], without) / seat_likelihood([by_code], with_honour)
    assert 0.1 < one < 0.4
    other = [Sign(1, SPADES["7"], "high", "others_led", SPADES["K"].rank, ranks("K"), ranks("743"))] * 2
    assert [keeps_code(sign, sign.shown) for sign in (by_code._replace(shown=with_honour), *other)] == [
        True,
        False,
        False,
    ]
    doubted = seat_likelihood([by_code, *other], without) / seat_likelihood([by_code, *other], with_honour)
    assert one < doubted < 1
    assert seat_likelihood([against] * 5, with_honour) > 0.005


def test_signs_of_the_others_tell_deals_apart():
    seen = 0
    for _, view in hands("tuppi+sooli=off", "rules", 4):
        drawn = [worlds(view).sample(Random(seed)) for seed in range(20)]
        seen += len(set(signals.world_likelihoods(view, drawn))) > 1
    assert seen > 10


@pytest.mark.clause("T-CAT-38", "T-CATT-06", "A-T-16")
def test_code_holds_where_the_rules_agree_on_signals_alone():
    by_preset = {name: signals.are_agreed(rules) for name, rules in find("tuppi")[0].presets.items()}
    assert {name for name, agreed in by_preset.items() if agreed} == {"tuppi", "tuppi_catsatcards"}
    assert not signals.are_agreed(find("tuppi+table_talk=none")[1])
    assert not signals.are_agreed(find("tuppi_tournament+table_talk=agreed_signals")[1])
    assert not any(
        signals.card_of_signals(rules)
        for game in games().values()
        if game.name != "whist"
        for rules in game.presets.values()
    )


@pytest.mark.native
def test_expert_gives_and_reads_signals_only_where_they_are_agreed(monkeypatch):
    asked = []
    monkeypatch.setattr(
        signals, "world_likelihoods", lambda view, drawn: asked.append(view) or [1.0] * len(drawn)
    )
    monkeypatch.setattr(signals, "code_card", lambda view, alike: asked.append(view) and None)
    for preset, gives in (("tuppi", True), ("tuppi+table_talk=none", False), ("tuppi_tournament", False)):
        asked.clear()
        for _ in hands(preset, "expert", 5):
            pass
        assert bool(asked) == gives
