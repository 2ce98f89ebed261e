"""The second factor of the staff over HTTP: enrolled, asked for, used once, locked."""

from __future__ import annotations

from base64 import b32decode

import pytest

from tests.web.a_house import PASSWORD, TEXT, House
from tests.web.second_factors import OWN, code_of, enrol
from tests.web.two_people import AT_T1, adjustment, confirmation, played

pytestmark = pytest.mark.anyio

ASKED = TEXT.replace(
    'time_zone = "Asia/Singapore"\n',
    'time_zone = "Asia/Singapore"\nsecond_factor = ["confirm"]\n',
)


async def a_proposal(house: House) -> str:
    """Mira proposes an adjustment; return the token of Sam, who may confirm it."""
    await played(house)
    mira, sam = await house.log_on("Mira"), await house.log_on("Sam")
    assert (await house.post(AT_T1, adjustment(-100), mira))["number"] == 1
    return sam


@pytest.mark.house_file(ASKED)
async def test_who_confirms_gives_a_code_where_the_house_file_asks(
    house: House,
) -> None:
    sam = await a_proposal(house)
    confirm = f"{AT_T1}/1/confirm"
    asked = {"is_enrolled": False, "asked_for": ["confirm"]}
    assert await house.get(OWN, sam) == asked

    unknown = await house.refused(403, "POST", confirm, confirmation(), sam)
    key = await enrol(house, sam)
    missing = await house.refused(403, "POST", confirm, confirmation(), sam)
    right = confirmation(code=code_of(house, key))
    await house.post(confirm, right, sam)

    assert unknown == "Sam has no second factor: enrol one first"
    assert missing == "a code of your second factor is needed as well"
    assert (await house.get(OWN, sam))["is_enrolled"] is True
    kinds = [row.kind for row in house.store.events("house")]
    used = kinds.index("SecondFactorUsed")
    assert used < kinds.index("ConfirmationGiven")


@pytest.mark.house_file(ASKED)
async def test_a_code_is_used_once(house: House) -> None:
    sam = await a_proposal(house)
    mira = await house.log_on("Mira")
    await house.post(AT_T1, adjustment(-200), mira)
    key = await enrol(house, sam)
    code = code_of(house, key)
    await house.post(f"{AT_T1}/1/confirm", confirmation(code=code), sam)

    path = f"{AT_T1}/2/confirm"
    again = await house.refused(403, "POST", path, confirmation(code=code), sam)
    before = code_of(house, key, -1)
    earlier = await house.refused(403, "POST", path, confirmation(code=before), sam)
    after = code_of(house, key, 1)
    await house.post(path, confirmation(code=after), sam)

    assert again == earlier
    assert again == "the code is wrong, or has been used: wait for the next one"


@pytest.mark.house_file(ASKED)
async def test_wrong_codes_lock_the_account_and_no_log_on_takes_them_back(
    house: House,
) -> None:
    sam = await a_proposal(house)
    key = await enrol(house, sam)
    path, right = f"{AT_T1}/1/confirm", code_of(house, key)
    wrong = confirmation(code=str((int(right) + 7) % 10**6).zfill(6))
    for _ in range(4):
        await house.refused(403, "POST", path, wrong, sam)
        sam = await house.log_on("Sam")
    await house.refused(403, "POST", path, wrong, sam)

    await house.refused(401, "GET", "/api/me", token=sam)
    locked = {"name": "Sam", "password": PASSWORD}
    await house.refused(401, "POST", "/api/log-on", locked)
    house.pass_minutes(1.1)
    sam = await house.log_on("Sam")
    await house.refused(403, "POST", path, wrong, sam)
    house.pass_minutes(1.1)
    await house.refused(401, "POST", "/api/log-on", locked)


@pytest.mark.house_file(ASKED)
async def test_a_password_set_by_another_leaves_the_second_factor(house: House) -> None:
    key = await enrol(house, await a_proposal(house))
    new = "a-quite-other-phrase"
    ada, max_ = await house.log_on("Ada"), await house.log_on("Max")
    phone = await enrol(house, max_)
    body = {"temporary": new, "password": PASSWORD}
    proposed = await house.post("/api/staff/Sam/password", body, ada)
    path = f"/api/proposals/{proposed['number']}/confirm"
    await house.post(path, confirmation(code=code_of(house, phone)), max_)

    account = house.floor.record.state.account("Sam")
    assert account.factor is not None
    body = {"name": "Sam", "password": new}
    sam = (await house.post("/api/log-on", body))["token"]
    another = await house.refused(403, "POST", OWN, {"password": new}, sam)
    assert another == "a code of your second factor is needed as well"
    mine = {"password": new, "code": code_of(house, key)}
    assert (await house.post(OWN, mine, sam))["key"] != key


@pytest.mark.house_file(ASKED)
async def test_a_secret_counts_once_a_code_of_it_was_given_in_time(
    house: House,
) -> None:
    sam = await house.log_on("Sam")
    none = await house.refused(409, "PUT", OWN, {"code": "123456"}, sam)
    begun = await house.post(OWN, {"password": PASSWORD}, sam)
    wrong = await house.refused(409, "PUT", OWN, {"code": "12345x"}, sam)
    assert (await house.get(OWN, sam))["is_enrolled"] is False
    house.pass_minutes(begun["minutes"] + 1)
    code = {"code": code_of(house, begun["key"])}
    late = await house.refused(409, "PUT", OWN, code, sam)

    assert none == late
    assert none == "no second factor is being enrolled, or it expired: begin again"
    assert wrong == "the code is wrong, or has been used: wait for the next one"
    assert f"secret={begun['key']}" in begun["address"]


async def test_neither_events_nor_kept_secrets_give_the_key_away(house: House) -> None:
    key = await enrol(house, await house.log_on("Sam"))

    text = "".join(row.body for row in house.store.events("house"))
    kept = house.floor.record.state.account("Sam").factor
    assert kept is not None
    sealed = house.store.secret(kept)
    assert sealed is not None
    assert kept in text
    for hidden in (key, b32decode(key).hex(), sealed):
        assert hidden not in text
    assert key not in sealed


@pytest.mark.house_file(ASKED)
async def test_a_secret_that_a_restore_left_out_opens_nothing(house: House) -> None:
    sam = await a_proposal(house)
    key = await enrol(house, sam)
    kept = house.floor.record.state.account("Sam").factor
    assert kept is not None
    house.store.drop_secret(kept)

    right = confirmation(code=code_of(house, key))
    error = await house.refused(403, "POST", f"{AT_T1}/1/confirm", right, sam)

    assert error == (
        "the second factor of Sam can't be read any more:"
        " reset it at the machine of the house"
    )


async def test_a_house_that_asks_for_nothing_more_takes_the_password(
    house: House,
) -> None:
    sam = await a_proposal(house)
    await enrol(house, sam)

    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)

    assert (await house.get(OWN, sam))["asked_for"] == []
