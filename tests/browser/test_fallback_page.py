"""The game of docs/develop/add-a-game.md at a browser table: a file of rules, and nothing for the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from installed_plugin import installed
from page_driver import DESK, PHONE, Player, Served, open_table

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on a machine on which the game is installed."""
    folder = tmp_path_factory.mktemp("outside")
    server = Served(folder, installed(folder / "packages"))
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize(
    ("page", "seats"),
    [(PHONE, 3), pytest.param(DESK, 6, marks=pytest.mark.slow)],
    indirect=["page"],
    ids=["phone, three", "desk, six"],
)
def test_game_without_a_page_is_played_to_the_winner(page: Page, outside: Served, seats: int) -> None:
    # Two points a hand at most: so many hands that everybody is asked once, and no more at a larger table.
    open_table(page, outside.url, f"last_trick%2Btarget={7 if seats == 3 else 3}", seats)
    page.wait_for_selector(".people li")
    assert page.locator(".people li").count() == seats
    assert "plays at random" in page.inner_text(".people")
    player = Player(page)
    player.play()
    assert {"double", "play", "result"} - ({"double"} if seats > 3 else set()) <= player.phases
    assert "the match" in page.inner_text(".result-match")
    assert page.locator(".sheet tbody tr").count() == player.hands + 1
    # The last hand again, trick by trick, and the check of its deals.
    page.click("text=Replay")
    expect(page.locator("#cells a[data-title*=Trick]")).to_have_count(3)
    assert page.locator("#story li h3").count() >= 3
    page.go_back()


def test_rules_page_of_a_game_without_teaching(page: Page, outside: Served) -> None:
    page.goto(f"{outside.url}/rules/last_trick+cards=5")
    page.locator("article details").evaluate_all("(folds) => folds.forEach((fold) => { fold.open = true; })")
    said = page.inner_text("article")
    assert "How many cards everybody gets." in said
    assert "LT-1" in said
    assert "without the text of its rules" in said
