"""The casino operator: positions, their ladder, and the people who act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from msgspec import Struct

from croupier.rules.reasons import PlainReason, Reason


@unique
class Role(Enum):
    """A position at a table; the value is the word of the documents."""

    __hash__ = object.__hash__  # members are unique: hashing is three times as quick

    PLAYER = "Player"
    DEALER = "Dealer"
    PIT_SUPERVISOR = "Pit Supervisor"
    PIT_MANAGER = "Pit Manager"
    GAMING_SHIFT_MANAGER = "Gaming Shift Manager"
    TABLE_GAMES_SHIFT_MANAGER = "Table Games Shift Manager"
    CASHIER = "Cashier"
    """Not in the documents: takes and pays money, but does not play."""
    SYSTEM = "system"
    RNG = "RNG"
    SENSOR = "sensor"
    """The device that watches the wheel."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A casino: its name and its positions, lowest first."""

    name: str
    full_name: str
    ladder: tuple[Role, ...]

    def is_above(self, role: Role, other: Role) -> bool:
        if role not in self.ladder or other not in self.ladder:
            return False
        return self.ladder.index(role) > self.ladder.index(other)


_NOT_OF_HOUSE = frozenset({Role.PLAYER, Role.SYSTEM, Role.RNG, Role.SENSOR})


class Person(Struct, frozen=True, gc=False):
    """A person or device that acts in a position."""

    name: str
    role: Role
    acting: bool = False
    """Assigned to the position for now, but does not hold it."""

    @property
    def is_of_house(self) -> bool:
        """Return whether this is staff: no Player and no device (A42)."""
        return self.role not in _NOT_OF_HOUSE

    @property
    def named(self) -> str | Reason:
        """The name in a reason, with the position if the person is acting in it."""
        if not self.acting:
            return self.name
        return PlainReason.ACTING(name=self.name, position=self.role.value)

    def __str__(self) -> str:
        return str(self.named)
