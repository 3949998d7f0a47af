"""Checks the shuffles of a finished match with nothing but Python's standard library.

    python verify.py match.nousu

Nothing of Nousu is imported: this is its own telling of the method, which the docstring of
``nousu.server.table.shuffle`` describes. It knows packs and how cards are dealt round, not the games; what was
played with the cards is `nousu verify`'s business.
"""

import hashlib
import hmac
import re
import sys

RANKS = {"A": 14, "K": 13, "Q": 12, "J": 11, "T": 10, "10": 10} | {str(n): n for n in range(2, 10)}
HEX = re.compile(r"[0-9a-f]+")
KNOWN = re.compile(r"(#|(nousu|game|seats|draw|places|dealer|hand|deal|score|director|[NESW]|P\d+) )")


def pack_of(lowest):
    """A pack in its natural order: spades, hearts, diamonds, clubs, each from the lowest rank."""
    return [(suit, rank) for suit in "SHDC" for rank in range(lowest, 15)]


PACKS = {len(pack_of(lowest)): pack_of(lowest) for lowest in (2, 6, 7)}


def card(word):
    """``H10`` or ``HT``."""
    return word[0], RANKS[word[1:]]


class Remarks:
    """What a record says of its shuffles."""

    def __init__(self, text):
        lines = [line.split() for line in text.splitlines() if line.startswith("# shuffle ")]
        self.version = "1"
        self.commitment = self.secret = ""
        self.given = []
        for _, _, word, *rest in lines:  # a remark of another kind is somebody's note
            if word in ("version", "commitment", "secret") and len(rest) == 1:
                setattr(self, word, rest[0])
            elif word == ("share" if self.version == "2" else "chance"):
                self.given.append(rest)
            else:
                raise ValueError(f"{word!r} says nothing known of a shuffle")
        if self.version not in ("1", "2"):
            raise ValueError("shuffles of another version")
        if not HEX.fullmatch(self.secret) or len(self.secret) != 64:
            raise ValueError("there is no secret of 64 digits")

    def problems(self):
        """What is wrong with the secret and the shares themselves."""
        if hashlib.sha256(bytes.fromhex(self.secret)).hexdigest() != self.commitment:
            yield "the secret is not the one that was committed to"
        if self.version == "2":
            for place, pledge, share in self.given:
                if share != "unopened" and hashlib.sha256(share.encode()).hexdigest() != pledge:
                    yield f"the share of place {place} is not the one that was promised"

    def shuffled(self, pack, number):
        """The pack of shuffle `number`."""
        given = [rest for rest in self.given if self.version == "2" or int(rest[0]) <= number]
        text = "\n".join([f"nousu shuffle {self.version}", *(" ".join(rest) for rest in given)])
        key = hmac.digest(bytes.fromhex(self.secret), text.encode(), "sha256")
        words = self._words(key, number)
        pack = list(pack)
        for i in range(len(pack) - 1, 0, -1):
            word = next(words)
            while word >= 2**32 // (i + 1) * (i + 1):
                word = next(words)
            j = word % (i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        return pack

    @staticmethod
    def _words(key, number):
        block = 0
        while True:
            at = number.to_bytes(4, "big") + block.to_bytes(4, "big")
            found = hmac.digest(key, at, "sha256")
            yield from (int.from_bytes(found[n : n + 4], "big") for n in range(0, 32, 4))
            block += 1


def parsed_deal(line):
    """The hands of a deal, seat by seat from the first, and the stock in its order."""
    seats, hands, stock = [], [], []
    for part in line.removeprefix("deal ").split(" / "):
        words = part.split()
        if words[0] == "stock":
            stock = [card(word) for word in words[1:]]
        else:
            suits = (word.split(":") for word in words[1:] if word != "-")  # a hand of nobody in the hand
            seats.append(words[0])
            hands.append({(suit, RANKS[rank]) for suit, ranks in suits for rank in ranks})
    if seats != (list("NESW") if len(seats) == 4 else [f"P{n + 1}" for n in range(len(seats))]):
        raise ValueError("the seats of a deal stand in their order")
    return hands, stock


def dealt(pack, sizes, start, batch):
    """Hands dealt round clockwise, so many cards at a time; and what is left."""
    hands = [[] for _ in sizes]
    at, seat = 0, start
    while any(len(hand) < size for hand, size in zip(hands, sizes, strict=True)):
        take = min(batch, sizes[seat] - len(hands[seat]))
        hands[seat] += pack[at : at + take]
        at += take
        seat = (seat + 1) % len(sizes)
    return [set(hand) for hand in hands], pack[at:]


def problems(text):
    """Sentences on everything that is wrong; `ValueError` (or `KeyError`) where it cannot be read."""
    remarks = Remarks(text)
    yield from remarks.problems()
    lines = [line.strip() for line in text.splitlines()]
    for line in lines:
        if line and not KNOWN.match(line):
            raise ValueError(f"{line[:40]!r} is no line of a record")
    number, whole = 0, None
    for line in lines:
        if line.startswith("deal "):
            number += 1
            hands, stock = parsed_deal(line)
            whole = PACKS[sum(map(len, hands)) + len(stock)]
            pack = remarks.shuffled(whole, number)
            sizes = [len(hand) for hand in hands]
            ways = ((start, batch) for start in range(len(sizes)) for batch in range(1, 9))
            if not any(dealt(pack, sizes, *way) == (hands, stock) for way in ways):
                yield f"deal {number} is not that of shuffle {number}"
    if not number:
        raise ValueError("there is no deal")
    for line in lines:
        if line.startswith("draw "):
            drawn = [card(word) for word in line.split()[1:]]
            if remarks.shuffled(whole, 0)[: len(drawn)] != drawn:
                yield "the cards drawn for seats and dealer are not those of shuffle 0"


def main(path):
    """Print what is wrong, or that nothing is; the exit code says the same."""
    with open(path, encoding="utf-8") as file:
        found = list(problems(file.read()))
    print("\n".join(found) or "every card is where the secret puts it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
