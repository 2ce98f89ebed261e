"""The HTTP API of a house, gathered from its parts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier import __version__
from croupier.web.api import (
    cashier,
    demonstration,
    devices,
    games,
    house,
    learn,
    log_on,
    mirror,
    players,
    proposals,
    receipts,
    reports,
    rounds,
    rulebook,
    seat,
    staff,
    tables,
)
from croupier.web.endpoint import Api
from croupier.web.openapi import document
from croupier.web.routing import api_routes, application
from croupier.web.security.authentication import ApiResources, authenticator

__all__ = ["LOG_ON_PATHS", "api_document", "build_api", "whole_api"]

_PARTS = (
    house,
    mirror,
    tables,
    rounds,
    receipts,
    seat,
    games,
    rulebook,
    log_on,
    demonstration,
    staff,
    devices,
    players,
    cashier,
    proposals,
    reports,
    learn,
)
LOG_ON_PATHS = re.compile(
    "/api/(log-on(/own-password)?|pair|demonstration/staff|tables/[^/]*/guests)"
)
"""The paths with the stricter rate of `SecurityOptions.log_on_rate`."""


def whole_api() -> Api:
    whole = Api("")
    for part in _PARTS:
        for endpoint in part.api.endpoints:
            whole.add(endpoint)
    return whole


@cache
def api_document() -> bytes:
    return msgspec.json.encode(document(whole_api().endpoints, version=__version__))


def build_api(resources: ApiResources, others: Iterable[BaseRoute] = ()) -> Starlette:
    """Return the application over a floor: the API, its document, other routes."""
    endpoints = whole_api().endpoints

    async def show_document(_: Request) -> Response:
        written = await asyncio.to_thread(api_document)
        return Response(written, media_type="application/json")

    return application(
        [
            *api_routes(endpoints, authenticator(resources)),
            Route("/api/openapi.json", show_document),
            *others,
        ],
        lambda: resources.floor.is_stopping,
    )
