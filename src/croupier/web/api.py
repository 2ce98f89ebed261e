"""The HTTP API of a house, gathered from its parts."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from croupier import __version__
from croupier.house.floor import Floor
from croupier.web import (
    api_cashier,
    api_demonstration,
    api_devices,
    api_exposure,
    api_games,
    api_health,
    api_history,
    api_house,
    api_log,
    api_log_on,
    api_players,
    api_proposals,
    api_reports,
    api_rounds,
    api_rules,
    api_search,
    api_settling,
    api_staff,
    api_tables,
    api_vouchers,
)
from croupier.web.callers import ApiOptions, authenticating
from croupier.web.openapi import Api, api_routes, application, document_route

_PARTS = (
    api_house,
    api_tables,
    api_settling,
    api_history,
    api_games,
    api_log_on,
    api_demonstration,
    api_staff,
    api_devices,
    api_exposure,
    api_players,
    api_cashier,
    api_vouchers,
    api_proposals,
    api_rounds,
    api_rules,
    api_search,
    api_reports,
    api_log,
    api_health,
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
    authenticate = authenticating(floor, options or ApiOptions())
    return application(
        [
            *api_routes(api, authenticate),
            document_route(api, __version__),
            *further,
        ]
    )
