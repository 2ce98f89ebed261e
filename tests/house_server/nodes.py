"""Several nodes of one house on PostgreSQL, each a process of its own."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house_server import own_ca
from tests.house_server.own_ca import OwnCa
from tests.house_server.server import TABLES, House, new_database, prepare_house
from tests.spawner import spawner
from tests.waiting import wait_for


@contextmanager
def open_nodes(
    folder: Path, *names: str, ca: OwnCa | None = None
) -> Iterator[dict[str, House]]:
    """Nodes that share the tables, by name; each is asked as a house is.

    With a `ca` they speak TLS, and trust it.
    """
    made = prepare_house(new_database("postgresql", folder), folder)
    nodes = {}
    options = () if ca is None else ca.options
    try:
        for name in names:
            nodes[name] = node = House(made.url, folder / name, made.devices)
            node.tls = None if ca is None else ca.trusting()
            start_node(node, *options, hooks=None if ca is None else own_ca.__name__)
        wait_for(lambda: _is_spread(nodes), 30)
        yield nodes
    finally:
        for node in nodes.values():
            if node.process is not None:
                node.end(signal.SIGKILL)


def start_node(node: House, *options: str, hooks: str | None = None) -> None:
    """Start the node of the folder's name, and wait until it is open."""
    node.folder.mkdir(exist_ok=True)
    node.log.touch()
    (node.folder / "out").write_text("")
    words = ["serve", "--port", "0", "--database", node.url, "--log", "json"]
    words += ["--node", node.folder.name, *options]
    node.process = spawner().start(words, node.folder, hooks=hooks)
    node.address = node.told_address(node.process)


def served_by(nodes: dict[str, House]) -> dict[str, str]:
    """By table the node that serves it, as the first one that runs knows."""
    asked = next(each for each in nodes.values() if each.process is not None)
    listed = asked.ask("GET", "/api/nodes", by="Sam")
    return {table: each["name"] for each in listed for table in each["tables"]}


def _is_spread(nodes: dict[str, House]) -> bool:
    """Whether every table is served, and each node serves as many as any other."""
    counts = Counter(served_by(nodes).values())
    fewest = min(counts[name] for name in nodes)
    return counts.total() == len(TABLES) and max(counts.values()) - fewest <= 1
