"""Odds of a layout of chips in cents, of its wagers, and of pairs of wagers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from croupier.odds.chips import Chips, LayoutTerms, chips_of, read_chips, read_terms
from croupier.odds.distribution import Distribution, signed_root
from croupier.odds.layouts import lay_chips, net_cents, pieces_of, settled_cases
from croupier.odds.model import Case, Model, cases_of, model_of, total_weight
from croupier.odds.wager_odds import Odds
from croupier.rules.events import SettledPiece
from croupier.rules.game import Game, Settings
from croupier.rules.notation import is_at_maximum
from croupier.rules.round import RoundOfPlay
from croupier.rules.terms import Limits

_UNIT_CENTS = 1


def layout_odds(
    game: str | Game | Model,
    wagers: str | Iterable[str | Chips],
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: bool = False,
) -> Odds:
    """Return the odds of a Player's chips in cents; arguments as in `round_result`."""
    model = model_of(game)
    terms = read_terms(
        model.game, limits=limits, settings=settings, laid=laid, warned=warned
    )
    return chips_odds(model, chips_of(wagers), terms)


def maximum_odds(model: Model, wager: str, terms: LayoutTerms) -> Odds:
    """Return the odds of a complete maximum wager, per unit of its stake."""
    state = lay_chips(model.game, [Chips(wager, None)], terms)
    [alone] = _shares(model, state)
    return alone.odds.per_unit


def chips_odds(model: Model, chips: Sequence[Chips], terms: LayoutTerms) -> Odds:
    """Return a layout's odds, in cents; a single wager has its full name."""
    state = lay_chips(model.game, chips, terms)
    return _whole(model, state, chips).odds


def layout_parts(
    model: Model, chips: Sequence[Chips], terms: LayoutTerms
) -> tuple[Odds, list[Odds], list[Correlation]]:
    """Return the odds of the layout, of each of its wagers, and of every pair.

    The limits judge a wager together with the others, so the wagers' results add up
    to the layout's.
    """
    state = lay_chips(model.game, chips, terms)
    shares = _shares(model, state)
    pairs = _pairs(model, shares)
    return _whole(model, state, chips).odds, [each.odds for each in shares], pairs


@dataclass(frozen=True)
class _Share:
    """A wager of a layout, or the whole layout, settled in every case."""

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
        # Only the limits decide the amount at risk, so it is the same at every outcome.
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
        """The net result in cents, in the order of the cases."""
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
    """Return the wagers of the layout in the order of placing."""
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
    """Two wagers, each laid by itself: covariance and correlation per unit staked."""

    one: Odds
    other: Odds
    covariance: Fraction

    @property
    def signed_square(self) -> Fraction:
        """The square of the coefficient, with its sign; 0 if one wager never varies."""
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

    With stakes, the limits apply as at a table; without, as in `odds_of`.
    """
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings, laid=laid)
    [pair] = correlations(model, [one, other], terms)
    return pair


def correlations(
    model: Model, wagers: Sequence[str], terms: LayoutTerms
) -> list[Correlation]:
    """Return every pair of the wagers, each wager laid by itself."""
    free = LayoutTerms(Limits(), terms.settings, None, frozenset())
    states = [
        lay_chips(model.game, [read_chips(text)], terms)
        if "@" in text or is_at_maximum(text)
        else lay_chips(model.game, [Chips(text, _UNIT_CENTS)], free)
        for text in wagers
    ]
    return _pairs(model, [share for each in states for share in _shares(model, each)])


def _pairs(model: Model, shares: Sequence[_Share]) -> list[Correlation]:
    """Return every pair of the wagers, per unit staked on each."""
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
