"""The steps of a node, from what it sees of all nodes and tables."""

from __future__ import annotations

import logging
from collections.abc import Collection, Set
from dataclasses import dataclass, field, replace
from zlib import crc32

import pytest

from croupier.house.floor.nodes import (
    HELD_S,
    SETTLED_S,
    UNOWNED_S,
    Nodes,
    NodeSteps,
    NodeView,
    next_steps,
)
from croupier.journal.node_registry import (
    CLOCK_OFF_MS,
    NO_NODE,
    SILENT_MS,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.journal.store import JournalError, ServerAway
from tests.simulation.memory_nodes import MemoryRegistry, MemoryRows

TABLES = tuple(f"t{number}" for number in range(8))


def row(
    name: str, silent_ms: int = 0, *, off_ms: int = 0, ended: bool = False
) -> NodeRow:
    return NodeRow(name, "1", not ended, silent_ms, off_ms)


def owned(
    table: str, node: str = NO_NODE, age_s: float = 0, wanted: str = ""
) -> Ownership:
    return Ownership(table, node, 1, round(age_s * 1000), wanted)


def steps(
    nodes: Collection[NodeRow],
    owners: Collection[Ownership],
    *,
    here: Collection[str] = (),
    tables: Collection[str] = TABLES,
    gone_s: float = 0.0,
    joined_s: float = 100.0,
    **more: object,
) -> NodeSteps:
    """The steps of node a, to which all that are gone have been so for some seconds."""
    view = NodeView(
        me="a",
        tables=tables,
        here=here,
        registered=Registered(tuple(nodes), {each.table: each for each in owners}),
        gone_since={each.name: 1_000 - gone_s for each in nodes},
        joined=1_000 - joined_s,
        now=1_000.0,
    )
    return next_steps(replace(view, **more))  # type: ignore[arg-type]


def share_of(node: str, *names: str) -> set[str]:
    return {t for t in TABLES if sorted(names)[crc32(t.encode()) % len(names)] == node}


def test_tables_that_never_had_an_owner_are_shared_out_at_once() -> None:
    assert steps([row("a")], []).claim.keys() == set(TABLES)
    two = steps([row("a"), row("b")], []).claim.keys()
    assert two == share_of("a", "a", "b")
    assert 0 < len(two) < len(TABLES)


def test_a_table_that_was_handed_over_is_left_to_its_asker_for_a_while() -> None:
    nodes = [row("a"), row("b")]
    mine = share_of("a", "a", "b")

    def claimed(age_s: float, wanted: str) -> Set[str]:
        owners = [owned(table, NO_NODE, age_s, wanted) for table in TABLES]
        return steps(nodes, owners).claim.keys()

    assert claimed(0, "b") == set()
    assert claimed(UNOWNED_S - 0.1, "b") == set()
    assert claimed(UNOWNED_S, "b") == mine
    assert claimed(2 * UNOWNED_S, "b") == set(TABLES)
    assert claimed(0, "a") == set(TABLES)


@pytest.mark.parametrize("gone", [row("b", ended=True), row("b", SILENT_MS)])
def test_tables_of_a_node_that_is_gone_are_claimed(gone: NodeRow) -> None:
    owners = [owned(table, "b") for table in TABLES]
    asked = [owned(table, "b", wanted="a") for table in TABLES]
    nodes = [row("a"), gone]

    assert steps(nodes, owners, gone_s=UNOWNED_S - 0.1).claim == {}
    assert steps(nodes, owners, gone_s=UNOWNED_S).claim.keys() == set(TABLES)
    assert steps(nodes, asked, gone_s=0.1).claim.keys() == set(TABLES)


def test_a_node_that_has_just_come_claims_nothing_from_others() -> None:
    nodes, asked = [row("a"), row("b", ended=True)], [owned("t1", "b", wanted="a")]

    def seen(joined_s: float) -> NodeSteps:
        return steps(nodes, asked, tables=["t1"], gone_s=60, joined_s=joined_s)

    assert seen(SETTLED_S - 0.1).claim == {}
    assert seen(SETTLED_S).claim.keys() == {"t1"}


def test_a_living_node_keeps_its_tables() -> None:
    owners = [owned("t1", "b", wanted="a"), owned("t2", "b")]
    found = steps([row("a"), row("b", SILENT_MS - 1)], owners, tables=["t1", "t2"])
    assert found == NodeSteps()


def test_a_node_that_hangs_is_put_out_before_its_tables_are_claimed() -> None:
    nodes = [row("a"), row("b", SILENT_MS), row("c", SILENT_MS), row("d", ended=True)]
    owners = [owned("t1", "b"), owned("t2", "d")]

    assert steps(nodes, owners, tables=["t1", "t2"]).put_out == ("b",)
    assert steps(nodes, owners, joined_s=SETTLED_S - 0.1).put_out == ()


def test_a_table_that_another_asks_for_is_handed_over_unless_it_is_held() -> None:
    nodes = [row("a"), row("b"), row("c", ended=True)]
    owners = [
        owned("t1", "a", wanted="b"),
        owned("t2", "a", wanted="c"),
        owned("t3", "a"),
    ]
    here = ["t1", "t2", "t3"]

    assert steps(nodes, owners, here=here, tables=here).hand_over == ("t1",)
    held = steps(nodes, owners, here=here, tables=here, held={"t1"})
    assert held.hand_over == ()


def test_a_node_opens_its_own_tables_and_drops_others() -> None:
    owners = [owned("t1", "a"), owned("t2", "b"), owned("t9", "a")]
    found = steps(
        [row("a"), row("b")], owners, here=["t2", "t3"], tables=["t1", "t2", "t3"]
    )

    assert found.open == ("t1",)
    assert found.drop == ("t2", "t3")
    assert found.forget == ("t9",)


def test_a_node_that_leaves_claims_and_opens_nothing() -> None:
    owners = [owned("t1", "a"), owned("t2", NO_NODE, 60, "a")]
    found = steps([row("a")], owners, tables=["t1", "t2"], is_leaving=True)
    assert (found.open, found.claim) == ((), {})


def test_a_node_whose_clock_is_wrong_hands_all_over_and_claims_none() -> None:
    owners = [owned("t1", "a"), owned("t2", "a"), owned("t3", NO_NODE, 60, "a")]
    tables = ["t1", "t2", "t3"]

    off = steps([row("a", off_ms=CLOCK_OFF_MS + 1)], owners, here=["t1"], tables=tables)
    right = steps([row("a", off_ms=CLOCK_OFF_MS)], owners, here=["t1"], tables=tables)

    assert (off.hand_over, off.let_go) == (("t1",), ("t2",))
    assert (off.open, off.claim) == ((), {})
    assert (right.hand_over, right.let_go, right.open) == ((), (), ("t2",))


def test_tables_of_a_node_with_a_wrong_clock_are_shared_by_the_others() -> None:
    owners = [owned(table, NO_NODE, UNOWNED_S) for table in TABLES]
    nodes = [row("a"), row("b", off_ms=CLOCK_OFF_MS + 1)]
    assert steps(nodes, owners).claim.keys() == set(TABLES)


def test_a_table_that_could_not_be_opened_is_left_to_others() -> None:
    owners = [owned("t1", NO_NODE, 60)]
    assert steps([row("a")], owners, tables=["t1"], failed={"t1"}).claim == {}


@dataclass
class Host:
    """A process whose tables are names."""

    all: set[str]
    here: set[str] = field(default_factory=set)
    told: dict[str, str] = field(default_factory=dict)
    lost: JournalError | None = None
    left: list[str] = field(default_factory=list)
    registry: MemoryRegistry | None = None

    def tables(self) -> Set[str]:
        return self.all

    def served(self) -> Set[str]:
        return self.here

    def summaries(self) -> dict[str, str]:
        return self.told

    def failed(self) -> Set[str]:
        return frozenset()

    def open(self, table: str, before: Ownership | None) -> None:
        self.here.add(table)

    def drop(self, table: str) -> None:
        self.here.discard(table)

    def hand_over(self, table: str) -> None:
        self.here.discard(table)
        self.left.append(table)
        assert self.registry is not None
        self.registry.hand_over(table, 5)

    def lose(self, error: JournalError) -> None:
        self.lost = error


def joined(rows: MemoryRows, name: str) -> tuple[Nodes, Host]:
    registry = MemoryRegistry(rows, name)
    return Nodes(registry, lambda: rows.now), Host({"t1"}, registry=registry)


def test_a_table_moves_to_the_node_that_asks_and_stays_for_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = MemoryRows()
    (a, at_a), (b, at_b) = joined(rows, "a"), joined(rows, "b")
    a.take_turn(at_a)
    b.take_turn(at_b)
    first, (asker, at_asker) = (a, at_a), (b, at_b)
    if at_b.here:
        first, (asker, at_asker) = (b, at_b), (a, at_a)
    (owner, at_owner) = first

    asker.registry.want("t1")
    owner.take_turn(at_owner)
    asker.take_turn(at_asker)
    assert (at_owner.here, at_asker.here) == (set(), {"t1"})

    owner.registry.want("t1")
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            rows.now += HELD_S / 3
            owner.take_turn(at_owner)
            asker.take_turn(at_asker)
    assert at_asker.left == []
    assert caplog.text.count("two nodes want t1") == 1
    rows.now += HELD_S / 3
    for node, host in ((owner, at_owner), (asker, at_asker), (owner, at_owner)):
        node.take_turn(host)
    assert (at_asker.left, at_owner.here) == (["t1"], {"t1"})


def test_lists_hear_of_a_table_from_its_owner_alone() -> None:
    rows = MemoryRows()
    (a, at_a), (b, at_b) = joined(rows, "a"), joined(rows, "b")
    a.take_turn(at_a)
    b.take_turn(at_b)
    for host, told in ((at_a, "of a"), (at_b, "of b")):
        host.told = {"t1": told}
    a.take_turn(at_a)
    b.take_turn(at_b)

    served_by = "a" if at_a.here else "b"
    assert rows.owners["t1"].summary == f"of {served_by}"
    assert (a.owner_of("t1"), b.owner_of("t1")) == (served_by, served_by)
    assert a.is_served_elsewhere("t1") is (served_by == "b")


def test_a_node_without_its_database_is_no_member_until_it_beats_again() -> None:
    rows = MemoryRows()
    node, host = joined(rows, "a")
    rows.is_away = True
    rows.now += SILENT_MS / 1000
    with pytest.raises(ServerAway):
        node.take_turn(host)
    assert (node.is_member, node.member_for_s) == (False, 0.0)

    rows.is_away = False
    node.take_turn(host)

    assert (node.is_member, node.member_for_s) == (True, 0.0)
    assert (node.is_first, node.is_alone) == (True, True)
