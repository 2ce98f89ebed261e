"""The odds of one wager, per unit staked on the whole of it.

Return, edge, variance and probabilities are exact fractions. Within the limits, the
result of a wager in a case is the sum of its pieces' pays. A test compares this with
the rules' settlement for every wager of every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from croupier.errors import check_type, plain_int
from croupier.odds.chips import LayoutTerms, read_terms
from croupier.odds.distribution import Distribution, OddsError, Value, root
from croupier.odds.model import NO_APPROVED_GAME, Model, cases_of, model_of
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.game import Game, Settings
from croupier.rules.notation import is_at_maximum, read_wager
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.terms import Limits
from croupier.tabular import Plot, TextTable
from croupier.tabular.figures import exact


class Odds(Struct, frozen=True, dict=True):
    """The exact results of a stake in one round."""

    model: Model
    name: str
    """The notation of the wager, or of all the chips."""
    stake: Value
    """1 for a wager in units; cents for chips."""
    at_risk: Value
    """The part of the stake that can be lost; all of it within the limits (A9, A10)."""
    pieces: int
    net: Distribution
    """The payments less the chips collected."""
    win_probability: Fraction
    """Probability that at least one piece is paid: the hit frequency."""

    @property
    def hit_frequency(self) -> Fraction:
        return self.win_probability

    @cached_property
    def ahead_probability(self) -> Fraction:
        """The probability of a net win."""
        return self.net.probability(lambda value: value > 0)

    @property
    def mean(self) -> Fraction:
        return self.net.mean

    @property
    def return_to_player(self) -> Fraction:
        return 1 + self.net.mean / self.stake

    @property
    def house_edge(self) -> Fraction:
        """The House's expected gain from a unit laid."""
        return -self.net.mean / self.stake

    @property
    def house_edge_at_risk(self) -> Fraction | None:
        """The House's expected gain from a unit at risk; None if nothing is at risk."""
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
        """These odds divided by the stake."""
        if self.stake == 1:
            return self
        return Odds(
            self.model,
            self.name,
            1,
            Fraction(self.at_risk) / self.stake,
            self.pieces,
            self.net.scaled(Fraction(1) / self.stake),
            self.win_probability,
        )

    def by_hour(self, rounds: int) -> HourlyOdds:
        """Return the stakes and the result of an hour with this number of rounds."""
        rounds = plain_int(rounds)
        if type(rounds) is not int or rounds < 1:
            raise OddsError("an hour has one round or more")
        deviation = root(self.variance * rounds)
        return HourlyOdds(rounds, self.stake * rounds, self.mean * rounds, deviation)

    def as_json(self) -> dict[str, Any]:
        """Return the figures per unit: fractions as text, roots as numbers."""
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

    def edge_lines(self) -> list[tuple[str, str]]:
        """Return the edge lines: of the chips laid, and of the chips at risk."""
        laid, risked = self.house_edge, self.house_edge_at_risk
        at_risk = "nothing is at risk"
        if risked is not None:
            at_risk = f"{exact(risked)} of the chips at risk"
        return [
            ("house edge", f"{exact(laid)} of the chips laid"),
            ("edge at risk", at_risk),
        ]

    def as_laid_json(self) -> dict[str, Any]:
        """Return the figures per unit of one wager of a layout."""
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
        return self.net.plot(f"{self.name}: the probability of each net result")

    def __repr__(self) -> str:
        return f"<Odds of {self.name}: return {exact(self.return_to_player)}>"

    def __str__(self) -> str:
        table = self._table()
        return "\n".join([table.title, *table.lines()])

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


class HourlyOdds(Struct, frozen=True):
    """An hour of one wager; money is in the unit of its stake."""

    rounds: int
    staked: Value
    mean: Fraction
    """The mean net result."""
    standard_deviation: float


def odds_of(
    game: str | Game | Model,
    wager: str,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
) -> Odds:
    """Return a wager's odds for each unit staked on all its pieces alike.

    `limits` only set the stakes of a complete maximum wager. Raises `WagerRefused` if
    the game has no such wager, `NotationError` if the text is no wager.
    """
    model = model_of(game)
    check_type("wager", "text such as 'red'", wager, str)
    terms = read_terms(
        model.game, limits=limits if is_at_maximum(wager) else None, settings=settings
    )
    return unit_odds(model, wager, terms)


def unit_odds(model: Model, wager: str, terms: LayoutTerms) -> Odds:
    game = model.game
    found = find_placement(
        game, terms.settings, read_wager(wager, game.multiples, game.numbers)
    )
    if isinstance(found, Refusal):
        raise WagerRefused(found)
    return placement_odds(model, found, terms)


def placement_odds(model: Model, placed: Placement, terms: LayoutTerms) -> Odds:
    """Return the odds of a unit on all pieces alike, or of a maximum wager."""
    if placed.is_at_maximum:
        from croupier.odds.chips_odds import maximum_odds

        return maximum_odds(model, placed.name, terms)
    weights, wins = _results(model)
    staked = len(placed.areas)
    nets: dict[int, int] = {}
    paid: set[int] = set()
    for area in placed.areas:
        for case, pays in wins[area.name]:
            nets[case] = nets.get(case, -staked) + 1 + pays
            if pays > 0:
                paid.add(case)
    total = sum(weights)
    together = {-staked: total - sum(weights[case] for case in nets)}
    for case, net in nets.items():
        together[net] = together.get(net, 0) + weights[case]
    return Odds(
        model,
        placed.name,
        stake=1,
        at_risk=1,
        pieces=staked,
        net=_shared(frozenset(together.items()), staked),
        win_probability=Fraction(sum(weights[case] for case in paid), total),
    )


_Wins = list[tuple[int, int]]
"""The cases in which an area wins, with its pay to one."""


@lru_cache(maxsize=64)
def _results(model: Model) -> tuple[tuple[int, ...], Mapping[str, _Wins]]:
    """Return the weight of each case, and the winning cases of each area."""
    cases = cases_of(model)
    wins: dict[str, _Wins] = {name: [] for name in model.game.area_by_name}
    for place, case in enumerate(cases):
        for name, pays in case.winning.items():
            wins[name].append((place, pays))
    return tuple(case.weight for case in cases), wins


@lru_cache(maxsize=1024)
def _shared(weights: frozenset[tuple[int, int]], pieces: int) -> Distribution:
    """Return the net result of a unit; equal wagers share it and its cached figures."""
    return Distribution.of_weights(
        (Fraction(net, pieces), weight) for net, weight in weights
    )
