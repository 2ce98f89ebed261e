"""After a failure a table reads its journal by itself, and goes on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, sleep

import pytest

from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.journal.tables import StreamBatch
from croupier.ledger.accounts import seat
from croupier.ledger.commands import BuyIn, IssueVoucher, RedeemVoucher
from croupier.ledger.money import VoucherIssued
from croupier.rules.commands import PlaceWager, PlaceYourBets
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person
from croupier.table import Accepted, Answer, NewTable, Submission, Table
from croupier.table.commands import AnyCommand
from tests.table.a_table import ANNA, DEALER, LIMITS, NOON
from tests.table.serving import ServeTable, answers_only


class Faults:
    """A store whose `append` fails before the commit, or after it.

    A late batch is committed unexpectedly, before the next commit.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.next: list[str] = []
        self._late: Sequence[StreamBatch] = ()

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        fault = self.next.pop(0) if self.next else ""
        if fault != "before":
            self.come()
        if fault == "late":
            self._late = batches
        problems = [] if fault in {"before", "late"} else self._store.append(batches)
        if fault:
            raise JournalFailed("the connection was lost")
        return problems

    def come(self) -> None:
        """Commit the late batches."""
        late, self._late = self._late, ()
        if late:
            self._store.append(late)


class FailingTable:
    """A table's queue over a failing store, and the answers that its listener gets."""

    def __init__(self, store: Store, serve: ServeTable) -> None:
        self.store, self.faults = store, Faults(store)
        self.heard: list[int] = []
        self.table = Table(
            store,
            "t1",
            clock=lambda: NOON,
            new=NewTable(DEALER, "rws-triple-zero", LIMITS),
            append=self.faults.append,
        )
        self.queue = serve(self.table, self.faults, answers_only(self._hear))
        self.ask("buy in", BuyIn("Anna", 10_000), DEALER)
        self.ask("open", PlaceYourBets(), DEALER)
        self.heard.clear()

    def _hear(self, answers: Sequence[Answer]) -> None:
        taken = (each for each in answers if isinstance(each, Accepted))
        self.heard += [number for each in taken for number in _numbers(each)]

    def ask(self, command_id: str, command: AnyCommand, by: Person = ANNA) -> Answer:
        submission = Submission(command_id, (by,), command)
        return self.queue.submit(submission).result(timeout=30)

    def lay(self, wager_id: str) -> Answer:
        placing = PlaceWager(wager_id, "Anna", read_wager("17"), 500, electronic=True)
        return self.ask(f"c {wager_id}", placing)

    def check(self, *wager_ids: str) -> None:
        """Check that only these wagers lie there, once each, in memory and on disk."""
        state = self.table.state
        lying = [each.wager_id for each in state.series.current.board.in_order()]
        assert lying == list(wager_ids)
        assert state.balance(seat("Anna")) == 10_000 - 500 * len(wager_ids)
        assert self.store.balances("t1")[seat("Anna")] == state.balance(seat("Anna"))
        assert self.store.head("t1") == self.table.head
        self.queue.close()


def _until(holds: Callable[[], bool]) -> None:
    end = monotonic() + 20
    while not holds():
        assert monotonic() < end
        sleep(0.05)


def _numbers(answer: Accepted) -> range:
    return range(answer.first, answer.last + 1)


@pytest.mark.parametrize("fault", ["before", "after"])
def test_one_lost_commit_does_not_reach_the_sender(
    store: Store, serve: ServeTable, fault: str
) -> None:
    floor = FailingTable(store, serve)

    floor.faults.next = [fault]
    answer = floor.lay("w1")

    assert isinstance(answer, Accepted)
    assert floor.table.failure is None
    assert list(dict.fromkeys(floor.heard)) == [answer.first]
    assert isinstance(floor.lay("w2"), Accepted)
    floor.check("w1", "w2")


def test_a_journal_that_stays_away_is_asked_again_with_the_next_command(
    store: Store, serve: ServeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = FailingTable(store, serve)

    floor.faults.next = ["after"]
    with monkeypatch.context() as patch:

        def away(_: object, __: str) -> None:
            raise JournalFailed("nobody answers")

        patch.setattr(type(store), "head", away)
        with pytest.raises(JournalFailed):
            floor.lay("w1")
        assert floor.table.failure is not None
        with pytest.raises(JournalFailed):
            floor.lay("w2")

    third = floor.lay("w3")
    assert isinstance(third, Accepted)
    first = floor.lay("w1")  # sent again, it gets its first answer
    assert isinstance(first, Accepted)
    assert first.last < third.first
    assert set(floor.heard) == {first.first, third.first}
    floor.check("w1", "w3")


def test_a_commit_that_comes_late_is_found_to_be_the_tables_own(
    store: Store, serve: ServeTable
) -> None:
    floor = FailingTable(store, serve)

    floor.faults.next = ["late"]
    with pytest.raises(JournalFailed):
        floor.lay("w1")

    assert isinstance(floor.lay("w1"), Accepted)  # sent again: its first answer
    assert isinstance(floor.lay("w2"), Accepted)
    assert len(set(floor.heard)) == 2
    floor.check("w1", "w2")


def test_a_late_commit_is_told_without_a_new_command(
    store: Store, serve: ServeTable
) -> None:
    floor = FailingTable(store, serve)
    floor.faults.next = ["late", "before"]
    with pytest.raises(JournalFailed):
        floor.lay("w1")

    floor.faults.come()

    _until(lambda: bool(floor.heard))
    assert floor.heard == [floor.table.head.sequence]
    assert floor.table.failure is None
    floor.check("w1")


def test_a_late_commit_is_adopted_before_its_first_answer_is_repeated(
    store: Store, serve: ServeTable
) -> None:
    floor = FailingTable(store, serve)
    floor.faults.next = ["late", "before"]
    with pytest.raises(JournalFailed):
        floor.lay("w1")
    floor.faults.come()

    answer = floor.lay("w1")

    assert isinstance(answer, Accepted)
    assert answer.last == floor.table.head.sequence
    assert answer.first in floor.heard
    floor.check("w1")


def test_a_failed_table_resumes_without_a_new_command(
    store: Store, serve: ServeTable
) -> None:
    floor = FailingTable(store, serve)

    floor.faults.next = ["before", "after"]
    with pytest.raises(JournalFailed):
        floor.lay("w1")

    _until(lambda: floor.table.failure is None)
    floor.queue.close()
    assert floor.heard == [floor.table.head.sequence]
    floor.check("w1")


def test_a_table_that_lost_its_stream_to_another_writer_takes_nothing(
    store: Store, serve: ServeTable
) -> None:
    floor = FailingTable(store, serve)
    other = Table(store, "t1", clock=lambda: NOON)
    other.handle([Submission("x", (DEALER,), BuyIn("Ben", 100))])

    for wager_id in ("w1", "w2"):
        with pytest.raises(WriterConflict):
            floor.lay(wager_id)

    assert not floor.table.state.series.current.board.wagers
    assert floor.heard == []
    floor.queue.close()


def test_a_voucher_is_redeemed_once_though_the_commit_of_it_was_lost(
    store: Store,
    serve: ServeTable,
) -> None:
    floor = FailingTable(store, serve)
    issued = floor.ask("issue", IssueVoucher("Anna", 4_000))
    assert isinstance(issued, Accepted)
    [code] = [e.code for e in issued.events if isinstance(e, VoucherIssued)]
    redeem = RedeemVoucher("Anna", code)

    floor.faults.next = ["before", "before"]
    with pytest.raises(JournalFailed):
        floor.ask("redeem", redeem)
    floor.faults.next = ["before"]
    assert isinstance(floor.ask("redeem", redeem), Accepted)
    assert not isinstance(floor.ask("redeem once more", redeem), Accepted)
    floor.check()
