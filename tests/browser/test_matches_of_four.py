"""Four people play whole matches: on a small telephone, by keyboard, with a line that drops, on a second
device. A fifth looks on, each is asked once, and the page stays readable."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from accessibility import out_of_reach, serious_in_any_look
from page_driver import DESK, PHONE, SMALL, Player, Served, expect_fits, somebody
from soaking import report

RULES = (
    "tuppi+target=8",
    "minnesota+target=3",
    "huutopussi+target=50+failed_contract=zero",  # whoever bids and plays at random may never reach more
    "tuppen_zk+start_points=3",
)
_ASKS = """() => document.querySelector(
  "#next, #again, .ask .btn, #hand .card[data-choose], .bid:not([data-picks]), "
  + "#table[data-turn=yes] #hand .card[data-act], #table[data-turn=yes] .acts--table .btn"
) ? document.getElementById("table").dataset.seq : null"""
_STOPWATCH = """() => {
  window.taps = [];
  let tapped = 0;
  addEventListener("click", () => {
    const now = performance.now();
    queueMicrotask(() => setTimeout(() => { if (document.body.hasAttribute("data-waits")) tapped = now; }));
  }, true);
  new MutationObserver(() => {
    if (tapped) window.taps.push(performance.now() - tapped);
    tapped = 0;
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-seq"] });
}"""


_POINTERS = """window.pointers = [];
addEventListener("pointerdown", (event) => window.pointers.push(event.pointerType), true);"""
"""Whether fingers or a mouse pressed on a page, from its start on."""


@contextmanager
def company(browser: Browser, served: Served, rules: str) -> Iterator[tuple[list[Player], Page]]:
    """Four people at a table that one of them opened, and somebody who looks on."""
    looks = (
        {"viewport": PHONE},
        {"viewport": SMALL, "has_touch": True, "is_mobile": True},
        {"viewport": DESK},
        {"viewport": PHONE, "locale": "fi-FI"},
        {"viewport": {"width": 844, "height": 390}},
    )
    with ExitStack() as stack:
        pages = [stack.enter_context(somebody(browser, bypass_csp=True, **look)) for look in looks]
        pages[1].add_init_script(_POINTERS)
        host = pages[0]
        host.goto(f"{served.url}/new?rules={rules.replace('+', '%2B')}")
        host.fill("[name=name]", "Sanni")
        host.select_option("[name=player]", "open")
        if host.query_selector("[name=seats]"):
            host.fill("[name=seats]", "4")
        host.click("#play")
        host.wait_for_selector("#table[data-phase=lobby]")
        for page, name in zip(pages[1:4], ("Bo", "Kerttu", "Onni"), strict=True):
            page.goto(host.url)
            page.fill("[name=name]", name)
            page.click("#sit")
            expect(page.locator("#table")).to_have_attribute("data-sits", "yes")
        pages[4].goto(host.url)
        for page in pages[:4]:
            page.wait_for_selector("#table:not([data-phase=lobby])")
            page.evaluate(_STOPWATCH)
        people = [Player(page, keyboard=at == 2, touch=at == 1) for at, page in enumerate(pages[:4])]
        yield people, pages[4]


def on_another_device(browser: Browser, served: Served, old: Page) -> Page:
    """The table on a new device that came by a code of the old one, which is laid aside."""
    address = old.url
    old.goto(f"{served.url}/mine")
    old.locator("form[action='/mine/device'] button").click()
    code = old.locator("#code").inner_text()
    old.goto("about:blank")
    context = browser.new_context(viewport=PHONE, locale="fi-FI", reduced_motion="reduce", bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{served.url}/device")
    page.fill("[name=code]", code)
    page.locator("form[action='/device'] .btn--main").click()
    page.wait_for_url(f"{served.url}/mine")
    page.goto(address)
    page.wait_for_selector("#table[data-sits=yes]")
    page.evaluate(_STOPWATCH)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_match_of_four_people_with_a_spectator(browser: Browser, served: Served, rules: str) -> None:
    taps: list[float] = []
    with company(browser, served, rules) as (players, watcher):
        answered: set[tuple[int, str]] = set()
        looked: set[tuple[str, int]] = set()
        dropped = moved = False
        ends = time.monotonic() + 900
        while not players[0].page.query_selector("#again"):
            assert time.monotonic() < ends, "the match does not end"
            for at, player in enumerate(players):
                seq = player.page.evaluate(_ASKS)
                if seq is None or player.page.query_selector("#again"):
                    continue
                assert (at, seq) not in answered, "asked twice at one moment"
                answered.add((at, seq))
                phase = player.page.get_attribute("#table", "data-phase") or ""
                if (phase, at) not in looked:
                    looked.add((phase, at))
                    assert serious_in_any_look(player.page) == [], (rules, phase)
                    assert out_of_reach(player.page) == [], (rules, phase, at)
                expect_fits(player.page)
                player.act()
            if not dropped and len(answered) > 12:  # a line drops, and the same page comes back
                dropped, page = True, players[1].page
                address = page.url
                page.goto("about:blank")
                page.goto(address)
                page.wait_for_selector("#table[data-sits=yes]")
            if not moved and len(answered) > 24:  # somebody goes on with another device
                moved, old = True, players[3].page
                taps += old.evaluate("window.taps ?? []")
                players[3] = Player(on_another_device(browser, served, old))
        for player in players:
            expect(player.page.locator("#again")).to_be_visible()
            taps += player.page.evaluate("window.taps ?? []")
        expect(watcher.locator("#again")).to_be_visible()
        assert watcher.query_selector("#hand") is None
        assert dropped and moved
        assert set(players[1].page.evaluate("window.pointers")) == {"touch"}
    taps.sort()
    assert taps
    report(f"{rules}: {len(taps)} taps, p95 {taps[int(len(taps) * 0.95)]:.0f} ms from tap to picture")
