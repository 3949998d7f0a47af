"""The direction and its helpers at the pages of a tournament, by keyboard and buttons."""

from playwright.sync_api import Page, expect


def press(page: Page, button: str) -> None:
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.click(button)


def type_slip(page: Page, at: str, table: str, games: tuple[str, ...]) -> None:
    """Open a slip on the board and type it with the number keys alone; the last place comes by itself."""
    page.goto(f"{at}/board?table={table}")
    expect(page.locator(".slip-form[data-slip] .put").first).to_be_focused()
    for places in games:
        page.keyboard.type(places[:-1])
    expect(page.locator("[data-send]")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("Enter")


def correct_on_page(page: Page, at: str, table: str, games: tuple[str, ...], reason: str) -> None:
    """Give a slip another result, with a reason."""
    page.goto(f"{at}/board?table={table}")
    page.click("summary:has-text('Correct the slip')")
    for game, places in enumerate(games, 1):
        boxes = page.locator(f"details[open] .put[data-game='{game}']")
        for box in boxes.all():
            box.fill("")
        boxes.first.focus()
        page.keyboard.type(places[:-1])
    page.fill("details[open] [name=reason]", reason)
    press(page, "details[open] button.btn:has-text('Correct')")
