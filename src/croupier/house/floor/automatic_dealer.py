"""The automatic dealer of a demonstration table: begins rounds while somebody watches.

- A round that is in play it deals to its end, also when nobody watches any more.
- At a new table it may deal some rounds before anybody comes, at once.
- A person who took the table and has left its console is relieved: nobody else would
  deal there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from croupier.house.connection import views
from croupier.house.connection.listeners import Audience
from croupier.house.floor.table import FloorTable
from croupier.journal.store import JournalFailed, WriterConflict
from croupier.rules import commands as do
from croupier.rules.clause import Rule
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.table import Accepted, Submission
from croupier.table import commands as ask

DEALER = Person("automatic dealer", Role.DEALER)
_UNFINISHED = frozenset({Phase.BETTING, Phase.CLOSED, Phase.DECIDED, Phase.VOID})


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between the steps of a round."""

    countdown: float | None = None
    """None: the table's own."""
    spin_before_close: float = 4.0
    ball_rolls: float = 7.0
    bonus_numbers_light: float = 4.0
    before_settling: float = 2.0
    between_rounds: float = 6.0
    looks_again: float = 0.5
    dealer_away: float = 60.0
    """So long nobody of the staff is at the table before its Dealer has left it."""
    first_rounds: int = 0
    """So many rounds a table has before anybody watches."""

    @property
    def at_once(self) -> Pace:
        """The same rounds with no time between their steps."""
        return replace(
            self,
            countdown=0,
            spin_before_close=0,
            ball_rolls=0,
            bonus_numbers_light=0,
            before_settling=0,
            between_rounds=0,
        )


class AutomaticDealer:
    """Deals at one table, unless somebody of the staff does."""

    def __init__(
        self,
        table: FloorTable,
        is_free: Callable[[], bool],
        relieve: Callable[[], Awaitable[None]],
        pace: Pace,
    ) -> None:
        self._table = table
        self._is_free = is_free
        self._relieve = relieve
        """Have whoever deals there go, if anybody does."""
        self._pace = pace
        self._count = 0
        self._away = 0.0
        """How long nobody of the staff has been at a table that is not free."""

    async def deal(self) -> None:
        """Deal a step at a time, each by what the table's state asks for.

        It ends where the table has been left, or is another's.
        """
        with suppress(WriterConflict):
            while True:
                await self._turn()

    async def _turn(self) -> None:
        if self._is_free() and self._is_rushed:
            await self._step(self._pace.at_once)
        elif self._is_free() and (len(self._table.listeners) or self._is_unfinished):
            await self._step(self._pace)
        else:
            await asyncio.sleep(self._pace.looks_again)
            await self._look_for_dealer()

    async def _look_for_dealer(self) -> None:
        """Relieve a Dealer whose console has been closed for long enough."""
        is_here = self._is_free() or self._table.listeners.of(Audience.STAFF)
        self._away = 0.0 if is_here else self._away + self._pace.looks_again
        if self._away >= self._pace.dealer_away:
            self._away = 0.0
            await self._relieve()

    @property
    def _is_rushed(self) -> bool:
        """Whether nobody watches a table that is new, or that is to move."""
        is_wanted = self._is_new() or self._table.leaves is not None
        return is_wanted and not len(self._table.listeners)

    async def _wait(self, seconds: float) -> None:
        """Let time pass at the table, unless it is to move and nobody watches it."""
        end = asyncio.get_running_loop().time() + seconds
        while (
            not self._is_rushed
            and (left := end - asyncio.get_running_loop().time()) > 0
        ):
            await asyncio.sleep(min(left, self._pace.looks_again))

    def _is_new(self) -> bool:
        """Return whether the table has still to get its first rounds."""
        last, first = self._table.state.series.last, self._pace.first_rounds
        return last < first or (last == first and self._is_unfinished)

    @property
    def _is_unfinished(self) -> bool:
        """Whether a round is in play: whoever bet in it and left has it settled."""
        return views.phase_of(self._table.state) in _UNFINISHED

    async def _step(self, pace: Pace) -> None:
        state = self._table.state
        if not state.is_open or state.interruption is not None:
            await asyncio.sleep(pace.looks_again)
            return
        match views.phase_of(state):
            case Phase.AWAITING | Phase.ENDED:
                await self._say(do.PlaceYourBets())
            case Phase.BETTING:
                await self._close(pace)
            case Phase.CLOSED:
                await self._conclude(pace)
            case Phase.DECIDED | Phase.VOID:
                await self._wait(pace.before_settling)
                await self._say(do.Settle())
                await self._wait(pace.between_rounds)
            case Phase.HELD:
                await asyncio.sleep(pace.looks_again)

    async def _close(self, pace: Pace) -> None:
        seconds = pace.countdown
        if seconds is None:
            seconds = self._table.plan.countdown_seconds
        await self._wait(max(seconds - pace.spin_before_close, 0))
        await self._say(do.SpinBall())
        await self._wait(min(pace.spin_before_close, seconds))
        await self._say(do.NoMoreBets())

    async def _conclude(self, pace: Pace) -> None:
        table = self._table
        facts = table.state.series.current.facts
        if not facts.spun:
            await self._say(do.SpinBall())
        await self._wait(pace.ball_rolls)
        if table.game.provides(Rule.BONUS_DRAW):
            await self._wait(pace.bonus_numbers_light)
            await self._say(ask.ConfirmLights())
        await self._say(ask.SpinVirtualWheel())
        at_rest = table.state.series.current.facts.at_rest
        if at_rest is not None:
            await self._say(do.AnnounceOutcome(at_rest))
        else:
            await asyncio.sleep(pace.looks_again)

    async def _say(self, command: ask.AnyCommand) -> bool:
        """Return whether the table took it; a person may have been quicker."""
        if not self._is_free():
            return False
        self._count += 1
        command_id = f"automatic:{self._table.table.head.sequence}:{self._count}"
        asked = Submission(command_id, (DEALER,), command)
        answer = None
        while answer is None and self._is_free():
            try:
                answer = await self._table.submit(asked)
            except JournalFailed:  # asked again, it gets its first answer
                await asyncio.sleep(self._pace.looks_again)
        if not isinstance(answer, Accepted):
            await asyncio.sleep(self._pace.looks_again)
        return isinstance(answer, Accepted)
