"""A second copy of a tournament file, on a memory stick or another disk, updated with every entry.

Also the rescue of damaged files.
"""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from nousu.engine.messages import Note
from nousu.tournament.log_file import Body, LogFile, read_bytes_up_to, seal, unseal, without_foreign_marks
from nousu.tournament.messages import Refusal


def follow(source: Path, folder: Path) -> Note | None:
    """Bring the copy of `source` in `folder` up to date.

    Return what went wrong, if anything did: the entry itself is stored all the same. A file there with
    other contents is left as it is.
    """
    copy = folder / source.name
    values: dict[str, int | str] = {"path": str(copy)}
    try:
        if copy.exists() and source.exists() and os.path.samefile(copy, source):
            return Note("", "the copy {path} would be the file itself; choose another folder", values)
        data = source.read_bytes()
        with open(copy, "r+b" if copy.exists() else "x+b") as file:
            have = file.read()
            if not data.startswith(have):
                return Note("", "the copy {path} holds something else and was left as it is", values)
            file.write(data[len(have) :])
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        values["reason"] = error.strerror or str(error)
        return Note("", "the copy {path} could not be written: {reason}", values)
    return None


@dataclass(frozen=True, slots=True)
class Salvage:
    """The rest of a damaged file that was saved."""

    saved: int
    """Lines that are as they were written, those mended included."""
    mended: tuple[int, ...]
    """Lines in which one changed byte was found and put right: their seal proves it."""
    lost: tuple[tuple[int, str], ...]
    """Lines that cannot be proved: number and text, for entering anew by hand."""
    source: Path
    foreign: bool = False
    """Whether line ends, a mark or an encoding of another program were undone."""


def salvage(damaged: Path, to: Path, others: tuple[Path, ...] = ()) -> Salvage:
    """Make a new file of the rest of a damaged one, and of copies of it.

    The file with the most proven lines is taken. `Refusal` if nothing can be saved or the new file exists
    already.
    """
    best: tuple[tuple[Body, ...], Salvage] | None = None
    for path in (damaged, *others):
        data = LogFile(path).data()
        for text in dict.fromkeys((data, without_foreign_marks(data))):
            events, notice = _proven(path, text)
            if best is None or len(events) > len(best[0]):
                best = events, replace(notice, foreign=text != data)
    assert best is not None
    events, notice = best
    if not events:
        raise Refusal("nothing can be recovered from {path}", values={"path": str(damaged)})
    file = LogFile(to)
    file.create(events[0])
    with file.writing() as writer:
        for event in events[1:]:
            writer.add(event)
    return notice


def _proven(path: Path, data: bytes) -> tuple[tuple[Body, ...], Salvage]:
    """The events of a file that its seals prove, one changed byte a line put right where that is enough."""
    mended: list[int] = []
    while True:
        log, damage = read_bytes_up_to(data)
        if damage is None:
            lost: tuple[tuple[int, str], ...] = ()
            if log.torn:
                lost = ((len(log.events) + 1, log.torn.decode("utf-8", "replace")),)
            return log.events, Salvage(len(log.events), tuple(mended), lost, path)
        lines = data.split(b"\n")
        at = damage.line - 1
        after = lines[at + 1] if at + 1 < len(lines) else b""
        right = _mend(log.head, lines[at], after)
        if right is None:
            lost = tuple(
                (number, line.decode("utf-8", "replace"))
                for number, line in enumerate(lines[at:], damage.line)
                if line
            )
            return log.events, Salvage(len(log.events), tuple(mended), lost, path)
        mended.append(damage.line)
        data = b"\n".join([*lines[:at], right, *lines[at + 1 :]])


def _mend(head: str, line: bytes, after: bytes) -> bytes | None:
    """The line as it was, if a single changed byte explains its state.

    Either its own seal or that of the line after it proves which.
    """
    for whole in (line, line[:-1]):
        body = _body(whole)
        if body is not None:
            sealed, own = seal(head, body)
            if unseal(own, after) is not None:
                return sealed[:-1]  # a byte of the seal, or next to it, was changed
    start = len(b'{"hash":"') + 64 + len(b'",')
    seed = hashlib.sha256(head.encode())
    named = line[9 : 9 + 64]
    for at in range(start, len(line)):
        before = seed.copy()
        before.update(line[start:at])
        rest = line[at + 1 :]
        for byte in range(256):
            tried = before.copy()
            tried.update(bytes((byte,)) + rest)
            if tried.hexdigest().encode() == named:
                return line[:at] + bytes((byte,)) + rest
    return None


def _body(line: bytes) -> Body | None:
    """The event behind the seal of a line, even if the seal is wrong."""
    start = len(b'{"hash":"') + 64 + len(b'",')
    try:
        body = json.loads(b"{" + line[start:])
    except ValueError:
        return None
    return body if isinstance(body, dict) else None
