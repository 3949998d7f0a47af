"""A second, plain computation of whole events says the same as the office; and it would notice if it did not.

`nousu tournament check --random 5000` runs the long form.
"""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.tournament.formats import ranking, tuppen_ranking
from nousu.tournament.formats.drive import Drive
from nousu.tournament.formats.tuppi import TuppiPairs
from nousu.tournament.log_file import GENESIS, read, seal
from nousu.tournament.model import Tournament
from tools.tournament_oracle import replay
from tools.tournament_oracle.comparison import differences
from tools.tournament_oracle.event_generator import generate

LATER = [pytest.param(start, marks=pytest.mark.slow) for start in range(75, 300, 25)]


@pytest.mark.parametrize("start", [0, 25, 50, *LATER])
def test_random_events_are_computed_alike(start: int) -> None:
    for seed in range(start, start + 25):
        assert differences(generate(seed)) == (), f"nousu tournament generate FILE --seed {seed}"


def test_random_events_have_everything_in_them() -> None:
    """Arrivals, withdrawals, rulings, corrections, Stechen, revisions: none of it is left out by chance."""
    events = [event for seed in range(25) for event in replay.lines_of(generate(seed))]
    kinds = {event["do"] for event in events}
    assert kinds >= {
        "entered", "drawn", "numbered", "planned", "swapped", "options", "printed", "slip", "confirmed",
        "accepted", "corrected", "forfeited", "late", "penalty", "withdrawn", "published", "seconded",
        "undone", "renamed", "arrived", "online", "seated",
    }  # fmt: skip
    assert any(event["do"] == "planned" and "S1" in event["rounds"] for event in events)
    assert any(event["do"] == "planned" and "C2" in event["rounds"] for event in events)
    assert generate(7) == generate(7) != generate(8)


EVENTS = {(seed, ""): b"" for seed in range(40)} | {(300, "tuppi"): b"", (308, "tuppi"): b""}


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
        (Drive, "_sat_out", lambda old: lambda self, made: old(self, made) + 1),
        (TuppiPairs, "_left_unplayed", lambda old: lambda self, state, at: []),
        (Tournament, "gone", lambda old: lambda self, number, label="", game=1: False),
        (ranking, "_names", None),
    ],
)
def test_a_fault_of_the_office_would_be_noticed(
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


def test_a_published_fingerprint_that_is_not_the_logs_is_noticed() -> None:
    data = next(data for data in EVENTS.values() if b'"do":"published"' in data)
    events = [dict(event) for event in read(data).events]
    for event in events:
        if event["do"] == "published":
            event["digest"] = "0" * 64
    lines, head = [], GENESIS
    for event in events:
        line, head = seal(head, event)
        lines.append(line)
    assert any("revision 1 is something else" in one for one in differences(b"".join(lines)))


def test_the_commands_generate_and_check(tmp_path: Path) -> None:
    runner, path = CliRunner(), str(tmp_path / "event")
    result = runner.invoke(app, ["tournament", "generate", path, "--seed", "3", "--format", "tuppen"])
    assert result.exit_code == 0 and Path(path).read_bytes() == generate(3, "tuppen")
    result = runner.invoke(app, ["tournament", "check", path])
    assert result.exit_code == 0 and "Both computations agree." in result.stdout
    result = runner.invoke(app, ["tournament", "check", "--random", "2", "--json"])
    assert json.loads(result.stdout)["differences"] == []
    assert runner.invoke(app, ["tournament", "check"]).exit_code == 1
    assert runner.invoke(app, ["tournament", "generate", path]).exit_code == 1
    assert runner.invoke(app, ["tournament", "generate", path + "2", "--format", "skat"]).exit_code == 1
