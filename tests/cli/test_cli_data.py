"""Data sets: they hold the hands played, read back into arrays, and name damage."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import nousu
from nousu.cli import app

pytest.importorskip("pyarrow", reason="PyArrow is not installed")
from nousu.datasets.hands import HANDS, load
from nousu.engine.cards import card_set
from nousu.env import Walk, history_of, replayed
from nousu.integrations.single_table import observation_row
from nousu.players.worlds import World
from nousu.solver.position import Huutopussi
from nousu.solver.views import goal_of, position_of

RUN = CliRunner()


def made(folder: Path, *words: str) -> Path:
    result = RUN.invoke(app, ["data", "make", *words, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


@pytest.mark.parametrize("rules", ["tuppi", "huutopussi", "tuppen_zk"])
def test_arrays_are_what_the_seats_knew_and_did(rules: str, tmp_path: Path) -> None:
    """Every turn again from the record, by the Python rules."""
    import pyarrow.parquet as pq

    folder = made(tmp_path / "set", rules, "--hands", "3", "--players", "rules,random")
    data = load(folder)
    rows = pq.read_table(folder / HANDS, columns=["match", "record"]).to_pylist()
    whole = {one["match"]: nousu.read(one["record"]).match for one in rows}  # the last record of each
    assert sum(len(match.played) for match in whole.values()) == 3 == len(data.points)
    before = [
        walk
        for match in whole.values()
        for walk in replayed(match.game, match.rules, match.seats, history_of(match))
        if walk.seat >= 0 and len(walk.match.played) < len(match.played)
    ]
    assert len(before) == len(data.action) == len(data.hand)
    walk: Walk
    for at, walk in enumerate(before):
        assert walk.seat == data.seat[at]
        assert sorted(walk.moves) == np.flatnonzero(data.legal[at]).tolist()
        assert (data.observation[at] == observation_row(*walk.observe())).all()
        assert data.legal[at, data.action[at]]
    assert np.unique(data.hand).tolist() == [0, 1, 2]


def test_same_seed_makes_the_same_rows(tmp_path: Path) -> None:
    one, two, other = (
        load(made(tmp_path / name, "tuppi", "--hands", "2", "--seed", seed))
        for name, seed in (("a", "5"), ("b", "5"), ("c", "6"))
    )
    assert (one.observation == two.observation).all() and (one.action == two.action).all()
    assert one.observation.shape != other.observation.shape or (one.observation != other.observation).any()


@pytest.mark.native
def test_solved_hands_say_what_perfect_play_takes(tmp_path: Path) -> None:
    data = load(made(tmp_path / "set", "tuppi+sooli=off", "--hands", "2", "--players", "random", "--solved"))
    assert ((data.par >= 0) & (data.par <= 13)).all()


@pytest.mark.native
def test_solved_hands_of_huutopussi_say_how_far_north_south_come_out_ahead(tmp_path: Path) -> None:
    """Read from the record and solved again for the other side, it is as far behind."""
    import pyarrow.parquet as pq

    folder = made(tmp_path / "set", "huutopussi", "--hands", "2", "--solved")
    for result in pq.read_table(folder / HANDS, columns=["par", "record", "hand"]).to_pylist():
        match = nousu.read(result["record"]).match
        walks = replayed(match.game, match.rules, 4, history_of(match))
        view, match = next(
            (walk.match.hand.view(walk.seat), walk.match)
            for walk in walks
            if len(walk.match.played) == result["hand"] and walk.seat >= 0 and first_lead(walk)
        )
        hands = tuple(card_set(match.hand.view(seat).cards) for seat in range(4))
        goal = goal_of(view)
        assert isinstance(goal, Huutopussi)
        position = position_of(view, World(hands, hands))
        assert nousu.solve(position, replace(goal, side=1)).value == -result["par"]


def first_lead(walk: Walk) -> bool:
    return bool(walk.match.hand.view(walk.seat).phase == "play")


def test_set_is_described_and_damage_is_named(tmp_path: Path) -> None:
    folder = made(tmp_path / "set", "tuppi", "--hands", "2")
    result = RUN.invoke(app, ["data", "check", str(folder)])
    assert result.exit_code == 0 and "2 hands replay" in result.output
    assert "nousu data make" in (folder / "README.md").read_text("utf-8")
    described = json.loads((folder / "croissant.json").read_text("utf-8"))
    assert (
        described["conformsTo"].endswith("croissant/1.0")
        and len(described["distribution"][0]["sha256"]) == 64
    )
    (folder / "README.md").write_text("other words")
    result = RUN.invoke(app, ["data", "check", str(folder)])
    assert result.exit_code == 1 and "README.md is not the file that SHA256SUMS names" in result.output
    again = RUN.invoke(app, ["data", "make", "tuppi", "--hands", "2", "--out", str(folder)])
    assert again.exit_code == 2 and "holds something already" in again.output
    assert RUN.invoke(app, ["data", "check", str(tmp_path)]).exit_code == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nonsense"], "nonsense"),
        (["tuppi", "--players", "nobody"], "there is no player"),
        (["tuppen_zk", "--solved"], "are not solved"),
    ],
)
def test_refused_data_set_leaves_no_files(words: list[str], why: str, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["data", "make", *words, "--out", str(tmp_path / "set")])
    assert result.exit_code == 2 and why in result.output
    assert not (tmp_path / "set").exists()


def test_data_command_without_its_packages_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "nousu.datasets.hands")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = RUN.invoke(app, ["data", "make", "tuppi", "--out", str(tmp_path / "set")])
    assert result.exit_code == 1 and "pip install 'nousu[data]'" in result.output
