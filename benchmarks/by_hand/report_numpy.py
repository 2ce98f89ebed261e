"""A report on a file of wagers at single-zero roulette, as a competent user writes it.

Polars reads and groups; numpy has what each round gives at each of 37 numbers, its mean
and variance, and plays every round again some thousand times for the tails.

Usage: python report_numpy.py FILE.csv REPLAYS
"""

from __future__ import annotations

import json
import sys

import numpy as np
import polars as pl

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
NUMBERS = range(1, 37)
PAYS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}
PLACES = {
    "red": RED,
    "black": set(NUMBERS) - RED,
    "even": set(range(2, 37, 2)),
    "odd": set(range(1, 37, 2)),
    "low": set(range(1, 19)),
    "high": set(range(19, 37)),
    **{f"dozen:{n}": set(range(12 * n - 11, 12 * n + 1)) for n in (1, 2, 3)},
    **{f"column:{n}": set(range(n, 37, 3)) for n in (1, 2, 3)},
}


def wins(area):
    """Return what the House wins on one cent, by number."""
    numbers = PLACES.get(area) or set(map(int, area.partition(":")[2].split("/")))
    return [-PAYS[len(numbers)] if n in numbers else 1 for n in range(37)]


def main(path, replays):
    rows = pl.read_csv(path, schema_overrides={"outcome": pl.String}).with_columns(
        pl.col("area").str.split(":").list.first().alias("type")
    )
    areas = rows["area"].unique().to_list()
    place = {area: at for at, area in enumerate(areas)}
    by_number = np.array([wins(area) for area in areas])
    rng = np.random.default_rng(1)
    found = {}
    for by in ([], ["table"], ["day"], ["type"]):
        for key, part in rows.group_by(by) if by else [((), rows)]:
            code = part["round"].rank("dense").to_numpy() - 1
            stake = part["stake_cents"].to_numpy()
            at = np.array([place[area] for area in part["area"]])
            values = np.zeros((int(code.max()) + 1, 37), np.int64)
            np.add.at(values, code, stake[:, None] * by_number[at])
            won = int((part["collected_cents"] - part["paid_cents"]).sum())
            sums = np.zeros(replays, np.int64)
            for row in values:
                sums += row[rng.integers(0, 37, replays)]
            tail = min((sums <= won).mean(), (sums >= won).mean())
            found["/".join(key)] = {
                "house_win_cents": won,
                "mean": float(values.mean(axis=1).sum()),
                "variance": float(values.var(axis=1).sum()),
                "bounds_95": np.quantile(sums, [0.025, 0.975]).tolist(),
                "p_value": min(1.0, 2 * float(tail)),
            }
    print(json.dumps(found))


main(sys.argv[1], int(sys.argv[2]))
