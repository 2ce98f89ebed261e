"""After a crash: open again, hold against what was answered, recover, play on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import verify
from croupier.rules import commands
from croupier.rules.bonus import draw_size
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as table_commands
from croupier.table.answers import Accepted
from croupier.table.replay import recover
from croupier.table.state import TableState
from croupier.table.table import Table
from tests.crash.child import (
    CLOCK_START_MS,
    ENDINGS,
    Job,
    open_tables,
)
from tests.crash.disk import Disk, QuickFile
from tests.crash.launcher import Ended
from tests.crash.scripts import (
    DEALER,
    SCRIPTS,
    SUPERVISOR,
    Script,
    resolved,
)
from tests.journal.stored import stored_answers
from tests.robustness.checker import Follower, check_finished, check_journal
from tests.robustness.recorder import Recorder
from tests.simulation.seeded import SeededEntropy, SimulatedClock

LATER_MS = CLOCK_START_MS + 60_000
STEPS_MOST = 20
Known = dict[str, frozenset[str]]
"""The commands in each journal that was looked at, by a digest over its rows."""


class Aftermath:
    """A journal that a dead process left behind, opened by its successor."""

    def __init__(self, store: SqliteStore, job: Job, ended: Ended) -> None:
        self.store = store
        self.script: Script = SCRIPTS[job.script]
        self.record = Recorder()
        for step in self.script.sent():
            answer = ended.answered.get(step.submission.command_id)
            if answer is not None:
                key = (step.table, answer.command_id)
                self.record.submitted[key] = resolved(step, ended.answered)
                self.record.note(step.table, answer)
        self._entropy = SeededEntropy(f"after {job.seed}")
        self._clock = SimulatedClock(LATER_MS, tick_ms=7)
        self.tables: dict[str, Table] = {}
        self._own_acts = 0

    def open(self) -> None:
        """Open the tables; a round in the middle of play waits for staff."""
        written = [head.stream for head in self.store.heads() if head.sequence]
        left = {each: recover(self.store, each, DEFAULT_HOUSE) for each in written}
        self.tables = open_tables(self.store, self.script, self._entropy, self._clock)
        for name, before in left.items():
            waits = self.tables[name].state.is_interrupted
            by_itself = self.script.virtual_wheel
            assert waits == (before.state.is_in_play and not by_itself), (name, waits)

    def check_states(self) -> None:
        """Check that a table's state is what its events make, and its snapshot too."""
        for name, table in self.tables.items():
            follower = Follower(name, DEFAULT_HOUSE)
            follower.follow(self.store)
            follower.check(self.store, table)
            follower.check_whole(self.store)

    def send_all(self) -> None:
        """The whole script once more, as senders do who heard no answer."""
        for step in self.script.sent():
            answers = {name: each for (_, name), each in self.record.answered.items()}
            [answer] = self.tables[step.table].handle([resolved(step, answers)])
            self.record.note(step.table, answer)

    def recover(self) -> None:
        """Staff say what the ball did, and the document's clause is applied."""
        for name, table in self.tables.items():
            if not table.state.is_interrupted:
                continue
            at_rest = table.state.series.current.facts.at_rest
            self.act(name, table_commands.StateBall(at_rest), DEALER)
            self.act(name, table_commands.ConfirmBall(), SUPERVISOR)
            assert not table.state.is_interrupted

    def finish(self) -> None:
        """Every round that has begun is played to its end."""
        for name, table in self.tables.items():
            for _ in range(STEPS_MOST):
                state = table.state
                if state.series.last == 0 or state.is_between_rounds:
                    break
                self.act(name, *_next_act(state))
            assert not table.state.is_in_play, name

    def act(
        self, name: str, command: table_commands.AnyCommand, *people: Person
    ) -> Accepted:
        self._own_acts += 1
        submission = table_commands.Submission(
            f"after:{self._own_acts}", people, command
        )
        [answer] = self.tables[name].handle([submission])
        assert isinstance(answer, Accepted), answer
        return answer


def _next_act(state: TableState) -> tuple[table_commands.AnyCommand, Person]:
    """What brings the current round nearer to its end, and who does it."""
    game, current = state.series.game, state.series.current
    boss = Person("Boss", game.operator.ladder[-1])
    spun, at_rest = current.facts.spun, current.facts.at_rest
    draws = draw_size(game) and current.facts.bonus_numbers is None
    match current.phase:
        case Phase.HELD:
            return commands.DecideVoid(), boss
        case Phase.BETTING:
            return (commands.NoMoreBets() if spun else commands.SpinBall()), DEALER
        case Phase.CLOSED if draws:
            return table_commands.DrawNow(), Person("RNG", Role.RNG)
        case Phase.CLOSED if not spun:
            return commands.SpinBall(), DEALER
        case Phase.CLOSED if state.virtual_wheel and at_rest is None:
            return table_commands.SpinVirtualWheel(), DEALER
        case Phase.CLOSED:
            return commands.AnnounceOutcome(at_rest or Number("17")), DEALER
        case Phase.DECIDED if current.unclear:
            return commands.RuleOnWager(
                min(current.unclear), commands.ReturnIt()
            ), SUPERVISOR
    return commands.Settle(), DEALER


@contextmanager
def reopened(job: Job, ended: Ended) -> Iterator[Aftermath]:
    """Open the journal again; no process dies any more, so nothing is synced."""
    disk = Disk("aftermath", QuickFile)
    with SqliteStore(job.path, vfs="aftermath") as store:
        yield Aftermath(store, job, ended)
    disk.unregister()


class Found(NamedTuple):
    """What a crash has left."""

    unheard: int
    """Commands that were registered without an answer."""
    rows: str
    """A digest over every row, and over what was answered."""


def check_aftermath(job: Job, ended: Ended, known: Known | None = None) -> Found:
    """All that must hold after a crash, one after the other.

    Most deaths in a command leave the same rows and answers: of them the same is found,
    and their successor does the same, once for all that have the same `known`.
    """
    known = {} if known is None else known
    with reopened(job, ended) as after:
        rows = _left_behind(after.store, ended)
        if rows not in known:
            known[rows] = _check_left(after)
            _check_successor(after)
    _leave_nothing(job)
    unsent = known[rows] - set(ended.sent)
    assert not unsent, f"{unsent} are there, and were never sent"
    return Found(len(known[rows]) - len(ended.answered), rows)


def _left_behind(store: SqliteStore, ended: Ended) -> str:
    """A digest over every row of every table, and over what was answered."""
    run = store._connection.execute
    tables = run("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    digest = sha256(repr(sorted(ended.answered.items())).encode())
    for name, sql in sorted(tables):
        digest.update(f"{name} {sql}".encode())
        for row in run(f'SELECT * FROM "{name}"'):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def _check_successor(after: Aftermath) -> None:
    """Who opens the journal next answers as before, and plays to the end."""
    after.open()
    after.check_states()
    for table in after.tables.values():
        after.record.check_again(table)
    after.recover()
    after.send_all()
    heads = after.store.heads()
    after.send_all()
    assert after.store.heads() == heads, "a command had two effects"
    after.finish()
    after.check_states()
    check_journal(after.store)
    check_finished(after.store)
    report = verify(after.store)
    assert report.is_clean, report.findings


def _check_left(after: Aftermath) -> frozenset[str]:
    """What was answered is there as it was answered; the commands that are there."""
    check_journal(after.store)
    after.record.check_stored(after.store)
    return frozenset(
        answer.command_id
        for head in after.store.heads()
        for answer in stored_answers(after.store, head.stream)
        if not answer.command_id.startswith("table:")
    )


def _leave_nothing(job: Job) -> None:
    for ending in ENDINGS:
        Path(job.path + ending).unlink(missing_ok=True)
