"""Many tables share one writer's thread and commits, and none harms another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event, current_thread
from time import monotonic, sleep

import pytest

from croupier.journal.store import (
    JournalError,
    JournalFailed,
    JournalReplaced,
    Store,
    WriterConflict,
)
from croupier.journal.tables import StreamBatch
from croupier.rules.commands import (
    AnnounceOutcome,
    NoMoreBets,
    PlaceWager,
    Settle,
    SpinBall,
)
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import (
    Accepted,
    Answer,
    Refused,
    Submission,
    Table,
    TableQueue,
    Writer,
)
from croupier.table.commands import AnyCommand
from croupier.table.writer import Outcome, PendingCommand
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
        """The faults of the next commits."""
        self.commits: list[list[str]] = []
        """The streams of each commit."""
        self.writer = Writer(self)  # type: ignore[arg-type]
        self.played = {
            name: Played(store, stream=name, append=self.writer.append)
            for name in NAMES
        }
        for each in self.played.values():
            each.buy_in("P1", 10_000)
            each.say("Dealer: place your bets")
        self.queues = {
            name: TableQueue(self.writer, each.table, patience_s=20)
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
        wager = PlaceWager(
            f"w{number}", "P1", read_wager(str(1 + number)), 100, electronic=True
        )
        return self.queues[table].submit(Submission(f"lay {number}", (PLAYER,), wager))

    def lay_at_all(self) -> list[Future[Answer]]:
        """Place a wager at each table; the writer judges them once all wait."""
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
    for queue in tables.queues.values():
        queue.close()
    tables.writer.close()


def test_wagers_of_many_tables_share_one_commit(store: Store) -> None:
    with tables_of(store) as tables:
        answers = [each.result(20) for each in tables.lay_at_all()]

        assert all(isinstance(answer, Accepted) for answer in answers)
        assert tables.commits == [["t1"], list(NAMES)]
        for name, each in tables.played.items():
            assert store.head(name) == each.table.head


@pytest.mark.parametrize("fails", [1, 2])
def test_each_table_resumes_by_itself_if_their_shared_commit_fails(
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


def test_a_table_with_another_writer_does_not_stop_the_others_commits(
    store: Store,
) -> None:
    with tables_of(store) as tables:
        Table(store, "t2", clock=lambda: NOON)

        first, at_1, at_2, at_3 = tables.lay_at_all()

        for each in (first, at_1, at_3):
            assert isinstance(each.result(20), Accepted)
        assert isinstance(at_2.exception(20), WriterConflict)


def test_acts_that_take_long_are_judged_on_a_thread_of_their_own(store: Store) -> None:
    with tables_of(store) as tables:
        names: list[str] = []

        def reply(_: Answer | Exception) -> None:
            names.append(current_thread().name)

        def send(name: str, command: AnyCommand) -> None:
            sent = Submission(name, (DEALER,), command)
            tables.queues["t1"].put(PendingCommand(sent, reply))

        tables.lay("t1", 1).result(20)
        send("spin", SpinBall())
        send("close", NoMoreBets())
        tables.lay("t1", 2).result(20)
        send("outcome", AnnounceOutcome(Number("17")))
        tables.lay("t1", 3).result(20)
        send("settle", Settle())
        tables.lay("t1", 4).result(20)

        assert names == ["writer", "writer", "writer", "act_0"]


def test_wagers_after_no_more_bets_are_judged_after_it(store: Store) -> None:
    with tables_of(store) as tables:
        tables.hold()
        before = tables.lay("t1", 0)
        assert tables.arrived.wait(20)
        queue = tables.queues["t1"]
        with_it = tables.lay("t1", 1)
        for command in (SpinBall(), NoMoreBets()):
            name = type(command).__name__
            queue.submit(Submission(name, (DEALER,), command))
        late = tables.lay("t1", 2)
        tables.open.set()

        assert isinstance(before.result(20), Accepted)
        assert isinstance(with_it.result(20), Accepted)
        assert isinstance(late.result(20), Refused)


def test_an_earlier_answer_is_repeated_beside_new_wagers(store: Store) -> None:
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
        assert tables.queues["t1"].is_alive

        tables.writer.close()

        assert not any(queue.is_alive for queue in tables.queues.values())


def test_the_writers_own_thread_does_not_wait_for_itself(store: Store) -> None:
    with tables_of(store) as tables:
        errors: list[BaseException] = []

        def reply(_: Answer | Exception) -> None:
            try:
                tables.writer.append([])
            except AssertionError as error:
                errors.append(error)

        sent = Submission("spin", (DEALER,), SpinBall())
        tables.queues["t1"].put(PendingCommand(sent, reply))
        tables.lay("t1", 1).result(20)

        assert len(errors) == 1


def test_threads_that_wait_for_an_ended_writer_get_an_error(store: Store) -> None:
    writer = Writer(store)
    writer.close()

    with pytest.raises(JournalFailed):
        writer.append([])


@pytest.mark.parametrize(
    ("step", "faults"),
    [("judge", []), ("resume", [None, JournalFailed("the disk is full")])],
)
def test_an_error_at_one_table_concerns_it_alone(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    faults: list[JournalFailed | None],
) -> None:
    with tables_of(store) as tables:

        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(tables.played["t2"].table, step, fail)
        tables.faults = list(faults)

        first, at_1, at_2, at_3 = tables.lay_at_all()

        for each in (first, at_1, at_3):
            assert isinstance(each.result(20), Accepted)
        assert isinstance(at_2.exception(20), ZeroDivisionError)
        monkeypatch.undo()
        assert isinstance(tables.lay("t2", 9).result(20), Accepted)


def test_a_new_command_does_not_cut_the_pause_between_two_tries_short(
    store: Store,
) -> None:
    with tables_of(store) as tables:
        tables.faults = [JournalFailed("the disk is full") for _ in range(3)]
        begun = monotonic()
        held = tables.lay("t1", 1)
        others: list[Future[Answer]] = []
        while len(tables.commits) < 4:
            spin = Submission(f"spin {len(others)}", (DEALER,), SpinBall())
            others.append(tables.queues["t1"].submit(spin))
            sleep(0.001)
        took = monotonic() - begun

        assert isinstance(held.result(20), Accepted)
        assert all(each.result(20) for each in others)
        assert took >= 0.05 + 0.1


def test_a_journal_that_was_replaced_is_not_tried_again(store: Store) -> None:
    with tables_of(store) as tables:
        tables.faults = [JournalReplaced("another file is there")]

        answer = tables.lay("t1", 1)

        assert isinstance(answer.exception(20), JournalReplaced)
        assert tables.commits == [["t1"]]


def test_no_table_takes_more_than_its_share_of_a_commit(store: Store) -> None:
    with tables_of(store) as tables:
        tables.hold()
        first = tables.lay("t2", 0)
        assert tables.arrived.wait(20)
        spins = [
            Submission(f"spin {number}", (DEALER,), SpinBall()) for number in range(501)
        ]
        many = [tables.queues["t1"].submit(each) for each in spins]
        other = tables.lay("t3", 30)
        waiting = tables.queues["t1"].waiting
        tables.open.set()

        assert all(each.result(20) for each in (first, other, *many))
        assert waiting == 501
        assert tables.commits == [["t2"], ["t1", "t3"], ["t1"]]


MANY = tuple(f"t{number}" for number in range(17))


def _many(store: Store, rest_s: float) -> tuple[Writer, list[TableQueue], list[str]]:
    """Open tables for bets at a writer that rests for `rest_s` between commits."""
    writer, heard = Writer(store, rest_s=rest_s), list[str]()

    def hear(commands: Sequence[PendingCommand], _: Outcome) -> None:
        heard.extend(each.submission.command_id for each in commands)

    queues = []
    for name in MANY:
        played = Played(store, stream=name, append=writer.append)
        played.buy_in("P1", 10_000)
        played.say("Dealer: place your bets")
        queues.append(TableQueue(writer, played.table, hear))
    return writer, queues, heard


def _placing(number: int) -> Submission:
    wager = PlaceWager(
        f"w{number}", "P1", read_wager(str(number)), 100, electronic=True
    )
    return Submission(f"lay {number}", (PLAYER,), wager)


@pytest.mark.parametrize("tables", [16, 17])
def test_after_a_small_commit_of_many_tables_wagers_wait_for_more(
    store: Store, tables: int
) -> None:
    writer, queues, _ = _many(store, rest_s=0.5)
    gate = Event()
    first = queues[0].submit(Submission("spin", (DEALER,), SpinBall()))
    first.add_done_callback(lambda _: gate.wait(20))
    laid = [each.submit(_placing(1)) for each in queues[:tables]]
    begun = monotonic()
    gate.set()
    for each in laid:
        each.result(20)

    queues[1].submit(_placing(2)).result(20)
    took = monotonic() - begun
    for queue in queues:
        queue.close()
    writer.close()

    assert (took >= 0.5) == (tables > 16)


def test_any_command_but_a_wager_ends_the_writers_rest(store: Store) -> None:
    writer, queues, heard = _many(store, rest_s=60)
    gate = Event()
    first = queues[0].submit(Submission("spin", (DEALER,), SpinBall()))
    first.add_done_callback(lambda _: gate.wait(20))
    laid = [each.submit(_placing(1)) for each in queues]
    gate.set()
    for each in laid:
        each.result(20)
    waits = queues[1].submit(_placing(2))

    queues[2].submit(Submission("spin", (DEALER,), SpinBall())).result(20)

    assert isinstance(waits.result(20), Accepted)
    assert heard[-2:] == ["lay 2", "spin"]
    for queue in queues:
        queue.close()
    writer.close()
