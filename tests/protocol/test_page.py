"""The page of the protocol agrees with the structs."""

from __future__ import annotations

import re
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from croupier.house.records.house_state import DeviceKind
from croupier.house.views.listeners import (
    Audience,
    may_see,
    owner_of,
)
from croupier.journal.events.codec import KINDS
from croupier.protocol.answers import FromHouse, StakesView, read_answer
from croupier.protocol.client import TableConnection
from croupier.protocol.messages import Command, ToHouse, read_message
from croupier.rules.reasons import all_reasons
from tests.journal.examples import example
from tests.protocol.fake_house import play
from tests.protocol.real_house import RealHouse, real_house
from tools.docs.pages import DOCS

TEXT = (DOCS / "protocol.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
_FIELDS = "additional properties that the struct lacks"


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_a_message(text: str) -> None:
    written: dict[str, Any] = msgspec.json.decode(text)
    is_to_house = written["type"] in {_tag(each) for each in get_args(ToHouse)}

    message = read_message(text) if is_to_house else read_answer(text)

    again = msgspec.json.decode(msgspec.json.encode(message))
    assert again == {**again, **written}, _FIELDS


def test_an_example_gives_the_reason_that_its_code_stands_for() -> None:
    stated = re.findall(
        r'"text": "([^"]+)", "clause": \S+?, '
        r'"reason": \{"code": "(\w+)", "values": (\{.*?\})\}',
        re.sub(r"\s+", " ", " ".join(EXAMPLES)),
    )
    templates = all_reasons()

    said = [
        (templates[code].format(**msgspec.json.decode(values)), code)
        for _, code, values in stated
    ]

    assert len(stated) >= 4
    assert said == [(text, code) for text, code, _ in stated]
    assert "recorded" not in {code for _, code, _ in stated}


def test_every_message_has_an_example_and_a_heading() -> None:
    kinds = (*get_args(ToHouse), *get_args(FromHouse))
    shown = {msgspec.json.decode(each)["type"] for each in EXAMPLES}

    headings = re.findall(r"^### (\w+)$", TEXT, re.MULTILINE)

    assert shown == {_tag(kind) for kind in kinds}
    assert headings == [_tag(kind) for kind in kinds]


def test_every_message_with_an_id_is_a_command() -> None:
    with_id = {kind for kind in get_args(ToHouse) if "id" in kind.__struct_fields__}

    assert set(get_args(Command)) == with_id


def _who_hears(kind: Any) -> str:
    blank: Any = example(kind, Random(0))
    if may_see(Audience.BOARD, blank):
        return "all"
    words = ["staff"] if may_see(Audience.STAFF, blank) else []
    if owner_of(blank, {getattr(blank, "wager_id", ""): "Anna"}) is not None:
        words.append("the seat")
    return ", ".join(words)


def test_the_table_of_events_lists_every_event_that_is_sent() -> None:
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


def _stakes(table: TableConnection) -> StakesView:
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
