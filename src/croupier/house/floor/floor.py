"""The floor: all tables of the house in play, and the connections to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from croupier.house.configuration.differences import CLOSE_ON_DROP, closes_on_drop
from croupier.house.connection.connection import Connection
from croupier.house.connection.listeners import Outlet
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.floor.blocking_table import BlockingTable
from croupier.house.floor.day_close import begin_missed_day
from croupier.house.floor.journal_watch import JournalWatch, StreamWriter
from croupier.house.floor.noticed_events import (
    GatheredRefusals,
    NoticedEvents,
    RefusalBudget,
)
from croupier.house.floor.observer import NoObserver, Observer
from croupier.house.floor.owned_tables import OwnedTables
from croupier.house.floor.table import FloorTable
from croupier.house.floor.table_opening import TableOpening
from croupier.house.floor.upkeep import Upkeep
from croupier.house.nodes.membership import Nodes, TableElsewhere
from croupier.house.people import devices
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import Sessions
from croupier.house.people.pin_attempts import PinAttempts
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.people.proposals import complete
from croupier.house.people.second_factor import FactorKey, IdentityCheck
from croupier.house.reasons import HouseReason
from croupier.house.records.house_follower import HouseFollower
from croupier.house.records.house_record import (
    Clock,
    Denied,
    HouseLock,
    HouseRecord,
    NotDone,
    NotThere,
    RefusedTooOften,
)
from croupier.house.records.house_state import Device, DeviceKind
from croupier.house.records.missing_events import MissingEventsFile
from croupier.journal.events import house as ev
from croupier.journal.events.plan import (
    Money,
    TablePlan,
)
from croupier.journal.group_writer import GroupWriter
from croupier.journal.node_registry import NodeRegistry
from croupier.journal.sharing import HouseSharing, Lease, SharedCounters
from croupier.journal.store import (
    HOUSE_STREAM,
    AcknowledgedMissing,
    JournalError,
    JournalFailed,
    Store,
)
from croupier.protocol import messages as msg
from croupier.rules.notation import shown
from croupier.rules.reasons import Reason
from croupier.rules.terms import write_limits, write_settings
from croupier.table import Accepted, Refused, Submission
from croupier.table import commands as ask

T = TypeVar("T")
_log = logging.getLogger(__name__)
_GRACE_S = 3.0
"""A device that comes back within these was not lost."""
_BACK_S = 10.0
"""So long after this node was cut off, devices find their way back."""
_OF_A_ROUND = frozenset({DeviceKind.CONSOLE, DeviceKind.SENSOR, DeviceKind.LAYOUT})
"""Without these a round stops or is not watched."""
_FINISH_WITHIN_S = 5.0
_GOODBYE_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class FloorOptions:
    clock: Clock
    steady: Callable[[], float]
    """Seconds of a clock that nobody sets."""
    observer: Observer = field(default_factory=NoObserver)
    pace: Pace = field(default_factory=Pace)
    lease: Lease | None = None
    """The lease that keeps the house for this process, if any."""
    sharing: HouseSharing | None = None
    """The turns in which other processes write the house too, if any do."""
    factor_key: FactorKey | None = None
    """The key that seals the secrets of second factors."""
    registry: NodeRegistry | None = None
    """Of the nodes, where the house is served by several."""
    missing_to: Path = Path()
    """The folder for events that were acknowledged and that the journal lacks."""

    @property
    def counters(self) -> SharedCounters | None:
        return None if self.sharing is None else self.sharing.counters


class Floor:
    """Opened inside a running event loop; `close` finishes every commit."""

    def __init__(self, store: Store, options: FloorOptions) -> None:
        self.clock = options.clock
        self.store = store
        self.options = options
        self._loop = asyncio.get_running_loop()
        self._writer = GroupWriter(store)
        self._house_thread = ThreadPoolExecutor(1, thread_name_prefix="house")
        self._passwords = ThreadPoolExecutor(1, thread_name_prefix="passwords")
        self._log_ons = ThreadPoolExecutor(2, thread_name_prefix="log-ons")
        """Hashing is slow and takes 64 MiB: the house's own thread does none, few are
        done at once, and who tries to log on delays no act of the staff."""
        self.pin_attempts = PinAttempts(options.steady, options.counters)
        self.record = HouseRecord(
            store, options.clock, self._writer.append, sharing=options.sharing
        )
        self.payment_turn = _payment_turn(options.sharing)
        self.sessions = Sessions(self.record, options.counters)
        self.identity = IdentityCheck(self.record, self.sessions, options.factor_key)
        self.tallies = PlayerTallies(store, follows=options.sharing is not None)
        registry = options.registry
        self.nodes = None if registry is None else Nodes(registry, options.steady)
        """Where the house is served by several: each has tables of its own."""
        self.tables: dict[str, FloorTable] = {}
        """Of this node, where there are several: `record.state.tables` names all."""
        self._connections: dict[Connection, None] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self.is_stopping = False
        self._missing = MissingEventsFile(store, options.missing_to)
        self.opening = TableOpening(self, self._writer.append)
        if self.nodes is None:
            self.opening.open_all()
        self.record.listeners.append(self._hear)
        self.lost: asyncio.Future[JournalError] = self._loop.create_future()
        """Why the house can't go on in this process, once that is so."""
        self.owned = None if self.nodes is None else OwnedTables(self, self.nodes)
        """The tables of this node, where there are several."""
        self.watch = self._begin_watch()
        self._noticed = NoticedEvents(self.record, self._house_thread, self.watch.note)
        self.follower = self._begin_following()
        self._refusals = GatheredRefusals(self._noticed.add, options.steady)
        self.refusal_budget = RefusalBudget(options.steady)
        self.spawn(Upkeep(self, self._noticed, self._refusals).run())
        if self.owned is not None:
            self.spawn(self.owned.watch())

    # The journal

    def _begin_following(self) -> HouseFollower | None:
        sharing = self.options.sharing
        if sharing is None:
            return None
        return HouseFollower(self.record, sharing, self.watch.note, self.lose)

    def _begin_watch(self) -> JournalWatch:
        drop = None if self.owned is None else self.owned.drop
        lease = self.options.lease
        return JournalWatch(self.store, lease, self._writers, self.lose, drop)

    def _writers(self) -> dict[str, StreamWriter]:
        """On the watch's thread: all that this process writes."""
        tables = {
            name: StreamWriter(
                each.table.epoch,
                each.table.failure,
                is_alive=each.is_alive or each.actor.has_left,
            )
            for name, each in self.tables.copy().items()
        }
        return {HOUSE_STREAM: StreamWriter(self.record.book.epoch), **tables}

    def lose(self, error: JournalError) -> None:
        """On any thread: the house is another's, or its journal is gone."""
        _log.critical("this process can't go on and ends: %s", error)
        if isinstance(error, AcknowledgedMissing):
            self._missing.write(error, self.clock())
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note_lost, error)

    def _note_lost(self, error: JournalError) -> None:
        if not self.lost.done():
            self.lost.set_result(error)

    # Tables

    def send_away(self, reason: Reason, table: FloorTable | None = None) -> None:
        """Have everybody, or all of a table, connect anew, here or elsewhere."""
        self._dismiss(lambda each: table in {None, each.table}, reason, come_back=True)

    def notice(self, event: ev.HouseEvent) -> None:
        """Record soon what the floor has noticed by itself."""
        self._noticed.add(event)

    def table(self, name: str) -> FloorTable:
        """Return a table; raise `TableElsewhere` where another node has it."""
        found = self.tables.get(name)
        if self.nodes is not None:
            is_here = found is not None and self.nodes.is_member
            if not is_here and name in self.record.state.tables:
                raise TableElsewhere(name)
        if found is None:
            raise NotThere(HouseReason.NO_SUCH_TABLE(name=shown(name)))
        return found

    async def change_terms(
        self, by: Caller, name: str, terms: ask.ChangeTerms, command_id: str
    ) -> Accepted | Refused:
        """Put terms in force with the next round, and display them from now on.

        Raises `NotDone` for a sensor that the house file has otherwise: that takes two.
        """
        by.must(HouseAct.CHANGE_TERMS)
        plan = self.record.state.tables.get(name)
        if plan and closes_on_drop(plan.settings) != closes_on_drop(terms.settings):
            raise NotDone(HouseReason.CHANGE_TAKES_TWO(what=CLOSE_ON_DROP))
        return await self.submit(by, name, terms, command_id)

    async def open_or_close(
        self, by: Caller, name: str, command_id: str, *, opens: bool
    ) -> Accepted | Refused:
        by.must(HouseAct.RUN_TABLE)
        command = ask.ReopenTable() if opens else ask.CloseTable()
        return await self.submit(by, name, command, command_id)

    async def submit(
        self, by: Caller, name: str, command: ask.AnyCommand, sent_id: str
    ) -> Accepted | Refused:
        """Submit a command of the staff, in the lowest position of theirs that may."""
        table = self.table(name)
        self.check_refusals(by.name, ev.AskedBy.OPERATION, type(command).__name__)
        people, command_id = (table.person(by, command),), f"s:{by.name}:{sent_id}"
        sent = ask.sent_digest(command)
        answer = await table.submit(Submission(command_id, people, command, sent=sent))
        if isinstance(answer, Refused):
            self.refusal_budget.spend(by.name)
        return answer

    def terms_of(self, name: str) -> ask.ChangeTerms:
        """Return what the next round of a table will be judged by."""
        series = self.table(name).state.series
        limits, settings = write_limits(series.limits), write_settings(series.settings)
        return ask.ChangeTerms(limits, settings)

    # Connections

    def connect(
        self, hello: msg.Hello, outlet: Outlet, at: str | None = None
    ) -> Connection:
        """Connect whoever says hello to a table; raise `Denied` if they may not.

        `at` is the token of the device that a browser is, where hello names none.
        """
        table = self.table(hello.table)
        device: Device | None = None
        if hello.device is not None:
            device = devices.find(self.record, hello.device)
            if device.table not in {None, table.name}:
                raise Denied(HouseReason.DEVICE_OF_ANOTHER_TABLE(name=device.name))
        if hello.session is not None:
            _, caller = self.sessions.find_at(hello.session, hello.device or at)
            deals = self.record.state.deals(caller.name, table.name)
            may = caller.may(HouseAct.WATCH) or caller.may(HouseAct.HANDLE_MONEY)
            if not deals and not caller.positions and not may:
                caller.must(HouseAct.WATCH)
        elif device is None and not self.is_demonstration:
            raise Denied(HouseReason.DEVICE_OR_SESSION_NEEDED())
        connection = Connection(self, table, device, hello.session, outlet)
        self._end_older(connection)
        self._connections[connection] = None
        name = connection.device
        if name is not None and name in table.listeners.lost:
            table.listeners.lost.discard(name)
            table.broadcast.changed()
            self._noticed.add(ev.DeviceBack(name, table.name))
        return connection

    def _end_older(self, connection: Connection) -> None:
        """End what else is connected with the same device's token to this table."""
        name, table = connection.device, connection.table
        if name is not None and table.listeners.has_device(name):
            self._dismiss(
                lambda each: each.device == name and each.table is table,
                HouseReason.CONNECTED_ELSEWHERE(name=name),
            )

    def gone(self, connection: Connection) -> None:
        """Forget a connection that is over."""
        self._connections.pop(connection, None)
        table, device = connection.table, connection.device
        self.options.observer.connected(table.name, connection.kind, -1)
        table.tell_stakes()
        is_here = self.tables.get(table.name) is table and not self.is_stopping
        if table.listeners.leave(connection.listener) and is_here:
            assert device is not None
            self._loop.call_later(_GRACE_S, self._miss, table, device)

    def _miss(self, table: FloorTable, device: str) -> None:
        """Tell the staff, and the log, that it is not back in time.

        Whoever was sent away because this node was cut off has longer.
        """
        if self.nodes is not None and self.nodes.member_for_s < _BACK_S:
            self._loop.call_later(_GRACE_S, self._miss, table, device)
            return
        is_here = self.tables.get(table.name) is table and not self.is_stopping
        gone = not table.listeners.has_device(device) and is_here
        known = self.record.state.devices.get(device)
        if not gone or known is None:
            return
        needed = self._is_needed(table, known)
        self._noticed.add(ev.DeviceLost(device, table.name, needed))
        if known.kind is DeviceKind.TERMINAL:
            table.lose_terminal(device)

    def _is_needed(self, table: FloorTable, device: Device) -> bool:
        """Say whether the round in play goes on worse without a device."""
        if device.kind is DeviceKind.TERMINAL:
            seat = self.seat_at(table.name, device.name)
            return table.state.is_at_stake(seat) and not devices.is_guest(device.name)
        return device.kind in _OF_A_ROUND and table.state.is_in_play

    def seat_at(self, table: str, device: str) -> str:
        """Return the named Player at a terminal, or the terminal's own name."""
        return self.record.state.seated.get((table, device), device)

    def check_device(self, device: str | None) -> None:
        if device is not None and device not in self.record.state.devices:
            raise Denied(HouseReason.DEVICE_HAS_BEEN_REVOKED())

    def name_of(self, session: str) -> str | None:
        return self.sessions.name_of(session)

    def note_slow(self, connection: Connection) -> None:
        """Count a reader who was cut off for being too slow."""
        self.options.observer.cut_off(connection.table.name)

    def note_denied(
        self, who: str, asked_by: ev.AskedBy, act: str, reason: Reason
    ) -> None:
        self._refusals.note(who[:40], asked_by, act, reason)

    def check_refusals(self, who: str, asked_by: ev.AskedBy, act: str) -> None:
        """Raise `RefusedTooOften` if too many commands of a sender were refused."""
        is_staff = who in self.record.state.staff
        wait_s = self.refusal_budget.wait_s(who, is_staff=is_staff)
        if wait_s:
            error = RefusedTooOften(wait_s)
            self.note_denied(who, asked_by, act, error.reason)
            raise error

    def _hear(self, event: ev.HouseEvent) -> None:
        """On the thread of whoever recorded it."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._heard, event)

    def _heard(self, event: ev.HouseEvent) -> None:
        """Follow what the house has recorded, where it concerns the floor."""
        match event:
            case ev.DeviceRevoked(device=name):
                self._dismiss(
                    lambda each: each.device == name, HouseReason.DEVICE_IS_REVOKED()
                )
                for table in self.tables.values():
                    self.opening.end_stays(table)
            case ev.SeatTaken() | ev.SeatLeft():
                self._reseat(event)
            case (
                ev.DealerCame(table=name)
                | ev.DealerWent(table=name)
                | ev.DeviceLost(table=name)
            ) if name in self.tables:
                self._show_change(self.tables[name], event)
            case ev.HouseDefined() | ev.GamingDayEnding():
                self._redefine_house()
            case ev.TableDefined(table=plan):
                self._redefine_table(plan)
            case ev.TableRetired(table=name):
                self._dismiss(
                    lambda each: each.table.name == name, HouseReason.TABLE_GONE()
                )
                if name in self.tables:
                    self.spawn(asyncio.to_thread(self.tables.pop(name).close))
            case ev.LoggedOff() | ev.StaffRemoved():
                self._dismiss(self._has_no_session, HouseReason.SESSION_OVER())
            case _:
                self._measure(event)

    def _measure(self, event: ev.HouseEvent) -> None:
        observer = self.options.observer
        match event:
            case ev.LogOnFailed():
                observer.log_on_failed()
            case ev.Proposed() | ev.ProposalConfirmed() | ev.ProposalEnded():
                observer.proposals(len(self.record.state.proposals))

    def _reseat(self, event: ev.SeatTaken | ev.SeatLeft) -> None:
        """Show another seat at a terminal, where somebody sits down or leaves."""
        if event.table in self.tables:
            seat = self.seat_at(event.table, event.terminal)
            self.tables[event.table].reseat(event.terminal, seat)

    @staticmethod
    def _show_change(table: FloorTable, event: ev.HouseEvent) -> None:
        if isinstance(event, ev.DeviceLost):
            table.listeners.lost.add(event.device)
        table.broadcast.changed()
        if isinstance(event, ev.DealerCame | ev.DealerWent):
            table.timers.roll_virtual_ball()

    def _redefine_house(self) -> None:
        """Let the tables know other settings, and begin a day by somebody's word."""
        for table in self.tables.values():
            table.table.settings = self.record.settings
        begin_missed_day(self)

    def _redefine_table(self, plan: TablePlan) -> None:
        """Open a new table, or give one another countdown, chips or dealer."""
        table = self.tables.get(plan.name)
        if table is not None:
            table.plan = plan
            table.broadcast.changed()
        elif self.nodes is None:  # else the nodes find it, and one of them takes it
            self.opening.open_now(plan)

    def _has_no_session(self, connection: Connection) -> bool:
        session = connection.session
        return session is not None and self.name_of(session) is None

    def _dismiss(
        self,
        whom: Callable[[Connection], bool],
        reason: Reason,
        *,
        come_back: bool = False,
    ) -> None:
        for connection in tuple(self._connections):
            if whom(connection):
                connection.listener.outlet.dismiss(reason, come_back=come_back)

    # The house's own thread

    async def in_house(self, act: Callable[[], T]) -> T:
        """Run an act of the house off the loop, one at a time."""
        return await self._run(self._house_thread, lambda: self.record.act(act))

    async def with_password(self, act: Callable[[], T]) -> T:
        """Run an act of the staff that hashes a password beside the house's thread."""
        return await self._run(self._passwords, act)

    async def with_log_on(self, act: Callable[[], T]) -> T:
        """Run a log-on, by password or PIN, beside the house's thread."""
        return await self._run(self._log_ons, act)

    async def _run(self, thread: ThreadPoolExecutor, act: Callable[[], T]) -> T:
        try:
            return await self._loop.run_in_executor(thread, act)
        except JournalFailed as error:
            self.watch.note(error)
            raise

    def complete_confirmed(self) -> None:
        """Have done what two people confirmed and a stop or a lost journal cut off."""
        here = self.tables.copy()  # this is another thread than the one that opens
        complete(self.record, {name: BlockingTable(e) for name, e in here.items()})

    async def caught_up(self) -> None:
        """Wait until what has been noted so far stands in the journal."""
        await self.in_house(lambda: None)

    def spawn(self, work: Coroutine[Any, Any, None] | Awaitable[None]) -> None:
        """Do it beside everything else, until the floor closes."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("work on the floor failed", exc_info=task.exception())

    @property
    def node_name(self) -> str:
        """The name of this node, or nothing where one process serves the house."""
        return "" if self.nodes is None else self.nodes.name

    @property
    def is_demonstration(self) -> bool:
        house = self.record.state.house
        return house is not None and house.money is Money.DEMONSTRATION

    async def finish(self) -> None:
        """Take nothing new, answer what has been asked, say goodbye."""
        self.is_stopping = True
        for table in self.tables.values():
            table.actor.lose_patience()
        end = self._loop.time() + _FINISH_WITHIN_S
        while self._loop.time() < end and any(
            table.actor.waiting for table in self.tables.values()
        ):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # the last answers are on their way
        self.send_away(HouseReason.HOUSE_STOPPING())
        end = self._loop.time() + _GOODBYE_WITHIN_S
        while self._connections and self._loop.time() < end:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Finish every commit, then stop."""
        self.is_stopping = True
        self._refusals.record_all()
        self.watch.close()
        if self.nodes is not None:
            await asyncio.to_thread(self.nodes.stop)
        if self.follower is not None:
            await asyncio.to_thread(self.follower.close)
        for task in tuple(self._tasks):
            task.cancel()
        for table in self.tables.values():
            table.actor.lose_patience()
        for table in tuple(self.tables.values()):
            await asyncio.to_thread(table.close)
        if self.nodes is not None:
            await asyncio.to_thread(self.nodes.close, tuple(self.tables))
        for hashing in (self._passwords, self._log_ons):
            await asyncio.to_thread(hashing.shutdown, cancel_futures=True)
        await self._record_stop()
        self._house_thread.shutdown()
        await asyncio.to_thread(self.opening.close)
        await asyncio.to_thread(self._writer.close)

    async def _record_stop(self) -> None:
        """Record the end, if the journal is still there to record it."""
        if self.lost.done():
            return
        stopped = ev.ServerStopped(HouseReason.STOPPED(), self.node_name)
        try:
            await self.in_house(lambda: self.record.write(stopped))
        except JournalError as error:
            _log.warning("the stop is not on record: %s", error)


def _payment_turn(sharing: HouseSharing | None) -> HouseLock:
    """Return the lock that one table holds while it makes a payment, at any node."""
    if sharing is None:
        return HouseLock(None, None)
    return HouseLock(sharing.take_payment_turn, sharing.end_payment_turn)
