"""``nousu problems``: search problems with a solution for all possible deals, and check known ones."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.cli import fail, read_input

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from nousu.engine.actions import Action
    from nousu.engine.game import View
    from nousu.engine.match import Match
    from nousu.players.problem_search import Judgement
    from nousu.review import Interval

FEW, MANY = 12, 200
"""Numbers of deals for a first judgement, and for the final one."""
LEVELS = ("beginner", "easy", "club", "expert")
"""The players that try to find a solution, the weakest first."""
TRIES = 3
"""Number of tries of a player; in at least two of them it must choose the solution."""
PLAYED = 400
"""The number of deals played out to confirm a solution."""
_HANDS = 40_000
"""The number of hands after which a search ends."""


def register(app: typer.Typer) -> None:
    """Add ``problems``."""
    group = typer.Typer(help="Find and check problems for the page of problems.", no_args_is_help=True)
    group.command("make")(make)
    group.command("check")(check)
    app.add_typer(group, name="problems")


def make(
    theme: Annotated[str, typer.Argument(help="nolo, rami, sooli, marriages or fold.")],
    count: Annotated[int, typer.Option(min=1, help="How many problems.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed finds the same problems.")] = 1,
) -> None:
    """Print problems, one line of JSON each."""
    from nousu.players.problem_search import themes

    if theme not in themes():
        fail(f"there is no theme {theme}; the themes are {', '.join(themes())}")
    for number, row in enumerate(search_problems(theme, seed), 1):
        typer.echo(json.dumps(row, ensure_ascii=False))
        if number == count:
            return


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of problems; if none are given, those that ship with nousu."),
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Check only every n-th problem.")] = 1,
    write: Annotated[
        bool, typer.Option("--write", help="Write the problems that hold back, with new figures.")
    ] = False,
) -> None:
    """Judge problems again with other random deals; exit code 1 if a solution does not hold."""
    from nousu.teaching.problems import PROBLEMS, read_problem

    wrong = checked = 0
    every = 1 if write else every
    for path in files or sorted(PROBLEMS.glob("*.jsonl")):
        numbered = enumerate(read_input(path).splitlines(), 1)
        lines = [(number, line) for number, line in numbered if line.strip()]
        if not lines:
            fail(f"{path} holds no problems")
        kept: list[str] = []
        for number, line in lines[::every]:
            try:
                moment = read_problem(path.stem, number, line)
            except ValueError as error:
                fail(f"{path}, line {number}, is no problem: {error}")
            view = moment.hand.view(moment.seat)
            judgement = judgement_of(moment.theme, view, MANY, 99)
            checked += 1
            best = ", ".join(moment.right)
            if judgement is None or {str(action) for action in judgement.best} != set(moment.right):
                wrong += 1
                typer.echo(f"nousu: {path.name}, line {number}: {best} is not best", err=True)
            elif not holds_at_the_table(view, judgement, 99):
                wrong += 1
                typer.echo(f"nousu: {path.name}, line {number}: {best} is not best when played out", err=True)
            elif write:
                finders = _finders(view, set(moment.right))
                kept.append(json.dumps(json.loads(line) | _figures(judgement, finders), ensure_ascii=False))
        if write:
            path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    if wrong:
        raise typer.Exit(1)
    typer.echo(f"{checked} problems hold" if checked > 1 else "1 problem holds")


def judgement_of(theme: str, view: "View", deals: int, seed: int) -> "Judgement | None":
    """The judgement of a choice; None if the choice does not belong to the theme."""
    from nousu.players.problem_search import is_of_theme, judge_choice, themes

    return judge_choice(view, deals, seed) if is_of_theme(themes()[theme], view) else None


def holds_at_the_table(view: "View", judgement: "Judgement", seed: int) -> bool:
    """Whether a solution is clearly best when all play on, seeing only their own cards, as in reviews."""
    return all(lead.low > 0 for lead in leads_at_the_table(view, judgement, seed))


def leads_at_the_table(view: "View", judgement: "Judgement", seed: int) -> "list[Interval]":
    """The lead of a solution over each other action when all see only their own cards, in points."""
    from random import Random

    from nousu.players.worlds import worlds
    from nousu.review.comparison import floor_weights
    from nousu.review.families import review_family
    from nousu.review.statistics import interval

    family, rng, possible = review_family(view.game), Random(seed), worlds(view)
    deals = [possible.sample(rng) for _ in range(PLAYED)]
    others = [action for action in _compared(view, judgement) if action not in judgement.best]
    best, *rows = family.measure(view, [judgement.best[0], *others], deals, seed)
    weights = floor_weights(family.weights(view, deals))
    return [interval([one - two for one, two in zip(best, row, strict=True)], weights) for row in rows]


def _compared(view: "View", judgement: "Judgement") -> "list[Action]":
    """The actions that a solution is compared with: all of its kind."""
    from nousu.engine.actions import Play

    cards = [action for action in view.legal if isinstance(action, Play)]
    return list(dict.fromkeys([*cards, *judgement.best, judgement.second]))


def _is_good(theme: str, judgement: "Judgement | None", ease: float) -> bool:
    from nousu.players.problem_search import themes

    least = themes()[theme]
    return (
        judgement is not None
        and judgement.share >= least.share * ease
        and judgement.lead >= least.lead * ease
    )


def search_problems(theme: str, seed: int) -> "Iterator[dict[str, Any]]":
    """Problems of a theme from hands of the rule-based player, as rows of the theme's file."""
    from random import Random

    from nousu.players.problem_search import themes

    rng, last = Random(f"{theme}/{seed}"), set[str]()
    for hand in range(_HANDS):
        for match in _moments(theme, rng, hand):
            owed = match.hand.owed()
            if len(owed) != 1 or owed[0] < 0:
                continue
            view = match.hand.view(owed[0])
            judgement = judgement_of(theme, view, FEW, hand)
            if judgement is None or not _is_good(theme, judgement, 0.9):
                continue
            hard = themes()[theme].hard
            if hard and _finds(LEVELS[0], view, {str(action) for action in judgement.best}):
                continue
            judgement = judgement_of(theme, view, MANY, seed)
            if judgement is None or not _is_good(theme, judgement, 1.0):
                continue
            right = {str(action) for action in judgement.best}
            if theme == "fold" and right == last:
                continue  # going along and leaving alternate
            if not holds_at_the_table(view, judgement, seed):
                continue
            finders = _finders(view, right)
            if hard and (LEVELS[0] in finders or LEVELS[-1] not in finders):
                continue
            if len(finders) == len(LEVELS) and rng.random() < 0.8:
                continue  # few problems that everybody finds
            last = right
            yield _line(theme, match, view, judgement, finders, f"{theme}-{seed}-{hand}")
            break


def _moments(theme: str, rng: "Random", number: int) -> "Iterator[Match]":
    """The moments of a random hand, each before a choice."""
    from nousu.engine.match import Match
    from nousu.engine.seats import CHANCE
    from nousu.games import find
    from nousu.players import DEFAULT_BUDGET, find_player
    from nousu.players.problem_search import bold_action, themes
    from nousu.players.seat_loop import next_choice, seeds
    from nousu.teaching.lessons import with_points

    game, rules = find(themes()[theme].preset)
    match = Match.start(game, rules, 4, number % 4)
    if theme == "fold":
        match = with_points(match, [rng.randint(1, 7) for _ in range(4)])
    match = match.deal(rng)
    company = [find_player("rules")] * 4
    wanted = themes()[theme].kind
    while not match.played:
        facts = match.hand.view(None).facts
        if getattr(facts, "phase", "") == "play" and wanted not in ("", getattr(facts, "kind", "")):
            return
        yield match
        seat = next(iter(match.hand.owed()), CHANCE)
        bold = bold_action(match.hand.view(seat)) if themes()[theme].hard and seat != CHANCE else None
        if bold is not None:
            match = match.apply(seat, bold)
            continue
        move = next_choice(match, company, seeds(match, number), DEFAULT_BUDGET)
        if move is None:
            return
        match = match.apply(move[0], move[1].action)


def _finders(view: "View", right: set[str]) -> list[str]:
    return [name for name in LEVELS if _finds(name, view, right)]


def _finds(name: str, view: "View", right: set[str]) -> bool:
    from nousu.players import DEFAULT_BUDGET, find_player

    tries = [
        str(find_player(name).choose(view, DEFAULT_BUDGET, seed).action) in right for seed in range(TRIES)
    ]
    return sum(tries) >= 2


def _line(
    theme: str, match: "Match", view: "View", judgement: "Judgement", finders: list[str], name: str
) -> dict[str, Any]:
    from nousu.engine.record import entry_text
    from nousu.engine.seats import CHANCE, seat_name
    from nousu.players.problem_search import themes

    assert view.seat is not None
    hand = match.hand
    deal = next(action for by, action in hand.log if by == CHANCE)
    points = {"points": list(hand.setup.tally.score())} if theme == "fold" else {}
    return {
        "id": name,
        "rules": themes()[theme].preset,
        "dealer": seat_name(hand.setup.dealer),
        "seat": seat_name(view.seat),
        **points,
        "deal": str(deal).removeprefix("deal "),
        "log": [entry_text(entry, 4) for entry in hand.log if entry[0] != CHANCE],
        "right": [str(action) for action in judgement.best],
        **_figures(judgement, finders),
    }


def _figures(judgement: "Judgement", finders: list[str]) -> dict[str, Any]:
    """The part of a row that is judged."""
    return {
        "second": str(judgement.second),
        "deals": judgement.deals,
        "every": judgement.every,
        "share": round(judgement.share, 3),
        "lead": round(judgement.lead, 2),
        "found": finders,
    }
