"""The watch over a wheel: a sequential test of its numbers while the table plays.

For each number the watch adds one likelihood ratio for each spin at which a bias may
have begun: the likelihood of the outcomes since then if the number has `SHARE` times
its fair share, divided by that at a fair wheel (Shiryaev and Roberts). At a fair wheel
the mean of these sums grows by one each spin on average. So, by optional stopping, a
fair wheel plays on average at least `ALARM_SPINS` spins before an alarm.
"""

from __future__ import annotations

from collections import Counter
from typing import cast

from msgspec import Struct

from croupier.journal.events.house import WheelDoubted
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.rules.events import OutcomeAnnounced
from croupier.rules.game import Game
from croupier.table.answers import event_of

SHARE = 1.3
"""The bias that the test is best at, as a multiple of the fair share."""
ALARM_SPINS = 40 * 24 * 365
"""A year of forty spins an hour, day and night."""
RECALLED = 20_000
"""Rounds that a table reads again when it opens."""
_ANNOUNCED = (OutcomeAnnounced.__name__,)


class WheelEvidence(Struct, frozen=True):
    """The watch over a wheel since its last alarm, or since the table began."""

    spins: int
    number: str | None
    """The number with the most evidence of a bias; None before the first spin."""
    times: int
    """The number's occurrences."""
    alarm_percent: float
    """The evidence against the wheel; there is an alarm at 100."""


class WheelWatch:
    """The watch over one table's wheel, on the event loop."""

    def __init__(self, game: Game) -> None:
        self._numbers = game.numbers
        self._miss = (len(self._numbers) - SHARE) / (len(self._numbers) - 1)
        self._alarm = float(ALARM_SPINS * len(self._numbers))
        self.round = 0
        """The last round counted."""
        self._begin()

    def _begin(self) -> None:
        self._sums = dict.fromkeys(self._numbers, 0.0)
        self._times: Counter[str] = Counter()

    def read(self, store: Store, table: str, last: int) -> None:
        """Count the recorded rounds since the last alarm, up to `last`."""
        for row in store.events(HOUSE_STREAM, kinds=(WheelDoubted.__name__,)):
            alarm = cast(WheelDoubted, event_of(row))
            if alarm.table == table:
                self.round = alarm.round
        first = max(self.round + 1, last - RECALLED + 1)
        if first > last:
            return
        begun = next(store.events(table, round_number=first), None)
        after = 0 if begun is None else begun.sequence - 1
        for row in store.events(table, after=after, kinds=_ANNOUNCED):
            announced = cast(OutcomeAnnounced, event_of(row))
            self._count(row.round_number, announced.number)

    def note(self, table: str, number: int, outcome: str) -> WheelDoubted | None:
        """Count the outcome of a round once; return the alarm if it raises one."""
        if not self._count(number, outcome) or sum(self._sums.values()) < self._alarm:
            return None
        seen = self.seen
        assert seen.number is not None
        self._begin()
        return WheelDoubted(table, seen.number, seen.times, seen.spins, number)

    def _count(self, number: int, outcome: str) -> bool:
        if number <= self.round:
            return False
        self.round = number
        self._times[outcome] += 1
        self._sums = {
            each: (before + 1) * (SHARE if each == outcome else self._miss)
            for each, before in self._sums.items()
        }
        return True

    @property
    def seen(self) -> WheelEvidence:
        spins = self._times.total()
        leader = max(self._sums, key=lambda each: self._sums[each]) if spins else None
        percent = round(100 * sum(self._sums.values()) / self._alarm, 1)
        return WheelEvidence(spins, leader, self._times[leader or ""], percent)
