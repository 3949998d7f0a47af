"""Odds of what to say in Tuppen for two, learned by regret against oneself (tuppen_odds.cpp).

    python -m bench.experiments.tuppen_odds
        points a hand that the odds of a small game give away, calculated exactly; goal: 0.001
    python -m bench.experiments.tuppen_odds learn
        learn the whole game; writes players/tuppen/policy.txt
    python -m bench.experiments.tuppen_odds learn 100000 1 2
        the same from so many deals for each of these seeds at the same time; the mean of both is written

The small game has six cards in two suits, two for each of two players, who start with two points, so that the
stake rises to three at most. Cards are played by rule of thumb and there are no four pictures; raises and
answers are those of the whole game. No situations are merged there, and the best answer knows the odds. A C++
compiler is needed.
"""

import sys
from base64 import b85encode
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import NamedTuple
from zlib import compress

from nousu.engine.cards import DECK_32, TEN_HIGH, CardSet, card_set, cards_of
from nousu.engine.tricks import SUIT_LADDER
from nousu.players.tuppen import policy
from nousu.players.tuppen.playouts import next_card

ROUNDS = 1000
"""How often all deals of the small game are walked through."""
GOAL = 1e-3
DEALS, SEEDS = "5000000", ("2026", "2027")
POINTS = 2
RANKS, SUITS = (8, 12, 11), 2
"""Ten, ace and king of the two suits that count least."""

_AT = {int(card): 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}
Odds = Callable[[str], float]


_FOLDER = TemporaryDirectory()


@cache
def _program() -> Path:
    """Compile tuppen_odds.cpp."""
    source, program = Path(__file__).with_suffix(".cpp"), Path(_FOLDER.name, "tuppen_odds")
    run(["c++", "-O2", "-std=c++20", "-w", str(source), "-o", str(program)], check=True)
    return program


def learnt(*words: object) -> bytes:
    """Output of tuppen_odds.cpp."""
    return run([str(_program()), *map(str, words)], check=True, capture_output=True).stdout


def learnt_by(deals: str, seeds: Sequence[str]) -> bytes:
    """The mean of the odds that are learnt by each of these seeds: what only chance taught one of them counts
    for less."""
    _program()
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda seed: learnt("hands", deals, seed), seeds))
    return bytes(round(sum(each) / len(found)) for each in zip(*found, strict=True))


class State(NamedTuple):
    """A hand of the small game before a question to `seat`; nobody is asked when it is over."""

    hands: tuple[CardSet, CardSet]
    """As they were dealt."""
    held: tuple[CardSet, CardSet]
    turn: int = 0
    trick: tuple[tuple[int, int], ...] = ()
    seat: int = -1
    raised: bool = False
    """Whether a raise has to be answered; else a raise may be said."""
    waiting: tuple[int, ...] = (1, 0)
    """Who has still to be asked before the next card."""
    stake: int = 1
    last: int = -1
    """Who has raised last."""
    shown: str = ""
    said: str = ""
    gain: int | None = None
    """The points that seat 0 keeps more than seat 1, when the hand is over."""

    @property
    def key(self) -> str:
        """All that the seat has seen and heard, as tuppen_odds.cpp writes it."""
        hand = sum(1 << _AT[card] for card in cards_of(self.hands[self.seat]))
        return f"{self.seat} {hand} {self.shown} {self.said}"

    def onward(self) -> "State":
        """The next question, after a card if nobody else may raise before it."""
        for at, seat in enumerate(self.waiting):
            if seat != self.last and self.stake <= POINTS:
                return self._replace(seat=seat, waiting=self.waiting[at + 1 :])
        card, turn, trick = next_card(self.held, (0, 1), self.turn, self.trick)
        held = (self.held[0] & ~(1 << card), self.held[1] & ~(1 << card))
        here = self._replace(
            held=held, turn=turn, trick=trick, waiting=(1 - turn, turn), shown=f"{self.shown}{_AT[card]},"
        )
        if any(held):
            return here.onward()
        lost = min(POINTS, self.stake)
        return here._replace(seat=-1, gain=-lost if turn else lost)

    def after(self, yes: bool) -> "State":
        """What follows an answer."""
        here = self._replace(said=self.said + "ny"[yes])
        other = 1 - self.seat
        if not self.raised:
            return here._replace(seat=other, raised=True) if yes else here.onward()
        if not yes:
            return here._replace(seat=-1, gain=self.stake if self.seat else -self.stake)
        waiting = (1 - self.turn, self.turn)
        return here._replace(raised=False, stake=self.stake + 1, last=other, waiting=waiting).onward()


def small() -> list[State]:
    """All deals of the small game, at their first questions."""
    pack = [card for card in DECK_32 if card.rank in RANKS and SUIT_LADDER[card.suit] < SUITS]
    pairs = [card_set(two) for two in combinations(pack, 2)]
    return [State((one, two), (one, two)).onward() for one in pairs for two in pairs if not one & two]


def best_answer(odds: Odds, me: int, group: Sequence[tuple[State, float]]) -> float:
    """What `me` wins by the best answers to the odds of the other, in these states with their weights."""
    total = 0.0
    mine: dict[str, list[tuple[State, float]]] = defaultdict(list)
    theirs: list[tuple[State, float]] = []
    for state, weight in group:
        if state.gain is not None:
            total += weight * (-state.gain if me else state.gain)
        elif state.seat == me:
            mine[state.key].append((state, weight))
        else:
            yes = odds(state.key)
            theirs += [(state.after(True), weight * yes), (state.after(False), weight * (1 - yes))]
    for alike in mine.values():
        total += max(
            best_answer(odds, me, [(state.after(yes), weight) for state, weight in alike])
            for yes in (True, False)
        )
    return total + (best_answer(odds, me, theirs) if theirs else 0.0)


def best_answers(odds: Odds) -> tuple[float, float]:
    """What the best answers to the odds win in the small game, as seat 0 and as seat 1."""
    deals = small()
    group = [(state, 1 / len(deals)) for state in deals]
    return best_answer(odds, 0, group), best_answer(odds, 1, group)


def small_odds(rounds: int) -> dict[str, float]:
    """What is learnt in the small game."""
    lines = learnt("small", rounds).decode().splitlines()
    return {key: float(yes) for key, _, yes in (line.rpartition(" ") for line in lines)}


def write(odds: bytes, source: str) -> None:
    """Write the odds of the whole game where the player finds them."""
    assert len(odds) == policy.SITUATIONS
    text = "\n".join([f"# {source}", *wrap(b85encode(compress(odds, 9)).decode(), 100)])
    Path(policy.__file__).with_suffix(".txt").write_text(text + "\n", encoding="ascii")


def main() -> int:
    """Print what is given away in the small game, or learn; 1 if that is more than the goal."""
    words = sys.argv[1:]
    if words[:1] == ["learn"]:
        deals, seeds = (words[1:] or [DEALS])[0], words[2:] or SEEDS
        command = f"python -m bench.experiments.tuppen_odds learn {deals} {' '.join(seeds)}"
        write(learnt_by(deals, seeds), command)
        return 0
    first, second = best_answers(small_odds(ROUNDS).__getitem__)
    given = (first + second) / 2
    print(
        f"small game, {ROUNDS} rounds: worth {-second:.5f} to {first:.5f} points to who leads; a best answer"
        f" wins {given:.5f} points a hand beyond that, on average over both seats (goal {GOAL})"
    )
    return int(given > GOAL)


if __name__ == "__main__":
    sys.exit(main())
