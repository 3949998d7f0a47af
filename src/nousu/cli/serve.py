"""``nousu serve``, ``nousu doctor``, ``nousu verify``: host tables and check what was dealt."""

import errno
import gc
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nousu.cli import fail, read_input, refuse_pbn

if TYPE_CHECKING:
    import uvicorn
    from sqlalchemy.engine import URL

    from nousu.server.settings import Settings
    from nousu.server.tournament.files import HostedTournaments

_PYTHON_FAULTS = (
    (
        "CVE-2024-7592",
        "one long cookie stops a server that reads it by Python's own module",
        ((11, 10), (12, 6)),
    ),
    ("CVE-2023-24329", "addresses are taken apart wrongly", ((11, 4),)),
)
"""Faults of Python that concern a server, and the patch level of 3.11, 3.12 … that mends each."""
_FEW_FILES = 4096
_PROGRAM_MADE = 1_767_225_600.0
"""The beginning of 2026: a clock with an earlier time is wrong."""

_FEW_BYTES, _TOO_FEW_BYTES = 1 << 30, 100 << 20
"""Bytes of free disk below which the doctor warns, and below which it fails."""


def _option(flag: str, variable: str, about: str) -> Any:
    """The option of a field of `nousu.server.settings.Settings`.

    Its text is repeated here, as that module needs the packages of a server and every command loads this one.
    """
    return typer.Option(flag, help=f"{about} Otherwise {variable} or the file.")


_Host = Annotated[
    str | None, _option("--host", "NOUSU_HOST", "The address to listen on; 0.0.0.0 means all of them.")
]
_Port = Annotated[str | None, _option("--port", "NOUSU_PORT", "The port to listen on; 0 takes any free one.")]
_Database = Annotated[str | None, _option("--database", "NOUSU_DATABASE", "A file, or postgresql://…")]
_Public = Annotated[
    str | None,
    _option(
        "--public",
        "NOUSU_PUBLIC",
        "The address that people use, https://cards.example: links, origins and Secure cookies follow it.",
    ),
]
_Proxies = Annotated[
    list[str] | None,
    _option(
        "--trusted-proxy",
        "NOUSU_PROXIES",
        "Addresses of proxies whose X-Forwarded-For and -Proto are believed, separated by commas.",
    ),
]
_Config = Annotated[
    Path | None, typer.Option("--config", help="A settings file (TOML); otherwise NOUSU_CONFIG.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(serve)
    app.command()(doctor)
    app.command()(verify)


def serve(
    host: _Host = None, port: _Port = None, database: _Database = None,
    public: _Public = None, trusted_proxy: _Proxies = None, config: _Config = None,
) -> None:  # fmt: skip
    """Host tables in the browser."""
    serve_as(_load_settings(config, host, port, database, public, trusted_proxy))


def host_at(
    host: str,
    port: int,
    database: str,
    tournaments: "HostedTournaments | None" = None,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Host tables and tournaments until the server is stopped.

    Args:
        host: The address to listen on.
        port: The port to listen on; 0 takes any free one.
        database: A file, or ``postgresql://…``.
        tournaments: The hosted ones; unless a setting says otherwise, further ones are begun at this
            computer only.
        ready: Called with the port when the server listens.
    """
    settings = _load_settings(None, host, str(port), database)
    if tournaments is not None and "new_events" not in settings.sources:
        settings = settings.model_copy(update={"new_events": "here"})
    serve_as(settings, tournaments, ready)


def _load_settings(
    config: Path | None,
    host: str | None,
    port: str | None,
    database: str | None,
    public: str | None = None,
    proxies: list[str] | None = None,
) -> "Settings":
    """The settings in force, with the given flags; a wrong one ends the command."""
    given = {
        "host": host,
        "port": port,
        "database": database,
        "public": public,
        "proxies": ",".join(proxies) if proxies else None,
    }
    from nousu.server.settings import BadSetting, load_settings

    try:
        return load_settings({name: value for name, value in given.items() if value is not None}, config)
    except BadSetting as error:
        fail(error, 1)


def serve_as(
    settings: "Settings",
    tournaments: "HostedTournaments | None" = None,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Host tables with these settings until the server is stopped."""
    with _without_garbage_collection():
        server, listening = _listening_server(settings, tournaments, ready)
    server.run(sockets=[listening])


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Switch garbage collection off while modules are loaded, as nearly all of their objects stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _listening_server(
    settings: "Settings", tournaments: "HostedTournaments | None", ready: Callable[[int], None] | None
) -> "tuple[uvicorn.Server, socket.socket]":
    """The server, and its socket, which already listens."""
    import asyncio

    from nousu.server import memory
    from nousu.server.app import create_app
    from nousu.server.http import protocols, rate_limits
    from nousu.server.http.addresses import host_in_url
    from nousu.server.storage.store import BadDatabase, database_url

    try:
        asyncio.run(_opening(database_url(settings.database or None)))
        application = create_app(settings, tournaments=tournaments)
        listening = _listen(settings.host, settings.port)
    except (BadDatabase, OSError) as error:
        fail(error, 1)
    port = listening.getsockname()[1]
    each = rate_limits.MAX_CONNECTIONS if settings.limits else 0
    most = application.state.most_connections
    limit = protocols.ConnectionLimit.for_files(protocols.raise_file_limit(), each, settings.proxies, most)
    server = protocols.StoppingServer(protocols.uvicorn_config(application, limit))
    if ready is not None:
        ready(port)
    else:
        at = host_in_url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host))
        typer.echo(f"Nousu is at http://{at}:{port}  (Ctrl+C stops it)")
    sys.stdout.flush()
    # Before uvicorn listens for this signal itself, and once it has ended and passes it on. An exception
    # could be lost where the interpreter ignores them; what workers hold is given back by a proper exit.
    signal.signal(signal.SIGTERM, lambda *_: setattr(server, "should_exit", True))
    memory.configure_interpreter()
    return server, listening


def doctor(
    host: _Host = None, port: _Port = None, database: _Database = None,
    public: _Public = None, trusted_proxy: _Proxies = None, config: _Config = None,
) -> None:  # fmt: skip
    """Check whether tables can be hosted here with these settings, and say what is wrong if not."""
    from nousu.about import core, signature
    from nousu.games import games
    from nousu.players import players
    from nousu.server.http.protocols import raise_file_limit

    settings = _load_settings(config, host, port, database, public, trusted_proxy)
    wrong = 0
    for state, sentence in (*_settings(settings, config), *_storage(settings), *_address(settings)):
        typer.echo(f"{state:5}  {sentence}")
        wrong += state == "wrong"
    files = raise_file_limit()
    few = "" if files >= _FEW_FILES else "; each connection takes one, so raise it (ulimit -n, LimitNOFILE=)"
    typer.echo(f"{'note ' if few else 'ok   '}  {files} open files allowed{few}")
    for sentence in faults(sys.version_info[:3]):
        typer.echo(f"note   {sentence}")
    typer.echo(f"{'ok   ' if core() else 'note '}  {signature()}")
    typer.echo("ok     games: " + ", ".join(games()))
    typer.echo("ok     players: " + ", ".join(players()))
    if wrong:
        raise typer.Exit(1)


_Finding = tuple[str, str]
"""ok, note or wrong, and a sentence."""


def _settings(settings: "Settings", config: Path | None) -> Iterator[_Finding]:
    """Check the sources of the settings, and whether they fit together."""
    from nousu.server.settings import CONFIG_VARIABLE
    from nousu.server.storage.sqlite import is_readable_by_others

    named = os.environ.get(CONFIG_VARIABLE)
    file = config or (Path(named) if named else None)
    changed = ", ".join(f"{name} ({source})" for name, source in settings.sources.items())
    yield "ok", f"settings: {changed or 'all at their defaults'}"
    if (
        file is not None
        and settings.sources.get("metrics_token") == str(file)
        and is_readable_by_others(file)
    ):
        yield "note", f"other users of this machine can read the token of /metrics: chmod 600 {file}"
    if settings.public is not None and settings.public.scheme == "https" and not settings.proxies:
        yield (
            "note",
            "people come by https, but no proxy is trusted: if one is in front, name it, or all visitors"
            " share one limit (--trusted-proxy)",
        )
    if settings.proxies and settings.public is None:
        yield "note", "a proxy is trusted, but the address people come by is not said (--public)"
    wide = [str(network) for network in settings.proxies if network.num_addresses > 1 << 16]
    if wide:
        yield "note", f"anybody in {', '.join(wide)} is believed to be a proxy, and can escape the limits"


def _storage(settings: "Settings") -> Iterator[_Finding]:
    """Check the database, its readers, the free disk, and the clock."""
    import asyncio

    from nousu.server.storage.sqlite import is_readable_by_others
    from nousu.server.storage.store import BadDatabase, database_url, default_path

    try:
        url = database_url(settings.database or None)
        counts = asyncio.run(_count_rows(url))
    except BadDatabase as error:
        yield "wrong", f"database: {error}"
        return
    held = ", ".join(f"{number} {name}" for name, number in counts.items())
    yield "ok", f"database {url.render_as_string()}: {held}"
    lite = url.drivername.startswith("sqlite")
    path = Path(url.database or "") if lite else default_path()
    if lite and is_readable_by_others(path):
        yield "note", f"other users of this machine can read the cards: chmod 600 {url.database}"
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    free = shutil.disk_usage(folder).free
    amount = f"{free / (1 << 30):.1f} GiB" if free >= 1 << 30 else f"{free / (1 << 20):.0f} MiB"
    state = "wrong" if free < _TOO_FEW_BYTES else "note" if free < _FEW_BYTES else "ok"
    yield state, f"{amount} free on the disk of {folder}" + ("" if state == "ok" else "; make room")
    yield clock(time.time(), asyncio.run(_latest(url)))


def clock(now: float, latest: float) -> _Finding:
    """Check the clock: it must be later than the last stored event, and than this program.

    Args:
        now: The time of the clock, in seconds since 1970.
        latest: The time of the last stored event, in seconds since 1970.
    """
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < latest - 60:
        return "wrong", f"the clock says {shown}, but the database has events of later: set it"
    if now < _PROGRAM_MADE:
        return "wrong", f"the clock says {shown}, which is before this program was written: set it"
    return "ok", f"the clock says {shown}"


def _address(settings: "Settings") -> Iterator[_Finding]:
    """Check whether the address is free."""
    from nousu.server.http.addresses import host_in_url

    try:
        _listen(settings.host, settings.port).close()
        yield "ok", f"{host_in_url(settings.host)}:{settings.port} is free"
    except OSError as error:
        yield "wrong", str(error)


def verify(
    file: Annotated[Path, typer.Argument(help="A record of a finished match, as a table's page offers it.")],
) -> None:
    """Recompute every shuffle of a record from its published secret and compare."""
    from nousu.engine.errors import BadRecord
    from nousu.games import find
    from nousu.server.table import shuffle

    text = read_input(file)
    refuse_pbn(file, text, "only the record of a match played on a server can prove its shuffles")
    try:
        check = shuffle.verify(text, find)
    except BadRecord as error:
        fail(f"{file}: {error}", 1)
    for problem in check.problems:
        typer.echo(f"nousu: {file}: {problem}", err=True)
    if check.problems:
        raise typer.Exit(1)
    for place in check.unopened:
        typer.echo(f"{file}: place {place + 1} never opened the share it had promised; its pledge stood in")
    typer.echo(f"{file}: {check.shuffles} shuffles made again; every card is where the secret puts it")
    typer.echo(f"{file}: that proves draw and deals; names, bids and plays are as the record tells them")


def faults(version: tuple[int, int, int]) -> list[str]:
    """The known faults of a Python version that concern a server, a sentence each."""
    name = ".".join(map(str, version))
    return [
        f"Python {name} has {fault} ({what}; Nousu guards against it): update to 3.{minor}.{patch}"
        for fault, what, mended in _PYTHON_FAULTS
        for minor, patch in mended
        if version[:2] == (3, minor) and version[2] < patch
    ]


async def _opening(url: "URL") -> None:
    """Open the database once, so that its errors appear before anything starts."""
    from nousu.server.storage.store import Store

    await (await Store.open(url, serving=True)).close()


async def _count_rows(url: "URL") -> dict[str, int]:
    """Open the database, and count its rows by kind."""
    from nousu.server.storage.store import Store

    opened = await Store.open(url)
    try:
        return await opened.counts()
    finally:
        await opened.close()


async def _latest(url: "URL") -> float:
    """The time of the last stored event, in seconds since 1970; 0 if there is none."""
    from nousu.server.storage.store import Store

    opened = await Store.open(url)
    try:
        return await opened.last_event_time()
    finally:
        await opened.close()


def _listen(host: str, port: int) -> socket.socket:
    """Bind a socket to an address; raises `OSError` with a sentence."""
    from nousu.server.http.addresses import host_in_url

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":  # all addresses, those of IPv4 too
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(1024)  # early connections wait instead of being refused
    except OSError as error:
        listener.close()
        reasons = {
            errno.EADDRINUSE: "is in use by another program; choose another --port",
            errno.EACCES: "is not allowed to you; choose a --port above 1023",
        }
        reason = reasons.get(error.errno or 0, f"cannot be listened at: {error.strerror}")
        raise OSError(f"{host_in_url(host)}:{port} {reason}") from None
    return listener
