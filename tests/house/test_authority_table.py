"""Who may do what as a house file says it, and what nobody is together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.house.configuration.differences import differences
from croupier.house.configuration.house_file import HouseFileError, read_house
from croupier.house.configuration.setup import demonstration_plan
from croupier.house.people.authority import (
    USUAL_AUTHORITY,
    USUAL_NEVER_TOGETHER,
    HouseAct,
    never_both,
    separations_of,
    table_of,
)
from croupier.journal.events.plan import ActHolders, Authority, Duty
from croupier.rules.operator import Role
from tests.web.a_house import NOON, PASSWORD, TEXT, House, opened

pytestmark = pytest.mark.anyio

OWN = """
[authority]
handle_money = ["cashier"]
watch = ["Pit Manager", "inspector"]
never_together = [["Dealer", "cashier"]]
"""


def faults_of(authority: str, text: str = TEXT) -> list[str]:
    with pytest.raises(HouseFileError) as wrong:
        read_house(text + authority, "f")
    return list(wrong.value.faults)


def test_what_a_file_leaves_out_is_as_usual() -> None:
    plan = read_house(TEXT, "f")

    assert plan.house.authority == Authority()
    assert table_of(Authority()) == USUAL_AUTHORITY
    assert separations_of(Authority()) == USUAL_NEVER_TOGETHER


def test_a_file_sets_rights_and_roles_that_exclude_each_other() -> None:
    authority = read_house(TEXT + OWN, "f").house.authority

    assert authority == Authority(
        acts=(
            ActHolders("handle_money", (), (Duty.CASHIER,)),
            ActHolders("watch", (Role.PIT_MANAGER,), (Duty.INSPECTOR,)),
        ),
        never_together=(("Dealer", "cashier"),),
    )
    table = table_of(authority)
    assert table[HouseAct.HANDLE_MONEY] == (
        frozenset[Role](),
        frozenset({Duty.CASHIER}),
    )
    assert table[HouseAct.RUN_TABLE] == USUAL_AUTHORITY[HouseAct.RUN_TABLE]
    assert never_both(authority, (Duty.CASHIER, Role.DEALER)) == ("Dealer", "cashier")
    assert never_both(authority, (Duty.CASHIER, Duty.INSPECTOR)) is None


def test_an_act_of_another_version_gives_no_rights() -> None:
    unknown = Authority(acts=(ActHolders("fly", (Role.DEALER,)),))

    assert table_of(unknown) == USUAL_AUTHORITY


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("handel_money = []", "authority: 'handel_money' is no key here; did you"),
        ("watch = 1", "authority.watch: must be a list, not a whole"),
        ('watch = ["Boss"]', "authority.watch[0]: can't be 'Boss'"),
        (
            'never_together = [["cashier"]]',
            "authority.never_together[0]: must be a list of length 2",
        ),
        ('never_together = ["cashier"]', "authority.never_together[0]: must be a list"),
    ],
)
def test_what_is_wrong_is_told_by_its_path(line: str, fault: str) -> None:
    [told] = faults_of(f"\n[authority]\n{line}\n")

    assert told.startswith(f"f: {fault}")


def test_a_person_with_excluding_roles_is_named_when_the_file_is_read() -> None:
    text = TEXT.replace('["inspector"]', '["inspector", "cashier"]')

    assert faults_of("", text) == [
        "f: staff[6]: one person can't be cashier and inspector (authority)"
    ]
    assert faults_of(OWN.replace('"Dealer", "cashier"', '"attendant", "cashier"')) == [
        "f: staff[5]: one person can't be cashier and attendant (authority)"
    ]
    read_house(text + "\n[authority]\nnever_together = []\n", "f")


def test_an_edited_table_is_a_difference() -> None:
    changed = differences(read_house(TEXT, "f"), read_house(TEXT + OWN, "f"))

    assert [str(each) for each in changed] == [
        "house: authority handle_money: as usual → cashier",
        "house: authority watch: as usual → Pit Manager, inspector",
        "house: authority never_together: as usual → Dealer with cashier",
    ]


async def test_the_table_of_the_house_decides_and_is_listed(tmp_path: Path) -> None:
    async with opened(tmp_path, TEXT + OWN) as house:
        dana, ines = await house.log_on("Dana"), await house.log_on("Ines")
        house.seat("t1", "Paul")
        await house.post("/api/tables/t1/dealer", token=dana)
        path, body = "/api/tables/t1/seats/Paul/buy-in", {"id": "1", "cents": 100}

        error = await house.refused(403, "POST", path, body, dana)
        shown = await house.get("/api/authority", ines)

        assert error == "Dana may not take or pay money"
        rows = {each["act"]: each for each in shown}
        money = rows["handle_money"]
        assert (money["positions"], money["duties"]) == ([], ["cashier"])
        assert money["people"] == ["Carl"]
        await house.post(path, body, await house.log_on("Carl"))
        assert "handle_money" not in (await house.get("/api/me", dana))["may"]


async def test_excluding_roles_are_refused_to_one_person(house: House) -> None:
    ada, mira = await house.log_on("Ada"), await house.log_on("Mira")
    both = {"name": "Carl", "duties": ["cashier", "inspector"]}
    acting: dict[str, Any] = {"position": "Dealer", "from_ms": NOON}
    acting["until_ms"] = NOON + 60_000

    errors = [
        await house.refused(409, "POST", "/api/staff", both, ada),
        await house.refused(
            409, "POST", "/api/staff/proposals", {**both, "password": PASSWORD}, ada
        ),
        await house.refused(409, "POST", "/api/staff/Ines/acting", acting, mira),
    ]

    said = "one person can't be both {} and inspector in this house"
    assert errors == [said.format("cashier")] * 2 + [said.format("Dealer")]


@pytest.mark.parametrize(
    ("added", "what"),
    [
        ("\n[authority]\nmanage_staff = []\n", "house: authority manage_staff"),
        ("\n[thresholds]\nbuy_in = 100\n", "house: thresholds buy in"),
    ],
)
async def test_controls_on_single_persons_change_only_at_the_machine(
    house: House, added: str, what: str
) -> None:
    mira, before = await house.log_on("Mira"), house.floor.record.state.house
    body = {"text": TEXT + added, "apply": True}

    error = await house.refused(409, "POST", "/api/house/file", body, mira)

    assert error.startswith(f"{what}: this changes only at the machine")
    assert house.floor.record.state.house == before


def test_the_demonstration_is_lawful() -> None:
    plan = demonstration_plan()

    for member in plan.staff:
        held: list[Role | Duty] = [*member.positions, *member.duties]
        assert never_both(plan.house.authority, held) is None
