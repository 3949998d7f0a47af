"""Line mode: every event is a sentence, every question a line. For screen readers, pipes and slow
connections. No colours, nothing is redrawn. You type cards (``h9``), words (``pass``), numbers of choices,
and the commands ``? cards last score hint rules quit``.
"""

from collections.abc import Callable
from typing import Literal

from nousu.engine.actions import Call, Entry, Play
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.i18n import Translate
from nousu.i18n.sentences import explained, sentences
from nousu.terminal.choices import Unclear, choices, understood
from nousu.terminal.rulebook import rule_lines
from nousu.terminal.session import Sitting
from nousu.terminal.text import (
    ending,
    hand_sentence,
    heard_sentences,
    hint,
    needed,
    prompt,
    result_lines,
    seating_lines,
    standing,
    trick_sentence,
    word_choices,
)

Ask = Literal["card", "trick", "never"]
"""How often somebody who may speak out of turn is asked: after every card, once a trick, or never."""


class Left(Exception):
    """The person has left the table; the match is saved."""


class Lines:
    """One person's match told and asked line by line."""

    def __init__(
        self,
        sitting: Sitting,
        say: Translate,
        read: Callable[[str], str],
        write: Callable[[str], None],
        ask: Ask = "trick",
    ) -> None:
        self.sitting, self.say, self.read, self.write, self.ask = sitting, say, read, write, ask
        self.voice = sitting.voice(say)
        self.printed = self.tricks = 0
        self.hands = len(sitting.match.played)
        self.polled: tuple[int, int] | None = None

    def play(self) -> None:
        """Until somebody has won; raises `Left` when the person leaves (or the input ends)."""
        for line in seating_lines(self.sitting, self.voice):
            self.write(line)
        self._catch_up()
        while not self.sitting.over():
            if self.sitting.may_interrupt() and self._due():
                self._interrupt()
            elif not self.sitting.advance():
                self._my_turn()
            self._report()
        self.write(ending(self.sitting, self.voice))

    def _catch_up(self) -> None:
        """Coming back: where things stand, without the whole story."""
        match = self.sitting.match
        view = self.sitting.view()
        if match.played or view.heard:
            self.write(self.say("Hand {number}.", number=match.hand.setup.number))
            self.write(standing(match.tally.score(), self.voice))
        if view.heard:
            self.printed, self.tricks = len(view.heard), len(view.tricks)
            for line in heard_sentences(view, self.voice)[-match.seats :]:
                self.write(line)

    def _report(self) -> None:
        """Everything that was not told yet, of a hand that has just ended too."""
        match = self.sitting.match
        while self.hands < len(match.played):
            played = match.played[self.hands]
            self._events(played.hand.view(self.sitting.me))
            self.hands += 1
            self.printed = self.tricks = 0
            for line in result_lines(played, self.voice):
                self.write(line)
            if match.winner is None:
                self._prompt(self.say("Enter for the next hand: "))
        if match.winner is None:
            self._events(self.sitting.view())

    def _events(self, view: View) -> None:
        """The events of a hand that were not told yet, each trick closed by who took it."""
        closing: dict[int, int] = {}
        plays = [at for at, (_, action) in enumerate(view.heard) if isinstance(action, Play)]
        for number, trick in enumerate(view.tricks):
            taken = sum(len(before.plays) for before in view.tricks[:number])
            closing[plays[taken + len(trick.plays) - 1]] = number
        lines = heard_sentences(view, self.voice)
        for at in range(self.printed, len(lines)):
            self.write(lines[at])
            if closing.get(at, -1) >= self.tricks:
                self._trick(view)
        self.printed = len(lines)
        while self.tricks < len(view.tricks):  # completed by somebody who left
            self._trick(view)

    def _trick(self, view: View) -> None:
        """Who took the next trick that was not told yet."""
        self.write(trick_sentence(view, self.tricks, self.voice))
        self.tricks += 1

    def _interrupt(self) -> None:
        """The person may speak out of turn; an empty line lets play go on."""
        view = self.sitting.view()
        self.polled = self._moment()
        found = choices(view)
        for line in word_choices(found.words, self.voice):
            self.write("  " + line)
        while True:
            text = self._prompt(self.say("Speak, or Enter to go on: "))
            if not text:
                return
            if self._command(text):
                continue
            if self._done(text):
                return

    def _moment(self) -> tuple[int, int]:
        """What counts as one occasion to speak."""
        view = self.sitting.view()
        return len(view.tricks), len(view.trick) if self.ask == "card" else 0

    def _due(self) -> bool:
        """Whether this is an occasion to ask: never for what can wait until one's own turn."""
        view = self.sitting.view()
        if self.ask == "never" or view.legal == (Call("end"),):
            return False
        return self._moment() != self.polled

    def _my_turn(self) -> None:
        view = self.sitting.view()
        found = choices(view)
        self.write(hand_sentence(view.cards, self.say))
        self.write(" ".join(part for part in (prompt(view, self.say), needed(found, self.say)) if part))
        for line in word_choices(found.words, self.voice):
            self.write("  " + line)
        while True:
            text = self._prompt("> ")
            if not text or self._command(text):
                continue
            if self._done(text):
                return

    def _done(self, text: str) -> bool:
        """Whether the typed words were a legal action, which is then done."""
        view = self.sitting.view()
        try:
            self.sitting.act(understood(text, view, self.voice))
        except Unclear as error:
            self.write(str(error))
        except IllegalAction as error:
            self.write(self._refused(error))
        else:
            return True
        return False

    def _refused(self, error: IllegalAction) -> str:
        """Why something is not allowed, and what is."""
        legal = ", ".join(self.voice.choice(action) for action in error.legal[:14])
        possible = " " + self.say("Possible: {choices}.", choices=legal) if legal else ""
        return f"{explained(error.note, self.say)}.{possible}"

    def _prompt(self, text: str) -> str:
        try:
            typed = self.read(text).strip()
        except (EOFError, KeyboardInterrupt):
            typed = "quit"
        if typed.casefold() in ("quit", "q", "exit"):
            self.sitting.save()
            raise Left
        return typed

    def _command(self, text: str) -> bool:
        """Whether the typed words were a command, which is then answered."""
        view = self.sitting.view()
        match text.casefold():
            case "?" | "rules" | "help":
                self.write(
                    self.say("Type a card (h9), a word or its number; cards, last, score, hint, quit.")
                )
                for line in rule_lines(self.sitting.match, self.sitting.preset, self.say):
                    self.write(line)
            case "cards":
                self.write(hand_sentence(view.cards, self.say))
            case "last":
                for trick in view.tricks[-1:]:
                    plays: list[Entry] = [(seat, Play(card)) for seat, card in trick.plays]
                    for line in sentences(self.voice, plays, [len(plays)]):
                        self.write(line)
            case "score":
                self.write(standing(self.sitting.match.tally.score(), self.voice))
            case "hint":
                self.write(hint(self.sitting, self.voice))
            case _:
                return False
        return True
