"""The self-taught player: it learns, the same seed gives the same player, its weights name their layout."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

import nousu
from nousu.cli import app
from nousu.env import Walk
from nousu.games import find
from nousu.integrations.baseline import (
    ActionNet,
    Method,
    ProximalPolicy,
    Steps,
    TrainedPlayer,
    contest,
    seat_gains,
    train,
)
from nousu.players import DEFAULT_BUDGET, load_player
from nousu.players.seat_loop import advance
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
]


def test_net_learns_values_of_actions() -> None:
    """The gradients are right: the net learns three values that are functions of the observation."""
    rng = np.random.default_rng(3)
    net = ActionNet(4, 32, 3, seed=1)
    for _ in range(1500):
        inputs = rng.normal(size=(256, 4)).astype(np.float32)
        actions = rng.integers(0, 3, 256).astype(np.int32)
        values = np.stack(
            [np.abs(inputs[:, 0]), inputs[:, 1] * 2, inputs[:, 2] - inputs[:, 3]],
            axis=1,
        )
        net.fit(inputs, actions, values[np.arange(256), actions])
    assert float(np.mean((net.guess(inputs) - values) ** 2)) < 0.05


def test_points_of_a_hand_are_rewards_of_the_seats() -> None:
    sides = seat_gains(np.array([[4, 0, 4, 0]], np.float32), True)
    assert sides.tolist() == [[4, -4, 4, -4]]
    alone = seat_gains(np.array([[-1, -2, -3]], np.float32), False)
    assert alone.tolist() == [[1.5, 0, -1.5]]


def test_policy_learns_the_action_of_highest_reward() -> None:
    """Of three actions, one of which is not always legal, the policy takes the best legal one."""
    rng = np.random.default_rng(3)
    net = ActionNet(2, 16, 3, seed=1)
    learner = ProximalPolicy(net, rng, seed=1)
    for _ in range(40):
        inputs = rng.normal(size=(4096, 2)).astype(np.float32)
        legal = np.stack([np.ones(4096), np.ones(4096), inputs[:, 1] > 0], axis=1) > 0
        actions, log_probabilities = learner.choose(inputs, legal, np.zeros(4096, np.int32), 0.5)
        assert legal[np.arange(4096), actions].all() and (log_probabilities <= 0).all()
        rewards = np.stack([inputs[:, 0], -inputs[:, 0], np.full(4096, 2.0)], axis=1)[
            np.arange(4096), actions
        ]
        learner.learn(
            Steps(inputs, actions, legal.astype(np.uint8), log_probabilities, rewards.astype(np.float32))
        )
    chosen = np.where(legal, net.guess(inputs), -np.inf).argmax(axis=1)
    best = np.where(inputs[:, 1] > 0, 2, np.where(inputs[:, 0] > 0, 0, 1))
    clear_cut = (np.abs(inputs[:, 0]) > 0.3) & (np.abs(inputs[:, 0]) < 1.7) & (np.abs(inputs[:, 1]) > 0.1)
    assert (chosen == best)[clear_cut].mean() > 0.95


@pytest.mark.parametrize(
    ("rules", "method"), [("huutopussi", "dmc"), ("tuppen_zk", "dmc"), ("minnesota", "ppo")]
)
def test_training_gives_a_player_of_each_family(rules: str, method: Method) -> None:
    (_, _), (progress, player) = train(rules, 350, method=method, seed=2, hidden=8, points=1, pairs=1)
    assert progress.hands >= 350 and np.isfinite(progress.error) and player.net.weights[2].any()
    match = advance(nousu.start(rules, seed=3), [player] * 4, 1)
    for _ in range(12):
        match = match.deal(Random(1)) if match.hand.owed() == (-1,) else advance(match, [player] * 4, 1)
    assert len(match.hand.log) + len(match.played) > 5


@pytest.mark.usefixtures("fresh_player_modules")
def test_saved_player_chooses_as_its_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player chooses from a view as the net does from the walk, at every choice of a hand."""
    *_, (_, player) = train("tuppi", 300, seed=5, hidden=8, points=1, pairs=1)
    walk = Walk.start(*find("tuppi"), 4).shuffled(Random(4))
    while not walk.match.played:
        view = walk.match.hand.view(walk.seat)
        number = player.act(walk)
        assert player.choose(view, DEFAULT_BUDGET, 1).action == walk.moves[number]
        walk = walk.act(number)
    with pytest.raises(ValueError, match="has learnt tuppi, and this is huutopussi"):
        player.choose(nousu.start("huutopussi", seed=1).hand.view(1), DEFAULT_BUDGET, 1)
    monkeypatch.delenv("NOUSU_WEIGHTS", raising=False)
    with pytest.raises(ValueError, match="NOUSU_WEIGHTS names no file of weights"):
        load_player("py:nousu.integrations.baseline:learned")
    player.save(tmp_path / "w.npz")
    monkeypatch.setenv("NOUSU_WEIGHTS", str(tmp_path / "w.npz"))
    assert (
        load_player("py:nousu.integrations.baseline:learned").choose(view, DEFAULT_BUDGET, 1).action
        in view.legal
    )


def test_same_seed_gives_the_same_player(tmp_path: Path) -> None:
    first, second = (
        [net for _, net in train("minnesota", 300, seed=4, hidden=8, points=1, pairs=1)][-1] for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(first.net.weights, second.net.weights, strict=True))
    first.save(tmp_path / "weights.npz")
    loaded = TrainedPlayer.read(tmp_path / "weights.npz")
    assert loaded.rules == "minnesota"
    walk = Walk.start(*find("minnesota"), 4).shuffled(Random(1))
    assert loaded.act(walk) == first.act(walk) in walk.moves
    arrays = dict(np.load(tmp_path / "weights.npz"))
    np.savez(tmp_path / "old.npz", **arrays | {"environment": np.array("nousu/whist-00000000")})
    with pytest.raises(ValueError, match="was trained on nousu/whist-00000000"):
        TrainedPlayer.read(tmp_path / "old.npz")


def test_command_prints_a_learning_curve(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app,
        [
            "train",
            "tuppen_zk",
            "--hands",
            "200",
            "--hidden",
            "8",
            "--pairs",
            "2",
            "--out",
            str(tmp_path / "w.npz"),
        ],
    )
    assert result.exit_code == 0, result.output
    assert "over random" in result.output and len(result.output.splitlines()) >= 4
    assert TrainedPlayer.read(tmp_path / "w.npz").rules == "tuppen_zk"
    assert CliRunner().invoke(app, ["train", "nonsense"]).exit_code == 2
    result = CliRunner().invoke(app, ["train", "tuppen_zk", "--method", "magic"])
    assert result.exit_code == 2 and "there is no method 'magic'; there are dmc and ppo" in result.stderr


@pytest.mark.slow
def test_baseline_beats_random_after_training() -> None:
    from nousu.players import find_player

    *_, (_, player) = train("minnesota", 60_000)
    mean, half = contest(player, find_player("random"), 300, seed=99)
    assert mean - half > 1
