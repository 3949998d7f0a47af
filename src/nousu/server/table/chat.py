"""Chat at a table as a value: lines, ready-made phrases, mutes, and the agreed signals of pairs.

The option ``table_talk`` of the rules decides (T-CAT-38, A-T-16). During a hand, *none* leaves ready-made
phrases that are about no cards, *agreed signals* adds the signals on the pair's card, which everybody can
read, and *free* allows any words. Between hands, before the match and after it people may write at every
table.

The chat is stored as events like all others. It makes no decision stale and moves no deadline
(`nousu.server.table.events.ASIDE`). A table holds the last `SHOWN` lines only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nousu.engine.game import Game
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.server.table import events
from nousu.server.table.seats import Place
from nousu.server.table.view import ChatLine, ChatView, SignalCard

SHOWN = 30
"""Number of lines that are shown; older ones are on disk alone."""
FACES = (
    *("reindeer", "bear", "owl", "fox", "grouse", "lynx"),
    *("seal", "hare", "salmon", "raven", "moose", "cat"),
)
"""Drawn faces that a person may choose: ids of the symbols in ``static/faces.svg``."""
REACTIONS: Mapping[str, str] = {
    "hello": sentence("Hello!"),
    "luck": sentence("Good luck!"),
    "played": sentence("Well played!"),
    "thanks": sentence("Thank you!"),
    "sorry": sentence("Sorry!"),
    "laugh": sentence("Ha ha!"),
    "cold": sentence("Brr, cold!"),
    "hot": sentence("That was hot!"),
    "moment": sentence("One moment, please."),
    "back": sentence("I am back."),
    "game": sentence("Good game!"),
    "more": sentence("One more match?"),
    "last": sentence("This is my last hand."),
    "bye": sentence("Goodbye!"),
}
"""Ready-made phrases for every table at any time; none is about cards. Readers read them in their
language."""
PICTURES: Mapping[str, str] = {"played": "mitten", "cold": "flake", "hot": "fire", "moment": "mug"}
"""Phrases that are shown as a picture: ids of the symbols in ``static/faces.svg``."""
GESTURES: Mapping[str, str] = {
    "strong": sentence("I am strong."),
    "weak": sentence("I am weak."),
    "lead": sentence("Let me have the lead."),
    "mine": sentence("Leave this trick to me."),
    "same": sentence("Lead that suit again."),
}
"""Agreed signals that are given by a tap during the hand."""
CONVENTIONS: Mapping[str, str] = {
    "low": sentence("A low card led: I hold a high card of that suit."),
    "top": sentence("A high card led: I hold nothing above it."),
    "like": sentence("My first discard shows the suit that I like."),
    "dislike": sentence("My first discard shows the suit that I do not like."),
    "even": sentence("A high card, then a low one: I hold an even number of that suit."),
}
"""Agreed signals that are given by the cards one plays."""
SIGNALS: Mapping[str, str] = {**CONVENTIONS, **GESTURES}
SENTENCES: Mapping[str, str] = {**REACTIONS, **GESTURES}
"""The phrases that a tap can say, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """The chat of one table."""

    allowed: str
    """Talk during a hand by the rules: ``none``, ``agreed_signals`` or ``free``."""
    lines: tuple[ChatLine, ...] = ()
    """The last lines of persons, the latest last."""
    count: int = 0
    """The number of all lines."""
    mutes: frozenset[tuple[str, str]] = frozenset()
    """Pairs of sessions: the first has muted the second."""
    signals: tuple[SignalCard, ...] = ()
    """The cards of the pairs, by side."""

    @classmethod
    def new(cls, game: Game, rules: Any) -> "Chat":
        """A chat without lines. Rules without the option leave it free in games without sides."""
        allowed = str(getattr(rules, "table_talk", "none" if game.sides else "free"))
        return cls(allowed=allowed, signals=(SignalCard(),) * game.sides)

    def may_write(self, resting: bool) -> bool:
        """Whether people may use words of their own; `resting`: no hand is played."""
        return self.allowed == "free" or resting

    def gestures(self, side: int | None, resting: bool) -> tuple[str, ...]:
        """The signals that a side may give by a tap: those on its card, while a hand is played."""
        if self.allowed != "agreed_signals" or resting or side is None:
            return ()
        return tuple(signal for signal in self.signals[side].signals if signal in GESTURES)

    def may_agree(self, side: int | None, resting: bool) -> bool:
        """Whether a side may change its card: signals are agreed on beforehand (T-CAT-38)."""
        return self.allowed == "agreed_signals" and resting and side is not None

    def after(
        self,
        what: events.ChatLineSaid | events.PersonMuted | events.ChatLineReported | events.SignalsAgreed,
        number: int,
        places: Sequence[Place],
        side: int | None,
    ) -> "Chat":
        """The chat after the event of that number, by the person of a place on that side."""
        person = places[what.place]
        match what:
            case events.ChatLineSaid(_, word, text):
                return self.with_line(ChatLine(number, person.session, person.name, word, text))
            case events.PersonMuted(_, whom, off):
                pair = {(person.owner, places[whom].owner)}
                return replace(self, mutes=self.mutes - pair if off else self.mutes | pair)
            case events.ChatLineReported(_, reported):
                lines = (
                    replace(line, reported=True) if line.number == reported else line for line in self.lines
                )
                return replace(self, lines=tuple(lines))
            case events.SignalsAgreed(_, signals, own):
                card = SignalCard(signals, own)
                cards = (card if at == side else old for at, old in enumerate(self.signals))
                return replace(self, signals=tuple(cards))

    def with_line(self, line: ChatLine) -> "Chat":
        """Add a line."""
        return replace(self, lines=(*self.lines, line)[-SHOWN:], count=self.count + 1)

    def view(
        self, session: str | None, seats: Sequence[str], seat: Seat | None, side: int | None, resting: bool
    ) -> ChatView:
        """The chat for the person of a session (None: a spectator).

        Args:
            session: Hash of their session's token.
            seats: The sessions by seat.
            seat: Their own seat.
            side: Their own side.
            resting: No hand is played.
        """
        muted = {other for by, other in self.mutes if by == session}
        lines = tuple(
            [
                replace(line, session=line.session if line.session == session else "")
                for line in self.lines
                if line.session not in muted
            ]
        )
        cards = self.signals if self.allowed == "agreed_signals" else ()
        if seat is None:
            return ChatView(lines=lines, cards=cards)
        return ChatView(
            lines=lines,
            cards=cards,
            muted=tuple([other in muted for other in seats]),
            mutable=tuple([bool(other) and other != session for other in seats]),
            writes=self.may_write(resting),
            gestures=self.gestures(side, resting),
            agrees=self.may_agree(side, resting),
        )
