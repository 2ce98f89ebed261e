"""`croupier house nodes`: the nodes that serve a house."""

from __future__ import annotations

from collections import Counter

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_json
from croupier.journal.node_registry import NodeRow, Registered
from croupier.journal.stores import open_node_rows

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
        print_json(_as_data(seen))
        return
    if not seen.nodes:
        click.echo("no node serves this house")
        return
    counts = Counter(owner.node for owner in seen.owners.values())
    print_columns(
        ("node", "version", "state", "tables"),
        [
            (each.name, each.version, _state(each), str(counts[each.name]))
            for each in seen.nodes
        ],
    )
    click.echo()
    print_columns(
        ("table", "node", "wanted by"),
        [
            (name, owner.node or "none", owner.wanted)
            for name, owner in sorted(seen.owners.items())
        ],
    )


def _state(node: NodeRow) -> str:
    if not node.is_alive:
        return "gone"
    if not node.is_on_time:
        return f"clock off by {node.clock_off_ms / 1000:+.0f} s"
    return "alive"


def _as_data(seen: Registered) -> dict[str, object]:
    return {
        "nodes": [
            {"name": each.name, "version": each.version, "state": _state(each)}
            for each in seen.nodes
        ],
        "tables": [
            {
                "table": name,
                "node": owner.node or None,
                "wanted_by": owner.wanted or None,
                "claimed": owner.epoch,
                "age_ms": owner.age_ms,
            }
            for name, owner in sorted(seen.owners.items())
        ],
    }
