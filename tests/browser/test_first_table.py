"""The first table of somebody new: three tips, each once, that cover no card; hints beside the trick."""

import re
from dataclasses import replace
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import states
from accessibility import look, serious
from page_driver import DESK, PHONE, SMALL, Player, Served, somebody
from table_fixtures import Sitting

_COVERED = """() => {
  const tip = document.querySelector(".tip").getBoundingClientRect();
  const over = (one) => {
    const box = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    const beside = box.left > tip.right - 1 || box.right < tip.left + 1;
    return !beside && box.top < tip.bottom - 1 && box.bottom > tip.top + 1;
  };
  return [...document.querySelectorAll("#hand .card, .trick .card, .bid, .seat .face")].filter(over).length;
}"""


def first_table(page: Page, served: Served, rules: str = "tuppi") -> None:
    """A learning table at which the person is asked for the first time."""
    sitting = Sitting(rules, 1, 3, {"learning": "yes"}, named={states.session(0): "Sanni"})
    sitting.until_asked()
    id = states.put(served.database, uuid4().hex, sitting)
    page.context.add_cookies([{"name": "nousu", "value": states.token(0), "url": served.url}])
    page.goto(f"{served.url}/t/{id}")
    page.wait_for_selector("#hand")


def test_play_now_shows_the_tips_to_somebody_new(browser: Browser, served: Served) -> None:
    with somebody(browser, viewport=PHONE) as page:
        page.goto(served.url)
        page.get_by_role("button", name="Play now").click()
        expect(page.locator(".tip")).to_be_visible()


def test_tips_that_nobody_reads_take_no_room_from_the_tricks(browser: Browser, served: Served) -> None:
    with somebody(browser, viewport=PHONE) as page:
        first_table(page, served)
        Player(page).play(until="#table[data-phase=play] #hand[style='--n:11']")
        expect(page.locator(".tip")).to_have_count(0)
        expect(page.locator("#deck")).to_have_class(re.compile("deck--free"))


_CHAIRS = """
  window.chairs = 0;
  new MutationObserver(() => { window.chairs += document.querySelectorAll(".chair").length; })
    .observe(document, { childList: true, subtree: true });
"""


def test_play_now_shows_no_lobby(browser: Browser, served: Served) -> None:
    with somebody(browser, viewport=PHONE) as page:
        page.add_init_script(_CHAIRS)
        page.goto(served.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector("#hand .card")
        assert page.evaluate("chairs") == 0


@pytest.mark.parametrize(
    "size", [SMALL, {"width": 360, "height": 640}, PHONE, {"width": 844, "height": 390}, DESK]
)
def test_three_tips_cover_no_card_and_never_come_twice(
    browser: Browser, served: Served, size: ViewportSize
) -> None:
    with somebody(browser, viewport=size, bypass_csp=True) as page:
        first_table(page, served)
        for tip in ("is your partner", "seven tricks or more", "a second tap lays it"):
            expect(page.locator(".tip")).to_contain_text(tip)
            expect(page.locator(".tip [role=status]")).to_contain_text(tip)
            assert page.evaluate(_COVERED) == 0, tip
            expect(page.locator(".tip .btn")).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
            if tip != "a second tap lays it":
                page.click(".tip .btn")
        assert serious(page) == []
        card = page.locator("#hand .card[data-act]").first
        card.click(position={"x": 12, "y": 12})
        if size["width"] != 844:  # lying down there is no room for the line while bids are chosen
            expect(page.locator("#why")).to_have_text("Tap again to lay it")
        expect(page.locator("#live")).to_contain_text("Tap again to lay it.")
        page.click(".tip .btn")
        expect(page.locator(".tip")).to_have_count(0)
        page.reload()
        page.wait_for_selector("#hand")
        expect(page.locator(".tip")).to_have_count(0)


@pytest.mark.parametrize("rules", ["huutopussi", "tuppen_zk"])
def test_tips_are_skipped_by_escape(browser: Browser, served: Served, rules: str) -> None:
    with somebody(browser) as page:
        first_table(page, served, rules)
        expect(page.locator(".tip")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".tip")).to_have_count(0)
        table = page.url
        page.reload()
        page.wait_for_selector("#hand")
        expect(page.locator(".tip")).to_have_count(0)
        page.goto(f"{served.url}/settings")
        page.get_by_role("button", name="Show tips again").click()
        expect(page.locator("#tips [role=status]")).to_have_text("The next learning table shows them.")
        page.goto(table)
        expect(page.locator(".tip")).to_be_visible()
        page.goto(f"{served.url}/settings")
        expect(page.locator("#tips")).to_be_hidden()


_OVER_CARDS = """() => {
  const panel = document.getElementById("advice").getBoundingClientRect();
  return [...document.querySelectorAll("#trick .card, #hand .card")].filter((one) => {
    const box = one.getBoundingClientRect();
    const beside = box.left > panel.right || box.right < panel.left;
    return !beside && box.top < panel.bottom - 1 && box.bottom > panel.top;
  }).length;
}"""
_ADVICE = {
    "choice": "ten of hearts",
    "reason": "It leaves the trick to your partner, who holds it already.",
    "asked": ["The ace of hearts would win the trick for now.", "It is as good as the good player’s choice."],
    "known": ["Highest of their suits now: ace of spades, king of clubs.", "Eero has no hearts left."],
    "others": [["play H9", "nine of hearts"]],
}


def test_hint_lies_over_neither_trick_nor_hand(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(replace(states.STATES["play, late"], options={"learning": "yes"}))
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, viewport=PHONE) as page:
        page.route("**/hint?script*", lambda route: route.fulfill(json=_ADVICE))
        look(page, served, at)
        page.click("#hint-button")
        expect(page.locator("#advice")).to_contain_text("ten of hearts")
        for size in (PHONE, {"width": 360, "height": 640}, {"width": 844, "height": 390}, DESK):
            page.set_viewport_size(size)
            assert page.evaluate(_OVER_CARDS) == 0, size


def test_hint_out_of_turn_leads_back_to_the_table(browser: Browser, served: Served) -> None:
    sitting, person = states.reach(replace(states.STATES["play, late"], options={"learning": "yes"}))
    id = states.put(served.database, uuid4().hex, sitting)
    with somebody(browser) as page:
        look(page, served, (id, (person + 1) % 4))
        page.goto(f"{served.url}/t/{id}/hint")
        expect(page.locator("#notice")).to_contain_text("Hints appear when it is your turn.")
        expect(page.locator("#hand .card").first).to_be_visible()
