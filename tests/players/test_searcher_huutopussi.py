"""The searching player of Huutopussi asks its partner only what can be affirmed, and plays for the match."""

from dataclasses import replace
from random import Random

import pytest

from nousu.engine.actions import Call
from nousu.engine.cards import card_set
from nousu.engine.game import Setup
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, partner, side
from nousu.games import find
from nousu.games.huutopussi import (
    ACES,
    AskFull,
    AskHalf,
    Bid,
    Contract,
    No,
    Redeal,
    Sixes,
    Totals,
    call_of,
    said,
)
from nousu.players import Budget, find_player
from nousu.players.huutopussi.inference import bid_likelihoods, likely_worlds, odds
from nousu.players.huutopussi.rules import DEFENCE, DEFENCE_PLAYED_OUT, hand_value
from nousu.players.huutopussi.searcher import contract_stake, may_succeed
from nousu.players.searcher import sample_worlds
from nousu.solver import native

SMALL = Budget(seconds=0.02, worlds=6)


def after_a_denial(seed):
    """Views of seats that may ask again what their partner has denied in this hand, with the question."""
    family, rules = find("huutopussi")
    rng = Random(seed)
    for _ in range(300):
        match = Match.start(family, rules, 4).deal(rng)
        denied = {}
        asked = None
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            for action in view.legal:
                if action in denied.get(seat, ()):
                    yield view, action
            action = rng.choice(view.legal)
            word = said(action) if hasattr(action, "word") else None
            if isinstance(word, AskFull | AskHalf):
                asked = (seat, action)
            elif asked and action == call_of(No()):
                denied.setdefault(asked[0], []).append(asked[1])
            match = match.apply(seat, action)


def test_marriage_denied_by_the_partner_is_not_asked_for_again():
    found = 0
    for view, action in after_a_denial(1):
        worlds = sample_worlds(view, 8, Random(2))
        marriages = view.facts.marriages
        if isinstance(said(action), AskHalf) and worlds:
            assert not may_succeed(view, action, worlds), (action, marriages)
            found += 1
        if found == 20:
            return
    raise AssertionError(f"only {found} such moments were met")


def test_cards_and_declarations_are_never_held_back():
    family, rules = find("huutopussi")
    match = Match.start(family, rules, 4).deal(Random(3))
    while match.hand.view(None).phase != "play":
        seat = match.hand.owed()[0]
        match = match.apply(seat, find_player("rules").choose(match.hand.view(seat), None, 1).action)
    view = match.hand.view(match.hand.owed()[0])
    assert all(may_succeed(view, action, []) for action in view.legal if not hasattr(action, "word"))


def view_at_phase(points, seed, until):
    """A hand from this score, played by rules of thumb up to a phase; the view of who is on turn."""
    family, rules = find("huutopussi")
    start = family.start(rules, Setup(4, 0, Totals(rules, points, 6)))
    match = replace(Match.start(family, rules, 4), hand=start, tally=start.setup.tally).deal(Random(seed))
    while match.hand.owed() != (CHANCE,):
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        if view.facts.phase == until:
            return view
        match = match.apply(seat, find_player("rules").choose(view, None, 1).action)
    return None


def test_bidder_in_need_of_ten_points_promises_no_more_than_the_auction_asks():
    """Every contract made wins the match there, so the safest is right; at the beginning more is promised."""
    at_the_end, at_the_start = [], []
    for seed in range(6):
        for points, found in (((490, 0), at_the_end), ((0, 490), at_the_end), ((0, 0), at_the_start)):
            view = view_at_phase(points, seed, "contract")
            if view is not None and (points == (0, 0) or points[side(view.seat)]):
                chosen = said(find_player("searcher").choose(view, Budget(0.05, 2), 1).action).points
                found.append((chosen, min(word.points for word in words(view) if isinstance(word, Contract))))
    assert at_the_end and all(chosen == least for chosen, least in at_the_end)
    assert any(chosen > least for chosen, least in at_the_start)


def words(view):
    return [said(action) for action in view.legal if isinstance(action, Call)]


def test_contract_is_worth_more_where_it_wins_the_match():
    """Both sides value it alike, with opposite signs; where it brings the declarer's side home little else
    counts."""
    compared = 0
    for seed in range(6):
        level, last = view_at_phase((0, 0), seed, "play"), view_at_phase((490, 0), seed, "play")
        if level is None or last is None or side(last.facts.declarer):
            continue
        for view in (level, last):
            sign = 1 if side(view.facts.declarer) == side(view.seat) else -1
            assert sign * contract_stake(view) > 0
        assert (
            abs(contract_stake(last)) / last.facts.contract
            > abs(contract_stake(level)) / level.facts.contract
        )
        compared += 1
    assert compared


def test_worlds_follow_what_the_exchange_says():
    """Declarers hold twice their share of aces and their partners hardly any, for all who cannot see it."""
    aces = {"declarer": [], "partner": [], "defender": []}
    for seed in range(6):
        view = view_at_phase((0, 0), seed, "play")
        if view is None:
            continue
        declarer = view.facts.declarer
        for seat in range(4):
            other = replace(view, seat=seat, cards=(), legal=())
            assert odds(other).keys() == {declarer, partner(declarer)} - {seat}
        for _ in range(4):
            (world,) = likely_worlds(view, 1, Random(seed))
            aces["partner"].append((world.hands[partner(declarer)] & ACES).bit_count())
            aces["defender"].append((world.hands[(declarer + 1) % 4] & ACES).bit_count())
    assert sum(aces["partner"]) < sum(aces["defender"]) / 2


@pytest.mark.native
def test_return_is_chosen_with_the_contract_that_it_makes():
    """What is said of a contract is true of the deals that were imagined, and the same view and seed give the
    same return."""
    found = 0
    for seed in range(3):
        for phase in ("contract", "return"):
            view = view_at_phase((0, 0), seed, phase)
            if view is None:
                continue
            one, two = (find_player("searcher").choose(view, Budget(1.0, 4), 3) for _ in range(2))
            assert one == two and one.action in view.legal
            values = one.reason.values
            assert 0 <= values["made"] <= values["worlds"] == 8
            if phase == "contract":
                assert values["contract"] == said(one.action).points
            found += 1
    assert found > 2


@pytest.mark.native
@pytest.mark.parametrize("preset", ["huutopussi_finnish", "huutopussi_illisoft"])
def test_exchange_is_played_out_in_every_preset(preset):
    """Whether the contract is named before cards go back or after."""
    family, rules = find(preset)
    chosen = {}
    for seed in range(6):
        match = Match.start(family, rules, 4).deal(Random(seed))
        while match.hand.owed() != (CHANCE,) and not match.hand.view(None).trick:
            view = match.hand.view(match.hand.owed()[0])
            exchanging = view.facts.phase in ("contract", "return")
            choice = find_player("searcher" if exchanging else "rules").choose(view, Budget(1.0, 2), seed)
            if exchanging:
                chosen[view.facts.phase] = choice.reason.values["worlds"]
            match = match.apply(view.owed[0], choice.action)
        if len(chosen) == 2:
            break
    assert chosen == {"contract": 4, "return": 4}


def first_bids(preset, deals):
    """The first seat asked in this many deals, before anybody has bid, with what the rules of thumb say."""
    for deal in range(deals):
        match = Match.start(*find(preset), 4, dealer=deal % 4).deal(Random(deal))
        view = match.hand.view(match.hand.owed()[0])
        yield view, find_player("rules").choose(view, SMALL, 1)


@pytest.mark.native
def test_playouts_make_bids_bolder():
    """Between the two lines only those who search bid; beyond them all agree."""
    between = 0
    for view, usual in first_bids("huutopussi+forced_opening=off", 40):
        spare = hand_value(view.rules, card_set(view.cards)) - view.rules.min_bid
        for name in ("searcher", "strong", "expert"):
            chosen = find_player(name).choose(view, SMALL, 1)
            assert isinstance(said(chosen.action), Bid) == (spare >= DEFENCE_PLAYED_OUT)
        assert isinstance(said(usual.action), Bid) == (spare >= DEFENCE)
        between += DEFENCE_PLAYED_OUT <= spare < DEFENCE
    assert between > 5


@pytest.mark.native
def test_bold_bidder_still_has_a_poor_hand_dealt_again():
    preset, demanded = "huutopussi", 0
    for view, usual in first_bids(preset, 1500):
        if isinstance(said(usual.action), Redeal | Sixes):
            assert find_player("expert").choose(view, SMALL, 1) == usual
            demanded += 1
    assert demanded


def test_bids_without_the_compiled_core_are_those_of_the_rules(monkeypatch):
    monkeypatch.setattr(native, "core", None)
    for view, usual in first_bids("huutopussi", 20):
        assert find_player("expert").choose(view, SMALL, 1) == usual


def test_bold_bidder_is_believed_to_hold_less():
    match = Match.start(*find("huutopussi"), 4).deal(Random(3))
    for points in (50, 55):
        match = match.apply(match.hand.owed()[0], call_of(Bid(points)))
    bidder = match.hand.log[-1][0]
    view = match.hand.view((bidder + 1) % 4)
    weak, strong = sorted(
        (likely_worlds(view, 1, Random(seed))[0] for seed in range(20)),
        key=lambda world: hand_value(view.rules, world.dealt[bidder]),
    )[::19]
    bold = bid_likelihoods(view, [weak, strong], DEFENCE_PLAYED_OUT)
    careful = bid_likelihoods(view, [weak, strong])
    assert careful[0] / careful[1] < bold[0] / bold[1] < 1
