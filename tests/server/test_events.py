"""What happens at a table comes back from its row as it was."""

import random

import pytest

from nousu.server.table.events import (
    ChanceAdded,
    ComputerJoined,
    Event,
    EventRow,
    PersonJoined,
    PersonLeft,
    PersonReturned,
    ShareOpened,
    from_row,
    to_row,
)
from table_fixtures import Sitting


def test_events_of_a_match_come_back_from_their_rows(subtests: pytest.Subtests) -> None:
    for preset in ["tuppi", "tuppi_catsatcards", "minnesota", "tuppen_zk", "huutopussi"]:
        with subtests.test(preset=preset):
            sitting = Sitting(preset, persons=3, computers=1).played(random.Random(2), 300)
            for event, row in zip(sitting.events, sitting.rows, strict=True):
                assert from_row(row, 4) == event
            assert {row.kind for row in sitting.rows} >= {
                "person",
                "open",
                "computer",
                "start",
                "entry",
                "next",
            }


def test_events_of_coming_and_leaving_come_back_from_their_rows(subtests: pytest.Subtests) -> None:
    for what in [
        PersonLeft(1, "rules"),
        PersonReturned(1),
        ShareOpened(2, "ab" * 16),
        ComputerJoined(3, "Väinö", "club"),
        PersonJoined(0, "Aino", "ef" * 32, "ab" * 32),
        PersonJoined(0, "Aino", "ef" * 32, chance="ab" * 16, own=True),
        ChanceAdded(2, "ab" * 16, True),
    ]:
        with subtests.test(what=what):
            event = Event(7, what, "key-0001", "cd" * 32)
            assert from_row(to_row(event, 4), 4) == event


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (EventRow(1, "entry", 2, "N play H9"), "seat 2 is stored as one of 'N'"),
        (EventRow(1, "entry", 0, "N play H99"), "is not a card"),
        (EventRow(1, "dance", 0, ""), "'dance' is no kind of event"),
    ],
)
def test_row_that_is_no_event_is_named(row: EventRow, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_row(row, 4)
