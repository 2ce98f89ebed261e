"""`croupier house nodes`, and what `serve --node` refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from croupier.journal.stores import open_node, open_store
from tests.cli.running import run_here
from tests.journal.stores import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture
def url(postgres_url: str) -> Iterator[str]:
    """A house of two nodes, the first of which has both tables."""
    open_store(postgres_url).close()
    with (
        open_node(postgres_url, "A", version="1.0") as a,
        open_node(postgres_url, "B", version="1.1") as b,
    ):
        for table in ("t1", "t2"):
            a.registry.claim(table, None)
        b.registry.want("t2")
        yield postgres_url


def _run(*words: str) -> tuple[int, str]:
    ran = run_here("house", *words)
    return ran.code, ran.stdout + ran.stderr


def test_nodes_are_listed_with_their_tables(url: str) -> None:
    code, text = _run("nodes", "--database", url)

    assert code == 0
    assert [line.split() for line in text.splitlines()] == [
        ["node", "version", "state", "tables"],
        ["A", "1.0", "alive", "2"],
        ["B", "1.1", "alive", "0"],
        [],
        ["table", "node", "wanted", "by"],
        ["t1", "A"],
        ["t2", "A", "B"],
    ]


def test_nodes_are_listed_as_json(url: str) -> None:
    code, text = _run("nodes", "--json", "--database", url)

    listed = json.loads(text)
    assert code == 0
    assert [(n["name"], n["state"]) for n in listed["nodes"]] == [
        ("A", "alive"),
        ("B", "alive"),
    ]
    assert [(t["table"], t["node"], t["wanted_by"]) for t in listed["tables"]] == [
        ("t1", "A", None),
        ("t2", "A", "B"),
    ]


def test_a_house_without_nodes_says_so(postgres_url: str) -> None:
    open_store(postgres_url).close()

    assert _run("nodes", "--database", postgres_url) == (
        0,
        "no node serves this house\n",
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--node", "A", "--demonstration"), "go without --node"),
        (("--node", "A", "--apply", "Mira"), "go without --node"),
        (("--node", "A"), "nodes need PostgreSQL"),
    ],
)
def test_a_node_serves_a_house_that_is_there_on_postgresql(
    words: tuple[str, ...], sentence: str
) -> None:
    ran = run_here("serve", "--port", "0", "--database", "sqlite:x.db", *words)

    assert ran.code != 0
    assert sentence in " ".join(ran.stderr.split())
