"""The written record: exact both ways, and every way in which a text can be wrong."""

import tracemalloc
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nousu.engine.actions import Call, Play
from nousu.engine.cards import DECK_52, parse_card, parse_hand
from nousu.engine.errors import BadRecord
from nousu.engine.game import Game
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.record import Finder, Record, entry_text, hand_lines, parse_entry, read, write
from nousu.engine.seats import CHANCE
from nousu.games import find as nousu_find

DEAL = "deal P1 S:A H:2 / P2 S:K H:A / stock " + " ".join(
    str(card) for card in DECK_52 if card not in parse_hand("S:AK H:2A")
)
TEXT = f"""nousu record 1
game last_trick+cards=2+target=2
seats 2 Aino | Eero
dealer P1

hand 1
{DEAL}
P2 pass
P1 pass
P2 play SK; P1 play SA
P1 play H2; P2 play HA
score 0 1

hand 2
# the deal moved on
{DEAL}
P1 double
P1 play SA; P2 play SK
P1 play H2; P2 play HA
score 0 3
"""


@pytest.fixture
def find(last_trick: Game) -> Finder:
    """What `nousu.games.find` does, for the example game alone."""

    def find(text: str) -> tuple[Game, Any]:
        return last_trick, last_trick.rules_named(text)

    return find


def test_refusal_names_a_few_of_many_legal_actions() -> None:
    """The error for a mistyped bid or gift in Huutopussi does not list all legal actions."""
    match = next(
        after
        for seed in range(100)
        for after, hand in random_match(*nousu_find("huutopussi"), 4, Random(seed), hands=2)
        if any(len(hand.legal(seat)) > 50 for seat in hand.owed())
    )
    text = write(Record(match)) + f"{entry_text((match.hand.owed()[0], Call('lemonade')), 4)}\n"
    with pytest.raises(BadRecord, match=r"legal: .*, … \(\d+ in all\)$") as result:
        read(text, nousu_find)
    assert len(str(result.value)) < 400


def test_record_is_replayed(find: Finder) -> None:
    record = read(TEXT, find)
    assert record.names == ("Aino", "Eero")
    assert record.preset == "last_trick"
    assert [played.tally.score() for played in record.match.played] == [(0, 1), (0, 3)]
    assert record.match.winner == (1,)
    assert record.lines[:5] == (7, 8, 9, 10, 10)
    assert write(record) == TEXT.replace("# the deal moved on\n", "")


def test_match_may_stop_anywhere(find: Finder) -> None:
    lines = TEXT.splitlines()
    for count in range(4, len(lines) + 1):
        text = "\n".join(lines[:count])
        record = read(text, find)
        assert read(write(record), find).match == record.match


def test_record_holds_the_view_of_a_seat_without_replaying_it(find: Finder) -> None:
    record = read(TEXT, find)
    seen = write(record, 0)
    assert "deal P1 S:A H:2 / P2 ?2 / stock ??" in seen
    assert "deal P1 ?2 / P2 ?2 / stock ??" in write(record, None)
    with pytest.raises(BadRecord, match="line 7: hidden cards: this is what one seat saw"):
        read(seen, find)


def test_names_are_kept_readable(find: Finder) -> None:
    record = Record(read(TEXT, find).match, ("A | B", " Eero\nK "))
    assert read(write(record), find).names == ("A / B", "Eero K")


def test_drawn_seats_are_written_and_checked(find: Finder, last_trick: Game) -> None:
    match = Match.draw(last_trick, last_trick.presets["last_trick"], 3, DECK_52)
    text = write(Record(match))
    assert "draw S2 S3 S4\nplaces P1 P2 P3\ndealer P3\n" in text
    assert read(text, find).match == match
    for wrong, line, said in (
        (text.replace("dealer P3", "dealer P1"), 6, "by the draw P3 deals first"),
        (text.replace("places P1 P2", "places P2 P1"), 5, "these cards do not draw these places"),
        (text.replace("places P1", "places P9"), 5, "‘P9’ is not a seat"),
        (text.replace("places", "seats"), 5, "expected 'places …'"),
        (text.replace("draw S2", "draw S1"), 4, "‘S1’ is not a card"),
        (text.replace("draw S2", "draw S3"), 5, "these cards do not draw these places"),
        (text.replace("draw S2", "draw S2 H5"), 5, "these cards do not draw these places"),
    ):
        with pytest.raises(BadRecord, match=f"line {line}: .*{said}"):
            read(wrong, find)


def test_wrong_record_names_line_and_expectation(find: Finder, subtests: pytest.Subtests) -> None:
    for old, new, line, said in [
        ("nousu record 1", "nousu record 2", 1, "expected 'nousu record 1', found 'nousu record 2'"),
        (TEXT, "", 1, "expected 'nousu record 1', found ''"),
        ("game last_trick", "play last_trick", 2, "expected 'game …'"),
        ("game last_trick", "game tarot", 2, "there is no preset ‘tarot’"),
        ("cards=2", "cards=9", 2, "cards=9 is not allowed"),
        ("cards=2", "cards", 2, "write an option as name=value"),
        ("seats 2 Aino", "seats two Aino", 3, "expected 'seats 4', found 'seats two"),
        ("seats 2 Aino | Eero", "seats 2 Aino", 3, "1 names for 2 seats"),
        ("seats 2 Aino | Eero", "seats 7", 3, "for 2 to 6 players, not 7"),
        ("seats 2 Aino | Eero", "seats ²", 3, "expected 'seats 4', found 'seats ²'"),
        ("seats 2 Aino | Eero", "seats " + "9" * 5000, 3, "expected 'seats 4', found 'seats 9{50,60}…'"),
        ("cards=2", "cards=2+cards=2", 2, "cards is given twice"),
        ("P2 play SK", "P2 play " + "S" * 5000, 10, "‘S{50,60}…’ is not a card"),
        ("dealer P1", "dealer", 4, "expected 'dealer …'"),
        ("dealer P1", "dealer P3", 4, "‘P3’ is not a seat; the seats are P1 P2"),
        ("hand 1", "hand 2", 6, "expected 'hand 1', found 'hand 2'"),
        ("hand 1\n", "", 6, "expected 'hand 1', found 'deal"),
        ("P1 pass\n", "hand 2\n", 9, "expected an action of hand 1, found 'hand 2'"),
        ("P1 pass\n", "score 0 0\n", 9, "expected an action of hand 1, found 'score 0 0'"),
        ("score 0 1\n", "", 13, "expected 'score 0 1', found 'hand 2'"),
        ("score 0 1", "score 1 0", 12, "the score is 0 1, not 1 0"),
        ("score 0 1", "P1 pass", 12, "expected 'score 0 1', found 'P1 pass'"),
        (
            "H2; P2 play HA\nscore 0 1",
            "H2; P2 play HA; P1 pass\nscore 0 1",
            11,
            "the hand was over before 'P1 pass'",
        ),
        ("score 0 3", "score 0 3\nhand 3", 21, "the match is over, found 'hand 3'"),
        ("P1 pass", "P1 hop!", 9, "‘hop!’ is not an action"),
        ("P1 pass", "P3 pass", 9, "‘P3’ is not a seat"),
        ("P1 pass", "P1", 9, "is not an action"),
        ("P2 play SK", "P2 play S1O", 10, "did you mean S10"),
        ("P2 play SK", "P2 play S2", 10, "'P2 play S2': LT-3: .*; legal: play SK, play HA"),
        ("P1 pass", "P2 pass", 9, "'P2 pass': LT-2"),
        ("P2 S:K H:A", "P2 S:A H:A", 7, "SA is dealt twice"),
        ("P2 S:K H:A", "P2 S:K", 7, "the hands must hold these numbers of cards: 2 2"),
        ("P2 S:K H:A", "P3 S:K H:A", 7, "‘P3’ is not a seat"),
        ("P2 S:K H:A", "P2 S:KK", 7, "names a card twice"),
        ("P2 S:K H:A", "P2 SK HA", 7, "a suit is written S:AQ84"),
    ]:
        with subtests.test(old=old, new=new, line=line, said=said):
            assert old in TEXT
            with pytest.raises(BadRecord, match=f"line {line}: .*{said}") as result:
                read(TEXT.replace(old, new, 1), find)
            assert result.value.line == line


def test_byte_order_mark_is_no_part_of_a_record(find: Finder) -> None:
    assert read("\ufeff" + TEXT, find) == read(TEXT, find)


def test_lines_may_end_as_on_any_system(find: Finder) -> None:
    for end in ("\r\n", "\r"):
        assert read(TEXT.replace("\n", end), find) == read(TEXT, find)


def test_ten_million_empty_lines_take_no_memory(find: Finder) -> None:
    text = TEXT + "\n" * 10_000_000 + "hand 3\n"
    tracemalloc.start()
    with pytest.raises(BadRecord, match="the match is over, found 'hand 3'") as result:
        read(text, find)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.value.line == 10_000_021
    assert most < 2**20


def test_record_names_a_preset_that_takes_its_players() -> None:
    """The nearest preset to these rules needs three players: with two the next one is named."""
    game, rules = nousu_find("toepen")
    for preset in (None, "toepen"):
        text = write(Record(Match.start(game, rules, 2), preset=preset))
        assert "\ngame toepen" not in text
        assert read(text, nousu_find).match.rules == rules


def test_preset_is_not_replayed_with_fewer_players_than_it_needs() -> None:
    with pytest.raises(BadRecord, match="line 3: toepen is for 3 to 8 players, not 2"):
        read("nousu record 1\ngame toepen+start_points=1\nseats 2\ndealer P1\n", nousu_find)


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_record_is_read_or_told_never_worse(last_trick: Game, data: st.DataObject) -> None:
    """Any one line replaced, dropped, doubled or cut: the answer is a record or a `BadRecord`."""
    game = last_trick
    lines = TEXT.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.sampled_from(lines))
    cut = data.draw(st.integers(0, len(lines[at])))
    junk = data.draw(st.text(max_size=8))
    how = data.draw(st.sampled_from(["replace", "drop", "double", "cut", "junk"]))
    changed = {
        "replace": [other],
        "drop": [],
        "double": [lines[at]] * 2,
        "cut": [lines[at][:cut]],
        "junk": [lines[at][:cut] + junk + lines[at][cut:]],
    }[how]
    text = "\n".join([*lines[:at], *changed, *lines[at + 1 :]])
    try:
        record = read(text, lambda name: (game, game.rules_named(name)))
    except BadRecord as error:
        assert 1 <= error.line <= text.count("\n") + 2
    else:
        assert read(write(record), lambda name: (game, game.rules_named(name))).match == record.match


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6), steps=st.integers(0, 60))
@settings(max_examples=50)
def test_any_match_round_trips_at_any_moment(last_trick: Game, seed: int, seats: int, steps: int) -> None:
    game = last_trick
    played = random_match(game, game.presets["last_trick"], seats, Random(seed))
    *_, (match, _) = islice(played, steps + 1)
    text = write(Record(match))
    again = read(text, lambda name: (game, game.rules_named(name)))
    assert again.match == match
    assert write(again) == text


def test_entries_have_a_text_of_their_own() -> None:
    for entry in ((0, Call("pass")), (3, Play(parse_card("S10")))):
        assert parse_entry(entry_text(entry, 4), 4) == entry
    assert parse_entry(DEAL, 2)[0] == CHANCE


def test_lines_of_a_hand_follow_its_course(find: Finder) -> None:
    hand = read(TEXT, find).match.played[0].hand
    assert list(hand_lines(hand)) == TEXT.splitlines()[6:11]
