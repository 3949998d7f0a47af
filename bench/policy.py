"""The nets of the whist family (players/whist/policy.py): hands played to learn from, and the fit.

python bench/policy.py 60                       what a choice costs by rules and nets on 60 fresh hands
python bench/policy.py deal 40 FOLDER           play 40 batches of hands (those already there are kept)
python bench/policy.py deal 40 FOLDER learned   the same, everybody playing by the nets as they are
python bench/policy.py fit FOLDER [FOLDER …]    fit the nets to them and write players/whist/policy.txt

Every choice of a hand that computer players play is judged: each legal card is played in imagined deals that
fit what the seat knows, weighed as the searching players weigh them, and everybody plays on, seeing their
own cards only. What a card brings on average there is what the nets are fitted to: what it is worth among
such players, as far as the seat can know. The fit needs NumPy. One hand in ten is held out, and the costs
told are those of its choices.
"""

import sys
from base64 import b85encode
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple
from zlib import compress

import numpy as np
from numpy.typing import NDArray

from nousu.engine.actions import Play
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, side
from nousu.games import find
from nousu.games.whist import TRICKS, Facts, score
from nousu.players import DEFAULT_BUDGET, Budget, Choice, named
from nousu.players.searcher import imagined
from nousu.players.whist import play, policy
from nousu.players.whist.playouts import held, known_of, play_out
from nousu.players.whist.searcher import weighed

SEED = 2026
HANDS = 100
"""Hands of a batch."""
WORLDS = 32
"""Imagined deals for each choice."""
PRESETS = ("tuppi", "tuppi", "tuppi", "minnesota")
"""By these rules in turn."""
ASTRAY = 0.06
"""How often a player takes any card, so that hands go where careful players do not lead them."""
HELD_OUT = 10
FRESH = 9999
"""The batch that no net is fitted to."""

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Played(NamedTuple):
    """Choices with what became of each card, as columns; cards of all choices one after the other."""

    hand: NDArray[np.int32]
    """For each choice, the number of its hand."""
    situation: Bytes
    count: Bytes
    """How many cards it has."""
    shared: Bytes
    own: Bytes
    """For each card."""
    tricks: Floats
    """For each card, the tricks of its side (in a nolo, those it is spared) less their mean there."""
    points: Floats
    """The same of points."""
    habit: Bytes
    """For each choice, which card the rule-based player takes."""


def played(batch: int, learned: bool, hands: int = HANDS) -> Played:
    """The choices of one batch of hands."""
    rng = Random(f"{SEED} {batch} {learned}")
    rows: list[tuple[int, policy.Known, list[float], list[float], int]] = []
    for number in range(hands):
        family, rules = find(PRESETS[number % len(PRESETS)])
        match = Match.start(family, rules, 4, dealer=rng.randrange(4)).deal(rng)
        careful = rng.random() < 0.5
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            if not policy.rates(view) or len(view.legal) == 1:
                action = named("rules").choose(view, DEFAULT_BUDGET, rng.randrange(1 << 32)).action
                if Facts.of(view.facts).kind == "sooli":
                    break
            else:
                choice = policy.known(view)
                tricks, points = brought(view, rng, learned)
                usual = play.choose(view).action
                assert isinstance(usual, Play)
                rows.append((HANDS * batch + number, choice, tricks, points, choice.cards.index(usual.card)))
                if rng.random() < ASTRAY:
                    action = rng.choice(view.legal)
                elif careful:
                    action = view.legal[int(np.argmax(points))]
                else:
                    action = Play(policy.best(view)) if learned else usual
            match = match.apply(seat, action)
    return Played(
        np.array([row[0] for row in rows], np.int32),
        np.array([row[1].situation for row in rows], np.uint8),
        np.array([len(row[1].cards) for row in rows], np.uint8),
        np.array([row[1].shared for row in rows], np.uint8),
        np.array([own for row in rows for own in row[1].own], np.uint8),
        np.array([one for row in rows for one in row[2]], np.float32),
        np.array([one for row in rows for one in row[3]], np.float32),
        np.array([row[4] for row in rows], np.uint8),
    )


def brought(view: View, rng: Random, learned: bool) -> tuple[list[float], list[float]]:
    """What each legal card brings the viewer's side on average, less what all of them do: tricks (in a nolo
    those it is spared), and points."""
    facts = Facts.of(view.facts)
    assert view.seat is not None
    ours = side(view.seat)
    drawn = imagined(view, WORLDS, rng)
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    found = play_out(known_of(view), [held(view, one) for one in drawn], cards, view.seat, learned)
    weights = np.array(weighed(view, drawn, [1.0] * len(drawn), found.strange, learned))
    bidder = None if facts.bidder is None else side(facts.bidder)
    points = np.zeros(TRICKS + 1)
    kind: Literal["high", "low"] = "low" if facts.kind == "low" else "high"
    for taken in range(TRICKS + 1):
        north, south = score(view.rules, kind, bidder, (taken, TRICKS - taken))
        points[taken] = (north - south) * (1 - 2 * ours)
    gained = np.array(found.gained)
    sign = (1 - 2 * ours) * (-1 if facts.kind == "low" else 1)
    means = [(table[gained] @ weights) / weights.sum() for table in (sign * np.arange(TRICKS + 1.0), points)]
    return (means[0] - means[0].mean()).tolist(), (means[1] - means[1].mean()).tolist()


def deal(batches: int, folder: Path, learned: bool) -> None:
    """Play batches that are not in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for batch in range(batches):
        path = folder / f"{batch:04}.npz"
        if not path.exists():
            found = played(batch, learned)
            part = path.with_suffix(".part.npz")
            np.savez(part, **found._asdict())
            part.rename(path)
            print(f"{path}: {len(found.count)} choices, {len(found.tricks)} cards", flush=True)


class Alone:
    """The rule-based player with the nets' cards, for ``nousu arena py:bench.policy:Alone rules``."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The card that the nets rate highest; everything else by rules of thumb."""
        if len(view.legal) > 1 and policy.rates(view):
            return Choice(Play(policy.best(view)))
        return named("rules").choose(view, budget, seed)


def read(folders: list[Path]) -> Played:
    """All choices of these folders."""
    parts = []
    for number, folder in enumerate(folders):
        for path in sorted(folder.glob("[0-9]*.npz")):
            if ".part" not in path.name:
                with np.load(path) as found:
                    parts.append(Played(**found)._replace(hand=found["hand"] + 10**6 * number))
    return Played(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class Sheet(NamedTuple):
    """The choices of one situation; of each as many rows of cards as the longest has, those beyond barred."""

    inputs: Bytes
    """For each choice, row and input, whether it is on."""
    worth: Floats
    """What each card brings, in tricks' worth, less the best."""
    tricks: Floats
    barred: Floats
    """0 for a card, a large negative number where there is none."""
    habit: NDArray[np.intp]
    held_out: NDArray[np.bool_]


def sheet(found: Played, situation: int) -> Sheet:
    """The choices of one situation in which the cards differ."""
    starts = np.concatenate([[0], np.cumsum(found.count, dtype=np.int64)])[:-1]
    here = np.flatnonzero(found.situation == situation)
    most = int(found.count[here].max())
    rows = starts[here, None] + np.arange(most)
    missing = np.arange(most) >= found.count[here, None]
    rows[missing] = starts[here].repeat(missing.sum(1))
    sizes = (*policy.SHARED.values(), *policy.OWN.values())
    offsets = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    known = np.concatenate(
        [
            np.broadcast_to(found.shared[here][:, None], (len(here), most, len(policy.SHARED))),
            found.own[rows],
        ],
        axis=2,
    )
    inputs = np.zeros((len(here), most, policy.INPUTS), np.uint8)
    np.put_along_axis(inputs, known + offsets, 1, axis=2)
    minnesota = found.hand[here] % len(PRESETS) == PRESETS.index("minnesota")
    points = found.points[rows] / np.where(minnesota, 1, 4)[:, None]
    barred = np.where(missing, np.float32(-1e9), np.float32(0))

    def behind(values: Floats) -> Floats:
        return (values - (values + barred).max(1, keepdims=True)).astype(np.float32)

    tricks = found.tricks[rows]
    return Sheet(
        inputs,
        behind(((tricks + points) / 2).astype(np.float32)),
        behind(tricks),
        barred,
        found.habit[here].astype(np.intp),
        found.hand[here] // 4 % HELD_OUT == 0,
    )


def cost(one: Sheet, chosen: NDArray[np.intp], of: NDArray[np.bool_] | None = None) -> str:
    """What the cards chosen give away on average at the choices held out, or at those given."""
    at = np.flatnonzero(one.held_out if of is None else of)
    worth, tricks = (-float(values[at, chosen[at]].mean()) for values in (one.worth, one.tricks))
    return f"{worth:.3f} ({tricks:.3f} tricks)"


BATCH, DECAY, RATE = 256, 1e-4, 0.004
SOFT, GAIN = 0.25, 4.0
"""Of the target: a card is as likely as its worth in tricks divided by SOFT says; what is gained by the
choice counts GAIN times as much beside."""


def fitted(one: Sheet, hidden: int, rounds: int, seed: int) -> tuple[Floats, Floats]:
    """Weights of a net with so many hidden units (0: a weighed sum), by gradient descent."""
    rng = np.random.default_rng(seed)
    units = hidden or 1
    weights = rng.normal(0, 0.15 if hidden else 0, (policy.INPUTS, units)).astype(np.float32)
    out = (rng.choice([-1.0, 1.0], units) * 0.3 if hidden else np.ones(1)).astype(np.float32)
    state = [np.zeros_like(both) for both in (weights, out) for _ in (0, 1)]
    train = np.flatnonzero(~one.held_out)
    steps = rounds * (len(train) // BATCH)
    for at in range(steps):
        pick = rng.choice(train, BATCH, replace=False)
        x = one.inputs[pick].astype(np.float32)
        flat = x.reshape(-1, policy.INPUTS)
        summed = flat @ weights
        lit = np.maximum(summed, 0) if hidden else summed
        rated = (lit @ out).reshape(x.shape[:2]) + one.barred[pick]
        share = np.exp(rated - rated.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        worth = np.where(one.barred[pick] < 0, -1e9, one.worth[pick])
        wanted = np.exp(worth / SOFT)
        wanted /= wanted.sum(1, keepdims=True)
        worth = one.worth[pick]
        slope = (share - wanted) - GAIN * share * (worth - (share * worth).sum(1, keepdims=True))
        slope = (slope / len(pick)).reshape(-1).astype(np.float32)
        of_out = lit.T @ slope if hidden else np.zeros(1, np.float32)
        back = np.outer(slope, out) * (summed > 0 if hidden else 1)
        of_weights = flat.T @ back.astype(np.float32) + DECAY * weights
        rate = RATE * (1 - at / steps) * (1 if hidden else 4)
        for number, (value, gradient) in enumerate(((weights, of_weights), (out, of_out))):
            mean, spread = state[2 * number], state[2 * number + 1]
            mean += 0.1 * (gradient - mean)
            spread += 0.01 * (gradient**2 - spread)
            value -= rate * mean / (1 - 0.9 ** (at + 1)) / (np.sqrt(spread / (1 - 0.99 ** (at + 1))) + 1e-7)
        np.clip(out, -4, 4, out=out)
        np.clip(weights, -4, 4, out=weights)
    return weights, out


def rated(one: Sheet, weights: Floats, out: Floats, hidden: int) -> Floats:
    """The rating of every card."""
    found = np.empty(one.worth.shape, np.float32)
    for at in range(0, len(found), 2000):
        x = one.inputs[at : at + 2000].astype(np.float32)
        summed = x @ weights
        found[at : at + 2000] = (np.maximum(summed, 0) if hidden else summed) @ out
    return found + one.barred


ROUNDS = 12
SCALE_IN, SCALE_OUT = 256, 256
"""What one unit of a weight is in whole numbers; together `policy.UNIT`."""


def fit(folders: list[Path]) -> None:
    """Fit the nets and write their weights; tell what a choice costs by them."""
    found = read(folders)
    data = b""
    for situation, name in enumerate(policy.SITUATIONS):
        one = sheet(found, situation)
        line = f"{name:15} {len(one.worth):7} choices: by rules {cost(one, one.habit)}"
        weights, out = fitted(one, 0, ROUNDS, SEED)
        line += f", by a sum {cost(one, rated(one, weights, out, 0).argmax(1))}"
        weights, out = fitted(one, policy.HIDDEN, ROUNDS, SEED)
        whole = np.rint(weights * SCALE_IN), np.rint(out * SCALE_OUT)
        _bounded(*whole)
        chosen = rated(one, *(half.astype(np.float32) for half in whole), policy.HIDDEN).argmax(1)
        print(f"{line}, by a net {cost(one, chosen)}", flush=True)
        data += b"".join(half.astype("<i2").tobytes() for half in whole)
    text = b85encode(compress(data, 9)).decode("ascii")
    lines = [f"# Made by: python bench/policy.py fit {' '.join(folder.name for folder in folders)}"]
    lines += [text[at : at + 100] for at in range(0, len(text), 100)]
    path = Path(policy.__file__).with_name("policy.txt")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _bounded(weights: Floats, out: Floats) -> None:
    """Hold that no sum can leave 16 bits, and no rating 32."""
    sizes = (*policy.SHARED.values(), *policy.OWN.values())
    ends = np.cumsum(sizes)
    largest = sum(np.abs(weights[end - size : end]).max(0) for end, size in zip(ends, sizes, strict=True))
    assert largest.max() < 2**15 and (np.minimum(largest, 2**15) @ np.abs(out)) < 2**31, "weights too large"


def compare(hands: int) -> None:
    """What a choice costs in so many fresh hands, by rules and by the nets as they are."""
    found = played(FRESH, True, hands)
    print("| situation | choices | by rules | by the nets |\n|---|---|---|---|")
    for situation, name in enumerate(policy.SITUATIONS):
        if situation not in found.situation:
            continue
        one, net = sheet(found, situation), policy.nets()[situation]
        weights, out = (np.array(half, np.float32) for half in net)
        everywhere = np.ones(len(one.worth), bool)
        chosen = rated(one, weights, out, policy.HIDDEN).argmax(1)
        costs = (cost(one, cards, everywhere) for cards in (one.habit, chosen))
        print(f"| {name} | {len(one.worth)} | {' | '.join(costs)} |", flush=True)


def main() -> None:
    """What the words say."""
    words = [word for word in sys.argv[1:] if word != "policy"]
    match words:
        case ["deal", batches, folder, *how]:
            deal(int(batches), Path(folder), "learned" in how)
        case ["fit", *folders]:
            fit([Path(folder) for folder in folders])
        case _:
            compare(next((int(word) for word in words if word.isdigit()), 60))


if __name__ == "__main__":
    main()
