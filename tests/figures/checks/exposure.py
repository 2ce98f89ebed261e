"""`exposure`: what the House pays at each outcome, and what the limits allow."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from tests.figures.choices import some_chips, some_limits
from tests.figures.command import croupier, figures
from tests.figures.oracle.chance import Case, cases
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.settlement import Limits, Refused, lay, settle, wins


def check_exposure(seed: int) -> None:
    """Hold the exposure of a few Players against each case's settlement."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    limits = some_limits(chance, table, strict=False)
    players = {
        name: some_chips(chance, table, most=3)
        for name in ("Anna", "Ben", "Cara")[: chance.randint(1, 3)]
    }
    placed = chance.random() < 0.3
    answer = croupier(
        "exposure",
        table.name,
        *(f"{name}:{one}" for name, chips in players.items() for one in chips),
        *limits.options(),
        *(["--placed"] if placed else []),
        "--json",
    )
    try:
        laid = [
            wager
            for chips in players.values()
            for wager in lay(table, chips, limits, placed=placed)
        ]
    except Refused:
        assert answer.status == 2, (players, limits)
        return
    likely = cases(table)
    assert answer.json["game"] == table.name
    told = answer.json["exposure"]
    assert told["stake_cents"] == sum(p.stake for wager in laid for p in wager)
    rows = {row["outcome"]: row for row in told["cases"]}
    assert set(rows) == {case.name for case in likely.weights}
    expected = Fraction(0)
    for case, weight in likely.weights.items():
        settled = [one for wager in laid for one in settle(table, wager, case)]
        paid = sum(one.paid for one in settled)
        collected = sum(one.collected for one in settled)
        row = rows[case.name]
        assert (row["paid_cents"], row["collected_cents"]) == (paid, collected)
        assert row["net_cents"] == paid - collected
        assert Fraction(row["probability"]) == Fraction(weight, likely.whole)
        expected += Fraction(weight, likely.whole) * (paid - collected)
    assert Fraction(told["expected_net_cents"]) == expected
    assert told["worst"] == rows[told["worst"]["outcome"]]
    assert told["worst"]["net_cents"] == max(row["net_cents"] for row in rows.values())


def liability(
    table: Table, case: Case, limits: Limits, players: int, cap: int | None
) -> int:
    """Return the payment if every Player has the maximum on each winning area."""
    paid = 0
    for name, place in table.places.items():
        if wins(table, name, case):
            _, greatest = limits.of(place.type)
            assert greatest is not None
            stake = players * greatest
            stake = stake if cap is None else min(stake, cap)
            paid += stake * table.pays(place.type, case.status)
    return paid


def check_liability(
    table: Table, limits: Limits, told: dict[str, Any], cap: int | None = None
) -> None:
    """Hold the liability that limits allow against every area at its maximum."""
    players, likely = told["players"], cases(table)
    mine = {
        case.name: liability(table, case, limits, players, cap)
        for case in likely.weights
    }
    assert {row["outcome"]: row["liability_cents"] for row in told["cases"]} == mine
    assert told["maximum_liability_cents"] == max(mine.values())
    worst = told["worst"]
    [case] = [case for case in likely.weights if case.name == worst["outcome"]]
    weight = likely.weights[case]
    assert mine[case.name] == max(mine.values())
    assert Fraction(worst["probability"]) == Fraction(weight, likely.whole)
    assert {row["area"] for row in worst["areas"]} == {
        place for place in table.places if wins(table, place, case)
    }
    for row in worst["areas"]:
        kind = table.places[row["area"]].type
        _, greatest = limits.of(kind)
        assert greatest is not None
        stake = players * greatest
        assert row["stake_cents"] == (stake if cap is None else min(stake, cap))
        assert row["pays"] == table.pays(kind, case.status)
        assert row["paid_cents"] == row["stake_cents"] * row["pays"]


def check_maximum(table: Table, cap: int | None) -> None:
    chance = Random(table.name)
    limits = Limits(
        {"*": (500, 50_000), "straight_up": (500, 100 * chance.randint(5, 200))}
    )
    words = [] if cap is None else ["--setting", f"area_maximum {cap // 100}"]

    told = figures("exposure", table.name, *limits.options(), "--players", "3", *words)

    assert told["liability"]["players"] == 3
    check_liability(table, limits, told["liability"], cap)


def check_sheet() -> None:
    table, limits = TABLES["mbs-fast-action-v2"], Limits({"*": (500, 20_000)})

    told = figures("odds", table.name, *limits.options())

    assert told["limits"] == ["* 5.00 200.00"]
    assert told["liability"]["players"] == 1
    check_liability(table, limits, told["liability"])
