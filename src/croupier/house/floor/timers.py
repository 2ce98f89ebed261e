"""A table's timers: countdown, draw, virtual ball, lights that stay dark."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.house.floor.transient_state import dark
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import Lights
from croupier.journal.events.table import BallConfirmed
from croupier.rules import events
from croupier.rules.clause import Rule
from croupier.rules.commands import NoMoreBets
from croupier.rules.operator import Person
from croupier.rules.round import Phase
from croupier.table import Submission
from croupier.table.commands import AnyCommand, DrawNow, SpinVirtualWheel
from croupier.table.judgements import GENERATOR, SYSTEM

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable


_LIGHTS_WITHIN_S = 5.0
_BALL_ROLLS_S = 7.0
"""Duration of a virtual ball's roll if a Dealer deals."""


class TableTimers:
    """The timers of one table; a new one replaces the one of the same name."""

    def __init__(
        self, table: FloorTable, record: HouseRecord, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._table, self._record, self._loop = table, record, loop
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._timers

    def after(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        self.cancel(name)

        def due() -> None:
            self._timers.pop(name, None)
            act()

        self._timers[name] = self._loop.call_later(seconds, due)

    def cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def cancel_all(self) -> None:
        for name in tuple(self._timers):
            self.cancel(name)

    def happened(self, event: JournalEvent) -> None:
        """Start and stop timers after an event of the round in play."""
        match event:
            case events.PlaceYourBetsAnnounced():
                self._start_countdown()
            case events.NoMoreBetsAnnounced():
                self._stop_countdown()
                self.draw_if_missing()
            case BallConfirmed() | events.PlayContinued():
                self.restart()
            case events.RoundVoided() | events.RoundHeld():
                self._stop_countdown()
            case events.BonusNumbersDrawn():
                self._await_lights()
        if isinstance(event, events.NoMoreBetsAnnounced | events.BallSpun):
            self.roll_virtual_ball()

    def restart(self) -> None:
        """Start the timers that a stop, an interruption or a hold has ended.

        An interrupted table waits until the ball is confirmed.
        """
        self._stop_countdown()
        state = self._table.state
        if state.is_interrupted:
            return
        if state.phase is Phase.BETTING:
            self._start_countdown()
        self.draw_if_missing()
        self.roll_virtual_ball()
        if self._table.awaits_lights(state):
            self._await_lights()

    def _await_lights(self) -> None:
        if self._table.plan.lights is Lights.DEVICE:
            self.after("lights", _LIGHTS_WITHIN_S, self._miss_lights)

    def _start_countdown(self) -> None:
        seconds = self._table.plan.countdown_seconds
        if seconds:
            self._table.transient.closes_at_ms = self._record.clock() + seconds * 1000
            self.after("countdown", seconds, self._close)

    def _stop_countdown(self) -> None:
        self.cancel("countdown")
        self._table.transient.closes_at_ms = None

    @property
    def closes_bets(self) -> bool:
        """True if the house closes the bets at the countdown's end, not the Dealer."""
        may_close = self._table.game.may(SYSTEM, Rule.CLOSING)
        return may_close and self._table.plan.countdown_seconds > 0

    def _close(self) -> None:
        if self.closes_bets:
            command_id = f"countdown:{self._table.table.head.sequence}"
            self._post(command_id, SYSTEM, NoMoreBets())

    def draw_if_missing(self) -> None:
        """Draw the Bonus Numbers of a closed round (A15), also after a restart.

        An interrupted table draws once the ball is confirmed.
        """
        state = self._table.state
        if state.is_interrupted or state.phase is not Phase.CLOSED:
            return
        is_missing = state.drawn is None
        if is_missing and self._table.game.provides(Rule.BONUS_DRAW):
            self._post(f"draw:{state.series.last}", GENERATOR, DrawNow())

    def roll_virtual_ball(self) -> None:
        """Start the timer of a virtual ball that a Dealer has spun."""
        state, dealers = self._table.state, self._record.state.dealers
        if not state.virtual_wheel or self._table.name not in dealers:
            return
        if state.phase is Phase.CLOSED and state.series.current.facts.spun:
            self.after("virtual ball", _BALL_ROLLS_S, self._rest_virtual_ball)

    def _rest_virtual_ball(self) -> None:
        command_id = f"virtual ball:{self._table.table.head.sequence}"
        self._post(command_id, SYSTEM, SpinVirtualWheel())

    def _miss_lights(self) -> None:
        table = self._table
        if table.awaits_lights(table.state):
            facts = table.state.series.current.facts
            for proposal in dark(table.game, facts, table.state.lights.lit):
                table.propose(proposal)

    def _post(self, command_id: str, by: Person, command: AnyCommand) -> None:
        self._table.insist(Submission(command_id, (by,), command))
