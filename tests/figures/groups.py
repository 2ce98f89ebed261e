"""The groups of a report, held against a second convolution of their rounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from tests.figures.oracle.chance import Case, cases, drawn_case
from tests.figures.oracle.games import Table
from tests.figures.oracle.report import (
    Fair,
    hits_of_a_round,
    sum_over_rounds,
    win_of_a_round,
)
from tests.figures.oracle.settlement import Piece, settle, wins
from tests.figures.oracle.statistics import holm, normal_quantile


@dataclass(frozen=True)
class ReportedRound:
    """A round that counts: what it is grouped by, and the pieces of each wager."""

    table: Table
    keys: Mapping[str, str]
    outcome: str
    lit: tuple[str, ...]
    wagers: tuple[tuple[Piece, ...], ...]

    def pieces(self, kind: str | None) -> list[Piece]:
        """Return the pieces, or only those of a type."""
        return [
            piece
            for wager in self.wagers
            for piece in wager
            if kind in {None, self.table.places[piece.place].type}
        ]


def check_bounds(bounds: list[dict[str, Any]], fair: Fair) -> None:
    for bound in bounds:
        tail = (1 - bound["level"] / 100) / 2
        deviation = float(fair.variance) ** 0.5
        z = normal_quantile(1 - tail)
        assert bound["normal_low"] == pytest.approx(float(fair.mean) - z * deviation)
        assert bound["normal_high"] == pytest.approx(float(fair.mean) + z * deviation)
        if bound["method"] == "convolution":
            assert fair.is_low(bound["low"], tail), bound
            assert fair.is_high(bound["high"], tail), bound
        else:
            assert bound["method"] == "enclosure"
            assert fair.encloses(bound["low"], bound["high"], tail), bound
            # Further in by a little, there is too much outside, or nearly too much.
            inner, nearly = 0.02 * deviation, 0.98 * tail
            assert not fair.encloses(bound["low"] + inner, math.inf, nearly)
            assert not fair.encloses(-math.inf, bound["high"] - inner, nearly)


def check_p_value(told: dict[str, float], mine: float) -> None:
    assert told["low"] <= mine + 1e-9
    assert told["high"] >= mine - 1e-9
    assert told["low"] <= told["value"] <= told["high"]
    if mine > 1e-6:
        assert told["high"] <= 1.1 * mine + 1e-8
        assert told["low"] >= mine / 1.1 - 1e-8


def verdict(told: dict[str, float], levels: Sequence[float], *, above: bool) -> str:
    """Return what is to be said: the first level that the p-value is within."""
    for level in sorted(levels):
        if told["low"] > 1 - level / 100:
            return f"within {level} %"
        if told["high"] > 1 - level / 100:
            return f"not shown to be outside {level} %"
    return f"{'above' if above else 'below'} {max(levels)} %"


def check_group(
    rounds: Sequence[ReportedRound], kind: str | None, told: dict[str, Any]
) -> None:
    """Hold a group against its rounds; `kind` is the type it is narrowed to."""
    laid = [(one, one.pieces(kind)) for one in rounds]
    laid = [(one, pieces) for one, pieces in laid if pieces or kind is None]
    settled = [
        row for one, pieces in laid for row in settle(one.table, pieces, _case(one))
    ]
    pieces = [piece for _, some in laid for piece in some]
    win = sum(row.collected - row.paid for row in settled)
    at_risk = sum(piece.at_risk for piece in pieces)
    hits = sum(len(_paid_places(one, some)) for one, some in laid)
    fair, fair_hits = (
        sum_over_rounds(of(one.table, cases(one.table), some) for one, some in laid)
        for of in (win_of_a_round, hits_of_a_round)
    )

    assert told["rounds"] == len(laid)
    wagers = sum(len(one.wagers) for one in rounds)
    assert told["wagers"] == (wagers if kind is None else len(pieces))
    assert told["stake_cents"] == sum(piece.stake for piece in pieces)
    assert told["at_risk_cents"] == at_risk
    assert told["paid_cents"] == sum(row.paid for row in settled)
    assert told["collected_cents"] == sum(row.collected for row in settled)
    assert told["returned_cents"] == sum(row.returned for row in settled)
    assert told["house_win_cents"] == win
    assert Fraction(told["expected_win_cents"]) == fair.mean
    assert Fraction(told["win_variance"]) == fair.variance
    assert told["hits"] == hits
    assert Fraction(told["expected_hits"]) == fair_hits.mean
    assert Fraction(told["hit_variance"]) == fair_hits.variance
    check_bounds(told["win_bounds"], fair)
    check_bounds(told["hit_bounds"], fair_hits)
    check_p_value(told["p_value"], fair.p_value(win))
    check_p_value(told["hits_p_value"], fair_hits.p_value(hits))
    if not at_risk:
        return
    assert Fraction(told["actual_return"]) == 1 - Fraction(win, at_risk)
    assert Fraction(told["theoretical_return"]) == 1 - fair.mean / at_risk
    levels = [bound["level"] for bound in told["win_bounds"]]
    assert told["return_is"] == verdict(told["p_value"], levels, above=win < fair.mean)
    assert told["hits_are"] == verdict(
        told["hits_p_value"], levels, above=hits > fair_hits.mean
    )


def _case(one: ReportedRound) -> Case:
    return drawn_case(one.table, one.outcome, one.lit)


def _paid_places(one: ReportedRound, pieces: Iterable[Piece]) -> set[str]:
    """Return the places with chips at risk that were paid, each once."""
    return {
        piece.place
        for piece in pieces
        if piece.at_risk and wins(one.table, piece.place, _case(one))
    }


def check_holm(groups: list[dict[str, Any]], key: str) -> None:
    """Hold the corrected p-values against Holm's steps over all groups."""
    for end in ("value", "low", "high"):
        corrected = holm([group[key][end] for group in groups])
        for group, mine in zip(groups, corrected, strict=True):
            assert group[f"{key}_holm"][end] == pytest.approx(mine, rel=1e-9)


def check_sections(
    rounds: Sequence[ReportedRound], sections: Iterable[dict[str, Any]]
) -> None:
    """Hold each group of each section against the rounds that belong to it."""
    for section in sections:
        keys = [key for key in section["by"] if key != "type"]
        for group in section["groups"]:
            mine = [one for one in rounds if all(one.keys[k] == group[k] for k in keys)]
            check_group(mine, group.get("type"), group)
        for key in ("p_value", "hits_p_value"):
            check_holm(section["groups"], key)
        types = "type" in section["by"]
        assert len(section["groups"]) == len(set(_all_keys(rounds, keys, types=types)))


def _all_keys(
    rounds: Iterable[ReportedRound], keys: Sequence[str], *, types: bool
) -> Iterable[tuple[str, ...]]:
    for one in rounds:
        here = tuple(one.keys[key] for key in keys)
        if not types:
            yield here
        for piece in one.pieces(None) if types else ():
            yield (*here, one.table.places[piece.place].type)


def check_whole(rounds: Sequence[ReportedRound], told: dict[str, Any]) -> None:
    """Check all rounds together: one group, with nothing to correct for."""
    check_group(rounds, None, told)
    for key in ("p_value", "hits_p_value"):
        check_holm([told], key)


def check_ratio(told: str | None, part: int, whole: int | None) -> None:
    """Check a hold: a fraction of what was at risk or bought in, if anything was."""
    if whole:
        assert told is not None
        assert Fraction(told) == Fraction(part, whole)
    else:
        assert told is None
