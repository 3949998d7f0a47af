"""The tables of the atlas, counted from solved deals.

A figure is ``[count, mean, half]``, half being half of the 95 % interval of the mean, None for fewer than
thirty.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import sqrt
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Any, Final

from nousu.engine.cards import LANE, RANKS, CardSet
from tools.atlas.solving import read_deals, read_start, rows

FEW: Final = 30
"""Least number with an interval, and with a row on the page."""
POINTS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}
"""Points of the high cards."""
LOW: Final = "2345"
EVEN: Final = (19, 20, 21)
"""Points of a side that is about as strong as the other."""

Figure = list[int | float | None]
Measure = Callable[[CardSet], int]


def _rank(rank: str) -> CardSet:
    return sum(1 << 16 * suit + RANKS.index(rank) for suit in range(4))


_WORTH = tuple((_rank(rank), worth) for rank, worth in POINTS.items())
_ACES, _LOW = _rank("A"), sum(map(_rank, LOW))


def points(cards: CardSet) -> int:
    """Points of high cards: 4 an ace, 3 a king, 2 a queen, 1 a jack; 40 in the pack."""
    return sum([worth * (cards & ranks).bit_count() for ranks, worth in _WORTH])


def aces(cards: CardSet) -> int:
    """Number of aces."""
    return (cards & _ACES).bit_count()


def lows(cards: CardSet) -> int:
    """Number of cards from the two to the five; 16 in the pack."""
    return (cards & _LOW).bit_count()


def longest(cards: CardSet) -> int:
    """The length of the longest suit."""
    return max([(cards >> 16 * suit & LANE).bit_count() for suit in range(4)])


MEASURES: Final[Mapping[str, Measure]] = {"points": points, "aces": aces, "lows": lows, "longest": longest}
"""Features counted in the cards of a side, or of one hand."""


def figure(values: Iterable[float]) -> Figure:
    """Count, mean and half of the interval of the observed values."""
    known = list(values)
    half = 1.96 * stdev(known) / sqrt(len(known)) if len(known) >= FEW else None
    return [len(known), round(fmean(known), 4), None if half is None else round(half, 4)]


def _counts(values: Iterable[int]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _by(pairs: Iterable[tuple[Hashable, float]]) -> dict[str, Figure]:
    """A figure for each key, in order."""
    bins: dict[Any, list[float]] = defaultdict(list)
    for key, value in pairs:
        bins[key].append(value)
    return {str(key): figure(bins[key]) for key in sorted(bins)}


def _strength(sides: list[tuple[CardSet, float, float]]) -> dict[str, Any]:
    """Tricks, and frequency of a made hand, by each measure of a side's cards.

    ``explains`` is how much of the spread of tricks each measure explains on a straight line (r²).
    """
    tricks = [taken for _, taken, _ in sides]
    counts: dict[str, Any] = {"explains": {}}
    for name, measure in MEASURES.items():
        keys = [measure(cards) for cards, _, _ in sides]
        counts[name] = {
            "tricks": _by(zip(keys, tricks, strict=True)),
            "made": _by((key, made) for key, (_, _, made) in zip(keys, sides, strict=True)),
        }
        vary = len(set(keys)) > 1 < len(set(tricks))
        counts["explains"][name] = round(correlation(keys, tricks) ** 2, 4) if vary else None
    even = [(longest(cards), taken) for cards, taken, _ in sides if points(cards) in EVEN]
    return counts | {"longest_even": _by(even)}


def rami(folder: Path) -> dict[str, Any]:
    """The tables of ramis. A side counts once a deal, with the mean over its two leads."""
    par: list[int] = []
    lead: list[float] = []
    swing: list[int] = []
    partners: list[int] = []
    sides: list[tuple[CardSet, float, float]] = []
    own: list[tuple[int, float]] = []
    for hands, values in read_deals(folder, "rami"):
        taken = [value if seat % 2 == 0 else 13 - value for seat, value in enumerate(values)]
        par += taken
        lead.append((values[0] + values[2] - values[1] - values[3]) / 2)
        swing.append(values[0] - values[1])
        partners += [abs(values[0] - values[2]), abs(values[1] - values[3])]
        for side in (0, 1):
            one, two = taken[side], taken[side + 2]
            made = ((one > 6) + (two > 6)) / 2
            sides.append((hands[side] | hands[side + 2], (one + two) / 2, made))
        own += [(points(hands[seat]), float(taken[seat] > 6)) for seat in range(4)]
    return {
        "par": _counts(par),
        "lead": figure(lead),
        "swing": _counts(swing),
        "partners": _counts(partners),
        "side": _strength(sides),
        "own": _by(own),
    }


def nolo(folder: Path) -> dict[str, Any]:
    """The tables of nolos; North leads. Both sides count: one leads, the other does not."""
    par: list[int] = []
    leading: list[tuple[CardSet, float, float]] = []
    other: list[tuple[CardSet, float, float]] = []
    own: list[tuple[int, float]] = []
    beside: list[tuple[int, float]] = []
    for (hands, (value,)), (_, ramis) in zip(
        read_deals(folder, "nolo"), read_deals(folder, "rami"), strict=False
    ):
        par.append(value)
        leading.append((hands[0] | hands[2], value, float(value < 7)))
        other.append((hands[1] | hands[3], 13 - value, float(value > 6)))
        own.append((points(hands[0]), float(value < 7)))
        beside.append((ramis[0], value))
    return {
        "par": _counts(par),
        "made": figure(float(value < 7) for value in par),
        "lead": figure(2 * value - 13 for value in par),
        "side": _strength(leading),
        "other": _strength(other),
        "own": _by(own),
        "by_rami": _by(beside),
    }


def hidden(folder: Path) -> dict[str, Any]:
    """The price of not seeing the others' cards, kind by kind.

    A deal counts once, with the mean over both sides.
    """
    measured: dict[str, dict[str, list[float]]] = {kind: defaultdict(list) for kind in ("rami", "nolo")}
    for row in rows(folder / "hidden.csv"):
        kind, leader = row[2], row[3]
        par, both, ns, ew = map(int, row[4:])
        wants = 1 if kind == "rami" else -1  # North–South's tricks are wanted in a rami, shunned in a nolo
        of_kind = measured[kind]
        of_kind["price"].append(wants * ((par - ns) + (ew - par)) / 2)
        of_kind["leader"].append(wants * (both - par) * (1 if leader in "NS" else -1))
        of_kind["apart"].append(abs(both - par))
        of_kind["turned"].append(float((both > 6) != (par > 6)))
        makes = (par > 6) == (wants > 0)  # North–South should make it, else East–West
        of_kind["lost"].append(float(((ns if makes else ew) > 6) != (par > 6)))
    return {
        kind: {name: figure(values) for name, values in of_kind.items()} for kind, of_kind in measured.items()
    }


def count(folder: Path) -> dict[str, Any]:
    """Count all tables of a folder. ValueError names what is wrong, or missing, in it."""
    about = read_start(folder)
    deals = {
        kind: sum(1 for _ in rows(folder / f"{kind}.csv")) if (folder / f"{kind}.csv").exists() else 0
        for kind in ("rami", "nolo", "hidden")
    }
    if not 0 < deals["nolo"] <= deals["rami"]:
        raise ValueError(
            f"{folder} holds {deals['nolo']} nolos and {deals['rami']} ramis: at least one of each"
            " is needed, and no more nolos than ramis"
        )
    return about | {"deals": deals, "rami": rami(folder), "nolo": nolo(folder), "hidden": hidden(folder)}


def write(folder: Path) -> dict[str, Any]:
    """`count`, written into the folder as ``tables.json``."""
    counts = count(folder)
    (folder / "tables.json").write_text(json.dumps(counts, indent=1) + "\n", "utf-8")
    return counts
