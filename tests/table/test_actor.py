"""Many senders, one queue: commit, then answers, then announcements."""

from __future__ import annotations

from concurrent.futures import Future, wait
from threading import Barrier, Thread

import pytest

from croupier.journal.rows import StreamBatch
from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.journal.writer import GroupWriter
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission, Table, TableActor
from tests.table.a_table import DEALER, NOON, Played


class Counting:
    """A writer that counts its commits, and can be told to fail."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.commits = 0
        self.fails = False

    def append(self, batches: list[StreamBatch]) -> list[JournalError | None]:
        if self.fails:
            raise JournalFailed("the disk is full")
        self.commits += 1
        return self.store.append(batches)


def wager(number: int) -> Submission:
    player = Person(f"P{number}", Role.PLAYER)
    command = do.PlaceWager(
        f"w{number}", player.name, read_wager("17"), 100, electronic=True
    )
    return Submission(f"place {number}", (player,), command)


def test_waiting_commands_share_a_commit_and_are_answered_in_order(
    store: Store,
) -> None:
    counting = Counting(store)
    played = Played(store, append=counting.append)
    for number in range(50):
        played.buy_in(f"P{number}", 1_000)
    played.say("Dealer: place your bets")
    counting.commits = 0
    heard: list[int] = []
    actor = TableActor(played.table, lambda answer: heard.append(answer.first))

    promised = [actor.submit(wager(number)) for number in range(50)]
    answers = [each.result(timeout=20) for each in promised]
    actor.close()

    assert all(isinstance(answer, Accepted) for answer in answers)
    firsts = [answer.first for answer in answers if isinstance(answer, Accepted)]
    assert firsts == sorted(firsts) == heard
    assert counting.commits < 50


def test_no_more_bets_is_heard_after_the_answers_to_all_before_it(
    store: Store,
) -> None:
    played = Played(store)
    for number in range(20):
        played.buy_in(f"P{number}", 1_000)
    played.say("Dealer: place your bets", "Dealer: spin")
    unanswered: list[int] = []
    promised: list[Future[Answer]] = []

    def listen(answer: Accepted) -> None:
        if type(answer.events[0]).__name__ == "NoMoreBetsAnnounced":
            unanswered.append(sum(not each.done() for each in promised))

    actor = TableActor(played.table, listen)
    promised = [actor.submit(wager(number)) for number in range(20)]
    close = actor.submit(Submission("close", (DEALER,), do.NoMoreBets()))
    late = actor.submit(wager(20))

    wait([*promised, close, late], timeout=20)
    actor.close()

    assert unanswered == [0]
    answer = late.result()
    assert isinstance(answer, Refused)
    assert answer.refusal.clause.number == "3.5"


def test_nothing_is_acknowledged_when_the_disk_fails(store: Store) -> None:
    counting = Counting(store)
    played = Played(store, append=counting.append)
    played.buy_in("P1", 1_000)
    played.say("Dealer: place your bets")
    before = store.head("t1")
    counting.fails = True
    actor = TableActor(played.table)

    promised = actor.submit(wager(1))

    with pytest.raises(JournalFailed):
        promised.result(timeout=20)
    actor.close()
    assert store.head("t1") == before
    counting.fails = False
    with pytest.raises(JournalFailed):
        played.ask(do.NoMoreBets())


def test_a_bad_id_is_refused_at_the_door_and_harms_nobody(store: Store) -> None:
    played = Played(store)
    played.buy_in("P1", 1_000)
    played.say("Dealer: place your bets")
    actor = TableActor(played.table)

    for command_id in ("", "x" * 101, "a\nb", "a\x00b"):
        with pytest.raises(JournalError):
            actor.submit(Submission(command_id, (DEALER,), do.SpinBall()))

    answer = actor.submit(wager(1)).result(timeout=20)
    actor.close()
    assert isinstance(answer, Accepted)


def test_the_second_writer_wins_and_the_first_is_told(store: Store) -> None:
    first = Played(store)
    first.say("Dealer: place your bets")
    head = store.head("t1")

    second = Table(store, "t1", clock=lambda: NOON)

    with pytest.raises(WriterConflict):
        first.ask(do.SpinBall())
    assert head is not None
    assert second.head.sequence == head.sequence + 1  # found in play: interrupted


def test_many_tables_share_the_writers_commits(store: Store) -> None:
    counting = Counting(store)
    writer = GroupWriter(counting)  # type: ignore[arg-type]
    tables = [
        Played(store, stream=f"t{number}", append=writer.append) for number in range(4)
    ]
    counting.commits = 0
    together = Barrier(4)

    def play(played: Played) -> None:
        for _ in range(5):
            together.wait()
            played.play_round("17")

    threads = [Thread(target=play, args=(played,)) for played in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()

    assert [played.table.state.series.last for played in tables] == [5] * 4
    assert counting.commits <= 4 * 5 * 5
    for played in tables:
        head = store.head(played.table.stream)
        assert head == played.table.head
