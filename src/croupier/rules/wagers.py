"""A wager on the layout: its Player, and the chips on each of its pieces.

A round has thousands. None can be part of a cycle, so the garbage collector skips them
(`gc=False`).
"""

from __future__ import annotations

from msgspec import Struct

from croupier.rules.events import MarkerButton
from croupier.rules.layout import BettingArea


class Layer(Struct, frozen=True, gc=False):
    """Chips laid at one moment: their place in the order, and cents on each piece."""

    order: int
    cents: tuple[int, ...]


class Wager(Struct, frozen=True, gc=False):
    """A Player's wager on the layout; each increase is a layer of its own (A10)."""

    wager_id: str
    player: str
    name: str
    areas: tuple[BettingArea, ...]
    layers: tuple[Layer, ...]
    electronic: bool = False
    registered: bool = True
    terminal: str | None = None
    stay: int | None = None
    colour: str | None = None
    marker: MarkerButton | None = None

    @property
    def piece_cents(self) -> tuple[int, ...]:
        if len(self.layers) == 1:
            return self.layers[0].cents
        by_piece = zip(*(layer.cents for layer in self.layers), strict=True)
        return tuple(sum(cents) for cents in by_piece)

    @property
    def stake_cents(self) -> int:
        return sum(sum(layer.cents) for layer in self.layers)
