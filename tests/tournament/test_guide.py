"""The director's guide is true: every command in it is run, in its order; those marked refused are."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app

GUIDE = Path(__file__).parents[2] / "docs" / "tournament.md"
_COMMAND = re.compile(r"^\$ nousu (?P<words>.*?)(?:\s+# (?P<remark>.*))?$")

NAMES = "Name,Verein\nAino,ZK\nEino,ZK\nVäinö,\nÄrnst,TV\nUwe,TV\nKalle,\nIlma,\n"
PAIRS = "Aino & Arvi\nBea & Boris\nCilla & Caj\nEeva & Eero\n"


def _commands() -> list[tuple[list[str], str]]:
    found = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            match = _COMMAND.match(line)
            assert match is not None, line
            found.append((shlex.split(match["words"]), match["remark"] or ""))
    return found


def test_every_command_of_the_guide_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUSU_BY", "Ellen")
    Path("names.csv").write_text(NAMES, "utf-8")
    Path("pairs.txt").write_text(PAIRS, "utf-8")
    commands = _commands()
    assert len(commands) > 50
    for words, remark in commands:
        result = CliRunner().invoke(app, words)
        expected = 1 if remark.startswith("refused") else 0
        assert result.exit_code == expected, f"{words}: {result.output}{result.stderr}"


def test_the_guide_shows_every_command() -> None:
    from nousu.cli.tournament import app as commands

    shown = {words[1] for words, _ in _commands()} | {"stechen"}
    assert {
        (one.name or one.callback.__name__) for one in commands.registered_commands if one.callback
    } == shown
