"""Players that are programs of their own, in any language: one line of JSON in, one line out.

A program is started once and then asked for every choice. Each question is one line on its standard input
with everything its seat may know (see ``docs/players.md``); the answer is one line on its standard output,
``{"id": 7, "action": "play SA"}``. What it writes to standard error is passed on. End of input means that
it is no longer needed.
"""

import atexit
import json
import queue
import shlex
import subprocess
import threading
from contextlib import suppress
from dataclasses import asdict
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

from nousu.engine.actions import Action, parse_action
from nousu.engine.game import Note, View
from nousu.engine.match import Match
from nousu.engine.record import entry_text
from nousu.engine.seats import CHANCE, seat_name
from nousu.games import find
from nousu.players import Budget, Choice

PROTOCOL: Final = 1
PATIENCE: Final = 5.0
"""Seconds beyond its budget after which a program counts as silent (starting up included)."""


class PlayerFailed(ValueError):
    """A program gave no usable answer; the message says what was wrong and what would be right."""


def question(view: View, budget: Budget, seed: int, number: int) -> dict[str, Any]:
    """All a program is told for one choice, in plain JSON values; cards and actions as records write them."""
    seats = len(view.counts)
    asked = view.question
    return {
        "protocol": PROTOCOL,
        "id": number,
        "game": view.game,
        "rules": {name: _plain(value) for name, value in asdict(view.rules).items()},
        "seat": view.seat,
        "seats": [seat_name(seat, seats) for seat in range(seats)],
        "dealer": view.setup.dealer,
        "hand": view.setup.number,
        "score": _plain(view.setup.tally.facts()),
        "cards": [str(card) for card in view.cards],
        "counts": list(view.counts),
        "trick": [[seat, str(card)] for seat, card in view.trick],
        "tricks": [
            {
                "leader": trick.leader,
                "plays": [[seat, str(card)] for seat, card in trick.plays],
                "winner": trick.winner,
            }
            for trick in view.tricks
        ],
        "question": None
        if asked is None
        else {
            "topic": asked.topic,
            "to": list(asked.to),
            "by": asked.by,
            "answers": [[seat, str(action)] for seat, action in asked.answers],
        },
        "facts": _plain(view.facts),
        "heard": [entry_text(entry, seats) for entry in view.heard],
        "owed": list(view.owed),
        "legal": [str(action) for action in view.legal],
        "seconds": budget.seconds,
        "seed": seed,
    }


def _plain(value: Any) -> Any:
    """Nested values as JSON has them."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


class ExternalPlayer:
    """The player behind a command. It is started with the first question and restarted if it has ended."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._number = 0

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The program's choice; `PlayerFailed` if it gives none in time or one that is not legal."""
        process = self._running()
        self._number += 1
        asked = json.dumps(question(view, budget, seed, self._number))
        assert process.stdin is not None
        with suppress(OSError):  # it may have ended; then what it printed last tells more
            process.stdin.write(asked + "\n")
            process.stdin.flush()
        wait = budget.seconds + PATIENCE
        while True:
            try:
                line = self._lines.get(timeout=wait)
            except queue.Empty:
                raise self._failed(f"no answer to question {self._number} within {wait:g} seconds") from None
            if line == "":
                code = process.wait()
                raise self._failed(
                    f"it ended (exit code {code}) without answering question {self._number}; "
                    "answer with one line and flush the output"
                )
            reply = self._reply(line)
            if reply["id"] == self._number:
                return self._choice(reply, view)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            words = shlex.split(self.command)
            if not words:
                raise self._failed("write the command after cmd:, as in cmd:./bot.py")
            try:
                self._process = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    bufsize=1,
                )
            except OSError as error:
                raise self._failed(f"it cannot be started: {error.strerror or error}") from None
            self._lines = queue.Queue()
            reader = threading.Thread(target=_read, args=(self._process, self._lines), daemon=True)
            reader.start()
            atexit.register(self.close)
        return self._process

    def _reply(self, line: str) -> dict[str, Any]:
        shown = line.strip()[:80]
        try:
            reply = json.loads(line)
        except ValueError:
            raise self._failed(
                f"{shown!r} is not JSON; print nothing but answers to standard output"
            ) from None
        if not isinstance(reply, dict) or not isinstance(reply.get("action"), str) or "id" not in reply:
            raise self._failed(
                f'{shown!r} must be an object like {{"id": {self._number}, "action": "play SA"}}'
            )
        if not isinstance(reply["id"], int) or not 0 < reply["id"] <= self._number:
            raise self._failed(f"{shown!r}: id must repeat the id of the question, {self._number}")
        return reply

    def _choice(self, reply: dict[str, Any], view: View) -> Choice:
        text = reply["action"]
        try:
            action: Action | None = parse_action(text)
        except ValueError:
            action = None
        if action not in view.legal or action is None:
            legal = ", ".join(map(str, view.legal[:8])) + (" …" if len(view.legal) > 8 else "")
            raise self._failed(f"{text!r} is not legal in question {self._number}; legal: {legal}")
        reason = reply.get("reason")
        return Choice(action, Note("", "{reason}", {"reason": reason}) if isinstance(reason, str) else None)

    def _failed(self, message: str) -> PlayerFailed:
        return PlayerFailed(f"{self.command}: {message}")

    def close(self) -> None:
        """Tell the program that it is no longer needed, and wait for it to end."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    """Hand on what the program prints; an empty line at its end."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip():
            lines.put(line)
    process.stdout.close()
    lines.put("")


class Checked(NamedTuple):
    """How a program did as a player of all seats."""

    hands: int
    choices: int
    mean: float
    """Milliseconds a choice."""
    slowest: float


def checked(player: ExternalPlayer, game: str, seats: int, hands: int, budget: Budget) -> Checked:
    """Let a program play all seats of some hands; `PlayerFailed` tells the first thing that is wrong."""
    family, rules = find(game)
    rng = Random(1)
    match = Match.start(family, rules, seats)
    times: list[float] = []
    done = 0
    while done < hands:
        if match.winner is not None:
            match = Match.start(family, rules, seats)
        if match.hand.owed() == (CHANCE,):
            match = match.deal(rng)
            continue
        seat = match.hand.owed()[0]
        start = perf_counter()
        action = player.choose(match.hand.view(seat), budget, rng.randrange(1 << 32)).action
        times.append(1000 * (perf_counter() - start))
        if times[-1] > 1000 * budget.seconds and len(times) > 1:
            raise PlayerFailed(
                f"{player.command}: question {len(times)} took {times[-1]:.0f} ms; "
                f"{1000 * budget.seconds:.0f} ms are allowed"
            )
        before = len(match.played)
        match = match.apply(seat, action)
        done += len(match.played) - before
    return Checked(done, len(times), sum(times) / len(times), max(times))
