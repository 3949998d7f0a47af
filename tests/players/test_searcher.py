"""The searching players: repeatable, legal, within their effort, and right where the answer is known."""

from itertools import compress
from random import Random

import pytest

from nousu.engine.actions import Call, Deal, Give, Play, Seal
from nousu.engine.cards import card_set, parse_card, parse_hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, side
from nousu.games import find, games
from nousu.games.tuppen import HOLD, LEAVE, RAISE
from nousu.players import DEFAULT_BUDGET, Budget, find_player
from nousu.players.arena import Contest, play_contest
from nousu.players.searcher import (
    SafeAction,
    SearchEffort,
    Searcher,
    best_on_average,
    explain_safest,
    safest_action,
    solve_within,
    weighted_means,
)
from nousu.players.seat_loop import advance
from nousu.players.tuppen.searcher import against_poor, needed_against_poor
from nousu.players.whist import policy
from nousu.players.whist.playouts import play_out
from nousu.players.whist.searcher import likely_worlds, rami_value, sooli_chance, world_weights
from nousu.players.whist.utility import points_standing, trick_utility, win_percent
from nousu.players.worlds import worlds
from nousu.solver import native
from nousu.solver.position import Position, Rami
from tuppen_table import kept, match_at, table

SMALL = Budget(seconds=0.02, worlds=6)
SOOLI_DEAL = (
    "S:AK6 H:KQJ D:KQ3 C:KQJT / S:2345 H:A23 D:A24 C:A35 / "
    "S:QJT9 H:T94 D:JT9 C:987 / S:87 H:8765 D:8765 C:642"
)


def positions_and_choices(preset, player, seats=4, seed=3, until=lambda hand: False):
    """Positions and choices of one hand in which `player` holds every seat."""
    match = Match.start(*find(preset), seats)
    steps = []
    while not match.played and not until(match.hand):
        seat = match.hand.owed()[0]
        if seat == CHANCE:
            match = match.deal(Random(seed))
            continue
        view = match.hand.view(seat)
        choice = find_player(player).choose(view, SMALL, len(steps))
        steps.append((view, choice))
        match = match.apply(seat, choice.action)
    return steps


LEVELS = [
    (player, preset, seats)
    for player in ("searcher", "strong")
    for preset, seats in (("tuppi", 4), ("minnesota", 4), ("huutopussi", 4), ("tuppen_zk", 3))
] + [("expert", preset, 4) for preset in ("tuppi", "minnesota", "huutopussi", "tuppen_zk")]


@pytest.mark.parametrize(("player", "preset", "seats"), LEVELS)
def test_levels_play_every_game(player, preset, seats):
    steps = positions_and_choices(preset, player, seats)
    assert all(choice.action in view.legal for view, choice in steps)
    assert any(len(view.legal) > 1 for view, choice in steps)


OTHER_PRESETS = [
    (preset, 4 if game.sides == 2 else 3)
    for game in games().values()
    for preset in game.presets
    if preset not in ("tuppi", "minnesota", "huutopussi", "tuppen_zk")
]


@pytest.mark.parametrize(("preset", "seats"), OTHER_PRESETS)
def test_searcher_plays_every_preset(preset, seats):
    assert all(
        choice.action in view.legal
        for view, choice in positions_and_choices(preset, "searcher", seats, seed=5)
    )


def test_searcher_challenges_out_of_turn_like_the_rule_based_player():
    """Raises are searched, challenges are not: of the players of Tuppen nobody has a better rule for them."""
    challenges = 0
    for deal in range(40):
        match = Match.start(*find("tuppen_zk"), 4).deal(Random(deal))
        for _ in range(2):
            match = match.apply(match.hand.owed()[0], Give(match.hand.view(match.hand.owed()[0]).cards))
        for view in map(match.hand.view, range(4)):
            if view.seat not in view.owed:
                usual = find_player("rules").interrupt(view, SMALL, 5)
                for searching in ("searcher", "expert"):
                    assert find_player(searching).interrupt(view, SMALL, 5) == usual
                challenges += usual is not None
    assert challenges


def test_expert_alone_with_a_poor_man_prefers_the_game_to_points():
    """With two points both are at stake, and leaving one behind is about an even chance; with three, who
    loses the hand is still even (TU-ZK-III3a). To lose as few points as possible takes a third each time."""
    assert [against_poor(points) for points in range(4)] == [0, 0.5, 0.625, 0.765625]
    assert [needed_against_poor(points) for points in (2, 3, 4)] == [0.5, 0.25, pytest.approx(0.375)]
    for points, deal, action in (("2 1", 2, "leave"), ("3 1", 10, "hold")):
        view = kept(match_at(points=points).deal(Random(deal))).hand.view(0)
        expert = find_player("expert").choose(view, Budget(worlds=8), 1)
        assert expert.action == Call(action), expert.reason
        assert find_player("searcher").choose(view, Budget(worlds=24), 1).action != Call(action)


@pytest.mark.native
@pytest.mark.parametrize("seats", [2, 4])
def test_strong_searches_its_cards_and_speaks_by_rules_of_thumb(seats):
    """In Tuppen it raises, answers and challenges as `rules` does; the cards it plays are often others."""
    players = [find_player(name) for name in ("rules", "strong")]
    spoken = others = 0
    for number in range(6):
        match = Match.start(*find("tuppen_zk"), seats, dealer=number % seats)
        while not match.played:
            for seat in match.hand.owed():
                view = match.hand.view(seat) if seat >= 0 else None
                if view is None or len(view.legal) < 2:
                    continue
                usual, found = (player.choose(view, Budget(worlds=4), 7) for player in players)
                if isinstance(usual.action, Play):
                    assert isinstance(found.action, Play)
                    others += found.action != usual.action
                else:
                    assert found == usual
                    spoken += 1
            for seat in range(seats):
                view = match.hand.view(seat)
                if seat not in match.hand.owed() and view.legal:
                    usual, found = (player.interrupt(view, Budget(worlds=4), 7) for player in players)
                    assert found == usual
            match = advance(match, [find_player("rules")] * seats, number)
    assert spoken > 10
    assert others


@pytest.mark.native
def test_expert_foresees_that_others_raise_again_where_several_play_on():
    """Nearly an even chance to win against three is worth a second point, but not the third and fourth."""
    asked = table({0: "S:97 C:TK"}, points="7 7 7 7").apply(3, RAISE)
    for seed in (1, 2, 3):
        searcher = find_player("searcher").choose(asked.view(0), Budget(worlds=24), seed)
        expert = find_player("expert").choose(asked.view(0), Budget(worlds=8), seed)
        assert (searcher.action, expert.action) == (HOLD, LEAVE)
        assert expert.reason is not None and "if others raise again" in expert.reason.message


@pytest.mark.parametrize(
    ("player", "preset"),
    [
        ("searcher", "tuppi"),
        ("searcher", "huutopussi"),
        ("searcher", "tuppen_zk"),
        ("expert", "tuppi"),
        ("expert", "huutopussi"),
        ("expert", "tuppen_zk"),
    ],
)
def test_choice_can_be_repeated(player, preset):
    for number, (view, choice) in enumerate(positions_and_choices(preset, player)):
        assert find_player(player).choose(view, SMALL, number) == choice


def test_effort_is_a_limit():
    """Positions that would take too many nodes are left out, and what is left is solved."""
    rng = Random(1)
    pack = [16 * suit + rank for suit in range(4) for rank in range(13)]
    problems = []
    for _ in range(8):
        rng.shuffle(pack)
        hands = tuple(card_set(pack[13 * seat : 13 * seat + 13]) for seat in range(4))
        problems.append((Position(hands=hands, turn=0), Rami()))
    assert not solve_within(problems, SearchEffort(8, 20_000, 13))
    small = [(Position(hands=tuple(card_set(pack[s * 3 : s * 3 + 3]) for s in range(4)), turn=0), Rami())] * 5
    assert len(solve_within(small, SearchEffort(5, 100_000, 13))) == 5


def test_ties_within_the_error_go_to_the_usual_action():
    one, two = Call("one"), Call("two")
    assert best_on_average([one, two], [[1.0], [1.05]], one, 0.1)[0] == one
    assert best_on_average([one, two], [[1.0], [1.25]], one, 0.1)[0] == two


def test_action_safe_in_every_deal_is_preferred_at_a_price():
    one, two = Call("one"), Call("two")
    values = [[9.0, -1.0], [4.0, 1.0]]
    assert weighted_means(values, [1.0, 1.0]) == [4.0, 2.5]
    assert weighted_means(values, [1.0, 9.0]) == [0.0, 1.3]
    assert safest_action([one, two], [4.0, 2.5], values, one, 0.1, [False, True], 2.0) == (two, 2.5, True)
    assert safest_action([one, two], [4.0, 2.5], values, one, 0.1, [False, True], 1.0) == (one, 4.0, False)
    assert safest_action([one, two], [0.0, 1.3], values, one, 0.1, [False, False], 0.0) == (two, 1.3, False)


def test_worst_deal_decides_between_equal_means():
    one, two = Call("one"), Call("two")
    values = [[9.0, -9.0], [0.0, 0.0]]
    assert safest_action([one, two], [0.0, 0.0], values, one, 0.1, [False, False], 0.0).action == two
    assert (
        safest_action([one, two], [1.0, 1.0], [[1.0, 1.0]] * 2, two, 0.1, [False, False], 0.0).action == two
    )


def ending(cards_left):
    """A hand of Tuppi without sooli played by rule until this many cards are left."""
    match = Match.start(*find("tuppi+sooli=off+early_end=off"), 4).deal(Random(11))
    while max(match.hand.view(None).counts) > cards_left or match.hand.view(None).trick:
        seat = match.hand.owed()[0]
        match = match.apply(
            seat, find_player("rules").choose(match.hand.view(seat), DEFAULT_BUDGET, 1).action
        )
    return match.hand


@pytest.mark.native
@pytest.mark.parametrize(
    ("player", "preset"),
    [("searcher", "tuppi+sooli=off"), ("searcher", "minnesota"), ("expert", "tuppi+sooli=off")],
)
def test_reason_tells_what_was_seen(player, preset, monkeypatch):
    """The share of the deals, as likely as they are believed to be, in which the goal of the hand is reached
    after the card chosen, and after the next best one."""
    seen, believed = [], []

    def watched(*args):
        seen.append(play_out(*args))
        return seen[-1]

    def weighed(*args):
        believed.append(world_weights(*args))
        return believed[-1]

    monkeypatch.setattr("nousu.players.whist.searcher.play_out", watched)
    monkeypatch.setattr("nousu.players.whist.searcher.world_weights", weighed)
    result = set()
    for view, choice in positions_and_choices(preset, player, seed=4) + positions_and_choices(
        preset, player, seed=6
    ):
        if not isinstance(choice.action, Play) or len(view.legal) < 2:
            continue
        seen.clear()
        believed.clear()
        here = find_player(player).choose(view, SMALL, 5)
        reason, values, (first,), (weights,) = here.reason, here.reason.values, seen, believed
        ours, low = side(view.seat), view.facts.kind == "low"
        own = [[taken if ours == 0 else 13 - taken for taken in row] for row in first.gained]
        reached = [
            round(100 * sum(compress(weights, [(taken <= 6) == low for taken in row])) / sum(weights))
            for row in own
        ]
        if "made" in values:
            at = view.legal.index(here.action)
            assert values["made"] == reached[at] > values["other"]
            assert values["other"] in reached[:at] + reached[at + 1 :]
        assert values.get("worlds", len(own[0])) == len(own[0])
        result.add(reason.message)
    assert len(result) >= 3


@pytest.mark.native
def test_deals_are_all_looked_at_in_the_last_tricks():
    hand = ending(2)
    view = hand.view(hand.owed()[0])
    choice = find_player("searcher").choose(view, DEFAULT_BUDGET, 1)
    assert choice.reason is not None and choice.reason.values["worlds"] == worlds(view).layouts > 1
    again = find_player("searcher").choose(view, DEFAULT_BUDGET, 2)
    assert again == choice  # nothing is left to chance


@pytest.mark.native
@pytest.mark.parametrize("preset", ["tuppi+early_end=off", "huutopussi"])
def test_single_deal_left_is_solved_too(preset):
    """Where everything is known the choice is that of the solver, not of the rules of thumb."""
    views = [view for deal in range(12) for view, _ in positions_and_choices(preset, "rules", seed=deal)]
    late = [view for view in views if view.facts.phase == "play" and max(view.counts) <= 5]
    alone = [
        find_player("searcher").choose(view, SMALL, 1)
        for view in late
        if len(view.legal) > 1 and worlds(view).layouts == 1
    ]
    assert alone
    assert all(choice.reason and "it is now certain" in choice.reason.message for choice in alone)


def test_searcher_plays_on_without_the_compiled_core(monkeypatch):
    """The reference solves the last three cards; before that rules of thumb decide."""
    monkeypatch.setattr(native, "core", None)
    monkeypatch.setattr("nousu.solver.api._warned", True)
    for cards in (3, 6):
        hand = ending(cards)
        view = hand.view(hand.owed()[0])
        choice = Searcher().choose(view, DEFAULT_BUDGET, 1)
        assert choice.action in view.legal
        learned = find_player("expert").choose(view, DEFAULT_BUDGET, 1)
        if cards == 6:
            assert choice == find_player("rules").choose(view, DEFAULT_BUDGET, 1)
            assert learned.action == Play(policy.best_card(view))


@pytest.mark.native
def test_sooli_is_called_when_it_is_safe():
    hand = Match.start(*find("tuppi"), 4, 3).hand
    hand = hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in SOOLI_DEAL.split(" / "))))
    for seat, bid in ((0, "D3"), (1, "S3"), (2, "S9"), (3, "S7")):
        hand = hand.apply(seat, Seal(parse_card(bid)))
    hand = hand.apply(0, hand.legal(0)[0])
    choice = find_player("searcher").choose(hand.view(1), DEFAULT_BUDGET, 1)
    assert choice.action == Call("sooli")
    hand = hand.apply(1, choice.action)
    thrown = find_player("searcher").choose(hand.view(1), DEFAULT_BUDGET, 1).action
    assert isinstance(thrown, Give)
    hand = hand.apply(1, thrown)
    gift = find_player("searcher").choose(hand.view(3), Budget(1.0, 10), 1).action
    assert isinstance(gift, Give) and gift.to == 1


def test_sooli_is_weighed_against_the_rami():
    """The safer the hand and the more deals are made, the better its chance; a weak hand fears the rami."""
    hand = Match.start(*find("tuppi"), 4, 3).hand
    hand = hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in SOOLI_DEAL.split(" / "))))
    for seat, bid in ((0, "D3"), (1, "S3"), (2, "S9"), (3, "S7")):
        hand = hand.apply(seat, Seal(parse_card(bid)))
    hand = hand.apply(0, hand.legal(0)[0])
    aces, nothing = hand.view(1), hand.view(3)
    assert sooli_chance(nothing, 0.0) < sooli_chance(aces, 0.0) < sooli_chance(aces, 0.4) < 1
    assert rami_value(nothing, points_standing) < -8 < -2 < rami_value(aces, points_standing)
    assert rami_value(nothing, win_percent) < 46 < 48 < rami_value(aces, win_percent)


def test_imagined_deals_fit_the_bids():
    """Who showed a rami is dealt more honours than others on average."""
    hand = Match.start(*find("tuppi"), 4, 3).hand
    hand = hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in SOOLI_DEAL.split(" / "))))
    for seat, bid in ((0, "D3"), (1, "S3"), (2, "S9"), (3, "S7")):
        hand = hand.apply(seat, Seal(parse_card(bid)))
    hand = hand.apply(0, hand.legal(0)[0])
    honours = card_set(parse_hand("S:AKQJ H:AKQJ D:AKQJ C:AKQJ"))
    drawn = likely_worlds(hand.view(1), 200, Random(1))
    bidder = sum((world.dealt[0] & honours).bit_count() for world in drawn) / 200
    other = sum((world.dealt[2] & honours).bit_count() for world in drawn) / 200
    assert bidder > other + 1


def test_standing_after_the_hand_counts():
    hand = ending(12)
    view = hand.view(0)
    assert points_standing(view, (12, 0)) == 12
    assert points_standing(view, (0, 12)) == -12
    values = [trick_utility(view, points_standing)(taken) for taken in range(14)]
    kind = view.facts.kind
    assert values == sorted(values, reverse=kind == "low")
    assert abs(values[7] - values[6]) > 4


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.parametrize(("game", "pairs"), [("tuppi", 12), ("tuppen_zk", 60)])
def test_searching_beats_rules_of_thumb(game, pairs):
    """A smoke test with few deals; docs/research/strength.md has the figures."""
    shown = play_contest(
        Contest(a="searcher", b="rules", game=game, pairs=pairs, seed=2026, budget=Budget(0.5, 16))
    )
    assert shown.mean > 0


def test_reason_speaks_of_one_deal_as_one():
    choice = Play(parse_card("SA"))
    assert explain_safest(SafeAction(choice, 1.0, True), 1, "+1.0").reason.english == (
        "Safe: it is now certain who holds what"
    )
    assert explain_safest(SafeAction(choice, -1.0, False), 1, "-1.0").reason.english == (
        "Best: it is now certain who holds what, and this scores -1.0"
    )
    assert "each of the 2 deals" in explain_safest(SafeAction(choice, 1.0, True), 2, "+1.0").reason.english
