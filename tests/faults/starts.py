"""First starts of a house, killed at one step of them and begun again."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.house_process import PASSWORD, HouseProcess
from tests.house_files import STAFF, house_lines, staff_lines, table_lines
from tests.server_process import NotOpened
from tests.waiting import wait_for

_HELD = {"Mira": 'positions = ["Pit Manager"]\nduties = ["administrator"]'}
HOUSE_FILE = "".join(
    (
        house_lines("The tested house"),
        table_lines("triple", "rws-triple-zero"),
        staff_lines("Mira", "Dana", held=STAFF | _HELD),
    )
)


def steps_of_start(houses: Houses, kind: str, folder: Path) -> int:
    """How many steps a first start takes."""
    mortal = houses.mortal(kind, folder, is_seeded=False, file=HOUSE_FILE)
    mortal.house.start("--create")
    steps = mortal.steps
    check_whole(mortal.house)
    assert mortal.house.terminate() == 0
    return steps


def kill_start(houses: Houses, kind: str, folder: Path, step: int) -> None:
    mortal = houses.mortal(kind, folder, is_seeded=False, file=HOUSE_FILE)
    mortal.die_at(step)
    _dies(mortal.house)
    _starts_again(mortal.house)


def check_whole(house: HouseProcess) -> None:
    """Everything that the file names is there, and everybody can log on."""
    terms = house.ask("GET", "/api/tables/triple/terms", by="Mira")
    assert terms["limits"] == ["* 5.00 1000.00", "straight_up 1.00 500.00"]
    staff = house.ask("GET", "/api/staff", by="Mira")
    assert {each["name"]: each["has_password"] for each in staff} == {
        "Mira": True,
        "Dana": True,
    }
    body = {"name": "Dana", "password": PASSWORD}
    assert house.http("POST", "/api/log-on", body).done
    [table] = house.ask("GET", "/api/tables")
    assert table["name"] == "triple"


def _dies(house: HouseProcess) -> None:
    """Killed before it was open, or just after."""
    process = house.launch("--create")
    assert wait_for(process.poll, 30) == -signal.SIGKILL, house.said
    house.process = None


def _starts_again(house: HouseProcess) -> None:
    if not _is_there(house):  # it died before there was a house
        house.start("--create")
    check_whole(house)
    house.end()


def _is_there(house: HouseProcess) -> bool:
    try:
        house.start()
    except NotOpened as refused:
        if "Traceback" in refused.said:
            raise
        return False
    return True
