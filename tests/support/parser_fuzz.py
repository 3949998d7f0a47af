"""Parsers of text from strangers, texts they accept, and changed texts (P11); goal: 50 ms and 32 MiB a text.

``NOUSU_SOAK=1 pytest -k survive_any_text`` reads ten million texts with each parser; `bench.guided_fuzz`
searches for texts that reach new lines of a parser.
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
from nousu.server.errors import RequestError
from nousu.server.http.addresses import BadAddress, PublicAddress
from nousu.server.pages.table.websocket import _parsed_message
from nousu.server.people import cookies
from nousu.server.table import shuffle
from nousu.server.table.display_names import clean_name
from nousu.server.table.events import EventRow, from_row
from nousu.server.table.shuffle import Shuffles, pledge
from nousu.server.table.view import ShuffleShare

SLOWEST = 0.05
"""Seconds of processor time allowed for a text."""
LARGEST = 32.0
"""MiB of memory allowed."""


class Parser(NamedTuple):
    """A parser of text from strangers."""

    parse: Callable[[str], object]
    refusals: tuple[type[Exception], ...]
    """Exceptions that refuse a text."""
    valid_texts: Callable[[], list[str]]
    long: int = 10_000_000
    """Number of texts in the long form of the test."""


def match_after(preset: str, actions: int, seed: int = 0, drawn: bool = False) -> tuple[Match, Shuffles]:
    """A match after this many random actions, and its shuffles.

    Args:
        preset: Rules of the match.
        actions: Actions to play, deals included.
        seed: Seed of the actions and of the shuffles.
        drawn: Whether seats are drawn first.
    """
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
            seat = rng.choice([number for number in range(seats) if match.hand.legal(number)])
            match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    return match, shuffles


def records() -> list[str]:
    """Records of matches that have just begun or gone on for some hands, each with its shuffles."""
    texts = []
    for game in games().values():
        for number, (preset, actions) in enumerate(zip(game.presets, (4, 9, 14, 30, 70), strict=False)):
            match, shuffles = match_after(preset, actions, number, drawn=number % 2 == 1)
            names = [f"P{seat}" for seat in range(match.seats)] if number % 2 else ()
            record = write(Record(match, tuple(names), (), preset))
            texts.append(f"{record}\n{shuffle.remarks(shuffles, with_secret=True)}")
    return texts


def boards() -> list[str]:
    """PBN files: minimal, as other programs write them, and as Nousu does."""
    match, _ = match_after("tuppi+sooli=off", 80)
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
        _parsed_message,
        (RequestError,),
        lambda: ['{"act": "play H9", "seq": 12, "key": "0123456789"}', '{"next": true, "key": "0123456789"}'],
    ),
    "cookies": Parser(
        lambda text: cookies.session_token([text], True), (), lambda: ["__Host-nousu=" + "a" * 22 + "; x=y"]
    ),
    "names": Parser(clean_name, (), lambda: ["Väinö", "Аинo 2"]),
    "addresses": Parser(PublicAddress.parse, (BadAddress,), lambda: ["https://cards.example:8443"]),
    "events": Parser(
        lambda text: from_row(EventRow(1, "entry", 0, text), 4),
        (ValueError,),
        lambda: ["N play H9", "N give C4 to E"],
    ),
}
"""Number by kind of text. To replay a record takes a tenth of a millisecond, to parse others microseconds."""

_INSERTIONS = (*'²٣-\x00\ud800\u202e🂡["\\;# \n+=:', "9" * 400, "--5")


def mutate(rng: random.Random, text: str) -> str:
    """Change a text in a few places: letters, pieces of itself, whole lines."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.2 and "\n" in text:
            text = _mutate_lines(rng, text)
            continue
        at = rng.randrange(len(text) + 1)
        cut = min(len(text), at + rng.choice((0, 0, 1, 1, 3, 20)))
        insertion = rng.choice(
            (
                rng.choice(_INSERTIONS),
                "",
                text[rng.randrange(len(text) or 1) :][:8],
                chr(rng.randrange(1, 0x500)),
            )
        )
        text = text[:at] + insertion + text[cut:]
        if not text:
            return text
    return text


def _mutate_lines(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:  # its entries in another order
            entries = lines[at].split("; ")
            rng.shuffle(entries)
            lines[at] = "; ".join(entries)
    return "\n".join(lines)


def parse_time(parser: Parser, text: str) -> tuple[float, bool]:
    """Parse a text.

    Returns:
        Seconds of processor time, and whether the text was accepted.

    Raises:
        Exception: Any error that is not one of the parser's refusals.
    """
    before = time.process_time()
    try:
        parser.parse(text)
    except parser.refusals:
        return time.process_time() - before, False
    return time.process_time() - before, True


def best_parse_time(parser: Parser, text: str) -> float:
    """Least seconds of three attempts: a pause of the machine is not the parser's."""
    return min(parse_time(parser, text)[0] for _ in range(3))


def peak_memory(reset: bool = False) -> float:
    """Most memory of this process in MiB so far; 0 where the system does not tell.

    Args:
        reset: Whether to begin anew first.
    """
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
