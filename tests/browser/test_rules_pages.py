"""The pages that teach are short on a phone, and the worked hand is walked by buttons and arrow keys."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

import states
from nousu.engine.actions import Play
from nousu.server.table.view import SeatView
from page_driver import PHONE, SMALL, Served, expect_fits, somebody, until

pytestmark = pytest.mark.browser
LONGEST = 2500
"""Height in pixels of the part to be read, on a phone 390 pixels wide."""


def test_rules_page_is_short_and_its_hand_steps(page: Page, served: Served) -> None:
    assert PHONE["width"] == 390
    for language in ("de-DE", "en-GB"):  # German is the longest
        page.set_extra_http_headers({"accept-language": language})
        for preset in ("tuppi", "norwegian_catsatcards", "huutopussi", "tuppen_zk"):
            page.goto(f"{served.url}/rules/{preset}")
            box = page.locator("#reading").bounding_box()
            assert box is not None and box["height"] <= LONGEST + 20, (language, preset)  # fonts differ
            expect_fits(page)
    slides = page.locator("#slides")
    at = "element => Math.round(element.scrollLeft / element.clientWidth)"
    assert slides.evaluate(at) == 0
    page.get_by_role("button", name="One step forward").click()
    until(page, "document.getElementById('slides').scrollLeft > 0")
    slides.focus()
    page.keyboard.press("ArrowRight")
    until(page, "(e => Math.round(e.scrollLeft / e.clientWidth) === 2)(document.getElementById('slides'))")
    page.keyboard.press("ArrowLeft")
    until(page, "(e => Math.round(e.scrollLeft / e.clientWidth) === 1)(document.getElementById('slides'))")


def test_clauses_are_folded_until_a_link_leads_to_one(page: Page, served: Served) -> None:
    for preset in ("tuppi", "norwegian_catsatcards", "huutopussi", "tuppen_zk"):
        page.goto(f"{served.url}/rules/{preset}")
        assert page.evaluate("document.documentElement.scrollHeight") <= LONGEST + 800, preset
    page.goto(f"{served.url}/rules/tuppi")
    clause = page.locator("#T-WIK-09")
    expect(clause).to_be_hidden()
    page.locator("a[href='#T-WIK-09']").first.click()
    expect(clause).to_be_in_viewport()
    page.goto(f"{served.url}/rules/tuppi#T-WIK-16")
    expect(page.locator("#T-WIK-16")).to_be_in_viewport()


def test_rules_for_printing_are_two_sheets(page: Page, served: Served) -> None:
    for preset in ("tuppi", "minnesota", "huutopussi", "tuppen_zk"):
        page.goto(f"{served.url}/rules/{preset}")
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2, preset


def test_hint_panel_opens_and_closes_with_escape(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/new?rules=minnesota")
    page.fill("[name=name]", "Sanni")
    page.click("#more-table > summary")
    page.check("[name=learning]")
    page.click("#play")
    page.wait_for_selector("#table[data-turn=yes]")
    page.click("#hint-button")
    advice = page.locator("#advice")
    expect(advice).to_contain_text("A good player would consider:")
    page.keyboard.press("Escape")
    expect(advice).to_be_hidden()
    expect(page.locator("#hint-button")).to_be_focused()


def _may_not_play_all(seen: SeatView) -> bool:
    """The viewer is to play and may not play every card."""
    plays = [action for action in seen.view.legal if isinstance(action, Play)]
    return seen.seat in seen.view.owed and 0 < len(plays) < len(seen.view.cards)


def test_barred_card_links_to_its_clause(browser: Browser, served: Served) -> None:
    for rules, clause in (("tuppi+high_fail_points=6", "T-CAT-33"), ("tuppen_zk+start_points=9", "TU-")):
        sitting, person = states.reach(states.State(rules=rules, when=_may_not_play_all, shy=("leave",)))
        table = states.put(served.database, f"barred {uuid4().hex[:8]}", sitting)
        with somebody(browser, viewport=SMALL) as page:
            page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
            page.goto(f"{served.url}/t/{table}")
            until(page, "document.getElementById('table').dataset.turn === 'yes'")
            seq = page.get_attribute("#table", "data-seq")
            barred = page.locator("#hand .card[aria-disabled=true]").first
            why = page.locator("#notice a")
            for _ in range(100):  # before its script nothing is said, before its line no clause
                barred.click(position={"x": 12, "y": 14}, force=True)
                if why.is_visible() and not (why.get_attribute("href") or "").endswith("#play"):
                    break
                page.wait_for_timeout(100)
            expect(why).to_be_visible()
            result = page.locator("#notice").inner_text()
            assert len(result) > 10 and page.get_attribute("#table", "data-seq") == seq, "nothing was played"
            address = why.get_attribute("href") or ""
            assert address.startswith(f"/rules/{rules}?table={table}#{clause}")
            why.click()
            expect(page.locator(f"#{address.partition('#')[2]}")).to_be_in_viewport()
            expect(page.get_by_text(clause).first).to_be_attached()
            page.get_by_role("link", name="Back to the table").click()
            expect(page.locator("#table")).to_have_attribute("data-seq", seq or "")
