"""``nousu play`` through a pipe: line mode, saving and resuming, refusals in a sentence."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.i18n import translator


@pytest.fixture
def run(tmp_path: Path) -> CliRunner:
    """A runner whose matches are kept in a folder of the test."""
    return CliRunner(
        env={"XDG_STATE_HOME": str(tmp_path), "LANG": "en_GB.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}
    )


def test_play_resumes_a_match(run: CliRunner, tmp_path: Path) -> None:
    first = run.invoke(
        app, ["play", "tuppi", "--plain", "--seed", "3", "--name", "Maija"], input="c10\nquit\n"
    )
    assert first.exit_code == 0, first.output
    assert "Maija lays a bid face down: 10 of clubs." in first.stdout
    saved = tmp_path / "nousu" / "tuppi.nousu"
    assert f"The match is saved: {saved}" in first.stdout
    again = run.invoke(app, ["play", "--plain"], input="score\nquit\n")
    assert "Resuming your match; --new starts a new one." in again.stdout
    assert "You take up" not in first.stdout
    assert "Hand 1." in again.stdout and "Our side 0, their side 0." in again.stdout
    assert "The cards are dealt." not in again.stdout.split("Hand 1.")[0]
    text = saved.read_text()
    fresh = run.invoke(app, ["play", "tuppi", "--new", "--seed", "4", "--name", "Maija"], input="")
    assert fresh.exit_code == 0 and saved.read_text() != text


def test_play_leaves_at_the_end_of_input(run: CliRunner) -> None:
    result = run.invoke(
        app, ["play", "tuppen_zk", "--seats", "3", "--player", "random", "--seed", "1"], input=""
    )
    assert result.exit_code == 0 and "The match is saved" in result.stdout


def test_play_of_a_whole_match_through_a_pipe(run: CliRunner, tmp_path: Path) -> None:
    """Every card of the pack is tried again and again: the legal ones are played, the others refused."""
    pack = [rank + suit for suit in "shdc" for rank in "789tjqka"]
    command = ["play", "siebenschraem+start_points=1", "--seats", "2", "--player", "random", "--seed", "2"]
    result = run.invoke(app, [*command, "--ask", "never"], input="\n".join(["keep", "hold", *pack, ""] * 30))
    assert result.exit_code == 0, result.output
    assert "wins the match." in result.stdout and "Its record is kept" in result.stdout
    assert len(list((tmp_path / "nousu" / "finished").glob("siebenschraem+start_points=1-2.nousu"))) == 1
    assert not list((tmp_path / "nousu").glob("*.nousu"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tarot"], "There is no preset ‘tarot’; the presets are"),
        (["tuppi", "--player", "oracle"], "There is no player ‘oracle’; choose one of"),
        (["tuppi", "--seats", "5"], "Tuppi is for 4 players, not 5"),
        (["toepen", "--seats", "2"], "Toepen is for 3 to 8 players, not 2"),
        (["tuppi", "--ask", "often"], "--ask often: it is card, trick or never"),
        (["tuppi", "--lang", "xx"], "--lang xx: the languages are fi, en, sv, nb, de"),
        (["tuppi+target=0"], "Target: 0 (target=0) is not allowed; write a whole number"),
        (["tuppi+target=0", "--lang", "de"], "Ziel: 0 (target=0) ist nicht erlaubt"),
        (["tuppi+targe=0", "--lang", "fi"], "targe"),
    ],
)
def test_play_refuses_bad_arguments_in_a_sentence(run: CliRunner, arguments: list[str], said: str) -> None:
    result = run.invoke(app, ["play", *arguments], input="")
    assert result.exit_code == 2 and result.stdout == ""
    assert said in result.stderr and result.stderr.count("\n") == 1


def test_play_keeps_a_damaged_file(run: CliRunner, tmp_path: Path) -> None:
    saved = tmp_path / "nousu" / "tuppi.nousu"
    saved.parent.mkdir()
    saved.write_text("nousu record 1\ngame tuppi\nrubbish\n")
    result = run.invoke(app, ["play", "tuppi"], input="")
    assert result.exit_code == 1
    assert "is damaged at line 3" in result.stderr and "start over with --new" in result.stderr
    assert saved.read_text().endswith("rubbish\n")


def test_play_reports_a_folder_that_cannot_be_written(run: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "nousu").write_text("a file where the folder should be")
    result = run.invoke(app, ["play", "tuppi"], input="")
    assert result.exit_code == 1 and "the match cannot be saved" in result.stderr


def test_play_in_finnish(run: CliRunner) -> None:
    result = run.invoke(app, ["play", "tuppi", "--lang", "fi", "--seed", "3", "--name", "Maija"], input="")
    assert result.exit_code == 0
    assert translator("fi")("The cards are dealt.") in result.stdout
    assert "The cards are dealt." not in result.stdout
