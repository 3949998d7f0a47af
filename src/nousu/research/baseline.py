"""A small player that learns by itself: deep Monte Carlo, with a net of one hidden layer, in NumPy.

All seats of many tables play by the same net, which guesses for every action what its side will win more than
the others by the end of the hand; it takes the best legal guess, now and then any action, and is fitted to
what came of it. ``nousu train minnesota`` trains one and prints its learning curve.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import nousu
from nousu.engine.seats import CHANCE
from nousu.env import HAND_OVER, Lanes, Walk
from nousu.players import Player, named
from nousu.players.company import number_of
from nousu.research.table import chosen, row_size, seats_of

Floats = NDArray[np.float32]

LANES = 256
_MEMORY = 256
"""Steps of each lane that are kept until its hand is over; of a longer hand the first ones are forgotten."""
_BATCH = 1024
_RATE = 1e-3


class Net:
    """From what a seat knows to a guess for every action."""

    def __init__(self, inputs: int, hidden: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        first = rng.normal(0, (2 / inputs) ** 0.5, (inputs, hidden))
        self.weights: list[Floats] = [
            first.astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions), np.float32),
            np.zeros(actions, np.float32),
        ]
        self._mean = [np.zeros_like(one) for one in self.weights]
        self._square = [np.zeros_like(one) for one in self.weights]
        self._steps = 0

    def guess(self, inputs: Floats) -> Floats:
        """What each action would bring, in units of the training: rows × actions."""
        one, bias, two, last = self.weights
        found: Floats = np.maximum(inputs @ one + bias, 0) @ two + last
        return found

    def fit(self, inputs: Floats, actions: NDArray[np.int32], gains: Floats) -> float:
        """One step of Adam towards what these actions brought; the mean squared error before it."""
        one, bias, two, last = self.weights
        hidden = np.maximum(inputs @ one + bias, 0)
        rows = np.arange(len(actions))
        error = (hidden @ two + last)[rows, actions] - gains
        slope = np.zeros((len(actions), len(last)), np.float32)
        slope[rows, actions] = error / len(actions)
        back = (slope @ two.T) * (hidden > 0)
        self._steps += 1
        slopes = (inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0))
        scale = _RATE * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for weight, mean, square, by in zip(self.weights, self._mean, self._square, slopes, strict=True):
            mean += 0.1 * (by - mean)
            square += 0.001 * (by * by - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8)
        return float(np.mean(error * error))


class Learned:
    """A net with the rules it was trained for. It acts on what a `Walk` shows of the seat to act."""

    def __init__(self, rules: str, net: Net) -> None:
        self.rules, self.net = rules, net

    def act(self, walk: Walk) -> int:
        """The legal action it expects most of."""
        planes, scalars = walk.observe()
        guesses = self.net.guess(inputs(planes[None], scalars[None]))[0]
        return max(walk.moves, key=lambda number: float(guesses[number]))

    def save(self, path: Path) -> None:
        """Write the weights with the name of what they observe."""
        name = Lanes(self.rules, 1).name
        kept = {f"weight{at}": weight for at, weight in enumerate(self.net.weights)}
        np.savez_compressed(path, rules=np.array(self.rules), environment=np.array(name), **kept)  # type: ignore[arg-type]

    @classmethod
    def read(cls, path: Path) -> "Learned":
        """The net in a file; ValueError if it was trained on other observations than this version's."""
        with np.load(path) as kept:
            rules, name = str(kept["rules"]), str(kept["environment"])
            if name != (here := Lanes(rules, 1).name):
                raise ValueError(f"{path} was trained on {name}, and this version observes {here}")
            size, hidden = kept["weight0"].shape
            net = Net(int(size), int(hidden), len(kept["weight3"]), 0)
            net.weights = [kept[f"weight{at}"] for at in range(4)]
        return cls(rules, net)


def inputs(planes: NDArray[np.uint8], scalars: NDArray[np.int16]) -> Floats:
    """Observations as a net takes them: cards as 0 and 1, numbers made small."""
    cards = np.minimum(planes.reshape(len(planes), -1), 1).astype(np.float32)
    numbers = np.clip(scalars, -64, 64).astype(np.float32) / 16
    return np.concatenate([cards, numbers], axis=1)


class Point(NamedTuple):
    """A place on the learning curve."""

    hands: int
    error: float
    """Mean squared error of the guesses, in units of the spread of what hands bring."""
    random: tuple[float, float]
    """Points a hand over `random`, and half its 95 % interval."""
    rules: tuple[float, float]
    """The same over `rules`."""


def train(
    rules: str, hands: int, *, seed: int = 1, hidden: int = 128, points: int = 5, pairs: int = 50
) -> Iterator[tuple[Point, Learned]]:
    """Train on so many hands; at equal distances, and at the beginning, a point of the curve with the net as
    it is then, measured over so many pairs of hands. The same seed gives the same net on the same machine."""
    lanes = Lanes(rules, LANES)
    net = Net(row_size(lanes.layout), hidden, lanes.layout.size[3], seed)
    learned = Learned(rules, net)
    rng = np.random.default_rng(seed)
    yield _point(learned, 0, float("nan"), pairs), learned
    step = lanes.reset([number_of(seed, lane) for lane in range(LANES)])
    memory = _Memory(lanes)
    pending: list[tuple[Floats, NDArray[np.int32], Floats]] = []
    done, told, errors = 0, 0, [0.0]
    spread = 0.0
    while done < hands:
        known = inputs(step.planes, step.scalars)
        guesses = np.where(step.mask > 0, net.guess(known), -np.inf)
        share = max(0.02, 0.2 * (1 - 2 * done / hands)) if spread else 1.0
        anything = lanes.choose()
        actions = np.where(rng.random(LANES) < share, anything, guesses.argmax(axis=1)).astype(np.int32)
        memory.keep(known, actions, step.seat)
        step = lanes.step(actions)
        over = np.flatnonzero(step.done & HAND_OVER)
        if len(over):
            found = memory.finished(over, gains(step.reward[over], bool(lanes.game.sides)))
            done += len(over)
            spread = spread or float(found[2].std()) or 1.0
            pending.append((found[0], found[1], found[2] / spread))
        if sum(len(one[1]) for one in pending) >= 4 * _BATCH:
            known, actions, gained = (np.concatenate(parts) for parts in zip(*pending, strict=True))
            order = rng.permutation(len(actions))
            for at in range(0, len(order) - _BATCH + 1, _BATCH):
                some = order[at : at + _BATCH]
                errors.append(net.fit(known[some], actions[some], gained[some]))
            pending = []
        if done * points >= (told + 1) * hands:
            told += 1
            yield _point(learned, done, float(np.mean(errors[-50:])), pairs), learned


def gains(rewards: Floats, sides: bool) -> Floats:
    """What each seat has won more than the others: hands × seats."""
    if sides:
        return rewards - np.roll(rewards, 1, axis=1)
    seats = rewards.shape[1]
    found: Floats = (rewards * seats - rewards.sum(axis=1, keepdims=True)) / (seats - 1)
    return found


class _Memory:
    """What was seen and done in the hands that are not over, lane by lane."""

    def __init__(self, lanes: Lanes) -> None:
        self._known = np.zeros((_MEMORY, LANES, row_size(lanes.layout)), np.float16)
        self._actions = np.zeros((_MEMORY, LANES), np.int32)
        self._seats = np.zeros((_MEMORY, LANES), np.int8)
        self._begun = np.zeros(LANES, np.int64)
        self._now = 0

    def keep(self, known: Floats, actions: NDArray[np.int32], seats: NDArray[np.int8]) -> None:
        at = self._now % _MEMORY
        self._known[at], self._actions[at], self._seats[at] = known, actions, seats
        self._now += 1

    def finished(self, lanes: NDArray[np.intp], gained: Floats) -> tuple[Floats, NDArray[np.int32], Floats]:
        """Every step of these lanes since their hands began, with what came of it for its seat."""
        begun = np.maximum(self._begun[lanes], self._now - _MEMORY)
        count = self._now - begun
        which = np.repeat(np.arange(len(lanes)), count)
        offset = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        at, lane = (begun[which] + offset) % _MEMORY, lanes[which]
        self._begun[lanes] = self._now
        seats = self._seats[at, lane]
        return self._known[at, lane].astype(np.float32), self._actions[at, lane], gained[which, seats]


def _point(learned: Learned, hands: int, error: float, pairs: int) -> Point:
    return Point(hands, error, *(contest(learned, named(name), pairs) for name in ("random", "rules")))


def contest(learned: Learned, other: Player, pairs: int, seed: int = 1) -> tuple[float, float]:
    """Points a hand over another player, and half the 95 % interval over pairs.

    Each deal is played twice, with seats exchanged, from an empty score; in games where everybody plays alone
    the two hold alternate seats."""
    differences = []
    for pair in range(pairs):
        total = 0.0
        for mine in (0, 1):
            points = _hand(learned, other, mine, number_of(seed, "contest", pair))
            own = [one for seat, one in enumerate(points) if seat % 2 == mine]
            theirs = [one for seat, one in enumerate(points) if seat % 2 != mine]
            total += sum(own) / len(own) - sum(theirs) / len(theirs)
        differences.append(total / 2)
    half = 1.96 * float(np.std(differences, ddof=1)) / pairs**0.5 if pairs > 1 else float("inf")
    return float(np.mean(differences)), half


def _hand(learned: Learned, other: Player, mine: int, seed: int) -> list[int]:
    game, rules = nousu.find(learned.rules)
    rng = Random(seed)
    seats = seats_of(learned.rules)
    walk = Walk.start(game, rules, seats, rng.randrange(seats))
    while not walk.match.played:
        if walk.seat == CHANCE:
            walk = walk.shuffled(rng)
        elif walk.seat % 2 == mine:
            walk = walk.act(learned.act(walk))
        else:
            walk = walk.act(chosen(walk, other, number_of(seed, len(walk.match.hand.log), walk.seat)))
    points = walk.match.played[0].result.points
    return [points[seat % 2 if game.sides else seat] for seat in range(seats)]
