"""Two processes on one table: exactly one may write it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from croupier.journal.store import WriterConflict
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger.commands import BuyIn, IssueVoucher, RedeemVoucher
from croupier.table import commands as table_commands
from croupier.table.answers import Accepted
from croupier.table.table import Table
from tests.crash.campaign import stored_commands
from tests.crash.child import Job
from tests.crash.launcher import Ended, Launcher
from tests.crash.scripts import DEALER, SCRIPTS
from tests.robustness.checker import check_journal
from tests.simulation.seeded import SimulatedClock
from tests.waiting import wait_for

SCRIPT = "triple-zero"
BEFORE = 10


def test_a_superseded_writer_writes_no_more(
    tmp_path: Path, launcher: Launcher, second_launcher: Launcher
) -> None:
    path = tmp_path / "journal"
    old = Job(str(path), SCRIPT, prefix="old-", seed=1, pause_after=BEFORE)
    launcher.start(old)
    wait_for((tmp_path / "journal.waiting").exists)
    winner = second_launcher.run(Job(str(path), SCRIPT, prefix="new-", seed=2))
    (tmp_path / "journal.go").touch()
    loser = launcher.finish()

    assert loser.last("failed") == "WriterConflict"
    assert loser.last("went on") is None
    assert len(loser.answered) == BEFORE
    assert stored_commands(old.path, "old-") == set(loser.answered)
    assert winner.last("failed") is None
    assert stored_commands(old.path, "new-") == set(winner.answered)
    assert len(winner.answered) == len(SCRIPTS[SCRIPT].sent())


def test_of_two_racing_writers_one_wins_and_the_other_is_refused(
    tmp_path: Path, launcher: Launcher, second_launcher: Launcher
) -> None:
    conflicts = 0
    for number in range(8):
        job = Job(str(tmp_path / f"journal{number}"), SCRIPT, prefix="a-", seed=1)
        launcher.start(job)
        second_launcher.start(replace(job, prefix="b-", seed=2))
        ends = [launcher.finish(), second_launcher.finish()]

        conflicts += sum(check_race(job, ended) for ended in ends)

    assert conflicts > 0


def check_race(job: Job, ended: Ended) -> bool:
    """All that was answered is there, and nothing else of the same sender."""
    told = ended.last("failed")
    prefix = next(iter(ended.sent), "none-").partition("-")[0] + "-"
    assert told in {None, "WriterConflict"}, ended.last("reason")
    assert stored_commands(job.path, prefix) == set(ended.answered)
    return told is not None


def test_a_voucher_claimed_by_a_superseded_writer_can_still_be_redeemed(
    tmp_path: Path,
) -> None:
    clock = SimulatedClock(tick_ms=1)
    new = SCRIPTS["v2"].new_table()
    with SqliteStore(tmp_path / "journal") as store:
        old = Table(store, "main", clock=clock, new=new)
        old.handle([table_commands.Submission("c1", (DEALER,), BuyIn("Anna", 900))])
        old.handle(
            [table_commands.Submission("c2", (DEALER,), IssueVoucher("Anna", 500))]
        )
        [voucher] = store.vouchers()
        redeem = RedeemVoucher("Anna", voucher.code)
        follower = Table(store, "main", clock=clock)
        with pytest.raises(WriterConflict):
            old.handle([table_commands.Submission("old", (DEALER,), redeem)])

        [answer] = follower.handle(
            [table_commands.Submission("new", (DEALER,), redeem)]
        )

        check_journal(store)
    assert isinstance(answer, Accepted)
