"""One round of a session by the table of its strategy, compiled.

Every way of playing asks here: what is staked next, whether the session has ended
instead, and from which row of the table the next state is taken.
"""

from __future__ import annotations

from croupier.simulator.cpu.counting import NO_END, RUINED, STOPPED, end_by_bankroll
from croupier.simulator.cpu.random_words import compiled_inside
from croupier.simulator.cpu.step_table import PlanTerms, StepTable


@compiled_inside
def next_stake(
    bankroll: int, state: int, table: StepTable, terms: PlanTerms
) -> tuple[int, int, int]:
    """Return the state played in, the units of the next round, and an end if any."""
    end = end_by_bankroll(bankroll, terms.bounds)
    if end != NO_END:
        return state, 0, end
    units = table.units[state]
    if units == 0:
        return state, 0, STOPPED
    if units * terms.bounds.unit <= bankroll:
        return state, units, NO_END
    return _cut_stake(state, bankroll // terms.bounds.unit, table, terms)


@compiled_inside
def _cut_stake(
    state: int, allowed: int, table: StepTable, terms: PlanTerms
) -> tuple[int, int, int]:
    """Return what becomes of a stake that the bankroll does not allow."""
    if terms.stakes_allowed:
        return state, allowed, NO_END
    if not terms.starts_again:
        return state, 0, STOPPED
    if state == 0 or table.units[0] > allowed:
        return state, 0, RUINED
    return 0, table.units[0], NO_END


@compiled_inside
def row_after(state: int, units: int, table: StepTable) -> int:
    """Return the row of the states after a round with so many units."""
    if units < table.units[state] and table.short[state] >= 0:
        return int(table.short[state] + units - 1)
    return state
