"""The same thing done many times at one moment: done once, and counted each time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from croupier.protocol.answers import Answered
from tests.house_server.line import line_to
from tests.house_server.server import PASSWORD, SEATS, House, Reply
from tests.security.operations import patiently

AT_ONCE = 12
PIN = "4711"


def at_once(act: Callable[[int], Reply], times: int = AT_ONCE) -> list[Reply]:
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(lambda n: patiently(lambda: act(n)), range(times)))


def credit_of(house: House, table: str) -> dict[str, int]:
    seats = house.ask("GET", f"/api/tables/{table}/seats", by="Carl")["seats"]
    return {each["seat"]: each["credit_cents"] for each in seats}


def test_a_voucher_is_redeemed_once_over_all_tables(house: House) -> None:
    carl = house.session("Carl")
    house.buy_in("triple", "Anna-triple", cents=5_000)
    body = {"id": house.new_id(), "cents": 5_000}
    given = house.ask(
        "POST", "/api/tables/triple/seats/Anna-triple/voucher", body, by="Carl"
    )
    before = {table: credit_of(house, table) for table in ("v2", "v3")}

    def redeem(number: int) -> Reply:
        table = ("v2", "v3")[number % 2]
        seat = f"{SEATS[number % 3]}-{table}"
        body = {"id": house.new_id(), "code": given["voucher"]}
        path = f"/api/tables/{table}/seats/{seat}/redeem"
        return house.http("POST", path, body, token=carl)

    replies = at_once(redeem)

    assert sorted(each.status for each in replies) == [200] + [409] * (AT_ONCE - 1)
    after = {table: credit_of(house, table) for table in before}
    total = sum(sum(each.values()) for each in after.values())
    assert total - sum(sum(each.values()) for each in before.values()) == 5_000


def test_one_id_moves_money_once_however_often_it_comes(house: House) -> None:
    carl, body = house.session("Carl"), {"id": house.new_id(), "cents": 300}
    path = "/api/tables/complete/seats/Anna-complete/buy-in"

    replies = at_once(lambda _: house.http("POST", path, body, token=carl))

    assert {each.status for each in replies} == {200}
    assert len({each.body for each in replies}) == 1
    assert credit_of(house, "complete") == {"Anna-complete": 300}


def test_credit_leaves_a_seat_once_over_all_operations(house: House) -> None:
    """Collected at the terminal, cashed out and made a voucher by the cashier."""
    carl = house.session("Carl")
    house.buy_in("fast", "Anna-fast", cents=1_000)

    def take(number: int) -> Reply:
        way = ("cash-out", "voucher")[number % 2]
        body = {"id": house.new_id(), "cents": 1_000}
        path = f"/api/tables/fast/seats/Anna-fast/{way}"
        return house.http("POST", path, body, token=carl)

    async def collect() -> tuple[list[Reply], int]:
        async with line_to(house, "fast", device="Anna-fast") as anna:
            taking = asyncio.create_task(asyncio.to_thread(at_once, take))
            sent = [await anna.send("collect", cents=1_000) for _ in range(AT_ONCE)]
            answers = [await anna.answer_to(each) for each in sent]
            collected = [
                each
                for each in answers
                if isinstance(each, Answered) and each.registered
            ]
            return await taking, len(collected)

    replies, collected = asyncio.run(collect())

    assert [each.status for each in replies].count(200) + collected == 1
    assert credit_of(house, "fast").get("Anna-fast", 0) == 0


def test_a_pairing_code_makes_one_device(house: House) -> None:
    device = {"name": "T9", "kind": "terminal", "table": "triple"}
    code = house.ask("POST", "/api/devices", device, by="Sam")["code"]

    replies = at_once(lambda _: house.http("POST", "/api/pair", {"code": code}), 8)

    assert sorted(each.status for each in replies) == [200] + [401] * 7


def test_passwords_tried_at_once_are_five_and_no_more(house: House) -> None:
    """The right one is among them, and late: it opens nothing once five were wrong."""
    bodies = [{"name": "Max", "password": f"wrong password {n}"} for n in range(8)]

    at_once(lambda n: house.http("POST", "/api/log-on", bodies[n]), 8)
    right = {"name": "Max", "password": PASSWORD}
    late = patiently(lambda: house.http("POST", "/api/log-on", right))

    assert late.status == 401
    failed = house.events("house", "LogOnFailed")
    assert 5 <= len([each for each in failed if each.name == "Max"]) <= 8
    assert len(house.events("house", "LockedOut")) == 1


def test_a_player_sits_at_one_terminal_however_many_ask(house: House) -> None:
    house.ask("POST", "/api/players", {"name": "Quentin", "pin": PIN}, by="Carl")

    async def sit() -> list[bool]:
        async with (
            line_to(house, "v2", device="Anna-v2") as first,
            line_to(house, "v3", device="Anna-v3") as second,
            line_to(house, "triple", device="Cara-triple") as third,
        ):
            lines = (first, second, third)
            sent = [await each.send("sit", player="Quentin", pin=PIN) for each in lines]
            answers = [
                await line.answer_to(each)
                for line, each in zip(lines, sent, strict=True)
            ]
            return [isinstance(each, Answered) and each.registered for each in answers]

    assert sorted(asyncio.run(sit())) == [False, False, True]
