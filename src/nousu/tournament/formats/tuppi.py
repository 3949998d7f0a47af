"""A Tuppi championship: pairs, pools in which everybody meets everybody, and a cup; or either alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

from nousu.engine.messages import Note, sentence
from nousu.games.whist import of_a_tournament
from nousu.tournament.form_fields import Field
from nousu.tournament.formats.base import (
    RULES_FIELD,
    check_whole,
    option_texts,
    option_values,
    read_options,
    unseated_todos,
)
from nousu.tournament.formats.tuppi_cup import cup_round, is_outdated
from nousu.tournament.formats.tuppi_ranking import cup_section, deciding_tables, pool_of, pool_section
from nousu.tournament.formats.tuppi_slip import TuppiSlips
from nousu.tournament.messages import Refusal, Todo
from nousu.tournament.model import Called, Format, Json, Round, Section, Standings, Tournament, order
from nousu.tournament.score_sheet import whist_rules
from nousu.tournament.seating.pairings import full_rounds, round_robin, spread_out
from nousu.tournament.seating.planner import split

RULES: Mapping[str, Note] = {
    "T-CATT-06": Note("T-CATT-06", "communication about cards"),
    "T-WIKT-06": Note("T-WIKT-06", "secret gestures between partners"),
    "5.1": Note("5.1", "late by more than a quarter of an hour, or a ruling on a match"),
    "I6": Note("TU-ZK-I6", "director’s ruling, in match points"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TuppiPairs:
    """The options of a Tuppi event."""

    preset: str = "tuppi_tournament"
    pools: int = 1
    """Number of pools; 0 = cup only."""
    through: int = 0
    """Number of pairs of each pool that go on to the cup; 0 = no cup after the pools."""
    legs: int = 1
    """Number of meetings of two pairs of a pool."""
    third_place: bool = False
    """True if the losers of the semifinals play for the third place."""

    name = "tuppi"
    title: ClassVar[str] = sentence("Tuppi championship")
    about: ClassVar[str] = sentence("Pairs in pools, everybody against everybody; a cup may follow.")
    fields: ClassVar[tuple[Field, ...]] = (
        RULES_FIELD,
        Field(
            "hands",
            sentence("Hands of a match"),
            sentence("The number of hands after which the match ends if nobody has won; usually 16 to 24."),
            1,
            60,
        ),
        Field(
            "pools", sentence("Pools"), sentence("In a pool everybody meets everybody; 0: a cup only."), 0, 26
        ),
        Field(
            "legs", sentence("Matches of two pairs"), sentence("How often two pairs of a pool meet."), 1, 6
        ),
        Field(
            "through",
            sentence("Pairs that go on to the cup"),
            sentence("How many pairs of each pool play in the cup, best first; 0: no cup."),
            0,
            16,
        ),
        Field("third_place", sentence("A match for third place")),
    )
    called: ClassVar[Called] = "round"
    everybody_meets: ClassVar[bool] = True
    length_option: ClassVar[str] = ""
    pairs = True

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "TuppiPairs":
        """The format from plain values; `Refusal` names the bad one."""
        event = read_options(cls, options)
        check_whole("pools", event.pools, 0, 26)
        check_whole("through", event.through, 0, 16)
        check_whole("legs", event.legs, 1, 6)
        rules = whist_rules(event.preset)
        if not of_a_tournament(rules):
            raise Refusal(
                "{preset} is not a rule set for a Tuppi tournament; use tuppi_tournament or "
                "tuppi_tournament_catsatcards, with other options if you like",
                values={"preset": event.preset},
                where="preset",
                clause="T-WIKT-01",
            )
        if not event.pools and event.through:
            raise Refusal("without pools no pair can qualify from one", where="through")
        return event

    def to_json(self) -> Json:
        """The options as plain values, with the name of the format."""
        return {"name": self.name, **asdict(self)}

    def check_choice(self, before: Format | None) -> None:
        """Refuse nothing."""

    @property
    def texts(self) -> dict[str, str]:
        """The options as the form of `fields` shows them; the number of hands has a field of its own."""
        preset = self.preset.partition("+max_hands=")[0]
        hands = str(whist_rules(self.preset).max_hands or 0)
        return option_texts({**self.to_json(), "preset": preset, "hands": hands})

    def from_texts(self, texts: Mapping[str, str]) -> "TuppiPairs":
        """The format of a filled form. `Refusal` names the option that cannot be."""
        values = option_values(self.fields, texts)
        hands = values.pop("hands")
        if hands != whist_rules(values["preset"]).max_hands:
            values["preset"] += f"+max_hands={hands}"
        return TuppiPairs.from_json(values)

    def facts(self, people: int, say: Callable[..., str]) -> list[str]:
        """Consequences of the format for this many people or pairs, in sentences."""
        facts = []
        if self.pools:
            sizes = split(people, self.pools)
            rounds = max(full_rounds(size) for size in sizes) * self.legs
            facts.append(say("Pairs in the pools: {sizes}.", sizes=", ".join(map(str, sizes))))
            matches = sum(size * (size - 1) // 2 for size in sizes) * self.legs
            facts.append(
                say("Rounds in the pools: {rounds}; matches: {matches}.", rounds=rounds, matches=matches)
            )
        going = self.pools * self.through if self.pools else people
        if going > 1:
            facts.append(
                say(
                    "Pairs in the cup: {pairs}; rounds: {rounds}.",
                    pairs=going,
                    rounds=(going - 1).bit_length(),
                )
            )
        else:
            facts.append(say("No cup follows: the pools decide."))
        return facts

    def rules(self) -> Mapping[str, Note]:
        """The rule numbers a penalty may name, with their texts."""
        return RULES

    # planning

    def check_round(self, tournament: Tournament, played: Round, *, all_sit: bool = True) -> None:
        """Raise `Refusal` if the tables of a round do not fit."""
        for key, table in played.named_tables():
            if len(table) > 2 or (not table and played.label[0] != "C"):
                raise Refusal("two pairs meet at a table", where=f"table {key}")
            if (
                len(table) == 2
                and played.label[0] != "C"
                and pool_of(self, table[0]) != pool_of(self, table[1])
            ):
                raise Refusal("pairs of two pools meet only in the cup", where=f"table {key}")

    def plan(self, tournament: Tournament, *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
        """The rounds that can be planned now, from label `start` on (empty: the first one not begun)."""
        cups = [label for label in tournament.rounds if label[0] == "C"]
        begun = any(slip.result is not None and not slip.unplayed for slip in tournament.slips.values())
        if self.pools and not cups:
            if (not tournament.rounds or not begun) and start in ("", "1"):
                return self._pool_rounds(tournament)
            if start or tournament.unseated():
                return self._rest_of_pools(tournament, start or tournament.next_round())
        again = is_outdated(self, tournament) or (
            not self.pools and not begun and bool(tournament.unseated())
        )
        if again and start in ("", "C1"):
            return (cup_round(self, tournament, ()),)
        if start:
            raise Refusal("the cup is planned; its rounds follow from results", where="round")
        if self.pools and not self.through:
            raise Refusal("all rounds are planned; this event has no cup", where="round")
        if open_tables := [*tournament.missing(), *tournament.waiting("entered")]:
            raise Refusal(
                "the next round needs these slips first: {tables}", values={"tables": ", ".join(open_tables)}
            )
        return (cup_round(self, tournament, cups),)

    def with_newcomers(
        self, tables: Sequence[tuple[int, ...]], newcomers: Sequence[int]
    ) -> tuple[tuple[int, ...], ...] | None:
        """Return None: a newcomer meets everybody of a pool, which needs a new plan."""
        return None

    def _rest_of_pools(self, tournament: Tournament, start: str) -> tuple[Round, ...]:
        """The rest of the pools from a round on, newcomers included.

        Every two pairs that play on meet as often as the event wants, in as few rounds as can be found.
        """
        if order(start)[0] or tournament.has_begun(start):
            raise Refusal(
                "round {round} already has slips; only later rounds can be planned again",
                values={"round": start},
                where="round",
            )
        kept = [played for label, played in tournament.rounds.items() if order(label) < order(start)]
        met: dict[frozenset[int], int] = {}
        for played in kept:
            for table in played.tables:
                met[frozenset(table)] = met.get(frozenset(table), 0) + 1
        numbers = tournament.playing(start)
        pools = [[number for number in numbers if pool_of(self, number) == at] for at in range(self.pools)]
        left = [
            (a, b)
            for pool in pools
            for a, b in combinations(pool, 2)
            for _ in range(self.legs - met.get(frozenset((a, b)), 0))
        ]
        if not left:
            raise Refusal("all rounds are planned; this event has no cup", where="round")
        rounds = []
        for at, tables in enumerate(spread_out(left)):
            out = sorted(set(numbers) - {number for table in tables for number in table})
            label = str(order(start)[1] + at)
            rounds.append(Round(label, (*tables, *((number,) for number in out))))
        return tuple(rounds)

    def _pool_rounds(self, tournament: Tournament) -> tuple[Round, ...]:
        """The round robins of all pools side by side."""
        numbers = tournament.playing()
        pools = [[number for number in numbers if pool_of(self, number) == at] for at in range(self.pools)]
        smallest = min(map(len, pools))
        if smallest < max(2, self.through):
            raise Refusal(
                sentence(
                    "{pairs} pair is too few for {pools} pools: the smallest would have only {smallest}; "
                    "use fewer pools",
                    "{pairs} pairs are too few for {pools} pools: the smallest would have only {smallest}; "
                    "use fewer pools",
                ),
                values={"pairs": len(numbers), "pools": self.pools, "smallest": smallest},
                where="pools",
            )
        plans = [round_robin(pool, full_rounds(len(pool)) * self.legs) for pool in pools]
        rounds = []
        for at in range(max(map(len, plans))):
            tables = [table for plan in plans if at < len(plan) for table in plan[at]]
            rounds.append(Round(str(at + 1), tuple(sorted(tables, key=len, reverse=True))))
        return tuple(rounds)

    def stechen(self, tournament: Tournament) -> Round:
        """Raise a `Refusal`: there are no play-offs."""
        raise Refusal(
            "this event has no play-offs: ties are settled by figures in the pools and by extra hands in "
            "the cup"
        )

    def void(self, tournament: Tournament) -> frozenset[str]:
        """Return no rounds: all of them count."""
        return frozenset()

    def check_change(self, tournament: Tournament, new: Format) -> None:
        """Raise `Refusal` if the options of `new` cannot be taken now."""
        assert isinstance(new, TuppiPairs)
        begun = any(tournament.has_begun(label) for label in tournament.rounds)
        cup = any(label[0] == "C" for label in tournament.rounds)
        for late, names in ((begun, ("pools", "legs")), (cup, ("through", "third_place"))):
            for name in names:
                if late and getattr(new, name) != getattr(self, name):
                    raise Refusal(
                        "{name} cannot be changed any more: the rounds it shapes are planned and have begun",
                        values={"name": name},
                        where="option",
                    )

    def closed(self, tournament: Tournament) -> Note | None:
        """The reason for a closed list; None while people can join."""
        cup = "C1" in tournament.rounds and (bool(self.pools) or tournament.has_begun("C1"))
        return Note("", "the cup is planned; nobody can join any more") if cup else None

    # slips

    @property
    def slips(self) -> TuppiSlips:
        """The rules for writing and checking slips."""
        return TuppiSlips(preset=self.preset)

    def check_table(self, tournament: Tournament, table: str) -> None:
        """Raise `Refusal` if the pools were corrected after the cup was planned."""
        if table.startswith("C1.") and is_outdated(self, tournament):
            raise Refusal(
                "this match may be between the wrong pairs: the pools were corrected; plan the cup again",
                where="table",
            )

    # standings

    def unfinished(self, tournament: Tournament) -> tuple[Todo, ...]:
        """Steps still to be planned or decided; missing slips not included."""
        if not tournament.rounds:
            return (Todo(Note("", "Nothing is planned yet."), "plan"),)
        if is_outdated(self, tournament):
            return (Todo(Note("", "Pools were corrected after the cup was planned; plan it again."), "plan"),)
        if (self.pools or not tournament.has_begun("C1")) and (waiting := unseated_todos(tournament)):
            return tuple(waiting)
        cups = [label for label in tournament.rounds if label[0] == "C"]
        if (not self.pools or self.through) and (not cups or deciding_tables(tournament, cups[-1]) > 1):
            return (Todo(Note("", "The next cup round is not planned yet."), "plan"),)
        return ()

    def standings(self, tournament: Tournament) -> Standings:
        """The tables of results as far as confirmed slips reach."""
        sections: list[Section] = []
        if tournament.numbers:
            sections += [pool_section(self, tournament, at) for at in range(self.pools)]
            if any(label[0] == "C" for label in tournament.rounds):
                sections.insert(0, cup_section(tournament))
        return Standings(tuple(sections))
