"""What every part of the API shares: refusals, names, ids, answers of a table.

What the house refuses becomes a `Problem` in this one place: `Denied` is 403, or 401
where nobody is known; `NotThere` is 404; `NotDone` and a table's refusal are 409; a
journal that fails is 503.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from croupier.games import UnknownGame
from croupier.house.floor.table import FloorTable
from croupier.house.records.house_record import Denied, NotDone, NotThere, RulesForbid
from croupier.journal.store import JournalError, JournalFailed, WriterConflict
from croupier.rules.notation import NotationError
from croupier.rules.operator import Person
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask
from croupier.web.endpoint import Handler
from croupier.web.openapi import Api, ApiError, ApiRequest, Body, Endpoint
from croupier.web.security.authentication import Requester

EventT = TypeVar("EventT")
HouseRequest = ApiRequest[Requester]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
SentId = Annotated[str, Meta(pattern=r"^[!-~]{1,50}\Z", description="The sender's own")]
"""Chosen by the sender; the same id again gets the first answer."""
Cents = Annotated[int, Meta(ge=1, le=10**12)]
TimeMs = Annotated[int, Meta(ge=0, le=2**53)]
"""Milliseconds since 1970."""
RoundNumber = Annotated[int, Meta(ge=1, le=2**53)]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]\Z")]


class CommandBody(Body, frozen=True):
    """A command that needs nothing but its id."""

    id: SentId


class DoneShown(msgspec.Struct, frozen=True):
    """Registered: on disk under this sequence number of the table's journal."""

    id: str
    sequence: int


class TagApi(Api):
    """The operations of one tag, each with the refusals of the house."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag

    def _added(
        self, method: str, path: str, options: dict[str, Any]
    ) -> Callable[[Any], Any]:
        return super()._added(method, path, {"tag": self._tag, **options})

    def add(self, endpoint: Endpoint) -> None:
        usual = {503} if endpoint.auth or endpoint.method != "GET" else set[int]()
        if any(each.in_path for each in endpoint.parameters):
            usual.add(404)
        errors = tuple(sorted({*endpoint.errors, *usual}))
        handler = with_problems(endpoint.handler)
        super().add(replace(endpoint, handler=handler, errors=errors))


def with_problems(handler: Handler) -> Handler:
    """The handler, with what the house refuses told as a `Problem`."""

    @wraps(handler)
    async def told(request: HouseRequest, *bodies: object, **parameters: object) -> Any:
        try:
            return await handler(request, *bodies, **parameters)
        except (NotDone, JournalError, NotationError, UnknownGame) as error:
            raise _problem(request, handler.__name__, error) from error
        except RuntimeError as error:
            if not request.caller.floor.is_stopping:
                raise
            raise ApiError(503, "the house is stopping") from error

    return told


def _problem(request: HouseRequest, act: str, error: Exception) -> ApiError:
    match error:
        case Denied():
            return _denied(request, act, error)
        case RulesForbid(refusal=refusal):
            return ApiError(409, str(refusal.reason), clause=refusal.clause.number)
        case NotThere() | UnknownGame():
            return ApiError(404, str(error))
        case JournalFailed() | WriterConflict():
            return ApiError(503, "the journal can't be written just now")
        case NotationError():
            return ApiError(400, str(error))
    return ApiError(409, str(error))


def _denied(request: HouseRequest, act: str, error: Exception) -> ApiError:
    """Somebody known who asks for what is not theirs: the log knows of it."""
    asker = request.caller
    if asker.name is None:
        return ApiError(401, str(error))
    asker.floor.note_denied(asker.name, act.replace("_", " "), str(error))
    return ApiError(403, str(error))


def deals_at(asker: Requester, table: FloorTable) -> bool:
    state, staff = asker.floor.record.state, asker.staff
    return staff is not None and state.deals(staff.name, table.name)


def person_at(
    asker: Requester, table: FloorTable, position: str | None = None
) -> Person:
    """In which position they act at the table; raises `Denied`."""
    deals = deals_at(asker, table)
    return asker.member.person(table.game, position, deals=deals)


async def submit(
    asker: Requester, table: FloorTable, sent_id: str, command: ask.AnyCommand
) -> Answer:
    """By somebody of the staff, in the position they have at this table."""
    person = person_at(asker, table)
    submission = Submission(asker.command_id(sent_id), (person,), command)
    return await table.submit(submission)


def accepted(answer: Answer) -> Accepted:
    """What the table refuses is 409 with its clause."""
    if isinstance(answer, Refused):
        refusal = answer.refusal
        raise ApiError(409, str(refusal.reason), clause=refusal.clause.number)
    return answer


def accepted_as(
    answer: Answer, kind: type[EventT], **fields: object
) -> tuple[Accepted, EventT]:
    """With its event; 409 where the id has brought back another command's answer."""
    given = accepted(answer)
    for event in given.events:
        if isinstance(event, kind) and all(
            getattr(event, name) == value for name, value in fields.items()
        ):
            return given, event
    raise ApiError(409, "this id has been used for another command")
