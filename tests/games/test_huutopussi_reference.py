"""A second referee of Huutopussi's card play, written plainly from the clauses, agrees with the first.

It knows cards as text in lists and shares no code with the game. It walks beside random hands, and it
counted the trees of tests/perft/huutopussi.perft.
"""

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nousu.engine.game import Setup
from nousu.engine.laws import random_actor
from nousu.engine.match import Match
from nousu.engine.record import parse_entry
from nousu.games import find
from nousu.games.huutopussi import GAME, Hand, PlayedHand, Totals

ORDER = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]


class Plain:
    """Card play with declarations as a heap of lists."""

    def __init__(self, hand: Hand) -> None:
        view = [hand.view(seat) for seat in range(4)]
        self.hands = [[str(card) for card in one.cards] for one in view]
        self.turn = hand.owed()[0]
        self.trick: list[tuple[int, str]] = []
        self.tricks: list[tuple[int, int, list[str]]] = []
        self.trump = ""
        self.named: list[tuple[str, int]] = []
        self.asked_own: set[int] = set()
        self.asked_full: set[int] = set()
        self.tried = False
        self.asking = ""
        rules: Any = hand.rules
        self.won_is_enough = rules.declare_right == "won"
        self.ladder = rules.lockouts == "ladder"
        self.may_lie = rules.answers == "optional"
        self.show_ace = rules.first_trick == "ace_or_spade"
        self.one_attempt = rules.attempts == "one_a_hand"
        self.spent: set[int] = set()
        self.by_suit = not rules.half_requires_card
        self.reply = False
        self.declarer = hand.declarer
        self.most_doubled, self.doubled = rules.kontra, 0

    def beats(self, card: str, other: str) -> bool:
        """Whether `card`, played after `other`, is the better one."""
        if card[0] == other[0]:
            return ORDER.index(card[1:]) > ORDER.index(other[1:])
        return card[0] == self.trump

    def best(self) -> tuple[int, str]:
        winner = self.trick[0]
        for played in self.trick[1:]:
            if self.beats(played[1], winner[1]):
                winner = played
        return winner

    def cards(self) -> list[str]:
        """HP-GR-16 to HP-GR-19, A-H-14, A-H-21."""
        hand = self.hands[self.turn]
        first = self.show_ace and not self.tricks
        if not self.trick:
            aces = [card for card in hand if card[1:] == "A"]
            spades = [card for card in hand if card[0] == "S"]
            return (aces or spades or hand) if first else hand
        led = self.trick[0][1][0]
        follow = [card for card in hand if card[0] == led]
        trumps = [card for card in hand if card[0] == self.trump]
        able = follow or trumps
        if not able:
            return hand
        if first and led + "A" in able:
            return [led + "A"]
        return [card for card in able if self.beats(card, self.best()[1])] or able

    def words(self) -> list[str]:
        """HP-GR-21 to HP-GR-27, A-H-08 to A-H-12; the open suits are those not named yet."""
        me, hand = self.turn, self.hands[self.turn]  # HP-WU-07, HP-WU-08 too
        open_suits = [suit for suit in "SHDC" if suit not in [name for name, _ in self.named]]
        if self.asking:
            mate = self.hands[(me + 2) % 4]
            if self.asking == "full":
                yes = ["yes " + suit for suit in open_suits if suit + "K" in mate and suit + "Q" in mate]
            elif self.by_suit:
                held = hand if self.reply else mate
                yes = ["yes"] if self.asking + "K" in held or self.asking + "Q" in held else []
            else:
                other = self.asking[0] + ("Q" if self.asking[1] == "K" else "K")
                yes = ["yes"] if other in mate else []
            return yes if yes and not self.may_lie else [*yes, "no"]
        if self.trick or not self.tricks or self.tried or (self.one_attempt and me in self.spent):
            return []
        if not self.won_is_enough and self.tricks[-1][0] != self.tricks[-1][1]:
            return []
        found = []
        if not (self.ladder and me in self.asked_own):
            found += ["marriage " + s for s in open_suits if s + "K" in hand and s + "Q" in hand]
        if open_suits and not (self.ladder and me in self.asked_full):
            found.append("ask full")
        if self.by_suit:
            return found + ["ask half " + s for s in open_suits]
        return found + ["ask half " + s + r for s in open_suits for r in "KQ" if s + r in hand]

    def doubling(self) -> list[str]:
        """HP-WU-10, A-H-23: nine cards for the first kontra, one fewer for each that follows."""
        if self.declarer is None or self.doubled >= self.most_doubled:
            return []
        word = "re" if (self.turn - self.declarer) % 2 == 0 else "kontra"
        due = ["kontra", "re"][self.doubled % 2]
        return [word] if word == due and len(self.hands[self.turn]) + self.doubled >= 9 else []

    def answers(self) -> int:
        """Seat that answers the open question."""
        return self.turn if self.reply else (self.turn + 2) % 4

    def options(self) -> set[str]:
        if self.asking:
            return set(self.words())
        return {"play " + card for card in self.cards()} | set(self.words()) | set(self.doubling())

    def name(self, suit: str) -> None:
        self.trump = suit
        self.named.append((suit, self.turn))

    def do(self, text: str) -> None:
        """One action, already known to be possible."""
        word, *rest = text.split()
        me, mate = self.turn, (self.turn + 2) % 4
        if word == "play":
            self.hands[me].remove(rest[0])
            self.trick.append((me, rest[0]))
            self.tried = False
            self.turn = (me + 1) % 4
            if len(self.trick) == 4:
                winner = self.best()[0]
                self.tricks.append((self.trick[0][0], winner, [card for _, card in self.trick]))
                self.trick, self.turn = [], winner
            return
        if word in ("kontra", "re"):
            self.doubled += 1
            return
        self.tried = True
        if word in ("marriage", "ask"):
            self.spent.add(me)
        if word == "marriage":
            self.name(rest[0])
        elif word == "ask" and rest[0] == "full":
            self.asking = "full"
            self.asked_own.add(me)
            self.asked_full.add(mate)
        elif word == "ask":
            self.asking = rest[1]
            self.asked_own |= {me, mate}
            self.asked_full |= {me, mate}
        elif self.by_suit and self.asking != "full" and word == "yes" and not self.reply:
            self.reply = True
        else:
            if word == "yes":
                self.name(rest[0] if rest else self.asking[0])
            self.asking, self.reply = "", False

    def points(self, worth: dict[str, int], last: int, weddings: dict[str, int]) -> list[int]:
        """HP-GR-29."""
        sums = [0, 0]
        for _, winner, cards in self.tricks:
            sums[winner % 2] += sum(worth.get(card[1:], 0) for card in cards)
        for suit, by in self.named:
            sums[by % 2] += weddings[suit]
        sums[self.tricks[-1][1] % 2] += last
        return sums


def leaves(table: Plain, depth: int) -> int:
    """How many ways the next actions can go."""
    if depth == 0 or len(table.tricks) == 9:
        return 1
    total = 0
    for text in table.options():
        after = deepcopy(table)
        after.do(text)
        total += leaves(after, depth - 1)
    return total


SIMPLE = {"A": 10, "10": 10, "K": 5, "Q": 5, "J": 5}
CLASSIC = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
HEARTS_HIGH = {"S": 40, "C": 60, "D": 80, "H": 100}
SPADES_HIGH = {"C": 40, "D": 60, "H": 80, "S": 100}


@pytest.mark.clause(
    "HP-GR-16", "HP-GR-18", "HP-GR-20", "HP-GR-21", "HP-GR-27", "HP-GR-29", "A-H-12", "A-H-14"
)
@pytest.mark.clause("HP-WU-05", "HP-WU-06", "HP-WU-07", "HP-WU-08", "HP-WU-09", "A-H-09", "A-H-11")
def test_two_referees_agree(subtests: pytest.Subtests) -> None:
    for rules, worth, last, weddings in [
        ("huutopussi", SIMPLE, 20, HEARTS_HIGH),
        ("huutopussi_gamerules_literal", SIMPLE, 20, HEARTS_HIGH),
        ("huutopussi_finnish", CLASSIC, 10, HEARTS_HIGH),
        ("huutopussi_illisoft", CLASSIC, 20, HEARTS_HIGH),
        ("huutopussi_illisoft+lockouts=none+marriage_values=spades_high", CLASSIC, 20, SPADES_HIGH),
        ("huutopussi_erlangen", CLASSIC, 20, HEARTS_HIGH),
        ("huutopussi+attempts=one_a_hand+declare_right=won", SIMPLE, 20, HEARTS_HIGH),
    ]:
        with subtests.test(rules=rules, worth=worth, last=last, weddings=weddings):
            rng = Random(rules)
            chosen = find(rules)[1]
            named = 0
            for _ in range(120):
                match = Match.start(GAME, chosen, 4, rng.choice(range(4)))
                plain: Plain | None = None
                while not match.played:
                    hand = match.hand
                    assert isinstance(hand, Hand)
                    if plain is None and hand.phase == "play":
                        plain = Plain(hand)
                    seat, action = random_actor(hand, 4, rng)
                    if plain is not None:
                        may = {str(one) for one in hand.legal(seat)}
                        assert may == plain.options()
                        # Declarations and high cards are rare among random actions: they are preferred.
                        sure = [one for one in hand.legal(seat) if str(one).startswith(("marriage", "yes"))]
                        high = [one for one in hand.legal(seat) if str(one)[-1] == "A"]
                        action = (
                            sure[0] if sure else rng.choice(high) if high and rng.random() < 0.5 else action
                        )
                        plain.do(str(action))
                    match = match.apply(seat, action)
                result = match.played[0].result
                if plain is not None and not result.void:
                    named += len(plain.named)
                    assert list(PlayedHand.of(result.outcome).earned) == plain.points(worth, last, weddings)
                    assert result.outcome.plain()["trumps"] == [suit for suit, _ in plain.named]
            assert named >= 20, named


def counted_positions() -> list[tuple[str, Hand, int, int]]:
    """The positions of the file that stand in the card play, with their counts up to 20,000."""
    found = []
    text = (Path(__file__).parent.parent / "perft" / "huutopussi.perft").read_text()
    for block in text.split("\n\n")[1:]:
        fields = dict(line.partition(" ")[::2] for line in block.strip().splitlines())
        name, rules, dealer = fields["id"], find(fields["game"])[1], "NESW".index(fields["dealer"])
        hand = Hand(rules, Setup(4, dealer, Totals(rules)))
        moves = [entry.strip() for entry in fields["moves"].split(";") if entry.strip()]
        for entry in ("deal " + fields["deal"], *moves):
            hand = hand.apply(*parse_entry(entry, 4))
        numbers = [int(word) for word in block.strip().splitlines()[-1].split()]
        if hand.table is not None:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            found += [(name, hand, depth, count) for depth, count in pairs if count <= 20_000]
    return found


def test_counted_trees_have_as_many_leaves_here() -> None:
    trees = counted_positions()
    assert len({name for name, *_ in trees}) == 9
    for name, hand, depth, count in trees:
        assert leaves(reference_table(hand), depth) == count, (name, depth)


def reference_table(hand: Hand) -> Plain:
    """The plain table after the same actions."""
    here = Hand(hand.rules, hand.setup)
    table: Plain | None = None
    for seat, action in hand.log:
        if here.phase == "play" and table is None:
            table = Plain(here)
        here = here.apply(seat, action)
        if table is not None:
            table.do(str(action))
    return table or Plain(here)
