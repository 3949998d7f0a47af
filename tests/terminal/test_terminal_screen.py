"""Whole-screen mode: matches by keys alone, the table of each family, real keys in a pty."""

import io
import os
import re
import signal
import sys
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from nousu.engine.actions import Call, Give
from nousu.engine.cards import parse_hand
from nousu.games import games
from nousu.i18n.names import preset_name
from nousu.i18n.reader import Reader
from nousu.terminal import screen
from nousu.terminal.choices import cards_in, choices
from nousu.terminal.drawing import HandMarks, hand_text, status_lines, table_lines
from nousu.terminal.keys import key_presses
from nousu.terminal.line_mode import PlayerLeft
from nousu.terminal.screen import ScreenMode
from nousu.terminal.session import TerminalMatch
from nousu.terminal.whist import hill

READER = Reader.of("en")
SAY = READER.say


class Fingers:
    """Presses keys: goes on where it is asked to, chooses at random with arrows and Enter or by typing."""

    def __init__(self, session: TerminalMatch, seed: int = 1, most: int = 100_000) -> None:
        self.session, self.rng, self.left = session, Random(seed), most
        self.queue: list[str] = []
        self.screen: ScreenMode | None = None

    def read(self, seconds: float | None = None) -> str | None:
        """The next key; now and then one out of turn."""
        self.left -= 1
        if self.left < 0:
            return "end"
        if seconds is not None:
            interrupts = self.session.may_interrupt() and self.rng.random() < 0.1
            return self.rng.choice(["down", "r", "escape"]) if interrupts else None
        if self.queue:
            return self.queue.pop(0)
        hand = self.session.match.hand
        if self.session.me not in hand.owed():
            return self.rng.choice(["enter", "escape"])
        return self._choose()

    def _choose(self) -> str:
        view = self.session.view()
        action = self.rng.choice(view.legal)
        words = choices(view).words
        assert self.screen is not None
        if action not in words and len(cards_in(action)) == 1 and self.rng.random() < 0.5:
            steps = (view.cards.index(cards_in(action)[0]) - self.screen.at) % (len(view.cards) + len(words))
            self.queue = [*["right"] * steps, "enter"]
        elif action in words and not (isinstance(action, Call) and action.word.isdecimal()):
            steps = (len(view.cards) + words.index(action) - self.screen.at) % (len(view.cards) + len(words))
            self.queue = [*["right"] * steps, "enter"]
        elif action in words:
            self.queue = [*str(action), "enter"]
        else:
            self.queue = [*" ".join(str(card).lower() for card in cards_in(action)), "enter"]
        return self.queue.pop(0)


def screens_of_match(
    preset: str, seats: int = 0, seed: int = 1, most: int = 100_000
) -> tuple[str, TerminalMatch]:
    """Everything that was ever on the screen in a match."""
    session = TerminalMatch.begin(preset, "Maija", "random", seed, seats)
    fingers = Fingers(session, seed, most)
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=40, color_system="standard")
    screen = ScreenMode(session, READER, 0.0, fingers, console)
    fingers.screen = screen
    try:
        screen.play()
    except PlayerLeft:
        assert most < 100_000
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue()), session


@pytest.mark.parametrize(("preset", "seats"), [("tuppi", 0), ("tuppen_zk", 4), ("toepen", 3)])
def test_screen_plays_a_whole_match_by_keys(preset: str, seats: int) -> None:
    text, session = screens_of_match(preset, seats)
    assert session.is_over()
    assert text.rstrip().endswith("wins the match.")
    for played in session.match.played:
        assert all(f"({note.clause})" in text for note in played.result.notes)


@pytest.mark.parametrize("preset", [preset for game in games().values() for preset in game.presets])
def test_screen_shows_every_preset(preset: str) -> None:
    text, _ = screens_of_match(preset, most=60)
    assert f"{preset_name(preset, SAY)} · Hand 1" in text and "{" not in text and "None" not in text


def test_screen_resumes_a_match(tmp_path: Path) -> None:
    path = tmp_path / "tuppi.nousu"
    session = TerminalMatch.begin("tuppi", "Maija", "random", 3, path=path)
    fingers = Fingers(session, most=60)
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=40)
    fingers.screen = screen = ScreenMode(session, READER, 0.0, fingers, console)
    with pytest.raises(PlayerLeft):
        screen.play()
    assert TerminalMatch.resume(path).match == session.match


def waiting(preset: str, seed: int = 3) -> TerminalMatch:
    """A match at the first moment the person has to choose."""
    session = TerminalMatch.begin(preset, "Maija", "random", seed)
    while session.advance():
        pass
    return session


class Script:
    """Presses these keys and then leaves."""

    def __init__(self, *keys: str) -> None:
        self.keys = list(keys)

    def read(self, seconds: float | None = None) -> str | None:
        if seconds is not None:
            return None
        return self.keys.pop(0) if self.keys else "end"


def screened(session: TerminalMatch, *keys: str) -> str:
    """Contents of the screen while these keys were pressed."""
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=40)
    screen = ScreenMode(session, READER, 0.0, Script("enter", *keys), console)
    with pytest.raises(PlayerLeft):
        screen.play()
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())


def test_screen_explains_an_illegal_card() -> None:
    session = waiting("tuppi")
    assert "(T-CAT-14)" in screened(session, "s", "a", "enter")
    assert "xyz means nothing here." in screened(session, "x", "y", "z", "enter")
    assert "> h" in screened(session, "h", "9", "back", "escape")


def test_keys_for_rules_and_hints() -> None:
    text = screened(waiting("tuppi"), "?", "enter", "!")
    assert "T-WIK-05" in text
    text = screened(TerminalMatch.begin("tuppi", "Maija", "rules", 3), "!")
    assert "I would choose: " in text


def test_space_bar_marks_several_cards() -> None:
    for seed in range(300):
        session = TerminalMatch.begin("huutopussi", "Maija", "random", seed)
        rng = Random(seed)
        for _ in range(30):
            if not session.advance():
                if isinstance(session.view().legal[0], Give):
                    break
                session.act(rng.choice(session.view().legal))
        if isinstance((session.view().legal or (None,))[0], Give):
            break
    before = session.view().cards
    text = screened(session, "enter", "right", " ", "right", " ", "enter")
    assert "Name 3 cards." in text
    given = next(a for by, a in reversed(session.view().heard) if by == session.me and isinstance(a, Give))
    assert given.cards == before[:3]


class Impatient:
    """Presses Enter whenever it is looked at, and Ctrl-C after this many keys."""

    def __init__(self, most: int) -> None:
        self.left = most

    def read(self, seconds: float | None = None) -> str | None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return "enter"


def test_surplus_enter_raises_nothing_and_an_interrupt_leaves() -> None:
    """Who hits Enter while others play never speaks out of turn by it; on turn it plays the first card."""
    session = TerminalMatch.begin("tuppen_zk", "Maija", "random", 8)
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=40)
    with pytest.raises(PlayerLeft):
        ScreenMode(session, READER, 0.0, Impatient(60), console).play()
    logs = [*(played.hand.log for played in session.match.played), session.match.hand.log]
    mine = [action for log in logs for by, action in log if by == session.me]
    assert mine and Call("raise") not in mine


def test_hill_has_one_marker() -> None:
    flat = hill(None, 0, 52, 0, SAY).plain
    assert flat == "Us 52 " + "─" * 20 + "●" + "─" * 20 + " 52 Them"
    ours, theirs = hill(0, 26, 52, 0, SAY).plain, hill(0, 26, 52, 1, SAY).plain
    assert ours.index("●") == 6 + 10 and "We are rising with 26" in ours
    assert theirs.index("●") == 6 + 30 and "They are rising with 26" in theirs
    assert hill(1, 56, 52, 1, SAY).plain.index("●") == 6


def test_hand_is_sorted_and_corners_follow_the_language() -> None:
    cards = parse_hand("C:Q2 S:AT H:J")
    assert hand_text(cards, HandMarks(), "en").plain.split() == ["♠A", "♠10", "♥J", "♣Q", "♣2"]
    assert hand_text(cards, HandMarks(), "sv").plain.split() == ["♠E", "♠10", "♥Kn", "♣D", "♣2"]


def test_dice_of_tuppen() -> None:
    session = waiting("tuppen_zk")
    lines = [line.plain for line in table_lines(session.view(), session.voice(READER), "en")]
    assert len(lines) == 4 and all("⚀ 7" in line for line in lines)
    assert lines[-1].startswith("Maija")
    assert next(iter(status_lines(session.view(), session.voice(READER)))).plain == "Stake 1"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a POSIX thing")
def test_keys_of_a_pty_have_names() -> None:
    from nousu.terminal.keys import PosixKeys

    reading, writing = os.pipe()
    try:
        os.write(writing, b"\x1b[C\x1b[Ah9\r\x7f\x1b\x04")
        keys = PosixKeys(reading)
        got = [keys.read(1) for _ in range(8)]
        assert got == ["right", "up", "h", "9", "enter", "back", "escape", "end"]
        assert keys.read(0.01) is None
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a POSIX thing")
def test_terminal_mode_is_restored(tmp_path: Path) -> None:
    """The command in a pseudo-terminal: draw, leave with q, come back."""
    import pty
    import select
    import subprocess
    import termios
    import time

    root = Path(__file__).parent.parent.parent
    environment = os.environ | {
        "XDG_STATE_HOME": str(tmp_path),
        "PYTHONPATH": str(root / "src"),
        "TERM": "xterm-256color",
        "LANG": "en_GB.UTF-8",
    }
    main = "from nousu.cli import main; main()"
    for arguments in (["tuppi", "--seed", "3", "--name", "Maija", "--pace", "0"], []):
        master, slave = pty.openpty()
        before = termios.tcgetattr(slave)
        command = [sys.executable, "-c", main, "play", *arguments]
        process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
        seen, until = "", time.monotonic() + 40
        key_presses = 0
        while process.poll() is None and time.monotonic() < until:
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536).decode(errors="ignore")
            if key_presses == 0 and "Enter to go on" in seen:
                os.write(master, b"\r")
                key_presses = 1
            elif key_presses == 1 and "arrows and Enter" in seen and "Lay a card" in seen:
                os.write(master, b"q")
                key_presses = 2
        assert process.poll() == 0, seen[-500:]
        while select.select([master], [], [], 0.2)[0]:
            seen += os.read(master, 65536).decode(errors="ignore")
        assert "Maija" in seen and "The match is saved" in seen
        assert termios.tcgetattr(slave)[3] == before[3]
        os.close(master)
        os.close(slave)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (((part + 0.055) / 1.055) ** 2.4 if part > 0.03928 else part / 12.92 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_are_legible_on_a_dark_and_on_a_light_background() -> None:
    """Contrast 4.5 to 1 with black and with white; other text has the terminal's own colour."""
    folder = Path(screen.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    colours = set(re.findall(r"#[0-9a-f]{6}", source))
    assert len(colours) >= 4
    for colour in colours:
        light = _luminance(colour)
        assert min((light + 0.05) / 0.05, 1.05 / (light + 0.05)) >= 4.5, colour
    names = r"(red|green|yellow|blue|magenta|cyan|white|black)"
    assert not re.findall(rf"[\"'][a-z ]*\b(?:bright_)?{names}\b[a-z ]*[\"'](?!\s*:)", source)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_keys_tell_of_a_window_with_another_size(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    with open(slave) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with key_presses() as keys:
            os.kill(os.getpid(), signal.SIGWINCH)
            assert keys.read(5) == "resize"
            os.write(master, b"q")
            assert keys.read(5) == "q"
            assert keys.read(0.01) is None
    os.close(master)


def test_screen_is_rendered_anew_in_a_window_of_another_size() -> None:
    """At every wait: a page of text, the table, the result of a hand."""
    session = TerminalMatch.begin("tuppi", "Maija", "random", 1)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)

    class Resizing(Fingers):
        """Tells of another size before each key."""

        told = False

        def read(self, seconds: float | None = None) -> str | None:
            self.told = not self.told
            if self.told:
                console.size = (60, 20) if console.width == 80 else (80, 24)
                return "resize"
            return super().read(seconds)

    keys = Resizing(session)
    keys.screen = ScreenMode(session, READER, 0, keys, console)
    keys.screen.play()
    assert session.is_over()
