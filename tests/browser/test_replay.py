"""The replay: a picture of the table at every moment, the same with and without script."""

import re
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

import states
from accessibility import serious
from page_driver import DESK, PHONE, SMALL, Served, expect_fits

pytestmark = pytest.mark.browser
TABLES = count(1)

_PICTURE = """() => ({
  pips: [...document.querySelectorAll(".pip")].map((pip) => pip.dataset.card + pip.dataset.state).join(),
  hidden: [...document.querySelectorAll(".unseen-cards b")].map((one) => one.textContent),
  trick: [...document.querySelectorAll(".heap:not([hidden]) .lying:not([hidden])")].map(
    (one) => one.dataset.card + (one.querySelector(".is-winner") ? "*" : "")),
  words: document.getElementById("words").innerText,
  cells: [...document.querySelectorAll("#cells a")].map(
    (one) => [one.ariaCurrent, "ahead" in one.dataset].join()),
  eyes: document.querySelector(".pick--eyes [aria-current]").dataset.eyes,
  where: document.getElementById("where").innerText,
})"""


@pytest.fixture(scope="module")
def tables(served: Served) -> dict[str, tuple[str, int]]:
    """By state: the address of a replay there, and the number of the person who looks at it."""
    found = {}
    for name in ("whist over", "huutopussi result", "tuppen over"):
        sitting, person = states.reach(states.STATES[name])
        found[name] = (
            f"{served.url}/t/{states.put(served.database, f'replay {name} {next(TABLES)}', sitting)}/hand/1",
            person,
        )
    return found


def _hand(page: Page, tables: dict[str, tuple[str, int]], name: str) -> str:
    """The address of a replay; the page is that of the person who sits there."""
    address, person = tables[name]
    cookie = {"name": "nousu", "value": states.token(person), "url": address}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    return address


@pytest.mark.parametrize("name", ["whist over", "huutopussi result", "tuppen over"])
def test_replay_script_equals_the_server(
    browser: Browser, page: Page, tables: dict[str, tuple[str, int]], name: str
) -> None:
    """At every moment looked at, through everybody's eyes and through those of one seat."""
    address = _hand(page, tables, name)
    plain = browser.new_context(viewport=PHONE, locale="en-GB", java_script_enabled=False)  # type: ignore[arg-type]
    plain.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    other = plain.new_page()
    page.goto(address)
    expect(page.locator("#moment")).to_be_visible()
    first, last = (int(page.get_attribute("#moment", name) or 0) for name in ("min", "max"))
    for at in (first + 5, (first + last) // 2, last):
        for eyes in ("", "1"):
            page.click(f"[data-eyes='{eyes}']:not(#way)")
            page.evaluate("(at) => { moment.value = at; moment.dispatchEvent(new Event('input')) }", at)
            other.goto(address + f"?at={at}" + (f"&eyes={eyes}" if eyes else ""))
            assert page.evaluate(_PICTURE) == other.evaluate(_PICTURE), (at, eyes)
    # Every step is a link of its own, so the hand can be walked through without script.
    other.goto(f"{address}?at={first}")
    other.click("[data-go='1']")
    assert f"at={first + 1}" in other.url
    plain.close()


def test_replay_steps_by_keys_buttons_and_swiping(
    browser: Browser, page: Page, tables: dict[str, tuple[str, int]]
) -> None:
    address = _hand(page, tables, "whist over")
    page.goto(address)
    expect(page.locator("#moment")).to_be_visible()

    def at() -> int:
        return int(page.evaluate("moment.value"))

    expect(page.locator("#where")).to_have_text("Trick 1")
    opened, last = at(), int(page.get_attribute("#moment", "max") or 0)
    assert page.locator(".heap:not([hidden]) .lying:not([hidden])").count() == 1  # the first card lies there
    page.focus("#moment")
    page.keyboard.press("Home")
    first = at()
    assert first < opened
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at() == first + 2
    page.keyboard.press("ArrowLeft")
    assert at() == first + 1
    page.click("[data-go='pile']")
    page.click("[data-go='pile']")
    expect(page.locator("#where")).to_have_text("Trick 1")
    assert page.locator(".heap:not([hidden]) .is-winner").count() == 1
    box = page.locator("#moment").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 20)
    page.mouse.up()
    dragged = at()
    assert dragged > first + (last - first) // 2
    hands = page.locator("#diagram").bounding_box()
    assert hands is not None
    middle = hands["y"] + hands["height"] / 2
    page.mouse.move(hands["x"] + 200, middle)
    page.mouse.down()
    page.mouse.move(hands["x"] + 120, middle)
    page.mouse.up()
    assert at() == dragged + 1
    # The address carries the moment; whoever opens it sees the same, spectators too.
    page.click("[data-eyes='0']")
    assert page.url.endswith(f"?at={dragged + 1}&eyes=0")
    friend = browser.new_page(locale="en-GB")
    friend.goto(page.url)
    assert friend.inner_text("#words") == page.inner_text("#words")
    assert re.search(r"Hand 1", friend.get_attribute("meta[property='og:title']", "content") or "")
    image = friend.get_attribute("meta[property='og:image']", "content") or ""
    assert image.startswith(address.partition("/t/")[0] + "/static/icons/share.jpg")
    assert friend.request.get(image).headers["content-type"] == "image/jpeg"
    friend.close()
    # What if: at a table of one's own, from this moment on, in the seat that was looked through.
    page.evaluate("(at) => { moment.value = at; moment.dispatchEvent(new Event('input')) }", first + 14)
    page.click("#play-on button")
    page.wait_for_selector("#table[data-seq]")
    expect(page.locator(".hand-no")).to_contain_text("what if")


def test_replay_fits_every_screen(page: Page, tables: dict[str, tuple[str, int]]) -> None:
    address = _hand(page, tables, "whist over")
    page.goto(address + "?at=30")
    expect(page.locator("#moment")).to_be_visible()
    for size in (SMALL, PHONE, {"width": 844, "height": 390}, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_fits(page)
        boxes = page.evaluate(
            "[...document.querySelectorAll('.holding')].map((one) => one.getBoundingClientRect().toJSON())"
        )
        for number, one in enumerate(boxes):
            for two in boxes[number + 1 :]:
                apart = one["right"] <= two["left"] + 1 or two["right"] <= one["left"] + 1
                assert apart or one["bottom"] <= two["top"] + 1 or two["bottom"] <= one["top"] + 1, size
        way = page.locator("#way").bounding_box()
        assert way is not None and (size is SMALL or way["y"] + way["height"] <= size["height"]), size
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert serious(page) == []
