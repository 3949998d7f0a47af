"""Hands of every family as an OpenSpiel game: OpenSpiel's own checks pass."""

import gzip
import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import nousu
from lockstep import texts
from nousu.engine.cards import DECK_32, card_set
from nousu.games import games
from nousu.players.worlds import worlds

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("nousu.integrations.openspiel")
from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, ismcts  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

KEPT = Path(__file__).parents[1] / "playthroughs"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PRESETS = [preset for game in games().values() for preset in game.presets]


@pytest.mark.parametrize("rules", [*PRESETS, "minnesota+high_points:90"])
def test_random_simulations(rules: str) -> None:
    game = pyspiel.load_game("python_nousu", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_state_before_its_first_action_shows_itself(subtests: pytest.Subtests) -> None:
    for rules, seats in [
        pair for game in games().values() for pair in islice(texts(game, 52), len(game.presets) + 6)
    ]:
        with subtests.test(rules=rules, seats=seats):
            game = pyspiel.load_game("python_nousu", {"rules": rules, "seats": seats})
            state = game.new_initial_state()
            while True:
                assert json.loads(state.to_json())["record"].startswith("nousu record 1") and str(state)
                assert make_observation(game).tensor.size == len(state.observation_tensor(0))
                assert state.information_state_string(seats - 1) and state.to_observation_struct(0).to_json()
                if not state.is_chance_node():
                    break
                for card in range(len(state.walk.layout.pack)):
                    state.apply_action(card)
            assert state.legal_actions()


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi", "tuppen_zk"])
def test_random_simulations_with_serialisation(rules: str) -> None:
    game = pyspiel.load_game("python_nousu", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_name_with_options_is_read_back() -> None:
    game = pyspiel.load_game("python_nousu", {"rules": "tuppi+sooli=off", "seats": 4})
    again = pyspiel.load_game(str(game))
    assert not again.rules.sooli and str(again) == str(game)


def test_tensor_is_the_observation_of_the_environment() -> None:
    state = pyspiel.load_game("python_nousu", {"rules": "toepen", "seats": 5}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for player in range(5):
        planes, scalars = state.walk.observe(player)
        assert state.observation_tensor(player) == [*planes.reshape(-1).astype(float), *scalars.astype(float)]
    assert np.sum(state.observation_tensor(0)) > 4


@pytest.mark.parametrize("rules", ["tuppi", "minnesota", "norwegian_parlett", "tuppi+high_fail_points=100"])
def test_game_of_the_whist_family_alone_is_simulated_too(rules: str) -> None:
    pytest.importorskip("tools.ismcts.openspiel")
    game = pyspiel.load_game("python_nousu_whist", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi", "tuppen_zk"])
def test_tensor_has_named_pieces(rules: str) -> None:
    """The pieces are views into the tensor, all of it, by the names of the documented table."""
    state = middle(rules, 3)
    observer = make_observation(state.get_game())
    observer.set_from(state, 0)
    layout = state.walk.layout
    assert list(observer.dict) == [row.name for row in (*layout.planes, *layout.scalars)]
    assert np.concatenate([piece.reshape(-1) for piece in observer.dict.values()]).tolist() == list(
        observer.tensor
    )
    held = {layout.pack[at] for at in np.flatnonzero(observer.dict["hand"][0])}
    assert held == set(state.hand.view(0).cards) and observer.tensor.any()


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi", "tuppen_zk"])
def test_public_observation_shows_no_hidden_card(rules: str) -> None:
    public = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    state = middle(rules, 5)
    observer = make_observation(state.get_game(), public)
    texts = {observer.string_from(state, player) for player in range(4)}
    assert len(texts) == 1 and not observer.tensor.size
    known = {str(card) for trick in state.hand.view(None).tricks for _, card in trick.plays}
    hidden = {str(card) for card in state.hand.view(0).cards} - known
    assert hidden and not hidden & set(re.findall(r"\b[SHDC](?:10|[2-9JQKA])\b", texts.pop()))


def middle(rules: str, actions: int, seed: int = 1) -> Any:
    """A hand after this many random actions of the seats."""
    rng = Random(seed)
    state = pyspiel.load_game("python_nousu", {"rules": rules}).new_initial_state()
    while actions:
        actions -= not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_structs_say_what_the_state_is_and_what_a_player_knows() -> None:
    state = middle("huutopussi", 12)
    whole = state.to_struct()
    assert json.loads(state.to_json()) == state.to_dict() == whole.to_dict()
    assert whole.current_player == state.current_player() and whole.history == state.history()
    match = nousu.read(whole.record).match
    assert match == state.walk.match
    player = state.current_player()
    seen = state.to_observation_struct(player)
    assert seen.cards == [str(card) for card in state.hand.view(player).cards]
    assert json.loads(seen.to_json())["legal"] == [str(action) for action in state.hand.legal(player)]
    others = {str(card) for seat in range(4) if seat != player for card in state.hand.view(seat).cards}
    assert not others & set(re.findall(r'"([SHDC](?:10|[6-9JQKA]))"', seen.to_json()))
    number = state.legal_actions()[-1]
    struct = state.action_to_struct(player, number)
    assert state.struct_to_actions(struct) == [number]
    other = state.clone()
    other.apply_action_struct(struct)
    assert other.history() == [*state.history(), number]
    with pytest.raises(ValueError, match="'fly' is not legal; what is: "):
        state.struct_to_actions(type(struct)(action="fly"))
    with pytest.raises(AttributeError, match="there is no field 'deck'; there are rules, seats"):
        _ = whole.deck


@pytest.mark.parametrize(
    "rules", ["tuppi", "minnesota", "norwegian_parlett", "huutopussi", "tuppen_zk", "siebenschraem"]
)
def test_resampled_state_is_one_the_player_cannot_tell_apart(rules: str) -> None:
    """At every third decision of a random hand: the same information state, tensor, player and choices."""
    rng = Random(rules)
    state = pyspiel.load_game("python_nousu", {"rules": rules}).new_initial_state()
    steps = differing = 0
    while not state.is_terminal():
        player = state.current_player()
        if player >= 0 and state.hand.view(player).counts and any(state.hand.view(player).counts):
            steps += 1
            if steps % 3 == 1:
                for seat in {player, (player + 1) % state.num_players()}:
                    other = state.resample_from_infostate(seat, rng.random)
                    assert other.information_state_string(seat) == state.information_state_string(seat)
                    assert other.observation_tensor(seat) == state.observation_tensor(seat)
                    assert other.current_player() == player
                    differing += str(other) != str(state)
                assert (
                    state.resample_from_infostate(player, rng.random).legal_actions() == state.legal_actions()
                )
        state.apply_action(rng.choice(state.legal_actions()))
    assert differing


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi"])
def test_resampling_draws_every_world_as_often(rules: str) -> None:
    """All worlds of a late decision are drawn, each as often as histories lead to it, counted exactly."""
    for seed in range(200):
        rng = Random(seed)
        state = pyspiel.load_game("python_nousu", {"rules": rules}).new_initial_state()
        while not state.is_terminal() and not late(state):
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            break
    player = state.current_player()
    expected = {world.hands: ways for world, ways in worlds(state.hand.view(player)).every(Random(1))}
    times = 15 * len(expected)
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(times):
        other = state.resample_from_infostate(player, rng.random)
        drawn[tuple(card_set(other.hand.view(seat).cards) for seat in range(4))] += 1
    assert set(drawn) <= set(expected)
    assert as_often(drawn, expected)


def test_resampling_leaves_cards_in_the_stock_as_often_as_there_are() -> None:
    """In Tuppen half the pack is not dealt: a card not seen lies there in 16 of 28 worlds, with each other
    seat in 4."""
    state = middle("tuppen_zk", 0)
    rng = Random(2)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    player = state.current_player()
    card = next(card for card in DECK_32 if card not in state.hand.view(player).cards)
    drawn: Counter[int] = Counter()
    for _ in range(300):
        hand = state.resample_from_infostate(player, rng.random).hand
        drawn[next((seat for seat in range(4) if card in hand.view(seat).cards), -1)] += 1
    others = {seat: 4 for seat in range(4) if seat != player}
    assert as_often(drawn, others | {-1: 16})


def as_often(drawn: Counter[Any], shares: dict[Any, int]) -> bool:
    """Whether what was drawn fits these shares: chi squared stays below its 99.99 % point."""
    means = {one: drawn.total() * share / sum(shares.values()) for one, share in shares.items()}
    total = sum((drawn[one] - mean) ** 2 / mean for one, mean in means.items())
    k = len(shares) - 1  # Wilson and Hilferty: its cube root is nearly normal
    return total < k * (1 - 2 / (9 * k) + 3.72 * (2 / (9 * k)) ** 0.5) ** 3


def late(state: Any) -> bool:
    """Whether so few worlds are left that all are drawn often."""
    player = state.current_player()
    view = state.hand.view(player) if player >= 0 else None
    return view is not None and any(view.counts) and 4 <= worlds(view).layouts <= 8


def test_search_of_openspiel_plays_every_family() -> None:
    """With the worlds of `resample_from_infostate`, and no help of ours."""
    for rules in ("minnesota", "huutopussi", "tuppen_zk"):
        state = middle(rules, 6)
        bot = ismcts.ISMCTSBot(
            game=state.get_game(),
            evaluator=RandomRolloutEvaluator(1, np.random.RandomState(1)),
            uct_c=2.0,
            max_simulations=3,
            random_state=np.random.RandomState(1),
        )
        assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.txt.gz")), ids=lambda path: path.name)
def test_recorded_playthrough_goes_as_it_went(kept: Path) -> None:
    """Every state, text, tensor and name of a hand is as it was when it was recorded: whoever has saved data
    or nets made by this game may rely on it. This file, run as a program,
    records it anew."""
    before = gzip.decompress(kept.read_bytes()).decode()
    assert played_through(before.split("\n")[0].removeprefix("game: "), before) == before


def played_through(game: str, before: str = "") -> str:
    """The playthrough of a game, with the actions of an earlier one."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])
    actions = [int(one) for one in re.findall(r"^action: (\d+)$", before, re.MULTILINE)]
    return str(generate_playthrough.playthrough(game, actions or None, seed=1))


def test_utility_is_bounded_by_the_options() -> None:
    pytest.importorskip("tools.ismcts.openspiel")
    most = [
        pyspiel.load_game(name, {"rules": "tuppi+high_fail_points=100"}).max_utility()
        for name in ("python_nousu_whist", "python_nousu")
    ]
    assert most == [700, 700]


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name in ("minnesota", "huutopussi", "tuppen_zk,seats=3"):
        text = played_through(f"python_nousu(rules={name})")
        (KEPT / f"{name.split(',')[0]}.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
