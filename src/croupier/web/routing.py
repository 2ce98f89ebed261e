"""Endpoints as Starlette routes, and the application around them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote_to_bytes

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from croupier.web.endpoint import Api, ApiRequest, Endpoint, RequestReader
from croupier.web.logs import bound
from croupier.web.problems import ApiError, BadRequest, JsonResponse, problem_response

Caller = TypeVar("Caller")
Authenticate = Callable[[Request, frozenset[str]], Awaitable[Caller]]
_PARAMETERS_MOST = 100
_JSON = re.compile(r"application/json(\s*;\s*charset=\"?utf-8\"?)?", re.IGNORECASE)
_SLASH = re.compile(rb"%2f", re.IGNORECASE)
_log = structlog.get_logger("croupier.web")


def api_routes(api: Api, authenticate: Authenticate[Any]) -> list[Route]:
    """One route for each path, so that `Allow` knows all of its methods."""
    paths: dict[str, dict[str, _Operation]] = {}
    for endpoint in api.endpoints:
        operation = _Operation(endpoint, authenticate)
        paths.setdefault(endpoint.path, {})[endpoint.method] = operation
    return [Route(path, _Path(operations)) for path, operations in paths.items()]


class _Path:
    """An ASGI application for one path: finds the method, tells what went wrong."""

    def __init__(self, operations: Mapping[str, _Operation]) -> None:
        self._operations = operations
        methods = {*operations, *(["HEAD"] if "GET" in operations else [])}
        self._allow = ", ".join(sorted(methods))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with bound(request_id=request_id(scope)):
            response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        try:
            return await self._operation(request).answer(request)
        except ApiError as error:
            return problem_response(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, tell only its id
            return problem_response(_failure(request, error))

    def _operation(self, request: Request) -> _Operation:
        method = "GET" if request.method == "HEAD" else request.method
        if method in self._operations:
            return self._operations[method]
        raise ApiError(
            405,
            f"{request.method} is not allowed here",
            headers={"Allow": self._allow},
        )


class _Operation:
    """Reads the request, calls the handler, writes its answer."""

    def __init__(self, endpoint: Endpoint, authenticate: Authenticate[Any]) -> None:
        self._endpoint = endpoint
        self._authenticate = authenticate
        self._reader = RequestReader.of(endpoint)

    async def answer(self, http: Request) -> Response:
        endpoint = self._endpoint
        caller = await self._authenticate(http, endpoint.auth)
        request = ApiRequest(http, caller, request_id(http.scope))
        parameters = self._parameters(http)
        bodies = await self._bodies(http)
        value = await endpoint.handler(request, *bodies, **parameters)
        return _with_headers(self._written(value), request.answer)

    def _parameters(self, http: Request) -> dict[str, Any]:
        reader = self._reader
        query = _query(http)
        unknown = [name for name in query if name not in reader.query]
        if unknown:
            raise BadRequest(f"there is no parameter {unknown[0][:40]!r}")
        return {
            **{n: each.decode(query.get(n, ())) for n, each in reader.query.items()},
            **{n: d.decode([http.path_params[n]]) for n, d in reader.path.items()},
        }

    async def _bodies(self, http: Request) -> tuple[Any, ...]:
        """The body as the handler takes it: none, or one."""
        if self._reader.body is None:
            return ()
        content = await http.body()
        kind = http.headers.get("content-type")
        if not content and not self._endpoint.body_required:
            return ()
        if kind is None and not content:
            raise BadRequest("the body is missing")
        if kind is None or not _JSON.fullmatch(kind.strip()):
            raise ApiError(415, "the body must be application/json")
        return (self._reader.body.decode(content),)

    def _written(self, value: Any) -> Response:
        if isinstance(value, Response):
            return value
        if self._endpoint.response is None:
            return Response(status_code=self._endpoint.status)
        return JsonResponse(value, self._endpoint.status)


def _query(http: Request) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(
            http.scope["query_string"].decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_PARAMETERS_MOST,
        )
    except ValueError as error:
        raise BadRequest("the query can't be read") from error
    for name, text in pairs:
        query.setdefault(name, []).append(text)
    return query


def _with_headers(response: Response, extra: Response) -> Response:
    kept = [each for each in extra.raw_headers if each[0] != b"content-length"]
    response.raw_headers.extend(kept)
    return response


def request_id(scope: Scope) -> str:
    """The id of the request, made when it is first asked for."""
    state: dict[str, Any] = scope.setdefault("state", {})
    made: str = state.setdefault("request_id", secrets.token_hex(8))
    return made


def _failure(request: Request, error: Exception) -> ApiError:
    number = request_id(request.scope)
    _log.error(
        "request failed",
        exc_info=error,
        request_id=number,
        method=request.method,
        path=request.url.path,
    )
    return ApiError(500, f"the server failed; ask for request {number} in its log")


def application(
    routes: Sequence[BaseRoute], *, lifespan: Lifespan[Starlette] | None = None
) -> Starlette:
    """The application: what no route answers is a `Problem` too."""
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _refused,
            ApiError: _problem,
            Exception: _failed,
        },
    )
    app.router.redirect_slashes = False
    app.add_middleware(_ReadablePath)
    return app


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is nothing here", 405: "this method is not allowed here"}
    sentence = words.get(error.status_code, error.detail)
    return problem_response(
        ApiError(error.status_code, sentence, headers=error.headers)
    )


async def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return problem_response(error)


async def _failed(request: Request, error: Exception) -> Response:
    return problem_response(_failure(request, error))


class _ReadablePath:
    """Refuses a path that would be read differently once it is decoded."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = scope.get("raw_path", b"")
        if scope["type"] != "http" or b"%" not in raw:
            await self._app(scope, receive, send)
            return
        if _SLASH.search(raw):
            refusal = ApiError(404, "there is nothing here")
        elif not _is_text(raw):
            refusal = BadRequest("the path is not UTF-8 text")
        else:
            await self._app(scope, receive, send)
            return
        await problem_response(refusal)(scope, receive, send)


def _is_text(raw: bytes) -> bool:
    try:
        unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
