"""Addresses: the public address of the server, and the networks of its proxies."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import idna

HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""Pattern of a Host header."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def host_in_url(host: str) -> str:
    """A host as a URL writes it: an IPv6 address in brackets.

    >>> host_in_url("::1"), host_in_url("cards.example")
    ('[::1]', 'cards.example')
    """
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def host_of(text: str) -> str:
    """A host as it is listened on: without the brackets of a URL.

    >>> host_of("[::1]"), host_of("0.0.0.0")
    ('::1', '0.0.0.0')
    """
    text = text.strip()
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _as_browsers_send(host: str) -> str:
    """A host in the spelling of Host headers: ASCII, small letters, the shortest form of an IPv6 address."""
    name, port = host, ""
    if match := re.fullmatch(r"(.*[^:]|\[.*\])(:[0-9]*)", host):
        name, port = match[1], match[2]
    try:
        if name.startswith("[") and name.endswith("]"):
            name = f"[{ipaddress.IPv6Address(name[1:-1])}]"
        elif not name.isascii():
            name = idna.encode(name, uts46=True).decode()
    except (ValueError, idna.IDNAError):
        return ""
    return (name + port).lower()


class BadAddress(ValueError):
    """A text that is no address; the message is a sentence with an example of one."""


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The address that people use, ``https://cards.example``: for links, Origin headers and Secure cookies.

    Attributes:
        scheme: ``http`` or ``https``.
        host: in lower case, with the port if it is not the default of the scheme.
    """

    scheme: str
    host: str

    @classmethod
    def parse(cls, text: str) -> "PublicAddress":
        """Parse a URL without a path.

        Raises:
            BadAddress: it is none.
        """
        try:
            parts = urlsplit(text.strip().rstrip("/"))
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        host = _as_browsers_send(parts.netloc)
        if parts.scheme not in ("http", "https") or not HOST.fullmatch(host) or parts.path or parts.query:
            raise BadAddress(f"{text[:100]!r} is no public address; write for example https://cards.example")
        if port == {"http": 80, "https": 443}[parts.scheme]:
            host = host.rpartition(":")[0]
        return cls(parts.scheme, host)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


def parse_networks(words: Iterable[str]) -> tuple[Network, ...]:
    """Parse addresses and networks, such as ``127.0.0.1`` and ``10.0.0.0/8``.

    Raises:
        BadAddress: one is none.
    """
    networks = []
    for word in words:
        try:
            networks.append(ipaddress.ip_network(word.strip(), strict=False))
        except ValueError:
            raise BadAddress(f"{word[:100]!r} is no address; write for example 127.0.0.1 or ::1") from None
    return tuple(networks)


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Whether an address belongs to one of these networks."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)


def is_loopback(host: str) -> bool:
    """Whether a host or an address is this computer itself.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("[::1]"), is_loopback("cards.example")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host_of(host)).is_loopback
    except ValueError:
        return host == "localhost"
