"""``nousu arena`` and ``nousu player-check`` as users type them."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from orphan_processes import ends, started
from watchdog import descendants

BOT = f"{sys.executable} {Path(__file__).parent.parent.parent / 'docs' / 'examples' / 'bot.py'}"


def run(*words):
    return CliRunner().invoke(app, list(words))


def test_arena_json_has_the_promised_fields():
    done = run("arena", "rules", "random", "--pairs", "3", "--seed", "4", "--workers", "1", "--json")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert shown["low"] <= shown["mean"] <= shown["high"]
    assert shown["pairs"] == 3
    assert set(shown["matches"]) == {"a", "b"}
    assert shown["ms_per_move"]["a"] > 0


def test_arena_text():
    done = run("arena", "rules", "random", "--pairs", "2", "--workers", "1")
    assert "rules against random: tuppi, 2 pairs, 4 hands" in done.stdout


def test_arena_refuses_bad_arguments():
    for words, message in [
        (("rules", "nobody"), "there is no player ‘nobody’"),
        (("rules+nobody", "random"), "there is no player ‘nobody’"),
        (("rules", "random", "--game", "chess"), "there is no preset ‘chess’"),
        (("rules", "random", "--executor", "spark://x"), "write dask://HOST:PORT"),
        (("rules", "py:os:getcwd"), "has no choose(view, budget, seed)"),
        (("rules", "random", "--seats", "5"), "tuppi is for 4 players, not 5"),
        (("rules", "random", "--game", "toepen", "--seats", "2"), "toepen is for 3 to 8 players, not 2"),
    ]:
        done = run("arena", *words, "--pairs", "1", "--workers", "1")
        assert done.exit_code == 1
        assert message in done.stderr


def test_arena_of_one_pair_has_no_interval():
    words = ("arena", "rules", "random", "--pairs", "1", "--workers", "1")
    assert "1 pair, 2 hands" in run(*words).stdout
    assert "(one pair has no interval)" in run(*words).stdout
    shown = json.loads(run(*words, "--json").stdout, parse_constant=pytest.fail)
    assert shown["low"] is None and shown["high"] is None


def test_resume_file_that_cannot_be_written_is_named(tmp_path):
    done = run("arena", "rules", "random", "--pairs", "1", "--resume", str(tmp_path / "no" / "file"))
    assert done.exit_code == 1
    assert done.stderr == f"{tmp_path / 'no' / 'file'}: No such file or directory\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_arena_interrupted_resumes_and_leaves_no_worker(tmp_path, how):
    """Ctrl-C ends it at once and says how to go on; after a kill the same command goes on too."""
    file, alone = tmp_path / "pairs.jsonl", tmp_path / "alone.jsonl"
    words = ["arena", "rules", "random", "--game", "minnesota", "--seed", "6", "--json"]
    command = [sys.executable, "-c", "from nousu.cli import main; main()", *words]
    begun = [*command, "--pairs", "20000", "--workers", "2", "--resume", str(file)]
    with started(begun, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not file.exists() or len(file.read_bytes().splitlines()) < 2:
            assert process.poll() is None and time.monotonic() < deadline, "it plays no pair"
            time.sleep(0.02)
        workers = descendants(process.pid)
        process.send_signal(how)
        _, result = process.communicate(timeout=30)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert (
            result == f"interrupted; finished pairs are in {file}, and the same command goes on from them\n"
        )
    assert all(map(ends, workers)), "a worker outlives the arena"
    kept = len(file.read_bytes().splitlines()) - 1
    assert 0 < kept < 20000
    again = json.loads(run(*words, "--pairs", str(kept + 2), "--workers", "1", "--resume", str(file)).stdout)
    whole = json.loads(run(*words, "--pairs", str(kept + 2), "--workers", "1", "--resume", str(alone)).stdout)
    for figure in ("pairs", "hands", "mean", "low", "high", "matches"):
        assert again[figure] == whole[figure]


def test_arena_names_a_worker_that_dies(tmp_path, monkeypatch):
    text = "import os\nclass Quits:\n    def choose(self, *_): os._exit(1)\n"
    (tmp_path / "quitting.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    words = ("arena", "rules", "py:quitting:Quits", "--pairs", "2", "--workers", "2")
    done = run(*words, "--resume", str(tmp_path / "kept"))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"a worker process was killed; finished pairs are in {tmp_path / 'kept'}")


def test_player_check():
    assert "is a player: 1 hand of tuppi" in run("player-check", f"cmd:{BOT}", "--hands", "1").stdout
    assert "is a player: 2 hands of tuppi" in run("player-check", BOT, "--hands", "2").stdout
    wrong = run("player-check", "echo hello")
    assert wrong.exit_code == 1
    assert "is not JSON" in wrong.stderr


@pytest.mark.parametrize("words", [("simulate", "tuppi"), ("play", "tuppi", "--plain", "--new")])
def test_program_that_fails_is_named_by_every_command(words, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    failed = run(*words, "--player", "cmd:echo hello")
    assert failed.exit_code == 1
    assert "echo hello: 'hello' is not JSON" in failed.stderr
