"""A house of several nodes simulated from one seed, with every fault of nodes.

Nodes crash, sleep past their lease and wake up believing, and are cut off from the
database. Commands go to any node, which asks for the table if it is another's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from zlib import crc32

from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.vouchers_and_days import (
    close_gaming_day,
    expire_vouchers,
    report_lost,
)
from croupier.journal.events import house as house_events
from croupier.journal.node_registry import SILENT_MS
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalError,
    JournalFailed,
    StreamMoved,
    WriterConflict,
)
from croupier.journal.tables import StreamBatch
from croupier.journal.verification import verify
from croupier.table.commands import Submission
from croupier.table.table import Table
from tests.robustness.books import demand
from tests.robustness.stores import NO_FAULTS, Faults, ProcessDied
from tests.simulation.dealing import SUPERVISOR
from tests.simulation.house import FLOOR, PATIENCE_MS, SimulatedHouse
from tests.simulation.memory_nodes import MemoryRegistry
from tests.simulation.network import Message
from tests.simulation.node import SimulatedNode
from tests.simulation.seeded import Dice
from tests.simulation.shared_journal import (
    MemorySharing,
    NodeStore,
    OwnersStore,
    SharedJournal,
)

NAMES = ("one", "two", "three")
STEP_MS = 150
TAKEN_WITHIN_MS = 15_000
"""Once nothing new has broken for so long, every table is served by a node that is
well: 5 s until silence is seen, a beat, 3 s for a node that has just come, and again
where an opening failed."""
PHASE_STEPS = 400
"""So long much breaks; then for as long nothing new does, and takeovers must end."""
CALM_WITHIN_MS = 120_000
_FAULTS = Faults(rival=0)
"""Other nodes are rivals enough."""


class NodeHouse(SimulatedHouse):
    """Its tables are the nodes'; `tables` has those that are being served well."""

    def __init__(self, seed: int) -> None:
        self.shared = SharedJournal()
        self._memory, self.rows = self.shared.memory, self.shared.rows
        super().__init__(seed, self._memory.again)
        self.nodes: dict[str, SimulatedNode | None] = dict.fromkeys(NAMES)
        self._back_ms = dict.fromkeys(NAMES, 0)
        """When a node that is gone is started again."""
        self._whole_ms: dict[str, int] = {}
        """When a line that is cut is mended."""
        self._broken_ms = self.clock.now_ms
        """When something was last broken."""
        self._unserved_ms = dict.fromkeys(FLOOR, self.clock.now_ms)
        self._defined: dict[str, str] = {}
        """The Players whom a node was told to be defined, and by which."""
        self._faults = _FAULTS
        self._ids = count(1)

    def _new_id(self) -> str:
        """Return the id of an act of the house, of any node."""
        return f"act {next(self._ids)}"

    # Every step

    def step(self) -> None:
        self.steps += 1
        self.clock.pass_by(self.dice.below(STEP_MS))
        self.wall_clock.wander()
        if self.dice.is_one_in(500):
            self.clock.pass_by(3_600_000 * self.dice.below(12))
            self._note_broken("all slept")
        stream = self.dice.one(list(FLOOR))
        for sender in self.senders:
            if sender.stream == stream and not self.dice.is_one_in(3):
                self._let_act(sender)
        self._run_nodes()
        self._answer()
        self._break_something()
        if self.dice.is_one_in(12):
            self._run_house()
        self._look()

    def _run_nodes(self) -> None:
        """Let each go on that is there; which is first, and with what, is chance."""
        for name in self.dice.random.sample(NAMES, len(NAMES)):
            acts = [self._serve, self._go_on]
            if self.dice.is_one_in(3):  # else a node that wakes up acts as it believes
                acts.reverse()
            for act in acts:
                node = self.nodes[name]
                if node is None:
                    self._start(name)
                elif not node.is_asleep:
                    self._guard(node, partial(act, node))

    def _guard(self, node: SimulatedNode, act: Callable[[], None]) -> None:
        """Something a node does, while disk and line may fail and the process die."""
        before = self.store.injected.total()
        self.rows.now = self.clock.now_ms / 1000
        try:
            act()
        except ProcessDied:
            self._crash(node)
        except JournalFailed as error:
            injected = self.store.injected.total() > before
            expected = injected or node.registry.is_cut
            demand(expected, f"the journal failed by itself: {error}")
            self.counts["failures"] += 1
        if self.store.injected.total() > before:
            self._broken_ms = self.clock.now_ms
        if node.is_lost and self.nodes[node.name] is node:
            self._crash(node)

    def _go_on(self, node: SimulatedNode) -> None:
        node.go_on()
        if self.dice.is_one_in(5):
            node.follow()

    # Messages

    def _send(self, stream: str, submission: Submission) -> None:
        """Send a command as a proxy does: to the table's node, or else the next."""
        at = crc32(stream.encode())
        turn = [NAMES[(at + each) % len(NAMES)] for each in range(len(NAMES))]
        up = [name for name in turn if (n := self.nodes[name]) and not n.is_asleep]
        is_routed = up and not self.dice.is_one_in(10)
        to = up[0] if is_routed else self.dice.one(NAMES)
        self.network.send(to, Message(stream, submission))

    def _serve(self, node: SimulatedNode) -> None:
        """Take what has arrived at a node, a batch for each of its tables."""
        batches: dict[str, list[Submission]] = {}
        for message in self.network.arrived(node.name, 1 + self.dice.below(16)):
            assert isinstance(message.content, Submission)
            if message.stream in node.here:
                batches.setdefault(message.stream, []).append(message.content)
            else:
                self.counts["turned away"] += 1
                if self.dice.is_one_in(3):
                    self._guard(node, partial(node.registry.want, message.stream))
        for stream, batch in batches.items():
            if self.nodes[node.name] is node:
                self._guard(node, partial(self._take, node, stream, batch))

    def _take(self, node: SimulatedNode, stream: str, batch: list[Submission]) -> None:
        table = node.here[stream]
        try:
            answers = table.handle(batch)
        except WriterConflict:
            is_stale = not self._is_current(stream, table)
            demand(is_stale, f"{stream}: whoever has it is told that another does")
            self.counts["conflicts"] += 1
            del node.here[stream]
        except JournalFailed:
            node.here.pop(stream, None)
            raise
        else:
            self._send_answers(stream, batch, answers)

    # What breaks

    def _break_something(self) -> None:
        for name, when in list(self._whole_ms.items()):
            node = self.nodes[name]
            if node is None or self.clock.now_ms >= when:
                del self._whole_ms[name]
                if node is not None:
                    node.registry.is_cut = False
                    self._note_broken("mended")
        node = self.nodes[self.dice.one(NAMES)]
        is_rough = self.steps // PHASE_STEPS % 2 == 0
        if node is None or not is_rough or not self.dice.is_one_in(25):
            return
        match self.dice.below(5):
            case 0:
                self._crash(node)
            case 1 | 2:
                node.sleeps_until = self.clock.now_ms + self._sleep_ms()
                self._note_broken("slept")
            case 3:
                node.registry.is_cut = True
                self._whole_ms[node.name] = self.clock.now_ms + self.dice.below(30_000)
                self._note_broken("cut off")
                if self.dice.is_one_in(2):  # the server noticed, the node did not
                    self.rows.end_session(node.name)
            case _:
                self._guard(node, node.leave)
                if self.nodes[node.name] is node:
                    self.counts["stopped"] += 1
                    self._crash(node)

    def _sleep_ms(self) -> int:
        """Until about when its tables are taken, or for any time."""
        if self.dice.is_one_in(2):
            return SILENT_MS + self.dice.below(2_500)
        return self.dice.below(40_000)

    def _note_broken(self, what: str) -> None:
        self._broken_ms = self.clock.now_ms
        self.counts[what] += 1

    def _crash(self, node: SimulatedNode) -> None:
        """Its memory is gone, its session ends, and what was sent to it is lost."""
        self._note_broken("crashes")
        self.rows.end_session(node.name)
        self.nodes[node.name] = None
        self._back_ms[node.name] = self.clock.now_ms + self.dice.below(8_000)

    def _start(self, name: str) -> None:
        self.network.arrived(name, 1_000)
        if self.clock.now_ms < self._back_ms[name]:
            return
        self.rows.now = self.clock.now_ms / 1000
        registry = MemoryRegistry(self.rows, name)
        store = NodeStore(
            OwnersStore(self.shared, name),
            Dice(f"{self.seed} {name} {self.steps}"),
            self.clock,
            partial(self._note_node_commit, name),
            registry,
        )
        store.injected, store.faults = self.store.injected, self._faults
        sharing = MemorySharing(self.shared, registry)
        try:
            record = HouseRecord(
                store, self.wall_clock, sharing=sharing, new_id=self._new_id
            )
        except (JournalError, ProcessDied):  # it is tried again
            self.counts["failed starts"] += 1
            registry.close()
        else:
            self.nodes[name] = SimulatedNode(
                registry,
                store,
                record,
                self.clock,
                self.dice,
                self.opened,
                FLOOR.keys(),
            )
        self._note_broken("starts")

    # The house's own stream

    def _run_house(self) -> None:
        """Let any node do any act of the house."""
        node = self.nodes[self.dice.one(NAMES)]
        if node is not None and not node.is_asleep:
            self._guard(node, partial(self._act_at, node))

    def _act_at(self, node: SimulatedNode) -> None:
        record = node.record
        try:
            match self.dice.below(8):
                case 0 if self.vouchers:
                    code = self.dice.one(self.vouchers)
                    record.act(lambda: report_lost(record, SUPERVISOR, code))
                case 1:
                    close_gaming_day(record, SUPERVISOR, self.key)
                case 2:
                    record.act(lambda: expire_vouchers(record, SUPERVISOR))
                case _:
                    self._define_player(node, hangs=self.dice.is_one_in(4))
        except (JournalFailed, WriterConflict):
            raise
        except StreamMoved:
            self.counts["overtaken"] += 1
        except JournalError:
            self.counts["refused by the house"] += 1

    def _define_player(self, node: SimulatedNode, *, hangs: bool = False) -> None:
        """Name a Player by their number: a node that sees too few takes a name twice.

        A node that hangs in its turn is put out, and another acts before it writes.
        """
        others = [n for n in self.nodes.values() if n and n is not node and n.is_well]
        tries = 0

        def act() -> str:
            nonlocal tries
            tries += 1
            name = f"Player {len(node.record.state.players) + 1}"
            if hangs and tries == 1 and others:
                self.counts["hung in a turn"] += 1
                other = self.dice.one(others)
                self._guard(other, partial(self._define_player, other))
            node.record.write(house_events.PlayerDefined(node.name, name))
            return name

        name = node.record.act(act)
        demand(name not in self._defined, f"{name} was defined twice")
        self._defined[name] = node.name
        self.counts["decided again"] += tries > 1

    # What must hold

    def _is_current(self, stream: str, table: Table) -> bool:
        return self._memory.epochs()[stream] == table.epoch

    def _note_node_commit(self, name: str, batch: StreamBatch) -> None:
        """One owner writes: the last to claim the stream."""
        if batch.stream != HOUSE_STREAM:
            epoch = self._memory.epochs()[batch.stream]
            claimed = self.shared.claims[batch.stream, epoch]
            demand(claimed == name, f"{name} wrote {batch.stream} of {claimed}")
        self._note_commit(batch)

    def _look(self) -> None:
        """See who serves each table, and that none stays without a node for long."""
        now = self.clock.now_ms
        for stream in FLOOR:
            serving = [
                (node, node.here[stream])
                for node in self.nodes.values()
                if node is not None
                and stream in node.here
                and self._is_current(stream, node.here[stream])
            ]
            demand(len(serving) <= 1, f"two nodes serve {stream} in one epoch")
            self.tables[stream] = serving[0][1] if serving else None
            if serving and serving[0][0].is_well:
                self._unserved_ms[stream] = now
            elif any(node is not None and node.is_well for node in self.nodes.values()):
                since = max(self._unserved_ms[stream], self._broken_ms)
                demand(
                    now - since < TAKEN_WITHIN_MS,
                    f"{stream} has no node for {now - since} ms",
                )

    # The end

    def calm_down(self) -> None:
        """Nothing breaks any more; every table is served, every command answered."""
        self._faults, self.network.reliable = NO_FAULTS, True
        for node in self.nodes.values():
            if node is not None:
                node.sleeps_until, node.registry.is_cut = 0, False
                node.store.faults = NO_FAULTS
        for sender in self.senders:
            sender.think = lambda _: None
        end_ms = self.clock.now_ms + CALM_WITHIN_MS
        while not self._is_calm():
            demand(self.clock.now_ms < end_ms, "the house does not come to rest")
            self.clock.pass_by(PATIENCE_MS // 4)
            for sender in self.senders:
                self._let_act(sender)
            self._run_nodes()
            self._answer()
            self._look()
        self._check_house_stream()

    def _is_calm(self) -> bool:
        is_served = all(table is not None for table in self.tables.values())
        is_answered = not any(each.waiting for each in self.senders)
        return is_served and is_answered and self.network.is_quiet()

    def _check_house_stream(self) -> None:
        """The house's stream: one order, no act lost, the same at every node."""
        store = self._memory
        state = read_house_state(store)
        for node in self.nodes.values():
            if node is not None:
                node.record.follow()
                same = node.record.state == state
                demand(same, f"{node.name} has another house than its journal")
        lost = self._defined.keys() - state.players.keys()
        demand(not lost, f"acts are lost: {lost}")
        verified = verify(store, folds=house_folds())
        demand(verified.is_clean, f"the house does not verify: {verified.findings}")
