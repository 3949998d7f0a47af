"""An output that cannot be written is named as it was typed, in one sentence; nothing is left beside it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app

RUN = CliRunner(env={"NOUSU_BY": "Ellen"})
COMMANDS = {
    "export": ("tournament", "export", "e.nousu", "--to", "{out}.xlsx"),
    "print": ("tournament", "print", "e.nousu", "plan", "-o", "{out}"),
    "salvage": ("tournament", "salvage", "e.nousu", "--to", "{out}"),
    "new": ("tournament", "new", "{out}", "--name", "T"),
    "pbn": ("export", "m.nousu", "--pbn", "--to", "{out}"),
    "train": ("train", "tuppi", "--hands", "1", "--out", "{out}"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    RUN.invoke(app, ["tournament", "new", "e.nousu", "--name", "T", "-o", "series=1", "-o", "games=1"])
    RUN.invoke(app, ["tournament", "players", "e.nousu", "Uwe", "Inge", "Kai"])
    RUN.invoke(app, ["tournament", "draw", "e.nousu", "--seed", "x"])
    RUN.invoke(app, ["tournament", "plan", "e.nousu"])
    RUN.invoke(app, ["simulate", "minnesota", "--hands", "1", "--seed", "3", "--records", "."])
    next(tmp_path.glob("minnesota-*.nousu")).rename("m.nousu")
    (tmp_path / "file").write_text("a file\n")
    (tmp_path / "folder.xlsx").mkdir()
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("out", ["file/new", "folder", ""])
def test_outputs_that_cannot_be_are_named(command: str, out: str, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    words = [word.format(out=out) for word in COMMANDS[command]]
    result = RUN.invoke(app, words)
    assert result.exit_code in (1, 2) and isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    line = next(line for line in (result.stdout + result.stderr).splitlines() if out in line)
    assert len(line) < 200
    assert sorted(folder.rglob("*")) == before


def test_weights_go_to_the_file_that_was_named(folder: Path) -> None:
    pytest.importorskip("numpy")
    result = RUN.invoke(app, ["train", "tuppi", "--hands", "1", "--out", "weights"])
    assert result.exit_code == 0 and (folder / "weights").is_file() and not (folder / "weights.npz").exists()
