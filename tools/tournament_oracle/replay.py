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
        getattr(self, f"_do_{kind}")(event)

    def _do_opened(self, event: Event) -> None:
        """The format, and its options where they differ from the usual ones."""
        given = dict(event["format"])
        self.kind = given.pop("name")
        self.options = {**DEFAULTS[self.kind], **given}

    def _do_options(self, event: Event) -> None:
        """Other options; rounds that they change or forbid go with all later ones of the stage."""
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

    def _do_entered(self, event: Event, lone: bool = False) -> None:
        """People sign up; after the draw they get the next numbers."""
        for person in event["people"]:
            self.people.append(
                {
                    "members": person["members"],
                    "team": person.get("team", ""),
                    "columns": dict(person.get("columns", {})),
                    "lone": lone,
                    "struck": False,
                }
            )
            if self.numbers and not lone:
                self.numbers.append(len(self.people))

    def _do_lone(self, event: Event) -> None:
        """A person signs up without a partner."""
        self._do_entered(event, lone=True)

    def _do_joined(self, event: Event) -> None:
        """People without a partner are drawn into pairs."""
        alone = [at for at, person in enumerate(self.people) if person["lone"] and not person["struck"]]
        names = [self.people[at]["members"][0] for at in alone]
        drawn = [alone[at] + 1 for at in shuffled(event["seed"], names, "pairs")]
        if [list(pair) for pair in event["pairs"]] != [drawn[at : at + 2] for at in range(0, len(drawn), 2)]:
            self.wrong.append(f"entry {event['n']}: pairs")
        for a, b in event["pairs"]:
            first, second = self.people[a - 1], self.people[b - 1]
            first["struck"] = second["struck"] = True
            team = first["team"] if first["team"].casefold() == second["team"].casefold() else ""
            columns = {**second["columns"], **first["columns"]}
            pair = {"members": first["members"] + second["members"], "team": team, "columns": columns}
            self.people.append({**pair, "lone": False, "struck": False})
            if self.numbers:
                self.numbers.append(len(self.people))

    def _do_renamed(self, event: Event) -> None:
        """Other names, or another team."""
        person = self.people[event["id"] - 1]
        person["members"], person["team"] = event["members"], event.get("team", person["team"])

    def _do_struck(self, event: Event) -> None:
        """An entry is taken back."""
        self.people[event["id"] - 1]["struck"] = True

    def _do_drawn(self, event: Event) -> None:
        """Give everybody a number by lot."""
        ids = [at for at, person in enumerate(self.people, 1) if not person["struck"] and not person["lone"]]
        names = [" & ".join(self.people[at - 1]["members"]) for at in ids]
        if [ids[at] for at in shuffled(event["seed"], names, "numbers")] != event["numbers"]:
            self.wrong.append(f"entry {event['n']}: numbers")
        self.numbers, self.seed = list(event["numbers"]), event["seed"]

    def _do_numbered(self, event: Event) -> None:
        """Numbers by the order of a list."""
        self.numbers, self.seed = list(event["numbers"]), event["seed"]

    def _do_apart(self, event: Event) -> None:
        """Without effect on results."""

    _do_admitted = _do_revoked = _do_arrived = _do_online = _do_relinked = _do_starts = _do_apart
    _do_programme = _do_apart
    _do_paid = _do_picked = _do_apart

    def _do_noted(self, event: Event) -> None:
        columns = self.people[event["id"] - 1]["columns"]
        columns.pop(event["column"], None)
        if event["text"]:
            columns[event["column"]] = event["text"]

    def _do_prizes(self, event: Event) -> None:
        self.groups = [list(group) for group in event["groups"]]

    def _do_substituted(self, event: Event) -> None:
        """Let another person sit there from a round on; number, tables and results stay as they are."""
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

    def _do_added(self, event: Event) -> None:
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

    def _do_planned(self, event: Event) -> None:
        """Rounds get tables; rounds of the stage that the plan no longer has are dropped."""
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

    def _do_swapped(self, event: Event) -> None:
        """Two people change places in a round."""
        other = {event["a"]: event["b"], event["b"]: event["a"]}
        old = self.rounds[event["round"]]
        self.put(event["round"], [[other.get(n, n) for n in table] for table in old], old)

    def _do_printed(self, event: Event) -> None:
        """Slips go to paper; with that a round may have begun."""
        if event.get("begins", True):
            self.printed.update(event["tables"])

    def _do_begun(self, event: Event) -> None:
        """The cards of a round are out."""
        self.cards_out.add(event["round"])

    def enter(self, key: str, result: Any, event: Event, state: str = "entered") -> None:
        """Put a result on a table's slip."""
        phone = event.get("device", "") if event["do"] == "slip" else ""
        by = event["by"]
        self.slips[key] = {"state": state, "result": result, "by": by, "unplayed": False, "phone": phone}

    def _do_slip(self, event: Event) -> None:
        """A result, by its first person."""
        self.enter(event["table"], event["result"], event)

    def _do_confirmed(self, event: Event) -> None:
        """The second person has the same result."""
        for key in event.get("tables", [event.get("table")]):
            if self.slips[key]["by"].casefold() == event["by"].casefold():
                self.wrong.append(f"entry {event['n']}: the same person")
            if self.slips[key]["phone"] and self.slips[key]["phone"] == event.get("device"):
                self.wrong.append(f"entry {event['n']}: the same phone")
            self.slips[key]["state"] = "confirmed"

    def _do_repeated(self, event: Event) -> None:
        """A second person typed a result that differs."""
        if self.slips[event["table"]]["by"].casefold() == event["by"].casefold():
            self.wrong.append(f"entry {event['n']}: the same person")

    def _do_accepted(self, event: Event) -> None:
        """Confirmed results are in force."""
        for key in event["tables"]:
            if self.slips[key]["state"] != "confirmed":
                self.wrong.append(f"entry {event['n']}: {key} was not confirmed")
            self.slips[key]["state"] = "accepted"

    def _do_corrected(self, event: Event) -> None:
        """Another result, in force once a second person agrees."""
        self.enter(event["table"], event["result"], event, "accepted" if event.get("seconded") else "entered")

    def _do_forfeited(self, event: Event) -> None:
        """One side of a table has lost without play."""
        key = event["table"]
        label, _, at = key.partition(".")
        side = self.rounds[label][int(at) - 1].index(event["loser"])
        self.enter(key, self.lost(side), event, "accepted" if event.get("seconded") else "entered")

    def lost(self, side: int) -> Any:
        """The result of a match that one side has given up."""
        if self.kind == "drive":
            return {"forfeit": side, "scores": [0, 0]}
        return {"forfeit": side, "winner": 1 - side, "total": [0, 0], "peak": [0, 0], "hands": 0}

    def _do_late(self, event: Event) -> None:
        """The clock of a table runs."""
        self.clocks.add(event["table"])

    _do_seated = _do_late

    def _do_penalty(self, event: Event) -> None:
        """Points are added to a score or taken away."""
        if event.get("points"):
            self.rulings.append((event["number"], event["points"]))

    def _do_withdrawn(self, event: Event) -> None:
        """Withdraw a number from a game of a round on; tables that cannot be played any more get a result."""
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
            elif self.kind == "tuppen" and all(self.has_gone(player, at) for player in table):
                games = 1 if at[0] == "S" else self.by_options(at)["games"]
                result = {"games": [{"order": []}] * games}
            if result is not None:
                self.enter(key, result, event, "accepted")
                self.slips[key]["unplayed"] = True

    def _do_published(self, event: Event) -> None:
        """Results are final: every table has one that is in force."""
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

    def _do_seconded(self, event: Event) -> None:
        """A second person agrees to a change of published results."""
        first = self.waiting.pop(event["entry"])
        if first["by"].casefold() == event["by"].casefold():
            self.wrong.append(f"entry {event['n']}: the same person")
        getattr(self, f"_do_{first['do']}")({**first, "seconded": event["by"]})
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
    """SHA-256 over `core`, in hexadecimal digits."""
    text = json.dumps(core(book), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
