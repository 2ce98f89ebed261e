"""Disk full and I/O errors at any write, sync or truncation."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import apsw
import pytest

from croupier.journal.store import JournalFailed
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger.commands import BuyIn, IssueVoucher, RedeemVoucher
from croupier.table import commands as table_commands
from croupier.table.answers import Accepted
from croupier.table.table import Table
from tests.crash.campaign import fail, operations
from tests.crash.child import Job
from tests.crash.disk import Disk, FailingFile, Faults
from tests.crash.launcher import Launcher
from tests.crash.scripts import DEALER, SCRIPTS
from tests.robustness.checker import check_journal
from tests.simulation.seeded import SimulatedClock

SEED = 20_261_108
EACH = 4


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_failing_disk_is_reported_and_loses_no_answered_command(
    script: str, tmp_path: Path, launcher: Launcher
) -> None:
    random = Random(f"{SEED} {script}")
    noticed = 0
    job = Job(str(tmp_path / "journal"), script, trouble="fail")
    places = range(1, operations(launcher, tmp_path, job) + 1)

    for error, lasting in product(("full", "io"), (False, True)):
        for at in random.sample(places, EACH):
            bad = replace(job, at=at, error=error, lasting=lasting)
            noticed += fail(launcher, bad)

    assert noticed > 0


def test_a_table_that_could_not_claim_a_voucher_takes_no_more(tmp_path: Path) -> None:
    """The claim is a commit of its own, before that of the redemption."""
    faults = Faults(0, apsw.FullError, lasting=False)
    disk = Disk("claim", lambda path, flags: FailingFile(path, flags, faults))
    clock = SimulatedClock(tick_ms=1)
    with SqliteStore(tmp_path / "journal", vfs="claim") as store:
        table = Table(store, "main", clock=clock, new=SCRIPTS["v2"].new_table())
        buy_in, issue = BuyIn("Anna", 900), IssueVoucher("Anna", 500)
        table.handle([table_commands.Submission("c1", (DEALER,), buy_in)])
        [issued] = table.handle([table_commands.Submission("c2", (DEALER,), issue)])
        assert isinstance(issued, Accepted)
        [voucher] = store.vouchers()
        redeem = RedeemVoucher("Anna", voucher.code)
        faults.fail_next()

        with pytest.raises(JournalFailed):
            table.handle([table_commands.Submission("c3", (DEALER,), redeem)])
        with pytest.raises(JournalFailed):
            table.handle([table_commands.Submission("c4", (DEALER,), buy_in)])

        check_journal(store)
    disk.unregister()
