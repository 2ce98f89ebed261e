"""Exposure: the House's payment at each outcome for the chips on the layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from croupier.errors import texts_of
from croupier.odds.chips import WAGERS, Chips, chips_of, read_chips, read_terms
from croupier.odds.distribution import Distribution
from croupier.odds.layouts import lay_chips, pieces_of, settled_cases
from croupier.odds.model import Model, cases_of, chance_of, model_of
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits
from croupier.tabular import Tabled, TextTable, as_document, data_frame

_LINE = 80
"""The most characters of a line with the names of outcomes."""


@dataclass(frozen=True, slots=True)
class HousePays:
    """The House's payments and collections in one case."""

    outcome: str
    """The winning number, with its status if it has one: `17 bonus`."""
    probability: Fraction
    paid_cents: int
    collected_cents: int
    net_cents: int
    """Positive if the House loses."""


@dataclass(frozen=True, repr=False)
class Exposure(Tabled):
    """The chips of many Players, settled at every outcome."""

    model: Model
    stake_cents: int
    cases: tuple[HousePays, ...]

    @cached_property
    def worst(self) -> HousePays:
        """The case with the highest net payment; of equal ones, the likeliest."""
        return max(self.cases, key=lambda each: (each.net_cents, each.probability))

    @cached_property
    def net(self) -> Distribution:
        common = lcm(*(each.probability.denominator for each in self.cases))
        return Distribution.of_weights(
            (each.net_cents, int(each.probability * common)) for each in self.cases
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "stake_cents": self.stake_cents,
            "expected_net_cents": str(self.net.mean),
            "worst": as_document(self.worst),
            "cases": as_document(self.cases),
        }

    def table(self) -> TextTable:
        """Return the payments, highest first; cases with equal payments share a row."""
        alike: dict[tuple[int, int], list[HousePays]] = {}
        for each in sorted(self.cases, key=lambda case: -case.net_cents):
            alike.setdefault((each.paid_cents, each.collected_cents), []).append(each)
        return TextTable(
            f"{write_cents(self.stake_cents)} on the layout; the House expects to pay"
            f" {float(self.net.mean) / 100:.4f} net",
            (">paid", ">collected", ">net", ">probability", "at"),
            [
                (
                    write_cents(together[0].paid_cents),
                    write_cents(together[0].collected_cents),
                    write_cents(together[0].net_cents),
                    f"{float(sum(each.probability for each in together)):.6f}",
                    _named([each.outcome for each in together]),
                )
                for together in alike.values()
            ],
        )

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each case."""
        return data_frame(map(asdict, self.cases))

    def __repr__(self) -> str:
        return f"<Exposure: {self}>"

    def __str__(self) -> str:
        return (
            f"{write_cents(self.stake_cents)} on the layout of"
            f" {self.model.game.document}: at worst, {self.worst.outcome}, the House"
            f" pays {write_cents(self.worst.net_cents)} net"
        )


def _named(cases: list[str]) -> str:
    """Return the names that fit on a line, and the number of the others."""
    named = ", ".join(cases)
    if len(named) <= _LINE:
        return named
    kept = named[:_LINE].rpartition(", ")[0]
    return f"{kept} and {len(cases) - kept.count(', ') - 1} more"


def exposure_of(
    game: str | Game | Model,
    wagers: Mapping[str, Iterable[str]] | Iterable[str | Chips],
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: Iterable[str] = (),
) -> Exposure:
    """Return the House's payment in each case.

    `wagers` are chips, or a mapping from Players to their chips.
    Raises `WagerRefused` if the rules refuse a wager, `ChipsError` for other values.
    """
    model = model_of(game)
    terms = read_terms(
        model.game, limits=limits, settings=settings, laid=laid, warned=warned
    )
    state = lay_chips(model.game, _chips(wagers), terms)
    places = {case.name: place for place, case in enumerate(cases_of(model))}
    found: list[HousePays] = []
    for settled, cases in settled_cases(model, state):
        pieces = pieces_of(settled)
        paid = sum(piece.paid_cents for piece in pieces)
        collected = sum(piece.collected_cents for piece in pieces)
        found += [
            HousePays(
                case.name, chance_of(model, case), paid, collected, paid - collected
            )
            for case in cases
        ]
    found.sort(key=lambda each: places[each.outcome])
    return Exposure(model, state.board.stake_cents, tuple(found))


def _chips(
    wagers: Mapping[str, Iterable[str]] | Iterable[str | Chips],
) -> Iterable[Chips]:
    if not isinstance(wagers, Mapping):
        return chips_of(wagers)
    return [
        read_chips(text, player)
        for player, texts in wagers.items()
        for text in (
            texts.split()
            if isinstance(texts, str)
            else texts_of("wagers", WAGERS, texts)
        )
    ]
