"""A small API that has every kind of parameter, body and answer."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, NewType

import msgspec
from msgspec import Meta
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.rules.reasons import PlainReason
from croupier.web.endpoint import Api, ApiRequest, Body
from croupier.web.openapi import document
from croupier.web.problems import ApiError, JsonResponse
from croupier.web.routing import api_routes, application

TOKEN = "Bearer of-anna"
TableName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,20}\Z")]
Cents = Annotated[int, Meta(ge=1, le=10**9)]
Sequence = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
SeatId = NewType("SeatId", str)


class Phase(enum.Enum):
    BETTING = "betting"
    CLOSED = "closed"


class Placing(Body, frozen=True, tag="place"):
    """One wager."""

    wager: Annotated[str, Meta(min_length=1, max_length=40)]
    stake_cents: Cents


class Taking(Body, frozen=True, tag="take"):
    wager_id: Cents


class Acts(Body, frozen=True):
    """Several acts sent as one."""

    acts: Annotated[list[Placing | Taking], Meta(min_length=1, max_length=5)]
    sequence: Sequence
    note: str | None = None
    seats: dict[str, Cents] = msgspec.field(default_factory=dict)
    factor: Annotated[float, Meta(ge=0, le=10)] = 1.0


class Kept(Body, frozen=True):
    until: date
    again: Kept | None = None


class Placed(msgspec.Struct, frozen=True):
    table: str
    count: int
    sequence: int
    note: str | None
    seats: dict[str, int]


class Listed(msgspec.Struct, frozen=True):
    table: str
    after: int
    phase: Phase | None
    day: date | None
    flag: bool
    sort: str


@dataclass(frozen=True, slots=True)
class Asking(ApiRequest):
    caller: str


api = Api("sample")


async def authenticate(
    http: Request, schemes: frozenset[str], request_id: str
) -> Asking:
    if schemes and http.headers.get("authorization") != TOKEN:
        raise ApiError(401, PlainReason.RECORDED(text="you are not logged on"))
    return Asking(http, request_id, "Anna" if schemes else "anybody")


@api("GET /api/health")
async def health(request: Asking) -> dict[str, str]:
    """Tell whether it runs."""
    return {"caller": request.caller}


@api("GET /api/tables/{table}/rounds")
async def rounds(
    request: Asking,
    *,
    table: TableName,
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0,
    phase: Phase | None = None,
    day: date | None = None,
    flag: bool = False,
    sort: Literal["up", "down"] = "up",
) -> Listed:
    """List rounds."""
    return Listed(table, after, phase, day, flag, sort)


@api(
    "POST /api/tables/{table}/rounds",
    auth=frozenset({"session"}),
    errors=frozenset({409}),
    status=201,
)
async def act(request: Asking, body: Acts, *, table: TableName) -> Placed:
    """Act in the round."""
    if table == "closed":
        reason = PlainReason.RECORDED(text="no more bets")
        raise ApiError(409, reason, clause="5.13")
    request.answer.set_cookie("seen", "1", httponly=True)
    return Placed(table, len(body.acts), body.sequence, body.note, body.seats)


@api("PUT /api/seats/{seat}/{number}")
async def keep(
    request: Asking,
    body: Kept,
    *,
    seat: SeatId,
    number: Annotated[int, Meta(ge=1, le=60, description="A seat.")],
) -> None:
    """Keep a seat."""
    assert "/" not in seat
    assert "\0" not in seat


@api("DELETE /api/seats/{seat}/{number}", auth=frozenset({"session"}))
async def free(request: Asking, *, seat: SeatId, number: Cents) -> None:
    """Free a seat."""
    assert request.caller == "Anna"


@api("GET /api/report.csv", media_type="text/csv")
async def report(request: Asking) -> Response:
    """Report as a sheet."""
    return Response("a,b\n1,2\n", media_type="text/csv")


broken = Api("broken")


@broken("GET /api/broken")
async def fail(request: Asking) -> None:
    """Fail."""
    raise RuntimeError("the secret of the house")


def make() -> Starlette:
    async def show_document(_: Request) -> Response:
        return JsonResponse(document(api.endpoints, version="1"))

    return application(
        [
            *api_routes([*api.endpoints, *broken.endpoints], authenticate),
            Route("/api/openapi.json", show_document),
        ]
    )
