"""Line mode: every event is a sentence, every question a line.

It is for screen readers, pipes and slow connections: without colours, and no line is rendered twice. Input
is a card (``h9``), a word (``pass``), the number of a choice, or a command: ``? cards last score hint rules
quit``.
"""

from collections.abc import Callable
from typing import Literal

from nousu.engine.actions import Action, Call, Entry, Play
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import sentences
from nousu.terminal.choices import UnclearInput, choices, parse_input, possible_choices
from nousu.terminal.rulebook import rule_lines
from nousu.terminal.session import TerminalMatch
from nousu.terminal.text import (
    count_prompt,
    hand_sentence,
    hand_sentences,
    hint_sentence,
    outcome_sentence,
    prompt,
    result_lines,
    score_sentence,
    seating_lines,
    trick_sentence,
    word_choices,
)

Ask = Literal["card", "trick", "never"]
"""Occasions for asking a person who may speak out of turn: after every card, once a trick, or never."""


class PlayerLeft(Exception):
    """Raised when the person leaves the table; the match is saved."""


class LineMode:
    """Plays one person's match line by line."""

    def __init__(
        self,
        session: TerminalMatch,
        reader: Reader,
        read: Callable[[str], str],
        write: Callable[[str], None],
        ask: Ask = "trick",
    ) -> None:
        self.session, self.reader, self.read, self.write, self.ask = session, reader, read, write, ask
        self.say, self.voice = reader.say, session.voice(reader)
        self.printed = self.tricks = 0
        self.hands = len(session.match.played)
        self.polled: tuple[int, int] | None = None
        self.asked: Action | None = None
        """An action that the person has to confirm."""

    def play(self) -> None:
        """Play until the match ends.

        Raises:
            PlayerLeft: The person has left, or the input has ended.
        """
        for line in seating_lines(self.session, self.voice):
            self.write(line)
        self._catch_up()
        while not self.session.is_over():
            if self.session.may_interrupt() and self._due():
                self._interrupt()
            elif not self.session.advance():
                self._my_turn()
            self._report()
        self.write(outcome_sentence(self.session, self.voice))

    def _catch_up(self) -> None:
        """Print the score and the last events of a resumed match."""
        match = self.session.match
        view = self.session.view()
        if match.played or view.heard:
            self.write(self.say("Hand {number}.", number=match.hand.setup.number))
            self.write(score_sentence(match.tally.score(), self.voice))
        if view.heard:
            self.printed, self.tricks = len(view.heard), len(view.tricks)
            for line in hand_sentences(view, self.voice)[-match.seats :]:
                self.write(line)

    def _report(self) -> None:
        """Print all new events, also of a hand that has just ended."""
        match = self.session.match
        while self.hands < len(match.played):
            played = match.played[self.hands]
            self._events(played.hand.view(self.session.me))
            self.hands += 1
            self.printed = self.tricks = 0
            for line in result_lines(played, self.voice):
                self.write(line)
            if match.winner is None:
                self._prompt(self.say("Enter for the next hand: "))
        if match.winner is None:
            self._events(self.session.view())

    def _events(self, view: View) -> None:
        """Print the new events of a hand, and the winner of each complete trick."""
        closing: dict[int, int] = {}
        plays = [at for at, (_, action) in enumerate(view.heard) if isinstance(action, Play)]
        for number, trick in enumerate(view.tricks):
            taken = sum(len(before.plays) for before in view.tricks[:number])
            closing[plays[taken + len(trick.plays) - 1]] = number
        lines = hand_sentences(view, self.voice)
        for at in range(self.printed, len(lines)):
            self.write(lines[at])
            if closing.get(at, -1) >= self.tricks:
                self._trick(view)
        self.printed = len(lines)
        while self.tricks < len(view.tricks):  # completed by a player who left the hand
            self._trick(view)

    def _trick(self, view: View) -> None:
        """Print the winner of the next trick."""
        self.write(trick_sentence(view, self.tricks, self.voice))
        self.tricks += 1

    def _interrupt(self) -> None:
        """Ask the person to speak out of turn; an empty line continues play."""
        view = self.session.view()
        self.polled = self._moment()
        offered = choices(view)
        for line in word_choices(offered, self.voice):
            self.write("  " + line)
        while True:
            text = self._prompt(self.say("Speak, or Enter to go on: "))
            if not text:
                return
            if self._command(text):
                continue
            if self._do(text):
                return

    def _moment(self) -> tuple[int, int]:
        """The current occasion to speak: a trick, or a card where each card is one."""
        view = self.session.view()
        return len(view.tricks), len(view.trick) if self.ask == "card" else 0

    def _due(self) -> bool:
        """Whether to ask now: never for an action that can wait until the person's own turn."""
        view = self.session.view()
        if self.ask == "never" or view.legal == (Call("end"),):
            return False
        return self._moment() != self.polled

    def _my_turn(self) -> None:
        view = self.session.view()
        offered = choices(view)
        self.write(hand_sentence(view.cards, self.say))
        self.write(
            " ".join(part for part in (prompt(view, self.say), count_prompt(offered, self.say)) if part)
        )
        for line in word_choices(offered, self.voice):
            self.write("  " + line)
        while True:
            text = self._prompt("> ")
            if not text or self._command(text):
                continue
            if self._do(text):
                return

    def _do(self, text: str) -> bool:
        """Do the typed action; False if it is unclear or illegal."""
        view = self.session.view()
        try:
            action = parse_input(text, view, self.voice)
            if choices(view).is_far(action) and action != self.asked:
                self.asked = action
                choice = self.voice.choice(action)
                self.write(self.say("{choice}: once more to confirm.", choice=choice))
                return False
            self.session.act(action)
        except UnclearInput as error:
            self.write(str(error))
        except IllegalAction as error:
            self.write(self._refusal(error))
        else:
            self.asked = None
            return True
        self.asked = None
        return False

    def _refusal(self, error: IllegalAction) -> str:
        """The reason of a refusal, and the legal actions."""
        legal = possible_choices(self.session.view(), self.voice)
        possible = " " + self.say("Possible: {choices}.", choices=legal) if legal else ""
        return f"{self.reader.explanation(error.note)}.{possible}"

    def _prompt(self, text: str) -> str:
        try:
            typed = self.read(text).strip()
        except (EOFError, KeyboardInterrupt):
            typed = "quit"
        if typed.casefold() in ("quit", "q", "exit"):
            self.session.save()
            raise PlayerLeft
        return typed

    def _command(self, text: str) -> bool:
        """Answer a command; False if the text is none."""
        view = self.session.view()
        match text.casefold():
            case "?" | "rules" | "help":
                self.write(
                    self.say("Type a card (h9), a word or its number; cards, last, score, hint, quit.")
                )
                for line in rule_lines(self.session.match, self.session.preset, self.say):
                    self.write(line)
            case "cards":
                self.write(hand_sentence(view.cards, self.say))
            case "last":
                for trick in view.tricks[-1:]:
                    plays: list[Entry] = [(seat, Play(card)) for seat, card in trick.plays]
                    for line in sentences(self.voice, plays, [len(plays)]):
                        self.write(line)
            case "score":
                self.write(score_sentence(self.session.match.tally.score(), self.voice))
            case "hint" | "!":
                self.write(hint_sentence(self.session, self.voice))
            case _:
                return False
        return True
