"""The proof that a request comes from another node of the house.

An HMAC under the key that the nodes share covers the method, the path with its query,
every header that is carried, and the body. It holds for some seconds and once, so that
what was overheard can't be sent again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_hex

from croupier.house.records.house_record import Clock

SIGNATURE = b"x-croupier-signature"
_FROM = b"x-croupier-node"
_CLIENT = b"x-croupier-client"
_SCHEME = b"x-croupier-scheme"
_SENT = b"x-croupier-sent"
_NONCE = b"x-croupier-nonce"
OWN_HEADERS = frozenset({SIGNATURE, _FROM, _CLIENT, _SCHEME, _SENT, _NONCE})
"""What the nodes tell each other; it means nothing in a request of anybody else."""
CARRIED = OWN_HEADERS - {SIGNATURE} | {
    *(b"authorization", b"content-type", b"cookie", b"x-csrf-token"),
    *(b"x-device-token", b"user-agent"),
}
"""The headers of a request that go along; others concern the first connection."""
HOLDS_S = 30
"""How far the clocks of two nodes may be apart."""
_SEEN_MAX = 1_000_000
"""Beyond it nothing is taken: whatever were forgotten could be sent again."""

HeaderList = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Sender:
    """Who carries a request, and for whom."""

    node: str
    client: str
    """The address of who asked at that node."""
    scheme: str = "http"
    """Whether it was asked there over TLS: `http`, or `https`."""


@dataclass(frozen=True, slots=True)
class CarriedRequest:
    """The signed parts of a request."""

    method: str
    target: bytes
    """The path as it was sent, with its query."""
    headers: HeaderList
    body: bytes = b""


def signed(
    request: CarriedRequest, sender: Sender, secret: bytes, clock: Clock
) -> HeaderList:
    """Return the headers to send, with the proof among them."""
    headers = [
        each
        for each in request.headers
        if each[0] in CARRIED and each[0] not in OWN_HEADERS
    ]
    headers += [
        (_FROM, sender.node.encode()),
        (_CLIENT, sender.client.encode()),
        (_SCHEME, sender.scheme.encode()),
        (_SENT, str(clock()).encode()),
        (_NONCE, token_hex(16).encode()),
    ]
    proof = _proof(request.method, request.target, headers, request.body, secret)
    return [*headers, (SIGNATURE, proof.encode())]


class Signatures:
    """Checks what comes from other nodes, and that nothing comes twice."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[int, set[bytes]] = {}
        """By the second in which they were signed, for as long as they hold."""

    def sender_of(self, request: CarriedRequest, secret: bytes) -> Sender | None:
        """Return who carries this; None where the proof does not hold."""
        told = dict(request.headers)
        carried = [each for each in request.headers if each[0] in CARRIED]
        proof = _proof(request.method, request.target, carried, request.body, secret)
        given = told.get(SIGNATURE, b"")
        if not hmac.compare_digest(proof.encode(), given):
            return None
        now, sent = self._clock(), int(told[_SENT])
        if abs(now - sent) > HOLDS_S * 1_000 or not self._is_new(given, sent, now):
            return None
        node, client = told[_FROM].decode(), told[_CLIENT].decode()
        return Sender(node, client, told[_SCHEME].decode())

    def _is_new(self, proof: bytes, sent: int, now: int) -> bool:
        oldest, second = now // 1_000 - HOLDS_S - 1, sent // 1_000
        if second not in self._seen:
            self._seen = {at: each for at, each in self._seen.items() if at >= oldest}
        seen = self._seen.setdefault(second, set())
        is_full = sum(map(len, self._seen.values())) >= _SEEN_MAX
        if proof in seen or is_full:
            return False
        seen.add(proof)
        return True


def _proof(
    method: str,
    target: bytes,
    headers: Iterable[tuple[bytes, bytes]],
    body: bytes,
    secret: bytes,
) -> str:
    """Return the HMAC; each part is preceded by its length, so that none runs over."""
    parts = [method.encode(), target, sha256(body).digest()]
    for name, value in sorted(headers):
        parts += [name, value]
    text = b"".join(len(part).to_bytes(4) + part for part in parts)
    return hmac.new(secret, text, sha256).hexdigest()
