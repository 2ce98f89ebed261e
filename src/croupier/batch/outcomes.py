"""Outcomes in bulk: what the draws of Bonus Numbers make of the winning numbers.

A draw is a mask: a bit for each number's index in the game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.batch.columns import Column, ColumnError, check_columns
from croupier.batch.compiled import CompiledGame, Masks
from croupier.batch.kernels import compiled_loop
from croupier.rules.clause import Rule

OutcomeRows = np.ndarray[Any, np.dtype[np.int16]]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


class _Draws(NamedTuple):
    links: Masks
    has_supers: bool
    has_scatter: bool


def outcome_rows(
    compiled: CompiledGame, number_index: Column, draw_masks: Masks | None
) -> OutcomeRows:
    """Return the row of each outcome in the table of pays.

    Raises `ColumnError` where draws are missing, or given to a game that draws none.
    """
    check_columns(
        {"number_index": number_index, "draw_masks": draw_masks}, len(number_index)
    )
    if compiled.draws_bonus_numbers is not (draw_masks is not None):
        needs = "needs" if draw_masks is None else "has no"
        raise ColumnError(f"{compiled.game.title} {needs} draws of Bonus Numbers")
    numbers = len(compiled.game.numbers)
    if (
        len(number_index)
        and not 0 <= number_index.min() <= number_index.max() < numbers
    ):
        raise ColumnError(f"a number is none of the {numbers} of the game")
    if draw_masks is None:
        return number_index.astype(np.int16)
    game = compiled.game
    linked = game.provides(Rule.LINKS)
    draws = _Draws(
        compiled.link_masks,
        has_supers=linked and game.provides(Rule.SUPER_BONUS),
        has_scatter=linked and game.provides(Rule.SCATTER),
    )
    rows = np.empty(len(number_index), np.int16)
    _fill(number_index, draw_masks.astype(np.uint64, copy=False), draws, rows)
    return rows


@compiled_loop
def _fill(number: Column, drawn: Masks, draws: _Draws, rows: OutcomeRows) -> None:
    """Fill in six outcomes to a number: by status, then without and with scatter."""
    for row in range(len(number)):
        bit, lit = _ONE << np.uint64(number[row]), drawn[row]
        scatter, is_super = draws.has_scatter, False
        for link in draws.links:
            scatter = scatter and (lit & link) != _NONE
            is_super = is_super or ((lit & link) == link and (link & bit) != _NONE)
        status = 0
        if lit & bit:
            status = 2 if is_super and draws.has_supers else 1
        rows[row] = number[row] * 6 + status * 2 + scatter
