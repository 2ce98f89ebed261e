"""Time of `croupier games` to start and answer, against the bare interpreter.

Each run starts both commands in turn, so that a noisy machine is noisy for both. The
first start of each, which writes the compiled modules, is not counted. Ratios of the
same run; aim: at most 6×.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 25
BARE = [sys.executable, "-c", "pass"]
GAMES = [str(Path(sys.executable).with_name("croupier")), "games"]
IMPORT = [sys.executable, "-c", "import croupier"]
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=AS_USUAL)
    return time.perf_counter() - start


def main() -> None:
    for command in (BARE, GAMES, IMPORT):
        seconds(command)
    for name, command in (("import croupier", IMPORT), ("croupier games", GAMES)):
        ratios = [seconds(command) / seconds(BARE) for _ in range(RUNS)]
        print(
            f"{name}: {statistics.median(ratios):.2f}× the bare interpreter"
            f" (least {min(ratios):.2f}, most {max(ratios):.2f}; aim: at most 6×)"
        )


if __name__ == "__main__":
    main()
