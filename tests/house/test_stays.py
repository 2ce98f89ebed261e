"""Anonymous Players at a terminal come and go; each has their own money (A37)."""

from __future__ import annotations

import pytest

from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.house.views.connection import Connection
from croupier.ledger.commands import BuyIn, CashOut, Fill
from croupier.protocol import answers, messages
from croupier.rules.commands import CorrectOutcome
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import commands as table_commands
from tests.house.connecting import Ear
from tests.web.a_house import House

pytestmark = pytest.mark.anyio

CARL = Person("Carl", Role.CASHIER)
PEOPLE = (Person("Dana", Role.DEALER), Person("Sam", Role.PIT_SUPERVISOR))
SEATS = "/api/tables/t1/seats"


class RevocableEar(Ear):
    def dismiss(self, reason: object, *, come_back: bool) -> None:
        assert not come_back


async def sit_down(house: House, name: str = "T1") -> tuple[Connection, Ear, str]:
    """Enrol a terminal and connect it."""
    record = house.floor.record
    kind = DeviceKind.TERMINAL
    code = devices.invite_unasked(record, "test", name, kind, "t1")
    token = devices.enrol(record, code)[0]
    ear = RevocableEar()
    connection = house.floor.connections.connect("t1", messages.Hello(token), ear)
    return connection, ear, token


async def bet(place: tuple[Connection, Ear, str], wager: str, cents: int) -> None:
    connection, ear, _ = place
    new = messages.NewWager("a", wager, cents)
    series = connection.table.state.series
    message_id = f"b{series.last}"
    change = messages.ChangeWagers(message_id, series.last, place=(new,))
    connection.take(answers.write_answer(change))
    answer = await ear.answer(message_id)
    assert isinstance(answer, answers.Answered), answer
    assert answer.registered


async def won_and_left(house: House, place: tuple[Connection, Ear, str]) -> None:
    await house.act("t1", BuyIn("T1", 1_000), CARL)
    await house.say("t1", "Dealer: place your bets")
    await bet(place, "17", 1_000)
    await house.finish_round("t1", "17")
    await house.act("t1", CashOut("T1", 36_000), CARL)


async def correct(house: House, number: str) -> None:
    await house.act("t1", CorrectOutcome(1, Number(number)), *PEOPLE)


async def seat_of(house: House, token: str) -> answers.SeatView:
    """What a terminal that connects now is shown of its seat."""
    ear = Ear()
    house.floor.connections.connect("t1", messages.Hello(token), ear)
    snapshot = await ear.until(lambda each: isinstance(each, answers.TableSnapshot))
    assert isinstance(snapshot, answers.TableSnapshot)
    assert snapshot.seat is not None
    return snapshot.seat


async def test_who_sits_down_later_is_neither_charged_nor_told(house: House) -> None:
    place = await sit_down(house)
    await won_and_left(house, place)
    await house.act("t1", BuyIn("T1", 50_000), CARL)
    await house.floor.caught_up()
    place[1].heard.clear()

    await correct(house, "18")

    seat = await seat_of(house, place[2])
    assert (seat.credit_cents, seat.claim_cents) == (50_000, 0)
    assert seat.session.net_cents == 0
    updates = [each for each in place[1].heard if isinstance(each, answers.SeatUpdate)]
    assert not any(update.happened for update in updates)
    carl = await house.log_on("Carl")
    shown = (await house.get(SEATS, carl))["seats"]
    assert [(each["seat"], each["claim_cents"]) for each in shown] == [
        ("1@T1", 36_000),
        ("T1", 0),
    ]


async def test_the_cashier_settles_the_debts_of_a_stay_both_ways(
    house: House,
) -> None:
    place = await sit_down(house)
    await won_and_left(house, place)
    await house.act("t1", BuyIn("T1", 500), CARL)
    carl, money = await house.log_on("Carl"), {"id": "1", "cents": 36_000}
    await correct(house, "18")

    await house.post("/api/tables/t1/claims/1@T1/pay", money, carl)
    await correct(house, "17")
    await house.post("/api/tables/t1/owed/1@T1/pay", {**money, "id": "2"}, carl)

    assert (await house.get(SEATS, carl))["seats"] == [
        {"seat": "T1", "credit_cents": 500, "claim_cents": 0, "owed_cents": 0}
    ]
    again = {**money, "id": "3"}
    await house.refused(409, "POST", "/api/tables/t1/owed/1@T1/pay", again, carl)


async def test_a_cash_out_shows_the_part_set_off_against_a_claim(house: House) -> None:
    await house.act("t1", BuyIn("Paul", 1_000), CARL)
    await house.say("t1", "Dealer: place your bets")
    wager = house.wager("Paul", "17", 1_000)
    await house.act("t1", wager, Person("Paul", Role.PLAYER))
    await house.finish_round("t1", "17")
    await house.act("t1", CashOut("Paul", 36_000), CARL)
    await correct(house, "18")
    await house.act("t1", BuyIn("Paul", 40_000), CARL)
    carl = await house.log_on("Carl")

    path = f"{SEATS}/Paul/cash-out"
    part = await house.post(path, {"id": "1", "cents": 30_000}, carl)
    rest = await house.post(path, {"id": "2", "cents": 10_000}, carl)
    again = await house.post(path, {"id": "2", "cents": 10_000}, carl)

    assert (part["cents"], part["set_off_cents"]) == (0, 30_000)
    assert (rest["cents"], rest["set_off_cents"]) == (4_000, 6_000)
    assert again == rest


async def test_a_terminal_enrolled_again_opens_empty(house: House) -> None:
    place = await sit_down(house)
    await house.act("t1", BuyIn("T1", 1_000), CARL)
    ada, carl = await house.log_on("Ada"), await house.log_on("Carl")
    answer = await house.ask("DELETE", "/api/devices/T1", token=ada)
    assert answer.status == 204
    await house.floor.caught_up()
    await place[0].table.submit(table_commands.Submission("x", (CARL,), Fill(1)))

    _, _, token = await sit_down(house)

    assert (await seat_of(house, token)).credit_cents == 0
    [kept] = (await house.get(SEATS, carl))["seats"]
    assert (kept["seat"], kept["owed_cents"]) == ("1@T1", 1_000)
    await house.post("/api/tables/t1/owed/1@T1/pay", {"id": "1", "cents": 1_000}, carl)


async def test_a_player_whose_terminal_was_revoked_is_seated_elsewhere(
    house: House,
) -> None:
    await sit_down(house, "T1")
    _, ear, other = await sit_down(house, "T2")
    ada, sam = await house.log_on("Ada"), await house.log_on("Sam")
    await house.post("/api/players", {"name": "Pia", "pin": "2468"}, sam)
    path, pia = "/api/tables/t1/seats/T1/player", {"player": "Pia"}
    seated = await house.ask("PUT", path, pia, token=sam)
    await house.act("t1", BuyIn("Pia", 700), CARL)
    path = "/api/tables/t1/seats/T2/player"
    error = await house.refused(409, "PUT", path, pia, sam)
    await house.ask("DELETE", "/api/devices/T1", token=ada)
    ear.heard.clear()

    moved = await house.ask("PUT", path, pia, token=sam)
    _, _, empty = await sit_down(house, "T1")

    assert (seated.status, moved.status) == (200, 200)
    assert error == "Pia sits at t1 already"
    assert moved.json()["terminal"] == "T2"
    seat = await seat_of(house, other)
    assert (seat.name, seat.credit_cents) == ("Pia", 700)
    shown = await ear.until(lambda each: isinstance(each, answers.TableSnapshot))
    assert isinstance(shown, answers.TableSnapshot)
    assert shown.seat is not None
    assert shown.seat.player == "Pia"
    again = await seat_of(house, empty)
    assert (again.name, again.player, again.credit_cents) == ("T1", None, 0)


async def test_staff_cant_seat_a_player_at_anothers_credit(house: House) -> None:
    await sit_down(house)
    sam = await house.log_on("Sam")
    await house.post("/api/players", {"name": "Pia", "pin": "2468"}, sam)
    await house.act("t1", BuyIn("T1", 700), CARL)
    path, pia = "/api/tables/{}/seats/{}/player", {"player": "Pia"}

    error = await house.refused(409, "PUT", path.format("t1", "T1"), pia, sam)
    await house.refused(404, "PUT", path.format("t1", "T9"), pia, sam)
    await house.refused(404, "PUT", path.format("t2", "T1"), pia, sam)

    assert error == "collect the credit of this seat first"
