"""The process that dies: it plays a script and tells each answer it has given."""

from __future__ import annotations

import base64
import pickle
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import apsw

from croupier.journal.store import JournalError
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger.commands import BuyIn
from croupier.table import commands as table_commands
from croupier.table.answers import Answer
from croupier.table.table import Table
from tests.crash.disk import (
    Cache,
    Disk,
    FailingFile,
    Faults,
    KillingFile,
    LosingDisk,
    Points,
)
from tests.crash.scripts import (
    DEALER,
    MAIN,
    SCRIPTS,
    SECOND,
    Reopen,
    Script,
    Step,
    resolved,
)
from tests.simulation.seeded import SeededEntropy, SimulatedClock

Tell = Callable[[dict[str, Any]], None]
CLOCK_START_MS = 1_700_000_000_000
ERRORS: dict[str, type[apsw.Error]] = {"full": apsw.FullError, "io": apsw.IOError}
ENDINGS = ("", "-journal", "-wal", "-shm")
_VFS = "crash"


@dataclass(frozen=True, slots=True)
class Job:
    """A script to play on a file, and what goes wrong meanwhile."""

    path: str
    script: str
    trouble: str = "none"
    """none, kill, cut or fail."""
    at: int = 0
    """At which point or operation, from 1; 0: nowhere, only count."""
    kept: tuple[int, ...] = ()
    """At which points to copy the files, as a death there would leave them."""
    keep: str = "nothing"
    """What a power cut keeps of unsynced writes: nothing or some."""
    error: str = "io"
    lasting: bool = False
    synchronous: str = "FULL"
    seed: int = 0
    prefix: str = ""
    """Before each command id, so that two processes send different commands."""
    pause_after: int = 0
    """The number of answers before it waits for another process."""


def kept_path(path: str, at: int) -> str:
    """The path of the journal as it was at a point."""
    return f"{path}-at-{at}"


def copy_files(path: str, target: str) -> None:
    """The file of a journal and those beside it, as other processes see them."""
    for ending in ENDINGS:
        with suppress(FileNotFoundError):
            shutil.copyfile(path + ending, target + ending)


def open_tables(
    store: SqliteStore, script: Script, entropy: SeededEntropy, clock: Callable[[], int]
) -> dict[str, Table]:
    return {
        name: Table(
            store,
            name,
            clock=clock,
            new=script.new_table(),
            entropy=entropy,
            salts=SeededEntropy("salts"),
            snapshot_every=script.snapshot_every,
        )
        for name in (MAIN, SECOND)
    }


def play(job: Job, tell: Tell) -> None:
    """To the script's end, to the death, or until the journal fails."""

    def keep(at: int) -> None:
        copy_files(job.path, kept_path(job.path, at))
        tell({"kept": at})

    points = Points(job.at if job.trouble == "kill" else 0, job.kept, keep)
    cache = Cache(job.at, job.keep, Random(job.seed))
    faults = Faults(job.at, ERRORS[job.error], lasting=job.lasting)
    disk = _disk(job, points, cache, faults)
    player = _Player(job, points, tell)
    try:
        player.play()
    except JournalError as error:
        tell({"failed": type(error).__name__, "reason": str(error)})
        player.try_once_more()
    tell({"operations": cache.count + faults.count, "points": points.passed})
    del disk


def _disk(job: Job, points: Points, cache: Cache, faults: Faults) -> apsw.VFS:
    match job.trouble:
        case "cut":
            return LosingDisk(_VFS, cache)
        case "fail":
            return Disk(_VFS, lambda path, flags: FailingFile(path, flags, faults))
    return Disk(_VFS, lambda path, flags: KillingFile(path, flags, points))


class _Player:
    def __init__(self, job: Job, points: Points, tell: Tell) -> None:
        self._job, self._points, self._tell = job, points, tell
        self._script = SCRIPTS[job.script]
        # The same draws in each run: a script makes as many writes as its dry run.
        self._entropy = SeededEntropy("draws")
        self._clock = SimulatedClock(CLOCK_START_MS, tick_ms=7)
        self._store: SqliteStore | None = None
        self._tables: dict[str, Table] = {}
        self._in_use: Table | None = None
        self._answers: dict[str, Answer] = {}

    def play(self) -> None:
        apsw.connection_hooks.append(self._watch)
        self._open()
        for batch in self._script.batches():
            if isinstance(batch, Reopen):
                self._points.during = ("reopening",)
                self._close()
                self._open()
            else:
                self._send(batch)
                self._pause()
        self._points.during = ("closing",)
        self._close()

    def try_once_more(self) -> None:
        """The table whose journal failed takes nothing more."""
        if self._in_use is None:
            return
        buy_in = table_commands.Submission("once more", (DEALER,), BuyIn("Cara", 77))
        try:
            self._in_use.handle([buy_in])
        except JournalError:
            return
        self._tell({"went on": self._in_use.stream})

    def _open(self) -> None:
        self._store = store = SqliteStore(self._job.path, vfs=_VFS)
        store._connection.wal_autocheckpoint(self._script.checkpoint_pages)
        if self._job.synchronous != "FULL":
            store._connection.execute(f"PRAGMA synchronous={self._job.synchronous}")
        self._tables = open_tables(store, self._script, self._entropy, self._clock)

    def _close(self) -> None:
        assert self._store is not None
        self._in_use = None
        # SQLite forgives a checkpoint that fails at the close; apsw tells of it.
        with suppress(*ERRORS.values()):
            self._store.close()

    def _send(self, batch: list[Step]) -> None:
        submissions = [self._named(resolved(step, self._answers)) for step in batch]
        self._points.during = tuple(type(s.command).__name__ for s in submissions)
        for submission in submissions:
            self._tell({"sent": submission.command_id})
        self._in_use = self._tables[batch[0].table]
        answers = self._in_use.handle(submissions)
        for answer in answers:
            self._points.passing("answer: before it is given")
            self._answers[answer.command_id] = answer
            told = base64.b64encode(pickle.dumps(answer)).decode()
            self._tell({"answered": answer.command_id, "answer": told})
            self._points.passing("answer: after it is given")

    def _named(
        self, submission: table_commands.Submission
    ) -> table_commands.Submission:
        command_id = self._job.prefix + submission.command_id
        return table_commands.Submission(
            command_id, submission.people, submission.command
        )

    def _pause(self) -> None:
        if self._job.pause_after and len(self._answers) >= self._job.pause_after:
            Path(f"{self._job.path}.waiting").touch()
            while not Path(f"{self._job.path}.go").exists():
                time.sleep(0.005)

    def _watch(self, connection: apsw.Connection) -> None:
        """A point before and after every statement, and one in each commit.

        The journal is made with the script's checkpoints, too; the store sets its own.
        """
        connection.wal_autocheckpoint(self._script.checkpoint_pages)
        if self._job.trouble not in {"none", "kill"}:
            return
        both = apsw.SQLITE_TRACE_STMT | apsw.SQLITE_TRACE_PROFILE
        connection.trace_v2(both, self._statement)
        connection.set_commit_hook(self._committing)

    def _statement(self, event: dict[str, Any]) -> None:
        when = "before" if event["code"] == apsw.SQLITE_TRACE_STMT else "after"
        words = " ".join(event["sql"].split()[:3])
        self._points.passing(f"statement: {when} {words}")

    def _committing(self) -> bool:
        self._points.passing("commit: before it is written")
        return False
