"""Ranks of the second, plain computation: one list for each format, computed the long way round."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from nousu.games import find
from nousu.games.whist import score
from tools.tournament_oracle.book import Book, shuffled, when

Row = list[Any]
_Game = tuple[int, int, int, list[int], list[int]]
"""Two numbers, the winning side (-1: drawn), points and highest rise of each side."""


def _rank(rows: list[tuple[Any, Row]]) -> list[Row]:
    """Rows (the better the smaller their key) with competition ranks: 1, 2, 2, 4."""
    ordered = sorted(rows, key=lambda row: row[0])
    return [[1 + sum(other[0] < key for other in ordered), *row] for key, row in ordered]


def _teams(book: Book, sums: Mapping[int, int], best: int, lowest: bool) -> list[Any]:
    teams: dict[str, list[int]] = {}
    for number, points in sums.items():
        if book.person(number)["team"] and not (lowest and number in book.gone):
            teams.setdefault(book.person(number)["team"], []).append(points)
    if not best or not teams:
        return []
    rows = []
    for team in sorted(teams):
        most = sorted(teams[team], reverse=not lowest)[:best]
        key = (-len(most), sum(most)) if lowest else (0, -sum(most))
        rows.append((key, [0, team, [sum(most), len(most)]]))
    return [["teams", _rank(rows)]]


def _groups(book: Book, everybody: Sequence[Sequence[Any]]) -> list[Any]:
    """Prize groups: those of the ranking with a value in a column of the list, counted anew."""
    sections = []
    for column, value in book.groups:
        wanted = " ".join(value.casefold().split())
        rows: list[Row] = []
        for rank, number, name, cells in everybody:
            text = book.person(number)["columns"].get(column, "")
            if " ".join(text.casefold().split()) == wanted:
                place = 1 + len([row for row in rows if row[3][1] < rank])
                rows.append([place, number, name, [cells[0], rank]])
        if rows:
            sections.append([f"prize {column}: {value}", rows])
    return sections


# Tuppen


def _tuppen_points(book: Book) -> dict[int, dict[str, int]]:
    """Points by number and series."""
    points: dict[int, dict[str, int]] = {n: {} for n in range(1, len(book.numbers) + 1)}
    lowest = book.options["lowest"]
    played_labels = []
    for key, table, result in book.counted():
        label = key.split(".")[0]
        if label[0] == "S":
            continue
        if label not in played_labels:
            played_labels.append(label)
        pay = book.by_options(label)["place_points"]
        worst = max(pay[: book.by_options(label)["most"]])
        for number in table:
            total = 0
            for game in result["games"]:
                if number in game["order"]:
                    total += pay[game["order"].index(number)]
                elif lowest:
                    total += worst
            points[number][label] = total
    for label in played_labels if lowest else ():
        options = book.by_options(label)
        for number, series in points.items():
            if all(number not in table for table in book.rounds[label]):
                series[label] = options["games"] * max(options["place_points"][: options["most"]])
    return points


def _tuppen_order(book: Book) -> list[tuple[Any, int]]:
    """A key for everybody; the smaller, the better."""
    points = _tuppen_points(book)
    keys: list[tuple[Any, int]] = []
    for number, series in points.items():
        total = sum(series.values()) + sum(change for who, change in book.rulings if who == number)
        if book.options["lowest"]:
            keys.append(((number in book.gone, total), number))
        else:
            keys.append(((False, -total), number))
    return keys


def _race(book: Book) -> tuple[list[int], list[int], set[str], bool]:
    """Candidates for the cup, those level, void Stechen, and whether one is being played."""
    series = [label for label in book.rounds if label[0] != "S"]
    done = {key for key, _, _ in book.counted()}
    if len(series) != book.options["series"] or any(
        key not in done for key, _ in book.tables() if key[0] != "S"
    ):
        return [], [], set(), False
    keys = _tuppen_order(book)
    top = min(key for key, _ in keys)
    level = [number for key, number in keys if key == top]
    left, void, open_one = list(level), set(), False
    for label in sorted((label for label in book.rounds if label[0] == "S"), key=when):
        here = [number for number in left if not book.has_gone(number, label)]
        seats = sorted(number for table in book.rounds[label] for number in table)
        if open_one or len(here) < 2 or seats != sorted(here):
            void.add(label)
            continue
        keys_here = [f"{label}.{at}" for at in range(1, len(book.rounds[label]) + 1)]
        if all(key in done for key in keys_here):
            left = [book.slips[key]["result"]["games"][0]["order"][0] for key in keys_here]
        else:
            open_one = True
    return left, level, void, open_one


def void_stechen(book: Book) -> set[str]:
    """The Stechen that no longer count."""
    return _race(book)[2]


def tuppen(book: Book) -> list[Any]:
    """Standings of an evening of Tuppen, its teams, and the holder of the cup after a tie."""
    points = _tuppen_points(book)
    changes = {who: 0 for who, _ in book.rulings}
    for who, change in book.rulings:
        changes[who] += change
    rows: list[tuple[Any, Row]] = []
    for key, number in _tuppen_order(book):
        series = points[number]
        cells: Row = [sum(series.values()) + changes.get(number, 0)]
        cells += [series.get(str(label), "") for label in range(1, book.options["series"] + 1)]
        if changes:
            cells.append(changes.get(number, ""))
        rows.append((key, [number, book.name(number), cells]))
    sections: list[Any] = [["standings", _rank(rows)]]
    sums = {number: cells[0] for _, (number, _, cells) in rows}
    sections += _teams(book, sums, book.options["teams"], book.options["lowest"])
    sections += _groups(book, sections[0][1])
    if book.options["cup"]:
        left, level, _, open_one = _race(book)
        staying = [number for number in left if number not in book.gone]
        if (len(level) > 1 and len(left) == 1) or (len(level) > 1 and not staying):
            sections.append(["cup", left])
        elif len(level) > 1 and len(staying) == 1 and not open_one:
            sections.append(["cup", staying])
    return sections


# Tuppi


def match_of(preset: str, cup: bool, words: Sequence[str]) -> tuple[int, list[int], list[int], int]:
    """Winner (-1: drawn), sums, highest rises and hands of a score sheet."""
    rules: Any = find(preset)[1]
    steps = list(rules.limit_tiebreak)
    if cup and "extra_hands" not in steps:
        steps = [*(step for step in steps if step != "draw"), "extra_hands"]
    sums, peaks, riser, height, extra = [0, 0], [0, 0], None, 0, False
    for hand, word in enumerate(words, 1):
        side, points = _hand(rules, word)
        if extra:
            return side, sums, peaks, hand
        if riser is None or riser == side:
            riser, height = side, (height + points if riser == side else points)
            sums[side] += points
            peaks[side] = max(peaks[side], height)
            if height >= rules.target:
                return side, sums, peaks, hand
        else:
            riser, height = None, 0
        if rules.max_hands and hand >= rules.max_hands and (riser is None or not rules.extension):
            first, second = (sums, peaks) if rules.limit_criterion == "sum" else (peaks, sums)
            for figures in [first, *([second] if "other_criterion" in steps else [])]:
                if figures[0] != figures[1]:
                    return int(figures[1] > figures[0]), sums, peaks, hand
            if "extra_hands" not in steps:
                return -1, sums, peaks, hand
            extra = True
    raise ValueError("the sheet does not end")


def _hand(rules: Any, word: str) -> tuple[int, int]:
    """The scoring side and its points."""
    if word[0] in "AB":
        return "AB".index(word[0]), int(word[1:] or 0)
    both = _trick_points(rules, word)
    return (0, both[0]) if both[0] > 0 else (1, both[1])


def _trick_points(rules: Any, word: str) -> tuple[int, ...]:
    """The points of both sides in a hand written by its tricks."""
    side, own = "AB".index(word[1]), int(word[2:])
    tricks = (own, 13 - own) if side == 0 else (13 - own, own)
    high = word[0] in "rhg"
    return score(rules, "high" if high else "low", side if high else None, tricks)


def _figures(book: Book, key: str, result: Any) -> Any:
    """The figures of a match, computed anew if the sheet is there."""
    if "sheet" not in result:
        return result["winner"], result["total"], result["peak"]
    preset = book.by_options(key.split(".")[0])["preset"]
    return match_of(preset, key[0] == "C", result["sheet"])[:3]


def tuppi(book: Book) -> list[Any]:
    """Tables of the pools of a Tuppi event, and the rounds reached in its cup."""
    sections: list[Any] = []
    if not book.numbers:
        return sections
    if any(label[0] == "C" for label in book.rounds):
        sections.append(_cup(book))
    return sections + [_pool(book, pool) for pool in range(book.options["pools"])]


def _pool(book: Book, pool: int) -> list[Any]:
    pools = book.options["pools"]
    mine = [number for number in range(1, len(book.numbers) + 1) if (number - 1) % pools == pool]
    games = _pool_games(book, mine)
    table = _pool_table(book, mine, games)
    groups: dict[Any, list[int]] = {}
    for number in mine:
        groups.setdefault((-table[number][0], -table[number][5], -table[number][6]), []).append(number)
    ordered: list[list[int]] = []
    for key in sorted(groups):
        for part in _parted(groups[key], games):
            if len(part) > 1 and any(table[number][1] for number in part):
                lot = shuffled(book.seed, [book.entered_name(n) for n in part], f"lot pool {chr(65 + pool)}")
                ordered += [[part[at]] for at in lot]
            else:
                ordered.append(part)
    rows, rank = [], 1
    for part in ordered:
        rows += [[rank, number, book.name(number), table[number]] for number in part]
        rank += len(part)
    return [f"pool {chr(65 + pool)}", rows]


def _pool_games(book: Book, mine: Sequence[int]) -> list[_Game]:
    """The games of a pool, with wins for those that the plan still owed against people who left."""
    games: list[_Game] = []
    for key, (a, b), result in book.counted():
        if key[0] != "C" and a in mine:
            games.append((a, b, *_figures(book, key, result)))
    seated: list[list[int]] = [
        table for label, tables in book.rounds.items() if label[0] != "C" for table in tables
    ]
    present = [number for number in mine if any(number in table for table in seated)]
    for gone in present:
        for stays in present:
            if gone in book.gone and stays not in book.gone:
                planned = sum(sorted(table) == sorted((gone, stays)) for table in seated)
                games += [(stays, gone, 0, [0, 0], [0, 0])] * (book.options["legs"] - planned)
    return games


def _pool_table(book: Book, mine: Sequence[int], games: Sequence[_Game]) -> dict[int, list[int]]:
    """Figures by number: points, games played, won, drawn, lost, sum of points made, sum of highest rises."""
    table: dict[int, list[int]] = {number: [0] * 7 for number in mine}
    for a, b, winner, sums, peaks in games:
        for side, number in enumerate((a, b)):
            row = table[number]
            row[0] += 1 if winner < 0 else 2 * (winner == side)
            row[1] += 1
            row[3 if winner < 0 else 2 if winner == side else 4] += 1
            row[5] += sums[side]
            row[6] += peaks[side]
    for number, change in book.rulings:
        if number in table:
            table[number][0] += change
    return table


def _parted(group: list[int], games: Sequence[_Game]) -> list[list[int]]:
    """A group of equals, ordered by the points of its games among itself once all of it have met."""
    if len(group) < 2 or not all(
        any({a, b} == {x, y} for a, b, *_ in games) for x, y in combinations(group, 2)
    ):
        return [group]
    points = dict.fromkeys(group, 0)
    for a, b, winner, *_ in games:
        for side, number in enumerate((a, b)):
            if a in group and b in group:
                points[number] += 1 if winner < 0 else 2 * (winner == side)
    return [
        [number for number in group if points[number] == value]
        for value in sorted(set(points.values()), reverse=True)
    ]


def _cup(book: Book) -> list[Any]:
    labels = sorted((label for label in book.rounds if label[0] == "C"), key=when)
    reached: dict[int, int] = {}
    done = {key: result for key, _, result in book.counted()}
    first = len(book.rounds["C1"])
    for depth, label in enumerate(labels):
        leading = first >> (when(label)[1] - 1)
        for at, table in enumerate(book.rounds[label], 1):
            third = at > leading
            for number in () if third else table:
                reached[number] = 2 * depth
            if len(table) == 1:
                reached[table[0]] = 2 * depth + 2
            if len(table) == 2 and f"{label}.{at}" in done:
                key = f"{label}.{at}"
                best = table[_figures(book, key, done[key])[0]]
                reached[best] = reached[best] + 1 if third else 2 * depth + 2
    rows = [(-far, [number, book.name(number), [far // 2]]) for number, far in reached.items()]
    return ["cup rounds", _rank(rows)]


# drives

MISSED = "missed"


def _fill_missed_rounds(made: dict[int, dict[str, Any]], labels: Sequence[str], lowest: bool) -> None:
    """Count games not played as the worst where the lowest sum wins; else they bring no points (A-U-24).

    Without a seat in a round, nobody has a result for it, unless the lowest sum wins.
    """
    every_result = []
    for rounds in made.values():
        every_result += [points for points in rounds.values() if isinstance(points, int)]
    for label in labels:
        results = [rounds[label] for rounds in made.values() if isinstance(rounds.get(label), int)]
        worst = max(results or every_result or [0])
        for rounds in made.values():
            if lowest and label not in rounds:
                rounds[label] = worst
            if rounds.get(label) == MISSED:
                rounds[label] = worst if lowest else 0


def drive(book: Book) -> list[Any]:
    """Standings of a drive, and its teams."""
    everybody = range(1, len(book.numbers) + 1)
    made: dict[int, dict[str, Any]] = {number: {} for number in everybody}
    labels = list(dict.fromkeys(key.split(".")[0] for key, _, _ in book.counted()))
    for label in labels:
        for table in book.rounds[label]:
            if len(table) == 1 and not book.has_gone(table[0], label):
                made[table[0]][label] = None
    for key, table, result in book.counted():
        label = key.split(".")[0]
        for at, number in enumerate(table):
            if "void" in result:
                made[number][label] = MISSED if number == result["void"] else None
            elif "forfeit" in result:
                made[number][label] = MISSED if at == result["forfeit"] else None
            else:
                made[number][label] = _drive_scores(book, label, result)[at % 2]
    _fill_missed_rounds(made, labels, book.options["lowest"])
    rows: list[tuple[Any, Row]] = []
    for number in everybody:
        played = [points for points in made[number].values() if points is not None]
        rest = 0
        if book.options["bye"] == "mean" and played:
            rest = (2 * sum(played) + len(played)) // (2 * len(played))
        total = sum(rest if points is None else points for points in made[number].values())
        total += sum(change for who, change in book.rulings if who == number)
        cells: Row = [total]
        for at in range(1, book.options["rounds"] + 1):
            points = made[number].get(str(at), "")
            cells.append(f"*{rest}" if points is None else points)
        lowest = book.options["lowest"]
        order = (number in book.gone, total) if lowest else (False, -total)
        rows.append((order, [number, book.name(number), cells]))
    sections = [["standings", _rank(rows)]]
    sums = {number: cells[0] for _, (number, _, cells) in rows}
    sections += _teams(book, sums, book.options["teams"], book.options["lowest"])
    return sections + _groups(book, sections[0][1])


def _drive_scores(book: Book, label: str, result: Any) -> list[int]:
    """The totals of both sides of a table, added up anew if the hands are there."""
    if "sheet" not in result:
        return list(result["scores"])
    rules: Any = find(book.by_options(label)["preset"])[1]
    totals = [0, 0]
    for word in result["sheet"]:
        both = _trick_points(rules, word)
        totals = [totals[0] + both[0], totals[1] + both[1]]
    return totals
