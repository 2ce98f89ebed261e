"""One operation of the API as a value, read from a handler's annotations."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.web.decoding import BodyDecoder, ParameterDecoder, check_request_type

Caller = TypeVar("Caller")
Handler = Callable[..., Awaitable[Any]]
_HandlerT = TypeVar("_HandlerT", bound=Handler)

REQUIRED: Any = msgspec.NODEFAULT
"""The default of a parameter that has none."""

_IN_PATH = re.compile(r"{([a-z_]+)}")


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every request body: a field that it has not is refused."""


@dataclass(frozen=True, slots=True)
class ApiRequest(Generic[Caller]):
    """What a handler is given besides the body and the parameters."""

    http: Request
    caller: Caller
    """What `authenticate` returned."""
    request_id: str
    answer: Response = field(default_factory=Response)
    """Its headers and cookies go with the answer; its body does not."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in the path or the query."""

    name: str
    type: Any
    in_path: bool
    default: Any = REQUIRED

    @property
    def is_required(self) -> bool:
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path: what goes in, what comes out, who may ask."""

    method: str
    path: str
    handler: Handler
    summary: str
    tag: str
    request: Any = None
    """The type of the body."""
    response: Any = None
    """The type of the answer; none is 204, and `Response` is sent as it is."""
    status: int = 200
    parameters: tuple[Parameter, ...] = ()
    auth: frozenset[str] = frozenset()
    """The security schemes, any one of which will do; none for everybody."""
    errors: tuple[int, ...] = ()
    """Statuses that the handler itself may refuse with."""
    media_type: str = "application/json"
    body_required: bool = True

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def has_body(self) -> bool:
        return self.request is not None


class Api:
    """The operations, in the order in which they were added."""

    def __init__(self) -> None:
        self.endpoints: list[Endpoint] = []

    def get(self, path: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        return self._added("GET", path, options)

    def post(self, path: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        return self._added("POST", path, options)

    def put(self, path: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        return self._added("PUT", path, options)

    def patch(self, path: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        return self._added("PATCH", path, options)

    def delete(self, path: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        return self._added("DELETE", path, options)

    def _added(
        self, method: str, path: str, options: dict[str, Any]
    ) -> Callable[[_HandlerT], _HandlerT]:
        def decorate(handler: _HandlerT) -> _HandlerT:
            self.add(endpoint_of(method, path, handler, **options))
            return handler

        return decorate

    def add(self, endpoint: Endpoint) -> None:
        for other in self.endpoints:
            assert (other.method, other.path) != (endpoint.method, endpoint.path)
            assert other.name != endpoint.name, f"two handlers {endpoint.name}"
        self.endpoints.append(endpoint)


def endpoint_of(
    method: str,
    path: str,
    handler: Handler,
    *,
    summary: str,
    tag: str,
    status: int | None = None,
    auth: Iterable[str] = (),
    errors: Iterable[int] = (),
    media_type: str = "application/json",
) -> Endpoint:
    """Read an endpoint from `async def handler(request, body, *, parameters…)`."""
    signature = inspect.signature(handler)
    hints = get_type_hints(handler, include_extras=True)
    answer = hints["return"]
    body = _body_of(signature)
    endpoint = Endpoint(
        method,
        path,
        handler,
        summary=summary,
        tag=tag,
        request=None if body is None else hints["body"],
        response=None if answer is type(None) else answer,
        status=status or (204 if answer is type(None) else 200),
        parameters=_parameters_of(signature, hints, path),
        auth=frozenset(auth),
        errors=tuple(errors),
        media_type=media_type,
        body_required=body is not None and body.default is inspect.Parameter.empty,
    )
    check_endpoint(endpoint)
    return endpoint


def _body_of(signature: inspect.Signature) -> inspect.Parameter | None:
    positional = [
        each
        for each in signature.parameters.values()
        if each.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    names = [each.name for each in positional]
    assert names in (["request"], ["request", "body"]), f"{names}: others after `*`"
    return positional[1] if len(positional) == 2 else None


def _parameters_of(
    signature: inspect.Signature, hints: dict[str, Any], path: str
) -> tuple[Parameter, ...]:
    in_path = _IN_PATH.findall(path)
    return tuple(
        Parameter(
            each.name,
            hints[each.name],
            each.name in in_path,
            REQUIRED if each.default is inspect.Parameter.empty else each.default,
        )
        for each in signature.parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    )


def check_endpoint(endpoint: Endpoint) -> None:
    """Assert that it can be documented as strictly as it is read."""
    named = sorted(each.name for each in endpoint.parameters if each.in_path)
    assert named == sorted(_IN_PATH.findall(endpoint.path)), endpoint.path
    assert all(each.is_required for each in endpoint.parameters if each.in_path)
    assert (endpoint.response is None) == (endpoint.status == 204), endpoint.name
    assert endpoint.method not in {"GET", "DELETE"} or not endpoint.has_body
    for parameter in endpoint.parameters:
        check_request_type(parameter.type)
    if endpoint.has_body:
        check_request_type(endpoint.request)


@dataclass(frozen=True, slots=True)
class RequestReader:
    """What reads a request to one endpoint: made once, when the server starts."""

    body: BodyDecoder | None
    path: dict[str, ParameterDecoder]
    query: dict[str, ParameterDecoder]

    @classmethod
    def of(cls, endpoint: Endpoint) -> RequestReader:
        made = {
            each.name: ParameterDecoder(each.name, each.type, each.default)
            for each in endpoint.parameters
        }
        places = {each.name: each.in_path for each in endpoint.parameters}
        return cls(
            BodyDecoder(endpoint.request) if endpoint.has_body else None,
            {name: each for name, each in made.items() if places[name]},
            {name: each for name, each in made.items() if not places[name]},
        )
