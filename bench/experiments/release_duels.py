"""Strength of today's players against an earlier release's, where its arena cannot play them.

Run by that release's Python, in this folder's repository:

    RELEASE/bin/python -m bench.experiments.release_duels alone "nousu player strong" searcher 50 1
        whole games of Tuppen, today's player alone among three of the release's; 50 sequences of deals of
        seed 1, each played four times so that it sits everywhere; its share of the points, 1 is fair
    RELEASE/bin/python -m bench.experiments.release_duels low "nousu player strong" searcher 50 1
        Tuppi, nolo (high: rami): deals on which four `rules` of the release come to this contract; the cards
        are played twice with sides exchanged; tricks a hand by which today's player is better
    … keep=FILE         keep finished games there; a later run goes on from them
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from bench.results import interval
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Player, find_player
from nousu.players.external import ExternalPlayer, question
from nousu.players.seat_loop import derive_seed, next_choice

SEATS = 4
POINTS = (5, 3, 2, 1)
"""Tournament points of the places (TU-ZK)."""


class InterruptingProgram(ExternalPlayer):
    """A program that may act out of turn, as today's `nousu player` may; an empty action is silence.

    Otherwise it could not raise before its turn.
    """

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        """Its action out of turn, or None."""
        choice = self.choose(view, budget, seed)
        return choice if choice.action in view.legal else None

    def _choice(self, reply: dict[str, str], view: View) -> Choice:
        silent = reply["action"] == "" and view.seat not in view.owed
        return Choice(None) if silent else super()._choice(reply, view)  # type: ignore[arg-type]


def advance(match: Match, company: Sequence[Player], *seed: object) -> Match:
    """The match after the next deal or choice."""
    step = sum([len(played.hand.log) for played in match.played]) + len(match.hand.log)
    if match.hand.owed() == (CHANCE,):
        return match.deal(Random(derive_seed(*seed, "deal", len(match.played), step)))
    choice = next_choice(
        match, company, lambda what, seat: derive_seed(*seed, what, seat, step), DEFAULT_BUDGET
    )
    assert choice is not None
    return match.apply(choice[0], choice[1].action)


def tuppen_share(a: Player, b: Player, seed: int, number: int) -> float:
    """Share of player `a` in the tournament points of four games with the same deals; 1 is fair."""
    won = points = 0
    for seat in range(SEATS):
        match = Match.start(*find("tuppen_zk"), SEATS, dealer=number % SEATS)
        while match.winner is None:
            match = advance(match, [a if one == seat else b for one in range(SEATS)], seed, number)
        places = [max(1, place) for place in match.tally.places]  # type: ignore[attr-defined]
        won += POINTS[places[seat] - 1]
        points += sum(POINTS[place - 1] for place in places)
    return SEATS * won / points


def trick_difference(contract: str, a: Player, b: Player, seed: int, number: int) -> float:
    """Tricks a hand by which `a` is better than `b` in a deal that comes to the contract."""
    match, tried = _contracted(contract, seed, number)
    took = []
    for company in ([a, b] * 2, [b, a] * 2):
        here = match
        while not here.played:
            here = advance(here, company, seed, number, tried)
        tricks = here.played[0].hand.view(None).tricks
        assert len(tricks) == 13
        took.append(sum(trick.winner in (0, 2) for trick in tricks))
    return (took[0] - took[1]) * (1 if contract == "high" else -1)


def _contracted(contract: str, seed: int, number: int) -> tuple[Match, int]:
    """A match before the first card of that contract, and the deals tried before it."""
    bidders = [find_player("rules")] * SEATS
    tried = 0
    while True:
        match = Match.start(*find("tuppi"), SEATS, dealer=number % SEATS)
        while not match.played:
            owed = match.hand.owed()
            view = match.hand.view(owed[0]) if owed != (CHANCE,) else None
            if view is not None and str(view.legal[0]).startswith("play "):
                facts = question(view, DEFAULT_BUDGET, 0, 0)["facts"]
                if facts["kind"] == contract and facts["soloist"] is None:
                    return match, tried
                break
            match = advance(match, bidders, seed, number, tried)
        tried += 1


def main(words: Sequence[str]) -> None:
    """Print the mean and its 95 % interval."""
    keep = next((Path(word.removeprefix("keep=")) for word in words if word.startswith("keep=")), None)
    what, command, other, count, seed = [word for word in words if not word.startswith("keep=")]
    a, b = InterruptingProgram(command), find_player(other)
    play: Callable[[int], float] = (
        (lambda number: tuppen_share(a, b, int(seed), number))
        if what == "alone"
        else (lambda number: trick_difference(what, a, b, int(seed), number))
    )
    values = [json.loads(line) for line in keep.read_text().splitlines()] if keep and keep.exists() else []
    for number in range(len(values), int(count)):
        values.append(play(number))
        if keep is not None:
            with keep.open("a") as file:
                file.write(json.dumps(values[-1]) + "\n")
    mean, low, high = interval(values)
    print(f"{what}: {len(values)} of seed {seed}: {mean:.3f} (95 %: {low:.3f} … {high:.3f})")


if __name__ == "__main__":
    main(sys.argv[1:])
