"""A floor of many tables on simulated time: wagers, commits and answers, and faults.

Nodes decide by the code that real ones run (`house/nodes`). A wager goes to any node,
from there to the table's, into a commit that it shares with others, and its answer goes
back: each step takes time, and a message may get lost or come twice. Whoever hears
nothing sends the same id again. What clients were told is kept apart from what the
journal took, and compared at the end.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from statistics import median

from croupier.house.nodes.membership import BEAT_S, Nodes
from croupier.journal.store import ServerAway
from tests.simulation.memory_nodes import MemoryHost, MemoryRegistry, MemoryRows

OPEN_S = 0.06
"""To open a table with a few wagers in play, as `database_costs.py` measured it."""
PAUSE_S = 0.5
"""Between an answer and the next wager of a table."""
AGAIN_S = 1.0
"""Who has heard nothing for so long sends the same id again."""
STILL_S = 2.0
"""A table without an answer for longer stood still; one lost message takes less."""
_TURNED_AWAY_S = 0.2
_RETRY_S = 0.2
_HOP_S = (0.0002, 0.002)
_COMMIT_S = (0.001, 0.004)
"""From a node to the database, and back."""
_LOST = _DOUBLED = 0.001
"""The chance of each message."""

Asked = tuple[str, int]
"""A table, and the id of a wager there."""


class OpeningHost(MemoryHost):
    """Opens one table after the other; knows what the streams of its tables hold."""

    def __init__(self, registry: MemoryRegistry, tables: set[str]) -> None:
        super().__init__(registry, tables)
        self.waiting: deque[str] = deque()
        self.known: dict[str, set[int]] = {}
        """By table, the ids that it has answers to."""

    def loads(self) -> dict[str, int]:
        return {**super().loads(), **dict.fromkeys(self.waiting, 1)}

    def open(self, table: str, taken_from: str | None) -> None:
        self.waiting.append(table)

    def open_next(self, journal: FloorJournal) -> None:
        table = self.waiting.popleft()
        super().open(table, None)
        self.known[table] = journal.ids(table)

    def drop(self, table: str) -> None:
        super().drop(table)
        self.known.pop(table, None)


@dataclass(eq=False)
class Process:
    """A node, with what it has been sent and what it is about to commit."""

    registry: MemoryRegistry
    host: OpeningHost
    nodes: Nodes
    is_dead: bool = False
    is_held: bool = False
    is_opening: bool = False
    inbox: list[Callable[[], None]] = field(default_factory=list)
    """What reached a process that is held: it comes to it as soon as it wakes up."""
    batch: dict[Asked, int] = field(default_factory=dict)
    """For the next commit, each with the epoch in which this node decided it."""
    under_way: dict[Asked, int] = field(default_factory=dict)


class FloorJournal:
    """What the database holds: the ids of each stream, by the epoch that wrote them."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows
        self._streams: dict[str, dict[int, list[int]]] = {}

    def takes(self, table: str, epoch: int) -> bool:
        """Whether an epoch is the newest of its stream, which alone is written."""
        return self._rows.epochs[table] == epoch

    def append(self, asked: Asked, epoch: int) -> None:
        table, wager = asked
        self._streams.setdefault(table, {}).setdefault(epoch, []).append(wager)

    def has(self, asked: Asked, epoch: int) -> bool:
        """Whether this epoch wrote it: a commit of which nobody heard is read back."""
        table, wager = asked
        return wager in self._streams.get(table, {}).get(epoch, ())[-50:]

    def written(self, table: str) -> list[int]:
        return [each for ids in self._streams.get(table, {}).values() for each in ids]

    def ids(self, table: str) -> set[int]:
        return set(self.written(table))

    def lose_last(self) -> None:
        """Forget the newest wager of each stream, as no database should."""
        for epochs in self._streams.values():
            epochs[max(epochs)].pop()


@dataclass
class Wave:
    """What became of the wagers since the last fault."""

    began: float
    acknowledged: Counter[int] = field(default_factory=Counter)
    """By the second."""
    refused: int = 0
    """By the stream's epoch: the node believed that it had the table."""
    sent_again: int = 0
    still_s: dict[str, float] = field(default_factory=dict)
    """By table, the longest time without an answer."""


@dataclass(frozen=True, slots=True)
class Told:
    """A wave as figures."""

    still: int
    median_s: float
    longest_s: float
    mean: float
    """Wagers acknowledged in a second."""
    least: int
    """The same in the worst second."""
    sent_again: int
    refused: int
    missing: int
    """Acknowledged, and not in the journal."""
    doubled: int
    """In the journal more than once."""


class SimulatedFloor:
    """Tables whose clients play for ever, at nodes that fail as they are told."""

    def __init__(self, tables: int, nodes: int, seed: int = 1) -> None:
        self.rows, self.random = MemoryRows(), Random(seed)
        self.tables = {f"table {number}" for number in range(tables)}
        self.journal = FloorJournal(self.rows)
        self.acknowledged: dict[str, list[int]] = {name: [] for name in self.tables}
        self._asked = dict.fromkeys(self.tables, 0)
        """The wager for whose answer the client of each table waits."""
        self._tries = dict.fromkeys(self.tables, 0)
        """How often each client has sent anything: its last try alone is waited for."""
        self._answered = dict.fromkeys(self.tables, self.rows.now)
        self._sessions = 0
        """How often all sessions were lost."""
        self.wave = Wave(self.rows.now)
        self.processes: dict[str, Process] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        for number in range(nodes):
            self.start(f"node {number}")
        for table in sorted(self.tables):
            self._after(self.random.uniform(0, PAUSE_S), partial(self._ask, table))

    # Time

    def run(self, seconds: float) -> None:
        """Let everything happen that is due."""
        end = self.rows.now + seconds
        while self._due and self._due[0][0] <= end:
            self.rows.now, _, act = heapq.heappop(self._due)
            act()
        self.rows.now = end

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        due = self.rows.now + seconds
        heapq.heappush(self._due, (due, next(self._order), act))

    def _send(self, arrive: Callable[[], None]) -> None:
        """Send a message, which may get lost, or come twice."""
        chance = self.random.random()
        if chance < _LOST:
            return
        self._after(self.random.uniform(*_HOP_S), arrive)
        if chance < _LOST + _DOUBLED:
            self._after(self.random.uniform(*_HOP_S), arrive)

    def _to(self, process: Process, act: Callable[[], None]) -> Callable[[], None]:
        """Return what happens when something reaches a process: held, it keeps it."""

        def arrive() -> None:
            if process.is_held:
                process.inbox.append(act)
            elif not process.is_dead:
                act()

        return arrive

    # The nodes

    def start(self, name: str) -> None:
        registry = MemoryRegistry(self.rows, name)
        host = OpeningHost(registry, self.tables)
        process = Process(registry, host, Nodes(registry, lambda: self.rows.now))
        self.processes[name] = process
        self._after(self.random.random(), lambda: self._turn(process))

    def _turn(self, process: Process) -> None:
        if process.is_dead:
            return
        self._after(
            BEAT_S + self.random.uniform(-0.05, 0.05), lambda: self._turn(process)
        )
        if process.is_held:
            return
        with suppress(ServerAway):
            process.nodes.take_turn(process.host)
        if process.host.waiting and not process.is_opening:
            process.is_opening = True
            self._after(OPEN_S, self._to(process, lambda: self._open(process)))

    def _open(self, process: Process) -> None:
        if self._reaches_database(process):
            process.host.open_next(self.journal)
        process.is_opening = bool(process.host.waiting)
        if process.is_opening:
            self._after(OPEN_S, self._to(process, lambda: self._open(process)))

    def _reaches_database(self, process: Process) -> bool:
        return not self.rows.is_away and not process.registry.is_cut

    # A wager, and its answer

    def _ask(self, table: str, after_try: int | None = None) -> None:
        """Send what waits for an answer to any node, again where a try failed."""
        if after_try is not None and after_try != self._tries[table]:
            return
        self.wave.sent_again += after_try is not None
        self._tries[table] += 1
        asked, this_try = (table, self._asked[table]), self._tries[table]
        self._after(AGAIN_S, lambda: self._ask(table, this_try))
        process = self.random.choice(list(self.processes.values()))
        self._send(self._to(process, lambda: self._route(process, asked, this_try)))

    def _route(self, process: Process, asked: Asked, this_try: int) -> None:
        """Decide where a wager goes that has come to some node."""
        table, _ = asked
        owner = process.nodes.owner_of(table)
        if table in process.host.serves and process.nodes.is_member:
            self._take(process, asked, this_try)
        elif owner is not None and owner.name in self.processes:
            other = self.processes[owner.name]
            self._send(self._to(other, lambda: self._take(other, asked, this_try)))
        else:
            self._after(_TURNED_AWAY_S, lambda: self._ask(table, this_try))

    def _take(self, process: Process, asked: Asked, this_try: int) -> None:
        """Answer what the table's stream has; commit the rest with the next."""
        table, wager = asked
        if table not in process.host.serves:
            self._after(_TURNED_AWAY_S, lambda: self._ask(table, this_try))
        elif wager in process.host.known[table]:
            self._answer(asked)
        elif asked not in process.batch and asked not in process.under_way:
            process.batch[asked] = process.host.serves[table]
            if not process.under_way:
                self._commit(process)

    def _commit(self, process: Process) -> None:
        process.under_way, process.batch = process.batch, {}
        self._send_commit(process)

    def _send_commit(self, process: Process) -> None:
        sessions = self._sessions
        self._after(
            self.random.uniform(*_COMMIT_S), lambda: self._write(process, sessions)
        )

    def _write(self, process: Process, sessions: int) -> None:
        """At the database: write what the newest epoch of each stream decided."""
        done: dict[Asked, bool] = {}
        is_heard = self._reaches_database(process) and sessions == self._sessions
        if is_heard:
            for asked, epoch in process.under_way.items():
                if self.journal.has(asked, epoch):
                    done[asked] = True  # its first try came through
                elif self.journal.takes(asked[0], epoch):
                    self.journal.append(asked, epoch)
                    done[asked] = True
                else:
                    done[asked] = False
        self._after(
            self.random.uniform(*_COMMIT_S),
            self._to(process, lambda: self._written(process, done, sessions)),
        )

    def _written(
        self, process: Process, done: dict[Asked, bool], sessions: int
    ) -> None:
        """At the node: answer what is durable; ask again where nobody knows."""
        is_heard = self._reaches_database(process) and sessions == self._sessions
        if not is_heard or not done:
            self._after(_RETRY_S, self._to(process, lambda: self._send_commit(process)))
            return
        process.under_way = {}
        for asked, is_written in done.items():
            table, wager = asked
            if is_written:
                process.host.known.get(table, set()).add(wager)
                self._answer(asked)
            else:
                self.wave.refused += 1
                process.host.drop(table)
        if process.batch:
            self._commit(process)

    def _answer(self, asked: Asked) -> None:
        self._send(lambda: self._hear(asked))

    def _hear(self, asked: Asked) -> None:
        """At the client: note what was acknowledged, and go on after a pause."""
        table, wager = asked
        if self._asked[table] != wager:
            return  # the same answer again
        self._asked[table] += 1
        self._tries[table] += 1  # nobody waits for an earlier one any more
        self.acknowledged[table].append(wager)
        self.wave.acknowledged[int(self.rows.now)] += 1
        self._note_still(table)
        self._answered[table] = self.rows.now
        self._after(PAUSE_S, lambda: self._ask(table))

    def _note_still(self, table: str) -> None:
        since = max(self._answered[table], self.wave.began)
        waited = self.rows.now - since
        if waited > self.wave.still_s.get(table, STILL_S):
            self.wave.still_s[table] = waited

    # Faults

    def kill(self, name: str) -> None:
        self.processes.pop(name).is_dead = True
        self.rows.end_session(name)

    def hold(self, name: str) -> None:
        self.processes[name].is_held = True

    def wake(self, name: str) -> None:
        """Go on where it stopped: with what it was sent, by what it believes."""
        process = self.processes[name]
        process.is_held = False
        inbox, process.inbox = process.inbox, []
        for act in inbox:
            act()

    def cut(self, name: str, *, off: bool) -> None:
        """Part a node from the database; everybody else reaches it."""
        self.processes[name].registry.is_cut = off

    def lose_sessions(self) -> None:
        """End all sessions, and whatever is under way in them."""
        self._sessions += 1
        for name in self.rows.nodes:
            self.rows.end_session(name)

    def lose_database(self) -> None:
        self.rows.is_away = True
        self.lose_sessions()

    def promote(self) -> None:
        """Go on at a standby, which has all that was ever answered."""
        self.rows.is_away = False

    # What came of it

    @property
    def is_served(self) -> bool:
        served = sum(len(each.host.serves) for each in self.processes.values())
        return served == len(self.tables)

    def tell(self) -> Told:
        """Return the figures of this wave, and begin the next."""
        for table in self.tables:
            self._note_still(table)
        wave, self.wave = self.wave, Wave(self.rows.now)
        still = sorted(wave.still_s.values())
        whole = range(int(wave.began) + 1, int(self.rows.now))
        seconds = [wave.acknowledged[second] for second in whole]
        missing = doubled = 0
        for table, heard in self.acknowledged.items():
            written = self.journal.written(table)
            missing += len(set(heard) - set(written))
            doubled += len(written) - len(set(written))
        return Told(
            still=len(still),
            median_s=median(still or [0.0]),
            longest_s=max(still, default=0.0),
            mean=wave.acknowledged.total() / (self.rows.now - wave.began),
            least=min(seconds, default=0),
            sent_again=wave.sent_again,
            refused=wave.refused,
            missing=missing,
            doubled=doubled,
        )
