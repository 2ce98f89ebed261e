"""Named Players: seats by PIN, limits, exclusion, sessions; credit and vouchers."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from croupier.protocol.answers import SeatView, TableSnapshot
from tests.house_server.conftest import DATABASES
from tests.house_server.line import Line, line_to, text_of
from tests.house_server.server import House, open_house

pytestmark = pytest.mark.anyio

PIN = "4711"
_PLAYED = ("spin", "no more bets", "outcome 17", "settle")


def _register(house: House, *names: str) -> None:
    for name in names:
        house.ask("POST", "/api/players", {"name": name, "pin": PIN}, by="Carl")


def _limit(house: House, name: str, *, stake: int | None, loss: int | None) -> Any:
    limits = {"stake_cents": stake, "loss_cents": loss, "deposit_cents": None}
    return house.ask("PUT", f"/api/players/{name}/limits", limits, by="Carl")


async def _sit(line: Line, name: str) -> SeatView:
    await line.done("sit", player=name, pin=PIN)
    assert line.seat.player == name
    return line.seat


async def _round(dealer: Line, outcome: str = "17") -> None:
    await dealer.acts("spin", "no more bets", f"outcome {outcome}", "settle")


def test_a_named_player_sits_once_with_the_right_pin(house: House) -> None:
    async def sit() -> None:
        _register(house, "Pia", "Paul")
        async with (
            line_to(house, "v3", device="Anna-v3") as anna,
            line_to(house, "v2", device="Anna-v2") as elsewhere,
        ):
            assert await anna.denied("sit", player="Pia", pin="0000")
            assert await anna.denied("sit", player="Nobody", pin=PIN)
            seat = await _sit(anna, "Pia")
            assert (seat.name, seat.player, seat.credit_cents) == ("Pia", "Pia", 0)
            house.buy_in("v3", "Pia", cents=5_000)
            again = "Pia sits at v3 already"
            assert await elsewhere.denied("sit", player="Pia", pin=PIN) == again
            assert await anna.denied("sit", player="Paul", pin=PIN)
            await _sit(elsewhere, "Paul")
            shown = {e["name"]: e for e in house.ask("GET", "/api/players", by="Carl")}
            assert "Pia" in shown
            await anna.done("leave")
            await elsewhere.done("leave")
            await _sit(elsewhere, "Pia")
            await elsewhere.done("leave")
            taken = house.events("house", "SeatTaken")
            assert [each.player for each in taken] == ["Pia", "Paul", "Pia"]

    asyncio.run(sit())


async def test_limits_on_stake_and_loss_hold(house: House) -> None:
    _register(house, "Lena")
    _limit(house, "Lena", stake=2_000, loss=3_000)
    house.deal("v3")
    async with (
        line_to(house, "v3", staff="Dana") as dealer,
        line_to(house, "v3", device="Ben-v3") as ben,
    ):
        seat = await _sit(ben, "Lena")
        assert seat.session.stake_limit_cents == 2_000
        house.buy_in("v3", "Lena", cents=50_000)
        await dealer.acts("place your bets")
        await ben.place("w1=red@1500")
        more = {"id": "w2", "wager": "black", "stake_cents": 600}
        too_high = await ben.refused("wagers", place=[more])
        assert "at most 20.00" in text_of(too_high)
        too_much = {"id": "w1", "stake_cents": 600}
        await ben.refused("wagers", increase=[too_much])
        await ben.place("w3=straight_up:1@500")
        await _round(dealer)  # 17 is black: 20.00 lost
        await ben.until(lambda: ben.view.phase == "ended", "the settlement")
        await dealer.acts("place your bets")
        lost = await ben.refused("wagers", place=[{**more, "stake_cents": 1_100}])
        assert "loses at most 30.00" in text_of(lost)
        await ben.place("w2=black@1000")
        await _round(dealer, "1")
        await dealer.acts("place your bets")
        await ben.refused("wagers", place=[{**more, "stake_cents": 500}])
        await _check_own_limits(house)
        await _round(dealer)


async def _check_own_limits(house: House) -> None:
    """Check that a terminal can lower a limit, but not raise it."""
    token, path = house.devices["Ben-v3"], "/api/players/Lena/limits"
    lower = {"stake_cents": 1_000, "loss_cents": 3_000, "deposit_cents": None}
    assert house.http("PUT", path, lower, token=token).status == 200
    higher = {"stake_cents": 5_000, "loss_cents": 3_000, "deposit_cents": None}
    assert house.http("PUT", path, higher, token=token).status == 409
    other = house.devices["Anna-v3"]
    assert house.http("PUT", path, lower, token=other).status == 403


async def test_who_is_excluded_plays_no_more(house: House) -> None:
    _register(house, "Rolf")
    house.deal("v2")
    async with (
        line_to(house, "v2", staff="Dana") as dealer,
        line_to(house, "v2", device="Cara-v2") as cara,
    ):
        await _sit(cara, "Rolf")
        house.buy_in("v2", "Rolf")
        await dealer.acts("place your bets")
        await cara.place("w1=red@500")
        until = house.ask("GET", "/api/house")["at_ms"] + 60_000
        path, token = "/api/players/Rolf/exclusion", house.devices["Cara-v2"]
        done = house.http("POST", path, {"until_ms": until}, token=token)
        assert done.status == 200
        shorter = house.http("POST", path, {"until_ms": until - 1}, token=token)
        assert shorter.status == 409
        second = {"id": "w2", "wager": "red", "stake_cents": 500}
        refused = await cara.refused("wagers", place=[second])
        assert "excluded" in text_of(refused)
        await cara.done("wagers", withdraw=["w1"])
        await _round(dealer)
        collected = await cara.done("collect")
        assert collected.voucher
        await cara.done("leave")
        assert "excluded" in await cara.denied("sit", player="Rolf", pin=PIN)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_session_is_kept_through_correction_and_restart(
    kind: str, tmp_path: Path
) -> None:
    async def play(house: House) -> None:
        _register(house, "Nora")
        house.deal("v3")
        async with (
            line_to(house, "v3", staff="Dana") as dealer,
            line_to(house, "v3", device="Anna-v3") as anna,
        ):
            await _sit(anna, "Nora")
            house.buy_in("v3", "Nora", cents=10_000)
            for outcome in ("17", "1"):  # black wins, then loses
                await dealer.acts("place your bets")
                await anna.place("w1=black@1000")
                await _round(dealer, outcome)
            await anna.event("RoundSettled", round_number=2)
            await anna.until(lambda: anna.seat.session.staked_cents == 2_000, "both")
            assert anna.seat.session.net_cents == 0

            reply = house.propose("v3", "correct round 1 to 1", by=("Sam", "Mira"))
            assert reply.status == 200, reply
            await anna.until(lambda: anna.seat.credit_cents == 8_000, "the correction")
            assert anna.seat.session.net_cents == -2_000
            assert anna.seat.session.lost_today_cents == 2_000

    async def look(house: House) -> None:
        async with line_to(house, "v3", device="Anna-v3") as anna:
            [snapshot] = anna.of(TableSnapshot)
            assert snapshot.seat is not None
            seat, session = snapshot.seat, snapshot.seat.session
            assert (seat.player, seat.credit_cents) == ("Nora", 8_000)
            assert (session.net_cents, session.staked_cents) == (-2_000, 2_000)
            await anna.done("leave")

    with open_house(kind, tmp_path) as house:
        asyncio.run(play(house))
        house.end(signal.SIGKILL)
        house.start()
        asyncio.run(look(house))


async def test_credit_comes_and_goes_by_vouchers_and_attendants(house: House) -> None:
    house.buy_in("triple", "Ben-triple", cents=3_000)
    async with (
        line_to(house, "triple", device="Ben-triple") as ben,
        line_to(house, "triple", device="Cara-triple") as cara,
        line_to(house, "triple", staff="Sam") as pit,
    ):
        issued = await ben.done("collect", cents=1_000, id="collect-once")
        again = await ben.done("collect", cents=1_000, id="collect-once")
        assert issued.voucher is not None
        assert issued.voucher == again.voucher
        assert ben.seat.credit_cents == 2_000
        await ben.refused("collect", cents=2_001)
        written = issued.voucher.lower()
        printed = f" {written[:4]} {written[4:8]}-{written[8:]} "
        redeemed = await cara.done("redeem", code=printed)
        assert redeemed.registered
        assert cara.seat.credit_cents == 1_000
        await ben.refused("redeem", code=issued.voucher)
        await ben.refused("redeem", code="NO-SUCH-CODE")
        await cara.done("ask_buy_in", cents=700)
        await pit.until(lambda: pit.own.notices, "the request")
        [asked] = pit.own.notices
        assert (asked.seat, asked.cents) == ("Cara-triple", 700)
        assert [n.cents for n in cara.own.notices] == [700]
        assert ben.own.notices == ()
        await pit.done("answer_notice", notice=asked.id, accept=True)
        await cara.event("BoughtIn")
        assert cara.seat.credit_cents == 1_700
        await cara.until(lambda: cara.own.notices == (), "the answer")
