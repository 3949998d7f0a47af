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
from nousu.server.api.shapes import note_json, view_json

ODD = "four_pictures=redeal+poor_playoff=any+same_hand_deaths=in_order+start_points=2"
PINNED = {
    ("tuppen_zk", 3): "7a12702d7fa4af46",
    ("tuppen_zk", 5): "5f032ccada56d0d3",
    ("tuppen_zk_tournament", 4): "94eee8fa5a3ad0d5",
    ("siebenschraem", 2): "80cbfec6dd332c58",
    ("siebenschraem", 4): "1f89d2a0e37dfd06",
    ("toepen", 3): "9469bcce39eac75b",
    ("toepen", 5): "45f7f85e6184a128",
    ("tuppen_zk+conduct=director+voluntary_leave=on", 4): "43d2b48c35329b2c",
    (f"tuppen_zk+{ODD}", 5): "beb7c72bdfb12eec",
}


def hand_plain(played: Played) -> object:
    """A finished hand as the API gives it, and the standing as players outside get it."""
    notes = [note_json(note) for note in (*played.result.notes, *played.tally.notes())]
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
                told: list[object] = [view_json(view)]
                if seat is not None and seat == number % seats:
                    told.append(question(view, DEFAULT_BUDGET, 1, number))
                said.update(json.dumps(told, ensure_ascii=False).encode())
            for played in match.played[done:]:
                said.update(json.dumps(hand_plain(played), ensure_ascii=False).encode())
            done = len(match.played)
        said.update(write(Record(match)).encode())
    return said.hexdigest()[:16]


@pytest.mark.parametrize(("text", "seats"), list(PINNED))
def test_the_json_of_tuppen_stays_the_same(text: str, seats: int) -> None:
    assert digest(text, seats) == PINNED[text, seats]


@pytest.mark.parametrize(("text", "seats"), list(PINNED))
def test_every_word_has_a_meaning_and_every_outcome_comes_back_from_its_plain_form(
    text: str, seats: int
) -> None:
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


@pytest.mark.parametrize(
    "word", ["pass", "challenge", "challenge P9", "challenge P1 ²", "penalty IV2", "hold on"]
)
def test_other_words_mean_nothing(word: str) -> None:
    assert said(Call(word), 5) is None
