"""Exact odds of every wager and every layout of chips, in fractions.

    >>> from croupier.odds import odds_of
    >>> odds_of("mbs-roulette-v3", "red").house_edge
    Fraction(1, 37)

The module itself can be called:

    >>> import croupier
    >>> croupier.odds("mbs-roulette-v3", "17@10", "red@50").house_edge
    Fraction(1, 37)

Names are loaded when they are first used.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from croupier.errors import check_type
from croupier.lazy_names import lazy_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.odds.bands import BandMethod, ReturnBand, volatility_index
    from croupier.odds.chips import Chips
    from croupier.odds.chips_odds import Correlation, correlation, layout_odds
    from croupier.odds.comparison import Comparison, compare_games
    from croupier.odds.distribution import Distribution
    from croupier.odds.exposure import Exposure, exposure_of
    from croupier.odds.layouts import round_result
    from croupier.odds.liability import Liability, NoBound, maximum_liability
    from croupier.odds.model import Model, model_of
    from croupier.odds.payments import PaymentTable, payment_table
    from croupier.odds.sheet import ParSheet, par_sheet
    from croupier.odds.wager_odds import Odds, odds_of
    from croupier.odds.what_if import WhatIfError, read_what_if
    from croupier.rules.game import Game, Settings
    from croupier.rules.terms import Limits

__all__ = [
    "BandMethod",
    "Chips",
    "Comparison",
    "Correlation",
    "Distribution",
    "Exposure",
    "Liability",
    "Model",
    "NoBound",
    "Odds",
    "ParSheet",
    "PaymentTable",
    "ReturnBand",
    "WhatIfError",
    "compare_games",
    "correlation",
    "exposure_of",
    "layout_odds",
    "maximum_liability",
    "model_of",
    "odds_of",
    "par_sheet",
    "payment_table",
    "read_what_if",
    "round_result",
    "volatility_index",
]

__getattr__ = lazy_names(
    __name__,
    {
        "bands": "BandMethod ReturnBand volatility_index",
        "chips": "Chips",
        "chips_odds": "Correlation correlation layout_odds",
        "comparison": "Comparison compare_games",
        "distribution": "Distribution",
        "exposure": "Exposure exposure_of",
        "layouts": "round_result",
        "liability": "Liability NoBound maximum_liability",
        "model": "Model model_of",
        "payments": "PaymentTable payment_table",
        "sheet": "ParSheet par_sheet",
        "wager_odds": "Odds odds_of",
        "what_if": "WhatIfError read_what_if",
    },
)


def __dir__() -> list[str]:
    return list(__all__)


class OddsModule(ModuleType):
    def __call__(
        self,
        game: str | Game | Model,
        *wagers: str,
        limits: Limits | Iterable[str] | None = None,
        settings: Settings | Iterable[str] | None = None,
        laid: bool | None = None,
        warned: bool = False,
    ) -> Odds:
        """Return the odds of a wager, or of a layout of chips: `"17@10", "red@50"`.

        `laid` and `warned` are for chips.
        """
        from croupier.odds.chips_odds import layout_odds
        from croupier.odds.wager_odds import odds_of

        terms: dict[str, Any] = {"limits": limits, "settings": settings}
        for wager in wagers:
            check_type("wager", "text such as 'red' or '17@10'", wager, str)
        if len(wagers) == 1 and "@" not in wagers[0]:
            if warned or laid is not None:
                raise TypeError("laid and warned go with stakes, as in red@5")
            return odds_of(game, wagers[0], **terms)
        return layout_odds(game, wagers, laid=laid, warned=warned, **terms)


OddsModule.__call__.__qualname__ = "odds"  # shown by the error of an unknown keyword
# `odds` is a package, and newcomers try to call it: `croupier.odds(…)`.
sys.modules[__name__].__class__ = OddsModule
