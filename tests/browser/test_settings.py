"""Settings of a device: in one place, at once, kept, and each of them does something at the table."""

import pytest
from playwright.sync_api import Browser, Page, expect

from accessibility import serious
from page_driver import SMALL, Player, Served, expect_fits, open_table, somebody, until

pytestmark = pytest.mark.browser
_HAND = "[...document.querySelectorAll('#hand .card')].map((one) => one.dataset.card)"
_SOUNDS = """
  window.heard = [];
  window.AudioContext = class {
    state = "running"; currentTime = 0; destination = {}; sampleRate = 8000;
    createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
    createBufferSource() { return { connect: (to) => to, start() {} }; }
    createBiquadFilter() {
      const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
      return { Q: {}, frequency, connect: (to) => to };
    }
    createGain() {
      return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
    }
    createOscillator() {
      const frequency = { setValueAtTime: (hertz) => heard.push(hertz), exponentialRampToValueAtTime() {} };
      return { frequency, connect: (to) => to, start() {}, stop() {} };
    }
  };
"""


def test_settings_hold_at_the_table_and_are_stored(page: Page, served: Served) -> None:
    page.add_init_script(_SOUNDS)
    open_table(page, served.url, "norwegian_parlett")
    page.wait_for_selector("#hand .card")
    high = page.evaluate(_HAND)
    page.click(".menu > summary")
    page.click(".menu-links a[href^='/settings']")
    page.wait_for_selector("form.settings")
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    expect_fits(page)
    assert serious(page) == []
    for name, value in (
        ("cards", "large"),
        ("order", "low"),
        ("taps", "one"),
        ("forced", "last"),
        ("motion", "none"),
        ("sound", "on"),
        ("buzz", "off"),
        ("four", "on"),
        ("theme", "dark"),
    ):
        page.click(f"label:has(input[name={name}][value={value}])")
        assert page.evaluate(f"document.documentElement.dataset.{name}") == value
    page.click(".settings-done button")
    page.wait_for_selector("#table[data-seq]")
    page.wait_for_selector("#hand .card")
    root = page.locator("html")
    for name, value in (
        ("cards", "large"),
        ("taps", "one"),
        ("forced", "last"),
        ("theme", "dark"),
        ("sound", "on"),
    ):
        expect(root).to_have_attribute(f"data-{name}", value)
    # The suits lie where they lay, the cards of each the other way round; live pictures keep it so.
    low = page.evaluate(_HAND)
    assert low != high and sorted(low) == sorted(high)
    assert [card[0] for card in low] == [card[0] for card in high]
    assert page.evaluate("getComputedStyle(document.querySelector('#hand .card-rank')).fontSize") >= "28px"
    player = Player(page)
    for _ in range(40):  # the auction, however long it is
        if page.query_selector("#table[data-turn=yes] #hand .card[data-act]"):
            break
        player.act()
    page.wait_for_selector("#table[data-turn=yes] #hand .card[data-act]")
    page.evaluate("document.querySelector('#report textarea').value = 'half a sen'")
    left = page.evaluate(_HAND)
    assert left == [card for card in low if card in left]
    seq = page.get_attribute("#table", "data-seq")
    page.locator("#hand .card[data-act]").first.click(position={"x": 18, "y": 20})
    page.wait_for_selector(f"#table:not([data-seq='{seq}'])", state="attached")
    expect(page.locator("#hand .card")).to_have_count(len(left) - 1)
    until(page, "window.heard.length > 0")
    kept = page.evaluate("document.querySelector('#report textarea').value")
    assert kept == "half a sen", "what is being written to the host outlives new pictures"


def test_settings_without_script(page: Page, served: Served) -> None:
    with page.context.browser.new_context(java_script_enabled=False, locale="en-GB") as context:  # type: ignore[union-attr]
        plain = context.new_page()
        plain.goto(served.url + "/settings?back=/learn/tuppi")
        plain.check("input[name=cards][value=large]", force=True)
        plain.click(".settings-done button")
        assert plain.url.endswith("/learn/tuppi")
        assert plain.get_attribute("html", "data-cards") == "large"
        plain.goto(served.url + "/settings?back=//elsewhere.example")
        assert plain.is_checked("input[name=cards][value=large]")
        assert plain.get_attribute("form.settings input[name=back]", "value") == "/"


@pytest.mark.parametrize(("path", "locale"), [("/settings", "fi-FI"), ("/today", "de-DE")])
def test_long_words_stay_on_the_smallest_telephone(
    browser: Browser, served: Served, path: str, locale: str
) -> None:
    with somebody(browser, viewport=SMALL, locale=locale) as page:
        page.goto(served.url + path)
        assert page.locator(".deck").evaluate("one => one.scrollWidth - one.clientWidth") <= 0
