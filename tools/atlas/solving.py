"""Random deals solved one after another into files that only grow, so that the work may be interrupted.

A deal depends on the seed and its number alone. A row is written once it is complete; one that was cut short
by a power failure is solved again.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from nousu.about import made_by
from nousu.engine.actions import Action, Deal
from nousu.engine.cards import DECK_52, Card, CardSet, card_set
from nousu.engine.match import Match
from nousu.engine.pbn import deal_text, parse_deal
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, Player, find_player
from nousu.players.seat_loop import derive_seed
from nousu.players.worlds import World
from nousu.solver import Nolo, Position, Rami, goal_of, position_of, solve, solve_leaders

RULES: Final = "tuppi+sooli=off"
"""The rules of the hands whose hidden cards are priced."""
BIDDER: Final = "rules"
"""The player that bids in them."""
BLOCK: Final = {"rami": 100, "nolo": 4, "hidden": 1}
"""Number of deals between two writings."""
CHECKED: Final = {"rami": 20, "nolo": 4, "hidden": 0}
"""Number of deals that a check solves again."""
COLUMNS: Final = {
    "rami": ("deal", "cards", "N", "E", "S", "W"),
    "nolo": ("deal", "cards", "N"),
    "hidden": ("deal", "cards", "kind", "leader", "par", "both", "ns", "ew"),
}
"""The columns of each file; docs/research/atlas.md says what they hold."""

Row = tuple[int | str, ...]
Watch = Callable[[str, int, int], None]


def cards(seed: int, number: int) -> tuple[tuple[Card, ...], ...]:
    """The hands of a deal, N, E, S, W, every deal equally likely."""
    pack = Random(derive_seed(seed, "deal", number)).sample(DECK_52, 52)
    return tuple(tuple(pack[13 * seat : 13 * seat + 13]) for seat in range(4))


def _position(hands: Sequence[Sequence[Card]]) -> Position:
    return Position(hands=tuple(card_set(hand) for hand in hands), turn=0)


def _solved(kind: str, seed: int, numbers: range, threads: int) -> Iterator[Row]:
    dealt = [cards(seed, number) for number in numbers]
    leaders = (0, 1, 2, 3) if kind == "rami" else (0,)
    goal = Rami() if kind == "rami" else Nolo()
    solutions = solve_leaders([_position(hands) for hands in dealt], goal, leaders, threads=threads)
    for number, hands, values in zip(numbers, dealt, solutions, strict=True):
        yield number, deal_text(hands), *[solution.value for solution in values if solution is not None]


class _Seeing:
    """A player that sees all hands and plays the first of the cards that keep the result of perfect play."""

    def card(self, match: Match, seat: int) -> Action:
        view = match.hand.view(seat)
        best = solve(_problem(match, seat), goal_of(view)).best
        return next(action for action in view.legal if getattr(action, "card", None) in best)


def _problem(match: Match, seat: int) -> Position:
    """The position on the table, all hands seen."""
    held = tuple(card_set(match.hand.view(other).cards) for other in range(4))
    return position_of(match.hand.view(seat), World(held, held))


def _played(match: Match, by: Mapping[int, Player | _Seeing], seed: int) -> int:
    """Tricks of North–South when `by` each side plays the rest of the hand."""
    while not match.played:
        seat = match.hand.owed()[0]
        legal = match.hand.legal(seat)
        player = by[seat % 2]
        if len(legal) == 1:
            action = legal[0]
        elif isinstance(player, _Seeing):
            action = player.card(match, seat)
        else:
            move_seed = derive_seed(seed, len(match.hand.log), seat)
            action = player.choose(match.hand.view(seat), DEFAULT_BUDGET, move_seed).action
        match = match.apply(seat, action)
    return int(match.played[0].result.outcome.plain()["tricks"][0])


def play_hidden(seed: int, number: int, player: str) -> Row:
    """The price of hidden cards in one deal: a row of ``hidden.csv``.

    The hand is bid by rules of thumb, then played from the first lead by `player` in all seats, and by it on
    one side against opponents that see all hands and never err.
    """
    game, rules = find(RULES)
    hands = cards(seed, number)
    match = Match.start(game, rules, 4, number % 4).apply(CHANCE, Deal(hands))
    bidder = find_player(BIDDER)
    while match.hand.view(seat := match.hand.owed()[0]).phase != "play":
        move_seed = derive_seed(seed, number, len(match.hand.log), seat)
        match = match.apply(seat, bidder.choose(match.hand.view(seat), DEFAULT_BUDGET, move_seed).action)
    goal = goal_of(match.hand.view(seat))
    par = solve(_problem(match, seat), goal, want="value").value
    blind, seeing, move_seed = find_player(player), _Seeing(), derive_seed(seed, "play", number)
    ways: tuple[Mapping[int, Player | _Seeing], ...] = (
        {0: blind, 1: blind},
        {0: blind, 1: seeing},
        {0: seeing, 1: blind},
    )
    kind = "rami" if isinstance(goal, Rami) else "nolo"
    return (
        number,
        deal_text(hands),
        kind,
        "NESW"[seat],
        par,
        *[_played(match, way, move_seed) for way in ways],
    )


class DealCounts(NamedTuple):
    """Number of deals of each kind."""

    rami: int
    nolo: int
    hidden: int


def solve_deals(
    folder: Path,
    wanted: DealCounts,
    *,
    seed: int = 1,
    player: str = "searcher",
    threads: int = 1,
    watch: Watch = lambda kind, done, total: None,
) -> None:
    """Solve until each file of a folder holds so many deals; those it holds are not solved again.

    ValueError if it was begun with another seed or player, or holds something else.
    """
    _begin(folder, seed, player)
    for kind, total in wanted._asdict().items():
        path = folder / f"{kind}.csv"
        done = _mend(path, kind)
        watch(kind, done, total)
        while done < total:
            numbers = range(done, min(done + BLOCK[kind], total))
            rows = (
                [play_hidden(seed, number, player) for number in numbers]
                if kind == "hidden"
                else list(_solved(kind, seed, numbers, threads))
            )
            with path.open("a", encoding="utf-8") as file:
                file.write("".join(",".join(map(str, row)) + "\n" for row in rows))
            done = numbers.stop
            watch(kind, done, total)


def _begin(folder: Path, seed: int, player: str) -> None:
    about = {"seed": seed, "player": player}
    path = folder / "about.json"
    if path.exists():
        known = read_start(folder)
        for key, value in about.items():
            if known[key] != value:
                raise ValueError(
                    f"{folder} was begun with {key} {known[key]}, not {value}: name a new folder"
                )
        return
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} holds something that is no atlas: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(about | {"made_by": made_by()}, indent=1) + "\n", "utf-8")


def read_start(folder: Path) -> dict[str, Any]:
    """The seed, player and version with which a folder was begun. ValueError if it is no atlas."""
    try:
        known: dict[str, Any] = json.loads((folder / "about.json").read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{folder} holds no atlas: {error.strerror} ({error.filename})") from None
    if not {"seed", "player", "made_by"} <= known.keys():
        raise ValueError(f"{folder} holds something that is no atlas")
    return known


def _mend(path: Path, kind: str) -> int:
    """The number of whole rows in a file; a row that was cut short is removed."""
    head = ",".join(COLUMNS[kind]) + "\n"
    if not path.exists():
        path.write_text(head, "utf-8")
        return 0
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if not whole.startswith(head):
        raise ValueError(f"{path} is not a file of the atlas: its first line is not {head.strip()}")
    if whole != text:
        path.write_text(whole, "utf-8")
    return whole.count("\n") - 1


class SolvedDeal(NamedTuple):
    """A row of ``rami.csv`` or ``nolo.csv``."""

    hands: tuple[CardSet, ...]
    values: tuple[int, ...]
    """The tricks of North–South, leader by leader."""


def read_deals(folder: Path, kind: str) -> Iterator[SolvedDeal]:
    """The solved deals of a folder in order. ValueError names a line that cannot be read."""
    path = folder / f"{kind}.csv"
    _mend(path, kind)
    for at, row in enumerate(rows(path)):
        try:
            number, deal, *values = row
            hands = tuple(card_set(hand) for hand in parse_deal(deal).hands)
            if int(number) != at or not all(0 <= int(value) <= 13 for value in values):
                raise ValueError("deals are not in order, or a value is no number of tricks")
            yield SolvedDeal(hands, tuple(map(int, values)))
        except ValueError as error:
            raise ValueError(f"{path}, line {at + 2}: {error}") from None


def rows(path: Path) -> Iterator[list[str]]:
    """The rows of a file under its head, each with a value in every column. ValueError names a line."""
    head, *lines = path.read_text("utf-8").splitlines()
    width = head.count(",") + 1
    for at, line in enumerate(lines):
        row = line.split(",")
        if len(row) != width:
            raise ValueError(f"{path}, line {at + 2}: {width} values are due, here are {len(row)}")
        yield row


def check_deals(folder: Path) -> dict[str, int]:
    """Compare every deal of a folder with its seed, and solve some again (`CHECKED`).

    Returns:
        The number of deals by kind.

    Raises:
        ValueError: The first line that is wrong.
    """
    seed = read_start(folder)["seed"]
    counts = {}
    for kind, times in CHECKED.items():
        path = folder / f"{kind}.csv"
        lines = list(rows(path)) if path.exists() else []
        counts[kind] = len(lines)
        for number, line in enumerate(lines):
            if line[:2] != [str(number), deal_text(cards(seed, number))]:
                raise ValueError(f"{path}, line {number + 2}: that is not deal {number} of seed {seed}")
        for number in range(0, len(lines) if times else 0, len(lines) // max(1, times) + 1):
            (solved,) = _solved(kind, seed, range(number, number + 1), 1)
            if list(map(str, solved)) != lines[number]:
                raise ValueError(f"{path}, line {number + 2}: solved again it is {solved[2:]}")
    return counts
