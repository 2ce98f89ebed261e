"""Who serves which table: by many nodes that take turns, with faults in between."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.house.nodes.assignment import (
    GONE_S,
    MOVES_AT_ONCE,
    PROVEN_S,
    SETTLED_S,
    NodeView,
    next_steps,
    note_statuses,
)
from croupier.journal.node_registry import (
    NOBODY,
    SILENT_MS,
    NodeRow,
    Ownership,
    Registered,
)
from tests.simulation.memory_nodes import MemoryNode, MemoryRegistry, MemoryRows, join

TABLES = {f"t{number:02}" for number in range(10)}
NAMES = ("A", "B", "C", "D")


class Floor:
    """Nodes that take a turn each second, in an order that changes."""

    def __init__(self, *names: str, tables: set[str] = TABLES) -> None:
        self.rows = MemoryRows()
        self.tables = set(tables)
        self.alive: dict[str, MemoryNode] = {}
        for name in names:
            self.start(name)

    def start(self, name: str) -> None:
        self.alive[name] = join(self.rows, name, self.tables)

    def kill(self, name: str) -> None:
        self.rows.end_session(name)
        del self.alive[name]

    def pass_seconds(self, seconds: int) -> None:
        for second in range(seconds):
            names = sorted(self.alive)
            first = second % len(names) if names else 0
            for name in names[first:] + names[:first]:
                self.rows.now += 1 / len(names)
                self.alive[name].turn()

    def serving(self) -> dict[str, str]:
        """Return who may write each table, and hold that nobody else may."""
        found: dict[str, str] = {}
        for name, node in self.alive.items():
            for table in node.host.serves:
                if node.host.may_write(table):
                    assert table not in found
                    found[table] = name
        return found

    def counts(self) -> Counter[str]:
        return Counter(self.serving().values())


def test_tables_are_spread_within_one() -> None:
    floor = Floor("A", "B", "C")

    floor.pass_seconds(30)

    assert sorted(floor.counts().values()) == [3, 3, 4]


def test_a_node_that_comes_later_is_given_its_share_once_it_is_proven() -> None:
    floor = Floor("A")
    floor.pass_seconds(10)
    floor.start("B")

    floor.pass_seconds(round(PROVEN_S) - 1)
    early = floor.counts()
    floor.pass_seconds(5)

    assert early == {"A": 10}
    assert floor.counts() == {"A": 5, "B": 5}


def test_tables_of_a_killed_node_are_taken_within_three_seconds() -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)

    floor.kill("B")
    floor.pass_seconds(3)

    assert floor.serving().keys() == TABLES
    assert sorted(floor.counts().values()) == [5, 5]


def test_a_node_that_hangs_loses_its_tables_and_writes_nothing_when_it_wakes() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)
    hanging = floor.alive["B"]
    had = set(hanging.host.serves)

    hanging.is_paused = True
    floor.pass_seconds(SILENT_MS // 1000 + 3)
    still_serves = set(hanging.host.serves)
    may_write = [table for table in had if hanging.host.may_write(table)]
    taken = floor.counts()
    hanging.is_paused = False
    floor.pass_seconds(1)
    woken = set(hanging.host.serves)
    floor.pass_seconds(20)

    assert had
    assert still_serves == had
    assert may_write == []
    assert woken == set()
    assert taken == {"A": 10}
    assert floor.counts() == {"A": 5, "B": 5}


def test_a_session_that_is_ended_costs_a_node_nothing() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)
    before, takes = floor.serving(), floor.rows.takes

    floor.rows.end_session("B")
    floor.pass_seconds(10)

    assert floor.serving() == before
    assert floor.rows.takes == takes


@pytest.mark.parametrize("seconds", [1, 4, 8, 60])
def test_nobody_takes_anything_because_the_database_was_away(seconds: int) -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)
    before, takes = floor.serving(), floor.rows.takes

    floor.rows.is_away = True
    floor.pass_seconds(seconds)
    floor.rows.is_away = False
    floor.pass_seconds(30)

    assert floor.serving() == before
    assert floor.rows.takes == takes


@pytest.mark.parametrize("seconds", [4, 8, 60])
def test_nor_where_the_database_lost_all_sessions(seconds: int) -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)
    before, takes = floor.serving(), floor.rows.takes

    floor.rows.is_away = True
    for name in floor.alive:
        floor.rows.end_session(name)
    floor.pass_seconds(seconds)
    floor.rows.is_away = False
    floor.pass_seconds(30)

    assert floor.serving() == before
    assert floor.rows.takes == takes


def test_a_table_moves_by_somebody_s_word_and_stays() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)
    table = min(t for t, name in floor.serving().items() if name == "A")

    floor.alive["B"].registry.ask_to_move(table, "B", pins=True)
    floor.pass_seconds(30)

    assert floor.serving()[table] == "B"
    assert floor.rows.owners[table].is_pinned


def test_a_table_in_play_moves_after_its_round() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)
    table = min(t for t, name in floor.serving().items() if name == "A")
    floor.alive["A"].host.in_play.add(table)

    floor.alive["A"].registry.ask_to_move(table, "B", pins=True)
    floor.pass_seconds(20)
    during = floor.serving()[table]
    floor.alive["A"].host.in_play.clear()
    floor.pass_seconds(2)

    assert (during, floor.serving()[table]) == ("A", "B")


def test_a_move_to_a_node_that_dies_is_forgotten() -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)
    table = min(t for t, name in floor.serving().items() if name == "A")
    floor.alive["A"].host.in_play.add(table)
    floor.alive["A"].registry.ask_to_move(table, "B", pins=True)

    floor.kill("B")
    floor.pass_seconds(10)

    assert floor.serving()[table] == "A"
    assert floor.rows.owners[table].move_to == NOBODY


def test_a_drained_node_has_no_tables_until_it_is_given_back() -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)

    floor.alive["A"].registry.drain("C", on=True)
    floor.pass_seconds(5)
    drained = floor.counts()
    floor.kill("C")
    floor.start("C")
    floor.pass_seconds(20)
    restarted = floor.counts()
    floor.alive["A"].registry.drain("C", on=False)
    floor.pass_seconds(20)

    assert drained == {"A": 5, "B": 5}
    assert restarted == {"A": 5, "B": 5}
    assert sorted(floor.counts().values()) == [3, 3, 4]


def test_one_node_is_the_first_and_when_it_dies_the_next() -> None:
    floor = Floor("C", "A", "B")
    floor.pass_seconds(5)

    def first() -> list[str]:
        return [name for name, each in floor.alive.items() if each.nodes.is_first]

    firsts = [first()]
    floor.kill("A")
    floor.pass_seconds(2)
    firsts.append(first())

    assert firsts == [["A"], ["B"]]


def test_a_table_that_can_not_be_opened_goes_to_the_next_node() -> None:
    floor = Floor("A", "B", "C")
    floor.pass_seconds(30)
    tried, table = [], min(floor.tables)
    for _ in range(4):
        owner = floor.rows.owners[table].node
        tried.append(owner)
        floor.alive[owner].host.drop(table)
        floor.alive[owner].nodes.pass_on(table)
        floor.pass_seconds(2)

    assert set(tried[:3]) == {"A", "B", "C"}
    assert tried[3] == tried[0]


def test_a_node_that_was_empty_is_not_given_all_that_a_drained_one_leaves() -> None:
    floor = Floor("A", "B", "C", tables={f"t{number}" for number in range(300)})
    floor.pass_seconds(30)
    floor.start("D")
    floor.pass_seconds(4)
    floor.alive["B"].registry.drain("A", on=True)
    soon: Counter[str] = Counter()
    for _ in range(20):
        floor.pass_seconds(1)
        soon = Counter(floor.counts())
        if not soon["A"] and sum(soon.values()) > 280:  # some are on their way
            break
    floor.pass_seconds(60)

    assert 0 < soon["D"] < 70, "a third of a hundred, and some that even out the floor"
    assert sorted(floor.counts().values()) == [100, 100, 100]


def test_nor_all_that_a_lost_one_had() -> None:
    floor = Floor("A", "B", "C", tables={f"t{number}" for number in range(300)})
    floor.pass_seconds(30)
    floor.start("D")
    floor.pass_seconds(4)
    floor.kill("A")
    soon: Counter[str] = Counter()
    for _ in range(20):
        floor.pass_seconds(1)
        soon = Counter(floor.counts())
        if sum(soon.values()) > 280:  # some are on their way
            break
    floor.pass_seconds(60)

    assert 0 < soon["D"] < 90, "two shares of a hundred, taken one after the other"
    assert sorted(floor.counts().values()) == [100, 100, 100]


def test_a_node_that_is_long_in_starting_is_not_put_out() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)
    floor.kill("B")
    floor.pass_seconds(10)
    starting = MemoryRegistry(floor.rows, "B")  # and beats no more for a while
    floor.pass_seconds(20)

    assert floor.rows.nodes["B"].session is starting
    assert set(floor.serving().values()) == {"A"}


@pytest.mark.parametrize("off_ms", [5_001, -5_001])
def test_a_node_whose_clock_is_wrong_has_no_tables_until_it_is_right(
    off_ms: int,
) -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)

    floor.rows.nodes["A"].clock_off_ms = off_ms
    floor.pass_seconds(5)
    off, first = floor.counts(), floor.alive["B"].nodes.is_first
    floor.rows.nodes["B"].clock_off_ms = off_ms
    floor.pass_seconds(5)
    both_off = floor.counts()
    floor.rows.nodes["A"].clock_off_ms = 5_000
    floor.pass_seconds(5)

    assert (off, first, both_off) == ({"B": 10}, True, {})
    assert floor.counts() == {"A": 10}


def test_a_node_that_comes_back_with_a_wrong_clock_gives_its_tables_up() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)

    floor.kill("A")
    floor.start("A")
    floor.rows.nodes["A"].clock_off_ms = 600_000
    floor.pass_seconds(3)

    assert floor.counts() == {"B": 10}


def test_the_last_node_keeps_its_tables_though_it_drains() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)

    floor.alive["A"].registry.drain("A", on=True)
    floor.kill("B")
    floor.pass_seconds(10)

    assert floor.counts() == {"A": 10}


def test_tables_of_a_node_that_comes_back_under_its_name_are_its_own() -> None:
    floor = Floor("A")
    floor.pass_seconds(10)
    takes = floor.rows.takes

    floor.kill("A")
    floor.start("A")
    floor.pass_seconds(1)

    assert floor.counts() == {"A": 10}
    assert floor.rows.takes == takes


def test_a_new_table_is_taken_and_a_retired_one_forgotten() -> None:
    floor = Floor("A", "B")
    floor.pass_seconds(30)

    floor.tables.add("t99")
    floor.pass_seconds(2)
    opened = floor.serving()
    floor.tables.discard("t99")
    floor.pass_seconds(2)

    assert "t99" in opened
    assert floor.serving().keys() == TABLES
    assert floor.rows.owners.keys() == TABLES


def test_load_counts_and_not_only_how_many_tables() -> None:
    floor = Floor("A", "B", tables={"heavy", "t1", "t2", "t3", "t4"})
    floor.pass_seconds(30)
    for node in floor.alive.values():
        node.host.load_of["heavy"] = 4

    floor.pass_seconds(30)

    [with_heavy] = [n for n in floor.alive.values() if "heavy" in n.host.serves]
    assert with_heavy.host.serves.keys() == {"heavy"}


def test_no_more_than_a_few_tables_are_on_the_move_to_even_out_the_floor() -> None:
    tables = {f"t{number}" for number in range(60)}
    nodes = tuple(NodeRow(name, "", "1", True, 0) for name in ("A", "B"))
    owners = {name: Ownership(name, "A", 1, 0) for name in tables}
    view = NodeView(
        me="A",
        tables=tables,
        here=tables,
        registered=Registered(nodes, owners),
        statuses=note_statuses({}, nodes, 0.0),
        joined=0.0,
        now=100.0,
    )

    steps = next_steps(view)

    assert len(steps.move) == MOVES_AT_ONCE
    assert set(steps.move.values()) == {"B"}
    assert set(steps.let_go) == set(steps.move)


def test_tables_without_an_owner_are_shared_by_those_who_see_the_same() -> None:
    nodes = (
        NodeRow("A", "", "1", True, 0),
        NodeRow("B", "", "1", False, 60_000),
        NodeRow("C", "", "1", True, 0),
    )
    owners = {name: Ownership(name, "B", 1, 0) for name in TABLES}

    taken = [
        next_steps(
            NodeView(
                me=me,
                tables=TABLES,
                here=(),
                registered=Registered(nodes, owners),
                statuses=note_statuses({}, nodes, 0.0),
                joined=0.0,
                now=100.0,
            )
        ).take.keys()
        for me in ("A", "C")
    ]

    assert [len(each) for each in taken] == [5, 5]
    assert taken[0] | taken[1] == TABLES


def test_a_node_takes_from_others_only_after_it_has_settled() -> None:
    nodes = (NodeRow("A", "", "1", True, 0), NodeRow("B", "", "1", False, 60_000))
    registered = Registered(nodes, {"t1": Ownership("t1", "B", 1, 0)})

    def taken(joined_s: float, gone_s: float) -> bool:
        view = NodeView(
            me="A",
            tables={"t1"},
            here=(),
            registered=registered,
            statuses=note_statuses({}, nodes, 100.0 - gone_s),
            joined=100.0 - joined_s,
            now=100.0,
        )
        return bool(next_steps(view).take)

    assert taken(SETTLED_S, GONE_S)
    assert not taken(SETTLED_S - 0.1, GONE_S)
    assert not taken(SETTLED_S, GONE_S - 0.1)


ACTS = st.one_of(
    st.tuples(
        st.sampled_from(["kill", "start", "pause", "wake", "cut", "heal", "drain"]),
        st.sampled_from(NAMES),
    ),
    st.tuples(
        st.sampled_from(["play", "end", "move"]), st.sampled_from(sorted(TABLES))
    ),
    st.tuples(st.just("pass"), st.integers(1, 9)),
    st.tuples(st.sampled_from(["away", "back"]), st.none()),
)


def _do(floor: Floor, what: str, value: object) -> None:
    match value:
        case str() if value in TABLES:
            _do_at_table(floor, what, value)
        case str():
            _do_to_node(floor, what, value)
        case int():
            floor.pass_seconds(value)
        case _:
            floor.rows.is_away = what == "away"


def _do_to_node(floor: Floor, what: str, name: str) -> None:
    node = floor.alive.get(name)
    if what == "drain" and name in floor.rows.nodes:
        row = floor.rows.nodes[name]
        row.is_draining = not row.is_draining
    elif what == "start" and node is None and not floor.rows.is_away:
        floor.start(name)
    elif what == "kill" and node is not None:
        floor.kill(name)
    elif what in {"pause", "wake"} and node is not None:
        node.is_paused = what == "pause"
    elif what in {"cut", "heal"} and node is not None:
        node.registry.is_cut = what == "cut"


def _do_at_table(floor: Floor, what: str, table: str) -> None:
    if what == "move":
        owner = floor.rows.owners.get(table)
        if owner is not None and owner.node != "A":
            floor.rows.owners[table] = replace(owner, move_to="A")
        return
    for node in floor.alive.values():
        if table in node.host.serves and not node.is_paused:
            playing = node.host.in_play
            (playing.add if what == "play" else playing.discard)(table)


def _heal(floor: Floor) -> None:
    """End all faults and rounds; at least one node runs."""
    floor.rows.is_away = False
    if not floor.alive:
        floor.start("A")
    for row in floor.rows.nodes.values():
        row.is_draining = False
    for node in floor.alive.values():
        node.is_paused = node.registry.is_cut = False
        node.host.in_play.clear()


@given(st.lists(ACTS, max_size=40))
def test_whatever_happens_one_writes_and_every_table_is_taken_in_the_end(
    acts: list[tuple[str, object]],
) -> None:
    floor = Floor("A", "B")

    for what, value in acts:
        _do(floor, what, value)
        floor.serving()
    _heal(floor)
    floor.pass_seconds(30)
    for node in floor.alive.values():
        node.host.in_play.clear()
    floor.pass_seconds(30)
    settled, takes = floor.serving(), floor.rows.takes
    floor.pass_seconds(60)

    assert settled.keys() == TABLES
    served = [table for node in floor.alive.values() for table in node.host.serves]
    assert sorted(served) == sorted(TABLES), "one is served that is another's"
    counts = [floor.counts()[name] for name in floor.alive]
    assert max(counts) - min(counts) <= 1
    assert floor.serving() == settled, "tables go to and fro"
    assert floor.rows.takes == takes


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=30),
    st.integers(1, 5),
    st.integers(0, 4),
)
def test_moves_even_out_the_floor_and_come_to_an_end(
    loads: list[int], count: int, extra: int
) -> None:
    tables = {f"t{number:02}": load for number, load in enumerate(loads)}
    floor = Floor(*(f"N{number}" for number in range(count)), tables=set(tables))
    for node in floor.alive.values():
        node.host.load_of = tables
    floor.pass_seconds(20)
    for number in range(extra):
        floor.start(f"X{number}")
        floor.alive[f"X{number}"].host.load_of = tables
    floor.pass_seconds(60)
    takes = floor.rows.takes

    floor.pass_seconds(30)

    by_node = {
        name: sorted(tables[table] for table in node.host.serves)
        for name, node in floor.alive.items()
    }
    ranked = sorted(by_node.values(), key=sum)
    assert floor.rows.takes == takes
    for less, more in pairwise(ranked):
        difference = sum(more) - sum(less)
        assert not more or difference <= more[0], "a table more would even it out"
