"""The installed app without a network, tables that strangers find, and the system's way to send a link."""

import json
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from page_driver import SMALL, Player, Served, expect_fits, lobby, open_table, somebody, until

pytestmark = pytest.mark.browser

_CLICKED = """async () => {
  const asked = [];
  clients.openWindow = async (address) => asked.push(address);
  const [notification] = await registration.getNotifications();
  let done = null;
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (work) => { done = work; };
  dispatchEvent(event);
  await done;
  return asked;
}"""
"""Somebody clicks on the notice, as far as a script can: where the worker leads them."""


def test_app_has_name_icons_and_an_offline_page(page: Page, served: Served) -> None:
    page.goto(served.url)
    link = page.get_attribute("link[rel=manifest]", "href") or ""
    manifest = page.request.get(urljoin(served.url, link)).json()
    assert manifest["name"] and manifest["display"] == "standalone"
    sizes = set()
    for icon in manifest["icons"]:
        got = page.request.get(urljoin(served.url, icon["src"]))
        assert got.ok and got.headers["content-type"] == icon["type"]
        sizes.add(icon["sizes"])
    assert {"192x192", "512x512"} <= sizes
    assert page.request.get(urljoin(served.url, manifest["start_url"])).ok
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    until(page, "navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto(f"{served.url}/t/some-table")
    expect(page.locator("h1")).to_be_visible()
    assert "network" in page.inner_text("main, body")
    family = "getComputedStyle(document.querySelector('h1')).fontFamily"
    assert page.evaluate(family) != "serif", "the stylesheet is kept, too"
    with page.expect_navigation():  # the page tries again by itself
        page.context.set_offline(False)
    page.goto(served.url)
    expect(page.locator("h1")).to_contain_text("Take a seat")


def test_app_caches_no_table(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    Player(page).act()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = page.evaluate(
        """async () => {
          const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
          const kept = await Promise.all(stores.map((store) => store.keys()));
          return kept.flat().map((request) => new URL(request.url).pathname);
        }"""
    )
    assert kept and all(path == "/offline" or path.startswith("/static/") for path in kept)


def test_notifications_are_switched_on_shown_and_lead_to_the_table(
    whole_browser: Browser, served: Served
) -> None:
    """Notices without a push service: the test passes them to the service worker itself."""
    with somebody(whole_browser, viewport=SMALL) as page:
        page.goto(f"{served.url}/settings")
        setting = page.locator("#notices")
        expect(setting).to_be_visible()
        assert setting.locator("input[value=off]").is_checked(), "off, until somebody asks for it"
        assert page.evaluate("Notification.permission") != "granted"
        setting.locator("label", has_text="On").click()
        expect(setting.locator("[role=status]")).to_contain_text("does not let the page send notices")
        expect(setting.locator("input[value=off]")).to_be_checked()
        expect_fits(page)
        page.context.grant_permissions(["notifications"], origin=served.url)
        line = page.context.new_cdp_session(page)
        found: list[str] = []
        line.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda result: found.extend(one["registrationId"] for one in result["registrations"]),
        )
        line.send("ServiceWorker.enable")
        text = {"title": "It is your turn.", "body": "Tuppi", "lang": "en", "address": "/t/some-table"}
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        for _ in range(800):
            if found:
                break
            page.wait_for_timeout(25)
        line.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": served.url, "registrationId": found[-1], "data": json.dumps(text)},
        )
        shown = "navigator.serviceWorker.ready.then((one) => one.getNotifications())"
        until(page, f"{shown}.then((all) => all.length === 1)")
        notice = page.evaluate(f"{shown}.then(([{{ title, body, tag, data }}]) => [title, body, tag, data])")
        assert notice == ["It is your turn.", "Tuppi", "/t/some-table", "/t/some-table"]
        # A browser opens a window for a finger alone: what the worker asks for is written down instead.
        (worker,) = page.context.service_workers
        assert worker.evaluate(_CLICKED) == ["/t/some-table"]
        until(page, f"{shown}.then((all) => all.length === 0)")


def test_open_table_is_found_by_a_stranger(browser: Browser, served: Served) -> None:
    with somebody(browser) as host, somebody(browser) as stranger:
        host.goto(f"{served.url}/new?rules=minnesota")
        host.fill("[name=name]", "Ingeborg")
        host.select_option("[name=player]", "open")
        host.click("#more-table > summary")
        host.check("[name=public]")
        host.click("#play")
        host.wait_for_selector("#table[data-phase=lobby]")
        found = stranger.locator(f"a[href='{host.url.removeprefix(served.url)}']", has_text="Ingeborg")
        for _ in range(200):  # the table is listed as soon as the line of its host's page is there
            stranger.goto(served.url)
            if found.count():
                break
        found.click()
        assert stranger.url == host.url
        stranger.fill("[name=name]", "Torsten")
        stranger.click("#sit")
        expect(stranger.locator("#table")).to_have_attribute("data-sits", "yes")
        expect(host.locator("#table")).to_contain_text("Torsten")


def test_private_table_is_not_listed(browser: Browser, served: Served) -> None:
    with somebody(browser) as host, somebody(browser) as stranger:
        lobby(host, served.url)
        stranger.goto(served.url)
        assert host.url.removeprefix(served.url) not in stranger.content()


def test_share_sheet_gets_the_link(browser: Browser, served: Served) -> None:
    """Headless browsers have no share sheet; what the page hands to it is noted instead."""
    with somebody(browser) as host:
        host.add_init_script("navigator.share = async (what) => { window.shared = what; }")
        lobby(host, served.url)
        host.locator("#share").click()
        until(host, "window.shared !== undefined")
        assert host.evaluate("window.shared.url") == host.url
        assert host.evaluate("window.shared.text")


def test_handover_link_gives_the_seat_to_a_friend(browser: Browser, served: Served) -> None:
    """The giver of the seat becomes a spectator at once, on the open page."""
    with somebody(browser) as giver, somebody(browser, viewport=SMALL) as friend:
        open_table(giver, served.url, "minnesota")
        giver.wait_for_selector("#hand .card")
        table = giver.url
        other = giver.context.new_page()
        other.set_viewport_size(SMALL)  # type: ignore[arg-type]
        other.goto(table)
        other.locator("form[action$=hand-over] button").evaluate("(button) => button.click()")
        expect(other.locator("#share")).to_be_visible()
        expect_fits(other)
        friend.goto(other.get_attribute("#address", "href") or "")
        friend.fill("[name=name]", "Torsten")
        friend.get_by_role("button", name="Take the seat").click()
        expect(friend.locator("#table")).to_have_attribute("data-sits", "yes")
        expect(giver.locator("#table")).to_have_attribute("data-sits", "no")
        expect(giver.locator("#hand")).to_have_count(0)
        Player(friend).act()
