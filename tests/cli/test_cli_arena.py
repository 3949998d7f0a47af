"""``nousu arena`` and ``nousu player-check`` as people type them."""

import json
import sys
from pathlib import Path

from typer.testing import CliRunner

from nousu.cli import app

BOT = f"{sys.executable} {Path(__file__).parent.parent.parent / 'docs' / 'examples' / 'bot.py'}"


def run(*words):
    return CliRunner().invoke(app, list(words))


def test_json_has_the_promised_fields():
    done = run("arena", "rules", "random", "--pairs", "3", "--seed", "4", "--workers", "1", "--json")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert shown["low"] <= shown["mean"] <= shown["high"]
    assert shown["pairs"] == 3
    assert set(shown["matches"]) == {"a", "b"}
    assert shown["ms_per_move"]["a"] > 0


def test_text_for_people():
    done = run("arena", "rules", "random", "--pairs", "2", "--workers", "1")
    assert "rules against random: tuppi, 2 pairs, 4 hands" in done.stdout


def test_mistakes_are_named():
    for words, message in [
        (("rules", "nobody"), "'nobody' is no player"),
        (("rules", "random", "--game", "chess"), "'chess' is no preset"),
        (("rules", "random", "--executor", "spark://x"), "write dask://HOST:PORT"),
        (("rules", "random", "--seats", "5"), "tuppi is for 4 players, not 5"),
        (("rules", "random", "--game", "toepen", "--seats", "2"), "toepen is for 3 to 8 players, not 2"),
    ]:
        done = run("arena", *words, "--pairs", "1", "--workers", "1")
        assert done.exit_code == 1
        assert message in done.stderr


def test_player_check():
    assert "is a player: 2 hands of tuppi" in run("player-check", BOT, "--hands", "2").stdout
    wrong = run("player-check", "echo hello")
    assert wrong.exit_code == 1
    assert "is not JSON" in wrong.stderr
