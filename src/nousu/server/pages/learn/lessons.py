"""The lessons as pages: the table as the learner sees it, every card a button, an answer to what was done.

An answer is a plain address (``/learn/tuppi/2?act=play+CA``): nothing is stored on the server, and a page
works without script. Which lessons are done is kept by the browser alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nousu.engine.actions import Action, Call, Give, Play, Seal, Show, parse_action, single
from nousu.engine.cards import Card, Strength
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Hand, View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.games import part
from nousu.i18n import Translate, corner
from nousu.i18n.sentences import Voice, suit_words
from nousu.server.pages.table.cards import Face, arranged, face
from nousu.server.pages.table.common import others, several
from nousu.server.pages.table.hints import strength_of
from nousu.server.pages.table.seat_names import People
from nousu.teaching.lessons import Course, Lesson, answer

QUICK = 4
"""So many words have buttons of their own; of more than that the later ones are a list."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A card of the learner's hand, or a word, with the action it stands for."""

    act: str
    face: Face | None
    label: str


@dataclass(frozen=True, slots=True)
class Chair:
    """A place at the table: who sits there, and the card played to the trick on the table."""

    place: str
    """s, w, n or e, as the learner sees it."""
    name: str
    face: Face | None


@dataclass(frozen=True, slots=True)
class Several:
    """Cards to be chosen together."""

    act: str
    """The action with ``{}`` for the cards."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A table from one seat, as lessons and problems show it."""

    chairs: tuple[Chair, ...]
    played: bool
    """Whether a card lies on the table."""
    cards: tuple[Choice, ...]
    words: tuple[Choice, ...]
    more: tuple[Choice, ...]
    """Words that are a list: the higher bids."""
    several: Several | None
    heard: tuple[str, ...]
    """What has been bid and said, in sentences."""
    state: tuple[str, ...]
    """What else lies on the table in this game: dice, the stake, open cards, contract and trumps."""
    gone: tuple[tuple[str, str, tuple[str, ...]], ...]
    """The cards of finished tricks by suit: symbol, name, corners from the highest down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What a learner tried, and what is answered."""

    said: str = ""
    """The answer in words; empty before anything was tried."""
    good: bool = False
    """It was right: the lesson is done, the problem solved."""
    clause: str = ""
    """The clause that forbids what was tried."""
    hand: Hand
    """The hand after it; where it was not right, the hand as it stood."""


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
    tried: Attempt
    rules: str
    scene: Scene


def _of(view: View, card: Card) -> Action:
    """What playing a card means at this moment: a bid, a card to lay aside, or a card to the trick."""
    shape = next((one for one in view.legal if single(one) is not None), None)
    match shape:
        case Seal():
            return Seal(card)
        case Give(_, to):
            return Give((card,), to)
    return Play(card)


def scene(view: View, names: Sequence[str], sides: int, say: Translate, lang: str, *, done: bool) -> Scene:
    """The table of a view with every choice as an action; `done`: nothing is asked any more."""
    seat = view.seat or 0
    who, voice = People(tuple(names), seat, sides), Voice(tuple(names), sides, seat, say)
    plays = dict(view.trick or (view.tricks[-1].plays if done and view.tricks else ()))
    groups = {} if done else several(view.legal)
    whole = {text for text, (count, _) in groups.items() if count == len(view.cards)}
    chosen = next((Several(text, count) for text, (count, _) in groups.items() if text not in whole), None)
    listed = [] if done else [one for one in others(view.legal, view.cards) if isinstance(one, Call)]
    spoken = [Choice(str(one), None, voice.choice(one)) for one in listed]
    if not done:
        spoken += [
            Choice(str(one), None, voice.choice(one))
            for one in view.legal
            if isinstance(one, Give | Show) and len(one.cards) == len(view.cards) > 1
        ]
    spoken.sort(key=lambda one: one.act != "pass")
    quick = len(spoken) if len(spoken) <= QUICK + 2 else QUICK
    family = part("nousu.server.pages.table", view.game)
    strength = strength_of(view)
    state_words = getattr(family, "state_words", None)
    return Scene(
        chairs=tuple(
            Chair(who.place(one), names[one], face(plays[one], say, lang) if one in plays else None)
            for one in range(len(names))
        ),
        played=bool(plays),
        cards=tuple(
            Choice("" if done or chosen else str(_of(view, spot.card)), face(spot.card, say, lang), "")
            for spot in arranged(view.cards, view.cards, strength)
        ),
        words=tuple(spoken[:quick]),
        more=tuple(spoken[quick:]),
        several=chosen,
        heard=tuple(
            _action_words(voice, by, action, seat)
            for by, action in view.heard
            if by not in (CHANCE, seat) and isinstance(action, Call | Show | Give)
        ),
        state=() if state_words is None else state_words(view, voice, say),
        gone=_gone(view, strength, say, lang),
    )


def _gone(
    view: View, strength: Strength, say: Translate, lang: str
) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    played = sorted(
        (card for trick in view.tricks for _, card in trick.plays), key=lambda card: -strength[card.rank]
    )
    suits = ((suit, [card for card in played if card.suit == suit]) for suit in range(4))
    return tuple(
        ("shdc"[suit], suit_words(suit, say), tuple(corner(card.letter, lang) for card in cards))
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
    """An action written as records do, judged; a `refusal` is said instead of the rule that forbids it."""
    try:
        action = parse_action(act)
        try:
            return judged(action)
        except IllegalAction as illegal:
            note = refusal(action) or illegal.note
            return Attempt(said=voice.note(note), clause=illegal.clause, hand=hand)
    except ValueError:
        return Attempt(said=voice.note(Note("", "This is not an action of this game.")), hand=hand)


def solved(act: str, hand: Hand, seat: Seat, voice: Voice, right: Callable[[Action], bool]) -> Attempt:
    """What `seat` tries to solve a problem with; nothing, or ``answer`` for its solution, is no attempt."""

    def judged(action: Action) -> Attempt:
        after = hand.apply(seat, action)
        if right(action):
            return Attempt(said=voice.say("That is best."), good=True, hand=after)
        return Attempt(said=voice.say("Something else is better. Try again."), hand=hand)

    return attempt(act, hand, voice, judged) if act and act != "answer" else Attempt(hand=hand)


def lesson_page(course: Course, number: int, act: str, say: Translate, lang: str) -> LessonPage:
    """The page of a lesson, counted from 1, after an action written as records do; empty for none yet."""
    lesson = course.lessons[number - 1]
    names = tuple(name or say("You") for name in course.names)
    voice = Voice(names, course.game.sides, lesson.seat, say)

    def judged(action: Action) -> Attempt:
        found = answer(lesson, action)
        return Attempt(said=say(found.text), good=found.good, hand=found.hand)

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
        scene=scene(tried.hand.view(lesson.seat), names, course.game.sides, say, lang, done=tried.good),
    )


def _refusal(lesson: Lesson, given: Action) -> Note | None:
    """What is said instead of the rule where not the right number of cards was chosen."""
    groups = several(lesson.hand.legal(lesson.seat))
    counts = {count for count, _ in groups.values()}
    if isinstance(given, Give) and counts and len(given.cards) not in counts:
        message = sentence("Choose {count} card for your partner", "Choose {count} cards for your partner")
        return Note("", message, {"count": max(counts)})
    return None
