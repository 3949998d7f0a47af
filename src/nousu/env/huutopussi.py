"""Huutopussi as an environment: its table of observations and actions, and what a seat observes.

The packets of the exchange are chosen card by card; only the player who is choosing one knows an incomplete
packet. Rare rules need no rows of their own: in the tricks the word ``redeal`` says kontra or re, and
``reopened`` is 2 more for each that was said; where half a marriage is asked for by its suit, the king stands
for the suit, and the player who asked says ``yes`` or ``no`` last.
"""

from collections.abc import Mapping

from nousu.engine.actions import Action, Call, Give, Play
from nousu.engine.cards import CARDS, SUITS, Card, card_set, cards_of
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.seats import Seat, clockwise, partner
from nousu.env.layout import PLACES, Layout, Planes, Row, Scalars, clip_score, unknown
from nousu.games.huutopussi import (
    AskFull,
    AskHalf,
    AskSuit,
    Bid,
    Contract,
    Declare,
    Facts,
    Kontra,
    No,
    Pass,
    Re,
    Redeal,
    Rules,
    Sixes,
    Totals,
    Yes,
    rounded,
    said,
)

_PHASES = ("auction", "give", "contract", "return", "play", "answer", "over")
_HOW = (None, "own", "full", "half")
_BIDS = 100
_AROUND = ", ".join(PLACES)
_BY_SUIT = "spades, hearts, diamonds, clubs"

LAYOUT = Layout(
    family="huutopussi",
    ranks="6789JQKTA",
    planes=(
        Row("hand", 1, "the cards held"),
        Row("played", 4, f"cards played in this hand by {_AROUND}"),
        Row("trick", 1, "the cards of the trick on the table"),
        Row("chosen", 1, "cards I have chosen for a packet that is not complete"),
        Row("given", 1, "cards I gave to my partner"),
        Row("received", 1, "cards my partner gave to me"),
        Row("when", 1, "not 0 or 1: its place among the cards played in the hand, from 1"),
        Row("half by", 1, "kings and queens by which the other half was asked for: who asked last, 1 to 4"),
        Row("half when", 1, "and before which trick, 2 to 9"),
    ),
    scalars=(
        Row("phase", 1, ", ".join(f"{at} {name}" for at, name in enumerate(_PHASES[:-1]))),
        Row("turn", 1, "who acts: 1 I, 2 left, 3 partner, 4 right"),
        Row("dealer", 1, "who deals, 1 to 4"),
        Row("last bid", 1, "in points, 0 before the first"),
        Row("bidder", 1, "whose it is, 0 nobody’s"),
        Row("declarer", 1, "who has won the auction, 0 nobody"),
        Row("contract", 1, "in points, 0 where there is none yet"),
        Row("trump", 1, f"0 none, then 1 to 4: {_BY_SUIT}"),
        Row("reopened", 1, "1 in an auction opened again for a barred side"),
        Row("passed", 4, f"1 for each who is out of the auction: {_AROUND}"),
        Row("barred", 4, "1 for each who may not bid"),
        Row("passed at", 4, "the bid at which each passed"),
        Row("married", 4, f"who declared or asked for the marriage in {_BY_SUIT}; 0 nobody"),
        Row("how", 4, "1 from hand, 2 by asking for a whole one, 3 for a half"),
        Row("before trick", 4, "and before which trick, 2 to 9"),
        Row("may declare", 1, "1 before a lead with an attempt"),
        Row("own right", 4, "1 for each who may still declare from hand"),
        Row("full right", 4, "1 for each who may still ask for a whole marriage"),
        Row("asked card", 1, "1 + the number of the card an open half question names"),
        Row("asked full", 4, "before which trick each asked for a whole marriage last, 0 never"),
        Row("card points", 2, "of my side and of the others"),
        Row("marriage points", 2, "of my side and of the others"),
        Row("tricks", 2, "of my side and of the others"),
        Row("leader", 1, "who led to the trick on the table, 0 nobody"),
        Row("sixes said", 2, "1 where my side, the others, said it holds the four sixes"),
        Row("score", 2, "of my side and of the others"),
        Row("hands", 1, "hands played in this match"),
        Row("bid by", _BIDS, "who bid 5, 10, … 500 points, 0 nobody"),
    ),
    blocks=(
        Row("play", 1, "play the card"),
        Row("choose", 1, "the next card of a packet for the partner"),
    ),
    words=(
        Row("bid", _BIDS, "bid 5, 10, … 500 points"),
        Row("name", _BIDS, "name a contract of 5, 10, … 500 points"),
        Row("pass", 1, "leave the auction"),
        Row("redeal", 1, "demand a new deal for the own hand"),
        Row("sixes", 1, "say that the pair holds the four sixes"),
        Row("declare", 4, f"declare the marriage in {_BY_SUIT}"),
        Row("ask full", 1, "ask for a whole marriage"),
        Row("ask by king", 4, "ask for the queen to this king"),
        Row("ask by queen", 4, "ask for the king to this queen"),
        Row("yes", 1, "the partner has the other half"),
        Row("yes in", 4, "the partner names a whole marriage"),
        Row("no", 1, "the partner has it not, or will not say"),
    ),
)
VERSION = 0
"""The number in the names of the environments (``nousu/…-v0``): a changed `LAYOUT` takes the next one."""
FORCED = frozenset[str]()
"""No slot for silence: a seat to act always has a choice."""
_PLAIN = {
    Pass(): "pass",
    Redeal(): "redeal",
    Kontra(): "redeal",
    Re(): "redeal",
    Sixes(): "sixes",
    AskFull(): "ask full",
    No(): "no",
    Yes(): "yes",
}
_KING = 11

LONGEST = 300
"""Upper bound of the number of actions in a hand."""


def bounds(rules: Rules) -> tuple[int, int]:
    """The smallest and the largest gain of a side in a hand."""
    most = max(rules.most, rules.ceiling or 0) << rules.kontra
    return -2 * most, max(most, rounded(rules, rules.total))


def own_codes(rules: Rules) -> Mapping[str, int]:
    """The highest bid and contract; `BadRules` where bids have no end."""
    if rules.ceiling is None:
        raise unknown(rules, "max_bid")
    return {"ceiling": rules.ceiling, "most": rules.most}


def turn(match: Match, silent: frozenset[Seat]) -> Seat:
    """The seat to act."""
    return match.hand.owed()[0]


def moves(view: View, part: tuple[Card, ...]) -> dict[int, Action | Card]:
    """Moves of the seat by number; a card of a packet alone until the last one completes it."""
    legal, seat = view.legal, view.seat
    assert seat is not None
    numbered: dict[int, Action | Card] = {}
    if not part:
        numbered = {number(action): action for action in legal if not isinstance(action, Give)}
    if any(isinstance(action, Give) for action in legal):
        complete = len(part) + 1 == view.rules.exchange_cards
        for card in view.cards:
            if card not in part:
                packet = cards_of(card_set((*part, card)))
                move = Give(packet, partner(seat)) if complete else card
                numbered[LAYOUT.start["choose"] + LAYOUT.number[card]] = move
    return numbered


def number(action: Action) -> int:
    """The number of an action, but for packets."""
    start = LAYOUT.start
    if isinstance(action, Play):
        return start["play"] + LAYOUT.number[action.card]
    word = said(action) if isinstance(action, Call) else None
    match word:
        case Bid(points):
            return start["bid"] + points // 5 - 1
        case Contract(points):
            return start["name"] + points // 5 - 1
        case Declare(suit):
            return start["declare"] + suit
        case AskSuit(suit):
            return start["ask by king"] + suit
        case AskHalf(card):
            return start["ask by king" if card.rank == _KING else "ask by queen"] + card.suit
        case Yes(int(suit)):
            return start["yes in"] + suit
        case None:
            raise ValueError(f"{action} is no action of an environment")
        case _:
            return start[_PLAIN[word]]


def observe(view: View, turn: Seat, part: tuple[Card, ...] = ()) -> tuple[Planes, Scalars]:
    """Observation of the viewing seat, as planes and scalars in the order of `LAYOUT`."""
    facts, seat = Facts.of(view.facts), view.seat
    assert seat is not None
    tally = view.setup.tally
    assert isinstance(tally, Totals)
    at, number = LAYOUT.start, LAYOUT.number
    planes, scalars = LAYOUT.begun(view)
    LAYOUT.mark(planes[at["chosen"]], part)

    def relative(other: Seat | None) -> int:
        return 0 if other is None else 1 + (other - seat) % 4

    played, sixes, asked = 0, [0, 0], [0] * 4
    named = facts.asked
    if facts.asked_suit is not None:
        named = CARDS[16 * facts.asked_suit + _KING]
    for by, action in view.heard:
        match action:
            case Play():
                played += 1
            case Give(cards) if cards[0] >= 0:
                LAYOUT.mark(planes[at["given" if by == seat else "received"]], cards)
            case Call() as call:
                match said(call):
                    case Sixes():
                        sixes[by % 2] = 1
                    case AskFull():
                        asked[by] = played // 4 + 1
                    case AskHalf() | AskSuit() as ask:
                        card = CARDS[16 * ask.suit + _KING] if isinstance(ask, AskSuit) else ask.card
                        planes[at["half by"], number[card]] = relative(by)
                        planes[at["half when"], number[card]] = played // 4 + 1
    bids, last, passed_at = [0] * _BIDS, 0, [0] * 4
    for by, word in facts.auction:
        if isinstance(word, Bid):
            last = word.points
            bids[last // 5 - 1] = relative(by)
        else:
            passed_at[by] = last
    around, ours = clockwise(seat, 4), (seat % 2, 1 - seat % 2)
    married = {marriage.suit: marriage for marriage in facts.marriages}
    suits = [married.get(suit) for suit in range(len(SUITS))]
    scalars[:] = (
        _PHASES.index(facts.phase),
        relative(turn),
        relative(view.setup.dealer),
        facts.bid,
        relative(facts.bidder),
        relative(facts.declarer),
        facts.contract or 0,
        0 if facts.trump is None else 1 + facts.trump,
        facts.reopened + 2 * facts.doublings,
        *(other in facts.passed for other in around),
        *(other in facts.barred for other in around),
        *(passed_at[other] for other in around),
        *(0 if marriage is None else relative(marriage.by) for marriage in suits),
        *(0 if marriage is None else _HOW.index(marriage.how) for marriage in suits),
        *(0 if marriage is None else marriage.trick for marriage in suits),
        facts.may_declare,
        *(facts.may_declare_own[other] for other in around),
        *(facts.may_ask_full[other] for other in around),
        0 if named is None else 1 + number[named],
        *(asked[other] for other in around),
        *(facts.cards[side] for side in ours),
        *(facts.marriage_points[side] for side in ours),
        *(facts.tricks[side] for side in ours),
        relative(view.trick[0][0] if view.trick else None),
        *(sixes[side] for side in ours),
        *(clip_score(tally.points[side]) for side in ours),
        clip_score(tally.hands),
        *bids,
    )
    return planes, scalars
