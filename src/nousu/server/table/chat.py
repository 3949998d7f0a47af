"""What was said at a table, as a value: what may be said when, who does not read whom, what pairs agreed on.

The option ``table_talk`` of the rules decides (T-CAT-38, A-T-16). While a hand is played, *none* leaves ready
words that are about no cards, *agreed signals* adds those on the pair's card, which everybody can read, and
*free* allows any words. Between hands, before the match and after it people may write at every table.

Talk is an event like all others, so that nothing of it is lost and every server process has it. It makes
nobody's decision stale and moves no deadline (`nousu.server.table.events.ASIDE`), and a table keeps the
last `KEPT` lines only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nousu.engine.game import Game
from nousu.engine.seats import Seat
from nousu.server.table.events import Agreed, Muted, Reported, Said
from nousu.server.table.phrases import GESTURES
from nousu.server.table.seats import Place
from nousu.server.table.view import Line, SignalCard, TalkSeen

KEPT = 30
"""Lines that are shown; older ones are on disk alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The talk of one table."""

    allowed: str
    """What the rules say of talk during a hand: ``none``, ``agreed_signals`` or ``free``."""
    lines: tuple[Line, ...] = ()
    """What was said last, by persons, the latest last."""
    count: int = 0
    """How much was said ever."""
    mutes: frozenset[tuple[str, str]] = frozenset()
    """Who does not want to read whom, by session."""
    signals: tuple[SignalCard, ...] = ()
    """What the pairs have agreed on, by side."""

    @classmethod
    def new(cls, game: Game, rules: Any) -> "Talk":
        """Nothing was said yet. Rules that say nothing of talk leave it free where everybody plays alone."""
        allowed = str(getattr(rules, "table_talk", "none" if game.sides else "free"))
        return cls(allowed=allowed, signals=(SignalCard(),) * game.sides)

    def writes(self, resting: bool) -> bool:
        """Whether people may use words of their own; `resting`: no hand is played."""
        return self.allowed == "free" or resting

    def gestures(self, side: int | None, resting: bool) -> tuple[str, ...]:
        """The signals that a side may give by a tap: those on its card, while a hand is played."""
        if self.allowed != "agreed_signals" or resting or side is None:
            return ()
        return tuple(one for one in self.signals[side].signals if one in GESTURES)

    def agrees(self, side: int | None, resting: bool) -> bool:
        """Whether a side may change its card: signals are agreed on beforehand (T-CAT-38)."""
        return self.allowed == "agreed_signals" and resting and side is not None

    def after(
        self, what: Said | Muted | Reported | Agreed, number: int, places: Sequence[Place], side: int | None
    ) -> "Talk":
        """After an event of that number, by the person of one of the places, who plays for that side."""
        who = places[what.place]
        match what:
            case Said(_, word, text):
                return self.said(Line(number, who.session, who.name, word, text))
            case Muted(_, whom, off):
                return self.muted(who.whose, places[whom].whose, off)
            case Reported(_, said):
                return self.reported(said)
            case Agreed(_, signals, own):
                return self.agreed(side, SignalCard(signals, own))

    def said(self, line: Line) -> "Talk":
        """With one more line."""
        return replace(self, lines=(*self.lines, line)[-KEPT:], count=self.count + 1)

    def muted(self, by: str, whom: str, off: bool) -> "Talk":
        """After one person has stopped, or begun again, to read another."""
        pair = {(by, whom)}
        return replace(self, mutes=self.mutes - pair if off else self.mutes | pair)

    def reported(self, number: int) -> "Talk":
        """With the line of that number marked as shown to the host."""
        lines = (replace(one, reported=True) if one.number == number else one for one in self.lines)
        return replace(self, lines=tuple(lines))

    def agreed(self, side: int | None, card: SignalCard) -> "Talk":
        """With another card of that side."""
        cards = (card if at == side else one for at, one in enumerate(self.signals))
        return replace(self, signals=tuple(cards))

    def seen(
        self, session: str | None, seats: Sequence[str], seat: Seat | None, side: int | None, resting: bool
    ) -> TalkSeen:
        """What the person of a session may read and say; `seats` are the sessions by seat, `seat` and `side`
        the person's own (None: a spectator)."""
        silent = {other for by, other in self.mutes if by == session}
        lines = tuple(
            [
                replace(one, session=one.session if one.session == session else "")
                for one in self.lines
                if one.session not in silent
            ]
        )
        cards = self.signals if self.allowed == "agreed_signals" else ()
        if seat is None:
            return TalkSeen(lines=lines, cards=cards)
        return TalkSeen(
            lines=lines,
            cards=cards,
            muted=tuple([one in silent for one in seats]),
            mutable=tuple([bool(one) and one != session for one in seats]),
            writes=self.writes(resting),
            gestures=self.gestures(side, resting),
            agrees=self.agrees(side, resting),
        )
