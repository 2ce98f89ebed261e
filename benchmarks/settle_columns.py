"""Settling columns and files of wagers, against numpy, Polars, DuckDB and a copy.

`by_hand/settle_columns_others.py` is the other side. The sums of all sides are compared
first. The copy moves as many bytes as the kernel (8 in and 24 out for each row; the
copy reads 16 and writes 16), once on one thread and once on all cores. From Parquet,
reading and settling is measured against pyarrow's bare reader of the same columns, in
its faster way (row groups or batches, texts as dictionaries); writing the output is
printed separately. So is processor time, which other programs affect less than the
clock. New pages of memory can cost more than all the rest, so the kernel is measured
into existing columns and into new ones; Polars and DuckDB keep the pages of the turn
before. Ratios of one run, turn by turn, the median of several. Aims: faster than each;
the kernel at half or more of the copy's rate on all cores; from Parquet at three
quarters or more of the reader's; the same cost for each row at any length.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from by_hand.settle_columns_others import (
    duckdb_join,
    memory_copy,
    numpy_take,
    polars_join,
)

from croupier.batch import compile_game, settle_columns, settle_file
from croupier.batch.column_settlement import Settled, settle_into
from croupier.batch.compiled import CompiledGame, pooled_column
from croupier.batch.kernels import cores
from croupier.batch.table_files import open_table
from croupier.batch.table_settlement import TableSettlement
from croupier.games import find_game
from croupier.rules.game import Settings
from croupier.rules.terms import Limits, read_limits

BYTES_A_ROW = 2 + 2 + 4 + 3 * 8
TEXTS = ["player", "area", "outcome"]
LIMITS = ["* 5 1000"]
Works = dict[str, Callable[[], Any]]


def columns(compiled: CompiledGame, rows: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(1)
    outcomes, areas = compiled.pays.shape
    return (
        rng.integers(0, areas, rows, dtype=np.int16),
        rng.integers(0, outcomes, rows, dtype=np.int16),
        rng.integers(1, 100_000, rows, dtype=np.int32),
    )


def medians(
    works: Works, turns: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return the median seconds of each side, after one turn that is not counted."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(turns + 1):
        for name, work in works.items():
            began = clock()
            work()
            if turn:
                taken[name].append(clock() - began)
    return {name: statistics.median(each) for name, each in taken.items()}


def tell(name: str, rows: int, seconds: float, ratio: str = "") -> None:
    rate = f"{rows / seconds / 1e6:9,.1f} M rows/s"
    print(f"{name:<44}{rate}  {1e9 * seconds / rows:7.2f} ns a row  {ratio}")


def in_memory(compiled: CompiledGame, rows: int, turns: int) -> None:
    given = columns(compiled, rows)
    into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))
    sums = settle_into(compiled, *given, into=into)
    works: Works = {
        "kernel, into columns that are there": partial(
            settle_into, compiled, *given, into=into
        ),
        "kernel, into new columns": partial(settle_columns, compiled, *given),
        "numpy take, one thread": numpy_take(compiled.pays, *given),
        f"Polars join, {cores()} threads": polars_join(compiled.pays, *given),
        f"DuckDB join, {cores()} threads": duckdb_join(compiled.pays, *given),
    }
    for name, work in list(works.items())[2:]:
        theirs = [
            int(pa.array(column).sum().as_py())
            if isinstance(column, pa.Array)
            else int(np.asarray(column).sum())
            for column in work()
        ]
        assert theirs == list(sums), name
    works |= {
        f"copy of the same bytes, {count} threads": memory_copy(
            BYTES_A_ROW * rows, count
        )
        for count in sorted({1, cores()})
    }
    taken = medians(works, turns)
    [there, new, *others] = taken
    tell(there, rows, taken[there])
    tell(new, rows, taken[new])
    for name in others:
        ratio = f"kernel {taken[name] / taken[there]:.2f}×"
        if "copy" not in name:
            ratio += f", into new columns {taken[name] / taken[new]:.2f}×"
        tell(name, rows, taken[name], ratio)


def write_wagers(compiled: CompiledGame, path: Path, rows: int) -> None:
    """Write twenty wagers a round of 2,000 Players, as an operator exports them."""
    game, rng = compiled.game, np.random.default_rng(2)
    texts = {
        "player": [f"P{code:05}" for code in range(2000)],
        "area": [area.name for area in game.areas],
        "outcome": [str(number) for number in game.numbers],
    }
    writer = None
    for start in range(0, rows, 1_000_000):
        places = np.arange(start, min(rows, start + 1_000_000)) // 20
        codes = {
            name: rng.integers(0, len(values), len(places), dtype=np.int32)
            for name, values in texts.items()
        }
        codes["outcome"] = (places * 7919 % len(texts["outcome"])).astype(np.int32)
        made = {
            name: pa.array(values).take(pa.array(codes[name]))
            for name, values in texts.items()
        }
        table = pa.table(
            {
                "round": places,
                **made,
                "stake_cents": rng.integers(1, 200, len(places)) * 500,
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def bare_row_groups(path: Path) -> None:
    file = pq.ParquetFile(path, read_dictionary=TEXTS)
    for group in range(file.num_row_groups):
        file.read_row_group(group)


def bare_batches(path: Path) -> None:
    for _ in pq.ParquetFile(path, read_dictionary=TEXTS).iter_batches(1 << 20):
        pass


def read_and_settle(compiled: CompiledGame, path: Path, limits: Limits) -> None:
    settlement = TableSettlement(compiled, limits, Settings())
    for batch in open_table(path).batches:
        for _ in settlement.take(batch):
            pass
    for _ in settlement.finish():
        pass
    assert settlement.totals.rejected == 0


def whole_command(compiled: CompiledGame, path: Path) -> None:
    target = path.with_name("settled.parquet")
    settle_file(compiled.game, path, target)
    target.unlink()


def from_parquet(compiled: CompiledGame, rows: int, turns: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wagers.parquet"
        write_wagers(compiled, path, rows)
        limits = read_limits(LIMITS)
        works: Works = {
            "bare reader, row groups": partial(bare_row_groups, path),
            "bare reader, batches": partial(bare_batches, path),
            "read and settle": partial(read_and_settle, compiled, path, Limits()),
            "read, judge limits, settle": partial(
                read_and_settle, compiled, path, limits
            ),
        }
        taken = medians(works, turns)
        best = min(taken[name] for name in list(works)[:2])
        for name, seconds in taken.items():
            tell(name, rows, seconds, f"{best / seconds:.2f} of the better bare reader")
        spent = medians(works, turns, time.process_time)
        least = min(spent[name] for name in list(works)[:2])
        for name, seconds in spent.items():
            told = f"{name}: {1e9 * seconds / rows:.1f} ns of the processors a row"
            print(f"{told}, {least / seconds:.2f} of the better bare reader")
        writing = medians({"": partial(whole_command, compiled, path)}, 1)[""]
        tell("the whole command, output written", rows, writing)


def repeat(work: Callable[[], None], times: int) -> None:
    for _ in range(times):
        work()


def by_length(compiled: CompiledGame, longest: int, turns: int) -> None:
    for power in range(5, 9):
        rows = 10**power
        if rows > longest:
            break
        given = columns(compiled, rows)
        into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))
        times = 10 ** max(0, 7 - power)
        once = partial(settle_into, compiled, *given, into=into)
        seconds = medians({"": partial(repeat, once, times)}, turns)[""]
        tell(f"kernel, {rows:,} rows", rows * times, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--parquet-rows", type=int, default=20_000_000)
    parser.add_argument("--longest", type=int, default=100_000_000)
    parser.add_argument("--turns", type=int, default=7)
    asked = parser.parse_args()
    compiled = compile_game(find_game("mbs-roulette-v3"))
    print(f"in memory, {asked.rows:,} wagers, {cores()} cores")
    in_memory(compiled, asked.rows, asked.turns)
    print(f"\nfrom Parquet, {asked.parquet_rows:,} wagers")
    from_parquet(compiled, asked.parquet_rows, asked.turns)
    print("\ncost by length")
    by_length(compiled, asked.longest, asked.turns)


if __name__ == "__main__":
    main()
