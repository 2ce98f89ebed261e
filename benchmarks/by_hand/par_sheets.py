"""PAR sheets as a competent user would write them for these five games, and no others.

Areas and pay tables are typed in or looped out by hand; Fast Action is done with
binomial coefficients on paper first. It knows the betting areas only: no racetrack, no
complete wagers, no limits, no layouts of chips; its bands are plain normal ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import comb, sqrt

NUMERALS = [str(n) for n in range(1, 37)]
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "green": 11,
    "corner": 8,
    "six_line": 5,
    "top_line": 5,
    "column": 2,
    "dozen": 2,
}
SINGLE_ZERO = ["0/1", "0/2", "0/3", "0/1/2", "0/2/3", "0/1/2/3"]
TRIPLE_ZERO = [
    *("0/00", "0/1", "0/2", "00/2", "00/3", "0/000", "00/000"),
    *("0/1/2", "0/00/2", "00/2/3", "0/00/000"),
]
KINDS = {2: "split", 3: "street", 4: "corner"}
QUANTILES = {90: 1.6448536, 95: 1.959964, 99: 2.5758293}


def inside() -> Iterator[tuple[str, list[int]]]:
    for n in range(1, 37):
        if n % 3:
            yield "split", [n, n + 1]
        if n <= 33:
            yield "split", [n, n + 3]
        if n % 3 == 1:
            yield "street", [n, n + 1, n + 2]
        if n <= 33 and n % 3:
            yield "corner", [n, n + 1, n + 3, n + 4]
        if n <= 31 and n % 3 == 1:
            yield "six_line", list(range(n, n + 6))


def outside() -> Iterator[tuple[str, int]]:
    for k in (1, 2, 3):
        yield f"column:{k}", 12
        yield f"dozen:{k}", 12
    for name in ("low", "high", "even", "odd"):
        yield name, 18
    yield "red", len(RED)
    yield "black", 36 - len(RED)


def areas(game: str) -> dict[str, tuple[int, int]]:
    """By name: how many numbers the area covers, and what it pays."""
    triple = game == "rws-triple-zero"
    zeros = ["0", "00", "000"] if triple else ["0"]
    found = {f"straight_up:{n}": (1, 35) for n in [*zeros, *NUMERALS]}
    for name in TRIPLE_ZERO if triple else SINGLE_ZERO:
        size = name.count("/") + 1
        found[f"{KINDS[size]}:{name}"] = size, PAYS[KINDS[size]]
    for kind, numbers in inside():
        found[f"{kind}:{'/'.join(map(str, numbers))}"] = len(numbers), PAYS[kind]
    for name, size in outside():
        found[name] = size, PAYS.get(name.partition(":")[0], 1)
    if triple:
        found["green"], found["top_line"] = (3, 11), (6, 5)
    return found


def row(name: str, results: dict[int, Fraction]) -> dict[str, object]:
    lose = 1 - sum(results.values())
    mean = sum(pays * p for pays, p in results.items()) - lose
    square = sum(pays * pays * p for pays, p in results.items()) + lose
    variance = square - mean * mean
    deviation = sqrt(variance)
    return {
        "wager": name,
        "win_probability": str(1 - lose),
        "return": str(1 + mean),
        "house_edge": str(-mean),
        "variance": str(variance),
        "volatility_index": QUANTILES[90] * deviation,
        "bands": [
            {
                "rounds": rounds,
                "level_percent": level,
                "return_low": float(1 + mean) - z * deviation / sqrt(rounds),
                "return_high": float(1 + mean) + z * deviation / sqrt(rounds),
            }
            for rounds in (10**3, 10**4, 10**5, 10**6, 10**7)
            for level, z in QUANTILES.items()
        ],
    }


def fast_action() -> Iterator[dict[str, object]]:
    draws = comb(40, 10)
    whole = Fraction(comb(36, 6), draws)
    lit = Fraction(1, 4)
    straight = {
        35: (1 - lit) / 40,
        40: (lit - whole) / 40,
        80: whole / 40,
    }
    for n in ["0", "00", *NUMERALS, "S", "MBS"]:
        yield row(f"straight_up:{n}", straight)
    yield row("bonus_win", {2: lit})
    yield row("super_bonus_win", {350: whole})
    yield row("scatter_bonus", {700: Fraction(4**10, draws)})


def sheet(game: str) -> list[dict[str, object]]:
    if game == "mbs-fast-action-v2":
        return list(fast_action())
    compartments = 39 if game == "rws-triple-zero" else 37
    return [
        row(name, {pays: Fraction(size, compartments)})
        for name, (size, pays) in areas(game).items()
    ]


if __name__ == "__main__":
    print(json.dumps({"game": sys.argv[1], "wagers": sheet(sys.argv[1])}, indent=1))
