"""Growth: the stakes that make a bankroll grow fastest on a favourable wheel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import ceil, expm1, log
from typing import Any

from croupier.lab.best_play.area_kinds import find_kinds, named_areas
from croupier.lab.best_play.growth_search import (
    FastestGrowth,
    StakeChoice,
    fastest_growth,
)
from croupier.lab.sessions.result import Figure
from croupier.lab.sessions.strategy import SessionError
from croupier.odds.chips import Chips, LayoutTerms, read_terms
from croupier.odds.model import Model, model_of
from croupier.odds.what_if import WhatIfError, read_what_if
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.notation import Amount, read_amount, shown
from croupier.rules.terms import Limits
from croupier.tabular import Plot

_MOST_CHIPS = 1_000_000
_DIGITS = 50
_LAST_DIGIT = Fraction(1, 10**40)
"""More than `_DIGITS` digits can be off by in a mean of logarithms."""


@dataclass(frozen=True)
class GrowthPlay:
    """The stakes that grow fastest at one bankroll."""

    model: Model
    chip_cents: int
    bankroll_cents: int
    choices: tuple[StakeChoice, ...]
    found: FastestGrowth

    @property
    def stakes(self) -> tuple[Chips, ...]:
        """The chips to place."""
        return tuple(
            Chips(choice.name, chips * self.chip_cents)
            for choice, chips in self._staked()
        )

    def _staked(self) -> list[tuple[StakeChoice, int]]:
        pairs = zip(self.choices, self.found.stakes, strict=True)
        return [(choice, chips) for choice, chips in pairs if chips]

    @property
    def staked_cents(self) -> int:
        return sum(self.found.stakes) * self.chip_cents

    @property
    def net_cents(self) -> Fraction:
        """The expected net result of a round."""
        return self.chip_cents * sum(
            (chips * edge_of(choice) for choice, chips in self._staked()), Fraction(0)
        )

    @property
    def winning_chance(self) -> Fraction:
        """The probability that something wins."""
        won = (chance for choice, _ in self._staked() for chance in choice.chances)
        return sum(won, Fraction(0))

    @cached_property
    def growth(self) -> Figure:
        """The mean logarithm of what a round multiplies the bankroll by."""
        if not self.staked_cents:
            return Figure(Fraction(0))
        bankroll = Fraction(self.bankroll_cents, self.chip_cents)
        kept = bankroll - sum(self.found.stakes)
        parts = [(kept / bankroll, 1 - self.winning_chance)]
        for choice, chips in self._staked():
            for gives, chance in zip(choice.returns, choice.chances, strict=True):
                parts.append(((kept + gives * chips) / bankroll, chance))
        with localcontext(prec=_DIGITS):
            mean = sum(
                (_decimal(chance) * _decimal(factor).ln() for factor, chance in parts),
                Decimal(0),
            )
        return Figure(Fraction(mean), _LAST_DIGIT)

    @property
    def doubling_rounds(self) -> float | None:
        """The rounds of such growth that double the bankroll; None if it never does."""
        growth = float(self.growth)
        return log(2) / growth if growth > 0 else None

    @property
    def percent_a_round(self) -> float:
        return 100 * expm1(float(self.growth))

    def growth_at(self, multiple: float) -> float | None:
        """Return the growth with a multiple of the stakes; None if it is ruin."""
        bankroll = self.bankroll_cents / self.chip_cents
        kept = bankroll - multiple * sum(self.found.stakes)
        if kept <= 0:
            return None
        growth = float(1 - self.winning_chance) * log(kept / bankroll)
        for choice, chips in self._staked():
            growth += choice.worth(kept, multiple * chips)
            growth -= float(sum(choice.chances)) * log(bankroll)
        return growth

    @property
    def searched(self) -> str:
        """The stakes that were compared, in words."""
        from croupier.lab.best_play.growth_report import searched_stakes

        return searched_stakes(self)

    def json(self) -> dict[str, Any]:
        """Return what `croupier best-play --growth --json` prints."""
        from croupier.lab.best_play.growth_report import growth_json

        return growth_json(self)

    def plot(self) -> Plot:
        """Return the stakes, and the growth with more or less than them."""
        from croupier.lab.best_play.growth_report import plot_growth

        return Plot(plot_growth(self))

    def __str__(self) -> str:
        from croupier.lab.best_play.growth_report import growth_text

        return growth_text(self)

    def _repr_html_(self) -> str:
        from croupier.lab.best_play.growth_report import growth_table

        return growth_table(self)._repr_html_()


def edge_of(choice: StakeChoice) -> Fraction:
    """Return what the Player wins on average of a chip on the area."""
    pairs = zip(choice.returns, choice.chances, strict=True)
    return sum((gives * chance for gives, chance in pairs), Fraction(0)) - 1


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def favourable_wheel(
    game: str | Game, chances: Mapping[str, Fraction | int | str]
) -> Model:
    """Return the game on a wheel whose numbers have these chances.

    The others share what is left in equal parts. Raises `SessionError`.
    """
    numbers = model_of(game).game.numbers
    given = {str(number): _chance(chance) for number, chance in chances.items()}
    left = 1 - sum(given.values(), Fraction(0))
    others = len(numbers) - len(given)
    if left < 0:
        raise SessionError("the chances given add up to more than 1")
    if not others and left:
        raise SessionError("the chances of all numbers must add up to 1")
    share = left / others if others else Fraction(1)
    if not share:
        raise SessionError("the chances given leave nothing for the other numbers")
    lines = [f'{number} = "{chance / share}"' for number, chance in given.items()]
    try:
        return read_what_if(game, "\n".join(["[chances]", *lines]))
    except WhatIfError as error:
        raise SessionError(str(error)) from error


def _chance(given: Fraction | int | str) -> Fraction:
    try:
        chance = Fraction(given)
    except (ValueError, ZeroDivisionError):
        chance = Fraction(-1)
    if chance < 0:
        raise SessionError(
            f"{shown(str(given))} is no chance: a part of 1, such as 0.03 or 1/30"
        )
    return chance


def growth_play(
    game: str | Game | Model,
    *,
    bankroll: Amount,
    areas: Iterable[str] = (),
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: Amount = 1,
) -> GrowthPlay:
    """Return the whole-chip stakes with which the bankroll grows fastest.

    They lie on `areas` of which no two win together; without any, on the numbers.
    Raises `SessionError`, `NotationError` and `WagerRefused`.
    """
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    chip_cents, bankroll_cents = read_amount(chip), read_amount(bankroll)
    _check_chips(bankroll_cents, chip_cents)
    in_chips = Fraction(bankroll_cents, chip_cents)
    numbers = [a for a in model.game.areas if a.wager_type is WagerType.STRAIGHT_UP]
    among = named_areas(model, terms, areas) or numbers
    choices = _choices(model, terms, among, in_chips, chip_cents)
    found = fastest_growth(choices, in_chips)
    return GrowthPlay(model, chip_cents, bankroll_cents, tuple(choices), found)


def _check_chips(bankroll_cents: int, chip_cents: int) -> None:
    if bankroll_cents < chip_cents:
        raise SessionError(
            f"the bankroll of {write_cents(bankroll_cents)} is below the chip unit of"
            f" {write_cents(chip_cents)}"
        )
    if bankroll_cents > _MOST_CHIPS * chip_cents:
        raise SessionError(
            f"the bankroll is more than {_MOST_CHIPS:,} chips; choose a larger chip"
            " unit"
        )


def _choices(
    model: Model,
    terms: LayoutTerms,
    among: list[BettingArea],
    bankroll: Fraction,
    chip_cents: int,
) -> list[StakeChoice]:
    """Return the areas to stake on; raise `SessionError` if two win together."""
    kinds = find_kinds(model, among, terms, chip_cents)
    wins: dict[str, int] = {}
    for kind in kinds:
        for name, won in zip(kind.areas, kind.wins, strict=True):
            for other, theirs in wins.items():
                if won & theirs:
                    raise SessionError(
                        f"{other} and {name} can win together: stakes for growth are"
                        " searched on areas that can't"
                    )
            wins[name] = won
    choices = [
        StakeChoice(
            name,
            tuple(1 + gain for gain in kind.gains),
            kind.chances,
            kind.least,
            ceil(bankroll) if kind.most is None else kind.most,
        )
        for kind in kinds
        for name in kind.areas
        if kind.gains
    ]
    order = {area.name: place for place, area in enumerate(among)}
    choices.sort(key=lambda choice: order[choice.name])
    if not choices:
        raise SessionError("the limits leave no area on which these chips may lie")
    return choices
