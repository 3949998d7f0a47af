"""Questions: who has to answer, and what others see of the answers."""

from itertools import permutations

from nousu.engine.actions import Call, Seal
from nousu.engine.cards import HIDDEN, parse_card
from nousu.engine.question import Question

YES, NO = Call("yes"), Call("no")


def test_question_in_turn_is_owed_by_one_seat_after_another() -> None:
    question = Question("along", (2, 3, 0), by=1)
    assert question.owed() == (2,)
    question = question.answer(2, YES)
    assert question.owed() == (3,)
    assert question.answer(3, NO).answer(0, YES).owed() == ()
    assert question.by == 1


def test_question_at_once_is_owed_by_all_without_an_answer() -> None:
    question = Question("bid", (0, 1, 2, 3), at_once=True)
    assert question.owed() == (0, 1, 2, 3)
    assert question.answer(2, YES).owed() == (0, 1, 3)


def test_order_of_arrival_leaves_no_trace() -> None:
    bids = {seat: Seal(parse_card(text)) for seat, text in enumerate(("H3", "S4", "D5", "C6"))}
    questions = set()
    for order in permutations(bids):
        question = Question("bid", (1, 2, 3, 0), at_once=True)
        for seat in order:
            question = question.answer(seat, bids[seat])
        questions.add(question)
    assert len(questions) == 1


def test_sealed_answers_are_seen_by_their_owner_only() -> None:
    bid = Seal(parse_card("H3"))
    question = Question("bid", (0, 1), at_once=True).answer(0, bid)
    assert question.seen_by(0).answers == ((0, bid),)
    assert question.seen_by(1).answers == question.seen_by(None).answers == ((0, Seal(HIDDEN)),)
