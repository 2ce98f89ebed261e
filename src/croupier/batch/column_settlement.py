"""Columns of wagers settled: the cents paid, collected and returned on each row.

Rows are settled one by one, or in blocks that go past the caches.

Laws of this file:
- for every row, stake = collected + returned; paid is added to them;
- the part of a stake that is not at risk is returned in any case;
- a row outside the game's tables, or a sum that could overflow, is refused.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from croupier.batch.compiled import (
    Cents,
    Column,
    ColumnError,
    CompiledGame,
    Pays,
    check_columns,
    pooled_column,
    unsigned,
)
from croupier.batch.kernels import (
    LINE,
    compiled_loop,
    compiled_now,
    inlined_loop,
    is_aligned,
    is_compiled_for,
    only_read,
    share_out,
    store_line,
)

_BAD_AREA, _BAD_OUTCOME, _BAD_AMOUNT = 1, 2, 4
"""The bits of the faults that rows may have."""

_BLOCK = 256
"""The columns of this many rows fit into the nearest cache with the table of pays."""
_SUMS = 3 * _BLOCK
"""The place of the sums of a block's three columns; the bits of its amounts follow."""
_BITS = _SUMS + 3
_SMALL = (1 << 63) // _BLOCK
"""If all amounts of a block are below this, its sums don't overflow."""

_Cells = np.ndarray[Any, np.dtype[np.uint32]]
_PaysNow = np.ndarray[Any, np.dtype[np.int32]]
_LARGEST = int(np.iinfo(np.int64).max)
Bounds = tuple[int, int]
"""The least and the greatest of some amounts."""


class _SettlementRows(NamedTuple):
    """The wagers: whole numbers of any width, unsigned indices."""

    area: Column
    outcome: Column
    stake: Column
    at_risk: Column


class Settled(NamedTuple):
    """The parts of each row's settled stake, in cents."""

    paid_cents: Cents
    collected_cents: Cents
    returned_cents: Cents


class Sums(NamedTuple):
    """The parts of all stakes together, in cents: whole numbers of any size."""

    paid_cents: int
    collected_cents: int
    returned_cents: int


def _settle_rows(
    pays: Pays, rows: _SettlementRows, into: Settled, stakes: Bounds, halves: Cents
) -> int:
    """Settle each row, and add to the sums as `_add_halves` does.

    Return the faults of any row, as bits; if there are any, nothing is settled.
    """
    outcomes, areas = pays.shape
    stake, risked = rows.stake.astype(np.int64), rows.at_risk.astype(np.int64)
    found = _BAD_AREA * bool(np.any(rows.area >= areas))
    found |= _BAD_OUTCOME * bool(np.any(rows.outcome >= outcomes))
    least, most = stakes
    wrong = (risked < 0) | (risked > stake) | (stake < least) | (stake > most)
    found |= _BAD_AMOUNT * bool(wrong.any())
    if found:
        return found
    pays_now = pays[rows.outcome, rows.area].astype(np.int64)
    lost = np.where(pays_now < 0, risked, 0)
    np.multiply(risked - lost, pays_now, out=into.paid_cents)
    into.collected_cents[:] = lost
    np.subtract(stake, lost, out=into.returned_cents)
    for column, place in zip(into, (0, 2, 4), strict=True):
        halves[place] += np.sum(column >> 32)
        halves[place + 1] += np.sum(column & 0xFFFFFFFF)
    return found


@compiled_loop
def _settle_lines(
    pays: Pays, rows: _SettlementRows, into: Settled, stakes: Bounds, halves: Cents
) -> int:
    """Settle whole blocks in simple steps; `into` must begin at cache lines."""
    outcomes, areas = pays.shape
    flat = pays.ravel()
    cells = np.empty(_BLOCK, np.uint32)
    pays_now = np.empty(_BLOCK, np.int32)
    block = np.empty(_BITS + 1, np.int64)
    found = 0
    for start in range(0, len(rows.stake), _BLOCK):
        stop = start + _BLOCK
        area, outcome = rows.area[start:stop], rows.outcome[start:stop]
        if _largest(area) >= areas:
            found |= _BAD_AREA
            continue
        if _largest(outcome) >= outcomes:
            found |= _BAD_OUTCOME
            continue
        _find_cells(area, outcome, np.uint32(areas), cells)
        _look_up(flat, cells, pays_now)
        risked, stake = rows.at_risk[start:stop], rows.stake[start:stop]
        if _settle_block(pays_now, risked, stake, stakes, block):
            found |= _BAD_AMOUNT
        for part in range(3):
            place = _SUMS + part, _SUMS + part + 1
            if block[_BITS] >= _SMALL:
                place = part * _BLOCK, (part + 1) * _BLOCK
            _add_halves(block, place[0], place[1], halves[2 * part :])
        _store(block, 0, start, into.paid_cents)
        _store(block, _BLOCK, start, into.collected_cents)
        _store(block, 2 * _BLOCK, start, into.returned_cents)
    return found


@compiled_loop
def _add_halves(cents: Cents, start: int, stop: int, halves: Cents) -> None:
    """Add the upper and the lower 32 bits of some rows, which never overflow."""
    high = low = np.int64(0)
    for row in range(np.uint64(start), np.uint64(stop)):
        high += cents[row] >> 32
        low += cents[row] & 0xFFFFFFFF
    halves[0] += high
    halves[1] += low


@inlined_loop
def _largest(index: Column) -> int:
    largest = index[0]
    for place in range(_BLOCK):
        largest = max(largest, index[place])
    return int(largest)


@inlined_loop
def _find_cells(area: Column, outcome: Column, areas: np.uint32, cells: _Cells) -> None:
    for place in range(_BLOCK):
        cells[place] = np.uint32(outcome[place]) * areas + np.uint32(area[place])


@inlined_loop
def _look_up(flat: Column, cells: _Cells, pays_now: _PaysNow) -> None:
    for place in range(_BLOCK):
        pays_now[place] = flat[cells[place]]


@inlined_loop
def _settle_block(
    pays_now: _PaysNow, at_risk: Column, stake: Column, stakes: Bounds, block: Cents
) -> bool:
    """Fill a block of paid, collected and returned; return whether an amount was wrong.

    The three sums after the columns are right if all amounts are below `_SMALL`.
    """
    signs = bits = paid = lost = staked = np.int64(0)
    least, most = np.int64(stakes[0]), np.int64(stakes[1])
    for place in range(_BLOCK):
        pays, cents = np.int64(pays_now[place]), np.int64(stake[place])
        risked = np.int64(at_risk[place])
        # Below 0 unless 0 <= risked <= cents and least <= cents <= most on every row.
        signs |= risked | (cents - least) | (cents - risked) | (most - cents)
        won = risked if pays >= 0 else np.int64(0)
        block[place] = won * pays
        block[_BLOCK + place] = risked - won
        block[2 * _BLOCK + place] = cents - risked + won
        bits |= won * pays | cents
        paid += won * pays
        lost += risked - won
        staked += cents
    block[_SUMS], block[_SUMS + 1], block[_SUMS + 2] = paid, lost, staked - lost
    block[_BITS] = bits
    return bool(signs < 0)


@inlined_loop
def _store(block: Cents, begin: int, start: int, column: Cents) -> None:
    for place in range(0, _BLOCK, LINE):
        store_line(column, start + place, block, begin + place)


def settle_columns(
    compiled: CompiledGame,
    area: Column,
    outcome: Column,
    stake_cents: Column,
    at_risk_cents: Column | None = None,
) -> Settled:
    """Settle rows of area index, outcome row and stake; nothing is copied.

    `at_risk_cents` is for rows with less than the stake at risk (limits, a void round).
    Raises `ColumnError` if the columns are no wagers of the game.
    """
    rows = len(stake_cents)
    into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))
    settle_into(compiled, area, outcome, stake_cents, at_risk_cents, into=into)
    return into


def settle_into(
    compiled: CompiledGame,
    area: Column,
    outcome: Column,
    stake_cents: Column,
    at_risk_cents: Column | None = None,
    *,
    into: Settled,
    stakes: Bounds = (0, _LARGEST),
) -> Sums:
    """Settle like `settle_columns`, into given columns; return the sums.

    A stake outside `stakes` is refused too.
    """
    given = {"area": area, "outcome": outcome, "stake_cents": stake_cents}
    check_columns({**given, "at_risk_cents": at_risk_cents}, len(into.paid_cents))
    bounds = stakes[0], min(stakes[1], _most_cents(compiled))
    at_risk = stake_cents if at_risk_cents is None else at_risk_cents

    columns = unsigned(area), unsigned(outcome), stake_cents, at_risk
    wagers = _SettlementRows(*map(only_read, columns))
    pays = only_read(compiled.pays)
    in_lines = is_compiled_for(len(area)) and all(map(is_aligned, into))

    def work(start: int, stop: int) -> tuple[int, Cents]:
        halves, found, rest = np.zeros(6, np.int64), 0, start
        if in_lines:
            rest += (stop - start) // _BLOCK * _BLOCK
            found = compiled_now(_settle_lines)(
                pays, *_rows(wagers, into, start, rest), bounds, halves
            )
        found |= _settle_rows(pays, *_rows(wagers, into, rest, stop), bounds, halves)
        return found, halves

    shares = share_out(len(stake_cents), work)
    if found := reduce(or_, (each for each, _ in shares)):
        raise ColumnError(_what_is_wrong(compiled, found, bounds))
    halves = np.sum([each.astype(object) for _, each in shares], axis=0)
    return Sums(*(halves[0::2] << 32) + halves[1::2])


def _rows(
    wagers: _SettlementRows, into: Settled, start: int, stop: int
) -> tuple[_SettlementRows, Settled]:
    part = slice(start, stop)
    return (
        _SettlementRows(*(column[part] for column in wagers)),
        Settled(*(column[part] for column in into)),
    )


def exact_sum(cents: Cents) -> int:
    halves = np.zeros(2, np.int64)
    _add_halves(cents, 0, len(cents), halves)
    return (int(halves[0]) << 32) + int(halves[1])


def _most_cents(compiled: CompiledGame) -> int:
    """Return the largest stake whose winnings fit 64 bits."""
    highest = max(1, int(compiled.pays.max(initial=0)))
    return _LARGEST // highest


def _what_is_wrong(compiled: CompiledGame, found: int, stakes: Bounds) -> str:
    outcomes, areas = compiled.pays.shape
    if found & _BAD_AREA:
        return f"an area is none of the {areas} of {compiled.game.title}"
    if found & _BAD_OUTCOME:
        return f"an outcome is none of the {outcomes} of {compiled.game.title}"
    least, most = stakes
    return f"an amount is below {least}, above the stake, or above {most} cents"
