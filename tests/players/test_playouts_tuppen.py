"""Playouts of Tuppen: core and Python agree card for card, and calls weigh the deals."""

from random import Random
from statistics import mean

import pytest

from bench.experiments import inference_likelihood as inference
from nousu.engine.actions import Call, Play
from nousu.engine.cards import DECK_32, SUIT_SETS, card_set, parse_card, parse_hand
from nousu.players import DEFAULT_BUDGET, Choice, find_player
from nousu.players.searcher import sample_worlds
from nousu.players.tuppen import policy
from nousu.players.tuppen.inference import likelihoods, news
from nousu.players.tuppen.playouts import ANY, SPITE, Moment, count_wins, last_trick_winners, needed_to_hold
from nousu.solver import native
from tuppen_table import SWEEP, said, table

HIGH = card_set(parse_hand("S:T9 H:T9 D:T9 C:T9"))


def positions(count):
    """Tables in the middle of a hand, with a card that may be played and what a seat may ask."""
    rng, deck = Random(3), [int(card) for card in DECK_32]
    for _ in range(count):
        rng.shuffle(deck)
        seats, held = rng.randrange(2, 9), rng.randrange(1, 5)
        hands = [card_set(deck[4 * seat : 4 * seat + held]) for seat in range(seats)]
        playing = tuple(sorted(rng.sample(range(seats), rng.randrange(2, seats + 1))))
        turn, trick = playing[0], ()
        if rng.random() < 0.5:
            trick, turn = ((playing[0], deck[4 * playing[0]]),), playing[1]
            hands[playing[0]] &= ~(1 << deck[4 * playing[0]])
        able = (trick and hands[turn] & SUIT_SETS[trick[0][1] >> 4]) or hands[turn]
        first = rng.choice([card for card in deck if able >> card & 1])
        yield Moment(playing, turn, trick), hands, first, rng.choice(playing), rng.getrandbits(64)


@pytest.mark.native
def test_core_and_python_play_the_same(monkeypatch):
    answers = []
    for core in (native.core, None):
        monkeypatch.setattr(native, "core", core)
        answers.append([])
        for at, hands, first, seat, seed in positions(120):
            counts, seen = [hand.bit_count() for hand in hands], card_set(card for _, card in at.trick)
            winners = last_trick_winners(at, [hands] * 2)
            chances = count_wins(at, seat, seen, counts, [hands[seat]] * 2, 9, seed)
            answers[-1].append((winners, last_trick_winners(at, [hands], [ANY, first]), chances))
    assert answers[0] == answers[1]
    assert len({str(one) for one in answers[0]}) > 60


@pytest.mark.native
@pytest.mark.parametrize("plain", [False, True])
def test_trick_is_complete_when_the_last_to_play_to_it_leaves(monkeypatch, plain):
    """Seat 1 has taken it: it leads to the next one, or has won the hand where it was the last."""
    if plain:
        monkeypatch.setattr(native, "core", None)
    moment = Moment((0, 1), 0, tuple(enumerate(map(int, map(parse_card, ("C8", "C9"))))))
    held = [["", ""], ["H:A", "S:K"], ["H:A", "H:K"]]
    worlds = [[card_set(parse_hand(hand)) for hand in hands] for hands in held]
    assert last_trick_winners(moment, worlds) == [[1, 1, 0]]


@pytest.mark.native
def test_core_refuses_what_is_no_hand():
    places, plain = bytes(64), (bytes(64), 3, 0, b"")
    with pytest.raises(ValueError, match="64 places"):
        native.core.last_takers(b"", 3, 0, b"", b"", b"")
    with pytest.raises(ValueError, match="eight hands"):
        native.core.last_takers(*plain, b"", bytes(8))
    with pytest.raises(ValueError, match="no hand of Tuppen"):
        native.core.last_takers(places, 0, 0, b"", b"", b"")
    with pytest.raises(ValueError, match="no card"):
        native.core.last_takers(bytes([255]) * 64, 3, 0, b"", b"\x01", bytes(64))
    with pytest.raises(ValueError, match="eight counts"):
        native.core.last_trick_wins(*plain, 9, 0, bytes(8), b"", 1, 1)


def high_cards(hand, seat, viewer):
    """The tens and nines that `seat` holds on average in the deals its opponent imagines."""
    view = hand.view(viewer)
    found = sample_worlds(view, 300, Random(5))
    weights = likelihoods(view, found, 7)
    cards = [(world.hands[seat] & HIGH).bit_count() for world in found]
    return sum(map(float.__mul__, weights, map(float, cards))) / sum(weights)


def test_raisers_and_callers_are_believed_to_hold_better_cards_than_silent_players():
    quiet = table({0: "S:7 H:8 D:8 C:7"}, points=3)
    raised = said(quiet, "P2 raise; P3 hold")
    usual = 4 * 8 / 28
    for seat in (1, 2):
        assert high_cards(raised, seat, 0) > usual + 0.1 > usual - 0.05 > high_cards(quiet, seat, 0)


def test_news_is_what_the_seat_could_know():
    hand = said(table({0: SWEEP}, points=3), "P2 raise; P3 hold; P1 hold; P1 play C7")
    first, second, *silences = news(hand.view(0), sample_worlds(hand.view(0), 1, Random(1))[0])
    assert (first.seat, first.said, first.moment.trick, first.seen_cards) == (1, True, (), 0)
    assert (second.seat, second.said, second.needed) == (2, True, needed_to_hold(1, 2, SPITE))
    assert all(not one.said for one in silences) and {one.seat for one in silences} == {2}
    assert all(one.seat != 0 for one in (first, second, *silences)), "nobody learns from itself"


class ByOdds:
    """Speaks by the odds for two, and plays the first card it may."""

    def choose(self, view, budget, seed):
        card = next((action for action in view.legal if isinstance(action, Play)), None)
        return Choice(policy.choose_words(view, seed) or card)

    def interrupt(self, view, budget, seed):
        word = policy.choose_words(view, seed)
        return None if word is None else Choice(word)


@pytest.mark.native
def test_speaker_by_odds_is_not_believed_to_hold_the_cards_of_the_call():
    """Calls hardly lower the weight of the true deal; read as thresholds they cost it a nat (seed 12)."""
    two, rng, gains = inference.GAMES["tuppen_for_two"], Random(5), []
    for deal in range(60):
        found = inference.positions(two, ByOdds(), deal)
        gains += inference.gains(two, rng.choice(found), rng).values() if found else []
    assert len(gains) > 40 and mean(gains) > -0.25


@pytest.mark.native
def test_raise_out_of_turn_follows_the_imagined_deals():
    searcher = find_player("searcher")
    strong = said(table({0: SWEEP}, points=3), "P1 play C10")
    weak = table({1: "S:JQ H:J D:J"}, points=3)
    for seed in range(3):
        choice = searcher.interrupt(strong.view(0), DEFAULT_BUDGET, seed)
        assert choice is not None and choice.action == Call("raise") and choice.reason is not None
        assert searcher.interrupt(strong.view(0), DEFAULT_BUDGET, seed) == choice
        assert searcher.interrupt(weak.view(1), DEFAULT_BUDGET, seed) is None


@pytest.mark.native
def test_hand_that_goes_along_with_one_raise_leaves_against_two():
    middling = table({0: "S:9 H:9 D:T C:J"}, points=3)
    once = said(middling, "P2 raise; P3 leave")
    twice = said(middling, "P2 raise; P3 hold; P1 hold; P3 raise")
    chances = [
        find_player("searcher").choose(hand.view(0), DEFAULT_BUDGET, 1).reason.values["chance"]
        for hand in (once, twice)
    ]
    assert chances[0] > chances[1]


def test_rules_of_thumb_decide_without_the_compiled_core(monkeypatch):
    monkeypatch.setattr(native, "core", None)
    monkeypatch.setattr("nousu.solver.api._warned", True)
    hand = said(table({0: "S:9 H:9 D:T C:J"}, points=3), "P2 raise; P3 hold")
    usual, searcher = find_player("rules"), find_player("searcher")
    assert searcher.choose(hand.view(0), DEFAULT_BUDGET, 1) == usual.choose(hand.view(0), DEFAULT_BUDGET, 1)
    hand = said(hand, "P1 hold")
    assert searcher.interrupt(hand.view(2), DEFAULT_BUDGET, 1) == usual.interrupt(
        hand.view(2), DEFAULT_BUDGET, 1
    )
