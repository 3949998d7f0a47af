"""What tests of several floors share: the example game of the documentation."""

import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import watchdog
from nousu import i18n, players
from nousu.engine import messages
from nousu.engine.game import Game
from nousu.i18n import LANGUAGES, catalogue, clause_texts, titles

ROOT = Path(__file__).parent.parent

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small nets wait for threads far longer than they reckon

# The examples are the same in every run. A busy machine is no mistake.
settings.register_profile(
    "nousu", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("random", settings.get_profile("nousu"), derandomize=False)
settings.load_profile("nousu")

# A shell that starts the tests in the background lets them ignore interrupts, and all programs they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the scripts of whole evenings keep pictures of their pages."""
    parser.addoption("--pictures", type=Path, metavar="FOLDER", help="keep pictures of the first evening")


def pytest_configure(config: pytest.Config) -> None:
    """Give a run up in which nothing happens any more, where tests that hang are ended too."""
    watchdog.watch(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Look for no garbage while the tests are collected, and afterwards not among what that has loaded.

    Collecting makes over a million objects that stay. Looking through them again and again took most of the
    time of collecting, and every process of a parallel run collects all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def fresh_player_modules() -> Iterator[None]:
    """Players named by module and function are made once a process; those that read the environment are made
    anew here, and nobody after meets them."""
    players._imported.cache_clear()
    yield
    players._imported.cache_clear()


UNKNOWN: list[str] = []
"""Messages that were said and are in no catalogue."""


class _Listening(NullTranslations):
    """Asked for what a catalogue lacks: tells it to the test that runs."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.english = language == "en"

    def gettext(self, message: str) -> str:
        if not self.english:
            UNKNOWN.append(message)
        elif message not in (*clause_texts().values(), *titles().values()):
            catalogue(LANGUAGES[0]).gettext(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        if self.english:
            catalogue(LANGUAGES[0]).ngettext(msgid1, msgid2, n)
        else:
            UNKNOWN.append(msgid1)
        return msgid1 if n == 1 else msgid2


def _counting(message: str, values: Mapping[str, object]) -> int | None:
    """As `number_in`; a counted message without a number to count by is told to the test that runs."""
    number = messages.number_in(message, values)
    if number is None and isinstance(message, messages.Counted) and values:
        UNKNOWN.append(f"{message}: nothing to count by in {dict(values)}")
    return number


i18n.number_in = _counting
for _language in LANGUAGES:
    catalogue(_language).add_fallback(_Listening(_language))


@pytest.fixture(autouse=True)
def _said_in_every_language(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test says a message that is in no catalogue (marked ``foreign_words``: it does so on purpose)."""
    UNKNOWN.clear()
    yield
    if request.node.get_closest_marker("foreign_words") is None:
        assert UNKNOWN == [], "in no catalogue; mark it with sentence() where it is written, then make words"


def example_game() -> Game:
    """The game of docs/examples/last_trick.py, loaded once from its file."""
    if "last_trick" not in sys.modules:
        spec = importlib.util.spec_from_file_location("last_trick", ROOT / "docs/examples/last_trick.py")
        assert spec is not None and spec.loader is not None
        sys.modules["last_trick"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["last_trick"])
    game = sys.modules["last_trick"].GAME
    assert isinstance(game, Game)
    return game


@pytest.fixture(scope="session")
def last_trick() -> Game:
    """The example game of docs/develop/add-a-game.md."""
    return example_game()
