"""`croupier house nodes`, `move` and `drain`: the nodes that serve a house."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getuser

import click

from croupier.cli.mistakes import check_staff
from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_json
from croupier.house.nodes.orders import drain_node, move_table
from croupier.house.records.house_record import HouseRecord
from croupier.journal.node_registry import NOBODY, NodeRow, Registered
from croupier.journal.stores import open_node_rows, open_sharing, open_store
from croupier.journal.stores.postgresql_nodes import NodeRows
from croupier.web.server import now_ms

_database = click.option(
    "--database", required=True, metavar="URL", help="postgresql://…"
)
_by = click.option(
    "--by",
    metavar="NAME",
    help="Who of the staff asks for it; otherwise the user of this machine.",
)


@click.command("nodes")
@_database
@json_option
def nodes_command(database: str, *, as_json: bool) -> None:
    """List the nodes that serve a house, and which of them has each table.

    Example: croupier house nodes --database postgresql://localhost/house
    """
    with open_node_rows(database) as rows:
        seen = rows.registered()
    if as_json:
        print_json(_as_data(seen))
        return
    if not seen.nodes:
        click.echo("no node serves this house")
        return
    counts = Counter(owner.node for owner in seen.owners.values())
    print_columns(
        ("node", "address", "version", "state", "tables"),
        [
            (
                each.name,
                each.address,
                each.version,
                _state(each),
                str(counts[each.name]),
            )
            for each in seen.nodes
        ],
    )
    click.echo()
    print_columns(
        ("table", "node", "moves to"),
        [
            (name, owner.node or "nobody", owner.move_to)
            for name, owner in sorted(seen.owners.items())
        ],
    )


def _state(node: NodeRow) -> str:
    if not node.is_alive:
        return "gone"
    if not node.is_on_time:
        return f"clock off by {node.clock_off_ms / 1000:+.0f} s"
    return "draining" if node.is_draining else "alive"


def _as_data(seen: Registered) -> dict[str, object]:
    return {
        "nodes": [
            {
                "name": each.name,
                "address": each.address,
                "version": each.version,
                "state": _state(each),
            }
            for each in seen.nodes
        ],
        "tables": [
            {
                "table": name,
                "node": owner.node or None,
                "moves_to": owner.move_to or None,
                "taken": owner.epoch,
                "since_ms": owner.since_ms,
            }
            for name, owner in sorted(seen.owners.items())
        ],
    }


@contextmanager
def _ordering(
    database: str, by: str | None
) -> Iterator[tuple[HouseRecord, NodeRows, str]]:
    """Open what an order needs, beside the nodes; the name of who gives it."""
    with (
        open_node_rows(database) as rows,
        open_store(database, create=False) as store,
        open_sharing(database) as sharing,
    ):
        record = HouseRecord(store, now_ms, sharing=sharing)
        if by is not None:
            check_staff(record.state, by)
        yield record, rows, by or f"{_user()} (at the machine)"


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):  # a container may know no name for its user
        return f"user {os.getuid()}"


@click.command("move")
@click.argument("table")
@click.argument("node")
@_database
@_by
def move_command(table: str, node: str, database: str, by: str | None) -> None:
    """Move a table to another node, between two rounds of play.

    It stays there until it is moved again, or its node stops. The house's record says
    who asked for it.

    Example: croupier house move "table 1" B --database postgresql://localhost/house
    """
    with _ordering(database, by) as (record, rows, name):
        owner = record.act(lambda: move_table(record, rows, name, table, node))
    if owner.node == node:
        click.echo(f"{table} stays at {node}")
    else:
        before = "nobody" if owner.node == NOBODY else owner.node
        click.echo(f"{table} moves from {before} to {node} after its round")


@click.command("drain")
@click.argument("node")
@click.option("--back", is_flag=True, help="Have it take tables again.")
@_database
@_by
def drain_command(node: str, database: str, by: str | None, *, back: bool) -> None:
    """Have a node give all its tables to the others, each between two rounds.

    It takes none until --back says so, also after it was stopped and started again.
    The house's record says who asked for it.

    Example: croupier house drain A --database postgresql://localhost/house
    """
    with _ordering(database, by) as (record, rows, name):
        seen = record.act(lambda: drain_node(record, rows, name, node, back=back))
    if back:
        click.echo(f"{node} takes tables again")
        return
    count = sum(owner.node == node for owner in seen.owners.values())
    click.echo(f"{node} gives away its {count} tables")
    others = [each for each in seen.nodes if each.takes_tables]
    if all(each.name == node for each in others):
        click.echo("no other node takes tables: it keeps them until one does")
