"""`report`: every figure of every group, by a second convolution of the rounds."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.figures.choices import some_limits
from tests.figures.command import croupier, figures
from tests.figures.files import day_of, settled_columns, write_rows
from tests.figures.oracle.chance import cases, drawn_case
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.report import (
    Fair,
    by_round,
    hits_of_a_round,
    sum_over_rounds,
    win_of_a_round,
)
from tests.figures.oracle.settlement import Limits, settle, wins
from tests.figures.oracle.statistics import holm, normal_quantile
from tests.figures.rounds import Row, some_rounds


def check_bounds(bounds: list[dict[str, Any]], fair: Fair) -> None:
    for bound in bounds:
        tail = (1 - bound["level"] / 100) / 2
        deviation = float(fair.variance) ** 0.5
        z = normal_quantile(1 - tail)
        assert bound["normal_low"] == pytest.approx(float(fair.mean) - z * deviation)
        assert bound["normal_high"] == pytest.approx(float(fair.mean) + z * deviation)
        if bound["method"] == "convolution":
            assert fair.is_low(bound["low"], tail), bound
            assert fair.is_high(bound["high"], tail), bound
        else:
            assert bound["method"] == "enclosure"
            assert fair.encloses(bound["low"], bound["high"], tail), bound
            inner = 0.02 * deviation
            assert not fair.encloses(bound["low"] + inner, math.inf, tail)
            assert not fair.encloses(-math.inf, bound["high"] - inner, tail)


def check_p_value(told: dict[str, float], mine: float) -> None:
    assert told["low"] <= mine + 1e-9
    assert told["high"] >= mine - 1e-9
    if mine > 1e-6:
        assert told["high"] <= 1.1 * mine + 1e-8
        assert told["low"] >= mine / 1.1 - 1e-8


def verdict(told: dict[str, float], levels: Sequence[float], *, above: bool) -> str:
    """Return what is to be said: the first level that the p-value is within."""
    for level in sorted(levels):
        if told["low"] > 1 - level / 100:
            return f"within {level} %"
        if told["high"] > 1 - level / 100:
            return f"not shown to be outside {level} %"
    return f"{'above' if above else 'below'} {max(levels)} %"


def check_group(
    table: Table, rows: Sequence[Row], kind: str | None, told: dict[str, Any]
) -> None:
    """Hold a group against the rows of it; `kind` is the type it is narrowed to."""
    pieces = [
        (row, piece)
        for row in rows
        for piece in row.pieces
        if kind in {None, table.places[piece.place].type}
    ]
    settled = [
        one
        for row, piece in pieces
        for one in settle(table, [piece], drawn_case(table, row.outcome, row.lit))
    ]
    win = sum(one.collected - one.paid for one in settled)
    at_risk = sum(piece.at_risk for _, piece in pieces)
    likely = cases(table)
    rounds = by_round(((row.place, row.round), piece) for row, piece in pieces)
    wins_of = [win_of_a_round(table, likely, laid) for laid in rounds.values()]
    hits_of = [hits_of_a_round(table, likely, laid) for laid in rounds.values()]
    fair, fair_hits = sum_over_rounds(wins_of), sum_over_rounds(hits_of)
    hits = {
        (row.place, row.round, piece.place)
        for row, piece in pieces
        if piece.at_risk
        and wins(table, piece.place, drawn_case(table, row.outcome, row.lit))
    }

    assert told["rounds"] == len(rounds)
    assert told["wagers"] == (len(rows) if kind is None else len(pieces))
    assert told["stake_cents"] == sum(piece.stake for _, piece in pieces)
    assert told["at_risk_cents"] == at_risk
    assert told["paid_cents"] == sum(one.paid for one in settled)
    assert told["collected_cents"] == sum(one.collected for one in settled)
    assert told["returned_cents"] == sum(one.returned for one in settled)
    assert told["house_win_cents"] == win
    assert Fraction(told["expected_win_cents"]) == fair.mean
    assert Fraction(told["win_variance"]) == fair.variance
    if at_risk:
        assert Fraction(told["actual_return"]) == 1 - Fraction(win, at_risk)
        assert Fraction(told["theoretical_return"]) == 1 - fair.mean / at_risk
    assert told["hits"] == len(hits)
    assert Fraction(told["expected_hits"]) == fair_hits.mean
    assert Fraction(told["hit_variance"]) == fair_hits.variance
    check_bounds(told["win_bounds"], fair)
    check_bounds(told["hit_bounds"], fair_hits)
    check_p_value(told["p_value"], fair.p_value(win))
    check_p_value(told["hits_p_value"], fair_hits.p_value(len(hits)))
    if at_risk:
        levels = [bound["level"] for bound in told["win_bounds"]]
        assert told["return_is"] == verdict(
            told["p_value"], levels, above=win < fair.mean
        )
        assert told["hits_are"] == verdict(
            told["hits_p_value"], levels, above=len(hits) > fair_hits.mean
        )


KEYS: dict[str, Callable[[Row], str]] = {
    "table": lambda row: row.place,
    "day": day_of,
}


def check_holm(groups: list[dict[str, Any]], key: str) -> None:
    """Hold the corrected p-values against Holm's steps over all groups."""
    for end in ("low", "high"):
        corrected = holm([group[key][end] for group in groups])
        for group, mine in zip(groups, corrected, strict=True):
            told = group.get(f"{key}_holm", group[key])
            assert told[end] == pytest.approx(mine, rel=1e-9)


def check_sections(
    table: Table, rows: Sequence[Row], sections: list[dict[str, Any]]
) -> None:
    for section in sections:
        keys = [key for key in section["by"] if key != "type"]
        for group in section["groups"]:
            mine = [row for row in rows if all(KEYS[k](row) == group[k] for k in keys)]
            check_group(table, mine, group.get("type"), group)
        for key in ("p_value", "hits_p_value"):
            check_holm(section["groups"], key)
        groups = {
            tuple(KEYS[key](row) for key in keys)
            + ((table.places[piece.place].type,) if "type" in section["by"] else ())
            for row in rows
            for piece in row.pieces
        }
        assert len(section["groups"]) == len(groups)


def check_meters(rows: Sequence[Row], meters: list[dict[str, Any]]) -> None:
    mine: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        mine[row.place, day_of(row)].append(row)
    for meter in meters:
        here = mine.pop((meter["table"], meter["day"]))
        alive = [row for row in here if not row.void]
        assert meter["rounds"] == len({row.round for row in alive})
        assert meter["voids"] == len({row.round for row in here if row.void})
        assert meter["handle_cents"] == sum(row.at_risk for row in alive)
        assert meter["paid_cents"] == sum(row.paid or 0 for row in alive)
        win = sum(row.collected - (row.paid or 0) for row in alive)
        assert meter["win_cents"] == win
        if meter["handle_cents"]:
            assert Fraction(meter["hold"]) == Fraction(win, meter["handle_cents"])
    assert not mine


def check_report(seed: int, folder: Path, *, rounds: int = 8) -> None:
    """Report a file at random and check every group and meter of it."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    limits = some_limits(chance, table) if table.lies_outside_limits else Limits()
    rows = [
        row
        for row in some_rounds(chance, table, limits, rounds=rounds)
        if row.paid is not None
    ]
    file = folder / f"settled-{seed}.csv"
    write_rows(file, [settled_columns(row) for row in rows])
    by = chance.choice(("table", "day", "type", "table,day", "day,type"))
    level = chance.choice(([], ["--level", "80", "--level", "99.9"]))

    told = figures(
        *("report", str(file), "--game", table.name, "--by", by),
        *limits.options(),
        *level,
    )

    alive = [row for row in rows if not row.void]
    check_group(table, alive, None, told["all"])
    check_sections(table, alive, told["sections"])
    check_meters(rows, told["meters"])
    assert (told["rows_checked"], told["rows_differing"]) == (len(rows), 0)


def check_differences(seed: int, folder: Path) -> None:
    """Put wrong sums into a few rows: just these are found, with what is right."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    rows = list(some_rounds(chance, table, Limits(), rounds=6))
    wrong = set(chance.sample(range(len(rows)), 3))
    written = [settled_columns(row) for row in rows]
    for at in wrong:
        written[at]["paid_cents"] = str((rows[at].paid or 0) + chance.randint(1, 900))
    file = folder / f"wrong-{seed}.csv"
    write_rows(file, written)

    answer = croupier("report", str(file), "--game", table.name, "--json")

    told = json.loads(answer.out)
    assert answer.status == 1
    assert (told["rows_checked"], told["rows_differing"]) == (len(rows), 3)
    assert {one["row"] - 1 for one in told["differences"]} == wrong
    for one in told["differences"]:
        row = rows[one["row"] - 1]
        assert one["found"]["paid_cents"] == int(written[one["row"] - 1]["paid_cents"])
        assert one["expected"]["paid_cents"] == row.paid
        assert one["expected"]["collected_cents"] == row.collected
        assert one["expected"]["returned_cents"] == row.returned


def test_rows_that_differ(tmp_path: Path) -> None:
    for seed in range(8):
        check_differences(seed, tmp_path)


@pytest.mark.parametrize("block", range(3))
def test_reports_at_random(block: int, tmp_path: Path) -> None:
    for seed in range(6 * block, 6 * block + 6):
        check_report(seed, tmp_path)
