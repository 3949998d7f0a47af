"""Words in Tuppen for two by odds that nobody can exploit: raises, answers, four pictures and doubts.

A player that always raises from the same chance on tells its cards, and one that never doubts is lied to.
Here every word is said with certain odds, so that an opponent that knows them wins as little by them as
possible: regret matching found them in hands for two played against themselves
(``bench/experiments/tuppen_odds.py``). A situation is known by the chance to win, in `CHANCES` steps, the
stake and how long ago it rose, the number of cards played, the seat on turn, the seats that cannot lose more
than the stake and those that have changed cards. ``policy.txt`` has a whole number for each, in 255ths.
"""

from base64 import b85decode
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import prod
from random import Random
from typing import NamedTuple
from zlib import decompress

from nousu.engine.actions import Action, Call, Give, Play
from nousu.engine.cards import CardSet, card_set
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.games.tuppen import HOLD, KEEP, LEAVE, PICTURES, RAISE, Challenge, Facts, said
from nousu.players.tuppen.playouts import Moment, count_wins, moment_of
from nousu.players.worlds import played_by

TIMES = 32
"""Imagined deals for the chance to win."""
STEPS = (2, 5, 8, 12, 15, 18, 21, 24, 28, 31)
"""Wins of these from which the chance counts as the next higher one."""
CHANCES = len(STEPS) + 1
STAKE = 7
"""Greatest stake that is told apart."""
SINCE = 3
"""Steps of the time since the stake rose: before this same card, one or two cards ago, or earlier."""
PACKETS, SEEN = 3, 6
"""Greatest numbers of packets, and of pictures seen, that are told apart."""

SIZES = {
    "raise": (8, 2, CHANCES, STAKE, 4, SINCE, 4),
    "answer": (8, 2, CHANCES, STAKE, 4, SINCE, 4),
    "lay": (CHANCES, 2, PACKETS, 2),
    "doubt": (PACKETS, SEEN + 1),
}
"""The features of a situation for each question, with their numbers of values. Raises and answers: cards
played, whether one is on turn, the chance, the stake less one, who cannot lose more (1: oneself, 2: the
other), how long ago the stake rose (0 while it is one), who has laid cards down (1: oneself, 2: the other).
Laying cards down: the chance, whether these are four pictures, packets laid before, whether one leads.
Doubts: packets of the other less one, pictures that one has seen."""
SITUATIONS = sum(prod(sizes) for sizes in SIZES.values())


class Situation(NamedTuple):
    """A question of yes or no, and the number of its situation among all of that question."""

    question: str
    number: int


def situation(question: str, *values: int) -> Situation:
    """The situation with these values; those beyond the greatest count as it."""
    number = 0
    for value, size in zip(values, SIZES[question], strict=True):
        number = number * size + min(value, size - 1)
    return Situation(question, number)


def chance(moment: Moment, seat: Seat, gone: CardSet, counts: Sequence[int], hand: CardSet, seed: int) -> int:
    """The step of the chance to win the last trick with this hand; cards that are gone have been seen."""
    return chance_step(count_wins(moment, seat, gone, counts, [hand], TIMES, seed)[0])


def chance_step(wins: int) -> int:
    """The step of the chance that wins so many of `TIMES`."""
    return sum(wins >= least for least in STEPS)


@cache
def odds() -> Mapping[str, bytes]:
    """The odds of yes by question, one for each of its situations, in 255ths."""
    lines = files(__package__).joinpath("policy.txt").read_text(encoding="ascii").splitlines()
    return by_question(decompress(b85decode("".join(line for line in lines if not line.startswith("# ")))))


def by_question(data: bytes) -> Mapping[str, bytes]:
    """Split odds that follow each other in the order of `SIZES`."""
    odds_of, at = {}, 0
    for question, sizes in SIZES.items():
        odds_of[question] = data[at : at + prod(sizes)]
        at += prod(sizes)
    return odds_of


def is_covered(view: View) -> bool:
    """Whether the odds were made for such a hand: two at the table, nobody poor, four cards at most."""
    facts, rules = Facts.of(view.facts), view.rules
    return (
        facts.kind == "regular"
        and len(facts.group) == len(facts.in_hand) == 2
        and min(facts.points[seat] for seat in facts.group) > 1
        and max(view.counts) <= 4
        and not (rules.white_wash or rules.raise_in_answer or rules.two_to_three)
        and (rules.raise_timing, rules.leave_cost) == ("any_time", "previous_stake")
    )


WHY = sentence("Said just often enough that nobody can tell how good the cards are")
"""The reason given for words by odds."""


class SpeechDecision(NamedTuple):
    """A decision before a card is played: to say something or not."""

    situation: Situation
    yes: Action
    no: Action | None
    """None: nothing is said."""


def speech_decisions(view: View, seed: int) -> Iterator[SpeechDecision]:
    """The decisions of this moment, one after the other; the view has to be one that `is_covered`."""
    me, facts = view.seat, Facts.of(view.facts)
    assert me is not None
    hand, gone = card_set(view.cards), sum(played_by(view))
    for by, action in view.heard:
        if by == me and isinstance(action, Give):
            gone |= card_set(action.cards)
    for packet in facts.packets:
        gone |= card_set(packet.cards)
    doubts = [action for action in view.legal if isinstance(action, Call) and _doubts(action, view)]
    if doubts and isinstance(view.heard[-1][1], Give):
        # Later moments tell no more about a packet, so it is doubted at once or never.
        many = sum(packet.owner != me for packet in facts.packets)
        pictures = ((hand | gone) & PICTURES).bit_count()
        yield SpeechDecision(situation("doubt", many - 1, pictures), doubts[-1], None)
    step_now = chance(moment_of(facts, view.trick), me, gone, view.counts, hand, seed)
    claim = next((action for action in view.legal if isinstance(action, Give)), None)
    if claim is not None:
        mine = sum(packet.owner == me for packet in facts.packets)
        yield SpeechDecision(
            situation("lay", step_now, not hand & ~PICTURES, mine, facts.turn == me), claim, KEEP
        )
    if HOLD in view.legal and LEAVE in view.legal:
        yield SpeechDecision(_staked("answer", view, me, step_now), HOLD, LEAVE)
    if RAISE in view.legal:
        yield SpeechDecision(_staked("raise", view, me, step_now), RAISE, None)


def odds_by_chance(view: View, seat: Seat) -> tuple[float, ...]:
    """The odds that `seat` raises or goes along, whichever it may, for each step of its chance.

    Empty where the odds were not made for such a hand. `view` may be that of any seat.
    """
    if not is_covered(view):
        return ()
    question = "answer" if Facts.of(view.facts).phase == "raise" else "raise"
    numbers = (_staked(question, view, seat, step_now).number for step_now in range(CHANCES))
    return tuple(odds()[question][number] / 255 for number in numbers)


def _staked(question: str, view: View, seat: Seat, step_now: int) -> Situation:
    """The situation of a question about the stake for a seat with that step of the chance."""
    facts = Facts.of(view.facts)
    (other,) = (opponent for opponent in facts.in_hand if opponent != seat)
    cards = 2 * len(view.tricks) + len(view.trick)
    spared = (facts.points[seat] <= facts.stake) + 2 * (facts.points[other] <= facts.stake)
    since = (cards - _risen(view) + 1) // 2 if facts.stake > 1 else 0
    laid = {packet.owner for packet in facts.packets}
    changed = (seat in laid) + 2 * (other in laid)
    return situation(question, cards, facts.turn == seat, step_now, facts.stake - 1, spared, since, changed)


def _risen(view: View) -> int:
    """The number of cards played when the stake rose last, not counting a raise still to be answered."""
    raised = [at for at, (_, action) in enumerate(view.heard) if action == RAISE]
    held = raised[:-1] if Facts.of(view.facts).phase == "raise" else raised
    return sum(isinstance(action, Play) for _, action in view.heard[: held[-1]]) if held else 0


def _doubts(call: Call, view: View) -> bool:
    return isinstance(said(call, len(view.counts)), Challenge)


def choose_words(
    view: View, seed: int, by: Mapping[str, bytes] | None = None, about: Container[str] = SIZES
) -> Action | None:
    """The word that is said now by odds; None for silence, or where a card is owed.

    Args:
        view: A view that `is_covered`.
        seed: The seed of the draw.
        by: The odds of each question; those of the package where None.
        about: The questions of `SIZES` that are decided.
    """
    by = odds() if by is None else by
    rng = Random(seed)
    for decision in speech_decisions(view, seed):
        place = decision.situation
        if place.question not in about:
            continue
        answer = decision.yes if 255 * rng.random() < by[place.question][place.number] else decision.no
        if answer is not None:
            return answer
    return None


def action_share(view: View, action: Action, seed: int) -> float | None:
    """The share of that action by the odds at this moment, a card (silence) included.

    None where they were not made for such a hand, or do not speak of it.
    """
    if not is_covered(view):
        return None
    silent = 1.0
    for decision in speech_decisions(view, seed):
        yes = odds()[decision.situation.question][decision.situation.number] / 255
        if action == decision.yes:
            return silent * yes
        silent *= 1 - yes
        if action == decision.no:
            return silent
    return silent if isinstance(action, Play) else None
