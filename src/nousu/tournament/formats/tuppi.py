"""A Tuppi championship: pairs, pools in which everybody meets everybody, and a cup; or either alone.

A slip is the score sheet, hand by hand (`nousu.tournament.score_sheet`), or its totals::

    A8 A8 B B12 B8 A A8 B B4 A A4 B A4 B B4 A
    32:28 peaks=16:20 hands=16 [winner=A]

Pool places: match points 2/1/0, then the sum of all points collected while rising, then the sum of the
highest rises, then the matches among those still level, then the lot (RULES 5.1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

from nousu.engine.messages import Note, sentence
from nousu.games.whist import GAME, Rules, never_drawn, of_a_tournament
from nousu.tournament.draw import draw
from nousu.tournament.formats.options import checked, whole
from nousu.tournament.formats.ranking import Criterion, Placed, ranked, ruling_notes
from nousu.tournament.formats.rounds import unseated
from nousu.tournament.messages import Refusal, Todo
from nousu.tournament.model import (
    Called,
    Chair,
    Format,
    Json,
    Round,
    Row,
    Seated,
    Section,
    Standings,
    Tournament,
    Written,
    order,
)
from nousu.tournament.score_sheet import Match, from_totals, hand_word, named, play_sheet, whist_rules
from nousu.tournament.seating.pairings import bracket, full_rounds, next_cup_round, round_robin, spread_out

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
    """How many pools; 0 = cup only."""
    through: int = 0
    """How many pairs of each pool go on to the cup; 0 = no cup after the pools."""
    legs: int = 1
    """How often two pairs of a pool meet."""
    third_place: bool = False
    """The losers of the semifinals play for the third place."""

    name = "tuppi"
    slip: ClassVar[Written] = "hands"
    called: ClassVar[Called] = "round"
    place_points: ClassVar[tuple[int, ...]] = ()
    everybody_meets: ClassVar[bool] = True
    length_option: ClassVar[str] = ""
    pairs = True

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> "TuppiPairs":
        """The format from plain values; `Refusal` names the bad one."""
        one = checked(cls, options)
        whole("pools", one.pools, 0, 26)
        whole("through", one.through, 0, 16)
        whole("legs", one.legs, 1, 6)
        rules = whist_rules(one.preset)
        if not of_a_tournament(rules):
            raise Refusal(
                "{preset} is not a rule set for a Tuppi tournament; take tuppi_tournament or "
                "tuppi_tournament_catsatcards, with other options if you like",
                values={"preset": one.preset},
                where="preset",
                clause="T-WIKT-01",
            )
        if not one.pools and one.through:
            raise Refusal("without pools no pair can qualify from one", where="through")
        return one

    def to_json(self) -> Json:
        return {"name": self.name, **asdict(self)}

    def check_choice(self, before: Format | None) -> None:
        pass

    def rules(self) -> Mapping[str, Note]:
        return RULES

    def match_rules(self, table: str) -> Rules:
        """The rules of a match: in the cup nothing ends in a draw (RULES 5.1)."""
        rules = whist_rules(self.preset)
        return never_drawn(rules) if table[0] == "C" else rules

    # planning

    def pool(self, number: int) -> int:
        """The pool of a number, from 0; the draw of numbers is the draw of pools."""
        return (number - 1) % self.pools

    def check_round(self, tournament: Tournament, played: Round) -> None:
        for key, table in zip(played.names(), played.tables, strict=True):
            if len(table) > 2 or (not table and played.label[0] != "C"):
                raise Refusal("two pairs meet at a table", where=f"table {key}")
            if len(table) == 2 and played.label[0] != "C" and self.pool(table[0]) != self.pool(table[1]):
                raise Refusal("pairs of two pools meet only in the cup", where=f"table {key}")

    def plan(self, tournament: Tournament, *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
        cups = [label for label in tournament.rounds if label[0] == "C"]
        begun = any(slip.result is not None and not slip.unplayed for slip in tournament.slips.values())
        if self.pools and not cups:
            if (not tournament.rounds or not begun) and start in ("", "1"):
                return self._pool_rounds(tournament)
            if start or tournament.unseated():
                return self._rest_of_pools(tournament, start or tournament.next_round())
        again = self._outdated(tournament) or (not self.pools and not begun and bool(tournament.unseated()))
        if again and start in ("", "C1"):
            return (self._cup_round(tournament, ()),)
        if start:
            raise Refusal("the cup is planned; its rounds follow from results", where="round")
        if self.pools and not self.through:
            raise Refusal("all rounds are planned; this event has no cup", where="round")
        if open_tables := [*tournament.missing(), *tournament.waiting("entered")]:
            raise Refusal(
                "the next round needs these slips first: {tables}", values={"tables": ", ".join(open_tables)}
            )
        return (self._cup_round(tournament, cups),)

    def _rest_of_pools(self, tournament: Tournament, start: str) -> tuple[Round, ...]:
        """What is left of the pools from a round on, newcomers included: every two pairs that play on meet
        as often as the event wants, in as few rounds as can be found."""
        if order(start)[0] or tournament.begun(start):
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
        pools = [[number for number in numbers if self.pool(number) == at] for at in range(self.pools)]
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
        pools = [[number for number in numbers if self.pool(number) == at] for at in range(self.pools)]
        smallest = min(map(len, pools))
        if smallest < max(2, self.through):
            raise Refusal(
                sentence(
                    "{pairs} pair is too few for that many pools ({pools}): the smallest would have "
                    "{smallest}; take fewer pools",
                    "{pairs} pairs are too few for that many pools ({pools}): the smallest would have "
                    "{smallest}; take fewer pools",
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

    def _cup_round(self, tournament: Tournament, cups: Sequence[str]) -> Round:
        if not cups:
            tiers: list[list[tuple[int, int]]] = [[(number, -number)] for number in tournament.playing()]
            if self.pools:
                placed = [
                    [one for one in self._pool_places(tournament, at) if not tournament.gone(one.number)]
                    for at in range(self.pools)
                ]
                tiers = [
                    [(pool[rank].number, at) for at, pool in enumerate(placed) if rank < len(pool)]
                    for rank in range(self.through)
                ]
            if sum(map(len, tiers)) < (1 if tournament.withdrawals else 2):
                raise Refusal("a cup needs at least two pairs")
            return Round("C1", bracket(tiers))
        last = tournament.rounds[cups[-1]]
        deciding = self._deciding(tournament, cups[-1])
        if deciding == 1:
            raise Refusal("the cup is decided; nothing is left to plan", where="round")
        winners = [
            self._cup_winner(tournament, key, seats)
            for key, seats in zip(last.names(), last.tables, strict=True)
        ]
        made = next_cup_round(last.tables[:deciding], winners[:deciding], self.third_place)
        coming = tuple(tuple(one for one in table if one and not tournament.gone(one)) for table in made)
        return Round(f"C{order(cups[-1])[1] + 1}", coming)

    def _outdated(self, tournament: Tournament) -> bool:
        """Whether corrected pool results would make another first cup round of one that nobody has played.
        Where somebody has withdrawn, it stands: his match is forfeited."""
        if not self.pools or [label for label in tournament.rounds if label[0] == "C"] != ["C1"]:
            return False
        planned = tournament.rounds["C1"]
        if any(tournament.slip(key).result is not None for key in planned.names()):
            return False
        gone = any(tournament.gone(number) for table in planned.tables for number in table)
        return not gone and self._cup_round(tournament, ()) != planned

    def _deciding(self, tournament: Tournament, label: str) -> int:
        """How many tables of a cup round lead on: half as many as before. A match for the third place
        stands behind them."""
        return len(tournament.rounds["C1"].tables) >> (order(label)[1] - 1)

    def _cup_winner(self, tournament: Tournament, key: str, seats: Sequence[int]) -> int:
        """Who goes on from a table of the cup; 0 if nobody is left there."""
        if len(seats) < 2:
            return seats[0] if seats else 0
        result = tournament.slip(key).result
        assert result is not None
        return seats[int(result["winner"])]

    def stechen(self, tournament: Tournament) -> Round:
        raise Refusal(
            "this event has no play-offs: ties are settled by figures in the pools and by extra hands in "
            "the cup"
        )

    def void(self, tournament: Tournament) -> frozenset[str]:
        return frozenset()

    def check_change(self, tournament: Tournament, new: Format) -> None:
        assert isinstance(new, TuppiPairs)
        begun = any(tournament.begun(label) for label in tournament.rounds)
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
        cup = "C1" in tournament.rounds and (bool(self.pools) or tournament.begun("C1"))
        return Note("", "the cup is planned; nobody can join any more") if cup else None

    # slips

    def games_at(self, table: str) -> int:
        return 1

    def lines_at(self, table: str) -> int:
        return whist_rules(self.preset).max_hands or 0

    def parse(self, tournament: Tournament, table: str, words: tuple[str, ...]) -> Json:
        rules = self.match_rules(table)
        if any(":" in word for word in words):
            return self._from_totals(table, words)
        if not words:
            raise Refusal("the slip is empty", where="result")
        _, match = play_sheet(rules, words)
        return {"sheet": list(words), **_counted(match)}

    def _from_totals(self, table: str, words: tuple[str, ...]) -> Json:
        """A result from ``32:28 peaks=16:20 hands=16 [winner=A]``."""
        given = dict.fromkeys(("totals", "peaks", "hands", "winner"), "")
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                name, value = "totals", word
            if name not in given or given[name]:
                raise Refusal(
                    "{word} does not belong here; write 32:28 peaks=16:20 hands=16",
                    values={"word": word},
                    where="result",
                )
            given[name] = value
        figures: dict[str, tuple[int, int]] = {}
        for name in ("totals", "peaks"):
            parts = given[name].split(":")
            if len(parts) != 2 or not all(part.isdecimal() for part in parts):
                raise Refusal(
                    "write two numbers, for example 32:28, not {given}",
                    values={"given": given[name] or "-"},
                    where=name,
                )
            figures[name] = (int(parts[0]), int(parts[1]))
        if not given["hands"].isdecimal() or not int(given["hands"]):
            raise Refusal("say how many hands were played: hands=16", where="hands")
        if given["winner"].upper() not in ("", "A", "B"):
            raise Refusal("the winner is A or B", where="winner")
        winner = "AB".index(given["winner"].upper()) if given["winner"] else None
        rules = self.match_rules(table)
        match = from_totals(rules, figures["totals"], figures["peaks"], int(given["hands"]), winner)
        return {"totals_only": True, **_counted(match)}

    def check(self, tournament: Tournament, table: str, result: Json) -> None:
        tournament.seats(table)
        if table.startswith("C1.") and self._outdated(tournament):
            raise Refusal(
                "this match may be between the wrong pairs: the pools were corrected; plan the cup again",
                where="table",
            )
        rules = self.match_rules(table)
        if "forfeit" in result:
            match = _forfeit(result["forfeit"])
        elif "sheet" in result:
            _, match = play_sheet(rules, tuple(result["sheet"]))
        else:
            total, peak = result["total"], result["peak"]
            known = result["winner"] if result["winner"] >= 0 else None
            match = from_totals(rules, (total[0], total[1]), (peak[0], peak[1]), result["hands"], known)
        if _counted(match) != {name: result.get(name) for name in _counted(match)}:
            raise Refusal("the result does not follow from the hands", where="result")

    def forfeit(self, tournament: Tournament, table: str, loser: int) -> Json:
        side = tournament.seats(table).index(loser)
        return {"forfeit": side, **_counted(_forfeit(side))}

    def on_withdrawal(self, tournament: Tournament, table: str, number: int) -> Json:
        return self.forfeit(tournament, table, number)

    def tell(self, tournament: Tournament, table: str, result: Json) -> tuple[Note, ...]:
        a, b = (tournament.who(number) for number in tournament.seats(table))
        if "forfeit" in result:
            loser = (a, b)[result["forfeit"]]
            return (Note("5.1", "{name} forfeits the match: no points on any count.", {"name": loser}),)
        if "sheet" in result:
            lines, match = play_sheet(self.match_rules(table), tuple(result["sheet"]))
            extended = [note for line in lines for note in line.notes if note.clause == "T-WIKT-04"]
            notes = [*extended[:1], match.reason]
        else:
            total, peak = result["total"], result["peak"]
            winner = result["winner"] if result["winner"] >= 0 else None
            match = from_totals(
                self.match_rules(table), (total[0], total[1]), (peak[0], peak[1]), result["hands"], winner
            )
            notes = [match.reason]
        figures = Note(
            "5.1",
            sentence(
                "{hands} hand. Collected while rising: {a} {sum_a}, {b} {sum_b}; highest rises "
                "{peak_a} and {peak_b}.",
                "{hands} hands. Collected while rising: {a} {sum_a}, {b} {sum_b}; highest rises "
                "{peak_a} and {peak_b}.",
            ),
            {
                "a": a,
                "b": b,
                "sum_a": match.total[0],
                "sum_b": match.total[1],
                "peak_a": match.peak[0],
                "peak_b": match.peak[1],
                "hands": match.hands,
            },
        )
        return (*(named(note, a, b) for note in notes), figures)

    # at Nousu's tables

    def table_rules(self, table: str) -> str:
        return GAME.name_of(self.match_rules(table), self.preset.partition("+")[0])

    def chairs(self, tournament: Tournament, table: str, game: int) -> tuple[Chair, ...]:
        return tuple((number, member) for member in (0, 1) for number in tournament.seats(table))

    def played(self, tournament: Tournament, table: str, games: Mapping[int, Seated]) -> tuple[str, ...]:
        if 1 not in games:
            return ()
        return tuple(hand_word(one.result) for one in games[1][1].played if not one.result.void)

    # standings

    def unfinished(self, tournament: Tournament) -> tuple[Todo, ...]:
        if not tournament.rounds:
            return (Todo(Note("", "Nothing is planned yet."), "plan"),)
        if self._outdated(tournament):
            return (Todo(Note("", "Pools were corrected after the cup was planned; plan it again."), "plan"),)
        if (self.pools or not tournament.begun("C1")) and (waiting := unseated(tournament)):
            return tuple(waiting)
        cups = [label for label in tournament.rounds if label[0] == "C"]
        if (not self.pools or self.through) and (not cups or self._deciding(tournament, cups[-1]) > 1):
            return (Todo(Note("", "The next cup round is not planned yet."), "plan"),)
        return ()

    def standings(self, tournament: Tournament) -> Standings:
        sections: list[Section] = []
        if tournament.numbers:
            sections += [self._pool_section(tournament, at) for at in range(self.pools)]
            if any(label[0] == "C" for label in tournament.rounds):
                sections.insert(0, self._cup_section(tournament))
        return Standings(tuple(sections))

    def _pool_figures(self, tournament: Tournament, at: int) -> dict[int, dict[str, int]]:
        """Match points, matches, sums and rises of the pairs of a pool."""
        zero = {"match": 0, "won": 0, "drawn": 0, "lost": 0, "sum": 0, "peak": 0, "played": 0}
        numbers = range(1, len(tournament.numbers) + 1)
        figures = {number: dict(zero) for number in numbers if self.pool(number) == at}
        for table, seats, result in tournament.counted():
            if table[0] == "C" or seats[0] not in figures:
                continue
            for side, number in enumerate(seats):
                one = figures[number]
                outcome = _outcome(result, side)
                one["played"] += 1
                one[("lost", "drawn", "won")[outcome]] += 1
                one["match"] += outcome
                one["sum"] += result["total"][side]
                one["peak"] += result["peak"][side]
        for winner, loser in self._left_unplayed(tournament, at):
            for number, how in ((winner, "won"), (loser, "lost")):
                figures[number]["played"] += 1
                figures[number][how] += 1
            figures[winner]["match"] += 2
        for penalty in tournament.penalties:
            if penalty.number in figures:
                figures[penalty.number]["match"] += penalty.points
        return figures

    def _left_unplayed(self, tournament: Tournament, at: int) -> list[tuple[int, int]]:
        """Matches (winner, loser) that stand in no plan because a pair had withdrawn when it was made: a
        pair that withdraws forfeits what it has not played."""
        met: dict[frozenset[int], int] = {}
        for label, played in tournament.rounds.items():
            for table in played.tables if label[0] != "C" else ():
                for one in table:
                    met.setdefault(frozenset((one,)), 0)
                met[frozenset(table)] = met.get(frozenset(table), 0) + 1
        pool = [
            number
            for number in range(1, len(tournament.numbers) + 1)
            if self.pool(number) == at and frozenset((number,)) in met
        ]
        return [
            (stays, left)
            for left in pool
            if tournament.gone(left)
            for stays in pool
            if not tournament.gone(stays)
            for _ in range(self.legs - met.get(frozenset((stays, left)), 0))
        ]

    def _pool_places(self, tournament: Tournament, at: int) -> tuple[Placed, ...]:
        """The order of a pool, with reasons."""
        figures = self._pool_figures(tournament, at)
        results = [
            (seats, result)
            for table, seats, result in tournament.counted()
            if table[0] != "C" and seats[0] in figures
        ]
        results += [(match, {"winner": 0}) for match in self._left_unplayed(tournament, at)]

        def among(number: int, group: tuple[int, ...]) -> int:
            return sum(
                _outcome(result, seats.index(number))
                for seats, result in results
                if number in seats and all(one in group for one in seats)
            )

        def all_met(group: tuple[int, ...]) -> bool:
            met = {frozenset(seats) for seats, _ in results}
            return all(frozenset((a, b)) in met for a in group for b in group if a < b)

        def lot(number: int, group: tuple[int, ...]) -> int:
            label = f"lot pool {chr(65 + at)}"
            drawn = draw(tournament.seed, [tournament.who(one) for one in group], label)
            return drawn.index(group.index(number)) + 1

        criteria = [
            Criterion(lambda number, group: figures[number]["match"], ""),
            Criterion(
                lambda number, group: figures[number]["sum"],
                sentence(
                    "Level with {others} on match points; the sum of points collected while rising decides: "
                    "{own} against {theirs}."
                ),
                "5.1",
            ),
            Criterion(
                lambda number, group: figures[number]["peak"],
                sentence(
                    "Level with {others} on match points and sum; the highest rises decide: "
                    "{own} against {theirs}."
                ),
                "5.1",
            ),
            Criterion(
                among,
                sentence(
                    "Level with {others} on match points, sum and rises; their own matches decide: "
                    "{own} match points against {theirs}."
                ),
                "5.1",
                applies=all_met,
            ),
            Criterion(
                lot,
                sentence(
                    "Level with {others} on everything; a lot taken from the seed of the draw decides: "
                    "drawn as number {own}, the others {theirs}."
                ),
                "5.1",
                lowest=True,
                applies=lambda group: any(figures[number]["played"] for number in group),
            ),
        ]
        shared = Note("", "Shares place {rank} with {others}: no match of theirs counts yet.")
        return ranked(list(figures), criteria, tournament.who, shared)

    def _pool_section(self, tournament: Tournament, at: int) -> Section:
        figures = self._pool_figures(tournament, at)
        rows = []
        for one in self._pool_places(tournament, at):
            figure = figures[one.number]
            entrant = tournament.entrant(one.number)
            cells = tuple(figure[name] for name in ("match", "played", "won", "drawn", "lost", "sum", "peak"))
            why = (*ruling_notes(tournament, one.number), *one.why)
            rows.append(Row(one.rank, one.number, entrant.name, entrant.team, cells, why))
        title = Note("5.1", "Pool {pool}", {"pool": chr(65 + at)})
        if self.pools == 1:
            title = Note("5.1", "Round robin")
        columns = ("match points", "played", "won", "drawn", "lost", "sum", "rises")
        return Section(title, columns, tuple(rows), key=f"pool {chr(65 + at)}")

    def _cup_section(self, tournament: Tournament) -> Section:
        """The cup: the later somebody went out, the better; who went out together shares the place."""
        cups = [played for label, played in tournament.rounds.items() if label[0] == "C"]
        stage: dict[int, int] = {}
        lost: dict[int, Note] = {}
        for depth, played in enumerate(cups):
            deciding = self._deciding(tournament, played.label)
            for at, (key, seats) in enumerate(zip(played.names(), played.tables, strict=True)):
                third = at >= deciding
                for number in seats:
                    if not third:
                        stage[number] = 2 * depth
                slip = tournament.slip(key)
                if len(seats) < 2 or slip.result is None or slip.state not in ("confirmed", "accepted"):
                    if len(seats) == 1:
                        stage[seats[0]] = 2 * depth + 2
                    continue
                won = seats[int(slip.result["winner"])]
                out = seats[1 - int(slip.result["winner"])]
                values: dict[str, int | str] = {"other": tournament.who(won), "table": key}
                if third:
                    stage[won] += 1
                    continue
                stage[won] = 2 * depth + 2
                lost[out] = Note("5.1", "Lost to {other} at table {table}.", values)
        shared = Note("5.1", "Shares place {rank} with {others}: went out in the same round, or still in.")
        criterion = Criterion(lambda number, group: stage[number], "")
        rows = []
        for one in ranked(list(stage), [criterion], tournament.who, shared):
            entrant = tournament.entrant(one.number)
            why = (*((lost[one.number],) if one.number in lost else ()), *one.why)
            rows.append(Row(one.rank, one.number, entrant.name, entrant.team, (stage[one.number] // 2,), why))
        return Section(Note("5.1", "Cup"), ("rounds",), tuple(rows), key="cup rounds")


def _counted(match: Match) -> dict[str, Any]:
    """What of a match counts in the tournament, as plain values."""
    return {
        "winner": match.winner,
        "total": list(match.total),
        "peak": list(match.peak),
        "hands": match.hands,
    }


def _forfeit(loser: int) -> Match:
    """A forfeited match: lost, and nothing on any count for either side (RULES 5.1)."""
    return Match(1 - loser, (0, 0), (0, 0), 0, Note("5.1", "{side} wins by forfeit", {"side": 1 - loser}))


def _outcome(result: Json, side: int) -> int:
    """Match points: 2 for a win, 1 for a draw, 0 for a loss."""
    winner = result["winner"]
    return 1 if winner < 0 else 2 if winner == side else 0
