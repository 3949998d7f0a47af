"""uvicorn's two protocols with what they lack: deadlines, and bounds on everything a client may pile up.

A connection that says nothing, drips its headers or its body, does not read its answer, or asks faster than
it reads is ended; the number of open connections is limited per address and in all.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from nousu.server.http.addresses import Network, within
from nousu.server.http.middleware import HEAD_LIMIT
from nousu.server.http.rate_limits import visitor

HEADERS_WITHIN = 8.0
"""Seconds from the first byte of a request (or from connecting) to the end of its headers. Whoever does not
get there is gone within ten (P18); a busy machine may take two of them."""
BODY_WITHIN = 20.0
"""Seconds for the body after that."""
READ_WITHIN = 8.0
"""Seconds a client may take to make room for more when what it does not read has filled its buffer."""
FILES = 65_536
"""Open files asked of the system: each connection is one."""
_RESERVE = 200
"""Open files kept for the database, workers and logs."""
_PIPELINE = 8
_QUEUE = 32
"""Messages, and pieces of one message, a client may be ahead of the server."""
PING_EVERY = 5.0
"""Seconds after which a client that said nothing is asked whether it is there; as many it has to answer."""
LINE = "nousu.line"
"""An extension of a WebSocket's scope: two short ways past what each message takes through the application,
for thousands of pages that say every second that they are there and are sent pictures as often.
``answer(letters, heard)``: each of these messages of one letter, when a client sends it, is answered at once
by the text that stands with it (empty: not at all), if `heard` says so; else the application receives it.
``write(text)`` sends a text; False, and nothing is sent, where the line is not open or the client does not
read, and it must be sent as any other."""
_BEAT_BEGINS = b"\x81\x81"
_BEAT_FRAME = 7
"""Bytes of a beat, one letter, as a client sends it: a final text of that length, masked; mask; letter."""
_PINGS = 64
"""Pings and pongs a client may send between two of ours."""
_UNREAD = 64 * 1024
"""Bytes a client may leave unread and still be answered its pings."""


def more_files() -> int:
    """Raise this process's limit on open files as far as it may, and `FILES` at most; the limit then."""
    if sys.platform == "win32":
        return 2048  # what its C library can open
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return FILES if soft == resource.RLIM_INFINITY else soft


class Doors:
    """How many connections are open, by address. `each` bounds those of one address (0: nothing does);
    proxies, which carry many people, are not bound by it."""

    def __init__(self, total: int, each: int, proxies: Sequence[Network] = ()) -> None:
        self._total = total
        self._each = each
        self._proxies = tuple(proxies)
        self._inside: Counter[str] = Counter()
        self._sum = 0

    @classmethod
    def for_files(cls, files: int, each: int, proxies: Sequence[Network] = ()) -> "Doors":
        """As many as fit into that many open files."""
        return cls(max(files - _RESERVE, files // 2), each, proxies)

    def enter(self, address: str) -> bool:
        """Count one more connection from there; False: there are too many."""
        who = visitor(address)
        bound = self._each and not within(address, self._proxies)
        if self._sum >= self._total or (bound and self._inside[who] >= self._each):
            return False
        self._inside[who] += 1
        self._sum += 1
        return True

    def leave(self, address: str) -> None:
        """One of them has ended."""
        who = visitor(address)
        self._sum -= 1
        self._inside[who] -= 1
        if not self._inside[who]:
            del self._inside[who]


class _Timer:
    """One deadline at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        return self._handle is not None

    def start(self, seconds: float, late: Callable[[], None]) -> None:
        self.stop()
        self._handle = self._loop.call_later(seconds, late)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class _Unread(asyncio.BaseProtocol):
    """A connection that is ended when its client does not read."""

    transport: Any
    _reading: _Timer

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._reading.start(READ_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._reading.stop()


class Requests(_Unread, HttpToolsProtocol):
    """HTTP/1.1, every step of a request within its time."""

    def __init__(self, doors: Doors, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._doors = doors
        self._inside = False
        self._asking = _Timer(self.loop)
        self._reading = _Timer(self.loop)
        self._head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, if there is room."""
        super().connection_made(transport)
        self._inside = self._doors.enter(_address(self.client))
        if self._inside:
            self._asking.start(HEADERS_WITHIN, self._late)
        else:
            self._end(503, "Too many connections.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._asking.stop()
        self._reading.stop()
        self._leave()
        super().connection_lost(exc)
        self._apart()

    def data_received(self, data: bytes) -> None:
        """Read on; whatever a request begins with, its deadline runs from there."""
        if self.transport.is_closing():
            return
        if not self._asking.running and (self.cycle is None or self.cycle.response_complete):
            self._asking.start(HEADERS_WITHIN, self._late)
        self._head += len(data)
        super().data_received(data)
        if self._head > HEAD_LIMIT and not self.transport.is_closing():
            self._end(431, "These headers are too long.")

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._asking.stop()
        self._reading.stop()
        self._leave()
        super().handle_websocket_upgrade()
        self._apart()

    def on_message_begin(self) -> None:
        """A request begins; the error raised here is answered by 400 and ends the connection."""
        if len(self.pipeline) >= _PIPELINE:
            raise ValueError("too many requests at once")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The headers are here; now the body."""
        self._head = -(1 << 62)  # bodies are bounded by the application
        self._asking.start(BODY_WITHIN, self._late)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is here."""
        self._head = 0
        self._asking.stop()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is sent; a connection that is to close does so even if nobody reads it."""
        super().on_response_complete()
        if self.transport.is_closing():
            self.loop.call_later(READ_WITHIN, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(READ_WITHIN, self.transport.abort)

    def _late(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # whoever waits for the body hears that the client has gone
        else:
            self._end(408, "That took too long.")

    def _end(self, status: int, sentence: str) -> None:
        head = f"HTTP/1.1 {status} \r\ncontent-type: text/plain\r\nconnection: close\r\n"
        again = "retry-after: 10\r\n" if status == 503 else ""
        self.transport.write(f"{head}{again}content-length: {len(sentence)}\r\n\r\n{sentence}".encode())
        self.transport.close()
        self.loop.call_later(1.0, self.transport.abort)

    def _leave(self) -> None:
        if self._inside:
            self._inside = False
            self._doors.leave(_address(self.client))

    def _apart(self) -> None:
        """Take apart what refers to each other, so that it is freed at once: garbage in circles is looked for
        only now and then (`nousu.server.memory`)."""
        self.parser = None  # type: ignore[assignment]  # as uvicorn does when a connection is lost
        if self.cycle is not None and self.cycle.response_complete:
            self.cycle = None  # type: ignore[assignment]


class Lines(_Unread, WebSocketsSansIOProtocol):
    """WebSockets whose clients cannot make the server keep more for them than they read."""

    def __init__(self, doors: Doors, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._doors = doors
        self._inside = False
        self._reading = _Timer(self.loop)
        self._pings = 0
        self._beats: Mapping[bytes, bytes] = {}
        """What a client says that it is there by, and the frame that answers it."""
        self._beaten: Callable[[], bool] = _nobody
        self._alive = 0.0
        """When a beat was heard last."""
        self._silent = False
        """The line is being ended, since nobody answered on it."""

    def handle_connect(self, event: Any) -> None:
        """Hand the connection to the application, which may have beats answered here."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = {"answer": self._answer_beats, "write": self._write}

    def _answer_beats(self, beats: Mapping[str, str], heard: Callable[[], bool]) -> None:
        assert all(len(beat) == 1 for beat in beats)
        self._beats = {beat.encode(): _framed(text) if text else b"" for beat, text in beats.items()}
        self._beaten = heard

    def _write(self, text: str) -> bool:
        if self.disconnected or self.close_sent or not (self.handshake_complete and self.writable.is_set()):
            return False
        self.transport.write(_framed(text))
        return True

    def data_received(self, data: bytes) -> None:
        """Read on. Most of what comes is a beat by itself, for which there is no need of the parser."""
        if not (len(data) == _BEAT_FRAME and self._answer_beat(self._letter(data))):
            super().data_received(data)

    def _letter(self, data: bytes) -> bytes:
        """The letter that these bytes are as a whole masked text, where the parser expects a frame; else
        nothing."""
        whole = (
            data[:2] == _BEAT_BEGINS and self.conn.current_size is None and _between_frames(self.conn.parser)
        )
        return bytes((data[6] ^ data[2],)) if whole else b""

    def handle_text(self, event: Any) -> None:
        """A text, or the beginning of one."""
        if not (event.fin and len(event.data) == 1 and self._answer_beat(bytes(event.data))):
            super().handle_text(event)

    def _answer_beat(self, letter: bytes) -> bool:
        """Answer a beat here; False where it is none, or the application is to be told."""
        answer = self._beats.get(letter)
        if answer is None or self.close_sent or self.transport.is_closing():
            return False
        if self.transport.get_write_buffer_size() > _UNREAD:
            self.transport.abort()
        elif self._beaten():
            self._alive = self.loop.time()
            if answer:
                self.transport.write(answer)
        else:
            return False
        return True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over."""
        super().connection_made(transport)
        self._inside = self._doors.enter(_address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._reading.stop()
        if self._inside:
            self._inside = False
            self._doors.leave(_address(self.client))
        super().connection_lost(exc)
        self._apart()

    def _apart(self) -> None:
        """Take apart what refers to each other: a line lives long, and what it leaves behind in circles is
        seldom looked for where people play all the time (`nousu.server.memory`)."""
        self._beaten = _nobody
        if self.handshake_initiated:
            self.scope["extensions"].pop(LINE, None)
        self.conn.parser.close()

    def handle_events(self) -> None:
        """Read on, unless this client has been cut off."""
        if not self.transport.is_closing():
            super().handle_events()

    def handle_ping(self) -> None:
        """Answer, unless the last answers were not read."""
        self._pings += 1
        if self._pings > _PINGS or self.transport.get_write_buffer_size() > _UNREAD:
            self.transport.abort()
        else:
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Note the answer to our ping."""
        self._pings += 1
        if self._pings > _PINGS:
            self.transport.abort()
        else:
            super().handle_pong(event)

    def send_keepalive_ping(self) -> None:
        """Ask whether anybody is there, unless they have just said so."""
        self._pings = 0
        if self.loop.time() - self._alive < PING_EVERY:
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Nobody is, or they do not read."""
        self._silent = True
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)

    async def send(self, message: Any) -> None:
        """Send what the application says. A client that was silent for too long is gone to it, also before
        the last bytes to it have been given up; uvicorn would take that for a mistake of the application."""
        if self._silent:
            raise ClientDisconnected
        await super().send(message)

    def handle_cont(self, event: Any) -> None:
        """One more piece of a message."""
        if len(self.frames) >= _QUEUE:
            self.transport.abort()
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """A whole message has come."""
        if self.queue.qsize() >= _QUEUE:
            self.transport.abort()
        else:
            super().send_receive_event_to_app()


def configured(application: ASGIApp, doors: Doors) -> Config:
    """How uvicorn is to serve the application."""
    return Config(
        application,
        http=partial(Requests, doors),  # type: ignore[arg-type]  # whatever makes a protocol does
        ws=partial(Lines, doors),  # type: ignore[arg-type]
        proxy_headers=False,  # the application does that itself
        log_level="warning",
        lifespan="on",
        ws_max_size=4096,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=5.0,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=15,
        server_header=False,
    )


def _nobody() -> bool:
    """Whether somebody heard that beat, where nobody listens."""
    return False


def _framed(text: str) -> bytes:
    """A whole text from a server as a frame (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((0x81, size)) + data
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + data
    return b"\x81\x7f" + size.to_bytes(8, "big") + data


def _between_frames(parser: Any) -> bool:
    """Whether the parser of a connection waits for a frame to begin: in `StreamReader.at_eof`, innermost."""
    while parser.gi_yieldfrom is not None:
        parser = parser.gi_yieldfrom
    return bool(parser.__name__ == "at_eof")


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else "unknown"
