"""``nousu serve``, ``nousu doctor``, ``nousu verify``: host tables and check what was dealt."""

import errno
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from nousu.cli import text_of

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from nousu.server.hall.halls import Halls

_FAULTS = (
    (
        "CVE-2024-7592",
        "one long cookie stops a server that reads it by Python's own module",
        ((11, 10), (12, 6)),
    ),
    ("CVE-2023-24329", "addresses are taken apart wrongly", ((11, 4),)),
)
"""Faults of Python that concern a server, and the patch level of 3.11, 3.12 … that mends each."""
_FEW_FILES = 4096

_Database = Annotated[
    str | None,
    typer.Option(help="A file, or postgresql://…; otherwise NOUSU_DATABASE or a file of your own."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(serve)
    app.command()(doctor)
    app.command()(verify)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free port.")] = 8000,
    database: _Database = None,
    public: Annotated[
        str | None,
        typer.Option(
            envvar="NOUSU_PUBLIC",
            help="The address people come by, https://cards.example: for links and cookies.",
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address of a proxy whose X-Forwarded-For is believed; or NOUSU_PROXIES."),
    ] = None,
) -> None:
    """Host tables in the browser."""
    host_at(host, port, database, public, trusted_proxy)


def host_at(
    host: str,
    port: int,
    database: str | None,
    public: str | None = None,
    trusted_proxy: list[str] | None = None,
    halls: "Halls | None" = None,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Host tables and the tournaments of `halls` (None: those beside the database) until somebody stops it;
    `ready` says with the port where it is."""
    import asyncio

    import uvicorn

    from nousu.server import connections, limiting, readiness
    from nousu.server.app import create_app
    from nousu.server.public import BadAddress, networks
    from nousu.server.store import BadDatabase, database_url

    try:
        url = database_url(database)
        asyncio.run(_opened(url, serving=True))
        proxies = trusted_proxy or os.environ.get("NOUSU_PROXIES", "").replace(",", " ").split()
        told = url.render_as_string(hide_password=False)
        application = create_app(told, public=public, proxies=proxies, halls=halls)
        listening = _listen(host, port)
    except (BadDatabase, BadAddress, OSError) as error:
        _fail(str(error))
    port = listening.getsockname()[1]
    each = 0 if os.environ.get("NOUSU_LIMITS") == "off" else limiting.OPEN
    doors = connections.Doors.for_files(connections.more_files(), each, networks(proxies))
    if ready is not None:
        ready(port)
    else:
        at = "127.0.0.1" if host == "0.0.0.0" else host
        typer.echo(f"Nousu is at http://{at}:{port}  (Ctrl+C stops it)")
    sys.stdout.flush()
    # uvicorn passes on the signal that ended it; what workers hold is given back only by a proper exit.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    readiness.settled()
    uvicorn.Server(connections.configured(application, doors)).run(sockets=[listening])


def doctor(
    host: Annotated[str, typer.Option(help="The address `serve` would listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port `serve` would use.")] = 8000,
    database: _Database = None,
) -> None:
    """Say in words whether tables can be hosted here, and what is wrong if not."""
    import asyncio

    from nousu.about import core, signature
    from nousu.games import games
    from nousu.players import players
    from nousu.server.connections import more_files
    from nousu.server.store import BadDatabase, database_url
    from nousu.server.store.file import readable_by_others

    wrong = 0
    try:
        url = database_url(database)
        counts = asyncio.run(_opened(url))
        held = ", ".join(f"{number} {name}" for name, number in counts.items())
        typer.echo(f"ok     database {url.render_as_string()}: {held}")
        if url.drivername.startswith("sqlite") and readable_by_others(Path(url.database or "")):
            typer.echo(f"note   other users of this machine can read the cards: chmod 600 {url.database}")
    except BadDatabase as error:
        wrong += 1
        typer.echo(f"wrong  database: {error}")
    try:
        _listen(host, port).close()
        typer.echo(f"ok     {host}:{port} is free")
    except OSError as error:
        wrong += 1
        typer.echo(f"wrong  {error}")
    files = more_files()
    few = "" if files >= _FEW_FILES else "; each connection takes one, so raise it (ulimit -n, LimitNOFILE=)"
    typer.echo(f"{'note ' if few else 'ok   '}  {files} open files allowed{few}")
    for sentence in faults(sys.version_info[:3]):
        typer.echo(f"note   {sentence}")
    typer.echo(f"{'ok   ' if core() else 'note '}  {signature()}")
    typer.echo("ok     games: " + ", ".join(games()))
    typer.echo("ok     players: " + ", ".join(players()))
    if wrong:
        raise typer.Exit(1)


def verify(
    file: Annotated[Path, typer.Argument(help="A record of a finished match, as a table's page offers it.")],
) -> None:
    """Make every shuffle of a record again from its published secret and compare."""
    from nousu.engine.errors import BadRecord
    from nousu.games import find
    from nousu.server import dealing

    try:
        found = dealing.verify(text_of(file), find)
    except BadRecord as error:
        _fail(f"{file}: {error}")
    for problem in found.problems:
        typer.echo(f"{file}: {problem}", err=True)
    if found.problems:
        raise typer.Exit(1)
    for place in found.unopened:
        typer.echo(f"{file}: place {place + 1} never opened the share it had promised; its pledge stood in")
    typer.echo(f"{file}: {found.shuffles} shuffles made again; every card is where the secret puts it")


def faults(version: tuple[int, int, int]) -> list[str]:
    """What is known to be wrong with that Python and matters to a server, a sentence each."""
    name = ".".join(map(str, version))
    return [
        f"Python {name} has {fault} ({what}; Nousu guards against it): update to 3.{minor}.{patch}"
        for fault, what, mended in _FAULTS
        for minor, patch in mended
        if version[:2] == (3, minor) and version[2] < patch
    ]


async def _opened(url: "URL", serving: bool = False) -> dict[str, int]:
    """Open the database once, so that what is wrong with it is said before anything starts."""
    from nousu.server.store import Store

    opened = await Store.open(url, serving)
    try:
        return await opened.counts()
    finally:
        await opened.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket bound to that address; `OSError` with a sentence where it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(1024)  # who comes while the server is still starting waits instead of being refused
    except OSError as error:
        found.close()
        reasons = {
            errno.EADDRINUSE: "is in use by another program; choose another --port",
            errno.EACCES: "is not allowed to you; choose a --port above 1023",
        }
        reason = reasons.get(error.errno or 0, f"cannot be listened at: {error.strerror}")
        raise OSError(f"{host}:{port} {reason}") from None
    return found


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(1)
