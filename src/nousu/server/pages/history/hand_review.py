"""The page of a reviewed hand: the curve, and the choices that mattered in full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, hypot
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Play
from nousu.engine.cards import Card, Strength
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, clockwise
from nousu.engine.timeline import Story
from nousu.i18n import signed_amount
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.i18n.review import ChoiceWords, LayoutWords, hand_words, par_words
from nousu.i18n.sentences import card_words
from nousu.review import CurvePoint, HandReview, JudgedChoice
from nousu.server.live.reviews import ReviewKey, check_key, review_subject
from nousu.server.pages.table.cards import Face, face, suit_symbol
from nousu.server.pages.table.common import people
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.server.table.view import SeatView

LEFT, RIGHT, TOP, BOTTOM = 48, 551, 24, 160
"""The edges of the curve in its drawing of 570 by 200."""
APART = 34
"""The least distance of dots: two choices may belong to one moment."""
INSET = 20
"""The room for a dot between the values at the left and the curve."""

_NOTHING = sentence("Nothing better was found in any choice.")
_NOTHING_COSTLY = sentence("No single choice cost much.")


def routes(server: Server) -> list[Route]:
    """The route of the page."""
    return [get(server, "/t/{id}/review/{index}", hand_review)]


async def hand_review(visit: Visit) -> Response:
    """The review of a finished hand for one seat: a first answer, or the full one."""
    table_id, index, server = visit.table_id, visit.hand_index, visit.server
    seen, _, story = await server.views.timeline(table_id, visit.session, index)
    key = check_key(ReviewKey(table_id, index, visit.query_number("seat"), False, True), seen, story)
    if not await server.reviews.is_ready(key):
        key = key._replace(full="full" in visit.request.query_params)
        await server.limits.hit("review", visit.session.address)
    table = (await server.tables.room(table_id)).table
    subject = review_subject(table, index, key.seat)
    review = await server.reviews.get(key, subject)
    again = key.full and subject.session == visit.session.id  # the full review is on their list
    values = {
        "show": hand_review_page(seen, story, review, index, key.full, visit.reader, again),
        "rules_link": f"/rules/{seen.preset}",
        "id": table_id,
    }
    return visit.page("hand_review.html", values)


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
    """The area between the line and zero."""
    zero: float
    """The depth of zero."""
    rungs: tuple[tuple[float, str], ...]
    """Depth and text of the values at the left."""
    tricks: tuple[tuple[float, int], ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a small table: name, and card in the trick."""

    place: str
    """s, w, n or e, as the reader sees it."""
    name: str
    face: Face | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCards:
    """The cards of a seat at the moment of a choice."""

    place: str
    """s, w, n or e; empty at larger tables."""
    name: str
    us: bool
    suits: tuple[tuple[str, tuple[Face, ...]], ...]
    """Symbol of the suit, and the cards of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedChoice:
    """A choice that mattered, with its cards."""

    number: int
    words: ChoiceWords
    face: Face | None
    """The card played or laid."""
    best: Face | None
    """The better card, if it is another one."""
    table: tuple[Face, ...]
    chairs: tuple[Chair, ...]
    """The seats with their cards on the table; empty if there are too many for a picture."""
    hands: tuple[SeatCards, ...]
    """The cards of all seats at that moment; empty while they are secret."""
    own: tuple[tuple[Face, str], ...]
    """The own hand at that moment; cards are marked taken or best, or have no mark."""
    odds: tuple[LayoutWords, ...]
    line: str
    """The best continuation with all cards seen; empty while they are secret."""
    at: int
    """The moment before the choice, for the replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReviewPage:
    """The whole page."""

    title: str
    number: int
    index: int
    last: int
    name: str
    """The player whose choices are reviewed."""
    seat: Seat
    me: bool
    """True if the viewer is that player."""
    headline: str
    note: str
    """A sentence about the meaning of the curve."""
    label: str
    """The curve in words, for screen readers."""
    curve: Curve | None
    choices: tuple[ReviewedChoice, ...]
    """The choices, the costliest first."""
    praised: tuple[ReviewedChoice, ...]
    again: bool
    """True if the viewer may solve the moments of the mistakes again."""
    nothing: str
    """The sentence in place of choices where there are none."""
    refined: bool
    deals: int
    """The largest number of deals in which a choice was played out."""
    others: tuple[tuple[Seat, str], ...]
    """The other players whose choices may be shown: seat and name."""
    chooses: bool
    """True if there was something to choose: the hand was neither void nor sat out."""
    counted: str
    """A sentence about how points are counted, if it needs one."""
    whole: bool
    """True if all cards of the hand are public: it may be played on from any choice."""
    par: str
    """The value of the hand with all cards seen, in words; empty while they are secret."""


def hand_review_page(
    seen: SeatView,
    story: Story,
    review: HandReview,
    index: int,
    refined: bool,
    reader: Reader,
    again: bool = False,
) -> HandReviewPage:
    """The page of a review without the choices that are secret from the viewer."""
    who = people(seen)
    if review.seat != seen.seat:
        review = _without_hidden(review, story)
    words = hand_words(review, who.voice(reader), reader.language, seen.match.rules)
    mattered = review.mattered()
    numbers = {judged.step: number for number, judged in enumerate(mattered, 1)}
    name = who.name(review.seat)
    result = signed_amount(review.points, reader.language)
    strength = hand_notes(seen.view.game).STRENGTH
    view = _Moment(story, who, strength, reader)
    choices = [
        _choice(numbers[judged.step], judged, text, view)
        for judged, text in zip(mattered, words.choices, strict=True)
    ]
    praised = [_choice(0, *pair, view) for pair in zip(review.praised, words.praised, strict=True)]
    others = [(seat, who.name(seat)) for seat in story.dealt] if story.whole else []
    return HandReviewPage(
        title=preset_name(seen.preset, reader.say),
        number=review.number,
        index=index,
        last=len(seen.match.played),
        name=name,
        seat=review.seat,
        me=review.seat == seen.seat,
        headline=words.headline,
        note=reader.say(
            "Points for {name} by trick, on average over the deals that fit what was known. Result {points}.",
            name=name,
            points=result,
        ),
        label=words.curve,
        curve=curve(review.curve, mattered, reader.language),
        choices=tuple(choices),
        praised=tuple(praised),
        again=again,
        nothing=reader.say(_NOTHING_COSTLY if review.given_away > 0 else _NOTHING),
        refined=refined,
        deals=max((judged.worlds for judged in mattered), default=0),
        others=tuple(others),
        chooses=review.choices > 0 and not review.void,
        counted=reader.say(review.counted) if review.counted else "",
        whole=story.whole,
        par="" if review.par is None else par_words(review, who.voice(reader), reader.language),
    )


def _without_hidden(review: HandReview, story: Story) -> HandReview:
    """The review without cards that others laid face down and never turned up."""
    steps = {point.step for point in review.judged} | {point.step for point in review.curve}
    hidden = {step for step in steps if step < len(story.log) and not story.public(step)}
    judged = tuple(judgement for judgement in review.judged if judgement.step not in hidden)
    return replace(
        review, judged=judged, curve=tuple(point for point in review.curve if point.step not in hidden)
    )


class _Moment(NamedTuple):
    """The values that show a moment of the hand."""

    story: Story
    who: SeatNames
    strength: Strength
    reader: Reader

    def chairs(self, judged: JudgedChoice) -> tuple[Chair, ...]:
        """The table at the moment of the choice."""
        seats, lying = range(len(self.who.names)), dict(judged.table)
        if len(seats) > 4:
            return ()
        return tuple(
            Chair(
                self.who.place(seat),
                self.who.name(seat),
                face(lying[seat], self.reader) if seat in lying else None,
            )
            for seat in seats
        )

    def hands(self, at: int) -> tuple[SeatCards, ...]:
        """The cards of all seats at that moment; empty while they are secret."""
        if not self.story.whole:
            return ()
        around = clockwise(self.who.seat or 0, len(self.who.names))
        return tuple(self._held(seat, at) for seat in around if seat in self.story.dealt)

    def _held(self, seat: Seat, at: int) -> SeatCards:
        cards = [held.card for held in self.story.held if held.seat == seat and held.since <= at < held.until]
        cards.sort(key=lambda card: -self.strength[card.rank])
        return SeatCards(
            place=self.who.place(seat) if len(self.who.names) <= 4 else "",
            name=self.who.name(seat),
            us=self.who.ours(seat),
            suits=tuple(
                (
                    suit_symbol(suit),
                    tuple(face(card, self.reader) for card in cards if card.suit == suit),
                )
                for suit in range(4)
            ),
        )


def _choice(number: int, judged: JudgedChoice, text: ChoiceWords, view: _Moment) -> ReviewedChoice:
    reader = view.reader

    def drawn(card: Card | None) -> Face | None:
        return None if card is None else face(card, reader)

    taken = judged.action.card if isinstance(judged.action, Play) else None
    best = judged.best.card if isinstance(judged.best, Play) else None
    own = tuple(
        (face(card, reader), "best" if card == best != taken else "taken" if card == taken else "")
        for card in judged.cards
    )
    line = ", ".join(card_words(card, reader.say) for card in judged.line[:8])
    return ReviewedChoice(
        number=number,
        words=text,
        face=drawn(text.card),
        best=drawn(text.best_card),
        table=tuple(face(card, reader) for card in text.table),
        chairs=view.chairs(judged),
        hands=view.hands(judged.step),
        own=own,
        odds=text.odds,
        line=line,
        at=judged.step,
    )


def curve(
    points: Sequence[CurvePoint], mattered: Sequence[JudgedChoice], lang: str, *, chances: bool = False
) -> Curve | None:
    """The curve as lines.

    Args:
        points: The values by trick, in points or percent.
        mattered: The choices that become dots.
        lang: The language of the values.
        chances: The values are percent: drawn from 0 to 100 and written without a sign.

    Returns:
        The curve; None for fewer than two points.
    """
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
    for number, judged in enumerate(mattered, 1):
        near = at.get(judged.step) or min(points, key=lambda point: abs(point.step - judged.step))
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
    """A round distance between the values at the left, for three to six of them."""
    for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500):
        if spread <= 5 * step:
            return float(step)
    return 1000.0
