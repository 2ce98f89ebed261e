"""Growth: the stakes that make a bankroll grow fastest on a favourable wheel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import ceil, expm1, floor, log
from typing import TYPE_CHECKING, Any

from croupier.lab.best_play.area_kinds import check_bankroll, find_kinds, named_areas
from croupier.lab.best_play.growth_search import (
    ROUNDING,
    FastestGrowth,
    StakeChoice,
    fastest_growth,
)
from croupier.lab.sessions.report import model_notes
from croupier.lab.sessions.strategy import SessionError
from croupier.numeric.figure import Figure
from croupier.odds.chips import Chips, LayoutTerms, read_terms
from croupier.odds.model import Model, model_of
from croupier.odds.what_if import WhatIfError, read_what_if
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.notation import Amount, read_amount, shown
from croupier.rules.terms import Limits
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import figure_json, figure_percent

if TYPE_CHECKING:
    from croupier.lab.wheel.check import WheelCheck

_MOST_CHIPS = 1_000_000
_MILLION = 1_000_000
"""The chances of a checked wheel are rounded down to millionths."""
_DIGITS = 50
_LAST_DIGIT = Fraction(1, 10**40)
"""Bound on the error of a mean of logarithms with `_DIGITS` digits."""


@dataclass(frozen=True)
class GrowthPlay(Tabled):
    """The stakes with the fastest growth at one bankroll."""

    model: Model
    chip_cents: int
    bankroll_cents: int
    choices: tuple[StakeChoice, ...]
    found: FastestGrowth

    @property
    def stakes(self) -> tuple[Chips, ...]:
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
        return self.chip_cents * sum(
            (chips * choice.edge for choice, chips in self._staked()), Fraction(0)
        )

    @property
    def winning_chance(self) -> Fraction:
        won = (chance for choice, _ in self._staked() for chance in choice.chances)
        return sum(won, Fraction(0))

    @cached_property
    def growth(self) -> Figure:
        """The mean logarithm of the factor by which a round changes the bankroll."""
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
        """The rounds that double the bankroll at this growth; None without growth."""
        growth = float(self.growth)
        return log(2) / growth if growth > 0 else None

    @property
    def percent_a_round(self) -> float:
        return 100 * expm1(float(self.growth))

    def growth_at(self, multiple: float) -> float | None:
        """Return the growth with a multiple of the stakes; None if that can ruin."""
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
        """The compared stakes, in words."""
        return (
            f"any stakes in whole chips that the limits allow on {len(self.choices)}"
            " areas of which no two win together, with something kept back"
        )

    @property
    def head(self) -> str:
        bankroll = write_cents(self.bankroll_cents)
        chip = write_cents(self.chip_cents)
        title = self.model.game.title
        return f"{title}: stakes for growth at {bankroll} in chips of {chip}"

    def json(self) -> dict[str, Any]:
        """Return the JSON document of `croupier best-play --growth --json`."""
        return {
            **self.model.document(),
            "searched": self.searched,
            "bankroll_cents": self.bankroll_cents,
            "chip_cents": self.chip_cents,
            "growth": figure_json(self.growth),
            "growth_excess": ROUNDING,
            "doubling_rounds": self.doubling_rounds,
            "staked_cents": self.staked_cents,
            "net_cents": float(self.net_cents),
            "something_wins": float(self.winning_chance),
            "stakes": self._rows(),
        }

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "wager": choice.name,
                "stake_cents": chips * self.chip_cents,
                "probability": float(sum(choice.chances)),
                "player_edge": float(choice.edge),
            }
            for choice, chips in zip(self.choices, self.found.stakes, strict=True)
        ]

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each area."""
        return data_frame(self._rows())

    def plot(self) -> Plot:
        """Draw the stakes, and the growth at multiples of them."""
        from croupier.lab.best_play.plots import plot_growth

        return Plot(plot_growth(self))

    def table(self) -> TextTable:
        """Return the stake on each area, with its chance and the Player's edge."""
        rows = [
            (
                str(Chips(choice.name, chips * self.chip_cents)),
                figure_percent(sum(choice.chances)),
                f"{float(choice.edge):.2%}",
            )
            for choice, chips in self._staked()
        ]
        headings = ("wager", ">wins", ">the Player's edge")
        return TextTable(self.head, headings, rows, tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        yield from model_notes(self.model)
        yield f"Searched: {self.searched}."
        if not self.stakes:
            yield (
                "Nothing is staked: every stake that was searched shrinks the bankroll."
            )
        yield f"No stakes that were searched grow faster by more than {ROUNDING:.0e}."

    def _figures(self) -> Iterator[tuple[str, str]]:
        yield "growth of the bankroll, a round", f"{self.percent_a_round:.4g} %"
        doubled = self.doubling_rounds
        if doubled is not None:
            yield "doubled after, rounds", f"{doubled:,.0f}"
        part = self.staked_cents / self.bankroll_cents
        yield "staked", f"{write_cents(self.staked_cents)}, {part:.2%} of the bankroll"
        yield "net result of a round, expected", write_cents(round(self.net_cents))
        yield "something wins", figure_percent(self.winning_chance)

    def __str__(self) -> str:
        table = self.table()
        figures = TextTable("", ("", ""), list(self._figures())).lines()
        rows = [*table.lines(), ""] if table.rows else []
        return "\n".join([self.head, "", *figures, "", *rows, *table.notes])


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def favourable_wheel(
    game: str | Game, chances: Mapping[str, Fraction | float | str] | WheelCheck
) -> Model:
    """Return the game on a wheel whose numbers have these chances.

    Other numbers share the rest in equal parts. A wheel check gives each number with an
    interval above an equal share the lower end of that interval: if the intervals hold,
    stakes on these numbers grow at least as fast as calculated. Raises `SessionError`.
    """
    numbers = model_of(game).game.numbers
    if not isinstance(chances, Mapping):
        chances = _surely_above(chances, Fraction(1, len(numbers)))
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


def _surely_above(check: WheelCheck, share: Fraction) -> Mapping[str, Fraction]:
    lowest = {
        str(number): Fraction(floor(each.probability.low * _MILLION), _MILLION)
        for each in check.intervals.numbers
        for number in each.numbers
    }
    sure = {number: low for number, low in lowest.items() if low > share}
    if not sure:
        raise SessionError("no number's interval is above an equal share")
    return sure


def _chance(given: Fraction | float | str) -> Fraction:
    try:
        # By its text: a float such as 0.03 then is 3/100, not a long binary fraction.
        chance = Fraction(str(given))
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
    """Return the whole-chip stakes with the fastest growth of the bankroll.

    They lie on `areas` that never win together; by default, on the numbers.
    Raises `SessionError`, `NotationError` and `WagerRefused`.
    """
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    chip_cents, bankroll_cents = read_amount(chip), read_amount(bankroll)
    check_bankroll(bankroll_cents, chip_cents)
    if bankroll_cents > _MOST_CHIPS * chip_cents:
        most = f"{_MOST_CHIPS:,} chips; choose a larger chip unit"
        raise SessionError(f"the bankroll is more than {most}")
    in_chips = Fraction(bankroll_cents, chip_cents)
    numbers = [a for a in model.game.areas if a.wager_type is WagerType.STRAIGHT_UP]
    among = named_areas(model, terms, areas) or numbers
    choices = _choices(model, terms, among, in_chips, chip_cents)
    found = fastest_growth(choices, in_chips)
    return GrowthPlay(model, chip_cents, bankroll_cents, tuple(choices), found)


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
