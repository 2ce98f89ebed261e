"""Streams are independent: the tables of a house may lie in several databases."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.journal.events import house as ev
from croupier.journal.events.plan import StaffPlan
from croupier.journal.store import HOUSE_STREAM, JournalFailed, Store
from croupier.journal.stores import open_store
from croupier.journal.verification import verify
from croupier.rules.operator import Role
from croupier.table.answers import Refused
from croupier.table.commands import IssueVoucher, RedeemVoucher
from croupier.table.house import HouseBook
from tests.cli.running import run_here
from tests.journal.server import Server
from tests.journal.stores import postgres_server, postgres_url, sqlite_url
from tests.simulation.faults import NO_FAULTS, Faults, FaultyStore
from tests.simulation.one_table import ANNA, SUPERVISOR, OneTable
from tests.simulation.seeded import Dice, SimulatedClock

__all__ = ["postgres_server", "postgres_url", "sqlite_url"]
_names = count(1)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def other_url(
    request: pytest.FixtureRequest, sqlite_url: str, postgres_server: Server
) -> str:
    """A second database beside `postgres_url`: of either kind."""
    if request.param == "SQLite":
        return sqlite_url
    name = f"other_{next(_names)}"
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return postgres_server.url().replace("/postgres?", f"/{name}?")


@pytest.fixture
def made() -> Iterator[list[OneTable]]:
    """The tables of a test; their journals are closed after it."""
    tables: list[OneTable] = []
    yield tables
    for table in tables:
        table.store.close()


Maker = Callable[[str, str], OneTable]


@pytest.fixture
def make(made: list[OneTable]) -> Maker:
    """Makes a table of a name at the address of a database."""

    def table(url: str, stream: str) -> OneTable:
        terms = ("rws-triple-zero", "* 1.00 1000.00")
        made.append(OneTable(*terms, stream=stream, open_store=lambda: open_store(url)))
        return made[-1]

    return table


def _play(table: OneTable) -> None:
    table.bought_in(10_000)
    table.play_round("straight_up:17", 500, "17")


def _rows(store: Store, stream: str) -> list[object]:
    return [*store.events(stream), *store.entries(stream)]


def test_a_stream_is_the_same_byte_for_byte_wherever_its_neighbours_lie(
    make: Maker, postgres_url: str, other_url: str, tmp_path: Path
) -> None:
    both = f"sqlite:///{tmp_path / 'both.db'}"
    alone = [make(postgres_url, "t1"), make(other_url, "t2")]
    together = [make(both, "t1"), make(both, "t2")]

    for table in (*alone, *together):
        _play(table)

    for apart, beside in zip(alone, together, strict=True):
        rows = _rows(apart.store, apart.stream)
        assert rows == _rows(beside.store, beside.stream)
        assert len(rows) > 10
    for table in (*alone, together[0]):
        assert verify(table.store).is_clean


def test_tables_of_two_databases_and_their_house_are_each_sound_by_themselves(
    make: Maker, postgres_url: str, other_url: str, tmp_path: Path
) -> None:
    """The house's stream has a database of its own: staff, days, what tables ask."""
    own = f"sqlite:///{tmp_path / 'house.db'}"
    tables = {
        postgres_url: make(postgres_url, "t1"),
        other_url: make(other_url, "t2"),
    }
    with open_store(own) as store:
        record = HouseRecord(store, SimulatedClock())
        record.write(ev.StaffDefined("a test", StaffPlan("Mira", (Role.DEALER,))))
        for table in tables.values():
            _play(table)
        closed = record.close_gaming_day(SUPERVISOR, None)

    for url, table in tables.items():
        audited = _audited(url)
        assert (audited["tables"], audited["rounds"], audited["wagers"]) == (1, 1, 1)
        assert table.credit() == 10_000 + 35 * 500
        assert table.store.head(HOUSE_STREAM) is None
    assert _audited(own)["tables"] == 0
    with open_store(own) as store:
        state = read_house_state(store)
    assert (set(state.staff), state.closed_day) == ({"Mira"}, closed.gaming_day)


def _audited(url: str) -> dict[str, Any]:
    """What the auditor has looked at in a database, which verifies too."""
    source = url.removeprefix("sqlite:///")
    verified, audited = (
        run_here(*command, source, "--json")
        for command in (("journal", "verify"), ("audit",))
    )
    assert (verified.code, audited.code) == (0, 0), (verified, audited)
    looked_at: dict[str, Any] = json.loads(audited.stdout)["looked_at"]
    return looked_at


def test_a_table_plays_on_while_the_database_of_another_is_away(
    make: Maker, postgres_url: str, other_url: str
) -> None:
    here, there = make(other_url, "t1"), make(postgres_url, "t2")
    for table in (here, there):
        table.bought_in(10_000)

    away = FaultyStore(
        open_store(postgres_url), Dice(1), SimulatedClock(), lambda _: None
    )
    away.faults = NO_FAULTS
    there.reopen(away)
    away.faults = Faults(fails_before=1)

    with pytest.raises(JournalFailed):
        there.opened()
    here.play_round("straight_up:17", 500, "17")

    assert here.credit() == 10_000 + 35 * 500


def test_what_crosses_tables_needs_a_database_that_both_have(
    make: Maker, postgres_url: str, other_url: str
) -> None:
    """Vouchers, gaming days, staff and Players stand in the house's own database."""
    here, there = make(other_url, "t1"), make(postgres_url, "t2")
    beside = make(other_url, "t3")
    for table in (here, there, beside):
        table.bought_in(1_000)
    issued = here.do(IssueVoucher("Anna", 400), ANNA)
    code = issued.events[0].code  # type: ignore[union-attr]
    redeem = RedeemVoucher("Anna", code)

    assert isinstance(there.ask(redeem, ANNA), Refused)
    beside.do(redeem, ANNA)

    assert beside.credit() == 1_400
    clock = SimulatedClock()
    for table, streams in ((here, {"t1", "t3"}), (there, {"t2"})):
        HouseBook(table.store, clock=clock).close_gaming_day(SUPERVISOR)
        covered = {head.stream for head in table.store.heads()}
        assert covered - {HOUSE_STREAM} == streams, "a day's head is of one database"
