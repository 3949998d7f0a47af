"""Deals in Portable Bridge Notation, read and written."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nousu.engine.cards import DECK_52, in_order, parse_hand
from nousu.engine.errors import BadRecord
from nousu.engine.game import Game
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.pbn import (
    Board,
    Skipped,
    deal_text,
    each_board,
    is_pbn,
    parse_deal,
    read_boards,
    write_board,
)


@given(st.permutations(DECK_52), st.integers(0, 13), st.integers(0, 3))
def test_deals_round_trip(pack: list[int], size: int, first: int) -> None:
    hands = tuple(in_order(pack[seat * size : (seat + 1) * size]) for seat in range(4))
    assert parse_deal(deal_text(hands, first)) == (first, hands)


def test_hands_go_clockwise_from_the_first_seat() -> None:
    first, hands = parse_deal("E:AK... .QJ.. ..T9. ...87")
    assert first == 1
    assert hands == tuple(map(parse_hand, ("C:87", "S:AK", "H:QJ", "D:T9")))


def test_hand_may_be_unwritten_and_ten_may_be_written_10() -> None:
    assert parse_deal("n:a.2.. 10.3.. - -").hands == (
        parse_hand("S:A H:2"),
        parse_hand("S:T H:3"),
        (),
        (),
    )


def test_wrong_deal_is_told_in_a_sentence(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("AK.Q.J.T", "begins with its first seat"),
        ("X:- - - -", "begins with its first seat"),
        ("N:A... K... Q...", "here are 3"),
        ("N:A.. K... Q... J...", "N 'A..': a hand has four suits"),
        ("N:A... K... Q... 1...", "'1' is no rank"),
        ("N:A... K... A... J...", "SA is held by N and S"),
        ("N:AA... K... Q... J...", "SA is twice in N"),
        ("N:A... K... QJ... T...", "equally many cards, here they hold N 1, E 1, S 2, W 1"),
    ]:
        reason = said.replace(".", r"\.")
        with subtests.test(text=text), pytest.raises(ValueError, match=reason):
            parse_deal(text)


def test_writing_pbn_needs_four_hands() -> None:
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


def test_file_holds_boards_with_tags_and_lines() -> None:
    one, two = read_boards(FILE)
    assert (one.tags["Board"], one.line, one.deal.first) == ("1", 4, 0)
    assert (two.tags["Event"], two.line) == ("Club evening", 12)
    assert two.deal.hands[2] == parse_hand("H:A")


def test_wrong_board_names_its_line() -> None:
    with pytest.raises(BadRecord, match=r"line 12: .*begins with its first seat") as result:
        read_boards(FILE.replace('"S:', '"T:'))
    assert result.value.line == 12
    with pytest.raises(BadRecord, match=r"line 1: expected a PBN file"):
        read_boards("nothing of the kind")


def test_forgotten_empty_line_loses_no_board() -> None:
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


def test_random_deal_has_all_cards() -> None:
    pack = list(DECK_52)
    Random(4).shuffle(pack)
    hands = [pack[at::4] for at in range(4)]
    assert sorted(card for hand in parse_deal(deal_text(hands)).hands for card in hand) == list(DECK_52)


def test_writing_pbn_skips_unfinished_hands(last_trick: Game) -> None:
    match = Match.start(last_trick, last_trick.presets["last_trick"], 4).deal(Random(1))
    with pytest.raises(ValueError, match="hand 1 is not finished"):
        write_board(match.hand, 1)
    *_, (match, _) = random_match(last_trick, last_trick.presets["last_trick"], 4, Random(1), hands=1)
    with pytest.raises(ValueError, match="hand 7: PBN takes 52 cards dealt to four players"):
        write_board(match.played[0].hand, 7)


DEAL = "N:AK32.QJ4.T98.K52 QJT9.AK5.432.A43 8765.T98.AKQ.QJT 4.7632.J765.9876"
SUITS_NAMED = "N:SAK32.HQJ4.DT98.CK52 SQJT9.HAK5.D432.CA43 S8765.HT98.DAKQ.CQJT s4.h7632.dJ765.c9876"
OTHER = "E:QJT9.AK5.432.A43 8765.T98.AKQ.QJT 4.7632.J765.9876 AK32.QJ4.T98.K52"


def test_files_are_tokens_and_not_lines(subtests: pytest.Subtests) -> None:
    for text, lines in [
        (f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{OTHER}"] ; from the book\n', [2, 5]),
        (f'[Board "1"] [Dealer "N"] [Deal "{DEAL}"]\n\n[Board "2"][Deal "{OTHER}"]\n', [1, 3]),
        (f'[Board "1"]\n{{ earlier:\n[Deal "{OTHER}"]\n\n}}\n[Deal "{DEAL}"]\n', [6]),
        (f'[Board\n"1"]\n[Deal\n"{DEAL}"]\n', [3]),
        (f'[Deal "{DEAL[:18]}\n{DEAL[19:]}"]\n', [1]),
        (f'[Deal"{DEAL}"]', [1]),
        (f'[deal "{DEAL}" ]\r\n\r\n[Deal "#"]\r\n', [1, 3]),
        (f'[Event "a \\"b\\" [c]; {{d"]\n[Deal "{DEAL}"]', [2]),
        (f'% [Deal "{OTHER}"]\n; [Deal "{OTHER}"]\n[Deal "{DEAL}"]', [3]),
        (f'[Event "no end]\n[Deal "{DEAL}"]', [2]),
        (f'[Auction "N"]\n1NT =1= Pass {{ [Deal "{OTHER}"] }} %\n[Deal "{DEAL}"]', [3]),
        (f'{{ begins with a comment }}\n[Deal "{DEAL}"]', [2]),
        (f'% 2.1\n\n[Event ""]\n\n[Board "1"]\n\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{OTHER}"]', [7, 10]),
        (f'[Deal "{DEAL}"]\n\n14\t39\n5S and 6+D  : 22.6\n\n# [Board "9"]\n# [Deal "{OTHER}"]\n', [1]),
        (f'[Event "file P:\\dlr\\"]\n[Board "1"]\n[Deal "{DEAL}"]\n[Contract "?"]', [3]),
        (f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "1"]\n[Deal "#"]\n[Room "Closed"]', [2, 5]),
        (f'[Deal "{DEAL}"]\n[Auction "N"]\n1NT {{\n[it may be.]\n}} Pass\n\n[Deal "{OTHER}"]', [1, 7]),
        (f'[Deal "{SUITS_NAMED}"]', [1]),
    ]:
        with subtests.test(text=text, lines=lines):
            assert is_pbn(text)
            boards = list(each_board(text))
            assert [(type(board), board.line) for board in boards] == [(Board, line) for line in lines]
            assert all(
                sorted(map(len, board.deal.hands)) == [13] * 4 for board in boards if isinstance(board, Board)
            )


def test_skipped_boards_are_named_with_their_line() -> None:
    text = (
        f'[Board "7"]\n[Deal ""]\n\n[Board "8"]\n\n[Board "9"]\n[Deal "{DEAL[:30]}\n\n'
        f'[Deal "{DEAL}"]\n{{ no end'
    )
    seven, eight, broken, whole, comment = each_board(text)
    assert seven == Skipped(2, "board 7 has no deal and is left out")
    assert eight == Skipped(4, "board 8 has no deal and is left out")
    assert isinstance(broken, BadRecord) and str(broken).startswith("line 7: this tag has no text in")
    assert isinstance(whole, BadRecord)
    assert str(whole) == "line 10: the comment that begins here has no closing brace }"
    assert isinstance(comment, Board)
    assert comment.line == 9


def test_dashes_stand_for_voids_and_hands_not_written() -> None:
    void = parse_deal("N:AK.-.QJ.T98 – — -")
    assert list(map(len, void.hands)) == [7, 0, 0, 0]
    assert parse_deal(f"{DEAL} ; a remark") == parse_deal(DEAL)


def test_long_file_of_half_tags_is_read_in_time() -> None:
    before = time.process_time()
    list(each_board('[A "' * 100_000))
    list(each_board('x [A "\n' * 5_000))
    list(each_board("[Deal" + "\n" * 500_000 + "{" * 1000))
    assert time.process_time() - before < 20
