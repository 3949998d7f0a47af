"""Random whole events: people come and go, slips are wrong and corrected, rulings, Stechen, publications.

All steps go through the same checks as at a real desk; refused ones are simply not done. The
same seed gives the same event, byte for byte.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from nousu.engine.game import Result, Setup
from nousu.games.whist import Outcome, Rise
from nousu.tournament.draw import draw
from nousu.tournament.events.people import PAIRS_LABEL
from nousu.tournament.form_fields import LETTERS
from nousu.tournament.formats import make
from nousu.tournament.history import (
    FORMAT_VERSION,
    after,
    check_undo,
    publication_digest,
    tournament,
    undone_entries,
)
from nousu.tournament.log_file import seal_all
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json, Round, round_of
from nousu.tournament.score_sheet import hand_points, whist_rules
from nousu.tournament.seating.planner import mixes

STEPS = 90
"""Number of steps before an event is brought to its end."""

_BEGIN = datetime(2026, 11, 21, 18, tzinfo=UTC)
_STAFF = ("Ellen", "Uwe", "Ina")


def generate(seed: int, kind: str = "") -> bytes:
    """The log of a random event (of one format, if `kind` names it), published and gone on with after."""
    return _Event(Random(f"event {seed}"), kind).run()


def _options(rng: Random, kind: str) -> dict[str, Any]:
    """Options of a random event."""
    if kind == "tuppen":
        lowest = rng.random() < 0.25
        return {
            "series": rng.randint(1, 4),
            "games": rng.randint(1, 2),
            "lowest": lowest,
            "place_points": [0, 1, 2, 3, 5]
            if lowest
            else rng.choice([[5, 3, 2, 1, 0], [9, 6, 4, 2, 1], [2, 1, 1, 1, 0]]),
            "teams": rng.choice([0, 0, 2]),
            "cup": rng.random() < 0.8,
        }
    if kind == "tuppi":
        pools = rng.choice([0, 1, 1, 2])
        return {
            "preset": rng.choice(
                [
                    "tuppi_tournament",
                    "tuppi_tournament_catsatcards",
                    "tuppi_tournament+limit_tiebreak=[draw]",
                    "tuppi_tournament+max_hands=5",
                ]
            ),
            "pools": pools,
            "through": rng.choice([0, 1, 2]) if pools else 0,
            "legs": rng.choice([1, 1, 2]),
            "third_place": rng.random() < 0.4,
        }
    return {
        "preset": rng.choice(["norwegian_catsatcards", "minnesota", "huutopussi"]),
        "unit": rng.choice(["pairs", "players"]),
        "rounds": rng.randint(1, 4),
        "hands": 8,
        "bye": rng.choice(["mean", "zero"]),
        "lowest": rng.random() < 0.25,
        "teams": rng.choice([0, 2]),
    }


class _Event:
    """An event being made."""

    def __init__(self, rng: Random, kind: str) -> None:
        self.rng = rng
        name = kind or rng.choice(["tuppen", "tuppen", "tuppi", "drive"])
        self.events: list[Json] = []
        self.names = 0
        self.plans = 0
        self.minutes = 0
        body = self.body(
            "Ellen",
            "opened",
            version=FORMAT_VERSION,
            name=f"Event {rng.randrange(1000)}",
            format=make({"name": name, **_options(rng, name)}).to_json(),
        )
        self.events.append(body)
        self.state = tournament([body])

    def body(self, by: str, do: str, **fields: Any) -> dict[str, Any]:
        self.minutes += self.rng.randint(1, 9)
        at = (_BEGIN + timedelta(minutes=self.minutes)).isoformat(timespec="seconds")
        return {"n": len(self.events) + 1, "at": at, "by": by, "do": do, **fields}

    def do(self, by: str, do: str, **fields: Any) -> bool:
        """Try one step; return whether the office took it."""
        body = self.body(by, do, **fields)
        try:
            if do in ("planned", "swapped", "added"):
                body["plan"] = self.plans + 1
            if do in ("published", "seconded"):
                body["digest"] = ""
                body["digest"] = publication_digest(after(self.state, body))
            if do == "undone":
                check_undo(tuple(self.events), body)
                self.state = tournament([*self.events, body])
            else:
                self.state = after(self.state, body)
        except Refusal:
            return False
        self.events.append(body)
        self.plans += do in ("planned", "swapped", "added")
        return True

    def run(self) -> bytes:
        """The log of the whole event."""
        self.prepare()
        actions: list[tuple[int, Callable[[], object]]] = [
            (34, self.enter), (30, self.settle), (6, self.correct), (6, self.rule), (3, self.withdraw),
            (3, self.arrive), (3, self.plan), (4, self.print), (2, self.deal), (2, self.undo), (2, self.swap),
            (2, self.change), (2, self.forfeit), (2, self.rename), (2, self.tick), (2, self.online),
            (3, self.substitute), (4, self.add), (2, self.group), (1, self.pay),
        ]  # fmt: skip
        what, weights = [action for _, action in actions], [weight for weight, _ in actions]
        for _ in range(STEPS):
            if self.rng.random() < 0.04 and self.publish():
                break
            self.rng.choices(what, weights)[0]()
        self.finish()
        self.go_on()
        return seal_all(self.events)

    # steps

    def person(self) -> dict[str, Any]:
        """A new person."""
        size = 2 if self.state.format.pairs else 1
        members = [f"Påul {self.names + at}" for at in range(size)]
        self.names += size
        person = {"members": members, "team": self.rng.choice(["", "ZK", "TV"]), "line": self.names}
        if self.rng.random() < 0.5:
            person["columns"] = {"Age": self.rng.choice(["U18", "60+", "u18"])}
        return person

    def prepare(self) -> None:
        """Prepare people, numbers and a plan."""
        count = self.rng.randint(3, 13) if self.state.format.name != "tuppi" else self.rng.randint(2, 8)
        if self.state.format.name == "drive" and not self.state.format.pairs:
            count = self.rng.randint(4, 13)
        self.do("Ellen", "entered", people=[self.person() for _ in range(count)])
        if self.state.format.pairs and self.rng.random() < 0.3:
            alone = [{**self.person(), "members": [f"Lone {at}"]} for at in range(2)]
            if self.do("Ellen", "lone", people=alone):
                people = self.state.lone()
                names = [person.name for person in people]
                drawn = [people[at].id for at in draw("lone", names, PAIRS_LABEL)]
                self.do("Ellen", "joined", seed="lone", names=names, pairs=[drawn])
        if self.rng.random() < 0.2 and len(self.state.active()) > 4:
            self.do("Ellen", "struck", id=self.rng.choice(self.state.active()).id)
        if self.rng.random() < 0.5:
            self.tick()
        if self.rng.random() < 0.3:
            for one in self.state.active():
                self.do("Ina", "picked", id=one.id, number=self.rng.randint(0, len(self.state.active()) + 1))
        people, seed = self.state.active(), f"dice {self.rng.randrange(100)}"
        if self.rng.random() < 0.2:
            ids = [person.id for person in people]
            self.rng.shuffle(ids)
            self.do("Ellen", "numbered", numbers=ids, seed=seed)
        else:
            names = [person.name for person in people]
            numbers = [people[at].id for at in draw(seed, names)]
            self.do("Ellen", "drawn", seed=seed, names=names, numbers=numbers)
        for _ in range(4):
            if self.plan():
                break

    def plan(self) -> bool:
        """Plan what can be planned; tables are thrown together by chance."""
        kind = self.state.format
        try:
            if kind.name == "tuppi":
                rounds = kind.plan(self.state, start="", seed=1, seconds=0.0)
            else:
                rounds = self.chance_plan()
        except Refusal:
            return False
        tables = {played.label: [list(table) for table in played.tables] for played in rounds}
        return bool(tables) and self.do(self.rng.choice(_STAFF), "planned", rounds=tables, seed=1)

    def chance_plan(self) -> tuple[Round, ...]:
        kind: Any = self.state.format
        last = kind.series if kind.name == "tuppen" else kind.rounds
        plan = []
        for at in range(int(self.state.next_round()), last + 1):
            numbers = list(self.state.playing(str(at)))
            self.rng.shuffle(numbers)
            size = 2 if kind.pairs else 4
            sizes: Sequence[int] = [size] * (len(numbers) // size) + [1] * (len(numbers) % size)
            if kind.name == "tuppen":
                sizes = self.rng.choice(mixes(len(numbers), kind.least, kind.most))
            elif len(numbers) < size:
                return ()
            seats = iter(numbers)
            plan.append(Round(str(at), tuple(tuple(next(seats) for _ in range(size)) for size in sizes)))
        return tuple(plan)

    def enter(self) -> None:
        """Enter a slip, as a rule of a round that is being played."""
        tables = self.state.missing()
        if tables:
            table = tables[min(int(self.rng.expovariate(0.8)), len(tables) - 1)]
            result = self.result(table)
            if result is not None:
                phone = {"device": self.rng.choice("ab") * 16} if self.rng.random() < 0.5 else {}
                self.do(self.rng.choice(_STAFF), "slip", table=table, result=result, **phone)

    def result(self, table: str) -> Json | None:
        """A possible result of a slip."""
        try:
            words = self.words(table)
            result: Json = self.state.kind(table).slips.parse(self.state, table, words).to_json()
            return result
        except Refusal:
            return None

    def words(self, table: str) -> tuple[str, ...]:
        kind: Any = self.state.kind(table)
        seats = self.state.seats(table)
        if kind.name == "tuppen":
            return tuple(
                self.places(kind, table, seats, game) for game in range(1, kind.slips.games_at(table) + 1)
            )
        if kind.name == "tuppi":
            return self.sheet(kind, table)
        rng = self.rng
        if kind.preset == "huutopussi":
            return str(5 * rng.randint(-20, 40)), str(5 * rng.randint(-20, 40))
        if rng.random() < 0.7:
            return tuple(
                f"{rng.choice('gl')}{rng.choice('AB')}{rng.randint(0, 13)}" for _ in range(kind.hands)
            )
        return str(rng.randint(-10, 30)), str(rng.randint(-10, 30))

    def places(self, kind: Any, table: str, seats: tuple[int, ...], game: int) -> str:
        """A game of a slip, in one of the ways it can be written."""
        label = round_of(table)
        here = [at for at, number in enumerate(seats) if not self.state.has_withdrawn(number, label, game)]
        if not here:
            return "-"
        order = list(here)
        self.rng.shuffle(order)
        letters = "".join(LETTERS[at] for at in order)
        way = self.rng.random()
        if way < 0.5 or len(order) > len(kind.place_points):  # a Stechen may seat eight
            return letters
        if way < 0.8 or len(order) < 2:
            points = {seat: str(kind.place_points[place]) for place, seat in enumerate(order)}
            return ",".join(points.get(at, "-") for at in range(len(seats)))
        return "-" + ",".join(reversed(letters[1:]))

    def sheet(self, kind: Any, table: str) -> tuple[str, ...]:
        """A match hand by hand until it ends."""
        rules = whist_rules(kind.preset)
        if table[0] == "C":
            rules = kind.slips.match_rules(table)
        tally, words = Rise(rules), list[str]()
        while tally.end is None:
            scorer, points = self.rng.randrange(2), self.rng.choice(hand_points(rules))
            topples = tally.riser == 1 - scorer
            words.append("AB"[scorer] + ("" if topples else str(points)))
            both = (points, 0) if scorer == 0 else (0, points)
            before = tally
            tally = tally.add(
                Result(points=both, outcome=Outcome(scorer=scorer)), Setup(4, 0, before, len(words))
            )
        return tuple(words)

    def settle(self) -> None:
        """Confirm slips, singly or together, and accept them."""
        rng, waiting = self.rng, self.state.waiting("entered")
        for table in waiting[: rng.randint(0, 3)]:
            result = self.state.slip(table).result
            typed = result.to_json() if result is not None and rng.random() < 0.5 else None
            by, phone = rng.choice(_STAFF), rng.choice([{}, {"device": "a" * 16}])
            if not self.do(by, "confirmed", table=table, result=typed, **phone) and phone:
                self.do(by, "repeated", table=table, result=typed)
        if rng.random() < 0.2 and len(waiting) > 1:
            self.do("Ina", "confirmed", tables=list(waiting))
        if (done := self.state.waiting("confirmed")) and rng.random() < 0.6:
            self.do("Ellen", "accepted", tables=list(done[: rng.randint(1, len(done))]))

    def correct(self) -> None:
        tables = [key for key, slip in self.state.slips.items() if slip.result is not None]
        if tables:
            table = self.rng.choice(tables)
            result = self.result(table)
            if result is not None:
                self.do(self.rng.choice(_STAFF), "corrected", table=table, result=result, reason="misread")

    def rule(self) -> None:
        rng, people = self.rng, len(self.state.numbers)
        if people:
            number, points = rng.randint(1, people), rng.choice([-3, -2, -1, 1, 2])
            if self.state.format.name == "tuppen" and rng.random() < 0.5:  # a tie at the top
                first, *others = self.state.format.standings(self.state).sections[0].rows
                level = rng.choice(others)
                number, points = level.number, int(first.cells[0]) - int(level.cells[0])
            self.do("Ellen", "penalty", number=number, rule="I6", points=points, reason="so")

    def withdraw(self) -> None:
        people = self.state.playing()
        if len(people) > 3 and self.rng.random() < 0.5:
            label = self.state.next_round()
            if self.rng.random() < 0.3:
                label = self.rng.choice([*self.state.rounds, label])
            game = self.rng.choice([1, 1, 2])
            self.do("Ellen", "withdrawn", number=self.rng.choice(people), round=label, game=game)

    def arrive(self) -> None:
        if (
            self.names < 40
            and self.do("Ellen", "entered", people=[self.person()])
            and self.rng.random() < 0.8
        ):
            self.plan()

    def print(self) -> None:
        if labels := list(self.state.rounds):
            label = self.rng.choice(labels)
            self.do("Ellen", "starts", round=label, time=self.rng.choice(["", "19:45", "25:00"]))
            lines = [["19:00", "Welcome"], [self.rng.choice(["21:15", "late"]), "Break"]]
            self.do("Ellen", "programme", lines=lines)
            tables = [key for key, _ in self.state.tables() if round_of(key) == label]
            begins = {} if self.rng.random() < 0.3 else {"begins": False}  # without: as earlier versions
            self.do("Uwe", "printed", tables=tables, **begins)

    def deal(self) -> None:
        if labels := list(self.state.rounds):
            self.do("Ellen", "begun", round=self.rng.choice(labels))

    def undo(self) -> None:
        undone = undone_entries(self.events)
        last = [event["n"] for event in self.events[4:] if event["n"] not in undone][-6:]
        if last:
            self.do("Ellen", "undone", entry=self.rng.choice(last), reason="oops")

    def swap(self) -> None:
        if self.state.rounds and len(self.state.playing()) > 1:
            a, b = self.rng.sample(self.state.playing(), 2)
            self.do("Ellen", "swapped", round=self.rng.choice(list(self.state.rounds)), a=a, b=b)

    def change(self) -> None:
        rng = self.rng
        choices: dict[str, list[dict[str, Any]]] = {
            "tuppen": [
                {"series": rng.randint(1, 5)},
                {"games": rng.randint(1, 2)},
                {"place_points": [8, 5, 3, 2, 0]},
                {"most": rng.randint(3, 5)},
            ],
            "tuppi": [{"third_place": True}, {"preset": "tuppi_tournament+max_hands=6"}],
            "drive": [{"rounds": rng.randint(1, 5)}, {"bye": "zero"}, {"hands": 6}],
        }
        if rng.random() < 0.6:
            options = rng.choice(choices[self.state.format.name])
            self.do("Ellen", "options", options=options, reason="time")

    def forfeit(self) -> None:
        tables = self.state.missing()
        if tables and self.state.format.name != "tuppen":
            table = self.rng.choice(tables)
            loser = self.rng.choice(self.state.seats(table))
            if self.rng.random() < 0.5:
                self.do("Ellen", "late", table=table, number=loser)
            self.do("Ellen", "forfeited", table=table, loser=loser, reason="snow")

    def rename(self) -> None:
        entrant = self.rng.choice(self.state.active())
        members = [f"Ännä {self.names + at}" for at in range(len(entrant.members))]
        self.names += len(members)
        self.do("Ellen", "renamed", id=entrant.id, members=members, team=entrant.team)

    def tick(self) -> None:
        """Note that people have come, or have not after all."""
        people = self.state.active()
        chosen = self.rng.sample(people, self.rng.randint(1, len(people)))
        here = self.rng.random() < 0.8
        self.do(self.rng.choice(_STAFF), "arrived", ids=[person.id for person in chosen], here=here)

    def online(self) -> None:
        """Move a table to Nousu's tables; then people sit down, its slip comes, or it goes on on paper."""
        rng, played = self.rng, [key for key in self.state.online if self.state.is_online(key)]
        if not played or rng.random() < 0.3:
            if tables := self.state.missing():
                table = rng.choice(tables)
                self.do("Ellen", "online", tables=[table], on=True, key={table: f"key{len(self.events)}"})
            return
        table = rng.choice(played)
        if rng.random() < 0.3:
            self.do("Ellen", "online", tables=[table], on=False)
            return
        self.do("Nousu", "seated", table=table)
        if rng.random() < 0.7 and (result := self.result(table)) is not None:
            self.do("Nousu", "slip", table=table, result=result, online={"tables": [], "stood_in": []})

    def substitute(self) -> None:
        """Let a person play on for another, as a rule from the round on that is played now."""
        numbers = self.state.playing()
        if not numbers:
            return
        number = self.rng.choice(numbers)
        label = self.state.current_round() or "1"
        if self.rng.random() < 0.3 and self.state.rounds:
            label = self.rng.choice(list(self.state.rounds))
        member = self.rng.randrange(len(self.state.members(number)))
        name = f"Sven {self.names}" if self.rng.random() < 0.9 else self.state.who(self.rng.choice(numbers))
        self.names += 1
        self.do("Ellen", "substituted", number=number, member=member, round=label, name=name, reason="ill")

    def add(self) -> None:
        """Let a person come late and sit down in one round, also if it has begun."""
        kind = self.state.format
        if self.names > 60 or kind.name == "tuppi":
            return
        size = self.rng.choice([1, 1, 3]) if kind.name == "tuppen" else 2 if kind.pairs else 4
        self.do("Ellen", "entered", people=[self.person() for _ in range(size)])
        for label in self.rng.sample(list(self.state.rounds), len(self.state.rounds)):
            tables = self.state.rounds[label].tables
            seated = {number for table in tables for number in table}
            free = [number for number in self.state.playing(label) if number not in seated]
            table = 0 if size > 1 else self.rng.randint(0, len(tables))
            if free and self.do("Ellen", "added", round=label, table=table, numbers=free[:size]):
                return

    def group(self) -> None:
        """Prize groups from a column of the list, and a cell of it."""
        if self.rng.random() < 0.5:
            entrant = self.rng.choice(self.state.active())
            self.do("Ellen", "noted", id=entrant.id, column="Age", text=self.rng.choice(["U18", "", "Gäste"]))
        groups = self.rng.sample([["Age", "U18"], ["Age", "60+"], ["Age", "Gäste"]], self.rng.randint(0, 2))
        self.do("Ellen", "prizes", groups=groups)

    def pay(self) -> None:
        entrant = self.rng.choice(self.state.active())
        self.do("Ina", "paid", ids=[entrant.id], paid=self.rng.random() < 0.8)

    def publish(self) -> bool:
        return self.do("Ellen", "published")

    def finish(self) -> None:
        """Bring the event to its end: everything entered, settled, played off, published."""
        for _ in range(60):
            before = len(self.events)
            if self.publish():
                return
            for table in self.state.missing():
                result = self.result(table)
                if self.state.is_online(table):
                    self.do("Ellen", "online", tables=[table], on=False)
                if result is not None:
                    self.do("Uwe", "slip", table=table, result=result)
            for table in self.state.waiting("entered"):
                if not self.do("Ellen", "confirmed", table=table, result=None):
                    self.do("Ina", "confirmed", table=table, result=None)
            if done := self.state.waiting("confirmed"):
                self.do("Ellen", "accepted", tables=list(done))
            if not self.stechen() and not self.plan() and self.state.format.unfinished(self.state):
                for number in self.state.unseated():
                    self.do("Ellen", "withdrawn", number=number, round=self.state.next_round(), game=1)
            if len(self.events) == before:
                return

    def stechen(self) -> bool:
        try:
            played = self.state.format.stechen(self.state)
        except Refusal:
            return False
        return self.do(
            "Ellen", "planned", rounds={played.label: [list(table) for table in played.tables]}, seed=1
        )

    def go_on(self) -> None:
        """Go on after publishing with corrections and rulings that a second person confirms."""
        if not self.state.frozen:
            return
        for _ in range(self.rng.randint(0, 4)):
            before = len(self.events)
            self.rng.choice([self.correct, self.rule, self.rename, self.group])()
            if len(self.events) > before and self.rng.random() < 0.8:
                self.do(self.rng.choice(_STAFF), "seconded", entry=before + 1)
        if self.rng.random() < 0.6:
            self.finish()
