"""Every rare moment of every game on a small phone, a phone and a desk: nothing is cut or out of reach."""

import pytest
from playwright.sync_api import Browser, Page

import states
from at_the_page import DESK, PHONE, SMALL, Served
from looks import TOUCHED

pytestmark = pytest.mark.browser
LANGUAGES = ("fi", "sv", "nb", "de", "en")

MEASURED = """() => {
  const wrong = [];
  const say = (what, one) => wrong.push(`${what}: ${one.className} "${one.textContent.trim().slice(0, 30)}"`);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) wrong.push(`${root.scrollWidth - innerWidth}px sideways`);
  const reading = document.querySelector('.deck--plain');
  if (!reading && root.scrollHeight > innerHeight) wrong.push(`${root.scrollHeight - innerHeight}px down`);
  // What can be touched of each card, whichever other card is lifted before it.
  const cards = [...document.querySelectorAll('#hand .card')];
  const touched = TOUCHED;
  const touch = (card) => {
    const [wide, high] = touched(card);
    if (wide < 43 || high < 44) wrong.push(`${card.dataset.card} ${wide}x${high}`);
  };
  cards.forEach(touch);
  for (const lifted of cards.filter((card) => card.ariaPressed)) {
    lifted.ariaPressed = 'true';
    for (const card of cards) if (card !== lifted && !card.ariaDisabled) touch(card);
    lifted.ariaPressed = 'false';
  }
  // Words: inside the window and inside every box that hides what overflows, but for names that end in dots.
  const hidden = '.hidden, .side, .last-box, .card, svg, option, .more .quiet, noscript';
  for (const one of document.querySelectorAll('#table *')) {
    const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!words || !one.getClientRects().length || one.closest(hidden)) continue;
    if (getComputedStyle(one).clipPath !== 'none') continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const text = range.getBoundingClientRect();
    let box = one;
    while (box && getComputedStyle(box).textOverflow !== 'ellipsis') box = box.parentElement;
    if (box) continue;
    if (text.right > innerWidth + 1 || text.left < -1) say('off the window', one);
    for (box = one; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== 'hidden') continue;
      const edge = box.getBoundingClientRect();
      const out = text.right > edge.right + 2 || text.left < edge.left - 2 || text.bottom > edge.bottom + 3;
      if (out) say('cut', one);
    }
  }
  const pressed = ['button', 'select', '.btn'].map((kind) => `#table .stage ${kind}:not(#hand *)`).join();
  const places = [...document.querySelectorAll(pressed)].filter((one) => one.getClientRects().length);
  for (const one of places) {
    const box = one.getBoundingClientRect();
    if (box.height < 43.5 || box.width < 43.5) say(`${Math.round(box.width)}x${Math.round(box.height)}`, one);
    const meets = (other) => {
      const edge = other.getBoundingClientRect();
      const beside = edge.left > box.right - 1 || box.left > edge.right - 1;
      return other !== one && !beside && edge.top < box.bottom - 1 && box.top < edge.bottom - 1;
    };
    if (places.some(meets)) say('under another button', one);
  }
  return wrong;
}"""


@pytest.fixture(scope="module")
def tables(served: Served) -> dict[str, tuple[str, int]]:
    """Every state at a table of its own: its id and who looks at it."""
    found = {}
    for name, state in states.STATES.items():
        sitting, person = states.reach(state)
        found[name] = (states.put(served.database, name, sitting), person)
    return found


def look(page: Page, served: Served, table: tuple[str, int]) -> None:
    """Sit down where that person sits."""
    id, person = table
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(f"{served.url}/t/{id}")
    page.wait_for_selector("#table[data-seq]")


def test_every_rare_moment_fits(browser: Browser, served: Served, tables: dict[str, tuple[str, int]]) -> None:
    wrong = []
    for number, lang in enumerate(LANGUAGES):
        context = browser.new_context(viewport=SMALL, locale=lang, reduced_motion="reduce")  # type: ignore[arg-type]
        page = context.new_page()
        for name, table in list(tables.items())[number :: len(LANGUAGES)]:
            look(page, served, table)
            for size in (SMALL, PHONE, DESK):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                at = f"{name} ({lang}, {size['width']})"
                wrong += [f"{at}: {line}" for line in page.evaluate(MEASURED.replace("TOUCHED", TOUCHED))]
        context.close()
    assert wrong == [], "\n".join(wrong)
