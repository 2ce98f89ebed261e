"""A disk that takes its time: many senders share one commit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from croupier.journal.group_writer import GroupWriter
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import commands as ask
from croupier.table.actor import TableActor
from croupier.table.answers import Accepted, Answer
from croupier.table.table import NewTable, Table
from tests.crash.checks import check_journal
from tests.crash.disk import Disk, SlowFile
from tests.crash.scripts import DEALER, LIMITS
from tests.journal.stored import stored_answers

SENDERS = 40
SECONDS = 0.02
TABLES = ("one", "two", "three")


@pytest.fixture
def slow_disk() -> Iterator[str]:
    disk = Disk("slow", lambda path, flags: SlowFile(path, flags, SECONDS))
    yield "slow"
    disk.unregister()


def test_senders_who_wait_for_a_slow_disk_share_its_commits(
    slow_disk: str, tmp_path: Path
) -> None:
    clock = count(1_700_000_000_000).__next__
    new = NewTable(DEALER, "mbs-roulette-v3", LIMITS)
    with SqliteStore(tmp_path / "journal", vfs=slow_disk) as store:
        writer = GroupWriter(store)
        actors = [
            TableActor(Table(store, name, clock=clock, new=new, append=writer.append))
            for name in TABLES
        ]
        before = SlowFile.syncs

        answers = sent_at_once(actors)

        syncs = SlowFile.syncs - before
        for actor in actors:
            actor.close()
        writer.close()
        check_journal(store)
        kept = sum(1 for name in TABLES for _ in stored_answers(store, name))
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert len(answers) == SENDERS * len(TABLES)
    assert kept == len(answers) + len(TABLES)
    assert syncs < len(answers) // 4, f"{len(answers)} commands took {syncs} syncs"


def sent_at_once(actors: list[TableActor]) -> list[Answer]:
    """Each sender a thread of its own, all begun before any is answered."""
    answers: list[Answer] = []
    begin = threading.Barrier(SENDERS * len(actors))

    def send(actor: TableActor, number: int) -> None:
        submission = ask.Submission(
            f"c{number}", (DEALER,), ask.BuyIn(f"Player {number}", 100 + number)
        )
        begin.wait()
        answers.append(actor.submit(submission).result(timeout=30))

    threads = [
        threading.Thread(target=send, args=(actor, number))
        for actor in actors
        for number in range(SENDERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_no_more_bets_is_heard_after_the_answers_to_all_earlier_wagers(
    slow_disk: str, tmp_path: Path
) -> None:
    heard: list[str] = []
    clock = count(1_700_000_000_000).__next__
    new = NewTable(DEALER, "rws-triple-zero", LIMITS)
    anna = Person("Anna", Role.PLAYER)

    with SqliteStore(tmp_path / "journal", vfs=slow_disk) as store:
        table = Table(store, "one", clock=clock, new=new)
        actor = TableActor(
            table,
            lambda answers: heard.extend(f"told {each.command_id}" for each in answers),
        )
        acts: list[tuple[Person, ask.AnyCommand]] = [
            (DEALER, ask.BuyIn("Anna", 100_000)),
            (DEALER, do.PlaceYourBets()),
            *((anna, placed(number)) for number in range(SENDERS)),
            (DEALER, do.SpinBall()),
            (DEALER, do.NoMoreBets()),
        ]
        promised = []
        for number, (person, command) in enumerate(acts):
            future = actor.submit(ask.Submission(f"c{number}", (person,), command))
            future.add_done_callback(partial(_note, heard, f"answered c{number}"))
            promised.append(future)
        assert all(isinstance(each.result(30), Accepted) for each in promised)
        actor.close()

    broadcast = heard.index(f"told c{len(acts) - 1}")
    answers = [heard.index(f"answered c{number}") for number in range(len(acts))]
    assert max(answers) < broadcast


def _note(heard: list[str], name: str, _: Future[Answer]) -> None:
    heard.append(name)


def placed(number: int) -> do.PlaceWager:
    return do.PlaceWager(
        f"w{number}", "Anna", read_wager("17"), 100, electronic=True, terminal="T1"
    )
