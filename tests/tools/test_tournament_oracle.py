"""The second, plain computation of whole events agrees with the office, and notices where it should not.

`python -m tools.tournament_oracle check --random 5000` runs the long form.
"""

from pathlib import Path

import pytest

from nousu.tournament.formats import drive_ranking, ranking, tuppen_ranking, tuppi_ranking
from nousu.tournament.log_file import read, seal_all
from nousu.tournament.model import Tournament
from tools.tournament_oracle.__main__ import main
from tools.tournament_oracle.book import lines_of
from tools.tournament_oracle.comparison import differences
from tools.tournament_oracle.event_generator import generate

LATER = [pytest.param(start, marks=pytest.mark.slow) for start in range(75, 300, 25)]


@pytest.mark.parametrize("start", [0, 25, 50, *LATER])
def test_oracle_and_office_agree_on_random_events(start: int) -> None:
    for seed in range(start, start + 25):
        assert differences(generate(seed)) == (), f"seed {seed}"


def test_random_events_hold_every_kind_of_event() -> None:
    """Arrivals, withdrawals, rulings, corrections, Stechen, revisions: none of it is left out by chance."""
    events = [event for seed in range(25) for event in lines_of(generate(seed))]
    kinds = {event["do"] for event in events}
    assert kinds >= {
        "entered", "drawn", "numbered", "planned", "swapped", "options", "printed", "slip", "confirmed",
        "accepted", "corrected", "forfeited", "late", "penalty", "withdrawn", "published", "seconded",
        "undone", "renamed", "arrived", "online", "seated",
    }  # fmt: skip
    assert any(event["do"] == "planned" and "S1" in event["rounds"] for event in events)
    assert any(event["do"] == "planned" and "C2" in event["rounds"] for event in events)
    assert generate(7) == generate(7) != generate(8)


EVENTS = {(seed, ""): b"" for seed in range(40)} | {(306, "tuppi"): b"", (311, "tuppi"): b""}


@pytest.fixture(scope="module", autouse=True)
def _events() -> None:
    for seed in EVENTS:
        EVENTS[seed] = generate(*seed)


@pytest.mark.parametrize(
    ("target", "name", "wrong"),
    [
        (
            tuppen_ranking,
            "totals",
            lambda old: lambda state: {n: p + (n == 1) for n, p in old(state).items()},
        ),
        (drive_ranking, "bye_points", lambda old: lambda options, made: old(options, made) + 1),
        (tuppi_ranking, "left_unplayed", lambda old: lambda options, state, at: []),
        (Tournament, "has_withdrawn", lambda old: lambda self, number, label="", game=1: False),
        (ranking, "_names", None),
    ],
)
def test_oracle_notices_a_fault_of_the_office(
    monkeypatch: pytest.MonkeyPatch, target: object, name: str, wrong: object
) -> None:
    """Planted faults: each makes the computations differ (a changed word does not)."""
    old = getattr(target, name)
    change = wrong(old) if callable(wrong) else (lambda *rest: "")
    monkeypatch.setattr(target, name, change)
    noticed = False
    for data in EVENTS.values():
        try:
            noticed = differences(data) != ()
        except Exception:
            noticed = True
        if noticed:
            break
    assert noticed == callable(wrong)


def test_oracle_notices_a_published_digest_that_the_log_does_not_give() -> None:
    data = next(data for data in EVENTS.values() if b'"do":"published"' in data)
    events = [dict(event) for event in read(data).events]
    for event in events:
        if event["do"] == "published":
            event["digest"] = "0" * 64
    assert any("revision 1 is something else" in one for one in differences(seal_all(events)))


def test_oracle_commands_generate_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "event")
    assert main(["generate", path, "--seed", "3", "--format", "tuppen"]) == 0
    assert Path(path).read_bytes() == generate(3, "tuppen")
    assert main(["check", path]) == 0 and "Both computations agree." in capsys.readouterr().out
    assert main(["check", "--random", "2"]) == 0
    assert "2 random events were computed twice." in capsys.readouterr().out
    assert main(["generate", path]) == 1 and "already exists" in capsys.readouterr().err
    for wrong in (["check"], ["generate", path + "2", "--format", "skat"]):
        with pytest.raises(SystemExit):
            main(wrong)


def test_oracle_check_lists_differences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.tournament_oracle.__main__.differences", lambda data: ("ranks: 1 against 2",))
    assert main(["check", "--random", "1"]) == 1
    assert "event 1: ranks: 1 against 2\n" in capsys.readouterr().out
