"""All five PAR sheets from a cold start, beside a script that a user would write.

Each run starts one process for each game and each side in turn, so that a noisy machine
is noisy for both. The first start of each, which writes the compiled modules, is not
counted. `by_hand/par_sheets.py` is the other side: plain Python for these five games.
Before the measurement, both are checked to have the same wagers with the same
fractions. Ratios of the same run; the tables name the parts that only our side has.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 9
HERE = Path(__file__).parent
GAMES = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "mbs-fast-action-v2",
    "rws-triple-zero",
)
CROUPIER = str(Path(sys.executable).with_name("croupier"))
OURS = {
    "the whole sheet, as JSON": ("--json",),
    "only its wagers, as CSV": ("--csv",),
    "the page with its plots": ("--html", os.devnull),
}
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
FIGURES = ("wager", "win_probability", "return", "house_edge", "variance")


def output(command: list[str]) -> str:
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=AS_USUAL
    )
    return done.stdout


def by_hand(game: str) -> list[str]:
    return [sys.executable, str(HERE / "by_hand" / "par_sheets.py"), game]


def croupier(game: str, options: tuple[str, ...]) -> list[str]:
    return [CROUPIER, "odds", game, *options]


def check_alike(game: str) -> None:
    """Check that both sides have the same wagers with the same fractions."""
    sides = [
        {
            tuple(row[figure] for figure in FIGURES)
            for row in json.loads(output(command))["wagers"]
        }
        for command in (croupier(game, ("--json",)), by_hand(game))
    ]
    assert sides[0] == sides[1], game


def seconds(commands: list[list[str]]) -> float:
    start = time.perf_counter()
    for command in commands:
        output(command)
    return time.perf_counter() - start


def main() -> None:
    for game in GAMES:
        check_alike(game)
    other = [by_hand(game) for game in GAMES]
    for name, options in OURS.items():
        ours = [croupier(game, options) for game in GAMES]
        seconds(ours)
        pairs = [(seconds(ours), seconds(other)) for _ in range(RUNS)]
        ratios = [mine / theirs for mine, theirs in pairs]
        print(
            f"five sheets, {name}: {statistics.median(m for m, _ in pairs):.2f} s,"
            f" {statistics.median(ratios):.2f}× the script by hand"
            f" (least {min(ratios):.2f}, most {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
