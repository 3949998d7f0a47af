"""What axe says of a page, and what of a card can be touched."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LOOKS = ({"theme": "light"}, {"theme": "dark"}, {"theme": "dark", "four": "on"})
"""What the page's root says of its colours."""


def serious(page: Page, only: str | None = None) -> list[str]:
    """What axe finds serious or critical on the page as it is; `only` names the one rule to look at."""
    asked: dict[str, object] = {"resultTypes": ["violations"]}
    found = Axe().run(page, options=asked | ({"runOnly": [only]} if only else {})).response["violations"]
    return [
        f"{one['id']}: {node['html'][:140]} {node['failureSummary'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def serious_in_any_look(page: Page) -> list[str]:
    """As `serious`, in light, dark and four colours: they differ in nothing but colours."""
    wrong = serious(page)
    before = page.evaluate("({...document.documentElement.dataset})")
    for look in LOOKS:
        page.evaluate(_LOOK, look)
        wrong += [f"{look}: {line}" for line in serious(page, "color-contrast")]
    page.evaluate(_LOOK, before)
    return wrong


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
