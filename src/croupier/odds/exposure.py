"""What the House may owe: at each outcome for chips that lie, and at most by limits.

Exposure settles all that lies on the layout at every outcome. Liability is the most
that a table's limits allow: at each outcome the worst Players can do is to have the
maximum on every area that wins and nothing elsewhere. Chips laid beyond the maximum add
nothing where a clause caps them (v3 5.16), and are refused where none does (A11).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.odds.chips import (
    Chips,
    LayoutTerms,
    lay_chips,
    pieces_of,
    read_chips,
    read_terms,
    settled_cases,
)
from croupier.odds.distribution import Distribution, OddsError
from croupier.odds.model import Case, Model, cases_of, chance_of, model_of
from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule
from croupier.rules.events import SettledPiece
from croupier.rules.game import Game, Settings
from croupier.rules.layout import BettingArea
from croupier.rules.terms import Limits
from croupier.tabular import TextTable, as_document

_LINE = 80
"""So many characters of a line are for naming outcomes."""


@dataclass(frozen=True, slots=True)
class HousePays:
    """What the House pays and collects in one case."""

    outcome: str
    """The winning number, with its status where the game has any: `17 bonus`."""
    probability: Fraction
    paid_cents: int
    collected_cents: int

    @property
    def net_cents(self) -> int:
        """Above zero the House loses."""
        return self.paid_cents - self.collected_cents

    def as_json(self) -> dict[str, Any]:
        return {**as_document(self), "net_cents": self.net_cents}


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
        """What the House pays, net, in cents."""
        chances: dict[int | Fraction, Fraction] = {}
        for each in self.cases:
            before = chances.get(each.net_cents, Fraction(0))
            chances[each.net_cents] = before + each.probability
        return Distribution.of(chances)

    def as_json(self) -> dict[str, Any]:
        return {
            "stake_cents": self.stake_cents,
            "expected_net_cents": str(self.net.mean),
            "worst": self.worst.as_json(),
            "cases": [each.as_json() for each in self.cases],
        }

    def table(self) -> TextTable:
        """Return what the House pays, worst first; cases alike stand together."""
        alike: dict[tuple[int, int], list[HousePays]] = {}
        for each in sorted(self.cases, key=lambda case: -case.net_cents):
            alike.setdefault((each.paid_cents, each.collected_cents), []).append(each)
        return TextTable(
            str(self),
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
    wagers: Mapping[str, Iterable[str]] | Iterable[Chips],
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: Iterable[str] = (),
) -> Exposure:
    """Return what the House pays in each case; `wagers` by Player, or chips in order.

    Raises `WagerRefused` where the rules refuse a wager.
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
        found += [
            HousePays(case.name, chance_of(model, case), paid, collected)
            for case in cases
        ]
    found.sort(key=lambda each: places[each.outcome])
    return Exposure(model, state.board.stake_cents, tuple(found))


def _chips(wagers: Mapping[str, Iterable[str]] | Iterable[Chips]) -> Iterable[Chips]:
    if not isinstance(wagers, Mapping):
        return wagers
    return [
        read_chips(text, player)
        for player, texts in wagers.items()
        for text in (texts.split() if isinstance(texts, str) else texts)
    ]


def _sums(pieces: Iterable[SettledPiece]) -> tuple[int, int]:
    paid = collected = 0
    for piece in pieces:
        paid += piece.paid_cents
        collected += piece.collected_cents
    return paid, collected


class NoBound(Exception):
    """The limits leave something open, so that there is no maximum to give."""


@dataclass(frozen=True, slots=True)
class AreaLiability:
    """An area that wins: the most that can lie on it, and what that is paid."""

    area: str
    stake_cents: int
    pays: int

    @property
    def paid_cents(self) -> int:
        return self.stake_cents * self.pays


@dataclass(frozen=True)
class CaseLiability:
    """The most that the House can owe in one case."""

    outcome: str
    probability: Fraction
    areas: tuple[AreaLiability, ...]

    @cached_property
    def paid_cents(self) -> int:
        return sum(each.paid_cents for each in self.areas)


@dataclass(frozen=True, repr=False)
class Liability:
    """The most that so many Players can win of the House in one round."""

    model: Model
    players: int
    cases: tuple[CaseLiability, ...]

    @cached_property
    def worst(self) -> CaseLiability:
        return max(self.cases, key=lambda each: (each.paid_cents, each.probability))

    def as_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "maximum_liability_cents": self.worst.paid_cents,
            "worst": {
                "outcome": self.worst.outcome,
                "probability": str(self.worst.probability),
                "areas": [
                    {**as_document(each), "paid_cents": each.paid_cents}
                    for each in self.worst.areas
                ],
            },
            "cases": [
                {"outcome": each.outcome, "liability_cents": each.paid_cents}
                for each in self.cases
            ],
        }

    def table(self) -> TextTable:
        """Return the areas that win in the worst case, and what each is paid."""
        return TextTable.of(
            str(self),
            self.worst.areas,
            {
                "area": lambda each: each.area,
                ">stake": lambda each: write_cents(each.stake_cents),
                ">pays": lambda each: f"{each.pays} to 1",
                ">paid": lambda each: write_cents(each.paid_cents),
            },
        )

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

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
    """Return the most that the limits allow; raise `NoBound` where they set none."""
    model = model_of(game)
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


def _areas(case: Case, most: dict[str, int]) -> tuple[AreaLiability, ...]:
    return tuple(
        AreaLiability(name, most[name], pays) for name, pays in case.winning.items()
    )


def _most(game: Game, area: BettingArea, terms: LayoutTerms, players: int) -> int:
    """Return the most that so many Players can have on one area (A8)."""
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
    # Where an under-minimum wager stands once (A9), no Player is kept out by the cap.
    least = 0 if game.provides(Rule.UNDER_MINIMUM) else limit.minimum_cents
    able = min(players, cap // least) if least else players
    return min(able * limit.maximum_cents, cap)


def _cap(game: Game, area: BettingArea, terms: LayoutTerms) -> int | None:
    if not game.provides(Rule.AREA_MAXIMUM):
        return None
    caps = terms.settings.area_maximum_cents
    return caps.get(area.wager_type, caps.get(None))
