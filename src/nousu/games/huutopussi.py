"""Huutopussi: bid, exchange, take tricks, and make trumps while playing.

Theory of operation
-------------------
Four players, sides by seat parity, 36 cards (A 10 K Q J 9 8 7 6), nine each. A hand goes

    deal → auction → give → (contract) → return → (contract) → 9 tricks → result

The highest bidder is the *declarer*: the partner pushes over three or four cards, the declarer names the
points the side must reach and pushes as many back (`contract_timing` says in which order). Three oddities:

* There is no trump at first. Who led and won a trick may, before leading again, make one attempt: name a
  marriage (K and Q of a suit), ask the partner for one, or for the other half of one. An answer is a
  question's answer, and by default a true one. Each suit once; the latest declared is trump; all score.
* Asking costs rights for the rest of the hand (A-H-12): two flags a seat, `own` and `full`.
* One must follow, beat what is winning (the partner too), and trump: `Duties` of the trick play.

`legal` knows no more than its seat. Under `four_sixes_pair` anybody may therefore say that his pair holds
the four sixes, once a pair; whether it does is found out then, and if not, the hand goes on.

Source: HP-GR, resolutions A-H; presets by RULES 3.2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

from nousu.engine import shown
from nousu.engine.actions import Action, Call, Deal, Entry, Give, Play, check_action, hearing, plays
from nousu.engine.asking import Question
from nousu.engine.cards import CARDS, DECK_36, SUIT_SETS, SUITS, TEN_BELOW_ACE, CardSet, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.facts import Loose
from nousu.engine.game import Dealing, Game, Result, Setup, View
from nousu.engine.notes import Note, sentence
from nousu.engine.options import check_values, clash, option
from nousu.engine.seats import CHANCE, Seat, check_viewer, clockwise, left, partner, side
from nousu.engine.tricks import Duties, Trick, TrickPlay
from nousu.engine.values import changed

# ------------------------------------------------------------------------------------------- rules


def _ranks(letters: str) -> CardSet:
    return card_set(card for card in DECK_36 if str(card)[1] in letters)


_WORTH: Mapping[str, tuple[tuple[CardSet, int], ...]] = {
    "simple": ((_ranks("A1"), 10), (_ranks("KQJ"), 5)),
    "classic": ((_ranks("A"), 11), (_ranks("1"), 10), (_ranks("K"), 4), (_ranks("Q"), 3), (_ranks("J"), 2)),
    "matrix": ((_ranks("A1"), 10), (_ranks("KQ"), 5)),
}
"""Points of the cards by `card_values`: sets of ranks and what each card of them counts (HP-GR-13)."""
MARRIAGES = {"hearts_high": (40, 100, 80, 60), "spades_high": (100, 80, 60, 40)}
"""Points of a marriage by suit number, spades hearts diamonds clubs (HP-GR-28, A-H-16)."""
_SIXES, _HIGH, ACES = _ranks("6"), _ranks("A1KQ"), _ranks("A")
_KING, _QUEEN = 11, 10
PAIR: tuple[CardSet, ...] = tuple(lane & _ranks("KQ") for lane in SUIT_SETS)
"""King and queen of each suit."""
_ALL = card_set(DECK_36)


def card_points(cards: CardSet, values: str) -> int:
    """Points of a set of cards by `card_values` (HP-GR-13); the whole pack counts 140 or 120.

    >>> card_points(_ALL, "simple")
    140
    """
    return sum((cards & ranks).bit_count() * points for ranks, points in _WORTH[values])


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Every option of the game; the values of `huutopussi` are the defaults (RULES 3.2)."""

    # fmt: off
    card_values: Literal["simple", "classic", "matrix"] = option(
        "simple", group="scoring", values=("simple", "classic", "matrix"), clause="HP-GR-13 A-H-15",
        doc="Points for A 10 K Q J: 10 10 5 5 5, or 11 10 4 3 2, or 10 10 5 5 0.")
    last_trick: int = option(
        20, group="scoring", low=0, high=50, clause="HP-GR-14 A-H-15",
        doc="Points for winning the last trick.")
    marriage_values: Literal["hearts_high", "spades_high"] = option(
        "hearts_high", group="scoring", values=("hearts_high", "spades_high"), clause="HP-GR-28 A-H-16",
        doc="Marriages count 40 60 80 100: spades clubs diamonds hearts, or clubs diamonds hearts spades.")
    min_bid: int = option(
        50, group="auction", low=5, high=200, clause="HP-GR-04",
        doc="The lowest bid; a multiple of the bid step.")
    bid_step: int = option(
        5, group="auction", values=(5, 10, 20), clause="HP-GR-05",
        doc="Bids are multiples of this.")
    max_bid: int | Literal["auto"] | None = option(
        "auto", group="auction", values=("auto", None, *range(200, 501, 10)), clause="HP-GR-07 A-H-01",
        doc="A bid of this ends the auction at once: all points there are (auto), another number, or none.")
    forced_opening: bool = option(
        True, group="auction", clause="HP-GR-04 A-H-07",
        doc="The player on the dealer’s left must open the auction with a bid.")
    all_pass: Literal["no_contract", "redeal"] = option(
        "no_contract", group="auction", values=("no_contract", "redeal"), clause="A-H-19",
        doc="When nobody bids the hand is played without a contract, or dealt again by the same dealer.")
    exchange_cards: int = option(
        3, group="exchange", values=(3, 4), clause="HP-GR-08 HP-GR-10 A-H-18",
        doc="How many cards declarer and partner exchange.")
    contract_timing: Literal["before_return", "after_return"] = option(
        "before_return", group="exchange", values=("before_return", "after_return"),
        clause="HP-GR-09 HP-GR-10 A-H-05",
        doc="The declarer names the contract before or after giving cards back.")
    redeal_rule: Literal["three_sixes_or_none_above_jack", "four_sixes_pair", "off"] = option(
        "three_sixes_or_none_above_jack", group="auction",
        values=("three_sixes_or_none_above_jack", "four_sixes_pair", "off"), clause="HP-GR-11 A-H-06",
        doc="Which hand entitles a player to a new deal: three sixes or nothing above a jack; all "
            "four sixes between partners; none.")
    redeal_window: Literal["first_turn", "any_turn", "bid_and_exchange"] = option(
        "first_turn", group="auction", values=("first_turn", "any_turn", "bid_and_exchange"),
        clause="HP-GR-11 A-H-06",
        doc="When a new deal may be demanded: on the first turn to bid, on any, or in the exchange as well.")
    declare_right: Literal["led_and_won", "won"] = option(
        "led_and_won", group="trumps", values=("led_and_won", "won"), clause="HP-GR-21 A-H-08",
        doc="Who may declare trumps before leading: the player who led to and won the last trick, or won it.")
    lockouts: Literal["ladder", "none"] = option(
        "ladder", group="trumps", values=("ladder", "none"), clause="HP-GR-24 HP-GR-25 A-H-12",
        doc="Whether asking the partner for marriages takes away rights to declare and to ask.")
    half_requires_card: bool = option(
        True, group="trumps", values=(True,), clause="HP-GR-25 A-H-11",
        doc="A player who asks for half a marriage holds the king or queen that is named.")
    answers: Literal["truthful", "optional"] = option(
        "truthful", group="trumps", values=("truthful", "optional"), clause="HP-GR-24 HP-GR-25 A-H-10",
        doc="Whether a partner who is asked for a marriage must tell of it or may say no.")
    first_trick: Literal["free", "ace_or_spade"] = option(
        "free", group="play", values=("free", "ace_or_spade"), clause="HP-GR-15 A-H-21",
        doc="The first lead is free, or an ace (else a spade), and the ace of the suit led must be played.")
    failed_contract: Literal["minus_contract", "zero"] = option(
        "minus_contract", group="scoring", values=("minus_contract", "zero"), clause="HP-GR-31 A-H-02 A-H-22",
        doc="What declarers who took a trick but missed the contract score.")
    trickless_declarer: Literal["minus_contract", "minus_double_contract"] = option(
        "minus_contract", group="scoring", values=("minus_contract", "minus_double_contract"),
        clause="HP-GR-32 A-H-02",
        doc="What declarers without a trick score.")
    trickless_defenders: Literal["zero", "minus_bid", "minus_contract", "minus_double_contract"] = option(
        "zero", group="scoring", values=("zero", "minus_bid", "minus_contract", "minus_double_contract"),
        clause="HP-GR-30 A-H-03",
        doc="What defenders without a trick score.")
    defender_rounding: Literal["none", "nearest5"] = option(
        "none", group="scoring", values=("none", "nearest5"), clause="HP-GR-30 A-H-20",
        doc="Whether points that are not a contract are rounded to the nearest five.")
    bid_ban: int | Literal["off"] = option(
        -500, group="auction", values=("off", -1, -250, -500), clause="HP-GR-33 A-H-07",
        doc="A side whose total is this or less may not bid, except the compulsory opening.")
    reopen_if_barred: bool = option(
        False, group="auction", clause="A-H-07",
        doc="When everybody who may bid has passed, the barred side may bid after all.")
    target: int = option(
        500, group="match", low=50, high=5000, clause="HP-GR-01 HP-GR-34", doc="Points that end the match.")
    win_condition: Literal["reach", "exceed"] = option(
        "reach", group="match", values=("reach", "exceed"), clause="HP-GR-34 A-H-17",
        doc="Whether the target must be reached or exceeded.")
    both_reach: Literal["higher", "declarer_first"] = option(
        "higher", group="match", values=("higher", "declarer_first"), clause="HP-GR-34 A-H-17",
        doc="When both sides get there in one hand, the higher total or the declarer’s side wins.")
    equal: Literal["play_on", "draw"] = option(
        "play_on", group="match", values=("play_on", "draw"), clause="HP-GR-34 A-H-17",
        doc="Equal totals at the end: another hand decides, or the match is drawn.")
    # fmt: on

    def __post_init__(self) -> None:
        check_values(self)
        banned, open_start = self.bid_ban != "off", not self.forced_opening
        for wrong, message, *settings in (
            (self.min_bid % self.bid_step, sentence("{setting} is not a multiple of {setting_2}"),
             f"min_bid={self.min_bid}", f"bid_step={self.bid_step}"),
            (self.reopen_if_barred and self.forced_opening,
             sentence("{setting} needs {setting_2}: a forced opening is never passed"),
             "reopen_if_barred=on", "forced_opening=off"),
            (self.all_pass == "redeal" and open_start and banned and not self.reopen_if_barred,
             sentence("{setting} with {setting_2} needs {setting_3} or {setting_4}: "
                      "two barred sides deal for ever"),
             "all_pass=redeal", f"bid_ban={self.bid_ban}", "forced_opening=on", "reopen_if_barred=on"),
        ):  # fmt: skip
            if wrong:
                raise clash(self, message, *settings)

    @property
    def total(self) -> int:
        """All points of a hand: cards, last trick, four marriages (440 in `huutopussi`, A-H-01)."""
        return card_points(_ALL, self.card_values) + self.last_trick + 280

    @property
    def ceiling(self) -> int | None:
        """The highest bid, which ends the auction at once (HP-GR-07, A-H-01)."""
        return None if self.max_bid is None else self.most // self.bid_step * self.bid_step

    @property
    def most(self) -> int:
        """The highest contract (A-H-04), unless the bid was higher still."""
        return self.max_bid if isinstance(self.max_bid, int) else self.total


_FINNISH: dict[str, Any] = {
    "card_values": "classic",
    "declare_right": "won",
    "trickless_declarer": "minus_double_contract",
    "trickless_defenders": "minus_bid",
    "defender_rounding": "nearest5",
}
PRESETS: dict[str, Rules] = {
    "huutopussi": Rules(),
    "huutopussi_gamerules_literal": Rules(
        max_bid=440, redeal_window="any_turn", answers="optional", failed_contract="zero", equal="draw"
    ),
    "huutopussi_finnish": Rules(**_FINNISH, last_trick=10),
    "huutopussi_illisoft": Rules(
        **_FINNISH,
        min_bid=60,
        max_bid=420,
        forced_opening=False,
        exchange_cards=4,
        contract_timing="after_return",
        redeal_rule="four_sixes_pair",
        redeal_window="bid_and_exchange",
        first_trick="ace_or_spade",
        bid_ban=-1,
        reopen_if_barred=True,
        win_condition="exceed",
        both_reach="declarer_first",
    ),
}

# -------------------------------------------------------------------------------------------- hand


class Auction(NamedTuple):
    """The bidding so far. It is over when `turn` is None."""

    turn: Seat | None
    bid: int = 0
    """The last bid, 0 before the first."""
    bidder: Seat | None = None
    out: tuple[Seat, ...] = ()
    """Who has passed (HP-GR-06)."""
    reopened: bool = False


_CLOSED = Auction(None)


class Marriage(NamedTuple):
    """A declared marriage; its suit became trump."""

    suit: int
    by: Seat
    """Who was on lead: declared it or asked for it."""
    how: Literal["own", "full", "half"]
    points: int
    trick: int
    """The number of the trick it was declared before, from 2 to 9."""


_FREE = (True, True, True, True)
_DUTIES = Duties(TEN_BELOW_ACE, beat=True, trump=True)  # HP-GR-12, HP-GR-16, HP-GR-18, HP-GR-19, HP-GR-20
_ONE = tuple((seat,) for seat in range(4))
_TOPICS = {"full": "full marriage", "half": "half marriage"}


@cache
def call(word: str) -> Call:
    """The one shared `Call` of that word (this is the hot path)."""
    return Call(word)


def may_redeal(cards: CardSet) -> bool:
    """Whether a hand of these cards is dealt again if its owner wishes (HP-GR-11)."""
    return (cards & _SIXES).bit_count() >= 3 or not cards & _HIGH


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal. Its phase follows from what is there: hands, auction, cards given, contract, tricks."""

    rules: Rules
    setup: Setup
    log: tuple[Entry, ...] = ()
    hands: tuple[CardSet, ...] = ()
    """The cards of each seat until the first lead; then `table` has them."""
    auction: Auction = _CLOSED
    given: int = 0
    """How many times cards have changed hands: 0, 1, or 2 after the return."""
    contract: int | None = None
    table: TrickPlay | None = None
    marriages: tuple[Marriage, ...] = ()
    own: tuple[bool, ...] = _FREE
    """Which seats may still declare a marriage from hand (A-H-12)."""
    full: tuple[bool, ...] = _FREE
    """Which seats may still ask for a full marriage (A-H-12)."""
    tried: bool = False
    """The attempt of this lead has been made (HP-GR-22, A-H-09)."""
    question: Question | None = None
    outcome: Result | None = None

    __repr__, _repr_html_ = shown.hand, shown.hand_html

    @property
    def phase(self) -> str:
        """deal, auction, give, contract, return, play, answer or over."""
        if self.outcome is not None:
            return "over"
        if self.table is not None:
            return "play" if self.question is None else "answer"
        if not self.hands:
            return "deal"
        if self.auction.turn is not None:
            return "auction"
        if self.given == 0:
            return "give"
        timely = self.given == 2 or self.rules.contract_timing == "before_return"
        return "contract" if self.contract is None and timely else "return"

    @property
    def declarer(self) -> Seat | None:
        """Who won the auction; None before its end and in a hand without a contract."""
        return self.auction.bidder if self.auction.turn is None else None

    def owed(self) -> tuple[Seat, ...]:
        if self.outcome is not None:
            return ()
        if self.table is not None:
            return _ONE[self.table.turn] if self.question is None else self.question.owed()
        if not self.hands:
            return (CHANCE,)
        if self.auction.turn is not None:
            return _ONE[self.auction.turn]
        declarer = self.auction.bidder
        assert declarer is not None
        return _ONE[partner(declarer) if self.given == 0 else declarer]

    def dealing(self) -> Dealing:
        return Dealing(DECK_36, (9, 9, 9, 9), left(self.setup.dealer, 4))  # HP-GR-02, HP-GR-03

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        if seat < 0 or not self.hands or seat not in self.owed():
            return ()
        if self.table is not None:
            if self.question is not None:
                return self._answers(seat)
            return (*plays(self._cards()), *self._attempts(seat))
        match self.phase:
            case "auction":
                actions: list[Action] = list(self._bids(seat))
            case "contract":
                top = max(self.rules.most, self.auction.bid)
                actions = [call(f"contract {points}") for points in range(self.auction.bid, top + 1, 5)]
            case _:
                many, to = self.rules.exchange_cards, partner(seat)
                actions = [Give(cards, to) for cards in combinations(cards_of(self.hands[seat]), many)]
        if word := self._demand(seat):
            actions.append(call(word))
        return tuple(actions)

    # -- auction

    def barred(self, seat: Seat) -> bool:
        """Whether the ban keeps this seat from bidding (HP-GR-33, A-H-07). It is lifted in a reopened
        auction, and where one could reopen, at once if it bars both sides."""
        ban = self.rules.bid_ban
        if ban == "off" or self.auction.reopened:
            return False
        score = self.setup.tally.score()
        return score[side(seat)] <= ban and not (self.rules.reopen_if_barred and max(score) <= ban)

    def _bids(self, seat: Seat) -> tuple[Call, ...]:
        """Bids and pass (HP-GR-04, HP-GR-05, HP-GR-06). A forced opening has no pass; barred, only 50."""
        rules, auction = self.rules, self.auction
        opening = rules.forced_opening and not auction.bid
        if self.barred(seat):
            return (call(str(rules.min_bid)),) if opening else (call("pass"),)
        low = max(rules.min_bid, auction.bid + rules.bid_step)
        top = rules.ceiling if rules.ceiling is not None else max(rules.total, low)
        bids = tuple(call(str(bid)) for bid in range(low, top + 1, rules.bid_step))
        return bids if opening else (*bids, call("pass"))

    def _demand(self, seat: Seat) -> str | None:
        """The word with which this seat may demand a new deal now (HP-GR-11, A-H-06)."""
        window = self.rules.redeal_window
        if self.phase == "auction":
            open_now = window != "first_turn" or all(by != seat for by, _ in self.log)
        else:
            open_now = window == "bid_and_exchange" and self.given < 2
        if not open_now or self.rules.redeal_rule == "off":
            return None
        if self.rules.redeal_rule == "three_sixes_or_none_above_jack":
            return "redeal" if may_redeal(self.hands[seat]) else None
        said = any(action == call("sixes") and side(by) == side(seat) for by, action in self.log)
        return None if said else "sixes"

    def _called(self, seat: Seat, word: str, log: tuple[Entry, ...]) -> "Hand":
        """The auction after a bid or pass; it ends with the third pass or the highest bid (HP-GR-07)."""
        was, rules = self.auction, self.rules
        if word == "pass":
            after = was._replace(out=(*was.out, seat))
        else:
            after = was._replace(bid=int(word), bidder=seat)
        waiting = [other for other in clockwise(left(seat, 4), 4) if other not in after.out]
        if after.bidder is not None:
            over = len(waiting) == 1 or after.bid == rules.ceiling
            turn = None if over else waiting[0]
            return changed(self, log=log, auction=after._replace(turn=turn))
        if waiting:
            return changed(self, log=log, auction=after._replace(turn=waiting[0]))
        order = clockwise(left(self.setup.dealer, 4), 4)
        if rules.reopen_if_barred and (again := [other for other in order if self.barred(other)]):
            out = tuple(other for other in order if other not in again)
            return changed(self, log=log, auction=Auction(again[0], out=out, reopened=True))
        closed = changed(self, log=log, auction=after._replace(turn=None))
        if rules.all_pass == "redeal":
            return closed._void(Note("A-H-19", "Everybody passed: the same dealer deals again"))
        return closed._lead(order[0])  # A-H-19: no contract, no exchange, forehand leads

    def _void(self, note: Note) -> "Hand":
        return changed(self, outcome=Result(points=(0, 0), notes=(note,), void=True))

    # -- exchange

    def _exchanged(self, seat: Seat, gift: Give, log: tuple[Entry, ...]) -> "Hand":
        """Cards move to the partner (HP-GR-08, HP-GR-10); the second time everyone holds nine again."""
        moved, to = card_set(gift.cards), partner(seat)
        hands = list(self.hands)
        hands[seat] &= ~moved
        hands[to] |= moved
        here = changed(self, log=log, hands=tuple(hands), given=self.given + 1)
        return here._lead(seat) if here.given == 2 and self.contract is not None else here

    def _lead(self, leader: Seat) -> "Hand":
        """The tricks begin, without a trump suit (HP-GR-15, HP-GR-17)."""
        return changed(self, table=TrickPlay(self.hands, (0, 1, 2, 3), leader, _DUTIES))

    # -- play

    def _cards(self) -> CardSet:
        """What the seat on turn may play: A-H-14, and in the first trick A-H-21."""
        table = self.table
        assert table is not None
        cards = table.legal()
        if table.done or self.rules.first_trick == "free":
            return cards
        aces = cards & ACES
        if table.plays:
            return aces & SUIT_SETS[table.plays[0][1] >> 4] or cards
        return aces or cards & SUIT_SETS[0] or cards

    def may_declare(self) -> bool:
        """Whether the seat on turn stands before a lead with an attempt (HP-GR-21, HP-GR-22, A-H-08)."""
        table = self.table
        if table is None or table.plays or not table.done or self.tried or self.outcome is not None:
            return False
        last = table.done[-1]
        return self.rules.declare_right == "won" or last.leader == last.winner

    def _open_suits(self) -> list[int]:
        """Suits that have not been declared (HP-GR-27)."""
        declared = {marriage.suit for marriage in self.marriages}
        return [suit for suit in range(4) if suit not in declared]

    def _attempts(self, seat: Seat) -> list[Call]:
        """Marriages from hand (HP-GR-23, HP-GR-26), a full question (HP-GR-24), half ones (A-H-11)."""
        if not self.may_declare() or self.table is None:
            return []
        cards, suits = self.table.hands[seat], self._open_suits()
        calls = []
        if self.own[seat]:
            calls += [call(f"marriage {SUITS[suit]}") for suit in suits if not PAIR[suit] & ~cards]
        if self.full[seat] and suits:
            calls.append(call("ask full"))
        for suit in suits:
            calls += [call(f"ask half {card}") for card in cards_of(cards & PAIR[suit])]
        return calls

    def _answers(self, seat: Seat) -> tuple[Call, ...]:
        """What the partner may say (A-H-10): "no" must be true unless answers are optional."""
        question, table = self.question, self.table
        assert question is not None and table is not None
        cards = table.hands[seat]
        if question.topic == _TOPICS["full"]:
            yes = tuple(call(f"yes {SUITS[s]}") for s in self._open_suits() if not PAIR[s] & ~cards)
        else:
            named = self.asked_card()
            assert named is not None
            matching = PAIR[named >> 4] & ~(1 << named)
            yes = (call("yes"),) if cards & matching else ()
        return yes if yes and self.rules.answers == "truthful" else (*yes, call("no"))

    def asked_card(self) -> int | None:
        """The king or queen an open half question names."""
        if self.question is None or self.question.topic != _TOPICS["half"]:
            return None
        word = str(self.log[-1][1]).split()[-1]
        return 16 * SUITS.index(word[0]) + (_KING if word[1] == "K" else _QUEEN)

    def _asked(self, seat: Seat, how: str, log: tuple[Entry, ...]) -> "Hand":
        """A question to the partner and the rights it costs (HP-GR-24, HP-GR-25, A-H-12)."""
        own, full = list(self.own), list(self.full)
        if self.rules.lockouts == "ladder":
            own[seat] = full[partner(seat)] = False
            if how == "half":
                own[partner(seat)] = full[seat] = False
        question = Question(_TOPICS[how], (partner(seat),), by=seat)
        return changed(self, log=log, tried=True, question=question, own=tuple(own), full=tuple(full))

    def _declared(self, suit: int, by: Seat, how: Literal["own", "full", "half"]) -> "Hand":
        """The suit is trump from now on; earlier marriages keep their points (HP-GR-23, A-H-13)."""
        table = self.table
        assert table is not None
        points = MARRIAGES[self.rules.marriage_values][suit]
        marriage = Marriage(suit, by, how, points, len(table.done) + 1)
        marriages = (*self.marriages, marriage)
        return changed(self, table=table.with_trump(suit), marriages=marriages, tried=True, question=None)

    def _spoken(self, seat: Seat, word: str, log: tuple[Entry, ...]) -> "Hand":
        """Words said while tricks are played: a declaration, a question or an answer."""
        here = changed(self, log=log)
        match word.split():
            case ["marriage", suit]:
                return here._declared(SUITS.index(suit), seat, "own")
            case ["ask", how, *_]:
                return here._asked(seat, how, log)
            case ["yes", suit]:
                return here._declared(SUITS.index(suit), partner(seat), "full")
            case ["yes"]:
                named = self.asked_card()
                assert named is not None
                return here._declared(named >> 4, partner(seat), "half")
        return changed(here, question=None)

    def _played(self, table: TrickPlay, log: tuple[Entry, ...]) -> "Hand":
        here = Hand(
            self.rules, self.setup, log, self.hands, self.auction, self.given, self.contract, table,
            self.marriages, self.own, self.full,
        )  # fmt: skip
        return changed(here, outcome=_outcome(here)) if len(table.done) == 9 else here

    # -- all

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        log = (*self.log, (seat, action))
        if table is not None and type(action) is Play and seat == table.turn and self.owed() == (seat,):
            if action.card >= 0 and self._cards() >> action.card & 1:
                return self._played(table.play(action.card), log)
        elif seat == CHANCE and not self.hands and isinstance(action, Deal):
            return self._dealt(action)
        elif isinstance(action, Give) and self._may_give(seat, action):
            gift = Give(cards_of(card_set(action.cards)), action.to)
            return self._exchanged(seat, gift, (*self.log, (seat, gift)))
        legal = self.legal(seat)
        if action not in legal or not isinstance(action, Call):
            raise self._refusal(seat, action, legal)
        if action.word == "redeal":
            message = sentence("{seat} demanded a new deal: the same dealer deals again")
            return changed(self, log=log)._void(Note("HP-GR-11", message, {"seat": seat}))
        if action.word == "sixes":
            here = changed(self, log=log)
            if _SIXES & ~(self.hands[seat] | self.hands[partner(seat)]):
                return here
            message = sentence("{seat} and {seat_partner} hold the four sixes: the same dealer deals again")
            return here._void(Note("A-H-06", message, {"seat": seat, "seat_partner": partner(seat)}))
        match self.phase:
            case "auction":
                return self._called(seat, action.word, log)
            case "contract":  # HP-GR-09, A-H-04, A-H-05
                here = changed(self, log=log, contract=int(action.word.split()[1]))
                return here._lead(seat) if self.given == 2 else here
        return self._spoken(seat, action.word, log)

    def _may_give(self, seat: Seat, gift: Give) -> bool:
        if self.phase not in ("give", "return") or seat not in self.owed() or gift.to != partner(seat):
            return False
        many = self.rules.exchange_cards
        cards = {card for card in gift.cards if card >= 0 and self.hands[seat] >> card & 1}
        return len(gift.cards) == len(cards) == many

    def _dealt(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, "HP-GR-03")
        auction = Auction(left(self.setup.dealer, 4))
        return changed(self, log=((CHANCE, deal),), hands=tuple(map(card_set, deal.hands)), auction=auction)

    def _refusal(self, seat: Seat, action: Action, legal: tuple[Action, ...]) -> IllegalAction:
        check_action(action)
        table, wanted = self.table, _WANTED[self.phase]
        if not legal and self.owed() and self.owed() != (CHANCE,):
            return IllegalAction(wanted.clause, "it is not this seat’s turn")
        if not legal or table is None or self.phase != "play" or not isinstance(action, Play):
            return IllegalAction(wanted.clause, wanted.message, legal)
        if action.card < 0 or not table.hands[seat] >> action.card & 1:
            return IllegalAction("HP-GR-15", "this card is not in the hand", legal)
        if table.legal() >> action.card & 1:
            return IllegalAction("A-H-21", "the first trick is led with an ace, else a spade, and the ace of "
                                 "the suit led must be played", legal)  # fmt: skip
        led = SUIT_SETS[table.plays[0][1] >> 4]
        if table.hands[seat] & led and not led >> action.card & 1:
            return IllegalAction("HP-GR-16", "follow suit: a card of the suit led is held", legal)
        if table.hands[seat] & led:
            return IllegalAction("HP-GR-16", "beat the winning card: a higher one of its suit is held", legal)
        if action.card >> 4 != table.trump:
            return IllegalAction("HP-GR-18", "play a trump: no card of the suit led is held", legal)
        return IllegalAction("HP-GR-18", "beat the winning trump: a higher one is held", legal)

    def result(self) -> Result | None:
        return self.outcome

    def view(self, seat: Seat | None) -> View:
        check_viewer(seat, self.setup.seats)
        table, auction = self.table, self.auction
        hands = table.hands if table is not None else self.hands
        done = table.done if table is not None else ()
        named = self.asked_card()
        return View(
            game="huutopussi",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards_of(hands[seat]) if hands and seat is not None else (),
            counts=tuple(hand.bit_count() for hand in hands) or (0, 0, 0, 0),
            trick=table.plays if table is not None else (),
            tricks=done,
            question=self.question,
            facts=Loose(
                {
                    "phase": self.phase,
                    "auction": [[by, action.word] for by, action in self._auction_calls()],
                    "bid": auction.bid,
                    "bidder": auction.bidder,
                    "passed": list(auction.out),
                    "barred": [other for other in range(4) if self.barred(other)],
                    "reopened": auction.reopened,
                    "declarer": self.declarer,
                    "contract": self.contract,
                    "trump": SUITS[table.trump] if table is not None and table.trump is not None else None,
                    "marriages": [one._asdict() | {"suit": SUITS[one.suit]} for one in self.marriages],
                    "may_declare": self.may_declare(),
                    "may_declare_own": list(self.own),
                    "may_ask_full": list(self.full),
                    "asked": None if named is None else str(CARDS[named]),
                    "cards": list(trick_points(self.rules, done)),
                    "marriage_points": list(marriage_points(self.marriages)),
                    "tricks": list(tricks_taken(done)),
                }
            ),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )

    def _auction_calls(self) -> list[tuple[Seat, Call]]:
        calls = [(by, action) for by, action in self.log if isinstance(action, Call)]
        return [(by, said) for by, said in calls if said.word == "pass" or said.word.isdigit()]


_WANTED: Mapping[str, Note] = {
    "deal": Note("HP-GR-03", "the cards have not been dealt"),
    "auction": Note("HP-GR-06", "pass, or bid more in whole steps up to the highest bid; barred, only pass"),
    "give": Note("HP-GR-08", "give the declarer the agreed number of cards of your hand"),
    "contract": Note(
        "HP-GR-09", "name a contract in fives, from the last bid up to the highest bid there is"
    ),
    "return": Note("HP-GR-10", "give your partner the agreed number of cards back"),
    "play": Note("HP-GR-22", "before a lead one marriage may be declared or asked for, with the right to it"),
    "answer": Note("A-H-10", "answer your partner truthfully: name a marriage you hold, yes, or no"),
    "over": Note("HP-GR-29", "the hand is over"),
}
"""What a phase waits for, with the clause."""

# ------------------------------------------------------------------------------------------- score


def tricks_taken(done: tuple[Trick, ...]) -> tuple[int, int]:
    """Tricks of each side."""
    odd = sum(side(trick.winner) for trick in done)
    return len(done) - odd, odd


def trick_points(rules: Rules, done: tuple[Trick, ...]) -> tuple[int, int]:
    """Card points each side has taken in these tricks, without the last trick's bonus."""
    sums = [0, 0]
    for trick in done:
        sums[side(trick.winner)] += card_points(card_set(card for _, card in trick.plays), rules.card_values)
    return sums[0], sums[1]


def marriage_points(marriages: tuple[Marriage, ...]) -> tuple[int, int]:
    """Points of the marriages each side has declared (HP-GR-28, HP-GR-29)."""
    odd = sum(one.points for one in marriages if side(one.by))
    return sum(one.points for one in marriages) - odd, odd


def rounded(rules: Rules, earned: int) -> int:
    """Earned points as they are booked where no contract counts (A-H-20)."""
    return (earned + 2) // 5 * 5 if rules.defender_rounding == "nearest5" else earned


def score(
    rules: Rules,
    declaring: int | None,
    bid: int,
    contract: int,
    earned: tuple[int, int],
    tricks: tuple[int, int],
) -> tuple[int, int]:
    """Points of both sides for what they earned: the contract made, missed or without a trick.

    `declaring` is the declarer's side, None in a hand without a contract (A-H-19). HP-GR-30, HP-GR-31,
    HP-GR-32, A-H-02, A-H-03.

    >>> score(PRESETS["huutopussi"], 0, 100, 120, (130, 70), (6, 3))
    (120, 70)
    """
    if declaring is None:
        return rounded(rules, earned[0]), rounded(rules, earned[1])
    points = [0, 0]
    if earned[declaring] >= contract:
        points[declaring] = contract
    elif tricks[declaring] == 0:
        points[declaring] = -contract * (2 if rules.trickless_declarer == "minus_double_contract" else 1)
    else:
        points[declaring] = -contract if rules.failed_contract == "minus_contract" else 0
    loss = {"zero": 0, "minus_bid": bid, "minus_contract": contract, "minus_double_contract": 2 * contract}
    other = 1 - declaring
    points[other] = rounded(rules, earned[other]) if tricks[other] else -loss[rules.trickless_defenders]
    return points[0], points[1]


def _outcome(hand: Hand) -> Result:
    """The result of nine tricks, with the clause that pays each side."""
    rules, table = hand.rules, hand.table
    assert table is not None
    cards, weddings = trick_points(rules, table.done), marriage_points(hand.marriages)
    tricks, last = tricks_taken(table.done), side(table.done[-1].winner)
    earned = (
        cards[0] + weddings[0] + (rules.last_trick if last == 0 else 0),
        cards[1] + weddings[1] + (rules.last_trick if last == 1 else 0),
    )
    declaring = None if hand.declarer is None else side(hand.declarer)
    bid, contract = hand.auction.bid, hand.contract or 0
    points = score(rules, declaring, bid, contract, earned, tricks)
    made = None if declaring is None else earned[declaring] >= contract
    notes = []
    for one in (0, 1) if declaring is None else (declaring, 1 - declaring):
        values = {"side": one, "earned": earned[one], "contract": contract, "points": points[one], "bid": bid}
        if declaring is None:
            clause, message = "A-H-19", sentence("No contract: {side} earned {earned} and scores {points}")
        elif one != declaring and tricks[one] == 0:
            clause, message = "A-H-03", sentence("{side} defended without a trick and scores {points}")
        elif one != declaring:
            clause, message = "HP-GR-30", sentence("{side} defended, earned {earned} and scores {points}")
        elif made:
            clause, message = (
                "HP-GR-31",
                sentence("{side} made the contract of {contract} with {earned}: {points}"),
            )
        elif tricks[one] == 0:
            clause, message = (
                "HP-GR-32",
                sentence("{side} took no trick with a contract of {contract}: {points}"),
            )
        else:
            clause, message = (
                "A-H-02",
                sentence("{side} missed the contract of {contract} with {earned}: {points}"),
            )
        notes.append(Note(clause, message, values))
    facts = {
        "declarer": hand.declarer, "bid": bid, "contract": hand.contract, "made": made, "cards": list(cards),
        "marriages": list(weddings), "last_trick": last, "earned": list(earned), "tricks": list(tricks),
        "trumps": [SUITS[one.suit] for one in hand.marriages],
    }  # fmt: skip
    return Result(points=points, notes=tuple(notes), outcome=Loose(facts))


# ------------------------------------------------------------------------------------------- tally


@dataclass(frozen=True, slots=True)
class Totals:
    """Both sides add up their points, which may go below nothing (HP-GR-33), until one gets there."""

    rules: Rules
    points: tuple[int, int] = (0, 0)
    hands: int = 0
    end: tuple[int, ...] | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Totals":
        """The totals after a hand, and whether they end the match (HP-GR-34, A-H-17)."""
        rules = self.rules
        now = (self.points[0] + result.points[0], self.points[1] + result.points[1])
        least = rules.target + (rules.win_condition == "exceed")
        there = [one for one in (0, 1) if now[one] >= least]
        declarer = result.outcome.get("declarer")
        end: tuple[int, ...] | None = None
        clause, message, best = "HP-GR-34", "", 0 if now[0] > now[1] else 1
        if len(there) == 1:
            end, message = (
                (there[0],),
                sentence(
                    "{side} wins with {points} point against {other}",
                    "{side} wins with {points} points against {other}",
                ),
            )
        elif there and rules.both_reach == "declarer_first" and declarer is not None:
            end, message = (
                (side(declarer),),
                sentence("Both sides have reached the target: {side} wins as the declarer’s side"),
            )
        elif there and now[0] != now[1]:
            end, message = (
                (best,),
                sentence("Both sides have reached the target: {side} wins with {points} against {other}"),
            )
        elif there and rules.equal == "draw":
            end, message = (
                (),
                sentence(
                    "Both sides have reached the target with {points} point: the match is drawn",
                    "Both sides have reached the target with {points} points: the match is drawn",
                ),
            )
        elif there:
            message = sentence(
                "Both sides have reached the target with {points} point: another hand decides",
                "Both sides have reached the target with {points} points: another hand decides",
            )
        clause = "A-H-17" if len(there) == 2 else clause
        told = end[0] if end else best
        values = {"side": told, "points": now[told], "other": now[1 - told]}
        notes = (Note(clause, message, values),) if message else self._barred_notes(now)
        return Totals(rules, now, self.hands + 1, end, notes)

    def _barred_notes(self, now: tuple[int, int]) -> tuple[Note, ...]:
        """Who has just been barred from bidding (HP-GR-33)."""
        ban = self.rules.bid_ban
        if ban == "off":
            return ()
        fallen = [one for one in (0, 1) if now[one] <= ban < self.points[one]]
        message = sentence("{side} stands at {points} and may no longer bid freely")
        return tuple(Note("HP-GR-33", message, {"side": one, "points": now[one]}) for one in fallen)

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (HP-GR-03)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        return self.end

    def plain(self) -> Mapping[str, Any]:
        return {"score": list(self.points), "hands": self.hands, "target": self.rules.target}

    def notes(self) -> tuple[Note, ...]:
        return self.last


def _tally(rules: Rules, seats: int) -> Totals:
    return Totals(rules)


GAME = Game(
    name="huutopussi",
    seats=range(4, 5),
    sides=2,
    deck=DECK_36,
    rules=Rules,
    presets=PRESETS,
    start=Hand,
    tally=_tally,
    key_options=("target", "min_bid", "exchange_cards", "last_trick", "failed_contract", "answers"),
)
