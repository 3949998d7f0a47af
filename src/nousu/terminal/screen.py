"""The table on a whole screen, played with arrow keys and Enter or with typed cards and words."""

from collections.abc import Callable, Iterator

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from nousu.engine.actions import Action
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.terminal.choices import Choices, UnclearInput, choices, parse_input
from nousu.terminal.drawing import QUESTION, REMARK, HandMarks, hand_text, status_lines, table_lines
from nousu.terminal.keys import KeySource, key_presses
from nousu.terminal.line_mode import PlayerLeft
from nousu.terminal.rulebook import rule_lines
from nousu.terminal.session import TerminalMatch
from nousu.terminal.text import (
    count_prompt,
    hand_sentences,
    hint_sentence,
    outcome_sentence,
    prompt,
    result_lines,
    seating_lines,
    trick_sentence,
    word_choices,
)

_EVENTS = 6
"""The number of recent events on the screen."""


class ScreenMode:
    """Plays one person's match on a whole screen."""

    def __init__(
        self,
        session: TerminalMatch,
        reader: Reader,
        pace: float = 0.8,
        keys: KeySource | None = None,
        console: Console | None = None,
    ) -> None:
        self.session, self.reader, self.say, self.pace = session, reader, reader.say, pace
        self.keys, self.console = keys, console or Console()
        self.voice = session.voice(reader)
        self.live: Live | None = None
        self.at = 0
        """The position of the cursor: cards of the hand first, then the words."""
        self.picked: frozenset[Card] = frozenset()
        self.typed = ""
        self.asked: Action | None = None
        """An action that the person has to confirm."""
        self.message = ""
        """The last refusal, hint or remark."""
        self.hands = len(session.match.played)

    def play(self) -> None:
        """Play until the match ends.

        Raises:
            PlayerLeft: The person has left, by Ctrl-C too.
        """
        try:
            if self.keys is not None:
                self._run(self.keys)
            else:
                with key_presses() as keys:
                    self._run(keys)
        except (KeyboardInterrupt, PlayerLeft):
            self.session.save()
            raise PlayerLeft from None

    def _run(self, keys: KeySource) -> None:
        with Live(console=self.console, screen=True, auto_refresh=False) as self.live:
            self._page(keys, "\n".join(seating_lines(self.session, self.voice)))
            while not self.session.is_over():
                if self.hands < len(self.session.match.played):
                    self._result(keys)
                elif self.session.advance():
                    self._watch(keys)
                else:
                    self._my_turn(keys)
            self._result(keys)
        self.console.print(outcome_sentence(self.session, self.voice))

    def _watch(self, keys: KeySource) -> None:
        """Show the last event for a moment, in which the person may speak out of turn."""
        if self.hands < len(self.session.match.played):
            return
        view = self.session.view()
        trick_done = bool(view.tricks) and not view.trick
        key: str | None = "resize"
        while key == "resize":
            self._render(view)
            key = keys.read(self.pace * (2 if trick_done else 1))
        if key in (None, "enter", " ") or self._general(str(key), keys):
            return  # Enter only shortens the pause, so that a surplus Enter never raises
        if self.session.may_interrupt():
            self._interrupt(str(key), keys)

    def _interrupt(self, key: str, keys: KeySource) -> None:
        """Let the person speak out of turn after a key was pressed."""
        view = self.session.view()
        self.at = len(view.cards)
        while True:
            self._render(view, asking=self.say("Speak out of turn? Escape: go on."))
            if key in ("escape", "end"):
                break
            if self._key(key, view, keys):
                break
            key = keys.read() or "escape"
        self._clear()

    def _my_turn(self, keys: KeySource) -> None:
        view = self.session.view()
        self._first_choice(view)
        while True:
            self._render(view, asking=prompt(view, self.say))
            key = keys.read() or "end"
            if self._general(key, keys):
                continue
            if self._key(key, view, keys):
                self._clear()
                return

    def _first_choice(self, view: View) -> None:
        """Put the cursor on the first usable card or word."""
        offered = choices(view)
        usable = set(offered.cards) | {card for cards in offered.sets for card in cards}
        self.at = next((at for at, card in enumerate(view.cards) if card in usable), len(view.cards))

    def _clear(self) -> None:
        self.picked, self.typed, self.message, self.asked = frozenset(), "", "", None

    def _general(self, key: str, keys: KeySource) -> bool:
        """Handle the keys that mean the same everywhere: rules, hint, leaving; False for other keys."""
        if key == "?":
            self._page(keys, "\n".join(filter(None, [self.message, *self._rules()])))
        elif key == "!":
            self.message = hint_sentence(self.session, self.voice)
        elif key == "end" or (key == "q" and not self.typed):
            raise PlayerLeft
        else:
            return False
        return True

    def _rules(self) -> Iterator[str]:
        yield from rule_lines(self.session.match, self.session.preset, self.say)

    def _key(self, key: str, view: View, keys: KeySource) -> bool:
        """Handle a key of a choice; True when an action was done."""
        words = choices(view).words
        items = len(view.cards) + len(words)
        if key in ("left", "right"):
            self.at = (self.at + (1 if key == "right" else -1)) % max(1, items)
        elif key in ("up", "down"):
            self.at = len(view.cards) if self.at < len(view.cards) and words else 0
        elif key == "back":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self._clear()
        elif key == " " and not self.typed:
            self._pick(view)
        elif key == "enter":
            return self._enter(view)
        elif len(key) == 1 and key.isprintable():
            self.typed += key
        return False

    def _pick(self, view: View) -> None:
        """Mark or unmark the card under the cursor for an exchange."""
        if self.at < len(view.cards):
            self.picked ^= {view.cards[self.at]}

    def _enter(self, view: View) -> bool:
        offered = choices(view)
        if self.typed:
            text, self.typed = self.typed, ""
            return self._try(lambda: self._confirm(parse_input(text, view, self.voice), offered))
        if offered.sets and self.at < len(view.cards):
            chosen = self.picked | ({view.cards[self.at]} if len(self.picked) < offered.size else set())
            if len(chosen) < offered.size:
                self.picked = chosen
                self.message = count_prompt(offered, self.say)
                return False
            return self._try(lambda: parse_input(" ".join(map(str, chosen)), view, self.voice))
        if self.at < len(view.cards):
            card = view.cards[self.at]
            return self._try(lambda: parse_input(str(card), view, self.voice))
        if offered.words:
            word = offered.words[min(self.at - len(view.cards), len(offered.words) - 1)]
            return self._try(lambda: self._confirm(word, offered))
        return False

    def _confirm(self, action: Action, offered: Choices) -> Action:
        """The action; one that may cost much has to be chosen twice."""
        if offered.is_far(action) and action != self.asked:
            self.asked = action
            choice = self.voice.choice(action)
            raise UnclearInput(self.say("{choice}: once more to confirm.", choice=choice))
        return action

    def _try(self, action: Callable[[], Action]) -> bool:
        try:
            self.session.act(action())
        except UnclearInput as error:
            self.message = str(error)
        except IllegalAction as error:
            self.message = self.reader.explanation(error.note)
        else:
            return True
        return False

    def _render(self, view: View, asking: str = "") -> None:
        assert self.live is not None
        self.live.update(self._table(view, asking), refresh=True)

    def _table(self, view: View, asking: str = "") -> RenderableType:
        """The whole screen of a moment."""
        number, name = self.session.match.hand.setup.number, preset_name(self.session.preset, self.say)
        title = f"{name} · " + self.say("Hand {number}", number=number)
        head = [Text(title, style="bold"), *status_lines(view, self.voice), Text("")]
        head += [*table_lines(view, self.voice, self.reader.language, self.console.width - 1), Text("")]
        sentences = hand_sentences(view, self.voice)
        if view.tricks and not view.trick:
            sentences.append(trick_sentence(view, len(view.tricks) - 1, self.voice))
        foot = self._foot(view, asking)
        return Group(*self._fit_rows(head, [Text("  " + line, style="dim") for line in sentences], foot))

    def _fit_rows(self, head: list[Text], events: list[Text], foot: list[Text]) -> Iterator[Text]:
        """The rows of the screen: head, as many events as fit, and the foot, which is always visible."""
        room = self.console.height - self._lines(head) - self._lines(foot)
        if room < 0:  # a small window has no empty lines
            head = [row for row in head if row.plain.strip()]
            room = self.console.height - self._lines(head) - self._lines(foot)
        shown: list[Text] = []
        for event in reversed(events[-_EVENTS:]):
            if self._lines([event, *shown]) > min(room - 1, _EVENTS):
                break
            shown.insert(0, event)
        empty = min(room, _EVENTS + 1) - self._lines(shown)
        yield from (*head, *shown, *[Text("")] * empty, *foot)

    def _lines(self, rows: list[Text]) -> int:
        """The number of screen lines that these rows take."""
        return sum(max(1, len(row.wrap(self.console, self.console.width))) for row in rows)

    def _foot(self, view: View, asking: str) -> list[Text]:
        """The hand, the words, the question, the last remark, the keys."""
        offered = choices(view)
        usable = frozenset(offered.cards) | {card for cards in offered.sets for card in cards}
        mine = bool(asking)
        at = view.cards[self.at] if mine and self.at < len(view.cards) else None
        marked = HandMarks(at, self.picked, usable if mine else frozenset())
        keys = self.say("arrows and Enter, or type h9; space marks, ? rules, ! hint, q leave")
        return [
            hand_text(view.cards, marked, self.reader.language),
            self._words(view) if mine else Text(""),
            Text(f"> {self.typed}" if self.typed else asking, style=QUESTION),
            Text(self.message, style=REMARK),
            Text(keys, style="dim"),
        ]

    def _words(self, view: View) -> Text:
        offered = choices(view)
        words, labels = offered.words, word_choices(offered, self.voice)
        if offered.numbers:
            pick = self.at - len(view.cards)
            chosen = self.voice.choice(words[pick]) if 0 <= pick < len(words) else ""
            return Text.assemble(" ".join(f"[{label}]" for label in labels), "  ", (chosen, "reverse"))
        line = Text(" ")
        for at, word in enumerate(labels):
            line.append(f" {word} ", style="reverse" if self.at == len(view.cards) + at else "")
            line.append("  ")
        return line

    def _result(self, keys: KeySource) -> None:
        """Show the end of each finished hand, and its points."""
        while self.hands < len(self.session.match.played):
            played = self.session.match.played[self.hands]
            self.hands += 1
            picture = [*self._finished(played.hand.view(self.session.me)), Text("")]
            rows = [Text(line, style="bold") for line in result_lines(played, self.voice)]
            if self.session.is_over() and self.hands == len(self.session.match.played):
                rows.append(Text(outcome_sentence(self.session, self.voice), style=QUESTION))
            rows.append(Text(self.say("Enter to go on"), style="dim"))
            key: str | None = "resize"
            while key not in ("enter", " "):
                if key in ("end", "q", None):
                    raise PlayerLeft
                fits = self._lines([*picture, *rows]) <= self.console.height  # the reasons matter more
                assert self.live is not None
                self.live.update(Group(*(picture if fits else ()), *rows), refresh=True)
                key = keys.read()

    def _finished(self, view: View) -> Iterator[Text]:
        yield Text(self.say("Hand {number}", number=view.setup.number), style="bold")
        yield from status_lines(view, self.voice)
        yield Text("")
        yield from table_lines(view, self.voice, self.reader.language, self.console.width - 1)

    def _page(self, keys: KeySource, text: str) -> None:
        """Show a long text, screen by screen."""
        assert self.live is not None
        share = 0.0  # of the text that has been read
        while True:
            width, tall = max(20, self.console.width - 2), max(4, self.console.height - 2)
            lines = [
                part
                for line in text.splitlines()
                for part in (Text(line).wrap(self.console, width) or [Text("")])
            ]
            start = round(share * len(lines))
            foot = Text(self.say("Enter to go on, Escape to go back"), style="dim")
            self.live.update(Group(*lines[start : start + tall], foot), refresh=True)
            key = keys.read()
            if key in ("escape", "q", "end", None):
                return
            if key != "resize":
                share = (start + tall) / max(1, len(lines))
                if share >= 1:
                    return
