"""Gaming days: the day of a moment, and the days of a report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier.journal.addresses import SourceError
from croupier.journal.events.plan import gaming_day
from croupier.rules.notation import shown


@dataclass(frozen=True, slots=True)
class Clock:
    """A time zone, and the hour at which a gaming day begins."""

    time_zone: str = "UTC"
    begins: int = 0

    def day(self, at_ms: int) -> str:
        return gaming_day(self.time_zone, self.begins, at_ms // 60_000)

    def __str__(self) -> str:
        return f"{self.time_zone}, from {self.begins}:00"


@dataclass(frozen=True, slots=True)
class Days:
    """Gaming days of moments; the house may have changed its clock in between."""

    since: tuple[tuple[int, Clock], ...]
    """Each clock with its first millisecond; the first clock counts before it too."""
    is_told: bool
    """Whether the house or the request gives the clock; else days are of UTC."""

    def day(self, at_ms: int) -> str:
        counts = self.since[0][1]
        for first_ms, clock in self.since:
            if first_ms <= at_ms:
                counts = clock
        return counts.day(at_ms)

    @property
    def clock(self) -> Clock:
        return self.since[-1][1]


def chosen_days(time_zone: str | None, begins: int | None) -> Days | None:
    """Return the requested days, or None without a request; raises `SourceError`."""
    if time_zone is None and begins is None:
        return None
    clock = Clock(time_zone or _USUAL.time_zone, begins or _USUAL.begins)
    try:
        ZoneInfo(clock.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SourceError(
            f"there is no time zone {shown(clock.time_zone)}; write one such as"
            " Asia/Singapore"
        ) from error
    return Days(((0, clock),), is_told=True)


_USUAL = Clock()
UNTOLD = Days(((0, _USUAL),), is_told=False)


@dataclass(frozen=True, slots=True)
class DaySpan:
    """The days of a report, both ends included."""

    first: str | None = None
    last: str | None = None

    def __contains__(self, day: object) -> bool:
        if not isinstance(day, str):
            return self.first is None and self.last is None
        after = self.first is None or self.first <= day
        return after and (self.last is None or day <= self.last)


ALWAYS = DaySpan()


def read_day(text: str) -> str:
    """Read a day, ISO 8601; raises `SourceError`."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise SourceError(
            f"there is no day {shown(text)}; write it as 2026-11-15"
        ) from error


def read_span(first: str | None, last: str | None) -> DaySpan:
    """Read the days from first to last; raises `SourceError`."""
    span = DaySpan(first and read_day(first), last and read_day(last))
    if span.first is not None and span.last is not None and span.last < span.first:
        raise SourceError(f"--to {span.last} is before --from {span.first}")
    return span
