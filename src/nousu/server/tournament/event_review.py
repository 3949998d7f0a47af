"""Reviewed hands of one round or of the whole event, to read and to print.

Only tables played on Nousu have cards; tables in the hall have results alone.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from nousu.i18n.reader import Reader
from nousu.i18n.review import costliest_choice, costliest_words, luckiest_hand, luckiest_words
from nousu.review import HandReview
from nousu.server.errors import NoSuchTable
from nousu.server.live.reviews import ReviewKey, ReviewSubject
from nousu.server.pages.history.match_review import (
    MatchReviewPage,
    finished_hands,
    match_review_page,
    waiting_words,
)
from nousu.server.pages.table.common import people
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import view_of
from nousu.server.tournament import online
from nousu.server.tournament.roles import LINK_HOLDERS
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.model import order
from nousu.tournament.print_language import round_heading


@dataclass(frozen=True, slots=True)
class ReviewedMatch:
    """A finished match of the event with its reviewed hands."""

    title: str
    path: str
    """Address of its own review."""
    hands: MatchReviewPage


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """A round with its reviewed matches."""

    title: str
    sheets: tuple[ReviewedMatch, ...]
    playing: tuple[str, ...]
    """Tables on Nousu that are still playing."""
    hall: tuple[str, ...]
    """Tables with results from the hall, without cards."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A finished match with the values that its page needs."""

    label: str
    title: str
    table: Table
    seen: SeatView


async def event(visit: Visit) -> Response:
    """Show the reviewed hands of all rounds: ``/review``."""
    return await _page(visit, sorted(visit.state.rounds, key=order), "")


async def of_round(visit: Visit) -> Response:
    """Show the reviewed hands of one round: ``/review/1``."""
    label = visit.request.path_params["label"]
    if label not in visit.state.rounds:
        raise NoSuchTable("There is no such round.")
    return await _page(visit, [label], label)


async def _page(visit: Visit, labels: Sequence[str], label: str) -> Response:
    matches, playing = await _matches(visit, labels)
    wanted: dict[ReviewKey, ReviewSubject] = {}
    for match in matches:
        wanted |= finished_hands(match.table, "", range(len(match.table.seats)))
    await visit.limits.hit("review", visit.guest.address)
    reviews = await visit.server.reviews.ready(wanted, f"{visit.hosted.name} {label}")
    return await visit.render(_render, visit, labels, label, matches, playing, wanted, reviews)


def _render(
    visit: Visit,
    labels: Sequence[str],
    label: str,
    matches: Sequence[_Match],
    playing: set[str],
    wanted: Mapping[ReviewKey, ReviewSubject],
    found: Mapping[ReviewKey, HandReview],
) -> Response:
    by_table: dict[str, dict[tuple[int, int], HandReview]] = {match.table.id: {} for match in matches}
    for asked, review in found.items():
        by_table[asked.table][asked.hand, asked.seat] = review
    values = {
        "label": label,
        "title": round_heading(visit.state, label, visit.say) if label else visit.say("The whole event"),
        "stages": [_stage(visit, label, matches, playing, by_table) for label in labels],
        "tops": _tops(visit, matches, by_table, whole=not label),
        "waiting": waiting_words(len(wanted) - len(found), visit.say),
        "rounds": [
            (one, round_heading(visit.state, one, visit.say)) for one in sorted(visit.state.rounds, key=order)
        ],
        "day": time.strftime("%Y-%m-%d"),
    }
    return visit.page("review.html", values)


async def _matches(visit: Visit, labels: Sequence[str]) -> tuple[list[_Match], set[str]]:
    """Finished matches of these rounds, and the tables on Nousu that are still playing."""
    state, say = visit.state, visit.say
    void, matches, playing = state.format.void(state), [], set()
    for label in labels:
        for key in state.rounds[label].names():
            if key not in state.online or label in void:
                continue
            games = await online.games(visit.server, state, key)
            for game in games:
                if game.table is None or not game.over:
                    continue
                title = say("Table {table}", table=key.partition(".")[2])
                if len(games) > 1:
                    title += " · " + say("game {number}", number=game.number)
                seen = view_of(game.table, None, time.monotonic(), visit.lang)
                matches.append(_Match(label, title, game.table, seen))
            if state.is_online(key) and online.current(games) is not None:
                playing.add(key)
    return matches, playing


def _stage(
    visit: Visit,
    label: str,
    matches: Sequence[_Match],
    playing: set[str],
    reviews: Mapping[str, Mapping[tuple[int, int], HandReview]],
) -> ReviewedRound:
    state, say = visit.state, visit.say
    played = state.rounds[label]
    sheets = []
    for one in matches:
        if one.label == label and one.table.match is not None:
            everybody = range(len(one.table.seats))
            hands = match_review_page(
                one.seen, one.table.match.played, everybody, reviews[one.table.id], 0, Reader.of(visit.lang)
            )
            sheets.append(ReviewedMatch(one.title, f"/t/{one.table.id}/review", hands))
    here = {key: key.partition(".")[2] for key in played.names()}
    seated = [key for key, seats in zip(played.names(), played.tables, strict=True) if len(seats) > 1]
    return ReviewedRound(
        round_heading(state, label, say),
        tuple(sheets),
        tuple(here[key] for key in seated if key in playing),
        tuple(
            here[key]
            for key in seated
            if state.slip(key).result is not None and not (key in state.online and state.online[key].on)
        ),
    )


def _tops(
    visit: Visit,
    matches: Sequence[_Match],
    reviews: Mapping[str, Mapping[tuple[int, int], HandReview]],
    whole: bool,
) -> tuple[tuple[str, str], ...]:
    """Costliest choice and luckiest hand: sentence and address; for the `whole` event with the round."""
    say, lang, tops = visit.say, visit.lang, []
    at = {id(review): (one, hand) for one in matches for (hand, _), review in reviews[one.table.id].items()}
    every = [review for rows in reviews.values() for review in rows.values()]

    def line(review: HandReview, text: str, more: str) -> tuple[str, str]:
        match, hand = at[id(review)]
        where = f"{round_heading(visit.state, match.label, say)} · {match.title}" if whole else match.title
        return f"{where}. {text}", f"/t/{match.table.id}/review/{hand}?seat={review.seat}{more}"

    costliest, lucky = costliest_choice(every), luckiest_hand(every)
    if costliest is not None:
        match, _ = at[id(costliest[0])]
        voice = people(match.seen).voice(Reader.of(lang))
        text = costliest_words(*costliest, voice, lang, match.seen.match.rules)
        tops.append(line(costliest[0], text, f"#choice-{costliest[1].step}"))
    if lucky is not None and lucky[1] > 0:
        match, _ = at[id(lucky[0])]
        tops.append(
            line(lucky[0], luckiest_words(*lucky, people(match.seen).voice(Reader.of(lang)), lang), "")
        )
    return tuple(tops)


PAGES = (Page("/review", event, LINK_HOLDERS), Page("/review/{label}", of_round, LINK_HOLDERS))
