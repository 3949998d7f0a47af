"""Shuffles: exact, uniform, and checkable by anybody afterwards."""

import hashlib
import hmac
import random
from collections import Counter
from collections.abc import Callable

import pytest

from nousu.engine.cards import DECK_32, DECK_52, Card
from nousu.engine.errors import BadRecord
from nousu.engine.match import Match
from nousu.engine.record import Record, write
from nousu.games import find
from nousu.server.table import shuffle as shuffle_module
from nousu.server.table.shuffle import Shuffles, Stream
from nousu.server.table.view import OpenShare, ShuffleShare

SECRET = bytes(range(32))
CHANCES = (OpenShare(0, 0, "ab" * 16, True), OpenShare(2, 1, "cd" * 16, False))
SHARES = (
    ShuffleShare(2, shuffle_module.pledge("ab" * 16), "ab" * 16),
    ShuffleShare(0, shuffle_module.pledge("cd" * 32), "cd" * 32),
    ShuffleShare(3, shuffle_module.pledge("ef" * 16)),
)


def by_the_book(secret: bytes, given: list[str], shuffle: int, pack: list[Card], version: int) -> list[Card]:
    """The description at the top of the module once more, with nothing but the standard library."""
    text = "\n".join([f"nousu shuffle {version}", *given])
    key = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    at, words = 0, []
    for i in range(len(pack) - 1, 0, -1):
        while True:
            if not words:
                block = hmac.new(key, shuffle.to_bytes(4, "big") + at.to_bytes(4, "big"), hashlib.sha256)
                words = [int.from_bytes(block.digest()[n : n + 4], "big") for n in range(0, 32, 4)]
                at += 1
            word = words.pop(0)
            if word < 2**32 // (i + 1) * (i + 1):
                break
        j = word % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def test_shuffle_is_what_its_description_says() -> None:
    one, two = hashlib.sha256(b"ab" * 16).hexdigest(), hashlib.sha256(b"cd" * 32).hexdigest()
    lines = [f"0 {two} " + "cd" * 32, f"2 {one} " + "ab" * 16]
    lines.append("3 " + hashlib.sha256(b"ef" * 16).hexdigest() + " unopened")
    for number in (0, 1, 7, 300):
        pack = list(DECK_52)
        Shuffles(SECRET, shares=SHARES).stream(number).shuffle(pack)
        assert pack == by_the_book(SECRET, lines, number, list(DECK_52), 2)


def test_shuffles_of_the_first_version_are_what_they_were() -> None:
    shuffles = Shuffles(SECRET, CHANCES, version=1)
    first, both = "0 0 " + "ab" * 16 + " own", "2 1 " + "cd" * 16 + " drawn"
    for number, lines in ((0, [first]), (1, [first]), (2, [first, both]), (7, [first, both])):
        pack = list(DECK_52)
        shuffles.stream(number).shuffle(pack)
        assert pack == by_the_book(SECRET, lines, number, list(DECK_52), 1)


def test_shuffles_never_change_between_versions() -> None:
    old, new = list(DECK_32), list(DECK_32)
    Shuffles(SECRET, CHANCES, version=1).stream(2).shuffle(old)
    assert " ".join(map(str, old[:8])) == "HQ CQ H7 C8 C7 CK C9 D8"
    Shuffles(SECRET, shares=SHARES).stream(2).shuffle(new)
    assert " ".join(map(str, new[:8])) == PINNED


PINNED = "H10 HK SJ C9 S7 HA C8 SK"


def chi_square(shuffle: Callable[[list[int], int], None], rounds: int, size: int) -> float:
    """The statistic of card × position over shuffles of a pack of `size`, with the (n − 1)/n correction that
    makes it chi-square with (n − 1)² degrees of freedom (each row and column adds up to `rounds`)."""
    seen: Counter[tuple[int, int]] = Counter()
    for number in range(rounds):
        pack = list(range(size))
        shuffle(pack, number)
        seen.update(enumerate(pack))
    expected = rounds / size
    total = sum((seen[at, card] - expected) ** 2 / expected for at in range(size) for card in range(size))
    return total * (size - 1) / size


def ours(pack: list[int], number: int) -> None:
    Stream(SECRET, (), number).shuffle(pack)


def biased_shuffle(pack: list[int], number: int) -> None:
    """The well-known wrong shuffle: exchange each card with any other one."""
    stream = Stream(SECRET, (), number)
    for i in range(len(pack)):
        j = stream.below(len(pack))
        pack[i], pack[j] = pack[j], pack[i]


def off_by_one(pack: list[int], number: int) -> None:
    """Another one: a card never stays where it is."""
    stream = Stream(SECRET, (), number)
    for i in range(len(pack) - 1, 0, -1):
        j = stream.below(i)
        pack[i], pack[j] = pack[j], pack[i]


def test_cards_are_equally_likely_everywhere() -> None:
    size, rounds = 52, 4000
    freedom = (size - 1) ** 2
    limit = freedom + 4.5 * (2 * freedom) ** 0.5  # about one false alarm in 10^5, and the seed is fixed
    assert chi_square(ours, rounds, size) < limit
    assert chi_square(biased_shuffle, rounds, size) > limit
    assert chi_square(off_by_one, rounds, size) > limit


def test_numbers_below_a_bound_are_fair_at_the_edge() -> None:
    """2^32 is no multiple of 3·2^30: without rejection the first third would come twice as often."""
    stream = Stream(SECRET, (), 0)
    bound = 3 << 30
    low = sum(stream.below(bound) < 1 << 30 for _ in range(6000))
    assert abs(low - 2000) < 5 * (6000 * (1 / 3) * (2 / 3)) ** 0.5


OLD = Shuffles(SECRET, CHANCES[:1], version=1)
NEW = Shuffles(SECRET, shares=SHARES)


def finished_record(shuffles: Shuffles = NEW, preset: str = "tuppi", seed: int = 1) -> str:
    """A whole match played at random, dealt from a secret, with the lines to check it."""
    game, rules = find(preset)
    rng = random.Random(seed)
    match = Match.draw(game, rules, 4, shuffles.pack(game))
    dealt = 0
    while match.winner is None:
        owed = match.hand.owed()
        if owed == (-1,):
            dealt += 1
            match = match.apply(-1, shuffles.deal(match.hand.dealing(), dealt))
        else:
            match = match.apply(owed[0], rng.choice(match.hand.legal(owed[0])))
    return dealing_record(match) + "\n" + shuffle_module.remarks(shuffles, with_secret=True)


def dealing_record(match: Match) -> str:
    return write(Record(match, ("A", "B", "C", "D"), (), "tuppi"))


@pytest.mark.parametrize("shuffles", [OLD, NEW], ids=["first version", "with pledges"])
def test_finished_match_verifies(shuffles: Shuffles) -> None:
    found = shuffle_module.verify(finished_record(shuffles), find)
    assert found.problems == ()
    assert found.unopened == (() if shuffles is OLD else (3,))
    assert found.shuffles >= 3


LINES = ["commitment", "secret", "chance", "draw"], ["commitment", "secret", "share 0", "share 3", "draw"]


def test_changed_digit_of_a_record_is_found(subtests: pytest.Subtests) -> None:
    """P10 in small: one digit of any input changed, and verification says so."""
    for shuffles, line in [
        (one, line) for one, lines in zip((OLD, NEW), LINES, strict=True) for line in lines
    ]:
        with subtests.test(shuffles=shuffles, line=line):
            text = finished_record(shuffles)
            rng = random.Random(line)
            start = text.index("draw ") if line == "draw" else text.index(f"# shuffle {line}")
            end = text.index("\n", start)
            if line == "draw":
                words = text[start:end].split()
                words[1:3] = words[2], words[1]
                changed = [text[:start] + " ".join(words) + text[end:]]
            else:
                spots = [
                    at
                    for at in range(start + len(f"# shuffle {line} "), end)
                    if text[at] in "0123456789abcdef"
                ]
                changed = [
                    text[:at] + rng.choice("0123456789abcdef".replace(text[at], "")) + text[at + 1 :]
                    for at in spots
                ]
            assert changed and all(found_out(tampered) for tampered in changed)


def found_out(text: str) -> bool:
    """Whether checking this record finds anything wrong."""
    try:
        return bool(shuffle_module.verify(text, find).problems)
    except BadRecord:
        return True


def test_swapped_cards_of_a_record_are_found() -> None:
    """A deal that plays through but is not the one of the secret."""
    text = finished_record()
    game, rules = find("tuppi")
    other = Shuffles(bytes(32), shares=SHARES)
    match = Match.draw(game, rules, 4, NEW.pack(game))
    match = match.apply(-1, other.deal(match.hand.dealing(), 1))
    forged = dealing_record(match) + text[text.index("# shuffle") :]
    assert shuffle_module.verify(forged, find).problems == ("the deal of hand 1 is not that of shuffle 1",)


def test_record_without_its_secret_says_so() -> None:
    text = finished_record()
    for nothing in ("", "\n\n\n", "a letter to grandmother\n"):
        with pytest.raises(BadRecord, match="line 1: expected 'nousu record 1'"):
            shuffle_module.verify(nothing, find)
    cut = "\n".join(line for line in text.splitlines() if "secret" not in line)
    with pytest.raises(BadRecord, match="carries no '# shuffle secret'"):
        shuffle_module.verify(cut, find)
    with pytest.raises(BadRecord, match="says nothing known"):
        shuffle_module.verify(text + "# shuffle luck 7\n", find)
    with pytest.raises(BadRecord, match="64 hexadecimal digits"):
        shuffle_module.verify(text.replace("# shuffle secret ", "# shuffle secret 0"), find)
    with pytest.raises(BadRecord, match="version 3 are not known"):
        shuffle_module.verify(text.replace("# shuffle version 2", "# shuffle version 3"), find)
    with pytest.raises(BadRecord, match="says nothing known"):
        shuffle_module.verify(text.replace("# shuffle version 2\n", ""), find)
    with pytest.raises(BadRecord, match="says nothing known"):
        shuffle_module.verify(text + f"# shuffle chance 0 0 {'ab' * 16} own\n", find)
    with pytest.raises(BadRecord, match="in the order of places, one each"):
        shuffle_module.verify(text + f"# shuffle share 2 {'ab' * 32} unopened\n", find)
    with pytest.raises(BadRecord, match="expected '# shuffle share PLACE PLEDGE SHARE'"):
        shuffle_module.verify(text + "# shuffle share 4 pledge share\n", find)
