"""The form of a new table, and pages that are not there."""

import pytest
from playwright.sync_api import Page, expect

from nousu.games import games
from page_driver import DESK, PHONE, Served

_FIELDS = ":is(input:not([type=hidden]), select, textarea)"


@pytest.mark.parametrize("page", [PHONE, DESK], indirect=True, ids=["phone", "desk"])
def test_new_table_asks_little_before_play_now(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/new")
    play = page.locator("#play")
    expect(play).to_be_in_viewport()
    fields = page.locator(f"form.new {_FIELDS}").all()
    bottom = play.bounding_box()["y"]  # type: ignore[index]
    above = [one for one in fields if one.is_visible() and one.bounding_box()["y"] < bottom]  # type: ignore[index]
    assert len(above) == 3
    assert page.locator("[name=preset] option").count() <= 5
    assert sum(one.is_visible() for one in fields) == 3, "the rest is folded"


def test_new_table_offers_every_rule_set(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/new")
    page.click("#all-presets > summary")
    expect(page.locator(".presets a")).to_have_count(sum(len(game.presets) for game in games().values()))
    page.get_by_role("link", name="Toepen", exact=True).click()
    page.wait_for_url("**/new?rules=toepen")
    expect(page.locator("[name=preset]")).to_have_value("toepen")


def test_chosen_rules_can_be_read_on_a_telephone(page: Page, served: Served) -> None:
    for rules in ("toepen", "siebenschraem", "huutopussi_erlangen"):
        page.goto(f"{served.url}/new?rules={rules}")
        page.evaluate("for (const group of document.querySelectorAll('details.group')) group.open = true")
        narrow = page.locator(".option select").evaluate_all(
            "(all) => all.filter((one) => one.offsetWidth < 0.9 * one.closest('.option').offsetWidth).length"
        )
        assert narrow == 0, rules
        broken = page.locator(".clauses > span").evaluate_all(
            "(all) => all.filter((one) => one.getClientRects().length > 1).map((one) => one.textContent)"
        )
        assert broken == [], rules


def test_page_that_is_not_there_helps_on(page: Page, served: Served) -> None:
    for path in ("/nothing", "/t/0123456789"):
        answer = page.goto(served.url + path)
        assert answer is not None and answer.status == 404
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is here")
        expect(page.locator(".astray")).to_contain_text("Is the whole link there?")
        for name in ("To the start page", "My tables", "New table", "Learn in ten minutes", "Rules"):
            expect(page.locator(".astray").get_by_role("link", name=name)).to_be_visible()


def test_tap_flashes_in_no_colour_of_the_browser(page: Page, served: Served) -> None:
    for path in ("/", "/new", "/learn", "/settings"):
        page.goto(served.url + path)
        colours = page.locator("a, button, label, summary, input, select").evaluate_all(
            "(all) => [...new Set(all.map((one) => getComputedStyle(one).webkitTapHighlightColor))]"
        )
        assert colours == ["rgba(0, 0, 0, 0)"], path
