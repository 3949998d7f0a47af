"""Second, plain computation of a whole event, straight from the lines of its log.

It shares nothing with the office but the numbers in the rules of the games: no model, no formats, no ranking,
no sheets. Everything is a dictionary or a list and is computed the long way round. `comparison` compares both
results; where they differ, one of them is wrong.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from tools.tournament_oracle.book import Book, Event, shuffled, when
from tools.tournament_oracle.ranks import drive, tuppen, tuppi, void_stechen

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


class Replay(Book):
    """A book that carries out the events of a log."""

    def take(self, event: Event) -> None:
        """Carry out one event."""
        kind = event["do"]
        both = ("corrected", "penalty", "forfeited", "renamed", "withdrawn", "noted")
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
        self.cards_out.discard(label)
        for key in [key for key in (*self.slips, *self.printed) if key.split(".")[0] == label]:
            self.slips.pop(key, None)
            self.printed.discard(key)

    def do_entered(self, event: Event, lone: bool = False) -> None:
        for one in event["people"]:
            self.people.append(
                {
                    "members": one["members"],
                    "team": one.get("team", ""),
                    "columns": dict(one.get("columns", {})),
                    "lone": lone,
                    "struck": False,
                }
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
            columns = {**other["columns"], **one["columns"]}
            pair = {"members": one["members"] + other["members"], "team": team, "columns": columns}
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
    do_paid = do_picked = do_apart

    def do_noted(self, event: Event) -> None:
        columns = self.people[event["id"] - 1]["columns"]
        columns.pop(event["column"], None)
        if event["text"]:
            columns[event["column"]] = event["text"]

    def do_prizes(self, event: Event) -> None:
        self.groups = [list(group) for group in event["groups"]]

    def do_substituted(self, event: Event) -> None:
        """From a round on somebody else sits there; number, tables and results stay as they are."""
        since = when(event["round"])
        for key, table in self.tables():
            slip = self.slips.get(key)
            if (
                event["number"] in table
                and when(key.split(".")[0]) >= since
                and slip
                and not slip["unplayed"]
            ):
                self.wrong.append(f"entry {event['n']}: {key} was played already")
        chain = self.taken_over.setdefault(event["number"], [])
        chain.append((since, event["member"], event["name"]))

    def do_added(self, event: Event) -> None:
        """Late people sit down at one table of one round; its slip begins anew, and nothing else changes."""
        tables = [list(table) for table in self.rounds[event["round"]]]
        if event["table"]:
            key = f"{event['round']}.{event['table']}"
            if key in self.slips:
                self.wrong.append(f"entry {event['n']}: {key} was played already")
            tables[event["table"] - 1] += event["numbers"]
            self.printed.discard(key)
        else:
            tables.append(list(event["numbers"]))
        self.rounds[event["round"]] = tables

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
        if tables != before:
            self.cards_out.discard(label)
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
        if event.get("begins", True):
            self.printed.update(event["tables"])

    def do_begun(self, event: Event) -> None:
        self.cards_out.add(event["round"])

    def enter(self, key: str, result: Any, event: Event, state: str = "entered") -> None:
        phone = event.get("device", "") if event["do"] == "slip" else ""
        by = event["by"]
        self.slips[key] = {"state": state, "result": result, "by": by, "unplayed": False, "phone": phone}

    def do_slip(self, event: Event) -> None:
        self.enter(event["table"], event["result"], event)

    def do_confirmed(self, event: Event) -> None:
        for key in event.get("tables", [event.get("table")]):
            if self.slips[key]["by"].casefold() == event["by"].casefold():
                self.wrong.append(f"entry {event['n']}: the same person")
            if self.slips[key]["phone"] and self.slips[key]["phone"] == event.get("device"):
                self.wrong.append(f"entry {event['n']}: the same phone")
            self.slips[key]["state"] = "confirmed"

    def do_repeated(self, event: Event) -> None:
        if self.slips[event["table"]]["by"].casefold() == event["by"].casefold():
            self.wrong.append(f"entry {event['n']}: the same person")

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


def replay(events: Sequence[Event]) -> Replay:
    """The whole event, undone entries left out."""
    dead: set[int] = set()
    for event in reversed(events):
        if event["do"] == "undone" and event["n"] not in dead:
            dead.add(event["entry"])
    book = Replay()
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
    return {"tuppen": tuppen, "tuppi": tuppi, "drive": drive}[book.kind](book)


def fingerprint(book: Book) -> str:
    text = json.dumps(core(book), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
