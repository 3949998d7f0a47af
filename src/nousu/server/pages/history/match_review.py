"""A whole match in review, to read and to print: what each hand was worth and what was given away."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from nousu.engine.match import Played
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, decimal, signed_amount, translator
from nousu.i18n.names import preset_name
from nousu.i18n.review import costliest_choice, costliest_words, luckiest_hand, luckiest_words
from nousu.review import HandReview, Point, course, without_par
from nousu.server.errors import NoSuchTable, NotYours, RequestError
from nousu.server.live.reviews import Asked, Finished, finished
from nousu.server.live.tables import Desk
from nousu.server.pages.history.hand_review import Curve, curve
from nousu.server.pages.site import page, sorry
from nousu.server.pages.table.common import people
from nousu.server.pages.table.seat_names import People
from nousu.server.table.table import Table
from nousu.server.table.view import Seen

ALL = "all"
"""Stands for everybody's choices."""


def routes(desk: Desk) -> list[Route]:
    """The page, asking `desk` for the reviews."""
    return [Route("/t/{id}/review", _Page(desk).evening)]


@dataclass(frozen=True, slots=True)
class Row:
    """One hand."""

    index: int
    number: int
    void: bool
    points: str
    """What came of it, for the first of those whose choices are shown."""
    par: str
    luck: str
    """Points above what the cards promised at first."""
    given: tuple[str, ...]
    """Points given away, by player; empty where the review is not there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The whole page."""

    title: str
    seat: Seat | None
    """Whose choices; None: everybody's."""
    names: tuple[str, ...]
    """Whose points given away stand in the columns."""
    us: str
    """From whose side points, par and luck are told."""
    rows: tuple[Row, ...]
    totals: tuple[str, ...]
    dearest: str
    dearest_at: str
    """The query by which its hand is found."""
    luckiest: str
    luckiest_at: str
    no_par: str
    """Why no hand has a par; empty where they have one."""
    curve: Curve | None
    """The chance to win the match, hand by hand."""
    curve_label: str
    """The same in a sentence."""
    waiting: str
    """How many hands are still looked at; empty when all are there."""
    others: tuple[tuple[str, str], ...]
    """Whose choices may be looked at: value and name."""


class _Page:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def evening(self, request: Request) -> Response:
        """All hands of a match, for one seat or, once the match is over, for all."""
        session = await self.desk.visitor(request)
        say, table_id = translator(session.lang), request.path_params["id"]
        try:
            seen = await self.desk.seen(table_id, session)
            table = (await self.desk.room(table_id)).table
            seats = whose(seen, request.query_params.get("seat", ""))
            wanted = reviewable(table, session.id, seats)
            client = request.client.host if request.client is not None else "unknown"
            await self.desk.limits.hit("review", client)
            found = await self.desk.reviews.all_of(wanted, table_id)
        except RequestError as refusal:
            return sorry(request, session.lang, refusal.note, refusal.status)
        reviews = {(asked.hand, asked.seat): one for asked, one in found.items()}
        assert table.match is not None, "a hand is finished"
        show = evening(seen, table.match.played, seats, reviews, len(wanted) - len(found), say, session.lang)
        values = {
            "show": show,
            "rules_link": f"/rules/{seen.preset}",
            "id": table_id,
            "day": time.strftime("%Y-%m-%d"),
        }
        return HTMLResponse(page(request, "evening.html", session.lang, values))


def whose(seen: Seen, text: str) -> tuple[Seat, ...]:
    """The seats whose choices are asked for: a number, ``all``, or the viewer's own (else everybody's)."""
    everybody = tuple(range(len(seen.names)))
    if not seen.match.played:
        raise NoSuchTable("No hand of this match is over yet.")
    if not text:
        return everybody if seen.seat is None else (seen.seat,)
    if text == ALL:
        return everybody
    if not text.isdecimal() or int(text[:3]) not in everybody:
        raise NoSuchTable("There is no such seat.")
    return (int(text[:3]),)


def reviewable(table: Table, session: str, seats: Sequence[Seat]) -> dict[Asked, Finished]:
    """The full reviews of all finished hands for these seats. `NotYours` where others than the viewer are
    asked for while the match goes on."""
    found = {}
    own = table.seat_of(session)
    for index in range(1, len(table.finished) + 1):
        whole = table.story(session, index).whole
        for seat in seats:
            if seat != own and not (whole and table.over):
                raise NotYours("Everybody’s choices are shown once the match is over.")
            found[Asked(table.id, index, seat, whole, True)] = finished(table, index, seat)
    return found


def evening(
    seen: Seen,
    played: Sequence[Played],
    seats: Sequence[Seat],
    reviews: Mapping[tuple[int, Seat], HandReview],
    missing: int,
    say: Translate,
    lang: str,
) -> Evening:
    """The page of these seats, by the reviews that are there already, by hand (from 1) and seat."""
    who = people(seen)
    voice, rules = who.voice(say), seen.match.rules
    rows = tuple(_row(index, one, seats, reviews, lang) for index, one in enumerate(played, 1))
    indices = {id(one): index for (index, _), one in reviews.items()}
    dear, lucky = costliest_choice(reviews.values()), luckiest_hand(reviews.values())
    chances = [100 * one for one in course(played, seats[0])]
    parless = without_par(seen.view.game)
    more = sentence("{count} review is being worked out.", "{count} reviews are being worked out.")
    return Evening(
        title=preset_name(seen.preset, say),
        seat=seats[0] if len(seats) == 1 else None,
        names=tuple(who.name(seat) for seat in seats),
        us=_us(who, seats, say, parless is None),
        rows=rows,
        totals=tuple(_total([one for (_, at), one in reviews.items() if at == seat], lang) for seat in seats),
        dearest="" if dear is None else costliest_words(*dear, voice, lang, rules),
        dearest_at=""
        if dear is None
        else f"{indices[id(dear[0])]}?seat={dear[0].seat}#choice-{dear[1].step}",
        luckiest="" if lucky is None or lucky[1] <= 0 else luckiest_words(*lucky, voice, lang),
        luckiest_at="" if lucky is None else f"{indices[id(lucky[0])]}?seat={lucky[0].seat}",
        no_par="" if parless is None else voice.note(parless),
        curve=curve([Point(at, one, at) for at, one in enumerate(chances)], (), lang, chances=True),
        curve_label=say(
            "Chance of {name} to win the match, in percent, at the start and after each hand: {numbers}.",
            name=who.name(seats[0]),
            numbers=", ".join(f"{chance:.0f}" for chance in chances),
        )
        if chances
        else "",
        waiting=say(more, count=missing) if missing else "",
        others=_others(seen, who, say),
    )


def _total(reviews: Sequence[HandReview], lang: str) -> str:
    """What these give away together; empty where none is there yet."""
    return decimal(sum(one.given_away for one in reviews), lang, signed=False) if reviews else ""


def _us(who: People, seats: Sequence[Seat], say: Translate, par: bool) -> str:
    text = sentence("Points, par and luck are those of {name}.")
    return say(text if par else sentence("Points and luck are those of {name}."), name=who.name(seats[0]))


def _others(seen: Seen, who: People, say: Translate) -> tuple[tuple[str, str], ...]:
    if not seen.over:
        return ()
    return (*((str(seat), who.name(seat)) for seat in range(len(seen.names))), (ALL, say("Everybody")))


def _row(
    index: int,
    played: Played,
    seats: Sequence[Seat],
    reviews: Mapping[tuple[int, Seat], HandReview],
    lang: str,
) -> Row:
    found = [reviews.get((index, seat)) for seat in seats]
    first = found[0]
    luck = "" if first is None or not first.curve else decimal(first.points - first.curve[0].value, lang)
    return Row(
        index=index,
        number=played.hand.setup.number,
        void=played.result.void,
        points="" if first is None else signed_amount(first.points, lang),
        par="" if first is None or first.par is None else signed_amount(first.par, lang),
        luck=luck,
        given=tuple("" if one is None else decimal(one.given_away, lang, signed=False) for one in found),
    )
