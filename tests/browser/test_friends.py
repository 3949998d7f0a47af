"""Friends in browsers: a hand played together, a table with kept chairs, a table for every week."""

from playwright.sync_api import Browser, expect

from accessibility import serious
from page_driver import DESK, Served, expect_fits, lobby, somebody


def test_friends_play_again_and_meet_every_week(browser: Browser, served: Served) -> None:
    with somebody(browser) as anna, somebody(browser, viewport=DESK) as bo:
        lobby(anna, served.url)
        bo.goto(anna.url)
        bo.fill("[name=name]", "Bo")
        bo.get_by_role("button", name="Sit down").click()
        anna.get_by_role("button", name="Play now").click()
        for page in (anna, bo):
            page.wait_for_selector("#table[data-phase]:not([data-phase=lobby])")
        anna.goto(f"{served.url}/friends")
        expect(anna.locator(".friend-list")).to_have_count(0)

        anna.click("#new-standing > summary")
        anna.fill("[name=title]", "Tiistai")
        anna.get_by_role("button", name="Make the link").click()
        anna.wait_for_url("**/every/*")
        expect(anna.get_by_role("heading", name="Tiistai")).to_be_visible()
        anna.get_by_role("button", name="I come").click()
        expect(anna.locator(".comers [data-said=come]")).to_contain_text("Sanni")
        assert serious(anna) == []
        bo.goto(anna.url)
        expect(bo.locator(".comers")).to_have_count(0)
        with bo.expect_download() as download:
            bo.get_by_role("link", name="Every week, into my calendar").click()
        assert "RRULE:FREQ=WEEKLY" in download.value.path().read_text(encoding="utf-8")
        anna.goto(f"{served.url}/friends")
        expect(anna.locator(".friends")).to_contain_text("Tiistai")
        expect_fits(anna)
        assert serious(anna) == []
