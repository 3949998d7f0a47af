"""The review of a hand in the browser: by keys and taps, at every size; the full answer after the first."""

from itertools import count

import pytest
from playwright.sync_api import Page, expect

import states
from accessibility import serious
from page_driver import DESK, PHONE, SMALL, Served, expect_fits

pytestmark = pytest.mark.browser
TABLES = count(1)


@pytest.fixture(scope="module")
def table(served: Served) -> tuple[str, int]:
    """A review with several choices, and the number of the person who made them."""
    sitting, person = states.reach(states.STATES["whist result, three mistakes"])
    return f"{served.url}/t/{states.put(served.database, f'review {next(TABLES)}', sitting)}/review/1", person


@pytest.fixture
def address(table: tuple[str, int], page: Page) -> str:
    """The address of that review; the page is that person's."""
    found, person = table
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": found}])
    return found


def test_review_steps_through_choices_and_refines(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#refining")).to_have_text("The full answer is here.", timeout=60_000)
    links, panels = page.locator("[data-choice]"), page.locator(".review-choices > section")
    count = links.count()
    assert count >= 3, "somebody who plays at random makes more than one mistake"
    expect(panels.nth(0)).to_be_visible()
    expect(panels.nth(1)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(panels.nth(1)).to_be_visible()
    expect(links.nth(1)).to_be_focused()
    expect(links.nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator(".review-list > ol a")).to_have_count(2)
    expect(links.nth(2)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(links.nth(2)).to_be_focused()  # the fold of what cost less has opened
    page.keyboard.press("ArrowLeft")
    links.nth(count - 1).click()
    expect(panels.nth(count - 1)).to_be_visible()
    expect(panels.nth(0)).to_be_hidden()
    assert page.url.endswith(links.nth(count - 1).get_attribute("href") or "?")
    page.reload()  # the link leads to the same choice, and the full answer is there at once
    expect(panels.nth(count - 1)).to_be_visible()
    expect(page.locator("#refining")).to_be_hidden()
    for size in (PHONE, SMALL, DESK, {"width": 844, "height": 390}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_fits(page)
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
        page.set_viewport_size(PHONE)
        assert serious(page) == [], theme


def test_review_without_script_shows_all_choices(page: Page, address: str) -> None:
    context = page.context.browser.new_context(java_script_enabled=False, locale="en-GB")  # type: ignore[union-attr]
    context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    plain = context.new_page()
    panels = plain.locator(".review-choices > section")
    for _ in range(200):  # a first answer may know of fewer choices
        plain.goto(address)
        if panels.count() >= 2:
            break
        plain.wait_for_timeout(100)
    assert panels.count() >= 2 and all(panel.is_visible() for panel in panels.all())
    context.close()
