"""`croupier house nodes`, `move`, `drain`, and what `serve --node` refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import house as ev
from croupier.journal.events.plan import Duty, StaffPlan
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.stores import open_node, open_store
from croupier.table.answers import event_of
from tests.cli.running import run_here
from tests.journal.stores import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture
def url(postgres_url: str) -> Iterator[str]:
    """A house of two nodes, the first of which has both tables."""
    open_store(postgres_url).close()
    with (
        open_node(postgres_url, "A", address="http://a:1", version="1.0") as a,
        open_node(postgres_url, "B", address="http://b:1", version="1.1"),
    ):
        for table in ("t1", "t2"):
            a.registry.take(table, None)
        yield postgres_url


def _run(*words: str) -> tuple[int, str]:
    ran = run_here("house", *words)
    return ran.code, ran.stdout + ran.stderr


def test_nodes_are_listed_with_their_tables(url: str) -> None:
    _run("move", "t2", "B", "--database", url)

    code, text = _run("nodes", "--database", url)

    assert code == 0
    assert [line.split() for line in text.splitlines()] == [
        ["node", "address", "version", "state", "tables"],
        ["A", "http://a:1", "1.0", "alive", "2"],
        ["B", "http://b:1", "1.1", "alive", "0"],
        [],
        ["table", "node", "moves", "to"],
        ["t1", "A"],
        ["t2", "A", "B"],
    ]


def test_nodes_are_listed_as_json(url: str) -> None:
    _run("drain", "B", "--database", url)

    code, text = _run("nodes", "--json", "--database", url)

    listed = json.loads(text)
    assert code == 0
    assert [(n["name"], n["state"]) for n in listed["nodes"]] == [
        ("A", "alive"),
        ("B", "draining"),
    ]
    assert [(t["table"], t["node"], t["moves_to"]) for t in listed["tables"]] == [
        ("t1", "A", None),
        ("t2", "A", None),
    ]


def test_a_house_without_nodes_says_so(postgres_url: str) -> None:
    open_store(postgres_url).close()

    assert _run("nodes", "--database", postgres_url) == (
        0,
        "no node serves this house\n",
    )


def test_a_table_moves_or_stays(url: str) -> None:
    assert _run("move", "t1", "B", "--database", url) == (
        0,
        "t1 moves from A to B after its round\n",
    )
    assert _run("move", "t1", "A", "--database", url) == (0, "t1 stays at A\n")


def test_the_record_says_who_asked(url: str) -> None:
    with open_store(url) as store:
        plan = StaffPlan("Mira", (), (Duty.ADMINISTRATOR,))
        HouseRecord(store, lambda: 1_000).write(ev.StaffDefined("a test", plan))

    _run("move", "t1", "B", "--by", "Mira", "--database", url)
    _run("drain", "A", "--by", "Mira", "--database", url)
    _run("drain", "A", "--back", "--database", url)
    refused = _run("drain", "A", "--by", "Nobody", "--database", url)

    with open_store(url, create=False) as store:
        *_, move, drain, back = map(event_of, store.events(HOUSE_STREAM))
    assert (move, drain) == (
        ev.TableMoveAsked("Mira", "t1", "B", "A"),
        ev.NodeDrained("Mira", "A"),
    )
    assert isinstance(back, ev.NodeGivenBack)
    assert back.by.endswith(" (at the machine)")
    assert refused == (2, "croupier: Nobody is not on the staff of this house\n")


def test_what_can_not_be_moved_is_refused_in_a_sentence(url: str) -> None:
    _run("drain", "B", "--database", url)

    assert _run("move", "t9", "B", "--database", url) == (
        2,
        "croupier: there is no table 't9'\n",
    )
    assert _run("move", "t1", "C", "--database", url) == (
        2,
        "croupier: there is no node 'C'\n",
    )
    assert _run("move", "t1", "B", "--database", url) == (
        2,
        "croupier: B gives its tables away and takes none\n",
    )


def test_a_node_is_drained_and_given_back(url: str) -> None:
    assert _run("drain", "A", "--database", url) == (0, "A gives away its 2 tables\n")
    assert _run("drain", "B", "--database", url) == (
        0,
        "B gives away its 0 tables\n"
        "no other node takes tables: it keeps them until one does\n",
    )
    assert _run("drain", "A", "--back", "--database", url) == (
        0,
        "A takes tables again\n",
    )
    assert _run("drain", "C", "--database", url) == (
        2,
        "croupier: there is no node 'C'\n",
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--node", "A", "--demonstration"), "are for one process alone"),
        (("--node", "A", "--apply", "Mira"), "are for one process alone"),
        (("--address", "http://a:1"), "a --node has an --address"),
        (("--node", "A", "--address", "a:1"), "a --node has an --address"),
        (("--node", "A", "--address", "http://a:1/x"), "a --node has an --address"),
        (("--node", "A"), "nodes need PostgreSQL"),
    ],
)
def test_a_node_needs_what_others_can_reach(
    words: tuple[str, ...], sentence: str
) -> None:
    ran = run_here("serve", "--port", "0", "--database", "sqlite:x.db", *words)

    assert ran.code != 0
    assert sentence in " ".join(ran.stderr.split())
