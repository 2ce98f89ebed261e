"""The HTTP API of a house, gathered from its parts."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from croupier import __version__
from croupier.house.floor.floor import Floor
from croupier.web.api import (
    cashier,
    demonstration,
    devices,
    exposure,
    games,
    health,
    history,
    house,
    log,
    log_on,
    players,
    proposals,
    reports,
    rounds,
    rules,
    search,
    settlement,
    staff,
    tables,
    vouchers,
)
from croupier.web.openapi import Api, api_routes, application, document_route
from croupier.web.security.authentication import ApiOptions, authenticator

_PARTS = (
    house,
    tables,
    settlement,
    history,
    games,
    log_on,
    demonstration,
    staff,
    devices,
    exposure,
    players,
    cashier,
    vouchers,
    proposals,
    rounds,
    rules,
    search,
    reports,
    log,
    health,
)
LOG_ON_PATHS = frozenset(
    {
        "/api/log-on",
        "/api/pair",
        "/api/demonstration/seat",
        "/api/demonstration/staff",
    }
)
"""For `SecurityOptions`: asked more rarely than everything else."""


def whole_api() -> Api:
    """Every operation, tag by tag."""
    whole = Api()
    for part in _PARTS:
        for endpoint in part.api.endpoints:
            whole.add(endpoint)
    return whole


def build_api(
    floor: Floor,
    options: ApiOptions | None = None,
    *,
    further: Iterable[BaseRoute] = (),
) -> Starlette:
    """The application over this floor: the API, its document, and further routes."""
    api = whole_api()
    authenticate = authenticator(floor, options or ApiOptions())
    return application(
        [
            *api_routes(api, authenticate),
            document_route(api, __version__),
            *further,
        ]
    )
