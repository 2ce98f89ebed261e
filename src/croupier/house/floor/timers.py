"""A table's timers: countdown, draw, virtual ball, lights that stay dark."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.house.connection import views
from croupier.house.floor.transient_state import dark
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import Lights
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.operator import Person
from croupier.rules.round import Phase
from croupier.table import Submission
from croupier.table import commands as ask
from croupier.table.judgements import GENERATOR, SYSTEM

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable


class NamedTimers:
    """One for each name: a new one takes the place of the old."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
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


_LIGHTS_WITHIN_S = 5.0
_BALL_ROLLS_S = 7.0
"""A virtual ball, where somebody of the staff deals."""


class TableTimers:
    """Of one table, on the event loop."""

    def __init__(
        self, table: FloorTable, record: HouseRecord, timers: NamedTimers
    ) -> None:
        self._table, self._record = table, record
        self._timers = timers

    def happened(self, event: JournalEvent) -> None:
        """In the round in play."""
        match event:
            case ev.PlaceYourBetsAnnounced():
                self._start_countdown()
            case ev.NoMoreBetsAnnounced():
                self._stop_countdown()
                self.draw_if_missing()
            case hap.BallConfirmed() | ev.PlayContinued():
                self.begin_anew()
            case ev.RoundVoided() | ev.RoundHeld():
                self._stop_countdown()
            case ev.BonusNumbersDrawn():
                self._await_lights()
        if isinstance(event, ev.NoMoreBetsAnnounced | ev.BallSpun):
            self.roll_virtual_ball()

    def begin_anew(self) -> None:
        """Begin what a stop of the house, an interruption or a hold has cut short.

        A table that is interrupted waits until the ball is confirmed.
        """
        self._stop_countdown()
        state = self._table.state
        if state.interruption is not None:
            return
        if views.phase_of(state) is Phase.BETTING:
            self._start_countdown()
        self.draw_if_missing()
        self.roll_virtual_ball()
        if self._table.awaits_lights(state):
            self._await_lights()

    def _await_lights(self) -> None:
        if self._table.plan.lights is Lights.DEVICE:
            self._timers.after("lights", _LIGHTS_WITHIN_S, self._miss_lights)

    def _start_countdown(self) -> None:
        seconds = self._table.plan.countdown_seconds
        if seconds:
            self._table.transient.closes_at_ms = self._record.clock() + seconds * 1000
            self._timers.after("countdown", seconds, self._close)

    def _stop_countdown(self) -> None:
        self._timers.cancel("countdown")
        self._table.transient.closes_at_ms = None

    def _close(self) -> None:
        """At zero the house closes where the document lets it; else the Dealer does."""
        if self._table.game.may(SYSTEM, Rule.CLOSING):
            command_id = f"countdown:{self._table.table.head.sequence}"
            self._post(command_id, SYSTEM, do.NoMoreBets())

    def draw_if_missing(self) -> None:
        """After the close (A15); or when the house is back, had it stopped in between.

        A table that is interrupted draws once the ball is confirmed.
        """
        state = self._table.state
        if state.interruption is not None or views.phase_of(state) is not Phase.CLOSED:
            return
        is_missing = views.drawn_of(state) is None
        if is_missing and self._table.game.provides(Rule.BONUS_DRAW):
            self._post(f"draw:{state.series.last}", GENERATOR, ask.DrawNow())

    def roll_virtual_ball(self) -> None:
        """Bring the ball to rest by itself, for a Dealer who has no wheel to spin."""
        state, dealers = self._table.state, self._record.state.dealers
        if not state.virtual_wheel or self._table.name not in dealers:
            return
        if views.phase_of(state) is Phase.CLOSED and state.series.current.facts.spun:
            self._timers.after("virtual ball", _BALL_ROLLS_S, self._rest_virtual_ball)

    def _rest_virtual_ball(self) -> None:
        command_id = f"virtual ball:{self._table.table.head.sequence}"
        self._post(command_id, SYSTEM, ask.SpinVirtualWheel())

    def _miss_lights(self) -> None:
        table = self._table
        if table.awaits_lights(table.state):
            facts = table.state.series.current.facts
            for proposal in dark(table.game, facts, table.state.lights.lit):
                table.propose(proposal)

    def _post(self, command_id: str, by: Person, command: ask.AnyCommand) -> None:
        self._table.insist(Submission(command_id, (by,), command))
