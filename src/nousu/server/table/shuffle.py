"""Shuffles that can be verified afterwards.

Theory of operation
-------------------
A match has one **secret** of 256 random bits. Its SHA-256, the **commitment**, is public before the first
card; the secret is published when the match is over. Persons add **shares**, a few dozen hexadecimal digits
from their own devices: first each promises one by its SHA-256, the **pledge**; only when all pledges are in
are the shares opened; and only then are cards shuffled. So nobody knows the others' shares when choosing
their own, not even a holder of the secret who sits at the table as well. (Computer players are the server's
own; shares of theirs would follow from the secret, so they give none, and a stand-in changes nothing about
the share of the person it plays for.) A share that is not opened in time is replaced by its pledge, which was
fixed before any share was open, and the record names it. The only way left to influence the cards is not to
open a share: one other set of deals for each share withheld, and it shows.

All shares are given before the draw and go into every shuffle. None can come later: a person who alone adds
one, knowing the secret and the other shares, could choose the cards with it.

Shuffle number *n* of a match (0 draws seats and first dealer, then one a deal) uses

    key     = HMAC-SHA-256(secret, "nousu shuffle 2" and every share that was promised, one a line as in
                           the record, sorted by place)
    block i = HMAC-SHA-256(key, n and i as four bytes each, the most significant first)

The blocks end to end are read as 32-bit numbers, most significant byte first. A number below *k* is drawn by
taking the next one, skipping those not below the largest multiple of *k*, modulo *k*. The pack begins in its
natural order (spades, hearts, diamonds, clubs, each from the lowest rank of the pack) and is shuffled from
its end: for *i* from the last index down to 1 the cards *i* and *j* change places, *j* drawn below *i* + 1.
Where seats were chosen, shuffle 0 draws only the first dealer: its first number below the count of seats; a
rematch goes on with the next dealer and draws nothing. Then the pack is dealt as the rules say. The deal
itself is never committed to: a pack as small as Tuppen's has so few deals that its hash could be searched.

A record carries all of it in remarks: ``# shuffle version 2``, ``# shuffle commitment …``,
``# shuffle secret …`` and one ``# shuffle share PLACE PLEDGE SHARE`` for each share, PLACE being the number
of the person as they came; a share that was never opened says ``unopened`` instead.

Matches begun before there were pledges are of version 1: the key begins with "nousu shuffle 1", and their
lines are ``# shuffle chance N PLACE DIGITS own|drawn``, N being the first shuffle they go into, in the order
in which they came. The last to come could choose.
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
from nousu.server.errors import RequestError
from nousu.server.table.view import OpenShare, ShuffleShare

SECRET_BYTES = 32
DIGITS = frozenset("0123456789abcdef")
VERSION = 2
UNOPENED = "unopened"
_NUMBER = re.compile(r"[0-9]{1,9}")


def new_secret() -> bytes:
    """A new secret of `SECRET_BYTES` bytes, from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def check_pledge(text: str) -> None:
    """Raise `RequestError` for a text that is neither empty nor a pledge."""
    if text and not is_pledge(text):
        raise RequestError("A share of the shuffle is promised by its SHA-256: 64 hexadecimal digits.")


def commitment(secret: bytes) -> str:
    """The commitment to a secret, published beforehand."""
    return hashlib.sha256(secret).hexdigest()


def is_share(text: str) -> bool:
    """Whether a text may be a share of the shuffles: 32 to 64 small hexadecimal digits."""
    return 32 <= len(text) <= 64 and DIGITS.issuperset(text)


def is_pledge(text: str) -> bool:
    """Whether a text may be a pledge: the 64 small hexadecimal digits of a SHA-256."""
    return len(text) == 64 and DIGITS.issuperset(text)


def pledge(share: str) -> str:
    """The pledge of a share, published beforehand."""
    return hashlib.sha256(share.encode()).hexdigest()


def open_share_text(share: OpenShare) -> str:
    """An open share (version 1) as a line of the record and of the shuffle key: ``0 2 4f… own``."""
    return f"{share.shuffle} {share.place} {share.text} {'own' if share.own else 'drawn'}"


def share_text(share: ShuffleShare) -> str:
    """A share as a line of the record and of the shuffle key: ``2 9e… 4f…``."""
    return f"{share.place} {share.pledge} {share.text or UNOPENED}"


class Stream:
    """The random numbers of one shuffle, a `Shuffler` of the engine."""

    def __init__(self, secret: bytes, lines: Iterable[str], shuffle: int, version: int = VERSION) -> None:
        text = "\n".join((f"nousu shuffle {version}", *lines))
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
        """The next number from 0 to `bound` - 1, each equally likely."""
        fair = (1 << 32) - (1 << 32) % bound
        word = self._word()
        while word >= fair:
            word = self._word()
        return word % bound

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle a list in place, every order equally likely (Fisher and Yates)."""
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]


@dataclass(frozen=True, slots=True)
class Shuffles:
    """The sources of all shuffles of one match."""

    secret: bytes
    open_shares: tuple[OpenShare, ...] = ()
    """Open shares of a match of version 1."""
    shares: tuple[ShuffleShare, ...] = ()
    version: int = VERSION

    def stream(self, shuffle: int) -> Stream:
        """The random numbers of the shuffle of that number."""
        return Stream(self.secret, self.lines(shuffle), shuffle, self.version)

    def lines(self, shuffle: int) -> list[str]:
        """The lines that go into a shuffle beside the secret.

        The order of opening does not count: the server could choose it.
        """
        if self.version == 1:
            return [open_share_text(share) for share in self.open_shares if share.shuffle <= shuffle]
        return [share_text(share) for share in sorted(self.shares, key=lambda share: share.place)]

    def pack(self, game: Game) -> tuple[Card, ...]:
        """The pack from which seats and the first dealer are drawn: shuffle 0."""
        pack = list(game.deck)
        self.stream(0).shuffle(pack)
        return tuple(pack)

    def first_dealer(self, seats: int) -> int:
        """The first dealer where seats were chosen: the first number of shuffle 0."""
        return self.stream(0).below(seats)

    def deal(self, dealing: Dealing, shuffle: int) -> Deal:
        """The deal of shuffle number `shuffle`, from 1."""
        return shuffled(dealing, self.stream(shuffle))

    def with_open_share(self, share: OpenShare) -> "Shuffles":
        """Add an open share, which makes the match one of version 1."""
        return replace(self, open_shares=(*self.open_shares, share), version=1)

    def with_pledge(self, share: ShuffleShare) -> "Shuffles":
        """Add a share, still closed."""
        return replace(self, shares=(*self.shares, share))

    def with_share_moved(self, place: int, to: int | None) -> "Shuffles":
        """Move the pledge of a place to another one, or (None) take it back; before any is open."""
        others = tuple(share for share in self.shares if share.place != place)
        if to is None:
            return replace(self, shares=others)
        moved = tuple(replace(share, place=to) for share in self.shares if share.place == place)
        return replace(self, shares=(*others, *moved))

    def with_share_opened(self, place: int, text: str) -> "Shuffles":
        """Open the share of a place; `ValueError` if it was not pledged."""
        for at, share in enumerate(self.shares):
            if (share.place, share.pledge, share.text) == (place, pledge(text), ""):
                shares = (*self.shares[:at], replace(share, text=text), *self.shares[at + 1 :])
                return replace(self, shares=shares)
        raise ValueError("this share was not promised")


def remarks(shuffles: Shuffles, with_secret: bool) -> str:
    """The lines of a record from which its shuffles can be verified, once the secret is in them."""
    lines = [] if shuffles.version == 1 else [f"# shuffle version {shuffles.version}"]
    lines.append(f"# shuffle commitment {commitment(shuffles.secret)}")
    if with_secret:
        lines.append(f"# shuffle secret {shuffles.secret.hex()}")
    word = "chance" if shuffles.version == 1 else "share"
    given = shuffles.lines(1 << 31)
    return "\n".join((*lines, *(f"# shuffle {word} {line}" for line in given))) + "\n"


@dataclass(frozen=True, slots=True)
class ShuffleCheck:
    """The result of verifying the shuffles of a record."""

    shuffles: int
    """Number of shuffles repeated and compared, the draw included."""
    problems: tuple[str, ...]
    """A sentence for each difference; empty: all is well."""
    unopened: tuple[int, ...] = ()
    """The places whose shares were pledged and never opened."""


def verify(text: str, find: Finder) -> ShuffleCheck:
    """Repeat every shuffle of a finished record and compare.

    Args:
        text: The record.
        find: Finds game and rules of a preset.

    Raises:
        BadRecord: The text is no record, or carries no secret.
    """
    commit, shuffles = _read_remarks(text)
    match = read(text, find).match
    if not shuffles.secret:
        last = len(text.splitlines())
        raise BadRecord(
            last, "the record carries no '# shuffle secret': its match is not over, or was not dealt here"
        )
    problems = []
    if commitment(shuffles.secret) != commit:
        problems.append("the secret is not the one that was committed to")
    problems += [
        f"the share of place {share.place} is not the one that was promised"
        for share in shuffles.shares
        if share.text and pledge(share.text) != share.pledge
    ]
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
    unopened = tuple(share.place for share in shuffles.shares if not share.text)
    return ShuffleCheck(compared, tuple(problems), unopened)


def _read_remarks(text: str) -> tuple[str, Shuffles]:
    commit = ""
    shuffles = Shuffles(b"", version=1)
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case ["#", "shuffle", "version", digit]:
                if digit != str(VERSION):
                    raise BadRecord(number, f"shuffles of version {digit[:20]} are not known here")
                shuffles = replace(shuffles, version=VERSION)
            case ["#", "shuffle", "commitment", digits]:
                commit = digits
            case ["#", "shuffle", "secret", digits]:
                if len(digits) != 2 * SECRET_BYTES or not DIGITS.issuperset(digits):
                    raise BadRecord(number, f"a secret has {2 * SECRET_BYTES} hexadecimal digits")
                shuffles = replace(shuffles, secret=bytes.fromhex(digits))
            case ["#", "shuffle", "chance", *words] if shuffles.version == 1:
                shuffles = shuffles.with_open_share(_chance(number, words))
            case ["#", "shuffle", "share", *words] if shuffles.version == VERSION:
                shuffles = shuffles.with_pledge(_share(number, words, shuffles.shares))
            case ["#", "shuffle", *_]:
                raise BadRecord(number, f"{line[:60]!r} says nothing known of a shuffle")
    return commit, shuffles


def _chance(number: int, words: list[str]) -> OpenShare:
    match words:
        case [shuffle, place, digits, "own" | "drawn" as whose]:
            if _NUMBER.fullmatch(shuffle) and _NUMBER.fullmatch(place) and is_share(digits):
                return OpenShare(int(shuffle), int(place), digits, whose == "own")
    raise BadRecord(number, "expected '# shuffle chance NUMBER PLACE DIGITS own'")


def _share(number: int, words: list[str], before: Sequence[ShuffleShare]) -> ShuffleShare:
    match words:
        case [place, promised, digits]:
            is_share_line = _NUMBER.fullmatch(place) and is_pledge(promised)
            if is_share_line and (digits == UNOPENED or is_share(digits)):
                share = ShuffleShare(int(place), promised, "" if digits == UNOPENED else digits)
                if any(other.place >= share.place for other in before):
                    raise BadRecord(number, "shares stand in the order of places, one each")
                return share
    raise BadRecord(number, "expected '# shuffle share PLACE PLEDGE SHARE'")
