"""Pictures are made once for all who see the same, and what is sent of them makes the whole picture."""

import random
import re

import pytest

from live_page import LivePage
from nousu.server.pages import render_table, spoken
from nousu.server.pages.parts import Kept, Read
from nousu.server.viewing import Shown, Viewings, Who
from nousu.words import translator
from seated import Sitting

SAY = translator("fi")
_KEY = re.compile(r'(name="key" value=")[0-9a-f]+')


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen"])
def test_what_is_sent_makes_the_picture_that_would_be_printed_anew(preset: str) -> None:
    """Pages that see every change, and pages that miss some, all hold the whole present picture."""
    sitting = Sitting(preset, persons=4, options={"pace": "0", "window": "0"})
    rng, pages = random.Random(5), {}
    for session in ("p0", "p1", None):
        for misses in (0.0, 0.6):
            pages[session, misses] = LivePage()
    last: dict[tuple[str | None, float], Shown] = {}
    viewings = Viewings()
    classes = {}
    sent = whole = 0
    for _ in range(220):
        sitting.played(rng, 1)
        table = sitting.table
        for (session, misses), page in pages.items():
            if rng.random() < misses:
                continue
            who = Who(table.seat_of(session), "fi", "http://x")
            viewing = classes.setdefault(who, viewings.enter(who))
            shown, before = viewing.shown(table, session, 0.0), last.get((session, misses))
            text = shown.message(before, None)
            message = page.heard(text)
            last[session, misses] = shown
            seen = table.seen(session, 0.0, "fi")
            printed = render_table(seen, SAY, "fi", "http://x")
            assert _KEY.sub("", message["html"]) == _KEY.sub("", printed)
            if before is not None and before.seen.seq != seen.seq:
                assert message["say"] == spoken(before.seen, seen, SAY)
            sent += sum(map(len, filter(None, message["parts"])))
            whole += len(printed)
    assert sent < whole * 0.7, "what hardly changes is hardly sent"


def test_a_picture_is_made_once_a_class() -> None:
    sitting = Sitting("tuppi").played(random.Random(1), 30)
    viewings = Viewings()
    who = Who(None, "en", "http://x")
    one, two = viewings.enter(who), viewings.enter(who)
    assert one is two
    first = one.shown(sitting.table, None, 0.0)
    assert two.shown(sitting.table, None, 0.0) is first
    assert first.message(None, None) is not None
    assert viewings.enter(who._replace(lang="fi")) is not one
    viewings.leave(one)
    assert len(viewings) == 2
    viewings.leave(one)
    assert len(viewings) == 1, "a class nobody is in keeps no picture"


def test_a_part_is_printed_anew_when_anything_it_read_has_changed() -> None:
    class Model:
        def __init__(self, **values: object) -> None:
            self.__dict__ |= values

    kept, drawn = Kept(), []

    def part(model: Model) -> str:
        read = Read(model, kept)

        def draw() -> str:
            drawn.append(read.a)
            return f"{read.a} {read.b if read.a else ''}"

        return read.part("one", draw)  # type: ignore[arg-type,return-value]

    assert part(Model(a=0, b=1)) == "0 "
    assert part(Model(a=0, b=2)) == "0 ", "b was not read"
    assert part(Model(a=1, b=2)) == "1 2"
    assert part(Model(a=1, b=3)) == "1 3"
    assert part(Model(a=1, b=3)) == "1 3"
    assert drawn == [0, 1, 1]
