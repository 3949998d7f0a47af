"""Contests of two players on the same deals with seats exchanged: the better one, and the certainty.

One *pair* is one deal (or, with ``whole`` matches, one sequence of deals) played at two tables: at the first,
player A holds the even seats and B the odd ones, at the second they have changed places. In games of two
sides that is A's side against B's; where every player plays alone A's seats are compared with B's. A side may
be a team of several players, who hold its seats in turn. Luck of the deal cancels; the interval is taken over
pairs. Everything but the times depends on the seed alone, not on the number of workers or the order in which
they finish. Players are asked in the order of `nousu.players.seat_loop`, out of turn too.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from nousu.about import differences_from, made_by
from nousu.engine.actions import Deal
from nousu.engine.encodings import BadText, decode
from nousu.engine.game import Result, Setup, Tally, View
from nousu.engine.match import Match, shuffled
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, Player, load_player
from nousu.players.seat_loop import derive_seed, next_choice

MOST_HANDS = 400
"""Greatest number of hands of a whole match; a longer one is stopped and counts for neither player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """The players, rules and deals of a contest."""

    a: str
    """A player, or a team as ``strong+rules``."""
    b: str
    game: str = "tuppi"
    """Rules as ``preset+option=value``."""
    pairs: int = 100
    seed: int = 1
    seats: int = 4
    whole: bool = False
    """Whole matches instead of single hands from an empty score."""
    budget: Budget = DEFAULT_BUDGET


class PairResult(NamedTuple):
    """The result of one pair."""

    number: int
    hands: int
    """Hands played at both tables together."""
    difference: float
    """Points of A minus points of B, summed over these hands."""
    wins: tuple[int, int]
    """Matches won by A and by B (whole matches only)."""
    results: tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...]
    """Per table, of single hands: (points, facts as sorted pairs), to be added up to matches later."""
    milliseconds: tuple[tuple[float, ...], tuple[float, ...]]
    """Thinking times of A and of B, for choices with more than one legal action; silence out of turn has
    none."""


class _Timed:
    """A player with a stopwatch."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.spent: list[float] = []

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        start = perf_counter()
        choice = self._player.choose(view, budget, seed)
        self.spent.append(1000 * (perf_counter() - start))
        return choice


class _TimedInterrupter(_Timed):
    """A player with a stopwatch that may speak out of turn."""

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        assert isinstance(self._player, Interrupter)
        start = perf_counter()
        choice = self._player.interrupt(view, budget, seed)
        if choice is not None:
            self.spent.append(1000 * (perf_counter() - start))
        return choice


def _timed(name: str) -> _Timed:
    player = load_player(name)
    return (_TimedInterrupter if isinstance(player, Interrupter) else _Timed)(player)


def parse_team(names: str) -> list[str]:
    """The players of a side; a command or a Python path may itself contain a plus and stands last.

    >>> parse_team("strong+rules"), parse_team("rules+cmd:bot --level=a+b")
    (['strong', 'rules'], ['rules', 'cmd:bot --level=a+b'])
    """
    first, plus, rest = names.partition("+")
    return [names] if not plus or first.startswith(("cmd:", "py:")) else [first, *parse_team(rest)]


def play_pair(contest: Contest, number: int) -> PairResult:
    """Play both tables of one pair."""
    players = (
        [_timed(name) for name in parse_team(contest.a)],
        [_timed(name) for name in parse_team(contest.b)],
    )
    hands, difference = 0, 0.0
    wins = [0, 0]
    results = []
    for table in (0, 1):
        match = _table(contest, number, table, players)
        sides = 2 if match.game.sides == 2 else contest.seats
        of_a, of_b = range(table, sides, 2), range(1 - table, sides, 2)
        for played in match.played:
            points = played.result.points
            difference += _mean(points, of_a) - _mean(points, of_b)
        hands += sum(not played.result.void for played in match.played)
        if contest.whole:
            for winner in match.winner or ():
                wins[0 if winner in of_a else 1] += 1
        else:
            last = match.played[-1].result
            results.append((last.points, tuple(sorted(last.outcome.plain().items()))))
    spent = [tuple(time for player in side for time in player.spent) for side in players]
    return PairResult(number, hands, difference, (wins[0], wins[1]), tuple(results), (spent[0], spent[1]))


def _mean(points: Sequence[int], seats: Sequence[int]) -> float:
    return sum(points[seat] for seat in seats) / len(seats)


def _table(
    contest: Contest, number: int, table: int, players: tuple[Sequence[Player], Sequence[Player]]
) -> Match:
    """Play the hand (or match) of one table.

    Both tables of a pair have the same seeds, so that a player meets itself evenly.
    """
    game, rules = find(contest.game)
    match = Match.start(game, rules, contest.seats, dealer=number % contest.seats)
    sides = [players[(seat + table) % 2] for seat in range(contest.seats)]
    company = [side[seat // 2 % len(side)] for seat, side in enumerate(sides)]
    deals = moves = 0

    def seeds(what: str, seat: Seat) -> int:
        parts = () if what == "move" else (seat,)
        return derive_seed(contest.seed, number, what, moves, *parts)

    while match.winner is None and len(match.played) < MOST_HANDS:
        if not contest.whole and any(not played.result.void for played in match.played):
            break
        if match.hand.owed() == (CHANCE,):
            match = match.apply(CHANCE, _deal(contest, number, deals, match))
            deals += 1
            continue
        moves += 1
        choice = next_choice(match, company, seeds, contest.budget)
        assert choice is not None
        match = match.apply(choice[0], choice[1].action)
    return match


def _deal(contest: Contest, number: int, deals: int, match: Match) -> Deal:
    """The cards of pair `number` after so many deals."""
    return shuffled(match.hand.dealing(), Random(derive_seed(contest.seed, number, "deal", deals)))


def deals_hash(contest: Contest) -> str:
    """Sixteen hexadecimal digits that identify the first deals of all pairs."""
    game, rules = find(contest.game)
    digest = sha256()
    for number in range(contest.pairs):
        match = Match.start(game, rules, contest.seats, dealer=number % contest.seats)
        digest.update(f"{match.dealer} {_deal(contest, number, 0, match)}\n".encode())
    return digest.hexdigest()[:16]


def play_pairs(contest: Contest, numbers: Sequence[int], made: Mapping[str, Any]) -> list[PairResult]:
    """Play several pairs, one after the other: the unit of work that is handed to an executor.

    ValueError where the installation of the worker differs from `made`, the `made_by` of the caller.
    """
    if differing := differences_from(made):
        raise ValueError(
            f"a worker's nousu is another one: {differing} on the worker; install the same on all"
        )
    return [play_pair(contest, number) for number in numbers]


# ---------------------------------------------------------------------------------------- standing


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestResult:
    """The result of a contest."""

    a: str
    b: str
    game: str
    seed: int
    pairs: int
    hands: int
    mean: float
    """Points per hand of A over B."""
    low: float
    high: float
    """The 95 % interval of `mean`, by Student's t over pairs; one pair has none (infinite, in JSON null)."""
    matches: Mapping[str, int]
    """Matches won by A and by B. Single hands are added up to matches in the order of their numbers, by
    table."""
    ms_per_move: Mapping[str, float]
    ms_median: Mapping[str, float]
    ms_p99: Mapping[str, float]
    minutes: float
    """Thinking time of both players together."""
    seats: int
    budget: Budget
    deals: str
    """The `deals_hash` of the contest."""

    def json(self) -> str:
        """The result as one line of JSON."""
        known = {"low": self.low, "high": self.high} if self.pairs > 1 else {"low": None, "high": None}
        spent = {"budget": self.budget._asdict()}
        return json.dumps(asdict(self) | known | spent | {"made_by": made_by()})


def contest_result(contest: Contest, pairs: Iterable[PairResult]) -> ContestResult:
    """Sum up pairs: mean, interval, match wins and times."""
    ordered = sorted(pairs, key=lambda pair: pair.number)
    hands = sum(pair.hands for pair in ordered)
    mean = sum(pair.difference for pair in ordered) / hands if hands else 0.0
    # A ratio of sums, since whole matches differ in length; with single hands it is the plain mean.
    spread = sum((pair.difference - mean * pair.hands) ** 2 for pair in ordered)
    count = len(ordered)
    error = math.sqrt(spread * count / (count - 1)) / hands if count > 1 and hands else math.inf
    half = _student_factor(count - 1) * error if count > 1 else math.inf
    wins = _wins(contest, ordered)
    times = [sorted(time for pair in ordered for time in pair.milliseconds[who]) for who in (0, 1)]
    return ContestResult(
        a=contest.a,
        b=contest.b,
        game=contest.game,
        seed=contest.seed,
        pairs=count,
        hands=hands,
        mean=round(mean, 4),
        low=round(mean - half, 4),
        high=round(mean + half, 4),
        matches={"a": wins[0], "b": wins[1]},
        ms_per_move=_named(times, lambda spent: sum(spent) / len(spent)),
        ms_median=_named(times, lambda spent: spent[len(spent) // 2]),
        ms_p99=_named(times, lambda spent: spent[min(len(spent) - 1, len(spent) * 99 // 100)]),
        minutes=round(sum(map(sum, times)) / 60_000, 1),
        seats=contest.seats,
        budget=contest.budget,
        deals=deals_hash(contest),
    )


def _student_factor(degrees: int) -> float:
    """The 97.5 % point of Student's t: 1.96 for many degrees of freedom, more for few.

    Expansion of Abramowitz and Stegun 26.7.5, exact to a thousandth from 4 degrees of freedom on.
    """
    few = {1: 12.706, 2: 4.303, 3: 3.182}
    terms = (1.95996, 2.37227, 2.82250, 2.55585, 1.58953)
    return few.get(degrees) or sum(term / degrees**power for power, term in enumerate(terms))


def _named(times: Sequence[Sequence[float]], value: Callable[[Sequence[float]], float]) -> dict[str, float]:
    return {name: round(value(spent), 3) if spent else 0.0 for name, spent in zip("ab", times, strict=True)}


def _wins(contest: Contest, ordered: Sequence[PairResult]) -> tuple[int, int]:
    """Match wins of A and B: counted, or made by booking the single hands in order."""
    wins = [0, 0]
    if contest.whole:
        for pair in ordered:
            wins[0] += pair.wins[0]
            wins[1] += pair.wins[1]
        return wins[0], wins[1]
    game, rules = find(contest.game)
    for table in (0, 1):
        tally: Tally = game.tally(rules, contest.seats)
        setup = Setup(contest.seats, 0, tally)
        for pair in ordered:
            points, facts = pair.results[table]
            tally = tally.add(Result(points=tuple(points), outcome=game.outcome(dict(facts))), setup)
            setup = Setup(contest.seats, tally.dealer(setup), tally, setup.number + 1)
            won = tally.winner()
            if won is not None:
                for winner in won:
                    wins[(winner + table) % 2] += 1
                tally = game.tally(rules, contest.seats)
                setup = Setup(contest.seats, 0, tally)
    return wins[0], wins[1]


# --------------------------------------------------------------------------------------- the arena


def play_contest(
    contest: Contest,
    executor: Executor | None = None,
    *,
    resume: Path | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> ContestResult:
    """Play a contest, in this process or spread over `executor`, and sum it up.

    Args:
        contest: The players, rules and deals.
        executor: The executor that plays pairs; None for this process.
        resume: A file of finished pairs; an interrupted contest continues there.
        watch: Called with the numbers of finished pairs and of all pairs.

    Raises:
        ValueError: These rules are not for so many players, or the file belongs to another contest.
    """
    find(contest.game)[0].check_seats(contest.game, contest.seats)
    finished = _read(contest, resume) if resume is not None else []
    known = {pair.number for pair in finished}
    left = [number for number in range(contest.pairs) if number not in known]
    watch(len(finished), contest.pairs)
    for pairs in _batches(contest, left, executor):
        finished += pairs
        if resume is not None:
            with resume.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(pair) + "\n" for pair in pairs)
        watch(len(finished), contest.pairs)
    return contest_result(contest, finished)


def _batches(contest: Contest, left: Sequence[int], executor: Executor | None) -> Iterator[list[PairResult]]:
    if executor is None:
        for number in left:
            yield [play_pair(contest, number)]
        return
    size = max(1, min(25, len(left) // 64))
    futures: list[Future[list[PairResult]]] = [
        executor.submit(play_pairs, contest, left[at : at + size], made_by())
        for at in range(0, len(left), size)
    ]
    for future in as_completed(futures):
        yield future.result()


def _read(contest: Contest, resume: Path) -> list[PairResult]:
    """The pairs that an earlier run of the same contest has finished; a new file gets its heading."""
    # Files of pairs with a seed for each table cannot be mixed with these.
    wanted = asdict(replace(contest, pairs=0)) | {"seeds": "of the pair"}
    heading = json.dumps(wanted | {"made_by": made_by()})
    try:
        text = decode(resume.read_bytes()) if resume.exists() else ""
    except BadText:
        raise ValueError(f"{resume} is no file of finished pairs") from None
    if not text:
        resume.write_text(heading + "\n", encoding="utf-8")
        return []
    first, *lines = text.splitlines()
    maker = _provenance_in(first, wanted)
    if maker is None:
        raise ValueError(f"{resume} belongs to another contest: {first[:200]}")
    if not maker:
        raise ValueError(f"{resume} does not say by which version and rules it was begun; begin a new file")
    if differing := differences_from(maker):
        raise ValueError(
            f"{resume} was begun by another nousu: {differing}; begin a new file or install that one"
        )
    pairs = {}
    for at, line in enumerate(lines, start=2):
        try:
            pair = _pair(line)
        except (ValueError, TypeError, IndexError):
            if at == len(lines) + 1:  # the run was cut off while writing this line
                break
            raise ValueError(f"{resume}, line {at} is no finished pair") from None
        pairs[pair.number] = pair
    if len(lines) > len(pairs) or not text.endswith("\n"):
        text = "".join(json.dumps(pair) + "\n" for pair in pairs.values())
        part = resume.with_name(resume.name + ".part")  # one of the two files is whole at any moment
        part.write_text(first + "\n" + text, encoding="utf-8")
        part.replace(resume)
    return [pair for pair in pairs.values() if pair.number < contest.pairs]


def _provenance_in(first: str, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    """The `made_by` in the first line of a file, empty without one; None for a file of another contest."""
    try:
        heading = json.loads(first)
        maker: dict[str, Any] = dict(heading.pop("made_by", {}))
    except (ValueError, TypeError, AttributeError):
        return None
    return maker if heading == json.loads(json.dumps(wanted)) else None


def _pair(line: str) -> PairResult:
    number, hands, difference, wins, results, times = json.loads(line)
    return PairResult(
        int(number),
        int(hands),
        float(difference),
        (wins[0], wins[1]),
        tuple((tuple(points), tuple(map(tuple, facts))) for points, facts in results),
        (tuple(times[0]), tuple(times[1])),
    )
