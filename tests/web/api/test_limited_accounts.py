"""An account that other people set up can do nothing until a manager vouches for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.house.people import devices, proposals
from croupier.house.people.second_factor import reset_unasked
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events.two_person_acts import PasswordSetting
from croupier.protocol.messages import Hello
from tests.web.a_house import PASSWORD, REAL, House, in_house
from tests.web.second_factors import enrol
from tests.web.staffing import NINA, PROPOSALS
from tests.web.two_people import AT_T1, PATH, adjustment

pytestmark = pytest.mark.anyio

TEMPORARY, OWN = "seventeen black", "thirty-two red"
CONFIRM = {"password": PASSWORD}
TAKE_OVER = "/api/log-on/own-password"


def unasked(house: House, name: str) -> str:
    """Return a session's token, without a log-on at a device."""
    return house.floor.sessions.log_on_unasked(name)[0]


async def propose_password(house: House, by: str, name: str) -> int:
    body = {"temporary": TEMPORARY, **CONFIRM}
    path = f"/api/staff/{name}/password"
    return int((await house.post(path, body, unasked(house, by)))["number"])


async def confirm(house: House, by: str, number: int) -> Any:
    return await house.post(f"{PATH}/{number}/confirm", CONFIRM, unasked(house, by))


async def set_by(house: House, one: str, other: str, name: str) -> None:
    await confirm(house, other, await propose_password(house, one, name))


async def take_over(
    house: House, name: str, beside: str, **changes: str
) -> tuple[int, str]:
    """Return the status of the act, and its refusal."""
    body = {
        "name": name,
        "password": TEMPORARY,
        "new_password": OWN,
        "voucher": beside,
        "voucher_password": PASSWORD,
        "device": station(house),
        **changes,
    }
    answer = await house.ask("POST", TAKE_OVER, body)
    return answer.status, "" if answer.status == 204 else answer.error


def station(house: House) -> str:
    record, name = house.floor.record, f"station {house.new_id()}"
    code = devices.invite_unasked(record, "Ada", name, DeviceKind.STATION, None)
    return devices.enrol(record, code)[0]


@pytest.mark.house_file(REAL)
async def test_two_people_set_a_password_and_a_third_vouches(house: House) -> None:
    at, sam = station(house), unasked(house, "Sam")
    log_on = {"name": "Sam", "password": TEMPORARY, "device": at}
    number = await propose_password(house, "Ada", "Sam")
    await house.get("/api/me", sam)

    await confirm(house, "Mira", number)

    await house.refused(401, "GET", "/api/me", None, sam)
    said = "others have set the account of Sam: choose a password of your own"
    error = await house.refused(401, "POST", "/api/log-on", log_on)
    assert error.startswith(said)
    with pytest.raises(Denied, match="others have set"):
        unasked(house, "Sam")
    hello = Hello(device=at, session=sam)
    with pytest.raises(Denied):
        house.floor.connections.connect("t1", hello, None)  # type: ignore[arg-type]
    shown = await house.get("/api/staff", unasked(house, "Ada"))
    assert [each["name"] for each in shown if each["is_limited"]] == ["Sam"]

    assert (await take_over(house, "Sam", "Max"))[0] == 204

    await house.refused(401, "POST", "/api/log-on", log_on)
    session = await house.post("/api/log-on", {**log_on, "password": OWN})
    await house.get("/api/proposals", session["token"])


@pytest.mark.house_file(REAL)
async def test_a_setting_is_an_alarm_and_names_both(house: House) -> None:
    await set_by(house, "Ada", "Mira", "Sam")
    await take_over(house, "Sam", "Max")

    log = await house.get("/api/log?kind=staff", unasked(house, "Ines"))

    told = {each["event"]: each for each in log["events"]}
    assert told["AccountSet"]["is_alarm"]
    assert told["AccountSet"]["by"] == "Ada"
    assert "name Sam, what password, second Mira" in told["AccountSet"]["text"]
    assert told["AccountVouched"]["by"] == "Max"
    assert TEMPORARY not in str(log)


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"password": PASSWORD}, 401, "the name or the password is wrong"),
        ({"voucher_password": OWN}, 401, "the name or the password is wrong"),
        ({"voucher": "Zoe"}, 401, "the name or the password is wrong"),
        ({"voucher": "Ada"}, 401, "Ada can't vouch for Sam"),
        ({"voucher": "Mira"}, 401, "Mira can't vouch for Sam"),
        ({"voucher": "Carl"}, 401, "Carl may not vouch"),
        ({"voucher": "Sam", "voucher_password": TEMPORARY}, 401, "Sam may not vouch"),
        (
            {"new_password": TEMPORARY},
            409,
            "this is the current password: choose another",
        ),
        ({"new_password": "short"}, 409, "a password has from 10"),
        ({"device": "none"}, 401, "no device is enrolled"),
    ],
)
@pytest.mark.house_file(REAL)
async def test_a_person_who_vouches_took_no_part_in_the_setting(
    house: House, changes: dict[str, str], status: int, error: str
) -> None:
    await set_by(house, "Ada", "Mira", "Sam")

    got, said = await take_over(house, "Sam", "Max", **changes)

    assert (got, said[: len(error)]) == (status, error)
    assert (await take_over(house, "Sam", "Max"))[0] == 204


@pytest.mark.house_file(REAL)
async def test_a_limited_account_cant_vouch(house: House) -> None:
    for name in ("Sam", "Max"):
        await set_by(house, "Ada", "Mira", name)
    as_max = {"voucher_password": TEMPORARY}

    _, said = await take_over(house, "Sam", "Max", **as_max)

    assert said.startswith("Max can't vouch for Sam")


@pytest.mark.house_file(REAL)
async def test_an_account_of_ones_own_is_not_taken_over(house: House) -> None:
    got = await take_over(house, "Sam", "Max", password=PASSWORD)

    assert got == (409, "Sam has a password of their own: sign in with it")


@pytest.mark.house_file(REAL)
async def test_a_setting_withdraws_the_accounts_proposals(house: House) -> None:
    house.seat("t1", "Paul")
    await house.post(AT_T1, adjustment(500), unasked(house, "Sam"))
    await house.post(AT_T1, adjustment(700), unasked(house, "Mira"))

    await set_by(house, "Ada", "Mira", "Sam")

    waiting = await house.get("/api/proposals", unasked(house, "Max"))
    assert [each["by"] for each in waiting] == ["Mira"]
    log = await house.get("/api/log?kind=proposal", unasked(house, "Ines"))
    assert "the account of Sam was set by others" in str(log)


@pytest.mark.house_file(REAL)
async def test_a_new_account_is_limited_from_its_first_password(house: House) -> None:
    body = {**NINA, **CONFIRM, "temporary": TEMPORARY}
    proposed = await house.post(PROPOSALS, body, unasked(house, "Ada"))
    await confirm(house, "Mira", proposed["number"])

    assert "digest" not in proposed["act"] or proposed["act"]["digest"] is None
    with pytest.raises(Denied, match="others have set"):
        unasked(house, "Nina")
    assert (await take_over(house, "Nina", "Mira"))[0] == 401
    assert (await take_over(house, "Nina", "Max"))[0] == 204
    unasked(house, "Nina")


@pytest.mark.house_file(REAL)
async def test_an_account_is_opened_once(house: House) -> None:
    """A second proposal to open it would set the existing account's password."""

    body = {**NINA, **CONFIRM, "temporary": TEMPORARY}
    ada = unasked(house, "Ada")
    numbers = [(await house.post(PROPOSALS, body, ada))["number"] for _ in "12"]
    await confirm(house, "Mira", numbers[0])

    path, mira = f"{PATH}/{numbers[1]}/confirm", unasked(house, "Mira")
    said = await house.refused(409, "POST", path, CONFIRM, mira)

    assert said == "the name 'Nina' is taken"


@pytest.mark.house_file(REAL)
async def test_a_reset_second_factor_is_a_setting(house: House) -> None:
    await enrol(house, unasked(house, "Sam"))

    reset_unasked(house.floor.record, "Max", "Sam")

    with pytest.raises(Denied, match="others have set"):
        unasked(house, "Sam")
    now = {"password": PASSWORD}
    assert (await take_over(house, "Sam", "Max", **now))[0] == 401
    assert (await take_over(house, "Sam", "Mira", **now))[0] == 204


@pytest.mark.house_file(REAL)
async def test_one_person_sets_no_password(house: House) -> None:
    number = await propose_password(house, "Ada", "Mira")
    path = f"{PATH}/{number}/confirm"

    for name, error in (
        ("Ada", "another person must confirm"),
        ("Mira", "change your own password by giving the current one"),
        ("Sam", "Sam may not change staff"),
    ):
        token = unasked(house, name)
        said = await house.refused(403, "POST", path, CONFIRM, token)
        assert said.startswith(error)
    body = {"temporary": OWN, **CONFIRM}
    path = "/api/staff/Ada/password"
    said = await house.refused(403, "POST", path, body, unasked(house, "Ada"))
    assert said == "change your own password by giving the current one"


def test_an_unconfirmed_temporary_password_is_not_kept(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        record = house.floor.record
        numbers = [await propose_password(house, "Ada", "Sam") for _ in range(2)]
        kept = []
        for number in numbers:
            act = record.state.proposals[number].act
            assert isinstance(act, PasswordSetting)
            kept.append(str(act.digest))
        assert None not in map(house.store.secret, kept)

        ada = unasked(house, "Ada")
        await house.ask("DELETE", f"{PATH}/{numbers[0]}", token=ada)
        house.pass_minutes(60)
        await house.floor.in_house(lambda: proposals.expire(record))

        assert [house.store.secret(each) for each in kept] == [None, None]

    in_house(tmp_path, scenario, REAL)


async def test_a_demonstration_limits_no_account(house: House) -> None:
    await set_by(house, "Ada", "Mira", "Sam")

    log_on = {"name": "Sam", "password": TEMPORARY}
    session = await house.post("/api/log-on", log_on)

    await house.get("/api/proposals", session["token"])
