"""Tables and JSON of a layout of chips and of pairs of wagers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.odds.chips import Chips, LayoutTerms, read_chips
from croupier.odds.chips_odds import Correlation, layout_parts
from croupier.odds.distribution import Distribution
from croupier.odds.model import Model
from croupier.odds.wager_odds import Odds
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable
from croupier.tabular.figures import exact

_SHOWN_PAIRS = 28
"""The pairs of eight wagers."""


@dataclass(frozen=True, slots=True)
class LayoutSheet:
    """The odds of one Player's chips, together and each by itself."""

    model: Model
    chips: Sequence[Chips]
    together: Odds
    alone: Sequence[Odds]
    pairs: Sequence[Correlation]

    @classmethod
    def of(cls, model: Model, wagers: Sequence[str], terms: LayoutTerms) -> LayoutSheet:
        """Return the sheet of wagers; raise `NotationError` and `WagerRefused`."""
        chips = [read_chips(text) for text in wagers]
        return cls(model, chips, *layout_parts(model, chips, terms))

    def tables(self) -> list[TextTable]:
        tables = [_layout_table(self.together), _outcome_table(self.together)]
        if len(self.alone) > 1:
            tables += [_alone_table(self.alone), *pair_tables(self.pairs)]
        return tables

    def json(self) -> dict[str, Any]:
        return {
            **self.model.document(),
            "wagers": [odds.as_laid_json() for odds in self.alone],
            "layout": _layout_json(self.together, tuple(map(str, self.chips))),
            "correlations": [correlation_json(pair) for pair in self.pairs],
        }


def _layout_table(odds: Odds) -> TextTable:
    rows = [
        ("stake", write_cents(int(odds.stake))),
        ("at risk", write_cents(int(odds.at_risk))),
        ("return", exact(odds.return_to_player)),
        *odds.edge_lines(),
        ("hit frequency", exact(odds.hit_frequency)),
        ("ends ahead", exact(odds.ahead_probability)),
        ("standard deviation", f"{odds.standard_deviation / 100:.4f}"),
        ("skewness", f"{odds.skewness:.4f}"),
        ("maximum win", write_cents(int(odds.maximum_win))),
    ]
    return TextTable("", ("", ""), rows)


def _outcome_table(odds: Odds) -> TextTable:
    rows = [
        (write_cents(int(value)), f"{float(chance):.6f}", str(chance))
        for value, chance in odds.net.outcomes
    ]
    return TextTable("", (">net", ">probability", "exactly"), rows)


def _alone_table(alone: Sequence[Odds]) -> TextTable:
    """Return the odds of each wager by itself, per unit staked."""
    return TextTable.of(
        "",
        [odds.per_unit for odds in alone],
        {
            "alone": lambda odds: odds.name,
            ">win probability": lambda odds: str(odds.win_probability),
            ">return": lambda odds: str(odds.return_to_player),
            ">house edge": lambda odds: str(odds.house_edge),
            ">variance": lambda odds: str(odds.variance),
            ">at risk": lambda odds: str(odds.at_risk),
            ">edge at risk": lambda odds: _or_none(odds.house_edge_at_risk),
        },
    )


def _or_none(edge: Fraction | None) -> str:
    return "none" if edge is None else str(edge)


def pair_tables(pairs: Sequence[Correlation]) -> list[TextTable]:
    """Return a table of the first pairs; no table if there are no pairs."""
    columns = {
        "together": lambda pair: pair.one.name,
        "": lambda pair: pair.other.name,
        ">covariance": lambda pair: str(pair.covariance),
        ">correlation": lambda pair: f"{pair.coefficient:.6f}",
    }
    more = len(pairs) - _SHOWN_PAIRS
    notes = (f"and {more} more pairs, in --json",) if more > 0 else ()
    return [TextTable.of("", pairs[:_SHOWN_PAIRS], columns, notes)] if pairs else []


def distribution_json(net: Distribution, name: str) -> list[dict[str, Any]]:
    whole = all(value.denominator == 1 for value in net.values)
    return [
        {name: int(value) if whole else str(value), "probability": chance}
        for value, chance in net.outcomes
    ]


def _layout_json(odds: Odds, chips: tuple[str, ...]) -> dict[str, Any]:
    """Return a layout's odds; money is in cents or fractions of a cent."""
    return {
        "chips": chips,
        "stake_cents": odds.stake,
        "at_risk_cents": odds.at_risk,
        "mean_net_cents": odds.mean,
        "return": odds.return_to_player,
        "house_edge": odds.house_edge,
        "house_edge_at_risk": odds.house_edge_at_risk,
        "hit_frequency": odds.hit_frequency,
        "ahead_probability": odds.ahead_probability,
        "variance_square_cents": odds.variance,
        "standard_deviation_cents": odds.standard_deviation,
        "third_central_moment_cubic_cents": odds.net.third_central_moment,
        "skewness": odds.skewness,
        "maximum_win_cents": odds.maximum_win,
        "distribution": distribution_json(odds.net, "net_cents"),
    }


def correlation_json(pair: Correlation) -> dict[str, Any]:
    return {
        "wagers": [pair.one.name, pair.other.name],
        "covariance": pair.covariance,
        "correlation": pair.coefficient,
        "correlation_signed_square": pair.signed_square,
    }
