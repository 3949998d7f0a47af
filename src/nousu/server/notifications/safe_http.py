"""The way out to push services, whose addresses come from browsers: nobody may use it to reach what is not on
the open internet. Names are looked up here, and the connection goes to the very address that was looked at.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

import httpcore2

from nousu.server.errors import RequestError

_LONGEST = 1024
"""Letters of an address that are read."""
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""The only IPv6 addresses that are given out for the open internet; documentation (RFC 9637) lies in it."""
_EXAMPLES = ipaddress.IPv6Network("3fff::/20")


class Unreachable(httpcore2.ConnectError):
    """The name of a push service leads to an address that is not on the open internet, or nowhere."""


def is_open(address: str) -> bool:
    """Whether an address is one of the open internet, also where it is an IPv4 address in IPv6's clothes."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found not in _UNICAST or found in _EXAMPLES:
            return False
        inner = found.sixtofour or (found.teredo or (None, None))[1]
        if inner is not None and not is_open(str(inner)):
            return False
    return found.is_global and not found.is_multicast


def check_endpoint(endpoint: str, anywhere: bool = False) -> None:
    """Refuse what is not the address of a push service: https at its usual port, by a name or an address of
    the open internet. `anywhere` lets every address pass, http too."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    fine = bool(host) and plain and len(endpoint) <= _LONGEST and "@" not in parts.netloc
    if fine and not anywhere:
        fine = parts.scheme == "https" and port in (None, 443) and _may_be_open(host)
    if not fine or parts.scheme not in ("http", "https"):
        raise RequestError("This is not the address of a push service.")


def _may_be_open(host: str) -> bool:
    """Whether a host is a name (what it leads to is seen later), or an address of the open internet."""
    try:
        return is_open(host)
    except ValueError:
        return "." in host and host.rpartition(".")[2][:1].isalpha()


class OpenOnly(httpcore2.AsyncNetworkBackend):
    """Connects to the open internet only."""

    def __init__(self) -> None:
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address of a name; `Unreachable` where any of them is not open."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Unreachable(str(error)) from None
        addresses = [str(one[4][0]) for one in found]
        if not addresses or not all(map(is_open, addresses)):
            raise Unreachable("not an address of the open internet")
        return await self._inner.connect_tcp(addresses[0], port, timeout, local_address, socket_options)


class Way:
    """Sends requests to push services. `anywhere` lets every address pass: for tests."""

    def __init__(self, anywhere: bool = False) -> None:
        self.anywhere = anywhere
        self._pool: httpcore2.AsyncConnectionPool | None = None

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a body; the status of the answer, of which nothing else is read. An error of `httpcore2`
        where nobody answers; redirections are answers."""
        check_endpoint(endpoint, self.anywhere)
        if self._pool is None:
            self._pool = httpcore2.AsyncConnectionPool(
                ssl_context=ssl.create_default_context(),
                max_connections=16,
                keepalive_expiry=30.0,
                network_backend=None if self.anywhere else OpenOnly(),
            )
        async with self._pool.stream("POST", endpoint, headers=list(headers.items()), content=body) as answer:
            return int(answer.status)

    async def close(self) -> None:
        """Let the connections go."""
        if self._pool is not None:
            await self._pool.aclose()
