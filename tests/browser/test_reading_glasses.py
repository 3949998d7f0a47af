"""Pages for reading glasses: no small text, targets for fingers, one switch for large and calm."""

import pytest
from playwright.sync_api import Browser, Page, expect

from page_driver import DESK, PHONE, SMALL, Served, expect_fits, open_table, somebody

PAGES = (
    *("/", "/new", "/settings", "/learn", "/learn/tuppi", "/problems", "/mine", "/tournaments", "/nothing"),
    *("/learn/tuppi/1", "/learn/tuppi/6", "/learn/huutopussi/5", "/learn/tuppen/4", "/problems/rami/1"),
    *("/rules/tuppi", "/rules/huutopussi", "/rules/tuppen_zk", "/offline", "/mine/mistakes", "/forget"),
    *("/friends", "/today"),
)
_OPEN = "for (const fold of document.querySelectorAll('main details, .coach details')) fold.open = true"
_SMALL_TEXT = """() => {
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [text, element] = [walker.currentNode.data.trim(), walker.currentNode.parentElement];
    const size = parseFloat(getComputedStyle(element).fontSize);
    const sign = element.closest("script, style, noscript, svg, .card, .mark");
    if (!text || sign || !size || size >= 14 || !element.checkVisibility()) continue;
    if (element.getBoundingClientRect().width > 1) found[text] = size;
  }
  return found;
}"""
_SMALL_TARGETS = """() => {
  const wanted = document.querySelectorAll("button, summary, .btn, select, .tick, .door, .pick a");
  return [...wanted]
    .filter((one) => one.checkVisibility() && !one.closest(".bar, .hand, .mark"))
    .map((one) => [one.textContent.trim() || one.className, Math.round(one.getBoundingClientRect().height)])
    .filter(([, height]) => height < 44);
}"""


@pytest.mark.parametrize("page", [PHONE, SMALL, DESK], indirect=True, ids=["phone", "small", "desk"])
def test_text_is_nowhere_under_14_px(page: Page, served: Served, subtests: pytest.Subtests) -> None:
    for path in PAGES:
        with subtests.test(path=path):
            page.goto(served.url + path)
            page.evaluate(_OPEN)
            assert page.evaluate(_SMALL_TEXT) == {}
    for rules in ("tuppi", "huutopussi", "tuppen_zk"):
        with subtests.test(rules=rules):
            open_table(page, served.url, rules)
            expect(page.locator("#hand .card").first).to_be_visible()
            assert page.evaluate(_SMALL_TEXT) == {}


def test_targets_on_a_phone_are_44_px_high(page: Page, served: Served, subtests: pytest.Subtests) -> None:
    for path in PAGES:
        with subtests.test(path=path):
            page.goto(served.url + path)
            page.evaluate(_OPEN)
            assert page.evaluate(_SMALL_TARGETS) == []


def test_large_and_calm_is_one_switch(browser: Browser, served: Served) -> None:
    with somebody(browser, reduced_motion="no-preference") as page:
        open_table(page, served.url, "tuppi")
        name = page.locator(".seat-name").first
        before = name.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        page.goto(f"{served.url}/settings?back=/")
        first = page.locator("[data-settings]").first
        expect(first).to_have_attribute("data-settings", "calm")
        first.get_by_text("On", exact=True).click()
        expect(page.locator("html")).to_have_attribute("data-calm", "on")
        page.click(".settings-done button")
        page.wait_for_url(served.url + "/")
        assert page.locator("body").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 19
        open_table(page, served.url, "tuppi")
        assert name.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 1.2 * before
        card = page.locator("#hand .card").first
        assert card.evaluate("(one) => getComputedStyle(one).transitionDuration") == "0s"
        expect_fits(page)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
