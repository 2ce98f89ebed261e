"""Records by Dealer, wheel and table: each checked, all corrected together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.journal.stores import open_store
from croupier.lab.wheel.check import GroupedCheck, Verdict, check_groups
from croupier.lab.wheel.check_text import groups_json, groups_verdict
from croupier.lab.wheel.outcomes import read_wheel
from croupier.lab.wheel.record import CheckPlan, OutcomeLabel, WheelError, WheelRecord
from croupier.rules import commands as do
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from tests.lab.wheel.wheels import V3, fair, row_labels, weighted
from tests.table.a_table import Played

PLAN = CheckPlan(trials=999, orders=999, enough=10)
DEALERS = ("Ann", "Bo", "Cy")


def _record(parts: Sequence[Any], spell: int = 25) -> WheelRecord:
    """The Dealers take turns, a spell each; each has the outcomes of one part."""
    spins = len(parts[0])
    places, dealers = [], []
    for first in range(0, spins, spell):
        for name, part in zip(DEALERS, parts, strict=False):
            some = part[first : first + spell]
            places += [int(place) for place in some]
            dealers += [name] * len(some)
    return WheelRecord.placed(
        V3, np.array(places), labels={OutcomeLabel.DEALER: row_labels(dealers)}
    )


def _evidence(grouped: GroupedCheck) -> dict[str, set[str]]:
    return {
        group.name: {test.name for test in group.check.evidence}
        for group in grouped.groups
        if group.check.evidence
    }


def test_the_dealer_whose_outcomes_gather_is_named_and_no_other() -> None:
    record = _record([fair(1, 900), weighted(2, {"17": 4.0}, 900), fair(3, 900)])

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert [group.name for group in grouped.groups] == ["Ann", "Bo", "Cy"]
    assert [group.check.record.spins for group in grouped.groups] == [900] * 3
    assert "single numbers" in _evidence(grouped)["Bo"]
    assert _evidence(grouped).keys() == {"Bo"}
    assert grouped.difference is not None
    assert grouped.difference.is_evidence
    assert grouped.verdict is Verdict.EVIDENCE
    said = groups_verdict(grouped)
    assert said[0] == "Evidence of bias at a level of 1 % over all groups:"
    assert any(line.startswith("- Bo: single numbers: 17 came up") for line in said)
    assert any(line.startswith("- Bo: 17: +") for line in said)


def test_a_group_has_its_own_outcomes_in_their_order() -> None:
    parts = [fair(4, 60), fair(5, 60), fair(6, 60)]

    grouped = check_groups(_record(parts), [OutcomeLabel.DEALER], PLAN)

    for group, part in zip(grouped.groups, parts, strict=True):
        assert group.check.record.places.tolist() == part.tolist()


def test_all_tests_of_all_groups_are_corrected_together() -> None:
    record = _record([fair(seed, 300) for seed in (7, 8, 9)])

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert grouped.difference is not None
    judged = [each for group in grouped.groups for each in group.check.judged]
    judged.append(grouped.difference)
    assert len(judged) == grouped.family == 28
    # Holm by hand: the smallest p-value times 28, the next times 27, never falling.
    in_order = sorted(judged, key=lambda each: each.test.p_value)
    greatest = 0.0
    for rank, each in enumerate(in_order):
        greatest = max(greatest, min((28 - rank) * each.test.p_value, 1.0))
        assert each.corrected == pytest.approx(greatest)


def test_the_comparison_is_chi_square_of_the_groups() -> None:
    record = _record([fair(seed, 600) for seed in (1, 2)])

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert grouped.difference is not None
    one, two = (group.check.record.counts for group in grouped.groups)
    statistic = sum(
        (count - (a + b) / 2) ** 2 / ((a + b) / 2)
        for a, b in zip(one.tolist(), two.tolist(), strict=True)
        for count in (a, b)
    )
    assert grouped.difference.test.statistic == pytest.approx(statistic)


def test_few_outcomes_compare_groups_by_random_orders() -> None:
    record = _record([fair(seed, 40) for seed in (1, 2, 3)])

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert grouped.difference is not None
    assert "random orders" in grouped.difference.test.method
    assert grouped.verdict is Verdict.TOO_FEW


def test_a_group_that_is_too_small_is_listed_and_not_tested() -> None:
    dealers = ["Ann"] * 300 + ["Bo"] * 9
    record = WheelRecord.placed(
        V3, fair(1, 309), labels={OutcomeLabel.DEALER: row_labels(dealers)}
    )

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert [len(group.check.judged) for group in grouped.groups] == [9, 0]
    assert grouped.difference is None
    assert grouped.family == 9


def test_who_is_not_told_is_a_group_and_none_told_is_refused() -> None:
    labels = {OutcomeLabel.DEALER: row_labels(["Ann", None] * 50)}
    record = WheelRecord.placed(V3, fair(1, 100), labels=labels, source="w.csv")

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    assert [group.name for group in grouped.groups] == ["Ann", "not told"]
    with pytest.raises(WheelError, match=r"w\.csv does not tell the wheel"):
        check_groups(record, [OutcomeLabel.WHEEL], PLAN)


def test_too_many_groups_are_refused() -> None:
    names = [f"D{place % 201}" for place in range(402)]
    record = WheelRecord.placed(
        V3,
        fair(1, 402),
        labels={OutcomeLabel.DEALER: row_labels(names)},
        source="w.csv",
    )

    with pytest.raises(WheelError, match="201 groups by dealer; 200 are the most"):
        check_groups(record, [OutcomeLabel.DEALER], PLAN)


def test_intervals_of_groups_pay_for_all_of_them() -> None:
    record = _record([fair(1, 300), fair(2, 300), fair(3, 300)])

    grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)

    check = grouped.groups[0].check
    assert check.confidence == pytest.approx(1 - 0.01 / 3)
    assert check.intervals.confidence == check.confidence


def test_two_columns_make_pairs_and_json_names_them(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    rows = [
        f"{V3.ring[place]},{'AB'[row % 2]},{DEALERS[row % 3]}"
        for row, place in enumerate(fair(1, 240))
    ]
    path.write_text("outcome,wheel,dealer\n" + "\n".join(rows), "utf-8")
    by = (OutcomeLabel.WHEEL, OutcomeLabel.DEALER)

    grouped = check_groups(read_wheel(str(path), game=V3, by=by), by, PLAN)

    assert len(grouped.groups) == 6
    told = groups_json(grouped)
    assert told["groups"][0]["group"] == {"wheel": "A", "dealer": "Ann"}
    assert told["groups"][0]["outcomes"] == 40
    assert told["tests"] == 6 * 9 + 1


def test_a_file_of_several_wheels_asks_which(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text("outcome,wheel\n5,A\n7,B\n9,A\n", "utf-8")

    record = read_wheel(str(path), game=V3, wheel="A")

    assert [record.ring[place] for place in record.places] == ["5", "9"]
    assert record.source == f"{path}, wheel A"
    with pytest.raises(WheelError, match=r"several wheels: --wheel A, B, or --by"):
        read_wheel(str(path), game=V3)
    both = read_wheel(str(path), game=V3, by=(OutcomeLabel.WHEEL,))
    assert both.labels[OutcomeLabel.WHEEL].names == ("A", "B")


def test_a_journal_tells_its_dealers_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    ann = Person("Ann", Role.DEALER)
    with open_store(str(path)) as store:
        one = Played(store, "mbs-roulette-v3", stream="t1")
        one.play_round("5")
        one.done(do.PlaceYourBets(), ann)
        one.done(do.SpinBall(), ann)
        one.done(do.NoMoreBets(), ann)
        one.done(do.AnnounceOutcome(Number("7")), ann)
        one.done(do.Settle(), ann)
        Played(store, "mbs-roulette-v3", stream="t2").play_round("9")

    of_dealers = read_wheel(str(path), table="t1", by=(OutcomeLabel.DEALER,))
    of_tables = read_wheel(str(path), by=(OutcomeLabel.TABLE,))

    assert of_dealers.labels[OutcomeLabel.DEALER].names == ("Dealer", "Ann")
    assert of_dealers.labels[OutcomeLabel.DEALER].codes.tolist() == [0, 1]
    assert sorted(of_tables.labels[OutcomeLabel.TABLE].names) == ["t1", "t2"]
    assert of_tables.spins == 3
    with pytest.raises(WheelError, match="does not tell wheels apart"):
        read_wheel(str(path), table="t1", by=(OutcomeLabel.WHEEL,))
