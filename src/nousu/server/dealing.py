"""Shuffles that can be checked afterwards.

Theory of operation
-------------------
A match has one **secret** of 256 random bits. Its SHA-256, the **commitment**, is public before the first
card; the secret is published when the match is over. Each person adds a **chance**, a few dozen hexadecimal
digits, after the commitment is fixed, so neither side can choose its part to fit the other's. (Computer
players are the server's own; a chance of theirs would prove nothing, so they add none.)

Shuffle number *n* of a match (0 draws seats and first dealer, then one a deal) uses

    key     = HMAC-SHA-256(secret, "nousu shuffle 1" and every chance given before it, one a line
                           as in the record)
    block i = HMAC-SHA-256(key, n and i as four bytes each, the most significant first)

The blocks end to end are read as 32-bit numbers, most significant byte first. A number below *k* is drawn by
taking the next one, skipping those not below the largest multiple of *k*, modulo *k*. The pack begins in its
natural order (spades, hearts, diamonds, clubs, each from the lowest rank of the pack) and is shuffled from
its end: for *i* from the last index down to 1 the cards *i* and *j* change places, *j* drawn below *i* + 1.
It is then dealt as the rules say. The deal itself is never committed to: a pack as small as Tuppen's has so
few deals that its hash could be searched.

A record carries all of it in remarks: ``# shuffle commitment …``, ``# shuffle secret …`` and one
``# shuffle chance N PLACE DIGITS own|drawn`` for each chance, N being the first shuffle it goes into.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nousu.engine.actions import Deal
from nousu.engine.cards import Card
from nousu.engine.errors import BadRecord
from nousu.engine.game import Dealing, Game
from nousu.engine.match import Match, shuffled
from nousu.engine.record import Finder, read
from nousu.engine.seats import CHANCE
from nousu.server.seen import ChanceSeen

SECRET_BYTES = 32
DIGITS = frozenset("0123456789abcdef")
_NUMBER = re.compile(r"[0-9]{1,9}")


def new_secret() -> bytes:
    """A secret from the operating system's source of randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published of a secret beforehand."""
    return hashlib.sha256(secret).hexdigest()


def new_chance() -> str:
    """A chance for a person whose device brings none."""
    return secrets.token_hex(16)


def is_chance(text: str) -> bool:
    """Whether a text may be added to the shuffles: 32 to 64 small hexadecimal digits."""
    return 32 <= len(text) <= 64 and DIGITS.issuperset(text)


def chance_text(one: ChanceSeen) -> str:
    """A chance as it stands in the record and goes into the shuffles: ``0 2 4f… own``."""
    return f"{one.shuffle} {one.place} {one.text} {'own' if one.own else 'drawn'}"


class Stream:
    """The random numbers of one shuffle. Serves as the `Shuffler` of the engine."""

    def __init__(self, secret: bytes, chances: Iterable[str], shuffle: int) -> None:
        text = "\n".join(("nousu shuffle 1", *chances))
        self._key = hmac.digest(secret, text.encode(), "sha256")
        self._shuffle = shuffle
        self._block = 0
        self._rest = b""

    def _word(self) -> int:
        if not self._rest:
            at = self._shuffle.to_bytes(4, "big") + self._block.to_bytes(4, "big")
            self._rest = hmac.digest(self._key, at, "sha256")
            self._block += 1
        word, self._rest = self._rest[:4], self._rest[4:]
        return int.from_bytes(word, "big")

    def below(self, bound: int) -> int:
        """The next number from 0 to `bound` - 1, each exactly as likely."""
        fair = (1 << 32) - (1 << 32) % bound
        word = self._word()
        while word >= fair:
            word = self._word()
        return word % bound

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle a list in place, every order as likely (Fisher and Yates)."""
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Where all shuffles of one match come from."""

    secret: bytes
    chances: tuple[ChanceSeen, ...] = ()

    def stream(self, shuffle: int) -> Stream:
        """The numbers of that shuffle, from every chance given before it."""
        given = (chance_text(one) for one in self.chances if one.shuffle <= shuffle)
        return Stream(self.secret, given, shuffle)

    def pack(self, game: Game) -> tuple[Card, ...]:
        """The pack that seats and the first dealer are drawn from: shuffle 0."""
        pack = list(game.deck)
        self.stream(0).shuffle(pack)
        return tuple(pack)

    def deal(self, dealing: Dealing, shuffle: int) -> Deal:
        """The deal of shuffle number `shuffle`, from 1."""
        return shuffled(dealing, self.stream(shuffle))

    def added(self, one: ChanceSeen) -> "Shuffles":
        """With one more chance."""
        return replace(self, chances=(*self.chances, one))


def remarks(commitment: str, secret: str | None, chances: Sequence[ChanceSeen]) -> str:
    """The lines of a record from which its shuffles can be checked (once the secret is in them)."""
    lines = [f"# shuffle commitment {commitment}"]
    if secret is not None:
        lines.append(f"# shuffle secret {secret}")
    lines += [f"# shuffle chance {chance_text(one)}" for one in chances]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking the shuffles of a record found."""

    shuffles: int
    """How many shuffles were made again and compared, the draw included."""
    problems: tuple[str, ...]
    """A sentence for each thing that is not as it should be; empty: all is well."""


def verify(text: str, find: Finder) -> Verdict:
    """Make every shuffle of a finished record again and compare. `BadRecord` where it is no record, or
    carries no secret."""
    commit, shuffles = _read_remarks(text)
    record = read(text, find)
    match = record.match
    problems = []
    if commitment(shuffles.secret) != commit:
        problems.append("the secret is not the one that was committed to")
    compared = 0
    if match.drawn:
        compared += 1
        if shuffles.pack(match.game)[: len(match.drawn)] != match.drawn:
            problems.append("the cards drawn for seats and dealer are not those of shuffle 0")
    again = Match.start(match.game, match.rules, match.seats, match.dealer)
    number = 0
    hands = [played.hand for played in match.played]
    if match.hand.log and match.winner is None:
        hands.append(match.hand)
    for hand in hands:
        for seat, action in hand.log:
            if seat == CHANCE and isinstance(action, Deal):
                number += 1
                compared += 1
                if shuffles.deal(again.hand.dealing(), number) != action:
                    problems.append(f"the deal of hand {hand.setup.number} is not that of shuffle {number}")
            again = again.apply(seat, action)
    return Verdict(compared, tuple(problems))


def _read_remarks(text: str) -> tuple[str, Shuffles]:
    commit = ""
    secret = b""
    chances = []
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case ["#", "shuffle", "commitment", digits]:
                commit = digits
            case ["#", "shuffle", "secret", digits]:
                if len(digits) != 2 * SECRET_BYTES or not DIGITS.issuperset(digits):
                    raise BadRecord(number, f"a secret has {2 * SECRET_BYTES} hexadecimal digits")
                secret = bytes.fromhex(digits)
            case ["#", "shuffle", "chance", shuffle, place, digits, "own" | "drawn" as whose]:
                if not (_NUMBER.fullmatch(shuffle) and _NUMBER.fullmatch(place) and is_chance(digits)):
                    raise BadRecord(number, "expected '# shuffle chance NUMBER PLACE DIGITS own'")
                chances.append(ChanceSeen(int(shuffle), int(place), digits, whose == "own"))
            case ["#", "shuffle", *_]:
                raise BadRecord(number, f"{line[:60]!r} says nothing known of a shuffle")
    if not secret:
        last = text.count("\n") + 1
        raise BadRecord(
            last, "the record carries no '# shuffle secret': its match is not over, or was not dealt here"
        )
    return commit, Shuffles(secret, tuple(chances))
