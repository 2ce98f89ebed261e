"""A Player's limits and exclusion hold at the tables of all nodes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.house.reasons import HouseReason
from croupier.house.records import house_follower
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


def test_a_stake_limit_or_an_exclusion_of_one_node_is_refused_at_another(
    postgres_url: str,
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        record, heard = one.floor.record, two.floor.record
        record.write(ev.PlayerDefined("Sam", "Pia"))
        await _sits(two, "t2")
        assert isinstance(await _stakes(two, "t2", 1_000), Accepted)

        record.write(ev.PlayerLimited("Sam", "Pia", 1_500, None))
        await two.hears(lambda: heard.state.players["Pia"].stake_cents == 1_500)
        refused = await _stakes(two, "t2", 501)
        assert isinstance(refused, Refused)
        assert refused.refusal.reason == HouseReason.STAKE_LIMIT(
            player="Pia", limit_cents=1_500
        )
        assert isinstance(await _stakes(two, "t2", 500), Accepted)

        until_ms = two.clock() + 60_000
        record.write(ev.PlayerExcluded("Sam", "Pia", until_ms))
        await two.hears(
            lambda: heard.state.players["Pia"].excluded_until_ms == until_ms
        )
        refused = await _stakes(two, "t2", 100)
        assert isinstance(refused, Refused)
        assert refused.refusal.reason == HouseReason.PLAYER_EXCLUDED(player="Pia")

    at_nodes(postgres_url, scenario)


def test_a_node_that_does_not_follow_the_house_is_not_ready_and_stakes_for_nobody_named(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_follower, "BEHIND_S", 1.5)

    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        one.floor.record.write(ev.PlayerDefined("Sam", "Pia"))
        await _sits(two, "t2")

        def fails() -> None:
            raise RuntimeError("a mistake of ours")

        with monkeypatch.context() as patch:
            patch.setattr(two.floor.record, "follow", fails)
            await two.hears(lambda: not two.floor.record.is_current())
            reason = HouseReason.NODE_BEHIND()
            assert await two.refused(503, "GET", "/ready") == str(reason)
            refused = await _stakes(two, "t2", 100)
            assert isinstance(refused, Refused)
            assert refused.refusal.reason == reason
        await two.hears(two.floor.record.is_current)
        monkeypatch.setattr(house_follower, "BEHIND_S", 60)
        assert (await two.get("/ready"))["ready"] is True
        assert isinstance(await _stakes(two, "t2", 100), Accepted)

    at_nodes(postgres_url, scenario)
