"""A small API that has every kind of parameter, body and answer."""

from __future__ import annotations

import enum
from datetime import date
from typing import Annotated, Literal, NewType

import msgspec
from msgspec import Meta
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from croupier.web.openapi import (
    Api,
    ApiError,
    ApiRequest,
    Body,
    api_routes,
    application,
    document_route,
)

TOKEN = "Bearer of-anna"
TableName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,20}\Z")]
Cents = Annotated[int, Meta(ge=1, le=10**9)]
SeatId = NewType("SeatId", str)


class Phase(enum.Enum):
    BETTING = "betting"
    CLOSED = "closed"


class Placing(Body, frozen=True, tag="place"):
    """One wager."""

    wager: Annotated[str, Meta(min_length=1, max_length=40)]
    stake_cents: Cents


class Taking(Body, frozen=True, tag="take"):
    wager_id: int


class Acts(Body, frozen=True):
    """Several acts sent as one."""

    acts: Annotated[list[Placing | Taking], Meta(min_length=1, max_length=5)]
    sequence: int
    note: str | None = None
    seats: dict[str, int] = msgspec.field(default_factory=dict)
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
    phases: list[Phase]
    day: date | None
    flag: bool
    sort: str


api = Api()


async def authenticate(http: Request, schemes: frozenset[str]) -> str:
    if schemes and http.headers.get("authorization") != TOKEN:
        raise ApiError(401, "you are not logged on")
    return "Anna" if schemes else "anybody"


@api.get("/api/health", summary="Whether it runs.", tag="house")
async def health(request: ApiRequest[str]) -> dict[str, str]:
    return {"caller": request.caller}


@api.get("/api/tables/{table}/rounds", summary="Rounds.", tag="tables")
async def rounds(
    request: ApiRequest[str],
    *,
    table: TableName,
    after: Annotated[int, Meta(ge=0)] = 0,
    phase: list[Phase] = [],  # noqa: B006 - never changed
    day: date | None = None,
    flag: bool = False,
    sort: Literal["up", "down"] = "up",
) -> Listed:
    return Listed(table, after, phase, day, flag, sort)


@api.post(
    "/api/tables/{table}/rounds",
    summary="Acts in the round.",
    tag="tables",
    auth={"session"},
    errors=(409,),
    status=201,
)
async def act(request: ApiRequest[str], body: Acts, *, table: TableName) -> Placed:
    if table == "closed":
        raise ApiError(409, "no more bets", clause="5.13")
    request.answer.set_cookie("seen", "1", httponly=True)
    return Placed(table, len(body.acts), body.sequence, body.note, body.seats)


@api.put("/api/seats/{seat}/{number}", summary="Keep a seat.", tag="seats")
async def keep(
    request: ApiRequest[str],
    body: Kept | None = None,
    *,
    seat: SeatId,
    number: Annotated[int, Meta(ge=1, le=60)],
) -> None:
    assert "/" not in seat
    assert "\0" not in seat


@api.delete(
    "/api/seats/{seat}/{number}", summary="Free it.", tag="seats", auth={"session"}
)
async def free(request: ApiRequest[str], *, seat: SeatId, number: int) -> None:
    assert request.caller == "Anna"


@api.get("/api/report.csv", summary="As a sheet.", tag="house", media_type="text/csv")
async def report(request: ApiRequest[str]) -> Response:
    return Response("a,b\n1,2\n", media_type="text/csv")


broken = Api()


@broken.get("/api/broken", summary="Fails.", tag="house")
async def fail(request: ApiRequest[str]) -> None:
    raise RuntimeError("the secret of the house")


def make() -> Starlette:
    return application(
        [
            *api_routes(api, authenticate),
            *api_routes(broken, authenticate),
            document_route(api, "1"),
        ]
    )
