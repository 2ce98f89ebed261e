"""Starlette routes for the endpoints, the application around them, and gzip."""

from __future__ import annotations

import gzip
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from croupier.house.reasons import HouseReason
from croupier.rules.reasons import PlainReason
from croupier.web.decoding import BodyDecoder, ParameterDecoder
from croupier.web.endpoint import ApiRequest, Endpoint
from croupier.web.problems import ApiError, BadRequest, JsonResponse, problem_response
from croupier.web.reasons import WebReason

Authenticate = Callable[[Request, frozenset[str], str], Awaitable[ApiRequest]]
"""Identifies the caller by one of the schemes; raises `ApiError` 401 or 403.

It is called for every operation, without schemes for public ones. The text is the
request's id.
"""
_JSON = re.compile(r"application/json(\s*;\s*charset=\"?utf-8\"?)?", re.IGNORECASE)
_log = structlog.get_logger("croupier.web")


def api_routes(
    endpoints: Iterable[Endpoint], authenticate: Authenticate
) -> list[Route]:
    """Return one route for each path, so that `Allow` lists all its methods."""
    paths: dict[str, dict[str, _Operation]] = {}
    for endpoint in endpoints:
        operation = _Operation(endpoint, authenticate)
        paths.setdefault(endpoint.path, {})[endpoint.method] = operation
    return [Route(path, _Path(operations)) for path, operations in paths.items()]


class _Path:
    """The ASGI application of one path: finds the method, answers every failure."""

    def __init__(self, operations: Mapping[str, _Operation]) -> None:
        self._operations = dict(operations)
        if "GET" in operations:
            self._operations["HEAD"] = operations["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, request_id = Request(scope, receive), secrets.token_hex(8)
        with bound_contextvars(request_id=request_id):
            response = await self._answer(request, request_id)
        await response(scope, receive, send)

    async def _answer(self, request: Request, request_id: str) -> Response:
        try:
            if request.method in self._operations:
                operation = self._operations[request.method]
                return await operation.answer(request, request_id)
            allow = {"Allow": ", ".join(sorted(self._operations))}
            raise ApiError(
                405, WebReason.METHOD_NOT_ALLOWED(method=request.method), headers=allow
            )
        except ApiError as error:
            return problem_response(error)
        except Exception as error:  # noqa: BLE001 - the caller learns only its id
            return _failure(request, error, request_id)


class _Operation:
    """Reads the request, calls the handler, writes its answer."""

    def __init__(self, endpoint: Endpoint, authenticate: Authenticate) -> None:
        self._endpoint = endpoint
        self._authenticate = authenticate
        self._body = None if endpoint.body is None else BodyDecoder(endpoint.body)
        self._path, self._query = (
            {
                each.name: ParameterDecoder(each.name, each.type, each.default)
                for each in endpoint.parameters
                if each.in_path is in_path
            }
            for in_path in (True, False)
        )

    async def answer(self, http: Request, request_id: str) -> Response:
        endpoint = self._endpoint
        request = await self._authenticate(http, endpoint.auth, request_id)
        parameters = self._parameters(http)
        bodies = await self._bodies(http)
        value = await endpoint.handler(request, *bodies, **parameters)
        if isinstance(value, Response):
            response = value
        elif endpoint.response is None:
            response = Response(status_code=endpoint.status)
        else:
            response = JsonResponse(value, endpoint.status)
        if endpoint.is_large:
            compress(response, http)
        response.raw_headers.extend(
            each for each in request.answer.raw_headers if each[0] != b"content-length"
        )
        return response

    def _parameters(self, http: Request) -> dict[str, Any]:
        query = http.query_params
        unknown = [name for name in query if name not in self._query]
        if unknown:
            raise BadRequest(WebReason.NO_SUCH_PARAMETER(name=repr(unknown[0][:40])))
        return {
            **{n: each.decode(query.getlist(n)) for n, each in self._query.items()},
            **{n: d.decode([http.path_params[n]]) for n, d in self._path.items()},
        }

    async def _bodies(self, http: Request) -> tuple[Any, ...]:
        """Return the arguments of the handler for the body: none, or one."""
        if self._body is None:
            return ()
        content = await http.body()
        kind = http.headers.get("content-type")
        if kind is None and not content:
            raise BadRequest(WebReason.BODY_MISSING())
        if kind is None or not _JSON.fullmatch(kind.strip()):
            raise ApiError(415, WebReason.BODY_NOT_JSON_TYPE())
        return (self._body.decode(content),)


def _failure(request: Request, error: Exception, request_id: str) -> Response:
    if request.app.state.is_stopping():  # its threads and its journal may have ended
        _log.info("not done: the house is stopping", exc_info=error)
        return problem_response(ApiError(503, HouseReason.HOUSE_STOPPING()))
    _log.error(
        "request failed",
        exc_info=error,
        request_id=request_id,
        method=request.method,
        path=request.url.path,
    )
    return problem_response(ApiError(500, WebReason.SERVER_FAILED(request=request_id)))


def application(
    routes: Sequence[BaseRoute], is_stopping: Callable[[], bool] = lambda: False
) -> Starlette:
    """Return the application over the routes, in which every refusal is a problem.

    A failed request is answered with 503 if `is_stopping()`, otherwise with 500.
    """
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False
    app.state.is_stopping = is_stopping
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = {
        404: WebReason.NOTHING_HERE(),
        405: WebReason.METHOD_NOT_ALLOWED(method=request.method),
    }.get(error.status_code, PlainReason.RECORDED(text=error.detail))
    return problem_response(ApiError(error.status_code, reason, headers=error.headers))


async def _failed(request: Request, error: Exception) -> Response:
    return _failure(request, error, secrets.token_hex(8))


def accepted_encodings(request: Request) -> frozenset[str]:
    accepted = request.headers.get("accept-encoding", "").replace(" ", "").lower()
    return frozenset(
        each.partition(";")[0] for each in accepted.split(",") if ";q=0" not in each
    )


def compress(response: Response, request: Request) -> None:
    """Compress an answer if the caller accepts gzip."""
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" in accepted_encodings(request):
        response.body = gzip.compress(response.body, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
