"""The pages of lessons: a real table at one moment, one thing to do, an answer to whatever is tried.

The server stores nothing; the browser remembers finished lessons.
"""

from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Action
from nousu.engine.messages import Note, sentence
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.server.pages.learn.exercise import Attempt, attempt, exercise_response, exercise_table
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.teaching.lessons import Course, answer, course, courses

_NO_LESSON = Note("", "There is no such lesson.")


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/learn", course_list),
        get(server, "/learn/{game}", lesson_list),
        get(server, "/learn/{game}/{number:int}", lesson),
    ]


async def course_list(visit: Visit) -> Response:
    """The page of games that have lessons."""
    say = visit.reader.say
    count = sentence("{count} lesson", "{count} lessons")
    offered = filter(None, map(course, courses()))
    rows = [(item, preset_name(item.rules, say), say(count, count=len(item.lessons))) for item in offered]
    return visit.page("courses.html", {"courses": rows})


async def lesson_list(visit: Visit) -> Response:
    """The lessons of a game."""
    say, chosen = visit.reader.say, course(visit.request.path_params["game"])
    if chosen is None:
        return visit.error(_NO_LESSON, 404)
    values = {
        "title": say(chosen.title),
        "course": chosen.name,
        "rules": chosen.rules,
        "lessons": [{"id": lesson.id, "title": say(lesson.title)} for lesson in chosen.lessons],
        "rules_link": f"/rules/{chosen.rules}",
    }
    return visit.page("learn.html", values)


async def lesson(visit: Visit) -> Response:
    """The page of a lesson, with the answer to an attempt."""
    chosen, number = course(visit.request.path_params["game"]), visit.request.path_params["number"]
    if chosen is None or not 1 <= number <= len(chosen.lessons):
        return visit.error(_NO_LESSON, 404)
    shown = lesson_page(chosen, number, visit.query_action(), visit.reader)
    return exercise_response(visit, "lesson.html", shown, chosen.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """The values of a lesson's page."""

    number: int
    count: int
    id: str
    course: str
    course_title: str
    game: str
    """The name of the game."""
    title: str
    task: str
    aim: str
    """The goal of the learner's side in this hand."""
    tried: Attempt
    rules: str
    table: TableView


def lesson_page(course: Course, number: int, act: str, reader: Reader) -> LessonPage:
    """The page of a lesson, counted from 1, after an action as text of records (empty for none)."""
    say = reader.say
    lesson = course.lessons[number - 1]
    names = tuple(name or say("You") for name in course.names)
    voice = Voice(names, course.game.sides, lesson.seat, say)

    def judged(action: Action) -> Attempt:
        verdict = answer(lesson, action)
        return Attempt(said=say(verdict.text), good=verdict.good, hand=verdict.hand)

    tried = attempt(act, lesson.hand, lesson.seat, voice, judged) if act else Attempt(hand=lesson.hand)
    return LessonPage(
        number=number,
        count=len(course.lessons),
        id=lesson.id,
        course=course.name,
        course_title=say(course.title),
        game=preset_name(course.rules, say),
        title=say(lesson.title),
        task=say(lesson.task),
        aim=say(lesson.aim),
        tried=tried,
        rules=course.rules,
        table=exercise_table(tried.hand.view(lesson.seat), names, course.rules, reader),
    )
