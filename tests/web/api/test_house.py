"""The public facts of a house, over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import __version__
from croupier.games import all_games
from croupier.journal.events.plan import WheelSource
from tests.web.a_house import NOON, PASSWORD, TEXT, House, opened

pytestmark = pytest.mark.anyio


async def test_the_house_and_its_time_are_public(tmp_path: Path) -> None:
    text = TEXT.replace(
        "[[tables]]",
        "autoplay = false\nreality_check_minutes = 30\n"
        'help_text = "Call 1800-6-668-668."\n\n[[tables]]',
        1,
    )

    async with opened(tmp_path, text) as house:
        shown = await house.get("/api/house")

        assert shown["name"] == "A house"
        assert (shown["money"], shown["currency"]) == ("demonstration", "SGD")
        assert (shown["gaming_day"], shown["at_ms"]) == ("2027-01-15", NOON)
        assert (shown["autoplay"], shown["reality_check_minutes"]) == (False, 30)
        assert shown["help_text"] == "Call 1800-6-668-668."


async def test_a_house_without_a_text_on_help_shows_none(house: House) -> None:
    assert (await house.get("/api/house"))["help_text"] is None


async def test_the_list_of_tables_is_public(house: House) -> None:
    first, second = await house.get("/api/tables")

    assert (first["name"], first["game"]) == ("t1", "rws-triple-zero")
    assert (second["phase"], second["round"]) == ("awaiting", 0)


async def test_the_version_has_a_hash_of_everything(house: House) -> None:
    before = await house.get("/api/version")
    mira = await house.log_on("Mira")
    body = {"id": "1", "limits": ["* 2 50"], "settings": []}
    await house.ask("PUT", "/api/tables/t1/terms", body, token=mira)

    after = await house.get("/api/version")

    assert before["version"] == __version__
    assert len(before["code"]) == 64
    assert set(before["games"]) == {game.name for game in all_games()}
    assert before["tables"]["t1"] != after["tables"]["t1"]
    assert before["tables"]["t2"] == after["tables"]["t2"]


FILE = "/api/house/file"
SENSOR = TEXT.replace('"console"', '"sensor"', 1)
LIMITS = 'limits = { "*" = [1, 1000] }'


async def changes(house: House, text: str, token: str, *, apply: bool) -> list[str]:
    answer = await house.post(FILE, {"text": text, "apply": apply}, token)
    assert answer["applied"] is apply
    return [f"{e['where']}: {e['before']} → {e['after']}" for e in answer["changes"]]


async def test_an_edited_file_shows_its_differences_and_then_applies(
    house: House,
) -> None:
    mira = await house.log_on("Mira")
    text = TEXT.replace(LIMITS, 'limits = { "*" = [2, 500] }', 1)
    text = text.replace('[[staff]]\nname = "Dora"\npositions = ["Dealer"]\n', "")
    expected = ["table t1: limits *: 1–1000 → 2–500"]
    assert await changes(house, TEXT, mira, apply=False) == []
    assert await changes(house, text, mira, apply=False) == expected
    assert (await house.get("/api/tables/t1/terms"))["limits"] == ["* 1.00 1000.00"]

    assert await changes(house, text, mira, apply=True) == expected

    assert (await house.get("/api/tables/t1/terms"))["limits"] == ["* 2.00 500.00"]
    assert "Dora" in house.floor.record.state.staff
    assert await changes(house, text, mira, apply=True) == []


async def by_two(house: House, text: str) -> None:
    """Mira proposes a file, and Max confirms it."""
    mira, max_ = await house.log_on("Mira"), await house.log_on("Max")
    proposed = await house.post(
        f"{FILE}/proposals", {"text": text, "password": PASSWORD}, mira
    )
    path = f"/api/proposals/{proposed['number']}/confirm"
    await house.refused(403, "POST", path, {"password": PASSWORD}, mira)
    await house.post(path, {"password": PASSWORD}, max_)


@pytest.mark.house_file(SENSOR)
async def test_a_control_is_weakened_by_two_people_and_the_log_says_how(
    house: House,
) -> None:
    edited = SENSOR.replace('"sensor"', '"console"', 1).replace(
        "\n[[tables]]", "idle_minutes = 1440\nvoucher_days = 3650\n\n[[tables]]", 1
    )

    mira, before = await house.log_on("Mira"), house.floor.record.state
    body = {"text": edited, "apply": True}
    error = await house.refused(409, "POST", FILE, body, mira)
    assert error == (
        "house: voucher days: this change takes two people; propose the file for a"
        " second one to confirm"
    )
    state = house.floor.record.state
    assert (state.house, state.tables) == (before.house, before.tables)

    await by_two(house, edited)

    state = house.floor.record.state
    assert state.house is not None
    assert (state.house.idle_minutes, state.house.voucher_days) == (1440, 3650)
    assert state.tables["t1"].wheel is WheelSource.CONSOLE
    log = await house.get("/api/log?kind=house", mira)
    texts = [each["text"] for each in log["events"][-2:]]
    assert texts == [
        "house defined: changes house: voucher days: 30 → 3650;"
        " house: idle minutes: 15 → 1440",
        "table defined: changes table t1: wheel: sensor → console",
    ]
    shown = (await house.get("/api/log?kind=proposal", mira))["events"]
    assert "table t1: wheel: sensor → console" in shown[0]["text"]


async def test_a_proposed_file_is_outdated_once_the_house_is_another(
    house: House,
) -> None:
    first = TEXT.replace("\n[[tables]]", "idle_minutes = 60\n\n[[tables]]", 1)
    second = first.replace("60", "120")

    mira, max_ = await house.log_on("Mira"), await house.log_on("Max")
    body = {"text": second, "password": PASSWORD}
    await house.post(f"{FILE}/proposals", body, mira)
    await by_two(house, first)

    path, proof = "/api/proposals/1/confirm", {"password": PASSWORD}
    error = await house.refused(409, "POST", path, proof, max_)

    assert "proposed" in error or "changed" in error
    assert house.floor.record.settings.idle_minutes == 60
    same = {"text": first, "password": PASSWORD}
    error = await house.refused(409, "POST", f"{FILE}/proposals", same, mira)
    assert error == "nothing in this file takes two people: apply it"
    ada = await house.log_on("Ada")
    await house.refused(403, "POST", f"{FILE}/proposals", same, ada)


async def test_a_new_table_of_the_file_opens_with_its_limits(house: House) -> None:
    mira = await house.log_on("Mira")
    table = '[[tables]]\nname = "t3"\ngame = "mbs-roulette-v2"\nwheel = "console"\n'
    text = TEXT.replace("[[staff]]", f"{table}{LIMITS}\n\n[[staff]]", 1)

    error = await house.refused(409, "POST", FILE, {"text": text, "apply": True}, mira)
    assert error.startswith("table t3: this change takes two people")
    await by_two(house, text)

    tables = await house.get("/api/tables")
    assert [each["name"] for each in tables] == ["t1", "t2", "t3"]
    assert (await house.get("/api/tables/t3/terms"))["limits"] == ["* 1.00 1000.00"]


async def test_a_file_that_is_wrong_says_where(house: House) -> None:
    mira, ada = await house.log_on("Mira"), await house.log_on("Ada")
    wrong = {"text": TEXT.replace('"console"', '"dice"', 1)}
    error = await house.refused(400, "POST", FILE, wrong, mira)
    assert error.startswith("house file: tables[0].wheel: can't be 'dice'")
    lasting = {"text": TEXT.replace('"SGD"', '"EUR"'), "apply": True}
    error = await house.refused(409, "POST", FILE, lasting, mira)
    assert error == "can't change: house: currency: SGD → EUR"
    limits = {"text": TEXT.replace("[1, 1000]", "[2, 500]"), "apply": True}
    error = await house.refused(403, "POST", FILE, limits, ada)
    assert error == "Ada may not change limits and settings"
    too_long = {"text": "#" * 500_001}
    await house.refused(400, "POST", FILE, too_long, mira)
