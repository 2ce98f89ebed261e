"""Gaming days: which one a moment belongs to, and which of them are reported on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier.journal.sources import SourceError
from croupier.rules.notation import shown


@dataclass(frozen=True, slots=True)
class Clock:
    """A time zone, and the hour at which a gaming day begins."""

    time_zone: str = "UTC"
    begins: int = 0

    def day(self, at_ms: int) -> str:
        """Return the gaming day of a moment, ISO 8601."""
        return _day(self.time_zone, self.begins, at_ms // 60_000)

    def __str__(self) -> str:
        return f"{self.time_zone}, from {self.begins}:00"


@lru_cache(maxsize=1_000)
def _day(time_zone: str, begins: int, minute: int) -> str:
    moment = datetime.fromtimestamp(minute * 60, ZoneInfo(time_zone))
    return (moment - timedelta(hours=begins)).date().isoformat()


@dataclass(frozen=True, slots=True)
class Days:
    """Gaming days of moments; the house may have changed its clock on the way."""

    since: tuple[tuple[int, Clock], ...]
    """From which millisecond on which clock counts; the first counts before it too."""
    is_told: bool
    """Whether somebody said so; else they are days of UTC."""

    def day(self, at_ms: int) -> str:
        counts = self.since[0][1]
        for first_ms, clock in self.since:
            if first_ms <= at_ms:
                counts = clock
        return counts.day(at_ms)

    @property
    def clock(self) -> Clock:
        """The one that counts now."""
        return self.since[-1][1]


def chosen_days(time_zone: str | None, begins: int | None) -> Days | None:
    """Return the days that are asked for, or None; raises `SourceError`."""
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
    """The days that are reported on, both ends included."""

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
