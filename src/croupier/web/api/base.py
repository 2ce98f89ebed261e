"""Shared parts of the API: parameter types, refusals, answers of a table.

What the house refuses becomes a problem in this one place: `Denied` is 403, or 401
where nobody is known; `NotThere` is 404; `NotDone` and a table's refusal are 409; a
journal that fails is 503.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from croupier.games import UnknownGame
from croupier.house.floor.journal_watch import JournalTrouble
from croupier.house.floor.table import FloorTable
from croupier.house.nodes.membership import TableElsewhere
from croupier.house.people.authority import Caller
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
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused
from croupier.web.endpoint import UNSAFE, Api, Body, Endpoint, Handler
from croupier.web.problems import ApiError, reason_of
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import HouseRequest

EventT = TypeVar("EventT")
ShownT = TypeVar("ShownT", bound=msgspec.Struct)
Name = Annotated[str, Meta(min_length=1, max_length=40)]
SentId = Annotated[str, Meta(pattern=r"^[!-~]{1,50}\Z", description="The sender's own")]
"""Chosen by the sender; the same id again gets the first answer."""
Cents = Annotated[int, Meta(ge=1, le=10**12)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
"""Of a round, a proposal or an event."""
TimeMs = Annotated[int, Meta(ge=0, le=2**53)]
"""Milliseconds since 1970."""
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]\Z")]


class CommandBody(Body, frozen=True):
    """A command that needs nothing but its id."""

    id: SentId


class DoneShown(msgspec.Struct, frozen=True):
    """Registered: on disk under this sequence number of the table's journal."""

    id: str
    sequence: int


class HouseApi(Api):
    """The operations of one tag, each with the refusals of the house."""

    def add(self, endpoint: Endpoint) -> None:
        errors = set(endpoint.errors)
        if endpoint.auth or endpoint.method in UNSAFE:
            errors.add(503)
        if endpoint.auth and endpoint.method in UNSAFE:
            errors.add(409)
        handler = _with_problems(endpoint.name, endpoint.handler)
        super().add(replace(endpoint, handler=handler, errors=frozenset(errors)))


def _with_problems(name: str, handler: Handler) -> Handler:
    """Return the handler, with what the house refuses raised as an `ApiError`."""

    @wraps(handler)
    async def handle(request: HouseRequest, *bodies: object, **given: object) -> Any:
        try:
            return await _where_its_table_is(request, handler, *bodies, **given)
        except (NotDone, JournalError, NotationError, UnknownGame) as error:
            raise _problem(request, name, error) from error

    return handle


async def _where_its_table_is(
    request: HouseRequest, handler: Handler, *bodies: object, **given: object
) -> Any:
    """Return the handler's answer, or that of the node that serves the table.

    A handler asks for its table before it does anything.
    """
    try:
        return await handler(request, *bodies, **given)
    except TableElsewhere as error:
        answer = await request.relay.carry(request.http, error.table)
    return answer or await handler(request, *bodies, **given)


def _problem(request: HouseRequest, act: str, error: Exception) -> ApiError:
    match error:
        case Denied() | IdUsed():
            return _denied(request, act, error)
        case RulesForbid(refusal=refusal):
            return forbidden(refusal)
        case WriterConflict():
            return ApiError(503, HouseReason.HOUSE_STOPPING())
        case JournalFailed():
            trouble = request.floor.watch.trouble or JournalTrouble.begun_now(error)
            return in_trouble(WebReason.JOURNAL_NOT_WRITABLE_NOW, trouble)
        case RefusedTooOften():
            retry = {"Retry-After": str(error.seconds)}
            return ApiError(429, error.reason, headers=retry)
    found = (status for kind, status in _STATUSES.items() if isinstance(error, kind))
    return ApiError(next(found, 409), reason_of(error))


_STATUSES: Mapping[type[Exception], int] = {
    NotThere: 404,
    UnknownGame: 404,
    TableElsewhere: 503,
    NotationError: 400,
}


def in_trouble(code: WebReason, trouble: JournalTrouble) -> ApiError:
    """Return 503: for how long the journal has failed, and what to do about it."""
    return ApiError(503, code(seconds=trouble.seconds, why=trouble.why))


def _denied(request: HouseRequest, act: str, error: Denied | IdUsed) -> ApiError:
    if request.name is None:
        return ApiError(401, error.reason)
    # Somebody known who asks for what is not theirs to do stands in the log.
    request.floor.note_denied(request.name, AskedBy.OPERATION, act, error.reason)
    return ApiError(409 if isinstance(error, IdUsed) else 403, error.reason)


def forbidden(refusal: Refusal | RuleViolation) -> ApiError:
    """Return the error for what the rules refuse: 409 with the clause."""
    return ApiError(409, refusal.reason, clause=refusal.clause.number)


def show_as(kind: type[ShownT], value: object, **others: object) -> ShownT:
    """Return an answer with the fields that it shares with a value, and others."""
    names = {each.name for each in msgspec.structs.fields(kind)} - others.keys()
    return kind(**{name: getattr(value, name) for name in names}, **others)


def check_table(request: HouseRequest, name: str) -> None:
    """Raise `NotThere` where the house has no such table, at any node."""
    if name not in request.record.state.tables:
        raise NotThere(HouseReason.NO_SUCH_TABLE(name=shown(name)))


def sorted_duties(duties: Iterable[Duty]) -> tuple[Duty, ...]:
    return tuple(sorted(duties, key=lambda duty: duty.value))


def person_of(by: Caller) -> Person:
    """Return who acts for the house rather than at one of its tables."""
    if by.positions:
        highest = by.positions[-1]
        return Person(by.name, highest.role, highest.acting)
    return Person(by.name, Role.CASHIER)


def deals_at(request: HouseRequest, table: FloorTable) -> bool:
    staff = request.staff
    return staff is not None and request.record.state.deals(staff.name, table.name)


def accepted(answer: Answer) -> Accepted:
    """Return the answer, if the table did not refuse."""
    if isinstance(answer, Refused):
        raise forbidden(answer.refusal)
    return answer


def accepted_as(answer: Answer, kind: type[EventT]) -> tuple[Accepted, EventT]:
    """Return the answer and its event of a kind."""
    given = accepted(answer)
    return given, next(each for each in given.events if isinstance(each, kind))
