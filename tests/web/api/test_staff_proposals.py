"""Changes of staff take two people; some acts take one."""

from __future__ import annotations

import pytest

from croupier.journal.events.codec import decode
from croupier.journal.events.house import StaffDefined
from tests.web.a_house import PASSWORD, House
from tests.web.staffing import NINA, PROPOSALS, define, member

pytestmark = pytest.mark.anyio

CONFIRM = {"password": PASSWORD}
TAKES_TWO = "new rights for {} take two people who manage staff: propose them"


async def test_new_accounts_and_new_rights_take_a_second_person(
    house: House,
) -> None:
    ada, mira = await house.log_on("Ada"), await house.log_on("Mira")
    more = {"name": "Carl", "positions": ["Dealer"], "duties": ["cashier"]}
    for body in (NINA, more, {"name": "Dana", "positions": ["Pit Supervisor"]}):
        error = await house.refused(409, "POST", "/api/staff", body, ada)
        assert error == TAKES_TWO.format(body["name"])

    proposed = await house.post(PROPOSALS, {**NINA, **CONFIRM}, ada)
    path = f"/api/proposals/{proposed['number']}/confirm"

    assert (proposed["table"], proposed["effect"]) == ("house", [])
    assert proposed["act"] == {"kind": "staff", **NINA, "digest": None}
    assert await member(house, ada, "Nina") is None
    assert await house.get("/api/proposals", mira) == [proposed]
    error = await house.refused(403, "POST", path, CONFIRM, ada)
    assert error == "another person must confirm your proposal"
    sam = await house.log_on("Sam")
    assert await house.get("/api/proposals", sam) == []
    await house.refused(403, "POST", path, CONFIRM, sam)
    await house.refused(404, "DELETE", "/api/proposals/1", token=sam)

    done = await house.post(path, CONFIRM, mira)
    again = await house.post(path, CONFIRM, mira)

    assert done == again
    assert (await member(house, ada, "Nina"))["positions"] == ["Dealer"]
    assert await house.get("/api/proposals", mira) == []
    defined = [
        event
        for row in house.store.events("house")
        if isinstance(event := decode(row.schema, row.kind, row.body), StaffDefined)
    ]
    assert [each.member.name for each in defined].count("Nina") == 1
    assert defined[-1].by == "Ada"
    log = await house.get("/api/log?kind=proposal", mira)
    assert "act define Nina as Dealer, attendant" in log["events"][0]["text"]


async def test_no_one_proposes_or_confirms_their_own_rights(house: House) -> None:
    ada, max_ = await house.log_on("Ada"), await house.log_on("Max")
    own = {"name": "Ada", "positions": ["Pit Manager"], **CONFIRM}
    of_max = {"name": "Max", "duties": ["administrator"], **CONFIRM}

    errors = [await house.refused(403, "POST", PROPOSALS, own, ada)]
    proposed = await house.post(PROPOSALS, of_max, ada)
    path = f"/api/proposals/{proposed['number']}/confirm"
    errors.append(await house.refused(403, "POST", path, CONFIRM, max_))

    assert set(errors) == {"you can't change your own positions and duties"}
    await house.post(path, CONFIRM, await house.log_on("Mira"))
    assert (await house.get("/api/me", max_))["duties"] == ["administrator"]


async def test_one_person_takes_rights_away(house: House) -> None:
    ada = await house.log_on("Ada")

    shown = await house.post("/api/staff", {"name": "Carl", "duties": ["cashier"]}, ada)

    assert shown["duties"] == ["cashier"]
    back = {"name": "Carl", "duties": ["cashier", "attendant"]}
    await house.refused(409, "POST", "/api/staff", back, ada)


async def test_what_was_taken_meanwhile_is_not_confirmed(house: House) -> None:
    ada, mira = await house.log_on("Ada"), await house.log_on("Mira")
    await house.post(PROPOSALS, {**NINA, **CONFIRM}, ada)
    carl = await house.log_on("Carl")
    await house.post("/api/players", {"name": "nina", "pin": "2468"}, carl)

    error = await house.refused(409, "POST", "/api/proposals/1/confirm", CONFIRM, mira)

    assert error == "the name 'Nina' looks like 'nina', which is taken"


_DANA = 'name = "Dana"\npositions = ["Dealer"]\n'


async def test_who_was_defined_by_two_is_removed_by_one(house: House) -> None:
    await define(house, NINA)
    mira = await house.log_on("Mira")

    answer = await house.ask("DELETE", "/api/staff/Nina", token=mira)

    assert answer.status == 204
    assert await member(house, mira, "Nina") is None
