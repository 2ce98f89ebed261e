"""A report on 50,000 wagers, beside the program that a competent user writes.

The other side (`by_hand/report_numpy.py`) plays every round again 2,000 times for the
tails; ours calculates them to a hundredth, and settles every row again. Both start a
process in turn, so that a noisy machine is noisy for both. Both are checked to have the
same wins, means and variances, and bounds that agree within the error of the replays.
"""

from __future__ import annotations

import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from croupier import find_game
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.wheel import Number

RUNS = 5
WAGERS, REPLAYS = 50_000, 2_000
HERE = Path(__file__).parent
CROUPIER = str(Path(sys.executable).with_name("croupier"))
GAME = "mbs-roulette-v3"
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
NAMES = "table,round,day,area,stake_cents,outcome,paid_cents,collected_cents"


def written(path: Path) -> None:
    """Write settled wagers: ten tables, 28 days, all areas, one to five a round."""
    game, draw = find_game(GAME), random.Random(5)
    areas = [area.name for area in game.areas]
    winning = {n: winning_areas(game, Outcome(Number(n))) for n in game.numbers}
    lines, number = [f"{NAMES},returned_cents"], 0
    while len(lines) <= WAGERS:
        number += 1
        outcome, table = draw.choice(game.numbers), number * 29 // WAGERS
        for _ in range(draw.randint(1, 5)):
            area, stake = draw.choice(areas), 500 * draw.randint(1, 20)
            pays = winning[outcome].get(area)
            lost = stake if pays is None else 0
            lines.append(
                f"T{table:02},{number},2026-11-{number % 28 + 1:02},{area},{stake},"
                f"{outcome},{stake * (pays or 0)},{lost},{stake - lost}"
            )
    path.write_text("\n".join(lines) + "\n")


def output(command: list[str]) -> str:
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=AS_USUAL
    )
    return done.stdout


def check_alike(ours: str, theirs: str) -> None:
    """Check that both sides have the same groups, and tails within replay error."""
    report, other = json.loads(ours), json.loads(theirs)
    groups = {"": report["all"]}
    for section in report["sections"]:
        [by] = section["by"]
        groups |= {group[by]: group for group in section["groups"]}
    assert groups.keys() == other.keys()
    for key, group in groups.items():
        mean, variance = group["expected_win_cents"], group["win_variance"]
        assert group["house_win_cents"] == other[key]["house_win_cents"]
        assert math.isclose(_float(mean), other[key]["mean"], rel_tol=1e-9)
        assert math.isclose(_float(variance), other[key]["variance"], rel_tol=1e-9)
        bound, deviation = group["win_bounds"][0], math.sqrt(_float(variance))
        for end, about in zip(
            (bound["low"], bound["high"]), other[key]["bounds_95"], strict=True
        ):
            assert abs(end - about) < 0.4 * deviation, key
        assert abs(group["p_value"]["high"] - other[key]["p_value"]) < 0.15, key


def _float(fraction: str) -> float:
    above, _, below = str(fraction).partition("/")
    return int(above) / int(below or 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "settled.csv")
        written(path)
        ours = [CROUPIER, "report", str(path), "--game", GAME, "--json"]
        hand = str(HERE / "by_hand" / "report_numpy.py")
        theirs = [sys.executable, hand, str(path), str(REPLAYS)]
        check_alike(output(ours), output(theirs))
        pairs = [(took(ours), took(theirs)) for _ in range(RUNS)]
    print(
        f"a report on {WAGERS:,} wagers, and the program by hand, {REPLAYS:,} replays:"
    )
    for name, place in (("by the clock", 0), ("of processor time", 1)):
        mine = [ours[place] for ours, _ in pairs]
        ratios = [ours[place] / theirs[place] for ours, theirs in pairs]
        print(
            f"  {name}: {statistics.median(mine):.2f} s (least {min(mine):.2f}),"
            f" {statistics.median(ratios):.2f}× the program by hand"
            f" (least {min(ratios):.2f}, most {max(ratios):.2f})"
        )


def took(command: list[str]) -> tuple[float, float]:
    """Return the seconds by the clock and of processor time."""
    before, start = _processor_seconds(), time.perf_counter()
    output(command)
    return time.perf_counter() - start, _processor_seconds() - before


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
