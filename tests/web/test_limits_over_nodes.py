"""A Player's limit on losses counts the tables of all nodes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.house.reasons import HouseReason
from croupier.journal.events import house as ev
from croupier.journal.store import JournalFailed
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Refused, Submission
from croupier.table import commands as ask
from tests.journal.stores import postgres_server, postgres_url
from tests.web.node_houses import NodeHouse, at_nodes

__all__ = ["postgres_server", "postgres_url"]
PIA = Person("Pia", Role.PLAYER)


async def _sits(node: NodeHouse, table: str) -> None:
    """Pia sits down with credit, and a round is open."""
    with node.floor.record.lock:
        node.seat(table, "Pia")
    await node.act(table, ask.BuyIn("Pia", 5_000))
    await node.say(table, "Dealer: place your bets")


async def _stakes(node: NodeHouse, table: str, cents: int) -> Accepted | Refused:
    wager = node.wager("Pia", "straight_up:17", cents)
    answer = await node.floor.table(table).submit(
        Submission(node.new_id(), (PIA,), wager)
    )
    assert isinstance(answer, Accepted | Refused)
    return answer


async def _limited(node: NodeHouse, cents: int) -> None:
    record = node.floor.record
    await node.floor.in_house(
        lambda: record.write(ev.PlayerLimited("Sam", "Pia", None, cents))
    )


def test_what_was_lost_at_one_node_counts_at_the_others(postgres_url: str) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        one.floor.record.write(ev.PlayerDefined("Sam", "Pia"))
        await _limited(one, 3_000)
        await _sits(one, "t1")
        assert isinstance(await _stakes(one, "t1", 2_000), Accepted)
        await one.finish_round("t1", "0")

        await _sits(two, "t2")
        refused = await _stakes(two, "t2", 1_001)
        assert isinstance(refused, Refused)
        assert refused.refusal.reason == HouseReason.LOSS_LIMIT(
            player="Pia", limit_cents=3_000
        )
        assert isinstance(await _stakes(two, "t2", 1_000), Accepted)
        await two.finish_round("t2", "0")

        await _sits(one, "t1")
        assert isinstance(await _stakes(one, "t1", 100), Refused)
        await _limited(one, 5_000)
        assert isinstance(await _stakes(one, "t1", 500), Accepted)
        await one.finish_round("t1", "0")
        await _sits(two, "t2")
        assert isinstance(await _stakes(two, "t2", 1_501), Refused)
        assert isinstance(await _stakes(two, "t2", 1_500), Accepted)

    at_nodes(postgres_url, scenario)


def test_where_the_other_tables_cannot_be_read_nothing_is_staked(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, _ = nodes
        one.floor.record.write(ev.PlayerDefined("Sam", "Pia"))
        await _limited(one, 3_000)
        await _sits(one, "t1")

        def gone(*_: object) -> None:
            raise JournalFailed("nobody answers")

        with monkeypatch.context() as patch:
            patch.setattr(one.store, "streams_of_account", gone)
            refused = await _stakes(one, "t1", 100)
        assert isinstance(refused, Refused)
        assert refused.refusal.reason == HouseReason.JOURNAL_SERVER_AWAY()
        assert isinstance(await _stakes(one, "t1", 100), Accepted)

    at_nodes(postgres_url, scenario)
