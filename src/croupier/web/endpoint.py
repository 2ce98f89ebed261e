"""Operations of the HTTP API, each declared once by a typed handler.

    @api("PUT /api/tables/{table}/terms", auth=STAFF)
    async def change_terms(
        request: HouseRequest, body: TermsBody, *, table: Name
    ) -> DoneShown:
        '''Change limits and settings, in force with the next round.'''

The server and the OpenAPI document use the same declaration: the handler's name is the
operation's id, its docstring the summary, `body` the request's body, and each keyword
argument a parameter of the path or the query. An answer of `None` is 204.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response

Handler = Callable[..., Awaitable[Any]]
_HandlerT = TypeVar("_HandlerT", bound=Handler)

REQUIRED: Any = msgspec.NODEFAULT
"""The default of a required parameter."""
PUBLIC: frozenset[str] = frozenset()
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_IN_PATH = re.compile(r"{([a-z_]+)}")


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every request body; unknown fields are refused."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """The request that a handler gets, besides the body and the parameters."""

    http: Request
    request_id: str
    answer: Response = field(default_factory=Response, kw_only=True)
    """Its headers and cookies are added to the answer; its body is ignored."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One method of one path: its input, its answer and its callers."""

    name: str
    method: str
    path: str
    handler: Handler
    summary: str
    tag: str
    body: Any = None
    """The type of the body, or None if it takes none."""
    response: Any = None
    """The type of the answer; a `Response` is sent unchanged."""
    status: int = 200
    parameters: tuple[Parameter, ...] = ()
    auth: frozenset[str] = PUBLIC
    """The accepted security schemes; one is enough."""
    errors: frozenset[int] = frozenset()
    """Statuses of refusals by the handler itself."""
    media_type: str = "application/json"
    is_large: bool = False
    """The answer is compressed, so it must hold no secret: lengths reveal contents."""

    def __post_init__(self) -> None:
        """Assert that the document can describe it exactly."""
        named = sorted(each.name for each in self.parameters if each.in_path)
        assert named == sorted(_IN_PATH.findall(self.path)), self.path
        assert all(each.is_required for each in self.parameters if each.in_path)
        assert (self.response is None) == (self.status == 204), self.name
        assert self.body is None or self.method not in {"GET", "DELETE"}, self.name


class Api:
    """The operations of one tag, in the order in which they are declared."""

    def __init__(self, tag: str, auth: Iterable[str] = PUBLIC) -> None:
        self.endpoints: list[Endpoint] = []
        self._tag, self._auth = tag, frozenset(auth)

    def __call__(self, route: str, **options: Any) -> Callable[[_HandlerT], _HandlerT]:
        """Declare the handler of a route such as `GET /api/tables`.

        Options are fields of `Endpoint` that replace those read from the handler.
        """

        def declare(handler: _HandlerT) -> _HandlerT:
            defaults = {"tag": self._tag, "auth": self._auth}
            self.add(endpoint_of(route, handler, **defaults | options))
            return handler

        return declare

    def add(self, endpoint: Endpoint) -> None:
        for other in self.endpoints:
            assert (other.method, other.path) != (endpoint.method, endpoint.path)
            assert other.name != endpoint.name, f"two handlers {endpoint.name}"
        self.endpoints.append(endpoint)


def endpoint_of(route: str, handler: Handler, **options: Any) -> Endpoint:
    """Return the endpoint that a handler's signature and docstring describe."""
    method, _, path = route.partition(" ")
    signature = inspect.signature(handler).parameters.values()
    hints = get_type_hints(handler, include_extras=True)
    answer = hints["return"]
    first, *others = (each for each in signature if each.kind is not each.KEYWORD_ONLY)
    names = [each.name for each in (first, *others)]
    assert names in (["request"], ["request", "body"]), f"{names}: others after `*`"
    read: dict[str, Any] = {
        "name": handler.__name__,
        "summary": (inspect.getdoc(handler) or "").partition("\n")[0],
        "body": hints["body"] if others else None,
        "response": None if answer is type(None) else answer,
        "status": 204 if answer is type(None) else 200,
        "parameters": tuple(
            Parameter(
                each.name,
                hints[each.name],
                f"{{{each.name}}}" in path,
                REQUIRED if each.default is each.empty else each.default,
            )
            for each in signature
            if each.kind is each.KEYWORD_ONLY
        ),
    }
    return Endpoint(method=method, path=path, handler=handler, **read | options)
