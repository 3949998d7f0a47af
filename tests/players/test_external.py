"""Players that are programs: the examples play, and every mistake is named."""

import re
import shutil
import sys
from pathlib import Path
from random import Random

import pytest

from nousu.engine.match import Match
from nousu.games import find
from nousu.players import Budget, find_player, load_player
from nousu.players.arena import Contest, play_contest
from nousu.players.external import ExternalPlayer, PlayerFailed, check_program
from orphan_processes import ends

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
BOT = f"{sys.executable} {EXAMPLES / 'bot.py'}"


def check(command, game="tuppi", seats=4, hands=2, seconds=2.0):
    player = ExternalPlayer(command)
    try:
        return check_program(player, game, seats, hands, Budget(seconds=seconds))
    finally:
        player.close()


def test_python_example_plays(subtests: pytest.Subtests):
    for game, seats in [("tuppi", 4), ("minnesota", 4), ("huutopussi", 4), ("tuppen_zk", 5)]:
        with subtests.test(game=game, seats=seats):
            found = check(BOT, game, seats)
            assert found.hands == 2
            assert found.choices > 8


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_example_plays():
    assert check(f"node {EXAMPLES / 'bot.js'}").hands == 2


def test_examples_are_forty_lines():
    for name in ("bot.py", "bot.js"):
        assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 42


@pytest.mark.parametrize(("game", "least"), [("tuppi", 5), ("minnesota", 1), ("huutopussi", 200)])
def test_example_beats_chance_clearly(game, least):
    """Over forty pairs it was 18, 4 and 527 points a hand."""
    assert play_contest(Contest(a=f"cmd:{BOT}", b="random", game=game, pairs=8, seed=3)).mean > least


def test_external_program_plays_wherever_a_player_does():
    shown = play_contest(Contest(a="rules", b=f"cmd:{BOT}", pairs=3))
    assert shown.hands == 6


ANSWER = """import json, sys
for question in map(json.loads, sys.stdin):
    line = json.dumps({"id": question["id"], "action": question["legal"][0]})
    print(line, flush=True)"""


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('hello', flush=True); input()", "is not JSON"),
        ("print('[1]', flush=True); input()", "must be an object like"),
        ("print('{\"id\": 99, \"action\": \"pass\"}', flush=True); input()", "id must repeat"),
        ("print('{\"id\": 1, \"action\": \"play XX\"}', flush=True); input()", "is not legal"),
        ("import sys; sys.stdin.readline(); sys.exit(3)", "exit code 3"),
        ("import os, sys; sys.stdin.readline(); os.kill(os.getpid(), 9)", "signal 9"),
        ("import sys; sys.stdin.readline(); sys.stdout.buffer.write(b'\\xff\\n')", "is not JSON"),
        (ANSWER + "\n    print(line, flush=True)", "question 1 has been answered; print one line for each"),
        (ANSWER + "\n    while True: print(line, flush=True)", "question 1 has been answered"),
        (ANSWER + "\n    break", "it ended (exit code 0) without answering question 2"),
        ("import sys\nfor l in sys.stdin: print(l, flush=True)", "must be an object like"),
        ("print('[' * 100000, flush=True); input()", "is not JSON"),
        ("while True: print('x' * 100000, end='')", "is not JSON"),
        (ANSWER.replace('question["id"]', 'True'), "id must repeat the id of the question, the number 1"),
        ("import os, time; input(); os.close(1); time.sleep(60)", "it closed its output without answering"),
    ],
)  # fmt: skip
def test_faults_of_a_program_are_reported(tmp_path, program, message):
    file = tmp_path / "wrong.py"
    file.write_text(program, encoding="utf-8")
    with pytest.raises(PlayerFailed, match=re.escape(message)):
        check(f"{sys.executable} {file}")


@pytest.mark.parametrize(
    ("grace", "text", "result"),
    [
        (0.3, "sleep 30", "no answer to question 1 within"),
        (2.0, "printf pass; read line; read line", "it printed 'pass' but did not end the line"),
        # what it started holds its output open, so that only its exit code tells
        (2.0, "sleep 60 & read line; exit 3", r"it ended \(exit code 3\)"),
    ],
    ids=["silent", "a line without its end", "others left behind"],
)
def test_program_that_does_not_answer_is_named(tmp_path, monkeypatch, grace, text, result):
    monkeypatch.setattr("nousu.players.external.GRACE", grace)
    file = tmp_path / "program.sh"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PlayerFailed, match=result):
        check(f"sh {file}", seconds=0.1)


def test_slow_program_is_named(tmp_path, monkeypatch):
    file = tmp_path / "slow.py"
    file.write_text(ANSWER, encoding="utf-8")
    times = iter([0.0, 9.9, 10.0, 10.1, 10.1, 10.6, 20.0, 21.2])  # seconds; the first one starts the program
    monkeypatch.setattr("nousu.players.external.perf_counter", lambda: next(times))
    with pytest.raises(PlayerFailed, match="question 4 took 1200 ms; 1000 ms are allowed"):
        check(f"{sys.executable} {file}", seconds=1.0)


def test_program_that_does_not_end_is_ended_with_all_it_has_started(tmp_path):
    file, child = tmp_path / "stubborn.py", tmp_path / "child"
    text = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(child)!r}).write_text(str(child.pid))\n"
        "sys.stdin.readline(); print('?', flush=True); time.sleep(60)"
    )
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PlayerFailed, match="is not JSON"):
        check(f"{sys.executable} {file}")
    assert ends(child.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./no-such-program", "cannot be started: No such file"),
        ("", "^no command is written"),
        ("python 'bot.py", "a quotation mark is missing"),
    ],
)
def test_command_that_cannot_be_started_is_named(command, message):
    with pytest.raises(PlayerFailed, match=message):
        check(command)


def test_program_is_started_anew_after_a_failure(tmp_path):
    """A failure ends the program; a later question, of another match say, finds a fresh one."""
    file = tmp_path / "once.py"
    file.write_text(ANSWER + "\n    break", encoding="utf-8")
    player = ExternalPlayer(f"{sys.executable} {file}")
    view = Match.start(*find("tuppi"), 4).deal(Random(1)).hand.view(1)
    for _ in range(2):
        assert player.choose(view, Budget(), 1).action in view.legal
        with pytest.raises(PlayerFailed, match="exit code 0"):
            player.choose(view, Budget(), 1)


def test_player_that_a_preset_cannot_seat_is_refused():
    with pytest.raises(ValueError, match="toepen is for 3 to 8 players, not 2"):
        check(BOT, "toepen", 2)


def test_player_name_from_outside_runs_nothing(subtests: pytest.Subtests):
    """`find_player` is what a server asks; only nousu's own players answer to it."""
    for name in ["cmd:echo", "py:os:abort", "cmd:", "nobody"]:
        with subtests.test(name=name), pytest.raises(ValueError, match="choose one of"):
            find_player(name)


def test_unknown_player_is_named():
    with pytest.raises(
        ValueError, match=r"there is no player ‘nobody’; .*, or cmd:COMMAND or py:MODULE:FUNCTION"
    ):
        load_player("nobody")
