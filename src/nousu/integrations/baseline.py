"""Small players that learn by self-play, with nets of one hidden layer, in NumPy.

All seats of many tables play by the same net and learn from the gain of their side over the others by the
end of the hand, by one of two methods. Deep Monte Carlo (``dmc``): the net guesses that gain for every
action, takes the action with the best guess, now and then a random one, and is fitted to the results.
Proximal policy optimization (``ppo``): the net gives the probability of each action, and takes those more
often that brought more than a second net expected. ``nousu train minnesota`` trains one and prints its
learning curve.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import nousu
from nousu.engine.cards import Card
from nousu.engine.game import View, points_by_seat
from nousu.engine.seats import CHANCE
from nousu.env import HAND_OVER, Lanes, Walk
from nousu.env.walk import family_of
from nousu.games import seats_of
from nousu.integrations.single_table import player_action, row_size
from nousu.players import Budget, Choice, Player, find_player
from nousu.players.seat_loop import derive_seed

Floats = NDArray[np.float32]

LANES = 256
_MEMORY = 256
"""Greatest number of steps kept of a lane until its hand is over; of more the first ones are forgotten."""
_BATCH = 1024
_RATE = 1e-3
Method = Literal["dmc", "ppo"]
METHODS: dict[str, Method] = {"dmc": "dmc", "ppo": "ppo"}


class ActionNet:
    """A net of one hidden layer: from an observation to a value for every action."""

    def __init__(self, inputs: int, hidden: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        first = rng.normal(0, (2 / inputs) ** 0.5, (inputs, hidden))
        self.weights: list[Floats] = [
            first.astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions), np.float32),
            np.zeros(actions, np.float32),
        ]
        self._mean = [np.zeros_like(weight) for weight in self.weights]
        self._square = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def guess(self, inputs: Floats) -> Floats:
        """The value of each action, in units of the training: rows × actions."""
        first, bias, second, last = self.weights
        values: Floats = np.maximum(inputs @ first + bias, 0) @ second + last
        return values

    def fit(self, inputs: Floats, actions: NDArray[np.int32], gains: Floats) -> float:
        """Take one step of Adam towards the gains of these actions; returns the squared error before it."""
        rows = np.arange(len(actions))
        guesses = self.guess(inputs)
        error = guesses[rows, actions] - gains
        slope = np.zeros_like(guesses)
        slope[rows, actions] = error / len(actions)
        self.descend(inputs, slope)
        return float(np.mean(error * error))

    def descend(self, inputs: Floats, slope: Floats) -> None:
        """Take one step of Adam down the gradient of the loss by each output: rows × actions."""
        first, bias, second, _ = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        back = (slope @ second.T) * (hidden > 0)
        self._steps += 1
        slopes = (inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0))
        scale = _RATE * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for weight, mean, square, by in zip(self.weights, self._mean, self._square, slopes, strict=True):
            mean += 0.1 * (by - mean)
            square += 0.001 * (by * by - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8)


class TrainedPlayer:
    """A net with the rules it was trained for; it acts on the observation of the seat to act."""

    def __init__(self, rules: str, net: ActionNet) -> None:
        self.rules, self.net = rules, net
        self._game, _ = nousu.find(rules)

    def act(self, walk: Walk) -> int:
        """The number of the legal action that the net rates highest."""
        planes, scalars = walk.observe()
        guesses = self.net.guess(net_inputs(planes[None], scalars[None]))[0]
        return max(walk.moves, key=lambda number: float(guesses[number]))

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """Choose from a view, as a player. ValueError for a game that the net was not trained for."""
        if view.game != self._game.name:
            raise ValueError(f"this player has learnt {self.rules}, and this is {view.game}")
        family = family_of(self._game)
        assert view.seat is not None
        part: tuple[Card, ...] = ()
        while True:
            moves = family.moves(view, part)
            planes, scalars = family.observe(view, view.seat, part)
            guesses = self.net.guess(net_inputs(planes[None], scalars[None]))[0]
            move = moves[max(moves, key=lambda number: float(guesses[number]))]
            assert move is not None, "silence is a move out of turn only"
            if not isinstance(move, Card):  # else the next one of a packet
                return Choice(move)
            part = (*part, move)

    def save(self, path: str | Path) -> None:
        """Write the weights with the rules and the version of the observations to exactly that file."""
        name = Lanes(self.rules, 1).name
        arrays = {f"weight{at}": weight for at, weight in enumerate(self.net.weights)}
        with Path(path).open("wb") as file:  # NumPy would put .npz behind a name without it
            np.savez_compressed(file, rules=np.array(self.rules), environment=np.array(name), **arrays)  # type: ignore[arg-type]

    @classmethod
    def read(cls, path: Path) -> "TrainedPlayer":
        """The net in a file; ValueError if it was trained on other observations than this version's."""
        with np.load(path) as arrays:
            rules, name = str(arrays["rules"]), str(arrays["environment"])
            if name != (own_name := Lanes(rules, 1).name):
                raise ValueError(f"{path} was trained on {name}, and this version observes {own_name}")
            size, hidden = arrays["weight0"].shape
            net = ActionNet(int(size), int(hidden), len(arrays["weight3"]), 0)
            net.weights = [arrays[f"weight{at}"] for at in range(4)]
        return cls(rules, net)


def learned() -> TrainedPlayer:
    """The player in the file that NOUSU_WEIGHTS names.

    In the arena: ``py:nousu.integrations.baseline:learned``. ValueError where there is no such file.
    """
    path = os.environ.get("NOUSU_WEIGHTS")
    if not path:
        raise ValueError("NOUSU_WEIGHTS names no file of weights, as `nousu train … --out FILE` writes it")
    try:
        return TrainedPlayer.read(Path(path))
    except OSError as error:
        raise ValueError(f"NOUSU_WEIGHTS: {path}: {error.strerror or error}") from None


def net_inputs(planes: NDArray[np.uint8], scalars: NDArray[np.int16]) -> Floats:
    """Observations as a net takes them: cards as 0 and 1, numbers scaled down."""
    cards = np.minimum(planes.reshape(len(planes), -1), 1).astype(np.float32)
    numbers = np.clip(scalars, -64, 64).astype(np.float32) / 16
    return np.concatenate([cards, numbers], axis=1)


Chosen = tuple[NDArray[np.int32], Floats]
"""Actions, and the logarithms of their probabilities."""


class LearningPoint(NamedTuple):
    """A point of the learning curve."""

    hands: int
    error: float
    """Mean squared error of the guesses, in units of the spread of gains."""
    random: tuple[float, float]
    """Points a hand over `random`, and half its 95 % interval."""
    rules: tuple[float, float]
    """Points a hand over `rules`, and half its 95 % interval."""


class Steps(NamedTuple):
    """Choices with the gains of their hands."""

    known: Floats
    actions: NDArray[np.int32]
    masks: NDArray[np.uint8]
    """1 for each action that was legal."""
    logs: Floats
    """The logarithm of the probability of the action."""
    gained: Floats
    """The gain of the hand, in units of the spread of gains."""


class Learner(Protocol):
    """A method of learning: the choices of a net while it learns, and its fitting."""

    batch: int
    """The number of steps it learns from at a time."""

    def choose(
        self, known: Floats, legal: NDArray[np.bool_], random_actions: NDArray[np.int32], progress: float
    ) -> Chosen:
        """An action for each row; `progress` is the share of the training that is done, from 0 to 1."""
        ...

    def learn(self, steps: Steps) -> list[float]:
        """Learn from these steps; returns the mean squared errors of the guesses of their gains."""
        ...


class DeepMonteCarlo:
    """Deep Monte Carlo: the best guess, now and then a random action; fitted to the gains."""

    batch = 4 * _BATCH

    def __init__(self, net: ActionNet, rng: np.random.Generator) -> None:
        self._net, self._rng = net, rng
        self._begun = False

    def choose(
        self, known: Floats, legal: NDArray[np.bool_], random_actions: NDArray[np.int32], progress: float
    ) -> Chosen:
        """Choose with fewer and fewer random actions; before the first fit all are random."""
        best = np.where(legal, self._net.guess(known), -np.inf).argmax(axis=1)
        share = max(0.02, 0.2 * (1 - 2 * progress)) if self._begun else 1.0
        actions = np.where(self._rng.random(len(known)) < share, random_actions, best).astype(np.int32)
        return actions, np.zeros(len(known), np.float32)

    def learn(self, steps: Steps) -> list[float]:
        """Learn in one pass through the steps."""
        self._begun = True
        return [
            self._net.fit(steps.known[some], steps.actions[some], steps.gained[some])
            for some in _batches(self._rng, len(steps.actions))
        ]


class ProximalPolicy:
    """Actions drawn by their probability; those with more gain than expected become likelier.

    No probability changes by more than `CLIP` in a batch.
    """

    CLIP, ROUNDS, ENTROPY = 0.2, 3, 0.01
    batch = 16 * _BATCH

    def __init__(self, net: ActionNet, rng: np.random.Generator, seed: int) -> None:
        self._net, self._rng = net, rng
        inputs, hidden = net.weights[0].shape
        self._critic = ActionNet(inputs, hidden, 1, seed + 1)

    def choose(
        self, known: Floats, legal: NDArray[np.bool_], random_actions: NDArray[np.int32], progress: float
    ) -> Chosen:
        """Draw actions by their probability."""
        logs = _logs(self._net.guess(known), legal)
        drawn = self._rng.gumbel(size=logs.shape)
        actions = np.where(legal, logs + drawn, -np.inf).argmax(axis=1).astype(np.int32)
        return actions, logs[np.arange(len(actions)), actions]

    def learn(self, steps: Steps) -> list[float]:
        """Learn in a few passes through the steps."""
        nothing = np.zeros_like(steps.actions)
        better = steps.gained - self._critic.guess(steps.known)[:, 0]
        better = (better - better.mean()) / (better.std() + 1e-8)
        errors = []
        for _ in range(self.ROUNDS):
            for some in _batches(self._rng, len(better)):
                self._improve(steps, some, better[some])
                errors.append(self._critic.fit(steps.known[some], nothing[some], steps.gained[some]))
        return errors

    def _improve(self, steps: Steps, some: NDArray[np.intp], better: Floats) -> None:
        rows, actions = np.arange(len(some)), steps.actions[some]
        logs = _logs(self._net.guess(steps.known[some]), steps.masks[some] > 0)
        likely = np.exp(logs)
        ratio = np.exp(logs[rows, actions] - steps.logs[some])
        far = np.where(better > 0, ratio > 1 + self.CLIP, ratio < 1 - self.CLIP)
        push = np.where(far, 0, ratio * better)[:, None]
        taken = np.zeros_like(likely)
        taken[rows, actions] = 1
        finite = np.where(likely > 0, logs, 0)
        entropy = -(likely * finite).sum(axis=1, keepdims=True)
        slope = push * (likely - taken) + self.ENTROPY * likely * (finite + entropy)
        self._net.descend(steps.known[some], (slope / len(some)).astype(np.float32))


def _logs(guesses: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Logarithms of the probability of each action; minus infinity for illegal ones."""
    among = np.where(legal, guesses, -np.inf)
    most = among.max(axis=1, keepdims=True)
    logs: Floats = among - most - np.log(np.exp(among - most).sum(axis=1, keepdims=True))
    return logs.astype(np.float32)


def _batches(rng: np.random.Generator, count: int) -> Iterator[NDArray[np.intp]]:
    order = rng.permutation(count)
    for at in range(0, count - _BATCH + 1, _BATCH):
        yield order[at : at + _BATCH]


def train(
    rules: str,
    hands: int,
    *,
    method: Method = "dmc",
    seed: int = 1,
    hidden: int = 128,
    points: int = 5,
    pairs: int = 50,
) -> Iterator[tuple[LearningPoint, TrainedPlayer]]:
    """Train a player on that many hands; the same seed gives the same net on the same machine.

    Args:
        rules: A preset, or preset+option=value.
        hands: Hands to learn from.
        method: Deep Monte Carlo or proximal policy optimization.
        seed: The seed of everything left to chance.
        hidden: Hidden units of the net.
        points: Points of the learning curve after the first.
        pairs: Pairs of hands played to measure each point.

    Yields:
        At the beginning and at equal intervals a point of the learning curve, with the player at that stage.
    """
    lanes = Lanes(rules, LANES)
    net = ActionNet(row_size(lanes.layout), hidden, lanes.layout.size[3], seed)
    learned = TrainedPlayer(rules, net)
    rng = np.random.default_rng(seed)
    learner: Learner = DeepMonteCarlo(net, rng) if method == "dmc" else ProximalPolicy(net, rng, seed)
    yield _point(learned, 0, float("nan"), pairs), learned
    step = lanes.reset([derive_seed(seed, lane) for lane in range(LANES)])
    memory = _Memory(lanes)
    pending: list[Steps] = []
    done, reported, errors = 0, 0, [0.0]
    spread = 0.0
    while done < hands:
        known = net_inputs(step.planes, step.scalars)
        actions, logs = learner.choose(known, step.mask > 0, lanes.choose(), done / hands)
        memory.keep(known, actions, step.mask, logs, step.seat)
        step = lanes.step(actions)
        over = np.flatnonzero(step.done & HAND_OVER)
        if len(over):
            steps = memory.finished(over, seat_gains(step.reward[over], bool(lanes.game.sides)))
            done += len(over)
            spread = spread or float(steps.gained.std()) or 1.0
            pending.append(steps._replace(gained=steps.gained / spread))
        if sum(len(part.actions) for part in pending) >= learner.batch:
            errors += learner.learn(Steps(*map(np.concatenate, zip(*pending, strict=True))))
            pending = []
        if done * points >= (reported + 1) * hands:
            reported += 1
            yield _point(learned, done, float(np.mean(errors[-50:])), pairs), learned


def seat_gains(rewards: Floats, sides: bool) -> Floats:
    """The points of each seat less those of the others: hands × seats."""
    if sides:
        return rewards - np.roll(rewards, 1, axis=1)
    seats = rewards.shape[1]
    gains: Floats = (rewards * seats - rewards.sum(axis=1, keepdims=True)) / (seats - 1)
    return gains


class _Memory:
    """Observations and actions of the hands that are not over, lane by lane."""

    def __init__(self, lanes: Lanes) -> None:
        self._known = np.zeros((_MEMORY, LANES, row_size(lanes.layout)), np.float16)
        self._actions = np.zeros((_MEMORY, LANES), np.int32)
        self._masks = np.zeros((_MEMORY, LANES, lanes.layout.size[3]), np.uint8)
        self._logs = np.zeros((_MEMORY, LANES), np.float32)
        self._seats = np.zeros((_MEMORY, LANES), np.int8)
        self._begun = np.zeros(LANES, np.int64)
        self._now = 0

    def keep(
        self,
        known: Floats,
        actions: NDArray[np.int32],
        masks: NDArray[np.uint8],
        logs: Floats,
        seats: NDArray[np.int8],
    ) -> None:
        at = self._now % _MEMORY
        self._known[at], self._actions[at], self._seats[at] = known, actions, seats
        self._masks[at], self._logs[at] = masks, logs
        self._now += 1

    def finished(self, lanes: NDArray[np.intp], gained: Floats) -> Steps:
        """The steps of these lanes since their hands began, with the gain of their seat."""
        begun = np.maximum(self._begun[lanes], self._now - _MEMORY)
        count = self._now - begun
        which = np.repeat(np.arange(len(lanes)), count)
        offset = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        at, lane = (begun[which] + offset) % _MEMORY, lanes[which]
        self._begun[lanes] = self._now
        seats = self._seats[at, lane]
        return Steps(
            self._known[at, lane].astype(np.float32),
            self._actions[at, lane],
            self._masks[at, lane],
            self._logs[at, lane],
            gained[which, seats],
        )


def _point(learned: TrainedPlayer, hands: int, error: float, pairs: int) -> LearningPoint:
    return LearningPoint(
        hands, error, *(contest(learned, find_player(name), pairs) for name in ("random", "rules"))
    )


def contest(learned: TrainedPlayer, other: Player, pairs: int, seed: int = 1) -> tuple[float, float]:
    """Points per hand over another player, and half the 95 % interval over pairs.

    Each deal is played twice, with seats exchanged, from an empty score; in games where everybody plays alone
    the two hold alternate seats."""
    differences = []
    for pair in range(pairs):
        total = 0.0
        for mine in (0, 1):
            points = _hand(learned, other, mine, derive_seed(seed, "contest", pair))
            own = [won for seat, won in enumerate(points) if seat % 2 == mine]
            theirs = [won for seat, won in enumerate(points) if seat % 2 != mine]
            total += sum(own) / len(own) - sum(theirs) / len(theirs)
        differences.append(total / 2)
    half = 1.96 * float(np.std(differences, ddof=1)) / pairs**0.5 if pairs > 1 else float("inf")
    return float(np.mean(differences)), half


def _hand(learned: TrainedPlayer, other: Player, mine: int, seed: int) -> list[int]:
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
            walk = walk.act(
                player_action(walk, other, derive_seed(seed, len(walk.match.hand.log), walk.seat))
            )
    return points_by_seat(game, walk.match.played[0].result, seats)
