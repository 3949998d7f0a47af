"""Our own players as programs: the other end of the protocol of `nousu.players.external`.

Each question is one line of JSON; `view_of` makes the seat's `View` of it again, so that a player cannot tell
whether it was asked across a pipe or in this process. Knowledge that `external.question` does not write is
not there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from nousu.engine.actions import parse_action
from nousu.engine.cards import parse_card
from nousu.engine.game import Game, Setup, View
from nousu.engine.messages import brief
from nousu.engine.options import check_values
from nousu.engine.question import Question
from nousu.engine.record import parse_entry
from nousu.engine.tricks import Trick
from nousu.games import games
from nousu.players import DEFAULT_BUDGET, Budget, Choice, Interrupter, Player

SILENCE = ""
"""The answer of a player that keeps silent out of turn."""


class BadQuestion(ValueError):
    """A line that is not a question of this protocol; the message names the fault."""


def view_of(fields: Mapping[str, Any]) -> View:
    """The view that `external.question` wrote; `BadQuestion` names a field that is missing or not understood.

    Version 1 of the protocol does not say whether a question was put to all at once: it was, where more than
    one seat is owed an answer.
    """
    try:
        return _view(fields)
    except BadQuestion:
        raise
    except KeyError as error:
        raise BadQuestion(f"the question has no field {error}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadQuestion(f"a field of the question is not understood: {brief(error)}") from None


def _view(given: Mapping[str, Any]) -> View:
    game = games().get(given["game"])
    if game is None:
        raise BadQuestion(f"there is no game {brief(given['game'])}; there are {', '.join(games())}")
    rules = _rules(game, given["rules"])
    seats = len(given["seats"])
    tally = game.tally(rules, seats) if game.standing is None else game.standing(rules, seats, given["score"])
    return View(
        game=game.name,
        rules=rules,
        setup=Setup(seats, given["dealer"], tally, given["hand"]),
        seat=given["seat"],
        cards=tuple(map(parse_card, given["cards"])),
        counts=tuple(given["counts"]),
        trick=_plays(given["trick"]),
        tricks=tuple(
            Trick(trick["leader"], _plays(trick["plays"]), trick["winner"]) for trick in given["tricks"]
        ),
        question=None if given["question"] is None else _question(given["question"], given["owed"]),
        facts=game.facts(given["facts"]),
        heard=tuple(parse_entry(entry, seats) for entry in given["heard"]),
        owed=tuple(given["owed"]),
        legal=tuple(map(parse_action, given["legal"])),
    )


def _rules(game: Game, values: Mapping[str, Any]) -> Any:
    known = {field.name for field in fields(game.rules)}
    unknown = [name for name in values if name not in known]
    if unknown:
        raise BadQuestion(f"{game.name} has no option {brief(unknown[0])}")
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    rules = game.rules(**given)
    check_values(rules)
    return rules


def _plays(plays: Iterable[Any]) -> tuple[tuple[int, Any], ...]:
    return tuple((seat, parse_card(card)) for seat, card in plays)


def _question(given: Mapping[str, Any], owed: list[int]) -> Question:
    answers = tuple((seat, parse_action(action)) for seat, action in given["answers"])
    return Question(given["topic"], tuple(given["to"]), len(owed) > 1, given["by"], answers)


def answers(player: Player, lines: Iterable[str], worlds: int = DEFAULT_BUDGET.worlds) -> Iterator[str]:
    """The answers of a player to questions, a line of JSON for each.

    Args:
        player: The player.
        lines: One question a line.
        worlds: The effort of a searching player for a choice; the protocol tells only the time.

    Raises:
        BadQuestion: A line is no question; the message has its number.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            if not isinstance(fields, dict):
                raise BadQuestion("a question is an object in one line of JSON")
            view = view_of(fields)
            name, seconds, seed = fields["id"], float(fields["seconds"]), int(fields["seed"])
        except KeyError as error:
            raise BadQuestion(f"line {number}: the question has no field {error}") from None
        except BadQuestion as error:
            raise BadQuestion(f"line {number}: {error}") from None
        except (ValueError, TypeError, RecursionError) as error:
            raise BadQuestion(f"line {number}: {brief(error)}") from None
        choice = _chosen(player, view, Budget(seconds, worlds), seed)
        reply: dict[str, Any] = {"id": name, "action": SILENCE if choice is None else str(choice.action)}
        if choice is not None and choice.reason is not None:
            reply["reason"] = choice.reason.english
        yield json.dumps(reply)


def _chosen(player: Player, view: View, budget: Budget, seed: int) -> Choice | None:
    """The choice of the player; out of turn this may be none."""
    if view.seat in view.owed:
        return player.choose(view, budget, seed)
    return player.interrupt(view, budget, seed) if isinstance(player, Interrupter) else None
