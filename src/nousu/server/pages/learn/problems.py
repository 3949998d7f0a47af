"""Problems as pages: the table as the solver sees it, every choice a button, an answer to what was tried.

Nothing is stored on the server; which problems are solved is kept by the browser alone. Every sentence about
a solution is made of the problem itself: of the seat's view, and of what was found over the deals that fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from nousu.engine.actions import Play, parse_action
from nousu.engine.cards import Card
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.i18n import Translate, decimal
from nousu.i18n.sentences import Voice, card_words
from nousu.server.pages.learn.lessons import Attempt, Scene, scene, solved
from nousu.server.pages.table.hints import higher, strength_of, winner
from nousu.teaching.problems import THEMES, SolvedProblem, count, daily, levels

NAMES = ("Aino", "Eero", "Kaisa", "Kerttu")
"""Who sits at the other seats."""
LEVELS = {1: sentence("easy"), 2: sentence("middling"), 3: sentence("hard")}
_TRICKS = sentence("Tricks gained on average, compared with {second}: {lead}.")
_GAINS = {
    "nolo": (sentence("Tricks saved on average, compared with {second}: {lead}."), 1),
    "rami": (_TRICKS, 1),
    "sooli": (sentence("More deals won, compared with {second}: {lead}%."), 100),
    "marriages": (sentence("Points gained on average, compared with {second}: {lead}."), 1),
    "fold": (sentence("Points saved on average, compared with {second}: {lead}."), 1),
}
"""What the lead of a solution is counted in, by theme, and by how much it is multiplied."""
PLAYERS = 4
"""Computer players that tried each problem."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A theme with its problems: number, id and difficulty."""

    name: str
    title: str
    problems: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPage:
    """One problem as its page shows it."""

    id: str
    theme: str
    theme_title: str
    number: int
    count: int
    task: str
    level: str
    state: str
    """Tricks so far, or the score: what the table tells beside the cards."""
    tried: Attempt
    revealed: bool
    """Solved, or the solution was asked for."""
    rules: str
    point: tuple[str, ...]
    """What the solution is, and why, once it is told."""
    scene: Scene


def listed(say: Translate) -> tuple[Listed, ...]:
    """All themes that have problems."""
    return tuple(
        Listed(
            name,
            say(theme.title),
            tuple((at, id, say(LEVELS[level])) for at, (id, level) in enumerate(levels(name), 1)),
        )
        for name, theme in THEMES.items()
        if count(name)
    )


def today() -> tuple[str, int]:
    """The problem of the day: everywhere the same, and another at midnight UTC."""
    return daily(date.today())


def problem_page(found: SolvedProblem, act: str, say: Translate, lang: str) -> ProblemPage:
    """The page of a problem after an action written as records do; ``answer`` tells the solution."""
    names = tuple(say("You") if seat == found.seat else name for seat, name in enumerate(NAMES))
    voice = Voice(names, found.game.sides, found.seat, say)
    view = found.hand.view(found.seat)
    tried = solved(act, found.hand, found.seat, voice, lambda action: str(action) in found.right)
    revealed = tried.good or act == "answer"
    return ProblemPage(
        id=found.id,
        theme=found.theme,
        theme_title=say(THEMES[found.theme].title),
        number=found.number,
        count=count(found.theme),
        task=say(THEMES[found.theme].task),
        level=say(LEVELS[found.level]),
        state=_state(view, voice, say),
        tried=tried,
        revealed=revealed,
        rules=found.rules,
        point=tuple(_point(found, view, voice, say, lang)) if revealed else (),
        scene=scene(tried.hand.view(found.seat), names, found.game.sides, say, lang, done=tried.good),
    )


def _state(view: View, voice: Voice, say: Translate) -> str:
    tricks = getattr(view.facts, "tricks", None)
    if not isinstance(tricks, tuple) or view.seat is None or getattr(view.facts, "soloist", None) is not None:
        return ""
    us = view.seat % 2
    return say("Tricks so far: we {ours}, they {theirs}.", ours=tricks[us], theirs=tricks[1 - us])


def _written(lead: float, lang: str) -> str:
    return str(round(lead)) if lead >= 10 else decimal(lead, lang, signed=False)


def _point(found: SolvedProblem, view: View, voice: Voice, say: Translate, lang: str) -> Iterator[str]:
    """The solution and its reasons, each true by what it is made of."""
    best = [parse_action(text) for text in found.right]
    shown = tuple(action.card for action in best if isinstance(action, Play))
    if len(shown) == len(best) > 1:
        yield say("Best: {cards}; they are equally good.", cards=voice.cards(shown))
    else:
        yield say("Best: {choice}.", choice=voice.choice(best[0]))
    if shown:
        yield from _feature(view, shown[0], say)
    yield _measure(found, say)
    text, scale = _GAINS[found.theme]
    second = voice.choice(parse_action(found.second))
    yield say(text, lead=_written(scale * found.lead, lang), second=second)
    yield say(
        sentence("{count} of {all} computer players finds it.", "{count} of {all} computer players find it."),
        count=len(found.found),
        all=PLAYERS,
    )


def _measure(found: SolvedProblem, say: Translate) -> str:
    share = round(100 * found.share)
    if found.every and share == 100:
        text = sentence(
            "Nothing is better in the {deals} deal that fits what you know.",
            "Nothing is better in any of the {deals} deals that fit what you know.",
        )
    elif found.every:
        text = sentence(
            "Of the {deals} deal that fits what you know, nothing is better in {share}%.",
            "Of the {deals} deals that fit what you know, nothing is better in {share}%.",
        )
    else:
        text = sentence(
            "Of {deals} random deal that fits what you know, nothing is better in {share}%.",
            "Of {deals} random deals that fit what you know, nothing is better in {share}%.",
        )
    return say(text, share=share, deals=found.deals)


def _feature(view: View, card: Card, say: Translate) -> Iterator[str]:
    """What the card does, seen from the table."""
    name, strength = card_words(card, say), strength_of(view)
    legal = [action.card for action in view.legal if isinstance(action, Play)]
    if not view.trick:
        out = higher(view, card)
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
    if card.suit != led and winner(view, card) is not None:
        yield say("You cannot follow suit: the {card} may go.", card=name)
        return
    takes = [one for one in legal if winner(view, one) is None]
    if card in takes:
        lowest = min(takes, key=lambda one: strength[one.rank])
        least = strength[card.rank] == strength[lowest.rank]
        yield (
            say("The {card} takes the trick so far, as cheaply as possible.", card=name)
            if least
            else say("The {card} would take the trick so far.", card=name)
        )
    elif takes:
        yield say("The {card} lets the trick go, although you could take it.", card=name)
    else:
        top = max((one for one in legal if one.suit == card.suit), key=lambda one: strength[one.rank])
        if top == card:
            yield say("You cannot take the trick, and the {card} is the highest card that goes.", card=name)
