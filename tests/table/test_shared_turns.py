"""Many tables, one thread: their wagers share a commit, and no table harms another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event, current_thread
from typing import cast

import pytest

from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.journal.tables import StreamBatch
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission, Table, TableActor
from croupier.table.shared_turns import SharedTurns, Turn
from tests.table.a_table import DEALER, NOON, Played

PLAYER = Person("P1", Role.PLAYER)
NAMES = ("t1", "t2", "t3")


class Tables:
    """Tables that take bets, and a writer that can hold a commit, or fail."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.arrived, self.open = Event(), Event()
        self.open.set()
        self.faults: list[JournalFailed | None] = []
        """Of the next commits."""
        self.commits: list[list[str]] = []
        """The streams of each commit."""
        self.played = {
            name: Played(store, stream=name, append=self.append) for name in NAMES
        }
        for each in self.played.values():
            each.buy_in("P1", 10_000)
            each.say("Dealer: place your bets")
        self.turns = SharedTurns(self.append)
        self.actors = {
            name: TableActor(each.table, patience_s=20, turns=self.turns)
            for name, each in self.played.items()
        }
        self.commits.clear()

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        self.arrived.set()
        assert self.open.wait(20)
        self.commits.append([batch.stream for batch in batches])
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault
        return self.store.append(batches)

    def hold(self) -> None:
        self.arrived.clear()
        self.open.clear()

    def lay(self, table: str, number: int) -> Future[Answer]:
        wager = do.PlaceWager(
            f"w{number}", "P1", read_wager(str(1 + number)), 100, electronic=True
        )
        return self.actors[table].submit(Submission(f"lay {number}", (PLAYER,), wager))

    def lay_at_all(self) -> list[Future[Answer]]:
        """Lay at each table what is judged only when all of it waits."""
        self.hold()
        first = self.lay("t1", 0)
        assert self.arrived.wait(20)
        rest = [self.lay(name, 1 + place) for place, name in enumerate(NAMES)]
        self.open.set()
        return [first, *rest]


@contextmanager
def tables_of(store: Store) -> Iterator[Tables]:
    tables = Tables(store)
    yield tables
    for actor in tables.actors.values():
        actor.close()
    tables.turns.close()


def test_wagers_of_many_tables_share_one_commit(store: Store) -> None:
    with tables_of(store) as tables:
        answers = [each.result(20) for each in tables.lay_at_all()]

        assert all(isinstance(answer, Accepted) for answer in answers)
        assert tables.commits == [["t1"], list(NAMES)]
        for name, each in tables.played.items():
            assert store.head(name) == each.table.head


@pytest.mark.parametrize("fails", [1, 2])
def test_each_table_goes_on_by_itself_where_their_commit_fails(
    store: Store, fails: int
) -> None:
    with tables_of(store) as tables:
        tables.faults = [None, *[JournalFailed("the disk is full")] * fails]

        answers = [each.result(20) for each in tables.lay_at_all()]

        assert all(isinstance(answer, Accepted) for answer in answers)
        assert tables.commits[:2] == [["t1"], list(NAMES)]
        for name, each in tables.played.items():
            lying = each.table.state.series.current.board.in_order()
            assert len(list(lying)) == (2 if name == "t1" else 1)
            assert store.head(name) == each.table.head


def test_a_table_that_somebody_else_writes_keeps_no_other_from_its_commit(
    store: Store,
) -> None:
    with tables_of(store) as tables:
        Table(store, "t2", clock=lambda: NOON)

        first, at_1, at_2, at_3 = tables.lay_at_all()

        for each in (first, at_1, at_3):
            assert isinstance(each.result(20), Accepted)
        assert isinstance(at_2.exception(20), WriterConflict)


def test_all_but_wagers_is_done_on_the_tables_own_thread(store: Store) -> None:
    with tables_of(store) as tables:
        names: list[str] = []

        def reply(_: Answer | Exception) -> None:
            names.append(current_thread().name)

        tables.hold()
        tables.lay("t2", 9)
        assert tables.arrived.wait(20)
        wager = do.PlaceWager("w1", "P1", read_wager("17"), 100, electronic=True)
        tables.actors["t1"].post(Submission("lay 1", (PLAYER,), wager), reply)
        tables.open.set()
        tables.lay("t1", 2).result(20)
        tables.actors["t1"].post(Submission("spin", (DEALER,), do.SpinBall()), reply)
        tables.lay("t1", 3).result(20)

        assert names == ["tables", "table t1"]


def test_what_comes_after_no_more_bets_is_judged_after_it(store: Store) -> None:
    with tables_of(store) as tables:
        tables.hold()
        before = tables.lay("t1", 0)
        assert tables.arrived.wait(20)
        actor = tables.actors["t1"]
        with_it = tables.lay("t1", 1)
        for command in (do.SpinBall(), do.NoMoreBets()):
            name = type(command).__name__
            actor.submit(Submission(name, (DEALER,), command))
        late = tables.lay("t1", 2)
        tables.open.set()

        assert isinstance(before.result(20), Accepted)
        assert isinstance(with_it.result(20), Accepted)
        assert isinstance(late.result(20), Refused)


def test_an_answer_of_before_is_given_again_beside_new_wagers(store: Store) -> None:
    with tables_of(store) as tables:
        first = tables.lay("t1", 1).result(20)
        assert isinstance(first, Accepted)

        again, *others = tables.lay_at_all()[1:]

        answer = again.result(20)
        assert isinstance(answer, Accepted)
        assert (answer.first, answer.last) == (first.first, first.last)
        assert all(isinstance(each.result(20), Accepted) for each in others)


def test_no_table_is_alive_once_the_thread_of_all_has_ended(store: Store) -> None:
    with tables_of(store) as tables:
        assert tables.actors["t1"].is_alive

        tables.turns.close()

        assert not any(actor.is_alive for actor in tables.actors.values())


class _Answered:
    """A table that has answered every command before: it writes nothing."""

    def judge(self, _: Sequence[Submission]) -> list[Answer]:
        return []


@pytest.mark.parametrize(
    ("tables", "each", "rests"),
    [(1, 1, 0), (16, 1, 0), (17, 1, 1), (50, 3, 1), (50, 19, 1), (50, 20, 0)],
)
def test_a_small_commit_of_many_tables_is_followed_by_a_rest(
    tables: int, each: int, rests: int
) -> None:
    rested: list[float] = []
    failed: list[Exception] = []
    all_wait = Event()
    turns = SharedTurns(lambda batches: [None] * len(batches), rested.append)

    def begin() -> Turn:
        assert all_wait.wait(20)
        commands = [Submission("again", (PLAYER,), do.SpinBall())] * each
        return Turn(cast(Table, _Answered()), commands, lambda _: None, failed.append)

    for _ in range(tables):
        turns.wake(begin)
    all_wait.set()
    turns.close()

    assert (len(rested), failed) == (rests, [])
