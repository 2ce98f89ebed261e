"""Reports on files of settled wagers, held against polars, duckdb and the odds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from croupier.audit.report import groups
from croupier.audit.report.days import chosen_days, read_span
from croupier.audit.report.return_report import (
    ReportRequest,
    ReturnReport,
    make_report,
    read_groupings,
)
from croupier.audit.report.rounds import AMOUNTS, Dimension
from croupier.batch import settle_file
from croupier.games import find_game
from croupier.journal.addresses import SourceError
from croupier.numeric.sums import SumMethod
from croupier.odds import odds_of
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.terms import read_limits
from croupier.rules.wheel import Number

V3 = find_game("mbs-roulette-v3")
FAST = find_game("mbs-fast-action-v2")
COMPLETE = find_game("mbs-complete-bet-v2")
ZEROS = find_game("rws-triple-zero")
TABLES, ROUNDS = ("A", "B"), 100


def _rows(game: Any = V3, generous: int = 0, seed: int = 1) -> list[dict[str, Any]]:
    """Wagers settled by hand: table B pays so much more to one than the document."""
    rng = np.random.default_rng(seed)
    areas = [area.name for area in game.areas]
    rows = []
    for table in TABLES:
        for number in range(1, ROUNDS + 1):
            outcome = Number(str(rng.choice(game.numbers)))
            drawn = frozenset(
                Number(str(n)) for n in rng.choice(game.numbers, 10, replace=False)
            )
            winning = winning_areas(game, Outcome(outcome, drawn))
            for _ in range(int(rng.integers(1, 5))):
                area = str(rng.choice(areas))
                stake = 100 * int(rng.integers(1, 20))
                pays = winning.get(area)
                extra = generous if table == "B" else 0
                won = pays is not None
                rows.append(
                    {
                        "table": table,
                        "round": number,
                        "day": f"2026-11-{10 + number // 50}",
                        "dealer": ("Dora", "Emil", "")[number % 3],
                        "player": str(rng.choice(["Anna", "Ben"])),
                        "area": area,
                        "stake_cents": stake,
                        "outcome": str(outcome),
                        "bonus_numbers": " ".join(drawn),
                        "paid_cents": stake * (pays + extra) if pays is not None else 0,
                        "collected_cents": 0 if won else stake,
                        "returned_cents": stake if won else 0,
                    }
                )
    return rows


def _write(path: Path, rows: list[dict[str, Any]], game: Any = V3) -> str:
    frame = pl.DataFrame(rows)
    if game is not FAST and "bonus_numbers" in frame.columns:
        frame = frame.drop("bonus_numbers")
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".parquet":
            frame.write_parquet(path)
        case _:
            frame.write_ndjson(path)
    return str(path)


def _report(path: Path, rows: list[dict[str, Any]], **asked: Any) -> ReturnReport:
    game = asked.pop("game", V3)
    return make_report(_write(path, rows, game), ReportRequest(game=game, **asked))


def _section(report: ReturnReport, *by: Dimension) -> dict[Any, Any]:
    [section] = [each for each in report.sections if each.grouping == by]
    return {judged.key: judged for judged in section.groups}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_sums_are_those_of_duckdb_and_polars(tmp_path: Path, suffix: str) -> None:
    rows = _rows()
    names = {each.name: each.wager_type.value for each in V3.areas}
    frame = pl.DataFrame(rows).with_columns(
        pl.col("area").replace_strict(names).alias("type")
    )

    report = _report(tmp_path / f"settled{suffix}", rows)

    for dimension in Dimension:
        found = _section(report, dimension)
        asked = duckdb.sql(
            f'SELECT "{dimension.value}", sum(stake_cents)::HUGEINT,'
            " sum(paid_cents)::HUGEINT, sum(collected_cents)::HUGEINT,"
            ' sum(returned_cents)::HUGEINT, count(*), count(DISTINCT ("table", round)),'
            ' count(DISTINCT ("table", round, area)) FILTER (paid_cents > 0)'
            " FROM frame GROUP BY ALL"
        )
        assert asked is not None
        lines = asked.fetchall()
        assert len(lines) == len(found)
        for key, stake, paid, collected, returned, wagers, rounds, hits in lines:
            group = found[key,].group
            amounts = dict(zip(AMOUNTS, group.amounts, strict=True))
            assert amounts == {
                "stake": stake,
                "at_risk": stake,
                "paid": paid,
                "collected": collected,
                "returned": returned,
            }
            assert group.win_cents == collected - paid
            assert (group.wagers, group.rounds, group.hits) == (wagers, rounds, hits)
            assert group.actual_return == Fraction(int(paid + returned), int(stake))
    of_all = frame.select(pl.col("stake_cents").sum(), pl.len()).row(0)
    assert (report.whole.group.at_risk_cents, report.whole.group.wagers) == of_all


@pytest.mark.parametrize("game", [V3, FAST, COMPLETE, ZEROS], ids=lambda g: g.name)
def test_the_theoretical_return_is_the_odds_weighted_by_amounts_at_risk(
    tmp_path: Path, game: Any
) -> None:
    rows = _rows(game)[:150]

    report = _report(tmp_path / "settled.parquet", rows, game=game)

    by_type: dict[str, tuple[Fraction, int]] = {}
    hits: dict[str, Fraction] = {}
    seen = set()
    for row in rows:
        odds = odds_of(game, row["area"])
        kind = game.area_by_name[row["area"]].wager_type.value
        back, stake = by_type.get(kind, (Fraction(), 0))
        back += odds.return_to_player * row["stake_cents"]
        by_type[kind] = back, stake + row["stake_cents"]
        place = row["table"], row["round"], row["area"]
        if place not in seen:
            seen.add(place)
            hits[kind] = hits.get(kind, Fraction()) + odds.win_probability
    found = _section(report, Dimension.TYPE)
    assert {key[0] for key in found} == set(by_type)
    for kind, (back, stake) in by_type.items():
        assert found[kind,].group.theoretical_return == back / stake
        assert found[kind,].group.hit.mean == hits[kind]
    whole = sum((back for back, _ in by_type.values()), Fraction())
    staked = sum(stake for _, stake in by_type.values())
    assert report.whole.group.theoretical_return == whole / staked


def test_a_frame_has_a_row_for_each_group(tmp_path: Path) -> None:
    report = _report(tmp_path / "settled.csv", _rows())

    frame = report.to_frame()

    assert frame.height == 1 + sum(len(each.groups) for each in report.sections)
    whole = frame.row(0, named=True)
    assert whole["theoretical_return"] == pytest.approx(36 / 37)
    assert whole["win_bounds_95_low"] == report.whole.win.bounds[0].low
    assert frame.filter(frame["by"] == "table")["table"].to_list() == ["A", "B"]


def test_the_variance_takes_each_round_whole(tmp_path: Path) -> None:
    rows = _rows()[:60]
    rounds: dict[Any, list[Any]] = {}
    for row in rows:
        rounds.setdefault((row["table"], row["round"]), []).append(row)

    report = _report(tmp_path / "settled.csv", rows)

    variance = Fraction()
    for some in rounds.values():
        wins = []
        for number in V3.numbers:
            winning = winning_areas(V3, Outcome(number))
            wins.append(
                sum(-row["stake_cents"] * winning.get(row["area"], -1) for row in some)
            )
        mean = Fraction(sum(wins), 37)
        variance += Fraction(sum(win * win for win in wins), 37) - mean**2
    assert report.whole.group.win.variance == variance


def test_a_table_that_pays_too_much_lies_outside_and_the_other_does_not(
    tmp_path: Path,
) -> None:
    rows = _rows(generous=20)

    report = _report(tmp_path / "settled.parquet", rows)

    found = _section(report, Dimension.TABLE)
    honest, generous = found["A",], found["B",]
    assert honest.win.says.startswith("within")
    assert generous.win.says == "below 99 %"
    assert generous.group.win_cents < generous.win.bounds[-1].low
    # It wins no more often than it should.
    assert generous.hits.says.startswith("within")


def test_many_groups_share_one_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = _rows()
    plain = _report(tmp_path / "settled.csv", rows)
    monkeypatch.setattr(groups, "MOST_BYTES", 50_000)

    small = _report(tmp_path / "settled.csv", rows)

    assert plain.whole.win.bounds[0].method is not SumMethod.BERNSTEIN
    assert small.whole.win.bounds[0].method is SumMethod.BERNSTEIN
    assert small.whole.group.win.variance == plain.whole.group.win.variance
    shown = [j.group for s in small.sections for j in s.groups]
    kept = sum(g.win.kept_bytes + g.hit.kept_bytes for g in shown)
    assert 0 < kept <= 50_000


def test_groupings_can_be_crossed(tmp_path: Path) -> None:
    rows = _rows()

    report = _report(
        tmp_path / "settled.csv", rows, by=read_groupings(["table,day", "type"])
    )

    assert [each.grouping for each in report.sections] == [
        (Dimension.TABLE, Dimension.DAY),
        (Dimension.TYPE,),
    ]
    found = _section(report, Dimension.TABLE, Dimension.DAY)
    days = {(row["table"], row["day"]) for row in rows}
    assert set(found) == days
    assert sum(each.group.wagers for each in found.values()) == len(rows)


def test_only_requested_days_count(tmp_path: Path) -> None:
    rows = _rows()

    report = _report(
        tmp_path / "settled.csv", rows, span=read_span("2026-11-11", "2026-11-11")
    )

    kept = [row for row in rows if row["day"] == "2026-11-11"]
    assert report.whole.group.wagers == len(kept)
    assert {day for _, day in report.meters} == {"2026-11-11"}


def test_days_follow_from_times_by_the_house_s_clock(tmp_path: Path) -> None:
    row = _rows()[0]
    del row["day"]
    # 21:59 and 22:00 UTC are 5:59 and 6:00 in Singapore.
    times = ["2026-11-14 21:59:00", "2026-11-14 22:00:00"]
    rows = [{**row, "round": n, "time": time} for n, time in enumerate(times, 1)]

    report = _report(
        tmp_path / "settled.csv", rows, days=chosen_days("Asia/Singapore", 6)
    )

    assert set(_section(report, Dimension.DAY)) == {("2026-11-14",), ("2026-11-15",)}


def test_a_file_without_tables_and_days_is_reported_by_type(tmp_path: Path) -> None:
    rows = [
        {k: v for k, v in row.items() if k not in ("table", "day", "dealer")}
        for row in _rows()
    ]
    rows = rows[: len(rows) // 2 - 10]

    report = _report(tmp_path / "settled.csv", rows)

    assert [each.grouping for each in report.sections] == [(Dimension.TYPE,)]
    assert not report.knows_days
    with pytest.raises(SourceError, match="has no column table"):
        _report(tmp_path / "settled.csv", rows, by=read_groupings(["table"]))
    with pytest.raises(SourceError, match="has no column dealer"):
        _report(tmp_path / "settled.csv", rows, by=read_groupings(["type,dealer"]))
    with pytest.raises(SourceError, match="has no column day, time or at_ms"):
        _report(tmp_path / "settled.csv", rows, span=read_span("2026-11-11", None))


def _row(**changes: Any) -> dict[str, Any]:
    """Anna lost 10.00 on red at 8."""
    return {
        "round": 1,
        "area": "red",
        "stake_cents": 1_000,
        "outcome": "8",
        "paid_cents": 0,
        "collected_cents": 1_000,
        "returned_cents": 0,
        **changes,
    }


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow"])
def test_a_frame_is_reported_as_a_file_is(tmp_path: Path, kind: str) -> None:
    rows = _rows()
    frame: Any = pl.DataFrame(rows).drop("bonus_numbers")
    frame = {"pandas": frame.to_pandas, "arrow": frame.to_arrow}.get(
        kind, lambda: frame
    )()

    found = make_report(frame, game=V3)
    of_file = _report(tmp_path / "settled.csv", rows)

    assert found.source == "the table"
    assert found.whole == of_file.whole
    assert found.meters == of_file.meters
    with pytest.raises(SourceError, match="the table: row 2: the row is out"):
        make_report(pl.DataFrame([_row(), _row(round=0)]), game=V3)


def test_chips_that_the_limits_return_were_not_at_risk(tmp_path: Path) -> None:
    rows = [
        # Above a maximum of 100.00: the pay table on the maximum, all of it back (A10).
        _row(round=1, area="black", stake_cents=30_000, paid_cents=10_000,
             collected_cents=0, returned_cents=30_000),
        _row(round=2, stake_cents=30_000, collected_cents=10_000,
             returned_cents=20_000),
        # Under a minimum: it stands once, then it is returned, win or lose (A9).
        _row(round=3),
        _row(round=4, area="black", collected_cents=0, returned_cents=1_000),
    ]  # fmt: skip

    report = _report(tmp_path / "settled.csv", rows, limits=("* 20 100",))

    group = report.whole.group
    assert dict(zip(AMOUNTS, group.amounts, strict=True)) == {
        "stake": 62_000,
        "at_risk": 21_000,
        "paid": 10_000,
        "collected": 11_000,
        "returned": 51_000,
    }
    assert group.theoretical_return == Fraction(36, 37)
    assert group.hit.mean == Fraction(3 * 18, 37)
    assert not report.differs


def test_without_limits_the_whole_stake_is_at_risk_despite_the_file(
    tmp_path: Path,
) -> None:
    wagers = [
        {"round": 1, "area": "black", "stake": "300", "outcome": "8"},
        {"round": 2, "area": "red", "stake": "300", "outcome": "8"},
        {"round": 3, "area": "red", "stake": "30", "outcome": "8"},
    ]
    source, target = tmp_path / "wagers.csv", tmp_path / "settled.csv"
    pl.DataFrame(wagers).write_csv(source)
    settle_file(V3, source, target, limits=read_limits(["* 5 100"]))

    limited = make_report(str(target), ReportRequest(game=V3, limits=("* 5 100",)))
    unlimited = make_report(str(target), ReportRequest(game=V3))

    assert pl.read_csv(target)["at_risk_cents"].to_list() == [10_000, 10_000, 3_000]
    assert limited.whole.group.at_risk_cents == 23_000
    assert not limited.differs
    assert unlimited.whole.group.at_risk_cents == 63_000
    assert unlimited.differences is not None
    assert [each.row for each in unlimited.differences.kept] == [1, 2]


def test_a_game_without_a_clause_for_it_has_the_whole_stake_at_risk(
    tmp_path: Path,
) -> None:
    # Triple Zero refuses wagers above a maximum: 7.00 for 10.00 on black is too little.
    rows = [_row(area="black", paid_cents=700, collected_cents=0, returned_cents=1_000)]

    report = _report(tmp_path / "settled.csv", rows, game=ZEROS)

    assert report.whole.group.at_risk_cents == 1_000
    assert report.whole.group.actual_return == Fraction(17, 10)


def test_wagers_of_several_pieces_count_piece_by_piece(tmp_path: Path) -> None:
    # Tiers: six splits of 10.00; 8 wins one of them, 5/8 (17 to 1).
    rows = [
        _row(area="tiers", paid_cents=17_000, collected_cents=5_000,
             returned_cents=1_000),
        _row(round=2, area="tiers", collected_cents=0, returned_cents=6_000),
        _row(round=3),
    ]  # fmt: skip

    report = _report(tmp_path / "settled.csv", rows, game=COMPLETE)

    split = _section(report, Dimension.TYPE)["split",].group
    assert dict(zip(AMOUNTS, split.amounts, strict=True)) == {
        "stake": 12_000,
        "at_risk": 12_000,
        "paid": 17_000,
        "collected": 5_000,
        "returned": 7_000,
    }
    assert (split.wagers, split.hits) == (12, 1)
    assert split.hit.mean == Fraction(24, 37)
    assert report.whole.group.wagers == 3


def test_void_rounds_count_only_in_the_meters(tmp_path: Path) -> None:
    rows = [
        _row(void=False),
        _row(round=2, outcome="", void=True, collected_cents=0, returned_cents=1_000),
        _row(round=2, outcome="", void=True, collected_cents=0, returned_cents=1_000),
    ]

    report = _report(tmp_path / "settled.csv", rows)

    assert (report.whole.group.rounds, report.whole.group.wagers) == (1, 1)
    assert report.whole.group.amounts[0] == 1_000
    meter = report.meters.whole
    assert (meter.rounds, meter.voids, meter.corrections) == (1, 1, None)
    assert (meter.drop_cents, meter.hold_of_drop) == (None, None)
    assert meter.hold == 1
    assert (meter.handle_cents, meter.win_cents) == (1_000, 1_000)


def test_meters_are_those_of_polars(tmp_path: Path) -> None:
    rows = _rows()

    report = _report(tmp_path / "settled.parquet", rows)

    grouped = pl.DataFrame(rows).group_by("table", "day").agg(
        pl.col("round").n_unique(),
        pl.col("stake_cents").sum(),
        pl.col("paid_cents").sum(),
        (pl.col("collected_cents") - pl.col("paid_cents")).sum().alias("win"),
    )  # fmt: skip
    found = {
        place: (m.rounds, m.handle_cents, m.paid_cents, m.win_cents)
        for place, m in report.meters.items()
    }
    assert found == {row[:2]: row[2:] for row in grouped.rows()}


def test_a_long_file_is_taken_in_pieces(tmp_path: Path) -> None:
    rounds = 20_000
    rng = np.random.default_rng(3)
    won = rng.integers(0, 37, rounds) < 18
    frame = pl.DataFrame(
        {
            "round": np.arange(rounds),
            "area": ["red"] * rounds,
            "stake_cents": np.full(rounds, 100),
            "outcome": np.where(won, "1", "2"),
            "paid_cents": np.where(won, 100, 0),
            "collected_cents": np.where(won, 0, 100),
            "returned_cents": np.where(won, 100, 0),
        }
    )
    path = tmp_path / "settled.parquet"
    frame.write_parquet(path, row_group_size=3_000)

    report = make_report(str(path), ReportRequest(game=V3))

    group = report.whole.group
    assert (group.rounds, group.hits) == (rounds, int(won.sum()))
    assert group.win.variance == rounds * 100**2 * (1 - Fraction(1, 37**2))
    assert report.whole.win.says.startswith("within")


BAD: dict[str, tuple[Any, str]] = {
    "no number": (_row(outcome="37"), "row 2: '37' is not a number"),
    "another game's number": (_row(outcome="00"), "row 2: .*has no number 00"),
    "no area": (_row(area="purple"), "row 2: .*purple"),
    "no stake": (_row(stake_cents=0), "row 2: the row has the stake '0'"),
    "cents that are none": (
        _row(paid_cents=-5),
        "row 2: paid_cents is no whole number",
    ),
    "out of order": (_row(round=0), "row 2: the row is out of order"),
    "two outcomes": (_row(round=1, outcome="9"), "row 1: the rows of the round tell"),
    "no day": (_row(round=2, day="soon"), "row 2: there is no day 'soon'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_malformed_row_is_refused_with_its_number(tmp_path: Path, name: str) -> None:
    row, said = BAD[name]
    first = _row(day="2026-11-15")
    rows = [first, {**first, "round": 2, **row}]
    if name in ("out of order", "two outcomes"):
        rows[1]["round"] = row["round"]

    with pytest.raises(SourceError, match=said) as raised:
        _report(tmp_path / "settled.csv", rows)

    assert str(raised.value).startswith(str(tmp_path / "settled.csv"))
    assert "\n" not in str(raised.value)


def test_files_that_are_no_settled_wagers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "settled.csv"
    unsettled = {k: v for k, v in _row().items() if k != "paid_cents"}
    truncated = tmp_path / "settled.parquet"
    _write(truncated, _rows())
    truncated.write_bytes(truncated.read_bytes()[:-20])
    other = tmp_path / "settled.txt"
    other.write_text("17\n")
    empty = tmp_path / "empty.csv"
    empty.write_text(",".join(_row()) + "\n")

    with pytest.raises(SourceError, match="no column paid_cents: it is no file of"):
        _report(path, [unsettled])
    with pytest.raises(SourceError, match="it is no such table"):
        make_report(str(truncated), ReportRequest(game=V3))
    with pytest.raises(SourceError, match=r"must end in \.parquet or \.csv"):
        make_report(str(other), ReportRequest(game=V3))
    with pytest.raises(SourceError, match=r"empty\.csv"):
        make_report(str(empty), ReportRequest(game=V3))
    with pytest.raises(SourceError, match="say which game its wagers are of"):
        make_report(_write(path, [_row()]))
    twice = _write(tmp_path / "twice.csv", [_row()])
    Path(twice).write_text("round,round,area,stake_cents,outcome,paid_cents\n")
    with pytest.raises(SourceError, match=r"twice\.csv: there are two columns round"):
        make_report(twice, ReportRequest(game=V3))
    with pytest.raises(SourceError, match="No such file"):
        make_report(str(tmp_path / "nowhere.csv"), ReportRequest(game=V3))


def test_a_file_of_void_rounds_has_nothing_to_report_on(tmp_path: Path) -> None:
    rows = [_row(void=True, outcome="", collected_cents=0, returned_cents=1_000)]

    with pytest.raises(SourceError, match="has no settled round with an outcome"):
        _report(tmp_path / "settled.csv", rows)


def test_the_same_file_as_json_lines_may_have_numbers_as_text(tmp_path: Path) -> None:
    path = tmp_path / "settled.jsonl"
    path.write_text(json.dumps(_row(stake_cents="1000")) + "\n")

    report = make_report(str(path), ReportRequest(game=V3))

    assert report.whole.group.at_risk_cents == 1_000
