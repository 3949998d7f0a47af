"""Deals in Portable Bridge Notation, read and written."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.engine.cards import DECK_52, in_order, parse_hand
from nousu.engine.errors import BadRecord
from nousu.engine.game import Game
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.pbn import deal_text, parse_deal, read_boards, write_board


@given(st.permutations(DECK_52), st.integers(0, 13), st.integers(0, 3))
def test_deals_round_trip(pack: list[int], size: int, first: int) -> None:
    hands = tuple(in_order(pack[seat * size : (seat + 1) * size]) for seat in range(4))
    assert parse_deal(deal_text(hands, first)) == (first, hands)


def test_hands_go_clockwise_from_the_first_seat() -> None:
    first, hands = parse_deal("E:AK... .QJ.. ..T9. ...87")
    assert first == 1
    assert hands == tuple(map(parse_hand, ("C:87", "S:AK", "H:QJ", "D:T9")))


def test_a_hand_may_be_unwritten_and_ten_may_be_written_10() -> None:
    assert parse_deal("n:a.2.. 10.3.. - -").hands == (
        parse_hand("S:A H:2"),
        parse_hand("S:T H:3"),
        (),
        (),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AK.Q.J.T", "begins with its first seat"),
        ("X:- - - -", "begins with its first seat"),
        ("N:A... K... Q...", "here are 3"),
        ("N:A.. K... Q... J...", "N 'A..': a hand has four suits"),
        ("N:A... K... Q... 1...", "'1' is no rank"),
        ("N:A... K... A... J...", "SA is held by N and S"),
        ("N:AA... K... Q... J...", "SA is twice in N"),
        ("N:A... K... QJ... T...", "equally many cards, here they hold N 1, E 1, S 2, W 1"),
    ],
)
def test_a_wrong_deal_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
        parse_deal(text)


def test_only_four_hands_are_written() -> None:
    with pytest.raises(ValueError, match="four players, not 3"):
        deal_text(((), (), ()))


FILE = """% PBN 2.1
[Event "Club evening"]
[Board "1"]
[Deal "N:A... K... Q... J..."]
{a remark}
[Play "N"]
SA SK SQ SJ
*

[Event "#"]
[Board "2"]
[Deal "S:.A.. .K.. .Q.. .J.."]
"""


def test_a_file_holds_boards_with_tags_and_lines() -> None:
    one, two = read_boards(FILE)
    assert (one.tags["Board"], one.line, one.deal.first) == ("1", 4, 0)
    assert (two.tags["Event"], two.line) == ("Club evening", 12)
    assert two.deal.hands[2] == parse_hand("H:A")


def test_a_wrong_board_names_its_line() -> None:
    with pytest.raises(BadRecord, match=r"line 12: .*begins with its first seat") as result:
        read_boards(FILE.replace('"S:', '"T:'))
    assert result.value.line == 12
    with pytest.raises(BadRecord, match=r"line 1: expected a PBN file"):
        read_boards("nothing of the kind")


def test_a_forgotten_empty_line_loses_no_board() -> None:
    """A tag that stands twice begins the next board once this one has its deal; a Note may be repeated."""
    deals = [deal_text([hand] * 1 + [[]] * 3) for hand in (parse_hand("S:A"), parse_hand("H:A"))]
    for text in (
        '[Deal "{}"]\n[Deal "{}"]\n',
        '[Board "1"]\n[Deal "{}"]\n[Note "1:x"]\n[Note "2:y"]\n[Board "2"]\n[Deal "{}"]\n',
        '[Event "a"]\n[Event "b"]\n[Deal "{}"]\n% a remark\n[Event "c"]\n[Deal "{}"]\n',
    ):
        boards = read_boards(text.format(*deals))
        assert [board.deal.hands[0] for board in boards] == [parse_hand("S:A"), parse_hand("H:A")]
        assert boards[-1].tags.get("Board", "2") == "2"


def test_a_random_deal_has_all_cards() -> None:
    pack = list(DECK_52)
    Random(4).shuffle(pack)
    hands = [pack[at::4] for at in range(4)]
    assert sorted(card for hand in parse_deal(deal_text(hands)).hands for card in hand) == list(DECK_52)


def test_only_finished_hands_of_four_are_written(last_trick: Game) -> None:
    match = Match.start(last_trick, last_trick.presets["last_trick"], 4).deal(Random(1))
    with pytest.raises(ValueError, match="hand 1 is not finished"):
        write_board(match.hand, 1)
    *_, (match, _) = random_match(last_trick, last_trick.presets["last_trick"], 4, Random(1), hands=1)
    with pytest.raises(ValueError, match="hand 7: PBN takes 52 cards dealt to four players"):
        write_board(match.played[0].hand, 7)
