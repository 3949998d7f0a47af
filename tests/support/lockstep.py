"""The core and the Python rules side by side: same cards, same actions, states compared at every step."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from nousu.engine.errors import BadRules
from nousu.engine.game import Game
from nousu.engine.match import Match
from nousu.engine.options import options, override, value_text
from nousu.env import HAND_OVER, MATCH_OVER, Lanes, Step, Walk
from nousu.env.layout import Planes, Scalars
from nousu.env.walk import family_of
from nousu.games.tuppen import Standing


def difference(walk: Walk, core: tuple[Planes, Scalars], ours: tuple[Planes, Scalars]) -> str:
    """Differences between two observations, by the names of the table; empty if they are equal."""
    lines = []
    layout = walk.layout
    for rows, theirs, other in zip((layout.planes, layout.scalars), core, ours, strict=True):
        for row in rows:
            at = slice(layout.start[row.name], layout.start[row.name] + row.width)
            if not np.array_equal(theirs[at], other[at]):
                lines.append(f"{row.name}: core {theirs[at].tolist()}, rules {other[at].tolist()}")
    return "; ".join(lines)


def places(match: Match) -> list[int]:
    """The place of each seat in a match, none while it goes on."""
    winner = match.winner
    if winner is None:
        return [0] * match.seats
    if match.game.sides:
        return [1 if not winner or seat % 2 in winner else 2 for seat in range(match.seats)]
    return list(Standing.of(match.tally).places)


class Lockstep:
    """A lane of the core and a walk of ours, kept at the same place."""

    def __init__(self, lanes: Lanes, lane: int, matches: bool) -> None:
        self.lanes, self.lane, self.matches = lanes, lane, matches
        self.walk = self.opened()

    def opened(self) -> Walk:
        """Our walk at the start of the lane's match."""
        history = self.lanes.history(self.lane)
        walk = Walk.start(self.lanes.game, self.lanes.rules, self.lanes.seats, history[0])
        self.pack = history[1 : 1 + len(walk.layout.pack)]
        return self.dealt(walk)

    def dealt(self, walk: Walk) -> Walk:
        """Deal, if the match waits for cards."""
        return walk.deal(self.pack) if walk.waits_for_cards else walk

    def compare(self, step: Step, observed: bool, everybody: bool) -> None:
        """Compare the seat to act, the legal moves and the observations of the core with the rules."""
        walk, lane = self.walk, self.lane
        assert step.seat[lane] == walk.seat, f"seat {step.seat[lane]}, by the rules {walk.seat}: {self}"
        core, ours = step.mask[lane].nonzero()[0].tolist(), sorted(walk.moves)
        assert core == ours, f"legal in the core {core}, by the rules {ours}: {self}"
        if not observed:
            return
        seen = walk.observe()
        if not all(map(np.array_equal, (step.planes[lane], step.scalars[lane]), seen)):
            raise AssertionError(f"{difference(walk, (step.planes[lane], step.scalars[lane]), seen)}: {self}")
        for seat in range(self.lanes.seats) if everybody else ():
            differing = difference(walk, self.lanes.observe(lane, seat), walk.observe(seat))
            assert not differing, f"seat {seat}, {differing}: {self}"

    def __str__(self) -> str:
        hand = self.walk.match.hand
        return f"{self.lanes.game.name_of(self.lanes.rules)}: {self.walk.match!r}, after {hand.log[-4:]}"

    def follow(self, step: Step, action: int) -> None:
        """Repeat the core's actions in the walk, and compare the end of the hand."""
        before = len(self.walk.match.played)
        walk = self.walk.act(action)
        done = int(step.done[self.lane])
        ended = len(walk.match.played) > before
        assert bool(done & HAND_OVER) == ended, f"the hand is over in one of them: {walk.match!r}"
        if not ended:
            assert not step.reward[self.lane].any() and not step.place[self.lane].any()
            self.walk = self.dealt(walk)
            return
        result = walk.match.played[-1].result
        points = [
            result.points[seat % 2 if len(result.points) == 2 and walk.match.game.sides else seat]
            for seat in range(self.lanes.seats)
        ]
        assert step.reward[self.lane].tolist() == points, (
            f"{step.reward[self.lane]}, by the rules {points}: {walk.match!r}"
        )
        assert bool(done & MATCH_OVER) == (walk.match.winner is not None), (
            f"the match is over in one: {walk.match!r}"
        )
        assert step.place[self.lane].tolist() == places(walk.match), (
            f"{step.place[self.lane]}: {walk.match!r}"
        )
        if done & MATCH_OVER or not self.matches:
            self.walk = self.opened()
        else:
            history = self.lanes.history(self.lane)
            self.pack = history[-len(walk.layout.pack) :]
            self.walk = self.dealt(walk)


def walk_both(
    rules: str,
    actions: int,
    seed: int,
    *,
    seats: int = 0,
    matches: bool = True,
    lanes: int = 4,
    every: int = 3,
    prefer: tuple[str, ...] = (),
) -> int:
    """Play about `actions` random actions in both by these rules; return their number. The observation is
    compared at every third step or so, that of all seats at every sixtieth. `prefer`: words that are said
    whenever they may be, the lowest number of them."""
    core = Lanes(rules, lanes, seats=seats, matches=matches)
    step = core.reset([seed * 1000 + lane for lane in range(lanes)])
    pairs = [Lockstep(core, lane, matches) for lane in range(lanes)]
    for pair in pairs:
        pair.compare(step, True, True)
    for at in range(-(-actions // lanes)):
        chosen = core.choose().copy()
        for row in (row for row in core.layout.words if row.name in prefer):
            first = core.layout.start[row.name]
            words = step.mask[:, first : first + row.width]
            chosen = np.where(words.any(axis=1), first + words.argmax(axis=1), chosen)
        step = core.step(chosen)
        for lane, (pair, action) in enumerate(zip(pairs, chosen.tolist(), strict=True)):
            pair.follow(step, action)
            pair.compare(step, (at + lane) % every == 0, (at + lane) % (20 * every) == 0)
    return lanes * -(-actions // lanes)


def random_rules(game: Game, rng: random.Random) -> str:
    """A preset with some options changed at random, as far as they go together."""
    preset = rng.choice(list(game.presets))
    rules = game.presets[preset]
    known = options(game.rules)
    for item in rng.sample(known, rng.randrange(len(known))):
        value: Any
        if item.items is not None:
            value = tuple(rng.sample(item.items, rng.randrange(len(item.items) + 1)))
        elif item.values is not None:
            value = rng.choice(item.values)
        else:
            low = item.low or 0
            value = min(item.high or low, low + int(30 * rng.random() ** 3))  # matches that end
        try:
            changed = override(rules, {item.name: value_text(value)})
            family_of(game).own_codes(changed)
        except BadRules:  # it does not go with the others, or no environment knows it
            continue
        rules = changed
    return game.name_of(rules, preset)


def texts(game: Game, seed: int) -> Iterator[tuple[str, int]]:
    """Rules without end, and for how many: all presets, then random ones."""
    rng = random.Random(seed)
    for at in count():
        rules = list(game.presets)[at] if at < len(game.presets) else random_rules(game, rng)
        yield rules, rng.choice(game.seats_for(rules))
