"""The first minutes of somebody new: the first table teaches, the problem of the day, a lesson."""

from playwright.sync_api import Page, expect

from page_driver import Served


def test_first_table_of_somebody_new_is_a_learning_table(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.click("#play")
    page.wait_for_selector("#table[data-seq]")
    expect(page.locator("#hint-button")).to_be_visible()
    page.goto(served.url)
    page.click("#play")
    page.wait_for_selector("#table[data-seq]")
    expect(page.locator("#hint-button")).to_have_count(0)


def test_daily_problem_is_answered_once_and_shared(page: Page, served: Served) -> None:
    page.goto(served.url)
    page.get_by_role("link", name="Problem of the day").click()
    page.wait_for_url("**/today")
    page.wait_for_selector("#table[data-turn=yes]")
    card = page.locator("#hand .card[data-act]").first
    if card.count():
        card.click(position={"x": 12, "y": 12})
        page.locator("#hand .card[aria-pressed=true]").click(position={"x": 12, "y": 12})
    else:
        page.locator("#table .btn[data-act]").first.click()
    expect(page.locator("#answer")).to_contain_text("1 day in a row.")
    expect(page.locator("#share")).to_be_visible()
    page.reload()
    expect(page.locator("#coach")).to_have_attribute("data-done", "")
    expect(page.locator("#hand [data-act]")).to_have_count(0)
    page.goto(served.url)
    expect(page.locator("a[href='/today']")).to_contain_text("1 day in a row.")
