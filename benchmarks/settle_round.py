"""Settling a round of 8 Players × 20 wagers, against a plain loop over dicts.

Both keep a record for each wager with stake, paid, collected, returned and clause, and
both judge the limits on a Player's total on an area (readings A8 to A10), so that an
under-minimum and an over-maximum wager come out the same. The loop is written as a
competent user would write it for this one game. Ratios of the same run; aim: within 3×.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from croupier import PracticeTable
from croupier.rules.round import RoundOfPlay
from croupier.rules.settlement import settle

PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "six_line": 5,
    "column": 2,
    "dozen": 2,
    "low": 1,
    "high": 1,
    "even": 1,
    "odd": 1,
    "red": 1,
    "black": 1,
}
MINIMUM, MAXIMUM = 500, 50_000
ROUNDS, REPEATS = 200, 15


def a_round(seed: int) -> RoundOfPlay:
    """Play a round of Roulette (MBS) v3 up to its outcome."""
    chosen = random.Random(seed)
    table = PracticeTable("mbs-roulette-v3", limits=["* 5 500"])
    areas = [area.name for area in table.game.areas]
    table.place_your_bets()
    for player in range(8):
        for _ in range(20):
            stake = chosen.choice([1, 5, 10, 25, 100, 400])
            table.lay(f"P{player}", chosen.choice(areas), stake)
    table.spin()
    table.no_more_bets()
    table.outcome(chosen.choice(table.game.numbers))
    return table.state


def as_dicts(state: RoundOfPlay) -> dict[str, Any]:
    """Return the same round as the loop's dicts."""
    return {
        "number": str(state.winning_number),
        "warned": set(),
        "wagers": [
            {
                "id": wager.wager_id,
                "player": wager.player,
                "area": wager.name,
                "type": wager.areas[0].wager_type.value,
                "numbers": {str(n) for n in wager.areas[0].numbers},
                "stake": wager.stake_cents,
            }
            for wager in state.board.in_order()
        ],
    }


def loop_over_dicts(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Settle the round as a competent user's own loop would."""
    number = table["number"]
    clause = "4.2" if number == "0" else "4.1"
    totals: dict[tuple[str, str], int] = {}
    for wager in table["wagers"]:
        key = (wager["player"], wager["area"])
        totals[key] = totals.get(key, 0) + wager["stake"]
    left = {key: MAXIMUM for key, total in totals.items() if total > MAXIMUM}
    records = []
    for wager in table["wagers"]:
        key = (wager["player"], wager["area"])
        stake = at_risk = wager["stake"]
        by = clause
        if totals[key] < MINIMUM:
            by = "5.15"
            if wager["player"] in table["warned"]:
                at_risk = 0
        elif key in left:
            at_risk = min(stake, left[key])
            left[key] -= at_risk
            by = "5.16" if at_risk < stake else clause
        won = number in wager["numbers"]
        records.append(
            {
                "id": wager["id"],
                "player": wager["player"],
                "area": wager["area"],
                "stake": stake,
                "paid": at_risk * PAYS[wager["type"]] if won else 0,
                "collected": 0 if won else at_risk,
                "returned": stake if won else stake - at_risk,
                "clause": by,
            }
        )
    return records


def same(state: RoundOfPlay, table: dict[str, Any]) -> bool:
    """Whether both settle the round alike, to the cent and the clause."""
    ours = [
        (
            wager.wager_id,
            piece.paid_cents,
            piece.collected_cents,
            piece.returned_cents,
            piece.clause,
        )
        for wager in settle(state).wagers
        for piece in wager.pieces
    ]
    theirs = [
        (each["id"], each["paid"], each["collected"], each["returned"], each["clause"])
        for each in loop_over_dicts(table)
    ]
    return ours == theirs


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    states = [a_round(seed) for seed in range(ROUNDS)]
    tables = [as_dicts(state) for state in states]
    assert all(same(*pair) for pair in zip(states, tables, strict=True))
    gc.collect()
    gc.freeze()  # garbage collection skips the prepared rounds, for both sides
    ratios = []
    for _ in range(REPEATS):
        core = seconds(lambda: all(settle(state) for state in states))
        loop = seconds(lambda: all(loop_over_dicts(table) for table in tables))
        ratios.append(core / loop)
    median = statistics.median(ratios)
    print(f"settling 8 Players × 20 wagers: core / plain loop = {median:.2f}×", end=" ")
    print(f"(least {min(ratios):.2f}, most {max(ratios):.2f}; aim: within 3×)")


if __name__ == "__main__":
    main()
