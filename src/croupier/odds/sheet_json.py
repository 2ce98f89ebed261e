"""A PAR sheet and a layout's odds as plain JSON values."""

from __future__ import annotations

from typing import Any

from croupier.odds.cases import all_draws
from croupier.odds.distribution import Distribution
from croupier.odds.model import NO_APPROVED_GAME, Model
from croupier.odds.sheet import Citation, ParSheet, WagerKind
from croupier.odds.wager_odds import Correlation, Odds
from croupier.rules.terms import write_limits, write_settings


def model_json(model: Model) -> dict[str, Any]:
    """Which game the figures are of, and whether it is an approved one."""
    game = model.game
    named: dict[str, Any] = {
        "game": game.name,
        "document": game.document,
        "effective": game.effective if model.is_approved else None,
        "approved": model.is_approved,
    }
    if not model.is_approved:
        named["label"] = NO_APPROVED_GAME
        named["based_on"] = model.based_on
        named["title"] = model.title
        named["changes"] = list(model.changes)
    return named


def sheet_json(sheet: ParSheet) -> dict[str, Any]:
    model, terms = sheet.model, sheet.terms
    return {
        **model_json(model),
        "compartments": len(sheet.game.numbers),
        "chances": {n: str(model.chance(n)) for n in sheet.game.numbers},
        "bonus_draws": all_draws(sheet.game),
        "limits": list(write_limits(terms.limits)),
        "settings": list(write_settings(terms.settings)),
        "wagers": [odds.as_json() for odds in sheet.wagers],
        "multiple_piece_wagers": [o.as_json() for o in sheet.multiple_piece_wagers],
        "kinds": [_kind_json(kind) for kind in sheet.kinds],
        "liability": None if sheet.liability is None else sheet.liability.as_json(),
        "clauses": [_source_json(each) for each in sheet.clauses],
        "readings": [_source_json(each) for each in sheet.readings],
    }


def _kind_json(kind: WagerKind) -> dict[str, Any]:
    return {
        "title": kind.title,
        "wagers": list(kind.wagers),
        "volatility_index": kind.volatility_index,
        "bands": [
            {
                "rounds": band.rounds,
                "level_percent": band.level,
                "return_low": band.low,
                "return_high": band.high,
                "method": band.method.value,
            }
            for band in kind.bands
        ],
        "distribution": _distribution_json(kind.odds.net, "net"),
    }


def _source_json(source: Citation) -> dict[str, str]:
    return {"number": source.number, "says": source.says}


def _distribution_json(net: Distribution, name: str) -> list[dict[str, Any]]:
    whole = all(value.denominator == 1 for value in net.values)
    return [
        {name: int(value) if whole else str(value), "probability": str(chance)}
        for value, chance in net.outcomes
    ]


def layout_json(odds: Odds, chips: tuple[str, ...]) -> dict[str, Any]:
    """A layout of chips: money in cents, what may be no whole cents as fractions."""
    return {
        "chips": list(chips),
        "stake_cents": odds.stake,
        "at_risk_cents": odds.at_risk,
        "mean_net_cents": str(odds.mean),
        "return": str(odds.return_to_player),
        "house_edge": str(odds.house_edge),
        "hit_frequency": str(odds.hit_frequency),
        "ahead_probability": str(odds.ahead_probability),
        "variance_square_cents": str(odds.variance),
        "standard_deviation_cents": odds.standard_deviation,
        "third_central_moment_cubic_cents": str(odds.net.third_central_moment),
        "skewness": odds.skewness,
        "maximum_win_cents": odds.maximum_win,
        "distribution": _distribution_json(odds.net, "net_cents"),
    }


def correlation_json(pair: Correlation) -> dict[str, Any]:
    return {
        "wagers": [pair.one.name, pair.other.name],
        "covariance": str(pair.covariance),
        "correlation": pair.coefficient,
        "correlation_signed_square": str(pair.signed_square),
    }
