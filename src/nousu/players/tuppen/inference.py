"""Inference from raises, holds and silences in Tuppen to the cards: would rules of thumb have spoken so?

The chance to win of each seat, as it looked from there at that moment, is estimated for its hand in an
imagined deal. A seat that raised, or went along, had chance enough; one that kept silent when it could have
raised had not. Each piece of news is tempered: people do not play by our thresholds (`FLOOR`, `DOUBT`).
Between two a seat may as well speak by the odds of `policy`, which tell hardly anything of the cards: half
and half.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from nousu.engine.actions import Call, Entry, Give, Play
from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.engine.seats import Seat
from nousu.games.tuppen import Facts, Hold, Leave, Raise, leaving_costs, losing_costs, said
from nousu.games.tuppen.hand import Hand
from nousu.players.tuppen import policy
from nousu.players.tuppen.playouts import (
    TIMES,
    Moment,
    count_wins,
    moment_of,
    needed_to_hold,
    needed_to_raise,
    spite,
)
from nousu.players.tuppen.rules import BLUFF
from nousu.players.worlds import World, played_by, replay_steps

FLOOR = 0.04
"""The least likelihood of any word, whatever the cards: nobody is known to play by the rules of thumb."""
DOUBT = 0.08
"""Spread of estimates of the same chance, as the scale of a logistic curve."""


class News(NamedTuple):
    """A word or a silence of a seat, and the chance it takes to say the word."""

    seat: Seat
    moment: Moment
    seen_cards: CardSet
    """The cards that everybody had seen."""
    later: CardSet
    """The cards that this seat has played since."""
    counts: tuple[int, ...]
    needed: float
    """The chance to win from which the rule-based player says it."""
    said: bool
    least: float = 0.0
    """Frequency of saying it without that chance."""
    odds: tuple[float, ...] = ()
    """Frequency of saying it by odds, for each step of the chance; empty if no player says it by odds."""

    @property
    def times(self) -> int:
        """The number of imagined deals in which the chance to win is estimated."""
        return policy.TIMES if self.odds else TIMES


class _Word(NamedTuple):
    """The word of a seat at one moment, or its silence."""

    seat: Seat
    needed: float
    said: bool
    least: float = 0.0


def news(view: View, world: World) -> list[News]:
    """The news of the other seats so far, oldest first; `world` is any that fits the view."""
    changed = {by: at for at, (by, action) in enumerate(view.heard) if isinstance(action, Give)}
    played = played_by(view)
    all_news: list[News] = []
    for at, hand in enumerate(replay_steps(view, world)):
        assert isinstance(hand, Hand)
        if hand.table is None or hand.ended is not None or hand.kind != "regular" or hand.doubt is not None:
            continue
        before = hand.view(None)
        facts, gone = Facts.of(before.facts), played_by(before)
        for word in _words(view, before, facts, view.heard[at] if at < len(view.heard) else None):
            # Words said before the speaker changed its cards tell nothing about those it has now.
            if word.seat != view.seat and word.needed > 0 and at >= changed.get(word.seat, 0):
                later = played[word.seat] & ~gone[word.seat]
                moment, odds = moment_of(facts, before.trick), policy.odds_by_chance(before, word.seat)
                all_news.append(News(word.seat, moment, sum(gone), later, before.counts, *word[1:], odds))
    return all_news


def _words(view: View, before: View, facts: Facts, entry: Entry | None) -> list[_Word]:
    """The words in this entry of the log, or the silences before it; None for the moment of `view`."""
    by, action = (None, None) if entry is None else entry
    word = said(action, len(view.counts)) if isinstance(action, Call) else None
    least = 0.0 if facts.raisers else BLUFF
    if isinstance(word, Hold | Leave) and by is not None:
        needed = needed_to_hold(leaving_costs(view.rules, facts, by), losing_costs(facts, by), spite(facts))
        return [_Word(by, needed, isinstance(word, Hold))]
    if isinstance(word, Raise) and by is not None:
        free = facts.points[by] <= facts.stake
        return [] if free else [_Word(by, needed_to_raise(len(facts.raisers)), True, least)]
    led = isinstance(action, Play) or (entry is None and facts.turn == view.seat)
    if before.trick or not led or facts.phase != "play" or view.rules.raise_timing != "any_time":
        return []
    return [
        _Word(seat, needed_to_raise(len(facts.raisers)), False, least)
        for seat in facts.in_hand
        if facts.stake < min(facts.points[seat], facts.raise_cap[seat]) and seat != facts.last_raiser
    ]


def likelihoods(view: View, worlds: Sequence[World], seed: int) -> list[float]:
    """Likelihood of all words said, for each world, tempered."""
    weights = [1.0] * len(worlds)
    for number, item in enumerate(news(view, worlds[0])):
        held = [world.hands[item.seat] | item.later for world in worlds]
        wins = count_wins(
            item.moment, item.seat, item.seen_cards, item.counts, held, item.times, seed + number
        )
        by_wins = [_likely(item, count) for count in range(item.times + 1)]
        for at, count in enumerate(wins):
            weights[at] *= by_wins[count]
    return weights


def _likely(item: News, wins: int) -> float:
    """The likelihood that the seat speaks (or is silent) so when it wins so many of the imagined deals."""
    speaks = item.least + (1 - item.least) / (1 + exp((item.needed - wins / item.times) / DOUBT))
    if item.odds:
        speaks = (speaks + item.odds[policy.chance_step(wins)]) / 2
    return FLOOR + (1 - FLOOR) * (speaks if item.said else 1 - speaks)
