"""Minimum and maximum by wager type, as a table displays them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from croupier.rules.layout import WagerType


@dataclass(frozen=True, slots=True)
class Limit:
    """The least and the most that a Player may have on one area."""

    minimum_cents: int
    maximum_cents: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The displayed limits: a type's own, else the general one, else none."""

    general: Limit | None = None
    by_type: Mapping[WagerType, Limit] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def of(self, wager_type: WagerType) -> Limit | None:
        return self.by_type.get(wager_type, self.general)

    @property
    def table_minimum_cents(self) -> int | None:
        """The general minimum, else the lowest; colour chips above it need a marker."""
        if self.general is not None:
            return self.general.minimum_cents
        lowest = [limit.minimum_cents for limit in self.by_type.values()]
        return min(lowest, default=None)
