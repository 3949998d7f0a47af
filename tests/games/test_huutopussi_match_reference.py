"""A second referee of everything in Huutopussi but the tricks agrees with the first on whole matches.

It tells auction, demands for a new deal, exchange and contract as one straight procedure, pays the hand and
finds the winner in its own way; the tricks between are the second referee's of `test_huutopussi_reference`.
It walks beside random matches under rules drawn at random, from scores at which sides are barred.
"""

from collections.abc import Generator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from nousu.engine.errors import BadRules
from nousu.engine.game import Setup
from nousu.engine.match import Match
from nousu.engine.options import options
from nousu.games import find
from nousu.games.huutopussi import GAME, Hand, Rules, Totals
from tests.games.test_huutopussi_reference import CLASSIC, HEARTS_HIGH, SIMPLE, SPADES_HIGH, Plain

WORTH = {"simple": SIMPLE, "classic": CLASSIC, "matrix": {"A": 10, "10": 10, "K": 5, "Q": 5}}
WEDDINGS = {"hearts_high": HEARTS_HIGH, "spades_high": SPADES_HIGH}
Step = tuple[int, set[str]]
"""The seat on turn and its legal actions."""
Steps = Generator[Step, str, str]


def gifts_of(cards: list[str], many: int, to: int) -> set[str]:
    """Every way to push this many of these cards over to a seat."""
    return {f"give {' '.join(sorted(some))} to {'NESW'[to]}" for some in combinations(cards, many)}


def plain(text: str) -> str:
    """A gift with its cards in one order."""
    words = text.split()
    return " ".join(["give", *sorted(words[1:-2]), *words[-2:]]) if words[0] == "give" else text


class PlainHand:
    """A whole hand: auction, exchange, contract, score. `Plain` plays the tricks."""

    def __init__(self, rules: Any, score: list[int], dealer: int) -> None:
        self.rules, self.score = rules, score
        self.hands: list[list[str]] = []
        self.order = [(dealer + step) % 4 for step in (1, 2, 3, 4)]
        self.all = sum(WORTH[rules.card_values].values()) * 4 + rules.last_trick + 280
        self.bid, self.bidder, self.contract = 0, -1, 0
        self.claimed: set[int] = set()
        self.void = False

    def barred(self, seat: int) -> bool:
        """HP-GR-33."""
        return self.rules.bid_ban != "off" and self.score[seat % 2] <= self.rules.bid_ban

    def demand(self, seat: int, when: str) -> set[str]:
        """A-H-06: the word with which this player may want new cards now."""
        rule = self.rules.redeal_rule
        open_at = {
            "first_turn": {"first turn"},
            "any_turn": {"first turn", "turn"},
            "bid_and_exchange": {"first turn", "turn", "exchange"},
        }
        if when not in open_at[self.rules.redeal_window]:
            return set()
        if rule == "four_sixes_pair":
            return set() if seat % 2 in self.claimed else {"sixes"}
        ranks = [card[1:] for card in self.hands[seat]]
        poor = ranks.count("6") > 2 or not {"A", "10", "K", "Q"} & set(ranks)
        return {"redeal"} if rule != "off" and poor else set()

    def ask(self, seat: int, may: set[str], when: str) -> Steps:
        """One decision; claims of four sixes that are not true are heard and change nothing."""
        while True:
            text = yield seat, may | self.demand(seat, when)
            if text != "sixes":
                self.void = text == "redeal"
                return text
            self.claimed.add(seat % 2)
            held = self.hands[seat] + self.hands[(seat + 2) % 4]
            if all(suit + "6" in held for suit in "SHDC"):
                self.void = True
                return text

    def tell(self) -> Steps:
        rules = self.rules
        most = {"auto": self.all, None: None}.get(rules.max_bid, rules.max_bid)
        free = rules.reopen_if_barred and all(map(self.barred, range(4)))
        mute = [] if free else [seat for seat in self.order if self.barred(seat)]
        yield from self.auction(self.order, mute, most)
        if not self.void and self.bidder < 0 and rules.reopen_if_barred and mute:
            yield from self.auction(mute, [], most, again=True)
        if self.void or self.bidder < 0:
            self.void = self.void or rules.all_pass == "redeal"
            return ""
        yield from self.exchange(most)
        return ""

    def auction(self, order: list[int], mute: list[int], most: int | None, again: bool = False) -> Steps:
        """HP-GR-04 to HP-GR-07."""
        rules, step = self.rules, self.rules.bid_step
        waiting = list(order)
        turns = set(order) if again else set[int]()
        while waiting and not (len(waiting) == 1 and self.bidder >= 0):
            seat = waiting.pop(0)
            when = "turn" if seat in turns else "first turn"
            turns.add(seat)
            low = max(rules.min_bid, self.bid + step)
            high = max(self.all, low) if most is None else most
            may = {str(bid) for bid in range(low, high + 1) if bid % step == 0}
            opening = rules.forced_opening and self.bid == 0
            if seat in mute:
                may = {str(rules.min_bid)} if opening else set()
            said = yield from self.ask(seat, may if opening else may | {"pass"}, when)
            if self.void:
                return ""
            if said != "pass":
                self.bid, self.bidder = int(said), seat
                waiting.append(seat)
                if most is not None and self.bid + step > most:
                    return ""
        return ""

    def exchange(self, most: int | None) -> Steps:
        """HP-GR-08 to HP-GR-10, A-H-04, A-H-05."""
        many, seat = self.rules.exchange_cards, self.bidder
        mate = (seat + 2) % 4
        high = max(self.all, self.bid) if most is None else most
        early = self.rules.contract_timing == "before_return"
        for by, to, what in (
            (mate, seat, "cards"),
            (seat, seat, early),
            (seat, mate, "cards"),
            (seat, seat, not early),
        ):
            if what == "cards":
                text = yield from self.ask(by, gifts_of(self.hands[by], many, to), "exchange")
                if self.void:
                    return ""
                for card in text.split()[1:-2]:
                    self.hands[by].remove(card)
                    self.hands[to].append(card)
            elif what:
                may = {f"contract {points}" for points in range(self.bid, high + 1) if points % 5 == 0}
                text = yield from self.ask(by, may, "exchange" if early else "later")
                if self.void:
                    return ""
                self.contract = int(text.split()[1])
        return ""

    def pays(self, earned: list[int], tricks: list[int], doubled: int) -> list[int]:
        """HP-GR-30 to HP-GR-32, HP-WU-11 to HP-WU-15, A-H-02, A-H-03, A-H-19, A-H-20, A-H-24."""
        rules = self.rules
        near = [min(range(0, 501, 5), key=lambda five: abs(five - one)) for one in earned]
        paid = near if rules.defender_rounding == "nearest5" else list(earned)
        if self.bidder < 0:
            return paid
        ours = self.bidder % 2
        theirs = 1 - ours
        if earned[ours] >= self.contract:
            paid[ours] = self.contract
        elif tricks[ours]:
            paid[ours] = 0 if rules.failed_contract == "zero" else -self.contract
        else:
            paid[ours] = -self.contract * (2 if "double" in rules.trickless_declarer else 1)
        for _ in range(doubled - (not tricks[theirs] and earned[ours] < self.contract)):
            if tricks[ours] or rules.kontra_trickless == "doubled":
                paid[ours] *= 2
        if not tricks[theirs]:
            loss = {"bid": self.bid, "contract": self.contract, "double_contract": 2 * self.contract}
            if earned[ours] >= self.contract:
                loss["double_if_made"] = 2 * self.contract
            paid[theirs] = -loss.get(rules.trickless_defenders.partition("_")[2], 0)
        return paid


def verdict(rules: Any, score: list[int], declarer: int) -> list[int] | None:
    """Who has won: HP-GR-34, A-H-17."""
    least = rules.target + 1 if rules.win_condition == "exceed" else rules.target
    there = [one for one in (0, 1) if score[one] >= least]
    if len(there) < 2:
        return there or None
    if rules.both_reach == "declarer_first" and declarer >= 0:
        return [declarer % 2]
    if score[0] == score[1]:
        return [] if rules.equal == "draw" else None
    return [score.index(max(score))]


def random_rules(rng: Random) -> Any:
    """Rules with every option drawn at random, as long as they do not contradict themselves."""
    while True:
        chosen: dict[str, Any] = {
            item.name: rng.choice(item.values) for item in options(Rules) if item.values
        }
        chosen |= {"last_trick": rng.choice([0, 10, 20, 37]), "target": rng.choice([50, 100, 200])}
        chosen["kontra"] = rng.choice([0, 1, 2, 3, 9])
        chosen["min_bid"] = chosen["bid_step"] * rng.randint(1, 6)
        try:
            return Rules(**chosen)
        except BadRules:
            continue


def likely(rng: Random, legal: tuple[Any, ...]) -> Any:
    """A random action, but low bids, passes, lowest contracts, declarations and aces more often."""
    sure = [one for one in legal if str(one).startswith(("marriage", "yes", "kontra", "re"))]
    numbers = [one for one in legal if str(one).isdigit()]
    first = [one for one in legal if str(one) == "pass" or str(one).startswith("contract")]
    high = [one for one in legal if str(one).startswith("play") and str(one)[-1] == "A"]
    for some, share in ((sure, 0.8), (first[:1], 0.6), (numbers[:2], 0.7), (high, 0.5)):
        if some and rng.random() < share:
            return rng.choice(some)
    return rng.choice(legal)


@pytest.mark.clause(
    "HP-GR-04", "HP-GR-05", "HP-GR-06", "HP-GR-07", "HP-GR-08", "HP-GR-09", "HP-GR-10", "HP-GR-11"
)
@pytest.mark.clause("HP-GR-30", "HP-GR-31", "HP-GR-32", "HP-GR-33", "HP-GR-34", "A-H-06", "A-H-07", "A-H-17")
@pytest.mark.clause(
    "HP-WU-10", "HP-WU-11", "HP-WU-12", "HP-WU-13", "HP-WU-14", "HP-WU-15", "A-H-23", "A-H-24"
)
def test_two_referees_agree_on_matches_by_random_rules(subtests: pytest.Subtests) -> None:
    """Bans, reopened auctions, demands, contracts, pay and ends of matches by rules drawn at random."""
    for seed in range(100):
        with subtests.test(seed=seed):
            rng = Random(seed)
            agree(random_rules(rng), rng)


NEW = {"attempts", "half_requires_card", "kontra", "kontra_trickless", "trickless_defenders"}
"""Options of the text that describes kontra."""


@pytest.mark.slow
def test_two_referees_agree_on_three_thousand_matches() -> None:
    """Rules drawn at random, and Erlangen's with the options of `NEW` drawn at random."""
    for seed in range(3000):
        rng = Random(10_000 + seed)
        rules = random_rules(rng)
        if seed % 2:
            rules = replace(
                find("huutopussi_erlangen")[1], **{name: getattr(rules, name) for name in NEW}, target=200
            )
        agree(rules, rng)


def agree(rules: Any, rng: Random) -> None:
    """Walk both referees beside one random match."""
    score = [rng.choice([0, 0, -1, -250, -500, -501, 45, 180]) for _ in "NE"]
    tally = Totals(rules, (score[0], score[1]))
    dealer = rng.choice(range(4))
    match = Match.start(GAME, rules, 4, dealer)
    match = replace(match, tally=tally, hand=Hand(rules, Setup(4, dealer, tally)))
    while match.winner is None and len(match.played) < 8:
        assert match.hand.setup.dealer == dealer
        match, found, table = beside(match, PlainHand(rules, score, dealer), rng)
        result = match.played[-1].result
        assert result.void == found.void
        if found.void:
            continue
        assert table is not None
        earned = table.points(WORTH[rules.card_values], rules.last_trick, WEDDINGS[rules.marriage_values])
        taken = [sum(winner % 2 == one for _, winner, _ in table.tricks) for one in (0, 1)]
        paid = found.pays(earned, taken, table.doubled)
        score = [had + won for had, won in zip(score, paid, strict=True)]
        assert list(match.tally.score()) == score
        ended = verdict(rules, score, found.bidder)
        assert match.winner == (None if ended is None else tuple(ended))
        dealer = (dealer + 1) % 4


def beside(match: Match, found: PlainHand, rng: Random) -> tuple[Match, PlainHand, Plain | None]:
    """One hand played at random with the second referee watching every step."""
    before, match = len(match.played), match.deal(rng)
    found.hands = [[str(card) for card in match.hand.view(seat).cards] for seat in range(4)]
    story = found.tell()
    step: Step | None = next(story)
    table: Plain | None = None
    while len(match.played) == before:
        if step is None and table is None:
            here: Any = match.hand
            table = Plain(here)
            assert [sorted(cards) for cards in table.hands] == [sorted(cards) for cards in found.hands]
            assert table.turn == (found.bidder if found.bidder >= 0 else found.order[0])
        if step is None:
            assert table is not None
            step = table.answers() if table.asking else table.turn, table.options()
        seat, may = step
        legal = match.hand.legal(seat)
        assert match.hand.owed() == (seat,)
        assert {plain(str(action)) for action in legal} == may
        action = likely(rng, legal)
        match = match.apply(seat, action)
        step = None
        if table is not None:
            table.do(str(action))
            continue
        try:
            step = story.send(str(action))
        except StopIteration:
            assert not found.void or len(match.played) > before
    return match, found, table
