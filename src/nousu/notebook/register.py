"""Registration of the displays with IPython."""

import pkgutil
import sys
from typing import Any

from nousu import games
from nousu.notebook.html import html
from nousu.notebook.svg import svg

_TYPES = (
    ("nousu.engine.cards", "Card"),
    ("nousu.engine.tricks", "Trick"),
    ("nousu.engine.game", "View"),
    ("nousu.engine.match", "Match"),
    ("nousu.engine.match", "Played"),
    ("nousu.engine.record", "Record"),
    ("nousu.solver.position", "Position"),
)


def register_displays(ipython: Any = None) -> bool:
    """Show values of this package as HTML and SVG in an IPython session.

    Args:
        ipython: The session; None for the one that runs.

    Returns:
        False where no session runs.
    """
    if ipython is None:
        ipython = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if ipython is None:
        return False
    families = [module.name for module in pkgutil.iter_modules(games.__path__)]
    hands = [(f"nousu.games.{family}.hand", "Hand") for family in families]
    for mime, display in (("text/html", html), ("image/svg+xml", svg)):
        formatter = ipython.display_formatter.formatters[mime]
        for module, name in (*_TYPES, *hands):
            formatter.for_type_by_name(module, name, display)
    return True


def load_ipython_extension(ipython: Any) -> None:
    """Register the displays: what ``%load_ext nousu.notebook`` calls."""
    register_displays(ipython)
