"""The house's own stream: with a fault at any write, all is done once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from croupier.house.configuration import setup
from croupier.house.people import proposals
from croupier.house.reasons import HouseReason
from croupier.house.records import house_record, vouchers_and_days
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_snapshot import write_house_snapshot
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import (
    HOUSE_EVENTS,
    EventsMissing,
    HouseDefined,
    HouseRestored,
    HouseRetired,
    ProposalEnded,
    StaffDefined,
    TableDefined,
    TableTaken,
)
from croupier.journal.events.plan import HousePlan
from croupier.journal.store import JournalError
from tests.simulation.serving import served, served_from
from tests.simulation.staffing import (
    HOUR_MS,
    KINDS,
    Staffing,
    house_events,
    staffed,
    staffed_from,
)

OF_SEVERAL_NODES = {TableTaken}
"""What only nodes beside others record: `test_nodes.py` breaks those writes."""
OF_SEVERAL_COPIES = {HouseRestored, HouseRetired, EventsMissing}
"""What is recorded at the machine: `faults/test_two_copies.py` has houses that do."""


def test_without_a_fault_everything_is_done_at_once() -> None:
    seen: set[type[object]] = set()
    for house in (staffed(), served()):
        assert house.trouble == 0
        seen |= {type(event) for event in house_events(house.store.inner)}

    assert staffed().store.writes > 50
    assert HOUSE_EVENTS - seen == OF_SEVERAL_NODES | OF_SEVERAL_COPIES


@pytest.mark.parametrize("run", [staffed, served])
@pytest.mark.parametrize("waits_ms", [0, HOUR_MS], ids=("at once", "an hour later"))
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_at_any_write_loses_nothing_and_repeats_nothing(
    kind: str, waits_ms: int, run: Callable[..., Staffing]
) -> None:
    writes = run().store.writes

    for at in range(1, writes + 1):
        house = run(at, kind, waits_ms)
        assert house.trouble == 1 or house.store.injected[kind] == 1, at


def test_faults_at_many_writes_lose_nothing_and_repeat_nothing() -> None:
    trouble = sum(staffed_from(seed).trouble for seed in range(30))
    trouble += sum(served_from(seed).trouble for seed in range(15))

    assert trouble > 100


Plant = Callable[[pytest.MonkeyPatch], None]


def ends_what_was_confirmed(planted: pytest.MonkeyPatch) -> None:
    def complete(record: HouseRecord, _: object) -> None:
        why = HouseReason.EXPIRED()
        numbers = record.state.confirmations
        if numbers:
            record.write(*(ProposalEnded(each, "house", why) for each in numbers))

    planted.setattr(proposals, "complete", complete)


def signs_no_close_again(planted: pytest.MonkeyPatch) -> None:
    planted.setattr(vouchers_and_days, "sign_close", lambda *_: False)


def begins_bit_by_bit(planted: pytest.MonkeyPatch) -> None:
    def seed(record: HouseRecord, plan: HousePlan, _: object) -> None:
        record.write(HouseDefined("house file", plan.house))
        record.write(*(TableDefined("house file", each) for each in plan.tables))
        record.write(*(StaffDefined("house file", each) for each in plan.staff))

    planted.setattr(setup, "_seed", seed)


def forgets_accounts_in_a_snapshot(planted: pytest.MonkeyPatch) -> None:
    def write(state: HouseState) -> str:
        return write_house_snapshot(replace(state, accounts={}))

    planted.setattr(house_record, "write_house_snapshot", write)


def goes_on_without_reading(planted: pytest.MonkeyPatch) -> None:
    planted.setattr(HouseRecord, "catch_up", lambda self: None)


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (ends_what_was_confirmed, "died after"),
        (signs_no_close_again, "died after"),
        (begins_bit_by_bit, "failed after"),
        (forgets_accounts_in_a_snapshot, "failed after"),
        (goes_on_without_reading, "failed after"),
    ],
)
def test_the_simulation_sees_a_house_that(
    plant: Plant, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = staffed().store.writes
    plant(monkeypatch)

    with pytest.raises((AssertionError, JournalError)):
        _break_from_the_end(writes, kind)


def _break_from_the_end(writes: int, kind: str) -> None:
    """Let each write fail; the last ones confirm proposals and close the day."""
    for at in range(writes, 0, -1):
        staffed(at, kind)
