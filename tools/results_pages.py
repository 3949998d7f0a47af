"""Figures of the documents, rendered from the data in docs/results.

A page holds each table between ``<!-- results: FILE TABLE -->`` and ``<!-- end -->``; the rows are those of
docs/results/FILE.jsonl whose ``table`` is TABLE. ``python tools/results_pages.py`` writes the tables anew.
"""

import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
WIDTH = 119
FIELDS = ("date", "commit", "machine", "load", "command", "value", "unit")
"""Fields of every row. ``low`` and ``high`` are the ends of a 95 % interval, ``n`` is the sample size.
``date`` and ``commit`` are those of the measurement or, if these were not noted, of its report."""
BLOCK = re.compile(r"(<!-- results: (\w+)(?: (\w+))? -->\n).*?(?=<!-- end -->)", re.DOTALL)


class Number(str):
    """A number with the digits of the data; ``:+`` formats it with a sign, ``:,`` with thousands."""

    def __format__(self, form: str) -> str:
        text = f"{int(self):,}" if form == "," and self.lstrip("-").isdigit() else str(self)
        sign = "+" if form == "+" and not text.startswith("-") and text.strip("0.") else ""
        return (sign + text).replace("-", "−")


Row = Mapping[str, str]
Columns = dict[str, str]

DUEL: Columns = {
    "game": "{game}",
    "A": "{a}",
    "B": "{b}",
    "pairs": "{n:,}",
    "points a hand": "{value:+}",
    "95 %": "{low:+} … {high:+}",
    "matches": "{matches}",
}
BUDGET: Columns = {"figure": "{figure}", "measured": "{value} {unit}", "goal": "{goal}"}
RARE, FEW = 0.08, 10
"""The share of its occasions up to which a blunder is rare, and the occasions that show it."""
TABLES: Mapping[str, Columns] = {
    "ladder": DUEL | {"seed": "{seed}"},
    "release": DUEL | {"planned": "{planned}"},
    "others": DUEL | {"planned": "{planned}"},
    "exploiter": {
        "player": "{figure}",
        "n": "{n:,}",
        "lives a hand": "{value:+}",
        "95 %": "{low:+} … {high:+}",
    },
    "nopeek": {
        "level": "{figure}",
        "positions": "{n:,}",
        "hidden cards elsewhere in": "{moved:,}",
        "changed": "{value}",
    },
    "review": {
        "figure": "{figure}",
        "goal": "{goal}",
        "found": "{value} {unit}",
        "95 %": "{low} … {high}",
        "n": "{n:,}",
    },
    "environments": {"interface": "{figure}", "steps a second": "{value:,}"},
    "desk": BUDGET,
    "taps": BUDGET,
    "solver": {
        "question": "{figure}",
        "figure": "{value:,} {unit}",
        "goal": "{goal}",
        "command": "`{command}`",
    },
}
"""Titles and cells of each table."""


def rows(name: str) -> list[Row]:
    """Read the rows of docs/results/NAME.jsonl; every number keeps its digits."""
    lines = (RESULTS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line, parse_float=Number, parse_int=Number) for line in lines]


def table(columns: Columns, found: Iterable[Row]) -> list[str]:
    """Render rows as a Markdown table; a row without an interval or the like has an empty cell there."""
    cells = [list(columns), *([_cell(form, row) for form in columns.values()] for row in found)]
    lines = [f"| {' | '.join(line)} |" for line in cells]
    return [lines[0], "|---" * len(columns) + "|", *lines[1:]]


def _cell(form: str, row: Row) -> str:
    try:
        return form.format_map(row).strip()
    except KeyError:
        return ""


def crossed(found: Sequence[Row], line: str, column: str, form: str) -> list[str]:
    """Render rows as a table with a line for each value of one field and a column for each of another."""
    titles = list(dict.fromkeys(row[column] for row in found))
    lines = [f"| {line} | {' | '.join(titles)} |", "|---" * (1 + len(titles)) + "|"]
    for name in dict.fromkeys(row[line] for row in found):
        cells = {row[column]: form.format_map(row) for row in found if row[line] == name}
        lines.append(f"| {name:,} | " if isinstance(name, Number) else f"| `{name}` | ")
        lines[-1] += " | ".join(cells.get(title, "–") for title in titles) + " |"
    return lines


def times(found: Sequence[Row]) -> list[str]:
    """Render times of choices."""
    return crossed(found, "player", "game", "{value}, {p99}")


def blunders(found: Sequence[Row]) -> list[str]:
    """Render how often each level makes a blunder where it could, by game; apart those that are rare."""
    cells: dict[tuple[str, str], list[str]] = {}
    often: dict[str, bool] = {}
    for row in found:
        place, habit = row["figure"].split(": ")
        made, of = int(row["value"]), int(row["n"])
        cells.setdefault((habit, place.rpartition(", ")[2]), []).extend([f"{made}/{of}"] if of else [])
        often[habit] = often.get(habit, False) or (of >= FEW and made > RARE * of)
    named = [
        {"habit": habit, "level": level, "cell": ", ".join(games)}
        for (habit, level), games in cells.items()
        if often[habit]
    ]
    rare = ", ".join(habit for habit in often if not often[habit])
    return [
        *crossed(named, "habit", "level", "{cell}"),
        "",
        *_wrapped(f"Rare, or hardly ever possible: {rare}.", ""),
    ]


def baselines(found: Sequence[Row]) -> list[str]:
    """Render learning curves."""
    named = [{**row, "curve": f"{row['method']}, over {row['against']}"} for row in found]
    return crossed(named, "hands", "curve", "{value:+} ± {half}")


def promises(found: Sequence[Row]) -> list[str]:
    """Render every promise of docs/results/promises.toml with its tests and its last figures."""
    lines = []
    for name, promise in tomllib.loads((RESULTS / "promises.toml").read_text("utf-8")).items():
        lines += _wrapped(f"- **{name}** {promise['text']}  ", "  ")
        tests = ", ".join(f"`{test}`" for test in promise["tests"])
        figures: dict[str, list[str]] = {}
        for row in found:
            if row["promise"] == name:
                figures.setdefault(row["command"], []).append(_figure(row))
        sentences = [f"`{command}` – {'; '.join(texts)}." for command, texts in figures.items()]
        parts = [f"Tests: {tests}." if tests else "", *sentences, promise.get("note", "")]
        lines += _wrapped(" ".join(filter(None, parts)), "  ", "  ")
    return lines


def _figure(row: Row) -> str:
    value = f"{row['value']:,}" if row["value"].isdigit() else f"{row['value']:}"
    unit = f" {row['unit']}" if row["unit"] else ""
    if "p50" in row:
        value = f"p50 {row['p50']}, p99 {value}{unit}"
    elif "alone" in row:
        value = f"p99 {value}{unit}, alone {row['alone']}{unit}"
    else:
        value += unit
    most = f", at most {row['most']}{unit}" if "most" in row else ""
    count = f"n {row['n']:,}, " if "n" in row else ""
    return f"{row['figure']}: {value}{most} ({count}load {row['load']})"


def _wrapped(text: str, rest: str, first: str = "") -> list[str]:
    """Break a text into lines, and no code in it."""
    whole = re.sub(r"`[^`]*`", lambda span: span[0].replace(" ", "\0" if len(span[0]) < 100 else " "), text)
    end = "  " if text.endswith("  ") else ""
    filled = textwrap.fill(
        whole,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return (filled.replace("\0", " ") + end).split("\n")


SPECIAL: Mapping[str, Callable[[Sequence[Row]], list[str]]] = {
    "times": times,
    "baselines": baselines,
    "blunders": blunders,
    "promises": promises,
}


def rendered(text: str) -> str:
    """Return the text of a page with all its tables rendered from the data."""

    def block(found: "re.Match[str]") -> str:
        name, part = found[2], found[3] or found[2]
        own = [row for row in rows(name) if row.get("table", name) == part]
        lines = SPECIAL[part](own) if part in SPECIAL else table(TABLES[part], own)
        return found[1] + "\n" + "\n".join(lines) + "\n\n"

    return BLOCK.sub(block, text)


def pages() -> list[Path]:
    """Find the pages that hold such tables."""
    return [page for page in sorted((ROOT / "docs").rglob("*.md")) if BLOCK.search(page.read_text("utf-8"))]


def main() -> None:
    """Write the tables of all pages anew."""
    for page in pages():
        text = page.read_text("utf-8")
        if (new := rendered(text)) != text:
            page.write_text(new, "utf-8")
            print(page.relative_to(ROOT), file=sys.stderr)


if __name__ == "__main__":
    main()
