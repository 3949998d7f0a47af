"""Small nets that rate cards by the knowledge of the seat to play.

Every card that may be played is rated by itself. The features are a row of small whole numbers, some the same
for all cards of a choice and some of one card; each value of each feature has a weight for every hidden unit,
and each situation has a net of its own. All arithmetic is in whole numbers, so the compiled core
(``cpp/playouts/nets.h``) rates every card the same, some hundred times as fast. ``policy.py`` of a family
lists its features; `tools.training` makes the weights.
"""

from base64 import b85decode, b85encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple
from zlib import compress, decompress

from nousu.engine.cards import Card

HIDDEN = 32
"""Hidden units of each net."""
UNIT = 65536
"""One unit of the fitted target, as a rating."""
_WIDTH = 100


class NetShape(NamedTuple):
    """The features of the nets of a family."""

    shared: Mapping[str, int]
    """Features of a choice, with their numbers of values, the last of which stands for all beyond."""
    own: Mapping[str, int]
    """Features of one card, likewise."""
    situations: tuple[str, ...]
    """Each has a net of its own."""

    @property
    def inputs(self) -> int:
        """The number of values of all features together."""
        return sum(self.shared.values()) + sum(self.own.values())

    @property
    def starts(self) -> tuple[int, ...]:
        """The number of the first value of each feature, and of the one after the last."""
        return tuple(accumulate((*self.shared.values(), *self.own.values()), initial=0))


class NetChoice(NamedTuple):
    """A choice as the nets see it."""

    situation: int
    cards: tuple[Card, ...]
    shared: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    """Features of each card."""


class Net(NamedTuple):
    """The net of one situation."""

    weights: tuple[tuple[int, ...], ...]
    """Weights of each input, one for each hidden unit."""
    out: tuple[int, ...]
    """The weight of each hidden unit in the rating."""


def decode_weights(text: str) -> bytes:
    """Decode the weights in a file for the core; ValueError if the text is no such file.

    Numbers of 16 bits, the low byte first; for each situation those of every input, then those of the hidden
    units.
    """
    try:
        return decompress(b85decode("".join(line for line in text.splitlines() if not line.startswith("# "))))
    except Exception as error:  # zlib has an error of its own
        raise ValueError("these are not the weights of nets") from error


def made_by(text: str) -> list[str]:
    """The lines of such a file that tell which commands made its weights."""
    return [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]


def encode_weights(weights: bytes, commands: Sequence[str]) -> str:
    """The text of the file that holds these weights, with lines that tell which commands made them."""
    text = b85encode(compress(weights, 9)).decode("ascii")
    lines = [
        *(f"# {command}" for command in commands),
        *(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)),
    ]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=8)
def unpack_nets(weights: bytes, inputs: int) -> tuple[Net, ...]:
    """The nets of all situations."""
    size = 2 * HIDDEN
    rows = [
        tuple(
            int.from_bytes(weights[at : at + 2], "little", signed=True)
            for at in range(start, start + size, 2)
        )
        for start in range(0, len(weights), size)
    ]
    return tuple(
        Net(tuple(rows[at : at + inputs]), rows[at + inputs]) for at in range(0, len(rows), inputs + 1)
    )


def ratings(shape: NetShape, weights: bytes, choice: NetChoice) -> list[int]:
    """The rating of each card; only differences mean something, `UNIT` being one."""
    net = unpack_nets(weights, shape.inputs)[choice.situation]
    starts, many = shape.starts, len(shape.shared)
    shared = _summed(net, [start + value for start, value in zip(starts[:many], choice.shared, strict=True)])
    rated = []
    for own in choice.own:
        card_units = _summed(net, [start + value for start, value in zip(starts[many:-1], own, strict=True)])
        rated.append(
            sum(
                worth * max(0, of_choice + of_card)
                for worth, of_choice, of_card in zip(net.out, shared, card_units, strict=True)
            )
        )
    return rated


def _summed(net: Net, inputs: Sequence[int]) -> list[int]:
    return [sum(column) for column in zip(*(net.weights[number] for number in inputs), strict=True)]


def best_card(shape: NetShape, weights: bytes, choice: NetChoice) -> Card:
    """The card that is rated highest, the first in reading order of equals."""
    rated = ratings(shape, weights, choice)
    return min(zip(choice.cards, rated, strict=True), key=lambda pair: (-pair[1], pair[0]))[0]


def shortfalls(shape: NetShape, weights: bytes, choice: NetChoice, most: float) -> list[float]:
    """Shortfall of each card: units by which it is rated below the best, at most `most`."""
    rated = ratings(shape, weights, choice)
    return [min(most, (max(rated) - rating) / UNIT) for rating in rated]


def clip(value: int, most: int) -> int:
    """`value`, at least 0 and at most `most`."""
    return 0 if value < 0 else most if value > most else value


def count_masters(held: int, unseen: int) -> int:
    """The number of held ranks that no unseen one beats."""
    return (held >> unseen.bit_length()).bit_count()
