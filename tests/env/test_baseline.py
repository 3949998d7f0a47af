"""The player that learns by itself: it learns, the same seed gives the same one, and its weights are known by
what they observe."""

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


def test_net_finds_what_actions_bring() -> None:
    """The gradients are right: the net learns three values that are functions of the observation."""
    rng = np.random.default_rng(3)
    net = ActionNet(4, 32, 3, seed=1)
    for _ in range(1500):
        seen = rng.normal(size=(256, 4)).astype(np.float32)
        actions = rng.integers(0, 3, 256).astype(np.int32)
        worth = np.stack([np.abs(seen[:, 0]), seen[:, 1] * 2, seen[:, 2] - seen[:, 3]], axis=1)
        net.fit(seen, actions, worth[np.arange(256), actions])
    assert float(np.mean((net.guess(seen) - worth) ** 2)) < 0.05


def test_points_of_a_hand_are_rewards_of_the_seats() -> None:
    sides = seat_gains(np.array([[4, 0, 4, 0]], np.float32), True)
    assert sides.tolist() == [[4, -4, 4, -4]]
    alone = seat_gains(np.array([[-1, -2, -3]], np.float32), False)
    assert alone.tolist() == [[1.5, 0, -1.5]]


def test_policy_finds_what_pays() -> None:
    """Three actions of which one is legal only where another pays less: the one that pays most is taken, the
    illegal one never, and no step goes further than the clip allows by much."""
    rng = np.random.default_rng(3)
    net = ActionNet(2, 16, 3, seed=1)
    learner = ProximalPolicy(net, rng, seed=1)
    for _ in range(40):
        seen = rng.normal(size=(4096, 2)).astype(np.float32)
        legal = np.stack([np.ones(4096), np.ones(4096), seen[:, 1] > 0], axis=1) > 0
        actions, logs = learner.choose(seen, legal, np.zeros(4096, np.int32), 0.5)
        assert legal[np.arange(4096), actions].all() and (logs <= 0).all()
        pays = np.stack([seen[:, 0], -seen[:, 0], np.full(4096, 2.0)], axis=1)[np.arange(4096), actions]
        learner.learn(Steps(seen, actions, legal.astype(np.uint8), logs, pays.astype(np.float32)))
    likely = np.where(legal, net.guess(seen), -np.inf).argmax(axis=1)
    best = np.where(seen[:, 1] > 0, 2, np.where(seen[:, 0] > 0, 0, 1))
    clear = (np.abs(seen[:, 0]) > 0.3) & (np.abs(seen[:, 0]) < 1.7) & (np.abs(seen[:, 1]) > 0.1)
    assert (likely == best)[clear].mean() > 0.95


@pytest.mark.parametrize(
    ("rules", "method"), [("huutopussi", "dmc"), ("tuppen_zk", "dmc"), ("minnesota", "ppo")]
)
def test_family_can_be_learnt_and_its_player_plays(rules: str, method: Method) -> None:
    (_, _), (point, learned) = train(rules, 350, method=method, seed=2, hidden=8, points=1, pairs=1)
    assert point.hands >= 350 and np.isfinite(point.error) and learned.net.weights[2].any()
    match = advance(nousu.start(rules, seed=3), [learned] * 4, 1)
    for _ in range(12):
        match = match.deal(Random(1)) if match.hand.owed() == (-1,) else advance(match, [learned] * 4, 1)
    assert len(match.hand.log) + len(match.played) > 5


@pytest.mark.usefixtures("fresh_player_modules")
def test_player_of_weights_chooses_as_the_net_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player chooses from a view as the net does from the walk, at every choice of a hand."""
    *_, (_, learned) = train("tuppi", 300, seed=5, hidden=8, points=1, pairs=1)
    walk = Walk.start(*find("tuppi"), 4).shuffled(Random(4))
    while not walk.match.played:
        view = walk.match.hand.view(walk.seat)
        number = learned.act(walk)
        assert learned.choose(view, DEFAULT_BUDGET, 1).action == walk.moves[number]
        walk = walk.act(number)
    with pytest.raises(ValueError, match="has learnt tuppi, and this is huutopussi"):
        learned.choose(nousu.start("huutopussi", seed=1).hand.view(1), DEFAULT_BUDGET, 1)
    monkeypatch.delenv("NOUSU_WEIGHTS", raising=False)
    with pytest.raises(ValueError, match="NOUSU_WEIGHTS names no file of weights"):
        load_player("py:nousu.integrations.baseline:learned")
    learned.save(tmp_path / "w.npz")
    monkeypatch.setenv("NOUSU_WEIGHTS", str(tmp_path / "w.npz"))
    assert (
        load_player("py:nousu.integrations.baseline:learned").choose(view, DEFAULT_BUDGET, 1).action
        in view.legal
    )


def test_same_seed_gives_the_same_player_and_its_weights_are_kept(tmp_path: Path) -> None:
    one, two = (
        [net for _, net in train("minnesota", 300, seed=4, hidden=8, points=1, pairs=1)][-1] for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(one.net.weights, two.net.weights, strict=True))
    one.save(tmp_path / "weights.npz")
    again = TrainedPlayer.read(tmp_path / "weights.npz")
    assert again.rules == "minnesota"
    walk = Walk.start(*find("minnesota"), 4).shuffled(Random(1))
    assert again.act(walk) == one.act(walk) in walk.moves
    kept = dict(np.load(tmp_path / "weights.npz"))
    np.savez(tmp_path / "old.npz", **kept | {"environment": np.array("nousu/whist-00000000")})
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
def test_baseline_learns_to_beat_chance() -> None:
    from nousu.players import find_player

    *_, (_, learned) = train("minnesota", 60_000)
    mean, half = contest(learned, find_player("random"), 300, seed=99)
    assert mean - half > 1
