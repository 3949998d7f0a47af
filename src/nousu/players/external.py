"""Players that are programs of their own, in any language: one line of JSON in, one line out.

A program is started once and then asked for every choice. Each question is one line on its standard input
with the knowledge of its seat (``docs/research/players.md``); the answer is one line on its standard output,
``{"id":
7, "action": "play SA"}``. Its standard error is passed on. End of input means that it is no longer needed.
"""

import atexit
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import asdict
from random import Random
from time import monotonic, perf_counter
from typing import IO, Any, Final, NamedTuple

from nousu.engine.actions import Action, parse_action
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.messages import Note
from nousu.engine.record import entry_text
from nousu.engine.seats import CHANCE, seat_name
from nousu.games import find
from nousu.players import Budget, Choice

PROTOCOL: Final = 1
GRACE: Final = 5.0
"""Seconds beyond its budget after which a program counts as silent (starting up included)."""
_LONGEST: Final = 1 << 20
"""Greatest number of bytes of a line; a longer one is no answer, and its end is not awaited."""


class PlayerFailed(ValueError):
    """A program without a usable answer; the message says what was wrong and what would be right."""


def question(view: View, budget: Budget, seed: int, number: int) -> dict[str, Any]:
    """The question to a program for one choice, in plain JSON values; cards and actions as in records."""
    seats = len(view.counts)
    open_question = view.question
    return {
        "protocol": PROTOCOL,
        "id": number,
        "game": view.game,
        "rules": {name: _plain(value) for name, value in asdict(view.rules).items()},
        "seat": view.seat,
        "seats": [seat_name(seat, seats) for seat in range(seats)],
        "dealer": view.setup.dealer,
        "hand": view.setup.number,
        "score": _plain(view.setup.tally.plain()),
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
        if open_question is None
        else {
            "topic": open_question.topic,
            "to": list(open_question.to),
            "by": open_question.by,
            "answers": [[seat, str(action)] for seat, action in open_question.answers],
        },
        "facts": view.facts.plain(),
        "heard": [entry_text(entry, seats) for entry in view.heard],
        "owed": list(view.owed),
        "legal": [str(action) for action in view.legal],
        "seconds": budget.seconds,
        "seed": seed,
    }


def _plain(value: Any) -> Any:
    """Nested values in JSON's types."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


class _Output(threading.Thread):
    """The output of a program, line by line; an empty line is its end."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.lines: queue.Queue[str] = queue.Queue(100)
        self.rest = b""
        """The line that is not ended yet."""
        self._stream = stream

    def run(self) -> None:
        """Read until the program ends."""
        with self._stream as stream:
            while chunk := os.read(stream.fileno(), 1 << 16):
                *whole, self.rest = (self.rest + chunk).split(b"\n")
                if len(self.rest) > _LONGEST:
                    whole, self.rest = [*whole, self.rest], b""
                for line in whole:
                    if line.strip():
                        self.lines.put(line.decode("utf-8", "replace"))
        self.lines.put("")

    def drain(self) -> None:
        """Throw away the unread output of a program that has ended.

        Processes that it has left behind and that hold its output open are not waited for.
        """
        deadline = monotonic() + 1
        while self.is_alive() and monotonic() < deadline:
            with suppress(queue.Empty):
                self.lines.get(timeout=0.01)


class ExternalPlayer:
    """The player behind a command; started with the first question, and again after it has failed."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._output: _Output | None = None
        self._number = 0

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        """The choice of the program; `PlayerFailed` if it gives none in time, or an illegal one."""
        try:
            return self._asked(view, budget, seed)
        except PlayerFailed:
            self.close()
            raise

    def _asked(self, view: View, budget: Budget, seed: int) -> Choice:
        process, output = self._running()
        self._number += 1
        line_out = json.dumps(question(view, budget, seed, self._number))
        assert process.stdin is not None
        with suppress(OSError):  # if it has ended, its last lines tell more
            process.stdin.write(line_out.encode() + b"\n")
            process.stdin.flush()
        wait = budget.seconds + GRACE
        try:
            line = output.lines.get(timeout=wait)
        except queue.Empty:
            if process.poll() is not None:  # another program it has started holds its output open
                raise self._ended(process) from None
            printed = output.rest.decode("utf-8", "replace")[:80]
            hint = f"; it printed {printed!r} but did not end the line" if printed else ""
            raise self._failed(
                f"no answer to question {self._number} within {wait:g} seconds{hint}"
            ) from None
        if line == "":
            raise self._ended(process)
        return self._choice(self._reply(line), view)

    def _ended(self, process: "subprocess.Popen[bytes]") -> PlayerFailed:
        """The error for a program whose output has ended."""
        try:
            code = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return self._failed(f"it closed its output without answering question {self._number}")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return self._failed(
            f"it ended ({how}) without answering question {self._number}; "
            "answer with one line and flush the output"
        )

    def _running(self) -> tuple["subprocess.Popen[bytes]", _Output]:
        if self._process is None or self._output is None:
            try:
                words = shlex.split(self.command)
            except ValueError:
                raise self._failed("a quotation mark is missing") from None
            if not words:
                raise PlayerFailed("no command is written, as it is in cmd:./bot.py or player-check ./bot.py")
            try:
                self._process = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C is for the arena; a program learns by the end of input
                )
            except OSError as error:
                raise self._failed(f"it cannot be started: {error.strerror or error}") from None
            assert self._process.stdout is not None
            self._output = _Output(self._process.stdout)
            self._output.start()
            atexit.register(self.close)
        return self._process, self._output

    def _reply(self, line: str) -> dict[str, Any]:
        shown = line.strip()[:80]
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise self._failed(
                f"{shown!r} is not JSON; print nothing but answers to standard output"
            ) from None
        if not isinstance(reply, dict) or not isinstance(reply.get("action"), str) or "id" not in reply:
            raise self._failed(
                f'{shown!r} must be an object like {{"id": {self._number}, "action": "play SA"}}'
            )
        number = reply["id"] if type(reply["id"]) is int else 0
        if 0 < number < self._number:
            raise self._failed(f"{shown!r}: question {number} has been answered; print one line for each")
        if number != self._number:
            raise self._failed(f"{shown!r}: id must repeat the id of the question, the number {self._number}")
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
        process, output = self._process, self._output
        self._process = self._output = None
        if process is None or output is None:
            return
        atexit.unregister(self.close)
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
        output.drain()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End a program that does not listen, and its children, where the system knows process groups."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class ProgramReport(NamedTuple):
    """The figures of a program that has played all seats."""

    hands: int
    choices: int
    mean: float
    """Milliseconds a choice."""
    slowest: float


def check_program(player: ExternalPlayer, game: str, seats: int, hands: int, budget: Budget) -> ProgramReport:
    """Let a program play all seats of some hands.

    Args:
        player: The program.
        game: Rules as ``preset+option=value``.
        seats: Number of seats.
        hands: Number of hands.
        budget: The limit of each choice but the first.

    Raises:
        PlayerFailed: The first fault of the program.
        ValueError: These rules are not for so many players.
    """
    family, rules = find(game)
    family.check_seats(game, seats)
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
    return ProgramReport(done, len(times), sum(times) / len(times), max(times))
