"""State of the second, plain computation: people, rounds and slips as dictionaries and lists."""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

Event = Mapping[str, Any]


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
                digest = hmac.new(key, block.to_bytes(8, "big"), "sha256").digest()
                numbers = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
            number = numbers.pop(0)
            if number < 2**64 - 2**64 % (last + 1):
                break
        place = number % (last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def when(label: str) -> tuple[int, int]:
    """The place of a round in time."""
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
        self.cards_out: set[str] = set()
        self.taken_over: dict[int, list[tuple[tuple[int, int], int, str]]] = {}
        """Substitutions by number: the first round, the member of the pair, the substitute's name."""
        self.groups: list[list[str]] = []
        self.gone: dict[int, tuple[tuple[int, int], int]] = {}
        self.rulings: list[tuple[int, int]] = []
        self.waiting: dict[int, Event] = {}
        self.published = 0
        self.wrong: list[str] = []
        """Faults that the plain computation found in the log itself."""

    def name(self, number: int) -> str:
        """The names of all who had the seat, one after the other."""
        shown = []
        for at, member in enumerate(self.person(number)["members"]):
            later = [name for _, which, name in self.taken_over.get(number, []) if which == at]
            shown.append(" → ".join([member, *later]))
        return " & ".join(shown)

    def entered_name(self, number: int) -> str:
        """The name as entered; lots are drawn by it."""
        return " & ".join(self.person(number)["members"])

    def person(self, number: int) -> dict[str, Any]:
        """The entry that has the number."""
        return self.people[self.numbers[number - 1] - 1]

    def has_gone(self, number: int, label: str) -> bool:
        """Whether the number has left before that round."""
        left = self.gone.get(number)
        return left is not None and left <= (when(label), 1)

    def by_options(self, label: str) -> dict[str, Any]:
        """The options by which the round is played."""
        return self.older.get(label, self.options)

    def tables(self) -> list[tuple[str, list[int]]]:
        """The tables with their numbers, in order of time; a bye is no table."""
        return [
            (f"{label}.{at}", table)
            for label in sorted(self.rounds, key=when)
            for at, table in enumerate(self.rounds[label], 1)
            if len(table) > 1
        ]

    def counted(self) -> list[tuple[str, list[int], Any]]:
        """The tables with their numbers and a result that two people agree on."""
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
        busy += [labels.index(label) for label in self.cards_out]
        last = max(busy, default=-1)
        if last + 1 < len(labels):
            for at in range(1, len(self.rounds[labels[last + 1]]) + 1):
                key = f"{labels[last + 1]}.{at}"
                if key in self.printed and key not in self.slips:
                    last += 1
                    break
        return labels[: last + 1]
