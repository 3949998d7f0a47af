"""Server without rules: it stores each message and pushes a text of the usual size to the whole table.

`bench.load` measures it first, for the upper bound on this machine. ``python -m bench.baseline_server FILE``
serves the WebSocket addresses ``/t/TABLE/live`` on a free port.
"""

import asyncio
import json
import socket
import sqlite3
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import uvicorn

_TEXT_SIZE = 900
"""Characters of a pushed text."""
_EMPTY = {"drawing": "whist", "ask": None, "bids": (), "more": None, "many": None, "outcome": None}
"""The page's fields beside those of its view: nothing to do."""


class BaselineServer:
    """An ASGI application that stores messages in an SQLite file at `path`."""

    def __init__(self, path: str) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._path = path
        self._connections: dict[str, set[Any]] = defaultdict(set)
        self._seq: dict[str, int] = defaultdict(int)
        self._database: sqlite3.Connection | None = None

    def _store(self, table: str, seq: int, text: str) -> None:
        if self._database is None:
            self._database = sqlite3.connect(self._path, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=FULL")
            self._database.execute("CREATE TABLE events (id TEXT, seq INT, body TEXT, PRIMARY KEY (id, seq))")
        self._database.execute("INSERT INTO events VALUES (?, ?, ?)", (table, seq, text))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        table = scope["path"].split("/")[2]
        await receive()
        await send({"type": "websocket.accept"})
        self._connections[table].add(send)
        await send({"type": "websocket.send", "text": self._page(table)})
        try:
            while (message := await receive())["type"] == "websocket.receive":
                if message["text"] == "b":
                    await send({"type": "websocket.send", "text": "b"})
                if message["text"] in ("b", "h"):
                    continue
                request = json.loads(message["text"])
                self._seq[table] += 1
                seq = self._seq[table]
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._thread, self._store, table, seq, message["text"])
                await send({"type": "websocket.send", "text": json.dumps({"ok": request["key"], "seq": seq})})
                page = {"type": "websocket.send", "text": self._page(table)}
                for connection in list(self._connections[table]):
                    await connection(page)
        finally:
            self._connections[table].discard(send)

    def _page(self, table: str) -> str:
        view = {"acts": [{"act": "play H9"}], "hand": [], "line": "x" * _TEXT_SIZE, **_EMPTY}
        return json.dumps({"view": view, "seq": self._seq[table], "window": None})


def main(path: str) -> None:
    """Serve at a free port, which is printed."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"baseline server at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        BaselineServer(path),
        lifespan="off",
        log_level="warning",
        ws_ping_interval=5.0,
        ws_ping_timeout=5.0,
        ws_per_message_deflate=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
