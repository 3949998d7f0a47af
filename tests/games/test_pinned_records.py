"""Old records never change their result: each of tests/records/*.nousu is replayed and written again."""

from pathlib import Path

import pytest

from nousu.engine.record import read, write
from nousu.games import find

FILES = sorted((Path(__file__).parent.parent / "records").glob("*.nousu"))


def test_pinned_record_replays_to_the_same_text(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(path=path):
            text = path.read_text(encoding="utf-8")
            record = read(text, find)
            kept = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
            assert write(record) == kept
            assert record.match.played, "a pinned record holds at least one finished hand"


def test_preset_with_a_source_has_a_pinned_record() -> None:
    from nousu.games import games

    pinned = {read(path.read_text(encoding="utf-8"), find).preset for path in FILES}
    missing = {
        preset
        for game in games().values()
        for preset in game.presets
        if preset not in game.experimental and preset not in pinned
    }
    assert not missing
