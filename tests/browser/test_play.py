"""Whole matches in the browser, on a phone, on a desk, and by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from accessibility import TOUCHED
from page_driver import DESK, PHONE, SMALL, Player, Served, expect_fits, open_table

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("page", "target"),
    [(PHONE, 16), pytest.param(DESK, None, marks=pytest.mark.slow)],
    indirect=["page"],
    ids=["phone, a short match", "desk"],
)
def test_tuppi_from_the_start_page_to_the_winner(page: Page, served: Served, target: int | None) -> None:
    page.goto(served.url)
    page.fill("[name=name]", "Sanni")
    if target is not None:  # what the form with all options would send
        page.locator("form:has(#play)").evaluate(
            """(form, target) => {
                for (const [name, value] of [["shown", "tuppi"], ["o.target", target]]) {
                    const field = document.createElement("input");
                    form.append(Object.assign(field, { type: "hidden", name, value }));
                }
            }""",
            target,
        )
    page.click("#play")
    player = Player(page)
    player.play()
    assert {"bid", "play"} <= player.phases
    assert ("result" in player.phases) == (player.hands > 0)  # the first hand may win a short match
    assert page.locator(".result-match").inner_text()
    assert page.locator(".sheet tbody tr").count() == player.hands + 1


@pytest.mark.parametrize(
    ("rules", "until", "phases"),
    [
        ("tuppi%2Bsooli=off", "#next", {"bid", "play"}),
        ("huutopussi", "#next", {"auction", "play"}),
        pytest.param("tuppen_zk", "#next", {"pictures"}, marks=pytest.mark.slow),
    ],
)
def test_hand_by_keyboard_alone(page: Page, served: Served, rules: str, until: str, phases: set[str]) -> None:
    open_table(page, served.url, rules)
    player = Player(page, keyboard=True)
    player.play(until=until)
    assert phases <= player.phases
    assert any("Your turn" in text or "Your lead" in text for text in player.spoken) or rules == "tuppen_zk"


@pytest.mark.parametrize(
    ("rules", "seats", "phases"),
    [
        pytest.param(
            "tuppi_tournament%2Bmax_hands=2%2Bextension=off%2Blimit_tiebreak=[draw]",
            None,
            {"bid", "play"},
            marks=pytest.mark.slow,
        ),
        ("minnesota%2Btarget=3", None, {"bid", "play"}),
        pytest.param("norwegian_catsatcards%2Btarget=2", None, {"bid", "play"}, marks=pytest.mark.slow),
        pytest.param("norwegian_parlett%2Btarget=12", None, {"play"}, marks=pytest.mark.slow),
        ("huutopussi%2Btarget=150", None, {"auction", "play"}),
        ("tuppen_zk%2Bstart_points=2", 3, {"pictures", "play"}),
    ],
)
def test_match_of_every_family_to_the_winner(
    page: Page, served: Served, rules: str, seats: int | None, phases: set[str]
) -> None:
    open_table(page, served.url, rules, seats)
    player = Player(page)
    player.play()
    assert phases <= player.phases


@pytest.mark.parametrize("page", [SMALL, PHONE], indirect=True, ids=["320", "390"])
def test_cards_can_be_touched_without_scrolling_sideways(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    player = Player(page)
    for _ in range(16):
        player.act()
        height = page.viewport_size["height"]  # type: ignore[index]
        expect_fits(page)
        if page.query_selector("#hand .card"):
            assert page.evaluate("document.documentElement.scrollHeight") <= height
        strips = page.locator("#hand .card[data-act]").evaluate_all(f"(cards) => cards.map({TOUCHED})")
        assert all(wide >= 43 and high >= 44 for wide, high in strips), strips


def test_card_dragged_up_is_played(page: Page, served: Served) -> None:
    open_table(page, served.url, "tuppi")
    playable = "#table[data-phase=play][data-turn=yes] #hand .card[data-act]"
    Player(page).play(until=playable)
    card = page.locator(playable)
    name = card.first.get_attribute("data-card")
    box = card.first.bounding_box()
    assert box is not None
    for up, gone in ((30, False), (160, True)):
        page.mouse.move(box["x"] + 15, box["y"] + 15)
        page.mouse.down()
        page.mouse.move(box["x"] + 20, box["y"] + 15 - up, steps=4)
        page.mouse.up()
        if gone:
            expect(page.locator(f"#card-{name}")).to_have_count(0)
        else:
            page.wait_for_timeout(400)
            assert page.locator(f"#card-{name}").count() == 1


@pytest.mark.parametrize("letters", ["en", "sv", "de"])
def test_typed_court_cards_in_any_language(page: Page, served: Served, letters: str) -> None:
    open_table(page, served.url, "huutopussi")
    player = Player(page)
    player.play(until="#hand .card[data-choose]")
    signs = {"en": {}, "sv": {"A": "e", "Q": "d", "J": "kn"}, "de": {"Q": "d", "J": "b"}}[letters]
    for card in page.locator("#hand .card[data-choose]").all():
        name = card.get_attribute("data-card") or ""
        for key in name[0].lower() + signs.get(name[1:], name[1:].lower()):
            page.keyboard.press(key)
        assert page.locator(f"#card-{name}").get_attribute("aria-pressed") == "true", name
