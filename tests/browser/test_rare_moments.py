"""Every rare moment of every game on a small phone, in the long form on a phone and a desk too: nothing is
cut or out of reach."""

import pytest
from playwright.sync_api import Browser

import states
from accessibility import look, out_of_reach
from page_driver import DESK, PHONE, SMALL, Served

pytestmark = pytest.mark.browser
LANGUAGES = ("fi", "sv", "nb", "de", "en")


@pytest.fixture(scope="module")
def tables(served: Served) -> dict[str, tuple[str, int]]:
    """Every state at a table of its own: its id and who looks at it."""
    reached = {name: states.reach(state) for name, state in states.STATES.items()}
    ids = states.put_all(served.database, {name: sitting for name, (sitting, _) in reached.items()})
    return {name: (id, person) for id, (name, (_, person)) in zip(ids, reached.items(), strict=True)}


@pytest.mark.parametrize(
    "sizes", [(SMALL,), pytest.param((PHONE, DESK), marks=pytest.mark.slow)], ids=["small", "others"]
)
def test_rare_moments_fit_the_screen(
    browser: Browser, served: Served, tables: dict[str, tuple[str, int]], sizes: tuple[dict[str, int], ...]
) -> None:
    wrong = []
    for number, lang in enumerate(LANGUAGES):
        context = browser.new_context(viewport=SMALL, locale=lang, reduced_motion="reduce")  # type: ignore[arg-type]
        page = context.new_page()
        for name, table in list(tables.items())[number :: len(LANGUAGES)]:
            look(page, served, table)
            for size in sizes:
                page.set_viewport_size(size)  # type: ignore[arg-type]
                at = f"{name} ({lang}, {size['width']})"
                wrong += [f"{at}: {line}" for line in out_of_reach(page)]
        context.close()
    assert wrong == [], "\n".join(wrong)
