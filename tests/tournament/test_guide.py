"""The director's guide is true: every command in it is run, in its order; those marked refused are."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app

GUIDE = Path(__file__).parents[2] / "docs" / "host" / "tournament.md"
_QUOTED = re.compile(r"'[^'`]*'|\"[^\"$`!\\\\]*\"")
_BARE = re.compile(r"[\w./+:=&;-]*")

NAMES = "Name,Verein\nAino,ZK\nEino,ZK\nVäinö,\nÄrnst,TV\nUwe,TV\nKalle,\nIlma,\n"
PAIRS = "Aino & Arvi\nBea & Boris\nCilla & Caj\nEeva & Eero\n"


def _commands() -> list[tuple[str, bool]]:
    """The command lines in their order, and whether each is said to be refused."""
    found: list[tuple[str, bool]] = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("refused"):
                found[-1] = (found[-1][0], True)
            else:
                assert line.startswith("$ nousu "), line
                found.append((line.removeprefix("$ nousu "), False))
    return found


def test_the_commands_mean_the_same_in_every_shell() -> None:
    """bash, zsh, fish and PowerShell: signs that one of them reads for itself stand between quotes."""
    for line, _ in _commands():
        for word in re.split(r"\s+", _QUOTED.sub("", line)):
            assert _BARE.fullmatch(word) and "&" not in word and ";" not in word, f"{line}: {word}"
            assert not word.startswith("="), line


def test_every_command_of_the_guide_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUSU_BY", "Ellen")
    Path("names.csv").write_text(NAMES, "utf-8")
    Path("pairs.txt").write_text(PAIRS, "utf-8")
    commands = _commands()
    assert len(commands) > 50
    for line, refused in commands:
        words = shlex.split(line)
        if words[1] == "plan":
            words += ["--seconds", "0.3"]  # a longer search finds no plan of another kind
        result = CliRunner().invoke(app, words)
        expected = 1 if refused else 0
        assert result.exit_code == expected, f"{words}: {result.output}{result.stderr}"


def test_the_guide_shows_every_command() -> None:
    from nousu.cli.tournament import app as commands

    shown = {line.split()[1] for line, _ in _commands()} | {"stechen", "desk"}
    groups = {group.typer_instance.info.name for group in commands.registered_groups if group.typer_instance}
    known = {
        (one.name or one.callback.__name__)
        for one in commands.registered_commands
        if one.callback and not one.hidden
    }
    assert known | groups == shown


def test_the_checklist_names_tests_and_commands_that_exist() -> None:
    from nousu.cli.tournament import app as commands

    root = GUIDE.parents[2]
    text = (root / "docs" / "host" / "tournament-checklist.md").read_text("utf-8")
    rows = re.findall(r"^- .*\?.*$", re.sub(r"\n  ", " ", text), re.MULTILINE)
    assert len(rows) > 30
    known = {(one.name or one.callback.__name__) for one in commands.registered_commands if one.callback}
    for row in rows:
        answers = re.findall(r"`([^`]+)`", row)
        assert answers, row
        for answer in answers:
            if answer.startswith("nousu tournament"):
                assert answer.split()[2] in known, row
            elif answer.startswith("python -m tools."):
                assert (root / answer.split()[2].replace(".", "/") / "__main__.py").exists(), row
            elif answer.startswith("python -m bench "):
                assert (root / "bench" / f"{answer.split()[3]}.py").exists(), row
            elif answer.startswith("test_"):
                assert [*(root / "tests").rglob(f"{answer}.py")], row
            else:
                assert (root / answer.split()[-1]).exists(), row
