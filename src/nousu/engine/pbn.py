"""Deals in Portable Bridge Notation: the text other card programs understand.

A deal is written ``N:K652.K73.K54.742 J8… … …``: the first seat, then the hands clockwise from it, each as
spades.hearts.diamonds.clubs. Files hold such deals in ``[Deal "…"]`` tags. PBN is a bridge format, so only
tables of four fit; a deal may have fewer than 13 cards per hand (the solver's end games do).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nousu.engine.actions import Deal, Give, Play
from nousu.engine.cards import DECK_52, RANKS, SUITS, Card, in_order, parse_card
from nousu.engine.errors import BadRecord
from nousu.engine.game import Hand
from nousu.engine.messages import brief
from nousu.engine.seats import COMPASS, Seat, clockwise, seat_name
from nousu.engine.text_lines import written

_DASHES = str.maketrans("\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{NON-BREAKING HYPHEN}", "----")
UNWRITTEN = "-"
"""The sign of a hand without known cards, or of an empty seat."""


class DealText(NamedTuple):
    """A deal as written: the seat named first and the hands by seat number (N, E, S, W)."""

    first: Seat
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One deal of a PBN file with its tags, and the line of its ``[Deal]`` tag (from 1)."""

    tags: dict[str, str]
    deal: DealText
    line: int


def parse_deal(text: str) -> DealText:
    """The deal written as in PBN; every hand that is written (not ``-``) holds the same number of cards.

    Raises `ValueError` with one sentence that names the wrong hand.

    >>> parse_deal("N:AK... QJ... T9... 87...").hands[2]
    (S10, S9)
    """
    seat, colon, rest = text.partition(";")[0].translate(_DASHES).strip().partition(":")
    words = rest.split()
    if not colon or len(seat.strip()) != 1 or seat.strip().upper() not in COMPASS:
        raise ValueError(f"{text.strip()[:20]!r}: a deal begins with its first seat, as in 'N:AK.Q.J.T …'")
    if len(words) != 4:
        raise ValueError(f"a deal has four hands with a space between them, here are {len(words)}")
    first = COMPASS.index(seat.strip().upper())
    hands: list[tuple[Card, ...]] = [(), (), (), ()]
    holder: dict[Card, Seat] = {}
    for at, word in zip(clockwise(first, 4), words, strict=True):
        hands[at] = _parse_hand(word, at)
        for card in hands[at]:
            if card in holder:
                both = f"{seat_name(holder[card])} and {seat_name(at)}"
                raise ValueError(
                    f"{card} is held by {both}"
                    if holder[card] != at
                    else f"{card} is twice in {seat_name(at)}"
                )
            holder[card] = at
    sizes = {
        len(hands[at]): at for at, word in zip(clockwise(first, 4), words, strict=True) if word != UNWRITTEN
    }
    if len(sizes) > 1:
        listed = ", ".join(f"{seat_name(at)} {len(hands[at])}" for at in range(4))
        raise ValueError(f"the hands must hold equally many cards, here they hold {listed}")
    return DealText(first, tuple(in_order(hand) for hand in hands))


def _parse_hand(word: str, seat: Seat) -> tuple[Card, ...]:
    if word == UNWRITTEN:
        return ()
    suits = word.split(".")
    if len(suits) != 4:
        place = f"{seat_name(seat)} {brief(word)!r}"
        raise ValueError(f"{place}: a hand has four suits with three dots between them")
    cards = []
    for letter, ranks in zip(SUITS, suits, strict=True):
        if ranks == "-":  # a void, as some programs write it
            continue
        for rank in ranks.upper().removeprefix(letter).replace("10", "T"):  # SAK.H… names the suits besides
            if rank not in RANKS:
                raise ValueError(
                    f"{seat_name(seat)} {brief(word)!r}: {rank!r} is no rank; the ranks are A K Q J T 9 … 2"
                )
            cards.append(parse_card(letter + rank))
    return tuple(cards)


def deal_text(hands: Sequence[Sequence[Card]], first: Seat = 0) -> str:
    """The deal as PBN writes it, beginning with `first`: ``parse_deal(deal_text(h)).hands == h``.

    Raises `ValueError` unless there are four hands.
    """
    if len(hands) != 4:
        raise ValueError(f"PBN is for four players, not {len(hands)}")
    return f"{COMPASS[first]}:" + " ".join(_hand_text(hands[seat]) for seat in clockwise(first, 4))


def _hand_text(hand: Sequence[Card]) -> str:
    if not hand:
        return UNWRITTEN
    return ".".join(
        "".join(RANKS[card.rank] for card in in_order(hand) if card.suit == suit) for suit in range(4)
    )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A board of a PBN file that has no deal, with the line of its first tag (from 1)."""

    line: int
    message: str


_TOKEN = re.compile(
    r"""
      (?P<blank> \s+ )
    | ^ (?: % | \# [ \t] ) [^\n]*                    # escaped lines, and lines that are commented out
    | ; [^\n]*                                       # a remark to the end of the line
    | \{ [^}]* (?P<end> \}? )                        # a comment, over lines too
    | \[ \s* (?P<name> [A-Za-z][A-Za-z0-9_]* ) \s*
      " (?P<value> (?: (?! \n [ \t]* [\[\n] ) . ){0,1000}? ) " \s* \]
    | (?P<broken> \[ [^\n]* )
    | [^\s%;{\[]+ | %                                # auctions, plays, tables
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_NAMES = {name.lower(): name for name in ("Board", "Deal", "Dealer")}
"""The tags read here, by the spelling that some programs use."""
_FIRST = ("Event", "Board")
"""Tags with which games begin."""


def is_pbn(text: str) -> bool:
    r"""Whether a text is a PBN file: a tag, or a comment in braces, is the first thing in it.

    >>> is_pbn('% PBN 2.1\n[Event ""]'), is_pbn("nousu record 1")
    (True, False)
    """
    first = next((line for _, line in written(text) if line[0] not in "#%;"), "")
    return first.startswith(("[", "{"))


def read_boards(text: str) -> tuple[Board, ...]:
    """All deals of a PBN file in their order.

    Only tags are read; auctions, plays and remarks are skipped, and so are boards without a deal, which
    `each_board` reports. ``#`` repeats the tag's value of the board before. Raises `BadRecord` with the line
    of the first deal that is wrong.
    """
    boards = []
    for board in each_board(text):
        if isinstance(board, BadRecord):
            raise board
        if isinstance(board, Board):
            boards.append(board)
    return tuple(boards)


def each_board(text: str) -> Iterator[Board | BadRecord | Skipped]:
    """Yield the boards one by one; a board without a deal, or with a wrong one, gives an item of its own."""
    before: dict[str, str] = {}
    empty = True
    for block in _blocks(text):
        if isinstance(block, BadRecord):
            empty = False
            yield block
            continue
        values = {name: value for name, (value, _) in block.items()}
        again = {name: before.get(name, "") for name, value in values.items() if value in ("#", "##")}
        tags = values | again
        before = tags
        line = block["Deal"][1] if "Deal" in block else next(iter(block.values()))[1]
        if not tags.get("Deal"):
            if "Board" in tags:
                empty = False
                yield Skipped(line, f"board {brief(tags['Board'])} has no deal and is left out")
            continue
        empty = False
        try:
            yield Board(tags, parse_deal(tags["Deal"]), line)
        except ValueError as error:
            yield BadRecord(line, str(error))
    if empty:
        yield BadRecord(1, 'expected a PBN file with tags like [Deal "N:…"], found none')


def _blocks(text: str) -> Iterator[dict[str, tuple[str, int]] | BadRecord]:
    """The tags of each game of the file: name → (value, line); an error for a deal that cannot be read.

    Empty lines separate games. Where the line is forgotten, a tag that stands twice begins the next game
    once this one has its deal (a ``Note`` may be repeated). Empty lines before the deal end a game only where
    a tag that stands twice, or the first of a game, follows.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tags: dict[str, tuple[str, int]] = {}
    line, apart = 1, False
    for token in _TOKEN.finditer(text):
        kind, here = token.lastgroup, line
        line += token[0].count("\n")
        if kind == "blank":
            if "Deal" in tags and line > here + 1:
                yield tags
                tags = {}
            apart = apart or line > here + 1
        elif kind == "end" and not token["end"]:
            yield BadRecord(here, "the comment that begins here has no closing brace }")
        elif kind == "broken" and re.match(r"\[\s*deal\b", token[0], re.IGNORECASE):
            tags = {}
            yield BadRecord(here, f"this tag has no text in quotation marks, or no end: {brief(token[0])}")
        elif kind == "value":
            name = _NAMES.get(token["name"].lower(), token["name"])
            again = name in tags and name != "Note"
            if (again and ("Deal" in tags or apart)) or (tags and name in _FIRST and (again or apart)):
                yield tags
                tags = {}
            apart = False
            value = token["value"].replace('\\"', '"').replace("\n", " ")
            tags[name] = (value, here + text.count("\n", token.start(), token.start("name")))
    if tags:
        yield tags


def export_text(games: Iterable[str]) -> str:
    """A PBN file in export format of games that `write_board` has written."""
    return "% PBN 2.1\n% EXPORT\n" + "\n".join(games)


def write_board(
    hand: Hand, board: int, names: Sequence[str] = (), tags: Sequence[tuple[str, str]] = ()
) -> str:
    """A finished hand with the whole pack of 52 dealt to four, as one game of a PBN file.

    The Play section has one line per trick, with the leader of the first trick in the first column; a card
    that was not played (a partner who sits out, a hand broken off) is ``-``. `tags` are added after the
    standard ones. Raises `ValueError` when the hand does not fit into the format.
    """
    if hand.result() is None:
        raise ValueError(f"hand {board} is not finished; PBN takes finished hands")
    if any(isinstance(action, Give) for _, action in hand.log):
        raise ValueError(f"hand {board}: cards changed hands after the deal, which PBN cannot say")
    deal = next((action for _, action in hand.log if isinstance(action, Deal)), Deal(()))
    if len(deal.hands) != 4 or sorted(card for cards in deal.hands for card in cards) != sorted(DECK_52):
        raise ValueError(f"hand {board}: PBN takes 52 cards dealt to four players")
    dealer = hand.setup.dealer
    people = dict(zip(COMPASS, (*names, *("?" * 4))[:4], strict=True))
    lines = [
        ("Event", ""),
        ("Site", ""),
        ("Date", ""),
        ("Board", str(board)),
        *((word, people[word[0]]) for word in ("West", "North", "East", "South")),
        ("Dealer", COMPASS[dealer]),
        ("Vulnerable", "None"),
        ("Deal", deal_text(deal.hands, dealer)),
        ("Scoring", "None"),
        ("Declarer", "?"),
        ("Contract", "?"),
        ("Result", "?"),
        *tags,
    ]
    text = [f'[{name} "{_tag_value(value)}"]' for name, value in lines]
    return "\n".join([*text, *_play_lines(hand)]) + "\n"


def _tag_value(value: str) -> str:
    return " ".join(value.replace('"', "'").split())


def _play_lines(hand: Hand) -> list[str]:
    plays = [(seat, action.card) for seat, action in hand.log if isinstance(action, Play)]
    if not plays:
        return []
    view = hand.view(None)
    order = clockwise(plays[0][0], 4)
    rows = [f'[Play "{COMPASS[order[0]]}"]']
    for trick in (*(trick.plays for trick in view.tricks), view.trick):
        cards = dict(trick)
        if cards:
            rows.append(" ".join(_card_text(cards.get(seat)) for seat in order))
    return [*rows, "*"]


def _card_text(card: Card | None) -> str:
    return UNWRITTEN if card is None else SUITS[card.suit] + RANKS[card.rank]
