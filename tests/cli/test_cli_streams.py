"""Streams of the command: every command writes every letter in every encoding, and reads what is piped in."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from nousu.cli import main

ENCODINGS = ["cp1252", "cp1250", "ascii", "utf-8"]
NAMES = ["Áŋŋel Čálliid", "Łukasz Żak", "Jürgen Groß", "Κώστας", "Uwe"]


class Output(io.BytesIO):
    """The bytes of a stream that stay readable after the command."""

    def close(self) -> None:
        """Keep what was written."""


def command(
    monkeypatch: pytest.MonkeyPatch, encoding: str, *words: str, data: bytes = b"", chosen: bool = True
) -> tuple[int, bytes, str]:
    """Run the command with redirected streams of an encoding; exit code, output, errors."""
    out, err = Output(), Output()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["nousu", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding=encoding))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding=encoding))
        if chosen:
            patch.setenv("PYTHONIOENCODING", encoding)
        else:
            patch.delenv("PYTHONIOENCODING", raising=False)
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    shown = encoding if chosen and encoding != "ascii" else "utf-8"
    return code, out.getvalue(), err.getvalue().decode(shown)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUSU_BY", "Čálliid")
    for name in ("NOUSU_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NOUSU_COPY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


BEGIN = (
    "new e.nousu -o series=1 -o games=1",
    "players e.nousu Uwe Inge Kai",
    "draw e.nousu --seed x",
)
STEPS = """
new e.nousu --name Žakin★ilta -o series=1 -o games=1
players e.nousu NAMES
players e.nousu
draw e.nousu --seed Żubr
plan e.nousu
standings e.nousu
standings e.nousu --csv
standings e.nousu --json
table e.nousu 1.1
log e.nousu
log e.nousu --json
print e.nousu plan -o plan.pdf
export e.nousu --to e.csv
verify e.nousu
players e.nousu --strike Nobody
"""


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_tournament_commands_write_every_name(
    encoding: str, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in STEPS.split("\n")[1:-1]:
        words = [word for each in line.split() for word in (NAMES if each == "NAMES" else [each])]
        language = "en" if words[0] in ("new", "draw", "plan") else "fi"
        code, out, err = command(monkeypatch, encoding, "tournament", "--lang", language, *words)
        assert "Traceback" not in err
        assert code == (1 if "Nobody" in words else 0), (words, err)
        if "--json" in words:
            assert "Łukasz Żak" in json.dumps(json.loads(out.decode(encoding)), ensure_ascii=False)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_other_commands_write_every_sign(
    encoding: str, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(monkeypatch, encoding, "simulate", "tuppi", "--hands", "1", "--seed", "3", "--records", ".")
    record = Path("tuppi-3-0001.nousu")
    text = record.read_text("utf-8").replace("rules | rules", "Čálliid | Łukasz", 1)
    record.write_text(text, "utf-8")
    for words in (
        ["--help"],
        ["presets"],
        ["presets", "--json"],
        ["clauses"],
        ["presets", "tuppi"],
        ["replay", str(record)],
        ["replay", str(record), "--json"],
        ["export", str(record), "--pbn"],
        ["solve", str(record), "--leader", "all", "--json"],
        ["review", str(record), "--seat", "N", "--quick", "--lang", "sv"],
        ["review", "missing-Ł.nousu"],
        ["play", "--plain", "--seed", "1", "--pace", "0", "--name", "Łukasz"],
        ["doctor", "--database", "Ł.db", "--port", "8397"],
    ):
        monkeypatch.setenv("XDG_STATE_HOME", str(evening))
        code, out, err = command(monkeypatch, encoding, *words)
        assert "Traceback" not in err, words
        out.decode("utf-8" if encoding == "ascii" else encoding)  # Click makes UTF-8 of ASCII
        if "--json" in words and words[0] != "solve":
            json.loads(out.decode(encoding))
        assert code != 0 or out, words


def test_redirected_output_is_utf_8_unless_chosen(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, "cp1252", "tournament", "new", "e.nousu", chosen=False)
    code, out, _ = command(
        monkeypatch, "cp1252", "tournament", "players", "e.nousu", *NAMES, "--json", chosen=False
    )
    assert code == 0
    assert "Łukasz Żak" in out.decode("utf-8")
    _, out, _ = command(monkeypatch, "cp1252", "tournament", "players", "e.nousu", "--json")
    assert b"\\u0141ukasz" in out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_piped_input_and_saved_settings_may_have_a_mark(
    encoding: str, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = ["tournament", "--lang", "en"]
    for line in BEGIN:
        command(monkeypatch, "cp1252", *event, *line.split())
    command(monkeypatch, "cp1252", *event, "plan", "e.nousu")
    data = "1.1 abc\r\n".encode(encoding)
    code, out, err = command(monkeypatch, "cp1252", *event, "enter", "e.nousu", data=data)
    assert (code, b"Stored 1.1" in out) == (0, True), err
    Path("nousu.toml").write_bytes('public = "https://cards.example"\r\n'.encode(encoding))
    words = ["doctor", "--config", "nousu.toml", "--database", "x.db", "--port", "8399"]
    _, out, _ = command(monkeypatch, "cp1252", *words)
    assert out.startswith(b"ok")
    data = "N:AK... QJ... T9... 87...\r\n".encode(encoding)
    assert command(monkeypatch, "cp1252", "solve", "-", data=data)[:2] == (0, f"1,2{os.linesep}".encode())


def test_line_that_is_no_text_stops_no_other_slip(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = ["tournament", "--lang", "en"]
    for line in BEGIN:
        command(monkeypatch, "utf-8", *event, *line.split())
    command(monkeypatch, "utf-8", *event, "plan", "e.nousu")
    code, out, err = command(
        monkeypatch, "utf-8", *event, "enter", "e.nousu", data=b"1.1 \xff\xfe\n1.1 abc\n"
    )
    assert code == 1
    assert "line 1" in err
    assert b"Stored 1.1" in out


@pytest.mark.parametrize("name", ["missing.x", "folder", "wrong.bin", "wrong.txt"])
def test_wrong_file_is_named_as_it_was_typed(
    evening: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (evening / "folder").mkdir()
    (evening / "wrong.bin").write_bytes(bytes(range(256)) * 4)
    (evening / "wrong.txt").write_text("this is a letter to my aunt\n")
    for line in (
        "replay F",
        "export F --pbn",
        "review F",
        "verify F",
        "solve F",
        "simulate tuppi --hands 1 --deals F",
        "leaderboard F",
        "doctor --config F --database x.db",
        "restore F --database new.db",
        "tournament new n.nousu --from F",
        "tournament verify F",
        "tournament standings F",
        "tournament salvage F --to s.nousu",
        "tournament log F",
    ):
        words = [name if word == "F" else word for word in line.split()]
        code, out, err = command(monkeypatch, "utf-8", *words)
        assert code != 0, words
        assert name in (err or out.decode()), words
        assert "Traceback" not in err


def test_pbn_commands_say_what_they_cannot_do(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = "N:AK32.QJ4.T98.K52 QJT9.AK5.432.A43 8765.T98.AKQ.QJT 4.7632.J765.9876"
    text = f'[Board "1"]\n[Deal ""]\n\n[Board "2"]\n[West "M\xf8ller"]\n[Deal "{deal}"]\n'
    Path("d.pbn").write_bytes(text.encode("latin-1"))
    for words in (["review"], ["export", "--pbn"], ["verify"], ["replay", "--seat", "N"]):
        code, _, err = command(monkeypatch, "utf-8", *words[:1], "d.pbn", *words[1:])
        assert code != 0
        assert "d.pbn: " in err and "PBN file" in err
    for words in (["replay"], ["solve"]):
        code, out, err = command(monkeypatch, "utf-8", *words, "d.pbn")
        assert (code, err) == (0, "nousu: d.pbn: line 2: board 1 has no deal and is left out\n")
        assert out
