"""What tests of several floors share: the example game of the documentation."""

import importlib.util
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from nousu.engine.game import Game

ROOT = Path(__file__).parent.parent

settings.register_profile("nousu", deadline=None)  # a busy machine is no mistake
settings.load_profile("nousu")

# A shell that starts the tests in the background lets them ignore interrupts, and all programs they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


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
    """The example game of docs/add-a-game.md."""
    return example_game()
