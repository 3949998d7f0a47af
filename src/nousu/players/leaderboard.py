"""The leaderboard: a fixed set of deals for each game, and the results of players on them.

``nousu arena … --board NAME --json`` plays one of the `SETS`, the same deals for all players, identified by
their hash; `render_board` makes the page of such results.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nousu.players.arena import Contest

ANCHORS = ("random", "rules", "searcher")
"""The opponents of all players; the board is in the order of results against the second."""


@dataclass(frozen=True, slots=True)
class DealSet:
    """Deals that are played twice each, with seats exchanged."""

    game: str
    deals: str
    """Their `deals_hash`."""
    seats: int = 4
    pairs: int = 200
    seed: int = 2026

    def contest(self, a: str, b: str) -> Contest:
        """The contest of two players on these deals."""
        return Contest(a=a, b=b, game=self.game, pairs=self.pairs, seed=self.seed, seats=self.seats)


SETS: Mapping[str, DealSet] = {
    one.game: one
    for one in (
        DealSet("tuppi", "d906f1867100d529"),
        DealSet("minnesota", "d906f1867100d529"),
        DealSet("norwegian_parlett", "d906f1867100d529"),
        DealSet("huutopussi", "31c52f41db1907a1"),
        DealSet("tuppen_zk", "af95d0059cef3c7a"),
    )
}


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line of the board: the points a hand of one player over another."""

    game: str
    a: str
    b: str
    mean: float
    low: float
    high: float
    ms: float
    """Milliseconds a choice of A."""
    made: str
    """The version and rules by which it was played."""
    where: str = ""
    """The file and line it stands in."""


def read_rows(lines: Iterable[str], name: str) -> Iterator[BoardRow]:
    """The results in the lines of a file called `name`; ValueError names a line that is none of a set."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _row(json.loads(line), f"{name}, line {number}")
        except (KeyError, TypeError, json.JSONDecodeError):
            raise ValueError(f"{name}, line {number}: expected a result of `nousu arena … --json`") from None
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None


def _row(result: Mapping[str, Any], where: str) -> BoardRow:
    game, maker = str(result["game"]), result["made_by"]
    if game not in SETS:
        raise ValueError(f"there is no set of deals for {game}; there are {', '.join(SETS)}")
    deal_set = SETS[game]
    expected = {"pairs": deal_set.pairs, "seed": deal_set.seed, "deals": deal_set.deals}
    for field, wanted in expected.items():
        if result[field] != wanted:
            raise ValueError(f"{field} {result[field]}, the set has {wanted}; play it by --board {game}")
    if maker["core"] is None:
        raise ValueError("it was played without the compiled core, with which searching players do less")
    mean, low, high = (float(result[key]) for key in ("mean", "low", "high"))
    version = f"nousu {maker['nousu']}, rules {maker['rules']}"
    spent = float(result["ms_per_move"]["a"])
    return BoardRow(game, str(result["a"]), str(result["b"]), mean, low, high, spent, version, where)


def render_board(results: Iterable[BoardRow]) -> str:
    """The tables of all sets that were played, as Markdown.

    ValueError where two lines tell of the same contest, or two of one table were played by different versions
    or rules, which cannot be compared.
    """
    by_player: dict[tuple[str, str], dict[str, BoardRow]] = {}
    first: dict[str, BoardRow] = {}
    for row in results:
        _same_maker(first.setdefault(row.game, row), row)
        against = by_player.setdefault((row.game, row.a), {})
        if row.b in against:
            raise ValueError(
                f"{row.where}: {row.a} has played {row.b} twice at {row.game}; keep this result or that of "
                f"{against[row.b].where}"
            )
        against[row.b] = row
    tables = []
    for game, deals in SETS.items():
        players = [(a, against) for (where, a), against in by_player.items() if where == game]
        others = [b for b in ANCHORS if any(b in against for _, against in players)]
        others += sorted({b for _, against in players for b in against} - set(others))
        if not players:
            continue
        players.sort(key=lambda player: _order(*player))
        lines = [
            f"## {game}",
            "",
            f"{deals.pairs} deals, seed {deals.seed}, `{deals.deals}`; all played by {first[game].made}.",
            "",
            "| player | " + " | ".join(f"over `{b}`" for b in others) + " | ms a choice |",
            "|---|" + "---|" * (len(others) + 1),
        ]
        for a, against in players:
            cells = [_cell(against.get(b)) for b in others]
            last = next(reversed(against.values()))
            lines.append(f"| `{a}` | " + " | ".join(cells) + f" | {last.ms:.1f} |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables) + "\n"


def _same_maker(first: BoardRow, row: BoardRow) -> None:
    if row.made != first.made:
        again = shlex.join(["nousu", "arena", row.a, row.b, "--board", row.game, "--json"])
        raise ValueError(
            f"{row.where}: played by {row.made}, but {first.where} by {first.made}; one table holds results "
            f"of one version and the same rules: play both by one nousu (this one: {again}), or leave one out"
        )


def _order(a: str, against: Mapping[str, BoardRow]) -> float:
    """Sort key: the best first, by points over `rules` (which is even with itself); without any last."""
    if a == ANCHORS[1]:
        return 0.0
    return -against[ANCHORS[1]].mean if ANCHORS[1] in against else 1e9


def _cell(row: BoardRow | None) -> str:
    return "" if row is None else f"{row.mean:+.2f} ({row.low:+.2f} … {row.high:+.2f})".replace("-", "−")
