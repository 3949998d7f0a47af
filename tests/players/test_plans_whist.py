"""The best single plan for the last cards: one that knows of the cards only what its player sees."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import Card, card_set
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import Seat
from nousu.games import find
from nousu.games.whist import SOOLI, Facts
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.whist import card_rules
from nousu.players.whist.playouts import plan_values, play_out, playout_hands, public_table
from nousu.players.whist.rules import danger
from nousu.players.worlds import World, replay_world, worlds
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(native.core is None, reason="there is no compiled core"),
]
FEW, MOST = 3, 40
"""Cards in the hands, and worlds looked at."""


def endings(preset: str, count: int) -> Iterator[tuple[View, list[World]]]:
    """This many choices with few cards left, and worlds of each; a sooli that has a chance is called."""
    game, rules = find(preset)
    rng = Random(7)
    found = 0
    while found < count:
        hand: Hand = Match.start(game, rules, 4, dealer=rng.randrange(4)).deal(rng).hand
        while owed := hand.owed():
            view = hand.view(owed[0])
            if view.facts.phase == "play" and len(view.cards) == FEW and len(view.legal) > 1:
                known = worlds(view)
                drawn = [known.sample(rng) for _ in range(MOST)]
                yield view, drawn
                found += 1
                break
            action = find_player("rules").choose(view, DEFAULT_BUDGET, 1).action
            if SOOLI in view.legal and danger(card_set(view.cards)) < 6:
                action = SOOLI
            hand = hand.apply(owed[0], action)


def best(alike: Sequence[tuple[Hand, float]], seat: Seat, card: Card) -> float:
    """What the best plan of a seat brings after a card, by the rules and the rule-based player in Python: the
    sum over these hands, none of which the seat can tell from the others. A sooli made, or a trick of North
    and South, counts one."""
    brought = 0.0
    heard = defaultdict(list)
    for hand, ways in alike:
        hand = hand.apply(seat, Play(card))
        told = []
        while hand.owed() and hand.owed()[0] != seat:
            other = hand.owed()[0]
            told.append(card_rules.choose(hand.view(other)).action)
            hand = hand.apply(other, told[-1])
        if hand.owed():
            heard[tuple(told)].append((hand, ways))
        else:
            brought += ways * outcome(hand)
    for same in heard.values():
        legal = same[0][0].legal(seat)
        brought += max(best(same, seat, action.card) for action in legal if isinstance(action, Play))
    return brought


def outcome(hand: Hand) -> int:
    facts = Facts.of(hand.view(None).facts)
    if facts.soloist is None:
        return int(facts.tricks[0])
    return int(hand.result().points[facts.soloist % 2] > 0)


@pytest.mark.parametrize("preset", ["tuppi+early_end=off", "minnesota+early_end=off"])
def test_core_finds_the_best_plan_against_the_rule_based_player(preset: str) -> None:
    kinds = set()
    for view, drawn in endings(preset, 12):
        assert view.seat is not None
        kinds.add(view.facts.kind)
        ways = [1.0 + at % 3 for at in range(len(drawn))]
        firsts = [action.card for action in view.legal if isinstance(action, Play)]
        asked = public_table(view), [playout_hands(view, world) for world in drawn]
        found = plan_values(*asked, ways, float, firsts, view.seat)
        alike = list(zip([replay_world(view, world) for world in drawn], ways, strict=True))
        assert found == pytest.approx([best(alike, view.seat, card) for card in firsts])
    assert kinds >= ({"low", "sooli"} if "tuppi" in preset else {"low", "high"})


def test_plan_does_better_than_habit_and_worse_than_open_cards() -> None:
    """The rules are one plan; a seat that knows the world has one for each world."""
    better = blind = 0
    for view, drawn in endings("tuppi+sooli=off", 60):
        assert view.seat is not None
        sign = 1 if view.seat % 2 == 0 else -1
        sign = -sign if view.facts.kind == "low" else sign

        def worth(taken: int, sign: int = sign) -> float:
            return float(sign * taken)

        firsts = [action.card for action in view.legal if isinstance(action, Play)]
        table, each = public_table(view), [playout_hands(view, world) for world in drawn]
        ways = [1.0] * len(each)
        plans = plan_values(table, each, ways, worth, firsts, view.seat)
        habit = [sum(map(worth, row)) for row in play_out(table, each, firsts, view.seat).gained]
        seen = [
            sum(plan_values(table, [world], [1.0], worth, [card], view.seat)[0] for world in each)
            for card in firsts
        ]
        assert all(one >= other for one, other in zip(plans, habit, strict=True))
        assert all(one <= other for one, other in zip(plans, seen, strict=True))
        better += plans != habit
        blind += list(plans) != seen
    assert better > 5
    assert blind > 5


@pytest.mark.parametrize("player", ["searcher", "expert"])
def test_searching_player_plays_by_the_plan_where_every_deal_is_looked_at(
    player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever card the plan is told to begin with is played."""
    choices = 0
    for view, _ in endings("tuppi+sooli=off", 40):
        firsts = [action.card for action in view.legal if isinstance(action, Play)]
        if worlds(view).layouts > 100:
            continue
        for wanted in firsts:

            def told(*asked: Any, wanted: Card = wanted) -> list[float]:
                return [1e9 * (card == wanted) for card in asked[4]]

            monkeypatch.setattr("nousu.players.whist.searcher.plan_values", told)
            assert find_player(player).choose(view, DEFAULT_BUDGET, 1).action == Play(wanted)
            choices += 1
    assert choices > 10


@pytest.mark.parametrize(
    "wrong", [{"weights": [1.0]}, {"viewer": 4}, {"firsts": [None]}], ids=["weights", "viewer", "no card"]
)
def test_plan_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    view, drawn = next(endings("tuppi", 1))
    firsts = [action.card for action in view.legal if isinstance(action, Play)]
    asked = {
        "table": public_table(view),
        "worlds": [playout_hands(view, world) for world in drawn],
        "weights": [1.0] * len(drawn),
        "worth": float,
        "firsts": firsts,
        "viewer": view.seat,
    }
    with pytest.raises(ValueError, match=r"these are not plans|this is not a card"):
        plan_values(**{**asked, **wrong})  # type: ignore[arg-type]
