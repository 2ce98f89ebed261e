r'''The HTTP API: operations declared once, served and documented from the same types.

    from croupier.web.openapi import (
        Api, ApiError, ApiRequest, Body, application, document,
    )

    api = Api()

    class NewLimits(Body, frozen=True):         # a request body: a `Body`
        """Limits that take effect with the next round."""

        minimum_cents: Annotated[int, Meta(ge=1, le=10**9)]
        maximum_cents: Annotated[int, Meta(ge=1, le=10**9)]

    class Limits(msgspec.Struct, frozen=True):  # an answer: any struct or dataclass
        minimum_cents: int
        maximum_cents: int

    TableName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]

    @api.put(
        "/api/tables/{table}/limits",
        summary="Change the limits from the next round on.",
        tag="tables",
        auth={"session", "cookie"},    # any one of SCHEMES; left out: for everybody
        errors=(404, 409),             # what the handler itself refuses with
    )
    async def change_limits(
        request: ApiRequest[Person],   # .caller, .http, .request_id, .answer
        body: NewLimits,               # left out where there is none
        *,
        table: TableName,              # in the path
        reason: Literal["shift", "event"] = "shift",   # not in the path: the query
    ) -> Limits:                       # `None`: 204; `Response`: sent as it is
        if table not in house.tables:
            raise ApiError(404, f"there is no table {table}")
        request.answer.set_cookie("seen", "1")
        return Limits(body.minimum_cents, body.maximum_cents)

    async def authenticate(http: Request, schemes: frozenset[str]) -> Person:
        ...  # for every operation; `schemes` is empty where everybody may ask;
             # raises ApiError(401, …) or ApiError(403, …)

    app = application(
        [*api_routes(api, authenticate), document_route(api, "1.0"), WebSocketRoute(…)],
        lifespan=…,
    )

What the builder does itself: 400 for a wrong body, parameter or unknown query key, 404,
405 with `Allow`, 415, 500 with the request's id and a log line.

Laws of request types, asserted when the operation is declared: structs derive from
`Body`; patterns end with `\Z`, which the document shows as `$`; a `tag` only where a
union needs it; a body only with POST, PUT and PATCH. Integers are of 64 bits and texts
without NUL everywhere; a path parameter holds no slash. `list[str]` is a query key
that may be repeated; a parameter that may be left out has a default. Further options:
`status=201`; `media_type="text/csv"` with `-> Response`.
'''

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.web.decoding import INT64
from croupier.web.endpoint import (
    Api,
    ApiRequest,
    Body,
    Endpoint,
    Parameter,
    endpoint_of,
)
from croupier.web.problems import ApiError, ApiProblem, BadRequest, problem_response
from croupier.web.routing import Authenticate, api_routes, application

__all__ = [
    "SCHEMES",
    "Api",
    "ApiError",
    "ApiProblem",
    "ApiRequest",
    "Authenticate",
    "BadRequest",
    "Body",
    "Endpoint",
    "Parameter",
    "api_routes",
    "application",
    "document",
    "document_route",
    "endpoint_of",
    "problem_response",
]

SCHEMES: dict[str, dict[str, str]] = {
    "session": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a person's session, from logging on.",
    },
    "device": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a device, from pairing.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "croupier_session",
        "description": "A person's session in a browser.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "The cookie `croupier_csrf`, said again: goes with `cookie`.",
    },
}
_UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
_HEADERS = {
    405: "Allow",
    401: "WWW-Authenticate",
    429: "Retry-After",
}


def document(
    endpoints: Iterable[Endpoint], *, version: str, title: str = "croupier"
) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the endpoints."""
    every = list(endpoints)
    types = list(_types_of(every))
    made, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    schemas = iter(made)
    paths: dict[str, Any] = {}
    for endpoint in every:
        operation = _operation(endpoint, schemas)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    components = {**components, **_problem_schema()}
    strict: dict[str, Any] = strict_schemas(
        {
            "openapi": "3.1.0",
            "info": {"title": title, "version": version},
            "tags": [{"name": tag} for tag in dict.fromkeys(e.tag for e in every)],
            "paths": paths,
            "components": {"schemas": components, "securitySchemes": SCHEMES},
        }
    )
    return strict


def _types_of(endpoints: list[Endpoint]) -> Iterator[Any]:
    """Every type, in the order in which `_operation` takes its schema."""
    for endpoint in endpoints:
        yield from (each.type for each in endpoint.parameters)
        if endpoint.has_body:
            yield endpoint.request
        if _is_json(endpoint):
            yield endpoint.response


def _is_json(endpoint: Endpoint) -> bool:
    return endpoint.response is not None and endpoint.response is not Response


def _operation(endpoint: Endpoint, schemas: Iterator[dict[str, Any]]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
    }
    if endpoint.parameters:
        operation["parameters"] = [
            _parameter(each, next(schemas)) for each in endpoint.parameters
        ]
    if endpoint.has_body:
        operation["requestBody"] = {
            "required": endpoint.body_required,
            "content": {"application/json": {"schema": next(schemas)}},
        }
    operation["responses"] = {
        str(endpoint.status): _answer(endpoint, schemas),
        **{str(status): _problem(status) for status in _refusals(endpoint)},
    }
    if endpoint.auth:
        operation["security"] = [
            _requirement(scheme, endpoint) for scheme in sorted(endpoint.auth)
        ]
    return operation


def _parameter(parameter: Parameter, schema: dict[str, Any]) -> dict[str, Any]:
    schema = without_none(schema)
    if not parameter.is_required and parameter.default is not None:
        schema = {**schema, "default": msgspec.to_builtins(parameter.default)}
    return {
        "name": parameter.name,
        "in": "path" if parameter.in_path else "query",
        "required": parameter.is_required,
        "schema": in_path(schema) if parameter.in_path else schema,
    }


def _answer(endpoint: Endpoint, schemas: Iterator[dict[str, Any]]) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.response is not None:
        schema = next(schemas) if _is_json(endpoint) else {"type": "string"}
        answer["content"] = {endpoint.media_type: {"schema": schema}}
    return answer


def _refusals(endpoint: Endpoint) -> list[int]:
    """What the handler, the builder and the server's guard may refuse with."""
    statuses = {400, 404, 405, 429, 500, *endpoint.errors}
    if endpoint.auth:
        statuses |= {401, 403}
    if endpoint.method in _UNSAFE:
        statuses |= {403, 408, 413}
    if endpoint.has_body:
        statuses.add(415)
    return sorted(statuses)


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    answer: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {"application/json": {"schema": schema}},
    }
    if status in _HEADERS:
        answer["headers"] = {_HEADERS[status]: {"schema": {"type": "string"}}}
    return answer


def _problem_schema() -> dict[str, Any]:
    _, components = msgspec.json.schema_components((ApiProblem,))
    return components


def _requirement(scheme: str, endpoint: Endpoint) -> dict[str, list[str]]:
    assert scheme in SCHEMES, scheme
    if scheme == "cookie" and endpoint.method in _UNSAFE:
        return {"cookie": [], "csrf": []}
    return {scheme: []}


def document_route(api: Api, version: str, *, path: str = "/api/openapi.json") -> Route:
    """Serves the document, written once."""
    content = msgspec.json.encode(document(api.endpoints, version=version))

    async def openapi(_request: Request) -> Response:
        return Response(content, media_type="application/json")

    return Route(path, openapi)


_NO_NUL = r"^[^\x00]*$"
_ONE_SEGMENT = r"^[^\x00/]+$"
_TELLING = {"pattern", "format", "contentEncoding", "enum", "const"}


def strict_schemas(value: Any) -> Any:
    """The document with every schema in it made strict."""
    if isinstance(value, list):
        return [strict_schemas(each) for each in value]
    if not isinstance(value, dict):
        return value
    return _strict({key: strict_schemas(each) for key, each in value.items()})


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind == "integer":
        return _bounded(schema)
    if kind == "string" and isinstance(schema.get("pattern"), str):
        return {**schema, "pattern": _ecmascript(schema["pattern"])}
    if kind == "string" and not _TELLING & schema.keys():
        return {**schema, "pattern": _NO_NUL}
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        names = {"pattern": _NO_NUL, **schema.get("propertyNames", {})}
        names["pattern"] = _ecmascript(names["pattern"])
        return {**schema, "propertyNames": names}
    return schema


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    least, most = {"minimum": INT64[0]}, {"maximum": INT64[-1]}
    return {
        **({} if "exclusiveMinimum" in schema else least),
        **({} if "exclusiveMaximum" in schema else most),
        **schema,
    }


def _ecmascript(pattern: str) -> str:
    r"""What Python writes as `\Z` is `$` in JSON Schema."""
    return f"{pattern[:-2]}$" if pattern.endswith(r"\Z") else pattern


def without_none(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out instead of being null."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) != 1:
        return schema
    rest = {key: each for key, each in schema.items() if key != "anyOf"}
    return {**options[0], **rest}


def in_path(schema: dict[str, Any]) -> dict[str, Any]:
    """A text in the path is one segment of it."""
    if schema.get("type") == "string" and not _TELLING & schema.keys():
        return {"minLength": 1, **schema, "pattern": _ONE_SEGMENT}
    return schema
