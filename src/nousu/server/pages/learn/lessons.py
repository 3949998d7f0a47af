"""The pages of lessons: the table as the learner sees it, every choice a link, an answer to each choice.

A choice is a plain address (``/learn/tuppi/2?act=play+CA``), so pages work without script. The server stores
nothing; the browser remembers finished lessons.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action, single
from nousu.engine.cards import Card, Strength
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.i18n import corner
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice, suit_words
from nousu.server.pages.table.cards import Face, face, hand_layout
from nousu.server.pages.table.common import card_group_actions, other_actions
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.teaching.lessons import Course, Lesson, answer, course, courses

QUICK = 4
"""The number of calls with buttons of their own if the others are a list."""

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
    return visit.page("lesson.html", {"show": shown, "rules_link": f"/rules/{chosen.rules}"})


@dataclass(frozen=True, slots=True)
class SceneChoice:
    """A card of the learner's hand, or a call, with its action."""

    act: str
    face: Face | None
    label: str


@dataclass(frozen=True, slots=True)
class SceneSeat:
    """A seat at the table: name, and card in the trick."""

    place: str
    """s, w, n or e, as the learner sees it."""
    name: str
    face: Face | None


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards to choose together."""

    act: str
    """The text of the action with ``{}`` for the cards."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A table from one seat, as lessons and problems show it."""

    chairs: tuple[SceneSeat, ...]
    played: bool
    """Whether a card lies on the table."""
    cards: tuple[SceneChoice, ...]
    words: tuple[SceneChoice, ...]
    more: tuple[SceneChoice, ...]
    """Calls that are a list: the higher bids."""
    several: CardGroup | None
    heard: tuple[str, ...]
    """The calls so far in sentences."""
    state: tuple[str, ...]
    """Sentences of the family: points, stake, open cards, contract, trumps."""
    gone: tuple[tuple[str, str, tuple[str, ...]], ...]
    """The cards of finished tricks by suit: symbol, name, corners from the highest down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A choice of the learner with the answer."""

    said: str = ""
    """The answer in words; empty before the first choice."""
    good: bool = False
    """True if the choice was right."""
    clause: str = ""
    """The clause that forbids the choice."""
    hand: Hand
    """The hand after the choice if it was right, else before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """The values of a lesson's page."""

    number: int
    count: int
    id: str
    course: str
    course_title: str
    title: str
    task: str
    tried: Attempt
    rules: str
    scene: Scene


def _card_action(view: View, card: Card) -> Action:
    """The action of a card at this moment: a bid, a discard, or a card to the trick."""
    shape = next((action for action in view.legal if single(action) is not None), None)
    match shape:
        case Seal():
            return Seal(card)
        case Give(_, to):
            return Give((card,), to)
    return Play(card)


def scene(view: View, names: Sequence[str], sides: int, reader: Reader, *, done: bool) -> Scene:
    """The table of a view with every choice as an action.

    Args:
        view: The learner's view.
        names: The players by seat.
        sides: 2 where partners play together, else 0.
        reader: The language.
        done: No choice is left.
    """
    seat = view.seat or 0
    who, voice = SeatNames(tuple(names), seat, sides), Voice(tuple(names), sides, seat, reader.say)
    plays = dict(view.trick or (view.tricks[-1].plays if done and view.tricks else ()))
    groups = {} if done else card_group_actions(view.legal)
    whole = {text for text, (count, _) in groups.items() if count == len(view.cards)}
    chosen = next((CardGroup(text, count) for text, (count, _) in groups.items() if text not in whole), None)
    listed = (
        []
        if done
        else [action for action in other_actions(view.legal, view.cards) if isinstance(action, Call)]
    )
    spoken = [SceneChoice(str(call), None, voice.choice(call)) for call in listed]
    if not done:
        spoken += [
            SceneChoice(str(action), None, voice.choice(action))
            for action in view.legal
            if isinstance(action, Give | Show) and len(action.cards) == len(view.cards) > 1
        ]
    spoken.sort(key=lambda choice: choice.act != "pass")
    quick = len(spoken) if len(spoken) <= QUICK + 2 else QUICK
    notes = hand_notes(view.game)
    strength = notes.strength_of(view)
    return Scene(
        chairs=tuple(
            SceneSeat(who.place(place), names[place], face(plays[place], reader) if place in plays else None)
            for place in range(len(names))
        ),
        played=bool(plays),
        cards=tuple(
            SceneChoice(
                "" if done or chosen else str(_card_action(view, spot.card)), face(spot.card, reader), ""
            )
            for spot in hand_layout(view.cards, view.cards, strength)
        ),
        words=tuple(spoken[:quick]),
        more=tuple(spoken[quick:]),
        several=chosen,
        heard=tuple(
            _action_words(voice, by, action, seat)
            for by, action in view.heard
            if by not in (CHANCE, seat) and isinstance(action, Call | Show | Give)
        ),
        state=notes.state_words(view, voice),
        gone=_played_cards(view, strength, reader),
    )


def _played_cards(
    view: View, strength: Strength, reader: Reader
) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    played = sorted(
        (card for trick in view.tricks for _, card in trick.plays), key=lambda card: -strength[card.rank]
    )
    suits = ((suit, [card for card in played if card.suit == suit]) for suit in range(4))
    return tuple(
        (
            "shdc"[suit],
            suit_words(suit, reader.say),
            tuple(corner(card.letter, reader.language) for card in cards),
        )
        for suit, cards in suits
        if cards
    )


def _action_words(voice: Voice, by: Seat, action: Action, seat: Seat) -> str:
    match action:
        case Give(cards, to) if to == seat:
            return voice.say("{name} gives you {cards}.", name=voice.name(by), cards=voice.cards(cards))
    return voice.sentence((by, action))


def attempt(
    act: str,
    hand: Hand,
    voice: Voice,
    judged: Callable[[Action], Attempt],
    refusal: Callable[[Action], Note | None] = lambda action: None,
) -> Attempt:
    """Judge an action.

    Args:
        act: The action as text of records.
        hand: The hand before it.
        voice: The voice that tells a refusal.
        judged: Judges a legal action.
        refusal: A note to tell instead of the rule that forbids the action.
    """
    try:
        action = parse_action(act)
        try:
            return judged(action)
        except IllegalAction as illegal:
            note = refusal(action) or illegal.note
            return Attempt(said=voice.note(note), clause=illegal.clause, hand=hand)
    except ValueError:
        return Attempt(said=voice.note(Note("", "This is not an action of this game.")), hand=hand)


def problem_attempt(
    act: str, hand: Hand, seat: Seat, voice: Voice, right: Callable[[Action], bool]
) -> Attempt:
    """An attempt at a problem; no action, or ``answer`` for the solution, is none."""

    def judged(action: Action) -> Attempt:
        after = hand.apply(seat, action)
        if right(action):
            return Attempt(said=voice.say("That is best."), good=True, hand=after)
        return Attempt(said=voice.say("Something else is better. Try again."), hand=hand)

    return attempt(act, hand, voice, judged) if act and act != "answer" else Attempt(hand=hand)


def lesson_page(course: Course, number: int, act: str, reader: Reader) -> LessonPage:
    """The page of a lesson, counted from 1, after an action as text of records (empty for none)."""
    say = reader.say
    lesson = course.lessons[number - 1]
    names = tuple(name or say("You") for name in course.names)
    voice = Voice(names, course.game.sides, lesson.seat, say)

    def judged(action: Action) -> Attempt:
        verdict = answer(lesson, action)
        return Attempt(said=say(verdict.text), good=verdict.good, hand=verdict.hand)

    tried = Attempt(hand=lesson.hand)
    if act:
        tried = attempt(act, lesson.hand, voice, judged, partial(_refusal, lesson))
    return LessonPage(
        number=number,
        count=len(course.lessons),
        id=lesson.id,
        course=course.name,
        course_title=say(course.title),
        title=say(lesson.title),
        task=say(lesson.task),
        tried=tried,
        rules=course.rules,
        scene=scene(tried.hand.view(lesson.seat), names, course.game.sides, reader, done=tried.good),
    )


def _refusal(lesson: Lesson, given: Action) -> Note | None:
    """The note for a wrong number of cards, instead of the rule."""
    groups = card_group_actions(lesson.hand.legal(lesson.seat))
    counts = {count for count, _ in groups.values()}
    if isinstance(given, Give) and counts and len(given.cards) not in counts:
        message = sentence("Choose {count} card for your partner", "Choose {count} cards for your partner")
        return Note("", message, {"count": max(counts)})
    return None
