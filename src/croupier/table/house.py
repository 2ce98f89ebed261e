"""Settings of the house that a table needs: currency, time zone, gaming day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class HouseSettings:
    currency: str = "SGD"
    time_zone: str = "Asia/Singapore"
    gaming_day_begins: int = 6
    """The hour at which a gaming day begins."""
    voucher_days: int = 30
    """For how many days a voucher can be redeemed."""

    def gaming_day(self, at_ms: int) -> str:
        """The gaming day of a moment, ISO 8601."""
        return _gaming_day(self.time_zone, self.gaming_day_begins, at_ms // 60_000)

    def voucher_expires(self, at_ms: int) -> str:
        """The last gaming day on which a voucher of this moment can be redeemed."""
        later = at_ms + timedelta(days=self.voucher_days) // timedelta(milliseconds=1)
        return self.gaming_day(later)


@lru_cache(maxsize=1_000)
def _gaming_day(time_zone: str, begins: int, minute: int) -> str:
    """It is asked for every wager, and changes on a minute."""
    moment = datetime.fromtimestamp(minute * 60, ZoneInfo(time_zone))
    return (moment - timedelta(hours=begins)).date().isoformat()
