"""The second, plain computation of seasons agrees with the office, and notices where it should not."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nousu.tournament import season, season_file
from tools.tournament_oracle.__main__ import main
from tools.tournament_oracle.book import lines_of
from tools.tournament_oracle.season_generator import generate_season
from tools.tournament_oracle.seasons import season_differences

LATER = [pytest.param(start, marks=pytest.mark.slow) for start in range(4, 40, 4)]


@pytest.mark.parametrize("start", [0, *LATER])
def test_oracle_and_office_agree_on_random_seasons_of_ten_evenings(start: int) -> None:
    for seed in range(start, start + 4):
        assert season_differences(generate_season(seed)) == (), f"seed {seed}"


def test_random_seasons_hold_every_kind_of_entry() -> None:
    entries = [event for seed in range(40) for event in lines_of(generate_season(seed, 4))]
    assert {event["do"] for event in entries} >= {
        "season", "evening", "continued", "removed", "rule", "joined", "separated", "different", "guests",
    }  # fmt: skip
    assert generate_season(3, 2) == generate_season(3, 2) != generate_season(4, 2)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        (
            "values_of",
            lambda old: lambda rule, evening: tuple(v + Fraction(1, 7) for v in old(rule, evening)),
        ),
        ("_with_dropped", lambda old: lambda row, best: old(row, best + 1 if best else 0)),
        ("_counting", lambda old: lambda row: ()),
        ("_never_there", lambda old: lambda state: set()),
    ],
)
def test_oracle_notices_a_fault_of_the_season(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: object
) -> None:
    season_file._evening_of.cache_clear()
    monkeypatch.setattr(season, name, wrong(getattr(season, name)))  # type: ignore[operator]
    assert any(season_differences(generate_season(seed, 6)) for seed in range(40))
    season_file._evening_of.cache_clear()


def test_oracle_checks_season_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "zk.season").write_bytes(generate_season(1, 2))
    assert main(["check", str(tmp_path / "zk.season")]) == 0
    assert main(["check", "--seasons", "1"]) == 0
    assert "1 random seasons were computed twice." in capsys.readouterr().out


def test_season_digests_depend_on_the_rule() -> None:
    state = season_file.season_state(lines_of(generate_season(2, 3)))
    other = replace(state.season, rule=replace(state.season.rule, best=1, counts="beaten"))
    assert season_file.season_digest(other) != season_file.season_digest(state.season)
