"""Whose money, limits and authority, against a served house on each database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from croupier.rules import events as ev
from croupier.table.answers import event_of
from tests.house_server.line import Line, line_to
from tests.house_server.server import PASSWORD, House

SEAT = "Anna-triple"
SHIFT_MANAGER = "Table Games Shift Manager"


async def _round(dealer: Line, seat: Line | None, outcome: str) -> int:
    """A round with 10.00 on 17, or without; returns its number."""
    await dealer.acts("place your bets")
    if seat is not None:
        await seat.until(lambda: seat.view.takes_wagers, "the opening")
        await seat.place("w1=17@1000")
    await dealer.acts("spin", "no more bets", f"outcome {outcome}", "settle")
    return dealer.view.round


def _at_cashier(house: House, what: str, cents: int) -> None:
    body = {"id": house.new_id(), "cents": cents}
    house.ask("POST", f"/api/tables/triple/{what}", body, by="Carl")


def _money(house: House) -> dict[str, tuple[int, int, int]]:
    shown = house.ask("GET", "/api/tables/triple/seats", by="Carl")["seats"]
    return {
        each["seat"]: (each["credit_cents"], each["claim_cents"], each["owed_cents"])
        for each in shown
    }


def test_a_stranger_is_touched_by_no_correction(house: House) -> None:
    async def play() -> None:
        house.deal("triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", device=SEAT) as seat,
        ):
            house.buy_in("triple", SEAT, cents=1_000)
            number = await _round(dealer, seat, "17")
            _at_cashier(house, f"seats/{SEAT}/cash-out", 36_000)
            house.buy_in("triple", SEAT, cents=50_000)
            await _round(dealer, seat, "5")
            stay = house.events("triple", "StayBegun")[0].stay

            people = ("Dana", "Sam")
            wrong = house.propose("triple", f"correct round {number} to 18", by=people)
            assert wrong.status == 200
            gone = f"{stay}@{SEAT}"
            assert _money(house) == {SEAT: (49_000, 0, 0), gone: (0, 36_000, 0)}
            _at_cashier(house, f"claims/{gone}/pay", 36_000)
            back = house.propose("triple", f"correct round {number} to 17", by=people)
            assert back.status == 200
            assert _money(house) == {SEAT: (49_000, 0, 0), gone: (0, 0, 36_000)}
            _at_cashier(house, f"owed/{gone}/pay", 36_000)
            assert _money(house) == {SEAT: (49_000, 0, 0)}
            await seat.until(lambda: seat.seat.credit_cents == 49_000, "the credit")

    asyncio.run(play())


def test_of_two_corrections_confirmed_at_once_one_goes_through(house: House) -> None:
    async def play() -> int:
        house.deal("triple")
        async with line_to(house, "triple", staff="Dana") as dealer:
            return await _round(dealer, None, "17")

    number = asyncio.run(play())
    sessions = [house.session(name) for name in ("Sam", "Sue")]
    proposed = [
        house.propose(
            "triple",
            f"correct round {number} to {outcome}",
            by=("Dana", "Sam"),
            confirm=False,
        ).json["number"]
        for outcome in ("5", "8")
    ]

    def confirm(number: int, token: str) -> int:
        path = f"/api/proposals/{number}/confirm"
        return house.http("POST", path, {"password": PASSWORD}, token=token).status

    with ThreadPoolExecutor(2) as pool:
        statuses = sorted(pool.map(confirm, proposed, sessions))

    assert statuses == [200, 409]
    rows = [row for row in house.rows("triple") if row.round_number == number]
    events = [event_of(row) for row in rows]
    [corrected] = [each for each in events if isinstance(each, ev.OutcomeCorrected)]
    sent = [each.number for each in events if isinstance(each, ev.ResultSent)]
    assert sent == ["17", corrected.corrected_to], "1.3: the result is sent again"


def test_limits_are_not_changed_away(house: House) -> None:
    for limits in ([], ["straight_up 1 100"]):
        body = {"id": house.new_id(), "limits": limits, "settings": []}
        token = house.session("Mira")

        reply = house.http("PUT", "/api/tables/v3/terms", body, token=token)

        assert (reply.status, reply.json["clause"]) == (409, "3.3.1")
    assert house.events("v3", "TermsChanged") == []


def test_only_the_dealer_of_the_table_corrects_with_a_supervisor(house: House) -> None:
    async def play() -> int:
        house.deal("triple")
        async with line_to(house, "triple", staff="Dana") as dealer:
            return await _round(dealer, None, "17")

    act = f"correct round {asyncio.run(play())} to 18"
    house.deal("v3", by="Dora")

    elsewhere = house.propose("triple", act, by=("Dora", "Sam"))
    cashier = house.propose("triple", act, by=("Dana", "Carl"))
    number = house.ask("GET", "/api/proposals", by="Sam")[-1]["number"]
    path = f"/api/proposals/{number}/confirm"
    done = house.http("POST", path, {"password": PASSWORD}, token=house.session("Sue"))

    assert (elsewhere.status, cashier.status, done.status) == (403, 409, 200)
    assert cashier.json["clause"] == "A29"


def test_an_adjustment_needs_a_supervisor(house: House) -> None:
    house.deal("triple")
    seat = "Ben-triple"
    act = {"kind": "adjust", "seat": seat, "cents": 500, "reason": "a chip fell"}
    body = {"table": "triple", "act": act, "password": PASSWORD}
    number = house.ask("POST", "/api/proposals", body, by="Carl")["number"]

    def confirm(by: str) -> int:
        path, given = f"/api/proposals/{number}/confirm", {"password": PASSWORD}
        return house.http("POST", path, given, token=house.session(by)).status

    assert (confirm("Dana"), confirm("Sam")) == (409, 200)
    assert _money(house)[seat] == (500, 0, 0)


def test_an_acting_shift_manager_decides_and_the_result_is_sent(house: House) -> None:
    now = house.ask("GET", "/api/house")["at_ms"]
    acting = {"position": SHIFT_MANAGER, "from_ms": now - 1000}
    acting["until_ms"] = now + 3_600_000
    house.ask("POST", "/api/staff/Sue/acting", acting, by="Mira")

    async def play() -> int:
        house.deal("triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", staff="Sue") as sue,
            line_to(house, "triple", device="Cara-triple") as cara,
        ):
            await dealer.acts("place your bets", "spin", "no more bets")
            await dealer.acts("irregularity unlisted")
            await sue.done("act", act="decide outcome 17")
            await cara.until(lambda: cara.view.winning_number == "17", "the result")
            await dealer.acts("settle")
            await sue.done("act", act=f"decide round {dealer.view.round} outcome 18")
            await cara.until(lambda: cara.view.winning_number == "18", "the new result")
            return dealer.view.round

    number = asyncio.run(play())

    rows = [row for row in house.rows("triple") if row.round_number == number]
    events = [event_of(row) for row in rows]
    sent = [each.number for each in events if isinstance(each, ev.ResultSent)]
    decided = [each.by for each in events if isinstance(each, ev.OutcomeDecided)]
    assert sent == ["17", "18"]
    assert {(by.name, by.role.value, by.acting) for by in decided} == {
        ("Sue", SHIFT_MANAGER, True)
    }


def test_a_revoked_terminal_opens_empty_and_its_player_sits_elsewhere(
    house: House,
) -> None:
    house.ask("POST", "/api/players", {"name": "Pia", "pin": "2468"}, by="Sam")
    path, first, second = "/api/players/Pia/seat", "Anna-counted", "Ben-counted"
    house.ask("PUT", path, {"terminal": first}, by="Sam")
    house.buy_in("counted", "Pia", cents=700)
    house.buy_in("counted", "Cara-counted", cents=900)
    for terminal in (first, "Cara-counted"):
        house.ask("DELETE", f"/api/devices/{terminal}", by="Ada")

    house.ask("PUT", path, {"terminal": second}, by="Sam")
    invited = {"name": "Cara-counted", "kind": "terminal", "table": "counted"}
    code = house.ask("POST", "/api/devices", invited, by="Ada")["code"]
    house.devices["Cara-counted"] = house.ask("POST", "/api/pair", {"code": code})[
        "token"
    ]

    async def seats() -> list[tuple[str | None, int]]:
        async with (
            line_to(house, "counted", device=second) as pia,
            line_to(house, "counted", device="Cara-counted") as empty,
        ):
            # The table ends a stay on its own thread, after the answer to the caller.
            await empty.until(lambda: empty.seat.credit_cents == 0, "the stay's end")
            return [(each.seat.player, each.seat.credit_cents) for each in (pia, empty)]

    assert asyncio.run(seats()) == [("Pia", 700), (None, 0)]
