"""Settings of the house that a table needs: currency, time zone, gaming day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
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
        moment = datetime.fromtimestamp(at_ms / 1000, ZoneInfo(self.time_zone))
        begun = moment - timedelta(hours=self.gaming_day_begins)
        return begun.date().isoformat()

    def voucher_expires(self, at_ms: int) -> str:
        """The last gaming day on which a voucher of this moment can be redeemed."""
        later = at_ms + timedelta(days=self.voucher_days) // timedelta(milliseconds=1)
        return self.gaming_day(later)
