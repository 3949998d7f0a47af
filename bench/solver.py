"""Solving time (CPU ms a deal) on uniformly random deals, against DDS 2.9 where it plays the same game.

    python -m bench solver          every part with a goal, some minutes
    python -m bench.solver rami     one part: rami, nolo, sooli, huutopussi, rollouts, threads, freaks, dds

Left out unless named: ``freaks``, three deals that are hard for every solver, and ``dds``, 10,000 deals for
all four leaders compared with DDS. Goals: rami a third of the time of DDS, nolo mean 300 and median 100 ms,
nolo of ten cards 12 ms, sooli mean 0.3 and p99 5 ms, Huutopussi 10 ms, 2.8 million rollouts a second, two
threads 1.95 times as fast as one. Times are processor time of one thread, except for ``threads``.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import islice
from multiprocessing import get_context
from operator import truediv
from random import Random
from typing import Any

from bench.results import Report, options, parse
from nousu.engine.cards import DECK_36, DECK_52, Card, card_set
from nousu.solver import (
    Goal,
    Huutopussi,
    Nolo,
    Position,
    Rami,
    SolveStopped,
    Sooli,
    compiled,
    forget,
    huutopussi_position,
    parse_deal,
    rollouts,
    solve,
    solve_leaders,
    solve_many,
    sooli_position,
)

Hands = tuple[int, ...]
LIMIT = 10.0
"""Seconds after which a search is stopped; its deal counts with the time spent."""


def random_deals(seed: str, size: int = 13, pack: tuple[Card, ...] = DECK_52) -> Iterator[Hands]:
    """Uniformly random deals without end, four hands of `size` cards; the same for the same seed."""
    rng = Random(f"bench {seed}")
    while True:
        cards = rng.sample(pack, 4 * size)
        yield tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))


def deals(seed: str, count: int, size: int = 13, pack: tuple[Card, ...] = DECK_52) -> list[Hands]:
    """The first so many of `random_deals`."""
    return list(islice(random_deals(seed, size, pack), count))


def report_memory(report: Report, name: str, at_most: float | None = None) -> None:
    """Report the most memory this process has held so far."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.add(f"{name}, memory so far", memory, "MiB", at_most=at_most)


def report_times(report: Report, name: str, seconds: Sequence[float], **goals: float) -> None:
    """Report mean, median, 99th percentile and maximum in milliseconds.

    Args:
        report: Receives the figures.
        name: Beginning of their names.
        seconds: Processor time of each deal.
        goals: The most allowed in milliseconds, by ``mean``, ``p50`` or ``p99``.
    """
    times = [1000 * value for value in seconds]
    report.add(f"{name}, mean", statistics.fmean(times), "ms", n=len(times), at_most=goals.pop("mean", None))
    report.spread(f"{name},", times, "ms", **goals)


def timed(run: Callable[[], Any]) -> float:
    """Processor seconds of one call."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def solve_each(
    report: Report, name: str, problems: Iterable[tuple[Position, Goal]], limit: float = LIMIT, **goals: float
) -> None:
    """Solve problems one by one for the value and report the times.

    Args:
        report: Receives the figures.
        name: Beginning of their names.
        problems: Positions and goals to solve.
        limit: Seconds after which a search is stopped.
        goals: As in `report_times`.
    """
    seconds, unfinished = [], 0
    for position, goal in problems:
        begun = time.process_time()
        try:
            solve(position, goal, want="value", seconds=limit)
        except SolveStopped:
            unfinished += 1
        seconds.append(time.process_time() - begun)
    report_times(report, name, seconds, **goals)
    if unfinished:
        report.add(f"{name}, not finished in {limit:.0f} s", unfinished, "deals", n=len(seconds))


class Dds:
    """DDS 2.9 of the endplay package, on one thread."""

    def __init__(self) -> None:
        import endplay._dds as dds

        self.dds = dds
        dds.SetMaxThreads(1)

    def tricks(self, hands: Hands, leader: int) -> int:
        """Tricks of the leader's side without trumps (target -1, solutions 1, mode 1)."""
        deal = self.dds.deal()
        deal.trump, deal.first = 4, leader
        for seat in range(4):
            for suit in range(4):
                deal.remainCards[seat][suit] = (hands[seat] >> 16 * suit & 0x1FFF) << 2
        answer = self.dds.futureTricks()
        self.dds.SolveBoard(deal, -1, 1, 1, answer, 0)
        return int(answer.score[0])

    def tricks_by_leader(self, batch: list[Hands]) -> list[list[int]]:
        """Tricks of North-South without trumps, for each deal of a batch and each leader."""
        rows = []
        for start in range(0, len(batch), 32):
            part = batch[start : start + 32]
            tables = self.dds.ddTableDeals()
            tables.noOfTables = len(part)
            for index, hands in enumerate(part):
                for seat in range(4):
                    for suit in range(4):
                        cards = (hands[seat] >> 16 * suit & 0x1FFF) << 2
                        tables.ddTableDeal[index].cards[seat][suit] = cards
            results, par = self.dds.ddTablesRes(), self.dds.allParResults()
            self.dds.CalcAllTables(tables, -1, (1, 1, 1, 1, 0), results, par)
            for index in range(len(part)):
                # DDS names the declarer; the hand on his left leads.
                row = [results.results[index].resTable[4][(leader + 3) % 4] for leader in range(4)]
                rows.append([row[leader] if leader % 2 else 13 - row[leader] for leader in range(4)])
        return rows


def rami(report: Report, count: int = 60) -> None:
    """Solve for one leader and for four leaders, against DDS."""
    batch = deals("rami", count)
    reference = Dds()
    positions = [Position(hands=hands, turn=0) for hands in batch]
    own, other = [], []
    for position, hands in zip(positions, batch, strict=True):
        own.append(timed(partial(solve, position, Rami(), want="one")))
        other.append(timed(partial(reference.tricks, hands, 0)))
    _report_ratio(report, "rami, one leader", own, other)
    own = [timed(partial(solve_leaders, [position], Rami())) for position in positions]
    other = [timed(partial(reference.tricks_by_leader, [hands])) for hands in batch]
    _report_ratio(report, "rami, four leaders", own, other)
    report_memory(report, "rami")


def _report_ratio(report: Report, name: str, own: list[float], other: list[float]) -> None:
    report_times(report, f"{name}, nousu", own)
    report_times(report, f"{name}, DDS 2.9", other)
    report.add(f"{name}, CPU time of DDS over nousu", sum(other) / sum(own), "times", n=len(own), at_least=3)
    median = statistics.median(map(truediv, other, own))
    report.add(f"{name}, the same deal by deal, median", median, "times", n=len(own))


FREAKS = {
    "a void everywhere": "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962",
    "North and South exchanged": "N:AJ962.KT74..Q853 Q853.AJ962.KT74. .Q853.AJ962.KT74 KT74..Q853.AJ962",
    "every suit in two hands": "N:KJ9753..AQT8642. ..KJ9753.AQT8642 .AQT8642..KJ9753 AQT8642.KJ9753..",
}
"""Deals made to be hard, known among authors of bridge solvers: no hand has two cards in sequence."""


def freaks(report: Report) -> None:
    """Solve three deals made to be hard, North on lead."""
    for name, pbn in FREAKS.items():
        position = parse_deal(pbn, leader=0)
        begun = time.process_time()
        solution = solve(position, Rami(), want="value")
        report.add(f"rami, {name}, {solution.value} tricks: time", time.process_time() - begun, "s")
        report.add(f"rami, {name}: nodes", solution.nodes / 1e6, "million")
        report_memory(report, f"rami, {name}")
        forget()


def nolo(report: Report, count: int = 12) -> None:
    """Solve deals of 13 cards, and endings of ten."""
    problems = [(Position(hands=hands, turn=0), Nolo()) for hands in deals("nolo", count)]
    # The limit is by the clock, which a busy machine lets run ahead of the processor.
    solve_each(report, "nolo, 13 cards", problems, 60.0, mean=300, p50=100)
    report_memory(report, "nolo", at_most=256)
    endings = [(Position(hands=hands, turn=0), Nolo()) for hands in deals("nolo ending", 10 * count, 10)]
    solve_each(report, "nolo, 10 cards", endings, mean=12)


def is_plausible_soloist(hand: int) -> bool:
    """Whether a player might call sooli on this hand.

    With the ace low, all cards but at most one (which the exchange can replace) are no higher than twice
    their place in the suit: three, five, seven and so on.
    """
    high = 0
    for suit in range(4):
        ranks = sorted((rank + 1) % 13 for rank in range(13) if hand >> 16 * suit + rank & 1)
        high += sum(rank > 2 * place + 1 for place, rank in enumerate(ranks))
    return high <= 1


def sooli(report: Report, count: int = 2000) -> None:
    """Solve soolis of random deals with a plausible soloist."""
    problems: list[tuple[Position, Goal]] = []
    for hands in random_deals("sooli"):
        soloists = (seat for seat in range(4) if is_plausible_soloist(hands[seat]))
        problems += [(sooli_position(hands, seat), Sooli(seat)) for seat in soloists]
        if len(problems) >= count:
            break
    made = sum(solution.value for solution in solve_many(problems, want="value") if solution is not None)
    report.add("sooli, soloists that can make it", made, "soloists", n=len(problems))
    solve_each(report, "sooli, 13 cards", problems, mean=0.3, p99=5)


def huutopussi(report: Report, count: int = 40) -> None:
    """Solve the first lead of nine cards, for the points of North-South."""
    batch = deals("huutopussi", count, 9, DECK_36)
    problems = [(huutopussi_position(hands, 0), Huutopussi()) for hands in batch]
    solve_each(report, "huutopussi, 9 cards", problems, mean=10)


def random_play(report: Report) -> None:
    """Play random hands of 13 cards to the end in the compiled core."""
    position = Position(hands=deals("rollouts", 1)[0], turn=0)
    times = 2_000_000
    seconds = timed(lambda: rollouts([(position, Rami())], times, 1))
    report.add("rollouts of 13 cards", times / seconds / 1e6, "million hands/s", n=times, at_least=2.8)


def threads(report: Report, count: int = 512) -> None:
    """Solve a batch on one thread, on two, and in two separate processes, in turn, twelve times each.

    Speed is by the clock. The gain of two processes shows what the machine gives for a second core, and
    processor time shows whether threads hinder each other.
    """
    single: list[float] = []
    shared: list[float] = []
    separate: list[float] = []
    cpu: list[float] = []
    spawn = get_context("spawn")
    with ProcessPoolExecutor(1, spawn) as first, ProcessPoolExecutor(1, spawn) as second:
        for turn in range(13):
            one, one_cpu = _solve_batch(count, 1)
            two, two_cpu = _solve_batch(count, 2)
            both = [process.submit(_solve_batch, count, 1) for process in (first, second)]
            slower = max(future.result()[0] for future in both)
            if turn:  # the first warms up the tables of all
                single.append(one)
                shared.append(two)
                separate.append(slower / 2)
                cpu.append(two_cpu / one_cpu)
    gain, most = (statistics.median(map(truediv, single, several)) for several in (shared, separate))
    report.add("two threads, speed over one", gain, "times", n=len(single), at_least=1.95)
    report.add("two processes, speed over one", most, "times", n=len(single))
    report.add("two threads, CPU time over one", statistics.median(cpu), "times", n=len(cpu))


def _solve_batch(count: int, threads: int) -> tuple[float, float]:
    """Seconds by the clock and of processor time for so many deals of rami on so many threads."""
    problems = _eleven_card_problems(count)
    begun, cpu = time.perf_counter(), time.process_time()
    solve_many(problems, want="value", threads=threads)
    return time.perf_counter() - begun, time.process_time() - cpu


@cache
def _eleven_card_problems(count: int) -> list[tuple[Position, Goal]]:
    return [(Position(hands=hands, turn=0), Rami()) for hands in deals("threads", count, 11)]


def dds(report: Report, count: int = 10_000) -> None:
    """Compare every value for four leaders with DDS."""
    reference = Dds()
    wrong = 0
    batch = deals("dds", count)
    for start in range(0, count, 320):
        part = batch[start : start + 320]
        expected = reference.tricks_by_leader(part)
        solutions = solve_leaders([Position(hands=hands, turn=0) for hands in part], Rami(), threads=2)
        values = [[solution.value if solution else None for solution in row] for row in solutions]
        wrong += sum(own != other for own, other in zip(values, expected, strict=True))
        print(f"  {start + len(part)} deals, {wrong} differ", flush=True)
    report.add("rami, four leaders: deals that differ from DDS", wrong, "deals", n=count, at_most=0)


SHORT: dict[str, Callable[[Report], None]] = {
    "rollouts": random_play,
    "sooli": sooli,
    "huutopussi": huutopussi,
    "rami": rami,
    "threads": threads,
    "nolo": nolo,
}
"""Parts that run where none is named."""
PARTS = SHORT | {"freaks": freaks, "dds": dds}


def main(words: Sequence[str] = ()) -> bool:
    """Run the parts named, or all short ones; return whether a goal is missed."""
    parser = options("solver", __doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    arguments, report = parse(parser, words)
    print(f"compiled core: {compiled()}")
    for name in arguments.parts or SHORT:
        PARTS[name](report)
        forget()
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
