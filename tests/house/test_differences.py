"""What an edited house file changes, as text, and what it can't change."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from croupier.house.configuration.differences import (
    AT_THE_MACHINE,
    BY_ONE,
    ChangedBy,
    Difference,
    ImpossibleChange,
    changers,
    differences,
)
from croupier.house.configuration.setup import demonstration_plan
from croupier.journal.events.plan import (
    Duty,
    HousePlan,
    HouseSettings,
    Money,
    StaffPlan,
    TablePlan,
    Thresholds,
    WheelSource,
)
from croupier.rules.operator import Role

PLAN = demonstration_plan()


def changed_table(**changes: object) -> HousePlan:
    first, *others = PLAN.tables
    return replace(PLAN, tables=(replace(first, **changes), *others))  # type: ignore[arg-type]


def changed_house(plan: HousePlan, **changes: object) -> HousePlan:
    return replace(plan, house=replace(plan.house, **changes))  # type: ignore[arg-type]


def test_the_same_plan_has_no_differences() -> None:
    turned = replace(PLAN, tables=PLAN.tables[::-1], staff=PLAN.staff[::-1])

    assert differences(PLAN, PLAN) == ()
    assert differences(PLAN, turned) == ()


@pytest.mark.parametrize(
    ("new", "difference"),
    [
        (
            changed_house(PLAN, gaming_day_begins=5),
            ("house: gaming day begins", "6", "5"),
        ),
        (
            changed_house(PLAN, thresholds=Thresholds(fill_cents=500_050)),
            ("house: thresholds fill", "none", "5000.50"),
        ),
        (
            changed_table(chips=(250, 500)),
            ("table 1: chips", "1, 5, 25, 100, 500", "2.50, 5"),
        ),
        (
            changed_table(limits=(*PLAN.tables[0].limits[:-1], "six_line 5.00 7.50")),
            ("table 1: limits six_line", "1–600", "5–7.50"),
        ),
        (
            changed_table(limits=PLAN.tables[0].limits[:-1]),
            ("table 1: limits six_line", "1–600", "as *"),
        ),
        (
            changed_table(limits=PLAN.tables[0].limits[1:]),
            ("table 1: limits *", "5–1000", "none"),
        ),
        (
            changed_table(settings=("area_maximum red 9.00",)),
            ("table 1: setting area_maximum red", "as usual", "9.00"),
        ),
        (
            changed_table(settings=("complete_dozen inside",)),
            ("table 1: setting complete_dozen", "as usual", "inside"),
        ),
        (changed_table(rules_file="a.pdf"), ("table 1: rules file", "none", "a.pdf")),
        (changed_table(video="/a.mp4"), ("table 1: video", "none", "/a.mp4")),
        (
            replace(PLAN, staff=(*PLAN.staff, StaffPlan("Zoe", (Role.DEALER,)))),
            ("staff Zoe", "none", "positions Dealer"),
        ),
        (
            replace(PLAN, staff=PLAN.staff[1:]),
            ("staff Dana", "positions Dealer", "none"),
        ),
        (
            replace(PLAN, tables=PLAN.tables[:-1]),
            (
                "table 5",
                "game rws-triple-zero; wheel virtual; unapproved game no;"
                " countdown seconds 20;"
                " chips 1, 5, 25, 100, 500, 1000; seats 8;"
                " automatic dealer yes;"
                " limits * 5–1000; limits straight_up 1–100",
                "none",
            ),
        ),
    ],
)
def test_a_difference_reads_as_text(
    new: HousePlan, difference: tuple[str, str, str]
) -> None:
    assert differences(PLAN, new) == (Difference(*difference),)


def test_staff_change_by_position_and_duty() -> None:
    dana = StaffPlan("Dana", (), (Duty.CASHIER,))

    found = differences(PLAN, replace(PLAN, staff=(dana, *PLAN.staff[1:])))

    assert list(map(str, found)) == [
        "staff Dana: positions: Dealer → none",
        "staff Dana: duties: none → cashier",
    ]


def test_a_new_table_may_have_any_name_and_game() -> None:
    new = replace(PLAN.tables[0], name="east: game", wheel=WheelSource.CONSOLE)

    [found] = differences(PLAN, replace(PLAN, tables=(*PLAN.tables, new)))

    assert (found.where, found.before) == ("table east: game", "none")


def test_what_a_journal_began_with_lasts() -> None:
    new = changed_table(game="mbs-roulette-v2", wheel=WheelSource.CONSOLE, seats=1)
    new = changed_house(new, money=Money.REAL, currency="EUR")

    with pytest.raises(ImpossibleChange) as raised:
        differences(PLAN, new)

    assert str(raised.value).splitlines() == [
        "can't change: house: money: demonstration → real",
        "can't change: house: currency: SGD → EUR",
        "can't change: table 1: game: mbs-roulette-v3 → mbs-roulette-v2",
        "can't change: table 1: wheel: virtual → console",
    ]


def test_a_wheel_at_the_table_may_get_a_sensor() -> None:
    console, sensor = (
        changed_table(wheel=each) for each in (WheelSource.CONSOLE, WheelSource.SENSOR)
    )

    [found] = differences(console, sensor)

    assert str(found) == "table 1: wheel: console → sensor"


def test_the_settings_that_take_one_person_are_settings() -> None:
    kinds = (HouseSettings, TablePlan)
    known = {each.name for kind in kinds for each in fields(kind)}

    assert known >= BY_ONE | AT_THE_MACHINE
    assert not BY_ONE & AT_THE_MACHINE


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"voucher_days": 3650}, [("house: voucher days", ChangedBy.TWO)]),
        ({"name": "Another"}, [("house: name", ChangedBy.ONE)]),
        ({"second_factor": ()}, []),
        (
            {"sums_by_person": Thresholds(buy_in_cents=1)},
            [("house: sums by person buy in", ChangedBy.MACHINE)],
        ),
    ],
)
def test_a_changed_field_says_how_many_people_it_takes(
    change: dict[str, Any], found: list[tuple[str, ChangedBy]]
) -> None:
    assert list(changers(PLAN, changed_house(PLAN, **change))) == found


def test_a_setting_takes_one_person_and_the_sensor_s_closing_two() -> None:
    found = {
        line: [who for _, who in changers(PLAN, changed_table(settings=(line,)))]
        for line in ("area_maximum * 500.00", "close_on_drop off")
    }

    assert found == {
        "area_maximum * 500.00": [ChangedBy.ONE],
        "close_on_drop off": [ChangedBy.TWO],
    }


def test_a_table_that_comes_or_goes_takes_two_people() -> None:
    fewer = replace(PLAN, tables=PLAN.tables[1:])
    name = PLAN.tables[0].name

    for old, new in ((PLAN, fewer), (fewer, PLAN)):
        assert list(changers(old, new)) == [(name, ChangedBy.TWO)]
    with_file = changed_table(rules_file="/proc/self/environ")
    assert list(changers(fewer, with_file)) == [
        (name, ChangedBy.TWO),
        (f"{name}: rules file", ChangedBy.MACHINE),
    ]
