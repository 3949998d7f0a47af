"""Searching in Tuppen: hands played out in imagined deals that fit the words and silences heard.

There are no alliances to solve against. All seats are taken to play by rules of thumb (`playouts`) after the
card that is tried. Deals are weighted by how likely the rule-based player would have raised, gone along and
kept silent in them (`inference`). A raise is tried the same way: in each deal the others answer it by the
chance they would see, and the points lost are compared with those without the raise. Between two, odds decide
what is said (`policy`). ``strong`` searches only its cards; rules of thumb decide its words, and everything
without the compiled core: thousands of hands played out for one choice would take Python seconds. When only a
poor man and one other are left, ``expert`` asks what wins the game, not what saves points; and where three or
more play on, it goes along with a raise only if that is better with all raises to come. Solving each deal
with all cards seen, and the best fixed order of one's own cards, both lost to the rule-based player.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from nousu.engine.actions import Play
from nousu.engine.cards import CardSet
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, clockwise
from nousu.games.tuppen import (
    HOLD,
    LEAVE,
    RAISE,
    Facts,
    asked_stake,
    leaving_costs,
    losing_costs,
    refusing_costs,
)
from nousu.players import Choice, choice_because
from nousu.players.searcher import SearchEffort, best_on_average, sample_worlds
from nousu.players.seat_loop import derive_seed
from nousu.players.tuppen import playouts, policy
from nousu.players.tuppen.inference import likelihoods
from nousu.players.tuppen.playouts import (
    ANY,
    TIMES,
    count_wins,
    last_trick_winners,
    moment_of,
    needed_to_hold,
    needed_to_raise,
    spite,
)
from nousu.players.worlds import played_by
from nousu.solver.api import compiled

LEANING = 0.01
"""Chance by which another card must be better than the rule-based player's."""
MARGIN = 0.05
"""Points by which a raise must be better than silence."""

WORLDS = 8
"""Imagined deals for each one the effort allows: playing one out is cheap here."""
FORESEEN = 200
"""Imagined deals, at most, that are played out with all raises to come."""


class _Deals(NamedTuple):
    """Imagined deals: the hands of the seats, and the weight of each deal (together one)."""

    hands: list[tuple[CardSet, ...]]
    weights: list[float]


def choose(view: View, effort: SearchEffort, seed: int, usual: Choice) -> Choice:
    """The action of a searching player; `usual` is that of the rule-based one."""
    cards = [action for action in view.legal if isinstance(action, Play)]
    if not effort.talks and usual.action not in cards:
        return usual
    learned = effort.talks and _odds_decide(view)
    words = _by_odds(view, seed) if learned else None
    if words is not None:
        return words
    if (not cards and HOLD not in view.legal) or max(view.counts) > 4 or compiled() is None:
        return usual
    if usual.action not in (*cards, HOLD, LEAVE, RAISE) and not learned:
        return usual
    deals = _drawn(view, effort, seed)
    facts, me = Facts.of(view.facts), _seat(view)
    if not cards and effort.learned and facts.phase == "poor" and len(facts.group) == 2:
        return _against_poor(view, facts, deals)
    if not cards:
        return _answer(view, facts, deals, seed, effort.learned)
    winners = last_trick_winners(moment_of(facts, view.trick), deals.hands, [card.card for card in cards])
    rows = [[_share(deals, row, me)] for row in winners]
    action, chance = best_on_average(cards, rows, usual.action, LEANING)
    if RAISE in view.legal and effort.talks and not learned:
        first = next(card.card for card in cards if card == action)
        spoken = _raise(view, facts, deals, chance, seed, first)
        if spoken is not None:
            return spoken
    return choice_because(action, "The chance to win the hand is {chance}%", chance=round(100 * chance))


def interrupt(view: View, effort: SearchEffort, seed: int, usual: Choice | None) -> Choice | None:
    """A raise out of turn where it is worth more than silence; doubts are those of the rule-based player."""
    if not effort.talks:
        return usual
    if _odds_decide(view):
        return _by_odds(view, seed)
    if usual is not None and usual.action != RAISE:
        return usual
    if RAISE not in view.legal or max(view.counts) > 4 or compiled() is None:
        return usual
    facts = Facts.of(view.facts)
    deals = _drawn(view, effort, seed)
    winners = last_trick_winners(moment_of(facts, view.trick), deals.hands)[0]
    return _raise(view, facts, deals, _share(deals, winners, _seat(view)), seed, ANY)


def _odds_decide(view: View) -> bool:
    """Whether odds decide about words."""
    return compiled() is not None and policy.is_covered(view)


def _by_odds(view: View, seed: int) -> Choice | None:
    """The word by odds; None for silence, or for a card."""
    action = policy.choose_words(view, seed)
    return None if action is None else choice_because(action, policy.WHY)


def _seat(view: View) -> Seat:
    assert view.seat is not None
    return view.seat


def _drawn(view: View, effort: SearchEffort, seed: int) -> _Deals:
    """Deals that fit, weighted by the words heard."""
    drawn = sample_worlds(view, WORLDS * effort.worlds, Random(seed))
    weights = likelihoods(view, drawn, seed)
    total = sum(weights)
    return _Deals([world.hands for world in drawn], [weight / total for weight in weights])


def _share(deals: _Deals, winners: Sequence[Seat], me: Seat) -> float:
    """The chance to win the hand: the weight of the deals in which the last trick is the viewer's."""
    return sum(weight for weight, seat in zip(deals.weights, winners, strict=True) if seat == me)


def _raise(
    view: View, facts: Facts, deals: _Deals, chance: float, seed: int, first: int | None
) -> Choice | None:
    """A raise if it brings more than to play on for the stake there is; None for silence."""
    me = _seat(view)
    if facts.points[me] <= facts.stake:
        return choice_because(RAISE, "Nothing more can be lost by raising")
    now = _Prospect(view, facts, deals, seed, first, facts.stake, facts.last_raiser)
    then = now._replace(stake=facts.stake + 1, barred=me)
    others = [seat for seat in facts.in_hand if seat != me]
    if then.worth(then.going_along(others, me)) <= now.worth([facts.in_hand] * len(deals.hands)) + MARGIN:
        return None
    percent = round(100 * chance)
    return choice_because(RAISE, "Strong enough to raise: the chance to win is {chance}%", chance=percent)


def _answer(view: View, facts: Facts, deals: _Deals, seed: int, foresees: bool) -> Choice:
    """Hold if that costs less on average than to leave, the others' loss counted a little.

    One more raise may come before the next card; for a player that `foresees` all that may come.
    """
    me, stake = _seat(view), asked_stake(facts)
    leaving, losing = leaving_costs(view.rules, facts, me), losing_costs(facts, me)
    if leaving >= losing or LEAVE not in view.legal:
        return choice_because(HOLD, "Leaving costs as much as losing")
    waiting = [seat for seat in facts.asked if seat != me]
    prospect = _Prospect(view, facts, deals, seed, ANY, stake, facts.asker)
    playing = prospect.going_along(waiting, me)
    without = [tuple(seat for seat in players if seat != me) for players in playing]
    percent = round(100 * _share(deals, prospect.winners(playing), me))
    if prospect.worth(playing) < prospect.worth(without):
        return choice_because(LEAVE, "Too weak to go along: the chance to win is {chance}%", chance=percent)
    several = (facts.phase, facts.kind) == ("raise", "regular") and len(facts.in_hand) > 2
    if foresees and several and _foreseen(view, facts, deals, seed) < 0:
        message = sentence("Too weak if others raise again: the chance to win is {chance}%")
        return choice_because(LEAVE, message, chance=percent)
    return choice_because(HOLD, "Wins often enough to go along: {chance}%", chance=percent)


def _foreseen(view: View, facts: Facts, deals: _Deals, seed: int) -> float:
    """Points by which going along is better than leaving, with all raises to come; negative if worse."""
    me, total = _seat(view), 0.0
    for at, (hands, weight) in enumerate(zip(deals.hands[:FORESEEN], deals.weights, strict=False)):
        chances = derive_seed(seed, at)
        along, away = (
            course(view, hands, chances)
            for course in (playouts.losses_if_holding, playouts.losses_if_leaving)
        )
        for seat in facts.in_hand:
            share = -1.0 if seat == me else spite(facts)
            total += weight * share * (along.get(seat, 0) - away.get(seat, 0))
    return total


@cache
def against_poor(points: int) -> float:
    """The chance to win the game against a poor man when nobody else is left (TU-ZK-III3a), before the cards.

    Going along either wins it or costs two points; leaving costs one. Two poor men are even.
    """
    if points < 2:
        return points / 2
    needed, lost = needed_against_poor(points), against_poor(points - 2)
    # Chances to win a hand lie about evenly between nothing and certainty.
    return lost + (1 - lost) * (1 + needed**2) / 2


def needed_against_poor(points: int) -> float:
    """The chance to win the hand from which going along wins that game more often than leaving does."""
    left, lost = against_poor(points - 1), against_poor(points - 2)
    return (left - lost) / (1 - lost)


def _against_poor(view: View, facts: Facts, deals: _Deals) -> Choice:
    """Whether to go along with a poor man when nobody else is left."""
    me = _seat(view)
    chance = _share(deals, last_trick_winners(moment_of(facts, view.trick), deals.hands)[0], me)
    percent = round(100 * chance)
    if chance >= needed_against_poor(facts.points[me]):
        return choice_because(HOLD, "Wins often enough to go along: {chance}%", chance=percent)
    return choice_because(LEAVE, "Too weak to go along: the chance to win is {chance}%", chance=percent)


_Players = tuple[Seat, ...]
_Playing = Sequence[_Players] | dict[int, _Players]


class _Prospect(NamedTuple):
    """A stake to be played for from here, with at most one more raise by another seat."""

    view: View
    facts: Facts
    deals: _Deals
    seed: int
    first: int | None
    """The card that the viewer plays now, if it is on turn."""
    stake: int
    barred: Seat | None
    """The seat that has raised last and may not raise now."""

    def worth(self, playing: Sequence[_Players]) -> float:
        """The average points of this stake, with these seats playing in each deal.

        They are the viewer's losses, and a share of those of the others. Where another seat would raise, the
        viewer goes along in all of these deals or leaves in all of them, whichever is better, since it cannot
        tell them apart.
        """
        me, stake = _seat(self.view), self.stake
        raisers = self._raisers(playing)
        calm = [at for at, raiser in enumerate(raisers) if raiser is None]
        total = self._points(calm, playing, playing, self.winners(playing), stake)
        raised = [at for at, raiser in enumerate(raisers) if raiser is not None]
        if not raised:
            return total
        higher = self._replace(stake=stake + 1)
        held = list(playing)
        for raiser in {raisers[at] for at in raised}:
            assert raiser is not None
            others = [seat for seat in self.facts.in_hand if seat not in (raiser, me)]
            raised_by = [at for at in raised if raisers[at] == raiser]
            for at, players in zip(
                raised_by, higher._answers(raised_by, playing, others, raiser), strict=True
            ):
                held[at] = players
        without = [tuple(seat for seat in players if seat != me) for players in held]
        along = higher._points(raised, playing, held, higher.winners(held), stake + 1)
        away = higher._points(raised, playing, without, higher.winners(without), stake + 1)
        return total + max(along, away)

    def going_along(self, asked: Sequence[Seat], raiser: Seat) -> list[_Players]:
        """The seats in the hand for this stake, in each deal.

        Of those asked these are the seats whose cards look good enough from there, and all others in the hand
        now.
        """
        everybody = [self.facts.in_hand] * len(self.deals.hands)
        return self._answers(range(len(everybody)), everybody, asked, raiser)

    def _answers(
        self, deals: Sequence[int], playing: Sequence[_Players], asked: Iterable[Seat], raiser: Seat
    ) -> list[_Players]:
        """The seats left in each of these deals when those asked have answered one after the other.

        Each knows who has left before.
        """
        left = {at: playing[at] for at in deals}
        waiting = set(asked)
        for seat in clockwise(raiser, self.view.setup.seats):
            if seat not in waiting:
                continue
            points = self.facts.points[seat]
            needed = needed_to_hold(min(points, self._leaving()), min(points, self.stake), spite(self.facts))
            undecided = [at for at in deals if seat in left[at] and len(left[at]) > 1]
            for at, chance in zip(undecided, self._chances(seat, undecided, left), strict=True):
                if chance < needed:
                    left[at] = tuple(other for other in left[at] if other != seat)
        return [left[at] for at in deals]

    def _raisers(self, playing: Sequence[_Players]) -> list[Seat | None]:
        """The seat that would raise further in each deal, by the chance it sees from there."""
        raisers: list[Seat | None] = [None] * len(playing)
        if self.facts.phase not in ("raise", "play") or not any(self.facts.raise_cap):
            return raisers
        needed = needed_to_raise(len(self.facts.raisers) + self.stake - self.facts.stake)
        for seat in self.facts.in_hand:
            if seat in (self.view.seat, self.barred) or self.facts.raise_cap[seat] <= self.stake:
                continue
            playing_deals = [at for at, players in enumerate(playing) if seat in players and len(players) > 1]
            for at, chance in zip(playing_deals, self._chances(seat, playing_deals, playing), strict=True):
                if chance >= needed:
                    raisers[at] = seat
        return raisers

    def _chances(self, seat: Seat, deals: Sequence[int], playing: _Playing) -> list[float]:
        """The chance to win that the seat sees in each of these deals, among those playing there."""
        played, chances = sum(played_by(self.view)), dict.fromkeys(deals, 0.0)
        for players, places in _grouped(deals, playing).items():
            table = moment_of(self.facts, self.view.trick, players)
            held = [self.deals.hands[at][seat] for at in places]
            wins = count_wins(table, seat, played, self.view.counts, held, TIMES, self.seed + seat)
            chances |= {at: count / TIMES for at, count in zip(places, wins, strict=True)}
        return [chances[at] for at in deals]

    def winners(self, playing: Sequence[_Players]) -> list[Seat]:
        """The winner of each deal."""
        all_winners = [0] * len(playing)
        for players, places in _grouped(range(len(playing)), playing).items():
            winners = [players[0] if players else 0] * len(places)
            if len(players) > 1:
                moment = moment_of(self.facts, self.view.trick, players)
                first = self.first if moment.turn == self.view.seat else ANY
                winners = last_trick_winners(moment, [self.deals.hands[at] for at in places], [first])[0]
            for at, winner in zip(places, winners, strict=True):
                all_winners[at] = winner
        return all_winners

    def _leaving(self) -> int:
        """The cost of leaving where this stake is asked for."""
        return refusing_costs(self.view.rules, self.stake - 1)

    def _points(
        self,
        deals: Sequence[int],
        asked: Sequence[_Players],
        playing: Sequence[_Players],
        winners: Sequence[Seat],
        stake: int,
    ) -> float:
        """The points of these deals.

        A seat that was asked for this stake and left pays for leaving, one that had left before has paid, and
        one that plays and does not win loses the stake.
        """
        me, facts, total = self.view.seat, self.facts, 0.0
        for at in deals:
            for seat in facts.in_hand:
                if seat in playing[at]:
                    lost = 0 if seat == winners[at] else stake
                elif seat in asked[at]:
                    lost = self._leaving()
                else:
                    lost = leaving_costs(self.view.rules, facts, seat)
                lost = min(facts.points[seat], lost)
                total += self.deals.weights[at] * lost * (-1.0 if seat == me else spite(facts))
        return total


def _grouped(deals: Iterable[int], playing: _Playing) -> dict[_Players, list[int]]:
    """The deals in which the same seats play."""
    groups: dict[_Players, list[int]] = {}
    for at in deals:
        groups.setdefault(playing[at], []).append(at)
    return groups
