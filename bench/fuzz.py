"""The parsers that read what strangers write, texts they accept, and texts that are nearly those (P11).

``NOUSU_SOAK=1 pytest -k breaks_a_parser`` reads ten million of them with each parser; `bench.guided` looks
for texts that lead further into a parser than any before.
"""

import random
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from nousu.engine.actions import parse_action
from nousu.engine.errors import BadRecord, BadRules
from nousu.engine.match import Match
from nousu.engine.pbn import read_boards, write_board
from nousu.engine.record import Record, read, write
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.server.errors import Refused
from nousu.server.http.addresses import BadAddress, Public
from nousu.server.pages.table.websocket import _parsed_message
from nousu.server.people import cookies
from nousu.server.table import shuffle
from nousu.server.table.display_names import clean_name
from nousu.server.table.events import Row, from_row
from nousu.server.table.shuffle import Shuffles, pledge
from nousu.server.table.view import ShuffleShare

SLOWEST = 0.05
"""Seconds of processor time that a text may take."""
LARGEST = 32.0
"""MiB of memory."""


class Parser(NamedTuple):
    """What reads a text that may be anything."""

    parse: Callable[[str], object]
    allowed: tuple[type[Exception], ...]
    """How it refuses."""
    valid: Callable[[], list[str]]
    """Texts that it accepts."""
    long: int = 10_000_000
    """How many texts the long form reads."""


def played(preset: str, actions: int, seed: int = 0, drawn: bool = False) -> tuple[Match, Shuffles]:
    """A match after so many actions by chance, and what it was dealt from."""
    rng = random.Random(f"{preset} {seed}")
    game, rules = find(preset)
    seats = game.seats_for(preset)[0] if 4 not in game.seats_for(preset) else 4
    shares = [sha256(rng.randbytes(32)).hexdigest() for _ in range(2)]
    shuffles = Shuffles(rng.randbytes(32))
    for place, share in enumerate(shares):
        shuffles = shuffles.with_pledge(ShuffleShare(place, pledge(share))).with_share_opened(place, share)
    pack = shuffles.pack(game)
    match = Match.draw(game, rules, seats, pack) if drawn else Match.start(game, rules, seats)
    dealt = 0
    for _ in range(actions):
        if match.winner is not None:
            break
        if match.hand.owed() == (CHANCE,):
            dealt += 1
            match = match.apply(CHANCE, shuffles.deal(match.hand.dealing(), dealt))
        else:
            seat = rng.choice([one for one in range(seats) if match.hand.legal(one)])
            match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    return match, shuffles


def records() -> list[str]:
    """Records of matches that have just begun, and of some that have gone on, each with what it was dealt
    from."""
    texts = []
    for game in games().values():
        for number, (preset, actions) in enumerate(zip(game.presets, (4, 9, 14, 30, 70), strict=False)):
            match, shuffles = played(preset, actions, number, drawn=number % 2 == 1)
            names = [f"P{seat}" for seat in range(match.seats)] if number % 2 else ()
            record = write(Record(match, tuple(names), (), preset))
            texts.append(f"{record}\n{shuffle.remarks(shuffles, with_secret=True)}")
    return texts


def boards() -> list[str]:
    """Files of deals: bare, as other programs write them, and as ours does."""
    match, _ = played("tuppi+sooli=off", 80)
    hand = match.played[0].hand
    return [
        '[Deal "N:K652.K73.K54.742 - - -"]\n',
        '% PBN 2.1\n[Event "Cup"]\n[Board "1"]\n[Deal "E:AK... .QJ.. ..T9. 8.7.."]\n\n[Event "#"]\n'
        '[Board "2"]\n[Note "1:x"]\n[Note "2:y"]\n[Deal "S:2... 3... 4... -"]\n{a remark}\n',
        write_board(hand, 7, ["Aino", "Eero", "Kaisa", "Väinö"], [("Rules", "tuppi")]),
    ]


def _rules() -> list[str]:
    return [
        "tuppi+high_fail_points=6+sooli=off",
        "tuppen_zk+start_points=7",
        "huutopussi+target=250",
        "south_dakota+max_hands=2+limit_tiebreak=[extra_hands]",
    ]


PARSERS = {
    "records": Parser(lambda text: read(text, find), (BadRecord,), records, 1_000_000),
    "verification": Parser(lambda text: shuffle.verify(text, find), (BadRecord,), records, 1_000_000),
    "rules": Parser(find, (BadRules,), _rules),
    "actions": Parser(
        parse_action,
        (ValueError,),
        lambda: [
            "play H9",
            "give H3 C4 to E",
            "deal N S:8 D:J / E H:Q8 / S D:T8 / W S:9 C:T / stock C7 DQ",
            "seal rami",
        ],
    ),
    "PBN": Parser(read_boards, (ValueError,), boards),
    "live messages": Parser(
        lambda text: _parsed_message({"type": "websocket.receive", "text": text}),
        (Refused,),
        lambda: ['{"act": "play H9", "seq": 12, "key": "0123456789"}', '{"next": true, "key": "0123456789"}'],
    ),
    "cookies": Parser(
        lambda text: cookies.token([text], True), (), lambda: ["__Host-nousu=" + "a" * 22 + "; x=y"]
    ),
    "names": Parser(clean_name, (), lambda: ["Väinö", "Аинo 2"]),
    "addresses": Parser(Public.read, (BadAddress,), lambda: ["https://cards.example:8443"]),
    "events": Parser(
        lambda text: from_row(Row(1, "entry", 0, text), 4),
        (ValueError,),
        lambda: ["N play H9", "N give C4 to E"],
    ),
}
"""By what they read. A record is replayed, which takes a tenth of a millisecond and more; the others take
some microseconds."""

_SPICE = [
    "²",
    "٣",
    "9" * 400,
    "-",
    "--5",
    "\x00",
    "\ud800",
    "\u202e",
    "🂡",
    "[",
    '"',
    "\\",
    ";",
    "#",
    " ",
    "\n",
    "+",
    "=",
    ":",
]


def mutated(rng: random.Random, text: str) -> str:
    """The text with a few changes: letters, pieces of itself, whole lines."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.2 and "\n" in text:
            text = _lines_mutated(rng, text)
            continue
        at = rng.randrange(len(text) + 1)
        cut = min(len(text), at + rng.choice((0, 0, 1, 1, 3, 20)))
        put = rng.choice(
            (rng.choice(_SPICE), "", text[rng.randrange(len(text) or 1) :][:8], chr(rng.randrange(1, 0x500)))
        )
        text = text[:at] + put + text[cut:]
        if not text:
            return text
    return text


def _lines_mutated(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[other])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:  # what is said or done in it, in another order
            parts = lines[one].split("; ")
            rng.shuffle(parts)
            lines[one] = "; ".join(parts)
    return "\n".join(lines)


def taken(parser: Parser, text: str) -> tuple[float, bool]:
    """Seconds of processor time to read a text, and whether it was accepted. What is none of the errors that
    are promised goes through."""
    before = time.process_time()
    try:
        parser.parse(text)
    except parser.allowed:
        return time.process_time() - before, False
    return time.process_time() - before, True


def slow(parser: Parser, text: str) -> float:
    """The same where it seemed long: at its quickest of three times, since a pause of the machine's is none
    of the parser's."""
    return min(taken(parser, text)[0] for _ in range(3))


def peak(again: bool = False) -> float:
    """The most memory this process has had, in MiB, since it was asked to begin `again`; 0 where the system
    does not tell."""
    try:
        if again:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
