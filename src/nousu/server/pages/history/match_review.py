"""The page of a reviewed match: value, luck and points given away of each hand."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.match import Played
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, decimal, signed_amount
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.i18n.review import (
    costliest_choice,
    costliest_words,
    evening_words,
    luckiest_hand,
    luckiest_words,
)
from nousu.review import CurvePoint, HandReview, no_par_reason, win_curve
from nousu.server.errors import NoSuchTable, NotYours
from nousu.server.live.reviews import ReviewKey, ReviewSubject, review_subject
from nousu.server.pages.history.hand_review import Curve, curve
from nousu.server.pages.table.common import people
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.visit import Visit, get, whole_number
from nousu.server.people import progress
from nousu.server.people.server import Server
from nousu.server.table.record import timeline
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView

ALL = "all"
"""The query for the choices of all seats."""


def routes(server: Server) -> list[Route]:
    """The route of the page."""
    return [get(server, "/t/{id}/review", match_review)]


@dataclass(frozen=True, slots=True)
class HandRow:
    """A row of the table: one hand."""

    index: int
    number: int
    void: bool
    points: str
    """The result for the first of the reviewed seats."""
    par: str
    luck: str
    """The result less the expectation at the deal."""
    given: tuple[str, ...]
    """Points given away, by reviewed seat; empty until the review is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReviewPage:
    """The whole page."""

    title: str
    seat: Seat | None
    """The reviewed seat; None for all."""
    names: tuple[str, ...]
    """The players of the columns."""
    us: str
    """A sentence about the side for which points, par and luck are given."""
    rows: tuple[HandRow, ...]
    totals: tuple[str, ...]
    evening: str
    """The points that one player gave away a hand, beside earlier hands; empty for several players."""
    costliest: str
    costliest_at: str
    """The address of its hand after that of the match."""
    luckiest: str
    luckiest_at: str
    no_par: str
    """The reason why hands have no par; empty if they have one."""
    curve: Curve | None
    """The chance to win the match after each hand."""
    curve_label: str
    """The curve in a sentence."""
    waiting: str
    """A sentence about missing reviews; empty when all are there."""
    others: tuple[tuple[str, str], ...]
    """The seats that may be reviewed: query and name."""


async def match_review(visit: Visit) -> Response:
    """The page of a match's hands, for one seat or, once the match is over, for all."""
    seen = await visit.server.views.view(visit.table_id, visit.session)
    table = (await visit.server.tables.room(visit.table_id)).table
    seats = requested_seats(seen, visit.request.query_params.get("seat", ""))
    wanted = finished_hands(table, visit.session.id, seats)
    await visit.server.limits.hit("review", visit.session.address)
    ready = await visit.server.reviews.ready(wanted, visit.table_id)
    reviews = {(asked.hand, asked.seat): review for asked, review in ready.items()}
    assert table.match is not None, "a hand is finished"
    missing = len(wanted) - len(ready)
    mine = seats == (seen.seat,)
    earlier = (
        await progress.earlier_reviews(visit.server, visit.session, table.id, seen.view.game) if mine else []
    )
    values = {
        "show": match_review_page(seen, table.match.played, seats, reviews, missing, visit.reader, earlier),
        "rules_link": f"/rules/{seen.preset}",
        "id": visit.table_id,
        "day": time.strftime("%Y-%m-%d"),
    }
    return visit.page("match_review.html", values)


def requested_seats(seen: SeatView, text: str) -> tuple[Seat, ...]:
    """The seats of the query: a number, ``all``, or by default the viewer's own.

    Raises:
        NoSuchTable: No hand is over, or there is no such seat.
    """
    everybody = tuple(range(len(seen.names)))
    if not seen.match.played:
        raise NoSuchTable("No hand of this match is over yet.")
    if not text:
        return everybody if seen.seat is None else (seen.seat,)
    if text == ALL:
        return everybody
    if (seat := whole_number(text)) not in everybody:
        raise NoSuchTable("There is no such seat.")
    return (seat,)


def finished_hands(table: Table, session: str, seats: Sequence[Seat]) -> dict[ReviewKey, ReviewSubject]:
    """The finished hands, for their full reviews, by review key.

    Raises:
        NotYours: A seat other than the viewer's, while the match goes on.
    """
    subjects = {}
    own = table.seats.seat_of(session)
    for index in range(1, len(table.finished_hands) + 1):
        whole = timeline(table, session, index).whole
        for seat in seats:
            if seat != own and not (whole and table.over):
                raise NotYours("Everybody’s choices are shown once the match is over.")
            key = ReviewKey(table.id, index, seat, whole, True)
            subjects[key] = review_subject(table, index, seat)
    return subjects


def match_review_page(
    seen: SeatView,
    played: Sequence[Played],
    seats: Sequence[Seat],
    reviews: Mapping[tuple[int, Seat], HandReview],
    missing: int,
    reader: Reader,
    earlier: Sequence[HandReview] = (),
) -> MatchReviewPage:
    """The page of a match.

    Args:
        seen: The table as the viewer may see it.
        played: The finished hands.
        seats: The reviewed seats.
        reviews: The reviews that are there, by hand (from 1) and seat.
        missing: The number of reviews that are still computed.
        reader: The language.
        earlier: Reviews of the viewer's hands at other tables.
    """
    who = people(seen)
    voice, rules = who.voice(reader), seen.match.rules
    rows = tuple(_row(index, hand, seats, reviews, reader.language) for index, hand in enumerate(played, 1))
    indices = {id(review): index for (index, _), review in reviews.items()}
    costliest, lucky = costliest_choice(reviews.values()), luckiest_hand(reviews.values())
    chances = [100 * chance for chance in win_curve(played, seats[0])]
    parless = no_par_reason(seen.view.game)
    return MatchReviewPage(
        title=preset_name(seen.preset, reader.say),
        seat=seats[0] if len(seats) == 1 else None,
        names=tuple(who.name(seat) for seat in seats),
        us=_perspective(who, seats, reader, parless is None),
        rows=rows,
        totals=tuple(
            _total([review for (_, at), review in reviews.items() if at == seat], reader.language)
            for seat in seats
        ),
        evening=""
        if len(seats) > 1 or missing
        else evening_words(tuple(reviews.values()), earlier, voice, reader.language),
        costliest="" if costliest is None else costliest_words(*costliest, voice, reader.language, rules),
        costliest_at=""
        if costliest is None
        else f"{indices[id(costliest[0])]}?seat={costliest[0].seat}#choice-{costliest[1].step}",
        luckiest="" if lucky is None or lucky[1] <= 0 else luckiest_words(*lucky, voice, reader.language),
        luckiest_at="" if lucky is None else f"{indices[id(lucky[0])]}?seat={lucky[0].seat}",
        no_par="" if parless is None else voice.note(parless),
        curve=curve(
            [CurvePoint(at, chance, at) for at, chance in enumerate(chances)],
            (),
            reader.language,
            chances=True,
        ),
        curve_label=reader.say(
            "Chance of {name} to win the match, in percent, at the start and after each hand: {numbers}.",
            name=who.name(seats[0]),
            numbers=", ".join(f"{chance:.0f}" for chance in chances),
        )
        if chances
        else "",
        waiting=waiting_words(missing, reader.say),
        others=_others(seen, who, reader),
    )


def waiting_words(missing: int, say: Translate) -> str:
    """A sentence about reviews that are still made; empty if all are there."""
    text = sentence("{count} review is being worked out.", "{count} reviews are being worked out.")
    return say(text, count=missing) if missing else ""


def _total(reviews: Sequence[HandReview], lang: str) -> str:
    """The points given away in these reviews together; empty if there are none."""
    return decimal(sum(review.given_away for review in reviews), lang, signed=False) if reviews else ""


def _perspective(who: SeatNames, seats: Sequence[Seat], reader: Reader, par: bool) -> str:
    text = sentence("Points, par and luck are those of {name}.")
    return reader.say(
        text if par else sentence("Points and luck are those of {name}."), name=who.name(seats[0])
    )


def _others(seen: SeatView, who: SeatNames, reader: Reader) -> tuple[tuple[str, str], ...]:
    if not seen.over:
        return ()
    return (*((str(seat), who.name(seat)) for seat in range(len(seen.names))), (ALL, reader.say("Everybody")))


def _row(
    index: int,
    played: Played,
    seats: Sequence[Seat],
    reviews: Mapping[tuple[int, Seat], HandReview],
    lang: str,
) -> HandRow:
    cells = [reviews.get((index, seat)) for seat in seats]
    first = cells[0]
    luck = "" if first is None or not first.curve else decimal(first.points - first.curve[0].value, lang)
    return HandRow(
        index=index,
        number=played.hand.setup.number,
        void=played.result.void,
        points="" if first is None else signed_amount(first.points, lang),
        par="" if first is None or first.par is None else signed_amount(first.par, lang),
        luck=luck,
        given=tuple(
            "" if review is None else decimal(review.given_away, lang, signed=False) for review in cells
        ),
    )
