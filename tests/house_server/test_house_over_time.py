"""A house over time: an edited file, its terms, its day, its log, real money."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.protocol.answers import MessageProblem, TableSnapshot
from tests.house_server.conftest import DATABASES
from tests.house_server.line import eventually, line_to
from tests.house_server.server import (
    PASSWORD,
    House,
    house_text,
    open_house,
)
from tests.server_process import NotOpened

_WIDE = 'limits = { "*" = [5, 1000], straight_up = [1, 500] }'
_NARROW = 'limits = { "*" = [10, 500], straight_up = [1, 500] }'
_NINA = '\n[[staff]]\nname = "Nina"\npositions = ["Dealer"]\n'


def _edited(text: str) -> str:
    """Return the house file with other limits at table v3, and a new Dealer."""
    first, second, rest = text.partition('name = "v3"')
    return first + second + rest.replace(_WIDE, _NARROW, 1) + _NINA


def test_a_house_whose_staff_has_changed_starts_with_its_file(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        nina = {"name": "Nina", "positions": ["Dealer"], "password": PASSWORD}
        proposed = house.ask("POST", "/api/staff/proposals", nina, by="Ada")
        path = f"/api/proposals/{proposed['number']}/confirm"
        house.ask("POST", path, {"password": PASSWORD}, by="Mira")
        house.stop()

        house.start()

        assert "Nina" in {
            each["name"] for each in house.ask("GET", "/api/staff", by="Ada")
        }
        assert "stays as it is: staff Nina" in house.log.read_text()


@pytest.mark.parametrize("kind", DATABASES)
def test_an_edited_file_changes_nothing_until_it_is_applied(
    kind: str, tmp_path: Path
) -> None:
    with open_house(kind, tmp_path) as house:
        house.stop()
        whole = house.file.read_text()
        house.file.write_text(_edited(whole))
        log = house.log.read_text()
        house.start()
        assert "* 5.00 1000.00" in house.ask("GET", "/api/tables/v3/terms")["limits"]
        house.stop()
        warned = [
            told["event"]
            for told in map(json.loads, house.log.read_text().splitlines())
            if told["level"] == "warning"
        ]
        assert any("v3: limits *: 5–1000 → 10–500" in each for each in warned)
        assert any("staff Nina" in each for each in warned)
        with pytest.raises(NotOpened) as not_theirs:
            house.start("--apply", "Carl")
        assert "Carl may not change limits and settings" in not_theirs.value.args[1]
        house.log.write_text(log)

        house.start("--apply", "Mira")

        assert "applied: table v3: limits *: 5–1000 → 10–500" in house.said
        assert any(line.startswith("applied: staff Nina") for line in house.said)
        [changed] = asyncio.run(eventually(lambda: house.events("v3", "TermsChanged")))
        assert changed.by.name == "Mira"
        assert house.events("house", "StaffDefined")[-1].by == "Mira"
        terms = house.ask("GET", "/api/tables/v3/terms")
        assert "* 10.00 500.00" in terms["limits"]
        house.stop()
        house.start()  # without --apply: the file is in force
        house.stop()
        house.file.write_text(house.file.read_text().replace('"SGD"', '"USD"'))
        with pytest.raises(NotOpened) as lasting:
            house.start("--apply", "Mira")
        assert "can't change: house: currency" in lasting.value.args[1]
        house.log.write_text(log)


def test_demonstration_and_real_money_never_share_a_house(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        house.stop()
        log, text = house.log.read_text(), house.file.read_text()
        house.file.write_text(_real(text))
        for options in ((), ("--apply", "Mira")):
            with pytest.raises(NotOpened) as refused:
                house.start(*options)
            said = json.loads(refused.value.args[1].splitlines()[-1])["event"]
            assert said == "can't change: house: money: demonstration → real"
        house.log.write_text(log)


def _real(text: str) -> str:
    """Return the house file for real money, without the virtual wheel."""
    head, _, rest = text.partition('\n[[tables]]\nname = "virtual"')
    after = rest[rest.index("\n[[staff]]") :]
    return (head + after).replace('money = "demonstration"', 'money = "real"')


def test_real_money_is_for_known_devices_and_staff_with_passwords(
    tmp_path: Path,
) -> None:
    with open_house("sqlite", tmp_path, text=_real(house_text())) as house:
        asyncio.run(_nobody_gets_in(house))
        house.stop()
        _set_password(house, "Mira", "a long password")
        house.start()
        console = house.devices["console-v3"]
        body = {"name": "Mira", "password": "a long password"}
        assert house.http("POST", "/api/log-on", body).status == 403
        terminal = {**body, "device": house.devices["Anna-v3"]}
        assert house.http("POST", "/api/log-on", terminal).status == 403
        logged_on = house.http("POST", "/api/log-on", {**body, "device": console})
        assert logged_on.status == 200
        token, at = logged_on.json["token"], {"X-Device-Token": console}
        assert house.http("GET", "/api/me", token=token).status == 401
        me = house.http("GET", "/api/me", token=token, headers=at)
        assert me.json["device"] == "console-v3"
        assert b"a long password" not in house.log.read_bytes()
        assert logged_on.json["token"].encode() not in house.log.read_bytes()


async def _nobody_gets_in(house: House) -> None:
    for path, body in (
        ("/api/demonstration/staff", {"name": "Mira"}),
        ("/api/tables/v3/guests", None),
    ):
        assert house.http("POST", path, body).status == 403
    async with line_to(house, "v3") as line:
        assert isinstance(line.told[0], MessageProblem)
    async with line_to(house, "v3", device="board-v3") as line:
        assert isinstance(line.told[0], TableSnapshot)
        assert line.told[0].money == "real"


def _set_password(house: House, name: str, password: str) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "croupier", "house", "password", name),
            *("--by", name, "--database", house.url),
        ],
        input=password + "\n",
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
