"""HTTP client for push services that connects to public addresses only.

The addresses come from browsers, so that they could name a machine of the internal network (server-side
request forgery). Names are resolved here, and the connection goes to the resolved address itself.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

import httpcore2

from nousu.server.errors import RequestError

_MAX_LENGTH = 1024
"""Longest address of a push service, in characters."""
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""The IPv6 addresses assigned for the open internet; those of documentation (RFC 9637) lie within."""
_EXAMPLES = ipaddress.IPv6Network("3fff::/20")


class Unreachable(httpcore2.ConnectError):
    """A push service whose name resolves to no address, or to one that is not public."""


def is_public(address: str) -> bool:
    """Whether an IP address is public, and the IPv4 address embedded in it too."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed not in _UNICAST or parsed in _EXAMPLES:
            return False
        inner = parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if inner is not None and not is_public(str(inner)):
            return False
    return parsed.is_global and not parsed.is_multicast


def check_endpoint(endpoint: str, anywhere: bool = False) -> None:
    """Raise `RequestError` unless an address may be a push service's: https, port 443, a public host.

    `anywhere` accepts every host and port, and http.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    fine = bool(host) and plain and len(endpoint) <= _MAX_LENGTH and "@" not in parts.netloc
    if fine and not anywhere:
        fine = parts.scheme == "https" and port in (None, 443) and _may_be_public(host)
    if not fine or parts.scheme not in ("http", "https"):
        raise RequestError("This is not the address of a push service.")


def _may_be_public(host: str) -> bool:
    """Whether a host is a domain name (resolved later) or a public IP address."""
    try:
        return is_public(host)
    except ValueError:
        return "." in host and host.rpartition(".")[2][:1].isalpha()


class PublicBackend(httpcore2.AsyncNetworkBackend):
    """Network backend that connects to public addresses only."""

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
        """Connect to the first address of a name. Raises `Unreachable` where any of them is not public."""
        try:
            infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Unreachable(str(error)) from None
        addresses = [str(info[4][0]) for info in infos]
        if not addresses or not all(map(is_public, addresses)):
            raise Unreachable("not an address of the open internet")
        return await self._inner.connect_tcp(addresses[0], port, timeout, local_address, socket_options)


class PushClient:
    """HTTP client for push services. `anywhere` accepts every address, for tests."""

    def __init__(self, anywhere: bool = False) -> None:
        self.anywhere = anywhere
        self._pool: httpcore2.AsyncConnectionPool | None = None

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a body and return the status of the response, whose content is not read.

        Redirects are not followed. Raises an error of `httpcore2` where no response comes.
        """
        check_endpoint(endpoint, self.anywhere)
        if self._pool is None:
            self._pool = httpcore2.AsyncConnectionPool(
                ssl_context=ssl.create_default_context(),
                max_connections=16,
                keepalive_expiry=30.0,
                network_backend=None if self.anywhere else PublicBackend(),
            )
        async with self._pool.stream("POST", endpoint, headers=list(headers.items()), content=body) as answer:
            return int(answer.status)

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.aclose()
