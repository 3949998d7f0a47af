"""Addresses: the one people come by, where whoever hosts this server has said so, and proxies they pass."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""What may stand in a Host header."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadAddress(ValueError):
    """An address is none; the text is a sentence that says what would be."""


@dataclass(frozen=True, slots=True)
class Public:
    """``https://cards.example``: what links say, what an Origin must be, whether cookies are Secure."""

    scheme: str
    host: str
    """Small letters, with the port if it is not the scheme's own."""

    @classmethod
    def read(cls, text: str) -> "Public":
        """The address written as a URL without a path; `BadAddress`."""
        try:
            parts = urlsplit(text.strip().rstrip("/"))
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        host = parts.netloc.lower()
        if parts.scheme not in ("http", "https") or not HOST.fullmatch(host) or parts.path or parts.query:
            raise BadAddress(f"{text[:100]!r} is no public address; write for example https://cards.example")
        if port == {"http": 80, "https": 443}[parts.scheme]:
            host = host.rpartition(":")[0]
        return cls(parts.scheme, host)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


def networks(words: Iterable[str]) -> tuple[Network, ...]:
    """Addresses of proxies, ``127.0.0.1`` or ``10.0.0.0/8``; `BadAddress`."""
    found = []
    for word in words:
        try:
            found.append(ipaddress.ip_network(word.strip(), strict=False))
        except ValueError:
            raise BadAddress(f"{word[:100]!r} is no address; write for example 127.0.0.1 or ::1") from None
    return tuple(found)


def within(address: str, proxies: Sequence[Network]) -> bool:
    """Whether an address is one of these."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in proxies)
