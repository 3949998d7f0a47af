"""Nousu's players behind the protocol: the same views, the same choices."""

import io
import json
import subprocess
import sys
from random import Random

import pytest

from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.players import Budget, find_player
from nousu.players.external import question
from nousu.players.protocol_server import BadQuestion, answers, view_of
from nousu.players.seat_loop import advance, free_to_speak

TABLES = [("tuppi", 4), ("tuppi_tournament", 4), ("minnesota", 4), ("norwegian_spoken", 4), ("huutopussi", 4),
          ("tuppen_zk", 5), ("tuppen_zk", 2), ("toepen", 3), ("siebenschraem", 4)]  # fmt: skip


def choices(game, seats, seed, count):
    """Views that seats were asked with in random matches, and the seeds they got."""
    family, rules = find(game)
    rng = Random(seed)
    match = Match.start(family, rules, seats)
    while count:
        if match.winner is not None:
            match = Match.start(family, rules, seats)
        owed = match.hand.owed()
        if owed == (CHANCE,):
            match = match.deal(rng)
            continue
        view = match.hand.view(owed[0])
        yield view, rng.randrange(1 << 32)
        count -= 1
        match = match.apply(owed[0], rng.choice(view.legal))


def test_question_becomes_the_view_it_was_made_of(subtests: pytest.Subtests):
    for game, seats in TABLES:
        with subtests.test(game=game, seats=seats):
            for view, seed in choices(game, seats, 3, 250):
                line = json.dumps(question(view, Budget(), seed, 1))
                again = view_of(json.loads(line))
                assert json.dumps(question(again, Budget(), seed, 1)) == line
                for part in (
                    "rules",
                    "cards",
                    "counts",
                    "trick",
                    "tricks",
                    "facts",
                    "heard",
                    "owed",
                    "legal",
                ):
                    assert getattr(again, part) == getattr(view, part), part
                assert again.setup.tally.score() == view.setup.tally.score()


def test_player_chooses_the_same_across_the_protocol(subtests: pytest.Subtests):
    for game, seats in TABLES:
        with subtests.test(game=game, seats=seats):
            asked = list(choices(game, seats, 4, 120))
            lines = [json.dumps(question(view, Budget(), seed, at)) for at, (view, seed) in enumerate(asked)]
            for (view, seed), line in zip(asked, answers(find_player("rules"), lines), strict=True):
                choice = find_player("rules").choose(view, Budget(), seed)
                assert json.loads(line)["action"] == str(choice.action)


def test_seat_not_on_turn_may_speak_or_be_silent():
    """An arena that asks out of turn hears the same as from the player itself; silence is an empty action."""
    match: Match | None = Match.start(*find("tuppen_zk"), 4)
    said = []
    while match is not None and len(match.played) < 6:
        for seat in free_to_speak(match.hand):
            view = match.hand.view(seat)
            spoken = find_player("rules").interrupt(view, Budget(), 7)
            (line,) = answers(find_player("rules"), [json.dumps(question(view, Budget(), 7, 1))])
            assert json.loads(line)["action"] == ("" if spoken is None else str(spoken.action))
            said.append(spoken is not None)
        match = advance(match, [find_player("rules")] * 4, seed=3)
    assert any(said) and not all(said)


def test_command_answers_a_line_a_question():
    asked = list(choices("tuppi", 4, 5, 3))
    lines = "".join(
        json.dumps(question(view, Budget(), seed, at)) + "\n" for at, (view, seed) in enumerate(asked)
    )
    ran = subprocess.run(
        [sys.executable, "-m", "nousu", "player", "rules"], input=lines, capture_output=True, text=True
    )
    replies = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [0, 1, 2]
    assert all(
        parts["action"] in map(str, view.legal) for parts, (view, _) in zip(replies, asked, strict=True)
    )


def test_line_that_is_no_question_is_named(subtests: pytest.Subtests):
    for line, message in [
        ("{", "line 2"),
        ("[1]", "an object in one line"),
        ("{}", "no field 'game'"),
        ('{"game": "chess"}', "there is no game chess"),
        ('{"game": "whist", "rules": {"queens": 3}}', "whist has no option queens"),
    ]:
        with subtests.test(line=line, message=message), pytest.raises(BadQuestion, match=message):
            list(answers(find_player("rules"), io.StringIO("\n" + line + "\n")))
