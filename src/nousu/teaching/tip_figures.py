"""The measured figures in the tips of the rules pages.

``python -m bench.experiments.teaching_figures`` measures them again.
"""

import tomllib
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import NamedTuple


class Figure(NamedTuple):
    """The frequency of an event in so many hands, or the points that it brought."""

    times: int
    of: int

    @property
    def percent(self) -> str:
        """The share in whole per cent, with half of its 95 % interval where that is not nought."""
        share = self.times / self.of
        half = round(196 * sqrt(share * (1 - share) / self.of))
        return f"{100 * share:.0f} ± {half}" if half else f"{100 * share:.0f}"

    @property
    def average(self) -> int:
        """The average as a whole number, where points were added up."""
        return round(self.times / self.of)


_FILE = Path(__file__).parent / "tip_figures.toml"
FIGURES: Mapping[str, Figure] = {
    name: Figure(*pair) for name, pair in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}
"""Every measured figure by its name."""
