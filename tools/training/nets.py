"""The nets of `expert`, made from nothing: hands are played, choices judged, and nets fitted to that.

`train` plays rounds of hands, the first by the rule-based player, each later one by the nets fitted to the
rounds before. Every choice is judged: each legal card is played in imagined deals that fit what the seat
knows, weighted as the searching players weight them, and all play on, seeing their own cards only. The nets
are fitted to the average value of a card there: its value among such players, as far as the seat can know
it. `FAMILIES` has the presets of the hands and the judgement of choices,
``nousu.players.<family>.policy`` the features of the nets.

All that has been played and fitted lies in a folder, and an interrupted training continues from there. The
same seed gives the same weights on the same machine.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from json import dumps, loads
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nousu.engine.actions import Play
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import DEFAULT_BUDGET, Budget, Choice, find_player
from nousu.players.huutopussi import policy as huutopussi_policy
from nousu.players.nets import (
    HIDDEN,
    UNIT,
    NetChoice,
    NetShape,
    decode_weights,
    encode_weights,
    made_by,
    unpack_nets,
)
from nousu.players.whist import policy as whist_policy
from tools.training import huutopussi, sooli, whist
from tools.training.card_values import CardValues

HANDS = 100
"""Hands of a batch, which is kept as a whole."""
ASTRAY = 0.06
"""Share of random cards in play, so that hands go where careful players do not lead them."""
HELD_OUT = 10
"""Interval of hands that are held out from learning; costs of choices are measured on them."""

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Policy(Protocol):
    """The nets of a family as its players use them (``nousu.players.<family>.policy``)."""

    SHAPE: NetShape

    def is_covered(self, view: View) -> bool:
        """Whether the nets know such a choice."""

    def net_choice(self, view: View) -> NetChoice:
        """The choice of a view as the nets see it."""

    def best_card(self, view: View, weights: bytes | None = None) -> Card:
        """The card that is rated highest, by these weights or the package's own."""

    def packed_weights(self) -> bytes:
        """The weights of the package."""

    def packed_text(self) -> str:
        """The file of these weights."""


class NetFamily(NamedTuple):
    """The part of a family in the training of its nets."""

    name: str
    word: str
    """The argument of the command that makes these nets."""
    policy: Policy
    situations: range
    """The situations that the training fits nets to; those of others stay as they are."""
    presets: Sequence[str]
    """Hands are played by these rules in turn."""
    hands: Sequence[int]
    """Number of hands in each round."""
    card_values: Callable[[View, Sequence[Card], Random, bytes], CardValues]
    """The average value of each card of a view when all play on by nets of these weights."""
    deal: Callable[[str, Random], Match]
    """A match of a preset in which a hand has been dealt."""


def _dealt(preset: str, rng: Random) -> Match:
    game, rules = find(preset)
    return Match.start(game, rules, 4, dealer=rng.randrange(4)).deal(rng)


FAMILIES = {
    "huutopussi": NetFamily(
        "huutopussi",
        "huutopussi",
        huutopussi_policy,
        range(len(huutopussi_policy.SHAPE.situations)),
        huutopussi.PRESETS,
        huutopussi.HANDS,
        huutopussi.card_values,
        _dealt,
    ),
    "whist": NetFamily(
        "whist",
        "tuppi",
        whist_policy,
        whist_policy.RAMI_AND_NOLO,
        whist.PRESETS,
        whist.HANDS,
        whist.card_values,
        _dealt,
    ),
    "sooli": NetFamily(
        "sooli",
        "sooli",
        whist_policy,
        whist_policy.SOOLI,
        sooli.PRESETS,
        sooli.HANDS,
        sooli.card_values,
        sooli.deal,
    ),
}


def family_of(rules: str) -> NetFamily:
    """The family of a preset, or the soolis of the whist family; ValueError where players have no nets."""
    family = FAMILIES.get("sooli" if rules == "sooli" else find(rules)[0].name)
    if family is None:
        raise ValueError(f"{rules}: the players of this family have no nets")
    return family


# -------------------------------------------------------------------------------- hands to learn from


class PlayedChoices(NamedTuple):
    """Choices with the results of each card, as columns; the cards of all choices one after the other."""

    hand: NDArray[np.int32]
    """The number of its hand, by choice."""
    situation: Bytes
    cards: Bytes
    """Number of its cards."""
    shared: Bytes
    own: Bytes
    """Features of each card."""
    taken: Floats
    """`CardValues.taken` of each card."""
    scored: Floats
    usual: Bytes
    """The card of the rule-based player, by choice."""


def play_choices(family: NetFamily, seed: str, weights: bytes, hands: int) -> PlayedChoices:
    """The choices of so many hands, in which everybody plays by these nets; by rules of thumb without."""
    rng = Random(seed)
    policy, presets = family.policy, family.presets
    rows: list[tuple[int, NetChoice, CardValues, int]] = []
    for number in range(hands):
        match = family.deal(presets[number % len(presets)], rng)
        careful = rng.random() < 0.5
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            action = find_player("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
            if isinstance(action, Play) and policy.is_covered(view):
                choice = policy.net_choice(view)
                if len(choice.cards) > 1 and choice.situation in family.situations:
                    judged = family.card_values(view, choice.cards, rng, weights)
                    rows.append((number, choice, judged, choice.cards.index(action.card)))
                    if rng.random() < ASTRAY:
                        action = Play(rng.choice(choice.cards))
                    elif careful:
                        sums = [sum(pair) for pair in zip(judged.taken, judged.scored, strict=True)]
                        action = Play(choice.cards[sums.index(max(sums))])
                    elif weights:
                        action = Play(policy.best_card(view, weights))
            match = match.apply(seat, action)
    return PlayedChoices(
        np.array([row[0] for row in rows], np.int32),
        np.array([row[1].situation for row in rows], np.uint8),
        np.array([len(row[1].cards) for row in rows], np.uint8),
        np.array([row[1].shared for row in rows], np.uint8),
        np.array([own for row in rows for own in row[1].own], np.uint8),
        np.array([value for row in rows for value in row[2].taken], np.float32),
        np.array([value for row in rows for value in row[2].scored], np.float32),
        np.array([row[3] for row in rows], np.uint8),
    )


def _kept(paths: Sequence[Path]) -> PlayedChoices:
    """The choices of these batches; no two hands have the same number."""
    parts = []
    for at, path in enumerate(paths):
        with np.load(path) as file:
            parts.append(PlayedChoices(**file)._replace(hand=file["hand"] + HANDS * at))
    return PlayedChoices(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


# ------------------------------------------------------------------------------------------- the fit


class SituationSheet(NamedTuple):
    """The choices of one situation; of each as many rows of cards as the longest has, those beyond barred."""

    inputs: Bytes
    """Inputs that are on, by choice and row."""
    worth: Floats
    """The value of each card, in tricks' worth, less the best."""
    barred: Floats
    """0 for a card, a large negative number where there is none."""
    usual: NDArray[np.intp]
    held_out: NDArray[np.bool_]


def situation_sheet(family: NetFamily, choices: PlayedChoices, situation: int) -> SituationSheet:
    """The choices of one situation."""
    shape = family.policy.SHAPE
    starts = np.concatenate([[0], np.cumsum(choices.cards, dtype=np.int64)])[:-1]
    places = np.flatnonzero(choices.situation == situation)
    most = int(choices.cards[places].max(initial=1))
    rows = starts[places, None] + np.arange(most)
    missing = np.arange(most) >= choices.cards[places, None]
    rows[missing] = starts[places].repeat(missing.sum(1))
    known = np.concatenate(
        [
            np.broadcast_to(choices.shared[places][:, None], (len(places), most, len(shape.shared))),
            choices.own[rows],
        ],
        axis=2,
    )
    inputs = np.zeros((len(places), most, shape.inputs), np.uint8)
    np.put_along_axis(inputs, known + np.array(shape.starts[:-1]), 1, axis=2)
    barred = np.where(missing, np.float32(-1e9), np.float32(0))
    worth = (choices.taken[rows] + choices.scored[rows]) / 2
    return SituationSheet(
        inputs,
        (worth - (worth + barred).max(1, keepdims=True)).astype(np.float32),
        barred,
        choices.usual[places].astype(np.intp),
        choices.hand[places] // len(family.presets) % HELD_OUT == HELD_OUT - 1,
    )


BATCH, DECAY, RATE, PASSES = 256, 1e-4, 0.004, 12
SOFT, GAIN = 0.25, 4.0
"""Parts of the target: a card is as likely as its worth in tricks divided by SOFT says, and the gain of the
choice counts GAIN times as much beside it."""


def fit_net(sheet: SituationSheet, passes: int, seed: int) -> tuple[Floats, Floats]:
    """Fit a net by gradient descent; return its weights and those of its hidden units."""
    rng = np.random.default_rng(seed)
    many = sheet.inputs.shape[2]
    weights = rng.normal(0, 0.15, (many, HIDDEN)).astype(np.float32)
    out = (rng.choice([-1.0, 1.0], HIDDEN) * 0.3).astype(np.float32)
    state = [np.zeros_like(half) for half in (weights, out) for _ in (0, 1)]
    train = np.flatnonzero(~sheet.held_out)
    steps = passes * (len(train) // BATCH)
    for at in range(steps):
        pick = rng.choice(train, BATCH, replace=False)
        x = sheet.inputs[pick].astype(np.float32)
        flat = x.reshape(-1, many)
        summed = flat @ weights
        lit = np.maximum(summed, 0)
        rated = (lit @ out).reshape(x.shape[:2]) + sheet.barred[pick]
        share = np.exp(rated - rated.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        worth = sheet.worth[pick]
        wanted = np.exp(np.where(sheet.barred[pick] < 0, -1e9, worth) / SOFT)
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


def _rated(sheet: SituationSheet, weights: Floats, out: Floats) -> Floats:
    """The rating of every card."""
    rated = np.empty(sheet.worth.shape, np.float32)
    for at in range(0, len(rated), 2000):
        x = sheet.inputs[at : at + 2000].astype(np.float32)
        rated[at : at + 2000] = np.maximum(x @ weights, 0) @ out
    return rated + sheet.barred


SCALE = 256
"""One unit of a weight in whole numbers; squared it is that of a rating."""
assert SCALE**2 == UNIT


class SituationCost(NamedTuple):
    """The average cost of choices of one situation against the card that brings most, in tricks.

    The best of some noisy means is put too high, so only differences mean something.
    """

    situation: str
    choices: int
    rules: float
    """Cost by the rule-based player."""
    nets: float


def fit(family: NetFamily, choices: PlayedChoices, seed: int) -> tuple[bytes, list[SituationCost]]:
    """Fit nets to these choices; return them with their costs and the rules' at the choices held out.

    Situations that the training does not fit keep the nets of the package.
    """
    shape = family.policy.SHAPE
    data, costs = bytearray(family.policy.packed_weights()), []
    size = len(data) // len(shape.situations)
    for situation in family.situations:
        sheet = situation_sheet(family, choices, situation)
        whole = tuple(np.rint(half * SCALE) for half in fit_net(sheet, PASSES, seed))
        _bounded(shape, *whole)
        net = b"".join(half.astype("<i2").tobytes() for half in whole)
        data[size * situation : size * (situation + 1)] = net
        if sheet.held_out.any():
            costs.append(_cost(shape.situations[situation], sheet, whole, sheet.held_out))
    return bytes(data), costs


def _bounded(shape: NetShape, weights: Floats, out: Floats) -> None:
    """Assert that no sum can leave 16 bits, and no rating 32."""
    parts = zip(shape.starts, shape.starts[1:], strict=False)
    largest = sum(np.abs(weights[start:end]).max(0) for start, end in parts)
    assert largest.max() < 2**15 and largest @ np.abs(out) < 2**31, "weights too large"


def _cost(name: str, sheet: SituationSheet, net: tuple[Floats, ...], of: NDArray[np.bool_]) -> SituationCost:
    """The cost of the choices `of` this sheet."""
    at = np.flatnonzero(of)
    chosen = sheet.usual, _rated(sheet, *net).argmax(1)
    rules, by_nets = (
        -float(sheet.worth[at, cards[at]].mean()) if len(at) else float("nan") for cards in chosen
    )
    return SituationCost(name, len(at), rules, by_nets)


def fresh_costs(family: NetFamily, weights: bytes, hands: int) -> list[SituationCost]:
    """The cost of a choice in so many fresh hands, which no nets are fitted to."""
    choices = play_choices(family, "fresh", weights, hands)
    all_nets = unpack_nets(weights, family.policy.SHAPE.inputs)
    costs = []
    for situation in family.situations:
        sheet = situation_sheet(family, choices, situation)
        net = tuple(np.array(half, np.float32) for half in all_nets[situation])
        if len(sheet.worth):
            name = family.policy.SHAPE.situations[situation]
            costs.append(_cost(name, sheet, net, np.ones(len(sheet.worth), bool)))
    return costs


# -------------------------------------------------------------------------------------- the training


class TrainingStep(NamedTuple):
    """A step of the training: a batch played, or the nets of a round fitted."""

    what: str
    choices: int
    seconds: float
    """Processor time in seconds; 0 if the work was done before."""
    costs: Sequence[SituationCost] = ()


def train(
    rules: str,
    folder: Path,
    *,
    seed: int = 1,
    hands: Sequence[int] = (),
) -> Iterator[TrainingStep]:
    """Train the nets of a family round by round, and yield every step as it is done.

    Args:
        rules: A preset of the family.
        folder: The folder of hands and weights; `last_weights` names the file of the last nets.
        seed: The seed of everything left to chance.
        hands: Hands of each round; the family's own numbers where empty. Further rounds may be added later.

    Raises:
        ValueError: The folder holds a training of another game, seed or size.
    """
    family = family_of(rules)
    rounds = list(hands or family.hands)
    _begin(folder, family.name, seed, rounds)
    weights, paths = b"", []
    for number, many in enumerate(rounds, 1):
        for batch in range(-(-many // HANDS)):
            path = folder / f"round{number}-{batch:04}.npz"
            paths.append(path)
            if path.exists():
                continue
            start = process_time()
            choices = play_choices(
                family, f"{seed} {number} {batch}", weights, min(HANDS, many - HANDS * batch)
            )
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, **choices._asdict())
            part.rename(path)
            yield _logged(folder, TrainingStep(path.stem, len(choices.cards), process_time() - start))
        path = folder / f"round{number}.txt"
        if not path.exists():
            start = process_time()
            choices = _kept(paths)
            weights, costs = fit(family, choices, seed)
            so_far = ",".join(map(str, rounds[:number]))
            command = f"python -m tools.training {family.word} FOLDER"
            others = [line for line in made_by(family.policy.packed_text()) if command not in line]
            made = f"{command} --rounds {so_far} --seed {seed}"
            part = path.with_suffix(".part")
            part.write_text(encode_weights(weights, [*others, f"Made by: {made}"]), encoding="ascii")
            part.rename(path)
            yield _logged(folder, TrainingStep(path.stem, len(choices.cards), process_time() - start, costs))
        weights = decode_weights(path.read_text(encoding="ascii"))


def last_weights(folder: Path) -> Path:
    """The file with the last nets of a training."""
    return max(folder.glob("round[0-9]*.txt"), key=lambda path: int(path.stem.removeprefix("round")))


def hours(folder: Path) -> float:
    """Hours of processor time that a training has taken in all its parts."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return sum(float(loads(line)["seconds"]) for line in lines) / 3600


def _begin(folder: Path, family: str, seed: int, rounds: list[int]) -> None:
    """Write down the parameters of the training, or check that they continue earlier ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.json"
    plan = {"family": family, "seed": seed, "rounds": rounds}
    if path.exists():
        before = loads(path.read_text(encoding="utf-8"))
        if before != plan | {"rounds": rounds[: len(before["rounds"])]}:
            raise ValueError(f"{folder} holds another training: {dumps(before)}")
    path.write_text(dumps(plan) + "\n", encoding="utf-8")


def _logged(folder: Path, done: TrainingStep) -> TrainingStep:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(
            dumps({"what": done.what, "choices": done.choices, "seconds": round(done.seconds, 3)}) + "\n"
        )
    return done


# ------------------------------------------------------------------------------------ nets at the table


class NetPlayer:
    """The rule-based player with the nets' cards, to measure them without any search."""

    def __init__(self, weights: bytes | None) -> None:
        self._weights = weights

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The card that the nets rate highest; everything else by rules of thumb."""
        usual = find_player("rules").choose(view, budget, seed)
        family = FAMILIES.get(view.game)
        if family is None or not isinstance(usual.action, Play):
            return usual
        if len(view.legal) == 1 or not family.policy.is_covered(view):
            return usual
        return Choice(Play(family.policy.best_card(view, self._weights)))


def alone() -> NetPlayer:
    """The nets in the file that NOUSU_NETS names, else those of the package.

    In the arena: ``py:tools.training.nets:alone``. ValueError where there is no such file.
    """
    path = os.environ.get("NOUSU_NETS")
    if not path:
        return NetPlayer(None)
    try:
        return NetPlayer(decode_weights(Path(path).read_text(encoding="ascii")))
    except OSError as error:
        raise ValueError(f"NOUSU_NETS: {path}: {error.strerror or error}") from None
