"""The whist family as an environment: its table of observations and actions, and what a seat observes."""

from collections.abc import Mapping

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show
from nousu.engine.cards import RANKS, Card
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.env.layout import PLACES, Layout, Planes, Row, Scalars, clip_score
from nousu.games.whist import (
    Bid,
    BreakOff,
    Facts,
    Pass,
    Rise,
    Rules,
    Sooli,
    Totals,
    means_high,
    payoffs,
    said,
)

_PHASES = ("bid", "auction", "sooli", "discard", "give", "return", "play", "over")
_KINDS = (None, "high", "low", "sooli")
_STEPS = {"other_criterion": 1, "extra_hands": 2, "draw": 3}

LAYOUT = Layout(
    family="whist",
    ranks=RANKS,
    planes=(
        Row("hand", 1, "the cards held"),
        Row("played", 4, "cards played in this hand by me, left, partner, right"),
        Row("trick", 1, "the cards of the trick on the table"),
        Row("shown", 4, "the card each has turned up as a bid"),
        Row("bid", 1, "the card I laid face down"),
        Row("given", 1, "cards I gave away or laid aside in a sooli"),
        Row("received", 1, "cards I was given in a sooli"),
        Row("when", 1, "not 0 or 1: its place among the cards played in the hand, from 1"),
    ),
    scalars=(
        Row(
            "phase",
            1,
            "what is waited for: " + ", ".join(f"{at} {name}" for at, name in enumerate(_PHASES[:-1])),
        ),
        Row("turn", 1, "who acts: 1 I, 2 left, 3 partner, 4 right"),
        Row("dealer", 1, "who deals, 1 to 4"),
        Row("kind", 1, "0 open, 1 high, 2 low, 3 sooli"),
        Row("bidder", 1, "whose bid fixed the game, 0 nobody's"),
        Row("soloist", 1, "who plays sooli, 0 nobody"),
        Row("laid", 4, "1 for each who has laid a bid face down"),
        Row("said", 4, "the public bid of each: 1 low, 2 high, 3 pass"),
        Row("own bid", 1, "what I laid face down says: 1 low, 2 high"),
        Row("answer", 4, "what each said to sooli: 1 pass, 2 sooli"),
        Row("tricks", 2, "tricks of my side and of the others"),
        Row("may end", 1, "1 where the hand may be broken off"),
        Row("leader", 1, "who led to the trick on the table, 0 nobody"),
        Row("score", 2, "points of my side and of the others"),
        Row("total", 2, "points collected while rising"),
        Row("peak", 2, "the highest rise"),
        Row("hands", 1, "hands played in this match"),
        Row("extra", 1, "1 where an extra hand decides"),
    ),
    blocks=(
        Row("play", 1, "play the card"),
        Row("lay", 1, "lay the card face down as a bid"),
        Row("give", 1, "give the card away in a sooli, or lay it aside"),
    ),
    words=(
        Row("high", 1, "rami, grand: laid as a word or spoken"),
        Row("low", 1, "nolo, nullo"),
        Row("pass", 1, "pass"),
        Row("sooli", 1, "sooli"),
        Row("end", 1, "break the hand off"),
        Row("show", 1, "show a hand of one colour: the deal is void"),
    ),
)
VERSION = 0
"""The number in the names of the environments (``nousu/…-v0``): a changed `LAYOUT` takes the next one."""
FORCED = frozenset({"expose"})
"""Phases without a choice: a bid that was laid is turned up."""

LONGEST = 64
"""Upper bound of the number of actions in a hand."""


def bounds(rules: Rules) -> tuple[int, int]:
    """The smallest and the largest gain of a side in a hand."""
    gains = [0, *(gain for both in payoffs(rules) for gain in both)]
    return min(gains), max(*gains, rules.sooli_points if rules.sooli else 0)


def own_codes(rules: Rules) -> Mapping[str, int]:
    """The tie-break for the core: its steps as digits to the base 4."""
    return {"limit_tiebreak": sum(_STEPS[step] * 4**at for at, step in enumerate(rules.limit_tiebreak))}


def number(action: Action) -> int:
    """The number of an action."""
    start, card = LAYOUT.start, LAYOUT.number
    match action:
        case Play(one):
            return start["play"] + card[one]
        case Seal(Card() as one):
            return start["lay"] + card[one]
        case Give((one,)):
            return start["give"] + card[one]
        case Show():
            return start["show"]
        case Seal(str() as word) | Call(word):
            match said(Call(word)):
                case Bid() as bid:
                    return start["high" if bid.high else "low"]
                case Pass():
                    return start["pass"]
                case Sooli():
                    return start["sooli"]
                case BreakOff():
                    return start["end"]
    raise ValueError(f"{action} is no action of an environment")


def turn(match: Match, silent: frozenset[Seat]) -> Seat:
    """The seat to act: of several that may lay a bid, the first in the order of turning up.

    A hand is broken off on one's own turn only.
    """
    return match.hand.owed()[0]


def moves(view: View, part: tuple[Card, ...]) -> dict[int, Action]:
    """Moves of the seat by number."""
    return {number(action): action for action in view.legal}


def observe(view: View, turn: Seat, part: tuple[Card, ...] = ()) -> tuple[Planes, Scalars]:
    """Observation of the viewing seat, as planes and scalars in the order of `LAYOUT`."""
    facts, seat, rules = Facts.of(view.facts), view.seat, view.rules
    assert seat is not None
    at = LAYOUT.start
    planes, scalars = LAYOUT.begun(view)
    for by, bid in facts.exposed.items():
        if isinstance(bid, Card):
            planes[at["shown"] + (by - seat) % 4, LAYOUT.number[bid]] = 1
    if isinstance(facts.own_bid, Card):
        planes[at["bid"], LAYOUT.number[facts.own_bid]] = 1
    high_said = rules.bid_mode != "spoken"
    answers = [0] * 4
    for by, action in view.heard:
        match action:
            case Give((card,)) if card >= 0:
                planes[at["given" if by == seat else "received"], LAYOUT.number[card]] = 1
            case Call() as call:
                word = said(call)
                if isinstance(word, Bid):
                    high_said = True
                elif high_said and isinstance(word, Pass | Sooli):
                    answers[by] = 2 if isinstance(word, Sooli) else 1

    def relative(other: Seat | None) -> int:
        return 0 if other is None else 1 + (other - seat) % 4

    def says(bid: Card | Bid | Pass | None) -> int:
        return 0 if bid is None else 3 if isinstance(bid, Pass) else 1 + means_high(bid, rules)

    around = [(seat + step) % 4 for step in range(len(PLACES))]
    tally = view.setup.tally
    ours = (seat % 2, 1 - seat % 2)
    assert isinstance(tally, Rise | Totals)
    total, peak = (tally.total, tally.peak) if isinstance(tally, Rise) else ((0, 0), (0, 0))
    scalars[:] = (
        _PHASES.index(facts.phase),
        relative(turn),
        relative(view.setup.dealer),
        _KINDS.index(facts.kind),
        relative(facts.bidder),
        relative(facts.soloist),
        *(by in facts.committed for by in around),
        *(says(facts.exposed.get(by)) for by in around),
        says(facts.own_bid),
        *(answers[by] for by in around),
        *(facts.tricks[side] for side in ours),
        facts.may_end,
        relative(view.trick[0][0] if view.trick else None),
        *(clip_score(tally.score()[side]) for side in ours),
        *(clip_score(total[side]) for side in ours),
        *(clip_score(peak[side]) for side in ours),
        clip_score(tally.hands),
        tally.extra,
    )
    return planes, scalars
