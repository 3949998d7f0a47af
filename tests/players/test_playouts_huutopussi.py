"""The compiled core plays Huutopussi out as the rule-based player does, card for card and word for word."""

from random import Random

import pytest

from nousu.engine.actions import Action, Give, Play
from nousu.engine.cards import card_set
from nousu.engine.game import Hand
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import Facts, PlayedHand
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.huutopussi.playouts import MOST, HuutopussiPlayouts, play_out, playout_hands, public_table
from nousu.players.worlds import World
from nousu.solver import native

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(native.core is None, reason="there is no compiled core"),
]
PRESETS = [
    "huutopussi",
    "huutopussi_gamerules_literal",
    "huutopussi_finnish",
    "huutopussi_illisoft",
    "huutopussi+lockouts=none+declare_right=won+marriage_values=spades_high",
    "huutopussi_erlangen+kontra=0+min_bid=50+forced_opening=on",
    "huutopussi+attempts=one_a_hand+declare_right=won",
    "huutopussi+card_values=matrix+first_trick=ace_or_spade+answers=optional",
]


def hands_of(preset: str, rng: Random, freely: float) -> list[Hand]:
    """A hand of the rule-based player before every action of its play; with this chance any legal action is
    taken instead, up to a moment that is drawn too."""
    family, rules = find(preset)
    match = Match.start(family, rules, 4, dealer=rng.randrange(4)).deal(rng)
    found: list[Hand] = []
    strays = rng.randrange(36)
    while not match.played and match.hand.owed() != (CHANCE,):
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        if Facts.of(view.facts).phase in ("play", "answer"):
            found.append(match.hand)
        action = find_player("rules").choose(view, DEFAULT_BUDGET, 1).action
        if 0 < len(found) <= strays and rng.random() < freely:
            action = rng.choice(view.legal)
        match = match.apply(seat, action)
    return [*found, match.played[0].hand] if match.played and found else []


def world_of(hand: Hand) -> World:
    """The cards as they lie."""
    held = tuple(card_set(hand.view(seat).cards) for seat in range(4))
    given = tuple(action.cards for _, action in hand.log if isinstance(action, Give))
    return World(held, (), (), given)


def as_it_lies(hand: Hand, first: Action | None = None) -> HuutopussiPlayouts:
    """The hand played out from here with the cards as they lie."""
    view = hand.view(hand.owed()[0])
    return play_out(public_table(view), [playout_hands(view, world_of(hand))], (first,))


def test_core_plays_as_the_rule_based_player_does(subtests: pytest.Subtests) -> None:
    """From the first lead on, and from the point after which all play by the rules."""
    for preset in PRESETS:
        with subtests.test(preset=preset):
            rng = Random(5)
            words = 0
            for number in range(10):
                hands = hands_of(preset, rng, 0.3 * (number % 2))
                if not hands:
                    continue
                result = hands[-1].result()
                assert result is not None and isinstance(result.outcome, PlayedHand)
                played = [action for _, action in hands[-1].log[-(len(hands) - 1) :]]
                strayed = 0
                for at, here in enumerate(hands[:-1]):
                    chosen = find_player("rules").choose(here.view(here.owed()[0]), DEFAULT_BUDGET, 1).action
                    strayed = strayed if chosen == played[at] else at + 1
                words += sum(not isinstance(action, Play) for action in played)
                for at in range(strayed, len(hands) - 1, 3):
                    for first in (None, played[at]):
                        found = as_it_lies(hands[at], first)
                        assert found.ended == (((result.outcome.earned, result.outcome.tricks),),), (
                            number,
                            at,
                        )
                        assert strayed or found.deviations == (0,)
            assert words > 4


def test_playout_choices_are_those_of_the_rule_based_player(subtests: pytest.Subtests) -> None:
    """After anything that was played and said: the player's choice changes neither how the hand ends nor how
    strange it is."""
    for preset in PRESETS:
        with subtests.test(preset=preset):
            rng = Random(8)
            compared = 0
            for _ in range(6):
                for here in hands_of(preset, rng, 0.5)[:-1]:
                    seat = here.owed()[0]
                    later = here.apply(
                        seat, find_player("rules").choose(here.view(seat), DEFAULT_BUDGET, 1).action
                    )
                    if later.result() is None:
                        assert as_it_lies(later) == as_it_lies(here)
                        compared += 1
            assert compared > 100


def test_choice_that_no_such_player_makes_is_strange() -> None:
    """As strange as the points by which the player rates it lower, but not to the viewer who made it."""
    rng = Random(3)
    here = next(hands for _ in range(9) if (hands := hands_of("huutopussi", rng, 0.0)))[0]
    seat = here.owed()[0]
    chosen = find_player("rules").choose(here.view(seat), DEFAULT_BUDGET, 1).action
    for action in here.legal(seat):
        later = here.apply(seat, action)
        view = later.view(None)
        world = [playout_hands(view, world_of(later))]
        (deviation,) = play_out(public_table(view), world).deviations
        assert (deviation == 0) == (action == chosen) and deviation <= MOST
        assert play_out(public_table(view), world, viewer=seat).deviations == (0,)
