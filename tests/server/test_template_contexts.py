"""What pages were printed by is freed when nobody reads them any more, without a search for circles, which a
busy server seldom makes (P2)."""

import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from jinja2.runtime import Context, Macro
from starlette.testclient import TestClient

from nousu.i18n.reader import Reader
from nousu.server.pages import render_table
from nousu.server.pages.table.live_picture import ViewerClass, Viewings
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting


def _alive() -> int:
    """Names and macros of templates that are in memory."""
    return sum(isinstance(one, Context | Macro) for one in gc.get_objects())


@contextmanager
def nothing_left() -> Iterator[None]:
    """What is done here leaves none behind that only a search for circles would find."""
    gc.collect()
    gc.disable()
    try:
        before = _alive()
        yield
        assert _alive() == before
    finally:
        gc.enable()


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen"])
def test_contexts_of_a_live_page_are_freed_at_its_end(preset: str) -> None:
    sitting = Sitting(preset, persons=4, options={"pace": "0", "window": "0"})
    lobby, rng = sitting.table, random.Random(6)

    def shown(steps: int) -> None:
        viewings = Viewings()
        who = ViewerClass(0, "en", "http://x")
        one, two = viewings.enter(who), viewings.enter(who)
        one.picture(lobby, "p0", 0.0)
        for _ in range(steps):
            sitting.played(rng, 1)
            one.picture(sitting.table, "p0", 0.0)
        viewings.leave(one)
        after = two.picture(sitting.played(rng, 1).table, "p0", 0.0)
        assert after.view.seq == sitting.table.seq, "those who stay are shown what comes"
        viewings.leave(two)

    shown(3)  # macros that are kept for everybody are made
    with nothing_left():
        shown(60)


def test_contexts_of_a_whole_table_are_freed() -> None:
    sitting = Sitting("tuppi").played(random.Random(1), 30)
    seen = view_of(sitting.table, "p0", 0.0, "sv")
    render_table(seen, Reader.of("sv"))
    with nothing_left():
        assert "table" in render_table(seen, Reader.of("sv"))


@pytest.mark.parametrize("path", ["/", "/new", "/learn", "/rules/tuppi", "/settings", "/nowhere"])
def test_contexts_of_a_page_are_freed(browser: TestClient, path: str) -> None:
    browser.get(path)
    with nothing_left():
        assert "<html" in browser.get(path).text
