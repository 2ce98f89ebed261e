"""The form of every refusal over HTTP, and the error that makes it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from croupier.rules.reasons import PlainReason, Reason

_ENCODER = msgspec.json.Encoder()


class ApiProblem(msgspec.Struct, frozen=True):
    """The reason of a refused request, and the clause that forbids it.

    `error` is the reason in English; `reason` is the same as data.
    """

    error: str
    clause: str | None
    reason: Reason


class ApiError(Exception):
    """Raised by a handler; answered as an `ApiProblem` with the status."""

    def __init__(
        self,
        status: int,
        reason: Reason,
        *,
        clause: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(str(reason))
        assert 400 <= status <= 599, status
        self.status = status
        self.problem = ApiProblem(str(reason), clause, reason)
        self.headers = dict(headers or {})
        if status == 401:
            self.headers.setdefault("WWW-Authenticate", "Bearer")


class BadRequest(ApiError):
    """400: the request does not match the document."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(400, reason)


def reason_of(error: Exception) -> Reason:
    """Return the reason of an exception, or its message as a reason."""
    for given in (getattr(error, "reason", None), *error.args):
        if isinstance(given, Reason):
            return given
    return PlainReason.RECORDED(text=str(error))


class JsonResponse(Response):
    media_type = "application/json"

    def __init__(
        self, value: object, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(_ENCODER.encode(value), status, headers)


def problem_response(error: ApiError) -> Response:
    return JsonResponse(error.problem, error.status, error.headers)
