"""`croupier house nodes`, `move` and `drain`: the nodes that serve a house."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_plain_json
from croupier.journal.node_registry import NOBODY
from croupier.journal.stores import open_node_rows

if TYPE_CHECKING:
    from croupier.journal.node_registry import NodeRow, Registered

_database = click.option(
    "--database", required=True, metavar="URL", help="postgresql://…"
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
        print_plain_json(_as_data(seen))
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


@click.command("move")
@click.argument("table")
@click.argument("node")
@_database
def move_command(table: str, node: str, database: str) -> None:
    """Move a table to another node, between two rounds of play.

    It stays there until it is moved again, or its node stops.

    Example: croupier house move "table 1" B --database postgresql://localhost/house
    """
    with open_node_rows(database) as rows:
        seen = rows.registered()
        owner, target = seen.owners.get(table), seen.node(node)
        if owner is None:
            raise click.ClickException(f"no node has had a table {table} yet")
        if target is None or not target.is_alive:
            raise click.ClickException(f"the node {node} does not run")
        if target.is_draining:
            raise click.ClickException(f"{node} gives its tables away and takes none")
        rows.ask_to_move(table, node, pins=True)
    if owner.node == node:
        click.echo(f"{table} stays at {node}")
    else:
        before = "nobody" if owner.node == NOBODY else owner.node
        click.echo(f"{table} moves from {before} to {node} after its round")


@click.command("drain")
@click.argument("node")
@click.option("--back", is_flag=True, help="Have it take tables again.")
@_database
def drain_command(node: str, database: str, *, back: bool) -> None:
    """Have a node give all its tables to the others, each between two rounds.

    It takes none until --back says so, also after it was stopped and started again.

    Example: croupier house drain A --database postgresql://localhost/house
    """
    with open_node_rows(database) as rows:
        seen = rows.registered()
        found = seen.node(node)
        if found is None:
            raise click.ClickException(f"there is no node {node}")
        rows.drain(node, on=not back)
    if back:
        click.echo(f"{node} takes tables again")
        return
    count = sum(owner.node == node for owner in seen.owners.values())
    click.echo(f"{node} gives away its {count} tables")
    others = [each for each in seen.nodes if each.is_alive and not each.is_draining]
    if all(each.name == node for each in others):
        click.echo("nobody else takes tables: it keeps them until somebody does")
