"""Liability: the most that the House can owe in one round under a table's limits.

At each outcome the worst case is the maximum on every winning area and nothing
elsewhere. Chips beyond the maximum add nothing if a clause caps them (v3 5.16), and are
refused otherwise (A11).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from croupier.errors import CroupierError, check_type, plain_int
from croupier.odds.chips import LayoutTerms, read_terms
from croupier.odds.distribution import OddsError
from croupier.odds.model import Case, Model, cases_of, chance_of, model_of
from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Settings
from croupier.rules.layout import BettingArea
from croupier.rules.terms import Limits
from croupier.tabular import Tabled, TextTable, as_document, data_frame


class NoBound(CroupierError):
    """The limits leave an area without a maximum, so there is no bound."""


class _AreaLiability(Struct, frozen=True):
    """A winning area: the most that can lie on it, and the payment for it."""

    area: str
    stake_cents: int
    pays: int
    paid_cents: int


class CaseLiability(Struct, frozen=True, dict=True):
    """The most that the House can owe in one case."""

    outcome: str
    probability: Fraction
    areas: tuple[_AreaLiability, ...]

    @cached_property
    def paid_cents(self) -> int:
        return sum(each.paid_cents for each in self.areas)


class Liability(Tabled, Struct, frozen=True, dict=True):
    """The most that the Players can win from the House in one round."""

    model: Model
    players: int
    cases: tuple[CaseLiability, ...]

    @cached_property
    def worst(self) -> CaseLiability:
        return max(self.cases, key=lambda each: (each.paid_cents, each.probability))

    def as_json(self) -> dict[str, Any]:
        cases = [
            {"outcome": each.outcome, "liability_cents": each.paid_cents}
            for each in self.cases
        ]
        return {
            "players": self.players,
            "maximum_liability_cents": self.worst.paid_cents,
            "worst": as_document(self.worst),
            "cases": cases,
        }

    def table(self) -> TextTable:
        """Return the winning areas of the worst case with their payments."""
        return TextTable.of(
            f"The House may have to pay {self}:",
            self.worst.areas,
            {
                "area": lambda each: each.area,
                ">stake": lambda each: write_cents(each.stake_cents),
                ">pays": lambda each: f"{each.pays} to 1",
                ">paid": lambda each: write_cents(each.paid_cents),
            },
        )

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each winning area of each case."""
        return data_frame(
            {"outcome": case.outcome, "probability": case.probability, **asdict(area)}
            for case in self.cases
            for area in case.areas
        )

    def __repr__(self) -> str:
        return f"<Liability: {self}>"

    def __str__(self) -> str:
        who = "one Player" if self.players == 1 else f"{self.players:,} Players"
        most = write_cents(self.worst.paid_cents)
        return f"at most {most} to {who}, at {self.worst.outcome}"


def maximum_liability(
    game: str | Game | Model,
    *,
    limits: Limits | Iterable[str],
    settings: Settings | Iterable[str] | None = None,
    players: int = 1,
) -> Liability:
    """Return the greatest liability under the limits.

    Raises `NoBound` if an area has no maximum.
    """
    model = model_of(game)
    players = plain_int(players)
    check_type("players", "a whole number", players, int)
    if players < 1:
        raise OddsError("a liability is for at least one Player")
    terms = read_terms(model.game, limits=limits, settings=settings)
    return liability_at(model, terms, players)


def liability_at(model: Model, terms: LayoutTerms, players: int = 1) -> Liability:
    most = {a.name: _most(model.game, a, terms, players) for a in model.game.areas}
    return Liability(
        model,
        players,
        tuple(
            CaseLiability(case.name, chance_of(model, case), _areas(case, most))
            for case in cases_of(model)
        ),
    )


def _areas(case: Case, most: dict[str, int]) -> tuple[_AreaLiability, ...]:
    return tuple(
        _AreaLiability(name, most[name], pays, most[name] * pays)
        for name, pays in case.winning.items()
    )


def _most(game: Game, area: BettingArea, terms: LayoutTerms, players: int) -> int:
    """Return the most that all Players can have on one area together (A8)."""
    limit = terms.limits.of(area.wager_type)
    cap = _cap(game, area, terms)
    if limit is None:
        if cap is not None:
            return cap
        raise NoBound(
            f"the limits set no maximum for {area.wager_type.value}, so the liability"
            f" has none; add one such as '{area.wager_type.value} 5 100'"
        )
    if cap is None:
        return players * limit.maximum_cents
    # If an under-minimum wager stands once (A9), the cap keeps no Player out.
    least = 0 if game.provides(Rule.UNDER_MINIMUM) else limit.minimum_cents
    able = min(players, cap // least) if least else players
    return min(able * limit.maximum_cents, cap)


def _cap(game: Game, area: BettingArea, terms: LayoutTerms) -> int | None:
    if not game.provides(Rule.AREA_MAXIMUM):
        return None
    caps = terms.settings.area_maximum_cents
    return caps.get(area.wager_type, caps.get(None))
