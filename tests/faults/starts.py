"""First starts of a house, killed at one step of them and begun again."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.hooks import die_after
from tests.faults.house_process import PASSWORD, HouseProcess, NotOpened
from tests.faults.proxy import Fault, PostgresProxy, Where
from tests.house_files import STAFF, house_lines, staff_lines, table_lines
from tests.waiting import wait_for

_HELD = {"Mira": 'positions = ["Pit Manager"]\nduties = ["administrator"]'}
HOUSE_FILE = "".join(
    (
        house_lines("The tested house"),
        table_lines("triple", "rws-triple-zero"),
        staff_lines("Mira", "Dana", held=STAFF | _HELD),
    )
)


def steps_on_sqlite(houses: Houses, folder: Path) -> int:
    """How many writes and syncs a first start makes."""
    house = _new_on_sqlite(houses, folder)
    house.start("--create")
    steps = (folder / "passed").stat().st_size
    check_whole(house)
    assert house.stop() == 0
    return steps


def kill_on_sqlite(houses: Houses, folder: Path, step: int) -> None:
    house = _new_on_sqlite(houses, folder)
    die_after(folder, step)
    _dies(house)
    _starts_again(house)


def steps_on_postgresql(houses: Houses, folder: Path) -> int:
    """How many commits a first start makes."""
    house, proxy = _new_on_postgresql(houses, folder)
    with proxy:
        house.start("--create")
        commits = proxy.commits
        check_whole(house)
        assert house.stop() == 0
    return commits


def kill_on_postgresql(houses: Houses, folder: Path, skip: int, where: Where) -> None:
    house, proxy = _new_on_postgresql(houses, folder)
    with proxy:
        proxy.arm(Fault(where, skip=skip, also=lambda: _kill(house)))
        _dies(house)
        _starts_again(house)


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


def _new_on_sqlite(houses: Houses, folder: Path) -> HouseProcess:
    url = f"sqlite:///{folder / 'house.db'}"
    return houses.served_from(url, folder, is_hooked=True, file=HOUSE_FILE)


def _new_on_postgresql(
    houses: Houses, folder: Path
) -> tuple[HouseProcess, PostgresProxy]:
    proxy = PostgresProxy(houses.server.socket)
    url = proxy.address(houses.server.new_database())
    return houses.served_from(url, folder, file=HOUSE_FILE), proxy


def _kill(house: HouseProcess) -> None:
    if house.process is not None:
        house.process.kill()


def _dies(house: HouseProcess) -> None:
    """Killed before it was open, or just after."""
    process = house.launch("--create")
    assert wait_for(process.poll, 30) == -signal.SIGKILL, house.said
    house.process = None


def _starts_again(house: HouseProcess) -> None:
    if not _is_there(house):  # it died before there was a house
        house.start("--create")
    check_whole(house)
    house.verify()
    assert house.stop() == 0


def _is_there(house: HouseProcess) -> bool:
    try:
        house.start()
    except NotOpened as refused:
        if "Traceback" in refused.said:
            raise
        return False
    return True
