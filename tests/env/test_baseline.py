"""The player that learns by itself: it learns, the same seed gives the same one, and its weights are known by
what they observe."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.env import Walk
from nousu.env.lanes import uncompiled
from nousu.games import find
from nousu.research.baseline import Learned, Net, contest, gains, train

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(uncompiled()), reason="there is no compiled core"),
]


def test_a_net_finds_what_actions_bring() -> None:
    """Its own slopes are right: three actions whose worth is a function of what is seen."""
    rng = np.random.default_rng(3)
    net = Net(4, 32, 3, seed=1)
    for _ in range(1500):
        seen = rng.normal(size=(256, 4)).astype(np.float32)
        actions = rng.integers(0, 3, 256).astype(np.int32)
        worth = np.stack([np.abs(seen[:, 0]), seen[:, 1] * 2, seen[:, 2] - seen[:, 3]], axis=1)
        net.fit(seen, actions, worth[np.arange(256), actions])
    assert float(np.mean((net.guess(seen) - worth) ** 2)) < 0.05


def test_what_a_hand_brings_is_shared_out() -> None:
    sides = gains(np.array([[4, 0, 4, 0]], np.float32), True)
    assert sides.tolist() == [[4, -4, 4, -4]]
    alone = gains(np.array([[-1, -2, -3]], np.float32), False)
    assert alone.tolist() == [[1.5, 0, -1.5]]


@pytest.mark.parametrize("rules", ["huutopussi", "tuppen_zk"])
def test_every_family_can_be_learnt(rules: str) -> None:
    (_, _), (point, learned) = train(rules, 300, seed=2, hidden=8, points=1, pairs=1)
    assert point.hands >= 300 and np.isfinite(point.error) and learned.net.weights[2].any()


def test_the_same_seed_gives_the_same_player_and_its_weights_are_kept(tmp_path: Path) -> None:
    one, two = (
        [net for _, net in train("minnesota", 300, seed=4, hidden=8, points=1, pairs=1)][-1] for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(one.net.weights, two.net.weights, strict=True))
    one.save(tmp_path / "weights.npz")
    again = Learned.read(tmp_path / "weights.npz")
    assert again.rules == "minnesota"
    walk = Walk.start(*find("minnesota"), 4).shuffled(Random(1))
    assert again.act(walk) == one.act(walk) in walk.moves
    kept = dict(np.load(tmp_path / "weights.npz"))
    np.savez(tmp_path / "old.npz", **kept | {"environment": np.array("nousu/whist-00000000")})
    with pytest.raises(ValueError, match="was trained on nousu/whist-00000000"):
        Learned.read(tmp_path / "old.npz")


def test_the_command_prints_a_learning_curve(tmp_path: Path) -> None:
    told = CliRunner().invoke(
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
    assert told.exit_code == 0, told.output
    assert "over random" in told.output and len(told.output.splitlines()) >= 4
    assert Learned.read(tmp_path / "w.npz").rules == "tuppen_zk"
    assert CliRunner().invoke(app, ["train", "nonsense"]).exit_code == 2


@pytest.mark.slow
def test_it_learns_to_beat_chance() -> None:
    from nousu.players import named

    *_, (_, learned) = train("minnesota", 60_000)
    mean, half = contest(learned, named("random"), 300, seed=99)
    assert mean - half > 1
