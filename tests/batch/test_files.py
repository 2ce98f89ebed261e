"""Files of wagers: every format, rounds that straddle pieces, files that are broken."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from croupier.batch import TableError, rounds, settle_file, settle_frame
from croupier.batch.compiled import compile_game
from croupier.batch.table_files import open_table
from croupier.batch.table_settlement import TableSettlement
from croupier.games import find_game
from croupier.rules.game import Settings
from croupier.rules.terms import read_limits

V3 = find_game("mbs-roulette-v3")
SUFFIXES = (".parquet", ".csv", ".jsonl")
WAGERS = pl.DataFrame(
    {
        "round": [1, 1, 2, 2, 3],
        "player": ["Anna", "Ben", "Anna", "Änne", "Ben"],
        "area": ["17", "red", "nonsense", "20/17", "dozen:2"],
        "stake_cents": [1000, 5000, 100, 250, 300],
        "outcome": ["17", "17", "20", "20", "0"],
        "note": ["a,b", None, 'say "x"', "", "ü"],
    }
)
PAID = [35000, 0, 4250, 0]


def write(frame: pl.DataFrame, path: Path) -> Path:
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=2)
    elif path.suffix == ".csv":
        frame.write_csv(path)
    else:
        frame.write_ndjson(path)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, by readers that are not ours."""
    if path.suffix == ".parquet":
        return pl.read_parquet(path).to_dicts()
    if path.suffix == ".csv":
        return pl.read_csv(path).to_dicts()
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("into", SUFFIXES)
def test_every_format_is_settled_into_every_format(
    suffix: str, into: str, tmp_path: Path
) -> None:
    source = write(WAGERS, tmp_path / f"wagers{suffix}")
    target = tmp_path / f"settled{into}"

    summary = settle_file(V3, source, target)

    rows = read(target)
    assert [int(row["paid_cents"]) for row in rows] == PAID
    assert [row["player"] for row in rows] == ["Anna", "Ben", "Änne", "Ben"]
    assert [str(row["round"]) for row in rows] == ["1", "1", "2", "3"]
    assert [row["note"] or "" for row in rows] == ["a,b", "", "", "ü"]
    assert summary.rejects == tmp_path / "settled.rejects.csv"
    [rejected] = read(summary.rejects)
    assert (rejected["row"], rejected["area"]) == (3, "nonsense")
    assert rejected["note"] == 'say "x"'
    assert (summary.totals.rows, summary.totals.rejected) == (5, 1)


@pytest.mark.parametrize("into", SUFFIXES)
def test_rejects_go_to_the_requested_file(into: str, tmp_path: Path) -> None:
    source = write(WAGERS, tmp_path / "wagers.parquet")
    rejects = tmp_path / f"bad{into}"

    settle_file(V3, source, tmp_path / "settled.parquet", rejects=rejects)

    [rejected] = read(rejects)
    assert rejected["reason"].startswith("'nonsense' is not a wager")


def test_without_rejects_there_is_no_file_of_them_and_nothing_else_is_left(
    tmp_path: Path,
) -> None:
    source = write(WAGERS.filter(pl.col("area") != "nonsense"), tmp_path / "in.csv")

    summary = settle_file(V3, source, tmp_path / "out.csv")

    assert summary.rejects is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_table_without_rows_is_settled_into_one_without_rows(
    suffix: str, tmp_path: Path
) -> None:
    source = write(WAGERS.clear(), tmp_path / f"wagers{suffix}")
    target = tmp_path / "settled.parquet"

    summary = settle_file(V3, source, target)

    assert summary.totals.rows == 0
    assert "paid_cents" in pl.read_parquet(target).columns


def test_rounds_that_straddle_pieces_are_judged_whole() -> None:
    rng = np.random.default_rng(2)
    rows = 400
    frame = pl.DataFrame(
        {
            "round": np.sort(rng.integers(0, 60, rows)),
            "player": rng.choice(["A", "B"], rows),
            "area": rng.choice(["red", "17", "tiers"], rows),
            "stake_cents": rng.integers(1, 900, rows),
        }
    ).with_columns(outcome=(pl.col("round") % 37).cast(pl.String))
    limits = ["* 5 10"]
    at_once = settle_frame("mbs-complete-bet-v2", frame)
    limited = settle_frame(V3, frame, limits=limits)

    for cut in (1, 2, 7, 50, 399):
        for game, terms, whole in (
            (find_game("mbs-complete-bet-v2"), [], at_once),
            (V3, limits, limited),
        ):
            settlement = TableSettlement(
                compile_game(game), read_limits(terms), Settings()
            )
            parts = []
            for batch in frame.to_arrow().to_batches(cut):
                parts += list(settlement.take(batch))
            parts += list(settlement.finish())

            paid = [
                cents
                for part in parts
                for cents in part.settled.column("paid_cents").to_pylist()
            ]
            assert paid == whole.settled["paid_cents"].to_list()
            assert settlement.totals == whole.totals


@pytest.mark.parametrize("in_order", [True, False])
def test_a_round_is_one_in_a_piece_with_rows_out_of_order_too(in_order: bool) -> None:
    """The rows of round 2 tell different outcomes, whatever stands between them."""
    between = 2 if in_order else 1
    pieces = [([1, 2], ["5", "7"]), ([2, between, 3], ["8", "8", "9"])]
    settlement = TableSettlement(compile_game(V3), read_limits([]), Settings())

    parts = []
    for numbers, outcomes in pieces:
        rows = len(numbers)
        columns = {"area": ["red"] * rows, "stake_cents": [500] * rows}
        batch = {"round": numbers, **columns, "outcome": outcomes}
        parts += list(settlement.take(pa.RecordBatch.from_pydict(batch)))
    parts += list(settlement.finish())

    reasons = {
        row["row"]: row["reason"]
        for part in parts
        if part.rejected is not None
        for row in part.rejected.to_pylist()
    }
    assert sorted(reasons) == [2, 3, 4]
    assert ("out of order" in reasons[4]) is not in_order
    assert "tell different outcomes" in reasons[2] == reasons[3]
    assert (settlement.totals.rounds, settlement.totals.settled) == (3, 2)


def test_a_round_of_too_many_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MOST_ROWS_OF_A_ROUND", 10)
    frame = pl.concat([WAGERS.head(1)] * 11)
    source = write(frame, tmp_path / "wagers.parquet")

    with pytest.raises(TableError, match="the round 1 has more than 10 rows"):
        settle_file(V3, source, tmp_path / "settled.parquet")

    assert [path.name for path in tmp_path.iterdir()] == ["wagers.parquet"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("share", [0, 0.3, 0.6, 0.97])
def test_a_truncated_file_is_refused_in_one_sentence_and_leaves_nothing(
    suffix: str, share: float, tmp_path: Path
) -> None:
    whole = write(pl.concat([WAGERS] * 50), tmp_path / f"whole{suffix}").read_bytes()
    source = tmp_path / f"wagers{suffix}"
    cut = whole[: int(len(whole) * share)]
    source.write_bytes(cut if suffix == ".parquet" else cut.rstrip(b"}\n") + b'"')

    with pytest.raises(TableError) as told:
        settle_file(V3, source, tmp_path / "settled.parquet")

    assert str(told.value).startswith(f"{source}: ")
    assert "\n" not in str(told.value)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"wagers{suffix}", f"whole{suffix}"]


@pytest.mark.parametrize("place", range(12))
def test_a_parquet_file_with_a_broken_byte_is_settled_or_refused_whole(
    place: int, tmp_path: Path
) -> None:
    good = write(WAGERS, tmp_path / "good.parquet").read_bytes()
    source = tmp_path / "wagers.parquet"
    at = len(good) * place // 12
    source.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
    target = tmp_path / "settled.parquet"

    try:
        settle_file(V3, source, target)
        told = ""
    except TableError as error:
        told = str(error)

    paid = pl.read_parquet(target)["paid_cents"] if target.exists() else None
    assert (paid is None) == bool(told)
    assert "\n" not in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("[1]\n", "line 1 is not a JSON object"),
        ('{"round": 1}\n{"round": 2, "more": 1}\n', "there is no column area"),
        ('{"a": 1, "a": 2', "line 1 is not a JSON object"),
    ],
)
def test_json_lines_that_are_no_table_are_refused(
    text: str, said: str, tmp_path: Path
) -> None:
    source = tmp_path / "wagers.jsonl"
    source.write_text(text, "utf-8")

    with pytest.raises(TableError, match=said) as _kept:
        settle_file(V3, source, tmp_path / "settled.csv")

    assert source not in _open_files()


def _open_files() -> set[Path]:
    """The files that this process has open, where the system tells."""
    return {each.resolve() for each in Path("/proc/self/fd").glob("*")}


def test_json_lines_keep_money_exact_and_other_values_as_json(tmp_path: Path) -> None:
    source = tmp_path / "wagers.jsonl"
    rows = [
        '{"round": 1, "area": "17", "stake": 2.50, "outcome": 17, "more": [1, {}]}',
        '{"round": 2, "area": "17", "stake": "2.50", "outcome": 17}',
        '{"round": 3, "area": "17", "stake": 2.505, "outcome": 17, "more": true}',
    ]
    source.write_text("\n".join(rows), "utf-8")
    target = tmp_path / "settled.jsonl"

    summary = settle_file(V3, source, target)

    settled = read(target)
    assert [row["paid_cents"] for row in settled] == [8750, 8750]
    assert [row["more"] for row in settled] == ["[1,{}]", None]
    assert summary.totals.rejected == 1


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            '{"round": 2, "area": "17", "stake": "1", "outcome": "x"}',
            "not a whole number",
        ),
        ('{"round": 2, "another": 1, "outcome": 1}', "has another, which the first"),
    ],
)
def test_json_lines_that_change_their_columns_are_refused(
    second: str, said: str, tmp_path: Path
) -> None:
    source = tmp_path / "wagers.jsonl"
    first = '{"round": 1, "area": "17", "stake": "1", "outcome": 17}'
    source.write_text(f"{first}\n{second}\n", "utf-8")

    with pytest.raises(TableError, match=said):
        settle_file(V3, source, tmp_path / "settled.csv")


def test_a_csv_row_with_too_few_cells_is_no_row_of_the_table(tmp_path: Path) -> None:
    source = tmp_path / "wagers.csv"
    source.write_text("round,area,stake,outcome\n1,17,1,17\n1,17\n", "utf-8")

    with pytest.raises(TableError, match="Expected 4 columns, got 2"):
        settle_file(V3, source, tmp_path / "settled.csv")


@pytest.mark.parametrize(("sign", "said"), [(";", "semicolons"), ("\t", "tabs")])
def test_a_csv_with_other_separators_is_named_as_such(
    sign: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "wagers.csv"
    path.write_text(sign.join(["round", "area", "stake", "outcome"]) + "\n")

    with pytest.raises(TableError, match=f"it has {said} between its cells; write"):
        open_table(path)


def test_a_game_and_files_may_be_named_by_text(tmp_path: Path) -> None:
    target = tmp_path / "settled.csv"

    summary = settle_file(
        V3.name, "samples/wagers.csv", str(target), limits=["* 5 1000"]
    )

    assert summary.totals.rows == 6
    assert target.is_file()


def test_text_of_a_file_that_is_quoted_has_no_control_characters(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wagers.csv"
    path.write_text("round,area\n1,red\n\x1b[2J\x07\u202eevil\n")

    with pytest.raises(TableError, match=r"got 1: \[2J evil") as raised:
        list(open_table(path).batches)

    assert str(raised.value).isprintable()


def test_columns_of_every_width_are_read(tmp_path: Path) -> None:
    table = pa.table(
        {
            "round": pa.array([1, 2], pa.uint64()),
            "order": pa.array([1, 2], pa.int8()),
            "player": pa.array([7, 8], pa.int32()),
            "area": pa.array(["17", "17"], pa.large_string()),
            "stake_cents": pa.array([100, 100], pa.uint16()),
            "outcome": pa.array([17, 16], pa.uint8()),
            "void": pa.array([None, False]),
        }
    )
    pq.write_table(table, tmp_path / "wagers.parquet")

    settle_file(V3, tmp_path / "wagers.parquet", tmp_path / "settled.parquet")

    settled = pl.read_parquet(tmp_path / "settled.parquet")
    assert settled["paid_cents"].to_list() == [3500, 0]


MANY = """
import sys, resource
from pathlib import Path
from croupier.batch import settle_file
from croupier.games import find_game
from croupier.rules.terms import read_limits
settle_file(
    find_game("mbs-roulette-v3"), Path(sys.argv[1]), Path(sys.argv[2]),
    limits=read_limits(["* 5 1000"]),
)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_ten_times_the_rows_take_about_the_same_memory(tmp_path: Path) -> None:
    peaks = []
    for rows in (300_000, 3_000_000):
        source = tmp_path / f"{rows}.parquet"
        places = np.arange(rows)
        pl.DataFrame(
            {
                "round": places // 10,
                "player": pl.Series(places % 50).cast(pl.String),
                "area": pl.Series(places % 36 + 1).cast(pl.String),
                "stake_cents": places % 1000 + 1,
                "outcome": pl.Series(places // 10 % 37).cast(pl.String),
            }
        ).write_parquet(source, row_group_size=100_000)
        ran = subprocess.run(
            [sys.executable, "-c", MANY, source, tmp_path / f"{rows}.out.parquet"],
            capture_output=True,
            check=True,
            text=True,
        )
        peaks.append(int(ran.stdout))

    assert peaks[1] < 2.5 * peaks[0]


def test_no_cell_of_a_csv_file_is_run_by_a_spreadsheet(tmp_path: Path) -> None:
    names = ["=cmd()", "+A1", "@SUM(A1)", "-2+3", "-5", "plain"]
    frame = pl.DataFrame(
        {
            "round": [1] * 6,
            "player": names,
            "area": ["red"] * 5 + ["=HYPERLINK(1)"],
            "stake_cents": [500] * 6,
            "outcome": ["1"] * 6,
            "=note": names,
        }
    )
    source = write(frame, tmp_path / "wagers.parquet")

    settle_file(V3, source, tmp_path / "settled.csv")

    settled = pl.read_csv(tmp_path / "settled.csv", infer_schema=False)
    rejected = pl.read_csv(tmp_path / "settled.rejects.csv", infer_schema=False)
    safe = ["'=cmd()", "'+A1", "'@SUM(A1)", "'-2+3", "-5"]
    assert settled["player"].to_list() == settled["'=note"].to_list() == safe
    assert rejected["area"].to_list() == ["'=HYPERLINK(1)"]
    assert settled["paid_cents"].to_list() == ["500"] * 5
