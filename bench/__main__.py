"""Run the benchmarks of every budget, or those named: ``python -m bench [engine solver …]``."""

import importlib
import sys

SHORT = (
    "engine",
    "env",
    "solver",
    "seating",
    "paper",
    "thinking_time",
    "review_time",
    "tournament_load",
    "load",
    "taps",
    "first_cards",
)
"""Run where none is named: some minutes each."""
LONG = ("blunders", "hidden_cards", "ladder", "soak")
"""Run only by name: up to hours."""


def main(names: list[str]) -> int:
    """Run benchmarks one after the other.

    Returns:
        1 if one of them missed a goal, else 0.
    """
    if unknown := [name for name in names if name not in SHORT + LONG]:
        sys.exit(f"{', '.join(unknown)}: no such benchmark; there are {', '.join(SHORT + LONG)}")
    missed = []
    for name in names or SHORT:
        print(f"\n== {name} ==", flush=True)
        if importlib.import_module(f"bench.{name}").main():
            missed.append(name)
    if missed:
        print(f"\n{', '.join(missed)}: a goal is missed, see above")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
