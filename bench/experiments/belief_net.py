"""A net of the holders of hidden cards in Tuppi, fitted to self-play (belief_net.cpp): what would it bring?

    python -m bench.experiments.belief_net fit FILE 480000      fit it to so many hands; some ten minutes
    python -m bench.experiments.belief_net nats FILE 30         likelihood of the true deal, and calibration,
                                                                in so many hands of four `expert`
    python -m bench.experiments.belief_net gain FILE 500 701    points a choice by these and by other beliefs
    NOUSU_NET=FILE nousu arena py:bench.experiments.belief_net:player expert --game tuppi --pairs 150

The net reads each suit: the cards held, every card played with its player and its place in the trick, the bid
cards turned up, and the other suits as a sum. It rates every hidden card in every other hand, and the length
of that hand in the suit; a deal is the likelier, the greater the sum. A C++ compiler is needed.
"""

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, prod, sqrt
from pathlib import Path
from random import Random
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bench.results import interval
from nousu.engine.actions import Deal, Play, Show
from nousu.engine.cards import LANE, Card, CardSet, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find
from nousu.games.whist import TRICKS, Facts, score
from nousu.players import Budget, Choice, find_player
from nousu.players.seat_loop import advance
from nousu.players.whist import policy, searcher
from nousu.players.whist.playouts import WhistTable, play_out
from nousu.players.worlds import World, played_by

Floats = NDArray[np.float32]
Net = Mapping[str, Floats]
HAND = np.dtype(
    [
        ("low", "u1"),
        ("bidder", "i1"),  # -1: nobody
        ("dealer", "u1"),
        ("leader", "u1"),
        ("shown", "i1", 4),  # the card each seat has turned up; -1: none
        ("cut", "u1"),  # the position is that before the card with this number
        ("unused", "u1", 3),
        ("plays", "u1", 52),
        ("dealt", "<u8", 4),
    ]
)
DEAL = np.dtype(
    [
        ("hands", "<u8", 3),  # of the next seat, the partner, the last one
        ("shortfall", "<f4"),  # units, as searching players count them
        ("bids", "<f4"),  # logarithm of the likelihood of the bids, as searching players calculate it
        ("exact", "<f4"),  # logarithm of the likelihood of all that was heard, as hands are played here
        ("unused", "<f4"),
    ]
)
TEMPER = 0.8
"""Exponent of the odds by the net, when deals are drawn."""
POOL = 5
"""Deals drawn evenly for each that is then drawn by the net."""
_FOLDER = TemporaryDirectory()


# --------------------------------------------------------------------------------------- hands and deals


@cache
def _program(*flags: str) -> str:
    source, program = Path(__file__).with_suffix(".cpp"), str(Path(_FOLDER.name, f"belief_net{len(flags)}"))
    include = f"-I{source.parents[2] / 'cpp'}"
    options = ["-O3", "-march=native", "-std=c++20", "-w", include, *flags]
    run(["c++", *options, str(source), "-o", program], check=True)
    return program


def _output(dtype: np.dtype[Any], *words: object, given: bytes = b"") -> NDArray[Any]:
    weights = Path(_FOLDER.name, "policy")
    weights.write_bytes(policy.packed_weights())
    command = [_program(), str(weights), *map(str, words)]
    return np.frombuffer(run(command, check=True, capture_output=True, input=given).stdout, dtype)


def self_play(count: int, seed: int) -> NDArray[Any]:
    """Hands played by the nets of `expert`; chance decides between cards rated about the same."""
    return _output(HAND, "hands", count, seed)


def imagined_deals(positions: NDArray[Any], count: int, seed: int) -> NDArray[Any]:
    """For each position the true deal, then so many drawn evenly from those that fit what was seen."""
    return _output(DEAL, "deals", count, seed, given=positions.tobytes()).reshape(-1, count + 1)


def expert_hands(count: int, seed: int) -> NDArray[Any]:
    """The ramis and nolos of so many hands of four `expert`, at nought to nought."""
    company, found = [find_player("expert")] * 4, []
    for number in range(count):
        match = Match.start(*find("tuppi"), 4, dealer=number % 4)
        while not match.played:
            after = advance(match, company, seed + number)
            assert after is not None
            match = after
        log = match.played[0].hand.log
        facts = Facts.of(match.played[0].hand.view(None).facts)
        plays = [(seat, action.card) for seat, action in log if isinstance(action, Play)]
        if facts.soloist is not None or len(plays) < 52:
            continue
        hand = np.zeros((), HAND)
        hand["low"], hand["dealer"], hand["leader"] = facts.kind == "low", number % 4, plays[0][0]
        hand["bidder"] = -1 if facts.bidder is None else facts.bidder
        hand["shown"] = -1
        for seat, action in log:
            if isinstance(action, Show):
                hand["shown"][seat] = action.cards[0]
            elif isinstance(action, Deal):
                hand["dealt"] = [card_set(cards) for cards in action.hands]
        hand["plays"] = [card for _, card in plays]
        found.append(hand)
    return np.array(found, HAND)


class Heard(NamedTuple):
    """Knowledge of a seat when a card is due."""

    seat: int
    hand: CardSet
    legal: CardSet
    shown: Sequence[int]
    """The card each seat has turned up; -1 for none."""
    bidder: int
    """The seat that has bid high; -1 for nobody."""
    plays: Sequence[tuple[int, int]]
    """All cards played with their seats, in order."""


def heard_at(hand: Any) -> Heard:
    """Knowledge of the seat to play in the position."""
    hands, seat, plays = [int(cards) for cards in hand["dealt"]], int(hand["leader"]), []
    best = winner = -1
    for at, card in enumerate(hand["plays"][: int(hand["cut"])].tolist()):
        plays.append((seat, card))
        hands[seat] &= ~(1 << card)
        if at % 4 == 0 or (card >> 4 == best >> 4 and card > best):
            best, winner = card, seat
        seat = winner if at % 4 == 3 else (seat + 1) % 4
    same = hands[seat] & LANE << 16 * (plays[len(plays) // 4 * 4][1] >> 4) if len(plays) % 4 else 0
    return Heard(seat, hands[seat], same or hands[seat], hand["shown"].tolist(), int(hand["bidder"]), plays)


def heard_in(view: View) -> Heard:
    """Knowledge of the seat of a view."""
    assert view.seat is not None
    facts, shown = Facts.of(view.facts), [-1] * 4
    for by, action in view.heard:
        if isinstance(action, Show):
            shown[by] = int(action.cards[0])
    plays = [play for trick in view.tricks for play in trick.plays] + list(view.trick)
    bidder = -1 if facts.bidder is None else facts.bidder
    return Heard(view.seat, card_set(view.cards), 0, shown, bidder, plays)


def choices(hands: NDArray[Any], each: int, rng: Random) -> tuple[NDArray[Any], list[Heard]]:
    """Positions of these hands, so many of each, in which there is a choice."""
    found, known = [], []
    for hand in hands:
        for cut in sorted(rng.sample(range(48), each)):
            position = hand.copy()
            position["cut"] = cut
            heard = heard_at(position)
            if heard.legal & (heard.legal - 1):
                found.append(position)
                known.append(heard)
    return np.array(found, HAND), known


# ----------------------------------------------------------------------------------------------- the net

MODES = 14
"""Ways to play a card: the opening lead, a lead; in second hand beating and not; in third and in fourth hand
beating, under an opponent's card, under the partner's; a first discard on the partner's card and on an
opponent's, a later one likewise."""
_OWN, _PLAYED = 13, 26
_SHOWN = _PLAYED + MODES * 39
_VOID, _UNSEEN, _LENGTH, _LED, _WHEN = (_SHOWN + more for more in (39, 42, 56, 70, 71))
INPUTS = _WHEN + 12
"""Inputs of a suit."""
_ALL_SHOWN = 13 + 3 * MODES
_ALL_VOID, _ALL_UNSEEN, _ALL_LENGTH = (_ALL_SHOWN + more for more in (3, 6, 20))
SHARED = _ALL_LENGTH + 14
"""Inputs that are added up over the suits."""
TABLE = 36
"""Inputs of the table: the bidder, bids, tricks played, cards on the table, tricks of the own side."""
HIDDEN, CARDS, LENGTHS = 48, 3 * 4 * 16, 3 * 4 * 14


class Inputs(NamedTuple):
    """Inputs of the net, a row for each position."""

    suits: NDArray[np.uint8]
    """Of each suit, as bits."""
    shared: NDArray[np.uint8]
    table: NDArray[np.uint8]

    def at(self, rows: Any) -> "Inputs":
        """The rows of some positions."""
        return Inputs(self.suits[rows], self.shared[rows], self.table[rows])


def net_inputs(known: Sequence[Heard]) -> Inputs:
    """The inputs of so many positions."""
    suits = np.zeros((len(known), 4, -(-INPUTS // 8)), np.uint8)
    shared = np.zeros((len(known), SHARED), np.uint8)
    table = np.zeros((len(known), TABLE), np.uint8)
    for at, heard in enumerate(known):
        row = np.zeros((4, 8 * suits.shape[2]), np.uint8)
        _mark(heard, row, shared[at], table[at])
        suits[at] = np.packbits(row, axis=1, bitorder="little")
    return Inputs(suits, shared, table)


def _mark(heard: Heard, suits: Any, shared: Any, table: Any) -> None:
    viewer, plays = heard.seat, heard.plays
    seen = [0, 0, 0, 0]
    best_seat = best = -1
    voids = discarded = won = 0
    led = set()
    for at, (seat, card) in enumerate(plays):
        suit, rank, step, place = card >> 4, card & 15, (seat - viewer) % 4, at % 4
        seen[suit] |= 1 << rank
        partly = (best_seat ^ seat) & 1 == 0
        if place == 0:
            mode = int(at > 0)
            if (suit, step) not in led:
                suits[suit, _WHEN + 3 * step + (at >= 12) + (at >= 28)] = 1
            led.add((suit, step))
        elif suit == best >> 4:
            mode = (2, 4, 7)[place - 1] + (0 if card > best else 2 if partly else 1)
        else:
            mode = (12 if discarded >> seat & 1 else 10) + (not partly)
            discarded |= 1 << seat
            voids |= 1 << 4 * step + (best >> 4)
        if place == 0 or (suit == best >> 4 and card > best):
            best_seat, best = seat, card
        if step:
            suits[suit, _PLAYED + 39 * mode + 13 * (step - 1) + rank] = 1
            shared[13 + MODES * (step - 1) + mode] += 1
        else:
            suits[suit, _OWN + rank] = 1
        won += place == 3 and (best_seat ^ viewer) & 1 == 0
    table[[0 if heard.bidder < 0 else 1 + (heard.bidder - viewer) % 4, 11 + len(plays) // 4]] = 1
    table[[24 + len(plays) % 4, 28 + min(won, 7)]] = 1
    for step in (1, 2, 3):
        seat = (viewer + step) % 4
        card = heard.shown[seat]
        if card >= 0:
            suits[card >> 4, _SHOWN + 13 * (step - 1) + (card & 15)] = 1
            shared[_ALL_SHOWN + step - 1] += 1
        if card >= 0 or seat == heard.bidder:
            table[5 + 2 * (step - 1) + (seat == heard.bidder)] = 1
    for suit in range(4):
        lane = heard.hand >> 16 * suit & LANE
        held = [rank for rank in range(13) if lane >> rank & 1]
        out = [step - 1 for step in (1, 2, 3) if voids >> 4 * step + suit & 1]
        unseen, length = 13 - (lane | seen[suit]).bit_count(), len(held)
        suits[suit, [*held, _UNSEEN + unseen, _LENGTH + length, *[_VOID + other for other in out]]] = 1
        shared[
            [*held, _ALL_UNSEEN + unseen, _ALL_LENGTH + length, *[_ALL_VOID + other for other in out]]
        ] += 1
    if len(plays) % 4:
        suits[plays[len(plays) // 4 * 4][1] >> 4, _LED] = 1


def first_net(rng: np.random.Generator) -> dict[str, Floats]:
    """A net that has learned nothing."""

    def matrix(rows: int, columns: int, spread: float) -> Floats:
        return rng.normal(0, spread, (rows, columns)).astype(np.float32)

    return {
        "suits": matrix(INPUTS, HIDDEN, 0.08),
        "shared": matrix(SHARED, HIDDEN, 0.04),
        "table": matrix(TABLE, HIDDEN, 0.08),
        "bias": matrix(3, max(HIDDEN, 90), 0),
        "second": matrix(HIDDEN, HIDDEN, 0.12),
        "second_shared": matrix(HIDDEN, HIDDEN, 0.03),
        "out": matrix(HIDDEN, 90, 0.02),
        "bids": matrix(1, 1, 0) + 1,
    }


class Layers(NamedTuple):
    """The values of all layers for some positions."""

    suits: Floats
    first: Floats
    second: Floats
    ratings: Floats
    """For each other hand and suit the rating of each rank (in lanes of 16), then that of each length."""


def layers(net: Net, inputs: Inputs) -> Layers:
    """The values of all layers."""
    bias = net["bias"]
    suits = np.unpackbits(inputs.suits, axis=-1, count=INPUTS, bitorder="little").astype(np.float32)
    common = inputs.shared @ net["shared"] + inputs.table @ net["table"] + bias[0, :HIDDEN]
    first = np.maximum(suits @ net["suits"] + common[:, None], 0)
    every = (first.sum(1) @ net["second_shared"])[:, None]
    second = np.maximum(first @ net["second"] + every + bias[1, :HIDDEN], 0)
    out = second @ net["out"] + bias[2]
    parts = out[..., :48].reshape(-1, 4, 3, 16), out[..., 48:].reshape(-1, 4, 3, 14)
    ratings = [part.transpose(0, 2, 1, 3).reshape(len(out), -1) for part in parts]
    return Layers(suits, first, second, np.concatenate(ratings, 1))


_LENGTH_ROWS = np.eye(14, dtype=np.float32)


def deal_rows(hands: NDArray[np.uint64]) -> Floats:
    """Sum of the ratings for each deal."""
    many = hands.shape[:2]
    bits = np.unpackbits(
        np.ascontiguousarray(hands).view(np.uint8).reshape(*many, 24), axis=-1, bitorder="little"
    )
    lengths = _LENGTH_ROWS[bits.reshape(*many, 12, 16).sum(-1)]
    return np.concatenate([bits.astype(np.float32), lengths.reshape(*many, LENGTHS)], 2)


def log_odds(net: Net, inputs: Inputs, hands: NDArray[np.uint64]) -> Floats:
    """How much likelier each deal is than others, as a logarithm."""
    rows = [slice(at, at + 32) for at in range(0, len(hands), 32)]
    parts = [np.matmul(deal_rows(hands[r]), layers(net, inputs.at(r)).ratings[:, :, None]) for r in rows]
    return np.concatenate(parts)[..., 0]


def slopes(net: Net, inputs: Inputs, deals: NDArray[Any]) -> tuple[float, dict[str, Floats]]:
    """Mean loss (nats by which the true deal is not believed, of these), and its slopes by weight."""
    values, rows = layers(net, inputs), deal_rows(deals["hands"])
    odds = np.matmul(rows, values.ratings[:, :, None])[..., 0] + net["bids"][0, 0] * deals["bids"]
    share = np.exp(odds - odds.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    loss = -float(np.log(share[:, 0] + 1e-30).mean())
    share[:, 0] -= 1
    share /= len(share)
    down = np.matmul(share[:, None], rows)[:, 0]
    parts = down[:, :CARDS].reshape(-1, 3, 4, 16), down[:, CARDS:].reshape(-1, 3, 4, 14)
    out = np.concatenate(
        [part.transpose(0, 2, 1, 3).reshape(-1, 4, size) for part, size in zip(parts, (48, 42), strict=True)],
        2,
    )
    second = (out @ net["out"].T) * (values.second > 0)
    every = second.sum(1) @ net["second_shared"].T
    first = (second @ net["second"].T + every[:, None]) * (values.first > 0)
    common = first.sum(1)
    bias = np.zeros_like(net["bias"])
    bias[0, :HIDDEN], bias[1, :HIDDEN], bias[2] = common.sum(0), second.sum((0, 1)), out.sum((0, 1))

    def product(left: Floats, right: Floats) -> Floats:
        return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])

    return loss, {
        "suits": product(values.suits, first),
        "shared": inputs.shared.astype(np.float32).T @ common,
        "table": inputs.table.astype(np.float32).T @ common,
        "bias": bias,
        "second": product(values.first, second),
        "second_shared": values.first.sum(1).T @ second.sum(1),
        "out": product(values.second, out),
        "bids": np.array([[(share * deals["bids"]).sum()]], np.float32),
    }


BATCH, RATE, DECAY, PASSES, BESIDE = 256, 2e-3, 1e-4, 4, 16


def fit(inputs: Inputs, deals: NDArray[Any], seed: int) -> Net:
    """Fit a net by gradient descent: the true deal is to be told from drawn ones."""
    rng = np.random.default_rng(seed)
    net = first_net(rng)
    mean, spread = ({name: np.zeros_like(half) for name, half in net.items()} for _ in range(2))
    steps = PASSES * (len(deals) // BATCH)
    order = rng.permutation(len(deals))
    for at in range(1, steps + 1):
        if at * BATCH % len(deals) < BATCH:
            order = rng.permutation(len(deals))
        start = at * BATCH % (len(deals) - BATCH)
        rows = np.sort(order[start : start + BATCH])
        _, slope = slopes(net, inputs.at(rows), deals[rows])
        rate = np.float32(RATE * (1 - at / steps))
        for name, down in slope.items():
            mean[name] = 0.9 * mean[name] + 0.1 * down
            spread[name] = 0.999 * spread[name] + 0.001 * down**2
            step = mean[name] / (1 - 0.9**at) / (np.sqrt(spread[name] / (1 - 0.999**at)) + 1e-8)
            net[name] -= (rate * (step + DECAY * net[name] * (name not in ("bias", "bids")))).astype(
                np.float32
            )
    return net


def fit_both(file: Path, hands: int, seed: int = 100) -> None:
    """Fit the nets of ramis and of nolos, and write them."""
    positions, known = choices(self_play(hands, seed), 1, Random(seed))
    inputs, deals = net_inputs(known), imagined_deals(positions, BESIDE, seed + 7)
    both = {}
    for low in (0, 1):
        rows = np.flatnonzero(positions["low"] == low)
        net = fit(inputs.at(rows), deals[rows], seed)
        both |= {f"{name}{low}": half for name, half in net.items()}
    np.savez(file, **both)  # type: ignore[arg-type]


@cache
def nets_in(file: Path) -> tuple[Net, Net]:
    """The nets of ramis and of nolos."""
    with np.load(file) as both:
        rami, nolo = ({name[:-1]: both[name] for name in both if name[-1] == low} for low in "01")
    return rami, nolo


# -------------------------------------------------------------------------------------------- figures


def _log_mean(values: Floats) -> Floats:
    most = values.max(1, keepdims=True)
    return np.log(np.exp(values - most).mean(1)) + most[:, 0]


def _shares(values: Floats) -> Floats:
    odds = np.exp(values - values.max(-1, keepdims=True))
    return odds / odds.sum(-1, keepdims=True)


def _by_net(file: Path, positions: NDArray[Any], inputs: Inputs, deals: NDArray[Any]) -> Floats:
    """The logarithm of the odds of each deal by the nets."""
    by_net = np.zeros(deals.shape, np.float32)
    for low, net in enumerate(nets_in(file)):
        rows = np.flatnonzero(positions["low"] == low)
        if len(rows):
            by_net[rows] = log_odds(net, inputs.at(rows), deals["hands"][rows])
    return by_net


def _today(deals: NDArray[Any]) -> Floats:
    """The logarithm of the weights of searching players."""
    weights: Floats = deals["bids"] - searcher.STRANGE_LEARNED * deals["shortfall"]
    return weights


def print_nats(file: Path, hands: int, seed: int = 5210000) -> None:
    """Print by how many nats the true deal is likelier than drawn ones, by trick, and the calibration."""
    rng = Random(1)
    samples = {
        "expert": choices(expert_hands(hands, seed), 24, rng),
        "nets": choices(self_play(3000, 200), 1, rng),
    }
    for among, (positions, known) in samples.items():
        deals, inputs = imagined_deals(positions, 400, 5), net_inputs(known)
        net, today = _by_net(file, positions, inputs, deals), _today(deals)
        beliefs = {
            "today": today,
            "net alone": net,
            "net and today": TEMPER * net + today,
            "light": _light(net, deals),
        }
        trick = positions["cut"] // 4
        for low, contract in enumerate(("rami", "nolo")):
            for name, odds in beliefs.items():
                nats = odds[:, 0] - _log_mean(odds[:, 1:])
                left = 1 / (_shares(odds[:, 1:]) ** 2).sum(1) / 400
                rows = positions["low"] == low
                tricks = [nats[rows & (trick // 3 == part)].mean() for part in range(4)]
                print(
                    f"{among:6} {contract} {name:14} {nats[rows].mean():.2f} nats; by three tricks",
                    " ".join(f"{part:.2f}" for part in tricks),
                    f"; {left[rows].mean():.2f} of the deals left ({rows.sum()} positions)",
                )
        for name, odds in {"even": 0 * today, **beliefs}.items():
            _print_calibration(f"{among:6} {name}", odds, deals)


def _light(net: Floats, deals: NDArray[Any]) -> Floats:
    """Deals drawn by the net and weighed by half of today's weights."""
    light: Floats = TEMPER * net + _today(deals) / 2
    return light


def _print_calibration(name: str, odds: Floats, deals: NDArray[Any]) -> None:
    """Print for each tenth of belief the share in which a card lay there, and the mean square error."""
    bits = deal_rows(deals["hands"])[..., :CARDS].reshape(*deals.shape, 3, 64)
    share = np.einsum("pd,pdsc->psc", _shares(odds[:, 1:]), bits[:, 1:])
    open_cards = (share > 1e-6) & (share < 1 - 1e-6)
    believed, true = share[open_cards], bits[:, 0][open_cards]
    tenth = (10 * believed).astype(int)
    shares = [f"{believed[tenth == at].mean():.2f}: {true[tenth == at].mean():.2f}" for at in range(10)]
    print(f"{name}: square error {((believed - true) ** 2).mean():.4f};", ", ".join(shares))


PLAYED, DRAWN, JUDGED, JUDGES = 600, 15_000, 5000, 600
"""Deals in which the cards are tried; from which they are drawn; the same to judge the choices."""


def print_gain(file: Path, count: int, seed: int) -> None:
    """Print points a choice by several beliefs, as judged by deals as likely as they are.

    Positions are from self-play by nets, whose habits are known exactly, so that ``exact`` believes what can
    be believed. Cards are played out in as many deals by each belief: drawn evenly and weighed, as `expert`
    does, or drawn by what is believed.
    """
    rng = np.random.default_rng(seed)
    positions, known = choices(self_play(2 * count, seed), 1, Random(seed))
    gained: dict[str, list[float]] = {}
    for row in np.flatnonzero(positions["cut"] < 40)[:count]:
        position, heard = positions[row : row + 1], known[row]
        deals = imagined_deals(position, DRAWN + JUDGED, seed + int(row))
        net, today = _by_net(file, position, net_inputs([heard]), deals)[0], _today(deals)[0]
        even, both, exact = 0 * today, TEMPER * net + today, deals["exact"][0]
        first, pool = np.arange(1, PLAYED + 1), slice(1, DRAWN + 1)
        ways = {
            "today, weighed": (first, today),
            "today, twice as many": (np.arange(1, 2 * PLAYED + 1), today),
            "net and today, weighed": (first, both),
            "exact, weighed": (first, exact),
            "net, drawn, light": (1 + _drawn(TEMPER * net[pool], PLAYED, rng), today / 2),
            "even": (first, even),
            "today, drawn": (1 + _drawn(today[pool], PLAYED, rng), even),
            "net and today, drawn": (1 + _drawn(both[pool], PLAYED, rng), even),
            "exact, drawn": (1 + _drawn(exact[pool], PLAYED, rng), even),
        }
        judges = 1 + DRAWN + _drawn(exact[DRAWN + 1 :], JUDGES, rng)
        needed = np.unique(np.concatenate([judges, *(drawn for drawn, _ in ways.values())]))
        points = _points(position[0], heard, deals["hands"][0][needed])
        worth = points[:, np.searchsorted(needed, judges)].mean(1)
        for name, (drawn, odds) in ways.items():
            best = (points[:, np.searchsorted(needed, drawn)] @ _shares(odds[drawn])).argmax()
            gained.setdefault(name, []).append(float(worth[best]))
    for name, values in gained.items():
        usual = gained["today, weighed"]
        mean, low, high = interval([one - other for one, other in zip(values, usual, strict=True)])
        print(f"{name:23} {mean:+.3f} points a choice ({low:+.3f} … {high:+.3f}; {len(values)} choices)")


def _drawn(odds: Floats, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Deals drawn from these, each as often as it is likely."""
    marks = (rng.random() + np.arange(count)) / count
    return np.minimum(np.searchsorted(np.cumsum(_shares(odds)), marks), len(odds) - 1)


def _points(position: Any, heard: Heard, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The points of the side to play after each card in each deal, all playing on by nets."""
    low = bool(position["low"])
    bidder = None if low else int(position["bidder"])
    played = tuple([Card(card) for _, card in heard.plays])
    table = WhistTable("low" if low else "high", bidder, None, None, int(position["leader"]), played)
    worlds = []
    for others in hands.tolist():
        held = [heard.hand] * 4
        for step, cards in enumerate(others, 1):
            held[(heard.seat + step) % 4] = cards
        worlds.append((held, 0))
    gained = play_out(table, worlds, cards_of(heard.legal), heard.seat, policy.packed_weights()).gained
    worth = []
    for taken in range(TRICKS + 1):
        north, east = score(
            find("tuppi")[1], table.kind, None if bidder is None else bidder % 2, (taken, TRICKS - taken)
        )  # type: ignore[arg-type]
        worth.append((north - east) * (1 - 2 * (heard.seat % 2)))
    return np.array(worth, float)[np.array(gained)]


# ------------------------------------------------------------------------------------------ at the table


class BelievingPlayer:
    """`expert` with deals drawn by the net, and weighed by half of its own weights."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._expert = find_player("expert")

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The choice of `expert` with these beliefs."""
        drawn = False

        def sample_worlds(view: View, count: int, rng: Random) -> list[World]:
            nonlocal drawn
            drawn = True
            return _drawn_worlds(view, self._file, count, rng.getrandbits(64))

        def world_weights(
            view: View, worlds: Sequence[World], ways: Sequence[float], surprise: Sequence[float], _: bool
        ) -> Sequence[float]:
            fits = searcher._fits(view, True)
            bids = [prod([fit(world.dealt[seat]) for seat, fit in fits.items()]) for world in worlds]
            if drawn:
                return [exp(-0.2 * less) * sqrt(bid) for less, bid in zip(surprise, bids, strict=True)]
            hands = np.array([[_others(view.seat or 0, world.hands) for world in worlds]], np.uint64)
            odds = np.exp(TEMPER * log_odds(*_net_of(view, self._file), hands)[0])
            usual = [way * exp(-0.4 * less) for way, less in zip(ways, surprise, strict=True)]
            return [float(one) * way * bid for one, way, bid in zip(odds, usual, bids, strict=True)]

        if not policy.is_covered(view):
            return self._expert.choose(view, budget, seed)
        with patch.multiple(searcher, sample_worlds=sample_worlds, world_weights=world_weights):
            return self._expert.choose(view, budget, seed)


def _others(seat: int, hands: Sequence[CardSet]) -> list[CardSet]:
    return [hands[(seat + step) % 4] for step in (1, 2, 3)]


def _net_of(view: View, file: Path) -> tuple[Net, Inputs]:
    return nets_in(file)[Facts.of(view.facts).kind == "low"], net_inputs([heard_in(view)])


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(_program("-shared", "-fPIC"))


def _drawn_worlds(view: View, file: Path, count: int, seed: int) -> list[World]:
    """Worlds drawn by the net."""
    net, inputs = _net_of(view, file)
    heard = heard_in(view)
    out = np.zeros((count, 3), np.uint64)
    rated = TEMPER * layers(net, inputs).ratings[0]
    by_suit = rated[:CARDS].reshape(12, 16), rated[CARDS:].reshape(12, 14)
    ratings = np.concatenate(by_suit, 1).astype(np.float64)
    voids = [0, 0, 0, 0]
    for at, (seat, card) in enumerate(heard.plays):
        led = heard.plays[at // 4 * 4][1] >> 4
        voids[seat] |= (card >> 4 != led) << led
    held = np.array(view.counts, np.int32)
    played = np.array(played_by(view), np.uint64)
    _library().draw(
        ctypes.c_uint64(heard.hand),
        ctypes.c_int(heard.seat),
        played.ctypes,
        held.ctypes,
        np.array(heard.shown, np.int8).ctypes,
        np.array(voids, np.int32).ctypes,
        ratings.ctypes,
        ctypes.c_size_t(POOL * count),
        ctypes.c_size_t(count),
        ctypes.c_uint64(seed),
        out.ctypes,
    )
    worlds = []
    for others in out.tolist():
        hands = [heard.hand] * 4
        for step, cards in enumerate(others, 1):
            hands[(heard.seat + step) % 4] = cards
        worlds.append(
            World(
                tuple(hands), tuple(cards | gone for cards, gone in zip(hands, played_by(view), strict=True))
            )
        )
    return worlds


def player() -> BelievingPlayer:
    """The player for the arena; NOUSU_NET names the file of the net."""
    return BelievingPlayer(Path(os.environ["NOUSU_NET"]))


def main(words: Sequence[str]) -> None:
    """Fit the nets, or print figures of them."""
    what, file, count, *seed = words
    work = {"fit": fit_both, "nats": print_nats, "gain": print_gain}[what]
    work(Path(file), int(count), *map(int, seed))


if __name__ == "__main__":
    main(sys.argv[1:])
