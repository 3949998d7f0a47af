"""The table on a whole screen, played with arrow keys and Enter or with typed cards and words."""

from collections.abc import Callable, Iterator

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from nousu.engine.actions import Action
from nousu.engine.cards import Card
from nousu.engine.errors import IllegalAction
from nousu.engine.game import View
from nousu.i18n import Translate
from nousu.i18n.names import preset_name
from nousu.i18n.sentences import explained
from nousu.terminal.choices import Unclear, choices, understood
from nousu.terminal.drawing import Marked, hand_text, status_lines, table_lines
from nousu.terminal.keys import Keys, pressed
from nousu.terminal.line_mode import Left
from nousu.terminal.rulebook import rule_lines
from nousu.terminal.session import Sitting
from nousu.terminal.text import (
    ending,
    heard_sentences,
    hint,
    needed,
    prompt,
    result_lines,
    seating_lines,
    trick_sentence,
    word_choices,
)

_EVENTS = 6
"""How many of the last events stay in sight."""


class Screen:
    """One person's match drawn on the screen."""

    def __init__(
        self,
        sitting: Sitting,
        say: Translate,
        language: str,
        pace: float = 0.8,
        keys: Keys | None = None,
        console: Console | None = None,
    ) -> None:
        self.sitting, self.say, self.language, self.pace = sitting, say, language, pace
        self.keys, self.console = keys, console or Console()
        self.voice = sitting.voice(say)
        self.live: Live | None = None
        self.at = 0
        """The cursor: cards of the hand first, then the words."""
        self.picked: frozenset[Card] = frozenset()
        self.typed = ""
        self.said = ""
        """The last refusal, hint or remark."""
        self.hands = len(sitting.match.played)

    def play(self) -> None:
        """Until somebody has won; raises `Left` when the person leaves, by Ctrl-C too."""
        try:
            if self.keys is not None:
                self._run(self.keys)
            else:
                with pressed() as keys:
                    self._run(keys)
        except (KeyboardInterrupt, Left):
            self.sitting.save()
            raise Left from None

    def _run(self, keys: Keys) -> None:
        with Live(console=self.console, screen=True, auto_refresh=False) as self.live:
            self._page(keys, "\n".join(seating_lines(self.sitting, self.voice)))
            while not self.sitting.over():
                if self.hands < len(self.sitting.match.played):
                    self._result(keys)
                elif self.sitting.advance():
                    self._watch(keys)
                else:
                    self._my_turn(keys)
            self._result(keys)
        self.console.print(ending(self.sitting, self.voice))

    def _watch(self, keys: Keys) -> None:
        """Show what happened for a moment; who may speak out of turn can do so meanwhile."""
        if self.hands < len(self.sitting.match.played):
            return
        view = self.sitting.view()
        trick_done = bool(view.tricks) and not view.trick
        self._draw(view)
        key = keys.read(self.pace * (2 if trick_done else 1))
        if key in (None, "enter", " ") or self._general(str(key), keys):
            return  # Enter only shortens the pause: nobody raises by pressing it too often
        if self.sitting.may_interrupt():
            self._interrupt(str(key), keys)

    def _interrupt(self, key: str, keys: Keys) -> None:
        """A key pressed while others are waited for: the person speaks."""
        view = self.sitting.view()
        self.at = len(view.cards)
        while True:
            self._draw(view, asking=self.say("Speak out of turn? Escape: go on."))
            if key in ("escape", "end"):
                break
            if self._key(key, view, keys):
                break
            key = keys.read() or "escape"
        self._clear()

    def _my_turn(self, keys: Keys) -> None:
        view = self.sitting.view()
        self._first_choice(view)
        while True:
            self._draw(view, asking=prompt(view, self.say))
            key = keys.read() or "end"
            if self._general(key, keys):
                continue
            if self._key(key, view, keys):
                self._clear()
                return

    def _first_choice(self, view: View) -> None:
        """The cursor starts on the first card (or word) that may be used."""
        found = choices(view)
        usable = set(found.cards) | {card for cards in found.sets for card in cards}
        self.at = next((at for at, card in enumerate(view.cards) if card in usable), len(view.cards))

    def _clear(self) -> None:
        self.picked, self.typed, self.said = frozenset(), "", ""

    def _general(self, key: str, keys: Keys) -> bool:
        """Keys that mean the same everywhere: rules, hint, leaving."""
        if key == "?":
            self._page(keys, "\n".join(filter(None, [self.said, *self._rules()])))
        elif key == "!":
            self.said = hint(self.sitting, self.voice)
        elif key == "end" or (key == "q" and not self.typed):
            raise Left
        else:
            return False
        return True

    def _rules(self) -> Iterator[str]:
        yield from rule_lines(self.sitting.match, self.sitting.preset, self.say)

    def _key(self, key: str, view: View, keys: Keys) -> bool:
        """One key of choosing; True when something was done."""
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
        found = choices(view)
        if self.typed:
            text, self.typed = self.typed, ""
            return self._try(lambda: understood(text, view, self.voice))
        if found.sets and self.at < len(view.cards):
            chosen = self.picked | ({view.cards[self.at]} if len(self.picked) < found.size else set())
            if len(chosen) < found.size:
                self.picked = chosen
                self.said = needed(found, self.say)
                return False
            return self._try(lambda: understood(" ".join(map(str, chosen)), view, self.voice))
        if self.at < len(view.cards):
            card = view.cards[self.at]
            return self._try(lambda: understood(str(card), view, self.voice))
        if found.words:
            word = found.words[min(self.at - len(view.cards), len(found.words) - 1)]
            return self._try(lambda: word)
        return False

    def _try(self, action: Callable[[], Action]) -> bool:
        try:
            self.sitting.act(action())
        except Unclear as error:
            self.said = str(error)
        except IllegalAction as error:
            self.said = explained(error.note, self.say)
        else:
            return True
        return False

    # ---- pages

    def _draw(self, view: View, asking: str = "") -> None:
        assert self.live is not None
        self.live.update(self._table(view, asking), refresh=True)

    def _table(self, view: View, asking: str = "") -> RenderableType:
        """The whole picture of a moment."""
        number, name = self.sitting.match.hand.setup.number, preset_name(self.sitting.preset, self.say)
        title = f"{name} · " + self.say("Hand {number}", number=number)
        head = [Text(title, style="bold"), *status_lines(view, self.voice), Text("")]
        head += [*table_lines(view, self.voice, self.language, self.console.width - 1), Text("")]
        sentences = heard_sentences(view, self.voice)
        if view.tricks and not view.trick:
            sentences.append(trick_sentence(view, len(view.tricks) - 1, self.voice))
        foot = self._foot(view, asking)
        return Group(*self._fitted(head, [Text("  " + line, style="dim") for line in sentences], foot))

    def _fitted(self, head: list[Text], events: list[Text], foot: list[Text]) -> Iterator[Text]:
        """As many of the last events as the screen has room for; the question below is always in sight."""
        room = self.console.height - self._lines(head) - self._lines(foot)
        if room < 0:  # a small window: no line is empty
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
        """How many lines of the screen these take."""
        return sum(max(1, len(row.wrap(self.console, self.console.width))) for row in rows)

    def _foot(self, view: View, asking: str) -> list[Text]:
        """The own hand, the words, the question, the last remark, the keys."""
        found = choices(view)
        usable = frozenset(found.cards) | {card for cards in found.sets for card in cards}
        mine = bool(asking)
        at = view.cards[self.at] if mine and self.at < len(view.cards) else None
        marked = Marked(at, self.picked, usable if mine else frozenset())
        keys = self.say("arrows and Enter, or type h9; space marks, ? rules, ! hint, q leave")
        return [
            hand_text(view.cards, marked, self.language),
            self._words(view) if mine else Text(""),
            Text(f"> {self.typed}" if self.typed else asking, style="bold bright_cyan"),
            Text(self.said, style="yellow"),
            Text(keys, style="dim"),
        ]

    def _words(self, view: View) -> Text:
        words = choices(view).words
        labels = word_choices(words, self.voice)
        if len(labels) < len(words):
            pick = self.at - len(view.cards)
            chosen = self.voice.choice(words[pick]) if 0 <= pick < len(words) else ""
            return Text.assemble(" ".join(f"[{one}]" for one in labels), "  ", (chosen, "reverse"))
        line = Text(" ")
        for at, word in enumerate(labels):
            line.append(f" {word} ", style="reverse" if self.at == len(view.cards) + at else "")
            line.append("  ")
        return line

    def _result(self, keys: Keys) -> None:
        """The last picture of each finished hand, and what it was worth."""
        while self.hands < len(self.sitting.match.played):
            played = self.sitting.match.played[self.hands]
            self.hands += 1
            picture = [*self._finished(played.hand.view(self.sitting.me)), Text("")]
            rows = [Text(line, style="bold") for line in result_lines(played, self.voice)]
            if self.sitting.over() and self.hands == len(self.sitting.match.played):
                rows.append(Text(ending(self.sitting, self.voice), style="bold bright_cyan"))
            rows.append(Text(self.say("Enter to go on"), style="dim"))
            if self._lines([*picture, *rows]) <= self.console.height:  # the reasons matter more
                rows = [*picture, *rows]
            assert self.live is not None
            self.live.update(Group(*rows), refresh=True)
            while (key := keys.read()) not in ("enter", " "):
                if key in ("end", "q", None):
                    raise Left

    def _finished(self, view: View) -> Iterator[Text]:
        yield Text(self.say("Hand {number}", number=view.setup.number), style="bold")
        yield from status_lines(view, self.voice)
        yield Text("")
        yield from table_lines(view, self.voice, self.language, self.console.width - 1)

    def _page(self, keys: Keys, text: str) -> None:
        """A long text, screen by screen."""
        assert self.live is not None
        width = max(20, self.console.width - 2)
        lines = [
            part
            for line in text.splitlines()
            for part in (Text(line).wrap(self.console, width) or [Text("")])
        ]
        tall = max(4, self.console.height - 2)
        for start in range(0, max(1, len(lines)), tall):
            foot = Text(self.say("Enter to go on, Escape to go back"), style="dim")
            self.live.update(Group(*lines[start : start + tall], foot), refresh=True)
            if keys.read() in ("escape", "q", "end", None):
                return
