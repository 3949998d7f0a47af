"""The nets of `expert`, made from nothing: hands are played and every choice judged, and nets fitted to that.

`train` plays rounds of hands, the first by the rule-based player, each later one by the nets fitted to the
rounds before. Every choice is judged: each legal card is played in imagined deals that fit what the seat
knows, weighed as the searching players weigh them, and everybody plays on, seeing their own cards only. What
a card brings on average there is what the nets are fitted to: what it is worth among such players, as far as
the seat can know. ``nousu.integrations.<family>.nets`` says by which presets hands are played and how a
choice is judged, ``nousu.players.<family>.policy`` what the nets are told of it.

All that has been played and fitted lies in a folder, and an interrupted training goes on from there. The same
seed gives the same weights on the same machine.
"""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from json import dumps, loads
from pathlib import Path
from random import Random
from time import process_time
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nousu.engine.actions import Play
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find, part
from nousu.players import DEFAULT_BUDGET, Budget, Choice, named
from nousu.players.nets import HIDDEN, UNIT, Known, Shape, nets, read, written

HANDS = 100
"""Hands of a batch, which is kept as a whole."""
ASTRAY = 0.06
"""How often a player takes any card, so that hands go where careful players do not lead them."""
HELD_OUT = 10
"""One hand in so many is not learnt from; what choices cost is told of those."""

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Judged(NamedTuple):
    """What the cards of a choice bring the viewer's side on average, less the mean of them all; one is about
    what a trick is worth."""

    taken: Sequence[float]
    """Tricks, or the points in them."""
    scored: Sequence[float]
    """What is scored after the hand."""


class Family(NamedTuple):
    """What a family brings to the training of its nets."""

    name: str
    policy: ModuleType
    """What the nets are told of a choice."""
    lessons: ModuleType
    """PRESETS, by which hands are played in turn; HANDS, how many in each round; and ``judged``."""

    @property
    def shape(self) -> Shape:
        """What the nets are told."""
        shape: Shape = self.policy.SHAPE
        return shape


def lessons_of(family: str) -> ModuleType | None:
    """The module that says how the choices of a family are judged; None where its players have no nets."""
    name = f"tools.training.{family}"
    return import_module(name) if find_spec(name) else None


def family_of(rules: str) -> Family:
    """The family of a preset; ValueError where it has no nets."""
    name = find(rules)[0].name
    policy, lessons = part("nousu.players", name, "policy"), lessons_of(name)
    if policy is None or lessons is None:
        raise ValueError(f"{rules}: the players of this family have no nets")
    return Family(name, policy, lessons)


# -------------------------------------------------------------------------------- hands to learn from


class Played(NamedTuple):
    """Choices with what became of each card, as columns; the cards of all choices one after the other."""

    hand: NDArray[np.int32]
    """For each choice, the number of its hand."""
    situation: Bytes
    cards: Bytes
    """How many cards it has."""
    shared: Bytes
    own: Bytes
    """For each card."""
    taken: Floats
    """For each card, as in `Judged`."""
    scored: Floats
    usual: Bytes
    """For each choice, which card the rule-based player takes."""


def played(family: Family, seed: str, weights: bytes, hands: int) -> Played:
    """The choices of so many hands, in which everybody plays by these nets; by rules of thumb without."""
    rng = Random(seed)
    policy, presets = family.policy, family.lessons.PRESETS
    rows: list[tuple[int, Known, Judged, int]] = []
    for number in range(hands):
        game, rules = find(presets[number % len(presets)])
        match = Match.start(game, rules, 4, dealer=rng.randrange(4)).deal(rng)
        careful = rng.random() < 0.5
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            action = named("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
            if isinstance(action, Play) and policy.rates(view):
                choice: Known = policy.known(view)
                if len(choice.cards) > 1:
                    judged: Judged = family.lessons.judged(view, choice.cards, rng, weights)
                    rows.append((number, choice, judged, choice.cards.index(action.card)))
                    if rng.random() < ASTRAY:
                        action = Play(rng.choice(choice.cards))
                    elif careful:
                        both = [sum(one) for one in zip(judged.taken, judged.scored, strict=True)]
                        action = Play(choice.cards[both.index(max(both))])
                    elif weights:
                        action = Play(policy.best(view, weights))
            match = match.apply(seat, action)
    return Played(
        np.array([row[0] for row in rows], np.int32),
        np.array([row[1].situation for row in rows], np.uint8),
        np.array([len(row[1].cards) for row in rows], np.uint8),
        np.array([row[1].shared for row in rows], np.uint8),
        np.array([own for row in rows for own in row[1].own], np.uint8),
        np.array([one for row in rows for one in row[2].taken], np.float32),
        np.array([one for row in rows for one in row[2].scored], np.float32),
        np.array([row[3] for row in rows], np.uint8),
    )


def less_mean(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The weighed mean of each row, less the mean of these means."""
    means = np.array(rows) @ np.array(weights) / sum(weights)
    found: list[float] = (means - means.mean()).tolist()
    return found


def _kept(paths: Sequence[Path]) -> Played:
    """All choices of these batches; no two hands have the same number."""
    parts = []
    for at, path in enumerate(paths):
        with np.load(path) as found:
            parts.append(Played(**found)._replace(hand=found["hand"] + HANDS * at))
    return Played(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


# ------------------------------------------------------------------------------------------- the fit


class Sheet(NamedTuple):
    """The choices of one situation; of each as many rows of cards as the longest has, those beyond barred."""

    inputs: Bytes
    """For each choice, row and input, whether it is on."""
    worth: Floats
    """What each card brings, in tricks' worth, less the best."""
    barred: Floats
    """0 for a card, a large negative number where there is none."""
    usual: NDArray[np.intp]
    held_out: NDArray[np.bool_]


def sheet(family: Family, found: Played, situation: int) -> Sheet:
    """The choices of one situation."""
    shape = family.shape
    starts = np.concatenate([[0], np.cumsum(found.cards, dtype=np.int64)])[:-1]
    here = np.flatnonzero(found.situation == situation)
    most = int(found.cards[here].max(initial=1))
    rows = starts[here, None] + np.arange(most)
    missing = np.arange(most) >= found.cards[here, None]
    rows[missing] = starts[here].repeat(missing.sum(1))
    known = np.concatenate(
        [
            np.broadcast_to(found.shared[here][:, None], (len(here), most, len(shape.shared))),
            found.own[rows],
        ],
        axis=2,
    )
    inputs = np.zeros((len(here), most, shape.inputs), np.uint8)
    np.put_along_axis(inputs, known + np.array(shape.starts[:-1]), 1, axis=2)
    barred = np.where(missing, np.float32(-1e9), np.float32(0))
    worth = (found.taken[rows] + found.scored[rows]) / 2
    return Sheet(
        inputs,
        (worth - (worth + barred).max(1, keepdims=True)).astype(np.float32),
        barred,
        found.usual[here].astype(np.intp),
        found.hand[here] // len(family.lessons.PRESETS) % HELD_OUT == HELD_OUT - 1,
    )


BATCH, DECAY, RATE, PASSES = 256, 1e-4, 0.004, 12
SOFT, GAIN = 0.25, 4.0
"""Of the target: a card is as likely as its worth in tricks divided by SOFT says; what is gained by the
choice counts GAIN times as much beside."""


def fitted(one: Sheet, passes: int, seed: int) -> tuple[Floats, Floats]:
    """The weights of a net by gradient descent, and what its hidden units are worth."""
    rng = np.random.default_rng(seed)
    many = one.inputs.shape[2]
    weights = rng.normal(0, 0.15, (many, HIDDEN)).astype(np.float32)
    out = (rng.choice([-1.0, 1.0], HIDDEN) * 0.3).astype(np.float32)
    state = [np.zeros_like(both) for both in (weights, out) for _ in (0, 1)]
    train = np.flatnonzero(~one.held_out)
    steps = passes * (len(train) // BATCH)
    for at in range(steps):
        pick = rng.choice(train, BATCH, replace=False)
        x = one.inputs[pick].astype(np.float32)
        flat = x.reshape(-1, many)
        summed = flat @ weights
        lit = np.maximum(summed, 0)
        rated = (lit @ out).reshape(x.shape[:2]) + one.barred[pick]
        share = np.exp(rated - rated.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        worth = one.worth[pick]
        wanted = np.exp(np.where(one.barred[pick] < 0, -1e9, worth) / SOFT)
        wanted /= wanted.sum(1, keepdims=True)
        slope = (share - wanted) - GAIN * share * (worth - (share * worth).sum(1, keepdims=True))
        slope = (slope / len(pick)).reshape(-1).astype(np.float32)
        of_weights = flat.T @ (np.outer(slope, out) * (summed > 0)).astype(np.float32) + DECAY * weights
        gradients = of_weights, lit.T @ slope
        rate = RATE * (1 - at / steps)
        for number, (value, gradient) in enumerate(zip((weights, out), gradients, strict=True)):
            mean, spread = state[2 * number], state[2 * number + 1]
            mean += 0.1 * (gradient - mean)
            spread += 0.01 * (gradient**2 - spread)
            value -= rate * mean / (1 - 0.9 ** (at + 1)) / (np.sqrt(spread / (1 - 0.99 ** (at + 1))) + 1e-7)
        np.clip(out, -4, 4, out=out)
        np.clip(weights, -4, 4, out=weights)
    return weights, out


def _rated(one: Sheet, weights: Floats, out: Floats) -> Floats:
    """The rating of every card."""
    found = np.empty(one.worth.shape, np.float32)
    for at in range(0, len(found), 2000):
        x = one.inputs[at : at + 2000].astype(np.float32)
        found[at : at + 2000] = np.maximum(x @ weights, 0) @ out
    return found + one.barred


SCALE = 256
"""What one unit of a weight is in whole numbers; squared it is that of a rating."""
assert SCALE**2 == UNIT


class Cost(NamedTuple):
    """What choices of one situation give away on average against the card that brings most, in tricks' worth.
    The best of some noisy means is put too high, so only differences mean something."""

    situation: str
    choices: int
    rules: float
    """By the rule-based player."""
    nets: float


def fit(family: Family, found: Played, seed: int) -> tuple[bytes, list[Cost]]:
    """Nets fitted to these choices, and what they and the rules of thumb cost at the choices held out."""
    data, costs = b"", []
    for situation, name in enumerate(family.shape.situations):
        one = sheet(family, found, situation)
        whole = tuple(np.rint(half * SCALE) for half in fitted(one, PASSES, seed))
        _bounded(family.shape, *whole)
        data += b"".join(half.astype("<i2").tobytes() for half in whole)
        if one.held_out.any():
            costs.append(_cost(name, one, whole, one.held_out))
    return data, costs


def _bounded(shape: Shape, weights: Floats, out: Floats) -> None:
    """Hold that no sum can leave 16 bits, and no rating 32."""
    parts = zip(shape.starts, shape.starts[1:], strict=False)
    largest = sum(np.abs(weights[start:end]).max(0) for start, end in parts)
    assert largest.max() < 2**15 and largest @ np.abs(out) < 2**31, "weights too large"


def _cost(name: str, one: Sheet, net: tuple[Floats, ...], of: NDArray[np.bool_]) -> Cost:
    """What the choices `of` this sheet cost."""
    at = np.flatnonzero(of)
    chosen = one.usual, _rated(one, *net).argmax(1)
    rules, by_nets = (
        -float(one.worth[at, cards[at]].mean()) if len(at) else float("nan") for cards in chosen
    )
    return Cost(name, len(at), rules, by_nets)


def costs(family: Family, weights: bytes, hands: int) -> list[Cost]:
    """What a choice costs in so many fresh hands, which no nets are fitted to."""
    found = played(family, "fresh", weights, hands)
    all_nets = nets(weights, family.shape.inputs)
    told = []
    for situation, name in enumerate(family.shape.situations):
        one = sheet(family, found, situation)
        net = tuple(np.array(half, np.float32) for half in all_nets[situation])
        if len(one.worth):
            told.append(_cost(name, one, net, np.ones(len(one.worth), bool)))
    return told


# -------------------------------------------------------------------------------------- the training


class Done(NamedTuple):
    """A piece of the training that is done: a batch played, or the nets of a round fitted."""

    what: str
    choices: int
    seconds: float
    """Of processor time; 0 where it was done before."""
    costs: Sequence[Cost] = ()


def train(
    rules: str,
    folder: Path,
    *,
    seed: int = 1,
    hands: Sequence[int] = (),
) -> Iterator[Done]:
    """Play so many hands in each round (the family's own numbers by default), fit the nets of the family of
    `rules` to all of them after each, and tell every piece as it is done. `weights_in` names the file of the
    last nets. ValueError where the folder holds a training of another game, seed or size; it may be given
    further rounds."""
    family = family_of(rules)
    rounds = list(hands or family.lessons.HANDS)
    _begin(folder, family.name, seed, rounds)
    weights, paths = b"", []
    for number, many in enumerate(rounds, 1):
        for batch in range(-(-many // HANDS)):
            path = folder / f"round{number}-{batch:04}.npz"
            paths.append(path)
            if path.exists():
                continue
            start = process_time()
            found = played(family, f"{seed} {number} {batch}", weights, min(HANDS, many - HANDS * batch))
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, **found._asdict())
            part.rename(path)
            yield _logged(folder, Done(path.stem, len(found.cards), process_time() - start))
        path = folder / f"round{number}.txt"
        if not path.exists():
            start = process_time()
            found = _kept(paths)
            weights, costs = fit(family, found, seed)
            so_far = ",".join(map(str, rounds[:number]))
            made_by = f"nousu train {family.lessons.PRESETS[0]} --nets FOLDER --rounds {so_far} --seed {seed}"
            part = path.with_suffix(".part")
            part.write_text(written(weights, made_by), encoding="ascii")
            part.rename(path)
            yield _logged(folder, Done(path.stem, len(found.cards), process_time() - start, costs))
        weights = read(path.read_text(encoding="ascii"))


def weights_in(folder: Path) -> Path:
    """The file with the last nets of a training."""
    return max(folder.glob("round[0-9]*.txt"), key=lambda path: int(path.stem.removeprefix("round")))


def hours(folder: Path) -> float:
    """Hours of processor time that a training has taken in all its parts."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return sum(float(loads(line)["seconds"]) for line in lines) / 3600


def _begin(folder: Path, family: str, seed: int, rounds: list[int]) -> None:
    """Write down what is trained here, or see that it is the same as before, or goes on from that."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.json"
    plan = {"family": family, "seed": seed, "rounds": rounds}
    if path.exists():
        before = loads(path.read_text(encoding="utf-8"))
        if before != plan | {"rounds": rounds[: len(before["rounds"])]}:
            raise ValueError(f"{folder} holds another training: {dumps(before)}")
    path.write_text(dumps(plan) + "\n", encoding="utf-8")


def _logged(folder: Path, done: Done) -> Done:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(
            dumps({"what": done.what, "choices": done.choices, "seconds": round(done.seconds, 3)}) + "\n"
        )
    return done


# ------------------------------------------------------------------------------------ nets at the table


class Alone:
    """The rule-based player with the nets' cards, to measure them without any search."""

    def __init__(self, weights: bytes | None) -> None:
        self._weights = weights

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The card that the nets rate highest; everything else by rules of thumb."""
        usual = named("rules").choose(view, budget, seed)
        if lessons_of(view.game) is None or not isinstance(usual.action, Play):
            return usual
        policy = part("nousu.players", view.game, "policy")
        if policy is None or len(view.legal) == 1 or not policy.rates(view):
            return usual
        return Choice(Play(policy.best(view, self._weights)))


def alone() -> Alone:
    """The nets in the file that NOUSU_NETS names, else those of the package; the arena calls it
    ``py:tools.training.nets:alone``."""
    path = os.environ.get("NOUSU_NETS")
    if not path:
        return Alone(None)
    try:
        return Alone(read(Path(path).read_text(encoding="ascii")))
    except OSError as error:
        raise ValueError(f"NOUSU_NETS: {path}: {error.strerror or error}") from None
