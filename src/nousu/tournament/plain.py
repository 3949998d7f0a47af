"""A second, plain computation of a whole event, straight from the lines of its log.

It shares nothing with the office but the numbers in the rules of the games: no model, no formats, no
ranking, no sheets. Everything is a dictionary or a list and is computed the long way round. `conformance`
compares what both say. Where the two differ, one of them is wrong.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from nousu.games import find
from nousu.games.whist import score

Event = Mapping[str, Any]
Row = list[Any]

DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "tuppen": {
        "series": 5, "games": 2, "least": 3, "most": 5, "place_points": [5, 3, 2, 1, 0],
        "lowest": False, "teams": 0, "cup": True,
    },
    "tuppi": {"preset": "tuppi_tournament", "pools": 1, "through": 0, "legs": 1, "third_place": False},
    "drive": {
        "preset": "minnesota", "unit": "pairs", "rounds": 6, "hands": 8, "bye": "mean", "lowest": False,
        "teams": 0,
    },
}  # fmt: skip


def lines_of(data: bytes) -> list[Event]:
    """The events of a log; `ValueError` names the first line whose seal is broken."""
    head = hashlib.sha256(b"nousu tournament log 1").hexdigest()
    events = []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        seal, rest = line[9:73], line[75:]
        head = hashlib.sha256(head.encode() + rest).hexdigest()
        if head.encode() != seal or line[:9] != b'{"hash":"' or line[73:75] != b'",':
            raise ValueError(f"line {number}")
        events.append(json.loads(b"{" + rest))
    return events


def shuffled(seed: str, names: Sequence[str], label: str) -> list[int]:
    """The draw, computed anew from its description."""
    key = hashlib.sha256("\n".join(["nousu draw 1", label, seed, *names]).encode()).digest()
    numbers: list[int] = []
    order = list(range(len(names)))
    block = 0
    for last in range(len(names) - 1, 0, -1):
        while True:
            if not numbers:
                made = hmac.new(key, block.to_bytes(8, "big"), "sha256").digest()
                numbers = [int.from_bytes(made[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
            one = numbers.pop(0)
            if one < 2**64 - 2**64 % (last + 1):
                break
        other = one % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def when(label: str) -> tuple[int, int]:
    """Where a round stands in time."""
    stage = "CS".find(label[0]) + 1
    return stage, int(label[1:] if stage else label)


class Book:
    """The event as the plain computation knows it."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.kind = ""
        self.older: dict[str, dict[str, Any]] = {}
        self.people: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.seed = ""
        self.rounds: dict[str, list[list[int]]] = {}
        self.slips: dict[str, dict[str, Any]] = {}
        self.printed: set[str] = set()
        self.clocks: set[str] = set()
        self.gone: dict[int, tuple[tuple[int, int], int]] = {}
        self.rulings: list[tuple[int, int]] = []
        self.waiting: dict[int, Event] = {}
        self.published = 0
        self.wrong: list[str] = []
        """What the plain computation found wrong in the log itself."""

    # small questions

    def name(self, number: int) -> str:
        return " & ".join(self.person(number)["members"])

    def person(self, number: int) -> dict[str, Any]:
        return self.people[self.numbers[number - 1] - 1]

    def has_gone(self, number: int, label: str = "", game: int = 1) -> bool:
        left = self.gone.get(number)
        return left is not None and (not label or left <= (when(label), game))

    def by_options(self, label: str) -> dict[str, Any]:
        return self.older.get(label, self.options)

    def tables(self) -> list[tuple[str, list[int]]]:
        return [
            (f"{label}.{at}", table)
            for label in sorted(self.rounds, key=when)
            for at, table in enumerate(self.rounds[label], 1)
            if len(table) > 1
        ]

    def counted(self) -> list[tuple[str, list[int], Any]]:
        return [
            (key, table, self.slips[key]["result"])
            for key, table in self.tables()
            if self.slips.get(key, {}).get("state") in ("confirmed", "accepted")
        ]

    def begun(self) -> list[str]:
        """The rounds that have begun."""
        labels = sorted(self.rounds, key=when)
        busy = [
            labels.index(key.split(".")[0]) for key, slip in self.slips.items() if not slip["unplayed"]
        ] + [labels.index(key.split(".")[0]) for key in self.clocks if key.split(".")[0] in self.rounds]
        last = max(busy, default=-1)
        if last + 1 < len(labels):
            for at in range(1, len(self.rounds[labels[last + 1]]) + 1):
                key = f"{labels[last + 1]}.{at}"
                if key in self.printed and key not in self.slips:
                    last += 1
                    break
        return labels[: last + 1]

    # events

    def take(self, event: Event) -> None:
        """Carry out one event."""
        kind = event["do"]
        both = ("corrected", "penalty", "forfeited", "renamed", "withdrawn")
        if self.published and kind in both and not event.get("seconded"):
            self.waiting[event["n"]] = event
            return
        getattr(self, f"do_{kind}")(event)

    def do_opened(self, event: Event) -> None:
        given = dict(event["format"])
        self.kind = given.pop("name")
        self.options = {**DEFAULTS[self.kind], **given}

    def do_options(self, event: Event) -> None:
        began = self.begun()
        for label in began:
            self.older.setdefault(label, self.options)
        self.options = {**self.options, **event["options"]}
        broken: set[int] = set()
        for label in sorted(self.rounds, key=when):
            if when(label)[0] in broken or (label not in began and not self.allowed(label)):
                broken.add(when(label)[0])
                self.drop(label)

    def allowed(self, label: str) -> bool:
        """Whether a planned round fits the options in force."""
        sizes = [len(table) for table in self.rounds[label]]
        if self.kind == "tuppen" and label[0] != "S":
            fits = all(self.options["least"] <= size <= self.options["most"] for size in sizes)
            if when(label)[1] > self.options["series"]:
                fits = False
        elif self.kind == "drive":
            fits = when(label)[1] <= self.options["rounds"]
        else:
            return True
        seated = {number for table in self.rounds[label] for number in table}
        staying = {n for n in range(1, len(self.numbers) + 1) if not self.has_gone(n, label)}
        return fits and staying <= seated

    def drop(self, label: str) -> None:
        """Take a round out of the plan."""
        del self.rounds[label]
        for key in [key for key in (*self.slips, *self.printed) if key.split(".")[0] == label]:
            self.slips.pop(key, None)
            self.printed.discard(key)

    def do_entered(self, event: Event, lone: bool = False) -> None:
        for one in event["people"]:
            self.people.append(
                {"members": one["members"], "team": one.get("team", ""), "lone": lone, "struck": False}
            )
            if self.numbers and not lone:
                self.numbers.append(len(self.people))

    def do_lone(self, event: Event) -> None:
        self.do_entered(event, lone=True)

    def do_joined(self, event: Event) -> None:
        alone = [at for at, one in enumerate(self.people) if one["lone"] and not one["struck"]]
        names = [self.people[at]["members"][0] for at in alone]
        drawn = [alone[at] + 1 for at in shuffled(event["seed"], names, "pairs")]
        if [list(pair) for pair in event["pairs"]] != [drawn[at : at + 2] for at in range(0, len(drawn), 2)]:
            self.wrong.append(f"entry {event['n']}: pairs")
        for a, b in event["pairs"]:
            one, other = self.people[a - 1], self.people[b - 1]
            one["struck"] = other["struck"] = True
            team = one["team"] if one["team"].casefold() == other["team"].casefold() else ""
            pair = {"members": one["members"] + other["members"], "team": team}
            self.people.append({**pair, "lone": False, "struck": False})
            if self.numbers:
                self.numbers.append(len(self.people))

    def do_renamed(self, event: Event) -> None:
        one = self.people[event["id"] - 1]
        one["members"], one["team"] = event["members"], event.get("team", one["team"])

    def do_struck(self, event: Event) -> None:
        self.people[event["id"] - 1]["struck"] = True

    def do_drawn(self, event: Event) -> None:
        ids = [at for at, one in enumerate(self.people, 1) if not one["struck"] and not one["lone"]]
        names = [" & ".join(self.people[at - 1]["members"]) for at in ids]
        if [ids[at] for at in shuffled(event["seed"], names, "numbers")] != event["numbers"]:
            self.wrong.append(f"entry {event['n']}: numbers")
        self.numbers, self.seed = list(event["numbers"]), event["seed"]

    def do_numbered(self, event: Event) -> None:
        self.numbers, self.seed = list(event["numbers"]), event["seed"]

    def do_apart(self, event: Event) -> None:
        pass

    do_admitted = do_revoked = do_arrived = do_online = do_relinked = do_starts = do_apart

    def do_planned(self, event: Event) -> None:
        first = min(map(when, event["rounds"]))
        before = {label: self.rounds[label] for label in self.rounds}
        for label in [label for label in self.rounds if first[0] == when(label)[0] and when(label) >= first]:
            if event["rounds"].get(label) is None:
                self.drop(label)
        for label, tables in event["rounds"].items():
            self.put(label, [list(table) for table in tables], before.get(label, []))

    def put(self, label: str, tables: list[list[int]], before: list[list[int]]) -> None:
        """Seat a round; tables that seat others than before begin anew."""
        self.rounds[label] = tables
        for at in range(1, max(len(tables), len(before)) + 1):
            old = before[at - 1] if at <= len(before) else None
            if at > len(tables) or old != tables[at - 1]:
                self.slips.pop(f"{label}.{at}", None)
                self.printed.discard(f"{label}.{at}")

    def do_swapped(self, event: Event) -> None:
        other = {event["a"]: event["b"], event["b"]: event["a"]}
        old = self.rounds[event["round"]]
        self.put(event["round"], [[other.get(n, n) for n in table] for table in old], old)

    def do_printed(self, event: Event) -> None:
        self.printed.update(event["tables"])

    def enter(self, key: str, result: Any, event: Event, state: str = "entered") -> None:
        self.slips[key] = {"state": state, "result": result, "by": event["by"], "unplayed": False}

    def do_slip(self, event: Event) -> None:
        self.enter(event["table"], event["result"], event)

    def do_confirmed(self, event: Event) -> None:
        for key in event.get("tables", [event.get("table")]):
            if self.slips[key]["by"].casefold() == event["by"].casefold():
                self.wrong.append(f"entry {event['n']}: the same person")
            self.slips[key]["state"] = "confirmed"

    def do_accepted(self, event: Event) -> None:
        for key in event["tables"]:
            if self.slips[key]["state"] != "confirmed":
                self.wrong.append(f"entry {event['n']}: {key} was not confirmed")
            self.slips[key]["state"] = "accepted"

    def do_corrected(self, event: Event) -> None:
        self.enter(event["table"], event["result"], event, "accepted" if event.get("seconded") else "entered")

    def do_forfeited(self, event: Event) -> None:
        key = event["table"]
        label, _, at = key.partition(".")
        side = self.rounds[label][int(at) - 1].index(event["loser"])
        self.enter(key, self.lost(side), event, "accepted" if event.get("seconded") else "entered")

    def lost(self, side: int) -> Any:
        """The result of a match that one side has given up."""
        if self.kind == "drive":
            return {"forfeit": side, "scores": [0, 0]}
        return {"forfeit": side, "winner": 1 - side, "total": [0, 0], "peak": [0, 0], "hands": 0}

    def do_late(self, event: Event) -> None:
        self.clocks.add(event["table"])

    do_seated = do_late

    def do_penalty(self, event: Event) -> None:
        if event.get("points"):
            self.rulings.append((event["number"], event["points"]))

    def do_withdrawn(self, event: Event) -> None:
        number, label, game = event["number"], event["round"], event.get("game", 1)
        self.gone[number] = (when(label), game)
        for key, table in self.tables():
            at = key.split(".")[0]
            if number not in table or (when(label), game) > (when(at), game) or key in self.slips:
                continue
            result = None
            if self.kind == "tuppi":
                result = self.lost(table.index(number))
            elif self.kind == "drive" and at in self.begun():
                result = {"void": number}
            elif self.kind == "tuppen" and all(self.has_gone(one, at) for one in table):
                games = 1 if at[0] == "S" else self.by_options(at)["games"]
                result = {"games": [{"order": []}] * games}
            if result is not None:
                self.enter(key, result, event, "accepted")
                self.slips[key]["unplayed"] = True

    def do_published(self, event: Event) -> None:
        void = void_stechen(self) if self.kind == "tuppen" else set()
        for key, _ in self.tables():
            if key.split(".")[0] not in void and self.slips.get(key, {}).get("state") != "accepted":
                self.wrong.append(f"entry {event['n']}: published without {key}")
        self.seal(event)

    def seal(self, event: Event) -> None:
        """Compare a published fingerprint with what this computation gives."""
        self.published += 1
        if event["digest"] != fingerprint(self):
            self.wrong.append(f"entry {event['n']}: revision {self.published} is something else")

    def do_seconded(self, event: Event) -> None:
        first = self.waiting.pop(event["entry"])
        if first["by"].casefold() == event["by"].casefold():
            self.wrong.append(f"entry {event['n']}: the same person")
        getattr(self, f"do_{first['do']}")({**first, "seconded": event["by"]})
        self.seal(event)


def replay(events: Sequence[Event]) -> Book:
    """The whole event, undone entries left out."""
    dead: set[int] = set()
    for event in reversed(events):
        if event["do"] == "undone" and event["n"] not in dead:
            dead.add(event["entry"])
    book = Book()
    for event in events:
        if event["do"] != "undone" and event["n"] not in dead:
            book.take(event)
    return book


def missing(book: Book) -> list[str]:
    """The tables without a result."""
    void = void_stechen(book) if book.kind == "tuppen" else set()
    return [key for key, _ in book.tables() if key not in book.slips and key.split(".")[0] not in void]


def core(book: Book) -> list[Any]:
    """Ranks and figures of all tables of results, and who has the cup after a tie."""
    return {"tuppen": _tuppen, "tuppi": _tuppi, "drive": _drive}[book.kind](book)


def fingerprint(book: Book) -> str:
    text = json.dumps(core(book), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


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


# Tuppen


def _tuppen_points(book: Book) -> dict[int, dict[str, int]]:
    """Points by number and series."""
    found: dict[int, dict[str, int]] = {n: {} for n in range(1, len(book.numbers) + 1)}
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
            found[number][label] = total
    for label in played_labels if lowest else ():
        options = book.by_options(label)
        for number, made in found.items():
            if all(number not in table for table in book.rounds[label]):
                made[label] = options["games"] * max(options["place_points"][: options["most"]])
    return found


def _tuppen_order(book: Book) -> list[tuple[Any, int]]:
    """A key for everybody; the smaller, the better."""
    points = _tuppen_points(book)
    keys: list[tuple[Any, int]] = []
    for number, made in points.items():
        total = sum(made.values()) + sum(change for who, change in book.rulings if who == number)
        if book.options["lowest"]:
            keys.append(((number in book.gone, total), number))
        else:
            keys.append(((False, -total), number))
    return keys


def _race(book: Book) -> tuple[list[int], list[int], set[str], bool]:
    """Who can still win the cup, who is level, which Stechen are void, whether one is being played."""
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
    return _race(book)[2]


def _tuppen(book: Book) -> list[Any]:
    points = _tuppen_points(book)
    changes = {who: 0 for who, _ in book.rulings}
    for who, change in book.rulings:
        changes[who] += change
    rows: list[tuple[Any, Row]] = []
    for key, number in _tuppen_order(book):
        made = points[number]
        cells: Row = [sum(made.values()) + changes.get(number, 0)]
        cells += [made.get(str(label), "") for label in range(1, book.options["series"] + 1)]
        if changes:
            cells.append(changes.get(number, ""))
        rows.append((key, [number, book.name(number), cells]))
    found: list[Any] = [["standings", _rank(rows)]]
    sums = {number: cells[0] for _, (number, _, cells) in rows}
    found += _teams(book, sums, book.options["teams"], book.options["lowest"])
    if book.options["cup"]:
        left, level, _, open_one = _race(book)
        staying = [number for number in left if number not in book.gone]
        if (len(level) > 1 and len(left) == 1) or (len(level) > 1 and not staying):
            found.append(["cup", left])
        elif len(level) > 1 and len(staying) == 1 and not open_one:
            found.append(["cup", staying])
    return found


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
    """Who scored how much."""
    if word[0] in "AB":
        return "AB".index(word[0]), int(word[1:] or 0)
    side, own = "AB".index(word[1]), int(word[2:])
    tricks = (own, 13 - own) if side == 0 else (13 - own, own)
    high = word[0] in "rhg"
    both = score(rules, "high" if high else "low", side if high else None, tricks)
    return (0, both[0]) if both[0] > 0 else (1, both[1])


def _figures(book: Book, key: str, result: Any) -> Any:
    """What a match counts, computed anew where the sheet is there."""
    if "sheet" not in result:
        return result["winner"], result["total"], result["peak"]
    preset = book.by_options(key.split(".")[0])["preset"]
    return match_of(preset, key[0] == "C", result["sheet"])[:3]


def _tuppi(book: Book) -> list[Any]:
    found: list[Any] = []
    if not book.numbers:
        return found
    if any(label[0] == "C" for label in book.rounds):
        found.append(_cup(book))
    return found + [_pool(book, pool) for pool in range(book.options["pools"])]


def _pool(book: Book, pool: int) -> list[Any]:
    pools = book.options["pools"]
    mine = [number for number in range(1, len(book.numbers) + 1) if (number - 1) % pools == pool]
    games: list[tuple[int, int, int, list[int], list[int]]] = []  # a, b, winner, sums, peaks
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

    def own(number: int, group: list[int]) -> int:
        points = 0
        for a, b, winner, *_ in games:
            if number in (a, b) and a in group and b in group:
                points += 1 if winner < 0 else 2 * ((a, b)[winner] == number)
        return points

    def all_met(group: list[int]) -> bool:
        return all(any({a, b} == {x, y} for a, b, *_ in games) for x, y in combinations(group, 2))

    ordered: list[list[int]] = []
    groups: dict[Any, list[int]] = {}
    for number in mine:
        groups.setdefault((-table[number][0], -table[number][5], -table[number][6]), []).append(number)
    for key in sorted(groups):
        parts = [groups[key]]
        if len(parts[0]) > 1 and all_met(parts[0]):
            whole = parts[0]
            made = {number: own(number, whole) for number in whole}
            parts = [
                [n for n in whole if made[n] == points] for points in sorted(set(made.values()), reverse=True)
            ]
        for part in parts:
            if len(part) > 1 and any(table[number][1] for number in part):
                lot = shuffled(book.seed, [book.name(n) for n in part], f"lot pool {chr(65 + pool)}")
                ordered += [[part[at]] for at in lot]
            else:
                ordered.append(part)
    rows, rank = [], 1
    for part in ordered:
        rows += [[rank, number, book.name(number), table[number]] for number in part]
        rank += len(part)
    return [f"pool {chr(65 + pool)}", rows]


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


def _drive(book: Book) -> list[Any]:
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
                points = 0 if number == result["void"] else None
            elif "forfeit" in result:
                points = 0 if at == result["forfeit"] else None
            else:
                points = _drive_scores(book, label, result)[at % 2]
            made[number][label] = points
    if book.options["lowest"]:
        for label in labels:
            worst = max((made[n][label] or 0 for n in everybody if label in made[n]), default=0)
            for number in everybody:
                made[number].setdefault(label, worst)
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
    found = [["standings", _rank(rows)]]
    sums = {number: cells[0] for _, (number, _, cells) in rows}
    return found + _teams(book, sums, book.options["teams"], book.options["lowest"])


def _drive_scores(book: Book, label: str, result: Any) -> list[int]:
    """Both totals of a table, added up anew where the hands are there."""
    if "sheet" not in result:
        return list(result["scores"])
    rules: Any = find(book.by_options(label)["preset"])[1]
    totals = [0, 0]
    for word in result["sheet"]:
        side, own = "AB".index(word[1]), int(word[2:])
        tricks = (own, 13 - own) if side == 0 else (13 - own, own)
        high = word[0] in "rhg"
        both = score(rules, "high" if high else "low", side if high else None, tricks)
        totals = [totals[0] + both[0], totals[1] + both[1]]
    return totals
