"""``nousu solve``: the result of perfect play with all hands open."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nousu.about import made_by
from nousu.cli import fail, first_line, parse_record, read_input

if TYPE_CHECKING:
    from nousu.engine.cards import CardSet
    from nousu.engine.game import Hand
    from nousu.solver import Goal, Position

Kind = Literal["rami", "nolo", "sooli", "huutopussi"]
Order = Literal["always_last", "rotation"]
_CHUNK = 16
"""Deals solved in one call on several threads; their rows are printed after it."""


def register(app: typer.Typer) -> None:
    """Add ``solve``."""
    app.command("solve")(solve)


def solve(
    file: Annotated[
        Path,
        typer.Argument(
            help="PBN deals, one per line; or a PBN file; or a Nousu record. - reads standard input."
        ),
    ],
    kind: Annotated[Kind, typer.Option(help="The goal of the hand.")] = "rami",
    leader: Annotated[
        str, typer.Option(help="N, E, S, W or all; in sooli, if not given, the seat on the soloist's left.")
    ] = "",
    soloist: Annotated[str, typer.Option(help="The soloist of a sooli: N, E, S or W. N if not given.")] = "",
    trump: Annotated[str, typer.Option(help="The trump suit: S, H, D or C. None if not given.")] = "",
    order: Annotated[
        Order | None, typer.Option(help="Where the soloist of a sooli plays; always_last if not given.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Deals solved at the same time.")] = 1,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="One line of JSON per deal, with best cards, nodes and milliseconds."),
    ] = False,
) -> None:
    """Solve deals with all hands open.

    Prints CSV: the line of the deal, then for each leader asked for what North–South take: tricks in rami and
    nolo, points (cards, marriages, last trick) in huutopussi. In sooli it is 1 if the soloist takes no trick
    and 0 otherwise. Bad lines are reported on stderr, the rest are solved, and the exit code is 1.
    """
    from nousu.engine.cards import SUITS
    from nousu.engine.messages import brief
    from nousu.engine.seats import parse_seat
    from nousu.solver import Huutopussi, Nolo, Rami, Sooli

    sooli = kind == "sooli"
    if not sooli and (soloist or order):
        fail(f"there is no soloist in {kind}; leave {'--soloist' if soloist else '--order'} out")
    try:
        alone = parse_seat(soloist or "N")
        seats = _leaders(leader, alone if sooli else None)
    except ValueError as error:
        fail(error)
    if trump and trump.upper() not in tuple(SUITS):
        fail(f"--trump {brief(trump)!r} is no suit; the suits are S H D C")
    suit = SUITS.index(trump.upper()) if trump else None
    if sooli and suit is not None:
        fail("a sooli has no trump; leave --trump out")
    goals: dict[Kind, Goal] = {
        "rami": Rami(),
        "nolo": Nolo(),
        "sooli": Sooli(alone),
        "huutopussi": Huutopussi(),
    }
    goal = goals[kind]
    bad = 0
    rows: list[tuple[int, Position]] = []
    for line, deal in _deals(file):
        try:
            if isinstance(deal, ValueError):
                raise deal
            rows.append((line, _first_lead(deal, goal, order or "always_last", suit)))
        except ValueError as error:
            typer.echo(f"nousu: {file}: line {line}: {error}", err=True)
            bad += 1
        if len(rows) >= (1 if threads == 1 else _CHUNK):
            _print_solutions(rows, goal, seats, threads, as_json)
            rows = []
    _print_solutions(rows, goal, seats, threads, as_json)
    if bad:
        typer.echo(f"nousu: {bad} {'deal' if bad == 1 else 'deals'} could not be solved", err=True)
        raise typer.Exit(1)


def _leaders(text: str, soloist: int | None) -> tuple[int, ...]:
    from nousu.engine.seats import parse_seat, seat_name

    everybody = text.lower() == "all"
    if soloist is None:
        return (0, 1, 2, 3) if everybody else (parse_seat(text or "N"),)
    may = ((soloist + 1) % 4, (soloist + 3) % 4)
    if everybody:
        return may
    seat = parse_seat(text) if text else may[0]
    if seat not in may:
        names = " and ".join(map(seat_name, may))
        raise ValueError(f"against {seat_name(soloist)} alone only {names} can lead, not {seat_name(seat)}")
    return (seat,)


def _deals(file: Path) -> "Iterator[tuple[int, tuple[CardSet, ...] | ValueError]]":
    """Every deal of a file with its line, or the error in that line."""
    from nousu.engine.cards import card_set
    from nousu.engine.errors import BadRecord
    from nousu.engine.pbn import Skipped, each_board, is_pbn, parse_deal
    from nousu.engine.text_lines import written

    text = read_input(file)
    first = first_line(text)
    if not first:
        fail(f"{file}: no deal is written here", code=1)
    if first.startswith(("pn|", "qx|", "vg|", "md|")):
        fail(f"{file}: this is LIN, which is not read; save the deals as PBN", code=1)
    if first.startswith("nousu record"):
        record = parse_record(file, text)
        at = 0
        hands = [played.hand for played in record.match.played]
        if not hands or record.match.hand is not hands[-1]:
            hands.append(record.match.hand)
        for hand in hands:
            if not hand.log:
                continue
            yield record.lines[at], _hands_at_lead(hand)
            at += len(hand.log)
        return
    if is_pbn(text):
        for board in each_board(text):
            if isinstance(board, BadRecord):
                yield board.line, ValueError(board.message)
            elif isinstance(board, Skipped):
                typer.echo(f"nousu: {file}: line {board.line}: {board.message}", err=True)
            else:
                yield board.line, tuple(card_set(hand) for hand in board.deal.hands)
        return
    for number, line in written(text):
        if line[0] in "#%;":
            continue
        try:
            yield number, tuple(card_set(hand) for hand in parse_deal(line).hands)
        except ValueError as error:
            yield number, error


def _hands_at_lead(hand: "Hand") -> "tuple[CardSet, ...] | ValueError":
    """The four hands at the first lead: as dealt, and after cards have been exchanged."""
    from nousu.engine.actions import Deal, Give
    from nousu.engine.cards import card_set

    hands: list[int] = []
    for seat, action in hand.log:
        if isinstance(action, Deal):
            hands = [card_set(cards) for cards in action.hands]
        elif isinstance(action, Give) and 0 <= seat < len(hands):
            moved = card_set(action.cards)
            hands[seat] &= ~moved
            if action.to is not None:
                hands[action.to] |= moved
    if len(hands) != 4:
        return ValueError(f"the solver's games are for four hands, here are {len(hands)}")
    return tuple(hands)


def _first_lead(hands: "tuple[CardSet, ...]", goal: "Goal", order: Order, trump: int | None) -> "Position":
    """The position to solve; `ValueError` where these hands cannot be played for the goal."""
    from nousu.engine.cards import DECK_36, card_set
    from nousu.engine.seats import seat_name
    from nousu.solver import Huutopussi, Position, Sooli, check, huutopussi_position, sooli_position

    missing = [seat_name(seat) for seat, hand in enumerate(hands) if not hand]
    if isinstance(goal, Sooli):
        position = sooli_position(hands, goal.soloist, order)
        missing = [name for name in missing if name != seat_name((goal.soloist + 2) % 4)]
    elif isinstance(goal, Huutopussi):
        position = huutopussi_position(hands, 0, trump)
        if any(hand & ~card_set(DECK_36) for hand in hands):
            raise ValueError("huutopussi is played with sixes and up, here is a lower card")
    else:
        position = Position(hands=hands, turn=0, trump=trump)
    if missing:
        raise ValueError(f"the hand of {', '.join(missing)} is not written; the solver needs every card")
    check(position, goal)
    return position


def _print_solutions(
    rows: "list[tuple[int, Position]]",
    goal: "Goal",
    leaders: tuple[int, ...],
    threads: int,
    as_json: bool,
) -> None:
    from nousu.engine.seats import seat_name
    from nousu.solver import Cancel, solve_leaders
    from nousu.solver import solve as solve_one

    if as_json:
        stop = Cancel()

        def solution(row: "tuple[int, Position]") -> dict[str, object]:
            line, position = row
            leads = {}
            for seat in leaders:
                begun = perf_counter()
                solved = solve_one(replace(position, turn=seat), goal, cancel=stop)
                leads[seat_name(seat)] = {
                    "value": solved.value,
                    "best": [str(move) for move in solved.best],
                    "nodes": solved.nodes,
                    "ms": round((perf_counter() - begun) * 1000, 3),
                }
            return {"line": line, "leaders": leads, "made_by": made_by()}

        with ThreadPoolExecutor(threads) as pool:
            try:
                for answer in pool.map(solution, rows):
                    typer.echo(json.dumps(answer))
            except BaseException:
                stop.set()
                raise
        return
    solutions = solve_leaders([position for _, position in rows], goal, leaders, threads=threads)
    for (line, _), values in zip(rows, solutions, strict=True):
        row = (line, *(solution.value for solution in values if solution is not None))
        typer.echo(",".join(map(str, row)))
