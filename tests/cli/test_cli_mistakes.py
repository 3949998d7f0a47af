"""Mistakes on the command line: one line that begins with ``nousu:``, never a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest


def nousu(*words: str) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, as people run it."""
    program = [sys.executable, "-m", "nousu", *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)


def test_mistake_is_one_line_with_the_name_of_the_program(subtests: pytest.Subtests) -> None:
    for words, reason in [
        (["rulez"], "No such command 'rulez'"),
        (["play", "--nosuch"], "No such option: --nosuch"),
        (["play", "--pace", "x"], "Invalid value for '--pace'"),
        (["equity"], "Missing argument 'preset'"),
        (["equity", "tuppi", "48"], "'48' is no score"),
        (["equity", "tarot"], "the presets are huutopussi, huutopussi_gamerules_literal, "),
        (["play", "tarot"], "the presets are huutopussi, huutopussi_gamerules_literal, "),
        (["train", "tarot"], "there is no preset"),
        (["train", "tuppi", "--out", "/no/such/folder/x"], "there is no folder /no/such/folder"),
        (["arena", "nobody", "rules"], "there is no player"),
        (["arena", "py:os:system", "rules"], "py:os:system is not a player: TypeError"),
        (["arena", "py:sys:exit", "rules"], "py:sys:exit is not a player: SystemExit"),
        (["arena", "py:os", "rules"], "py:os is not a player: write py:MODULE:FUNCTION"),
    ]:
        with subtests.test(words=words, reason=reason):
            done = nousu(*words)
            assert done.returncode in (1, 2) and done.stdout == ""
            (line,) = done.stderr.splitlines()
            assert line.startswith("nousu: ") and reason in line


def test_messages_on_stderr_begin_with_the_name_of_the_program() -> None:
    folder = Path(__file__).parents[2] / "src" / "nousu" / "cli"
    lines = [line for path in folder.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    echoes = [line.strip() for line in lines if "typer.echo(" in line and "err=True" in line]
    assert len(echoes) > 10
    assert [line for line in echoes if '"nousu: ' not in line] == []


def test_command_without_words_prints_its_help() -> None:
    assert "Commands" in nousu().stdout and nousu("--version").returncode == 0
