"""A session of the staff over HTTP at several nodes of a house."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from croupier.house.people import log_on
from croupier.journal.events.house import PlayerDefined, ServerStarted
from croupier.journal.store import JournalFailed
from tests.journal.stores import postgres_server, postgres_url
from tests.web.node_houses import NodeHouse, at_nodes

__all__ = ["postgres_server", "postgres_url"]


def test_a_token_is_known_at_the_next_node_at_once_and_ended_at_all(
    postgres_url: str,
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        *others, ada = [await one.log_on("Ada") for _ in range(5)]
        for token in (ada, *others):
            assert (await two.get("/api/me", token))["name"] == "Ada"
        late = await one.log_on("Ada")
        assert (await two.get("/api/me", late))["name"] == "Ada"
        sam = await two.log_on("Sam")
        [mine] = await one.get("/api/sessions", sam)
        assert mine["is_this"]
        assert len(await one.get("/api/sessions", ada)) == 7

        await two.post("/api/log-off", token=ada)
        await one.hears(lambda: one.floor.sessions.name_of(ada) is None)
        await one.refused(401, "GET", "/api/me", token=ada)
        assert (await one.get("/api/me", sam))["name"] == "Sam"

    at_nodes(postgres_url, scenario)


def test_sessions_outlive_the_node_of_their_log_on(postgres_url: str) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        ada = await one.log_on("Ada")
        await one.floor.close()
        record = two.floor.record
        await two.floor.in_house(
            lambda: record.write(ServerStarted("1", "code", node="n1"))
        )

        assert (await two.get("/api/me", ada))["name"] == "Ada"

    at_nodes(postgres_url, scenario)


def test_no_log_on_succeeds_while_the_stream_cannot_be_read(postgres_url: str) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, _ = nodes

        def gone() -> None:
            raise JournalFailed("nobody answers")

        with patch.object(one.floor.record, "follow", gone):
            await one.refused(401, "GET", "/api/me", token="unknown")
        assert log_on.digest_of("unknown") not in one.floor.record.state.sessions

    at_nodes(postgres_url, scenario)


def test_who_has_just_sat_down_buys_in_at_the_next_node(postgres_url: str) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        carl = await two.log_on("Carl")
        for number in range(10):
            name = f"Pia {number}"
            one.floor.record.write(PlayerDefined("Sam", name))
            with one.floor.record.lock:
                one.seat("t2", name)

            bought = {"id": two.new_id(), "cents": 500}
            path = f"/api/tables/t2/seats/{name}/buy-in"
            paid = await two.post(path, bought, carl)

            assert (paid["seat"], paid["credit_cents"]) == (name, 500)

    at_nodes(postgres_url, scenario)
