"""The end of a match: who has won is the largest, the score is the true one, the rematch is in sight."""

import random
import re
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import states
from accessibility import look, serious_in_any_look
from nousu.engine.actions import Play
from nousu.server.table.events import ActionDone
from page_driver import DESK, PHONE, SMALL, Player, Served, expect_fits, somebody
from table_fixtures import Sitting

WINDOWS: tuple[ViewportSize, ...] = (
    SMALL,
    {"width": 360, "height": 640},
    PHONE,
    {"width": 844, "height": 390},
    DESK,
    {"width": 1440, "height": 900},
)
_LARGER = """() => {
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  const most = size(document.querySelector(".result-match"));
  return [...document.querySelectorAll("#table *")].filter((one) => one.getClientRects().length
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && size(one) > most).map((one) => one.textContent);
}"""


@pytest.mark.parametrize("name", ["tuppi over", "whist over", "tuppen over"])
def test_winner_is_largest_and_the_rematch_in_sight(browser: Browser, served: Served, name: str) -> None:
    sitting, person = states.reach(states.STATES[name])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, locale="de-DE", bypass_csp=True) as page:
        look(page, served, at)
        for size in WINDOWS:
            page.set_viewport_size(size)
            expect(page.locator("#again")).to_be_in_viewport(ratio=1)
            assert page.evaluate(_LARGER) == [], size
            expect_fits(page)
        assert serious_in_any_look(page) == []
        if name == "tuppi over":
            score = sitting.match.tally.score()
            assert max(score) > 52
            expect(page.locator(".hill-mark b")).to_have_text(str(max(score)))
            expect(page.locator(".result-match b")).to_contain_text(str(max(score)))
            expect(page.locator("#again small")).to_have_text(re.compile("^dieselben Plätze, .+ gibt$"))
            assert page.locator(".hill-rise").count() >= 2
            expect(page.locator(".hill-pride .face")).to_have_count(2)
            expect(page.locator(".result-decided")).to_contain_text(re.compile(r"^Spiel \d+ entschied: .+\d"))


def before_a_fall() -> tuple[Sitting, int]:
    """A table at which the next card lets the score fall, and the number of the person who plays it."""
    state, rng = states.STATES["tuppi over"], random.Random(0)
    people = {states.session(number): states.NAMES[number] for number in range(4)}
    sitting = Sitting(state.rules, 4, 0, {}, bytes(32), people)
    while True:
        table, events, hands = sitting.table, list(sitting.events), len(sitting.table.finished_hands)
        states.step(sitting, rng, state)
        finished, last = sitting.table.finished_hands, sitting.events[-1].what
        fell = len(finished) > max(hands, 1) and not max(finished[-1].summary.score)
        if fell and isinstance(last, ActionDone) and isinstance(last.action, Play):
            sitting.table, sitting.events = table, events
            return sitting, list(people).index(table.seats.by_seat[last.seat].session)


def test_fall_of_the_score_is_shown_once(browser: Browser, served: Served) -> None:
    sitting, person = before_a_fall()
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser, reduced_motion="no-preference") as page:
        look(page, served, (id, person))
        Player(page).act()
        expect(page.locator("#outcome")).to_be_visible()
        expect(page.locator(".hill[data-topples] .hill-slide s")).to_have_count(1)
        page.reload()
        expect(page.locator("#outcome")).to_be_visible()
        expect(page.locator(".hill-slide s")).to_have_count(1)
        expect(page.locator(".hill[data-topples]")).to_have_count(0)
