"""`croupier wheel-check` on a million outcomes, from start to answer.

Beside it stands `by_hand/wheel_counts.py`: one chi-square of a list, without sectors,
order, drift, intervals or power. Time is processor time, which a busy machine changes
less than the clock; the clock is printed too.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from croupier.games import find_game

RUNS = 3
OUTCOMES = 1_000_000
GAME = find_game("mbs-roulette-v3")
CROUPIER = str(Path(sys.executable).with_name("croupier"))
BY_HAND = str(Path(__file__).parent / "by_hand" / "wheel_counts.py")
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def write_files(folder: Path) -> list[Path]:
    """Write the same outcomes as a list, as CSV with rounds and times, as Parquet."""
    places = np.random.default_rng(1).integers(0, len(GAME.ring), OUTCOMES)
    names = [GAME.ring[place] for place in places]
    times = np.datetime64("2026-01-01 00:00:00") + 40 * np.arange(OUTCOMES)
    plain, table, columns = (
        folder / name for name in ("wheel.txt", "wheel.csv", "wheel.parquet")
    )
    plain.write_text("\n".join(names) + "\n", "utf-8")
    rows = zip(range(OUTCOMES), np.datetime_as_string(times), names, strict=True)
    table.write_text(
        "round,time,outcome\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows), "utf-8"
    )
    rounds = pa.array(np.arange(OUTCOMES))
    pq.write_table(pa.table({"round": rounds, "outcome": names}), columns)
    return [plain, table, columns]


def measured(command: Sequence[str]) -> tuple[float, float]:
    """Return the seconds of processor time and by the clock."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=AS_USUAL)
    passed, after = (
        time.perf_counter() - begun,
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent, passed


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder))
        commands = {"by hand, a list": [sys.executable, BY_HAND, str(files[0])]}
        for file in files:
            words = [CROUPIER, "wheel-check", str(file), "--game", GAME.name]
            commands[f"wheel-check, {file.suffix}"] = words
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for run in range(RUNS + 1):
            for name, command in commands.items():
                result = measured(command)
                if run:  # The first start writes the compiled modules.
                    found[name].append(result)
    for name, results in found.items():
        spent, passed = (statistics.median(each) for each in zip(*results, strict=True))
        print(
            f"{name:24} {spent:5.2f} s of the processors, {passed:5.2f} s by the clock"
        )


if __name__ == "__main__":
    main()
