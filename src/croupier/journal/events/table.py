"""What a journal records besides play and money: refusals, interruptions, the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from croupier.rules.clause import Clause
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table began a stream of its own, or was opened again for play."""

    by: Person
    game: str
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    virtual_wheel: bool


@dataclass(frozen=True, slots=True)
class TableClosed:
    by: Person


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """Limits and settings that the next round will be judged by."""

    by: Person
    limits: tuple[str, ...]
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActRefused:
    """An act that was judged and changed nothing."""

    by: Person
    act: str
    clause: Clause
    reason: Reason


@dataclass(frozen=True, slots=True)
class TableInterrupted:
    """The table was found in the middle of a round: staff must say what happened."""

    at_sequence: int


@dataclass(frozen=True, slots=True)
class BallStated:
    """The Dealer's word on what the ball did; None: it is not at rest."""

    by: Person
    at_rest: Number | None


@dataclass(frozen=True, slots=True)
class BallConfirmed:
    """The second person's word; the document's clause is applied now."""

    by: Person


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """A snapshot was stored; its digest is part of the chain from here on."""

    at_sequence: int
    digest: str


@dataclass(frozen=True, slots=True)
class AnnouncementShown:
    """When a terminal showed an announcement, as it reports itself."""

    terminal: str
    announcement: str
    shown_at_ms: int


@dataclass(frozen=True, slots=True)
class WheelReported:
    """What the sensor of a wheel saw; the outcome is the Dealer's to announce."""

    device: str
    fact: str
    number: Number | None
    revolutions: int | None
    against_wheel: bool | None


@dataclass(frozen=True, slots=True)
class LightReported:
    """The layout device has lit a number."""

    device: str
    number: Number


@dataclass(frozen=True, slots=True)
class LightsConfirmed:
    """The Dealer has seen every Bonus Number lit, where no device tells."""

    by: Person


@dataclass(frozen=True, slots=True)
class NoticeAnswered:
    """What a device proposed or a terminal asked for: done, or dismissed."""

    by: Person
    notice: str
    clause: str | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class GamingDayClosed:
    by: Person
    gaming_day: str
    head: str
    """The house head at the close."""


OperationEvent = (
    TableOpened
    | TableClosed
    | TermsChanged
    | ActRefused
    | TableInterrupted
    | BallStated
    | BallConfirmed
    | SnapshotTaken
    | AnnouncementShown
    | WheelReported
    | LightReported
    | LightsConfirmed
    | NoticeAnswered
    | GamingDayClosed
)
OPERATION_EVENTS = frozenset(get_args(OperationEvent))
"""Asking a set for a type is ten times as quick as asking the union."""
