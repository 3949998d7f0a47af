"""Generated PBN files in the shapes that other programs write: each board is read, refused or named.

The shapes come from files and reports of other readers: remarks and comments with tags in them, tags on one
line, redundant suit letters, repeated deals, tables, statistics, paths with backslashes.
"""

from random import Random

from nousu.engine.cards import DECK_52, Card
from nousu.engine.errors import BadRecord
from nousu.engine.pbn import Board, Skipped, deal_text, each_board

FILES = 1000
EVENTS = ["", "Club; {evening}", "a ] b [ c", "Møller", "P:\\dlr\\", "#"]
PEOPLE = ["-", "?", "Anna", "O'Neil", 'a \\"b\\"']
EXTRAS = [
    '[Auction "N"]\n1NT =1= Pass 2C! $4 {[why "x"]} Pass\n[Note "1:strong"]\n[Note "2:x"]',
    '[Play "W"]\nSA S2 S3 S4\n- - - -\n*',
    '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 7\nN  S 8',
    "{PAR of the deal: 3H  = played by North: 140 points}",
    '# [Deal "N:none"]',
    "Minimum     : 33.6\n5S and 6+D  : 22.6",
]
Hands = tuple[tuple[Card, ...], ...]
Expected = Hands | str


class Writer:
    """Writes one file, and what should be read of it."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.expected: list[Expected] = []
        self.last: Hands | None = None

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def deal(self) -> tuple[str, int, Expected]:
        """A deal as text, its first seat, and what is read."""
        pack, size, first = list(DECK_52), self.rng.choice([13, 13, 13, 5, 1]), self.rng.randrange(4)
        self.rng.shuffle(pack)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(4)]
        text = deal_text(hands, first)
        text = text.lower() if self.often(0.15) else text
        text = text.replace("T", "10") if self.often(0.15) else text
        if self.often(0.1):
            head, _, rest = text.partition(":")
            hands_named = (zip("SHDC", hand.split("."), strict=True) for hand in rest.split())
            text = f"{head}:" + " ".join(".".join(map("".join, suits)) for suits in hands_named)
        if self.often(0.06):
            return text.replace(".", ":", 1), first, "wrong"
        if self.often(0.04):
            return text.split()[0], first, "wrong"
        if self.often(0.05):
            return "", first, "left out"
        if self.last is not None and self.often(0.06):
            return "#", first, self.last
        return text, first, tuple(tuple(sorted(hand)) for hand in hands)

    def board(self, number: int) -> str:
        text, first, expected = self.deal()
        tags = [f'[Event "{self.rng.choice(EVENTS)}"]'] if self.often(0.7) else []
        tags += ['[Site "-"]'] if self.often(0.3) else []
        tags.append(f'[Board "{number}"]')
        if self.often(0.6):
            tags += [f'[{seat} "{self.rng.choice(PEOPLE)}"]' for seat in ("West", "North", "East", "South")]
        tags += [f'[Dealer "{"NESW"[first]}"]'] if self.often(0.6) else []
        between = self.rng.choice(["\n", "\n", "\n", " ", ""])
        if text:
            gap = self.rng.choice([" ", " ", "", "\t", "\n"])
            name, end = self.rng.choice(["Deal", "Deal", "deal", "DEAL"]), self.rng.choice(["", " "])
            remarks = ["", "", ' { [Deal "x"] }', *([' ; [Deal "N:none"]'] * (between == "\n"))]
            tags.append(f'[{name}{gap}"{text}"{end}]{self.rng.choice(remarks)}')
        self.expected.append(expected)
        self.last = None if isinstance(expected, str) else expected
        extras = [extra for extra in EXTRAS if self.often(0.3)]
        return "\n".join([between.join(tags), *extras])

    def file(self) -> str:
        head = ["% PBN 2.1"] if self.often(0.5) else []
        head += ['{ a file\n[Deal "N:none"]\n of ours }'] if self.often(0.2) else []
        boards = [self.board(number) for number in range(1, self.rng.randint(2, 7))]
        text = "\n".join(head) + "\n\n" * bool(head) + "\n\n".join(boards)
        text = text.replace("\n", self.rng.choice(["\n", "\r\n", "\r"]))
        return "\ufeff" * self.often(0.2) + text + "\n" * self.often(0.8)


def read(board: Board | Skipped | BadRecord) -> Expected:
    if isinstance(board, Board):
        return tuple(tuple(sorted(hand)) for hand in board.deal.hands)
    return "left out" if isinstance(board, Skipped) else "wrong"


def test_no_board_is_lost_and_every_line_is_true() -> None:
    for seed in range(FILES):
        writer = Writer(seed)
        text = writer.file()
        boards = list(each_board(text))
        assert [read(board) for board in boards] == writer.expected, (seed, text)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert all("[deal" in lines[board.line - 1].lower() for board in boards if isinstance(board, Board))
