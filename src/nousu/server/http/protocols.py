"""uvicorn's HTTP and WebSocket protocols with deadlines, and with bounds on pending data of a client.

A connection is closed when it stays silent, sends its headers or its body too slowly, does not read, or sends
faster than it is served. The number of open connections is limited per address and in total.
"""

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from nousu.server.http.addresses import Network, is_within
from nousu.server.http.middleware import HEAD_LIMIT, SECURITY_HEADERS
from nousu.server.http.rate_limits import client_key

HEADER_TIMEOUT = 8.0
"""Seconds from connecting, or from the first byte of a further request, to the end of its headers. P18 allows
ten; a busy machine may need two of them."""
BODY_TIMEOUT = 20.0
"""Seconds from the end of the headers to the end of the body."""
READ_TIMEOUT = 8.0
"""Seconds in which a client with a full write buffer must read some of it."""
PING_INTERVAL = 5.0
"""Seconds without any data after which a WebSocket client is pinged, and seconds in which it must answer."""
OPEN_FILES = 65_536
"""Open files requested from the system; each connection takes one."""
_RESERVED_FILES = 200
"""Open files left to the database, workers and logs."""
_MAX_PIPELINED = 8
"""Requests a client may send before the first is answered."""
_MAX_QUEUED = 32
"""Messages, and frames of one message, that a client may be ahead of the server."""
_MAX_CONTROL_FRAMES = 64
"""Pings and pongs a client may send within `PING_INTERVAL`."""
_MAX_UNREAD = 64 * 1024
"""Unread bytes above which a client's ping is not answered any more."""


def raise_file_limit() -> int:
    """Raise this process's limit on open files, to `OPEN_FILES` at most.

    Returns: the limit afterwards.
    """
    if sys.platform == "win32":
        return 2048  # the limit of its C library
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return OPEN_FILES if soft == resource.RLIM_INFINITY else soft


class ConnectionLimit:
    """Open connections, counted by address.

    Args:
        total: the most there may be.
        each: the most from one address; 0 for no limit.
        proxies: addresses without that limit, since a proxy carries many people.
        most: the limit of an address, given the client and `each`.
    """

    def __init__(
        self,
        total: int,
        each: int,
        proxies: Sequence[Network] = (),
        most: Callable[[str, int], int] = lambda _, each: each,
    ) -> None:
        self._total = total
        self._each = each
        self._most = most
        self._proxies = tuple(proxies)
        self._open: Counter[str] = Counter()
        self._sum = 0

    @classmethod
    def for_files(
        cls,
        files: int,
        each: int,
        proxies: Sequence[Network] = (),
        most: Callable[[str, int], int] = lambda _, each: each,
    ) -> "ConnectionLimit":
        """The limit that fits into that many open files."""
        return cls(max(files - _RESERVED_FILES, files // 2), each, proxies, most)

    def acquire(self, address: str) -> bool:
        """Count one more connection from that address. False: it is one too many, and not counted."""
        client = client_key(address)
        limited = self._each and not is_within(address, self._proxies)
        if self._sum >= self._total or (limited and self._open[client] >= self._most(client, self._each)):
            return False
        self._open[client] += 1
        self._sum += 1
        return True

    def release(self, address: str) -> None:
        """Count one connection from that address less."""
        client = client_key(address)
        self._sum -= 1
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]


class _Deadline:
    """A timer that calls back once unless it is cancelled or started anew."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        return self._handle is not None

    def start(self, seconds: float, expire: Callable[[], None]) -> None:
        self.cancel()
        self._handle = self._loop.call_later(seconds, expire)

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class _LimitedConnection(asyncio.BaseProtocol):
    """A connection that is counted, and aborted when its client does not read."""

    transport: Any
    client: tuple[str, int] | None
    loop: asyncio.AbstractEventLoop

    def __init__(self, limit: ConnectionLimit, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._limit = limit
        self._is_counted = False
        self._read_deadline = _Deadline(self.loop)

    def connection_made(self, transport: Any) -> None:
        """Count the connection."""
        super().connection_made(transport)
        self._is_counted = self._limit.acquire(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._release()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client `READ_TIMEOUT` to read."""
        super().pause_writing()
        self._read_deadline.start(READ_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the deadline: the client has read."""
        super().resume_writing()
        self._read_deadline.cancel()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else "unknown"

    def _release(self) -> None:
        self._read_deadline.cancel()
        if self._is_counted:
            self._is_counted = False
            self._limit.release(self._address)


class HttpProtocol(_LimitedConnection, HttpToolsProtocol):
    """HTTP/1.1 with a deadline for every step of a request."""

    def __init__(self, limit: ConnectionLimit, *args: Any, **values: Any) -> None:
        super().__init__(limit, *args, **values)
        self._request_deadline = _Deadline(self.loop)
        self._header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or answer 503 where there are too many."""
        super().connection_made(transport)
        if self._is_counted:
            self._request_deadline.start(HEADER_TIMEOUT, self._expire)
        else:
            self._reject(503, "Too many connections.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadlines."""
        super().connection_lost(exc)
        self._detach()

    def data_received(self, data: bytes) -> None:
        """Parse data. The deadline of a request runs from its first byte, whatever that is."""
        if self.transport.is_closing():
            return
        if not self._request_deadline.is_running and (self.cycle is None or self.cycle.response_complete):
            self._request_deadline.start(HEADER_TIMEOUT, self._expire)
        self._header_bytes += len(data)
        super().data_received(data)
        if self._header_bytes > HEAD_LIMIT and not self.transport.is_closing():
            self._reject(431, "These headers are too long.")

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to `WebSocketProtocol`, which counts it."""
        self._release()
        super().handle_websocket_upgrade()
        self._detach()

    def on_message_begin(self) -> None:
        """Begin a request. An exception here answers 400 and closes the connection."""
        if len(self.pipeline) >= _MAX_PIPELINED:
            raise ValueError("too many requests at once")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start the deadline of the body."""
        self._header_bytes = -(1 << 62)  # the application limits bodies
        self._request_deadline.start(BODY_TIMEOUT, self._expire)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the deadline: the whole request has come."""
        self._header_bytes = 0
        self._request_deadline.cancel()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Make sure that a closing connection ends even if its client does not read the response."""
        super().on_response_complete()
        if self.transport.is_closing():
            self.loop.call_later(READ_TIMEOUT, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(READ_TIMEOUT, self.transport.abort)

    def _expire(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # the application is waiting for the body and receives a disconnect
        else:
            self._reject(408, "That took too long.")

    def send_400_response(self, msg: str) -> None:
        """Answer a request that cannot be parsed."""
        self._reject(400, msg)

    def _reject(self, status: int, sentence: str) -> None:
        headers = {
            "content-type": "text/plain; charset=utf-8",
            "content-length": str(len(sentence)),
            "connection": "close",
            "cache-control": "no-store",
            **SECURITY_HEADERS,
        }
        if status == 503:
            headers["retry-after"] = "10"
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {status} \r\n{lines}\r\n{sentence}".encode())
        self.transport.close()
        self.loop.call_later(1.0, self.transport.abort)

    def _detach(self) -> None:
        """Break reference cycles: a collection of them takes longer than this."""
        self._request_deadline.cancel()
        self.parser = None  # type: ignore[assignment]  # as uvicorn does when a connection is lost
        if self.cycle is not None and self.cycle.response_complete:
            self.cycle = None  # type: ignore[assignment]


class WebSocketProtocol(_LimitedConnection, WebSocketsSansIOProtocol):
    """WebSockets with bounds on the data that the server stores for a client."""

    def __init__(self, limit: ConnectionLimit, *args: Any, **values: Any) -> None:
        super().__init__(limit, *args, **values)
        self._control_frames = 0
        self._has_sent = False
        """True if the client has sent data other than pongs since the last ping was due."""

    def data_received(self, data: bytes) -> None:
        """Parse data."""
        self._has_sent = True
        super().data_received(data)

    def handle_ping(self) -> None:
        """Answer a ping, unless the last answers were not read."""
        if self._has_too_many_control_frames() or self.transport.get_write_buffer_size() > _MAX_UNREAD:
            self.transport.abort()
        else:
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Note the answer to a ping."""
        self._has_sent = False
        if self._has_too_many_control_frames():
            self.transport.abort()
        else:
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        """Add a frame to the message that it continues."""
        if len(self.frames) >= _MAX_QUEUED:
            self.transport.abort()
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Queue a whole message for the application."""
        if self.queue.qsize() >= _MAX_QUEUED:
            self.transport.abort()
        elif self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def send_keepalive_ping(self) -> None:
        """Ping a client that has sent nothing since the last time."""
        self._control_frames = 0
        if self._has_sent:
            self._has_sent = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Close a connection whose client has not answered a ping, or does not read."""
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)

    def _has_too_many_control_frames(self) -> bool:
        self._control_frames += 1
        return self._control_frames > _MAX_CONTROL_FRAMES


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class StoppingServer(Server):
    """A server that ends long responses first when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        application: Any = self.config.app
        application.state.stop_waiting()
        await super().shutdown(sockets)


def uvicorn_config(application: ASGIApp, limit: ConnectionLimit) -> Config:
    """The configuration of uvicorn that serves the application with these protocols."""
    return Config(
        application,
        http=partial(HttpProtocol, limit),  # type: ignore[arg-type]  # any factory of a protocol works
        ws=partial(WebSocketProtocol, limit),  # type: ignore[arg-type]
        proxy_headers=False,  # the application evaluates them
        log_level="warning",
        lifespan="on",
        ws_max_size=4096,
        ws_ping_interval=PING_INTERVAL,
        ws_ping_timeout=PING_INTERVAL,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=15,
        server_header=False,
    )
