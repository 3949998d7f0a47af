"""Small nets that say which card is usually best for somebody who sees only their own.

Every card that may be played is rated by itself. What the seat knows of it is a row of small whole numbers,
some the same for all cards of a choice and some its own; each value of each has a weight for every hidden
unit, and each situation has a net of its own. Nothing but whole numbers is reckoned with, so the compiled
core (``cpp/playouts/nets.h``) rates every card the same, some hundred times as fast. What the nets are told
is said in the ``policy.py`` of a family; `nousu train` makes their weights (`tools.training.nets`).
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
"""So much is one unit of what the nets were fitted to."""
_WIDTH = 100


class Shape(NamedTuple):
    """What the nets of a family are told."""

    shared: Mapping[str, int]
    """What is the same for every card of a choice: how many values it has, the last one for all beyond."""
    own: Mapping[str, int]
    """What is known of one card, likewise."""
    situations: tuple[str, ...]
    """Each has a net of its own."""

    @property
    def inputs(self) -> int:
        """How many values there are of all together."""
        return sum(self.shared.values()) + sum(self.own.values())

    @property
    def starts(self) -> tuple[int, ...]:
        """The number of the first value of each, and of the one after the last."""
        return tuple(accumulate((*self.shared.values(), *self.own.values()), initial=0))


class Known(NamedTuple):
    """A choice as the nets are told of it."""

    situation: int
    cards: tuple[Card, ...]
    shared: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    """For each card."""


class Net(NamedTuple):
    """The net of one situation."""

    weights: tuple[tuple[int, ...], ...]
    """For each input, a weight for each hidden unit."""
    out: tuple[int, ...]
    """What each hidden unit is worth."""


def read(text: str) -> bytes:
    """The weights in a file as the core reads them: numbers of 16 bits, the low byte first; for each
    situation those of every input, then those of the hidden units. ValueError if the text is no such file."""
    try:
        return decompress(b85decode("".join(line for line in text.splitlines() if not line.startswith("# "))))
    except Exception as error:  # zlib has an error of its own
        raise ValueError("these are not the weights of nets") from error


def written(weights: bytes, made_by: str) -> str:
    """The text of the file that holds these weights, with a word on who made them."""
    text = b85encode(compress(weights, 9)).decode("ascii")
    lines = [f"# Made by: {made_by}", *(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=8)
def nets(weights: bytes, inputs: int) -> tuple[Net, ...]:
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


def ratings(shape: Shape, weights: bytes, choice: Known) -> list[int]:
    """How good each card is; only differences mean something, `UNIT` being one."""
    net = nets(weights, shape.inputs)[choice.situation]
    starts, many = shape.starts, len(shape.shared)
    shared = _summed(net, [start + value for start, value in zip(starts[:many], choice.shared, strict=True)])
    found = []
    for own in choice.own:
        mine = _summed(net, [start + value for start, value in zip(starts[many:-1], own, strict=True)])
        found.append(
            sum(worth * max(0, one + other) for worth, one, other in zip(net.out, shared, mine, strict=True))
        )
    return found


def _summed(net: Net, inputs: Sequence[int]) -> list[int]:
    return [sum(column) for column in zip(*(net.weights[one] for one in inputs), strict=True)]


def best(shape: Shape, weights: bytes, choice: Known) -> Card:
    """The card that is rated highest, the first in reading order of equals."""
    rated = ratings(shape, weights, choice)
    return min(zip(choice.cards, rated, strict=True), key=lambda one: (-one[1], one[0]))[0]


def behind(shape: Shape, weights: bytes, choice: Known, most: float) -> list[float]:
    """For each card, by how many units it is rated below the best; at most `most`."""
    rated = ratings(shape, weights, choice)
    return [min(most, (max(rated) - one) / UNIT) for one in rated]


def clipped(value: int, most: int) -> int:
    """`value`, at least 0 and at most `most`."""
    return 0 if value < 0 else most if value > most else value


def masters(held: int, unseen: int) -> int:
    """How many held ranks no unseen one beats."""
    return (held >> unseen.bit_length()).bit_count()
