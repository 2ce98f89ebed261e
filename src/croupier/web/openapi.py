"""The OpenAPI document, made from the endpoints and their types.

Its schemas are as strict as the server: integers of 64 bits, no NUL in a text, no slash
in a parameter of the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.responses import Response

from croupier.web.endpoint import UNSAFE, Endpoint, Parameter
from croupier.web.problems import ApiProblem
from croupier.web.security.middleware import (
    CSRF_COOKIE,
    CSRF_HEADER,
    DEVICE_HEADER,
    SECURE_PREFIX,
    SESSION_COOKIE,
)

SCHEMES: dict[str, dict[str, str]] = {
    "session": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a person's session, from logging on; if that was"
        f" at a device, also send the device's own token as `{DEVICE_HEADER}`.",
    },
    "device": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a device, from pairing.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "A person's session in a browser;"
        f" over TLS `{SECURE_PREFIX}{SESSION_COOKIE}`.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": CSRF_HEADER,
        "description": f"The cookie `{CSRF_COOKIE}` again, over TLS"
        f" `{SECURE_PREFIX}{CSRF_COOKIE}`; required with `cookie`.",
    },
}
_HEADERS = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After"}
"""The header of a refusal, by its status."""
_INT64 = {"minimum": -(2**63), "maximum": 2**63 - 1}
_NO_NUL = r"^[^\x00]*$"
_ONE_SEGMENT = r"^[^\x00/]+$"
_RESTRICTING = {"pattern", "format", "contentEncoding", "enum", "const"}


def document(endpoints: Iterable[Endpoint], *, version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the endpoints."""
    every = list(endpoints)
    [problem, *made], components = msgspec.json.schema_components(
        (ApiProblem, *_types_of(every)), ref_template="#/components/schemas/{name}"
    )
    schemas = iter(made)
    paths: dict[str, Any] = {}
    for endpoint in every:
        operation = _operation(endpoint, schemas, problem)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    strict: dict[str, Any] = _strict_schemas(
        {
            "openapi": "3.1.0",
            "info": {"title": "croupier", "version": version},
            "tags": [{"name": tag} for tag in dict.fromkeys(e.tag for e in every)],
            "paths": paths,
            "components": {"schemas": components, "securitySchemes": SCHEMES},
        }
    )
    return strict


def _types_of(endpoints: list[Endpoint]) -> Iterator[Any]:
    """Yield every type in the order in which `_operation` takes the schemas."""
    for endpoint in endpoints:
        yield from (each.type for each in endpoint.parameters)
        if endpoint.body is not None:
            yield endpoint.body
        if endpoint.response is not None:
            yield str if endpoint.response is Response else endpoint.response


def _operation(
    endpoint: Endpoint, schemas: Iterator[dict[str, Any]], problem: dict[str, Any]
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
    }
    if endpoint.parameters:
        operation["parameters"] = [
            _parameter(each, next(schemas)) for each in endpoint.parameters
        ]
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": next(schemas)}},
        }
    answer: dict[str, Any] = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.response is not None:
        answer["content"] = {endpoint.media_type: {"schema": next(schemas)}}
    operation["responses"] = {
        str(endpoint.status): answer,
        **{str(each): _refusal(each, problem) for each in _refusals(endpoint)},
    }
    if endpoint.auth:
        operation["security"] = [
            _requirement(scheme, endpoint) for scheme in sorted(endpoint.auth)
        ]
    return operation


def _parameter(parameter: Parameter, schema: dict[str, Any]) -> dict[str, Any]:
    schema = _without_none(schema)
    if not parameter.is_required and parameter.default is not None:
        schema = {**schema, "default": msgspec.to_builtins(parameter.default)}
    is_text = schema.get("type") == "string" and not _RESTRICTING & schema.keys()
    if parameter.in_path and is_text:
        schema = {"minLength": 1, **schema, "pattern": _ONE_SEGMENT}
    return {
        "name": parameter.name,
        "in": "path" if parameter.in_path else "query",
        "required": parameter.is_required,
        "schema": schema,
    }


def _without_none(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without null: a caller leaves the parameter out instead."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) != 1:
        return schema
    rest = {key: each for key, each in schema.items() if key != "anyOf"}
    return {**options[0], **rest}


def _refusals(endpoint: Endpoint) -> list[int]:
    """Return the statuses of refusals by the handler, the server and its middleware."""
    statuses = {400, 404, 405, 429, 500, *endpoint.errors}
    if endpoint.auth:
        statuses |= {401, 403}
    if endpoint.method in UNSAFE:
        statuses |= {403, 408, 413}
    if endpoint.body is not None:
        statuses.add(415)
    return sorted(statuses)


def _refusal(status: int, problem: dict[str, Any]) -> dict[str, Any]:
    refusal: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {"application/json": {"schema": problem}},
    }
    if status in _HEADERS:
        refusal["headers"] = {_HEADERS[status]: {"schema": {"type": "string"}}}
    return refusal


def _requirement(scheme: str, endpoint: Endpoint) -> dict[str, list[str]]:
    assert scheme in SCHEMES, scheme
    if scheme == "cookie" and endpoint.method in UNSAFE:
        return {"cookie": [], "csrf": []}
    return {scheme: []}


def _strict_schemas(value: Any) -> Any:
    """Return the document with every schema in it made as strict as the server."""
    if isinstance(value, list):
        return [_strict_schemas(each) for each in value]
    if not isinstance(value, dict):
        return value
    schema = {key: _strict_schemas(each) for key, each in value.items()}
    if isinstance(pattern := schema.get("pattern"), str):
        # Python's `\Z` is `$` in JSON Schema.
        return schema | {"pattern": re.sub(r"\\Z$", "$", pattern)}
    match schema.get("type"):
        case "integer":
            return _INT64 | schema
        case "string" if not _RESTRICTING & schema.keys():
            return schema | {"pattern": _NO_NUL}
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            names = {"pattern": _NO_NUL} | schema.get("propertyNames", {})
            return schema | {"propertyNames": names}
    return schema
