"""Many senders, one queue: commit, then answers, then announcements."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, wait
from threading import Barrier, Event, Thread, current_thread

import pytest

from croupier.journal.group_writer import GroupWriter
from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.journal.tables import StreamBatch
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission, Table
from tests.table.a_table import DEALER, NOON, Played
from tests.table.serving import ServeTable


class Gated:
    """A writer that holds its next commit until it is let go."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.arrived, self.open = Event(), Event()
        self.open.set()
        self.fails = False

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        self.arrived.set()
        assert self.open.wait(20)
        if self.fails:
            raise JournalFailed("the disk is full")
        return self.store.append(batches)

    def hold(self) -> None:
        self.arrived.clear()
        self.open.clear()


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
    serve: ServeTable,
) -> None:
    counting = Counting(store)
    played = Played(store, append=counting.append)
    for number in range(50):
        played.buy_in(f"P{number}", 1_000)
    played.say("Dealer: place your bets")
    counting.commits = 0
    heard: list[Answer] = []
    actor = serve(played.table, heard.extend)

    promised = [actor.submit(wager(number)) for number in range(50)]
    answers = [each.result(timeout=20) for each in promised]
    actor.close()

    assert all(isinstance(answer, Accepted) for answer in answers)
    firsts = [answer.first for answer in answers if isinstance(answer, Accepted)]
    assert firsts == sorted(firsts)
    assert heard == answers
    assert counting.commits < 50


def test_no_more_bets_is_heard_after_the_answers_to_all_before_it(
    store: Store,
    serve: ServeTable,
) -> None:
    played = Played(store)
    for number in range(20):
        played.buy_in(f"P{number}", 1_000)
    played.say("Dealer: place your bets", "Dealer: spin")
    unanswered: list[int] = []
    promised: list[Future[Answer]] = []

    def listen(answers: Sequence[Answer]) -> None:
        if any(answer.command_id == "close" for answer in answers):
            unanswered.append(sum(not each.done() for each in promised))

    actor = serve(played.table, listen)
    promised = [actor.submit(wager(number)) for number in range(20)]
    close = actor.submit(Submission("close", (DEALER,), do.NoMoreBets()))
    late = actor.submit(wager(20))

    wait([*promised, close, late], timeout=20)
    actor.close()

    assert unanswered == [0]
    answer = late.result()
    assert isinstance(answer, Refused)
    assert answer.refusal.clause.number == "3.5"


def test_nothing_is_acknowledged_when_the_disk_fails(
    store: Store, serve: ServeTable
) -> None:
    counting = Counting(store)
    played = Played(store, append=counting.append)
    played.buy_in("P1", 1_000)
    played.say("Dealer: place your bets")
    before = store.head("t1")
    counting.fails = True
    actor = serve(played.table)

    promised = actor.submit(wager(1))

    with pytest.raises(JournalFailed):
        promised.result(timeout=20)
    actor.close()
    assert store.head("t1") == before
    counting.fails = False
    with pytest.raises(JournalFailed):
        played.ask(do.NoMoreBets())


def test_a_bad_id_is_refused_at_the_door_and_harms_nobody(
    store: Store, serve: ServeTable
) -> None:
    played = Played(store)
    played.buy_in("P1", 1_000)
    played.say("Dealer: place your bets")
    actor = serve(played.table)

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
    assert second.head.sequence == head.sequence + 3  # interrupted, closed, frozen


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


SENT = ("first", "second", "third", "fourth")


class Heard:
    """Who was told what, in order; nothing has been committed before `let_go`."""

    def __init__(self, store: Store, serve: ServeTable) -> None:
        self.gate = Gated(store)
        played = Played(store, append=self.gate.append)
        played.buy_in("P1", 1_000)
        played.say("Dealer: place your bets")
        self.log: list[tuple[str, object]] = []
        self.actor = serve(played.table, self.listen, self.listen)
        self.gate.hold()

    def listen(self, answers: Sequence[Answer]) -> None:
        self.log.append(("listener", [answer.command_id for answer in answers]))

    def post(self, command_id: str, cents: int = 100) -> None:
        """A wager of so much, whose reply is noted."""
        person = Person("P1", Role.PLAYER)
        command = do.PlaceWager(
            command_id, "P1", read_wager("17"), cents, electronic=True
        )

        def reply(answer: Answer | Exception) -> None:
            self.log.append((command_id, answer))

        self.actor.post(Submission(command_id, (person,), command), reply)

    def post_all(self) -> None:
        """The first is in its commit while the others wait, to share the next."""
        self.post(SENT[0])
        assert self.gate.arrived.wait(20)
        self.post(SENT[1])
        self.post(SENT[2], cents=10**9)
        self.post(SENT[3])

    def let_go(self) -> None:
        self.gate.open.set()
        self.actor.close()


def test_replies_come_in_order_before_the_listeners_hear_of_the_commit(
    store: Store,
    serve: ServeTable,
) -> None:
    heard = Heard(store, serve)

    heard.post_all()
    waiting = heard.actor.waiting
    heard.let_go()

    assert waiting == 3
    assert heard.actor.waiting == 0
    assert [name for name, _ in heard.log] == [
        "first",
        "listener",
        "listener",
        "second",
        "third",
        "fourth",
        "listener",
        "listener",
    ]
    assert [what for name, what in heard.log if name == "listener"] == [
        ["first"],
        ["first"],
        ["second", "third", "fourth"],
        ["second", "third", "fourth"],
    ]
    kinds = [type(what) for name, what in heard.log if name != "listener"]
    assert kinds == [Accepted, Accepted, Refused, Accepted]


def test_a_failure_reaches_every_reply_and_no_listener(
    store: Store, serve: ServeTable
) -> None:
    heard = Heard(store, serve)
    before = store.head("t1")
    heard.gate.fails = True

    heard.post_all()
    heard.let_go()

    assert [name for name, _ in heard.log] == list(SENT)
    assert {type(what) for _, what in heard.log} == {JournalFailed}
    assert store.head("t1") == before


def test_a_reply_that_fails_keeps_nobody_from_theirs(
    store: Store, serve: ServeTable
) -> None:
    heard = Heard(store, serve)

    def fail(_: Answer | Exception) -> None:
        raise RuntimeError("the loop of this sender is closed")

    heard.actor.post(wager(1), fail)
    heard.post_all()
    heard.gate.open.set()
    after = heard.actor.submit(wager(1)).result(timeout=20)
    heard.let_go()

    assert isinstance(after, Accepted)
    assert {name for name, _ in heard.log} == {*SENT, "listener"}


def test_a_reply_that_fails_at_a_failure_keeps_nobody_from_theirs(
    store: Store,
    serve: ServeTable,
) -> None:
    heard = Heard(store, serve)
    heard.gate.fails = True

    def fail(_: Answer | Exception) -> None:
        raise RuntimeError("the loop of this sender is closed")

    heard.actor.post(wager(1), fail)
    heard.post_all()
    heard.let_go()

    assert [name for name, _ in heard.log] == list(SENT)


def test_a_listener_that_fails_keeps_nobody_from_hearing(
    store: Store, serve: ServeTable
) -> None:
    played = Played(store)
    heard: list[str] = []

    def fail(_: Sequence[Answer]) -> None:
        raise RuntimeError

    def listen(answers: Sequence[Answer]) -> None:
        heard.extend(answer.command_id for answer in answers)

    actor = serve(played.table, fail, listen)
    for name in ("a", "b"):
        actor.submit(Submission(name, (DEALER,), do.PlaceYourBets())).result(20)
    actor.close()

    assert heard == ["a", "b"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_promise_that_was_cancelled_harms_nobody(
    store: Store, serve: ServeTable, fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard(store, serve)
    heard.gate.fails = fails
    heard.post("first")
    assert heard.gate.arrived.wait(20)

    cancelled = heard.actor.submit(wager(1))
    kept = heard.actor.submit(Submission("spin", (DEALER,), do.SpinBall()))
    assert cancelled.cancel()
    heard.let_go()

    if fails:
        assert isinstance(kept.exception(timeout=20), JournalFailed)
    else:
        assert isinstance(kept.result(timeout=20), Accepted)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_replies_are_given_on_the_tables_own_thread(
    store: Store, serve: ServeTable
) -> None:
    played = Played(store)
    names: list[str] = []
    actor = serve(
        played.table, lambda _: names.append(f"listener on {current_thread().name}")
    )
    submission = Submission("one", (DEALER,), do.PlaceYourBets())

    actor.post(submission, lambda _: names.append(current_thread().name))
    actor.close()

    assert names == ["table t1", "listener on table t1"]


def test_a_bad_id_is_refused_before_it_is_posted(
    store: Store, serve: ServeTable
) -> None:
    replies: list[Answer | Exception] = []
    actor = serve(Played(store).table)

    with pytest.raises(JournalError):
        actor.post(Submission("a\nb", (DEALER,), do.SpinBall()), replies.append)
    actor.close()

    assert replies == []


def test_a_table_is_left_once_what_waits_is_done(
    store: Store, serve: ServeTable
) -> None:
    gated = Gated(store)
    played = Played(store, append=gated.append)
    actor = serve(played.table)
    gated.hold()
    before = actor.submit(Submission("b1", (DEALER,), do.PlaceYourBets()))
    assert gated.arrived.wait(20)
    stays = actor.leave(lambda state: not state.is_in_play)
    meanwhile = actor.submit(Submission("b2", (DEALER,), do.SpinBall()))
    leaves = actor.leave(lambda state: state.is_in_play)
    late = actor.submit(Submission("b3", (DEALER,), do.NoMoreBets()))
    gated.open.set()

    assert isinstance(before.result(20), Accepted)
    assert stays.result(20) is False
    assert isinstance(meanwhile.result(20), Accepted)
    assert leaves.result(20) is True
    with pytest.raises(WriterConflict):
        late.result(20)
    after = actor.submit(Submission("b4", (DEALER,), do.NoMoreBets()))
    with pytest.raises(WriterConflict):
        after.result(20)
    assert store.answered("t1", ["b1", "b2", "b3", "b4"]) == {"b1", "b2"}
    assert actor.has_left
    actor.close()
    assert not actor.is_alive


def test_a_table_that_is_unsure_is_not_left(store: Store, serve: ServeTable) -> None:
    gated = Gated(store)
    played = Played(store, append=gated.append)
    actor = serve(played.table)
    gated.fails = True
    failed = actor.submit(Submission("b1", (DEALER,), do.PlaceYourBets()))
    with pytest.raises(JournalFailed):
        failed.result(20)

    assert actor.leave(lambda _: True).result(20) is False

    gated.fails = False
    assert isinstance(
        actor.submit(Submission("b1", (DEALER,), do.PlaceYourBets())).result(20),
        Accepted,
    )
    actor.close()
