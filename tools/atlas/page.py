"""The atlas as people read it: docs/research/atlas.md and its pictures, made of the tables alone."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from nousu.tournament.chart import Bar, bar_charts
from tools.atlas.counting import FEW

Tables = Mapping[str, Any]
_Figure = Sequence[Any]
_KINDS = ("rami", "nolo")


def pictures(atlas: Tables) -> dict[str, str]:
    """The SVG files by name."""
    return {f"atlas-{kind}.svg": _picture(kind, atlas) for kind in _KINDS}


def _picture(kind: str, atlas: Tables) -> str:
    counts, deals = atlas[kind], atlas["deals"][kind]
    side = counts["side"]
    charts = [
        (f"Tricks of the side that leads, % of {_leads(atlas, kind):,} leads", _shares(counts["par"])),
        ("Tricks by points of its high cards (4 3 2 1), 95 % interval", _bars(side["points"]["tricks"])),
        _made(kind, counts),
    ]
    return bar_charts(f"{deals:,} random deals solved as {kind}", charts)


def _made(kind: str, counts: Tables) -> tuple[str, list[Bar]]:
    """Share of hands made, by the feature that says most of it."""
    if kind == "rami":
        return "Rami made by points of the leader’s own hand, %", _bars(counts["own"], 100, 0)
    return "Nolo made by cards from two to five of the side, %", _bars(counts["side"]["lows"]["made"], 100, 0)


def _leads(atlas: Tables, kind: str) -> int:
    return sum(atlas[kind]["par"].values())


def _shares(counts: Mapping[str, int]) -> list[Bar]:
    total = sum(counts.values())
    return [Bar(key, round(100 * count / total, 1)) for key, count in counts.items()]


def _bars(figures: Mapping[str, _Figure], scale: float = 1, digits: int = 1) -> list[Bar]:
    return [
        Bar(key, round(scale * mean, digits), scale * half)
        for key, (count, mean, half) in figures.items()
        if count >= FEW
    ]


def _pm(figure: _Figure, digits: int = 2, scale: float = 1) -> str:
    """A mean with its interval."""
    _, mean, half = figure
    text = f"{scale * mean:.{digits}f}".replace("-", "−")
    if half is None or scale * half < 0.5 * 10**-digits:
        return text
    return f"{text} ± {scale * half:.{digits}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _both(figures: Tables) -> list[list[object]]:
    """Rows of a measure: its value, number, tricks, frequency of made hands."""
    return [
        [key, f"{tricks[0]:,}", _pm(tricks), _pm(figures["made"][key], 0, 100)]
        for key, tricks in figures["tricks"].items()
        if tricks[0] >= FEW
    ]


_MEASURES = {
    "points": "points of high cards (4 3 2 1)",
    "aces": "aces",
    "lows": "cards from two to five",
    "longest": "length of the longest suit held together",
}


def _explained(side: Tables) -> str:
    rows = [
        [meaning, f"{100 * side['explains'][name]:.0f} %"]
        for name, meaning in _MEASURES.items()
        if side["explains"][name] is not None
    ]
    return _table(["measure of the side’s cards", "of the spread of tricks explained"], rows)


def _plain(figures: Tables, digits: int = 2, scale: float = 1) -> list[list[object]]:
    """Rows of figures: the key, the number, the mean."""
    return [
        [key, f"{figure[0]:,}", _pm(figure, digits, scale)]
        for key, figure in figures.items()
        if figure[0] >= FEW
    ]


def _share(counts: Mapping[str, int], values: range) -> str:
    """Share of the counted hands with one of these values, in per cent."""
    held = sum(count for key, count in counts.items() if int(key) in values)
    return f"{100 * held / sum(counts.values()):.1f} %"


def command(atlas: Tables) -> str:
    """The command that makes these tables."""
    deals = atlas["deals"]
    player = "" if atlas["player"] == "searcher" else f" --player {atlas['player']}"
    return (
        f"python -m tools.atlas make FOLDER --rami {deals['rami']} --nolo {deals['nolo']} "
        f"--hidden {deals['hidden']} --seed {atlas['seed']}{player}"
    )


def page(atlas: Tables) -> str:
    """The page."""
    deals = atlas["deals"]
    places = {
        "ramis": f"{deals['rami']:,}",
        "nolos": f"{deals['nolo']:,}",
        "played": f"{deals['hidden']:,}",
        "seed": atlas["seed"],
        "player": atlas["player"],
        "command": command(atlas),
        "few": FEW,
        "hidden": _hidden(atlas["hidden"]),
    }
    return (
        (files(__package__) / "page.txt")
        .read_text("utf-8")
        .format(**places, **_rami(atlas["rami"]), **_nolo(atlas["nolo"]))
    )


def _rami(counts: Tables) -> dict[str, str]:
    swing, side = counts["swing"], counts["side"]
    return {
        "rami_lead": _pm(counts["lead"]),
        "gains_one": _share(swing, range(1, 14)),
        "gains_two": _share(swing, range(2, 14)),
        "costs": _share(swing, range(-13, 0)),
        "partners": _share(counts["partners"], range(1, 14)),
        "rami_explained": _explained(side),
        "rami_points": _table(["points", "sides", "tricks", "made, %"], _both(side["points"])),
        "rami_aces": _table(["aces", "sides", "tricks", "made, %"], _both(side["aces"])),
        "rami_longest": _table(["cards", "sides", "tricks"], _plain(side["longest_even"])),
        "rami_own": _table(["own points", "hands", "made, %"], _plain(counts["own"], 0, 100)),
    }


def _nolo(counts: Tables) -> dict[str, str]:
    side = counts["side"]
    return {
        "nolo_lead": _pm(counts["lead"]),
        "nolo_made": _pm(counts["made"], 1, 100),
        "nolo_explained": _explained(side),
        "nolo_points": _table(["points", "sides", "tricks", "made, %"], _both(side["points"])),
        "nolo_lows": _table(["cards from two to five", "sides", "tricks", "made, %"], _both(side["lows"])),
        "nolo_own": _table(["own points", "hands", "made, %"], _plain(counts["own"], 0, 100)),
        "nolo_beside": _table(["tricks in rami", "deals", "tricks in nolo"], _plain(counts["by_rami"])),
    }


_HIDDEN = {
    "price": ("price", 2, 1),
    "lost, %": ("lost", 0, 100),
    "leader’s side over par": ("leader", 2, 1),
    "away from par": ("apart", 2, 1),
    "turned, %": ("turned", 0, 100),
}


def _hidden(counts: Tables) -> str:
    kinds = [(kind, counts[kind]) for kind in _KINDS if counts.get(kind)]
    rows = [
        [
            kind,
            measures["price"][0],
            *[_pm(measures[name], digits, scale) for name, digits, scale in _HIDDEN.values()],
        ]
        for kind, measures in kinds
    ]
    return _table(["", "deals", *_HIDDEN], rows)
