"""The ways in which hidden cards can lie: counted exactly, and sampled with equal chance.

Every hidden card lies in one of a few places (hands, a discard, a packet, the stock); each place takes a
known number of them, and each card may lie in some places only. Cards with the same places form a class, so
the count is a short recursion over classes and room left, with whole numbers throughout: nothing is rejected
and nothing is approximate.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations
from math import factorial
from random import Random
from types import MappingProxyType

from nousu.engine.cards import CardSet, card_set, cards_of

Rooms = tuple[int, ...]
Odds = tuple[float, ...]
"""Odds of a card by place, relative to other cards."""
_Steps = tuple[float, tuple[float, ...], tuple[tuple[Rooms, Rooms], ...]]
"""Ways in all, running totals, and for each step: the shares of the places, the room left after it."""


class Placements:
    """The set of all ways to put cards into places.

    `allowed` maps each hidden card to its set of places (a bit per place); `sizes` says how many hidden cards
    each place takes; `apart` lists ``(place, card, card)``: that place does not hold both. A card may occur
    in `apart` with one other card only. `odds` says for some cards how much likelier each place is for them
    than for other cards; a placement is drawn by the product of the odds of its cards.
    """

    def __init__(
        self,
        allowed: Mapping[int, int],
        sizes: Sequence[int],
        apart: Iterable[tuple[int, int, int]] = (),
        odds: Mapping[int, Odds] = MappingProxyType({}),
    ) -> None:
        if sum(sizes) != len(allowed):
            raise ValueError(f"{len(allowed)} cards do not fill places for {sum(sizes)}")
        pairs: dict[tuple[int, int], int] = {}
        for place, first, second in apart:
            pair = (min(first, second), max(first, second))
            if pair[0] in allowed and pair[1] in allowed:
                pairs[pair] = pairs.get(pair, 0) | 1 << place
        named = [place for places in pairs.values() for place in range(len(sizes)) if places >> place & 1]
        even = (1.0,) * len(sizes)
        self._odds = {card: odds.get(card, even) for card in allowed} if odds else {}
        self._merged = _merged(set(allowed.values()), sizes, set(named), set(self._odds.values()))
        self._sizes = tuple(sizes)
        rooms = tuple(sum(sizes[place] for place in places) for places in self._merged)
        paired = {card for pair in pairs for card in pair}
        if len(paired) != 2 * len(pairs):
            raise ValueError("a card may be kept apart from one other card only")
        classes: dict[tuple[int, Odds], list[int]] = {}
        for card, places in allowed.items():
            if card not in paired:
                classes.setdefault((self._narrow(places), self._odds_of(card)), []).append(card)
        self._classes = sorted(classes.items(), key=lambda group: (group[0][0].bit_count(), *group[0]))
        self._pairs = [
            (pair, self._narrow(allowed[pair[0]]), self._narrow(allowed[pair[1]]), self._narrow(places))
            for pair, places in pairs.items()
        ]
        self._memo: dict[tuple[int, Rooms], _Steps] = {}
        self._start = (0, rooms)
        splits = 1
        for group in self._merged:
            splits *= multinomial(tuple(sizes[place] for place in group))
        self.count = self._ways(0, rooms) * splits
        """Number of placements; with odds, the sum of their products."""

    def _narrow(self, places: int) -> int:
        """A set of places as a set of merged places."""
        return sum(1 << at for at, group in enumerate(self._merged) if places >> group[0] & 1)

    def _odds_of(self, card: int) -> Odds:
        """The odds of a card for the merged places."""
        odds = self._odds.get(card)
        return () if odds is None else tuple([odds[group[0]] for group in self._merged])

    def _ways(self, item: int, rooms: Rooms) -> float:
        if item == len(self._pairs) + len(self._classes):
            return 1
        known = self._memo.get((item, rooms))
        if known is None:
            known = self._memo[item, rooms] = self._steps(item, rooms)
        return known[0]

    def _steps(self, item: int, rooms: Rooms) -> _Steps:
        """Every way to place the next pair or class, weighted by the ways to place the rest."""
        weights: list[float] = []
        steps: list[tuple[Rooms, Rooms]] = []
        splits: Iterable[tuple[Rooms, Rooms]]
        if item < len(self._pairs):
            splits = (((a, b), _less(rooms, a, b)) for a, b in self._pair_steps(item, rooms))
        else:
            (places, odds), cards = self._classes[item - len(self._pairs)]
            splits = (
                (taken, tuple(room - take for room, take in zip(rooms, taken, strict=True)))
                for taken in _shares(len(cards), rooms, places, 0)
            )
        for taken, left in splits:
            weight = self._ways(item + 1, left)
            if item >= len(self._pairs):
                weight *= multinomial(taken)
                for odd, many in zip(odds, taken, strict=False):
                    weight *= odd**many
            elif self._odds:
                for card, place in zip(self._pairs[item][0], taken, strict=True):
                    weight *= self._odds_of(card)[place]
            if weight:
                weights.append(weight)
                steps.append((taken, left))
        totals = tuple(accumulate(weights))
        return (totals[-1] if totals else 0), totals, tuple(steps)

    def _pair_steps(self, item: int, rooms: Rooms) -> Iterable[tuple[int, int]]:
        _, first, second, barred = self._pairs[item]
        for a in _bits(first):
            for b in _bits(second):
                if rooms[a] >= 1 + (a == b) and rooms[b] >= 1 and not (a == b and barred >> a & 1):
                    yield a, b

    def sample(self, rng: Random) -> tuple[CardSet, ...]:
        """The cards of each place in one placement, all placements being equally likely."""
        if self.count == 0:
            raise ValueError("no placement satisfies these constraints")
        merged: list[list[int]] = [[] for _ in self._merged]
        rooms, pairs = self._start[1], len(self._pairs)
        for item in range(pairs + len(self._classes)):
            _, totals, steps = self._memo[item, rooms]
            at = draw_index(totals, rng) if len(totals) > 1 else 0
            taken, rooms = steps[at]
            if item < pairs:
                for card, place in zip(self._pairs[item][0], taken, strict=True):
                    merged[place].append(card)
            else:
                _deal(self._classes[item - pairs][1], taken, merged, rng)
        lying = [0] * len(self._sizes)
        for group, cards in zip(self._merged, merged, strict=True):
            if len(group) > 1:
                shuffle(cards, rng)
            at = 0
            for place in group:
                for card in cards[at : at + self._sizes[place]]:
                    lying[place] |= 1 << card
                at += self._sizes[place]
        return tuple(lying)

    def every(self) -> Iterator[tuple[CardSet, ...]]:
        """The cards of each place in every placement, each once; look at `count` first."""
        if self.count:
            yield from self._every(0, self._start[1], (0,) * len(self._merged))

    def _every(self, item: int, rooms: Rooms, merged: tuple[CardSet, ...]) -> Iterator[tuple[CardSet, ...]]:
        if item == len(self._pairs) + len(self._classes):
            yield from self._apart(0, merged, (0,) * len(self._sizes))
            return
        for taken, left in self._memo[item, rooms][2]:
            if item < len(self._pairs):
                now = list(merged)
                for card, place in zip(self._pairs[item][0], taken, strict=True):
                    now[place] |= 1 << card
                yield from self._every(item + 1, left, tuple(now))
                continue
            cards = card_set(self._classes[item - len(self._pairs)][1])
            for split in _splits(cards, taken):
                now = [held | more for held, more in zip(merged, split, strict=True)]
                yield from self._every(item + 1, left, tuple(now))

    def _apart(
        self, group: int, merged: tuple[CardSet, ...], lying: tuple[CardSet, ...]
    ) -> Iterator[tuple[CardSet, ...]]:
        """Every way to share out what merged places hold together."""
        if group == len(self._merged):
            yield lying
            return
        places = self._merged[group]
        for split in _splits(merged[group], [self._sizes[place] for place in places]):
            now = list(lying)
            for place, cards in zip(places, split, strict=True):
                now[place] = cards
            yield from self._apart(group + 1, merged, tuple(now))


def _merged(masks: set[int], sizes: Sequence[int], named: set[int], odds: set[Odds]) -> list[tuple[int, ...]]:
    """Places that every card treats alike, put together; those named in pairs stay alone."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for place in range(len(sizes)):
        column = [
            *(mask >> place & 1 for mask in sorted(masks)),
            *(card_odds[place] for card_odds in sorted(odds)),
        ]
        key = (place,) if place in named else (-1, *column)
        groups.setdefault(key, []).append(place)
    return [tuple(group) for group in groups.values()]


def draw_index(totals: Sequence[float], rng: Random) -> int:
    """Draw an index by the running totals of weights; exactly, if these are whole numbers."""
    if isinstance(totals[-1], int):
        return bisect_right(totals, rng.randrange(totals[-1]))
    return min(bisect_right(totals, rng.random() * totals[-1]), len(totals) - 1)


def _deal(cards: Sequence[int], taken: Rooms, merged: list[list[int]], rng: Random) -> None:
    """The cards of one class, shuffled into the places that take some of them."""
    order = list(cards)
    if len(taken) - taken.count(0) > 1:
        shuffle(order, rng)
    at = 0
    for place, take in enumerate(taken):
        merged[place] += order[at : at + take]
        at += take


def shuffle(things: list[int], rng: Random) -> None:
    """Shuffle in place, draw for draw as ``rng.shuffle(things)`` does, without a call for each."""
    draw = rng.getrandbits
    for count in range(len(things), 1, -1):
        width = count.bit_length()
        at = draw(width)
        while at >= count:
            at = draw(width)
        things[count - 1], things[at] = things[at], things[count - 1]


def _splits(cards: CardSet, sizes: Sequence[int]) -> Iterator[tuple[CardSet, ...]]:
    """Every way to split cards into parts of these sizes."""
    if not sizes:
        yield ()
        return
    for taken in combinations(cards_of(cards), sizes[0]):
        part = card_set(taken)
        for rest in _splits(cards & ~part, sizes[1:]):
            yield (part, *rest)


def _less(rooms: Rooms, first: int, second: int) -> Rooms:
    left = list(rooms)
    left[first] -= 1
    left[second] -= 1
    return tuple(left)


def _bits(places: int) -> Iterable[int]:
    return (at for at in range(places.bit_length()) if places >> at & 1)


def _shares(cards: int, rooms: Rooms, places: int, at: int) -> Iterable[Rooms]:
    """Every way to share `cards` equal cards among the places from `at` on, as the rooms left in each."""
    if at == len(rooms):
        if cards == 0:
            yield ()
        return
    most = min(cards, rooms[at]) if places >> at & 1 else 0
    rest = sum(room for place, room in enumerate(rooms) if place > at and places >> place & 1)
    for take in range(max(0, cards - rest), most + 1):
        for others in _shares(cards - take, rooms, places, at + 1):
            yield (take, *others)


def multinomial(parts: Sequence[int]) -> int:
    """The number of ways to split distinct things into parts of these sizes."""
    ways = factorial(sum(parts))
    for part in parts:
        ways //= factorial(part)
    return ways
