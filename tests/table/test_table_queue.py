"""One queue for many senders: it commits, then answers, then announces."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, wait
from threading import Event

import pytest

from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.journal.tables import StreamBatch
from croupier.rules.commands import NoMoreBets, PlaceWager, PlaceYourBets, SpinBall
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission, Table
from croupier.table.writer import Outcome, PendingCommand
from tests.table.a_table import DEALER, NOON, Played
from tests.table.serving import ServeTable, answers_only


class Gated:
    """A writer that counts its commits, holds one until released, or fails."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.arrived, self.open = Event(), Event()
        self.open.set()
        self.fails = False
        self.commits = 0

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        self.arrived.set()
        assert self.open.wait(20)
        if self.fails:
            raise JournalFailed("the disk is full")
        self.commits += 1
        return self.store.append(batches)

    def hold(self) -> None:
        self.arrived.clear()
        self.open.clear()


def wager(number: int) -> Submission:
    player = Person(f"P{number}", Role.PLAYER)
    command = PlaceWager(
        f"w{number}", player.name, read_wager("17"), 100, electronic=True
    )
    return Submission(f"place {number}", (player,), command)


def test_waiting_commands_share_a_commit_and_are_answered_in_order(
    store: Store,
    serve: ServeTable,
) -> None:
    counting = Gated(store)
    played = Played(store, append=counting.append)
    for number in range(50):
        played.buy_in(f"P{number}", 1_000)
    played.say("Dealer: place your bets")
    counting.commits = 0
    heard: list[Answer] = []
    queue = serve(played.table, counting, answers_only(heard.extend))

    promised = [queue.submit(wager(number)) for number in range(50)]
    answers = [each.result(timeout=20) for each in promised]
    queue.close()

    assert all(isinstance(answer, Accepted) for answer in answers)
    firsts = [answer.first for answer in answers if isinstance(answer, Accepted)]
    assert firsts == sorted(firsts)
    assert heard == answers
    assert counting.commits < 50


def test_no_more_bets_follows_the_answers_to_all_earlier_commands(
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

    queue = serve(played.table, store, answers_only(listen))
    promised = [queue.submit(wager(number)) for number in range(20)]
    close = queue.submit(Submission("close", (DEALER,), NoMoreBets()))
    late = queue.submit(wager(20))

    wait([*promised, close, late], timeout=20)
    queue.close()

    assert unanswered == [0]
    answer = late.result()
    assert isinstance(answer, Refused)
    assert answer.refusal.clause.number == "3.5"


def test_nothing_is_acknowledged_when_the_disk_fails(
    store: Store, serve: ServeTable
) -> None:
    counting = Gated(store)
    played = Played(store, append=counting.append)
    played.buy_in("P1", 1_000)
    played.say("Dealer: place your bets")
    before = store.head("t1")
    counting.fails = True
    queue = serve(played.table, counting)

    promised = queue.submit(wager(1))

    with pytest.raises(JournalFailed):
        promised.result(timeout=20)
    queue.close()
    assert store.head("t1") == before
    counting.fails = False
    with pytest.raises(JournalFailed):
        played.ask(NoMoreBets())


def test_the_second_writer_wins_and_the_first_is_told(store: Store) -> None:
    first = Played(store)
    first.say("Dealer: place your bets")
    head = store.head("t1")

    second = Table(store, "t1", clock=lambda: NOON)

    with pytest.raises(WriterConflict):
        first.ask(SpinBall())
    assert head is not None
    assert second.head.sequence == head.sequence + 3  # interrupted, closed, frozen


SENT = ("first", "second", "third", "fourth")


class Heard:
    """The replies and calls in order; nothing is committed before `let_go`."""

    def __init__(self, store: Store, serve: ServeTable) -> None:
        self.gate = Gated(store)
        played = Played(store, append=self.gate.append)
        played.buy_in("P1", 1_000)
        played.say("Dealer: place your bets")
        self.log: list[tuple[str, object]] = []
        self.heard_of: list[str] = []
        self.queue = serve(played.table, self.gate, self.hear)
        self.gate.hold()

    def hear(self, commands: Sequence[PendingCommand], outcome: Outcome) -> None:
        heard = outcome if isinstance(outcome, Exception) else list(outcome)
        self.log.append(("listener", heard))
        self.heard_of += [each.submission.command_id for each in commands]

    def post(self, command_id: str, cents: int = 100) -> None:
        """Queue a wager and note its reply."""
        person = Person("P1", Role.PLAYER)
        command = PlaceWager(command_id, "P1", read_wager("17"), cents, electronic=True)

        def reply(answer: Answer | Exception) -> None:
            self.log.append((command_id, answer))

        self.queue.put(
            PendingCommand(Submission(command_id, (person,), command), reply)
        )

    def post_all(self) -> None:
        """Hold the first in its commit while the others wait to share the next."""
        self.post(SENT[0])
        assert self.gate.arrived.wait(20)
        self.post(SENT[1])
        self.post(SENT[2], cents=10**9)
        self.post(SENT[3])

    def let_go(self) -> None:
        self.gate.open.set()
        self.queue.close()


def test_replies_come_in_order_before_the_listeners_hear_of_the_commit(
    store: Store,
    serve: ServeTable,
) -> None:
    heard = Heard(store, serve)

    heard.post_all()
    waiting = heard.queue.waiting
    heard.let_go()

    assert waiting == 3
    assert heard.queue.waiting == 0
    assert [name for name, _ in heard.log] == [
        "first",
        "listener",
        "second",
        "third",
        "fourth",
        "listener",
    ]
    answers = [what for name, what in heard.log if name != "listener"]
    told = [what for name, what in heard.log if name == "listener"]
    assert told == [answers[:1], answers[1:]]
    assert heard.heard_of == list(SENT)
    kinds = [type(what) for name, what in heard.log if name != "listener"]
    assert kinds == [Accepted, Accepted, Refused, Accepted]


def test_a_failure_reaches_every_reply_and_then_the_listener(
    store: Store, serve: ServeTable
) -> None:
    heard = Heard(store, serve)
    before = store.head("t1")
    heard.gate.fails = True

    heard.post_all()
    heard.let_go()

    assert [name for name, _ in heard.log] == [
        SENT[0],
        "listener",
        *SENT[1:],
        "listener",
    ]
    assert {type(what) for _, what in heard.log} == {JournalFailed}
    assert heard.heard_of == list(SENT)
    assert store.head("t1") == before


def fail(_: Answer | Exception) -> None:
    raise RuntimeError("the loop of this sender is closed")


def test_a_failing_reply_does_not_stop_other_replies(
    store: Store, serve: ServeTable
) -> None:
    heard = Heard(store, serve)

    heard.queue.put(PendingCommand(wager(1), fail))
    heard.post_all()
    heard.gate.open.set()
    after = heard.queue.submit(wager(1)).result(timeout=20)
    heard.let_go()

    assert isinstance(after, Accepted)
    assert {name for name, _ in heard.log} == {*SENT, "listener"}
    assert "place 1" in heard.heard_of


def test_a_failing_reply_does_not_stop_other_replies_after_a_failed_commit(
    store: Store, serve: ServeTable
) -> None:
    heard = Heard(store, serve)
    heard.gate.fails = True
    heard.queue.put(PendingCommand(wager(1), fail))
    heard.post_all()
    heard.let_go()

    assert [name for name, _ in heard.log if name != "listener"] == list(SENT)


def test_a_listener_that_fails_does_not_stop_the_table(
    store: Store, serve: ServeTable
) -> None:
    heard: list[str] = []

    def fail(commands: Sequence[PendingCommand], _: Outcome) -> None:
        heard.extend(each.submission.command_id for each in commands)
        raise RuntimeError

    queue = serve(Played(store).table, store, fail)
    for name in ("a", "b"):
        queue.submit(Submission(name, (DEALER,), PlaceYourBets())).result(20)
    queue.close()

    assert heard == ["a", "b"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_cancelled_future_does_not_stop_other_answers(
    store: Store, serve: ServeTable, fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard(store, serve)
    heard.gate.fails = fails
    heard.post("first")
    assert heard.gate.arrived.wait(20)

    cancelled = heard.queue.submit(wager(1))
    kept = heard.queue.submit(Submission("spin", (DEALER,), SpinBall()))
    assert cancelled.cancel()
    heard.let_go()

    if fails:
        assert isinstance(kept.exception(timeout=20), JournalFailed)
    else:
        assert isinstance(kept.result(timeout=20), Accepted)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_a_table_is_left_after_the_waiting_commands(
    store: Store, serve: ServeTable
) -> None:
    gated = Gated(store)
    played = Played(store, append=gated.append)
    queue = serve(played.table, gated)
    gated.hold()
    before = queue.submit(Submission("b1", (DEALER,), PlaceYourBets()))
    assert gated.arrived.wait(20)
    leaves = queue.leave()
    late = queue.submit(Submission("b3", (DEALER,), NoMoreBets()))
    gated.open.set()

    assert isinstance(before.result(20), Accepted)
    assert leaves.result(20) is True
    with pytest.raises(WriterConflict):
        late.result(20)
    after = queue.submit(Submission("b4", (DEALER,), NoMoreBets()))
    with pytest.raises(WriterConflict):
        after.result(20)
    assert store.answered("t1", ["b1", "b3", "b4"]) == {"b1"}
    assert queue.has_left
    queue.close()
    assert not queue.is_alive


def test_a_table_that_is_unsure_is_not_left(store: Store, serve: ServeTable) -> None:
    gated = Gated(store)
    played = Played(store, append=gated.append)
    queue = serve(played.table, gated)
    gated.fails = True
    failed = queue.submit(Submission("b1", (DEALER,), PlaceYourBets()))
    with pytest.raises(JournalFailed):
        failed.result(20)

    assert queue.leave().result(20) is False

    gated.fails = False
    assert isinstance(
        queue.submit(Submission("b1", (DEALER,), PlaceYourBets())).result(20),
        Accepted,
    )
    queue.close()
