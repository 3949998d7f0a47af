"""A forwarder in front of a server, which does what proxies and networks do to long connections."""

import asyncio
import threading
from contextlib import suppress


class Forwarder:
    """Forwards connections from a port of its own, or treats them badly.

    Attributes:
        mode: what happens to new connections: ``pass``, ``drop`` (closed at once), ``freeze`` (nothing comes
            through), ``delay`` (everything a second late), or a status that is answered: ``502``.
    """

    def __init__(self, target: int) -> None:
        self.mode = "pass"
        self.port = 0
        self._target = target
        self._frozen: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    def be(self, mode: str) -> None:
        """Set the mode of new connections; open ones end, or stay open and silent for ``freeze``."""
        self.mode = mode
        done = threading.Event()

        def change() -> None:
            if mode == "freeze":
                self._frozen |= self._open
            elif mode != "pass":
                for writer in self._open:
                    writer.transport.abort()
            done.set()

        self._loop.call_soon_threadsafe(change)
        assert done.wait(10)

    def close(self) -> None:
        """Close the forwarder."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        server = self._loop.run_until_complete(starting)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        self._loop.run_until_complete(asyncio.sleep(0.1))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        if self.mode.isdecimal():
            await reader.read(65536)
            head = f"HTTP/1.1 {self.mode} No\r\ncontent-length: 2\r\nconnection: close"
            writer.write(f"{head}\r\n\r\nno".encode())
        elif self.mode != "drop":
            self._open.add(writer)
            if self.mode == "freeze":
                self._frozen.add(writer)
            away_reader, away = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.append(away)
            late = 1.0 if self.mode == "delay" else 0.0
            await asyncio.gather(
                self._pump(reader, away, writer, 0), self._pump(away_reader, writer, writer, late)
            )
            self._open.discard(writer)
        with suppress(OSError):
            writer.close()

    async def _pump(
        self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, key: asyncio.StreamWriter, late: float
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if key in self._frozen:
                    continue
                await asyncio.sleep(late)
                to.write(data)
                await to.drain()
        if key not in self._frozen:
            with suppress(OSError):
                to.close()
