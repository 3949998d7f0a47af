"""Random seasons: evenings come, are corrected and taken out, names are joined and separated, rules change.

Refused steps are not done. The same seed gives the same season, byte for byte.
"""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from nousu.tournament.log_file import seal_all
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Json
from nousu.tournament.season import SCALE, SeasonRule
from nousu.tournament.season_file import (
    SEASON_VERSION,
    evening_log,
    season_after,
    season_digest,
    season_state,
)
from tools.tournament_oracle.event_generator import generate

_BEGIN = datetime(2026, 1, 10, 22, tzinfo=UTC)


def generate_season(seed: int, evenings: int = 10) -> bytes:
    """The file of a random season of so many evenings."""
    return _SeasonMaker(Random(f"season {seed}")).run(evenings)


class _SeasonMaker:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.kind = rng.choice(["tuppen", "tuppen", "tuppi", "drive", ""])
        self.logs: dict[int, list[str]] = {}
        """Lines of evenings that were added in part, by their entries."""
        event = self.body("season", version=SEASON_VERSION, name="Season", rule=self.rule().to_json())
        self.state = season_state([event])
        self.events: list[Json] = []
        self.keep(event)

    def body(self, do: str, **fields: Any) -> dict[str, Any]:
        number = len(getattr(self, "events", ())) + 1
        at = (_BEGIN + timedelta(days=number)).isoformat(timespec="seconds")
        return {"n": number, "at": at, "by": "Ellen", "do": do, **fields}

    def keep(self, event: dict[str, Any]) -> None:
        self.events.append({**event, "digest": season_digest(self.state.season)})

    def do(self, do: str, **fields: Any) -> bool:
        event = self.body(do, **fields)
        try:
            self.state = season_after(self.state, event)
        except Refusal:
            return False
        self.keep(event)
        return True

    def rule(self) -> SeasonRule:
        rng = self.rng
        return SeasonRule(
            counts=rng.choice(["points", "place", "place", "beaten"]),
            best=rng.choice([0, 1, 3, 5, 8]),
            evenings=rng.choice([0, 10]),
            scale=rng.choice([SCALE, (10, 6, 3), (9, 9, 5, 0)]),
            guests=rng.choice(["ranked", "apart"]),
        )

    def names(self) -> list[str]:
        names = [
            name
            for evening in self.state.season.evenings
            for result in evening.results
            for name in result.names
        ]
        return list(dict.fromkeys(names))

    def run(self, evenings: int) -> bytes:
        rng = self.rng
        added = 0
        for _ in range(12 * evenings):
            if added == evenings:
                break
            added += self.add()
            for _ in range(rng.randint(0, 3)):
                rng.choice([self.follow, self.join, self.part, self.mark, self.change, self.drop])()
        return seal_all(self.events)

    def add(self) -> bool:
        """Add an evening, as a rule as it was first published."""
        rng = self.rng
        data = generate(rng.randrange(10**9), self.kind)
        lines = data.decode().splitlines()
        cut = next((at for at, line in enumerate(lines, 1) if '"do":"published"' in line), 0)
        if not cut:
            return False
        first = lines[:cut] if rng.random() < 0.8 else lines
        evening = evening_log("".join(line + "\n" for line in first).encode())
        when = date(2026, rng.randint(1, 12), 7).isoformat()
        if not self.do("evening", date=when, lines=list(evening.lines)):
            return self.do("rule", rule=self.rule().to_json()) and False
        self.logs[len(self.events)] = lines[len(first) :]
        return True

    def follow(self) -> None:
        for entry, rest in list(self.logs.items()):
            if rest and self.rng.random() < 0.5:
                self.do("continued", entry=entry, lines=rest)
                self.logs[entry] = []

    def join(self) -> None:
        names = self.names()
        for _ in range(8):
            spellings = self.rng.sample(names, min(self.rng.choice([2, 2, 3]), len(names)))
            if self.do("joined", name=self.rng.choice([*spellings, "Somebody Else"]), spellings=spellings):
                return

    def part(self) -> None:
        joins = self.state.season.joins
        if joins and self.rng.random() < 0.4:
            self.do("separated", entry=self.rng.choice(joins).entry)
        elif len(names := self.names()) > 1:
            self.do("different", names=self.rng.sample(names, 2))

    def mark(self) -> None:
        if names := self.names():
            self.do("guests", names=self.rng.sample(names, min(2, len(names))), on=self.rng.random() < 0.7)

    def change(self) -> None:
        if self.rng.random() < 0.3:
            self.do("rule", rule=self.rule().to_json())

    def drop(self) -> None:
        evenings = self.state.season.evenings
        if len(evenings) > 2 and self.rng.random() < 0.3:
            self.do("removed", entry=self.rng.choice(evenings).entry)
