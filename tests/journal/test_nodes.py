"""The registry of nodes on a real PostgreSQL: locks, beats, owners."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest

from croupier.journal.node_registry import NOBODY, Ownership
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
        yield [
            stack.enter_context(
                open_node(url, name, address=f"http://{name}", version="1")
            )
            for name in names
        ]


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
    with nodes(url, "b", "a") as (b, a):
        seen = a.registry.beat({})
        secrets = {a.registry.secret, b.registry.secret}

    assert [(n.name, n.address, n.version) for n in seen.nodes] == [
        ("a", "http://a", "1"),
        ("b", "http://b", "1"),
    ]
    assert all(node.is_alive for node in seen.nodes)
    assert [len(secret) for secret in secrets] == [32]


def test_a_name_is_one_process_s(url: str) -> None:
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
def test_a_name_that_is_none_is_refused(url: str, name: str) -> None:
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


def test_a_table_is_taken_by_one_node_alone(url: str) -> None:
    with nodes(url, "a", "b", "c") as journals:
        taken: list[Ownership | None] = []
        threads = [
            Thread(target=lambda r=each.registry: taken.append(r.take("t1", None)))
            for each in journals
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        owners = journals[0].registry.beat({}).owners

    [won] = [each for each in taken if each is not None]
    assert owners == {"t1": won}
    assert won.epoch == 1


def test_a_table_is_taken_from_who_still_has_it(url: str) -> None:
    with nodes(url, "a", "b", "c") as (a, b, c):
        first = a.registry.take("t1", None)
        second = b.registry.take("t1", first)
        late = c.registry.take("t1", first)

    assert second is not None
    assert (second.node, second.epoch) == ("b", 2)
    assert late is None


def test_who_owns_no_table_can_not_claim_its_stream(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        with pytest.raises(WriterConflict):
            a.store.claim_stream("t1")
        before = a.registry.take("t1", None)
        epochs = [a.store.claim_stream("t1"), a.store.claim_stream("t1")]
        b.registry.take("t1", before)
        with pytest.raises(WriterConflict):
            a.store.claim_stream("t1")
        epochs.append(b.store.claim_stream("t1"))

    assert epochs == [1, 2, 3]


def test_a_table_that_moves_goes_where_it_was_told(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.take("t1", None)
        b.registry.ask_to_move("t1", "b", pins=True)
        asked = a.registry.beat({}).owners["t1"]
        a.registry.let_go("t1")
        free = b.registry.beat({}).owners["t1"]
        taken = b.registry.take("t1", free)

    assert (asked.node, asked.move_to) == ("a", "b")
    assert (free.node, free.move_to) == (NOBODY, "b")
    assert taken is not None
    assert (taken.node, taken.move_to, taken.is_pinned) == ("b", NOBODY, True)


def test_a_table_stays_where_it_is_told_to_go_to(url: str) -> None:
    with nodes(url, "a") as (a,):
        a.registry.take("t1", None)
        a.registry.ask_to_move("t1", "a", pins=True)
        asked = a.registry.beat({}).owners["t1"]

    assert (asked.move_to, asked.is_pinned) == (NOBODY, True)


def test_loads_are_told_by_the_owner_alone(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.take("t1", None)
        a.registry.beat({"t1": 7})
        seen = b.registry.beat({"t1": 99})

    assert seen.owners["t1"].load == 7


def test_another_node_is_woken_by_a_table_that_is_let_go(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.take("t1", None)
        b.registry.wait(0.01)
        b.registry.wait(0.2)
        woken: list[bool] = []
        waits = Thread(target=lambda: woken.append(b.registry.wait(10)))
        waits.start()
        a.registry.let_go("t1")
        waits.join()
        idle = b.registry.wait(0.01)

    assert woken == [True]
    assert not idle


def test_a_node_whose_session_ends_is_not_alive_until_it_beats_again(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.take("t1", None)
        _end_sessions(url, "a")
        gone = b.registry.beat({}).node("a")
        back = a.registry.beat({}).node("a")

    assert gone is not None
    assert back is not None
    assert (gone.is_connected, gone.is_alive) == (False, False)
    assert (back.is_connected, back.is_alive) == (True, True)


def test_a_node_whose_session_ended_takes_nothing_before_it_has_beaten(
    url: str,
) -> None:
    with nodes(url, "a") as (a,):
        _end_sessions(url, "a")
        with pytest.raises(JournalError):
            a.registry.take("t1", None)
        unheld = a.registry.take("t1", None)
        a.registry.beat({})
        held = a.registry.take("t1", None)

    assert unheld is None
    assert held is not None


def test_a_node_that_hangs_is_put_out_with_all_its_sessions(url: str) -> None:
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


def test_a_node_that_leaves_is_forgotten_unless_it_drains(url: str) -> None:
    with nodes(url, "a") as (a,):
        with nodes(url, "b", "c"):
            a.registry.drain("c", on=True)
        seen = a.registry.beat({}).nodes
        with nodes(url, "c"):
            again = a.registry.beat({}).node("c")
        a.registry.drain("c", on=False)

    assert [(n.name, n.is_alive, n.is_draining) for n in seen] == [
        ("a", True, False),
        ("c", False, True),
    ]
    assert again is not None
    assert again.is_draining


def test_tables_that_are_no_more_are_forgotten_by_their_owner(url: str) -> None:
    with nodes(url, "a", "b") as (a, b):
        a.registry.take("t1", None)
        a.registry.take("t2", None)
        b.registry.forget(["t1"])
        a.registry.forget(["t2"])
        owners = a.registry.beat({}).owners

    assert owners.keys() == {"t1"}


def test_who_is_no_node_lists_moves_and_drains(url: str) -> None:
    with nodes(url, "a", "b") as (a, _):
        a.registry.take("t1", None)
        with open_node_rows(url) as rows:
            rows.ask_to_move("t1", "b", pins=True)
            rows.drain("a", on=True)
            seen = rows.registered()

    assert [node.is_draining for node in seen.nodes] == [True, False]
    assert seen.owners["t1"].move_to == "b"
