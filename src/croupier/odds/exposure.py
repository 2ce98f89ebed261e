"""Exposure: what the House pays at each outcome for the chips on the layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.errors import texts_of
from croupier.odds.chips import WAGERS, Chips, chips_of, read_chips, read_terms
from croupier.odds.distribution import Distribution
from croupier.odds.layouts import lay_chips, pieces_of, settled_cases
from croupier.odds.model import Model, cases_of, chance_of, model_of
from croupier.rules.cents import write_cents
from croupier.rules.events import SettledPiece
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits
from croupier.tabular import TextTable, as_document

_LINE = 80
"""So many characters of a line are for naming outcomes."""


@dataclass(frozen=True, slots=True)
class HousePays:
    """The sums that the House pays and collects in one case."""

    outcome: str
    """The winning number, with its status where the game has any: `17 bonus`."""
    probability: Fraction
    paid_cents: int
    collected_cents: int
    net_cents: int
    """Above zero the House loses."""


@dataclass(frozen=True, repr=False)
class Exposure:
    """The chips of many Players, settled at everything that can come up."""

    model: Model
    stake_cents: int
    cases: tuple[HousePays, ...]

    @cached_property
    def worst(self) -> HousePays:
        """The case in which the House pays most, the likeliest of those."""
        return max(self.cases, key=lambda each: (each.net_cents, each.probability))

    @cached_property
    def net(self) -> Distribution:
        """The distribution of the House's net payment, in cents."""
        chances: dict[int | Fraction, Fraction] = {}
        for each in self.cases:
            before = chances.get(each.net_cents, Fraction(0))
            chances[each.net_cents] = before + each.probability
        return Distribution.of(chances)

    def as_json(self) -> dict[str, Any]:
        return {
            "stake_cents": self.stake_cents,
            "expected_net_cents": str(self.net.mean),
            "worst": as_document(self.worst),
            "cases": as_document(self.cases),
        }

    def table(self) -> TextTable:
        """Return what the House pays, worst first; cases alike stand together."""
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

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __repr__(self) -> str:
        return f"<Exposure: {self}>"

    def __str__(self) -> str:
        return (
            f"{write_cents(self.stake_cents)} on the layout of"
            f" {self.model.game.document}: at worst, {self.worst.outcome}, the House"
            f" pays {write_cents(self.worst.net_cents)} net"
        )


def _named(cases: list[str]) -> str:
    """Return as many of the cases as a line holds."""
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
    """Return what the House pays in each case; `wagers` by Player, or chips in order.

    Raises `WagerRefused` where the rules refuse a wager, `ChipsError` for what is none.
    """
    model = model_of(game)
    terms = read_terms(
        model.game, limits=limits, settings=settings, laid=laid, warned=warned
    )
    state = lay_chips(model.game, _chips(wagers), terms)
    places = {case.name: place for place, case in enumerate(cases_of(model))}
    found: list[HousePays] = []
    for settled, cases in settled_cases(model, state):
        paid, collected = _sums(pieces_of(settled))
        net = paid - collected
        found += [
            HousePays(case.name, chance_of(model, case), paid, collected, net)
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


def _sums(pieces: Iterable[SettledPiece]) -> tuple[int, int]:
    paid = collected = 0
    for piece in pieces:
        paid += piece.paid_cents
        collected += piece.collected_cents
    return paid, collected
