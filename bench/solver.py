"""The solver's budgets: CPU time on uniformly random deals, against DDS 2.9 where it plays the same game.

    python -m bench solver          all of it, some minutes
    python bench/solver.py rami     one part: rami, nolo, sooli, huutopussi, rollouts, threads, freaks, dds,
                                    patterns

``freaks`` solves three deals that are hard for every solver, and ``dds`` checks 10,000 deals for all four
leaders against DDS. These and ``patterns`` are left out of the whole.
Times are processor seconds of this process (one thread, except ``threads``), so other work on the machine
disturbs them little; every part prints how many deals, their spread and the memory in use.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Any

from nousu.engine.cards import DECK_36, DECK_52, Card, card_set, cards_of
from nousu.solver import (
    Goal,
    Huutopussi,
    Nolo,
    Position,
    Rami,
    Solution,
    SolveStopped,
    Sooli,
    compiled,
    covered,
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
"""Seconds after which a search is given up and counted as unfinished."""


def drawn(seed: str, size: int = 13, pack: tuple[Card, ...] = DECK_52) -> Iterator[Hands]:
    """Uniformly random deals without end; the same seed gives the same ones."""
    dice = Random(f"bench {seed}")
    while True:
        cards = dice.sample(pack, 4 * size)
        yield tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))


def deals(seed: str, count: int, size: int = 13, pack: tuple[Card, ...] = DECK_52) -> list[Hands]:
    """The first so many of them."""
    return list(islice(drawn(seed, size, pack), count))


def megabytes() -> float:
    """The most memory this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def spread(name: str, seconds: list[float], budget: str, unfinished: int = 0, limit: float = LIMIT) -> None:
    """One line: mean, median, 99 %, most, in milliseconds, beside the budget."""
    ms = sorted(1000 * one for one in seconds)
    late = f", {unfinished} not finished in {limit:.0f} s and counted so" if unfinished else ""
    print(
        f"{name}: {len(ms)} deals, mean {statistics.fmean(ms):.3f} ms, median {statistics.median(ms):.3f}, "
        f"99 % {ms[int(0.99 * (len(ms) - 1))]:.3f}, most {ms[-1]:.3f}{late}; "
        f"{megabytes():.0f} MiB  [{budget}]",
        flush=True,
    )


def timed(run: Callable[[], Any]) -> float:
    """Processor seconds of one call."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def each(name: str, problems: Iterable[tuple[Position, Goal]], budget: str, limit: float = LIMIT) -> None:
    """Solve one by one for the value and print the spread."""
    seconds, unfinished = [], 0
    for position, goal in problems:
        begun = time.process_time()
        try:
            solve(position, goal, want="value", seconds=limit)
        except SolveStopped:
            unfinished += 1
        seconds.append(time.process_time() - begun)
    spread(name, seconds, budget, unfinished, limit)


class Dds:
    """DDS 2.9 as the endplay package carries it, on one thread, through its own batch-free calls."""

    def __init__(self) -> None:
        import endplay._dds as dds

        self.dds = dds
        dds.SetMaxThreads(1)

    def one(self, hands: Hands, leader: int) -> int:
        """Tricks of the leader's side: value and one best card (target -1, solutions 1, mode 1)."""
        deal = self.dds.deal()
        deal.trump, deal.first = 4, leader
        for seat in range(4):
            for suit in range(4):
                deal.remainCards[seat][suit] = (hands[seat] >> 16 * suit & 0x1FFF) << 2
        answer = self.dds.futureTricks()
        self.dds.SolveBoard(deal, -1, 1, 1, answer, 0)
        return int(answer.score[0])

    def four(self, batch: list[Hands]) -> list[list[int]]:
        """Tricks of North-South for each leader, no trump (CalcAllTables, the other strains filtered out)."""
        found = []
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
                found.append([row[leader] if leader % 2 else 13 - row[leader] for leader in range(4)])
        return found


def rami(count: int = 60) -> None:
    """One leader and four leaders against DDS."""
    batch = deals("rami", count)
    dds = Dds()
    ours, theirs = [], []
    for hands in batch:
        position = Position(hands=hands, turn=0)
        ours.append(timed(partial(solve, position, Rami(), want="one")))
        theirs.append(timed(partial(dds.one, hands, 0)))
    spread("rami, one leader, nousu", ours, "see ratio")
    spread("rami, one leader, DDS 2.9", theirs, "")
    print(f"  ratio of total CPU time, DDS / nousu: {sum(theirs) / sum(ours):.2f}  [>= 3]")
    print(f"  median of the ratios deal by deal: {statistics.median(map(_over, theirs, ours)):.2f}")
    ours = [timed(partial(solve_leaders, [Position(hands=hands, turn=0)], Rami())) for hands in batch]
    theirs = [timed(partial(dds.four, [hands])) for hands in batch]
    spread("rami, four leaders, nousu", ours, "see ratio")
    spread("rami, four leaders, DDS 2.9", theirs, "")
    print(f"  ratio of total CPU time, DDS / nousu: {sum(theirs) / sum(ours):.2f}  [>= 3]")


FREAKS = {
    "a void everywhere": "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962",
    "North and South exchanged": "N:AJ962.KT74..Q853 Q853.AJ962.KT74. .Q853.AJ962.KT74 KT74..Q853.AJ962",
    "every suit in two hands": "N:KJ9753..AQT8642. ..KJ9753.AQT8642 .AQT8642..KJ9753 AQT8642.KJ9753..",
}
"""Deals made to be hard, known among authors of bridge solvers: no hand has two cards in sequence."""


def freaks() -> None:
    """How long three deals made to be hard take, North on lead."""
    for name, pbn in FREAKS.items():
        position = parse_deal(pbn, leader=0)
        begun = time.process_time()
        solution = solve(position, Rami(), want="value")
        seconds = time.process_time() - begun
        print(
            f"rami, {name}: {solution.value} tricks, {seconds:.1f} s, "
            f"{solution.nodes / 1e6:.1f} million nodes; {megabytes():.0f} MiB",
            flush=True,
        )
        forget()


def _over(a: float, b: float) -> float:
    return a / b


def nolo(count: int = 12) -> None:
    """All 13 cards, and endings of ten."""
    each(
        "nolo, 13 cards",
        [(Position(hands=hands, turn=0), Nolo()) for hands in deals("nolo", count)],
        "mean <= 300, median <= 100, <= 256 MiB",
        limit=60.0,  # by the clock, which a busy machine lets run ahead of the processor
    )
    each(
        "nolo, 10 cards",
        [(Position(hands=hands, turn=0), Nolo()) for hands in deals("nolo ending", 10 * count, 10)],
        "mean <= 12",
    )


def plausible(hand: int) -> bool:
    """Whether somebody might call sooli on this hand: with the ace low, all cards but at most one (which the
    exchange can mend) are no higher than twice their place in the suit: three, five, seven, … or lower."""
    high = 0
    for suit in range(4):
        ranks = sorted((rank + 1) % 13 for rank in range(13) if hand >> 16 * suit + rank & 1)
        high += sum(rank > 2 * place + 1 for place, rank in enumerate(ranks))
    return high <= 1


def sooli(count: int = 2000) -> None:
    """Soloists picked from random deals because their hand is low."""
    problems: list[tuple[Position, Goal]] = []
    for hands in drawn("sooli"):
        problems += [
            (sooli_position(hands, seat), Sooli(seat)) for seat in range(4) if plausible(hands[seat])
        ]
        if len(problems) >= count:
            break
    made = sum(answer.value for answer in solve_many(problems, want="value") if answer is not None)
    print(f"sooli: {made} of {len(problems)} plausible soloists can make it")
    each("sooli, 13 cards", problems, "mean <= 0.3, 99 % <= 5")


def huutopussi(count: int = 40) -> None:
    """The first lead of nine cards, points of North-South."""
    problems: list[tuple[Position, Goal]] = [
        (huutopussi_position(hands, 0), Huutopussi()) for hands in deals("huutopussi", count, 9, DECK_36)
    ]
    each("huutopussi, 9 cards", problems, "mean <= 10")


def random_play() -> None:
    """Rollouts of 13 cards in the core."""
    position = Position(hands=deals("rollouts", 1)[0], turn=0)
    times = 2_000_000
    seconds = timed(lambda: rollouts([(position, Rami())], times, 1))
    print(f"rollouts: {times / seconds / 1e6:.2f} million hands a second and core  [>= 2.8]")


def threads(count: int = 512) -> None:
    """A batch by turns on one thread, on two, and in two processes at once that share nothing, twelve times
    each, in wall-clock time: what two processes gain is what the machine gives for a second core. Processor
    time shows whether the threads are in each other's way. Medians of ratios."""
    alone: list[float] = []
    shared: list[float] = []
    apart: list[float] = []
    busy: list[float] = []
    spawn = get_context("spawn")
    with ProcessPoolExecutor(1, spawn) as first, ProcessPoolExecutor(1, spawn) as second:
        for turn in range(13):
            one, one_busy = _batch(count, 1)
            two, two_busy = _batch(count, 2)
            both = [process.submit(_batch, count, 1) for process in (first, second)]
            slower = max(done.result()[0] for done in both)
            if turn:  # the first warms up the tables of all
                alone.append(one)
                shared.append(two)
                apart.append(slower / 2)
                busy.append(two_busy / one_busy)
    gain, most = (statistics.median(map(_over, alone, several)) for several in (shared, apart))
    print(f"two threads: {gain:.2f} times as fast as one, {count} deals of 11 cards  [>= 1.95]")
    print(f"  two processes that share nothing: {most:.2f} times")
    print(f"  processor time on two threads over that on one: {statistics.median(busy):.2f}")


def _batch(count: int, number: int) -> tuple[float, float]:
    """Seconds on the clock and of the processor that so many deals of rami take on so many threads."""
    problems = _dealt(count)
    begun, worked = time.perf_counter(), time.process_time()
    solve_many(problems, want="value", threads=number)
    return time.perf_counter() - begun, time.process_time() - worked


@cache
def _dealt(count: int) -> list[tuple[Position, Goal]]:
    return [(Position(hands=hands, turn=0), Rami()) for hands in deals("threads", count, 11)]


def patterns(count: int = 20, worlds: int = 40) -> None:
    """Rami: how many cards decide a value, and how many imagined deals one solved deal stands for."""
    dice = Random("patterns")
    for size in (13, 9, 7, 5, 4, 3):
        pinned, known = 0.0, 0
        for hands in deals("patterns", count, size):
            others = [card for hand in hands[1:] for card in cards_of(hand)]
            solved: list[tuple[Position, Solution]] = []
            for _ in range(worlds):
                dice.shuffle(others)
                thirds = (card_set(others[size * seat : size * seat + size]) for seat in range(3))
                position = Position(hands=(hands[0], *thirds), turn=0)
                if any(covered(one, solution, position) for one, solution in solved):
                    known += 1
                    continue
                solved.append((position, solve(position, Rami(), want="value")))
                pinned += (solved[-1][1].pattern or 0).bit_count() / (4 * size)
        share = pinned / (count * worlds - known)
        print(
            f"rami, {size:2} cards: {100 * share:3.0f} % of the cards decide a value; "
            f"{100 * known / count / worlds:4.1f} % of {worlds} imagined deals covered by an earlier one"
        )


def dds(count: int = 10_000) -> None:
    """Every value for four leaders equals DDS's."""
    reference = Dds()
    wrong = 0
    batch = deals("dds", count)
    for start in range(0, count, 320):
        part = batch[start : start + 320]
        truth = reference.four(part)
        found = solve_leaders([Position(hands=hands, turn=0) for hands in part], Rami(), threads=2)
        mine = [[answer.value if answer else None for answer in row] for row in found]
        wrong += sum(a != b for a, b in zip(mine, truth, strict=True))
        print(f"  {start + len(part)} deals, {wrong} differ", flush=True)
    print(f"rami against DDS: {count} deals x 4 leaders, {wrong} deals differ")
    if wrong:
        raise SystemExit(1)


PARTS: dict[str, Callable[[], None]] = {
    "rollouts": random_play,
    "sooli": sooli,
    "huutopussi": huutopussi,
    "rami": rami,
    "threads": threads,
    "nolo": nolo,
}


def main() -> None:
    """Run every part that has a budget."""
    print(f"compiled core: {compiled()}")
    for part in PARTS.values():
        part()
        forget()


if __name__ == "__main__":
    parts = PARTS | {"freaks": freaks, "dds": dds, "patterns": patterns}
    if strange := [name for name in sys.argv[1:] if name not in parts]:
        sys.exit(f"{', '.join(strange)}: no such part; there are {', '.join(parts)}")
    for name in sys.argv[1:]:
        parts[name]()
    if len(sys.argv) == 1:
        main()
