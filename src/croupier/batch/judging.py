"""Each Player's total on each area in each round, held against the limits.

Three passes over the rows: which rows belong together, what is refused as it is placed,
and what is at risk. Each is one loop over all rows: a call for each row would cost more
than the work.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.batch.columns import Cents, Codes, Column, Flags
from croupier.batch.kernels import compiled_loop
from croupier.batch.limit_tables import LimitTables

LAWFUL, OUTSIDE_LIMITS, AREA_FULL = 0, 1, 2
"""What is said of a row: a wager, or why it was refused as it was placed."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)

Places = np.ndarray[Any, np.dtype[np.int64]]


class Wagers(NamedTuple):
    """The rows, in the order of placing within each round."""

    player: Column
    area: Column
    stake: Column
    joined: Flags
    """A further piece of the wager on the row before."""


class Judged(NamedTuple):
    """What the pass finds; whether an under-minimum wager stands is left to A9."""

    at_risk: Cents
    refusals: Codes
    under: Flags


class _Sums(NamedTuple):
    """The sums over rows that belong together, by the number of their group."""

    group: Places
    """By row: of which Player, area and round it is."""
    cents: Cents
    left: Cents
    """What of the maximum is not used up yet."""


@compiled_loop
def judge_rounds(
    starts: Places, wagers: Wagers, tables: LimitTables, judged: Judged
) -> None:
    """Judge the rounds that begin at `starts`, the last of which is the end."""
    if len(starts) < 2:
        return
    first, rows = starts[0], starts[-1] - starts[0]
    group = np.empty(rows, np.int64)
    groups = _find_groups(starts, wagers, group)
    sums = _Sums(group, np.zeros(groups, np.int64), np.empty(groups, np.int64))
    if tables.refuses:
        _place_wagers(starts, wagers, tables, sums, judged.refusals)
    else:
        for row in range(rows):
            sums.cents[group[row]] += np.int64(wagers.stake[first + row])
    for row in range(rows):
        sums.left[group[row]] = tables.maximum[wagers.area[first + row]]
    _risk_rows(first, wagers, tables, sums, judged)


@compiled_loop
def _find_groups(starts: Places, wagers: Wagers, group: Places) -> int:
    """Number the groups of one Player on one area in one round; how many there are.

    A table is looked up by Player and area. It is not emptied between rounds: each
    place is stamped with the round that used it last.
    """
    player, area, first = wagers.player, wagers.area, starts[0]
    widest = 1
    for place in range(len(starts) - 1):
        widest = max(widest, starts[place + 1] - starts[place])
    size = 2
    while size < 2 * widest:
        size *= 2
    stamps = np.full(size, -1, np.int64)
    whose = np.empty(size, np.int64)
    groups = 0
    for place in range(len(starts) - 1):
        start, stop = starts[place], starts[place + 1]
        used = 2
        while used < 2 * (stop - start):
            used *= 2
        for row in range(start, stop):
            mixed = (np.uint64(player[row]) + np.uint64(area[row]) * _MIX) * _MIX
            slot = np.int64(mixed >> _FOLD) & (used - 1)
            while stamps[slot] == start and (
                player[whose[slot]] != player[row] or area[whose[slot]] != area[row]
            ):
                slot = (slot + 1) & (used - 1)
            if stamps[slot] != start:
                stamps[slot], whose[slot] = start, row
                group[row - first] = groups
                groups += 1
            else:
                group[row - first] = group[whose[slot] - first]
    return groups


@compiled_loop
def _place_wagers(
    starts: Places, wagers: Wagers, tables: LimitTables, sums: _Sums, refusals: Codes
) -> None:
    """Add each wager's pieces to the sums; all of them, or none if one is refused."""
    area, stake, group, cents = wagers.area, wagers.stake, sums.group, sums.cents
    begin = starts[0]
    on_area = np.zeros(len(tables.cap), np.int64)
    for place in range(len(starts) - 1):
        on_area[:] = 0
        first, stop = starts[place], starts[place + 1]
        while first < stop:
            last = first + 1
            while last < stop and wagers.joined[last]:
                last += 1
            for row in range(first, last):
                cents[group[row - begin]] += np.int64(stake[row])
                on_area[area[row]] += np.int64(stake[row])
            refusal = LAWFUL
            for row in range(first, last):
                total = cents[group[row - begin]]
                if (tables.under_refused and total < tables.minimum[area[row]]) or (
                    tables.over_refused and total > tables.maximum[area[row]]
                ):
                    refusal = OUTSIDE_LIMITS
                elif refusal == LAWFUL and on_area[area[row]] > tables.cap[area[row]]:
                    refusal = AREA_FULL
            if refusal != LAWFUL:
                for row in range(first, last):
                    cents[group[row - begin]] -= np.int64(stake[row])
                    on_area[area[row]] -= np.int64(stake[row])
                    refusals[row] = refusal
            first = last


@compiled_loop
def _risk_rows(
    begin: int, wagers: Wagers, tables: LimitTables, sums: _Sums, judged: Judged
) -> None:
    """What of each wager counts; a maximum is used up row by row (A10)."""
    for place in range(len(sums.group)):
        row, group = begin + place, sums.group[place]
        area, total = wagers.area[row], sums.cents[group]
        risked = np.int64(wagers.stake[row])
        if judged.refusals[row] != LAWFUL:
            risked = np.int64(0)
        elif total < tables.minimum[area]:
            judged.under[row] = True
        elif total > tables.maximum[area]:
            risked = min(risked, sums.left[group])
            sums.left[group] -= risked
        judged.at_risk[row] = risked
