"""The Players of a piece of the table by code, and who of them was warned before (A9).

What is remembered from piece to piece are the Players whose under-minimum wagers have
stood at a table, and nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.batch.columns import Column
from croupier.batch.texts import Texts


class WarnedPlayers:
    """Who has had the one round in which an under-minimum wager stands."""

    def __init__(self) -> None:
        self._by_table: dict[str | None, set[str | None]] = {}

    def codes(self, seats: Seats) -> list[int]:
        """The codes of those among the Players of the piece."""
        return [
            seats.code(place, player)
            for place, table in enumerate(seats.tables)
            if (warned := self._by_table.get(table))
            for player, name in enumerate(seats.players)
            if name in warned
        ]

    def add(self, seats: Seats, codes: frozenset[int]) -> None:
        for code in codes:
            place, player = seats.names(code)
            self._by_table.setdefault(place, set()).add(player)


class Seats:
    """Players at tables, told apart by a whole number."""

    def __init__(self, tables: Texts | None, players: Texts | None, rows: int) -> None:
        self.tables: list[str | None] = _names(tables)
        self.players: list[str | None] = _names(players)
        nobody = np.zeros(rows, np.int32) if players is None else players.codes
        self.column: Column = nobody
        if tables is not None:
            self.column = tables.codes.astype(np.int64) * len(self.players) + nobody

    def code(self, table: int, player: int) -> int:
        return table * len(self.players) + player

    def names(self, code: int) -> tuple[str | None, str | None]:
        table, player = divmod(code, len(self.players))
        return self.tables[table], self.players[player]


def _names(texts: Texts | None) -> list[Any]:
    return [None] if texts is None else texts.distinct.to_pylist()
