"""Nodes of one house on PostgreSQL behind HAProxy, each a process of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house_server.server import TABLES, House, new_database, prepare_house
from tests.nodes.haproxy import HaProxy, free_port
from tests.waiting import wait_for


@contextmanager
def open_nodes(folder: Path, *names: str) -> Iterator[tuple[House, dict[str, House]]]:
    """Open nodes that share the tables: the house behind its proxy, and the nodes."""
    made = prepare_house(new_database("postgresql", folder), folder)
    nodes = {}
    ports = {name: free_port() for name in names}
    proxy = HaProxy(folder, ports)
    try:
        for name, port in ports.items():
            nodes[name] = House(made.url, folder / name, made.devices)
            start_node(nodes[name], port)
        made.address = proxy.address
        wait_for(lambda: served_by(made).keys() == {each[0] for each in TABLES}, 30)
        wait_for(lambda: all(_is_routed(made, name) for name, *_ in TABLES), 30)
        yield made, nodes
    finally:
        proxy.stop()
        for node in nodes.values():
            if node.process is not None:
                node.end(signal.SIGKILL)


def _is_routed(house: House, table: str) -> bool:
    """Whether the proxy has a node for the table; it checks each node three times."""
    return house.http("GET", f"/api/tables/{table}/terms").status == 200


def start_node(node: House, port: int = 0) -> None:
    """Start the node of the folder's name, and wait until it is open."""
    node.folder.mkdir(exist_ok=True)
    node.spawn("--port", str(port), "--node", node.folder.name)
    node.wait_until_open()


def served_by(house: House) -> dict[str, str]:
    """Return the node that serves each table."""
    try:
        listed = house.ask("GET", "/api/nodes", by="Sam")
    except (AssertionError, OSError):
        return {}
    return {
        table: each["name"]
        for each in listed
        for table in each["tables"]
        if each["is_alive"]
    }
