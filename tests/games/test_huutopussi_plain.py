"""What leaves Huutopussi as JSON stays the same to the byte: views, results, standings, records."""

import json
from hashlib import sha256
from random import Random

import pytest

from nousu.engine.actions import Call
from nousu.engine.laws import random_match
from nousu.engine.match import Played
from nousu.engine.record import Record, write
from nousu.games import find
from nousu.games.huutopussi import Facts, Outcome, call_of, outcome, said
from nousu.players import DEFAULT_BUDGET
from nousu.players.external import question
from nousu.server.api.shapes import view_json

PINNED = {
    "huutopussi": "8d39176dfc2eeaeb",
    "huutopussi_gamerules_literal": "1da34e75efded9d2",
    "huutopussi_finnish": "2c4ca1460388bc0d",
    "huutopussi_illisoft": "2bb7e9e2b9fcb05b",
    "huutopussi+forced_opening=off+all_pass=redeal+bid_ban=off": "023274545d53796a",
    "huutopussi+declare_right=won+lockouts=none+target=150": "a09ffdac1e4781a5",
    "huutopussi_erlangen": "7ad6ddc45eb69636",
    "huutopussi+attempts=one_a_hand": "6d2f386c9b6a6311",
}


def hand_plain(played: Played) -> object:
    """A finished hand as the API gives it (but for the sentences), and the standing."""
    result = played.result
    return [result.outcome.plain(), list(result.points), result.void, played.tally.plain()]


def digest(text: str) -> str:
    """The SHA-256 of all that is said in JSON of seeded random matches."""
    game, rules = find(text)
    rng, heard = Random(text), sha256()
    for _ in range(2):
        done = 0
        for number, (match, hand) in enumerate(random_match(game, rules, 4, rng, hands=6)):
            view = hand.view((0, 1, 2, 3, None)[number % 5])
            found: list[object] = [view_json(view)]
            if view.seat is not None and number % 3 == 0:
                found.append(question(view, DEFAULT_BUDGET, 1, number))
            heard.update(json.dumps(found, ensure_ascii=False).encode())
            for played in match.played[done:]:
                heard.update(json.dumps(hand_plain(played), ensure_ascii=False).encode())
            done = len(match.played)
        heard.update(write(Record(match)).encode())
    return heard.hexdigest()[:16]


def test_json_of_huutopussi_stays_the_same(subtests: pytest.Subtests) -> None:
    for text in list(PINNED):
        with subtests.test(text=text):
            assert digest(text) == PINNED[text]


def test_word_has_a_meaning_and_every_outcome_comes_back_from_its_plain_form(
    subtests: pytest.Subtests,
) -> None:
    for text in list(PINNED):
        with subtests.test(text=text):
            game, rules = find(text)
            words = set()
            for match, hand in random_match(game, rules, 4, Random(text), hands=6):
                assert Facts.of(hand.view(None).facts).phase == hand.view(None).phase
                for seat in range(4):
                    for action in hand.legal(seat):
                        if isinstance(action, Call):
                            word = said(action)
                            assert word is not None and call_of(word) == action
                            words.add(type(word))
                for played in match.played[-1:]:
                    assert outcome(played.result.outcome.plain()) == Outcome.of(played.result.outcome)
            assert len(words) > 5
            assert [said(Call(text)) for text in ("rami", "marriage X", "ask half X9", "yes H S")] == [
                None
            ] * 4
