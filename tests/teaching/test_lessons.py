"""Lessons: right and wrong answers of each, and refusals by the rules."""

import pytest

from nousu.engine.actions import parse_action
from nousu.engine.errors import IllegalAction
from nousu.teaching.lessons import answer, course, courses, texts

LESSONS = [lesson for name in courses() if (found := course(name)) for lesson in found.lessons]


def test_lesson_praises_and_plays_every_right_action() -> None:
    for lesson in LESSONS:
        legal = {str(action) for action in lesson.hand.legal(lesson.seat)}
        assert lesson.right and set(lesson.right) < legal
        for act in lesson.right:
            found = answer(lesson, parse_action(act))
            assert found.good and found.text == lesson.praise
            assert found.hand.log[-1][0] == lesson.seat and len(found.hand.log) == len(lesson.hand.log) + 1


def test_lesson_answers_every_other_action_and_changes_nothing() -> None:
    for lesson in LESSONS:
        others = [action for action in lesson.hand.legal(lesson.seat) if str(action) not in lesson.right]
        assert others and set(lesson.wrong) - {"else"} <= {str(action) for action in others}
        for action in others:
            found = answer(lesson, action)
            assert not found.good and found.hand is lesson.hand
            assert found.text == lesson.wrong.get(str(action), lesson.wrong["else"])


def test_lesson_refuses_an_illegal_action_by_its_clause() -> None:
    found = course("tuppi")
    assert found is not None
    lesson = next(lesson for lesson in found.lessons if lesson.id == "follow")
    with pytest.raises(IllegalAction) as refused:
        answer(lesson, parse_action("play DA"))
    assert refused.value.clause == "T-CAT-33"


def test_lessons_are_six_to_eight_a_course() -> None:
    for name in courses():
        found = course(name)
        assert found is not None and 6 <= len(found.lessons) <= 8
        assert len({lesson.id for lesson in found.lessons}) == len(found.lessons)
    assert all(text and file.endswith(".toml") for text, file in texts())
    assert course("bridge") is None
