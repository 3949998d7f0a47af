"""One person's match against computer players, saved after every action.

The saved file is an ordinary record with three remarks (seat, seed, player). There is no undo, and a killed
process loses nothing.
"""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from nousu.engine.actions import Action, Call, Show
from nousu.engine.encodings import BadText, decode
from nousu.engine.errors import BadRecord
from nousu.engine.game import View
from nousu.engine.match import Match
from nousu.engine.record import Record, read, write
from nousu.engine.seats import CHANCE, Seat, parse_seat, seat_name
from nousu.games import find, seats_of
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.players import DEFAULT_BUDGET, Choice, Interrupter, find_player, load_player
from nousu.players.seat_loop import SeatPlayers, deal_by_seed, derive_seed, next_choice, seeds, step_number

COMPANY = ("Aino", "Eero", "Kaisa", "Onni", "Helmi", "Väinö", "Lempi", "Toivo")
"""The names of the computer players."""


ADVISER = "expert"
"""The player that gives hints, whoever plays."""


def state_folder() -> Path:
    """The folder of saved matches: the XDG state directory (on Windows the local application data)."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "nousu"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "nousu"


def saved_path(preset: str, folder: Path | None = None) -> Path:
    """The file of the unfinished match under these rules."""
    return (folder or state_folder()) / (re.sub(r"[^A-Za-z0-9=+_-]", "_", preset) + ".nousu")


def latest_path(folder: Path | None = None) -> Path | None:
    """The file of the unfinished match that was saved last, if there is one."""
    files = list((folder or state_folder()).glob("*.nousu"))
    return max(files, key=lambda path: path.stat().st_mtime, default=None)


@dataclass(slots=True)
class TerminalMatch:
    """A match with a person at seat `me`; its whole state is in its file."""

    match: Match
    names: tuple[str, ...]
    me: Seat
    seed: int
    player: str
    preset: str
    """The rules as they were typed: ``tuppi+target=20``."""
    path: Path | None = None
    """The file; None if the match is not saved."""
    resumed: bool = False
    """Whether it was loaded from its file."""

    @classmethod
    def begin(
        cls,
        preset: str,
        name: str,
        player: str = "rules",
        seed: int = 1,
        seats: int = 0,
        path: Path | None = None,
    ) -> "TerminalMatch":
        """Start a new match; seats and first dealer are drawn, and the person draws first.

        Args:
            preset: The rules: ``tuppi+target=20``.
            name: The name of the person.
            player: The computer player at the other seats.
            seed: The seed of the draw, of all deals and of the computer players' choices.
            seats: The number of players; 0 is the usual number.
            path: The file to save in.

        Raises:
            BadRules: The rules are unknown.
            ValueError: The player or the number of seats is unknown.
            OSError: The file cannot be written.
        """
        game, rules = find(preset)
        load_player(player)
        count = seats_of(preset, seats)
        pack = list(game.deck)
        Random(derive_seed(seed, "draw")).shuffle(pack)
        match = Match.draw(game, rules, count, pack)
        assert match.seating is not None
        people = (name, *(other for other in COMPANY if other != name))[:count]
        at = dict(zip(match.seating.places, people, strict=True))
        names = tuple(at[seat] for seat in range(count))
        session = cls(match, names, match.seating.places[0], seed, player, preset, path)
        session.save()
        return session

    @classmethod
    def resume(cls, path: Path) -> "TerminalMatch":
        """Load a match from its file.

        Raises:
            BadRecord: The file is damaged.
            OSError: The file cannot be read.
        """
        try:
            text = decode(path.read_bytes())
        except BadText as error:
            raise BadRecord(error.line, "this is no UTF-8 text") from None
        record = read(text, find)
        remarks = dict(re.findall(r"^# (seat|seed|player) (\S+)$", text, re.M))
        try:
            me = parse_seat(remarks["seat"], record.match.seats)
            seed, player = int(remarks["seed"]), remarks["player"]
            load_player(player)
        except (KeyError, ValueError):
            raise BadRecord(2, "expected the remarks '# seat S', '# seed 1' and '# player rules'") from None
        game, rules = record.match.game, record.match.rules
        rules_text = game.name_of(rules, record.preset)
        return cls(record.match, record.names, me, seed, player, rules_text, path, resumed=True)

    def text(self) -> str:
        """The record with its remarks."""
        lines = write(Record(self.match, self.names, preset=self.preset.split("+")[0])).splitlines()
        seat = seat_name(self.me, self.match.seats)
        remarks = [f"# seat {seat}", f"# seed {self.seed}", f"# player {self.player}"]
        return "\n".join([lines[0], *remarks, *lines[1:]]) + "\n"

    def save(self) -> None:
        """Write the file in one step. A finished match moves into the folder ``finished``."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        part.write_text(self.text(), encoding="utf-8")
        if self.match.winner is None:
            os.replace(part, self.path)
            return
        done = self.finished_path()
        assert done is not None
        done.parent.mkdir(exist_ok=True)
        os.replace(part, done)
        self.path.unlink(missing_ok=True)

    def finished_path(self) -> Path | None:
        """The file of the match when it is over."""
        if self.path is None:
            return None
        return self.path.parent / "finished" / f"{self.path.stem}-{self.seed}.nousu"

    @property
    def company(self) -> SeatPlayers:
        """The computer players by seat, None at the person's seat."""
        player = load_player(self.player)
        return tuple(None if seat == self.me else player for seat in range(self.match.seats))

    def view(self) -> View:
        """The view of the person."""
        return self.match.hand.view(self.me)

    def voice(self, reader: Reader) -> Voice:
        """The voice that speaks of this table to the person."""
        return reader.voice_at(self.names, self.match.game.sides, self.me)

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.winner is not None

    def may_interrupt(self) -> bool:
        """Whether the person may speak out of turn."""
        hand = self.match.hand
        return not self.is_over() and self.me not in hand.owed() and bool(hand.legal(self.me))

    def advance(self) -> bool:
        """Do the next step that needs no choice of the person: deal, one computer player, turning up a bid.

        Returns:
            False if the person has to choose, or the match is over.
        """
        if self.is_over():
            return False
        legal = self.match.hand.legal(self.me)
        if self.match.hand.owed() == (CHANCE,):
            self.match = deal_by_seed(self.match, self.seed)
        else:
            choice = next_choice(self.match, self.company, seeds(self.match, self.seed))
            if choice is None:
                forced = self.me in self.match.hand.owed() and len(legal) == 1
                if not forced or not isinstance(legal[0], Show | Call):
                    return False
                choice = self.me, Choice(legal[0])
            self.match = self.match.apply(choice[0], choice[1].action)
            if self.is_over():
                self.save()
        return True

    def act(self, action: Action) -> None:
        """Apply an action of the person and save the match.

        Raises:
            IllegalAction: The rules forbid the action; nothing has changed.
        """
        self.match = self.match.apply(self.me, action)
        self.save()

    def advice(self) -> Choice | None:
        """The choice of the best computer player in the person's place, with its reason.

        Returns:
            None if that player would not speak out of turn, or there is nothing to do.
        """
        view, player = self.view(), find_player(ADVISER)
        seed = derive_seed(self.seed, "advice", step_number(self.match))
        if self.me in view.owed:
            return player.choose(view, DEFAULT_BUDGET, seed)
        if not view.legal or not isinstance(player, Interrupter):
            return None
        return player.interrupt(view, DEFAULT_BUDGET, seed)
