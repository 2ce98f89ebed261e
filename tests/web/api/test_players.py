"""Players over HTTP: registered, limited, excluded, with favourites."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.house.people.players import sit
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied
from croupier.journal.events.house import DeviceEnrolled, DeviceInvited
from croupier.ledger.commands import BuyIn, IssueVoucher
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from tests.web.a_house import NOON, PASSWORD, House

pytestmark = pytest.mark.anyio

PAUL = "/api/players/Paul"
NEW = {"name": "Paul", "pin": "2468"}
FAVOURITE = {"game": "rws-triple-zero", "wagers": ["straight_up:17@1000", "red@500"]}


async def seated(house: House) -> tuple[str, str]:
    """Seat Paul; return Sam's token and the terminal's."""
    sam = await house.log_on("Sam")
    await house.post("/api/players", NEW, sam)
    seat = await house.post("/api/tables/t1/guests")
    floor, place = house.floor, ("t1", seat["device"])
    await floor.in_house(
        lambda: sit(floor.record, floor.sessions, place, "Paul", "2468")
    )
    return sam, seat["token"]


def limits(
    stake: int | None, loss: int | None, deposit: int | None = None
) -> dict[str, Any]:
    return {"stake_cents": stake, "loss_cents": loss, "deposit_cents": deposit}


async def test_a_player_is_registered_once(house: House) -> None:
    carl = await house.log_on("Carl")
    shown = await house.post("/api/players", NEW, carl)

    assert shown["name"] == "Paul"
    assert await house.get("/api/players", carl) == [shown]
    for name in ("Paul", "Dana"):
        body = {**NEW, "name": name}
        error = await house.refused(409, "POST", "/api/players", body, carl)
        assert error == f"the name '{name}' is taken"
    await house.refused(400, "POST", "/api/players", {**NEW, "pin": "1"}, carl)
    await house.refused(404, "GET", "/api/players/Nobody", token=carl)


async def test_a_name_that_is_read_as_anothers_is_refused(house: House) -> None:
    """A terminal named as a Player would be paid the Player's credit."""

    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    ada = await house.log_on("Ada")
    await house.post("/api/players", NEW, carl)
    for name in ("Paul", "paul", "P\u0430ul", "dana", "D\u0430na"):
        device = {"name": name, "kind": "terminal", "table": "t1"}
        player = {**NEW, "name": name}
        staff = {"name": name, "duties": ["cashier"], "password": PASSWORD}
        await house.refused(409, "POST", "/api/devices", device, sam)
        await house.refused(409, "POST", "/api/players", player, carl)
        await house.refused(409, "POST", "/api/staff/proposals", staff, ada)


async def test_a_forgotten_pin_is_reset_and_the_old_one_opens_nothing(
    house: House,
) -> None:
    sam, place = await house.log_on("Sam"), ("t1", "T1")
    floor = house.floor
    await house.post("/api/players", NEW, sam)
    await house.refused(409, "PUT", f"{PAUL}/pin", {"pin": "0000"}, sam)
    await house.refused(404, "PUT", "/api/players/X/pin", {"pin": "8642"}, sam)
    await house.ask("PUT", f"{PAUL}/pin", {"pin": "8642"}, token=sam)
    with pytest.raises(Denied):
        sit(floor.record, floor.sessions, place, "Paul", "2468")
    sit(floor.record, floor.sessions, place, "Paul", "8642")


async def test_an_exclusion_has_a_longest_term(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.post("/api/players", NEW, sam)
    year, path = 366 * 86_400_000, f"{PAUL}/exclusion"
    now = house.floor.clock()
    far = {"until_ms": now + 10 * year + 60_000}
    error = await house.refused(409, "POST", path, far, sam)
    assert error == "an exclusion is for 10 years at most"
    await house.post(path, {"until_ms": now + 10 * year}, sam)


async def test_a_player_lowers_limits_and_the_staff_raise_them(house: House) -> None:
    sam, terminal = await seated(house)
    path = f"{PAUL}/limits"
    await house.ask("PUT", path, limits(5_000, 20_000), token=sam)

    lower = await house.ask("PUT", path, limits(1_000, 20_000), token=terminal)
    assert lower.json()["stake_limit_cents"] == 1_000
    for stake, loss in ((2_000, 20_000), (None, 20_000), (1_000, None)):
        error = await house.refused(409, "PUT", path, limits(stake, loss), terminal)
        assert error == "only the staff can raise a limit"
    raised = await house.ask("PUT", path, limits(None, None), token=sam)
    assert raised.json()["stake_limit_cents"] is None
    await house.refused(404, "PUT", "/api/players/X/limits", limits(1, 1), sam)
    await house.refused(400, "PUT", path, {"stake_cents": 0}, sam)


async def test_a_limit_on_the_stake_is_kept_at_the_table(house: House) -> None:
    _, terminal = await seated(house)
    await house.act("t1", BuyIn("Paul", 10_000))
    await house.ask("PUT", f"{PAUL}/limits", limits(1_000, None), token=terminal)
    await house.say("t1", "Dealer: place your bets")
    paul = Person("Paul", Role.PLAYER)
    await house.act("t1", house.wager("Paul", "red", 1_000), paul)

    late = Submission("late", (paul,), house.wager("Paul", "red", 100))
    answer = await house.floor.table("t1").submit(late)

    assert isinstance(answer, Refused)
    assert str(answer.refusal.reason) == "Paul stakes at most 10.00 in a round"


async def test_an_exclusion_is_never_made_shorter(house: House) -> None:
    sam, terminal = await seated(house)
    path = f"{PAUL}/exclusion"
    later = {"until_ms": NOON + 10_000_000}

    shown = await house.post(path, later, terminal)

    assert shown["excluded_until_ms"] == later["until_ms"]
    for until in (NOON - 1, NOON + 1_000):
        body = {"until_ms": until}
        error = await house.refused(409, "POST", path, body, sam)
        assert error == "an exclusion must end later than now and than the last one"


async def test_favourites_are_kept_shown_and_dropped(house: House) -> None:
    _, terminal = await seated(house)
    path = f"{PAUL}/favourites/my numbers"

    kept = await house.ask("PUT", path, FAVOURITE, token=terminal)

    assert kept.json() == {"name": "my numbers", **FAVOURITE}
    assert await house.get(f"{PAUL}/favourites", terminal) == [kept.json()]
    assert (await house.ask("DELETE", path, token=terminal)).status == 204
    error = await house.refused(404, "DELETE", path, token=terminal)
    assert error == "'Paul' keeps no favourite 'my numbers'"
    for wager in ("red", "red@", "red@0", "nothing@5", "red@1.5", "red@²"):
        body = {**FAVOURITE, "wagers": [wager]}
        await house.refused(409, "PUT", path, body, terminal)
    body = {**FAVOURITE, "game": "poker"}
    await house.refused(404, "PUT", path, body, terminal)
    await house.refused(400, "PUT", path, {**FAVOURITE, "wagers": []}, terminal)


async def test_a_terminal_speaks_only_for_its_own_player(house: House) -> None:
    sam, terminal = await seated(house)
    await house.post("/api/players", {**NEW, "name": "Pia"}, sam)
    other = await house.post("/api/tables/t1/guests")

    assert (await house.get(PAUL, terminal))["sits_at"] == "t1"
    await house.refused(403, "GET", "/api/players/Pia", token=terminal)
    await house.refused(403, "GET", PAUL, token=other["token"])
    body = {"until_ms": NOON + 10_000_000}
    path = "/api/players/Pia/exclusion"
    error = await house.refused(403, "POST", path, body, terminal)
    assert error.startswith("'Pia' does not sit at guest ")


async def test_who_has_a_loss_limit_sits_elsewhere_once_their_wagers_are_settled(
    house: House,
) -> None:
    """Wagers at the first table count for the loss limit once they are settled."""

    sam, _ = await seated(house)
    [terminal] = house.floor.record.state.devices
    await house.ask("PUT", f"{PAUL}/limits", limits(None, 3_000), token=sam)
    invited = DeviceInvited("a test", "T2", "terminal", "t2", 0, "T2")
    enrolled = DeviceEnrolled("T2", "the digest of its token")
    house.floor.record.write(invited, enrolled)
    await house.act("t1", BuyIn("Paul", 5_000))
    await house.say("t1", "Dealer: place your bets")
    paul, wager = Person("Paul", Role.PLAYER), house.wager("Paul", "red", 1_000)
    await house.act("t1", wager, paul)
    ada = await house.log_on("Ada")
    await house.ask("DELETE", f"/api/devices/{terminal}", token=ada)
    path, body = "/api/tables/t2/seats/T2/player", {"player": "Paul"}

    refused = await house.refused(409, "PUT", path, body, sam)
    await house.finish_round("t1", "0")
    shown = await house.ask("PUT", path, body, token=sam)

    assert house.floor.record.state.players["Paul"].loss_cents == 3_000
    assert refused == str(HouseReason.STILL_IN_PLAY())
    assert shown.status == 200
    assert house.floor.record.state.sitting["Paul"].table == "t2"


async def test_deposits_of_a_day_are_limited_at_all_tables_together(
    house: House,
) -> None:
    sam, _ = await seated(house)
    await house.ask("PUT", f"{PAUL}/limits", limits(None, None, 5_000), token=sam)

    async def buys_in(table: str, cents: int) -> bool:
        people = (Person("Carl", Role.CASHIER),)
        command = BuyIn("Paul", cents)
        asked = Submission(f"{table} {cents}", people, command)
        answer = await house.floor.table(table).submit(asked)
        if isinstance(answer, Refused):
            limit = HouseReason.DEPOSIT_LIMIT(player="Paul", limit_cents=5_000)
            assert answer.refusal.reason == limit
        return not isinstance(answer, Refused)

    assert await buys_in("t1", 3_000)
    assert not await buys_in("t1", 2_001)
    await house.act("t1", IssueVoucher("Paul", 1_000))
    assert not await buys_in("t1", 2_500)
    assert await buys_in("t1", 2_000)
    session = house.floor.table("t1").views.session("Paul")
    assert session.deposit_limit_cents == 5_000
    assert session.deposited_today_cents == 5_000
    assert session.net_deposits_today_cents == 4_000
    house.floor.tallies.rebuild("t1", {}, house.clock())
    assert house.floor.table("t1").views.session("Paul") == session
    house.pass_minutes(24 * 60)
    assert await buys_in("t1", 4_000)


async def test_a_player_lowers_the_own_limit_on_deposits_alone(house: House) -> None:
    sam, seat = await seated(house)
    path = f"{PAUL}/limits"
    await house.ask("PUT", path, limits(None, None, 5_000), token=seat)
    higher = await house.refused(409, "PUT", path, limits(None, None, 6_000), seat)
    none = await house.refused(409, "PUT", path, limits(None, None), seat)
    by_staff = await house.ask("PUT", path, limits(None, None, 6_000), token=sam)

    assert higher == none == str(HouseReason.LIMIT_RAISED_BY_STAFF())
    assert by_staff.json()["deposit_limit_cents"] == 6_000


async def test_a_player_sees_the_rounds_of_three_months_at_all_tables(
    house: House,
) -> None:
    await seated(house)
    paul, began = Person("Paul", Role.PLAYER), []
    for table, outcome in (("t1", "1"), ("t2", "2"), ("t1", "3"), ("t2", "4")):
        house.pass_minutes(40 * 24 * 60)
        await house.act(table, BuyIn("Paul", 1_000))
        await house.say(table, "Dealer: place your bets")
        await house.act(table, house.wager("Paul", "red", 1_000), paul)
        began.append(house.now_ms)
        house.pass_minutes(1)
        await house.finish_round(table, outcome)
    await house.play_round("t1", outcome="5")  # not Paul's
    path, sam = f"{PAUL}/rounds", await house.log_on("Sam")

    shown = await house.get(path, sam)
    year = await house.get(f"{path}?days=366&count=3", sam)
    rest = await house.get(f"{path}?days=366&before_ms={began[1]}", sam)

    numbers = [[each["winning_number"] for each in p["rounds"]] for p in (shown, year)]
    assert numbers == [["4", "3", "2"], ["4", "3", "2"]]
    assert (shown["has_more"], year["has_more"], rest["has_more"]) == (0, 1, 0)
    assert [each["winning_number"] for each in rest["rounds"]] == ["1"]
    assert rest["rounds"][0]["wagers"][0]["stake_cents"] == 1_000
    other = await house.post("/api/tables/t1/guests")
    await house.refused(403, "GET", path, token=other["token"])
