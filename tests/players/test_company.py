"""Order of questions: after each action all seats that may interrupt, nearest to the turn first."""

from dataclasses import replace

import pytest

from nousu.engine.actions import Call
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.games import find
from nousu.players import Budget, Choice, find_player
from nousu.players.arena import Contest, play_pair
from nousu.players.seat_loop import advance, free_to_speak, next_choice, seeds, step_number

RAISE = Call("raise")


class Shouter:
    """Raises whenever it may, out of turn too; otherwise takes the first action."""

    def __init__(self, wishes: frozenset[int] = frozenset(range(8))) -> None:
        self.wishes = wishes
        self.asked: list[tuple[int | None, int]] = []

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        return Choice(next((action for action in view.legal if action != RAISE), view.legal[0]))

    def interrupt(self, view: View, budget: Budget, seed: int) -> Choice | None:
        self.asked.append((view.seat, len(view.heard)))
        return Choice(RAISE) if RAISE in view.legal and view.seat in self.wishes else None


def position(match: Match, company: list, seed: int = 1) -> Match:
    """The match up to the first moment when three seats may speak out of turn."""
    while len(free_to_speak(match.hand)) < 3:
        after = advance(match, company, seed)
        assert after is not None
        match = after
    return match


def test_interruption_nearest_to_the_seat_on_turn_goes_first() -> None:
    quiet = find_player("random")
    match = position(Match.start(*find("tuppen_zk"), 4), [quiet] * 4)
    turn = match.hand.owed()[0]
    order = free_to_speak(match.hand)
    assert order == tuple((turn + step) % 4 for step in (1, 2, 3))
    able = [seat for seat in order if RAISE in match.hand.legal(seat)]
    for first in range(len(able)):
        loud = Shouter(frozenset(able[first:]))
        choice = next_choice(match, [loud] * 4, seeds(match, 1))
        assert choice == (able[first], Choice(RAISE))
        assert [seat for seat, _ in loud.asked] == list(order[: order.index(able[first]) + 1])


def test_interrupter_is_asked_once_about_a_position() -> None:
    silent = Shouter(frozenset())
    company = [silent] * 4
    match = Match.start(*find("tuppen_zk"), 4)
    while len(match.played) < 3:
        after = advance(match, company, 5)
        assert after is not None
        if len(after.played) > len(match.played):
            assert len(silent.asked) == len(set(silent.asked)) > 20
            silent.asked.clear()
        match = after


def test_interruption_out_of_turn_is_heard() -> None:
    company = [Shouter(), find_player("random"), Shouter()]
    match = Match.start(*find("tuppen_zk"), 3)
    spoken = []
    for _ in range(60):
        if match.winner is not None:
            break
        choice = next_choice(match, company, seeds(match, 1))
        if choice is not None and choice[0] not in match.hand.owed():
            spoken.append(choice[0])
            assert choice[1].action == RAISE
        after = advance(match, company, 1)
        assert after is not None
        match = after
    assert spoken and set(spoken) <= {0, 2}


def test_arena_hears_interruptions_out_of_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same play with raises shouted into it is worth other points."""
    players = {"loud": Shouter(), "silent": Shouter(frozenset())}
    monkeypatch.setattr("nousu.players.arena.load_player", players.__getitem__)
    quiet = Contest(a="silent", b="silent", game="tuppen_zk", seed=2)
    heard, unheard = play_pair(replace(quiet, a="loud"), 0), play_pair(quiet, 0)
    assert players["loud"].asked and players["silent"].asked
    assert heard.results != unheard.results
    assert all(time > 0 for time in heard.milliseconds[0])


def test_moments_have_numbers_of_their_own() -> None:
    game, rules = find("tuppi")
    match = Match.start(game, rules, 4)
    seen = set()
    company = (find_player("random"),) * 4
    while match.winner is None:
        assert step_number(match) not in seen
        seen.add(step_number(match))
        after = advance(match, company, 1)
        assert after is not None
        match = after
    assert advance(match, company, 1) is None
