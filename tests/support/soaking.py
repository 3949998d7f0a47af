"""Quick and long forms of one test: ``make test`` runs the quick one, ``make soak`` the long one."""

import os

SOAKING = os.environ.get("NOUSU_SOAK") == "1"


def times(quick: int, long: int) -> int:
    """Number of repetitions: the long one while soaking."""
    return long if SOAKING else quick


def report(figure: str) -> None:
    """Print what a long form has measured, for docs/host/promises.md; quick forms measure nothing."""
    if SOAKING:
        with open(os.environ.get("NOUSU_FIGURES", "/dev/stderr"), "a", encoding="utf-8") as out:
            print(f"{figure} (load {os.getloadavg()[0]:.1f})", file=out)
