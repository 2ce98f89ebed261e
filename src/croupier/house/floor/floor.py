"""The floor: all tables of the house in play, and the connections to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from croupier.house.configuration.differences import taking_two
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.floor.connections import Connections
from croupier.house.floor.day_close import begin_missed_day
from croupier.house.floor.journal_watch import JournalWatch, StreamWriter
from croupier.house.floor.nodes import Nodes
from croupier.house.floor.noticed_events import (
    GatheredRefusals,
    NoticedEvents,
    keep_up,
)
from croupier.house.floor.owned_tables import OwnedTables, TableElsewhere, TableStatus
from croupier.house.floor.table import FloorTable
from croupier.house.measurements import Measurements
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import Sessions
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.people.proposals import complete
from croupier.house.people.rates import Rate, RateLimiter
from croupier.house.people.second_factor import FactorKey, IdentityCheck
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Clock,
    HouseLock,
    HouseRecord,
    NotDone,
    NotThere,
    RefusedTooOften,
)
from croupier.house.records.missing_events import MissingEventsFile
from croupier.journal.events.house import (
    AskedBy,
    DealerCame,
    DealerWent,
    DeviceLost,
    DeviceRevoked,
    GamingDayEnding,
    HouseDefined,
    HouseEvent,
    LoggedOff,
    LogOnFailed,
    ProposalConfirmed,
    ProposalEnded,
    Proposed,
    SeatLeft,
    SeatTaken,
    ServerStopped,
    StaffRemoved,
    TableDefined,
    TableRetired,
)
from croupier.journal.events.plan import (
    Money,
    TablePlan,
)
from croupier.journal.node_registry import NodeRegistry
from croupier.journal.sharing import HouseSharing, Lease
from croupier.journal.store import (
    HOUSE_STREAM,
    AcknowledgedMissing,
    JournalError,
    JournalFailed,
    Store,
)
from croupier.rules.notation import shown
from croupier.rules.reasons import Reason
from croupier.rules.terms import write_limits, write_settings
from croupier.table import Accepted, Refused, Submission, Writer
from croupier.table.commands import (
    AnyCommand,
    ChangeTerms,
    CloseTable,
    ReopenTable,
    sent_digest,
)

T = TypeVar("T")
_log = logging.getLogger(__name__)
_FINISH_WITHIN_S = 5.0
_GOODBYE_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class FloorOptions:
    clock: Clock
    steady: Callable[[], float]
    """Seconds of a monotonic clock."""
    measurements: Measurements = field(default_factory=Measurements)
    pace: Pace = field(default_factory=Pace)
    history: Store | None = None
    """The journal on a connection of its own, for reports."""
    lease: Lease | None = None
    """The lease that gives this process the house, if any."""
    sharing: HouseSharing | None = None
    """Turns at the house's stream, if other processes write it too."""
    factor_key: FactorKey | None = None
    """The key that seals the secrets of second factors."""
    registry: NodeRegistry | None = None
    """The registry of the nodes, if several serve the house."""
    missing_to: Path = Path()
    """The folder for acknowledged events that the journal lacks."""


class Floor:
    """All tables that this process serves; made inside a running event loop."""

    witnesses_missing = 0
    """The number of witnesses that the last checkpoint of the log lacks."""

    def __init__(self, store: Store, options: FloorOptions) -> None:
        self.clock = options.clock
        self.store = store
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.writer = Writer(store)
        self._house_thread = ThreadPoolExecutor(1, thread_name_prefix="house")
        self._passwords = ThreadPoolExecutor(1, thread_name_prefix="passwords")
        self._log_ons = ThreadPoolExecutor(2, thread_name_prefix="log-ons")
        """Hashing is slow and takes 64 MiB: on its own threads it delays no act of the
        staff."""
        self.pin_attempts = RateLimiter(Rate(20 / 60, at_once=8), options.steady)
        """By terminal."""
        self.record = HouseRecord(
            store, options.clock, self.writer.append, sharing=options.sharing
        )
        self.payment_turn = _payment_turn(options.sharing)
        self.sessions = Sessions(self.record, options.sharing)
        self.identity = IdentityCheck(self.record, self.sessions, options.factor_key)
        self.tallies = PlayerTallies(store, follows=options.sharing is not None)
        registry = options.registry
        self.nodes = None if registry is None else Nodes(registry, options.steady)
        """None if one process serves the house."""
        self.tables: dict[str, FloorTable] = {}
        """The tables of this node; `record.state.tables` has those of the house."""
        self.connections = Connections(self)
        self._tasks: set[asyncio.Future[None]] = set()
        self.is_stopping = False
        self._missing = MissingEventsFile(store, options.missing_to)
        if self.nodes is None:
            self._open_all()
        self.record.listeners.append(self._hear)
        self.lost: asyncio.Future[JournalError] = self.loop.create_future()
        """Resolves with the error if this process can't go on serving the house."""
        self.owned = None if self.nodes is None else OwnedTables(self, self.nodes)
        self.watch = JournalWatch(
            store,
            options.lease,
            self._writers,
            self.lose,
            None if self.owned is None else self.owned.drop,
        )
        self._noticed = NoticedEvents(self.record, self._house_thread, self.watch.note)
        self.record.begin_following(self.watch.note, self.lose)
        self._refusals = GatheredRefusals(self._noticed.add, options.steady)
        self._refused_commands = {
            is_staff: RateLimiter(Rate(1, at_once), options.steady)
            for is_staff, at_once in ((False, 500), (True, 5_000))
        }
        """By sender. Each refused command is an event. Beyond the rate the house judges
        no command of the sender, so that a stolen token does not fill the journal."""
        self.spawn(keep_up(self, self._noticed, self._refusals))
        if self.owned is not None:
            self.spawn(self.owned.watch())

    # The journal

    def _writers(self) -> dict[str, StreamWriter]:
        """Return the writer of each stream; on the watch's thread."""
        tables = {
            name: StreamWriter(
                each.table.epoch,
                each.table.failure,
                is_alive=each.is_alive or each.queue.has_left,
            )
            for name, each in self.tables.copy().items()
        }
        return {HOUSE_STREAM: StreamWriter(self.record.epoch), **tables}

    def lose(self, error: JournalError) -> None:
        """Begin to end this process, which has lost the journal; on any thread."""
        _log.critical("this process can't go on and ends: %s", error)
        if isinstance(error, AcknowledgedMissing):
            self._missing.write(error, self.clock())
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._note_lost, error)

    def _note_lost(self, error: JournalError) -> None:
        if not self.lost.done():
            self.lost.set_result(error)

    # Tables

    def _open_all(self) -> None:
        for plan in self.record.state.tables.values():
            try:
                self.place(FloorTable(self, plan))
            except Exception as error:  # in a frozen journal, serve the others
                if self.store.frozen is None:
                    raise
                self.tables.pop(plan.name, None)
                why = str(error) or type(error).__name__
                _log.error("the table %s can't be read: %s", plan.name, why)
        if self.store.frozen is None:
            self.complete_confirmed()

    def place(self, table: FloorTable) -> None:
        """Put a table on the floor and begin play."""
        self.tables[table.name] = table
        table.begin()
        begin_missed_day(self)
        table.define_terms()

    def withdraw(self, table: FloorTable, reason: Reason) -> None:
        """Take a table off the floor; its devices connect again elsewhere."""
        if self.tables.get(table.name) is table:
            del self.tables[table.name]
            self.tallies.let_go(table.name)
        table.stop_dealing()
        self.connections.send_away(reason, table)

    def summaries(self) -> dict[str, TableStatus]:
        """Return the status of each table that any node serves."""
        here = {name: TableStatus.of(each) for name, each in self.tables.items()}
        elsewhere = {} if self.owned is None else self.owned.summaries_elsewhere()
        known = elsewhere | here
        return {name: known[name] for name in self.record.state.tables if name in known}

    def notice(self, event: HouseEvent) -> None:
        self._noticed.add(event)

    async def claim(self, name: str) -> None:
        assert self.owned is not None
        await self.owned.claim(name)

    def table(self, name: str) -> FloorTable:
        """Return a table; raise `TableElsewhere` if another node has it."""
        found = self.tables.get(name)
        if self.nodes is not None:
            is_here = found is not None and self.nodes.is_member
            if not is_here and name in self.record.state.tables:
                raise TableElsewhere(name)
        if found is None:
            raise NotThere(HouseReason.NO_SUCH_TABLE(name=shown(name)))
        return found

    async def change_terms(
        self, by: Caller, name: str, terms: ChangeTerms, command_id: str
    ) -> Accepted | Refused:
        """Display new terms, in force from the next round on.

        Raises `NotDone` if they change the effect of a sensor: that takes two people.
        """
        by.must(HouseAct.CHANGE_TERMS)
        plan = self.record.state.tables.get(name)
        if plan is not None:
            what = taking_two(plan, replace(plan, settings=terms.settings))
            if what is not None:
                raise NotDone(HouseReason.CHANGE_TAKES_TWO(what=what))
        return await self.submit(by, name, terms, command_id)

    async def open_or_close(
        self, by: Caller, name: str, command_id: str, *, opens: bool
    ) -> Accepted | Refused:
        by.must(HouseAct.RUN_TABLE)
        command = ReopenTable() if opens else CloseTable()
        return await self.submit(by, name, command, command_id)

    async def submit(
        self, by: Caller, name: str, command: AnyCommand, sent_id: str
    ) -> Accepted | Refused:
        """Submit a command of the staff, in their lowest position that may give it."""
        table = self.table(name)
        self.check_refusals(by.name, AskedBy.OPERATION, type(command).__name__)
        people, command_id = (table.person(by, command),), f"s:{by.name}:{sent_id}"
        sent = sent_digest(command)
        answer = await table.submit(Submission(command_id, people, command, sent=sent))
        if isinstance(answer, Refused):
            self.note_refused(by.name)
        return answer

    def terms_of(self, name: str) -> ChangeTerms:
        series = self.table(name).state.series
        limits, settings = write_limits(series.limits), write_settings(series.settings)
        return ChangeTerms(limits, settings)

    # People and devices

    def seat_at(self, table: str, device: str) -> str:
        """Return the named Player at a terminal, or the terminal's own name."""
        return self.record.state.seated.get((table, device), device)

    def note_denied(
        self, who: str, asked_by: AskedBy, act: str, reason: Reason
    ) -> None:
        self._refusals.note(who[:40], asked_by, act, reason)

    def note_refused(self, who: str) -> None:
        self._refused_commands[who in self.record.state.staff].take(who)

    def check_refusals(self, who: str, asked_by: AskedBy, act: str) -> None:
        """Raise `RefusedTooOften` if too many commands of a sender were refused."""
        is_staff = who in self.record.state.staff
        wait_s = ceil(self._refused_commands[is_staff].wait_s(who))
        if wait_s:
            error = RefusedTooOften(wait_s)
            self.note_denied(who, asked_by, act, error.reason)
            raise error

    def _hear(self, event: HouseEvent) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._heard, event)

    def _heard(self, event: HouseEvent) -> None:
        """Act on an event of the house that concerns the floor."""
        match event:
            case DeviceRevoked(device=name):
                self.connections.dismiss(
                    lambda each: each.device == name, HouseReason.DEVICE_REVOKED()
                )
                for table in self.tables.values():
                    table.end_stays()
            case SeatTaken() | SeatLeft() | DealerCame() | DealerWent() | DeviceLost():
                if event.table in self.tables:
                    self._heard_at(self.tables[event.table], event)
            case HouseDefined() | GamingDayEnding():
                self._redefine_house()
            case TableDefined(table=plan):
                self._redefine_table(plan)
            case TableRetired(table=name):
                self.connections.dismiss(
                    lambda each: each.table.name == name, HouseReason.TABLE_GONE()
                )
                if name in self.tables:
                    self.spawn(asyncio.to_thread(self.tables.pop(name).close))
            case LoggedOff() | StaffRemoved():
                self.connections.dismiss_logged_off()
            case _:
                self._measure(event)

    def _measure(self, event: HouseEvent) -> None:
        measurements = self.options.measurements
        match event:
            case LogOnFailed():
                measurements.add("log_on_failures_total", 1)
            case Proposed() | ProposalConfirmed() | ProposalEnded():
                measurements.set("proposals_waiting", len(self.record.state.proposals))

    def _heard_at(
        self,
        table: FloorTable,
        event: SeatTaken | SeatLeft | DealerCame | DealerWent | DeviceLost,
    ) -> None:
        if isinstance(event, SeatTaken | SeatLeft):
            seat = self.seat_at(table.name, event.terminal)
            table.reseat(event.terminal, seat)
            return
        if isinstance(event, DeviceLost):
            table.listeners.lost.add(event.device)
        table.broadcast.changed()
        if isinstance(event, DealerCame | DealerWent):
            table.timers.roll_virtual_ball()

    def _redefine_house(self) -> None:
        for table in self.tables.values():
            table.table.settings = self.record.settings
        begin_missed_day(self)

    def _redefine_table(self, plan: TablePlan) -> None:
        """Open a new table, or give an open one its new plan and terms."""
        table = self.tables.get(plan.name)
        if table is not None:
            table.plan = plan
            table.broadcast.changed()
            table.define_terms()
        elif self.nodes is None:  # otherwise a node claims it
            self.place(FloorTable(self, plan))

    # The house's own thread

    async def in_house(self, act: Callable[[], T]) -> T:
        """Run an act of the house on its own thread, one at a time."""
        return await self._run(self._house_thread, lambda: self.record.act(act))

    async def with_password(self, act: Callable[[], T]) -> T:
        return await self._run(self._passwords, act)

    async def with_log_on(self, act: Callable[[], T]) -> T:
        return await self._run(self._log_ons, act)

    async def _run(self, thread: ThreadPoolExecutor, act: Callable[[], T]) -> T:
        try:
            return await self.loop.run_in_executor(thread, act)
        except JournalFailed as error:
            self.watch.note(error)
            raise

    def complete_confirmed(self) -> None:
        """Do acts that two people confirmed and that a stop or failure cut short."""
        complete(self.record, self.tables.copy())  # other threads may open tables

    async def caught_up(self) -> None:
        """Wait until all events noticed so far are recorded."""
        await self.in_house(lambda: None)

    def spawn(self, work: Coroutine[Any, Any, None] | Awaitable[None]) -> None:
        """Run work in the background until it ends or the floor closes."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("work on the floor failed", exc_info=task.exception())

    @property
    def node_name(self) -> str:
        """Empty if one process serves the house."""
        return "" if self.nodes is None else self.nodes.name

    @property
    def is_demonstration(self) -> bool:
        house = self.record.state.house
        return house is not None and house.money is Money.DEMONSTRATION

    async def finish(self) -> None:
        """Refuse new commands, answer those that wait, and end the connections."""
        if self.owned is not None:
            await self.owned.leave()
        self.is_stopping = True
        for table in self.tables.values():
            table.queue.stop_waiting()
        end = self.loop.time() + _FINISH_WITHIN_S
        while self.loop.time() < end and any(
            table.queue.waiting for table in self.tables.values()
        ):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # the last answers are on their way
        self.connections.send_away(HouseReason.HOUSE_STOPPING())
        end = self.loop.time() + _GOODBYE_WITHIN_S
        while self.connections and self.loop.time() < end:
            await asyncio.sleep(0.01)

    @property
    def history(self) -> Store:
        return self.options.history or self.store

    async def close(self) -> None:
        """Finish every commit, then stop."""
        self.is_stopping = True
        self._refusals.record_all()
        self.watch.close()
        if self.nodes is not None:
            await asyncio.to_thread(self.nodes.stop)
        await asyncio.to_thread(self.record.close)
        for task in tuple(self._tasks):
            task.cancel()
        for table in self.tables.values():
            table.queue.stop_waiting()
        for table in tuple(self.tables.values()):
            await asyncio.to_thread(table.close)
        if self.nodes is not None:
            await asyncio.to_thread(self.nodes.close, tuple(self.tables))
        for hashing in (self._passwords, self._log_ons):
            await asyncio.to_thread(hashing.shutdown, cancel_futures=True)
        await self._record_stop()
        self._house_thread.shutdown()
        await asyncio.to_thread(self.writer.close)

    async def _record_stop(self) -> None:
        if self.lost.done():
            return
        stopped = ServerStopped(HouseReason.STOPPED(), self.node_name)
        try:
            await self.in_house(lambda: self.record.note(stopped))
        except JournalError as error:
            _log.warning("the stop is not on record: %s", error)


def _payment_turn(sharing: HouseSharing | None) -> HouseLock:
    """Return a lock that only one table of all nodes holds at a time, to pay."""
    if sharing is None:
        return HouseLock(None, None)
    return HouseLock(sharing.take_payment_turn, sharing.end_payment_turn)
