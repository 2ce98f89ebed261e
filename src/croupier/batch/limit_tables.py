"""The limits of a table by area, as columns of cents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.batch.compiled import Cents, CompiledGame
from croupier.rules.clause import Rule
from croupier.rules.game import Settings
from croupier.rules.layout import WagerType
from croupier.rules.terms import Limits

NO_MAXIMUM = 1 << 62
"""Used if there is no maximum: no sum of stakes is larger."""


class LimitTables(NamedTuple):
    """Limits by area, in cents; the cap is on the sum over all Players (A8)."""

    minimum: Cents
    maximum: Cents
    cap: Cents
    under_refused: bool
    over_refused: bool
    """True: refused at the placing (A11). False: judged at the outcome (A9, A10)."""
    refuses: bool
    """Whether any wager can be refused at its placing."""


def limit_tables(
    compiled: CompiledGame, limits: Limits, settings: Settings
) -> LimitTables | None:
    """Return the tables; None if nothing limits a wager."""
    game = compiled.game
    caps = settings.area_maximum_cents if game.provides(Rule.AREA_MAXIMUM) else {}
    if limits.general is None and not limits.by_type and not caps:
        return None

    def least_and_most(kind: WagerType) -> tuple[int, int]:
        limit = limits.of(kind)
        if limit is None:
            return 0, NO_MAXIMUM
        return limit.minimum_cents, limit.maximum_cents

    by_type = {
        kind: least_and_most(kind) for kind in {area.wager_type for area in game.areas}
    }
    bounds = [by_type[area.wager_type] for area in game.areas]
    capped = [
        caps.get(area.wager_type, caps.get(None, NO_MAXIMUM)) for area in game.areas
    ]
    under_refused = not game.provides(Rule.UNDER_MINIMUM)
    over_refused = not game.provides(Rule.OVER_MAXIMUM)
    return LimitTables(
        minimum=np.array([least for least, _ in bounds], np.int64),
        maximum=np.array([most for _, most in bounds], np.int64),
        cap=np.array(capped, np.int64),
        under_refused=under_refused,
        over_refused=over_refused,
        refuses=under_refused or over_refused or bool(caps),
    )
