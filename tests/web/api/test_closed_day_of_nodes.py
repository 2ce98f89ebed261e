"""One act closes the gaming day of a house at all its nodes."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.house.floor.day_close import running_day
from croupier.house.people import proposals
from croupier.house.records.vouchers_and_days import day_id
from croupier.journal.events.house import (
    ConfirmationGiven,
    HouseEvent,
    ProposalConfirmed,
    ProposalEnded,
)
from croupier.ledger.accounts import seat
from croupier.ledger.commands import Adjust, BuyIn
from croupier.table.answers import event_of
from tests.journal.stores import postgres_server, postgres_url
from tests.web.gaming_days import CLOSE, DAY, NEXT_DAY
from tests.web.node_houses import NodeHouse, at_nodes

__all__ = ["postgres_server", "postgres_url"]


async def _played(node: NodeHouse, table: str) -> None:
    await node.act(table, BuyIn("Pia", 5_000))
    await node.play_round(table, outcome="0")


def test_every_table_begins_the_next_day_wherever_it_is_served(
    postgres_url: str,
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        await _played(one, "t1")
        await _played(two, "t2")
        carl = await one.log_on("Carl")

        closed = await one.post(f"{CLOSE}?early=true", token=carl)

        assert [each["rounds"] for each in closed["tables"]] == [1, 1]
        assert closed["day"] == DAY
        for table in ("t1", "t2"):
            assert one.store.answer(table, day_id(NEXT_DAY)) is not None
        assert one.store.answer("house", day_id(DAY)) is not None
        await two.hears(lambda: two.floor.record.state.closed_day == DAY)
        assert running_day(two.floor) == running_day(one.floor) == NEXT_DAY
        assert await two.get(f"/api/gaming-day/{DAY}", carl) == closed
        error = await two.refused(409, "POST", f"{CLOSE}?early=true", token=carl)
        assert error

        await _played(two, "t2")
        second = await two.get(f"/api/gaming-day/{NEXT_DAY}", carl)
        assert [each["rounds"] for each in second["tables"]] == [0, 1]

    at_nodes(postgres_url, scenario)


def test_what_two_people_confirmed_waits_for_the_node_of_its_table(
    postgres_url: str,
) -> None:
    async def scenario(nodes: Sequence[NodeHouse]) -> None:
        one, two = nodes
        await two.act("t2", BuyIn("Pia", 5_000))
        record = one.floor.record

        def confirmed() -> None:
            proposed = proposals.record_proposed(
                record,
                by="Sam",
                position="Pit Supervisor",
                acting=False,
                table="t2",
                act=Adjust("Pia", 100, "a mistake"),
            )
            record.write(
                ConfirmationGiven(proposed.number, "Mira", "Pit Manager", False)
            )
            one.floor.complete_confirmed()

        await one.floor.in_house(confirmed)
        await one.hears(lambda: not record.state.confirmations)

        await two.hears(lambda: not two.floor.record.state.confirmations)
        kinds = [type(each) for each in _house_events(one)]
        assert ProposalEnded not in kinds
        assert kinds.count(ProposalConfirmed) == 1
        assert two.floor.table("t2").state.balance(seat("Pia")) == 5_100

    at_nodes(postgres_url, scenario)


def _house_events(node: NodeHouse) -> list[HouseEvent]:
    found = [event_of(row) for row in node.store.events("house")]
    return [each for each in found if isinstance(each, HouseEvent)]
