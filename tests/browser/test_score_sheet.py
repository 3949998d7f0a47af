"""The score sheet, the rules and what else lies beside the table: every row can be read in every window."""

from uuid import uuid4

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import states
from accessibility import look, serious
from page_driver import DESK, PHONE, SMALL, Served, expect_fits, somebody

WINDOWS: tuple[ViewportSize, ...] = (
    SMALL,
    {"width": 360, "height": 640},
    PHONE,
    {"width": 844, "height": 390},
    {"width": 640, "height": 400},  # 1280×800 at 200 %
    DESK,
)
_CUT = """() => {
  const side = document.getElementById('side');
  side.querySelectorAll('details').forEach((one) => { one.open = true; });
  const wrong = [];
  const say = (what, one) => wrong.push(`${what}: ${one.tagName} "${one.textContent.trim().slice(0, 40)}"`);
  const page = side.getBoundingClientRect();
  const head = side.querySelector('.side-head').getBoundingClientRect();
  const top = head.height ? head.bottom : page.top;
  for (const one of side.querySelectorAll('tr, li, p, label, summary, .btn, h3, td, th')) {
    if (!one.getClientRects().length) continue;
    one.scrollIntoView({ block: 'center' });
    const box = one.getBoundingClientRect();
    if (box.top < top - 1 || box.bottom > page.bottom + 1) say('out of reach', one);
    if (box.right > page.right + 1 || box.left < page.left - 1) say('beside the page', one);
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth) say('cut', one);
  }
  for (const one of side.querySelectorAll(':scope > *, section, details')) {
    const scrolls = getComputedStyle(one).overflowY !== 'visible';
    if (scrolls && one.scrollHeight > one.clientHeight + 1) say('scrolls by itself', one);
  }
  return wrong;
}"""


@pytest.mark.parametrize("name", ["play, late", "trump history", "tuppen over", "bid word"])
def test_every_row_beside_the_table_can_be_read(browser: Browser, served: Served, name: str) -> None:
    sitting, person = states.reach(states.STATES[name])
    at = states.put(served.database, uuid4().hex, sitting), person
    with somebody(browser, locale="de-DE", viewport=WINDOWS[0], bypass_csp=True) as page:
        look(page, served, at)
        page.locator(".hill-tap").first.focus()
        page.keyboard.press("Enter")
        for size in WINDOWS:
            page.set_viewport_size(size)
            expect(page.locator("#side .sheet")).to_be_visible()
            assert page.evaluate(_CUT) == [], size
            expect_fits(page)
        assert serious(page) == []
        page.set_viewport_size(PHONE)
        page.reload()  # whoever loads the page again stays where they were
        expect(page.locator("#side .sheet")).to_be_visible()
        page.click(".side-close")
        expect(page.locator("#side")).to_be_hidden()
