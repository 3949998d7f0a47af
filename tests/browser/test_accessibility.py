"""Equal play: nothing serious for axe in light, dark and four colours; one voice; every card has a name."""

import pytest
from playwright.sync_api import Browser, Page, expect

from accessibility import serious, serious_in_any_look
from nousu.server.pages.site import STATIC
from page_driver import DESK, PHONE, SMALL, Player, Served, lobby, open_table

pytestmark = pytest.mark.browser


def test_axe_finds_nothing_serious_in_any_theme(browser: Browser, served: Served) -> None:
    # axe is put into the page by the test, which the pages' own policy forbids to everybody else
    context = browser.new_context(viewport=PHONE, locale="fi-FI", reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    pages = (
        "/",
        "/new?rules=tuppi%2Btarget=24",
        "/rules/tuppi%2Btarget=24",
        "/rules/tuppen_zk",
        "/rules/huutopussi",
        "/friends",
        "/today",
        "/learn",
        "/learn/tuppi",
        "/learn/huutopussi/4",
        "/learn/tuppi/2?act=play+C10",
        "/problems",
        "/problems/nolo/1?act=answer",
        "/t/none",
        "/new?rules=tuppi%2Btarget=0",
    )
    for path in pages:
        page.goto(served.url + path)
        assert serious_in_any_look(page) == [], path
    table = ""
    for rules, steps in (("tuppi%2Btarget=8", 20), ("huutopussi", 12), ("tuppen_zk", 6)):
        open_table(page, served.url, rules)
        player = Player(page)
        table = page.url if rules.startswith("tuppi") else table
        seen: set[str] = set()
        for _ in range(steps):
            if page.query_selector("#again"):
                break
            player.act()
            phase = page.get_attribute("#table", "data-phase") or ""
            if phase not in seen:
                seen.add(phase)
                assert serious_in_any_look(page) == [], (rules, phase)
    page.goto(table + "/hand/1")
    assert serious_in_any_look(page) == [], "replay"
    lobby(page, served.url)
    assert serious_in_any_look(page) == [], "lobby"
    context.close()


def test_axe_finds_missing_names_and_pale_text(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<main><img src='x.png'><button></button></main>")
    assert {line.partition(":")[0] for line in serious(page)} >= {"image-alt", "button-name"}
    pale = "<title>Pale</title><style>:root[data-four] p { color: #eee }</style><main><p>Pale.</p></main>"
    page.set_content(f"<html lang=en>{pale}")
    assert serious(page) == []
    assert len(serious_in_any_look(page)) == 1
    assert serious(page) == [], "the page is left as it was"
    page.close()


def test_lobby_shows_seat_and_link_without_scrolling(browser: Browser, served: Served) -> None:
    """The link stands with its host, can be copied with and without a clipboard, and a seat is in sight."""
    host = browser.new_page()
    lobby(host, served.url)
    assert host.inner_text("#address") == host.url
    for clipboard in (True, False):
        guest = browser.new_context(viewport=SMALL, locale="de-DE", reduced_motion="reduce")  # type: ignore[arg-type]
        guest.grant_permissions(["clipboard-read", "clipboard-write"])
        if not clipboard:
            guest.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page = guest.new_page()
        page.goto(host.url)
        box = page.locator("#sit").bounding_box()
        assert box is not None and box["y"] + box["height"] <= SMALL["height"]
        page.click("#copy")
        page.wait_for_selector("#notice:not([hidden])")
        assert page.evaluate("getSelection().toString()") in ("", host.url)
        if clipboard:
            assert page.evaluate("navigator.clipboard.readText()") == host.url
        guest.close()
    host.close()


def test_form_shows_the_options_of_another_preset(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/new")
    page.select_option("[name=preset]", "huutopussi")
    page.wait_for_url("**/new?rules=huutopussi")
    assert page.locator("[name='o.exchange_cards']").count() == 1


def test_live_region_is_one_and_cards_have_names(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    player = Player(page)
    for _ in range(4):
        player.act()
    player.play(until="#hand .card[data-act]")  # a partner who plays sooli lays our cards down
    assert page.locator("[aria-live], [role=status], [role=alert]").count() == 1
    names = page.locator("#hand .card").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names and all(" of " in name for name in names)
    assert any("plays" in text or "leads" in text or "shows" in text for text in player.spoken)


def test_illegal_card_says_why(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    card = "#table[data-phase=play] #hand .card[aria-disabled=true]"
    player = Player(page)
    player.play(until=card)
    barred = page.locator(card)
    line = page.inner_text("#why")
    assert "were led" in line
    assert barred.first.get_attribute("aria-describedby") == "why"
    seq = player.seq
    barred.first.click(position={"x": 15, "y": 15}, force=True)
    expect(page.locator("#notice")).to_contain_text("Follow suit")
    assert player.seq == seq


@pytest.mark.parametrize("page", [DESK], indirect=True)
def test_arrows_walk_through_the_hand(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    page.wait_for_selector("#hand .card")
    page.keyboard.press("ArrowRight")
    first = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("ArrowLeft")
    assert first and second and first != second
    assert page.evaluate("document.activeElement.dataset.card") == first


def test_theme_is_switched_and_stored(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.click(".menu > summary")
    page.click("[data-look=theme] [value=dark]")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    page.click(".menu > summary")
    page.click("[data-look=theme] [value=light]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_language_is_switched_with_card_corners(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.click(".menu > summary")
    page.click("[name=lang][value=sv]")
    page.wait_for_selector("html[lang=sv]")
    assert page.locator(".fan .card-rank").first.inner_text() == "E"
    page.click(".menu > summary")
    page.click("[name=lang][value=fi]")
    page.wait_for_selector("html[lang=fi]")
    assert "Istu pöytään." in page.inner_text("h1")


def test_dark_tokens_agree() -> None:
    """The dark tokens stand twice: for the system's wish and for the person's."""
    text = (STATIC / "css/tokens.css").read_text()

    def tokens(opening: str) -> list[str]:
        block = text.partition(opening)[2].partition("}")[0]
        return [" ".join(part.split()) for part in block.split(";") if part.strip().startswith("--")]

    wish, choice = tokens(':root:not([data-theme="light"]) {'), tokens(':root[data-theme="dark"] {')
    assert wish == choice and len(wish) > 20
