"""The page of the problem of the day."""

import time
from collections.abc import Mapping
from datetime import date

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nousu.engine.actions import parse_action
from nousu.engine.messages import sentence
from nousu.i18n.sentences import Voice
from nousu.server.pages.learn.exercise import exercise_response
from nousu.server.pages.learn.problems import SEAT_NAMES, problem_page
from nousu.server.pages.visit import Visit, get, member, post
from nousu.server.people import daily
from nousu.server.people.daily import DailyProblem
from nousu.server.people.server import Server

_STREAK = sentence("{count} day in a row.", "{count} days in a row.")
_SHOWN = 3
"""The answers of others that are told."""


def routes(server: Server) -> list[Route]:
    """The routes of this page."""
    return [get(server, "/today", today), post(server, "/today", answer, member)]


async def summary(visit: Visit) -> str:
    """The problem of the day in a sentence, for the start page."""
    problem, say = await daily.daily_problem(visit.server, visit.session, date.today()), visit.reader.say
    count = say(_STREAK, count=problem.streak) if problem.streak else ""
    if problem.mine is None:
        return " ".join(filter(None, (say("Which card is best? One try a day."), count)))
    text = say("Today you found it.") if problem.mine.good else say("Today you did not find it.")
    return " ".join(filter(None, (text, count)))


async def today(visit: Visit, forbidden: str = "") -> Response:
    """The problem, or how one has answered it; an answer that the rules forbid is explained."""
    problem, say = await daily.daily_problem(visit.server, visit.session, date.today()), visit.reader.say
    act = forbidden if problem.mine is None else problem.mine.act
    shown = problem_page(problem.task, act, visit.reader, told=problem.mine is not None)
    values: Mapping[str, object] = {
        "course": "daily",
        "posts": True,
        "over": problem.mine is not None,
        "problem": problem,
        "number": problem.number,
        "zone": time.tzname[time.localtime().tm_isdst > 0],
        "answered": say(
            sentence("{count} person has answered.", "{count} people have answered."), count=problem.answered
        ),
        "streak": say(_STREAK, count=problem.streak),
        "crowd": _crowd(problem, visit),
        "text": _share_text(problem, visit),
    }
    return exercise_response(visit, "today.html", shown, problem.task.rules, values)


async def answer(visit: Visit) -> Response:
    """Store an answer; what the rules forbid is explained and does not count."""
    act = str((await visit.request.form()).get("act", ""))[:120]
    if await daily.answer(visit.server, visit.session, date.today(), act):
        return RedirectResponse("/today", 303)
    return await today(visit, act)


def _crowd(problem: DailyProblem, visit: Visit) -> list[str]:
    """Sentences about the answers of others; none while they are few."""
    say, total = visit.reader.say, sum(problem.others.values())
    if not total:
        return []
    voice = Voice(SEAT_NAMES, problem.task.game.sides, problem.task.seat, say)
    good = sum(count for act, count in problem.others.items() if act in problem.task.right)
    lines = [say("{share}% of the others found it.", share=round(100 * good / total))]
    ranked = sorted(problem.others.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    return lines + [
        say(
            "{share}%: {choice}",
            share=round(100 * count / total),
            choice=voice.choice(parse_action(act)),
        )
        for act, count in ranked
    ]


def _share_text(problem: DailyProblem, visit: Visit) -> str:
    """The text to send to friends, which tells nothing of the solution."""
    if problem.mine is None:
        return ""
    say = visit.reader.say
    sign = "✓" if problem.mine.good else "✗"
    row = say(_STREAK, count=problem.streak)
    return f"Nousu {problem.number} {sign} · {row} {visit.origin}/today"
