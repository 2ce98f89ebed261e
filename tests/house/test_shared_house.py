"""A house that several nodes write: one order, no lost act, all fold the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from threading import Event, Thread
from time import monotonic

import pytest

from croupier.house.people import proposals
from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.vouchers_and_days import close_gaming_day, expire_vouchers
from croupier.journal.events import house as house_events
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalError,
    StreamMoved,
    WriterConflict,
)
from croupier.journal.stores import open_store, postgresql_sharing
from croupier.journal.verification import verify
from croupier.ledger.commands import Adjust
from croupier.rules.operator import Person, Role
from tests.house.any_event import any_event
from tests.house.shared_house import HouseNode, house_nodes
from tests.journal.stores import postgres_server, postgres_url, run_sql, sqlite_url

__all__ = ["postgres_server", "postgres_url", "sqlite_url"]
NODES, ACTS = 3, 25


@pytest.fixture
def nodes(postgres_url: str) -> Iterator[list[HouseNode]]:
    with house_nodes(postgres_url, 2) as both:
        yield both


def _propose(record: HouseRecord, by: str) -> int:
    """An act that reads the state before it writes: it takes the next number."""
    act = Adjust("T1", 100, "a test")
    return proposals.record_proposed(
        record, by=by, position="Dealer", acting=False, table="t1", act=act
    ).number


def test_acts_of_many_nodes_at_once_are_one_order_and_none_is_lost(
    postgres_url: str,
) -> None:
    with house_nodes(postgres_url, NODES) as nodes:
        numbers: list[int] = []

        def act(node: HouseNode, name: str) -> None:
            for each in range(ACTS):
                numbers.append(_propose(node.record, f"{name} {each}"))
                node.record.write(house_events.PlayerDefined(name, f"{name} {each}"))

        threads = [
            Thread(target=act, args=(node, f"node {place}"))
            for place, node in enumerate(nodes)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for node in nodes:
            node.record.follow()

        assert sorted(numbers) == list(range(1, NODES * ACTS + 1))
        states = [node.record.state for node in nodes]
        assert states[0] == states[1] == states[2] == read_house_state(nodes[0].store)
        assert len(states[0].players) == len(states[0].proposals) == NODES * ACTS
        first, *others = [node.heard for node in nodes]
        assert len(first) == 2 * NODES * ACTS
        assert all(heard == first for heard in others), "each hears all, in one order"
        who = Counter(
            each.by for each in first if isinstance(each, house_events.PlayerDefined)
        )
        assert set(who.values()) == {ACTS}
        assert verify(nodes[0].store, folds=house_folds()).is_clean


@pytest.mark.parametrize("seed", range(3))
def test_events_of_all_kinds_fold_to_the_same_house_at_each_node(
    nodes: list[HouseNode], seed: int
) -> None:
    random = Random(seed)
    written: list[house_events.HouseEvent] = []
    while len(written) < 40:
        node, event = random.choice(nodes), any_event(random)
        if isinstance(
            event, house_events.HouseDefined
        ):  # with a time zone of some sort
            continue
        node.record.write(event)
        written.append(event)
        if random.random() < 0.3:
            random.choice(nodes).record.follow()
    for node in nodes:
        node.record.follow()

    one, other = nodes
    assert one.heard == other.heard == written
    assert one.record.state == other.record.state == read_house_state(one.store)
    assert verify(one.store, folds=house_folds()).is_clean


def test_an_act_is_decided_on_another_nodes_latest_events(
    nodes: list[HouseNode],
) -> None:
    one, other = nodes
    one.record.write(house_events.PlayerDefined("Ina", "Anna"))
    assert "Anna" not in other.record.state.players

    with other.record.lock:
        seen = set(other.record.state.players)

    assert seen == {"Anna"}


def test_only_one_node_at_a_time_has_the_lock(nodes: list[HouseNode]) -> None:
    one, other = nodes
    has_it, order = Event(), list[str]()

    def wait_for_it() -> None:
        has_it.wait()
        with other.record.lock:
            order.append("other")

    waiting = Thread(target=wait_for_it)
    waiting.start()
    with one.record.lock:
        has_it.set()
        waiting.join(0.2)
        order.append("one")
        one.record.write(house_events.PlayerDefined("Ina", "Anna"))
    waiting.join()

    assert order == ["one", "other"]


def test_an_overtaken_node_writes_nothing_and_decides_again(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, other = nodes
    runs: list[int] = []

    def act() -> int:
        runs.append(one.record.state.last_proposal)
        if len(runs) == 1:  # the session with the turn ends: another takes it
            run_sql(
                postgres_url,
                "SELECT pg_terminate_backend(pid, 2000) FROM pg_locks"
                " WHERE locktype = 'advisory' AND granted",
            )
            _propose(other.record, "other")
        return _propose(one.record, "one")

    number = one.record.act(act)

    assert (number, runs) == (2, [0, 1])
    assert [each.by for each in read_house_state(one.store).proposals.values()] == [
        "other",
        "one",
    ]


def test_an_act_that_has_written_is_not_run_again(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, other = nodes

    def act() -> None:
        _propose(one.record, "one")
        run_sql(
            postgres_url,
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_locks"
            " WHERE locktype = 'advisory' AND granted",
        )
        _propose(other.record, "other")
        _propose(one.record, "one again")

    with pytest.raises(StreamMoved):
        one.record.act(act)

    state = read_house_state(one.store)
    assert [each.by for each in state.proposals.values()] == ["one", "other"]


def test_a_node_that_hangs_in_its_turn_is_put_out(
    nodes: list[HouseNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_sharing, "_LONGEST_TURN_S", 1)
    monkeypatch.setattr(postgresql_sharing, "_LOOK_EVERY_MS", 500)
    one, other = nodes

    with one.record.lock:
        assert _propose(other.record, "other") == 1
        with pytest.raises(StreamMoved):
            _propose(one.record, "one")

    one.record.write(house_events.PlayerDefined("Ina", "Anna"))
    assert set(read_house_state(other.store).players) == {"Anna"}


def test_a_turn_is_had_though_its_idle_session_was_ended(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, other = nodes
    one.record.write(house_events.PlayerDefined("Ina", "Anna"))
    [(ended,)] = run_sql(
        postgres_url,
        "SELECT count(pg_terminate_backend(pid, 2000)) FROM pg_stat_activity"
        " WHERE query LIKE 'SELECT pg_advisory_unlock%'",
    )

    one.record.write(house_events.PlayerDefined("Ina", "Ben"))

    assert ended >= 1
    assert set(read_house_state(other.store).players) == {"Anna", "Ben"}


def test_what_one_node_writes_another_hears_soon(nodes: list[HouseNode]) -> None:
    one, other = nodes
    failures: list[JournalError] = []
    heard = Event()
    other.record.listeners.append(lambda _: heard.set())
    other.record.begin_following(failures.append, failures.append)
    try:
        assert heard.wait(0.1) is False
        began = monotonic()
        one.record.write(house_events.PlayerDefined("Ina", "Anna"))
        assert heard.wait(5)
        took = monotonic() - began
    finally:
        other.record.close()

    assert took < 0.9, "told, not found out a second later"
    assert "Anna" in other.record.state.players
    assert failures == []
    assert (other.record.lag_s or 60) < 60


def test_a_follower_goes_on_after_its_session_was_ended(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, other = nodes
    failures: list[JournalError] = []
    heard = Event()
    other.record.listeners.append(lambda _: heard.set())
    other.record.begin_following(failures.append, failures.append)
    try:
        heard.wait(0.2)
        run_sql(
            postgres_url,
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
            " WHERE query LIKE 'LISTEN%'",
        )
        one.record.write(house_events.PlayerDefined("Ina", "Anna"))
        assert heard.wait(5)
    finally:
        other.record.close()

    assert len(failures) == 1


def test_a_node_that_cant_read_a_newer_ones_events_says_so_once(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, other = nodes
    failures: list[JournalError] = []
    one.record.write(house_events.PlayerDefined("Ina", "Anna"))
    run_sql(
        postgres_url, f"UPDATE events SET schema = 99 WHERE stream = '{HOUSE_STREAM}'"
    )
    is_lost = Event()

    def lose(error: JournalError) -> None:
        failures.append(error)
        is_lost.set()

    other.record.begin_following(failures.append, lose)
    try:
        assert is_lost.wait(20)
    finally:
        other.record.close()

    [error] = failures
    assert "no 'PlayerDefined' of schema 99 is known" in str(error)
    assert "run the newer one that wrote it" in str(error)


def test_vouchers_and_days_are_written_in_turn(
    nodes: list[HouseNode],
) -> None:
    one, other = nodes
    by = Person("Ina", Role.SYSTEM)
    close_gaming_day(one.record, by)
    other.record.write(house_events.PlayerDefined("Ina", "Anna"))

    assert one.record.act(lambda: expire_vouchers(one.record, by)) == 0
    assert one.record.state == other.record.state
    assert one.record.state.closed_day is not None


def test_a_house_claimed_by_one_process_alone_is_lost_to_the_nodes(
    nodes: list[HouseNode], postgres_url: str
) -> None:
    one, _ = nodes
    with open_store(postgres_url) as store:
        HouseRecord(store, lambda: 1_000).write(
            house_events.PlayerDefined("Ina", "Anna")
        )

        with pytest.raises(WriterConflict):
            one.record.write(house_events.PlayerDefined("Ina", "Ben"))

        assert store.epochs()[HOUSE_STREAM] == one.record.epoch + 1
