"""The automatic dealer of a demonstration table.

- It begins rounds only while the table is watched, but deals each to its end.
- At a new table it can deal some rounds at once, before people come.
- It begins no more rounds in an hour than the table's plan allows. After a restart it
  waits as long as after a round, because another process may just have begun one.
- It relieves a Dealer who has left the console: closing a console ends no turn.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from croupier.house.people.dealers import relieve_dealer
from croupier.house.views.listeners import Audience
from croupier.journal.store import JournalFailed, WriterConflict
from croupier.rules.clause import Rule
from croupier.rules.commands import (
    AnnounceOutcome,
    NoMoreBets,
    PlaceYourBets,
    Settle,
    SpinBall,
)
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.table import Accepted, Submission
from croupier.table.commands import AnyCommand, ConfirmLights, SpinVirtualWheel

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable

DEALER = Person("automatic dealer", Role.DEALER)
_UNFINISHED = frozenset({Phase.BETTING, Phase.CLOSED, Phase.DECIDED, Phase.VOID})


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between the steps of a round."""

    countdown: float | None = None
    """None for the table's own."""
    spin_before_close: float = 4.0
    ball_rolls: float = 7.0
    bonus_numbers_light: float = 4.0
    before_settling: float = 2.0
    between_rounds: float = 12.0
    looks_again: float = 0.5
    dealer_away: float = 60.0
    """A Dealer has left a table if no staff have been there for this long."""
    first_rounds: int = 0
    """Rounds dealt at a new table before people come."""


_AT_ONCE = Pace(0, 0, 0, 0, 0, 0)


class AutomaticDealer:
    """Deals at one table as long as its plan asks for it and no Dealer is there."""

    def __init__(self, floor: Floor, table: FloorTable, pace: Pace) -> None:
        self._floor, self._table, self._pace = floor, table, pace
        self._count = 0
        self._away = 0.0
        """Seconds for which the console of the table's Dealer has been closed."""
        self._begun: float | None = None
        """The latest time at which an automatic round may have begun."""

    @property
    def _is_free(self) -> bool:
        name, floor = self._table.name, self._floor
        is_wanted = self._table.plan.automatic_dealer and name in floor.tables
        has_dealer = name in floor.record.state.dealers
        return is_wanted and not has_dealer and not floor.is_stopping

    async def deal(self) -> None:
        """Deal step by step, until another node owns the table."""
        if self._table.state.series.last:
            self._begun = monotonic()
        with suppress(WriterConflict):
            while True:
                await self._turn()

    async def _turn(self) -> None:
        is_watched = len(self._table.listeners) > 0
        if self._is_free and self._is_new and not is_watched:
            await self._step(_AT_ONCE)
        elif self._is_free and (is_watched or self._is_unfinished):
            await self._step(self._pace)
        else:
            await self._look_again()
            await self._look_for_dealer()

    async def _look_again(self) -> None:
        await asyncio.sleep(self._pace.looks_again)

    async def _look_for_dealer(self) -> None:
        """Relieve a Dealer whose console was closed for `dealer_away` seconds."""
        is_here = self._is_free or self._table.listeners.of(Audience.STAFF)
        self._away = 0.0 if is_here else self._away + self._pace.looks_again
        if self._away >= self._pace.dealer_away:
            self._away = 0.0
            await self._relieve()

    async def _relieve(self) -> None:
        record, name = self._floor.record, self._table.name
        if self._table.plan.automatic_dealer and name in record.state.dealers:
            await self._floor.in_house(lambda: relieve_dealer(record, name))

    @property
    def _is_new(self) -> bool:
        last, first = self._table.state.series.last, self._pace.first_rounds
        return last < first or (last == first and self._is_unfinished)

    @property
    def _is_unfinished(self) -> bool:
        return self._table.state.phase in _UNFINISHED

    async def _step(self, pace: Pace) -> None:
        state = self._table.state
        phase = state.phase
        if not state.is_open or state.is_interrupted or phase is Phase.HELD:
            await self._look_again()
        elif phase is Phase.BETTING:
            await self._close(pace)
        elif phase is Phase.CLOSED:
            await self._conclude(pace)
        elif phase in {Phase.DECIDED, Phase.VOID}:
            await asyncio.sleep(pace.before_settling)
            await self._say(Settle())
            await asyncio.sleep(pace.between_rounds)
        elif self._is_too_soon():
            await self._look_again()
        elif await self._say(PlaceYourBets()):
            self._begun = monotonic()

    def _is_too_soon(self) -> bool:
        """Return whether a round now would exceed the table's rounds per hour."""
        if self._begun is None:
            return False
        passed_ms = (monotonic() - self._begun) * 1000
        return passed_ms < self._table.plan.least_round_ms

    async def _close(self, pace: Pace) -> None:
        seconds = pace.countdown
        if seconds is None:
            seconds = self._table.plan.countdown_seconds
        await asyncio.sleep(max(seconds - pace.spin_before_close, 0))
        await self._say(SpinBall())
        await asyncio.sleep(min(pace.spin_before_close, seconds))
        if pace.countdown is not None or not self._table.timers.closes_bets:
            await self._say(NoMoreBets())
            return
        # The house closes the betting now: it would refuse a second close.
        while self._is_free and self._table.state.phase is Phase.BETTING:
            await self._look_again()

    async def _conclude(self, pace: Pace) -> None:
        table = self._table
        if not table.state.series.current.facts.spun:
            await self._say(SpinBall())
        await asyncio.sleep(pace.ball_rolls)
        if table.game.provides(Rule.BONUS_DRAW):
            await asyncio.sleep(pace.bonus_numbers_light)
            await self._say(ConfirmLights())
        await self._say(SpinVirtualWheel())
        if table.awaits_lights(table.state):  # the numbers were drawn with the ball
            await self._say(ConfirmLights())
        at_rest = table.state.series.current.facts.at_rest
        if at_rest is not None:
            await self._say(AnnounceOutcome(at_rest))
        else:
            await self._look_again()

    async def _say(self, command: AnyCommand) -> bool:
        """Submit a command; return whether the table accepted it.

        A command that the table would refuse is not sent: a person was quicker.
        """
        self._count += 1
        command_id = f"automatic:{self._table.table.head.sequence}:{self._count}"
        asked, answer = Submission(command_id, (DEALER,), command), None
        is_wanted = self._is_free and self._would_take(asked)
        while is_wanted and answer is None and self._is_free:
            try:
                answer = await self._table.submit(asked)
            except JournalFailed:  # asked again, it gets its first answer
                await self._look_again()
        is_accepted = isinstance(answer, Accepted)
        if not is_accepted:
            await self._look_again()
        return is_accepted

    def _would_take(self, asked: Submission) -> bool:
        """Return whether the table would take the command; this records no refusal."""
        state = self._table.state
        match asked.command:
            case SpinVirtualWheel():
                return state.series.current.facts.at_rest is None
            case AnnounceOutcome() if self._table.awaits_lights(state):
                return False
            case Settle():
                return state.phase in {Phase.DECIDED, Phase.VOID}
            case _:
                return self._table.table.would_take(asked)
