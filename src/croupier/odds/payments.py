"""Every outcome of a game and the pay of each area, for a test laboratory.

A row is a number; in a game that draws Bonus Numbers, a number with a class of draws.
The hash covers the CSV file, so two parties need to compare only one line.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct

from croupier.odds.model import Case, Model, cases_of, chance_of, model_of
from croupier.rules.bonus import draw_size
from croupier.rules.game import Game
from croupier.tabular.tables import csv_text, data_frame


class PaymentTable(Struct, frozen=True, dict=True):
    """The outcomes in layout order, with the pay of each area to one."""

    model: Model
    columns: tuple[str, ...]
    rows: tuple[tuple[str | bool | Fraction | int | None, ...], ...]
    """None for an area that loses; 0 is a payment of 0 to 1."""

    @cached_property
    def csv(self) -> str:
        return csv_text(self.columns, self.rows)

    @property
    def sha256(self) -> str:
        return sha256(self.csv.encode()).hexdigest()

    def to_frame(self) -> Any:
        return data_frame(
            dict(zip(self.columns, row, strict=True)) for row in self.rows
        )

    def __repr__(self) -> str:
        return f"<PaymentTable of {self.model.game.name}: sha256 {self.sha256}>"


def payment_table(game: str | Game | Model) -> PaymentTable:
    """Return the table of a game or a what-if; raise `UnknownGame`."""
    model = model_of(game)
    areas = [area.name for area in model.game.areas]
    has_draws = bool(draw_size(model.game))

    def row(case: Case) -> tuple[str | bool | Fraction | int | None, ...]:
        drawn = (case.status.value, case.scatter) if has_draws else ()
        pays = map(case.winning.get, areas)
        return (case.number, *drawn, chance_of(model, case), *pays)

    named = ("status", "scatter") if has_draws else ()
    columns = ("number", *named, "probability", *areas)
    return PaymentTable(model, columns, tuple(map(row, cases_of(model))))
