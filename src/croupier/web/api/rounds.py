"""Past rounds: the list of them, and any one in full."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from croupier.house.connection import views
from croupier.house.floor.table import FloorTable
from croupier.house.people.authority import HouseAct
from croupier.house.records import past_rounds
from croupier.house.records.house_record import NotThere
from croupier.journal.events import table as hap
from croupier.journal.store import JournalError, JournalFailed
from croupier.protocol.answers import SettledWagerView
from croupier.rules.events import RoundBegun
from croupier.rules.operator import Person
from croupier.table.replay import RecalledEvent, RecalledRound, recall
from croupier.web.api.base import HouseRequest, Name, RoundNumber, TagApi
from croupier.web.security.authentication import STAFF

api = TagApi("rounds")


def table_to_inspect(request: HouseRequest, name: str) -> FloorTable:
    request.caller.must(HouseAct.INSPECT)
    return request.caller.floor.table(name)


@api.get(
    "/api/tables/{table}/rounds",
    summary="Past rounds in brief, the latest first.",
    auth=STAFF,
)
async def list_rounds(
    request: HouseRequest,
    *,
    table: Name,
    before: RoundNumber | None = None,
    count: Annotated[int, Meta(ge=1, le=100)] = 20,
) -> list[past_rounds.RoundSummary]:
    last = table_to_inspect(request, table).state.series.last
    first = last + 1 if before is None else min(before, last + 1)
    store = request.caller.floor.store
    return await asyncio.to_thread(
        past_rounds.rounds_before, store, table, first, count
    )


class EntryShown(msgspec.Struct, frozen=True):
    account: str
    cents: int


class EventShown(msgspec.Struct, frozen=True):
    """What happened, who did it, and what it did to the money."""

    sequence: int
    at_ms: int
    command_id: str
    event: str
    by: str | None
    clause: str | None
    fields: dict[str, Any]
    entries: tuple[EntryShown, ...]


class AnnouncementShown(msgspec.Struct, frozen=True):
    """When a terminal showed an announcement, by its own clock and by ours."""

    terminal: str
    announcement: str
    shown_at_ms: int
    reported_at_ms: int


class RoundShown(msgspec.Struct, frozen=True):
    """A round in full, as it stands after every correction."""

    table: str
    document: str
    round: int
    phase: str
    winning_number: str | None
    bonus_numbers: tuple[str, ...]
    standing: str | None
    """Why it is void or held, with its clause."""
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    events: tuple[EventShown, ...]
    settled: tuple[SettledWagerView, ...]
    credit_before: dict[str, int]
    """By seat, in cents."""
    credit_after: dict[str, int]
    announcements: tuple[AnnouncementShown, ...]


@api.get(
    "/api/tables/{table}/rounds/{number}",
    summary="A round in full: who did what when, and what became of the money.",
    auth=STAFF,
)
async def recall_round(
    request: HouseRequest, *, table: Name, number: RoundNumber
) -> RoundShown:
    table_to_inspect(request, table)
    store = request.caller.floor.store

    def recalled() -> RoundShown:
        try:
            return _recalled(recall(store, table, number))
        except JournalFailed:
            raise
        except JournalError as error:
            raise NotThere(str(error)) from error

    return await asyncio.to_thread(recalled)


def _recalled(found: RecalledRound) -> RoundShown:
    state = found.state
    begun = [e.event for e in found.events if isinstance(e.event, RoundBegun)]
    return RoundShown(
        table=found.stream,
        document=found.document,
        round=found.number,
        phase=state.phase.value,
        winning_number=state.winning_number,
        bonus_numbers=tuple(state.facts.bonus_numbers or ()),
        standing=views.standing_shown(state),
        limits=begun[0].limits if begun else (),
        settings=begun[0].settings if begun else (),
        events=tuple(_event(each) for each in found.events),
        settled=views.settled_shown(state.settled.wagers if state.settled else ()),
        credit_before=_by_seat(found.credit_before),
        credit_after=_by_seat(found.credit_after),
        announcements=tuple(_announcements(found)),
    )


def _by_seat(credit: Any) -> dict[str, int]:
    return {account.partition(":")[2]: cents for account, cents in credit.items()}


def _event(each: RecalledEvent) -> EventShown:
    event = each.event
    return EventShown(
        sequence=each.sequence,
        at_ms=each.at_ms,
        command_id=each.command_id,
        event=type(event).__name__,
        by=people_of(event),
        clause=_clause(event),
        fields=msgspec.to_builtins(event),
        entries=tuple(EntryShown(account, cents) for account, cents in each.entries),
    )


def people_of(event: object) -> str | None:
    people = getattr(event, "by", None) or getattr(event, "initiator", None)
    if isinstance(people, tuple):
        return " and ".join(map(_in_words, people))
    return _in_words(people) if isinstance(people, Person) else None


def _in_words(person: Person) -> str:
    acting = "acting " if person.acting else ""
    return f"{person.name} ({acting}{person.role.value})"


def _clause(event: object) -> str | None:
    clause = getattr(event, "clause", None)
    return None if clause is None else str(clause)


def _announcements(found: RecalledRound) -> list[AnnouncementShown]:
    return [
        AnnouncementShown(
            each.event.terminal,
            each.event.announcement,
            each.event.shown_at_ms,
            each.at_ms,
        )
        for each in found.events
        if isinstance(each.event, hap.AnnouncementShown)
    ]
