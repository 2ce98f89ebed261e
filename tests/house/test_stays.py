"""Anonymous Players at a terminal come and go; each has their own money (A37)."""

from __future__ import annotations

from pathlib import Path

from croupier.house.connection.connection import Connection
from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules.commands import CorrectOutcome
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from tests.house.test_connection import Ear
from tests.web.a_house import House, in_house

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
    connection = house.floor.connect(msg.Hello("t1", token), ear)
    connection.welcome()
    return connection, ear, token


async def bet(place: tuple[Connection, Ear, str], wager: str, cents: int) -> None:
    connection, ear, _ = place
    new = msg.NewWager("a", wager, cents)
    series = connection.table.state.series
    message_id = f"b{series.last}"
    change = msg.ChangeWagers(message_id, series.last, place=(new,))
    connection.take(say.write_answer(change))
    answer = await ear.answer(message_id)
    assert isinstance(answer, say.Answered), answer
    assert answer.registered


async def won_and_left(house: House, place: tuple[Connection, Ear, str]) -> None:
    await house.act("t1", ask.BuyIn("T1", 1_000), CARL)
    await house.say("t1", "Dealer: place your bets")
    await bet(place, "17", 1_000)
    await house.finish_round("t1", "17")
    await house.act("t1", ask.CashOut("T1", 36_000), CARL)


async def correct(house: House, number: str) -> None:
    await house.act("t1", CorrectOutcome(1, Number(number)), *PEOPLE)


async def seat_of(house: House, token: str) -> say.SeatView:
    """What a terminal that connects now is shown of its seat."""
    ear = Ear()
    house.floor.connect(msg.Hello("t1", token), ear).welcome()
    snapshot = await ear.until(lambda each: isinstance(each, say.TableSnapshot))
    assert isinstance(snapshot, say.TableSnapshot)
    assert snapshot.seat is not None
    return snapshot.seat


def test_who_sits_down_later_is_neither_charged_nor_told(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        place = await sit_down(house)
        await won_and_left(house, place)
        await house.act("t1", ask.BuyIn("T1", 50_000), CARL)
        await house.floor.caught_up()
        place[1].heard.clear()

        await correct(house, "18")

        seat = await seat_of(house, place[2])
        assert (seat.credit_cents, seat.claim_cents) == (50_000, 0)
        assert seat.session.net_cents == 0
        updates = [each for each in place[1].heard if isinstance(each, say.SeatUpdate)]
        assert not any(update.happened for update in updates)
        carl = await house.log_on("Carl")
        shown = (await house.get(SEATS, carl))["seats"]
        assert [(each["seat"], each["claim_cents"]) for each in shown] == [
            ("1@T1", 36_000),
            ("T1", 0),
        ]

    in_house(tmp_path, scenario)


def test_the_cashier_takes_what_a_stay_owes_and_pays_what_it_is_owed(
    tmp_path: Path,
) -> None:
    async def scenario(house: House) -> None:
        place = await sit_down(house)
        await won_and_left(house, place)
        await house.act("t1", ask.BuyIn("T1", 500), CARL)
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

    in_house(tmp_path, scenario)


def test_a_cash_out_says_what_went_to_a_claim(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.act("t1", ask.BuyIn("Paul", 1_000), CARL)
        await house.say("t1", "Dealer: place your bets")
        wager = house.wager("Paul", "17", 1_000)
        await house.act("t1", wager, Person("Paul", Role.PLAYER))
        await house.finish_round("t1", "17")
        await house.act("t1", ask.CashOut("Paul", 36_000), CARL)
        await correct(house, "18")
        await house.act("t1", ask.BuyIn("Paul", 40_000), CARL)
        carl = await house.log_on("Carl")

        path = f"{SEATS}/Paul/cash-out"
        part = await house.post(path, {"id": "1", "cents": 30_000}, carl)
        rest = await house.post(path, {"id": "2", "cents": 10_000}, carl)
        again = await house.post(path, {"id": "2", "cents": 10_000}, carl)

        assert (part["cents"], part["set_off_cents"]) == (0, 30_000)
        assert (rest["cents"], rest["set_off_cents"]) == (4_000, 6_000)
        assert again == rest

    in_house(tmp_path, scenario)


def test_a_terminal_enrolled_again_opens_empty(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        place = await sit_down(house)
        await house.act("t1", ask.BuyIn("T1", 1_000), CARL)
        ada, carl = await house.log_on("Ada"), await house.log_on("Carl")
        answer = await house.ask("DELETE", "/api/devices/T1", token=ada)
        assert answer.status == 204
        await house.floor.caught_up()
        await place[0].table.submit(ask.Submission("x", (CARL,), ask.Fill(1)))

        _, _, token = await sit_down(house)

        assert (await seat_of(house, token)).credit_cents == 0
        [kept] = (await house.get(SEATS, carl))["seats"]
        assert (kept["seat"], kept["owed_cents"]) == ("1@T1", 1_000)
        await house.post(
            "/api/tables/t1/owed/1@T1/pay", {"id": "1", "cents": 1_000}, carl
        )

    in_house(tmp_path, scenario)


def test_a_player_whose_terminal_was_revoked_is_seated_elsewhere(
    tmp_path: Path,
) -> None:
    async def scenario(house: House) -> None:
        await sit_down(house, "T1")
        _, ear, other = await sit_down(house, "T2")
        ada, sam = await house.log_on("Ada"), await house.log_on("Sam")
        await house.post("/api/players", {"name": "Pia", "pin": "2468"}, sam)
        put = {"terminal": "T1"}
        seated = await house.ask("PUT", "/api/players/Pia/seat", put, token=sam)
        await house.act("t1", ask.BuyIn("Pia", 700), CARL)
        path, put = "/api/players/Pia/seat", {"terminal": "T2"}
        error = await house.refused(409, "PUT", path, put, sam)
        await house.ask("DELETE", "/api/devices/T1", token=ada)
        ear.heard.clear()

        moved = await house.ask("PUT", path, put, token=sam)
        _, _, empty = await sit_down(house, "T1")

        assert (seated.status, moved.status) == (200, 200)
        assert error == "Pia sits at t1 already"
        assert moved.json()["terminal"] == "T2"
        seat = await seat_of(house, other)
        assert (seat.name, seat.credit_cents) == ("Pia", 700)
        shown = await ear.until(lambda each: isinstance(each, say.TableSnapshot))
        assert isinstance(shown, say.TableSnapshot)
        assert shown.seat is not None
        assert shown.seat.player == "Pia"
        again = await seat_of(house, empty)
        assert (again.name, again.player, again.credit_cents) == ("T1", None, 0)

    in_house(tmp_path, scenario)


def test_staff_seat_nobody_where_another_has_credit(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await sit_down(house)
        sam = await house.log_on("Sam")
        await house.post("/api/players", {"name": "Pia", "pin": "2468"}, sam)
        await house.act("t1", ask.BuyIn("T1", 700), CARL)
        path = "/api/players/Pia/seat"

        error = await house.refused(409, "PUT", path, {"terminal": "T1"}, sam)
        await house.refused(404, "PUT", path, {"terminal": "T9"}, sam)

        assert error == "collect the credit of this seat first"

    in_house(tmp_path, scenario)
