r"""Language models at the table: their knowledge and legal actions as a text, and a parser of answers.

`LanguagePlayer` asks any function from messages to a text; it is a player like all others, so it sits in
`nousu arena`, in a Gymnasium environment, or at your own table:

    NOUSU_MODEL_URL=http://127.0.0.1:8080/v1 NOUSU_MODEL=name \
        nousu arena py:nousu.integrations.llm:served rules --pairs 5

The question is made from the seat's `View` alone, so it cannot contain a hidden card.
"""

import json
import os
import random
import re
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from nousu.engine.actions import Action, parse_action
from nousu.engine.game import View
from nousu.engine.messages import Note
from nousu.players import Budget, Choice
from nousu.players.external import PlayerFailed, question

Message = dict[str, str]
Ask = Callable[[list[Message]], str]
"""From messages (``{"role": …, "content": …}``) to the text of the answer."""

_TASK = """You sit at a table of the card game described below and play as well as you can for your side.
Cards are written as suit and rank: SA is the ace of spades, H10 the ten of hearts; suits are S, H, D, C.
Each message tells all that your seat knows, as JSON; ?? stands for a card you have not seen. Think as long as
you like, and end your answer with one line of JSON that names one of the actions under "legal", letter by
letter: {"action": "play SA"}"""
_ACTION = re.compile(r'\{[^{}]*"action"\s*:\s*"([^"{}]*)"[^{}]*\}')


class UnreadableAnswer(ValueError):
    """An answer that names no legal action; the message tells the model why."""


class Forfeit(PlayerFailed):
    """The end after too many answers in a row without a legal action."""


@cache
def rule_book(rules: str) -> str:
    """The page that teaches these rules, as plain text without clause numbers.

    >>> rule_book("tuppi").splitlines()[1]
    '## The aim'
    """
    from nousu.teaching.page import markdown_lines

    return re.sub(r" ?<small>[^<]*</small>", "", "\n".join(markdown_lines(rules)))


def observation(view: View) -> dict[str, Any]:
    """The knowledge of a seat and its legal actions, in plain values.

    It is the question of docs/research/players.md without the fields that only programs need; the rules are
    in the rule book.
    """
    fields = question(view, Budget(), 0, 1)
    return {key: fields[key] for key in fields if key not in ("protocol", "id", "rules", "seconds", "seed")}


def prompt(view: View) -> list[Message]:
    """The messages that ask a model for a choice: the task with the rule book, and the observation."""
    from nousu.games import games

    rules = games()[view.game].name_of(view.rules)
    return [
        {"role": "system", "content": f"{_TASK}\n\n# The rules\n{rule_book(rules)}"},
        {"role": "user", "content": json.dumps(observation(view), ensure_ascii=False)},
    ]


def parse_answer(text: str, legal: Sequence[Action]) -> Action:
    """The action that an answer names: the last ``{"action": …}`` in it, else the whole answer.

    `UnreadableAnswer` tells the fault and the right form.
    """
    matches = _ACTION.findall(text)
    words = " ".join((matches[-1] if matches else text).strip().strip("`\"'.").split())
    if not words:
        raise UnreadableAnswer(
            f'the answer is empty: end it with one line such as {{"action": "{legal[0]}"}}'
        )
    if not matches and len(words) > 60:
        raise UnreadableAnswer(
            f'no action is named: end the answer with one line such as {{"action": "{legal[0]}"}}'
        )
    written = {str(action).lower(): action for action in legal}
    if words.lower() in written:
        return written[words.lower()]
    try:
        action = parse_action(words)
    except ValueError as error:
        raise UnreadableAnswer(f"{words!r} is no action ({error}); legal: {_listed(legal)}") from None
    if action not in legal:
        raise UnreadableAnswer(f"{words!r} is not legal now; legal: {_listed(legal)}")
    return action


def _listed(legal: Sequence[Action]) -> str:
    return ", ".join(map(str, legal[:60])) + (" …" if len(legal) > 60 else "")


@dataclass
class LanguagePlayer:
    """A player that asks a language model. It is asked only when its seat is owed an action."""

    ask: Ask
    tries: int = 3
    """Number of attempts at an answer; the player is told of each refusal."""
    forfeit: Literal["stop", "random"] = "stop"
    """The outcome of the last one: `Forfeit`, which ends an arena, or any legal action, which is counted."""
    choices: int = field(default=0, init=False)
    refused: int = field(default=0, init=False)
    """Answers that named no legal action."""
    forfeits: int = field(default=0, init=False)

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The action that the model names."""
        self.choices += 1
        messages, why = prompt(view), ""
        for _ in range(self.tries):
            text = self.ask(messages)
            try:
                return Choice(parse_answer(text, view.legal), Note("", "{reason}", {"reason": text[-300:]}))
            except UnreadableAnswer as error:
                self.refused += 1
                why = str(error)
                messages += [{"role": "assistant", "content": text}, {"role": "user", "content": why}]
        self.forfeits += 1
        if self.forfeit == "stop":
            raise Forfeit(f"{self.tries} answers named no legal action; the last one: {why}")
        return Choice(random.Random(seed).choice(view.legal))


def served() -> LanguagePlayer:
    """The player behind a server that speaks the usual protocol for chats (``POST …/chat/completions``).

    In the arena: ``py:nousu.integrations.llm:served``. NOUSU_MODEL_URL is its address up to ``/v1``,
    NOUSU_MODEL the name of the model, NOUSU_MODEL_KEY a key if it needs one. ValueError if they are not set.
    """
    address, model = os.environ.get("NOUSU_MODEL_URL", ""), os.environ.get("NOUSU_MODEL", "")
    if not address.startswith(("http://", "https://")) or not model:
        raise ValueError("set NOUSU_MODEL_URL (such as http://127.0.0.1:8080/v1) and NOUSU_MODEL")
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("NOUSU_MODEL_KEY"):
        headers["Authorization"] = f"Bearer {key}"

    def ask(messages: list[Message]) -> str:
        body = json.dumps({"model": model, "messages": messages}).encode()
        request = urllib.request.Request(f"{address.rstrip('/')}/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                reply = json.load(answer)
            return str(reply["choices"][0]["message"]["content"] or "")
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise PlayerFailed(f"{address}: {error}") from None

    return LanguagePlayer(ask)
