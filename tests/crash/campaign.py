"""Which deaths to die: every point of a script, or one of each; and their count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from croupier.journal.stores.sqlite import SqliteStore
from tests.crash.aftermath import Found, Known, check_aftermath
from tests.crash.child import Job, kept_path
from tests.crash.launcher import KILLED, Ended, Launcher
from tests.crash.scripts import SCRIPTS
from tests.journal.stored import stored_answers
from tests.robustness.checker import check_journal

AROUND = ("opening", "reopening", "closing")
"""What a process does besides commands."""
SAME_AS_NEIGHBOUR = {"wal: before a write", "wal: before a sync", "wal: after a sync"}


class Point(NamedTuple):
    """A place where a process can die: the nth of its script."""

    at: int
    during: tuple[str, ...]
    name: str


@dataclass(slots=True)
class Tally:
    """What was done and what became of it."""

    kills: int = 0
    unheard: int = 0
    """Deaths that left a command registered and its sender without an answer."""
    reached: Counter[str] = field(default_factory=Counter)

    def died(self, name: str, unheard: int) -> None:
        self.kills += 1
        self.unheard += unheard > 0
        self.reached[name] += 1

    def add(self, other: Tally) -> None:
        self.kills += other.kills
        self.unheard += other.unheard
        self.reached += other.reached

    def __str__(self) -> str:
        return (
            f"{self.kills} deaths at {len(self.reached)} kinds of point,"
            f" {self.unheard} with a command registered but not answered"
        )


def kill_points(launcher: Launcher, folder: Path, script: str) -> list[Point]:
    """Every point that a run without trouble passes, in order."""
    job = Job(str(folder / f"{script}-dry"), script, trouble="kill")
    ended = launcher.run(job)
    assert ended.status == 0
    check_aftermath(job, ended)
    passed = ended.last("points")
    return [
        Point(at, tuple(during), name)
        for at, (during, name) in enumerate(passed, start=1)
    ]


def kinds_by_script() -> dict[str, set[str]]:
    """Each kind of command given to one of the scripts that have it, evenly."""
    given: dict[str, set[str]] = {name: set() for name in SCRIPTS}
    having: dict[str, list[str]] = {}
    for name, script in SCRIPTS.items():
        for step in script.sent():
            kind = type(step.submission.command).__name__
            having.setdefault(kind, []).append(name)
    for kind, names in sorted(having.items(), key=lambda item: len(set(item[1]))):
        given[min(names, key=lambda name: len(given[name]))].add(kind)
    given["triple-zero"].add("opening")
    given["virtual"] |= {"reopening", "closing"}
    return given


def one_of_each(points: Iterable[Point], kinds: set[str]) -> list[Point]:
    """The first point of each name in each of those kinds of command.

    A point with nothing between it and its neighbour is left out: after a statement is
    before the next one, and the first write of a commit is right after its beginning.
    """
    first: dict[tuple[str, str], Point] = {}
    for point in points:
        name = point.name
        if name in SAME_AS_NEIGHBOUR or name.startswith("statement: after"):
            continue
        for kind in kinds.intersection(point.during):
            first.setdefault((kind, name), point)
    return sorted(set(first.values()))


def kill(launcher: Launcher, job: Job, known: Known | None = None) -> Found:
    """One death by SIGKILL and what is found afterwards."""
    ended = launcher.run(job)
    assert ended.status == KILLED, f"{job} survived"
    return _checked(job, ended, known)


def _checked(job: Job, ended: Ended, known: Known | None = None) -> Found:
    try:
        return check_aftermath(job, ended, known)
    except AssertionError as error:
        error.add_note(f"after {job}")
        raise


def kill_at(
    launcher: Launcher, folder: Path, script: str, points: Iterable[Point]
) -> Tally:
    tally, known = Tally(), Known()
    for point in points:
        job = Job(str(folder / "journal"), script, trouble="kill", at=point.at)
        tally.died(point.name, kill(launcher, job, known).unheard)
    return tally


def kill_at_all(
    launcher: Launcher, folder: Path, script: str, points: list[Point]
) -> Tally:
    """As `kill_at`, in one run of the script and one death at each name of a point.

    A killed process leaves its files as others see them at that moment. So one that
    lives on keeps a copy of them at every point, and is as good as dead there: those
    which do die show that they leave the same.
    """
    tally, known = Tally(), Known()
    path, kept = str(folder / "journal"), tuple(point.at for point in points)
    lived = launcher.run(Job(path, script, trouble="kill", kept=kept))
    assert lived.status == 0
    first: dict[str, tuple[Point, Found]] = {}
    for point in points:
        job = Job(kept_path(path, point.at), script, trouble="kill", at=point.at)
        found = _checked(job, lived.until(point.at), known)
        tally.died(point.name, found.unheard)
        first.setdefault(point.name, (point, found))
    for point, found in first.values():
        job = Job(str(folder / "dead"), script, trouble="kill", at=point.at)
        assert kill(launcher, job, known) == found, point
    return tally


def operations(launcher: Launcher, folder: Path, job: Job) -> int:
    """How many writes, syncs and truncations the script makes on such a disk."""
    dry = replace(job, path=str(folder / "operations"), at=0)
    ended = launcher.run(dry)
    assert ended.status == 0
    check_aftermath(dry, ended)
    count = ended.last("operations")
    assert isinstance(count, int)
    return count


def fail(launcher: Launcher, job: Job) -> bool:
    """One failing disk; whether the process noticed, and stopped as it must."""
    ended = launcher.run(job)
    assert ended.status == 0, f"{job}: {ended.told[-1:]}"
    assert ended.last("went on") is None, f"{job}: a failed table took a command"
    noticed = ended.last("failed")
    everything = {step.submission.command_id for step in SCRIPTS[job.script].sent()}
    if noticed is None:
        # A failed checkpoint costs nothing: what it would have moved is in the WAL.
        assert set(ended.answered) == everything, f"{job}: stopped without a word"
    _checked(job, ended)
    return noticed is not None


def stored_commands(path: str, prefix: str = "") -> set[str]:
    """The ids of the commands that a journal has answers to."""
    with SqliteStore(path) as store:
        check_journal(store)
        return {
            answer.command_id
            for head in store.heads()
            for answer in stored_answers(store, head.stream)
            if answer.command_id.startswith(prefix)
        }
