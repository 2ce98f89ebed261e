"""The HTTP API of a house, gathered from its parts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier import __version__
from croupier.house.floor.floor import Floor
from croupier.web.api import (
    cashier,
    devices,
    games,
    house,
    log_on,
    nodes,
    players,
    proposals,
    reports,
    rounds,
    seat,
    second_factor,
    sessions,
    staff,
    tables,
    tour,
)
from croupier.web.endpoint import Api
from croupier.web.openapi import document
from croupier.web.routing import api_routes, application
from croupier.web.security.authentication import ApiOptions, authenticator

__all__ = ["LOG_ON_PATHS", "api_document", "build_api", "whole_api"]

_PARTS = (
    house,
    tables,
    rounds,
    seat,
    games,
    log_on,
    tour,
    second_factor,
    sessions,
    staff,
    devices,
    players,
    cashier,
    proposals,
    reports,
    nodes,
)
LOG_ON_PATHS = frozenset(
    {
        "/api/log-on",
        "/api/log-on/own-password",
        "/api/pair",
        "/api/demonstration/seat",
        "/api/demonstration/staff",
    }
)
"""For `SecurityOptions`: asked more rarely than everything else."""


def whole_api() -> Api:
    """Return every operation of every part."""
    whole = Api("")
    for part in _PARTS:
        for endpoint in part.api.endpoints:
            whole.add(endpoint)
    return whole


@cache
def api_document() -> bytes:
    """Return the OpenAPI document of every operation, as it is served."""
    return msgspec.json.encode(document(whole_api().endpoints, version=__version__))


def build_api(
    floor: Floor, options: ApiOptions | None = None, others: Iterable[BaseRoute] = ()
) -> Starlette:
    """Return the application over this floor: the API, its document, other routes."""
    endpoints = whole_api().endpoints
    written = api_document()

    async def show_document(_: Request) -> Response:
        return Response(written, media_type="application/json")

    return application(
        [
            *api_routes(endpoints, authenticator(floor, options or ApiOptions())),
            Route("/api/openapi.json", show_document),
            *others,
        ],
        lambda: floor.is_stopping,
    )
