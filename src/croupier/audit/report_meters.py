"""Meters: rounds, voids, corrections, handle and win, by table and gaming day.

They are kept as a table keeps them: a settlement counts on the day on which it was
made, and a correction adds, on its own day, what it changed.
"""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[str, str | None]
"""A table and a gaming day; None where the source tells no day."""


@dataclass(slots=True)
class Meter:
    """One table on one gaming day, in counts and cents."""

    rounds: int = 0
    voids: int = 0
    corrections: int | None = None
    """None where the source does not tell."""
    handle_cents: int = 0
    paid_cents: int = 0
    win_cents: int = 0
    """What the House kept: collected, less what was paid."""

    def add(self, other: Meter, times: int = 1) -> None:
        """What another counted, or, with -1, what it no longer does."""
        self.rounds += times * other.rounds
        self.voids += times * other.voids
        self.handle_cents += times * other.handle_cents
        self.paid_cents += times * other.paid_cents
        self.win_cents += times * other.win_cents
        if other.corrections is not None:
            self.corrections = (self.corrections or 0) + other.corrections


class Meters(dict[Place, Meter]):
    """By table and day."""

    def at(self, place: Place) -> Meter:
        return self.setdefault(place, Meter())

    @property
    def whole(self) -> Meter:
        every = Meter()
        for meter in self.values():
            every.add(meter)
        return every
