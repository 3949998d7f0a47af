"""The review of a finished hand as a page: the curve, the choices that mattered, and each of them in full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, hypot
from typing import NamedTuple

from nousu.engine.actions import Play
from nousu.engine.cards import ACE_HIGH, SUITS, Card, Strength
from nousu.engine.seats import Seat, clockwise
from nousu.engine.timeline import Story
from nousu.games import part
from nousu.i18n import Translate, signed_amount
from nousu.i18n.names import preset_name
from nousu.i18n.review import ChoiceWords, LayoutWords, hand_words, par_words
from nousu.i18n.sentences import card_words
from nousu.review import HandReview, Judged, Point
from nousu.server.pages.learn.lessons import Chair
from nousu.server.pages.table.cards import Face, face
from nousu.server.pages.table.common import people
from nousu.server.pages.table.seat_names import People
from nousu.server.table.view import Seen

LEFT, RIGHT, TOP, BOTTOM = 48, 551, 24, 160
"""Where the curve stands on its drawing of 570 by 200."""
APART = 34
"""How far dots stand from one another: two choices may belong to one moment."""
INSET = 20
"""Room for a dot between the values at the left and the curve."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A choice on the curve."""

    x: float
    y: float
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The expected result by trick, as lines."""

    way: str
    """Points of the line."""
    wash: str
    """The area between the line and nothing."""
    zero: float
    """How far down zero is drawn."""
    rungs: tuple[tuple[float, str], ...]
    """Values at the left, with their depth."""
    tricks: tuple[tuple[float, int], ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a seat holds at the moment of a choice."""

    place: str
    """s, w, n or e; empty at larger tables."""
    name: str
    us: bool
    suits: tuple[tuple[str, tuple[Face, ...]], ...]
    """Symbol of the suit, and the cards of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice that mattered, with its cards."""

    number: int
    words: ChoiceWords
    face: Face | None
    """The card played or laid."""
    best: Face | None
    """The better one, where it is another card."""
    table: tuple[Face, ...]
    chairs: tuple[Chair, ...]
    """Who sits where with which card on the table; nobody where there are too many for a picture."""
    hands: tuple[Held, ...]
    """What everybody held then; nothing where that may not be said."""
    own: tuple[tuple[Face, str], ...]
    """The own hand then: taken, best or nothing."""
    odds: tuple[LayoutWords, ...]
    line: str
    """How it goes on with all cards seen; empty where that may not be said."""
    at: int
    """The moment of the hand before it, for its replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """The whole page."""

    title: str
    number: int
    index: int
    last: int
    name: str
    """Whose choices."""
    seat: Seat
    me: bool
    """They are the viewer's own."""
    headline: str
    note: str
    """What the curve shows, in a sentence."""
    label: str
    """The same for those who do not see it."""
    curve: Curve | None
    choices: tuple[Choice, ...]
    refined: bool
    deals: int
    """The most deals in which a choice was played out."""
    others: tuple[tuple[Seat, str], ...]
    """Whose choices may be looked at too."""
    chooses: bool
    """There was something to choose; there is not in a hand that was dealt again, nor where one sat out."""
    counted: str
    """How points are counted here, where that does not go without saying."""
    whole: bool
    """All cards of the hand may be spoken of: it may be played on from any choice."""
    par: str
    """What the hand was worth with all cards seen, in words; empty where that may not be said."""


def reviewed(
    seen: Seen,
    story: Story,
    review: HandReview,
    index: int,
    refined: bool,
    say: Translate,
    lang: str,
) -> Reviewed:
    """The page of a review for its viewer; choices that the viewer has not learned of are left out."""
    who = people(seen)
    if review.seat != seen.seat:
        review = _open(review, story)
    words = hand_words(review, who.voice(say), lang, seen.match.rules)
    mattered = review.mattered()
    numbers = {one.step: number for number, one in enumerate(mattered, 1)}
    name = who.name(review.seat)
    result = signed_amount(review.points, lang)
    strength = getattr(part("nousu.server.pages.table", seen.view.game), "STRENGTH", ACE_HIGH)
    view = _At(story, who, strength, say, lang)
    choices = [
        _choice(numbers[one.step], one, text, view) for one, text in zip(mattered, words.choices, strict=True)
    ]
    others = [(seat, who.name(seat)) for seat in story.dealt] if story.whole else []
    return Reviewed(
        title=preset_name(seen.preset, say),
        number=review.number,
        index=index,
        last=len(seen.match.played),
        name=name,
        seat=review.seat,
        me=review.seat == seen.seat,
        headline=words.headline,
        note=say(
            "Points for {name} by trick, on average over the deals that fit what was known. Result {points}.",
            name=name,
            points=result,
        ),
        label=words.curve,
        curve=curve(review.curve, mattered, lang),
        choices=tuple(choices),
        refined=refined,
        deals=max((one.worlds for one in mattered), default=0),
        others=tuple(others),
        chooses=review.choices > 0 and not review.void,
        counted=say(review.counted) if review.counted else "",
        whole=story.whole,
        par="" if review.par is None else par_words(review, who.voice(say), lang),
    )


def _open(review: HandReview, story: Story) -> HandReview:
    """The review without what others laid face down and never turned up."""
    steps = {one.step for one in review.judged} | {one.step for one in review.curve}
    hidden = {step for step in steps if step < len(story.log) and not story.public(step)}
    judged = tuple(one for one in review.judged if one.step not in hidden)
    return replace(review, judged=judged, curve=tuple(one for one in review.curve if one.step not in hidden))


class _At(NamedTuple):
    """What is needed to draw a moment of the hand."""

    story: Story
    who: People
    strength: Strength
    say: Translate
    lang: str

    def chairs(self, judged: Judged) -> tuple[Chair, ...]:
        """The table as the choice found it."""
        seats, lying = range(len(self.who.names)), dict(judged.table)
        if len(seats) > 4:
            return ()
        return tuple(
            Chair(
                self.who.place(seat),
                self.who.name(seat),
                face(lying[seat], self.say, self.lang) if seat in lying else None,
            )
            for seat in seats
        )

    def hands(self, at: int) -> tuple[Held, ...]:
        """Everybody's cards at that moment."""
        if not self.story.whole:
            return ()
        around = clockwise(self.who.seat or 0, len(self.who.names))
        return tuple(self._held(seat, at) for seat in around if seat in self.story.dealt)

    def _held(self, seat: Seat, at: int) -> Held:
        cards = [one.card for one in self.story.held if one.seat == seat and one.since <= at < one.until]
        cards.sort(key=lambda card: -self.strength[card.rank])
        return Held(
            place=self.who.place(seat) if len(self.who.names) <= 4 else "",
            name=self.who.name(seat),
            us=self.who.ours(seat),
            suits=tuple(
                (
                    SUITS[suit].lower(),
                    tuple(face(card, self.say, self.lang) for card in cards if card.suit == suit),
                )
                for suit in range(4)
            ),
        )


def _choice(number: int, judged: Judged, text: ChoiceWords, view: _At) -> Choice:
    say, lang = view.say, view.lang

    def drawn(card: Card | None) -> Face | None:
        return None if card is None else face(card, say, lang)

    taken = judged.action.card if isinstance(judged.action, Play) else None
    best = judged.best.card if isinstance(judged.best, Play) else None
    own = tuple(
        (face(card, say, lang), "best" if card == best != taken else "taken" if card == taken else "")
        for card in judged.cards
    )
    line = ", ".join(card_words(card, say) for card in judged.line[:8])
    return Choice(
        number=number,
        words=text,
        face=drawn(text.card),
        best=drawn(text.best_card),
        table=tuple(face(card, say, lang) for card in text.table),
        chairs=view.chairs(judged),
        hands=view.hands(judged.step),
        own=own,
        odds=text.odds,
        line=line,
        at=judged.step,
    )


def curve(
    points: Sequence[Point], mattered: Sequence[Judged], lang: str, *, chances: bool = False
) -> Curve | None:
    """The curve as lines; nothing where there is not enough of it. The values are points, or `chances` in
    percent: these are drawn from 0 to 100 and written without a sign."""
    if len(points) < 2:
        return None
    values: list[float] = [*(point.value for point in points), *([100.0] if chances else [])]
    step = _step(max(0.0, *values) - min(0.0, *values))
    high, low = ceil(max(0.0, *values) / step) * step, floor(min(0.0, *values) / step) * step
    tricks = max(1, *(point.trick for point in points))

    def x(trick: int) -> float:
        return round(LEFT + INSET + (RIGHT - LEFT - INSET) * trick / tricks, 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (value - low) / ((high - low) or 1), 1)

    way = " ".join(f"{x(point.trick)},{y(point.value)}" for point in points)
    zero = y(0.0)
    at = {point.step: point for point in points}
    dots: list[Dot] = []
    for number, one in enumerate(mattered, 1):
        near = at.get(one.step) or min(points, key=lambda point: abs(point.step - one.step))
        across, down = x(near.trick), y(near.value)
        aside = APART if across < (LEFT + RIGHT) / 2 else -APART
        while any(hypot(dot.x - across, dot.y - down) < APART for dot in dots):
            across += aside
        dots.append(Dot(across, down, number))
    rungs, value = [], low
    while value <= high + step / 2:
        rungs.append((y(value), f"{value:.0f}" if chances else signed_amount(value, lang)))
        value += step
    marked = range(1, tricks + 1, 2 if tricks > 6 else 1)
    return Curve(
        way=way,
        wash=f"M{x(points[0].trick)},{zero} L{way.replace(' ', ' L')} L{x(points[-1].trick)},{zero}z",
        zero=zero,
        rungs=tuple(rungs),
        tricks=tuple((x(trick), trick) for trick in marked),
        dots=tuple(dots),
    )


def _step(spread: float) -> float:
    """A round distance between the values at the left: three to six of them."""
    for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500):
        if spread <= 5 * step:
            return float(step)
    return 1000.0
