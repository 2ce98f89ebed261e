"""A store keeps all its rows, on both databases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from croupier.journal.chain import event_hash
from croupier.journal.store import JournalError, Store, WriterConflict
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import GENESIS, AnswerRow, HeadRow, StreamBatch
from croupier.ledger.accounts import LAYOUT, seat
from tests.journal.batches import (
    ENTRIES,
    append,
    balance,
    batch,
    snapshot,
    voucher,
)
from tests.journal.stored import (
    checkpoints,
    publish_text,
    stored_answers,
    stored_snapshots,
)
from tests.journal.stores import run_sql
from tests.journal.texts import TEXTS


def test_everything_appended_is_read_back_after_closing(store_url: str) -> None:
    whole = batch(
        "one",
        bodies=['{"n":1}', '{"n":2}', '{"n":3}'],
        vouchers=(voucher("A1"), voucher("B2", 1)),
        snapshot=snapshot("one", 2, '{"at":2}'),
    )
    with open_store(store_url) as store:
        store.claim_stream("one")
        append(store, whole)
        publish_text(store, "signed 1")
        publish_text(store, "signed 2")

    with open_store(store_url) as store:
        assert list(store.events("one")) == list(whole.events)
        entries = [("one", n, line, *each) for n, line, each in store.entries("one")]
        assert entries == list(whole.entries)
        answers = [("one", *each) for each in stored_answers(store, "one")]
        assert answers == list(whole.answers)
        assert store.balances("one") == dict(whole.balances)
        assert list(store.vouchers()) == list(whole.vouchers)
        assert stored_snapshots(store, "one") == [whole.snapshot]
        assert store.heads() == [HeadRow("one", 3, whole.events[-1].hash)]
        assert checkpoints(store) == ["signed 1", "signed 2"]


def test_events_between_two_numbers_are_read(store: Store) -> None:
    store.claim_stream("one")
    append(store, batch("one", bodies=["a", "b", "c", "d"]))
    written = list(store.events("one"))

    assert store.few_events("one", 2, 3) == written[1:3]
    assert store.few_events("one", 4, 4) == written[3:]
    assert store.few_events("one", -5, 1) == written[:1]
    assert store.few_events("one", 5, 9) == store.few_events("two", 1, 1) == []


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_text_comes_back_exactly_and_its_chain_holds(store: Store, text: str) -> None:
    store.claim_stream("one")
    append(store, batch("one", bodies=[text], snapshot=snapshot("one", 1, text)))

    [row] = store.events("one")

    assert row.body == text
    assert row.hash == event_hash(GENESIS, row, ENTRIES)
    assert store.snapshot("one") == snapshot("one", 1, text)


def test_names_of_any_script_are_told_apart_and_ordered_by_code_point(
    store: Store,
) -> None:
    names = ["b", "B", "é", "e\u0301", "z", "🎲", "\uffff", "a b", "a", "A", "_"]
    for name in names:
        store.claim_stream(name)

    found = [head.stream for head in store.heads()]

    assert found == sorted(names)


def test_a_new_stream_has_no_events_and_an_unknown_one_has_no_head(
    store: Store,
) -> None:
    store.claim_stream("one")

    assert store.head("one") == HeadRow("one", 0, GENESIS)
    assert store.head("two") is None
    assert list(store.events("one")) == []
    assert store.answer("one", "command 1") is None
    assert store.snapshot("one") is None


def test_events_are_read_from_a_sequence_on_and_of_one_round(store: Store) -> None:
    store.claim_stream("one")
    append(store, batch("one", bodies=["{}"] * 35))

    later = [row.sequence for row in store.events("one", after=30)]
    of_round = [row.sequence for row in store.events("one", round_number=3)]
    both = [row.sequence for row in store.events("one", after=27, round_number=3)]
    entries = [(sequence, line) for sequence, line, _ in store.entries("one", after=34)]

    assert later == [31, 32, 33, 34, 35]
    assert of_round == list(range(20, 30))
    assert both == [28, 29]
    assert entries == [(35, 0), (35, 1)]


def test_an_answer_is_found_by_its_command_and_stream(store: Store) -> None:
    for stream in ("one", "two"):
        store.claim_stream(stream)
    append(store, batch("one", bodies=["{}"] * 2), batch("two"))

    assert store.answer("one", "command 2") == AnswerRow("command 2", 2, 2)
    assert store.answer("two", "command 2") is None


def test_many_commands_are_asked_for_at_once(store: Store) -> None:
    store.claim_stream("one")
    store.claim_stream("two")
    append(store, batch("one", bodies=["{}"] * 3))
    append(store, batch("two", bodies=["{}"] * 5))
    asked = ["command 2", "command 5", "nobody's", "a\x00b", "command 3"]

    known = store.answered("one", [*asked, *(f"x{n}" for n in range(3_000))])

    assert known == {"command 2", "command 3"}
    assert store.answered("one", []) == set()
    assert store.answered("three", asked) == set()


def test_answers_come_in_the_order_in_which_they_were_given(store: Store) -> None:
    store.claim_stream("one")
    append(store, batch("one", bodies=["{}"] * 2_500))

    firsts = [row.first for row in stored_answers(store, "one")]

    assert firsts == list(range(1, 2_501))


def test_the_latest_snapshot_is_found_and_all_are_kept(store: Store) -> None:
    store.claim_stream("one")
    for at in range(25):
        append(store, batch("one", after=at, snapshot=snapshot("one", at + 1)))

    latest = store.snapshot("one")

    assert latest == snapshot("one", 25)
    kept = stored_snapshots(store, "one")
    assert [row.sequence for row in kept] == list(range(1, 26))


def test_a_balance_is_replaced_and_others_stay(store: Store) -> None:
    store.claim_stream("one")
    append(store, batch("one"))
    append(store, batch("one", after=1, balances=balance(seat("Anna"), 7)))

    assert store.balances("one") == {seat("Anna"): 7, LAYOUT: -100}


def test_a_group_commit_writes_several_streams_in_one_commit(store_url: str) -> None:
    streams = [f"table {number}" for number in range(20)]
    with open_store(store_url) as store:
        for stream in streams:
            store.claim_stream(stream)
        before = _commits(store_url)
        append(store, *(batch(stream) for stream in streams))
        commits = _commits(store_url) - before

    assert commits == 1
    with open_store(store_url) as store:
        assert {head.sequence for head in store.heads()} == {1}
        assert len(store.heads()) == 20


def test_many_streams_take_hardly_more_statements_than_one(tmp_path: Path) -> None:
    names = [f"Tisch {number} “ä” 東" for number in range(64)]
    ran: list[str] = []

    def note(_cursor: object, sql: str, _bindings: object) -> bool:
        ran.append(sql)
        return True

    with SqliteStore(tmp_path / "many.db") as store:
        for name in names:
            store.claim_stream(name)
        store._connection.exec_trace = note
        append(store, *(batch(name) for name in names))
        store._connection.exec_trace = None
        heads = {head.stream: head.sequence for head in store.heads()}

    assert heads == dict.fromkeys(names, 1)
    assert len(ran) < 12, ran


def _commits(url: str) -> int:
    """Count the commits that wrote, by commit marks in SQLite's WAL or row stamps."""
    if not url.startswith("sqlite"):
        return len(run_sql(url, "SELECT DISTINCT xmin::text FROM events"))
    with open(url.removeprefix("sqlite:///") + "-wal", "rb") as file:  # noqa: PTH123
        wal = file.read()
    page, salt = int.from_bytes(wal[8:12]), wal[16:24]
    frames = (wal[at : at + 24] for at in range(32, len(wal), page + 24))
    return sum(f[8:16] == salt and int.from_bytes(f[4:8]) > 0 for f in frames)


def test_one_group_may_continue_a_stream_twice(store: Store) -> None:
    store.claim_stream("one")

    problems = store.append(
        [batch("one"), batch("one", after=1), batch("one", after=1)]
    )

    assert problems[:2] == [None, None]
    assert isinstance(problems[2], WriterConflict)
    assert [row.sequence for row in store.events("one")] == [1, 2]


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(batch("one", epoch=1, after=2), id="an older epoch"),
        pytest.param(batch("one", epoch=3, after=2), id="an epoch of nobody"),
        pytest.param(batch("one", epoch=2, after=1), id="a sequence that is taken"),
        pytest.param(batch("one", epoch=2, after=3), id="a sequence too far"),
        pytest.param(batch("nobody's", epoch=1), id="a stream never claimed"),
    ],
)
def test_a_writer_that_lost_its_stream_is_refused_and_others_are_written(
    store: Store, late: StreamBatch
) -> None:
    store.claim_stream("one")
    assert store.claim_stream("one") == 2
    append(store, batch("one", epoch=2, bodies=["{}"] * 2))
    for stream in ("before", "behind"):
        store.claim_stream(stream)
    kept = list(store.events("one"))

    first, problem, last = store.append([batch("before"), late, batch("behind")])

    assert (first, last) == (None, None)
    assert isinstance(problem, WriterConflict)
    assert str(problem) == f"another writer has {late.stream} now"
    assert list(store.events("one")) == kept
    assert [head.sequence for head in store.heads()] == [1, 1, 2]


def test_of_two_writers_at_once_exactly_one_wins(store_url: str) -> None:
    with open_store(store_url) as one, open_store(store_url) as two:
        for round_number in range(20):
            start = Barrier(2)

            def write(
                store: Store,
                player: str,
                start: Barrier = start,
                at: int = round_number,
            ) -> JournalError | None:
                start.wait()
                body = f'"{player}"'
                [problem] = store.append([batch("one", after=at, bodies=[body])])
                return problem

            if not round_number:
                one.claim_stream("one")
            with ThreadPoolExecutor(2) as pool:
                outcomes = list(pool.map(write, (one, two), ("Anna", "Ben")))

            winners = [
                name
                for name, out in zip(("Anna", "Ben"), outcomes, strict=True)
                if out is None
            ]
            assert len(winners) == 1
            assert {type(out) for out in outcomes} == {type(None), WriterConflict}
            [row] = one.events("one", after=round_number)
            assert row.body == f'"{winners[0]}"'


def test_concurrent_claims_get_different_epochs(store_url: str) -> None:
    with open_store(store_url) as one, open_store(store_url) as two:
        claims: list[Callable[[str], int]] = [one.claim_stream, two.claim_stream] * 10
        with ThreadPoolExecutor(8) as pool:
            epochs = list(pool.map(lambda claim: claim("one"), claims))

    assert sorted(epochs) == list(range(1, 21))


def test_a_slow_reader_blocks_no_writer(store_url: str) -> None:
    with open_store(store_url) as one, open_store(store_url) as two:
        one.claim_stream("one")
        one.claim_stream("two")
        append(one, batch("one", bodies=["{}"] * 1_500))
        reading = one.events("one")
        next(reading)

        append(two, batch("two"))
        append(one, batch("one", after=1_500))

        assert [row.sequence for row in reading] == list(range(2, 1_502))


def test_many_threads_write_and_read_through_one_store(store: Store) -> None:
    def play(number: int) -> int:
        stream = f"table {number}"
        epoch = store.claim_stream(stream)
        for at in range(25):
            append(store, batch(stream, epoch=epoch, after=at))
            assert sum(1 for _ in store.events(stream)) == at + 1
        return sum(cents for _, _, (_, cents) in store.entries(stream))

    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(play, range(8)))

    assert sums == [0] * 8
    assert [head.sequence for head in store.heads()] == [25] * 8


GROWTH = """
import resource, sys
from croupier.journal.stores import open_store

def peak_kib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

with open_store(sys.argv[1]) as store:
    sum(1 for read in (store.events, store.entries) for _ in read("two"))
    before = peak_kib()
    events = sum(len(row.body) for row in store.events("one"))
    entries = sum(1 for _ in store.entries("one"))
    print(events, entries, peak_kib() - before)
"""


def test_a_hundred_thousand_events_are_read_in_constant_memory(
    store: Store, store_url: str
) -> None:
    for stream in ("one", "two"):
        store.claim_stream(stream)
    append(store, batch("two", bodies=["x" * 400] * 2_500))
    numbers = (
        "WITH RECURSIVE numbers(n) AS"
        " (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)"
    )
    body = "x" * 400
    for rows in (
        f"events SELECT 'one', n, n, '', 0, 2, '', '', '', '{body}', '' FROM numbers",
        "entries SELECT 'one', n, 0, 'house', n FROM numbers",
    ):
        run_sql(store_url, f"{numbers} INSERT INTO {rows}")

    read = subprocess.run(
        [sys.executable, "-c", GROWTH, store_url],
        capture_output=True,
        text=True,
        check=True,
    )

    events, entries, growth_kib = map(int, read.stdout.split())
    assert (events, entries) == (40_000_000, 100_000)
    assert growth_kib < 8_192, "a fifth of the text alone"
