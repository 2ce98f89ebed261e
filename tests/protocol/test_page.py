"""The page of the protocol says what the structs say."""

from __future__ import annotations

import re
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from croupier.house.connection.listeners import (
    Audience,
    is_of_one,
    may_see,
)
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events.codec import KINDS
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.client import TableConnection
from croupier.protocol.websocket import Command
from tests.docs.pages import DOCS
from tests.journal.test_codec import example
from tests.protocol.fake_house import play
from tests.protocol.real_house import RealHouse, real_house

TEXT = (DOCS / "protocol.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
_FIELDS = "additional properties that the struct lacks"


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_a_message(text: str) -> None:
    written: dict[str, Any] = msgspec.json.decode(text)
    is_to_house = written["type"] in {_tag(each) for each in get_args(msg.ToHouse)}

    message = msg.read_message(text) if is_to_house else say.read_answer(text)

    again = msgspec.json.decode(msgspec.json.encode(message))
    assert again == {**again, **written}, _FIELDS


def test_every_message_has_an_example_and_a_heading() -> None:
    kinds = (*get_args(msg.ToHouse), *get_args(say.FromHouse))
    shown = {msgspec.json.decode(each)["type"] for each in EXAMPLES}

    headings = re.findall(r"^### (\w+)$", TEXT, re.MULTILINE)

    assert shown == {_tag(kind) for kind in kinds}
    assert headings == [_tag(kind) for kind in kinds]


def test_whatever_has_an_id_is_a_command() -> None:
    with_id = {kind for kind in get_args(msg.ToHouse) if "id" in kind.__struct_fields__}

    assert set(get_args(Command)) == with_id


def _who_hears(kind: Any) -> str:
    blank: Any = example(kind, Random(0))
    if may_see(Audience.BOARD, blank):
        return "all"
    words = ["staff"] if may_see(Audience.STAFF, blank) else []
    if set(kind.__match_args__) & {"seat", "player", "wager_id"} and is_of_one(blank):
        words.append("the seat")
    return ", ".join(words)


def test_the_table_of_events_has_each_that_somebody_hears() -> None:
    rows = re.findall(
        r"^\| `([A-Z]\w+)` \| ([\w, ]+) \| (`.+`) \|$", TEXT, re.MULTILINE
    )
    listed = {name: (who, re.findall(r"`(\w+)`", names)) for name, who, names in rows}

    heard = {
        name: (_who_hears(kind), list(kind.__match_args__))
        for name, kind in KINDS.items()
        if _who_hears(kind)
    }
    heard["RoundSettled"][1].remove("under_minimum")  # for the record alone

    assert listed == heard


def test_the_table_of_devices_has_each_kind() -> None:
    kinds = re.findall(r"^\| `([a-z]+)` \| ", TEXT, re.MULTILINE)

    assert kinds == [each.value for each in DeviceKind]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with real_house(tmp_path_factory.mktemp("house")) as running:
        yield running


def _stakes(table: TableConnection) -> say.StakesView:
    assert table.stakes is not None
    return table.stakes


def test_the_example_in_python_plays(
    house: RealHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    from croupier.protocol.client import HouseClient, connect

    [program] = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(program.partition("asyncio.run(")[0], names)

    async def deal() -> None:
        staff = await HouseClient(house.url).demonstration_staff("Dana")
        await HouseClient(house.url).come_to_table("Table 1", session=staff.token)
        async with connect(house.url, "Table 1", session=staff.token) as table:
            await table.until(lambda _: _stakes(table).terminals == 1)
            await table.act("place your bets")
            await table.until(lambda _: _stakes(table).wager_count == 2)
            for act in ("spin", "no more bets"):
                await table.act(act)
            await table.outcome("17")
            await table.act("settle")

    async def both() -> None:
        import asyncio

        await asyncio.gather(deal(), names["main"](house.url, "Table 1"))

    play(both())

    assert capsys.readouterr().out == "17 black 116500\n"
