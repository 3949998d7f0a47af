"""Players that are programs: the examples play, and every mistake is named."""

import shutil
import sys
from pathlib import Path

import pytest

from nousu.players import Budget, named, summoned
from nousu.players.arena import Contest, contend
from nousu.players.external import ExternalPlayer, PlayerFailed, checked

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
BOT = f"{sys.executable} {EXAMPLES / 'bot.py'}"


def check(command, game="tuppi", seats=4, hands=2, seconds=2.0):
    player = ExternalPlayer(command)
    try:
        return checked(player, game, seats, hands, Budget(seconds=seconds))
    finally:
        player.close()


@pytest.mark.parametrize(
    ("game", "seats"), [("tuppi", 4), ("minnesota", 4), ("huutopussi", 4), ("tuppen_zk", 5)]
)
def test_the_python_example_plays(game, seats):
    found = check(BOT, game, seats)
    assert found.hands == 2
    assert found.choices > 8


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_javascript_example_plays():
    assert check(f"node {EXAMPLES / 'bot.js'}").hands == 2


def test_examples_are_thirty_lines():
    for name in ("bot.py", "bot.js"):
        assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 32


def test_a_program_plays_wherever_a_player_does():
    shown = contend(Contest(a="rules", b=f"cmd:{BOT}", pairs=3))
    assert shown.hands == 6


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('hello', flush=True); input()", "is not JSON"),
        ("print('[1]', flush=True); input()", "must be an object like"),
        ("print('{\"id\": 99, \"action\": \"pass\"}', flush=True); input()", "id must repeat"),
        ("print('{\"id\": 1, \"action\": \"play XX\"}', flush=True); input()", "is not legal"),
        ("import sys; sys.stdin.readline(); sys.exit(3)", "exit code 3"),
        ("import sys\nfor l in sys.stdin: print(l, flush=True)", "must be an object like"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path, program, message):
    file = tmp_path / "wrong.py"
    file.write_text(program, encoding="utf-8")
    with pytest.raises(PlayerFailed, match=message):
        check(f"{sys.executable} {file}")


def test_a_silent_program_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("nousu.players.external.PATIENCE", 0.3)
    file = tmp_path / "silent.py"
    file.write_text("import time; time.sleep(30)", encoding="utf-8")
    with pytest.raises(PlayerFailed, match="no answer to question 1 within"):
        check(f"{sys.executable} {file}", seconds=0.1)


def test_a_missing_program_is_named():
    with pytest.raises(PlayerFailed, match="cannot be started"):
        check("./no-such-program")


@pytest.mark.parametrize("name", ["cmd:echo", "py:os:abort", "cmd:", "nobody"])
def test_a_name_from_anywhere_runs_nothing(name):
    """`named` is what a server asks; only nousu's own players answer to it."""
    with pytest.raises(ValueError, match="is no player; the players are"):
        named(name)


def test_a_summoned_stranger_is_named():
    with pytest.raises(ValueError, match=r"'nobody' is no player; .*, or cmd:COMMAND or py:MODULE:FUNCTION"):
        summoned("nobody")
