"""After a crash: open again, hold against what was answered, recover, play on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, cast

from croupier.chance import bonus_count
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import HeadRow
from croupier.journal.verification import verify
from croupier.ledger.accounts import Account
from croupier.rules import commands as do
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.answers import Accepted, Answer, stored_answer
from croupier.table.replay import recover
from croupier.table.state import TableState
from croupier.table.table import Table
from tests.crash.checks import check_finished, check_journal
from tests.crash.child import (
    CLOCK_START_MS,
    ENDINGS,
    Job,
    SeededEntropy,
    digest_of,
    open_tables,
)
from tests.crash.disk import Disk, QuickFile
from tests.crash.launcher import Ended
from tests.crash.scripts import (
    DEALER,
    SCRIPTS,
    SUPERVISOR,
    Script,
    Step,
    resolved,
)
from tests.journal.stored import stored_answers

LATER_MS = CLOCK_START_MS + 60_000
STEPS_MOST = 20
Known = dict[str, frozenset[str]]
"""The commands in each journal that was looked at, by a digest over its rows."""


class Aftermath:
    """A journal that a dead process left behind, opened by its successor."""

    def __init__(self, store: SqliteStore, job: Job) -> None:
        self.store = store
        self.script: Script = SCRIPTS[job.script]
        self._entropy = SeededEntropy(f"after {job.seed}")
        self._clock = count(LATER_MS, 7).__next__
        self.tables: dict[str, Table] = {}
        self._own_acts = 0

    def open(self) -> None:
        """Open the tables; a round in the middle of play waits for staff."""
        in_play = {
            head.stream: self._stored(head.stream).is_in_play
            for head in self.store.heads()
            if head.sequence
        }
        self.tables = open_tables(self.store, self.script, self._entropy, self._clock)
        for name, was_in_play in in_play.items():
            waits = self.tables[name].state.interruption is not None
            by_itself = self.script.virtual_wheel
            assert waits == (was_in_play and not by_itself), (name, waits)

    def _stored(self, stream: str) -> TableState:
        return recover(self.store, stream, DEFAULT_HOUSE).state

    def check_states(self) -> None:
        """A table's state is what its events make, from the first or a snapshot."""
        for name, table in self.tables.items():
            whole = cast("Store", _WithoutSnapshots(self.store))
            from_first = recover(whole, name, DEFAULT_HOUSE).state
            assert essence(from_first) == essence(self._stored(name)), name
            assert essence(from_first) == essence(table.state), name

    def send_all(self) -> dict[str, str]:
        """The whole script once more, as senders do who heard no answer."""
        answers: dict[str, Answer] = {}
        for step in self.script.sent():
            answer = self._send(step, answers)
            answers[answer.command_id] = answer
        return {command_id: digest_of(answer) for command_id, answer in answers.items()}

    def _send(self, step: Step, answers: dict[str, Answer]) -> Answer:
        [answer] = self.tables[step.table].handle([resolved(step, answers)])
        return answer

    def heads(self) -> list[HeadRow]:
        return self.store.heads()

    def check_answered(self, answered: dict[str, str]) -> None:
        """Sent again, what was answered gets its first answer and changes nothing."""
        heads = self.heads()
        answers: dict[str, Answer] = {}
        for step in self.script.sent():
            if step.submission.command_id in answered:
                answer = self._send(step, answers)
                answers[answer.command_id] = answer
                expected = answered[answer.command_id]
                assert digest_of(answer) == expected, f"another answer: {answer}"
        assert self.heads() == heads, "a command sent again was written again"

    def recover(self) -> None:
        """Staff say what the ball did, and the document's clause is applied."""
        for name, table in self.tables.items():
            if table.state.interruption is None:
                continue
            at_rest = table.state.series.current.facts.at_rest
            self.act(name, ask.StateBall(at_rest), DEALER)
            self.act(name, ask.ConfirmBall(), SUPERVISOR)
            assert table.state.interruption is None

    def finish(self) -> None:
        """Every round that has begun is played to its end."""
        for name, table in self.tables.items():
            for _ in range(STEPS_MOST):
                state = table.state
                if state.series.last == 0 or state.is_between_rounds:
                    break
                self.act(name, *_next_act(state))
            assert not table.state.is_in_play, name

    def act(self, name: str, command: ask.AnyCommand, *people: Person) -> Accepted:
        self._own_acts += 1
        submission = ask.Submission(f"after:{self._own_acts}", people, command)
        [answer] = self.tables[name].handle([submission])
        assert isinstance(answer, Accepted), answer
        return answer


def _next_act(state: TableState) -> tuple[ask.AnyCommand, Person]:
    """What brings the current round nearer to its end, and who does it."""
    game, current = state.series.game, state.series.current
    boss = Person("Boss", game.operator.ladder[-1])
    spun, at_rest = current.facts.spun, current.facts.at_rest
    draws = bonus_count(game) and current.facts.bonus_numbers is None
    match current.phase:
        case Phase.HELD:
            return do.DecideVoid(), boss
        case Phase.BETTING:
            return (do.NoMoreBets() if spun else do.SpinBall()), DEALER
        case Phase.CLOSED if draws:
            return ask.DrawNow(), Person("RNG", Role.RNG)
        case Phase.CLOSED if not spun:
            return do.SpinBall(), DEALER
        case Phase.CLOSED if state.virtual_wheel and at_rest is None:
            return ask.SpinVirtualWheel(), DEALER
        case Phase.CLOSED:
            return do.AnnounceOutcome(at_rest or Number("17")), DEALER
        case Phase.DECIDED if current.unclear:
            return do.RuleOnWager(min(current.unclear), do.ReturnIt()), SUPERVISOR
    return do.Settle(), DEALER


class _WithoutSnapshots:
    """A store that has none, so that all is replayed; balances are added up anew."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def snapshot(self, stream: str) -> None:
        return None

    def balances(self, stream: str) -> dict[Account, int]:
        totals: dict[Account, int] = {}
        for _, _, (account, cents) in self._store.entries(stream):
            totals[account] = totals.get(account, 0) + cents
        return totals


def essence(state: TableState) -> tuple[object, ...]:
    """All of a state but the past rounds that happen to be in memory."""
    series = state.series
    return (
        series.limits,
        series.settings,
        series.last,
        dict(series.stood),
        dict(series.colours),
        series.current if series.last else None,
        state.is_open,
        state.virtual_wheel,
        state.interruption,
        dict(state.meters),
        dict(state.balances.items()),
    )


@contextmanager
def reopened(job: Job) -> Iterator[Aftermath]:
    """Nobody dies from here on, so that nothing needs to be synced."""
    disk = Disk("aftermath", QuickFile)
    with SqliteStore(job.path, vfs="aftermath") as store:
        yield Aftermath(store, job)
    disk.unregister()


class Found(NamedTuple):
    """What a crash has left."""

    unheard: int
    """Commands registered though nobody had heard of it."""
    rows: str
    """A digest over every row, and over what was answered."""


def check_aftermath(job: Job, ended: Ended, known: Known | None = None) -> Found:
    """All that must hold after a crash, one after the other.

    Most deaths in a command leave the same rows and answers: of them the same is found,
    and their successor does the same, once for all that have the same `known`.
    """
    known = {} if known is None else known
    with reopened(job) as after:
        rows = _left_behind(after.store, ended)
        if rows not in known:
            known[rows] = _check_left(after, ended)
            _check_successor(after, ended)
    _leave_nothing(job)
    unsent = known[rows] - set(ended.sent)
    assert not unsent, f"{unsent} are there, and nobody sent them"
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


def _check_successor(after: Aftermath, ended: Ended) -> None:
    """Who opens the journal next answers as before, and plays to the end."""
    after.open()
    after.check_states()
    after.check_answered(ended.answered)
    after.recover()
    first = after.send_all()
    heads = after.heads()
    assert after.send_all() == first, "a command was answered in two ways"
    assert after.heads() == heads, "a command had two effects"
    assert ended.answered.items() <= first.items()
    after.finish()
    after.check_states()
    check_journal(after.store)
    check_finished(after.store)
    report = verify(after.store)
    assert report.is_clean, report.findings


def _check_left(after: Aftermath, ended: Ended) -> frozenset[str]:
    """What was answered is there as it was answered; the commands that are there."""
    check_journal(after.store)
    there = {
        answer.command_id: head.stream
        for head in after.heads()
        for answer in stored_answers(after.store, head.stream)
        if not answer.command_id.startswith("table:")
    }
    lost = set(ended.answered) - set(there)
    assert not lost, f"answered and lost: {sorted(lost)}"
    for command_id, expected in ended.answered.items():
        answer = stored_answer(after.store, there[command_id], command_id)
        assert answer is not None
        assert digest_of(answer) == expected, f"another answer: {answer}"
    return frozenset(there)


def _leave_nothing(job: Job) -> None:
    for ending in ENDINGS:
        Path(job.path + ending).unlink(missing_ok=True)
