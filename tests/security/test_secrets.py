"""What nobody is told a second time: passwords, PINs, tokens, codes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.protocol.answers import Pong
from tests.cli.running import run_here
from tests.house_files import STAFF
from tests.house_server.line import Line, line_to
from tests.house_server.server import PASSWORD, House
from tests.security.operations import ask, patiently, served_operations

pytestmark = pytest.mark.anyio

PIN = "471193"
OWN = "eleven blue herons"


def _voucher(house: House, seat: str) -> str:
    """Buy in, and take the credit away as a voucher; return its code."""
    house.buy_in("triple", seat, cents=2_000)
    body = {"id": house.new_id(), "cents": 2_000}
    path = f"/api/tables/triple/seats/{seat}/voucher"
    given = house.ask("POST", path, body, by="Carl")
    return str(given["voucher"])


@pytest.fixture(scope="session")
def secrets(house: House) -> dict[str, str]:
    """Every kind of secret of a house in play, some used and some not."""
    house.deal("triple")
    petra = {"name": "Petra", "pin": PIN}
    house.ask("POST", "/api/players", petra, by="Carl")
    board = {"name": "b9", "kind": "board", "table": "triple"}
    invited = house.ask("POST", "/api/devices", board, by="Sam")
    live, spent = _voucher(house, "Anna-triple"), _voucher(house, "Ben-triple")
    redeem = {"id": house.new_id(), "code": spent}
    path = "/api/tables/triple/seats/Ben-triple/redeem"
    house.ask("POST", path, redeem, by="Carl")
    refused = {**redeem, "id": house.new_id()}
    token = house.session("Carl")
    assert house.http("POST", path, refused, token=token).status == 409
    asyncio.run(_play(house))
    given = {"password": PASSWORD, "new_password": OWN}
    house.ask("PUT", "/api/me/password", given, by="Sue")
    sue = {"name": "Sue", "password": OWN}
    assert patiently(lambda: house.http("POST", "/api/log-on", sue)).status == 200
    wrong = {"name": "Nobody", "password": OWN}
    assert patiently(lambda: house.http("POST", "/api/log-on", wrong)).status == 401
    return {
        "a password": OWN,
        "the code of a live voucher": live,
        "the code of a spent voucher": spent,
        "a pairing code": invited["code"],
        "a PIN": PIN,
        "the token of a session": house.session("Mira"),
        "the token of a terminal": house.devices["Anna-triple"],
    }


async def _play(house: House) -> None:
    async with line_to(house, "triple", staff="Dana") as dealer:
        await dealer.acts("place your bets", "spin", "no more bets")
        await dealer.acts("outcome 17", "settle")


def test_nothing_that_can_be_read_holds_a_secret(
    house: House, secrets: dict[str, str]
) -> None:
    operations = served_operations(house).values()
    day = house.ask("GET", "/api/house")["gaming_day"]
    reading = [e for e in operations if e.method == "GET"]
    terminal, board = house.devices["Ben-triple"], house.devices["board-v3"]
    told = {}
    for who in STAFF.keys() - {"Sue"}:  # whose password is her own
        for each in reading:
            reply = ask(house, each, house.session(who), number="1", day=day)
            told[who, each.name] = reply.body
    for token in (None, terminal, board):
        for each in reading:
            told[str(token), each.name] = ask(house, each, token).body
    told["", "/metrics"] = house.http("GET", "/metrics").body

    for (who, where), body in told.items():
        for what, secret in secrets.items():
            assert secret.encode() not in body, (what, where, who)
    assert b"2000" in told["Ines", "recall_round"] + told["Ines", "show_log"]


def test_no_path_or_query_takes_a_secret(house: House) -> None:
    document = house.http("GET", "/api/openapi.json").json
    taken = {
        parameter["name"]
        for path in document["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", ())
    }

    assert "table" in taken
    assert not taken & {"code", "password", "pin", "token", "secret"}


async def test_neither_board_nor_staff_nor_another_seat_is_told_a_code(
    house: House, secrets: dict[str, str]
) -> None:
    del secrets  # they are there

    async with (
        line_to(house, "triple") as board,
        line_to(house, "triple", staff="Sam") as pit,
        line_to(house, "triple", device="Ben-triple") as other,
        line_to(house, "triple", device="Anna-triple") as own,
    ):
        await asyncio.to_thread(house.buy_in, "triple", "Anna-triple", cents=700)
        await own.until(lambda: own.seat.credit_cents >= 700, "the credit")
        answer = await own.done("collect", cents=700)
        assert answer.voucher
        for line in (board, pit, other):
            await _all_heard(line)
            assert answer.voucher not in str(line.told)
        assert any(each.event == "VoucherIssued" for each in pit.events())


async def _all_heard(line: Line) -> None:
    """A pong comes after everything that the house has said before."""
    await line.socket.send('{"type": "ping", "at_ms": 7}')
    await line.next(Pong)


def test_neither_log_nor_backup_holds_a_secret(
    house: House, secrets: dict[str, str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    ran = run_here("journal", "backup", house.url, copy)
    assert ran.code == 0, ran.stderr
    kept, log = copy.read_bytes(), house.log.read_bytes()
    assert b"Petra" in kept

    for what, secret in secrets.items():
        assert secret.encode() not in log, what
        if "voucher" not in what:  # the journal is what knows them
            assert secret.encode() not in kept, what
