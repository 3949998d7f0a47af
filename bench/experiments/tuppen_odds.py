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

FILE = Path(policy.__file__).with_suffix(".txt")
ROUNDS = 1000
"""Passes through all deals of the small game."""
GOAL = 1e-3
DEALS, SEEDS = "5000000", ("2026", "2027")
POINTS = 2
RANKS, SUITS = (8, 12, 11), 2
"""Ten, ace and king of the two lowest suits."""

_CARD_INDEX = {int(card): 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}
Odds = Callable[[str], float]


_FOLDER = TemporaryDirectory()


@cache
def _compile() -> Path:
    """Compile tuppen_odds.cpp."""
    source, program = Path(__file__).with_suffix(".cpp"), Path(_FOLDER.name, "tuppen_odds")
    run(["c++", "-O2", "-std=c++20", "-w", str(source), "-o", str(program)], check=True)
    return program


def run_program(*words: object) -> bytes:
    """Run tuppen_odds.cpp with these arguments and return its output."""
    return run([str(_compile()), *map(str, words)], check=True, capture_output=True).stdout


def learn_mean(deals: str, seeds: Sequence[str]) -> bytes:
    """Mean of the odds learned from each of these seeds, which reduces the part of chance."""
    _compile()
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda seed: run_program("hands", deals, seed), seeds))
    return bytes(round(sum(each) / len(found)) for each in zip(*found, strict=True))


class State(NamedTuple):
    """A hand of the small game before a question to `seat`; -1 when it is over."""

    hands: tuple[CardSet, CardSet]
    """Hands as dealt."""
    held: tuple[CardSet, CardSet]
    turn: int = 0
    trick: tuple[tuple[int, int], ...] = ()
    seat: int = -1
    raised: bool = False
    """Whether a raise has to be answered; else a raise may be said."""
    waiting: tuple[int, ...] = (1, 0)
    """Seats that may still raise before the next card."""
    stake: int = 1
    last: int = -1
    """Seat that raised last."""
    shown: str = ""
    said: str = ""
    gain: int | None = None
    """Points that seat 0 keeps more than seat 1, when the hand is over."""

    @property
    def key(self) -> str:
        """Information of the seat in the format of tuppen_odds.cpp."""
        hand = sum(1 << _CARD_INDEX[card] for card in cards_of(self.hands[self.seat]))
        return f"{self.seat} {hand} {self.shown} {self.said}"

    def next_question(self) -> "State":
        """State of the next question, after a card if nobody else may raise before it."""
        for at, seat in enumerate(self.waiting):
            if seat != self.last and self.stake <= POINTS:
                return self._replace(seat=seat, waiting=self.waiting[at + 1 :])
        card, turn, trick = next_card(self.held, (0, 1), self.turn, self.trick)
        held = (self.held[0] & ~(1 << card), self.held[1] & ~(1 << card))
        here = self._replace(
            held=held,
            turn=turn,
            trick=trick,
            waiting=(1 - turn, turn),
            shown=f"{self.shown}{_CARD_INDEX[card]},",
        )
        if any(held):
            return here.next_question()
        lost = min(POINTS, self.stake)
        return here._replace(seat=-1, gain=-lost if turn else lost)

    def after(self, yes: bool) -> "State":
        """State after an answer."""
        here = self._replace(said=self.said + "ny"[yes])
        other = 1 - self.seat
        if not self.raised:
            return here._replace(seat=other, raised=True) if yes else here.next_question()
        if not yes:
            return here._replace(seat=-1, gain=self.stake if self.seat else -self.stake)
        waiting = (1 - self.turn, self.turn)
        return here._replace(raised=False, stake=self.stake + 1, last=other, waiting=waiting).next_question()


def small_deals() -> list[State]:
    """All deals of the small game, at their first questions."""
    pack = [card for card in DECK_32 if card.rank in RANKS and SUIT_LADDER[card.suit] < SUITS]
    pairs = [card_set(two) for two in combinations(pack, 2)]
    return [State((one, two), (one, two)).next_question() for one in pairs for two in pairs if not one & two]


def best_answer(odds: Odds, me: int, group: Sequence[tuple[State, float]]) -> float:
    """Gain of seat `me` by the best answers to the other's odds, in these weighted states."""
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
    """Gain of the best answers to the odds in the small game, as seat 0 and as seat 1."""
    deals = small_deals()
    group = [(state, 1 / len(deals)) for state in deals]
    return best_answer(odds, 0, group), best_answer(odds, 1, group)


def small_odds(rounds: int) -> dict[str, float]:
    """Odds learned in the small game, by information of the seat."""
    lines = run_program("small", rounds).decode().splitlines()
    return {key: float(yes) for key, _, yes in (line.rpartition(" ") for line in lines)}


def write(odds: bytes, source: str) -> None:
    """Write the odds of the whole game into the package."""
    assert len(odds) == policy.SITUATIONS
    text = "\n".join([f"# {source}", *wrap(b85encode(compress(odds, 9)).decode(), 100)])
    FILE.write_text(text + "\n", encoding="ascii")


def main() -> int:
    """Print the loss in the small game, or learn; 1 if the loss is above the goal."""
    words = sys.argv[1:]
    if words[:1] == ["learn"]:
        deals, seeds = (words[1:] or [DEALS])[0], words[2:] or SEEDS
        command = f"python -m bench.experiments.tuppen_odds learn {deals} {' '.join(seeds)}"
        write(learn_mean(deals, seeds), command)
        return 0
    first, second = best_answers(small_odds(ROUNDS).__getitem__)
    loss = (first + second) / 2
    print(
        f"small game, {ROUNDS} rounds: worth {-second:.5f} to {first:.5f} points to who leads; a best answer"
        f" wins {loss:.5f} points a hand beyond that, on average over both seats (goal {GOAL})"
    )
    return int(loss > GOAL)


if __name__ == "__main__":
    sys.exit(main())
