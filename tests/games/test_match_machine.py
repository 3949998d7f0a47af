"""Hypothesis drives whole matches of every game: any legal action, refused actions, saving and reloading."""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nousu.engine.actions import Play
from nousu.engine.cards import DECK_52
from nousu.engine.errors import IllegalAction
from nousu.engine.match import Match, shuffled
from nousu.engine.record import Record, read, write
from nousu.engine.seats import CHANCE
from nousu.games import find, games


class WholeMatch(RuleBasedStateMachine):
    """A match at a table where anything legal may happen and the power may fail at any time."""

    family: str

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def sit_down(self, data, seed):
        game = games()[self.family]
        preset = data.draw(st.sampled_from(sorted(game.presets)))
        seats = data.draw(st.sampled_from(list(game.seats)))
        self.rng = Random(seed)
        self.match = Match.start(game, game.presets[preset], seats, data.draw(st.integers(0, seats - 1)))
        self.text = preset

    @precondition(lambda self: self.match.winner is None and self.match.hand.owed() == (CHANCE,))
    @rule()
    def deal(self):
        self.match = self.match.apply(CHANCE, shuffled(self.match.hand.dealing(), self.rng))

    @precondition(lambda self: self.match.winner is None and self.match.hand.owed() != (CHANCE,))
    @rule(data=st.data(), steps=st.integers(1, 60))
    def act(self, data, steps):
        for _ in range(steps):
            hand = self.match.hand
            if self.match.winner is not None or hand.owed() == (CHANCE,):
                return
            able = [seat for seat in range(self.match.seats) if hand.legal(seat)]
            seat = data.draw(st.sampled_from(able))
            self.match = self.match.apply(seat, self.rng.choice(hand.legal(seat)))

    @precondition(lambda self: self.match.winner is None)
    @rule(data=st.data())
    def cheat(self, data):
        seat = data.draw(st.integers(0, self.match.seats - 1))
        card = Play(data.draw(st.sampled_from(DECK_52)))
        if card not in self.match.hand.legal(seat):
            before = self.match
            with pytest.raises(IllegalAction):
                self.match.apply(seat, card)
            assert self.match == before

    @rule()
    def power_fails(self):
        text = write(Record(self.match, preset=self.text))
        again = read(text, find)
        assert again.match == self.match
        assert write(again) == text

    @invariant()
    def somebody_is_waited_for_until_somebody_has_won(self):
        if hasattr(self, "match"):
            assert bool(self.match.hand.owed()) == (self.match.winner is None)


@pytest.mark.parametrize("family", sorted(games()))
def test_whole_matches(family):
    machine = type("Machine", (WholeMatch,), {"family": family})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
