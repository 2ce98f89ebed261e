"""Everything that a session can come to, and the compiled plan beside it.

The strategy is asked itself, by the words of its rules; the plan's table is read by the
words of `Machine`. Both go through all results at once, bankroll by bankroll.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.lab.sessions import Shortfall
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.simulator.plan import Machine, SimulationPlan

Turn = tuple[str, Any, int]
"""How it ends or "plays", the state that is played, and the units staked."""


@dataclass
class Reachable:
    """The bankrolls that sessions come to, in cents, and the stakes that they make."""

    request: SessionRequest
    plan: SimulationPlan
    most: int
    """As many positions are followed; the rest is left out."""
    cents: set[int] = field(default_factory=set)
    positions: int = 0
    cut_stakes: int = 0
    is_whole: bool = True

    def follow(self) -> None:
        """Follow every position, and compare what the plan plays there."""
        request, machine = self.request, self.plan.machine
        assert isinstance(machine, Machine)
        assert request.rounds is not None
        live = {(request.strategy.start, 0, request.bankroll_cents)}
        seen: set[tuple[Any, int, int]] = set()
        for done in range(request.rounds + 1):
            self.cents.update(cents for _, _, cents in live)
            after: set[tuple[Any, int, int]] = set()
            for state, place, cents in live:
                asked = self.by_rules(state, cents)
                played = self.by_table(machine, place, cents)
                assert (asked[0], asked[2]) == (played[0], played[2]), (state, cents)
                if asked[0] == "plays" and done < request.rounds:
                    after.update(self.next_of(machine, asked, played, cents))
            self.positions += len(live)
            # What is met again has fewer rounds before it: it leads nowhere new.
            seen |= live
            live = after - seen
            if self.positions > self.most:
                self.is_whole = False
                return

    def next_of(
        self, machine: Machine, asked: Turn, played: Turn, cents: int
    ) -> set[tuple[Any, int, int]]:
        (_, state, units), (_, row, _) = asked, played
        unit = self.request.wager.stake_cents
        if units < machine.units[row]:
            self.cut_stakes += 1
            row = row if machine.short[row] < 0 else machine.short[row] + units - 1
        return {
            (
                self.request.strategy.after(state, Fraction(units * net, unit)),
                machine.after[row][kind],
                cents + units * net,
            )
            for kind, net in enumerate(self.request.nets)
        }

    def by_bankroll(self, cents: int) -> str | None:
        request = self.request
        if request.target_cents is not None and cents >= request.target_cents:
            return "reached"
        if cents < request.wager.stake_cents:
            return "ruined"
        lost = request.stop_loss_cents
        is_over = lost is not None and cents <= request.bankroll_cents - lost
        return "stopped" if is_over else None

    def by_rules(self, state: Any, cents: int) -> Turn:
        """What the strategy does, by the rules for stakes that are not allowed."""
        end = self.by_bankroll(cents)
        if end is not None:
            return end, state, 0
        strategy, unit = self.request.strategy, self.request.wager.stake_cents
        most = self.request.wager.maximum_units
        units = strategy.stake(state)
        if most is not None and units > most:
            over = strategy.over_maximum
            if over is Shortfall.STOP:
                return "stopped", state, 0
            if over is Shortfall.START_AGAIN:
                state, units = strategy.start, strategy.stake(strategy.start)
            units = min(units, most)
        if units == 0:
            return "stopped", state, 0
        if units * unit <= cents:
            return "plays", state, units
        over = strategy.over_bankroll
        if over is Shortfall.STAKE_ALLOWED:
            return "plays", state, cents // unit
        if over is Shortfall.STOP:
            return "stopped", state, 0
        first = strategy.stake(strategy.start)
        first = first if most is None else min(first, most)
        if state == strategy.start or first * unit > cents:
            return "ruined", state, 0
        return "plays", strategy.start, first

    def by_table(self, machine: Machine, place: int, cents: int) -> Turn:
        """What the compiled plan does."""
        end = self.by_bankroll(cents)
        if end is not None:
            return end, place, 0
        unit, units = self.request.wager.stake_cents, machine.units[place]
        if units == 0:
            return "stopped", place, 0
        if units * unit <= cents:
            return "plays", place, units
        if machine.over_bankroll is Shortfall.STAKE_ALLOWED:
            return "plays", place, cents // unit
        if machine.over_bankroll is Shortfall.STOP:
            return "stopped", place, 0
        if place == 0 or machine.units[0] * unit > cents:
            return "ruined", place, 0
        return "plays", 0, machine.units[0]
