"""A view and a world make a position: with best play of all, the solver's value is reached."""

from random import Random

import pytest

import nousu
from nousu.engine.actions import Play
from nousu.engine.cards import card_set
from nousu.engine.match import Match
from nousu.players.worlds import World
from nousu.solver import Goal, Huutopussi, Sooli, Tuppen, position_of

FAMILIES = ["tuppi", "tuppi+sooli_order=rotation", "minnesota", "huutopussi", "tuppen_zk"]


def ends(preset: str, seed: int, most: int = 3) -> Match | None:
    """A hand played at random until so few cards are left; None if it ended before."""
    rng = Random(f"{preset} {seed}")
    match = nousu.start(preset, seed=seed)
    while not match.played:
        seat = match.hand.owed()[0]
        if seat < 0:
            match = match.deal(rng)
            continue
        view = match.hand.view(seat)
        if view.legal and isinstance(view.legal[0], Play) and max(view.counts) <= most and not view.trick:
            return match
        match = match.apply(seat, rng.choice(match.hand.legal(seat)))
    return None


def truth(match: Match) -> World:
    hands = tuple(card_set(match.hand.view(seat).cards) for seat in range(match.seats))
    return World(hands, hands)


def test_best_play_reaches_what_is_said(subtests: pytest.Subtests) -> None:
    """Where everybody on turn plays a card that keeps the value, the value of the position never changes."""
    for preset in FAMILIES:
        with subtests.test(preset=preset):
            reached = 0
            for seed in range(30):
                match = ends(preset, seed)
                if match is None:
                    continue
                view = match.hand.view(match.hand.owed()[0])
                goal = nousu.goal_of(view)
                value = nousu.solve(position_of(view, truth(match)), goal).value
                while not match.played and any(match.hand.view(None).counts):
                    seat = match.hand.owed()[0]
                    here = match.hand.view(seat)
                    cards = [action for action in here.legal if isinstance(action, Play)]
                    if not cards:  # an answer in Huutopussi, a question in Tuppen
                        break
                    assert position_of(here, truth(match)).turn == seat
                    found = nousu.solve(position_of(here, truth(match)), goal)
                    assert found.value == value
                    best = next((card for card in cards if found.moves.get(card.card) == value), None)
                    if best is None:  # the best is to declare, which is no card
                        break
                    match = match.apply(seat, best)
                    reached += 1
            assert reached > 20


def test_goals_are_those_of_the_hand() -> None:
    kinds: set[type[Goal]] = set()
    for preset in FAMILIES:
        for seed in range(60 if preset == "minnesota" else 12):  # all four bid low once in sixteen hands
            match = ends(preset, seed, most=13)
            if match is not None:
                view = match.hand.view(match.hand.owed()[0])
                goal = nousu.goal_of(view)
                kinds.add(type(goal))
                if isinstance(goal, Huutopussi):
                    assert goal.side == (view.seat or 0) % 2 and goal.aim == "difference"
                if isinstance(goal, Tuppen):
                    assert goal.seat == view.seat
                if isinstance(goal, Sooli):
                    assert len(position_of(view, truth(match)).active) == 3
    assert {kind.__name__ for kind in kinds} >= {"Rami", "Nolo", "Sooli", "Huutopussi", "Tuppen"}


def test_world_of_a_view_is_a_position() -> None:
    for preset in FAMILIES:
        match = next(found for seed in range(30) if (found := ends(preset, seed)))
        view = match.hand.view(match.hand.owed()[0])
        world = nousu.worlds(view).sample(Random(1))
        position = nousu.position_of(view, world)
        assert view.seat is not None
        assert position.hands[view.seat] == card_set(view.cards) and position.turn == view.seat


def test_view_before_the_first_trick_is_refused(subtests: pytest.Subtests) -> None:
    for view, said in [
        (
            lambda: nousu.start("tuppi", seed=1).hand.view(0),
            "from the first lead on; this hand waits for bid",
        ),
        (lambda: nousu.start("huutopussi", seed=1).hand.view(0), "this hand waits for auction"),
        (lambda: nousu.start("tuppen_zk", seed=1).hand.view(0), "this hand waits for pictures"),
        (lambda: nousu.start("tuppi", seed=1).hand.view(None), "the view of a spectator"),
        (lambda: nousu.start("tuppi").hand.view(0), "no card is left to play"),
    ]:
        with subtests.test(view=view, said=said):
            here = view()  # type: ignore[operator]
            with pytest.raises(ValueError, match=said):
                nousu.goal_of(here)
            with pytest.raises(ValueError, match=said):
                position_of(here, World((0,) * 4, (0,) * 4))
