"""The code of signals in Tuppi (`nousu.players.whist.signals`): what would it bring, and what does it bring?

    python -m bench.experiments.signals changes 80 525300       dear cards of `expert` before and after
    python -m bench.experiments.signals gains tuppi 20 525001   tricks a choice if it were told more
    python -m bench.experiments.signals habits 10 525100        how often its small cards agree with the code
    nousu arena expert py:bench.experiments.signals:silent --pairs 100 --seed 525210 --worlds 20
                                                          signals against none
    nousu arena expert+py:bench.experiments.signals:silent py:bench.experiments.signals:silent …
                                                          with a partner who does not know the code
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from unittest.mock import patch

from bench.blunders import card_choices, occasions
from bench.results import interval
from nousu.engine.actions import Play
from nousu.engine.cards import LANE, Card, card_set
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, partner, side
from nousu.games import find
from nousu.games.whist import Facts
from nousu.players import DEFAULT_BUDGET, Budget, Choice, find_player
from nousu.players.searcher import LAST_CARDS, sample_worlds, weighted_means
from nousu.players.seat_loop import advance, derive_seed
from nousu.players.whist import policy, searcher, signals
from nousu.players.whist.playouts import MAX_SURPRISE, play_out, playout_hands, public_table
from nousu.players.whist.searcher import PRIOR, UNIT, world_weights
from nousu.players.whist.utility import points_standing, trick_step, trick_utility
from nousu.players.worlds import World

DEALS = 1000
FALSE = 0.02
"""The weight of a deal in which something is not as it was told."""
Told = Callable[[View, Sequence[World], Sequence[int]], list[float]]
"""The likelihood of deals, given the true hands."""


class Silent:
    """`expert` that neither gives nor reads signals."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The choice of `expert` where no signals are agreed."""
        with patch.object(signals, "are_agreed", return_value=False):
            return find_player("expert").choose(view, budget, seed)


def silent() -> Silent:
    """The player for the arena."""
    return Silent()


def positions(count: int, seed: int, game: str = "tuppi") -> Iterator[tuple[Hand, View, Card]]:
    """Every choice of a card of four `expert` in so many hands: the hand, the view, the card played."""
    expert = find_player("expert")
    for number in range(count):
        match = Match.start(*find(game), 4, dealer=number % 4)
        step = 0
        while not match.played:
            step += 1
            if match.hand.owed() == (CHANCE,):
                match = match.deal(Random(derive_seed(seed, number, step)))
                continue
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            action = expert.choose(view, DEFAULT_BUDGET, derive_seed(seed, number, step)).action
            if isinstance(action, Play) and policy.is_covered(view):
                yield match.hand, view, action.card
            match = match.apply(seat, action)


# ---------------------------------------------------------------------------------------------- ceilings


def _about(who: Callable[[int, int], bool], fact: Callable[[int], Any]) -> Told:
    """The truth of a fact about each suit of some seats, as if it had been said before the first trick."""

    def told(view: View, worlds: Sequence[World], hands: Sequence[int]) -> list[float]:
        found = [1.0] * len(worlds)
        seat = view.seat or 0
        for other in range(4):
            if other == seat or not who(seat, other):
                continue
            for suit in range(4):
                true = fact(hands[other] >> 16 * suit & LANE)
                for at, world in enumerate(worlds):
                    if fact(world.hands[other] >> 16 * suit & LANE) != true:
                        found[at] *= FALSE
        return found

    return told


def _truth_of_signs(who: Callable[[int, int], bool], tells: Callable[[int], Any] | None = None) -> Told:
    """The truth of what each card on an occasion of the code tells."""

    def told(view: View, worlds: Sequence[World], hands: Sequence[int]) -> list[float]:
        found = [1.0] * len(worlds)
        for sign in signals.signs(view):
            if not who(view.seat or 0, sign.seat):
                continue
            shift = 16 * sign.card.suit
            fact = tells or signals.CODE[sign.kind, sign.occasion].tells
            true = fact((hands[sign.seat] >> shift & LANE) | sign.shown)
            for at, world in enumerate(worlds):
                if fact((world.hands[sign.seat] >> shift & LANE) | sign.shown) != true:
                    found[at] *= FALSE
        return found

    return told


def _partner(seat: int, other: int) -> bool:
    return other == partner(seat)


def _anybody(seat: int, other: int) -> bool:
    return True


def _nothing(view: View, worlds: Sequence[World], hands: Sequence[int]) -> list[float]:
    return [1.0] * len(worlds)


def _read(who: Callable[[int, int], bool]) -> Told:
    """The signs of some seats, read as `expert` reads them."""

    def told(view: View, worlds: Sequence[World], hands: Sequence[int]) -> list[float]:
        signs = [sign for sign in signals.signs(view) if who(view.seat or 0, sign.seat)]
        with patch.object(signals, "signs", return_value=signs):
            return signals.world_likelihoods(view, worlds)

    return told


TOLD: Mapping[str, Told] = {
    "nothing more": _nothing,
    "partner: all cards": _about(_partner, lambda held: held),
    "partner: truth of the code": _truth_of_signs(_partner),
    "all: truth of the code": _truth_of_signs(_anybody),
    "partner: even or odd on each occasion": _truth_of_signs(_partner, lambda held: held.bit_count() % 2),
    "partner: honour on each occasion": _truth_of_signs(_partner, lambda held: bool(held & signals.HONOURS)),
    "partner: low card on each occasion": _truth_of_signs(_partner, lambda held: bool(held & signals.LOWEST)),
    "all: read": _read(_anybody),
    "partner: read": _read(_partner),
}


def gains(hand: Hand, view: View, seed: int) -> dict[str, float]:
    """Tricks by which the choice with each told truth does better in the true deal, all playing on by nets."""
    assert view.seat is not None
    hands = [card_set(hand.view(seat).cards) for seat in range(4)]
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    drawn = sample_worlds(view, DEALS, Random(seed))
    nets, table = policy.packed_weights(), public_table(view)
    playouts = play_out(table, [playout_hands(view, world) for world in drawn], cards, view.seat, nets)
    true = _true_tricks(hand, view, cards)
    value = trick_utility(view, points_standing)
    trick = trick_step(value, view)
    rows = [[value(gained) for gained in row] for row in playouts.gained]
    behind = policy.shortfalls(view, MAX_SURPRISE)
    worth = {}
    for name, told in TOLD.items():
        weights = world_weights(view, drawn, told(view, drawn, hands), playouts.deviations, True)
        share = PRIOR * sum(weight * weight for weight in weights) / sum(weights) ** 2
        judged = [
            mean - share * UNIT * trick * less
            for mean, less in zip(weighted_means(rows, weights), behind, strict=True)
        ]
        best = max(range(len(cards)), key=judged.__getitem__)
        worth[name] = true[best]
    usual = worth["nothing more"]
    return {name: one - usual for name, one in worth.items()}


def print_gains(game: str, count: int, seed: int) -> None:
    """Print the gains by contract and by what is told."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    at = 0
    for hand, view, _ in positions(count, seed, game):
        at += 1
        if len(view.legal) < 2 or max(view.counts) <= LAST_CARDS:
            continue
        kind = "nolo" if Facts.of(view.facts).kind == "low" else "rami"
        for name, gain in gains(hand, view, derive_seed(seed, at)).items():
            found[kind, name].append(gain)
        if at % 500 == 0:
            _print(found)
    _print(found)


def _print(found: Mapping[tuple[str, str], Sequence[float]]) -> None:
    for (kind, name), values in sorted(found.items()):
        mean, low, high = interval(values)
        print(f"{kind} {name:38} {mean:+.4f} tricks a choice ({low:+.4f} … {high:+.4f}; {len(values)})", flush=True)


def print_habits(count: int, seed: int) -> None:
    """Print how often cards agree with the code, by occasion, where it is agreed and where it is not."""
    expert = find_player("expert")
    for game in ("tuppi+early_end=off", "tuppi+early_end=off+table_talk=none"):
        found: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for number in range(count):
            match = Match.start(*find(game), 4, dealer=number % 4)
            while not match.played:
                after = advance(match, [expert] * 4, derive_seed(seed, number))
                assert after is not None
                match = after
            view = match.played[0].hand.view(None)
            for sign in signals.signs(view) if Facts.of(view.facts).soloist is None else ():
                keeps = signals.keeps_code(sign, sign.shown)
                if keeps is not None:
                    found[sign.kind, sign.occasion].append(keeps)
        for (kind, occasion), by_code in sorted(found.items()):
            print(f"{game}: {kind} {occasion} {100 * sum(by_code) / len(by_code):.0f} % of {len(by_code)}")


def print_changes(count: int, seed: int) -> None:
    """Print what the cheapest of cards that do as well changes on occasions for dear cards, without signals.

    The occasions are those of hands of `club`; tricks are those of the true deal, all playing on by nets.
    """
    dear, tricks, choose = {"before": 0, "after": 0, "occasions": 0}, [], searcher._card_among_alike
    chosen: list[Card] = []

    def watched(view: View, cards: Sequence[Play], best: Play, *more: Any) -> Card:
        chosen.append(best.card)
        return choose(view, cards, best, *more)

    for at, (hand, seat, _) in enumerate(card_choices("tuppi+table_talk=none", "club", count, seed)):
        view = hand.view(seat)
        found = occasions(view)
        cards = found.get("high card where a low one does", 0) | found.get("dangerous card kept", 0)
        if not cards:
            continue
        chosen.clear()
        with patch.object(searcher, "_card_among_alike", watched):
            action = find_player("expert").choose(view, DEFAULT_BUDGET, derive_seed(seed, at)).action
        assert isinstance(action, Play)
        before, after = (chosen or [action.card])[0], action.card
        dear["occasions"] += 1
        dear["before"] += cards >> before & 1
        dear["after"] += cards >> after & 1
        if before != after:
            one, other = _true_tricks(hand, view, (before, after))
            tricks.append(other - one)
    print(dear, f"tricks a change {interval(tricks)}, {len(tricks)} changes")


def _true_tricks(hand: Hand, view: View, cards: Sequence[Card]) -> list[float]:
    """Tricks of the viewer's side (in a nolo, of the other one) after each card in the true deal."""
    assert view.seat is not None
    hands, table = [card_set(hand.view(seat).cards) for seat in range(4)], public_table(view)
    gained = play_out(table, [(hands, 0)], cards, view.seat, policy.packed_weights()).gained
    sign = (1 if side(view.seat) == 0 else -1) * (1 if table.kind == "high" else -1)
    return [float(sign * row[0]) for row in gained]


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "gains":
        print_gains(words[0], int(words[1]), int(words[2]))
    else:
        work = {"habits": print_habits, "changes": print_changes}[what]
        work(int(words[0]), int(words[1]))
