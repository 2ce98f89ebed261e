"""Two floors of one house on a real PostgreSQL: tables that change hands in play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count

import pytest

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.floor import connections, owned_tables
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.house.floor.owned_tables import TableElsewhere
from croupier.house.floor.table import FloorTable
from croupier.house.people.devices import enrol_guest
from croupier.house.reasons import HouseReason
from croupier.journal.events import house as house_events
from croupier.journal.events.codec import UnreadableEvent, decode
from croupier.journal.events.plan import TablePlan
from croupier.journal.store import HOUSE_STREAM, ServerAway, WriterConflict
from croupier.journal.stores import open_node, open_store
from croupier.protocol.messages import Hello
from croupier.rules import commands as rule_commands
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number
from croupier.table import Accepted, Submission
from croupier.table.commands import AnyCommand
from tests.journal.stores import postgres_server, postgres_url, run_sql
from tests.web.a_house import TEXT

__all__ = ["postgres_server", "postgres_url"]
RED = Number("7")
DANA = Person("Dana", Role.DEALER)
ids = count(1)


@dataclass
class Outlet:
    """Who is connected, and how they were sent away."""

    dismissed: list[tuple[str, bool]] = field(default_factory=list)

    def put(self, message: bytes) -> None:
        """Hear nothing."""

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        self.dismissed.append((reason.code, come_back))


@dataclass
class TwoNodes:
    """The floors of nodes A and B, on the same loop."""

    url: str
    floors: dict[str, Floor]

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                await asyncio.sleep(0.02)

    def at(self, table: str) -> list[str]:
        return [name for name, floor in self.floors.items() if table in floor.tables]

    async def settled(self, *tables: str) -> None:
        """Until every table is served by exactly one, and all know by whom."""
        await self.until(lambda: all(map(self._is_settled, tables)))

    def _is_settled(self, table: str) -> bool:
        known = [
            floor.nodes.owner_of(table)
            for floor in self.floors.values()
            if floor.nodes is not None
        ]
        return [[each] for each in known] == 2 * [self.at(table)]

    def owner(self, table: str) -> Floor:
        [name] = self.at(table)
        return self.floors[name]

    def other(self, table: str) -> Floor:
        [name] = self.floors.keys() - set(self.at(table))
        return self.floors[name]

    async def pull(self, table: str) -> None:
        """Ask the other node for a table, as a proxy does that routes anew."""
        await self.other(table).claim(table)

    async def act(self, table: str, *commands: AnyCommand) -> None:
        for command in commands:
            asked = Submission(f"c{next(ids)}", (DANA,), command)
            answer = await self.owner(table).table(table).submit(asked)
            assert isinstance(answer, Accepted), answer

    def taken(self) -> list[house_events.TableTaken]:
        with open_store(self.url, create=False) as store:
            rows = list(store.events(HOUSE_STREAM))
        events = [decode(row.schema, row.kind, row.body) for row in rows]
        return [each for each in events if isinstance(each, house_events.TableTaken)]


def _in_two(
    url: str, scenario: Callable[[TwoNodes], Awaitable[None]], text: str = TEXT
) -> None:
    with open_store(url) as store:
        prepare(store, _now_ms, read_house(text, "house.toml"))

    async def run() -> None:
        with ExitStack() as stack:
            floors = {}
            for name in ("A", "B"):
                node = stack.enter_context(open_node(url, name, version="1"))
                options = FloorOptions(
                    clock=_now_ms,
                    steady=time.monotonic,
                    registry=node.registry,
                    sharing=node.sharing,
                    pace=Pace(first_rounds=0, looks_again=0.02),
                )
                floors[name] = Floor(node.store, options)
            nodes = TwoNodes(url, floors)
            try:
                await scenario(nodes)
            finally:
                for floor in nodes.floors.values():
                    await floor.close()

    asyncio.run(run())


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def test_a_table_changes_hands_in_the_middle_of_a_round(postgres_url: str) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        [before] = nodes.at("t1")
        await nodes.act("t1", rule_commands.PlaceYourBets(), rule_commands.SpinBall())
        outlet = Outlet()
        nodes.owner("t1").connections.connect("t1", Hello(), outlet)

        began = time.monotonic()
        await nodes.pull("t1")
        took = time.monotonic() - began
        await nodes.act(
            "t1", rule_commands.NoMoreBets(), rule_commands.ReportBallAtRest(RED)
        )
        await nodes.act(
            "t1", rule_commands.AnnounceOutcome(RED), rule_commands.Settle()
        )
        await nodes.until(lambda: bool(nodes.taken()))

        [after] = nodes.at("t1")
        state = nodes.owner("t1").table("t1").state
        assert after != before
        assert took < 4
        assert outlet.dismissed == [(HouseReason.TABLE_MOVES().code, True)]
        assert state.series.last == 1
        assert not state.is_interrupted
        assert nodes.taken() == [house_events.TableTaken("t1", after, "")]

    _in_two(postgres_url, scenario)


def test_a_node_that_is_told_to_stop_hands_over_a_round_in_play(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owned_tables, "_DRAIN_S", 0.1)

    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        await nodes.act("t1", rule_commands.PlaceYourBets())
        stopping, rest = nodes.owner("t1"), nodes.other("t1")

        await stopping.finish()
        assert stopping.tables == {}
        with pytest.raises(TableElsewhere):
            await stopping.claim("t1")
        nodes.floors = {"rest": rest, "stopping": stopping}
        await rest.claim("t1")
        await nodes.act("t1", rule_commands.SpinBall(), rule_commands.NoMoreBets())
        await nodes.until(lambda: "t2" in rest.tables)

        assert rest.table("t1").state.is_interrupted is False
        assert rest.nodes is not None
        assert rest.nodes.takeovers == 0

    _in_two(postgres_url, scenario)


def test_a_node_alone_that_is_told_to_stop_waits_for_no_proxy(
    postgres_url: str,
) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        one, two = nodes.floors.values()
        assert two.nodes is not None
        nodes.floors = {"two": two}
        await one.close()
        await nodes.until(lambda: two.nodes is not None and two.nodes.is_alone)

        began = time.monotonic()
        await two.finish()

        assert time.monotonic() - began < 3

    _in_two(postgres_url, scenario)


def test_a_table_of_another_node_is_elsewhere(postgres_url: str) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")

        with pytest.raises(TableElsewhere) as raised:
            nodes.other("t1").table("t1")

        assert raised.value.table == "t1"

    _in_two(postgres_url, scenario)


def test_a_table_that_was_taken_is_dropped_and_writes_nothing_more(
    postgres_url: str,
) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        [before] = nodes.at("t1")
        await nodes.act("t1", rule_commands.PlaceYourBets())
        outlet = Outlet()
        held = nodes.owner("t1").table("t1")
        nodes.owner("t1").connections.connect("t1", Hello(), outlet)
        taker = nodes.other("t1")
        assert taker.nodes is not None
        run_sql(
            postgres_url,
            "UPDATE table_owners SET epoch = epoch + 1,"
            f" node = '{taker.nodes.name}' WHERE stream = 't1'",
        )
        await nodes.until(lambda: nodes.at("t1") not in ([], [before]))
        await nodes.until(lambda: bool(outlet.dismissed))
        with pytest.raises(WriterConflict):
            await held.submit(Submission("late", (DANA,), rule_commands.SpinBall()))

        assert outlet.dismissed == [(HouseReason.TABLE_MOVES().code, True)]
        assert nodes.owner("t1").table("t1").state.is_interrupted

    _in_two(postgres_url, scenario)


def test_an_interrupted_table_moves_as_it_is(postgres_url: str) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        await nodes.act("t1", rule_commands.PlaceYourBets())
        table = nodes.owner("t1").table("t1")
        nodes.owner("t1").withdraw(table, HouseReason.TABLE_MOVES())
        await asyncio.to_thread(table.close)
        await nodes.settled("t1")  # opened anew: as after a crash
        [before] = nodes.at("t1")
        sequence = nodes.owner("t1").table("t1").table.head.sequence
        interrupted = nodes.owner("t1").table("t1").state.is_interrupted
        await nodes.pull("t1")
        await nodes.until(lambda: nodes.at("t1") not in ([], [before]))

        moved = nodes.owner("t1").table("t1")
        assert interrupted is not None
        assert moved.state.is_interrupted == interrupted
        assert moved.table.head.sequence == sequence

    _in_two(postgres_url, scenario)


def test_a_stopped_node_lets_go_of_its_tables_at_once(postgres_url: str) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        stopping, rest = nodes.owner("t1"), nodes.other("t1")
        mine = set(stopping.tables)

        nodes.floors = {"rest": rest}
        await stopping.close()
        began = time.monotonic()
        await nodes.until(lambda: mine <= rest.tables.keys())

        assert time.monotonic() - began < 10
        assert stopping.nodes is not None
        assert rest.nodes is not None
        assert stopping.nodes.name not in [n.name for n in rest.nodes.all()]
        assert rest.nodes.takeovers == 0

    _in_two(postgres_url, scenario)


def test_a_node_stops_in_order_though_it_has_no_turn_to_say_so(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        stopping, rest = nodes.owner("t1"), nodes.other("t1")

        def away() -> None:
            raise ServerAway("the database does not answer")

        monkeypatch.setattr(stopping.record._sharing, "take_turn", away)
        nodes.floors = {"rest": rest}
        await stopping.close()

        await nodes.until(lambda: "t1" in rest.tables)

    _in_two(postgres_url, scenario)


def test_a_table_that_one_node_can_not_read_is_served_by_the_other(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owned_tables, "_AGAIN_S", 30)

    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        old = nodes.other("t1")
        tried = []

        def opened(floor: Floor, plan: TablePlan, left_at: int | None) -> FloorTable:
            if floor is not old or plan.name != "t1":
                return FloorTable(floor, plan, left_at)
            tried.append(plan.name)
            raise UnreadableEvent("no 'WagerPlaced' of schema 99 is known")

        monkeypatch.setattr(owned_tables, "FloorTable", opened)
        assert old.owned is not None
        with pytest.raises(TableElsewhere):
            await nodes.pull("t1")
        await nodes.settled("t1")

        assert nodes.other("t1") is old
        assert (tried, old.owned.cannot_open()) == (["t1"], "t1")

    _in_two(postgres_url, scenario)


def test_a_device_is_not_lost_because_its_node_was_cut_off(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_GRACE_S", 0.1)

    async def scenario(nodes: TwoNodes) -> None:
        await nodes.settled("t1", "t2")
        floor = nodes.owner("t1")
        assert floor.nodes is not None
        token, device = await floor.in_house(
            lambda: enrol_guest(floor.record, "Carl", "t1", lambda _: True)
        )
        connection = floor.connections.connect("t1", Hello(token), Outlet())
        floor.connections.gone(connection)
        await asyncio.sleep(0.5)
        early = floor.table("t1").listeners.lost.copy()
        monkeypatch.setattr(connections, "_BACK_S", 0.0)
        await nodes.until(lambda: device.name in floor.table("t1").listeners.lost)

        assert early == set()

    _in_two(postgres_url, scenario)
