"""Chips spread over areas that never win together: what each of them adds.

A spread is held as an array: by the total that is spent and the chips that are kept,
what it adds to the value of those kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.lab.best_play.area_kinds import AreaKind
from croupier.lab.best_play.search import reaching, useful_chips

if TYPE_CHECKING:
    import numpy as np

    from croupier.lab.best_play.search import Floats

    Indices = np.ndarray[Any, np.dtype[np.int_]]


def added_values(kind: AreaKind, values: Floats, target: int) -> Floats:
    """Return what each stake on an area adds to the value of what is kept."""
    import numpy as np

    stakes = range(kind.least, min(useful_chips(kind, target), target - 1) + 1)
    extended = reaching(values, (1 + max(kind.gains)) * (stakes[-1] + 1))
    added = np.zeros((len(stakes), target))
    for place, stake in enumerate(stakes):
        for gain, chance in zip(kind.gains, kind.chances, strict=True):
            first = (1 + gain) * stake
            won = extended[first : first + target] - values[:target]
            added[place] += float(chance) * won
    return added


def best_totals(
    spread: Floats, values: Floats, margin: float
) -> tuple[Floats, Indices]:
    """Return the greatest worth of each bankroll, and what is spent for it."""
    import numpy as np

    target = len(spread)
    found, spent = np.zeros(target), np.zeros(target, dtype=int)
    for total in range(1, target):
        worth = values[: target - total] + spread[total, : target - total]
        better = worth > found[total:] * (1 + margin)
        found[total:][better] = worth[better]
        spent[total:][better] = total
    return found, spent


def last_stake(
    worth: float, added: Floats, before: Floats, least: int, total: int
) -> int | None:
    """Return the largest stake that makes this worth of the spread before it.

    `added` and `before` are of one count of chips kept; None where there is none.
    """
    count = min(len(added), total - least + 1)
    if count <= 0:
        return None
    last = total - least
    rest = before[last - count + 1 : last + 1][::-1]
    same = ((added[:count] + rest) == worth).nonzero()[0]
    return least + int(same[-1]) if same.size else None
