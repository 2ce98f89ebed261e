"""A whole house simulated from one seed: tables, Players, staff, crashes, a network.

Everything that happens follows from the seed. A step lets a person act, lets a table
take what has arrived, and now and then lets something break.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.games import find_game
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import (
    close_gaming_day,
    expire_vouchers,
    report_lost,
)
from croupier.journal.events.house import HouseDefined
from croupier.journal.events.plan import DEFAULT_HOUSE, Thresholds
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalError,
    JournalFailed,
    Store,
    WriterConflict,
)
from croupier.journal.tables import StreamBatch
from croupier.ledger import money
from croupier.table.answers import Accepted, Answer
from croupier.table.commands import Submission, Together
from croupier.table.state import TableState
from croupier.table.table import NewTable, Table
from tests.robustness.books import demand
from tests.robustness.checker import Follower, check_house
from tests.robustness.recorder import Key, Recorder
from tests.robustness.stores import NO_FAULTS, FaultyStore, MemoryStore, ProcessDied
from tests.rules.random_play import PLAYERS
from tests.simulation.dealing import DEALER, SUPERVISOR, TERMS, Act, Dealing
from tests.simulation.managing import ANONYMOUS, Managing
from tests.simulation.network import Message, Network
from tests.simulation.playing import Playing
from tests.simulation.seeded import Dice, SeededEntropy, SimulatedClock, WanderingClock

FLOOR: dict[str, tuple[str, bool]] = {
    "v2": ("mbs-roulette-v2", False),
    "v3": ("mbs-roulette-v3", False),
    "complete": ("mbs-complete-bet-v2", False),
    "fast": ("mbs-fast-action-v2", False),
    "triple": ("rws-triple-zero", False),
    "fast-virtual": ("mbs-fast-action-v2", True),
    "triple-virtual": ("rws-triple-zero", True),
}
"""Each stream's game, and whether its wheel is virtual."""
PATIENCE_MS = 400
SNAPSHOT_EVERY = 60


@dataclass
class Sender:
    """Sends commands, and each again until it has an answer."""

    name: str
    stream: str
    think: Callable[[TableState], Act | None]
    most: int
    """How many commands may wait for their answers."""
    waiting: dict[str, tuple[Submission, int]] = field(default_factory=dict)
    sent: int = 0


class SimulatedHouse:
    def __init__(
        self, seed: int, open_store: Callable[[], Store] | None = None
    ) -> None:
        self.seed = seed
        self.steps = 0
        self.counts: Counter[str] = Counter()
        self.clock = SimulatedClock()
        self.wall_clock = WanderingClock(self.clock, Dice(f"{seed} clock"))
        self.dice = Dice(seed)
        self._sampling = Dice(f"{seed} sampling")
        self.settings = replace(
            DEFAULT_HOUSE, voucher_days=1, thresholds=Thresholds(fill_cents=300_000)
        )
        self.vouchers: list[str] = []
        self.recorder = Recorder()
        self._known: list[Key] = []
        self._unchecked: list[Key] = []
        self.committed: dict[Key, int] = {}
        key = Dice(f"{seed} key").random.randbytes(32)
        self.key = Ed25519PrivateKey.from_private_bytes(key)
        self._entropy = SeededEntropy(seed)
        self._salts = SeededEntropy(f"salts {seed}")
        self._open_store = open_store or MemoryStore().again
        self.store = FaultyStore(
            self._open_store(), Dice(f"{seed} faults"), self.clock, self._note_commit
        )
        self.network = Network(Dice(f"{seed} network"), self.clock)
        self.tables: dict[str, Table | None] = dict.fromkeys(FLOOR)
        self._stale: dict[str, Table] = {}
        self.followers = {
            name: Follower(name, self.settings) for name in (*FLOOR, HOUSE_STREAM)
        }
        self.senders = [sender for name in FLOOR for sender in self._people(name)]

    def _people(self, stream: str) -> list[Sender]:
        game = find_game(FLOOR[stream][0])
        dealing = Dealing(game, self.dice)
        managing = Managing(game, self.dice, dealing)
        players = [Playing(game, name, self.dice, self.vouchers) for name in PLAYERS]
        return [
            Sender("dealer", stream, dealing.next_act, 1),
            Sender("pit", stream, managing.next_act, 2),
            *(Sender(each.name, stream, each.next_act, 3) for each in players),
        ]

    def run(self, steps: int) -> None:
        """Take steps, and check after each all that must hold."""
        try:
            for _ in range(steps):
                self.step()
                self.check()
        except Exception as error:
            error.add_note(f"in a house of seed {self.seed}, after step {self.steps}")
            raise

    def step(self) -> None:
        self.steps += 1
        self.clock.pass_by(self.dice.below(60))
        self.wall_clock.wander()
        if self.dice.is_one_in(200):
            self.clock.pass_by(3_600_000 * self.dice.below(12))
        stream = self.dice.one(list(FLOOR))
        for sender in self.senders:
            if sender.stream == stream and not self.dice.is_one_in(3):
                self._let_act(sender)
        self._hand_over(self.dice.one(list(FLOOR)))
        self._hand_over(stream)
        self._answer()
        if self.dice.is_one_in(1_000):
            self._guarded(self._die)
        if self.dice.is_one_in(300):
            self._take_over(stream)
        if self.dice.is_one_in(60):
            self._guarded(self._run_house)

    def _let_act(self, sender: Sender) -> None:
        now = self.clock.now_ms
        for command_id, (submission, at_ms) in list(sender.waiting.items()):
            if now - at_ms > PATIENCE_MS:
                self.counts["resent"] += 1
                sender.waiting[command_id] = (submission, now)
                self._send(sender.stream, submission)
        table = self.tables[sender.stream]
        if table is None or len(sender.waiting) >= sender.most:
            return
        act = sender.think(table.state)
        if act is None:
            return
        sender.sent += 1
        submission = Submission(f"{sender.name} {sender.sent}", *act)
        self.counts["commands"] += 1
        sender.waiting[submission.command_id] = (submission, now)
        key = (sender.stream, submission.command_id)
        self.recorder.submitted[key] = submission
        self._send(sender.stream, submission)

    def _send(self, stream: str, submission: Submission) -> None:
        """Send a command to its table."""
        self.network.send(stream, Message(stream, submission))

    def _hand_over(self, stream: str) -> None:
        """What has arrived at a table, as one batch."""
        table = self._stale.get(stream) or self._table(stream)
        if table is None:
            return
        messages = self.network.arrived(stream, 1 + self.dice.below(8))
        batch = [m.content for m in messages if isinstance(m.content, Submission)]
        if not batch:
            return
        before = self.store.injected.total()
        try:
            answers = table.handle(batch)
        except JournalError as error:
            self._failed(stream, error, before)
        except ProcessDied:
            self._guarded(self._die)
        else:
            self._send_answers(stream, batch, answers)

    def _send_answers(
        self, stream: str, batch: list[Submission], answers: list[Answer]
    ) -> None:
        demand(len(answers) == len(batch), "an answer is missing")
        self.counts["batches"] += 1
        for submission, answer in zip(batch, answers, strict=True):
            demand(answer.command_id == submission.command_id, "a wrong answer")
            _check_together(submission, answer)
            self.network.send("senders", Message(stream, answer))

    def _failed(self, stream: str, error: JournalError, before: int) -> None:
        """The table that failed takes no more; it is opened again."""
        is_stale = stream in self._stale
        conflict = isinstance(error, WriterConflict)
        injected = self.store.injected.total() > before
        claimed = is_stale or stream in self.store.rivals
        expected = injected or (conflict and claimed)
        demand(expected, f"the journal failed by itself: {error}")
        self.counts["conflicts" if conflict else "failures"] += 1
        if self._stale.pop(stream, None) is None:
            self.tables[stream] = None

    def _take_over(self, stream: str) -> None:
        """A second writer opens the table; the first does not know yet."""
        first = self.tables[stream]
        if first is None or stream in self._stale:
            return
        self.tables[stream] = None
        if self._table(stream) is not None:
            self.counts["takeovers"] += 1
            self._stale[stream] = first

    def _run_house(self) -> None:
        """The house's own stream: vouchers expire or are lost, days end."""
        record = HouseRecord(self.store, self.wall_clock)
        try:
            if record.state.house is None:
                begun = HouseDefined("simulation", self.settings)
                record.write(begun, command_id="house")
            match self.dice.below(3):
                case 0 if self.vouchers:
                    report_lost(record, SUPERVISOR, self.dice.one(self.vouchers))
                case 1:
                    close_gaming_day(record, SUPERVISOR, self.key)
                case _:
                    expire_vouchers(record, SUPERVISOR)
        except (JournalFailed, WriterConflict):
            raise
        except JournalError:
            self.counts["refused by the house"] += 1

    def _table(self, stream: str) -> Table | None:
        """Return the table in play; open it again if it has failed."""
        if self.tables[stream] is None:
            self._guarded(lambda: self._open(stream))
        return self.tables[stream]

    def _open(self, stream: str) -> None:
        self.tables[stream] = self.opened(self.store, stream)
        self.store.rivals.discard(stream)

    def opened(self, store: Store, stream: str, left_at: int | None = None) -> Table:
        """Return a table as its journal has it, by the clause for a crash.

        `left_at` is the sequence at which another node handed it over.
        """
        game, is_virtual = FLOOR[stream]
        new = NewTable(DEALER, game, TERMS[1], (), is_virtual)
        table = Table(
            store,
            stream,
            clock=self.wall_clock,
            new=new,
            house=self.settings,
            entropy=self._entropy,
            salts=self._salts,
            snapshot_every=SNAPSHOT_EVERY,
            is_anonymous=lambda name: name in ANONYMOUS,
            left_at=left_at,
        )
        waits = table.state.is_interrupted
        is_left = left_at is not None and table.head.sequence == left_at
        demand(
            waits or is_virtual or is_left or not table.state.is_in_play,
            "a round found in play goes on as if nothing had happened",
        )
        self.counts["went on"] += is_left and table.state.is_in_play
        self.counts["openings"] += 1
        return table

    def _guarded(self, act: Callable[[], None]) -> None:
        """An act in which the disk may fail or the process die again."""
        before = self.store.injected.total()
        try:
            act()
        except JournalError as error:
            injected = self.store.injected.total() > before
            demand(injected, f"the journal failed by itself: {error}")
            self.counts["failures"] += 1
        except ProcessDied:
            self._guarded(self._die)

    def _die(self) -> None:
        """Everything in memory is gone; what was committed is still there."""
        self.counts["crashes"] += 1
        self.tables = dict.fromkeys(FLOOR)
        self._stale.clear()
        self.store.inner.close()
        self.store.inner = self._open_store()
        self.check(whole=self._sampling.is_one_in(4))
        for stream in FLOOR:
            self._table(stream)

    def _answer(self) -> None:
        for message in self.network.arrived("senders", 1_000):
            assert not isinstance(message.content, Submission)
            self._acknowledge(message.stream, message.content)

    def _acknowledge(self, stream: str, answer: Answer) -> None:
        is_new = self.recorder.note(stream, answer)
        for sender in self.senders:
            if sender.stream == stream:
                sender.waiting.pop(answer.command_id, None)
        if not is_new:
            return
        self._known.append((stream, answer.command_id))
        self._unchecked.append(self._known[-1])
        if isinstance(answer, Accepted):
            self._note_vouchers(answer)

    def _note_vouchers(self, answer: Accepted) -> None:
        """Codes that Players have in hand; a used one is mostly thrown away."""
        for event in answer.events:
            if isinstance(event, money.VoucherIssued):
                self.vouchers.append(event.code)
            if not isinstance(event, money.VoucherRedeemed | money.VoucherPaid):
                continue
            if not self.dice.is_one_in(9):
                self.vouchers.remove(event.code)

    def _note_commit(self, batch: StreamBatch) -> None:
        """What is committed is registered, whether its sender hears of it or not."""
        for stream, command_id, first, _ in batch.answers:
            key = (stream, command_id)
            demand(key not in self.committed, f"{key} was committed twice")
            self.committed[key] = first

    def check(self, *, whole: bool = False) -> None:
        """What must hold now; `whole` reads everything again from event 1."""
        store = self.store.inner
        heads = {head.stream: head for head in store.heads()}
        for stream, follower in self.followers.items():
            head = heads.get(stream)
            if head is None or head.sequence == 0:
                continue
            follower.follow(store, head)
            follower.check(store, self.tables.get(stream), head)
            if whole:
                follower.check_whole(store)
        check_house(store, self.followers.values())
        self._check_answers(store)
        self.counts["checks"] += 1

    def _check_answers(self, store: Store) -> None:
        """What was acknowledged is there, the new ones and some of the old."""
        keys, self._unchecked = self._unchecked, []
        if self._known:
            keys += [self._sampling.one(self._known) for _ in range(2)]
        self.recorder.check_stored(store, keys)

    def calm_down(self) -> None:
        """The disk and the network behave, and everybody gets their answer."""
        self.store.faults = NO_FAULTS
        self.network.reliable = True
        self._stale.clear()
        for sender in self.senders:
            sender.think = lambda _: None
        while any(each.waiting for each in self.senders) or not self.network.is_quiet():
            self.clock.pass_by(PATIENCE_MS)
            for sender in self.senders:
                self._let_act(sender)
            for stream in FLOOR:
                self._hand_over(stream)
            self._answer()

    def kinds(self) -> Counter[str]:
        """How often each kind of event has occurred."""
        kinds: Counter[str] = Counter()
        for each in self.followers.values():
            kinds.update(each.kinds)
        return kinds


def _check_together(submission: Submission, answer: Answer) -> None:
    """What is asked for together is taken whole, each part in its turn, or refused."""
    command = submission.command
    if isinstance(command, Together) and isinstance(answer, Accepted):
        asked = [part.wager_id for part in command.parts]
        taken = [getattr(event, "wager_id", None) for event in answer.events]
        demand(taken == asked, f"of {asked} only {taken} were taken")
