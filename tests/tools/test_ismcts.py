"""Our hands as an OpenSpiel game: its own checks pass, and its search plays by our worlds."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from nousu.engine.actions import Deal, Give
from nousu.engine.cards import card_set, cards_of
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.games.whist import PRESETS
from nousu.players import DEFAULT_BUDGET, load_player
from nousu.players.worlds import World, replay_world, worlds

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def research():
    from tools.ismcts import openspiel

    return openspiel


@pytest.mark.parametrize("rules", ["tuppi", "minnesota", "norwegian_parlett"])
def test_openspiel_walks_through_hands(research, rules):
    game = pyspiel.load_game("python_nousu_whist", {"rules": rules})
    rng = Random(rules)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                assert sum(chances) == pytest.approx(1)
                state.apply_action(rng.choices(cards, chances)[0])
            else:
                legal = state.legal_actions()
                assert len(legal) > 1
                state = state.clone()
                state.apply_action(rng.choice(legal))
        assert sum(state.returns()) == 0


def test_rules_may_have_options_but_must_be_whist(research):
    assert pyspiel.load_game("python_nousu_whist", {"rules": "tuppi+sooli=off"}).rules.sooli is False
    with pytest.raises(ValueError, match="huutopussi is not of the whist family"):
        research.WhistGame({"rules": "huutopussi"})


def test_clone_lives_its_own_life(research):
    state = pyspiel.load_game("python_nousu_whist").new_initial_state()
    other = state.clone()
    other.apply_action(5)
    assert len(other.chance_outcomes()) == 51
    assert len(state.chance_outcomes()) == 52


def test_seat_that_hears_the_same_is_told_the_same(research):
    """Sampled worlds have the information state of the true one."""
    match = Match.start(*find("tuppi"), 4).deal(Random(2))
    game = research.WhistGame()
    rng = Random(1)
    while not match.played:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        other = replay_world(view, worlds(view).sample(rng))
        here, there = (game.state_of(hand).information_state_string(seat) for hand in (match.hand, other))
        assert here == there
        match = match.apply(seat, rng.choice(match.hand.legal(seat)))


@pytest.mark.parametrize("rules", list(PRESETS))
def test_light_state_is_the_hand_in_numbers(research, rules):
    """From some roots along a hand, through sampled worlds, to the end: the same seat on turn, the same legal
    actions, the same points; and what a seat can tell apart in one it can tell apart in the other."""
    game = research.WhistGame({"rules": rules})
    rng = Random(rules)
    for _ in range(3):
        match = Match.start(*find(rules), 4, rng.randrange(4)).deal(rng)
        while not match.played:
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            if sum(action in research.NUMBER for action in view.legal) > 1 and rng.random() < 0.3:
                _walk_from(research, game, view, rng)
            match = match.apply(seat, rng.choice(match.hand.legal(seat)))


def _twins(research, game, view, world, rng):
    """A light state, and our engine's state of the same world."""
    light = research.LightState(view, game).filled(world, rng)
    hand = replay_world(view, world)
    if light.phase == "bid":  # with the same bids of those who bid before
        hand = games()["whist"].start(view.rules, view.setup)
        hand = hand.apply(CHANCE, Deal(tuple(map(cards_of, world.dealt))))
        for seat in view.facts.committed:
            hand = hand.apply(seat, research.ACTIONS[light.bids[seat]])
    return light, game.state_of(hand)


@pytest.mark.parametrize(
    "rules", ["tuppi", "tuppi+sooli_exchange=receive_then_return", "minnesota", "norwegian_parlett"]
)
@pytest.mark.parametrize("before", [0, 2, 5])
def test_information_sets_are_what_a_seat_can_tell_apart(research, rules, before):
    """One world and random courses: equal observations in one state are equal in the other, at every seat."""
    game = research.WhistGame({"rules": rules})
    rng = Random(2)
    match = Match.start(*find(rules), 4).deal(rng)
    for _ in range(before):
        seat = match.hand.owed()[0]
        match = match.apply(seat, match.hand.legal(seat)[-1])
    hand = research.forced(match.hand)
    view = hand.view(hand.owed()[0])
    world = worlds(view).sample(rng)
    result = set()

    def walk(light, state, steps):
        if not steps or state.is_terminal():
            return
        legal = state.legal_actions()
        assert light.legal_actions() == legal
        result.add((light.information_state_string(), state.information_state_string()))
        for action in {legal[0], legal[len(legal) // 2]}:
            there, other = light.clone(), state.clone()
            there.apply_action(action)
            other.apply_action(action)
            walk(there, other, steps - 1)

    for steps in [8] * 3 + [4] * 40:  # the bids of those who bid before are drawn anew
        walk(*_twins(research, game, view, world, rng), steps)
    assert len({one for one, _ in result}) == len({other for _, other in result}) == len(result) > 50


def _walk_from(research, game, view, rng):
    """Two walks through worlds of one view."""
    found = worlds(view)
    result = set()
    for _ in range(2):
        light, state = _twins(research, game, view, found.sample(rng), rng)
        while not state.is_terminal():
            assert not light.is_terminal()
            assert light.current_player() == state.current_player()
            assert light.legal_actions() == state.legal_actions()
            result.add((light.information_state_string(), state.information_state_string()))
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            light.apply_action(action)
        assert light.is_terminal() and light.current_player() == state.current_player()
        assert light.returns() == state.returns()
    assert len({one for one, _ in result}) == len({other for _, other in result}) == len(result)


@pytest.mark.parametrize(
    ("seed", "steps", "where"),
    [(7, 0, "bid"), (7, 8, "sooli"), (1, 7, "discard"), (3, 20, "high"), (8, 22, "low"), (6, 12, "sooli")],
)
def test_playouts_are_those_of_openspiel(research, seed, steps, where):
    """Our playouts and OpenSpiel's own, on our engine's states, pay the same points equally often: the
    statistic of chi squared over all payments stays below its 99.99 % point."""
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    rng = Random(seed)
    match = Match.start(*find("tuppi"), 4).deal(rng)
    for _ in range(steps):
        seat = match.hand.owed()[0]
        match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    hand = research.forced(match.hand)
    view = hand.view(hand.owed()[0])
    assert where in (view.facts.phase, view.facts.kind)
    theirs = RandomRolloutEvaluator(1, np.random.RandomState(seed))
    state = research.WhistGame().state_of(hand)
    world = World(tuple(map(card_set, (hand.view(seat).cards for seat in range(4)))), hand.hands)
    light = research.LightState(view).filled(world._replace(given=_given(hand)), rng)
    ours = research.Playouts(seed)
    times = 400
    expected = Counter(theirs.evaluate(state)[0] for _ in range(times))
    seen = Counter(ours.evaluate(light.clone())[0] for _ in range(20 * times))
    rare = [value for value in {*expected, *seen} if seen[value] < 200]
    pooled = [(expected[value], seen[value]) for value in {*expected, *seen} if seen[value] >= 200]
    pooled.append((sum(expected[value] for value in rare), sum(seen[value] for value in rare)))
    total = 0.0
    for one, many in pooled:
        mean = (one + many) / 21
        if mean:
            total += (one - mean) ** 2 / mean + (many - 20 * mean) ** 2 / (20 * mean)
    freedom = len([pair for pair in pooled if sum(pair)]) - 1
    # Wilson and Hilferty: chi squared with k degrees of freedom to the power 1/3 is nearly normal.
    k = max(freedom, 1)
    assert total < k * (1 - 2 / (9 * k) + 3.72 * (2 / (9 * k)) ** 0.5) ** 3


def _given(hand):
    return tuple(action.cards for _, action in hand.log if isinstance(action, Give))


def test_move_is_selected_as_openspiel_selects_it(research):
    """Ours reckons every value once; the candidates are those of OpenSpiel's own method."""
    from open_spiel.python.algorithms import ismcts

    rng = Random(4)
    bot = research._Bot(research.WhistGame(), research.Playouts(1), 12.0, 1)
    for _ in range(500):
        node = ismcts.ISMCTSNode()
        for action in range(rng.randint(2, 13)):
            visits = rng.randint(1, 30)
            node.child_info[action] = ismcts.ChildInfo(visits, visits * rng.choice((-8, 4, 4, 12)), 0.1)
            node.total_visits += visits
        assert bot._select_candidate_actions(node) == ismcts.ISMCTSBot._select_candidate_actions(bot, node)


def test_search_of_openspiel_plays(research):
    player = research.IsmctsPlayer(simulations=30)
    match = Match.start(*find("tuppi"), 4).deal(Random(2))
    steps = 0
    while not match.played and steps < 12:
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        choice = player.choose(view, DEFAULT_BUDGET, steps)
        assert choice == player.choose(view, DEFAULT_BUDGET, steps)
        match = match.apply(seat, choice.action)
        steps += 1


def test_players_by_module_name():
    assert load_player("py:tools.ismcts.openspiel:one_second") is load_player(
        "py:tools.ismcts.openspiel:one_second"
    )
    with pytest.raises(ValueError, match="is not a player"):
        load_player("py:tools.ismcts.openspiel:nobody")
