"""The lessons as pages: the table as the learner sees it, every card a button, an answer to what was done.

An answer is a plain address (``/learn/tuppi/2?act=play+CA``): nothing is stored on the server, and a page
works
without script. Which lessons are done is kept by the browser alone.
"""

from dataclasses import dataclass

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.notes import Note
from nousu.engine.seats import CHANCE
from nousu.server.pages.common import others, single
from nousu.server.pages.faces import Face, arranged, face
from nousu.server.pages.names import word
from nousu.words import Translate
from nousu.words.events import Voice
from nousu.words.teach.lessons import Course, Lesson, answer


@dataclass(frozen=True, slots=True)
class Choice:
    """A card of the learner's hand, or a word, with the action it stands for."""

    act: str
    face: Face | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """One lesson as its page shows it."""

    number: int
    count: int
    id: str
    course: str
    course_title: str
    title: str
    task: str
    said: str
    """The answer to what was done; empty before."""
    good: bool
    """The lesson is done."""
    clause: str
    """The clause that forbids what was tried."""
    rules: str
    trick: tuple[tuple[str, Face], ...]
    """Who played what to the trick on the table."""
    cards: tuple[Choice, ...]
    words: tuple[Choice, ...]
    heard: tuple[str, ...]
    """What has been bid and said, in sentences."""


def _of(lesson: Lesson, card: Card) -> Action:
    """What playing a card means at this moment: a bid, a card to lay aside, or a card to the trick."""
    shape = next((one for one in lesson.hand.view(lesson.seat).legal if single(one) is not None), None)
    match shape:
        case Seal():
            return Seal(card)
        case Give(_, to):
            return Give((card,), to)
    return Play(card)


def lesson_page(course: Course, number: int, act: str, say: Translate, lang: str) -> LessonPage:
    """The page of a lesson, counted from 1, after an action written as records do; empty for none yet."""
    lesson = course.lessons[number - 1]
    names = tuple(name or say("You") for name in course.names)
    voice = Voice(names, course.game.sides, lesson.seat, say)
    said, good, clause, hand = "", False, "", lesson.hand
    if act:
        try:
            found = answer(lesson, parse_action(act))
            said, good, hand = say(found.said), found.good, found.hand
        except IllegalAction as illegal:
            said, clause = voice.note(illegal.note), illegal.clause
        except ValueError:
            said = voice.note(Note("", "This is no action of this game."))
    view = hand.view(lesson.seat)
    plays = view.trick or (view.tricks[-1].plays if good and view.tricks else ())
    words = () if good else others(view.legal, view.cards)
    return LessonPage(
        number=number,
        count=len(course.lessons),
        id=lesson.id,
        course=course.name,
        course_title=say(course.title),
        title=say(lesson.title),
        task=say(lesson.task),
        said=said,
        good=good,
        clause=clause,
        rules=course.rules,
        trick=tuple((names[seat], face(card, say, lang)) for seat, card in plays),
        cards=tuple(
            Choice("" if good else str(_of(lesson, spot.card)), face(spot.card, say, lang), "")
            for spot in arranged(view.cards, view.cards)
        ),
        words=tuple(Choice(str(one), None, word(one.word, say)) for one in words if isinstance(one, Call)),
        heard=tuple(
            voice.sentence((seat, action))
            for seat, action in view.heard
            if seat not in (CHANCE, lesson.seat) and isinstance(action, Call | Show)
        ),
    )
