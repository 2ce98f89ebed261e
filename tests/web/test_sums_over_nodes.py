"""A person's sums count at the tables of all nodes, even at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from croupier.ledger.commands import BuyIn
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Refused, Submission
from tests.journal.stores import postgres_server, postgres_url
from tests.web.node_houses import NodeHouse, at_nodes
from tests.web.thresholds import HOUSE

__all__ = ["postgres_server", "postgres_url"]
CARL = Person("Carl", Role.CASHIER)


def test_payments_at_two_nodes_at_once_stay_below_one_threshold(
    postgres_url: str,
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        for node, table in zip(nodes, ("t1", "t2"), strict=True):
            with node.floor.record.lock:
                for n in range(5):
                    node.seat(table, f"Player-{table}-{n}")

        async def pay(node: NodeHouse, table: str, n: int) -> Accepted | Refused:
            command = BuyIn(f"Player-{table}-{n}", 50_000)
            submission = Submission(f"pay-{n}", (CARL,), command)
            answer = await node.floor.table(table).submit(submission)
            assert isinstance(answer, Accepted | Refused)
            return answer

        answers = await asyncio.gather(
            *(
                pay(node, table, n)
                for n in range(5)
                for node, table in zip(nodes, ("t1", "t2"), strict=True)
            )
        )

        assert sum(isinstance(each, Accepted) for each in answers) == 6

    at_nodes(postgres_url, scenario, text=HOUSE)
