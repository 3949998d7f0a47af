"""The bids of `expert`: high or low, by playing imagined deals out both ways.

In each deal the others bid by the strength of their hands and by when their bid is turned up, a defender
calls sooli by rule of thumb, and all play on by the nets, seeing their own cards only. Only deals in which no
earlier bid is high tell anything: in the others the own bid is never turned up. The results of a high bid and
of a low one are compared as those of cards are, by the chance to win the match.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Literal

from nousu.engine.actions import Seal
from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, left, partner, side
from nousu.games.whist import bid_order, first_lead, sooli_scores
from nousu.players import Choice, choice_because
from nousu.players.searcher import SearchEffort, sample_worlds
from nousu.players.whist import policy, rules
from nousu.players.whist.bid_lines import bid_strength
from nousu.players.whist.playouts import WhistTable, play_out
from nousu.players.whist.utility import Utility, trick_values, utility_for, win_percent

DEALS = 10
"""Deals drawn for each one the effort allows: a bid takes about as long as a card."""
FEWEST = 20
"""Least number of telling deals; with fewer, rules of thumb decide: an earlier bid is almost surely high."""
MADE = 0.46, -0.58
"""The chance to make a sooli, as a logistic function of the danger of the hand after the exchange: as in
`searcher`, where it is not known how many deals would be made with all cards seen."""


def choose_bid(view: View, effort: SearchEffort, rng: Random, usual: Choice, seed: int) -> Choice:
    """High or low, whichever is worth more; the bid card is as quiet as that of the rule-based player."""
    assert view.seat is not None
    if not isinstance(usual.action, Seal):
        return usual
    lines = [rules.high_bid_strength(view, seat) for seat in range(4)]
    order = bid_order(view.rules, view.setup.dealer)
    place = order.index(view.seat)

    def first_high(hands: Sequence[CardSet], seats: Sequence[Seat]) -> Seat | None:
        return next((seat for seat in seats if bid_strength(hands[seat]) >= lines[seat]), None)

    drawn = [world.hands for world in sample_worlds(view, DEALS * effort.worlds, rng)]
    deals = [hands for hands in drawn if first_high(hands, order[:place]) is None]
    if len(deals) < FEWEST:
        return usual
    by = utility_for(view)
    later = [first_high(hands, order[place + 1 :]) for hands in deals]
    high = sum(_worths(view, deals, view.seat, by)) / len(deals)
    low = 0.0
    for bidder in (*order[place + 1 :], None):
        bid_deals = [hands for hands, first in zip(deals, later, strict=True) if first == bidder]
        low += sum(_worths(view, bid_deals, bidder, by)) / len(deals)
    choice = usual
    if (high > low) != rules.wants_high(view):
        choice = rules.sealed_bid(view, high > low, Random(seed))
    message = sentence("If this bid is turned up, high scores {high} on average, low {low}")
    if by is win_percent:
        message = sentence("If this bid is turned up, high wins {high}% of such matches, low {low}%")
    places = 0 if by is win_percent and f"{high:.0f}" != f"{low:.0f}" else 1
    return choice_because(choice.action, message, high=f"{high:.{places}f}", low=f"{low:.{places}f}")


def _worths(view: View, deals: Sequence[Sequence[CardSet]], bidder: Seat | None, by: Utility) -> list[float]:
    """The utility of each deal for the viewer's side when `bidder` has bid high (None: nobody)."""
    game = view.rules
    dealer = view.setup.dealer
    leader = first_lead(game, bidder is not None, dealer, bidder)
    kind: Literal["high", "low"] = "low" if bidder is None else "high"
    values = trick_values(view, by, kind, None if bidder is None else side(bidder))
    played = play_out(
        WhistTable(kind, bidder, None, None, leader),
        [(hands, 0) for hands in deals],
        nets=policy.packed_weights(),
    )
    utilities = [values[taken] for taken in played.gained[0]]
    if bidder is None or not game.sooli:
        return utilities
    defenders = left(bidder, 4), partner(left(bidder, 4))
    sooli = {seat: [by(view, sooli_scores(game, seat, made)) for made in (False, True)] for seat in defenders}
    for at, hands in enumerate(deals):
        soloist = next((seat for seat in defenders if rules.may_call_sooli(hands[seat], game)), None)
        if soloist is not None:
            chance = 1 / (1 + exp(-(MADE[0] + MADE[1] * rules.danger_left(hands[soloist], game))))
            lost, won = sooli[soloist]
            utilities[at] = lost + chance * (won - lost)
    return utilities
