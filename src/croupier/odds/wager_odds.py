"""The odds of one wager in units, of a layout of chips in cents, and of two wagers.

Return, edge, variance and probabilities are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.odds.chips import (
    Chips,
    LayoutTerms,
    chips_of,
    lay_chips,
    net_cents,
    pieces_of,
    read_chips,
    read_terms,
    settled_cases,
)
from croupier.odds.distribution import Distribution, Value, signed_root
from croupier.odds.model import (
    NO_APPROVED_GAME,
    Case,
    Model,
    cases_of,
    model_of,
    total_weight,
)
from croupier.rules.events import SettledPiece
from croupier.rules.game import Game, Settings
from croupier.rules.notation import is_at_maximum
from croupier.rules.round import RoundOfPlay
from croupier.rules.terms import Limits
from croupier.tabular import Plot, TextTable

_UNIT_CENTS = 1


@dataclass(frozen=True, repr=False)
class Odds:
    """What the stake comes to in one round, exactly."""

    model: Model
    name: str
    """The wager's notation, or those of all the chips."""
    stake: Value
    """1 for a wager in units; cents for chips."""
    at_risk: Value
    """What of the stake can be lost: all of it within the limits (A9, A10)."""
    pieces: int
    net: Distribution
    """What is won, less what is collected."""
    win_probability: Fraction
    """That at least one piece is paid: the hit frequency."""

    @property
    def hit_frequency(self) -> Fraction:
        return self.win_probability

    @cached_property
    def ahead_probability(self) -> Fraction:
        """That more is won than is collected."""
        return self.net.probability(lambda value: value > 0)

    @property
    def mean(self) -> Fraction:
        return self.net.mean

    @property
    def return_to_player(self) -> Fraction:
        """Of each unit staked, what comes back on average."""
        return 1 + self.net.mean / self.stake

    @property
    def house_edge(self) -> Fraction:
        """Of each unit of the chips laid, what the House keeps on average."""
        return -self.net.mean / self.stake

    @property
    def house_edge_at_risk(self) -> Fraction | None:
        """Of each unit at risk; None where the limits leave nothing at risk."""
        return -self.net.mean / self.at_risk if self.at_risk else None

    @property
    def variance(self) -> Fraction:
        return self.net.variance

    @property
    def standard_deviation(self) -> float:
        return self.net.standard_deviation

    @property
    def skewness(self) -> float:
        return self.net.skewness

    @property
    def maximum_win(self) -> Value:
        return self.net.greatest

    @cached_property
    def per_unit(self) -> Odds:
        """The same for each unit of the stake."""
        return Odds(
            self.model,
            self.name,
            1,
            Fraction(self.at_risk) / self.stake,
            self.pieces,
            self.net.scaled(Fraction(1) / self.stake),
            self.win_probability,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the row of a sheet per unit: fractions as text, roots as numbers."""
        unit = self.per_unit
        return {
            "wager": self.name,
            "win_probability": unit.win_probability,
            "return": unit.return_to_player,
            "house_edge": unit.house_edge,
            "variance": unit.variance,
            "standard_deviation": unit.standard_deviation,
            "third_central_moment": unit.net.third_central_moment,
            "skewness": unit.skewness,
            "ahead_probability": unit.ahead_probability,
            "maximum_win": str(unit.maximum_win),
            "pieces": self.pieces,
        }

    def edge_lines(self) -> list[tuple[str, str]]:
        """Return what the House keeps, of the chips laid and of those at risk."""
        laid, risked = self.house_edge, self.house_edge_at_risk
        at_risk = "nothing is at risk"
        if risked is not None:
            at_risk = f"{exact(risked)} of the chips at risk"
        return [
            ("house edge", f"{exact(laid)} of the chips laid"),
            ("edge at risk", at_risk),
        ]

    def as_laid_json(self) -> dict[str, Any]:
        """Return the row of a wager that lies beside others, under the limits."""
        return {
            **self.as_json(),
            "at_risk": str(self.per_unit.at_risk),
            "house_edge_at_risk": self.house_edge_at_risk,
        }

    def _table(self) -> TextTable:
        unit = self.per_unit
        label = "" if self.model.is_approved else f" ({NO_APPROVED_GAME})"
        title = f"{self.name} in {self.model.game.document}{label}, per unit staked"
        edges = [("house edge", exact(unit.house_edge))]
        rows = [
            ("return", exact(unit.return_to_player)),
            *(edges if self.at_risk == self.stake else self.edge_lines()),
            ("win probability", exact(unit.win_probability)),
            ("ahead probability", exact(unit.ahead_probability)),
            ("variance", exact(unit.variance)),
            ("standard deviation", f"{unit.standard_deviation:.6g}"),
            ("skewness", f"{unit.skewness:.6g}"),
            ("maximum win", exact(unit.maximum_win)),
        ]
        return TextTable(title, ("", ""), rows)

    def plot(self) -> Plot:
        """Return the probability of each net result, for a notebook."""
        return self.net.plot(f"{self.name}: the probability of each net result")

    def __repr__(self) -> str:
        return f"<Odds of {self.name}: return {exact(self.return_to_player)}>"

    def __str__(self) -> str:
        table = self._table()
        return "\n".join([table.title, *table.lines()])

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


def exact(value: Value) -> str:
    """Return a figure for people: `0.972973 (36/37)`; a whole number alone."""
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.6g} ({value})"


def percent(value: Value, decimals: int = 4) -> str:
    """Return a probability or a return for people: `2.7027 %`."""
    return f"{float(value) * 100:.{decimals}f} %"


def odds_of(
    game: str | Game | Model,
    wager: str,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
) -> Odds:
    """Return a wager's odds for each unit staked on all its pieces alike.

    A complete maximum wager is staked by `limits`; nothing else looks at them. Raises
    `WagerRefused` where the game has no such wager, `NotationError` where it is none.
    """
    model = model_of(game)
    terms = read_terms(
        model.game,
        limits=limits if is_at_maximum(wager) else None,
        settings=settings,
    )
    return unit_odds(model, wager, terms)


def unit_odds(model: Model, wager: str, terms: LayoutTerms) -> Odds:
    stake = None if is_at_maximum(wager) else _UNIT_CENTS
    state = lay_chips(model.game, [Chips(wager, stake)], terms)
    [alone] = _shares(model, state)
    return alone.odds.per_unit


def layout_odds(
    game: str | Game | Model,
    wagers: str | Iterable[str | Chips],
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: bool = False,
) -> Odds:
    """Return the odds of a Player's chips, in cents; terms as in `round_result`."""
    model = model_of(game)
    terms = read_terms(
        model.game, limits=limits, settings=settings, laid=laid, warned=warned
    )
    return chips_odds(model, chips_of(wagers), terms)


def chips_odds(model: Model, chips: Sequence[Chips], terms: LayoutTerms) -> Odds:
    """Return a layout's odds, in cents; a single wager goes by its full name."""
    state = lay_chips(model.game, chips, terms)
    return _whole(model, state, chips).odds


def layout_parts(
    model: Model, chips: Sequence[Chips], terms: LayoutTerms
) -> tuple[Odds, list[Odds], list[Correlation]]:
    """Return a layout's odds, those of each wager as it lies there, and every pair.

    What of a wager is at risk is what the limits leave of it beside the others, so
    that the results of the wagers add up to the layout's.
    """
    state = lay_chips(model.game, chips, terms)
    shares = _shares(model, state)
    pairs = _pairs(model, shares)
    return _whole(model, state, chips).odds, [each.odds for each in shares], pairs


@dataclass(frozen=True)
class _Share:
    """A wager of a layout, or all of it, as it is settled in every case."""

    model: Model
    name: str
    stake_cents: int
    settled: list[tuple[tuple[SettledPiece, ...], list[Case]]]

    @property
    def odds(self) -> Odds:
        nets: list[tuple[int, int]] = []
        hits = 0
        for pieces, cases in self.settled:
            weight = sum(case.weight for case in cases)
            nets.append((net_cents(pieces), weight))
            hits += weight * any(piece.paid_cents for piece in pieces)
        # The limits decide what is at risk: it is the same at every outcome.
        pieces, _ = self.settled[0]
        return Odds(
            self.model,
            self.name,
            stake=self.stake_cents,
            at_risk=sum(piece.at_risk_cents for piece in pieces),
            pieces=len(pieces),
            net=Distribution.of_weights(nets),
            win_probability=Fraction(hits, total_weight(self.model)),
        )

    @property
    def net_by_case(self) -> list[int]:
        """The net result in each case, in cents and in the order of the cases."""
        nets = {
            case.name: net_cents(pieces)
            for pieces, cases in self.settled
            for case in cases
        }
        return [nets[case.name] for case in cases_of(self.model)]


def _whole(model: Model, state: RoundOfPlay, chips: Sequence[Chips]) -> _Share:
    alone = state.board.in_order()[0].name if len(chips) == 1 else None
    return _Share(
        model,
        alone or " ".join(map(str, chips)),
        state.board.stake_cents,
        [(pieces_of(settled), cases) for settled, cases in settled_cases(model, state)],
    )


def _shares(model: Model, state: RoundOfPlay) -> list[_Share]:
    """Return each wager of the layout, in the order of placing."""
    settled = list(settled_cases(model, state))
    return [
        _Share(
            model,
            wager.name,
            wager.stake_cents,
            [(each.wagers[place].pieces, cases) for each, cases in settled],
        )
        for place, wager in enumerate(state.board.in_order())
    ]


@dataclass(frozen=True)
class Correlation:
    """How two wagers, each laid alone, go together; per unit staked on each."""

    one: Odds
    other: Odds
    covariance: Fraction

    @property
    def signed_square(self) -> Fraction:
        """The coefficient squared, with its sign; 0 where one never varies."""
        variances = self.one.variance * self.other.variance
        if variances == 0:
            return Fraction(0)
        return self.covariance * abs(self.covariance) / variances

    @property
    def coefficient(self) -> float:
        return signed_root(self.signed_square)

    def __str__(self) -> str:
        return (
            f"{self.one.name} and {self.other.name}: covariance {self.covariance},"
            f" correlation {self.coefficient:.6f}"
        )


def correlation(
    game: str | Game | Model,
    one: str,
    other: str,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
) -> Correlation:
    """Return covariance and correlation of two wagers, with or without stakes.

    With stakes the limits count as at a table; without, as in `odds_of`.
    """
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings, laid=laid)
    [pair] = correlations(model, [one, other], terms)
    return pair


def correlations(
    model: Model, wagers: Sequence[str], terms: LayoutTerms
) -> list[Correlation]:
    """Return every two of the wagers, each laid alone."""
    free = LayoutTerms(Limits(), terms.settings, None, frozenset())
    states = [
        lay_chips(model.game, [read_chips(text)], terms)
        if "@" in text or is_at_maximum(text)
        else lay_chips(model.game, [Chips(text, _UNIT_CENTS)], free)
        for text in wagers
    ]
    return _pairs(model, [share for each in states for share in _shares(model, each)])


def _pairs(model: Model, shares: Sequence[_Share]) -> list[Correlation]:
    """Return every two of the wagers, per unit staked on each."""
    odds = [share.odds.per_unit for share in shares]
    nets = [share.net_by_case for share in shares]
    weights = [case.weight for case in cases_of(model)]
    stakes = [share.stake_cents for share in shares]
    return [
        Correlation(
            odds[i],
            odds[j],
            _covariance(weights, nets[i], nets[j]) / (stakes[i] * stakes[j]),
        )
        for i in range(len(shares))
        for j in range(i + 1, len(shares))
    ]


def _covariance(weights: list[int], one: list[int], other: list[int]) -> Fraction:
    total = sum(weights)
    product = sum(w * x * y for w, x, y in zip(weights, one, other, strict=True))
    first = sum(w * x for w, x in zip(weights, one, strict=True))
    second = sum(w * y for w, y in zip(weights, other, strict=True))
    return Fraction(product * total - first * second, total * total)
