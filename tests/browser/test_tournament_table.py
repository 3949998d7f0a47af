"""The page of a tournament's table: it leads back to the tournament and has no invitation."""

import pytest
from playwright.sync_api import Page, expect

import states
from page_driver import Served
from table_fixtures import Sitting

pytestmark = pytest.mark.browser
EVENT = {"event": "evening 1.1.1"}


def sit_down(
    page: Page, served: Served, name: str, sitting: Sitting, person: int, event: dict[str, str]
) -> str:
    """The path of a stored table, of a tournament or not, whose page the person opens."""
    sitting.options |= event
    path = f"/t/{states.put(served.database, name, sitting)}"
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(served.url + path)
    return path


@pytest.mark.parametrize("event", [{}, EVENT], ids=["of friends", "of a tournament"])
def test_result_of_a_match_leads_on(page: Page, served: Served, event: dict[str, str]) -> None:
    sitting, person = states.reach(states.STATES["tuppen over"])
    path = sit_down(page, served, f"over {len(event)}", sitting, person, event)
    again = page.locator("#again")
    if event:
        expect(again).to_have_text("Continue in the tournament")
        expect(again).to_have_attribute("href", f"/tournament/evening/from/{path.removeprefix('/t/')}")
    else:
        expect(again).to_contain_text("Rematch")
    expect(page.get_by_text("Rematch")).to_have_count(0 if event else 1)


@pytest.mark.parametrize("event", [{}, EVENT], ids=["of friends", "of a tournament"])
def test_lobby_invites_unless_a_plan_says_who_sits(page: Page, served: Served, event: dict[str, str]) -> None:
    first = {states.session(0): states.NAMES[0]}
    sitting = Sitting("tuppen_zk", 3, 0, {}, bytes(32), first, opening=False)
    path = sit_down(page, served, f"lobby {len(event)}", sitting, 0, event)
    way_back = page.locator(f"a[href='/tournament/evening/from/{path.removeprefix('/t/')}']")
    expect(way_back).to_have_count(len(event))
    expect(page.locator("img.qr")).to_have_count(1 - len(event))
    expect(page.get_by_role("button", name="Play now")).to_have_count(1 - len(event))
