"""The nets of `expert` are made again from nothing: the same seed the same bytes, whatever interrupts it."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from nousu.cli import app as nousu_app
from nousu.players.nets import decode_weights, made_by
from nousu.players.whist import policy
from nousu.solver import native
from tools.training import nets, sooli, whist
from tools.training.__main__ import app
from tools.training.nets import SituationSheet, fit_net, hours, last_weights, train

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(bool(native.missing), reason="there is no compiled core"),
]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches of hands judged in two deals, and a short fit."""
    monkeypatch.setattr(nets, "HANDS", 3)
    monkeypatch.setattr(nets, "BATCH", 16)
    monkeypatch.setattr(nets, "PASSES", 1)
    monkeypatch.setattr(whist, "WORLDS", 2)
    monkeypatch.setattr(sooli, "WORLDS", 4)


@pytest.mark.usefixtures("few")
def test_interrupted_training_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Broken off after a batch, in the middle of writing one, and after a round."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    told = [done.what for done in train("tuppi", whole, hands=[5, 3])]
    assert told == ["round1-0000", "round1-0001", "round1", "round2-0000", "round2"]
    assert [done.what for done in islice(train("tuppi", broken, hands=[5]), 1)] == told[:1]
    (broken / "round1-0001.part").write_bytes(b"half of it")
    assert [done.what for done in train("minnesota", broken, hands=[5])] == told[1:3]
    assert [done.what for done in train("tuppi", broken, hands=[5, 3])] == told[3:]
    for name in ("round1.txt", "round2.txt"):
        assert (whole / name).read_bytes() == (broken / name).read_bytes()
    assert (
        len({decode_weights((whole / name).read_text("ascii")) for name in ("round1.txt", "round2.txt")}) == 2
    )
    assert last_weights(broken).name == "round2.txt" and hours(broken) > 0
    assert list(train("tuppi", whole, hands=[5, 3])) == []


@pytest.mark.usefixtures("few")
def test_folder_holds_one_training(tmp_path: Path) -> None:
    for _ in islice(train("tuppi", tmp_path, hands=[2]), 1):
        pass
    with pytest.raises(ValueError, match="holds another training"):
        list(train("tuppi", tmp_path, hands=[2], seed=2))
    with pytest.raises(ValueError, match="holds another training"):
        list(train("tuppi", tmp_path, hands=[4]))
    with pytest.raises(ValueError, match="have no nets"):
        list(train("tuppen_zk", tmp_path / "other"))


@pytest.mark.usefixtures("few")
def test_soolis_are_trained_apart_from_ramis_and_nolos(tmp_path: Path) -> None:
    """A training leaves the nets of the other as they are, and the line that tells how they were made."""
    packed, lines = policy.packed_weights(), made_by(policy.packed_text())
    size = len(packed) // len(policy.SHAPE.situations) * len(policy.RAMI_AND_NOLO)
    for word, kept in (("sooli", slice(None, size)), ("tuppi", slice(size, None))):
        *_, step = train(word, tmp_path / word, hands=[12])
        text = last_weights(tmp_path / word).read_text("ascii")
        made = decode_weights(text)
        assert made[kept] == packed[kept] and made != packed
        other = next(line for line in lines if f"training {word} " not in line)
        assert set(made_by(text)) == {
            other,
            f"Made by: python -m tools.training {word} FOLDER --rounds 12 --seed 1",
        }
        assert all(("nolo" in cost.situation) <= (word == "tuppi") for cost in step.costs)


def test_fit_finds_which_card_is_best() -> None:
    """Four cards a choice, each with one of three values; the middle one is worth most."""
    rng = np.random.default_rng(3)
    values = rng.integers(0, 3, (2000, 4))
    worth = np.array([-1.0, 0.0, -0.5], np.float32)[values]
    nothing = np.zeros((2000, 4), np.float32)
    one = SituationSheet(
        np.eye(3, dtype=np.uint8)[values],
        worth - worth.max(1, keepdims=True),
        nothing,
        np.zeros(2000, np.intp),
        np.zeros(2000, bool),
    )
    weights, out = fit_net(one, 60, seed=1)
    rated = np.maximum(weights, 0) @ out
    assert rated[1] > rated[2] > rated[0]


@pytest.mark.usefixtures("few", "fresh_player_modules")
def test_command_makes_nets_that_play_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "weights.txt"
    words = ["tuppi", str(tmp_path / "nets"), "--rounds", "40", "--out", str(out)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "rami_lead: " in result.output and "hours of processor time" in result.output
    result = CliRunner().invoke(app, ["tuppi", str(tmp_path), "--rounds", "4,many"])
    assert result.exit_code == 2 and "how many hands each round has" in result.stderr

    monkeypatch.setenv("NOUSU_NETS", str(out))
    words = ["arena", "py:tools.training.nets:alone", "rules", "--pairs", "1", "--json"]
    result = CliRunner().invoke(nousu_app, words)
    assert result.exit_code == 0 and '"pairs": 1' in result.output, result.output
    monkeypatch.setenv("NOUSU_NETS", str(tmp_path / "missing"))
    with pytest.raises(ValueError, match="No such file"):
        nets.alone()
