"""A second referee of the whist family, written as one straight procedure, agrees with the first.

It knows cards as text and players as numbers in lists, tells a hand as a generator that waits for the next
thing done, keeps the score in its own way and shares no code with the rules. It walks beside random matches
under rules drawn at random.
"""

from collections.abc import Generator
from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Deal
from nousu.engine.cards import DECK_52
from nousu.engine.errors import BadRules
from nousu.engine.match import Match
from nousu.engine.options import options
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.whist import GAME, PRESETS, Rules

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
Wait = tuple[list[int], dict[int, set[str]]]
"""The seats that owe an action, and the legal actions of all seats."""
Story = Generator[Wait, tuple[int, str], None]


class PlainHand:
    """One hand from the bids to the score: `pay` is points a side, None if the hand is void."""

    def __init__(self, rules: Any, dealer: int, hands: list[list[str]], riser: int | None) -> None:
        self.rules, self.dealer, self.hands, self.riser = rules, dealer, hands, riser
        self.words = ["rami", "nolo"] if rules.score_model == "single_riser" else ["grand", "nullo"]
        self.high, self.bidder, self.alone = False, -1, -1
        self.tricks = [0, 0]
        self.pay: list[int] | None = None
        self.scorer = -1
        self.story = self.tell()
        self.wait: Wait | None = next(self.story)

    def do(self, seat: int, text: str) -> None:
        """Somebody does something."""
        assert self.wait is not None
        try:
            self.wait = self.story.send((seat, text))
        except StopIteration:
            self.wait = None

    def only(self, seat: int, may: set[str]) -> Wait:
        return [seat], {other: may if other == seat else set() for other in range(4)}

    def around(self, first: int) -> list[int]:
        return [(first + step) % 4 for step in range(4)]

    def tell(self) -> Story:
        yield from self.aloud() if self.rules.bid_mode == "spoken" else self.sealed()
        if self.pay == [0, 0]:
            self.pay = None
            return
        if self.high and self.rules.sooli:
            for seat in ((self.bidder + 1) % 4, (self.bidder + 3) % 4):
                _, said = yield self.only(seat, {"sooli", "pass"})
                if said == "sooli":
                    self.alone = seat
                    break
        if self.alone >= 0:
            yield from self.exchange()
        yield from self.play()

    # -- bids

    def aloud(self) -> Story:
        """MW-WIK-18, A-M-02, A-N-05."""
        may = {"pass", *self.words[: 1 if self.rules.spoken_bids == "pass_grand" else 2]}
        for seat in self.around((self.dealer + 1) % 4):
            _, said = yield self.only(seat, may)
            if said != "pass":
                self.bidder, self.high = seat, said == self.words[0]
                return

    def bids(self, seat: int) -> set[str]:
        """A-T-03, A-T-04, A-N-04."""
        rules, hand = self.rules, self.hands[seat]
        if rules.bid_mode == "bid_card":
            return {"seal " + word for word in self.words}
        barred = {"3-10": "2 J Q K A", "3-10,A": "2 J Q K", "any": ""}[rules.bid_ranks].split()
        usable = [card for card in hand if card[1:] not in barred]
        may = {"seal " + card for card in usable}
        if rules.single_colour_hand == "verbal":
            held = {self.means_high(card) for card in usable}
            may |= {
                "seal " + word
                for word, high in zip(self.words, (True, False), strict=True)
                if high not in held
            }
        if rules.single_colour_hand == "may_void" and len({card[0] in "HD" for card in hand}) == 1:
            may.add("show " + " ".join(sorted(hand)))
        return may

    def means_high(self, bid: str) -> bool:
        return bid == self.words[0] or bid[0] in ("HD" if self.rules.high_colour == "red" else "SC")

    def sealed(self) -> Story:
        """T-CAT-11 to T-CAT-19, NW-CAT-04 to NW-CAT-07, MW-WIK-05 to MW-WIK-09."""
        first = self.dealer + (1 if self.rules.expose_start == "left" else 3)
        order = self.around(first % 4)
        laid: dict[int, str] = {}
        while len(laid) < 4:
            missing = [seat for seat in order if seat not in laid]
            seat, text = yield missing, {s: self.bids(s) if s in missing else set() for s in range(4)}
            if text.startswith("show"):
                self.pay = [0, 0]
                return
            laid[seat] = text[5:]
        for seat in order:
            word = laid[seat] in self.words
            yield self.only(seat, {laid[seat] if word else "show " + laid[seat]})
            high = laid[seat] == self.words[0] if word else self.means_high(laid[seat])
            if high:
                self.bidder, self.high = seat, True
                return

    # -- sooli

    def exchange(self) -> Story:
        """A-T-07."""
        mate, way = (self.alone + 2) % 4, self.rules.sooli_exchange
        steps = {
            "none": [],
            "discard_then_receive": [(self.alone, None), (mate, self.alone)],
            "receive_then_return": [(mate, self.alone), (self.alone, mate)],
        }[way]
        for by, to in steps:
            where = "away" if to is None else "to " + "NESW"[to]
            _, text = yield self.only(by, {f"give {card} {where}" for card in self.hands[by]})
            card = text.split()[1]
            self.hands[by].remove(card)
            if to is not None:
                self.hands[to].append(card)

    # -- tricks

    def leader(self) -> int:
        rules, dealer, bidder = self.rules, self.dealer, self.bidder
        if self.alone >= 0:
            return (self.alone + 1) % 4
        if self.high:
            far = {"right_of_bidder": bidder + 3, "left_of_bidder": bidder + 1, "forehand": dealer + 1}
            return far[rules.high_lead] % 4
        if rules.low_lead == "forehand":
            return (dealer + 1) % 4
        return ((bidder if bidder >= 0 else dealer) + 3) % 4

    def lost(self) -> bool:
        """A-T-15: whether the rising side can no longer score."""
        if self.riser is None or self.alone >= 0:
            return False
        return self.tricks[1 - self.riser if self.high else self.riser] >= 7

    def play(self) -> Story:
        rules, alone = self.rules, self.alone
        ranks = ["A", *RANKS[:-1]] if alone >= 0 else RANKS
        turn, caught = self.leader(), False
        for _ in range(13):
            order = [seat for seat in self.around(turn) if alone < 0 or seat != (alone + 2) % 4]
            if alone >= 0 and rules.sooli_order == "always_last" and turn != alone:
                order = [seat for seat in order if seat != alone] + [alone]
            laid: list[tuple[int, str]] = []
            for seat in order:
                hand = self.hands[seat]
                follow = [card for card in hand if laid and card[0] == laid[0][1][0]]
                may = {other: set[str]() for other in range(4)}
                may[seat] = {"play " + card for card in follow or hand}
                if rules.early_end == "offer" and self.lost():
                    may = {other: said | {"end"} for other, said in may.items()}
                _, text = yield [seat], may
                if text == "end":
                    self.topple()
                    return
                hand.remove(text[5:])
                laid.append((seat, text[5:]))
            same = [one for one in laid if one[1][0] == laid[0][1][0]]
            turn = max(same, key=lambda one: ranks.index(one[1][1:]))[0]
            self.tricks[turn % 2] += 1
            caught = caught or turn == alone
            if caught and rules.sooli_stop:
                break
            if rules.early_end == "auto" and self.lost() and sum(self.tricks) < 13:
                self.topple()
                return
        if alone >= 0:
            self.settle([rules.sooli_points if (one == alone % 2) != caught else 0 for one in (0, 1)])
        else:
            self.settle(self.worth())

    def topple(self) -> None:
        """T-WIK-24: the hand is broken off and its size does not matter."""
        assert self.riser is not None
        self.pay, self.scorer = [0, 0], 1 - self.riser

    def settle(self, points: list[int]) -> None:
        self.pay = points
        self.scorer = points.index(max(points))

    def worth(self) -> list[int]:
        """Points by the scoring options (docs/play/rules/tuppi.md)."""
        rules, t = self.rules, self.tricks
        points = [0, 0]
        if self.high:
            ours, theirs = self.bidder % 2, 1 - self.bidder % 2
            if t[ours] >= 7:
                points[ours] = rules.high_points * (t[ours] - 6)
            else:
                points[theirs] = rules.high_fail_points * (t[theirs] - 6)
                points[ours] = -rules.high_fail_debit * (7 - t[ours])
        elif rules.low_mode == "credit_winner":
            few = t.index(min(t))
            points[few] = rules.low_points * (7 - t[few])
        else:
            many = t.index(max(t))
            points[many] = -rules.low_points * (t[many] - 6)
        return points


class PlainMatch:
    """The score by the rising side, or of sides that add up their points. `won` is () for a draw."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.riser: int | None = None
        self.points = 0
        self.sums, self.peaks, self.totals = [0, 0], [0, 0], [0, 0]
        self.hands, self.extra = 0, False
        self.won: tuple[int, ...] | None = None

    def score(self) -> list[int]:
        if self.rules.score_model == "cumulative":
            return self.totals
        return [self.points if one == self.riser else 0 for one in (0, 1)]

    def book(self, pay: list[int], scorer: int) -> None:
        """One hand more."""
        self.hands += 1
        if self.rules.score_model == "cumulative":
            self.added(pay)
        elif self.extra:
            self.won = (scorer,)
        else:
            self.risen(max(pay), scorer)

    def added(self, pay: list[int]) -> None:
        rules = self.rules
        self.totals = [had + got for had, got in zip(self.totals, pay, strict=True)]
        best = self.totals.index(max(self.totals))
        if self.totals[best] >= rules.target:
            self.won = (best,)
        elif rules.max_hands is not None and self.hands >= rules.max_hands:
            steps = [step for step in rules.limit_tiebreak if step != "other_criterion"]
            if self.totals[0] != self.totals[1]:
                self.won = (best,)
            elif not steps or steps[0] == "draw":
                self.won = ()

    def risen(self, points: int, scorer: int) -> None:
        rules = self.rules
        if self.riser not in (None, scorer):
            self.riser, self.points = None, 0
        else:
            self.riser, self.points = scorer, self.points + points
            self.sums[scorer] += points
            self.peaks[scorer] = max(self.peaks[scorer], self.points)
            if self.points >= rules.target:
                self.won = (scorer,)
                return
        if rules.max_hands is None or self.hands < rules.max_hands:
            return
        if not (rules.extension and self.riser is not None):
            self.decide()

    def decide(self) -> None:
        keys = [self.sums, self.peaks]
        if self.rules.limit_criterion == "peak":
            keys.reverse()
        if keys[0][0] != keys[0][1]:
            self.won = (keys[0].index(max(keys[0])),)
            return
        for step in self.rules.limit_tiebreak:
            if step == "other_criterion" and keys[1][0] != keys[1][1]:
                self.won = (keys[1].index(max(keys[1])),)
                return
            if step == "draw":
                break
            if step == "extra_hands":
                self.extra, self.riser, self.points = True, None, 0
                return
        self.won = ()


def plain(text: str) -> str:
    """An action with its cards in one order."""
    words = text.split()
    return " ".join(["show", *sorted(words[1:])]) if words[0] == "show" else text


def cards_for(rng: Random) -> Deal:
    """A random deal; in one of four hands of one colour are likely."""
    pack = list(DECK_52)
    rng.shuffle(pack)
    if rng.random() < 0.25:
        pack.sort(key=lambda card: card.suit in (1, 2))
        for _ in range(rng.randint(0, 4)):
            one, two = rng.randrange(52), rng.randrange(52)
            pack[one], pack[two] = pack[two], pack[one]
    places = rng.sample(range(4), 4)
    return Deal(tuple(tuple(pack[13 * place : 13 * place + 13]) for place in places))


def walk(rules: Any, rng: Random, limit: int = 40) -> list[Any]:
    """Both referees beside one random match; the results of its hands."""
    dealer = rng.choice(range(4))
    match, found = Match.start(GAME, rules, 4, dealer), PlainMatch(rules)
    while match.winner is None and len(match.played) < limit:
        assert match.hand.setup.dealer == dealer
        before, match = len(match.played), match.apply(CHANCE, cards_for(rng))
        cards = [[str(card) for card in match.hand.view(seat).cards] for seat in range(4)]
        hand = PlainHand(rules, dealer, cards, found.riser)
        while len(match.played) == before:
            assert hand.wait is not None
            owed, may = hand.wait
            assert list(match.hand.owed()) == owed
            for seat in range(4):
                assert {plain(str(action)) for action in match.hand.legal(seat)} == may[seat]
            seat = rng.choice(owed)
            action = rng.choice(match.hand.legal(seat))
            if str(action) == "pass" and rng.random() < 0.3:
                action = match.hand.legal(seat)[0]
            match = match.apply(seat, action)
            hand.do(seat, plain(str(action)))
        assert hand.wait is None
        result = match.played[-1].result
        assert result.void == (hand.pay is None)
        if hand.pay is None:
            continue
        assert list(result.points) == hand.pay
        found.book(hand.pay, hand.scorer)
        dealer = (dealer + 1) % 4
        assert list(match.tally.score()) == found.score()
        assert match.winner == found.won
    return [one.result for one in match.played]


def test_two_referees_agree_on_the_presets(subtests: pytest.Subtests) -> None:
    for preset in sorted(PRESETS):
        with subtests.test(preset=preset):
            assert walk(find(preset)[1], Random(preset), 12)


def random_rules(rng: Random) -> Any:
    """Rules with every option drawn at random, as long as they do not contradict themselves."""
    while True:
        chosen: dict[str, Any] = {
            item.name: rng.choice(item.values) for item in options(Rules) if item.values
        }
        steps = ["other_criterion", "extra_hands", "draw"]
        small = {
            "high_points": 4,
            "high_fail_points": 8,
            "low_points": 4,
            "sooli_points": 24,
            "high_fail_debit": 3,
        }
        chosen |= {name: rng.randint(0, most) for name, most in small.items()}
        chosen["target"] = rng.choice([5, 20, 52])
        chosen["max_hands"] = rng.choice([None, 1, 2, 3, 5])
        chosen["limit_tiebreak"] = tuple(rng.sample(steps, rng.randint(0, 3)))
        try:
            return Rules(**chosen)
        except BadRules:
            continue


@pytest.mark.clause(
    "T-CAT-17",
    "T-CAT-18",
    "T-CAT-21",
    "T-CAT-23",
    "T-CAT-29",
    "T-CAT-35",
    "T-CATT-05",
    "T-WIK-16",
    "T-WIKT-03",
    "T-WIKT-04",
    "NW-CAT-05",
    "NW-CAT-07",
    "NW-CAT-14",
    "MW-WIK-07",
    "MW-WIK-16",
    "MW-WIK-18",
    "A-T-04",
    "A-T-07",
    "A-T-09",
    "A-T-13",
    "A-T-15",
    "A-T-19",
    "A-T-20",
    "A-T-21",
    "A-N-04",
    "A-N-05",
)
def test_two_referees_agree_on_random_rules(subtests: pytest.Subtests) -> None:
    for seed in range(60):
        with subtests.test(seed=seed):
            rng = Random(seed)
            assert walk(random_rules(rng), rng)


SOOLI_TO_THE_END = "tuppi+sooli_stop=off+target=20"


@pytest.mark.clause("A-T-11", "T-CAT-31")
def test_two_referees_agree_on_soolis_played_to_the_end() -> None:
    for seed in range(40):
        assert walk(to_the_end(Random(seed)), Random(seed), 6)


@pytest.mark.slow
def test_two_referees_agree_on_two_thousand_matches() -> None:
    """Soolis played to the end, the short game and the one with a set bonus, and rules drawn at random."""
    for seed in range(2000):
        rng = Random(20_000 + seed)
        short = find(rng.choice(["norwegian_short", "norwegian_set_bonus"]))[1]
        walk((to_the_end(rng), short, random_rules(rng))[seed % 3], rng, 12)


def to_the_end(rng: Random) -> Any:
    """Rules by which a sooli goes on after the soloist's first trick."""
    order, exchange = rng.choice(["always_last", "rotation"]), rng.choice(["none", "receive_then_return"])
    return find(f"{SOOLI_TO_THE_END}+sooli_order={order}+sooli_exchange={exchange}")[1]
