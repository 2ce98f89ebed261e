"""The exact answer beside the drawn one, where `odds` has it within seconds."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.odds.sessions import SessionError, SessionResult
from croupier.odds.sessions.solver import solve_session
from croupier.simulator.compiling import Asked
from croupier.simulator.plan import Machine, Plan

_MOST_STATE_ROUNDS = 600_000
_MOST_STEPS = 400_000_000
"""By counts and not by the clock, so that the same is told on any machine."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The reckoned session, or why there is none."""

    result: SessionResult | None
    why_not: str = ""


def reckon_beside(asked: Asked) -> Beside:
    if asked.stop_loss_cents is not None:
        return Beside(None, "sessions with a stop-loss are not reckoned")
    if asked.positions is None:
        return Beside(None, "a function has no states to reckon with")
    if _takes_too_long(asked.plan, asked.positions):
        return Beside(None, "reckoning it would take too long")
    try:
        return Beside(solve_session(asked.model, asked.terms))
    except SessionError as error:
        return Beside(None, str(error))


def _takes_too_long(plan: Plan, positions: int) -> bool:
    if positions * len(plan.nets) * plan.rounds > _MOST_STEPS:
        return True
    # Without a target the bankrolls of every state are followed round by round.
    assert isinstance(plan.machine, Machine)
    states = len(plan.machine.units)
    return plan.target is None and states * plan.rounds > _MOST_STATE_ROUNDS
