"""The pages of problems: the table as the solver sees it, one choice, an answer to whatever is tried.

The server stores nothing; the browser remembers solved problems. Every sentence about a solution follows from
the problem itself: from the seat's view, and from the results over the deals that fit it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from nousu.engine.actions import Play, parse_action
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.messages import Note, sentence
from nousu.i18n import decimal
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice, card_words
from nousu.players.problem_search import chance_note
from nousu.server.pages.learn.exercise import (
    Attempt,
    Background,
    background,
    exercise_response,
    exercise_table,
    problem_attempt,
)
from nousu.server.pages.table.family import hand_notes
from nousu.server.pages.table.hints import higher_unseen, trick_winner
from nousu.server.pages.table.table_view import TableView
from nousu.server.pages.visit import Visit, get
from nousu.server.people.server import Server
from nousu.teaching import problems as stock
from nousu.teaching.problems import THEMES, SolvedProblem, count, levels

SEAT_NAMES = ("Aino", "Eero", "Kaisa", "Kerttu")
"""The players at the seats."""
LEVELS = {1: sentence("easy"), 2: sentence("middling"), 3: sentence("hard")}
_TRICKS = sentence("Tricks gained on average, compared with {second}: {lead}.")
_GAINS = {
    "nolo": (sentence("Tricks saved on average, compared with {second}: {lead}."), 1),
    "rami": (_TRICKS, 1),
    "sooli": (sentence("More deals won, compared with {second}: {lead}%."), 100),
    "marriages": (sentence("Points gained on average, compared with {second}: {lead}."), 1),
}
"""The sentence about the lead of a solution, and its factor, by theme; without one, chances decide."""
OPEN_FIGURES = sentence(
    "These figures are those of deals in which everybody sees all cards. "
    "Where all see only their own, the same choice is best."
)
PLAYERS = 4
"""The number of computer players that tried each problem."""


def routes(server: Server) -> list[Route]:
    """The routes of these pages."""
    return [
        get(server, "/problems", problems),
        get(server, "/problems/{theme}/{number:int}", problem),
    ]


async def problems(visit: Visit) -> Response:
    """The page of problems by theme."""
    return visit.page("problems.html", {"themes": theme_lists(visit.reader)})


async def problem(visit: Visit) -> Response:
    """The page of a problem, with the answer to an attempt."""
    parameters = visit.request.path_params
    chosen = stock.problem(parameters["theme"], parameters["number"])
    if chosen is None:
        return visit.error(Note("", "There is no such problem."), 404)
    shown = problem_page(chosen, visit.query("act"), visit.reader)
    return exercise_response(visit, "problem.html", shown, chosen.rules)


@dataclass(frozen=True, slots=True)
class ThemeList:
    """A theme with its problems: number, id and difficulty."""

    name: str
    title: str
    problems: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPage:
    """The values of a problem's page."""

    id: str
    theme: str
    theme_title: str
    number: int
    count: int
    task: str
    level: str
    state: str
    """Tricks so far in words."""
    tried: Attempt
    revealed: bool
    """True if solved, or if the solution was asked for."""
    rules: str
    point: tuple[str, ...]
    """The solution with its reasons, once it is revealed."""
    story: Background
    table: TableView


def theme_lists(reader: Reader) -> tuple[ThemeList, ...]:
    """The themes that have problems."""
    return tuple(
        ThemeList(
            name,
            reader.say(theme.title),
            tuple((at, id, reader.say(LEVELS[level])) for at, (id, level) in enumerate(levels(name), 1)),
        )
        for name, theme in THEMES.items()
        if count(name)
    )


def problem_page(task: SolvedProblem, act: str, reader: Reader, told: bool = False) -> ProblemPage:
    """The page of a problem.

    Args:
        task: The problem.
        act: The action tried, as text of records; ``answer`` reveals the solution.
        reader: The language.
        told: The solution is revealed after any action.
    """
    say = reader.say
    names = tuple(say("You") if seat == task.seat else name for seat, name in enumerate(SEAT_NAMES))
    voice = Voice(names, task.game.sides, task.seat, say)
    view = task.hand.view(task.seat)
    tried = problem_attempt(act, task.hand, task.seat, voice, lambda action: str(action) in task.right)
    revealed = tried.good or told or act == "answer"
    return ProblemPage(
        id=task.id,
        theme=task.theme,
        theme_title=say(THEMES[task.theme].title),
        number=task.number,
        count=count(task.theme),
        task=say(THEMES[task.theme].task),
        level=say(LEVELS[task.level]),
        state=_state(view, reader),
        tried=tried,
        revealed=revealed,
        rules=task.rules,
        point=tuple(_point(task, view, voice, reader)) if revealed else (),
        story=background(view, voice, reader),
        table=exercise_table(tried.hand.view(task.seat), names, task.rules, reader),
    )


def _state(view: View, reader: Reader) -> str:
    tricks = getattr(view.facts, "tricks", None)
    if not isinstance(tricks, tuple) or view.seat is None or getattr(view.facts, "soloist", None) is not None:
        return ""
    us = view.seat % 2
    return reader.say("Tricks so far: we {ours}, they {theirs}.", ours=tricks[us], theirs=tricks[1 - us])


def _lead_text(lead: float, lang: str) -> str:
    return str(round(lead)) if lead >= 10 else decimal(lead, lang, signed=False)


def _point(task: SolvedProblem, view: View, voice: Voice, reader: Reader) -> Iterator[str]:
    """The solution and its reasons."""
    say = reader.say
    best = [parse_action(text) for text in task.right]
    shown = tuple(action.card for action in best if isinstance(action, Play))
    if len(shown) == len(best) > 1:
        yield say("Best: {cards}; they are equally good.", cards=voice.cards(shown))
    else:
        yield say("Best: {choice}.", choice=voice.choice(best[0]))
    if shown:
        yield from _feature(view, shown[0], reader)
    yield _measure(task, reader)
    chance = chance_note(view, best[0], task.lead)
    if chance is not None:
        yield voice.note(chance)
    else:
        text, scale = _GAINS[task.theme]
        second = voice.choice(parse_action(task.second))
        yield say(text, lead=_lead_text(scale * task.lead, reader.language), second=second)
        yield say(OPEN_FIGURES)
    yield say(
        sentence("{count} of {all} computer players finds it.", "{count} of {all} computer players find it."),
        count=len(task.found),
        all=PLAYERS,
    )


def _measure(task: SolvedProblem, reader: Reader) -> str:
    share = round(100 * task.share)
    if task.every and share == 100:
        text = sentence(
            "Nothing is better in the {deals} deal that fits what you know.",
            "Nothing is better in any of the {deals} deals that fit what you know.",
        )
    elif task.every:
        text = sentence(
            "Of the {deals} deal that fits what you know, nothing is better in {share}%.",
            "Of the {deals} deals that fit what you know, nothing is better in {share}%.",
        )
    else:
        text = sentence(
            "Of {deals} random deal that fits what you know, nothing is better in {share}%.",
            "Of {deals} random deals that fit what you know, nothing is better in {share}%.",
        )
    return reader.say(text, share=share, deals=task.deals)


def _feature(view: View, card: Card, reader: Reader) -> Iterator[str]:
    """Sentences about the effect of a card."""
    say = reader.say
    name, strength = card_words(card, say), hand_notes(view.game).strength_of(view)
    legal = [action.card for action in view.legal if isinstance(action, Play)]
    if not view.trick:
        out = higher_unseen(view, card)
        if not out:
            yield say("Every higher card of its suit than the {card} is gone, or in your hand.", card=name)
        else:
            text = sentence(
                "{count} higher card of its suit has not been seen yet.",
                "{count} higher cards of its suit have not been seen yet.",
            )
            yield say(text, count=out)
        return
    led = view.trick[0][1].suit
    if card.suit != led and trick_winner(view, card) is not None:
        yield say("You cannot follow suit: the {card} can be thrown away.", card=name)
        return
    takes = [card for card in legal if trick_winner(view, card) is None]
    if card in takes:
        lowest = min(takes, key=lambda card: strength[card.rank])
        least = strength[card.rank] == strength[lowest.rank]
        yield (
            say("The {card} wins the trick for now, as cheaply as possible.", card=name)
            if least
            else say("The {card} would win the trick for now.", card=name)
        )
    elif takes:
        yield say("The {card} lets the trick go, although you could take it.", card=name)
    else:
        top = max((other for other in legal if other.suit == card.suit), key=lambda card: strength[card.rank])
        if top == card:
            yield say(
                "You cannot take the trick, and the {card} is the highest card you can get rid of.", card=name
            )
