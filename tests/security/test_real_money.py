"""A house of real money, attacked by its own staff over a real server."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from base64 import b32decode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from croupier.house.people.log_on import choose_password
from croupier.house.records.house_record import HouseRecord, now_ms
from croupier.journal.stores import open_store
from tests.cli.running import run_here
from tests.house_server.line import Line, dial, line_to, text_of
from tests.house_server.server import (
    House,
    Reply,
    house_text,
    new_database,
    prepare_house,
)
from tests.security.operations import Operation, patiently, served_operations
from tests.waiting import wait_for

OWN, GIVEN, TAKEN = "{} by the lake 9", "given at the desk", "taken over at night"
FIRST = ("Dana", "Dora", "Sam", "Sue", "Mira", "Max", "Carl", "Ines", "Ada")
THRESHOLD_CENTS = 1_000_000
"""Of buy-ins, where a file of real money names none."""


_REAL = 'money = "real"\nsecond_factor = ["confirm"]'


def real_text() -> str:
    """The house of the other tests without its virtual table, for real money."""
    head, _, rest = house_text().partition('\n[[tables]]\nname = "virtual"')
    after = rest[rest.index("\n[[staff]]") :]
    return (head + after).replace('money = "demonstration"', _REAL)


@dataclass
class RealHouse:
    """A served house, and who is logged on at which device."""

    house: House
    sessions: dict[str, str]
    ids: Iterator[int]

    def log_on(self, name: str, password: str) -> str:
        body = {"name": name, "password": password, "device": self.device}
        reply = patiently(lambda: self.house.http("POST", "/api/log-on", body))
        assert reply.status == 200, reply
        return str(reply.json["token"])

    @property
    def device(self) -> str:
        return self.house.devices["console-v3"]

    def token(self, name: str) -> str:
        if name not in self.sessions:
            self.sessions[name] = self.log_on(name, OWN.format(name))
        return self.sessions[name]

    def ask(
        self,
        who: str,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
    ) -> Reply:
        """Ask as somebody who is logged on, at the console of table v3."""
        used = token or self.token(who)
        named = {"X-Device-Token": self.device}
        return self.house.http(method, path, body, token=used, headers=named)

    def buy_in(self, who: str, table: str, seat: str, cents: int) -> Reply:
        path = f"/api/tables/{table}/seats/{seat}/buy-in"
        body = {"id": f"real-{next(self.ids)}", "cents": cents}
        return self.ask(who, "POST", path, body)

    def error(self, reply: Reply, status: int) -> str:
        assert reply.status == status, reply
        return str(reply.json["error"])


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHouse]:
    folder = tmp_path_factory.mktemp("real")
    house = prepare_house(new_database("sqlite", folder), folder, real_text())
    with open_store(house.url) as store:
        record = HouseRecord(store, now_ms)
        for name in FIRST:
            choose_password(record, name, OWN.format(name))
    key = folder / "factors.key"
    assert run_here("house", "second-factor", "key", key).code == 0
    house.start("--second-factor-key", str(key))
    real = RealHouse(house, {}, count(1))
    real.ask("Dana", "POST", "/api/tables/v3/dealer")
    real.ask("Dora", "POST", "/api/tables/v2/dealer")
    yield real
    house.stop()


def credit(real: RealHouse, table: str) -> int:
    seats = real.ask("Carl", "GET", f"/api/tables/{table}/seats").json["seats"]
    return sum(each["credit_cents"] for each in seats)


def test_one_dealer_mints_no_money(real: RealHouse) -> None:
    """Neither at no seat, nor elsewhere, nor at once, nor in pieces."""
    nowhere = real.buy_in("Dana", "v3", "Nobody", 100)
    elsewhere = real.buy_in("Dana", "v2", "Anna-v2", 100)
    at_once = real.buy_in("Dana", "v3", "Anna-v3", 10**12)

    assert nowhere.status == 409
    assert "Dana is not the Dealer of v2" in real.error(elsewhere, 403)
    assert "a second person must confirm it" in real.error(at_once, 409)
    assert (credit(real, "v3"), credit(real, "v2")) == (0, 0)

    pieces = [real.buy_in("Dana", "v3", "Anna-v3", 300_000) for _ in range(5)]

    assert [each.status for each in pieces] == [200, 200, 200, 409, 409]
    assert credit(real, "v3") <= THRESHOLD_CENTS


def test_no_notice_moves_more_than_its_dealer_may(real: RealHouse) -> None:
    house = real.house

    async def answer() -> str:
        hello = {"type": "hello", "device": real.device}
        dealer = Line(house, await dial(house), "v3")
        await dealer.socket.send(json.dumps({**hello, "session": real.token("Dana")}))
        async with line_to(house, "v3", device="Ben-v3") as ben:
            await ben.done("ask_buy_in", cents=THRESHOLD_CENTS + 1)
            await dealer.until(lambda: dealer.told and dealer.staff.notices, "it")
            notice = dealer.staff.notices[0].id
            told = await dealer.refused("answer_notice", notice=notice, accept=True)
            assert ben.seat.credit_cents == 0
        await dealer.hang_up()
        return text_of(told)

    assert "a second person must confirm it" in asyncio.run(answer())


def test_one_manager_makes_no_second_person(real: RealHouse) -> None:
    """Neither a ghost, nor of somebody whose password she sets, nor of herself."""
    ghost = {"name": "Ghost", "positions": ["Pit Supervisor"]}
    herself = {"name": "Mira", "duties": ["administrator"]}
    mine = {"password": OWN.format("Mira")}

    alone = real.ask("Mira", "POST", "/api/staff", ghost)
    own = real.ask("Mira", "POST", "/api/staff", herself)
    own_too = real.ask("Mira", "POST", "/api/staff/proposals", {**herself, **mine})
    proposed = real.ask("Mira", "POST", "/api/staff/proposals", {**ghost, **mine})
    path = f"/api/proposals/{proposed.json['number']}/confirm"
    coded = {**mine, "code": _code(_enrolled(real, "Mira", mine), 1)}
    twice = real.ask("Mira", "POST", path, coded)

    assert "take two people" in real.error(alone, 409)
    assert "your own positions" in real.error(own, 403)
    assert "your own positions" in real.error(own_too, 403)
    assert "another person must confirm" in real.error(twice, 403)

    given = {"temporary": GIVEN, **mine}
    waits = real.ask("Mira", "POST", "/api/staff/Max/password", given)
    assert waits.status == 201
    as_max = {"name": "Max", "password": GIVEN, "device": real.device}
    refused = patiently(lambda: real.house.http("POST", "/api/log-on", as_max))
    assert refused.status == 401
    assert real.ask("Max", "GET", "/api/me").status == 200
    staff = real.ask("Ada", "GET", "/api/staff").json
    assert "Ghost" not in {each["name"] for each in staff}


def test_an_administrator_becomes_no_cashier(real: RealHouse) -> None:
    body = {"name": "Ada", "duties": ["administrator", "cashier"]}

    alone = real.ask("Ada", "POST", "/api/staff", body)
    named = real.ask(
        "Ada", "POST", "/api/staff/proposals", {**body, "password": OWN.format("Ada")}
    )

    assert (alone.status, named.status) == (403, 403)
    assert real.ask("Ada", "GET", "/api/me").json["duties"] == ["administrator"]


def test_an_account_that_others_set_does_nothing(real: RealHouse) -> None:
    """With a session from before, at any operation; and no other is opened."""
    sam, mine = real.token("Sam"), {"password": OWN.format("Ada")}
    given = {"temporary": GIVEN, **mine}
    proposed = real.ask("Ada", "POST", "/api/staff/Sam/password", given)
    as_max = {"password": OWN.format("Max")}
    coded = {**as_max, "code": _code(_enrolled(real, "Max", as_max), 1)}
    path = f"/api/proposals/{proposed.json['number']}/confirm"
    assert real.ask("Max", "POST", path, coded).status == 200

    refused = {
        each.name: _status(real, each, sam)
        for each in served_operations(real.house).values()
        if {"session", "cookie"} & each.schemes
    }

    assert set(refused.values()) == {401}, refused
    body = {"name": "Sam", "password": GIVEN, "device": real.device}
    limited = patiently(lambda: real.house.http("POST", "/api/log-on", body))
    assert "others have set the account of Sam" in real.error(limited, 401)


def _status(real: RealHouse, operation: Operation, token: str) -> int:
    method, target = operation.method, operation.target()
    return real.ask(
        "Sam", method, target, operation.body(real.house), token=token
    ).status


def test_a_stolen_session_is_of_no_use_without_its_device(real: RealHouse) -> None:
    token, other = real.token("Carl"), real.house.devices["board-v3"]
    stolen: list[dict[str, str]] = [{}, {"X-Device-Token": other}]

    for named in stolen:
        reply = real.house.http("GET", "/api/me", token=token, headers=named)
        assert reply.status == 401, reply

    assert real.ask("Carl", "GET", "/api/me").status == 200
    wait_for(lambda: _refusals(real, "Carl"))
    log = real.ask("Ines", "GET", "/api/log?kind=authority").json["events"]
    assert any(each["by"] == "Carl" and each["is_alarm"] for each in log), log


def _refusals(real: RealHouse, name: str) -> list[Any]:
    refused = real.house.events("house", "AuthorityRefused")
    return [each for each in refused if each.name == name]


def test_passwords_are_counted_at_every_door(real: RealHouse) -> None:
    """At a confirmation, a change of one's own, a second factor: five in all."""
    wrong = {"password": "not her password"}
    doors: list[tuple[str, str, dict[str, str]]] = [
        ("POST", _proposed_fill(real, 8_000_000), wrong),
        ("PUT", "/api/me/password", {**wrong, "new_password": TAKEN}),
        ("POST", "/api/me/second-factor", wrong),
    ]

    statuses = [real.ask("Sue", *doors[n % 3]).status for n in range(7)]

    assert statuses == [403] * 5 + [401] * 2
    right = {"name": "Sue", "password": OWN.format("Sue"), "device": real.device}
    locked = patiently(lambda: real.house.http("POST", "/api/log-on", right))
    assert locked.status == 401


def test_the_confirmer_needs_the_phone(real: RealHouse) -> None:
    """Neither without a code, nor with one of nobody's, nor with one a second time."""
    paths = [_proposed_fill(real, 6_000_000), _proposed_fill(real, 7_000_000)]
    password = {"password": OWN.format("Dora")}

    unknown = real.ask("Dora", "POST", paths[0], password)
    key = _enrolled(real, "Dora", password)
    codes = [None, "000000", _code(key, -1), _code(key, 1)]
    bodies = [{**password, **({"code": code} if code else {})} for code in codes]
    tried = [real.ask("Dora", "POST", paths[0], body).status for body in bodies]
    again = real.ask("Dora", "POST", paths[1], bodies[-1])

    assert "has no second factor" in real.error(unknown, 403)
    assert tried == [403, 403, 403, 200]
    assert again.status == 403
    [filled] = real.house.events("v2", "Filled")
    assert filled.cents == 6_000_000
    log = real.ask("Ines", "GET", "/api/log?kind=money").json["events"]
    [alarm] = [each for each in log if each["is_alarm"]]
    assert (alarm["by"], alarm["fields"]["authoriser"]) == ("Carl", "Dora")


def _proposed_fill(real: RealHouse, cents: int) -> str:
    """Have Carl propose it; return where it is confirmed."""
    act = {"kind": "fill", "cents": cents}
    body = {"act": act, "password": OWN.format("Carl")}
    path = "/api/tables/v2/proposals"
    reply = real.ask("Carl", "POST", path, body)
    assert reply.status == 201, reply
    return f"{path}/{reply.json['number']}/confirm"


def _enrolled(real: RealHouse, who: str, password: dict[str, str]) -> str:
    """Enrol a second factor with the code of now; return its key."""
    path = "/api/me/second-factor"
    key = str(real.ask(who, "POST", path, password).json["key"])
    now = real.ask(who, "PUT", path, {"code": _code(key, 0)})
    assert now.status == 204, now
    return key


def _code(key: str, steps: int) -> str:
    """Reckon the code of RFC 6238 for now, or so many steps of 30 s later."""
    step = (int(time.time()) // 30 + steps).to_bytes(8)
    digest = hmac.digest(b32decode(key), step, "sha1")
    place = digest[-1] & 15
    number = int.from_bytes(digest[place : place + 4]) & 0x7FFF_FFFF
    return f"{number % 10**6:06}"
