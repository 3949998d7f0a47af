"""Drawing by a public seed: the same seed and the same list always give the same draw.

This file needs only Python and can be given to anybody who wants to check a draw:

    python draw.py "the seed" names.txt [label]

`names.txt` holds the names as they were entered, one per line. It prints the number of each.

The draw: the key is SHA-256 over ``nousu draw 1``, label, seed and names, separated by line ends.
The blocks HMAC-SHA-256(key, 0), HMAC-SHA-256(key, 1) … (counters of 8 bytes) are cut into numbers of
8 bytes, all big-endian. A number below n is taken modulo n after throwing away those at or above the
largest multiple of n, so that all orders are equally likely. The names are shuffled from the last place
down to the second, each place swapping with one drawn from itself and all before it (Fisher and Yates).
"""

import hashlib
import hmac
import sys
from collections.abc import Iterator, Sequence

LABEL = "numbers"
"""The label of the default draw: numbers for people. Lots and brackets have labels of their own."""


def draw(seed: str, names: Sequence[str], label: str = LABEL) -> tuple[int, ...]:
    """Positions in `names` (from 0) in the order drawn: the first one gets number 1."""
    text = "\n".join(["nousu draw 1", label, seed, *names])
    numbers = _numbers(hashlib.sha256(text.encode()).digest())
    order = list(range(len(names)))
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _numbers(key: bytes) -> Iterator[int]:
    """Endless numbers below 2**64."""
    counter = 0
    while True:
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(block[at : at + 8], "big")
        counter += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A uniform number below `bound`."""
    limit = 2**64 - 2**64 % bound
    return next(number for number in numbers if number < limit) % bound


def main() -> None:
    """Print a draw: seed, file of names and label come from the command line."""
    seed, path, *rest = sys.argv[1:]
    with open(path, encoding="utf-8-sig") as file:
        names = file.read().splitlines()
    for number, position in enumerate(draw(seed, names, *rest), 1):
        print(f"{number}\t{names[position]}")


if __name__ == "__main__":
    main()
