"""The pages that teach are short on a phone, and the worked hand is walked by buttons and arrow keys."""

import pytest
from playwright.sync_api import Page

from at_the_page import PHONE, Served

pytestmark = pytest.mark.browser
LONGEST = 2500
"""Pixels of reading on a phone 390 pixels wide, before what is looked up."""


def test_a_page_is_short_on_a_phone_and_its_hand_can_be_walked(page: Page, served: Served) -> None:
    assert PHONE["width"] == 390
    for preset in ("tuppi", "norwegian_catsatcards", "huutopussi", "tuppen_zk"):
        page.goto(f"{served.url}/rules/{preset}")
        box = page.locator("#reading").bounding_box()
        assert box is not None and box["y"] + box["height"] <= LONGEST + 100, preset  # the bar and the sky
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    slides = page.locator("#slides")
    at = "element => Math.round(element.scrollLeft / element.clientWidth)"
    assert slides.evaluate(at) == 0
    page.get_by_role("button", name="One step on").click()
    page.wait_for_function("document.getElementById('slides').scrollLeft > 0")
    slides.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(e => Math.round(e.scrollLeft / e.clientWidth) === 2)(document.getElementById('slides'))"
    )
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "(e => Math.round(e.scrollLeft / e.clientWidth) === 1)(document.getElementById('slides'))"
    )
