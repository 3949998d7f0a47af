"""P21 of the log: thousands of changed bytes, each detected, and standings that follow from it alone.

`NOUSU_FLIPS=10000 pytest tests/tournament/test_sealed_log.py` runs the long form.
"""

import os
import random

import pytest

from nousu.tournament.history import tournament
from nousu.tournament.log_file import read, read_up_to
from nousu.tournament.messages import Damaged
from tools.tournament_oracle.comparison import differences
from tools.tournament_oracle.event_generator import generate


@pytest.fixture
def flips() -> int:
    """How many bytes are changed."""
    return int(os.environ.get("NOUSU_FLIPS", "1000"))


def test_every_flipped_bit_of_a_published_event_is_detected_and_laid_to_its_line(flips: int) -> None:
    """Any bit of any byte: reading stops at the line in which it stands, and all before it is as it was."""
    chance = random.Random(21)
    logs = [generate(seed) for seed in (1, 2, 3)]
    whole = [read(data).events for data in logs]
    for turn in range(flips):
        at_log = turn % len(logs)
        data = bytearray(logs[at_log])
        at = chance.randrange(len(data))
        data[at] ^= 1 << chance.randrange(8)
        line = logs[at_log][:at].count(b"\n") + 1
        log, damage = read_up_to(bytes(data))
        assert isinstance(damage, Damaged) and damage.line == line
        assert log.events == whole[at_log][: line - 1]


def test_the_standings_follow_from_the_log_alone(flips: int) -> None:
    """Read twice, by the office and by the plain program, whatever happened: one result."""
    for seed in range(400, 400 + flips // 100):
        data = generate(seed)
        state, again = tournament(read(data).events), tournament(read(data).events)
        assert state.format.standings(state).core() == again.format.standings(again).core()
        assert differences(data) == ()


def test_published_result_is_not_changed_by_one_person(flips: int) -> None:
    """In random events every revision after the first has two persons behind its change, or a Stechen that
    two persons confirmed."""
    seen = 0
    for seed in range(500, 500 + flips // 50):
        events = read(generate(seed)).events
        frozen = False
        for event in events:
            if event["do"] == "seconded":
                first = events[event["entry"] - 1]
                assert frozen and first["by"].casefold() != event["by"].casefold()
                seen += 1
            if frozen and event["do"] == "slip":
                assert event["table"][0] == "S"
            frozen = frozen or event["do"] == "published"
    assert seen
