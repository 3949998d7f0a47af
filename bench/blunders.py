"""Blunders that a partner at the table notices: how often each level makes them where it could.

    python -m bench blunders                    500 hands of every level in every game
    python -m bench.blunders 200 tuppi club     so many, only these games and levels

A detector names the cards that are blunders, by the view of the seat on turn alone. There is an occasion
where some legal cards are blunders and others are not. ``bench/experiments/blunder_costs.md`` has their cost.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.results import options, parse
from nousu.engine.actions import Play
from nousu.engine.cards import SUIT_SETS, Card, CardSet, card_set, cards_of
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat, partner, side
from nousu.games import find, whist
from nousu.games import huutopussi as marriages
from nousu.players import DEFAULT_BUDGET, load_player
from nousu.players.huutopussi.rules import TENS, HuutopussiDeductions, marriage_cards, may_lose_to_ace
from nousu.players.huutopussi.rules import deduce as deduce_huutopussi
from nousu.players.seat_loop import deal_by_seed, next_choice, seeds
from nousu.players.whist import signals
from nousu.players.whist.card_features import ACE, EARLY, LATE
from nousu.players.whist.inference import WhistDeductions
from nousu.players.whist.inference import deduce as deduce_whist

GAMES = ("tuppi", "minnesota", "huutopussi")
LEVELS = ("beginner", "easy", "club", "strong", "expert")
HANDS, SEED = 500, 522026


class WhistChoice(NamedTuple):
    """A choice of a card in the whist family."""

    view: View
    facts: whist.Facts
    table: WhistDeductions

    @property
    def left(self) -> int:
        """Tricks still to be played, this one included."""
        return max(self.view.counts)

    @property
    def follows(self) -> bool:
        """Whether the seat follows suit."""
        trick = self.table.trick
        return bool(trick) and self.table.legal[0].suit == trick[0][1].suit

    @property
    def foes(self) -> tuple[Seat, ...]:
        """The seats of the other side that play."""
        return tuple(seat for seat in range(4) if seat not in self.table.friends and seat != self.facts.out)

    def cards(self, fits: Callable[[Card], bool]) -> CardSet:
        """The legal cards that fit."""
        return card_set(card for card in self.table.legal if fits(card))

    def is_partners(self) -> bool:
        """Whether a friend wins the trick so far."""
        return self.table.best is not None and self.table.best[0] in self.table.friends

    def is_void(self, seat: Seat, suit: int) -> bool:
        """Whether a seat has shown to be out of a suit."""
        return bool(self.table.voids.get(seat, 0) & SUIT_SETS[suit])

    def is_sure(self, card: Card) -> bool:
        """Whether no foe still to play can beat a card that wins so far."""
        waiting = [seat for seat in self.foes if seat in self.table.waiting]
        return self.table.above(card) == 0 or all(self.is_void(seat, card.suit) for seat in waiting)

    def bare_aces(self) -> CardSet:
        """The aces whose king is in another hand."""
        return self.cards(lambda card: card.rank == ACE and bool(self.table.unseen >> card - 1 & 1))


# ------------------------------------------------------------------------------------ whist family, rami


def higher_card_on_partners_sure_trick(choice: WhistChoice) -> CardSet:
    """Take a trick that is the partner's with a card that would win another.

    No occasion: late, with a winner in another suit (the lead may be wanted), and with two cards of a suit
    that the partner leads (the higher one may block it).
    """
    table, best = choice.table, choice.table.best
    if choice.facts.kind != "high" or best is None or choice.left <= LATE:
        return 0
    if not choice.follows or not choice.is_partners() or not choice.is_sure(best[1]):
        return 0
    suit = best[1].suit
    is_divided = any(not choice.is_void(foe, suit) for foe in choice.foes)
    if not is_divided or (table.unseen & SUIT_SETS[suit]).bit_count() < 2:
        return 0
    if any(table.above(card) == 0 for card in cards_of(table.hand & ~SUIT_SETS[suit])):
        return 0
    return 0 if table.waiting and table.length(suit) == 2 else choice.cards(table.beats)


def bare_ace_led(choice: WhistChoice) -> CardSet:
    """Lead an ace early whose king is out, with another suit to lead."""
    if choice.facts.kind != "high" or choice.table.trick or choice.left < EARLY + 2:
        return 0
    by_partner = {trick.plays[0][1].suit for trick in choice.view.tricks if trick.leader != choice.table.seat}
    aces = choice.bare_aces()
    suits = {card.suit for card in cards_of(aces)}
    if not any(card.suit not in suits for card in choice.table.legal):
        return 0
    return card_set(card for card in cards_of(aces) if card.suit not in by_partner)


def partners_suit_not_returned(choice: WhistChoice) -> CardSet:
    """Lead another suit than the one that the partner has opened in defence, without a winner to cash."""
    table, bidder = choice.table, choice.facts.bidder
    if choice.facts.kind != "high" or table.trick or choice.left < EARLY:
        return 0
    leads = [(trick.leader, trick.plays[0][1].suit) for trick in choice.view.tricks]
    opened = [suit for leader, suit in leads if leader == partner(table.seat)]
    if not opened or bidder is None or side(bidder) == side(table.seat):
        return 0
    if any(leader == table.seat for leader, _ in leads) or choice.is_void(partner(table.seat), opened[0]):
        return 0
    others = table.hand & ~SUIT_SETS[opened[0]]
    if not table.unseen & SUIT_SETS[opened[0]] or any(table.above(card) == 0 for card in cards_of(others)):
        return 0
    return others


def high_card_where_a_low_one_does(choice: WhistChoice) -> CardSet:
    """Win the last card of a trick dearer than needed, or throw a higher card under one that wins.

    No occasion: a card that says by agreed signals what the hand is.
    """
    table = choice.table
    if choice.facts.kind != "high" or not choice.follows:
        return 0
    winning = [card for card in table.legal if table.beats(card)]
    if winning and (table.waiting or choice.is_partners()):
        return 0
    cheapest = min(winning or table.legal)
    dear = [card for card in winning or table.legal if table.above(card) < table.above(cheapest)]
    speaks = signals.are_agreed(choice.view.rules)
    return card_set(card for card in dear if not (speaks and signals.is_by_code(choice.view, card)))


def trick_left_that_only_now_is_won(choice: WhistChoice) -> CardSet:
    """Play low in fourth hand where a card wins that will hardly win another trick."""
    table = choice.table
    if choice.facts.kind != "high" or not choice.follows or table.waiting or choice.is_partners():
        return 0
    winning = [card for card in table.legal if table.beats(card)]
    if not winning or table.above(min(winning)) == 0:
        return 0
    return choice.cards(lambda card: not table.beats(card))


def low_third_hand(choice: WhistChoice) -> CardSet:
    """Play low in third hand to a foe's small card that an honour beats, with no higher one of the suit."""
    table = choice.table
    if choice.facts.kind != "high" or not choice.follows or len(table.trick) != 2 or choice.is_partners():
        return 0
    top = max(table.legal)
    if not table.beats(top) or table.above(top) not in (1, 2) or choice.is_sure(top):
        return 0
    return choice.cards(lambda card: not table.beats(card))


def partners_long_suit_blocked(choice: WhistChoice) -> CardSet:
    """Keep the higher of two cards where the partner has the rest of the suit, all below it."""
    table = choice.table
    if choice.facts.kind != "high" or not choice.follows or len(table.legal) != 2:
        return 0
    suit = table.legal[0].suit
    rest = (table.unseen & SUIT_SETS[suit]).bit_count()
    high, low = max(table.legal), min(table.legal)
    if rest < 2 or table.above(high) or not table.above(low):
        return 0
    if not all(choice.is_void(foe, suit) for foe in choice.foes):
        return 0
    return card_set([low])


# ------------------------------------------------------------------------------------ whist family, nolo


def trick_taken_over_a_card_that_stays_under(choice: WhistChoice) -> CardSet:
    """Go over a foe's card as the last to play, although a card would have stayed under it."""
    table = choice.table
    if choice.facts.kind != "low" or not choice.follows or table.waiting or choice.is_partners():
        return 0
    return choice.cards(table.beats)


def dangerous_card_kept(choice: WhistChoice) -> CardSet:
    """Play a lower card than one that does the same as the last to play."""
    table = choice.table
    if choice.facts.kind != "low" or not choice.follows or table.waiting:
        return 0
    under = [card for card in table.legal if not table.beats(card)]
    if under and choice.is_partners():
        return 0
    same = under or table.legal
    return card_set(card for card in same if table.below(card) < table.below(max(same)))


def safe_card_thrown(choice: WhistChoice) -> CardSet:
    """Discard a card that beats nothing, and keep one that has to win as it has no safe card below."""
    table = choice.table
    if choice.facts.kind != "low" or not table.trick or choice.follows:
        return 0
    safe = choice.cards(lambda card: table.below(card) == 0 < table.above(card))
    dangerous = [card for card in table.legal if table.above(card) == 0 and table.below(card) >= 2]
    if not any(table.below(min(cards_of(table.hand & SUIT_SETS[card.suit]))) for card in dangerous):
        return 0
    return safe


def last_exit_led_first(choice: WhistChoice) -> CardSet:
    """Lead the only card that beats nothing early, although another is nearly as likely to lose."""
    table = choice.table
    if choice.facts.kind != "low" or table.trick or choice.left < EARLY:
        return 0
    exits = choice.cards(lambda card: table.below(card) == 0 < table.above(card))
    if exits.bit_count() != 1:
        return 0
    others = choice.cards(lambda card: table.below(card) in (1, 2) and table.above(card) >= 4)
    return exits if others else 0


def suit_led_that_both_foes_are_out_of(choice: WhistChoice) -> CardSet:
    """Lead a suit that only the own side can win, with another that a foe may win."""
    table = choice.table
    if choice.facts.kind != "low" or table.trick:
        return 0

    def is_ours(card: Card) -> bool:
        return all(choice.is_void(foe, card.suit) for foe in choice.foes)

    if not choice.cards(lambda card: not is_ours(card) and table.above(card) > 0):
        return 0
    return choice.cards(is_ours)


# ----------------------------------------------------------------------------------- whist family, sooli


def _is_hunted(choice: WhistChoice) -> bool:
    return choice.facts.kind == "sooli" and choice.table.seat != choice.facts.soloist


def suit_led_that_the_soloist_is_out_of(choice: WhistChoice) -> CardSet:
    """Lead a suit that the soloist does not follow, as a hunter."""
    soloist = choice.facts.soloist
    if not _is_hunted(choice) or choice.table.trick or soloist is None:
        return 0
    return choice.cards(lambda card: choice.is_void(soloist, card.suit))


def card_over_which_the_soloist_slips_under(choice: WhistChoice) -> CardSet:
    """Play a higher card than needed before the soloist, or over the soloist's card, as a hunter."""
    table, soloist = choice.table, choice.facts.soloist
    if not _is_hunted(choice) or not choice.follows or soloist is None or table.best is None:
        return 0
    waits = soloist in table.waiting
    if choice.is_void(soloist, table.legal[0].suit) or not (waits or table.best[0] == soloist):
        return 0
    return choice.cards(table.beats)


# -------------------------------------------------------------------------------------------- Huutopussi


class HuutopussiChoice(NamedTuple):
    """A choice of a card in Huutopussi."""

    view: View
    facts: marriages.Facts
    table: HuutopussiDeductions

    def cards(self, fits: Callable[[Card], bool]) -> CardSet:
        """The legal cards that fit."""
        return card_set(
            action.card for action in self.view.legal if isinstance(action, Play) and fits(action.card)
        )

    def points(self, card: Card) -> int:
        """The points of a card in a trick."""
        return marriages.card_points(1 << card, self.view.rules.card_values)

    def spare_cards(self) -> CardSet:
        """Legal cards without points to speak of, of no marriage in hand."""
        return self.cards(lambda card: self.points(card) < 10) & ~marriage_cards(self.table)

    def foes(self) -> tuple[Seat, Seat]:
        """The two seats of the other side."""
        return (self.table.seat + 1) % 4, (self.table.seat + 3) % 4


def marriage_broken(choice: HuutopussiChoice) -> CardSet:
    """Play a card of a marriage that may still be declared, with a card to spare."""
    pairs = marriage_cards(choice.table)
    return choice.cards(lambda card: bool(pairs >> card & 1)) if choice.spare_cards() else 0


def points_thrown_away(choice: HuutopussiChoice) -> CardSet:
    """Give an ace or a ten to a foe who wins the trick for certain."""
    table, best = choice.table, choice.table.best()
    if best is None or len(table.trick) < 2 or best[0] not in choice.foes():
        return 0
    if choice.cards(lambda card: table.beats(card, best[1])) or not choice.spare_cards():
        return 0
    return choice.cards(lambda card: choice.points(card) >= 10)


def ten_withheld_from_partner(choice: HuutopussiChoice) -> CardSet:
    """Keep a ten whose ace is out from a trick that is the partner's, as the last to play."""
    table, best = choice.table, choice.table.best()
    if best is None or len(table.trick) != 3 or best[0] != partner(table.seat):
        return 0
    if choice.cards(lambda card: table.beats(card, best[1])):
        return 0
    loose = choice.cards(
        lambda card: bool(1 << card & TENS and table.above(card) and card.suit != table.trump)
    )
    return choice.cards(lambda card: choice.points(card) < 10) if loose else 0


def bare_ten_led(choice: HuutopussiChoice) -> CardSet:
    """Lead a ten whose ace a foe may hold, with a card to spare."""
    table = choice.table
    if table.trick or not choice.spare_cards():
        return 0
    return choice.cards(lambda card: may_lose_to_ace(table, card))


def points_led_into_a_void(choice: HuutopussiChoice) -> CardSet:
    """Lead an ace or a ten that a foe may trump, as it has shown to be out of the suit."""
    table, trump = choice.table, choice.table.trump
    if table.trick or trump is None:
        return 0

    def is_trumped(card: Card) -> bool:
        return card.suit != trump and any(
            not table.possible[foe] & SUIT_SETS[card.suit] and table.possible[foe] & SUIT_SETS[trump]
            for foe in choice.foes()
        )

    if not choice.spare_cards() & ~choice.cards(is_trumped):
        return 0
    return choice.cards(lambda card: is_trumped(card) and choice.points(card) >= 10)


# ------------------------------------------------------------------------------------------------- table

WHIST: tuple[Callable[[WhistChoice], CardSet], ...] = (
    higher_card_on_partners_sure_trick,
    bare_ace_led,
    partners_suit_not_returned,
    high_card_where_a_low_one_does,
    trick_left_that_only_now_is_won,
    low_third_hand,
    partners_long_suit_blocked,
    trick_taken_over_a_card_that_stays_under,
    dangerous_card_kept,
    safe_card_thrown,
    last_exit_led_first,
    suit_led_that_both_foes_are_out_of,
    suit_led_that_the_soloist_is_out_of,
    card_over_which_the_soloist_slips_under,
)
HUUTOPUSSI: tuple[Callable[[HuutopussiChoice], CardSet], ...] = (
    marriage_broken,
    points_thrown_away,
    ten_withheld_from_partner,
    bare_ten_led,
    points_led_into_a_void,
)


def habit_name(detector: Callable[..., CardSet]) -> str:
    """The name of a habit in tables."""
    return detector.__name__.replace("_", " ").replace("partners", "partner’s")


def occasions(view: View) -> Mapping[str, CardSet]:
    """The cards that are blunders for the seat of `view`, by habit, where others are none."""
    legal = card_set(action.card for action in view.legal if isinstance(action, Play))
    facts: Any = view.facts
    if facts.phase != "play" or not legal & (legal - 1):
        return {}
    if view.game == "whist":
        whist_choice = WhistChoice(view, facts, deduce_whist(view))
        found = {habit_name(detector): detector(whist_choice) for detector in WHIST}
    else:
        choice = HuutopussiChoice(view, facts, deduce_huutopussi(view))
        found = {habit_name(detector): detector(choice) for detector in HUUTOPUSSI}
    return {name: cards for name, cards in found.items() if cards and legal & ~cards}


def card_choices(game: str, level: str, hands: int, seed: int) -> Iterator[tuple[Hand, Seat, Card]]:
    """Every choice of a card in so many hands of four players of a level: the hand before it, seat, card."""
    company = [load_player(level)] * 4
    match, count = Match.start(*find(game), 4), 0
    while count < hands:
        if match.winner is not None:
            seed += 1
            match = Match.start(*find(game), 4)
        if match.hand.owed() == (CHANCE,):
            match = deal_by_seed(match, seed)
            continue
        found = next_choice(match, company, seeds(match, seed), DEFAULT_BUDGET)
        assert found is not None
        seat, action = found[0], found[1].action
        if isinstance(action, Play):
            yield match.hand, seat, action.card
        after = match.apply(seat, action)
        count += len(after.played) > len(match.played) and not after.played[-1].result.void
        match = after


class Count(NamedTuple):
    """How often a blunder was made, of how many occasions."""

    made: int
    of: int


def count_blunders(game: str, level: str, hands: int) -> Mapping[str, Count]:
    """The blunders of four players of a level, by habit, in so many hands."""
    made: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for hand, seat, card in card_choices(game, level, hands, SEED):
        for name, cards in occasions(hand.view(seat)).items():
            of[name] += 1
            made[name] += cards >> card & 1
    detectors: Sequence[Callable[..., CardSet]] = HUUTOPUSSI if game == "huutopussi" else WHIST
    return {name: Count(made[name], of[name]) for name in map(habit_name, detectors)}


def main(words: Sequence[str] = ()) -> bool:
    """Count the blunders of every level in every game; False."""
    parser = options("blunders", __doc__)
    parser.add_argument("hands", nargs="?", type=int, default=HANDS)
    parser.add_argument("names", nargs="*", choices=[*GAMES, *LEVELS, []], help="games and levels")
    arguments, report = parse(parser, words)
    for game in [name for name in GAMES if name in arguments.names] or GAMES:
        for level in [name for name in LEVELS if name in arguments.names] or LEVELS:
            for habit, count in count_blunders(game, level, arguments.hands).items():
                report.add(f"{game}, {level}: {habit}", count.made, "blunders", n=count.of)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
