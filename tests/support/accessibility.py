"""Accessibility of a page by axe, and the parts of a card that can be touched."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

import states
from page_driver import Served

LOOKS = ({"theme": "dark"}, {"theme": "dark", "four": "on"})
"""Attributes of the page's root for chosen colours; the page stands in light ones."""


def serious(page: Page, only: str | None = None) -> list[str]:
    """Serious or critical faults that axe finds on the page as it is, or all of the one rule `only`."""
    if page.evaluate("!('axe' in window)"):
        page.evaluate(AXE_SCRIPT)
    asked: dict[str, object] = {"resultTypes": ["violations"]}
    violations = page.evaluate(_VIOLATIONS, asked | ({"runOnly": [only]} if only else {}))
    return [
        f"{violation['id']}: {node['html'][:140]} {node['failureSummary'][:200]}"
        for violation in violations
        if only or violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def serious_in_any_look(page: Page) -> list[str]:
    """Faults as by `serious`, in light, dark and four colours: they differ in nothing but colours.

    What lies outside of the landmarks is a fault, too.
    """
    wrong = serious(page) + serious(page, "region")
    before = page.evaluate("({...document.documentElement.dataset})")
    for colours in LOOKS:
        page.evaluate(_LOOK, colours)
        wrong += [f"{colours}: {line}" for line in serious(page, "color-contrast")]
    page.evaluate(_LOOK, before)
    return wrong


_VIOLATIONS = "(asked) => axe.run(asked).then((found) => found.violations)"

_LOOK = """(values) => {
  const root = document.documentElement.dataset;
  for (const name of ["theme", "four"]) {
    if (values[name] === undefined) delete root[name]; else root[name] = values[name];
  }
}"""

TOUCHED = """(card) => {
  // How much of its left edge and of its top no other card covers, in pixels.
  const box = card.getBoundingClientRect();
  const mine = (x, y) => document.elementFromPoint(x, y)?.closest('.card') === card;
  let wide = 0, high = 0;
  for (let x = box.left + .5; x < box.right; x += 1) if (mine(x, box.top + 24)) wide += 1;
  const end = Math.min(box.bottom, innerHeight);
  for (let y = box.top + .5; y < end; y += 1) if (mine(box.left + 22, y)) high += 1;
  return [wide, high];
}"""
"""A function of the page's script."""


_MEASURED = """() => {
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
  for (const one of document.querySelectorAll('.seat-name, .who-name')) {
    const short = one.textContent.trim().length <= 12 && innerWidth >= 390;
    const cut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4;
    if (short && cut) say('dots', one);
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


def out_of_reach(page: Page) -> list[str]:
    """Parts of a table that are cut, covered, off the window, or too small for a finger."""
    faults: list[str] = page.evaluate(_MEASURED.replace("TOUCHED", TOUCHED))
    return faults


def look(page: Page, served: Served, table: tuple[str, int]) -> None:
    """Look at the table from that person's seat."""
    id, person = table
    page.context.add_cookies([{"name": "nousu", "value": states.token(person), "url": served.url}])
    page.goto(f"{served.url}/t/{id}")
    page.wait_for_selector("#table[data-seq]")
