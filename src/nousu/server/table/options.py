"""Options of a table beside the rules of its game."""

from collections.abc import Mapping
from dataclasses import dataclass

from nousu.engine.seats import Seat
from nousu.server.errors import RequestError
from nousu.server.table.branch_point import BranchPoint

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "seats": ("drawn", "chosen"),
    "public": ("no", "yes"),
    "learning": ("no", "yes"),
    "undo": ("no", "yes"),
    "clock": ("off", "relaxed", "quick"),
}
"""Options of a request with their values, the default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """Options of a table; `parse` and `format` convert them to the mapping of texts in requests and rows."""

    pace: float | None = None
    """Seconds a computer player takes for a card, and a bid card lies before the next is turned up; None: the
    server's pace."""
    window: float | None = None
    """Seconds after each action in which interrupts are waited for; None: as the game says."""
    chosen: bool = False
    """True if people choose their seats; else seats are drawn as the rules say."""
    public: bool = False
    """True if strangers find the table on the start page while places are open."""
    learning: bool = False
    """True if people at the table may ask for hints."""
    undo: bool = False
    """True if people may take a mis-click back, if nobody has acted on it and the others agree."""
    clock: str = ""
    """The pace of the clock: ``relaxed``, ``quick``; empty: no clock."""
    dealer: Seat | None = None
    """The first dealer, where the match before decides it."""
    evening: tuple[int, ...] = ()
    """Matches won before on this evening, by place."""
    branch: BranchPoint | None = None
    """The moment of another table's hand from which a person plays on; such a table counts for nothing."""
    event: str = ""
    """The tournament that seats people here, and the table's address in it
    (`nousu.server.tournament.online`)."""

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> "TableOptions":
        """The options of a stored mapping. Raises `RequestError` for seconds out of range."""
        clock = texts.get("clock", "")
        return cls(
            pace=_parse_seconds(texts, "pace"),
            window=_parse_seconds(texts, "window"),
            chosen=texts.get("seats") == "chosen",
            public=texts.get("public") == "yes",
            learning=texts.get("learning") == "yes",
            undo=texts.get("undo") == "yes",
            clock="" if clock == "off" else clock,
            dealer=int(texts["dealer"]) if "dealer" in texts else None,
            evening=tuple(map(int, texts.get("evening", "").split())),
            branch=BranchPoint.parse(texts["position"]) if "position" in texts else None,
            event=texts.get("event", ""),
        )

    @classmethod
    def parse_request(cls, texts: Mapping[str, str]) -> "TableOptions":
        """The options a person or program asks for. Raises `RequestError` for an unknown option or value."""
        unknown = sorted(set(texts) - {"window", "pace", *_CHOICES})
        if unknown:
            raise RequestError(
                "A table has no option {word}; it has window, pace, seats, public, learning, undo and clock.",
                {"word": unknown[0]},
            )
        for name, values in _CHOICES.items():
            if texts.get(name, values[0]) not in values:
                raise RequestError(
                    "{text} is not allowed; write {values}",
                    {"text": f"{name}={texts[name]}"[:60], "values": " / ".join(values)},
                )
        return cls.parse(texts)

    def check_preset(self, preset: str) -> None:
        """Raise `RequestError` for an option that the rules of that name exclude."""
        if self.undo and "tournament" in preset.partition("+")[0]:
            raise RequestError("Nothing can be taken back under tournament rules.")

    def format(self) -> dict[str, str]:
        """The mapping that `parse` reads, without defaults."""
        texts = {
            "seats": "chosen" if self.chosen else "",
            "public": "yes" if self.public else "",
            "learning": "yes" if self.learning else "",
            "undo": "yes" if self.undo else "",
            "clock": self.clock,
            "dealer": "" if self.dealer is None else str(self.dealer),
            "evening": " ".join(map(str, self.evening)),
            "pace": _format_seconds(self.pace),
            "window": _format_seconds(self.window),
            "position": "" if self.branch is None else self.branch.format(),
            "event": self.event,
        }
        return {name: text for name, text in texts.items() if text}


def _parse_seconds(texts: Mapping[str, str], name: str) -> float | None:
    """An option in seconds, from 0 to 60."""
    text = texts.get(name, "")
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise RequestError("{text} is not allowed; write seconds from 0 to 60", {"text": f"{name}={text}"})
    return seconds


def _format_seconds(seconds: float | None) -> str:
    return "" if seconds is None else repr(seconds).removesuffix(".0")
