"""Searching in Tuppen: everybody's habits played out in imagined deals that fit what was said.

Nobody plays for anybody else here, so there is no alliance to solve against. Everybody is taken to play by
the sayings (low cards first, the best one in the last trick but one) after the card that is tried. Deals are
weighed by who raised and who held: such hands are strong. The share of deals that are won decides what to
play, and whether to raise, hold or leave by the points it costs.

Two other ways were tried and lost to the rule-based player: solving each deal with all cards seen (in most
deals some line wins, only never the same one) and the best fixed order of the own cards.
"""

from collections.abc import Sequence
from math import exp
from random import Random

from nousu.engine.actions import Call, Play
from nousu.engine.cards import DECK_32, SUIT_SETS, TEN_HIGH, CardSet, cards_of
from nousu.engine.game import View
from nousu.engine.seats import DIRECTOR, Seat
from nousu.engine.tricks import SUIT_LADDER
from nousu.games.tuppen import HOLD, LEAVE, RAISE, Facts, Hold, Raise, leaving_costs, losing_costs, said
from nousu.players import Choice
from nousu.players.searcher import Effort, best_on_average, imagined, reasoned
from nousu.players.worlds import played_by

LEANING = 0.01
"""By what chance another card must be better than the rule-based player's."""
RAISE_FROM = 0.5
"""Chance to win from which the stake is raised."""
OTHERS_LOSS = 0.3
"""What it is worth, in stakes, that the others lose theirs."""

WORLDS = 2
"""Imagined deals for each one the effort allows: playing one out is cheap here."""
DRAWN = 4
"""So many deals are drawn for each one that is kept after weighing what the others said."""
FITS: dict[type[Raise | Hold], tuple[float, float]] = {Raise: (0.06, 0.45), Hold: (0.1, 0.39)}
"""How a raise and a hold depend on `strength`: the share that comes without it, and where half do it."""

_STRENGTH = {int(card): 4 * TEN_HIGH[card.rank] + SUIT_LADDER[card.suit] for card in DECK_32}
_Plays = tuple[tuple[Seat, int], ...]


def choose(view: View, effort: Effort, seed: int, usual: Choice) -> Choice:
    """The action of a searching player; `usual` is the rule-based one's."""
    cards = [action for action in view.legal if isinstance(action, Play)]
    if (not cards and HOLD not in view.legal) or max(view.counts) > 4:
        return usual
    if usual.action not in (*cards, HOLD, LEAVE, RAISE):
        return usual
    drawn = _likely(view, WORLDS * effort.worlds, Random(seed))
    if not cards:
        return _answer(view, _chance(view, drawn))
    me = view.seat
    assert me is not None
    rows = [[_share(view, drawn, me, play.card)] for play in cards]
    action, chance = best_on_average(cards, rows, usual.action, LEANING)
    percent = round(100 * chance)
    here = Facts.of(view.facts)
    free = here.points[me] <= here.stake
    if RAISE in view.legal and (chance >= RAISE_FROM or free or usual.action == RAISE):
        return reasoned(RAISE, "Strong enough to raise: the chance to win is {chance}%", chance=percent)
    return reasoned(action, "The chance to win the hand is {chance}%", chance=percent)


def strength(cards: CardSet) -> float:
    """About the chance of four cards to win against three other hands: least squares over 700 hands as the
    rule-based player estimates them (R² 0.62)."""
    held = cards_of(cards)
    ranks = sorted((TEN_HIGH[card.rank] for card in held), reverse=True)
    best = max(held, key=lambda card: TEN_HIGH[card.rank], default=None)
    company = sum(best is not None and card.suit == best.suit for card in held) - 1
    total = sum(share * rank for share, rank in zip((0.062, 0.042, 0.021, 0.011), ranks, strict=False))
    return total - 0.21 - 0.025 * company - 0.049 * len({card.suit for card in held})


def _likely(view: View, count: int, rng: Random) -> list[tuple[CardSet, ...]]:
    """Hands as they may lie, chosen by how well they fit who raised and who held."""
    spoken: list[tuple[Seat, type[Raise | Hold]]] = []
    for by, action in view.heard:
        word = said(action, len(view.counts)) if isinstance(action, Call) else None
        if isinstance(word, Raise | Hold) and by not in (view.seat, DIRECTOR):
            spoken.append((by, type(word)))
    if not spoken:
        return [world.hands for world in imagined(view, count, rng)]
    played = played_by(view)
    drawn = [world.hands for world in imagined(view, DRAWN * count, rng)]
    weights = []
    for hands in drawn:
        weight = 1.0
        for seat, kind in spoken:
            floor, middle = FITS[kind]
            chance = 1 / (1 + exp((middle - strength(hands[seat] | played[seat])) / 0.05))
            weight *= floor + (1 - floor) * chance
        weights.append(weight)
    return rng.choices(drawn, weights, k=count)


def _answer(view: View, chance: float) -> Choice:
    """Hold when leaving is no cheaper than what is lost on average, the others' loss counted a little."""
    here, seat = Facts.of(view.facts), view.seat
    assert seat is not None
    leaving, losing = leaving_costs(view.rules, here, seat), losing_costs(here, seat)
    percent = round(100 * chance)
    if leaving >= losing or LEAVE not in view.legal:
        return reasoned(HOLD, "Leaving costs as much as losing")
    if chance * losing * (1 + OTHERS_LOSS) >= losing - leaving:
        return reasoned(HOLD, "Wins often enough to go along: {chance}%", chance=percent)
    return reasoned(LEAVE, "Too weak to go along: the chance to win is {chance}%", chance=percent)


def _chance(view: View, drawn: Sequence[Sequence[CardSet]]) -> float:
    """The share of these deals that the best plan wins as things stand."""
    me = view.seat
    assert me is not None
    turn, playing = Facts.of(view.facts).turn, Facts.of(view.facts).in_hand
    assert turn is not None
    if turn not in playing:
        turn = next((seat for seat in playing if seat > turn), playing[0])
    return _share(view, drawn, turn)


def _share(view: View, drawn: Sequence[Sequence[CardSet]], turn: Seat, first: int | None = None) -> float:
    """The share of these deals in which the viewer wins the last trick, `first` being played now."""
    playing, me = Facts.of(view.facts).in_hand, view.seat
    won = sum(last_winner(list(hands), playing, turn, view.trick, first) == me for hands in drawn)
    return won / len(drawn)


def last_winner(
    hands: list[CardSet], playing: Sequence[Seat], turn: Seat, trick: _Plays, first: int | None
) -> Seat:
    """Who wins the last trick if the seat on turn plays `first` and everybody then goes by the sayings."""
    while True:
        done = {seat for seat, _ in trick}
        waiting = [seat for seat in playing if seat not in done]
        for seat in [s for s in waiting if s >= turn] + [s for s in waiting if s < turn]:
            card = _saying(hands[seat], trick, playing) if first is None else first
            first = None
            hands[seat] &= ~(1 << card)
            trick = (*trick, (seat, card))
        suit = trick[0][1] >> 4
        valid = [play for play in trick if play[0] in playing]
        turn = max(valid, key=lambda play: (play[1] >> 4 == suit, _STRENGTH[play[1]]))[0]
        if not hands[turn]:
            return turn
        trick = ()


def _able(hand: CardSet, trick: _Plays) -> CardSet:
    """The cards that may be played: the suit led, if held."""
    return (hand & SUIT_SETS[trick[0][1] >> 4]) or hand if trick else hand


def _saying(hand: CardSet, trick: _Plays, playing: Sequence[Seat]) -> int:
    """Low cards first; in the last trick but one the best that wins, so as to lead the last one."""
    able = cards_of(_able(hand, trick))
    if len(able) == 1:
        return able[0]
    two = hand.bit_count() == 2
    if not trick:
        return (max if two else min)(able, key=_STRENGTH.__getitem__)
    suit = trick[0][1] >> 4
    if two and able[0] >> 4 == suit:
        best = max((_STRENGTH[c] for s, c in trick if c >> 4 == suit and s in playing), default=-1)
        high = max(able, key=_STRENGTH.__getitem__)
        if _STRENGTH[high] > best:
            return high
    return min(able, key=_STRENGTH.__getitem__)
