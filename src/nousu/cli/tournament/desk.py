"""``nousu tournament desk``: the pages of one tournament, for this computer and for phones in the hall."""

import ipaddress
import socket
from pathlib import Path
from typing import Annotated

import typer

from nousu.cli.tournament.common import By, File, answering, manner


def desk(
    file: File,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets phones on the same network in.")
    ] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free port.")] = 8000,
    by: By = "",
    database: Annotated[
        Path | None, typer.Option(help="Where tables played in the browser are kept.", show_default=False)
    ] = None,
) -> None:
    """Direct the tournament in the browser: slips, board, standings, projector, phones. Needs no internet.

    A file that is not there yet is begun by the pages.
    """
    from nousu.cli.serve import host_at
    from nousu.i18n import translator
    from nousu.server.http.addresses import host_in_url, host_of
    from nousu.server.tournament.files import HostedTournaments, slug_of
    from nousu.server.tournament.links import create_links
    from nousu.server.tournament.roles import path_of
    from nousu.tournament.qr import letters

    say = translator(manner.get().language)
    is_begun = file.exists()
    link = ""
    if is_begun:
        with answering(file, False) as (office, _screen):
            link = create_links(office, by, say)
    tournaments = HostedTournaments(file.parent, file, manner.get().copy)
    name = slug_of(file)
    listened = host_of(host)

    def ready(port: int) -> None:
        near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listened, listened)
        far = local_address(listened) if listened in ("0.0.0.0", "::") else listened
        way = f"{path_of(name)}/in/{link}" if is_begun else "/tournaments"
        if far and not _loopback(far):
            tournaments.address = f"http://{host_in_url(far)}:{port}"
            text = say(
                "Phones and other computers find the tournament at {address}.", address=tournaments.address
            )
            typer.echo(text)
            if is_begun:
                if drawn := letters(tournaments.address + way):
                    typer.echo(drawn)
                typer.echo(
                    say("Anyone who scans this code can direct too; the codes for players are on the page.")
                )
        else:
            typer.echo(say("This computer is not on a network; everything works here, and on paper."))
        address = f"http://{host_in_url(near)}:{port}{way}"
        if not is_begun:
            typer.echo(say("There is no tournament in {path} yet. The page begins it.", path=str(file)))
        typer.echo(say("Direct the tournament at {address} (Ctrl+C stops it).", address=address))

    host_at(
        host,
        port,
        str(database or file.with_name(f"{file.name}.tables")),
        tournaments=tournaments,
        ready=ready,
    )


def local_address(host: str = "0.0.0.0") -> str:
    """The address of this computer in the network it is in; empty where there is none.

    No data are sent: the system only tells its own address. A server on ``::`` may get an IPv6 address.
    """
    public = ["2001:db8::1"] if host == "::" else []
    for far in ("10.255.255.255", "192.168.255.255", "172.31.255.255", *public):
        family = socket.AF_INET6 if ":" in far else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            try:
                asked.connect((far, 9))
                own = str(asked.getsockname()[0])
            except OSError:
                continue
        if not _loopback(own):
            return own
    return ""


def _loopback(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address == "localhost"
    return parsed.is_loopback or parsed.is_unspecified
