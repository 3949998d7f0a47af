"""What leaves Tuppen as JSON stays the same to the byte: views, results, standings, questions, records."""

import json
from hashlib import sha256
from random import Random

import pytest

from nousu.engine.actions import Call
from nousu.engine.laws import random_match
from nousu.engine.match import Played
from nousu.engine.record import Record, write
from nousu.engine.seats import DIRECTOR
from nousu.games import find
from nousu.games.tuppen import GAME, Facts, Outcome, Standing, Word, call_of, said
from nousu.players import DEFAULT_BUDGET
from nousu.players.external import question
from nousu.server.api.shapes import view_json

ODD = "four_pictures=redeal+poor_playoff=any+same_hand_deaths=in_order+start_points=2"
PINNED = {
    ("tuppen_zk", 3): "bcf1d312220ec199",
    ("tuppen_zk", 5): "4d6c67369fbaae1c",
    ("tuppen_zk_tournament", 4): "9c77ce03bd3ca5b0",
    ("siebenschraem", 2): "c04835e6c8dfba49",
    ("siebenschraem", 4): "f9f83b7b0325e3ef",
    ("toepen", 3): "f699f9915b3627a3",
    ("toepen", 5): "b1250f9fffb036e9",
    ("tuppen_zk+conduct=director+voluntary_leave=on", 4): "3df4c2965055b5eb",
    (f"tuppen_zk+{ODD}", 5): "e723c10101682646",
}


def hand_plain(played: Played) -> object:
    """A finished hand as the API gives it, and the standing as players outside get it. Sentences may become
    better: of the notes only clauses and values are compared."""
    notes = [(note.clause, dict(note.values)) for note in (*played.result.notes, *played.tally.notes())]
    result = played.result
    return [result.outcome.plain(), list(result.points), result.void, notes, played.tally.plain()]


def digest(text: str, seats: int) -> str:
    """The SHA-256 of all that is said in JSON of seeded random matches."""
    game, rules = find(text)
    rng, said = Random(f"{text} {seats}"), sha256()
    for _ in range(2):
        done = 0
        for number, (match, hand) in enumerate(random_match(game, rules, seats, rng, hands=25)):
            for seat in (*range(seats), None):
                view = hand.view(seat)
                found: list[object] = [view_json(view)]
                if seat is not None and seat == number % seats:
                    found.append(question(view, DEFAULT_BUDGET, 1, number))
                said.update(json.dumps(found, ensure_ascii=False).encode())
            for played in match.played[done:]:
                said.update(json.dumps(hand_plain(played), ensure_ascii=False).encode())
            done = len(match.played)
        said.update(write(Record(match)).encode())
    return said.hexdigest()[:16]


def test_json_of_tuppen_stays_the_same(subtests: pytest.Subtests) -> None:
    for text, seats in list(PINNED):
        with subtests.test(text=text, seats=seats):
            assert digest(text, seats) == PINNED[text, seats]


def test_word_has_a_meaning_and_every_outcome_comes_back_from_its_plain_form(
    subtests: pytest.Subtests,
) -> None:
    for text, seats in list(PINNED):
        with subtests.test(text=text, seats=seats):
            game, rules = find(text)
            met: set[type[Word]] = set()
            for match, hand in random_match(game, rules, seats, Random(seats), hands=12):  # noqa: B007
                for seat in (*range(seats), DIRECTOR):
                    for call in (action for action in hand.legal(seat) if isinstance(action, Call)):
                        word = said(call, seats)
                        assert word is not None and call_of(word, seats) == call
                        met.add(type(word))
                Facts.of(hand.view(None).facts)
            assert len(met) >= 4 or rules.eight_card_endgame, "nobody speaks in the eight-card end game"
            for played in match.played:
                outcome = Outcome.of(played.result.outcome)
                assert GAME.outcome(json.loads(json.dumps(outcome.plain()))) == outcome
                assert Standing.of(played.tally).points == played.tally.score()


def test_other_words_mean_nothing(subtests: pytest.Subtests) -> None:
    for word in ["pass", "challenge", "challenge P9", "challenge P1 ²", "penalty IV2", "hold on"]:
        with subtests.test(word=word):
            assert said(Call(word), 5) is None
