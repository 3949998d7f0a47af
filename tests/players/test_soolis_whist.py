"""The deals that hunters of a sooli imagine: possible ones, weighed as if they had been drawn uniformly."""

from collections.abc import Iterator
from math import exp
from random import Random

import pytest

from nousu.engine.cards import ACE_LOW, cards_of
from nousu.engine.game import Hand, View
from nousu.games.whist import Facts
from nousu.players import DEFAULT_BUDGET, Budget, find_player
from nousu.players.whist.rules import danger, danger_left
from nousu.players.whist.soolis import CALLED, GIVEN, THROWN, Soloists, likely_worlds
from nousu.players.worlds import World, replay_world, worlds
from nousu.review.families import deals_of
from tools.training import sooli

EXCHANGES = ["none", "discard_then_receive", "receive_then_return"]


def hunters_views(preset: str, seed: int, hands: int) -> Iterator[tuple[Hand, View]]:
    """Choices of hunters before the sooli is broken, when all play by rules of thumb or by chance."""
    rng = Random(seed)
    for _ in range(hands):
        match = sooli.deal(preset, rng)
        while not match.played:
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            facts = Facts.of(view.facts)
            if facts.phase == "play" and seat != facts.soloist and not facts.caught:
                yield match.hand, view
            by = "rules" if facts.phase != "play" or rng.random() < 0.7 else "random"
            match = match.apply(seat, find_player(by).choose(view, DEFAULT_BUDGET, rng.randrange(99)).action)


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_deals_that_hunters_imagine_could_have_been(exchange: str) -> None:
    rng = Random(3)
    seen = 0
    for _, view in hunters_views(f"tuppi+sooli_exchange={exchange}", 5, 8):
        drawn, weights = likely_worlds(view, 12, rng)
        assert len(drawn) == len(weights) and min(weights) > 0
        for world in (drawn[0], deals_of(view).sample(rng)):  # of players and of reviews
            other = replay_world(view, world)
            assert repr(other.view(view.seat)) == repr(view)
            assert other.table is not None and tuple(other.table.hands) == world.hands
        seen += 1
    assert seen > 30


@pytest.mark.parametrize(("exchange", "left"), [("none", 2), ("discard_then_receive", 1)])
def test_weights_make_up_for_the_way_deals_are_drawn(exchange: str, left: int) -> None:
    """The chance that the soloist holds a card is that among all layouts, each as likely as it should be."""
    rng = Random(1)
    checked = 0
    for _, view in hunters_views(f"tuppi+sooli_exchange={exchange}", 2, 40):
        if len(view.cards) != left or view.trick or worlds(view).layouts > 60_000:
            continue
        every = [(world, ways * likelihood(view, world)) for world, ways in worlds(view).every(rng)]
        exact, chosen = held(view, every), Soloists.of(view)
        drawn = list(zip(*likely_worlds(view, 4000, rng), strict=True))
        picked = [(chosen.sample(rng), 1.0) for _ in range(2000)]
        for found in (held(view, drawn), held(view, picked)):
            assert max(abs(exact.get(card, 0) - found.get(card, 0)) for card in exact | found) < 0.07
        checked += 1
        if checked == 4:
            break
    assert checked


def likelihood(view: View, world: World) -> float:
    """How likely the soloist of this world calls and exchanges so, up to a factor."""
    soloist = Facts.of(view.facts).soloist
    assert soloist is not None
    dealt = world.dealt[soloist]
    if not world.given:
        return exp(-CALLED * danger(dealt))
    (thrown,), (gift,) = world.given
    kept = danger(dealt & ~(1 << thrown))
    return exp(-CALLED * kept - THROWN * (kept - danger_left(dealt, view.rules)) - GIVEN * ACE_LOW[gift.rank])


def held(view: View, deals: list[tuple[World, float]]) -> dict[int, float]:
    """The chance of each card to be in the soloist's hand."""
    soloist = Facts.of(view.facts).soloist
    assert soloist is not None
    shares: dict[int, float] = {}
    for world, weight in deals:
        for card in cards_of(world.hands[soloist]):
            shares[card] = shares.get(card, 0) + weight
    total = sum(weight for _, weight in deals)
    return {card: share / total for card, share in shares.items()}


@pytest.mark.native
def test_hunters_and_soloists_see_no_hidden_card() -> None:
    """In another deal that looks the same to them they choose the same, for the same reason."""
    rng, few = Random(8), Budget(worlds=10)
    expert = find_player("expert")
    moved = 0
    for hand, view in hunters_views("tuppi", 4, 2):
        if len(view.legal) > 1:
            other = replay_world(view, worlds(view).sample(rng))
            moved += other.view(None) == hand.view(None) and repr(other) != repr(hand)
            assert expert.choose(view, few, 3) == expert.choose(other.view(view.seat), few, 3)
    assert moved > 10
