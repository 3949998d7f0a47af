"""The log file of a tournament: one line per event, each line sealed together with all lines before it.

A line reads ``{"hash":"<64 hex digits>",<the event>}``; the hash is SHA-256 over the previous line's hash and
the event's bytes. A changed byte anywhere breaks its line. A line is acknowledged only after it is on the
disk (fsync); a last line that a crash cut short was never acknowledged and is set aside in a file of its own
beside the log.
"""

import codecs
import contextlib
import errno
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.messages import Damaged, Refusal

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

GENESIS = hashlib.sha256(b"nousu tournament log 1").hexdigest()
"""The head to which the first line is chained."""

MOST_BYTES = 4 << 20
"""Greatest number of bytes of a log; 600 people who play ten rounds take less than half of it."""

_OPEN, _CLOSE = b'{"hash":"', b'",'
_BODY = len(_OPEN) + 64 + len(_CLOSE)

Body = Mapping[str, Any]


class ForeignMarks(Damaged):
    """A log whose line ends or first bytes another program has changed; its lines are whole."""

    @property
    def notice(self) -> Note:
        """The notice for a reader of the log."""
        return self.note


@dataclass(frozen=True, slots=True)
class Log:
    """A log as read: the events in order, the hash of the last line, the rest of a crash behind it."""

    events: tuple[Body, ...] = ()
    head: str = GENESIS
    torn: bytes = b""
    """The beginning of a line that was never acknowledged; empty as a rule."""
    unended: bool = False
    """Whether the last line lacks only its end, after a crash one byte too early. It counts."""

    @property
    def short(self) -> str:
        """The head as people compare it."""
        return self.head[:12]


def seal(previous: str, body: Body) -> tuple[bytes, str]:
    """The line (with its end) for an event after the line with hash `previous`, and its own hash."""
    rest = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()[1:]
    digest = hashlib.sha256(previous.encode() + rest).hexdigest()
    return _OPEN + digest.encode() + _CLOSE + rest + b"\n", digest


def unseal(previous: str, line: bytes) -> tuple[Body, str] | None:
    """The event of a line without its end, and its hash; None if a byte was changed."""
    digest = hashlib.sha256(previous.encode() + line[_BODY:]).hexdigest()
    if line[:_BODY] != _OPEN + digest.encode() + _CLOSE:
        return None
    body = json.loads(b"{" + line[_BODY:])
    return (body, digest) if isinstance(body, dict) else None


def seal_all(events: Iterable[Body]) -> bytes:
    """The log of these events, byte for byte."""
    lines, head = [], GENESIS
    for event in events:
        line, head = seal(head, event)
        lines.append(line)
    return b"".join(lines)


def joined_lines(lines: Iterable[str]) -> bytes:
    """The log of these lines, which come without their ends."""
    return "".join(line + "\n" for line in lines).encode()


def heads(events: Iterable[Body]) -> tuple[str, ...]:
    """The hash after each event."""
    hashes, head = [], GENESIS
    for event in events:
        _, head = seal(head, event)
        hashes.append(head)
    return tuple(hashes)


def read(data: bytes) -> Log:
    """The log in `data`. `Damaged` names the first line with a changed byte."""
    log, damage = read_up_to(data)
    if damage is not None:
        raise damage
    return log


def read_up_to(data: bytes) -> tuple[Log, Damaged | None]:
    """The log in `data` up to the first line with a changed byte, and the damage there, if any.

    Other line ends, a mark at the beginning and another encoding are wrong too, but every line is read.
    """
    log, damage = read_bytes_up_to(data)
    if (damage is None and not log.torn) or (plain := without_foreign_marks(data)) == data:
        return log, damage
    whole, _ = read_bytes_up_to(plain)
    if len(whole.events) <= len(log.events):
        return log, damage
    message = sentence(
        "another program has changed the line ends of this file or put a mark before it; every line is "
        "readable, and nousu tournament salvage undoes it"
    )
    return whole, ForeignMarks(len(log.events) + 1, message)


def without_foreign_marks(data: bytes) -> bytes:
    """The bytes of a log without the marks of editors, mail and Git for Windows.

    No line of a log holds a byte order mark or a carriage return of its own, or a space at its ends.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with contextlib.suppress(UnicodeDecodeError):
            data = data.decode("utf-16").encode()
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = b"\n".join(line.strip(b" \t") for line in data.split(b"\n"))
    return re.sub(rb"\n\n+", b"\n", data.lstrip(b"\n"))


def read_bytes_up_to(data: bytes, begin: bytes = b"", known: Log | None = None) -> tuple[Log, Damaged | None]:
    """Read the bytes as they are; `begin` is known to be the whole log `known`."""
    events: list[Body] = [] if known is None else [*known.events]
    head = GENESIS if known is None else known.head
    *lines, tail = data[len(begin) :].split(b"\n")
    for number, line in enumerate(lines, len(events) + 1):
        opened = unseal(head, line)
        if opened is None:
            message = sentence("this line is not as it was written; restore the file from a copy")
            return Log(tuple(events), head), Damaged(number, message)
        event, head = opened
        events.append(event)
    if len(tail) <= _BODY:
        return Log(tuple(events), head, tail), None
    if (whole := unseal(head, tail)) is not None:
        return Log((*events, whole[0]), whole[1], unended=True), None
    if unseal(head, tail[:-1]) is not None:
        message = sentence("the end of this line is not as it was written; restore it from a copy")
        return Log(tuple(events), head), Damaged(len(events) + 1, message)
    return Log(tuple(events), head, tail), None


class LogFile:
    """A log on disk. Reading needs no lock; writing takes one, so several people may enter at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[bytes, Log] | None = None
        """The bytes that were read or written last, and their log."""

    def read(self) -> Log:
        """The log as it stands. `Refusal` if there is no such file, `Damaged` if a byte is changed."""
        log, damage = self.read_up_to(self.data())
        if damage is not None:
            raise damage
        return log

    def read_up_to(self, data: bytes) -> tuple[Log, Damaged | None]:
        """Read like the function of that name; lines that were read before are only compared."""
        known = self._known
        if known is not None and data.startswith(known[0]):
            log, damage = read_bytes_up_to(data, *known)
            if damage is None and not log.torn:
                self._remember(data, log)
                return log, None
        log, damage = read_up_to(data)
        if damage is None:
            self._remember(data, log)
        return log, damage

    def _remember(self, data: bytes, log: Log) -> None:
        if not log.torn and not log.unended:
            self._known = data, log

    def data(self) -> bytes:
        """The bytes of the file. `Refusal` if it cannot be read."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            raise Refusal(
                "there is no tournament file {path}", values={"path": str(self.path)}, remedy="new"
            ) from None
        except IsADirectoryError:
            raise Refusal("{path} is a folder, not a file", values={"path": str(self.path)}) from None
        except OSError as error:
            raise Refusal(
                "{path} cannot be read: {reason}",
                values={"path": str(self.path), "reason": error.strerror or str(error)},
            ) from None

    def create(self, body: Body) -> str:
        """Begin the file with its first event; return its hash. `Refusal` if the file exists already."""
        line, head = seal(GENESIS, body)
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644)
        except FileExistsError:
            raise Refusal(
                "{path} already exists; choose another name", values={"path": str(self.path)}
            ) from None
        except OSError as error:
            raise _not_stored(self.path, error) from None
        try:
            _store(handle, line, 0, self.path)
        except Refusal:
            self.path.unlink(missing_ok=True)
            raise
        finally:
            os.close(handle)
        if sys.platform != "win32":
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return head

    @contextlib.contextmanager
    def writing(self) -> "Iterator[Writer]":
        """The log and the right to add to it, until the block ends. Sets a torn last line aside."""
        self.read()
        try:
            handle = os.open(self.path, os.O_RDWR | _BINARY)
        except OSError as error:
            raise _not_stored(self.path, error) from None
        try:
            _lock(handle)
            data = b"".join(iter(lambda: os.read(handle, 1 << 20), b""))
            log, damage = self.read_up_to(data)
            if damage is not None:
                raise damage
            end = len(data) - len(log.torn)
            aside = None
            if log.torn:
                aside = self._set_aside(log.torn, len(log.events) + 1)
                os.ftruncate(handle, end)
                os.fsync(handle)
            if log.unended:
                os.lseek(handle, end, os.SEEK_SET)
                _store(handle, b"\n", end, self.path)
                end += 1
            yield Writer(self.path, handle, log, end, aside)
        finally:
            os.close(handle)

    def _set_aside(self, torn: bytes, number: int) -> Path:
        """Keep the bytes of an unacknowledged line in a file beside the log."""
        for attempt in range(1, 10_000):
            aside = self.path.with_name(f"{self.path.name}.torn-{number}-{attempt}")
            with contextlib.suppress(FileExistsError), open(aside, "xb") as file:
                file.write(torn)
                file.flush()
                os.fsync(file.fileno())
                return aside
        raise Refusal("there are too many torn lines beside {path}", values={"path": str(self.path)})


class Writer:
    """The right to add lines to one log."""

    def __init__(self, path: Path, handle: int, log: Log, end: int, aside: Path | None) -> None:
        self.log = log
        self.aside = aside
        """The file to which a torn last line was moved, if there was one."""
        self._path, self._handle, self._end = path, handle, end

    def add(self, body: Body) -> Log:
        """The log with one more event, once it is on the disk. `Refusal` where it would be too long."""
        line, head = seal(self.log.head, body)
        if self._end + len(line) > MOST_BYTES:
            raise Refusal(
                sentence("{path} is as large as a tournament file may be; make a new tournament of the rest"),
                values={"path": str(self._path)},
            )
        os.lseek(self._handle, self._end, os.SEEK_SET)
        _store(self._handle, line, self._end, self._path)
        self._end += len(line)
        self.log = Log((*self.log.events, body), head)
        return self.log


_BINARY = getattr(os, "O_BINARY", 0)


def _store(handle: int, line: bytes, end: int, path: Path) -> None:
    """Write a line and wait for the disk; on failure leave the file as it was and say so."""
    try:
        left = line
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, end)
        raise _not_stored(path, error) from None


def _not_stored(path: Path, error: OSError) -> Refusal:
    if error.errno == errno.ENOSPC:
        message = sentence(
            "nothing was stored in {path}, because the disk is full; everything is as it was before"
        )
        return Refusal(message, values={"path": str(path)})
    return Refusal(
        "nothing was stored in {path}: {reason}; everything is as it was before",
        values={"path": str(path), "reason": error.strerror or str(error)},
    )


def _lock(handle: int) -> None:
    """Wait for the right to write; the system gives it back when the process ends, however it ends."""
    if sys.platform == "win32":
        os.lseek(handle, 1 << 40, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX)
