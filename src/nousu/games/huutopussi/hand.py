"""One deal of Huutopussi: bidding, exchange, tricks and the trumps made while playing."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from nousu.engine.actions import Action, Call, Deal, Entry, Give, Play, check_action, entry, hearing, plays
from nousu.engine.cards import DECK_36, SUIT_SETS, TEN_BELOW_ACE, Card, CardSet, card_set, cards_of
from nousu.engine.errors import IllegalAction
from nousu.engine.frozen import changed
from nousu.engine.game import Dealing, Result, Setup, View, hand_repr
from nousu.engine.messages import Note, sentence
from nousu.engine.question import Question
from nousu.engine.seats import CHANCE, Seat, check_viewer, clockwise, left, partner, refuse_no_actor, side
from nousu.engine.tricks import Duties, TrickPlay
from nousu.games.huutopussi import calls
from nousu.games.huutopussi.facts import Facts, How, Marriage, Phase, PlayedHand, Rights, Void
from nousu.games.huutopussi.rules import ACES, PAIR, SIXES, Rules, marriage_values, may_redeal, other_half
from nousu.games.huutopussi.standing import marriage_points, score, times, trick_points, tricks_taken


class Auction(NamedTuple):
    """The bidding so far. It is over when `turn` is None."""

    turn: Seat | None
    bid: int = 0
    """The last bid, 0 before the first."""
    bidder: Seat | None = None
    out: tuple[Seat, ...] = ()
    """Seats that have passed (HP-GR-06)."""
    reopened: bool = False


_CLOSED = Auction(None)


_FREE: Rights = (True, True, True, True)
DUTIES = Duties(TEN_BELOW_ACE, beat=True, trump=True)  # HP-GR-12, HP-GR-16…20, HP-WU-06
_ONE = tuple((seat,) for seat in range(4))
_PASS, _SIXES, _YES, _NO = map(calls.call_of, (calls.Pass(), calls.Sixes(), calls.Yes(), calls.No()))
_KONTRA, _RE = map(calls.call_of, (calls.Kontra(), calls.Re()))
OTHER_HALF = "other half"
"""The topic of the last answer, given by the player who asked for half of a suit (HP-WU-08)."""
_TOPICS = {"full": "full marriage", "half": "half marriage", "suit": "half of a suit"}


@cache
def _bids(points: range) -> tuple[Call, ...]:
    return tuple(calls.call_of(calls.Bid(number)) for number in points)


def _without(rights: Rights, seat: Seat) -> Rights:
    """The rights without those of one seat."""
    one, two, three, four = (right and at != seat for at, right in enumerate(rights))
    return one, two, three, four


def may_ask_half(rules: Rules, log: tuple[Entry, ...]) -> Rights:
    """Rights to ask for half a marriage: of all seats (A-H-12), or those without an attempt (A-H-09)."""
    rights = _FREE
    if rules.attempts == "one_a_hand":
        for by, action in log:
            if isinstance(action, Call) and isinstance(calls.said(action), calls.Attempt):
                rights = _without(rights, by)
    return rights


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal. Its phase is derived from its fields: hands, auction, cards given, contract, tricks."""

    rules: Rules
    setup: Setup
    log: tuple[Entry, ...] = ()
    hands: tuple[CardSet, ...] = ()
    """The cards of each seat until the first lead; then `table` has them."""
    auction: Auction = _CLOSED
    given: int = 0
    """Number of times that cards have changed hands: 0, 1, or 2 after the return."""
    contract: int | None = None
    table: TrickPlay | None = None
    marriages: tuple[Marriage, ...] = ()
    own: Rights = _FREE
    """Seats that may still declare a marriage from hand (A-H-12)."""
    full: Rights = _FREE
    """Seats that may still ask for a full marriage (A-H-12)."""
    doublings: int = 0
    """Number of kontras and res so far (HP-WU-10)."""
    tried: bool = False
    """True if the attempt of this lead has been made (HP-GR-22, A-H-09)."""
    question: Question | None = None
    outcome: Result | None = None

    __repr__ = hand_repr

    @property
    def phase(self) -> Phase:
        """The phase, by the action awaited."""
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
        """The winner of the auction; None before its end and in a hand without a contract."""
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
        refuse_no_actor(seat, 4)
        if seat < 0 or not self.hands or seat not in self.owed():
            return ()
        if self.table is not None:
            if self.question is not None:
                return self._answers(seat)
            return (*plays(self._cards()), *self._attempts(seat), *self._doublings(seat))
        match self.phase:
            case "auction":
                actions: list[Action] = list(self._bids(seat))
            case "contract":
                top = max(self.rules.most, self.auction.bid)
                actions = [
                    calls.call_of(calls.Contract(points)) for points in range(self.auction.bid, top + 1, 5)
                ]
            case _:
                many, to = self.rules.exchange_cards, partner(seat)
                actions = [Give(cards, to) for cards in combinations(cards_of(self.hands[seat]), many)]
        if (word := self._demand(seat)) is not None:
            actions.append(calls.call_of(word))
        return tuple(actions)

    # -- auction

    def barred(self, seat: Seat) -> bool:
        """Whether the ban keeps this seat from bidding (HP-GR-33, A-H-07).

        A reopened auction lifts it; where an auction may reopen, a ban on both sides is lifted at once.
        """
        refuse_no_actor(seat, 4)
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
            return (calls.call_of(calls.Bid(rules.min_bid)),) if opening else (_PASS,)
        low = max(rules.min_bid, auction.bid + rules.bid_step)
        top = rules.ceiling if rules.ceiling is not None else max(rules.total, low)
        bids = _bids(range(low, top + 1, rules.bid_step))
        return bids if opening else (*bids, _PASS)

    def _demand(self, seat: Seat) -> calls.Redeal | calls.Sixes | None:
        """The word with which this seat may demand a new deal now (HP-GR-11, A-H-06)."""
        window = self.rules.redeal_window
        if self.phase == "auction":
            open_now = window != "first_turn" or all(by != seat for by, _ in self.log)
        else:
            open_now = window == "bid_and_exchange" and self.given < 2
        if not open_now or self.rules.redeal_rule == "off":
            return None
        if self.rules.redeal_rule == "three_sixes_or_none_above_jack":
            return calls.Redeal() if may_redeal(self.hands[seat]) else None
        asked = any(action == _SIXES and side(by) == side(seat) for by, action in self.log)
        return None if asked else calls.Sixes()

    def _after_bid(self, seat: Seat, word: calls.Bid | calls.Pass, log: tuple[Entry, ...]) -> "Hand":
        """The auction after a bid or pass; it ends with the third pass or the highest bid (HP-GR-07)."""
        was, rules = self.auction, self.rules
        if isinstance(word, calls.Pass):
            after = was._replace(out=(*was.out, seat))
        else:
            after = was._replace(bid=word.points, bidder=seat)
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
        return changed(self, outcome=Result(points=(0, 0), notes=(note,), void=True, outcome=Void()))

    # -- exchange

    def _exchange(self, seat: Seat, gift: Give, log: tuple[Entry, ...]) -> "Hand":
        """Move cards to the partner (HP-GR-08, HP-GR-10); the second time everyone holds nine again."""
        moved, to = card_set(gift.cards), partner(seat)
        hands = list(self.hands)
        hands[seat] &= ~moved
        hands[to] |= moved
        here = changed(self, log=log, hands=tuple(hands), given=self.given + 1)
        return here._lead(seat) if here.given == 2 and self.contract is not None else here

    def _lead(self, leader: Seat) -> "Hand":
        """Begin the tricks, without a trump suit (HP-GR-15, HP-GR-17)."""
        return changed(self, table=TrickPlay(self.hands, (0, 1, 2, 3), leader, DUTIES))

    # -- play

    def _cards(self) -> CardSet:
        """Cards that the seat on turn may play: A-H-14, and in the first trick A-H-21."""
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
        if self.rules.declare_right != "won" and last.leader != last.winner:
            return False
        return may_ask_half(self.rules, self.log)[table.turn]

    def _open_suits(self) -> list[int]:
        """Suits that have not been declared (HP-GR-27)."""
        declared = {marriage.suit for marriage in self.marriages}
        return [suit for suit in range(4) if suit not in declared]

    def _attempts(self, seat: Seat) -> list[Call]:
        """Marriages from hand (HP-GR-23, HP-GR-26), a full question (HP-GR-24), half ones (A-H-11)."""
        if not self.may_declare() or self.table is None:
            return []
        cards, suits = self.table.hands[seat], self._open_suits()
        attempts = []
        if self.own[seat]:
            attempts += [calls.call_of(calls.Declare(suit)) for suit in suits if not PAIR[suit] & ~cards]
        if self.full[seat] and suits:
            attempts.append(calls.call_of(calls.AskFull()))
        for suit in suits:
            if not self.rules.half_requires_card:  # HP-WU-07
                attempts.append(calls.call_of(calls.AskSuit(suit)))
                continue
            attempts += [calls.call_of(calls.AskHalf(card)) for card in cards_of(cards & PAIR[suit])]
        return attempts

    def _doublings(self, seat: Seat) -> tuple[Call, ...]:
        """Kontra of a defender with nine cards, re of a declarer with eight, and so on (HP-WU-10, A-H-23)."""
        table, declarer = self.table, self.declarer
        if table is None or declarer is None or self.doublings >= self.rules.kontra:
            return ()
        defends = side(seat) != side(declarer)
        if defends != (self.doublings % 2 == 0) or table.hands[seat].bit_count() < 9 - self.doublings:
            return ()
        return (_KONTRA,) if defends else (_RE,)

    def _answers(self, seat: Seat) -> tuple[Call, ...]:
        """Answers open to the partner (A-H-10): "no" must be true unless answers are optional."""
        question, table = self.question, self.table
        assert question is not None and table is not None
        cards = table.hands[seat]
        if question.topic == _TOPICS["full"]:
            yes = tuple(calls.call_of(calls.Yes(s)) for s in self._open_suits() if not PAIR[s] & ~cards)
        elif (suit := self.asked_suit()) is not None:  # HP-WU-08
            yes = (_YES,) if cards & PAIR[suit] else ()
        else:
            named = self.asked_card()
            assert named is not None
            yes = (_YES,) if cards >> other_half(named) & 1 else ()
        return yes if yes and self.rules.answers == "truthful" else (*yes, _NO)

    def asked_card(self) -> Card | None:
        """The king or queen an open half question names."""
        if self.question is None or self.question.topic != _TOPICS["half"]:
            return None
        word = self._last_ask()
        return word.card if isinstance(word, calls.AskHalf) else None

    def asked_suit(self) -> int | None:
        """Suit that an open half question names, where it names no card (HP-WU-07)."""
        if self.question is None or self.question.topic not in (_TOPICS["suit"], OTHER_HALF):
            return None
        word = self._last_ask()
        return word.suit if isinstance(word, calls.AskSuit) else None

    def _last_ask(self) -> calls.Ask | None:
        """Question that is open; only its answer may stand behind it in the log."""
        for _, action in self.log[:-3:-1]:
            word = calls.said(action) if isinstance(action, Call) else None
            if isinstance(word, calls.Ask):
                return word
        return None

    def _ask_partner(self, seat: Seat, ask: calls.Ask, log: tuple[Entry, ...]) -> "Hand":
        """A question to the partner and the rights it costs (HP-GR-24, HP-GR-25, A-H-12)."""
        (own, full), mate = self._spent(seat), partner(seat)
        if self.rules.lockouts == "ladder":
            own, full = _without(own, seat), _without(full, mate)
            if not isinstance(ask, calls.AskFull):
                own, full = _without(own, mate), _without(full, seat)
        topic = {calls.AskFull: "full", calls.AskHalf: "half", calls.AskSuit: "suit"}[type(ask)]
        question = Question(_TOPICS[topic], (mate,), by=seat)
        return changed(self, log=log, tried=True, question=question, own=own, full=full)

    def _spent(self, seat: Seat) -> tuple[Rights, Rights]:
        """Rights to declare and to ask in full after an attempt of this seat (A-H-09)."""
        if self.rules.attempts == "each_lead":
            return self.own, self.full
        return _without(self.own, seat), _without(self.full, seat)

    def _declare(self, suit: int, by: Seat, how: How) -> "Hand":
        """Make the suit trump; earlier marriages keep their points (HP-GR-23, A-H-13)."""
        table = self.table
        assert table is not None
        own, full = self._spent(by) if how == "own" else (self.own, self.full)
        points = marriage_values(self.rules)[suit]
        marriage = Marriage(suit, by, how, points, len(table.done) + 1)
        marriages = (*self.marriages, marriage)
        return changed(
            self,
            table=table.with_trump(suit),
            marriages=marriages,
            tried=True,
            question=None,
            own=own,
            full=full,
        )

    def _say(self, seat: Seat, word: calls.Word | None, log: tuple[Entry, ...]) -> "Hand":
        """Words said while tricks are played: a declaration, a question or an answer."""
        here = changed(self, log=log)
        match word:
            case calls.Declare(suit):
                return here._declare(suit, seat, "own")
            case calls.AskFull() | calls.AskHalf() | calls.AskSuit():
                return here._ask_partner(seat, word, log)
            case calls.Kontra() | calls.Re():
                return changed(here, doublings=self.doublings + 1)
            case calls.Yes(int(suit)):
                return here._declare(suit, partner(seat), "full")
            case calls.Yes() if (asked := self.asked_suit()) is not None:
                question = self.question
                assert question is not None
                if question.topic == OTHER_HALF:
                    return here._declare(asked, seat, "half")
                return changed(here, question=Question(OTHER_HALF, (partner(seat),), by=seat))
            case calls.Yes():
                named = self.asked_card()
                assert named is not None
                return here._declare(named >> 4, partner(seat), "half")
        return changed(here, question=None)

    def _played(self, table: TrickPlay, log: tuple[Entry, ...]) -> "Hand":
        here = Hand(
            self.rules, self.setup, log, self.hands, self.auction, self.given, self.contract, table,
            self.marriages, self.own, self.full, self.doublings,
        )  # fmt: skip
        return changed(here, outcome=_outcome(here)) if len(table.done) == 9 else here

    # -- all

    def apply(self, seat: Seat, action: Action) -> "Hand":
        table = self.table
        log = (*self.log, entry(seat, action))
        if table is not None and type(action) is Play and seat == table.turn and self.owed() == (seat,):
            # A seat on turn may owe an answer first: which half of the suit it holds (HP-WU-08).
            if self.question is None and action.card >= 0 and self._cards() >> action.card & 1:
                return self._played(table.play(action.card), log)
        elif seat == CHANCE and not self.hands and isinstance(action, Deal):
            return self._deal(action)
        elif isinstance(action, Give) and self._may_give(seat, action):
            gift = Give(cards_of(card_set(action.cards)), action.to)
            return self._exchange(seat, gift, (*self.log, (seat, gift)))
        legal = self.legal(seat)
        if action not in legal or not isinstance(action, Call):
            raise self._refusal(seat, action, legal)
        word = calls.said(action)
        if isinstance(word, calls.Redeal):
            message = sentence("{seat} demanded a new deal: the same dealer deals again")
            return changed(self, log=log)._void(Note("HP-GR-11", message, {"seat": seat}))
        if isinstance(word, calls.Sixes):
            here = changed(self, log=log)
            if SIXES & ~(self.hands[seat] | self.hands[partner(seat)]):
                return here
            message = sentence("{seat} and {seat_partner} hold the four sixes: the same dealer deals again")
            return here._void(Note("A-H-06", message, {"seat": seat, "seat_partner": partner(seat)}))
        if isinstance(word, calls.Bid | calls.Pass):
            return self._after_bid(seat, word, log)
        if isinstance(word, calls.Contract):  # HP-GR-09, A-H-04, A-H-05
            here = changed(self, log=log, contract=word.points)
            return here._lead(seat) if self.given == 2 else here
        return self._say(seat, word, log)

    def _may_give(self, seat: Seat, gift: Give) -> bool:
        if self.phase not in ("give", "return") or seat not in self.owed() or gift.to != partner(seat):
            return False
        many = self.rules.exchange_cards
        cards = {card for card in gift.cards if card >= 0 and self.hands[seat] >> card & 1}
        return len(gift.cards) == len(cards) == many

    def _deal(self, deal: Deal) -> "Hand":
        self.dealing().check(deal, "HP-GR-03")
        auction = Auction(left(self.setup.dealer, 4))
        return changed(self, log=((CHANCE, deal),), hands=tuple(map(card_set, deal.hands)), auction=auction)

    def _refusal(self, seat: Seat, action: Action, legal: tuple[Action, ...]) -> IllegalAction:
        check_action(action)
        table, wanted = self.table, _WANTED[self.phase]
        if self.hands and isinstance(action, Deal):
            return IllegalAction("HP-GR-03", "the cards have already been dealt", legal)
        if not legal and self.owed() and self.owed() != (CHANCE,):
            clause = "HP-GR-20" if self.phase == "play" else wanted.clause  # the winner of the trick leads
            return IllegalAction(clause, "it is not this seat’s turn")
        if not legal or table is None or self.phase != "play" or not isinstance(action, Play):
            return IllegalAction(wanted.clause, wanted.message, legal)
        if action.card < 0 or not table.hands[seat] >> action.card & 1:
            return IllegalAction(self._may_play(table), "this card is not in the hand", legal)
        if table.legal() >> action.card & 1:
            return IllegalAction("A-H-21", "the first trick is led with an ace, else a spade, and the ace of "
                                 "the suit led must be played", legal)  # fmt: skip
        led = SUIT_SETS[table.plays[0][1] >> 4]
        if table.hands[seat] & led and not led >> action.card & 1:
            return IllegalAction("HP-GR-16", "follow suit: you hold a card of the suit led", legal)
        if table.hands[seat] & led:
            return IllegalAction(
                "HP-GR-16", "beat the winning card: you hold a higher one of its suit", legal
            )
        if action.card >> 4 != table.trump:
            return IllegalAction("HP-GR-18", "play a trump: you hold no card of the suit led", legal)
        return IllegalAction("HP-GR-18", "beat the winning trump: you hold a higher one", legal)

    def _may_play(self, table: TrickPlay) -> str:
        """The clause that says which cards of the hand may be played now."""
        if not table.plays:
            return "HP-GR-20" if table.done else "HP-GR-15"
        hand = table.hands[table.turn]
        if hand & SUIT_SETS[table.plays[0][1] >> 4]:
            return "HP-GR-16"
        return "HP-GR-18" if table.trump is not None and hand & SUIT_SETS[table.trump] else "HP-GR-19"

    def result(self) -> Result | None:
        return self.outcome

    def view(self, seat: Seat | None) -> View:
        check_viewer(seat, self.setup.seats)
        table, auction = self.table, self.auction
        hands = table.hands if table is not None else self.hands
        done = table.done if table is not None else ()
        return View(
            game="huutopussi",
            rules=self.rules,
            setup=self.setup,
            seat=seat,
            cards=cards_of(hands[seat]) if hands and seat is not None else (),
            counts=tuple([hand.bit_count() for hand in hands]) or (0, 0, 0, 0),
            trick=table.plays if table is not None else (),
            tricks=done,
            question=self.question,
            facts=Facts(
                self.phase,
                self._auction_words(),
                auction.bid,
                auction.bidder,
                auction.out,
                self._barred(),
                auction.reopened,
                self.declarer,
                self.contract,
                table.trump if table is not None else None,
                self.marriages,
                self.may_declare(),
                self.own,
                self.full,
                self.asked_card(),
                trick_points(self.rules, done),
                marriage_points(self.marriages),
                tricks_taken(done),
                self.asked_suit(),
                self.doublings,
            ),
            heard=hearing(seat, self.log),
            owed=self.owed(),
            legal=() if seat is None else self.legal(seat),
        )

    def _auction_words(self) -> tuple[tuple[Seat, calls.Bid | calls.Pass], ...]:
        """Bids and passes; a demand for a new deal may stand between them, the exchange ends them."""
        words = []
        for by, action in self.log[1:]:
            word = calls.said(action) if type(action) is Call else None
            if isinstance(word, calls.Bid | calls.Pass):
                words.append((by, word))
            elif not isinstance(word, calls.Sixes):
                break
        return tuple(words)

    def _barred(self) -> tuple[Seat, ...]:
        ban = self.rules.bid_ban
        if ban == "off" or min(self.setup.tally.score()) > ban:
            return ()
        return tuple([seat for seat in range(4) if self.barred(seat)])


_WANTED: Mapping[str, Note] = {
    "deal": Note("HP-GR-03", "the cards have not been dealt"),
    "auction": Note(
        "HP-GR-06", "pass, or bid more in whole steps up to the highest bid; a barred side may only pass"
    ),
    "give": Note("HP-GR-08", "give the declarer the agreed number of cards from your hand"),
    "contract": Note(
        "HP-GR-09", "name a contract in steps of five, from the last bid up to the highest possible bid"
    ),
    "return": Note("HP-GR-10", "give your partner the agreed number of cards back"),
    "play": Note(
        "HP-GR-22", "before a lead you may declare or ask for one marriage, if you have the right to"
    ),
    "answer": Note("A-H-10", "answer your partner truthfully: name a marriage you hold, yes, or no"),
    "over": Note("HP-GR-29", "the hand is over"),
}
"""For each phase, the awaited action and its clause."""


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
    points = score(rules, declaring, bid, contract, earned, tricks, hand.doublings)
    made = None if declaring is None else earned[declaring] >= contract
    notes = []
    for team in (0, 1) if declaring is None else (declaring, 1 - declaring):
        values = {
            "side": team,
            "earned": earned[team],
            "contract": contract,
            "points": points[team],
            "bid": bid,
        }
        if declaring is None:
            clause, message = "A-H-19", sentence("No contract: {side} earned {earned} and scores {points}")
        elif team != declaring and tricks[team] == 0:
            clause, message = "A-H-03", sentence("{side} defended without a trick and scores {points}")
        elif team != declaring:
            clause, message = "HP-GR-30", sentence("{side} defended, earned {earned} and scores {points}")
        elif made:
            clause, message = (
                "HP-GR-31",
                sentence("{side} made the contract of {contract} with {earned}: {points}"),
            )
        elif tricks[team] == 0:
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
    if declaring is not None and hand.doublings:
        counted = times(rules, declaring, bool(made), tricks, hand.doublings)
        message = sentence(
            "After kontra and re the contract counted {times} time",
            "After kontra and re the contract counted {times} times",
        )
        notes.append(Note("HP-WU-11", message, {"times": counted}))
    outcome = PlayedHand(
        declarer=hand.declarer,
        bid=bid,
        contract=hand.contract,
        made=made,
        cards=cards,
        marriages=weddings,
        last_trick=last,
        earned=earned,
        tricks=tricks,
        trumps=tuple([marriage.suit for marriage in hand.marriages]),
        doublings=hand.doublings,
    )
    return Result(points=points, notes=tuple(notes), outcome=outcome)
