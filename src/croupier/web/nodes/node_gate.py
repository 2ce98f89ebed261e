"""The door for what another node carries here: checked there, and not once more.

A request with the nodes' proof passes straight to the application, in the name of who
asked at the other node. Whatever anybody else sends of the nodes' headers is dropped.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.house.floor.floor import Floor
from croupier.web.nodes.signature import (
    CARRIED,
    OWN_HEADERS,
    SIGNATURE,
    CarriedRequest,
    Sender,
    Signatures,
)
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.hosts import read_origin
from croupier.web.security.middleware import (
    ClientGone,
    Security,
    SecurityOptions,
    read_body,
    refuse,
    replaying,
)
from croupier.web.security.refusals import RefusalLog

_SENDER = "croupier.sender"


class NodeGate:
    """Tells the requests of other nodes from everybody else's."""

    def __init__(
        self,
        inside: ASGIApp,
        outside: Security,
        floor: Floor,
        options: SecurityOptions,
        refusals: RefusalLog,
    ) -> None:
        """Pass what a node carries to `inside`, everything else to `outside`."""
        self._inside, self._outside, self._floor = inside, outside, floor
        self._options = options
        self._signatures = Signatures(floor.clock)
        self._refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._outside(scope, receive, send)
            return
        names = {name for name, _ in scope["headers"]}
        nodes = self._floor.nodes
        if nodes is None or SIGNATURE not in names:
            await self._outside(_without(scope, names), receive, send)
            return
        try:
            self._outside.take(scope)  # until its proof is checked it is anybody's
            body = b""
            if scope["type"] == "http":
                receive = await read_body(
                    scope,
                    receive,
                    bytes_max=self._options.body_bytes_max,
                    seconds_max=self._options.body_seconds_max,
                )
                body = (await receive()).get("body", b"")
                receive = replaying(body, receive)
            sender = self._signatures.sender_of(_request(scope, body), nodes.secret)
            if sender is None:
                raise ApiError(403, WebReason.NOT_A_NODE())
            self._outside.give_back(scope)
        except ApiError as error:
            client = (scope.get("client") or ("",))[0]
            self._refusals.note(str(error.status), client, error=error.problem.error)
            await refuse(error, scope, receive, send)
        except ClientGone:
            return
        else:
            await self._inside(_for_client(scope, sender), receive, send)


def node_origins(floor: Floor) -> Callable[[], frozenset[str]]:
    """Return what tells the origins of all nodes: their pages are the house's own."""

    def origins() -> frozenset[str]:
        nodes = floor.nodes.all() if floor.nodes else ()
        return frozenset(read_origin(node.address) for node in nodes)

    return origins


def live_nodes(floor: Floor) -> Callable[[], int]:
    """Return what counts the nodes that live, this one at the least."""

    def count() -> int:
        nodes = floor.nodes.all() if floor.nodes else ()
        return max(1, sum(node.is_alive for node in nodes))

    return count


def sender_of(scope: Scope) -> Sender | None:
    """Return which node carried a request here; None: it was asked here."""
    found: Sender | None = scope.get(_SENDER)
    return found


def target_of(scope: Scope) -> bytes:
    """Return the path as it was sent, with its query."""
    query: bytes = scope.get("query_string") or b""
    path: bytes = scope["raw_path"]
    return path + b"?" + query if query else path


def _request(scope: Scope, body: bytes) -> CarriedRequest:
    method = scope.get("method", "GET")
    return CarriedRequest(method, target_of(scope), list(scope["headers"]), body)


def _for_client(scope: Scope, sender: Sender) -> Scope:
    """Return the request as if its client had asked here."""
    headers = [
        each
        for each in scope["headers"]
        if each[0] in CARRIED and each[0] not in OWN_HEADERS
    ]
    secure, is_socket = sender.scheme == "https", scope["type"] == "websocket"
    scheme = ("wss" if secure else "ws") if is_socket else sender.scheme
    return {
        **scope,
        "headers": headers,
        "client": (sender.client, 0),
        "scheme": scheme,
        _SENDER: sender,
    }


def _without(scope: Scope, names: set[bytes]) -> Scope:
    if names.isdisjoint(OWN_HEADERS):
        return scope
    kept = [each for each in scope["headers"] if each[0] not in OWN_HEADERS]
    return {**scope, "headers": kept}
