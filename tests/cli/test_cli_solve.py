"""``nousu solve``: rows for good lines, reasons for bad ones."""

import json
import re
import sys
from pathlib import Path
from random import Random
from signal import SIGINT
from subprocess import PIPE

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.engine.cards import DECK_52
from nousu.engine.pbn import deal_text
from nousu.solver import compiled
from orphan_processes import started

RUN = CliRunner().invoke
RECORDS = Path(__file__).parent.parent / "records"
GOOD = "N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q"


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    file = tmp_path / "deals.txt"
    file.write_text(
        f"# two good lines, two bad ones\n{GOOD}\nN:K652.K73 J8\nN:AK... AQ... JT... 98...\n\n{GOOD}\n"
    )
    return file


def test_solve_prints_rows_for_good_lines_and_reasons_for_bad_ones(deals: Path) -> None:
    result = RUN(app, ["solve", "--leader", "all", str(deals)])
    assert result.exit_code == 1
    assert result.stdout == "2,2,2,2,2\n6,2,2,2,2\n"
    assert "line 3: a deal has four hands" in result.stderr
    assert "line 4: SA is held by N and E" in result.stderr


def test_solve_of_one_leader_has_one_column(deals: Path) -> None:
    deals.write_text("N:AK... QJ... T9... 87...\n")
    assert RUN(app, ["solve", str(deals)]).stdout == "1,2\n"
    assert RUN(app, ["solve", "--kind", "nolo", "--leader", "E", str(deals)]).stdout == "1,2\n"


def test_solve_json_adds_best_cards_nodes_and_time(deals: Path) -> None:
    deals.write_text("N:A2... K3... Q4... J5...\n")
    result = RUN(app, ["solve", "--kind", "nolo", "--json", str(deals)])
    assert result.exit_code == 0
    row = json.loads(result.stdout)
    assert row["line"] == 1
    north = row["leaders"]["N"]
    assert north["value"] == 1
    assert set(north["best"]) <= {"SA", "S2"}
    assert north["nodes"] > 0
    assert north["ms"] > 0


def test_solve_of_a_sooli_leads_left_of_the_soloist(deals: Path) -> None:
    deals.write_text("N:2... 3... 5... 4...\n")
    assert RUN(app, ["solve", "--kind", "sooli", "--soloist", "N", str(deals)]).stdout == "1,1\n"
    assert RUN(app, ["solve", "--kind", "sooli", "--soloist", "S", str(deals)]).stdout == "1,0\n"
    result = RUN(app, ["solve", "--kind", "sooli", "--leader", "S", str(deals)])
    assert result.exit_code == 2
    assert "only E and W can lead, not S" in result.stderr


def test_solve_of_a_record_is_after_the_exchange() -> None:
    """All 440 points, against any defence."""
    file = RECORDS / "huutopussi_hp_440.nousu"
    result = RUN(app, ["solve", "--kind", "huutopussi", "--leader", "N", str(file)])
    assert result.exit_code == 0
    assert result.stdout.endswith(",440\n")


def test_solve_of_a_pbn_file_names_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text(f'[Event "x"]\n[Deal "{GOOD}"]\n\n[Event "y"]\n[Deal "{GOOD}"]\n')
    assert RUN(app, ["solve", str(file)]).stdout == "2,2\n5,2\n"


def test_solve_of_a_pbn_file_skips_a_bad_deal(tmp_path: Path) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text(f'[Deal "N:A.K.Q.J bad"]\n\n[Event "y"]\n[Deal "{GOOD}"]\n')
    result = RUN(app, ["solve", str(file)])
    assert result.exit_code == 1
    assert result.stdout == "4,2\n"
    assert "line 1: a deal has four hands" in result.stderr


@pytest.mark.parametrize("text", [f"{GOOD}\r\n", f'[Deal "{GOOD}"]\r\n'])
def test_solve_ignores_a_byte_order_mark(tmp_path: Path, text: str) -> None:
    """Notepad and spreadsheets write one."""
    file = tmp_path / "deals.txt"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert RUN(app, ["solve", str(file)]).stdout == "1,2\n"


def test_solve_reads_standard_input_for_a_dash() -> None:
    assert RUN(app, ["solve", "-"], input=f"{GOOD}\n").stdout == "1,2\n"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_solve_names_a_file_without_deals(tmp_path: Path, text: str) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(text)
    result = RUN(app, ["solve", str(file)])
    assert result.exit_code == 1
    assert "no deal is written here" in result.stderr


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_solve_on_threads_has_the_same_results(tmp_path: Path, more: list[str]) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{GOOD}\n" * 40)

    def result(threads: str) -> list[dict[str, object] | int]:
        lines = RUN(app, ["solve", "--threads", threads, *more, str(file)]).stdout.splitlines()
        rows = [json.loads(line if more else f"[{line}]") for line in lines]
        return [json.loads(re.sub(r'"ms": [0-9.]+', '"ms": 0', json.dumps(row))) for row in rows]

    assert len(result("1")) == 40
    assert result("3") == result("1")


@pytest.mark.skipif(compiled() is None, reason="no compiled core")
@pytest.mark.native
@pytest.mark.parametrize("more", [[], ["--json"], ["--threads", "2", "--json"]])
def test_solve_ends_at_once_at_an_interrupt(tmp_path: Path, more: list[str]) -> None:
    """Without waiting for the deals in work."""
    dice = Random(1)
    file = tmp_path / "deals.txt"
    lines = [GOOD]
    for _ in range(40):
        pack = dice.sample(DECK_52, 52)
        lines.append(deal_text([pack[13 * seat : 13 * seat + 13] for seat in range(4)]))
    file.write_text("\n".join(lines))
    command = [sys.executable, "-m", "nousu", "solve", "--kind", "nolo", "--leader", "all", *more, str(file)]
    with started(command, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the first deal is told, a long one has been begun
        process.send_signal(SIGINT)
        rest, _ = process.communicate(timeout=60)
        assert process.returncode == 130
        assert len(rest.splitlines()) < 20, "the deals behind were solved all the same"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--soloist", "E"], "no soloist in rami; leave --soloist out"),
        (["--kind", "nolo", "--order", "rotation"], "no soloist in nolo; leave --order out"),
        (["--leader", "X"], "‘X’ is not a seat"),
        (["--trump", "X"], "'X' is no suit"),
        (["--kind", "sooli", "--trump", "S"], "a sooli has no trump"),
    ],
)
def test_solve_explains_wrong_options(deals: Path, options: list[str], reason: str) -> None:
    result = RUN(app, ["solve", *options, str(deals)])
    assert result.exit_code == 2
    assert reason in result.stderr


def test_solve_names_a_missing_file(tmp_path: Path) -> None:
    result = RUN(app, ["solve", str(tmp_path / "none.txt")])
    assert result.exit_code == 2
    assert "none.txt" in result.stderr


def test_solve_refuses_low_cards_in_huutopussi(deals: Path) -> None:
    result = RUN(app, ["solve", "--kind", "huutopussi", str(deals)])
    assert result.exit_code == 1
    deals.write_text("N:2... 7... 8... 9...\n")
    result = RUN(app, ["solve", "--kind", "huutopussi", str(deals)])
    assert "sixes and up" in result.stderr


@pytest.mark.parametrize("command", ["solve", "arena", "review", "data", "problems"])
def test_core_warning_of_commands_that_need_it(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nousu.about.missing_core_warning", lambda: "SLOW: no core")
    assert "nousu: SLOW: no core" in RUN(app, [command, "--help"]).stderr


def test_core_warning_is_absent_from_other_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nousu.about.missing_core_warning", lambda: "SLOW: no core")
    assert "SLOW" not in RUN(app, ["clauses", "--help"]).stderr
