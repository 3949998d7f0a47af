"""A stranger's test: somebody with nothing but the page follows ten hands a game.

The reader below knows no rule. Ranks, first leads, what takes a trick, values and payments are read from the
sentences, pictures and tables of the page; what the engine made of the same hands must come out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from nousu.engine.cards import Card
from nousu.engine.game import Hand, View
from nousu.engine.match import Match, Played
from nousu.games import find
from nousu.games.huutopussi import Facts as Auctioned
from nousu.games.tuppen import LEAVE, RAISE
from nousu.games.tuppen import Facts as Staked
from nousu.games.whist import Facts as Bid
from nousu.i18n.reader import Reader
from nousu.players import find_player
from nousu.players.seat_loop import next_choice, seeds
from nousu.server.pages.learn.rulebook import Rulebook, rulebook

READER = Reader.of("en")
RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
HANDS = 10


@dataclass(frozen=True)
class PageReader:
    """Somebody who reads one page."""

    page: Rulebook

    def sentences(self) -> list[str]:
        """Everything the page says."""
        return [said.text for one in self.page.chapters for taught in one.listed for said in taught.said]

    def find(self, pattern: str) -> re.Match[str]:
        """The one sentence of the page in which that is said."""
        found = [match for text in self.sentences() if (match := re.search(pattern, text))]
        assert found, f"the page does not say: {pattern}"
        return found[0]

    def table(self, label: str) -> dict[str, int]:
        """A row of the page's tables by what stands over its columns."""
        for chapter in self.page.chapters:
            for taught in chapter.listed:
                for said, cells in taught.rows:
                    if label in said.text:
                        return dict(zip(taught.head, cells, strict=True))
        raise AssertionError(f"no table tells: {label}")

    def order(self, kind: str) -> list[str]:
        """The ranks from the highest down, as the page names or pictures them."""
        pictured = [
            [face.text[1:] for face in taught.faces]
            for chapter in self.page.chapters
            if chapter.name == "need"
            for taught in chapter.listed
            if len(taught.faces) >= 8
        ]
        if pictured:
            return pictured[0]
        below = next(
            (
                found
                for text in self.sentences()
                if (found := re.search(r"The (\d+) ranks between (\w+) and (\w+); below it (.*)\.", text))
            ),
            None,
        )
        if below is not None:
            words = [below[2], below[1], *below[4].split(", ")]
            return [RANKS.get(word, word) for word in words]
        answer = self.find(
            r"In each suit the (\w+) is highest, then (\w+), (\w+), (\w+) and (\d+) down to (\d+)"
        )
        high = [RANKS[word] for word in answer.groups()[:4]]
        found = high + [str(rank) for rank in range(int(answer[5]), int(answer[6]) - 1, -1)]
        if kind == "sooli":
            self.find(r"the ace is lowest, below the 2")
            found = found[1:] + found[:1]
        return found

    def beside(self, seat: int, pattern: str) -> int:
        """The seat that the page calls somebody's left or right."""
        return (seat + {"left": 1, "right": -1}[self.find(pattern)[1]]) % 4

    def taker(self, plays: tuple[tuple[int, Card], ...], kind: str, trump: int | None) -> int:
        """Who takes a trick by the sentences of the page."""
        order = self.order(kind)
        self.find(r"highest card of the suit led")
        if trump is not None:
            self.find(r"The highest trump takes the trick")
        suit = trump if any(card.suit == trump for _, card in plays) else plays[0][1].suit
        able = [(seat, card) for seat, card in plays if card.suit == suit]
        return min(able, key=lambda play: order.index(str(play[1])[1:]))[0]


def hands(preset: str) -> Iterator[tuple[PageReader, Match, Played]]:
    """Ten hands of the rule-based player, each with the reader of its page."""
    game, rules = find(preset)
    reader = PageReader(rulebook(game, rules, preset, Reader.of("en")))
    company = [find_player("rules")] * 4
    for number in range(HANDS):
        match = Match.start(game, rules, 4, number % 4).deal(Random(f"{preset}/{number}"))
        while not match.played:
            move = next_choice(match, company, seeds(match, number))
            assert move is not None
            before, match = match, match.apply(move[0], move[1].action)
        yield reader, before, match.played[-1]


def trumps(hand: Hand, start: Match) -> list[int | None]:
    """The trump suit of each trick, as everybody hears it declared."""
    facts = hand.view(None).facts
    marriages = facts.marriages if isinstance(facts, Auctioned) else ()
    count = len(hand.view(None).tricks)
    return [
        next((one.suit for one in reversed(marriages) if one.trick <= number), None)
        for number in range(1, count + 1)
    ]


def tricks_agree(reader: PageReader, view: View, first: int, kind: str, trump: list[int | None]) -> None:
    """Every lead and every trick is where the reader says."""
    leader = first
    for trick, suit in zip(view.tricks, trump, strict=True):
        assert trick.leader == leader and trick.plays[0][0] == leader
        leader = reader.taker(trick.plays, kind, suit)
        assert trick.winner == leader
    reader.find(r"its player leads to the next")


@pytest.mark.parametrize(
    ("preset", "high", "low"), [("tuppi", "rami", "nolo"), ("minnesota", "a grand", "a low hand")]
)
def test_stranger_follows_and_scores_the_whist_family(preset: str, high: str, low: str) -> None:
    for reader, _, played in hands(preset):
        view = played.hand.view(None)
        facts = Bid.of(view.facts)
        dealer, kind, bidder = played.hand.setup.dealer, str(facts.kind), facts.bidder
        if kind == "sooli":
            assert facts.soloist is not None
            first = reader.beside(facts.soloist, r"The soloist’s (left|right) neighbour leads first")
        elif kind == "high":
            assert bidder is not None
            first = reader.beside(bidder, rf"In {high} the player on the bidder’s (left|right) leads first")
        else:
            first = reader.beside(dealer, rf"In {low} the player on the dealer’s (left|right) leads first")
        tricks_agree(reader, view, first, kind, [None] * len(view.tricks))
        taken = [sum(trick.winner % 2 == side for trick in view.tricks) for side in (0, 1)]
        points = [0, 0]
        if kind == "sooli":
            assert facts.soloist is not None
            lost = any(trick.winner == facts.soloist for trick in view.tricks)
            points[(facts.soloist + lost) % 2] = int(reader.find(r"Sooli pays (\d+) points")[1])
        else:
            more = int(taken[1] > taken[0])
            ours = bidder is not None and bidder % 2 == more
            label = "fewer" if kind == "low" else "taken by its bidders" if ours else "taken by the others"
            pays = reader.table(label)
            each = pays["8"] - pays["7"]
            points[1 - more if kind == "low" else more] = pays["7"] + (max(taken) - 7) * each
        assert played.result.points == tuple(points)


def test_stranger_follows_and_scores_huutopussi() -> None:
    for reader, match, played in hands("huutopussi"):
        view = played.hand.view(None)
        facts = Auctioned.of(view.facts)
        assert facts.declarer is not None and facts.contract is not None
        reader.find(r"The declarer leads any card to the first trick")
        tricks_agree(reader, view, facts.declarer, "", trumps(played.hand, match))
        cards, weddings = reader.table("What the cards count"), reader.table("What marriages count")
        earned = [0, 0]
        for trick in view.tricks:
            earned[trick.winner % 2] += sum(cards.get(str(card)[1:], 0) for _, card in trick.plays)
        earned[view.tricks[-1].winner % 2] += int(reader.find(r"The last trick counts (\d+)")[1])
        for one in facts.marriages:
            earned[one.by % 2] += weddings["♠♥♦♣"[one.suit]]
        side = facts.declarer % 2
        reader.find(r"scores the contract if it has reached it, and never more")
        reader.find(r"If it falls short, it loses the contract")
        reader.find(r"The others score what they have earned")
        points = [earned[0], earned[1]]
        points[side] = facts.contract if earned[side] >= facts.contract else -facts.contract
        assert played.result.points == tuple(points)


def test_stranger_follows_and_scores_tuppen() -> None:
    for reader, _, played in hands("tuppen_zk"):
        view = played.hand.view(None)
        facts = Staked.of(view.facts)
        left, stake, costs = set[int](), 1, [0, 0, 0, 0]
        for by, action in played.hand.log:
            if action == RAISE:
                stake += 1
            elif action == LEAVE:
                left.add(by)
                costs[by] = 1 if stake == 2 else reader.table("leave")[str(stake)]
        reader.find(r"Leaving costs the stake before the raise")
        if not left:
            first = reader.beside(played.hand.setup.dealer, r"The player on the dealer’s (left|right) leads")
            tricks_agree(reader, view, first, "", [None] * len(view.tricks))
        winner = next(iter(facts.in_hand)) if len(facts.in_hand) == 1 else view.tricks[-1].winner
        assert len(reader.find(r"only the last one counts")[0]) > 0
        for seat in range(4):
            if seat not in left and seat != winner:
                costs[seat] = 1 if stake == 1 else reader.table("go along and lose")[str(stake)]
        fined = played.result.outcome.plain().get("fines") or (0,) * 4
        assert played.result.points == tuple(-cost - fine for cost, fine in zip(costs, fined, strict=True))
