"""The pages that teach are short on a phone, and the worked hand is walked by buttons and arrow keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from at_the_page import PHONE, Served, until

pytestmark = pytest.mark.browser
LONGEST = 2500
"""Pixels of reading on a phone 390 pixels wide, before what is looked up."""


def test_a_page_is_short_on_a_phone_and_its_hand_can_be_walked(page: Page, served: Served) -> None:
    assert PHONE["width"] == 390
    for language in ("de-DE", "en-GB"):  # German is the longest
        page.set_extra_http_headers({"accept-language": language})
        for preset in ("tuppi", "norwegian_catsatcards", "huutopussi", "tuppen_zk"):
            page.goto(f"{served.url}/rules/{preset}")
            box = page.locator("#reading").bounding_box()
            assert box is not None and box["height"] <= LONGEST + 20, (language, preset)  # fonts differ
            assert page.evaluate("document.documentElement.scrollWidth") == 390
    slides = page.locator("#slides")
    at = "element => Math.round(element.scrollLeft / element.clientWidth)"
    assert slides.evaluate(at) == 0
    page.get_by_role("button", name="One step on").click()
    until(page, "document.getElementById('slides').scrollLeft > 0")
    slides.focus()
    page.keyboard.press("ArrowRight")
    until(page, "(e => Math.round(e.scrollLeft / e.clientWidth) === 2)(document.getElementById('slides'))")
    page.keyboard.press("ArrowLeft")
    until(page, "(e => Math.round(e.scrollLeft / e.clientWidth) === 1)(document.getElementById('slides'))")


def test_the_rules_for_the_table_are_two_sheets(page: Page, served: Served) -> None:
    for preset in ("tuppi", "minnesota", "huutopussi", "tuppen_zk"):
        page.goto(f"{served.url}/rules/{preset}")
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2, preset


def test_a_lesson_is_done_by_keyboard_and_remembered(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/learn/tuppi/2")
    page.get_by_role("button", name="10 of clubs").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("the king stays highest").wait_for()
    page.get_by_role("button", name="ace of clubs").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("The ace beats the king").wait_for()
    until(page, "document.activeElement?.id === 'next'")
    page.goto(f"{served.url}/learn/tuppi")
    assert page.locator("[data-lesson=follow] .done").is_visible()
    assert not page.locator("[data-lesson=rami] .done").is_visible()
    assert page.locator("#begin").get_attribute("href") == "/learn/tuppi/1"


def test_a_hint_is_shown_at_a_learning_table_and_goes_with_escape(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/new?rules=minnesota")
    page.fill("[name=name]", "Sanni")
    page.check("[name=learning]")
    page.click("#play")
    page.wait_for_selector("#table[data-turn=yes]")
    page.click("#hint-button")
    advice = page.locator("#advice")
    expect(advice).to_contain_text("A good player would consider:")
    page.keyboard.press("Escape")
    expect(advice).to_be_hidden()
    expect(page.locator("#hint-button")).to_be_focused()
