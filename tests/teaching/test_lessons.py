"""The lessons: every one is played by its right and by a wrong way, and what is forbidden says by which
rule."""

import pytest

from nousu.engine.actions import parse_action
from nousu.engine.errors import IllegalAction
from nousu.teaching.lessons import Lesson, answer, course, courses, texts

LESSONS = [(name, one) for name in courses() for one in getattr(course(name), "lessons", ())]
EACH = pytest.mark.parametrize(("name", "lesson"), LESSONS, ids=[f"{name} {one.id}" for name, one in LESSONS])


@EACH
def test_the_right_way_is_praised_and_played(name: str, lesson: Lesson) -> None:
    legal = {str(action) for action in lesson.hand.legal(lesson.seat)}
    assert lesson.right and set(lesson.right) < legal
    for act in lesson.right:
        found = answer(lesson, parse_action(act))
        assert found.good and found.said == lesson.praise
        assert found.hand.log[-1][0] == lesson.seat and len(found.hand.log) == len(lesson.hand.log) + 1


@EACH
def test_every_other_way_is_answered_and_changes_nothing(name: str, lesson: Lesson) -> None:
    others = [action for action in lesson.hand.legal(lesson.seat) if str(action) not in lesson.right]
    assert others and set(lesson.wrong) - {"else"} <= {str(action) for action in others}
    for action in others:
        found = answer(lesson, action)
        assert not found.good and found.hand is lesson.hand
        assert found.said == lesson.wrong.get(str(action), lesson.wrong["else"])


def test_what_the_rules_forbid_is_refused_by_its_clause() -> None:
    found = course("tuppi")
    assert found is not None
    lesson = next(one for one in found.lessons if one.id == "follow")
    with pytest.raises(IllegalAction) as refused:
        answer(lesson, parse_action("play DA"))
    assert refused.value.clause == "T-CAT-33"


def test_six_to_eight_lessons_a_game_and_a_text_for_each() -> None:
    for name in courses():
        found = course(name)
        assert found is not None and 6 <= len(found.lessons) <= 8
        assert len({one.id for one in found.lessons}) == len(found.lessons)
    assert all(text and file.endswith(".toml") for text, file in texts())
    assert course("bridge") is None
