"""The cup as a tree: its matches round by round, played, planned and to come."""

from collections.abc import Sequence
from dataclasses import dataclass

from nousu.tournament.formats.tuppi_slip import MatchResult
from nousu.tournament.model import Tournament
from nousu.tournament.print_language import cup_matches


@dataclass(frozen=True, slots=True)
class CupSide:
    """One side of a match."""

    number: int
    """The number; 0: not known yet, or there is none."""
    name: str
    score: str
    won: bool


@dataclass(frozen=True, slots=True)
class CupMatch:
    """One match; a side alone goes on without playing."""

    table: str
    """The table; empty: not planned yet."""
    sides: tuple[CupSide, CupSide]


@dataclass(frozen=True, slots=True)
class CupRound:
    """Matches of one round, from the top of the tree."""

    label: str
    matches: tuple[CupMatch, ...]


def cup_tree(state: Tournament) -> tuple[CupRound, ...]:
    """The rounds of the cup up to the final; none if no cup is planned."""
    rounds: list[CupRound] = []
    while matches := cup_matches(state, label := f"C{len(rounds) + 1}"):
        planned = state.rounds.get(label)
        if planned is not None:
            tables = tuple(planned.named_tables())[:matches]
        else:
            winners = [_winner(match) for match in rounds[-1].matches]
            tables = tuple(("", tuple(winners[at : at + 2])) for at in range(0, len(winners), 2))
        rounds.append(CupRound(label, tuple(_match(state, table, seats) for table, seats in tables)))
    return tuple(rounds)


def third_place(state: Tournament) -> CupMatch | None:
    """The match for the third place, if one is planned."""
    for label, planned in state.rounds.items():
        if label[0] == "C" and cup_matches(state, label) == 1 and len(planned.tables) > 1:
            return _match(state, planned.names()[1], planned.tables[1])
    return None


def _match(state: Tournament, table: str, seats: Sequence[int]) -> CupMatch:
    """A match with its result, as far as it counts."""
    slip = state.slip(table) if table else None
    counts = slip is not None and slip.state in ("confirmed", "accepted")
    result = slip.result if slip is not None and counts and isinstance(slip.result, MatchResult) else None
    sides = []
    for at in (0, 1):
        number = seats[at] if at < len(seats) else 0
        score = str(result.total[at]) if result is not None and result.written != "forfeit" else ""
        won = result.winner == at if result is not None else bool(table) and len(seats) == 1 and at == 0
        sides.append(CupSide(number, state.who(number) if number else "", score, won))
    return CupMatch(table, (sides[0], sides[1]))


def _winner(match: CupMatch) -> int:
    """The number that goes on; 0: not known yet."""
    return next((side.number for side in match.sides if side.won), 0)
