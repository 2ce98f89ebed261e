"""The registry of nodes on a real PostgreSQL: locks, beats, owners."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest

from croupier.journal.node_registry import NO_NODE
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import JournalError, WriterConflict
from croupier.journal.stores import (
    NodeJournal,
    open_lease,
    open_node,
    open_node_rows,
    open_store,
)
from tests.journal.stores import run_sql


@pytest.fixture
def url(postgres_url: str) -> str:
    open_store(postgres_url).close()
    return postgres_url


@contextmanager
def nodes(url: str, *names: str) -> Iterator[list[NodeJournal]]:
    with ExitStack() as stack:
        yield [stack.enter_context(open_node(url, name, version="1")) for name in names]


def _end_sessions(url: str, name: str) -> None:
    run_sql(
        url,
        "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
        f" WHERE application_name = (SELECT sessions FROM nodes WHERE name = '{name}')",
    )


def _make_silent(url: str, name: str) -> None:
    run_sql(
        url,
        "UPDATE nodes SET beat_at = beat_at - interval '1 minute'"
        f" WHERE name = '{name}'",
    )


def test_every_node_sees_all_nodes(url: str) -> None:
    with nodes(url, "b", "a") as (_, a):
        seen = a.registry.beat({})

    assert [(n.name, n.version) for n in seen.nodes] == [("a", "1"), ("b", "1")]
    assert all(node.is_alive for node in seen.nodes)


def test_a_name_belongs_to_one_process(url: str) -> None:
    with (
        nodes(url, "a"),
        pytest.raises(LeaseHeld, match="another process is the node a"),
        nodes(url, "a"),
    ):
        pass


def test_nodes_and_a_process_without_a_node_keep_each_other_out(url: str) -> None:
    with nodes(url, "a", "b"), pytest.raises(LeaseHeld, match="open as its house"):
        open_lease(url)
    with (
        open_lease(url),
        pytest.raises(LeaseHeld, match="open as its house, without a node"),
        nodes(url, "a"),
    ):
        pass


def test_a_journal_of_a_newer_croupier_has_no_node_of_this_one(url: str) -> None:
    with nodes(url, "a"):
        run_sql(url, "UPDATE croupier_journal SET version = 99")
        with (
            pytest.raises(JournalError, match="written by a newer croupier"),
            nodes(url, "b"),
        ):
            pass
        with open_node_rows(url) as rows:
            listed = [node.name for node in rows.registered().nodes]

    assert listed == ["a"]


@pytest.mark.parametrize("name", ["", "a b", "é", "-a", "a" * 33])
def test_a_bad_name_of_a_node_is_refused(url: str, name: str) -> None:
    with pytest.raises(JournalError, match="up to 32 letters"), nodes(url, name):
        pass


def test_a_file_has_no_nodes(sqlite_url: str) -> None:
    with pytest.raises(JournalError, match="nodes need PostgreSQL"):
        open_node_rows(sqlite_url)
    with (
        pytest.raises(JournalError, match="nodes need PostgreSQL"),
        nodes(sqlite_url, "a"),
    ):
        pass


def test_only_one_node_takes_a_table(url: str) -> None:
    with nodes(url, "a", "b", "c") as journals:
        claimed: list[bool] = []
        threads = [
            Thread(target=lambda r=each.registry: claimed.append(r.claim("t1", None)))
            for each in journals
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        owners = journals[0].registry.beat({}).owners

    assert sorted(claimed) == [False, False, True]
    assert [(each.table, each.epoch) for each in owners.values()] == [("t1", 1)]


def test_a_table_is_claimed_as_it_was_read_or_not_at_all(url: str) -> None:
    with nodes(url, "a", "b", "c") as (a, b, c):
        a.registry.claim("t1", None)
        first = b.registry.beat({}).owners["t1"]
        claimed = b.registry.claim("t1", first)
        late = c.registry.claim("t1", first)
        owner = c.registry.beat({}).owners["t1"]

    assert (claimed, late) == (True, False)
    assert (owner.node, owner.epoch) == ("b", 2)


def test_a_node_claims_only_streams_of_its_own_tables(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        with pytest.raises(WriterConflict):
            a.store.claim_stream("t1")
        a.registry.claim("t1", None)
        before = b.registry.beat({}).owners["t1"]
        epochs = [a.store.claim_stream("t1"), a.store.claim_stream("t1")]
        b.registry.claim("t1", before)
        with pytest.raises(WriterConflict):
            a.store.claim_stream("t1")
        epochs.append(b.store.claim_stream("t1"))

    assert epochs == [1, 2, 3]


def test_a_table_that_is_asked_for_is_handed_over_with_its_end(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.claim("t1", None)
        a.registry.want("t1")
        b.registry.want("t1")
        b.registry.want("t2")
        asked = a.registry.beat({}).owners
        b.registry.hand_over("t1", 1)
        a.registry.hand_over("t1", 7)
        free = b.registry.beat({}).owners["t1"]
        b.registry.claim("t1", free)
        claimed = b.registry.beat({}).owners["t1"]

    assert (asked["t1"].node, asked["t1"].wanted) == ("a", "b")
    assert (asked["t2"].node, asked["t2"].wanted, asked["t2"].epoch) == (
        NO_NODE,
        "b",
        0,
    )
    assert (free.node, free.wanted, free.left_at) == (NO_NODE, "b", 7)
    assert (claimed.node, claimed.wanted, claimed.left_at) == ("b", NO_NODE, None)
    assert claimed.epoch == 2


def test_the_time_without_an_owner_is_known(url: str) -> None:
    with nodes(url, "a") as (a,):
        a.registry.claim("t1", None)
        run_sql(url, "UPDATE table_owners SET since = since - interval '1 hour'")
        long = a.registry.beat({}).owners["t1"].age_ms
        a.registry.hand_over("t1", None)
        free = a.registry.beat({}).owners["t1"].age_ms

    assert long >= 3_600_000
    assert 0 <= free < 60_000


def test_only_the_owner_writes_a_summary(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.claim("t1", None)
        a.registry.beat({"t1": "of a"})
        seen = b.registry.beat({"t1": "of b"})

    assert seen.owners["t1"].summary == "of a"


def test_another_node_is_woken_by_a_table_that_is_handed_over(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.claim("t1", None)
        b.registry.wait(0.01)
        b.registry.wait(0.2)
        woken: list[bool] = []
        waits = Thread(target=lambda: woken.append(b.registry.wait(10)))
        waits.start()
        a.registry.hand_over("t1", None)
        waits.join()
        idle = b.registry.wait(0.01)

    assert woken == [True]
    assert not idle


def test_a_node_whose_session_ends_is_not_alive_until_it_beats_again(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.claim("t1", None)
        _end_sessions(url, "a")
        gone = b.registry.beat({}).node("a")
        back = a.registry.beat({}).node("a")

    assert gone is not None
    assert back is not None
    assert (gone.is_connected, gone.is_alive) == (False, False)
    assert (back.is_connected, back.is_alive) == (True, True)


def test_a_node_whose_session_ended_claims_nothing_before_it_has_beaten(
    url: str,
) -> None:
    with nodes(url, "a") as (a,):
        _end_sessions(url, "a")
        with pytest.raises(JournalError):
            a.registry.claim("t1", None)
        unheld = a.registry.claim("t1", None)
        a.registry.beat({})
        held = a.registry.claim("t1", None)

    assert (unheld, held) == (False, True)


def test_all_sessions_of_a_hanging_node_are_ended(url: str) -> None:
    with nodes(url, "a", "b") as (_, b):
        b.registry.put_out("a")
        kept = b.registry.beat({}).node("a")
        _make_silent(url, "a")
        silent = b.registry.beat({}).node("a")
        b.registry.put_out("a")
        out = b.registry.beat({}).node("a")
        left = run_sql(
            url,
            "SELECT count(*) FROM pg_stat_activity WHERE application_name ="
            " (SELECT sessions FROM nodes WHERE name = 'a')",
        )

    assert kept is not None
    assert silent is not None
    assert out is not None
    assert kept.is_alive
    assert (silent.is_connected, silent.is_alive) == (True, False)
    assert out.is_connected is False
    assert left == [(0,)]


def test_a_node_that_leaves_is_forgotten(url: str) -> None:
    with nodes(url, "a") as (a,):
        with nodes(url, "b"):
            pass
        seen = a.registry.beat({}).nodes

    assert [(n.name, n.is_alive) for n in seen] == [("a", True)]


def test_an_owner_forgets_tables_that_no_longer_exist(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.claim("t1", None)
        a.registry.claim("t2", None)
        b.registry.forget(["t1"])
        a.registry.forget(["t2"])
        owners = a.registry.beat({}).owners

    assert owners.keys() == {"t1"}


def test_a_process_without_a_node_lists_the_nodes(url: str) -> None:
    with nodes(url, "a", "b") as (a, _):
        a.registry.claim("t1", None)
        with open_node_rows(url) as rows:
            seen = rows.registered()

    assert [node.name for node in seen.nodes] == ["a", "b"]
    assert seen.owners["t1"].node == "a"
