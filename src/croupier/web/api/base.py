"""Shared parts of the API: parameter types, refusals, answers of a table.

This is the only place that turns refusals of the house into problems: `Denied` is 403,
or 401 for an unknown caller; `NotThere` is 404; `NotDone` and a table's refusal are
409; a failing journal is 503.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from croupier.games import UnknownGame
from croupier.house.floor.journal_watch import JournalTrouble
from croupier.house.floor.owned_tables import TableElsewhere
from croupier.house.floor.table import FloorTable
from croupier.house.people.second_factor import Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Denied,
    IdUsed,
    NotDone,
    NotThere,
    RefusedTooOften,
    RulesForbid,
)
from croupier.journal.events.house import AskedBy
from croupier.journal.events.plan import Duty
from croupier.journal.store import JournalError, JournalFailed, WriterConflict
from croupier.rules.clause import Refusal, RuleViolation
from croupier.rules.notation import NotationError, shown
from croupier.table import Accepted, Answer, Refused
from croupier.web.endpoint import UNSAFE, Api, Body, Endpoint, Handler
from croupier.web.problems import ApiError, reason_of
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import HouseRequest

EventT = TypeVar("EventT")
ShownT = TypeVar("ShownT", bound=msgspec.Struct)
Name = Annotated[str, Meta(min_length=1, max_length=40)]
SentId = Annotated[str, Meta(pattern=r"^[!-~]{1,50}\Z", description="The sender's own")]
"""Chosen by the sender; a repeated id gets the first answer again."""
Cents = Annotated[int, Meta(ge=1, le=10**12)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
"""The number of a round, a proposal or an event."""
TimeMs = Annotated[int, Meta(ge=0, le=2**53)]
"""Milliseconds since 1970."""
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
SecondFactorCode = Annotated[str, Meta(min_length=6, max_length=20)]
"""Six digits, with or without spaces."""
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]\Z")]


class CommandBody(Body, frozen=True):
    """A command without fields besides its id."""

    id: SentId


class ProofBody(Body, frozen=True, kw_only=True):
    """The caller's password once more, and a code if the house asks for one."""

    password: Secret
    code: SecondFactorCode | None = None

    @property
    def proof(self) -> Proof:
        return Proof(self.password, self.code)


class DoneShown(msgspec.Struct, frozen=True):
    """Recorded, under this sequence number of the table's journal."""

    id: str
    sequence: int


class HouseApi(Api):
    """The operations of one tag, with the refusals of the house as problems."""

    def add(self, endpoint: Endpoint) -> None:
        errors = set(endpoint.errors)
        if endpoint.auth or endpoint.method in UNSAFE:
            errors.add(503)
        if endpoint.auth and endpoint.method in UNSAFE:
            errors.add(409)
        handler = _with_problems(endpoint)
        super().add(replace(endpoint, handler=handler, errors=frozenset(errors)))


def _with_problems(endpoint: Endpoint) -> Handler:
    """Return the handler, with refusals of the house raised as `ApiError`.

    If no node serves the table, it claims the table and tries again.
    """

    async def once(request: HouseRequest, *bodies: object, **given: object) -> Any:
        try:
            return await endpoint.handler(request, *bodies, **given)
        except TableElsewhere as error:
            # Only known callers can make a node claim a table. The retry is safe
            # because a handler looks its table up before it does anything.
            if not endpoint.auth and not request.floor.is_demonstration:
                raise
            await request.floor.claim(error.table)
        return await endpoint.handler(request, *bodies, **given)

    @wraps(endpoint.handler)
    async def handle(request: HouseRequest, *bodies: object, **given: object) -> Any:
        try:
            return await once(request, *bodies, **given)
        except (NotDone, JournalError, NotationError, UnknownGame) as error:
            raise _problem(request, endpoint.name, error) from error

    return handle


def _problem(request: HouseRequest, act: str, error: Exception) -> ApiError:
    match error:
        case Denied() | IdUsed():
            return _denied(request, act, error)
        case RulesForbid(refusal=refusal):
            return forbidden(refusal)
        case WriterConflict():
            return ApiError(503, HouseReason.HOUSE_STOPPING())
        case JournalFailed():
            trouble = request.floor.watch.trouble or JournalTrouble(error, monotonic())
            return in_trouble(WebReason.JOURNAL_NOT_WRITABLE_NOW, trouble)
        case TableElsewhere():
            return ApiError(503, error.reason, headers={"Retry-After": "1"})
        case RefusedTooOften():
            retry = {"Retry-After": str(error.seconds)}
            return ApiError(429, error.reason, headers=retry)
    found = (status for kind, status in _STATUSES.items() if isinstance(error, kind))
    return ApiError(next(found, 409), reason_of(error))


_STATUSES: Mapping[type[Exception], int] = {
    NotThere: 404,
    UnknownGame: 404,
    NotationError: 400,
}


def in_trouble(code: WebReason, trouble: JournalTrouble) -> ApiError:
    return ApiError(503, code(seconds=trouble.seconds, why=trouble.why))


def _denied(request: HouseRequest, act: str, error: Denied | IdUsed) -> ApiError:
    if request.name is None:
        return ApiError(401, error.reason)
    # The log of significant events gets refusals of known callers.
    request.floor.note_denied(request.name, AskedBy.OPERATION, act, error.reason)
    return ApiError(409 if isinstance(error, IdUsed) else 403, error.reason)


def forbidden(refusal: Refusal | RuleViolation) -> ApiError:
    return ApiError(409, refusal.reason, clause=refusal.clause.number)


def show_as(kind: type[ShownT], value: object, **others: object) -> ShownT:
    """Return an answer of this kind, with its fields read from a value and `others`."""
    names = {each.name for each in msgspec.structs.fields(kind)} - others.keys()
    return kind(**{name: getattr(value, name) for name in names}, **others)


def check_table(request: HouseRequest, name: str) -> None:
    if name not in request.record.state.tables:
        raise NotThere(HouseReason.NO_SUCH_TABLE(name=shown(name)))


def sorted_duties(duties: Iterable[Duty]) -> tuple[Duty, ...]:
    return tuple(sorted(duties, key=lambda duty: duty.value))


def deals_at(request: HouseRequest, table: FloorTable) -> bool:
    staff = request.staff
    return staff is not None and request.record.state.deals(staff.name, table.name)


def accepted(answer: Answer) -> Accepted:
    if isinstance(answer, Refused):
        raise forbidden(answer.refusal)
    return answer


def accepted_as(answer: Answer, kind: type[EventT]) -> tuple[Accepted, EventT]:
    given = accepted(answer)
    return given, next(each for each in given.events if isinstance(each, kind))
