"""A hand of the whist family in plain numbers, for a search that visits thousands of positions a second.

`LightState` has the interface that OpenSpiel's searches expect of a state (``legal_actions``,
``apply_action``, ``information_state_string`` …), without the engine's record of everything that happened:
sets of cards, the seat on turn, the trick on the table. Actions have the numbers of `ACTIONS`; forced actions
are carried out automatically. The engine remains the authority: the tests walk through hands of every preset
with both and compare.
"""

from functools import cache, lru_cache
from random import Random
from struct import Struct
from typing import Any, Final, NamedTuple

from nousu.engine.actions import Action, Call, Give, Play, Seal
from nousu.engine.cards import ACE_HIGH, ACE_LOW, DECK_52, LANE, SUIT_SETS, Card, CardSet, Strength
from nousu.engine.game import View
from nousu.engine.seats import left, partner, side
from nousu.games.whist import (
    PASS,
    SOOLI,
    TRICKS,
    WORDS,
    BreakOff,
    Facts,
    Kind,
    Phase,
    Rules,
    bid_in,
    bid_order,
    bids_for,
    first_lead,
    means_high,
    score,
    sooli_scores,
    spoken_bids,
)
from nousu.players.worlds import World
from nousu.solver import Cancel, native
from nousu.solver.position import Position, Rami, Sooli

_NEVER = Cancel()
"""A flag that never stops: random play is too short to be stopped."""

_WORDS: Final = tuple(str(word) for word in WORDS if not isinstance(word, BreakOff))
ACTIONS: Final[tuple[Action, ...]] = (
    *(Play(card) for card in DECK_52),
    *(Seal(card) for card in DECK_52),
    *(Give((card,)) for card in DECK_52),
    *(Give((card,), seat) for seat in range(4) for card in DECK_52),
    *(Seal(word) for word in _WORDS),
    *(Call(word) for word in _WORDS),
)
"""Every action by its OpenSpiel number."""
NUMBER: Final = {action: number for number, action in enumerate(ACTIONS)}

_SEAL, _AWAY, _GIVE = NUMBER[Seal(DECK_52[0])], NUMBER[Give((DECK_52[0],))], NUMBER[Give((DECK_52[0],), 0)]
_PASS, _SOOLI = NUMBER[PASS], NUMBER[SOOLI]
_BAR = chr(len(ACTIONS))
_HANDS = Struct("<5Q")


@cache
def _lane(suit: int, ranks: int) -> list[int]:
    return [13 * suit + rank for rank in range(13) if ranks >> rank & 1]


def _numbers(cards: int) -> list[int]:
    """The places in the pack of a set of cards, ascending."""
    return (
        _lane(0, cards & LANE)
        + _lane(1, cards >> 16 & LANE)
        + _lane(2, cards >> 32 & LANE)
        + _lane(3, cards >> 48 & LANE)
    )


def _bids(rules: Rules, hand: CardSet) -> list[int]:
    """Bids that may be laid face down with these cards (T-CAT-14, A-T-04)."""
    return sorted([NUMBER[bid] for bid in bids_for(hand, rules)])


class _Root(NamedTuple):
    """The common part of all states of one search."""

    game: Any
    """OpenSpiel's game."""
    rules: Rules
    dealer: int
    order: tuple[int, ...]
    """Seats in the order of bidding; bids are turned up in this order."""
    high: frozenset[int]
    """Bids and calls that make a high hand."""
    gifts: tuple[tuple[int, int | None], ...]
    """Cards given before the search, each with its giver."""


def _root(view: View, game: Any) -> _Root:
    rules, dealer = view.rules, view.setup.dealer
    bids = ((number, bid_in(action)) for action, number in NUMBER.items() if isinstance(action, Seal | Call))
    high = frozenset(number for number, bid in bids if bid is not None and means_high(bid, rules))
    gifts = tuple((by, action.to) for by, action in view.heard if isinstance(action, Give))
    return _Root(game, rules, dealer, bid_order(rules, dealer), high, gifts)


class LightState:
    """One hand in progress, as one world has it."""

    root: _Root
    phase: Phase
    """The phase, by the action awaited; bids are turned up without waiting."""
    turn: int
    hands: list[int]
    """The cards each seat holds."""
    dealt: tuple[int, ...]
    bids: dict[int, int]
    """Bids laid face down, or passes of an auction, by seat."""
    kind: Kind | None
    bidder: int | None
    soloist: int | None
    active: tuple[int, ...]
    last: int | None
    """The seat that plays last to every trick."""
    strength: Strength
    trick: tuple[tuple[int, Card], ...]
    """The trick on the table: seat and card."""
    left: int
    """Tricks that are not complete yet."""
    won: int
    """Tricks of North–South."""
    lead: int
    """Points of North–South less those of East–West, when it is over."""
    heard: str
    """The public log since the root, a character each."""
    secret: list[str]
    """The secrets of each seat since the deal: own bids, cards given and taken."""
    cut: list[int] | None
    """The legal actions, once asked for."""

    def __init__(self, view: View, game: Any = None) -> None:
        """Take over the knowledge of the seat of `view`, which is owed; `filled` makes a state of it."""
        facts = Facts.of(view.facts)
        assert view.seat is not None
        self.root, self.phase, self.turn = _root(view, game), facts.phase, view.seat
        self.hands, self.dealt = [0] * 4, (0,) * 4
        self.kind, self.bidder, self.soloist = facts.kind, facts.bidder, facts.soloist
        self.heard, self.secret = "", [""] * 4
        answers = view.question.answers if view.question is not None else ()
        self.bids = {seat: _PASS for seat, _ in answers}
        self.trick, self.left = view.trick, TRICKS - len(view.tricks)
        self.won, self.lead, self.cut = facts.tricks[0], 0, None
        self.active, self.last, self.strength = (0, 1, 2, 3), None, ACE_HIGH
        if self.phase == "play":
            self._table()

    def filled(self, world: World, rng: Random) -> "LightState":
        """The hand as it is in `world`; bids that were not turned up are any legal ones."""
        other = self.clone()
        other.hands, other.dealt = list(world.hands), world.dealt
        if other.phase == "bid":
            for seat in other.bids:
                bids = _bids(self.root.rules, world.dealt[seat])
                other.bids[seat] = bids[rng.randrange(len(bids))]
                other.secret[seat] += chr(other.bids[seat])
        for (by, to), cards in zip(self.root.gifts, world.given, strict=True):
            other._whisper(by, to, cards[0])
        return other

    # ----------------------------------------------------------------- what a search asks of a state

    def get_game(self) -> Any:
        """OpenSpiel's game."""
        return self.root.game

    def current_player(self) -> int:
        """The seat to decide; -4 (OpenSpiel's ``TERMINAL``) when it is over."""
        return self.turn if self.phase != "over" else -4

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.phase == "over"

    def is_chance_node(self) -> bool:
        """Return False: the cards have been dealt."""
        return False

    def returns(self) -> list[float]:
        """Points of each player's side less those of the other side."""
        lead = float(self.lead)
        return [lead, -lead, lead, -lead]

    def information_state_string(self) -> str:
        """The knowledge of the seat on turn beyond the root: its cards, its gifts, the words said."""
        turn = self.turn
        return f"{turn}{self.dealt[turn]:x}{_BAR}{self.secret[turn]}{_BAR}{self.heard}"

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions of the seat on turn, ascending."""
        if self.cut is None:
            self.cut = self._legal()
        return self.cut

    def apply_action(self, number: int) -> None:
        """Do this action, and the forced ones after it."""
        self._apply(number)
        while self.phase != "over":
            self.cut = self._legal()
            if len(self.cut) > 1:
                return
            self._apply(self.cut[0])

    def clone(self) -> "LightState":
        """An independent copy of the state."""
        other = LightState.__new__(LightState)
        other.__dict__.update(self.__dict__)
        other.hands, other.secret, other.bids = self.hands[:], self.secret[:], dict(self.bids)
        return other

    # ---------------------------------------------------------------------------------------- rules

    def _legal(self) -> list[int]:
        hand = self.hands[self.turn]
        match self.phase:
            case "play":
                if self.trick:
                    hand = hand & SUIT_SETS[self.trick[0][1] >> 4] or hand
                return _numbers(hand)
            case "bid":
                return _bids(self.root.rules, hand)
            case "auction":
                return sorted([NUMBER[call] for call in spoken_bids(self.root.rules)])
            case "sooli":
                return [_PASS, _SOOLI]
            case "discard":
                return [_AWAY + at for at in _numbers(hand)]
        base = _GIVE + 52 * partner(self.turn)
        return [base + at for at in _numbers(hand)]

    def _apply(self, number: int) -> None:
        self.cut = None
        if self.phase == "play":
            self._play(number)
            return
        turn = self.turn
        match self.phase:
            case "bid":
                self.bids[turn] = number
                self.secret[turn] += chr(number)
                self._next_bid()
            case "auction":
                self.heard += chr(number)
                self.bids[turn] = number
                if number != _PASS:
                    self._game("high" if number in self.root.high else "low", turn)
                elif len(self.bids) == 4:
                    self._game("low", None)
                else:
                    self.turn = left(turn, 4)
            case "sooli":
                self.heard += chr(number)
                self.bids[turn] = number
                if number == _SOOLI:
                    self._alone(turn)
                elif len(self.bids) == 2:
                    self._lead("high")
                else:
                    self.turn = partner(turn)
            case _:
                self._give(number)

    def _next_bid(self) -> None:
        """The next seat that has not bid; after the last one the bids are turned up."""
        order = self.root.order
        for seat in order:
            if seat not in self.bids:
                self.turn = seat
                return
        for seat in order:
            self.heard += chr(self.bids[seat])
            if self.bids[seat] in self.root.high:
                self._game("high", seat)
                return
        self._game("low", None)

    def _game(self, kind: Kind, bidder: int | None) -> None:
        self.kind, self.bidder, self.bids = kind, bidder, {}
        if kind == "high" and self.root.rules.sooli and bidder is not None:
            self.phase, self.turn = "sooli", left(bidder, 4)
        else:
            self._lead(kind)

    def _lead(self, kind: Kind) -> None:
        self.turn = first_lead(self.root.rules, kind == "high", self.root.dealer, self.bidder)
        self._table()

    def _alone(self, soloist: int) -> None:
        self.kind, self.soloist, self.turn = "sooli", soloist, soloist
        match self.root.rules.sooli_exchange:
            case "discard_then_receive":
                self.phase = "discard"
            case "receive_then_return":
                self.phase, self.turn = "give", partner(soloist)
            case _:
                self._sooli_lead()

    def _give(self, number: int) -> None:
        by, soloist = self.turn, self.soloist
        assert soloist is not None
        away = number < _GIVE
        card = DECK_52[(number - _AWAY) % 52]
        to = None if away else partner(by)
        self.hands[by] &= ~(1 << card)
        if to is not None:
            self.hands[to] |= 1 << card
        self._whisper(by, to, card)
        if self.phase == "discard":
            self.phase, self.turn = "give", partner(soloist)
        elif self.phase == "give" and self.root.rules.sooli_exchange == "receive_then_return":
            self.phase, self.turn = "return", soloist
        else:
            self._sooli_lead()

    def _whisper(self, by: int, to: int | None, card: Card) -> None:
        """Let giver and receiver learn the card."""
        self.secret[by] += chr(card)
        if to is not None:
            self.secret[to] += chr(card)

    def _sooli_lead(self) -> None:
        assert self.soloist is not None
        self.turn = left(self.soloist, 4)
        self._table()

    def _table(self) -> None:
        """Set the active seats and the order of ranks for the play of the cards."""
        self.phase = "play"
        self.active, self.last, self.strength = (0, 1, 2, 3), None, ACE_HIGH
        if self.soloist is not None:
            out = partner(self.soloist)
            self.active = tuple(seat for seat in range(4) if seat != out)
            self.strength = ACE_LOW
            if self.root.rules.sooli_order == "always_last":
                self.last = self.soloist

    def _play(self, number: int) -> None:
        turn, card = self.turn, DECK_52[number]
        self.hands[turn] ^= 1 << card
        self.heard += chr(number)
        trick = self.trick = (*self.trick, (turn, card))
        if len(trick) < len(self.active):
            self.turn = turn + 1 & 3 if self.soloist is None else self._after(turn)
            return
        winner, best = trick[0]
        strength = self.strength
        for seat, other in trick:
            if other >> 4 == best >> 4 and strength[other & 15] > strength[best & 15]:
                winner, best = seat, other
        self.trick, self.turn = (), winner
        self.left -= 1
        self.won += not winner & 1
        if self.soloist is not None:
            if winner == self.soloist or not self.left:
                self._sooli_paid(winner != self.soloist)
        elif not self.left:
            self._paid(self.won)

    def _after(self, turn: int) -> int:
        """The next seat in the trick of a sooli."""
        played = [seat for seat, _ in self.trick]
        waiting = [seat for seat in self.active if seat not in played]
        if len(waiting) > 1 and self.last in waiting:
            waiting.remove(self.last)
        return next((seat for seat in waiting if seat > turn), waiting[0])

    def _paid(self, won: int) -> None:
        bidder = None if self.bidder is None else side(self.bidder)
        points = score(self.root.rules, "low" if self.kind == "low" else "high", bidder, (won, TRICKS - won))
        self.phase, self.lead = "over", points[0] - points[1]

    def _sooli_paid(self, made: bool) -> None:
        assert self.soloist is not None
        points = sooli_scores(self.root.rules, self.soloist, made)
        self.phase, self.lead = "over", points[0] - points[1]

    def play_out(self, rng: Random) -> None:
        """Play at random to the end, every legal action as likely; the tricks in the compiled core if any."""
        while self.phase != "over":
            if self.phase == "play" and native.core is not None:
                (gained,) = native.core.rollouts(self._record(), 1, rng.getrandbits(64), 1, _NEVER.raised)
                if self.soloist is None:
                    self._paid(self.won + gained)
                else:
                    self._sooli_paid(not gained)
                return
            legal = self.legal_actions()
            self.apply_action(legal[rng.randrange(len(legal))])

    def _record(self) -> bytes:
        """The position as the compiled core reads it."""
        hands, soloist = self.hands, self.soloist
        if soloist is not None:
            hands = [native.in_order(hand, ACE_LOW) for hand in hands]
            hands[partner(soloist)] = 0
        return _HANDS.pack(*hands, 0) + _rest(self.turn, self.trick, soloist, self.last)


@lru_cache(1 << 14)
def _rest(turn: int, trick: tuple[tuple[int, Card], ...], soloist: int | None, last: int | None) -> bytes:
    """The core's record without the hands; there are few different ones in a search."""
    nothing = (0,) * 4
    if soloist is None:
        return native.without_hands(Position(hands=nothing, turn=turn, trick=trick), Rami())
    active = tuple(seat for seat in range(4) if seat != partner(soloist))
    position = Position(hands=nothing, turn=turn, trick=trick, active=active, last=last, strength=ACE_LOW)
    return native.without_hands(position, Sooli(soloist))
