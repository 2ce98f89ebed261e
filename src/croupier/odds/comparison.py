"""Games side by side: the odds of their wagers, and the exact differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.errors import texts_of
from croupier.odds.chips import read_terms
from croupier.odds.distribution import OddsError
from croupier.odds.model import Model, model_of
from croupier.odds.sheet import sheet_of, whole_sheet
from croupier.odds.wager_odds import Odds
from croupier.rules.game import Game
from croupier.tabular import Tabled, TextTable, data_frame
from croupier.tabular.figures import exact


class ComparedWagers(Struct, frozen=True):
    """Wagers of one sort with equal odds in each of the games."""

    wagers: tuple[str, ...]
    odds: tuple[Odds | None, ...]
    """By game; None if the game has no such wager."""

    @property
    def differences(self) -> tuple[Fraction | None, ...]:
        """By game, the house edge minus that of the first game."""
        return self._minus_first(lambda odds: odds.house_edge)

    @property
    def variance_differences(self) -> tuple[Fraction | None, ...]:
        return self._minus_first(lambda odds: odds.variance)

    def _minus_first(
        self, figure: Callable[[Odds], Fraction]
    ) -> tuple[Fraction | None, ...]:
        first = self.odds[0]
        return tuple(
            None if one is None or first is None else figure(one) - figure(first)
            for one in self.odds
        )


class Comparison(Tabled, Struct, frozen=True):
    """The wagers of several games, compared with the first game."""

    models: tuple[Model, ...]
    rows: tuple[ComparedWagers, ...]

    def table(self) -> TextTable:
        """Return the house edges, and their differences from the first game's."""
        names = [model.game.name for model in self.models]
        return TextTable(
            "House edge of " + ", ".join(names),
            (
                "wager",
                *(f">{name}" for name in names),
                *(">difference",) * len(names[1:]),
            ),
            [
                (
                    row.wagers[0] + (" …" if len(row.wagers) > 1 else ""),
                    *(_written(each.house_edge if each else None) for each in row.odds),
                    *map(_written, row.differences[1:]),
                )
                for row in self.rows
            ],
        )

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each wager in each game."""
        return data_frame(
            {
                "wager": wager,
                "game": model.game.name,
                "return": odds.return_to_player,
                "house_edge": odds.house_edge,
                "difference": difference,
                "variance": odds.variance,
                "win_probability": odds.win_probability,
            }
            for row in self.rows
            for wager in row.wagers
            for model, odds, difference in zip(
                self.models, row.odds, row.differences, strict=True
            )
            if odds is not None
        )

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(each.game.name for each in self.models)}>"


def _written(edge: Fraction | None) -> str:
    return "none" if edge is None else exact(edge)


def compare_games(
    *games: str | Game | Model, wagers: Iterable[str] | None = None
) -> Comparison:
    """Return the odds of wagers in several games; all their wagers if none are given.

    A game may be a what-if. Raises `WagerRefused` if a game lacks a wager.
    """
    if len(games) < 2:
        raise OddsError("give two games or more to compare")
    models = tuple(map(model_of, games))
    asked = None if wagers is None else texts_of("wagers", "wagers", wagers)
    sheets = [_odds_by_name(model, asked) for model in models]
    alike: dict[object, list[str]] = {}
    for name in dict.fromkeys(name for sheet in sheets for name in sheet):
        each = tuple(sheet.get(name) for sheet in sheets)
        figures = tuple(odds and (odds.net, odds.win_probability) for odds in each)
        alike.setdefault((name.partition(":")[0], figures), []).append(name)
    rows = tuple(
        ComparedWagers(tuple(names), tuple(sheet.get(names[0]) for sheet in sheets))
        for names in alike.values()
    )
    return Comparison(models, rows)


def _odds_by_name(model: Model, wagers: Sequence[str] | None) -> dict[str, Odds]:
    terms = read_terms(model.game)
    if wagers is not None:
        return {odds.name: odds for odds in sheet_of(model, wagers, terms).wagers}
    sheet = whole_sheet(model, terms)
    every = (*sheet.wagers, *sheet.multiple_piece_wagers)
    return {odds.name: odds for odds in every}
