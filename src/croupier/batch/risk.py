"""The amount at risk of each wager: limits, judged on a Player's total on an area.

The readings A8 to A11 over columns. Rows of one round stand together and the rounds are
in order. Three loops go over all rows: to group them, to refuse wagers as they are
placed, and to find the amounts at risk. A call for each row would cost more than that.

Laws of this file:
- the limits judge a Player's total on an area in a round, not a row (A8);
- chips under a minimum stand in one round of a Player that reaches an outcome, and are
  not at risk in the later ones (A9);
- a maximum is used up in the order of placing (A10);
- if no clause treats a breach, the wager is refused, whole, as it is placed (A11).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from croupier.batch.compiled import (
    Cents,
    Codes,
    Column,
    ColumnError,
    CompiledGame,
    Flags,
    check_columns,
    pooled_column,
)
from croupier.batch.kernels import compiled_loop, only_read, share_out
from croupier.batch.limit_tables import NO_MAXIMUM, LimitTables, limit_tables
from croupier.rules.game import Settings
from croupier.rules.terms import Limits

LAWFUL, OUTSIDE_LIMITS, AREA_FULL = 0, 1, 2
"""The codes of a lawful row, and of the two reasons for a refusal at its placing."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)
_MIX_AREA = np.uint64(0xC2B2AE3D27D4EB4F)
_MET_BITS = 12
_MET_SHIFT = np.uint64(64 - _MET_BITS)
"""For a small table that shows if two rows may be of one Player and area."""
Places = np.ndarray[Any, np.dtype[np.int64]]


class _PlacedRows(NamedTuple):
    """The rows, in the order of placing within each round."""

    player: Column
    area: Column
    stake: Column
    joined: Flags
    """A further piece of the wager on the row before."""


class _RiskColumns(NamedTuple):
    """The result of the loops; A9 is judged later, for under-minimum wagers."""

    at_risk: Cents
    refusals: Codes
    under: Flags


class _Sums(NamedTuple):
    """The sums over rows that belong together, by the number of their group."""

    group: Places
    """The group of each row: one Player, area and round."""
    cents: Cents
    left: Cents
    """The part of the maximum that is left."""


class _Seen(NamedTuple):
    """A table of the Players and areas of a round, each with its sum.

    It is not emptied between rounds: each place has a stamp of its last round.
    """

    stamps: Places
    whose: Places
    cents: Cents


@compiled_loop
def _risk_rounds(
    starts: Places, wagers: _PlacedRows, tables: LimitTables, judged: _RiskColumns
) -> None:
    """Judge the rounds that begin at `starts`; its last entry is the end of the rows.

    In most rounds each wager and each sum is within the limits, and there is no cap:
    then nothing is refused in any order of placing, and everything is at risk.
    Neighbouring other rounds are judged together.
    """
    if len(starts) < 2:
        return
    size = _table_size(_widest(starts))
    seen = _Seen(
        np.full(size, -1, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    )
    player, area, stake = wagers.player, wagers.area, wagers.stake
    minimum = tables.minimum
    # Under a cap every wager is looked at.
    maximum = np.where(tables.cap < NO_MAXIMUM, -1, tables.maximum)
    met = np.full(1 << _MET_BITS, -1, np.int32)
    waiting = 0
    for place in range(len(starts) - 1):
        start, stop, stamp = starts[place], starts[place + 1], np.int32(place)
        outside, meets = np.int64(0), False
        # Unsigned places need no check for counting from the end.
        for row in range(np.uint64(start), np.uint64(stop)):
            here, cents = np.uint64(area[row]), np.int64(stake[row])
            judged.at_risk[row] = cents
            # Below 0 if it is outside the limits by itself.
            outside |= (cents - minimum[here]) | (maximum[here] - cents)
            mixed = np.uint64(player[row]) * _MIX + here * _MIX_AREA
            slot = mixed >> _MET_SHIFT
            meets |= met[slot] == stamp
            met[slot] = stamp
        if outside >= 0 and (
            not meets or _is_within(start, stop, wagers, tables, seen)
        ):
            if waiting < place:
                _judge_rounds(starts[waiting : place + 1], wagers, tables, judged)
            waiting = place + 1
    _judge_rounds(starts[waiting:], wagers, tables, judged)


@compiled_loop
def _widest(starts: Places) -> int:
    """Return the number of rows of the longest round."""
    widest = 1
    for place in range(len(starts) - 1):
        widest = max(widest, starts[place + 1] - starts[place])
    return widest


@compiled_loop
def _table_size(rows: int) -> int:
    """Return a power of two at which a table of these rows is at most half full."""
    size = 2
    while size < 2 * rows:
        size *= 2
    return size


@compiled_loop
def _is_within(
    start: int, stop: int, wagers: _PlacedRows, tables: LimitTables, seen: _Seen
) -> bool:
    """Return whether each sum is within the limits, if each wager is."""
    player, area, used = wagers.player, wagers.area, _table_size(stop - start)
    for row in range(start, stop):
        here, cents = area[row], np.int64(wagers.stake[row])
        mixed = (np.uint64(player[row]) + np.uint64(here) * _MIX) * _MIX
        slot = np.int64(mixed >> _FOLD) & (used - 1)
        while seen.stamps[slot] == start and (
            player[seen.whose[slot]] != player[row] or area[seen.whose[slot]] != here
        ):
            slot = (slot + 1) & (used - 1)
        if seen.stamps[slot] == start:
            cents += seen.cents[slot]
        else:
            seen.stamps[slot], seen.whose[slot] = start, row
        if cents > tables.maximum[here]:
            return False
        seen.cents[slot] = cents
    return True


@compiled_loop
def _judge_rounds(
    starts: Places, wagers: _PlacedRows, tables: LimitTables, judged: _RiskColumns
) -> None:
    """Judge rounds in which something may be outside the limits."""
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
def _find_groups(starts: Places, wagers: _PlacedRows, group: Places) -> int:
    """Give each Player, area and round a group; return the number of groups.

    A table is looked up by Player and area, and stamped as `_Seen` is.
    """
    player, area, first = wagers.player, wagers.area, starts[0]
    size = _table_size(_widest(starts))
    stamps = np.full(size, -1, np.int64)
    whose = np.empty(size, np.int64)
    groups = 0
    for place in range(len(starts) - 1):
        start, stop = starts[place], starts[place + 1]
        used = _table_size(stop - start)
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
    starts: Places,
    wagers: _PlacedRows,
    tables: LimitTables,
    sums: _Sums,
    refusals: Codes,
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
    begin: int,
    wagers: _PlacedRows,
    tables: LimitTables,
    sums: _Sums,
    judged: _RiskColumns,
) -> None:
    """Find the part of each wager that counts; a maximum is used up by row (A10)."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """Amounts at risk, and the wagers that were not lawful at all."""

    at_risk_cents: Cents
    stood: frozenset[int]
    """The Players whose under-minimum wagers stood in these rounds (A9)."""
    refusals: Codes
    """`LAWFUL`, or the reason for a refusal at its placing (A11, A8)."""

    @property
    def unlawful(self) -> Flags:
        return np.not_equal(self.refusals, LAWFUL)


def risk_columns(
    compiled: CompiledGame,
    limits: Limits,
    *,
    round_: Column,
    player: Column,
    order: Column | None,
    area: Column,
    stake_cents: Column,
    warned: Collection[int] = (),
    void: Flags | None = None,
    wager: Column | None = None,
    settings: Settings | None = None,
) -> Risk:
    """Return the cents at risk on each row: none in a void round or if refused.

    `round_` and `player` are any whole numbers that tell rounds and Players apart;
    `order` is the order of placing within a round (None: as the rows stand). `wager`
    numbers the wagers if one may have several rows, side by side (None: each row is a
    wager). `warned` are the Players whose under-minimum wagers stood before.
    """
    columns = {"round_": round_, "player": player, "area": area, "order": order}
    columns |= {"stake_cents": stake_cents, "void": void, "wager": wager}
    check_columns(columns, len(area))
    _check_amounts(compiled, area, stake_cents)
    tables = limit_tables(compiled, limits, settings or Settings())
    stood: frozenset[int] = frozenset()
    if tables is None:
        at_risk, refusals = stake_cents.astype(np.int64), np.zeros(len(area), np.uint8)
    else:
        wagers = _PlacedRows(player, area, stake_cents, _joined(wager, len(area)))
        starts = _starts(round_)
        at_risk, refusals, under = _judge(tables, wagers, starts, order)
        if void is not None:
            under &= ~void
        below = np.flatnonzero(under)
        if len(below):
            stood = _stand_once(at_risk, below, player, starts, warned)
    if void is not None:
        at_risk[void] = 0
    return Risk(at_risk, stood, refusals)


def _check_amounts(compiled: CompiledGame, area: Column, stake: Column) -> None:
    if len(area) == 0:
        return
    least, most, least_stake, high, low = _extremes(area, stake)
    if least < 0 or most >= len(compiled.game.areas):
        raise ColumnError(f"an area is none of {compiled.game.title}")
    if least_stake < 0:
        raise ColumnError("a stake is below 0")
    if (high << 32) + low > NO_MAXIMUM:
        raise ColumnError("the stakes are too large to be added up")


@compiled_loop
def _extremes(area: Column, stake: Column) -> tuple[int, int, int, int, int]:
    """Return the least and greatest area, the least stake, and the sum in two halves.

    The sums of the upper and of the lower 32 bits never overflow.
    """
    least = most = np.int64(area[0])
    least_stake = np.int64(stake[0])
    high = low = np.int64(0)
    for row in range(len(area)):
        here, cents = np.int64(area[row]), np.int64(stake[row])
        least, most = min(least, here), max(most, here)
        least_stake = min(least_stake, cents)
        high += cents >> 32
        low += cents & 0xFFFFFFFF
    return int(least), int(most), int(least_stake), int(high), int(low)


def _joined(wager: Column | None, rows: int) -> Flags:
    joined = np.zeros(rows, np.bool_)
    if wager is not None:
        np.equal(wager[1:], wager[:-1], out=joined[1:])
    return joined


def _starts(round_: Column) -> Places:
    starts = pooled_column(len(round_) + 1, np.int64)
    return starts[: _find_starts(round_, starts)]


@compiled_loop
def _find_starts(round_: Column, starts: Places) -> int:
    """Fill in the first row of each round, then the end; return their number."""
    rows = len(round_)
    if rows == 0:
        return 0
    starts[0] = 0
    place = np.uint64(1)
    for row in range(np.uint64(1), np.uint64(rows)):
        # Written at every row, and overwritten unless a round begins there.
        starts[place] = row
        place += np.uint64(round_[row] != round_[row - np.uint64(1)])
    starts[place] = rows
    return int(np.int64(place)) + 1


def _judge(
    tables: LimitTables, wagers: _PlacedRows, starts: Places, order: Column | None
) -> _RiskColumns:
    """Judge all rounds, each in the order of placing."""
    rows = len(wagers.area)
    placing = None if order is None else _placing(order, starts)
    if placing is not None:
        wagers = _PlacedRows(*(column[placing] for column in wagers))
    wagers = _PlacedRows(*map(only_read, wagers))
    judged = _RiskColumns(
        pooled_column(rows, np.int64),
        pooled_column(rows, np.uint8),
        pooled_column(rows, np.bool_),
    )
    judged.refusals.fill(LAWFUL)
    judged.under.fill(False)

    def work(first: int, last: int) -> int:
        some = np.searchsorted(starts, (first, last))
        _risk_rounds(starts[some[0] : some[1] + 1], wagers, tables, judged)
        return 0

    share_out(rows, work)
    if placing is None:
        return judged
    for column in judged:
        column[placing] = column.copy()
    return judged


def _placing(order: Column, starts: Places) -> Places | None:
    """Return the rows in the order of placing in each round; None: as they stand."""
    falls = np.flatnonzero(order[1:] < order[:-1]) + 1
    if np.isin(falls, starts).all():
        return None
    ordinal = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.lexsort((order, ordinal))


def _stand_once(
    at_risk: Cents,
    under: Places,
    player: Column,
    starts: Places,
    warned: Collection[int],
) -> frozenset[int]:
    """Take chips under the minimum out of risk, except in each Player's first round.

    `under` are their rows. Returns the Players whose wagers stood (A9).
    """
    players, first, code = np.unique(
        player[under], return_index=True, return_inverse=True
    )
    ordinal = np.searchsorted(starts, under, side="right")
    stands = ~np.isin(players, list(warned))
    at_risk[under[~(stands[code] & (ordinal == ordinal[first][code]))]] = 0
    return frozenset(players[stands].tolist())
