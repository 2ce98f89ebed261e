"""The hosts that a request may name, and the origin of its page."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import Scope

_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_HEALTH = frozenset({"/health", "/ready"})
_PLAIN = {"ws": "http", "wss": "https"}


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def asks_for_health(scope: Scope) -> bool:
    """Return whether this is a health probe of this machine, for any host name."""
    client = scope.get("client") or ("",)
    is_health = scope["type"] == "http" and scope["path"] in _HEALTH
    return is_health and is_loopback(client[0])


class BadAddress(ValueError):
    """A URL of the options that is not `https://host` or `http://host:port`."""


@dataclass(frozen=True, slots=True)
class Host:
    """A parsed `Host` header."""

    name: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> Host | None:
        match = _HOST.fullmatch(text.lower())
        if match is None:
            return None
        return cls(match[1], int(match[2]) if match[2] else None)

    def __str__(self) -> str:
        return self.name if self.port is None else f"{self.name}:{self.port}"


def origin_of(scheme: str, host: Host) -> str:
    """Return the origin as a browser writes it: without the scheme's default port."""
    scheme = _PLAIN.get(scheme, scheme)
    is_usual = host.port in (None, _DEFAULT_PORTS[scheme])
    return f"{scheme}://{host.name if is_usual else host}"


def read_origin(url: str) -> str:
    """Return the origin of an address in the options; raise `BadAddress`."""
    try:
        parts = urlsplit(url)
        host = Host.read(parts.netloc)
    except ValueError as error:
        raise BadAddress(f"{url[:100]!r} is not an address") from error
    if parts.scheme not in _DEFAULT_PORTS or host is None:
        raise BadAddress(f"{url[:100]!r} is not an address such as https://host")
    return origin_of(parts.scheme, host)


def read_hosts(listed: Iterable[str], public_url: str | None) -> frozenset[str]:
    """Return the allowed hosts; an empty set allows any."""
    names = {each.lower() for each in listed}
    for name in names:
        if Host.read(name) is None:
            raise BadAddress(f"{name[:100]!r} is not a host")
    if names and public_url is not None:
        names.add(urlsplit(public_url).netloc.lower())
    return frozenset(names)
