"""Cup of a Tuppi championship: the pairings of its next round."""

from collections.abc import Sequence
from typing import Protocol

from nousu.tournament.formats.tuppi_ranking import Options, deciding_tables, pool_places
from nousu.tournament.formats.tuppi_slip import MatchResult
from nousu.tournament.messages import Refusal
from nousu.tournament.model import Round, Tournament, order
from nousu.tournament.seating.pairings import bracket, next_cup_round


class CupOptions(Options, Protocol):
    """The options of a Tuppi event that its cup depends on."""

    @property
    def through(self) -> int:
        """Number of pairs of each pool that go on to the cup; 0 = no cup after the pools."""
        ...

    @property
    def third_place(self) -> bool:
        """Whether the losers of the semifinals play for the third place."""
        ...


def cup_round(options: CupOptions, tournament: Tournament, cups: Sequence[str]) -> Round:
    """The cup round after those planned (`cups`, by labels); `Refusal` where none can follow."""
    if not cups:
        tiers: list[list[tuple[int, int]]] = [[(number, -number)] for number in tournament.playing()]
        if options.pools:
            placed = [
                [
                    placed
                    for placed in pool_places(options, tournament, at)
                    if not tournament.has_withdrawn(placed.number)
                ]
                for at in range(options.pools)
            ]
            tiers = [
                [(pool[rank].number, at) for at, pool in enumerate(placed) if rank < len(pool)]
                for rank in range(options.through)
            ]
        if sum(map(len, tiers)) < (1 if tournament.withdrawals else 2):
            raise Refusal("a cup needs at least two pairs")
        return Round("C1", bracket(tiers))
    last = tournament.rounds[cups[-1]]
    deciding = deciding_tables(tournament, cups[-1])
    if deciding == 1:
        raise Refusal("the cup is decided; nothing is left to plan", where="round")
    winners = [_winner(tournament, key, seats) for key, seats in last.named_tables()]
    made = next_cup_round(last.tables[:deciding], winners[:deciding], options.third_place)
    coming = tuple(tuple(one for one in table if one and not tournament.has_withdrawn(one)) for table in made)
    return Round(f"C{order(cups[-1])[1] + 1}", coming)


def is_outdated(options: CupOptions, tournament: Tournament) -> bool:
    """Whether corrected pool results would make another first cup round of one that nobody has played.

    After a withdrawal the round stands: the match is forfeited.
    """
    if not options.pools or [label for label in tournament.rounds if label[0] == "C"] != ["C1"]:
        return False
    planned = tournament.rounds["C1"]
    if any(tournament.slip(key).result is not None for key in planned.names()):
        return False
    gone = any(tournament.has_withdrawn(number) for table in planned.tables for number in table)
    return not gone and cup_round(options, tournament, ()) != planned


def _winner(tournament: Tournament, key: str, seats: Sequence[int]) -> int:
    """The number that goes on from a table of the cup; 0 if nobody is left there."""
    if len(seats) < 2:
        return seats[0] if seats else 0
    result = tournament.slip(key).result
    assert isinstance(result, MatchResult)
    return seats[result.winner]
