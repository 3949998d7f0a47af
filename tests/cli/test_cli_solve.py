"""``nousu solve``: rows for good lines, reasons for bad ones."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app

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


def test_rows_for_the_good_lines_and_reasons_for_the_others(deals: Path) -> None:
    told = RUN(app, ["solve", "--leader", "all", str(deals)])
    assert told.exit_code == 1
    assert told.stdout == "2,2,2,2,2\n6,2,2,2,2\n"
    assert "line 3: a deal has four hands" in told.stderr
    assert "line 4: SA is held by N and E" in told.stderr


def test_one_leader_is_one_column(deals: Path) -> None:
    deals.write_text("N:AK... QJ... T9... 87...\n")
    assert RUN(app, ["solve", str(deals)]).stdout == "1,2\n"
    assert RUN(app, ["solve", "--kind", "nolo", "--leader", "E", str(deals)]).stdout == "1,2\n"


def test_json_adds_best_cards_nodes_and_time(deals: Path) -> None:
    deals.write_text("N:A2... K3... Q4... J5...\n")
    told = RUN(app, ["solve", "--kind", "nolo", "--json", str(deals)])
    assert told.exit_code == 0
    row = json.loads(told.stdout)
    assert row["line"] == 1
    north = row["leaders"]["N"]
    assert north["value"] == 1
    assert set(north["best"]) <= {"SA", "S2"}
    assert north["nodes"] > 0
    assert north["ms"] > 0


def test_sooli_is_led_from_the_left_of_the_soloist(deals: Path) -> None:
    deals.write_text("N:2... 3... 5... 4...\n")
    assert RUN(app, ["solve", "--kind", "sooli", "--soloist", "N", str(deals)]).stdout == "1,1\n"
    assert RUN(app, ["solve", "--kind", "sooli", "--soloist", "S", str(deals)]).stdout == "1,0\n"
    told = RUN(app, ["solve", "--kind", "sooli", "--leader", "S", str(deals)])
    assert told.exit_code == 2
    assert "only E and W can lead, not S" in told.stderr


def test_a_record_is_solved_after_the_exchange_of_cards() -> None:
    """HP-440: all 440 points, against any defence (RULES 7.3)."""
    file = RECORDS / "huutopussi_hp_440.nousu"
    told = RUN(app, ["solve", "--kind", "huutopussi", "--leader", "N", str(file)])
    assert told.exit_code == 0
    assert told.stdout.endswith(",440\n")


def test_a_pbn_file_names_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text(f'[Event "x"]\n[Deal "{GOOD}"]\n\n[Event "y"]\n[Deal "{GOOD}"]\n')
    assert RUN(app, ["solve", str(file)]).stdout == "2,2\n5,2\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--leader", "X"], "'X' is no seat"),
        (["--trump", "X"], "'X' is no suit"),
        (["--kind", "sooli", "--trump", "S"], "a sooli has no trump"),
    ],
)
def test_wrong_options_are_explained(deals: Path, options: list[str], reason: str) -> None:
    told = RUN(app, ["solve", *options, str(deals)])
    assert told.exit_code == 2
    assert reason in told.stderr


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    told = RUN(app, ["solve", str(tmp_path / "none.txt")])
    assert told.exit_code == 2
    assert "none.txt" in told.stderr


def test_low_cards_are_no_huutopussi(deals: Path) -> None:
    told = RUN(app, ["solve", "--kind", "huutopussi", str(deals)])
    assert told.exit_code == 1
    deals.write_text("N:2... 7... 8... 9...\n")
    told = RUN(app, ["solve", "--kind", "huutopussi", str(deals)])
    assert "sixes and up" in told.stderr
