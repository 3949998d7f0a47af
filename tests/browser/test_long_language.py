"""A made-up catalogue for Northern Sámi: every message in brackets and longer by two fifths. It is added
without a line of code, nothing on the pages is said without it, and nothing is cut on the smallest phone."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Page

import states
from accessibility import look, out_of_reach
from nousu.i18n import CATALOGUES, CLAUSE, RULES
from page_driver import SMALL, Served
from tools.collect_messages import english

pytestmark = pytest.mark.browser

CODE = "se"
LOOSE = """() => {
  const bare = (text) => {
    let was;
    do { was = text; text = text.replace(/⟦[^⟦⟧]*⟧/gu, ""); } while (text !== was);
    return text;
  };
  const spared = "script, style, svg, noscript, dl.book, .pick, .card,"
    + " .clauses, .clause, .cl, a[href*='rules=']";
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode())
    if (!walk.currentNode.parentElement.closest(spared)) said.push(walk.currentNode.nodeValue);
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const one of document.querySelectorAll(`[${name}]`))
      if (!one.closest(spared)) said.push(one.getAttribute(name));
  return [...new Set(said.map(bare).flatMap((text) => text.match(/\\p{L}{3,}/gu) ?? []))];
}"""
CUT = """() => {
  const cut = [];
  if (document.documentElement.scrollWidth > innerWidth) cut.push("page");
  for (const one of document.querySelectorAll("main :is(button, .btn, a, h1, h2, p, li)")) {
    const hides = ["hidden", "clip"].includes(getComputedStyle(one).overflowX);
    if (hides && one.scrollWidth > one.clientWidth + 1)
      cut.push(one.textContent.trim().slice(0, 40));
  }
  // Words beyond the edge of the window, where no box of their own can be scrolled.
  for (const one of document.querySelectorAll("main *")) {
    const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!words || !one.getClientRects().length || one.closest(".slides, .wide, .hidden, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const text = range.getBoundingClientRect();
    if (text.right > innerWidth + 1 || text.left < -1) cut.push(one.textContent.trim().slice(0, 40));
  }
  return cut;
}"""
NAMES = {"Nousu", "Aino", "Eero", "Kaisa", "Kerttu"}
PAGES = (
    "/",
    "/new",
    "/new?rules=tuppen_zk%2Bstart_points=99",
    "/rules/tuppi",
    "/rules/tuppi%2Bhigh_fail_points=6",
    "/rules/toepen",
    "/rules/huutopussi",
    "/rules/tuppen_zk",
    "/friends",
    "/today",
    "/learn",
    "/learn/minnesota",
    "/learn/huutopussi/1?act=pass",
    "/learn/tuppen/4?act=challenge+E",
    "/problems",
    "/problems/rami/1?act=answer",
    "/problems/fold/2",
    "/t/none",
    "/forget",
    "/tournaments",
)


def _longer(text: str) -> str:
    """In brackets, and two fifths longer by short words, as a wordy language would be."""
    fill = ("ja dat " * len(text))[: len(text) * 2 // 5].strip()
    return f"⟦{text} {fill}⟧" if fill else f"⟦{text}⟧"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogues with a new language added as a file alone."""
    found = tmp_path_factory.mktemp("catalogues")
    for path in CATALOGUES.glob("*.mo"):
        shutil.copy2(path, found / path.name)
    with (CATALOGUES / "fi.po").open("rb") as file:
        known = read_po(file, locale="fi")
    made = Catalog(locale=CODE, charset="utf-8")
    for message in known:
        if message.id:
            forms = tuple(_longer(text) for text in english(message))
            several = (*forms, *forms[-1:] * 3)[: made.num_plurals]
            made.add(message.id, several if len(forms) > 1 else forms[0], context=message.context)
    with (found / f"{CODE}.mo").open("wb") as file:
        write_mo(file, made)
    for path in RULES.glob("*.md"):
        (found / "rules" / CODE).mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8")
        (found / "rules" / path.name).write_text(text, "utf-8")
        title, _, rest = text.partition("\n")
        result = CLAUSE.sub(lambda one: one[0].replace(one["text"], _longer(one["text"])), rest)
        (found / "rules" / CODE / path.name).write_text(f"# {_longer(title[2:])}\n{result}", "utf-8")
    return found


@pytest.fixture(scope="module")
def far_north(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with that catalogue."""
    first = (
        "import pathlib, nousu.i18n as words\n"
        f"words.CATALOGUES = pathlib.Path({str(folder)!r})\n"
        f"words.RULES = pathlib.Path({str(folder / 'rules')!r})\n"
        "words.LANGUAGES = words.languages(words.CATALOGUES)"
    )
    server = Served(tmp_path_factory.mktemp("north"), first=first)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def north(browser: Browser) -> Iterator[Page]:
    """A person who reads that language, on the smallest phone."""
    context = browser.new_context(viewport=SMALL, locale="se", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_pages_are_translated_and_not_cut(north: Page, far_north: Served) -> None:
    wrong = {}
    for path in PAGES:
        north.goto(far_north.url + path)
        assert north.get_attribute("html", "lang") == CODE
        loose = [word for word in north.evaluate(LOOSE) if word not in NAMES]
        cut = north.evaluate(CUT)
        if loose or cut:
            wrong[path] = (loose, cut)
    assert wrong == {}, wrong


REACHED = re.compile(r"\d+x\d+$|px down$")
"""With longer words a card may have a little less room, and the smallest phone may be scrolled a little."""


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_tables_are_translated_and_not_cut(north: Page, far_north: Served, every: int) -> None:
    wrong = []
    spared = NAMES | {word[:12] for name in states.NAMES for word in re.findall(r"\w{3,}", name)}
    for name, state in list(states.STATES.items())[3::every]:
        sitting, person = states.reach(state)
        look(north, far_north, (states.put(far_north.database, uuid4().hex, sitting), person))
        wrong += [f"{name}: {one}" for one in out_of_reach(north) if not REACHED.search(one)]
        wrong += [f"{name}: {word}" for word in north.evaluate(LOOSE) if word[:12] not in spared]
    assert wrong == [], "\n".join(wrong)
