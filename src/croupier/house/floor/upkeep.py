"""Duties of the house once a second: the clock, sessions, proposals."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.house.floor.noticed_events import GatheredRefusals, NoticedEvents
from croupier.house.people.log_on import TELL_EVERY_MS
from croupier.house.people.proposals import expire
from croupier.journal.events import house as ev
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor

_EVERY_S = 1.0
_CLOCK_JUMP_MS = 2_000


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Looks after a floor as long as it is open."""

    floor: Floor
    noticed: NoticedEvents
    refusals: GatheredRefusals

    async def run(self) -> None:
        """Record a clock that jumps; let sessions and proposals come to their end."""
        clock, steady = self.floor.clock, self.floor.options.steady
        last_ms, last = clock(), steady()
        told = last
        while True:
            await asyncio.sleep(_EVERY_S)
            now_ms, now = clock(), steady()
            jump = (now_ms - last_ms) - round((now - last) * 1000)
            if abs(jump) > _CLOCK_JUMP_MS:
                self.noticed.add(ev.ClockChanged(jump))
            last_ms, last = now_ms, now
            self.refusals.record_due()
            self.noticed.try_again()
            with suppress(JournalError):  # it is tried again a second later
                if (now - told) * 1000 >= TELL_EVERY_MS:
                    told = now
                    await asyncio.to_thread(self.floor.sessions.tell_others)
                await self._end_what_is_over()

    async def _end_what_is_over(self) -> None:
        floor = self.floor
        state = floor.record.state
        if state.confirmations:
            await floor.in_house(floor.complete_confirmed)
        elif state.proposals:
            await floor.in_house(lambda: expire(floor.record))
        if floor.sessions.has_over():
            await floor.in_house(floor.sessions.end_over)
