"""Requests over HTTP that concern a table of another node: carried there whole."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.floor.floor import Floor
from croupier.house.reasons import HouseReason
from croupier.journal.node_registry import NodeRow
from croupier.web.nodes.node_client import (
    ANSWER_WITHIN_S,
    NodeAnswer,
    NodeClient,
    NodeSilent,
    NodeUnreachable,
)
from croupier.web.nodes.node_gate import sender_of, target_of
from croupier.web.nodes.signature import CarriedRequest
from croupier.web.nodes.table_finder import owners_in_turn
from croupier.web.problems import ApiError, ApiProblem
from croupier.web.security.hosts import plain_scheme

T = TypeVar("T")
MISDIRECTED = 421
"""The status of a node that does not serve the table, as it seemed to another."""
_RETRY = {"Retry-After": "1"}
_GATHER_WITHIN_S = 2.0
"""A list does not wait for a node that hangs: it has lost its tables soon."""


class RequestRelay:
    """Carries requests to the nodes whose tables they are about."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def carry(self, http: Request, table: str) -> Response | None:
        """Return the answer of the table's node; None where it is served here by now.

        Raises `ApiError` 503 where no node answers: nothing is done twice that is sent
        again with the same id.
        """
        if sender_of(http.scope) is not None:
            raise ApiError(MISDIRECTED, HouseReason.TABLE_NOT_TAKEN(name=table))
        request = _request(http, target_of(http.scope), await http.body())
        answer = await self._at_owner(http, table, request)
        return None if answer is None else _response(answer)

    async def ask_owner(
        self, http: Request, table: str, route: str, body: object = None
    ) -> bytes | None:
        """Return what the table's node answers to another request of who asks here.

        `route` is such as `GET /api/tables/t1/terms`. None where the table is served
        here by now. Raises `ApiError`.
        """
        method, _, target = route.partition(" ")
        content = b"" if body is None else msgspec.json.encode(body)
        headers = list(http.scope["headers"])
        request = CarriedRequest(method, target.encode(), headers, content)
        answer = await self._at_owner(http, table, request)
        if answer is None:
            return None
        if answer.status < 300:
            return answer.body
        problem = msgspec.json.decode(answer.body, type=ApiProblem)
        raise ApiError(answer.status, problem.reason, clause=problem.clause)

    async def _at_owner(
        self, http: Request, table: str, request: CarriedRequest
    ) -> NodeAnswer | None:
        async with aclosing(owners_in_turn(self._floor, table)) as owners:
            async for owner in owners:
                if owner is None:
                    return None
                try:
                    answer = await self._ask(owner, http, request, ANSWER_WITHIN_S)
                except NodeUnreachable:
                    continue
                except NodeSilent as error:
                    raise _not_taken(table) from error
                if answer.status != MISDIRECTED:
                    return answer
        raise _not_taken(table)

    async def gather(self, http: Request, kind: type[T]) -> list[T]:
        """Return what the other nodes answer to the same question, each for its own.

        Empty where this node was asked by another. A node that does not answer is left
        out: its tables are on their way to others.
        """
        if self._floor.nodes is None or sender_of(http.scope) is not None:
            return []
        request = _request(http, target_of(http.scope))
        asked = [
            self._ask(node, http, request, _GATHER_WITHIN_S)
            for node in self._client.others()
        ]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        told: list[T] = []
        for answer in answers:
            if isinstance(answer, NodeAnswer) and answer.status == 200:
                with suppress(msgspec.MsgspecError):  # of a version that says it anew
                    told.append(msgspec.json.decode(answer.body, type=kind))
            elif not isinstance(answer, NodeAnswer | NodeUnreachable | NodeSilent):
                raise answer
        return told

    @property
    def _client(self) -> NodeClient:
        assert self._floor.nodes is not None
        return NodeClient(self._floor.nodes, self._floor.clock)

    async def _ask(
        self, node: NodeRow, http: Request, request: CarriedRequest, within_s: float
    ) -> NodeAnswer:
        client = http.client.host if http.client else ""
        scheme = plain_scheme(http.url.scheme)
        return await self._client.ask(node, request, client, scheme, within_s=within_s)


def _request(http: Request, target: bytes, body: bytes = b"") -> CarriedRequest:
    return CarriedRequest(http.method, target, list(http.scope["headers"]), body)


def _response(answer: NodeAnswer) -> Response:
    """Return another node's answer as it came."""
    response = Response(answer.body, answer.status)
    response.raw_headers = [
        *(each for each in response.raw_headers if each[0] == b"content-length"),
        *answer.headers,
    ]
    return response


def _not_taken(table: str) -> ApiError:
    return ApiError(503, HouseReason.TABLE_NOT_TAKEN(name=table), headers=_RETRY)
