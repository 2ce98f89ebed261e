"""The figures of a wager or of a whole layout of chips: return, edge, variance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from croupier.odds.distribution import Distribution, Value
from croupier.odds.model import NO_APPROVED_GAME, Model

if TYPE_CHECKING:
    from croupier.odds.plots import Plot


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
        return -self.net.mean / self.stake

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
        """The row of a sheet: fractions as text, roots as numbers; per unit staked."""
        unit = self.per_unit
        return {
            "wager": self.name,
            "win_probability": str(unit.win_probability),
            "return": str(unit.return_to_player),
            "house_edge": str(unit.house_edge),
            "variance": str(unit.variance),
            "standard_deviation": unit.standard_deviation,
            "third_central_moment": str(unit.net.third_central_moment),
            "skewness": unit.skewness,
            "ahead_probability": str(unit.ahead_probability),
            "maximum_win": str(unit.maximum_win),
            "pieces": self.pieces,
        }

    def _lines(self) -> list[tuple[str, str]]:
        unit = self.per_unit
        return [
            ("return", exact(unit.return_to_player)),
            ("house edge", exact(unit.house_edge)),
            ("win probability", exact(unit.win_probability)),
            ("ahead probability", exact(unit.ahead_probability)),
            ("variance", exact(unit.variance)),
            ("standard deviation", f"{unit.standard_deviation:.6g}"),
            ("skewness", f"{unit.skewness:.6g}"),
            ("maximum win", exact(unit.maximum_win)),
        ]

    def _heading(self) -> str:
        label = "" if self.model.is_approved else f" ({NO_APPROVED_GAME})"
        return f"{self.name} in {self.model.game.document}{label}, per unit staked"

    def plot(self) -> Plot:
        """The probability of each net result, for a notebook."""
        return self.net.plot(f"{self.name}: the probability of each net result")

    def __repr__(self) -> str:
        return f"<Odds of {self.name}: return {exact(self.return_to_player)}>"

    def __str__(self) -> str:
        lines = [f"{name:<19} {figure}" for name, figure in self._lines()]
        return "\n".join([self._heading(), *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{figure}</td></tr>"
            for name, figure in self._lines()
        )
        heading = escape(self._heading())
        return f"<table><caption>{heading}</caption><tbody>{rows}</tbody></table>"


def exact(value: Value) -> str:
    """A figure for people: `0.972973 (36/37)`; a whole number alone."""
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.6g} ({value})"


def percent(value: Value, decimals: int = 4) -> str:
    """A probability or a return for people: `2.7027 %`."""
    return f"{float(value) * 100:.{decimals}f} %"
