"""Advice for a session that takes too long to calculate, from what was asked.

Nothing is advised that has been given already, and `simulate` only where it plays.
"""

from __future__ import annotations

from croupier.lab.sessions.progressions import Flat, Labouchere, OscarsGrind
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.strategy import (
    SessionError,
    Strategy,
    WithRules,
    has_few_states,
)


def too_long(
    request: SessionRequest, why: str, *, waiting_helps: bool = True
) -> SessionError:
    """Return the refusal of a session: why, and what may be done about it."""
    ways = list(_ways(request))
    if _plays_simulated(request):
        more = "" if request.rounds else " and a number of rounds"
        ways.insert(0, f"play it with `simulate`{more}")
    elif request.rounds is None:
        ways.insert(0, "give it a number of rounds")
    if waiting_helps and request.patience == 1:
        ways.insert(0, "wait longer for it (`patience`)")
    return SessionError(f"{why}: {_joined(ways)}")


def too_long_to_play(request: SessionRequest, why: str) -> SessionError:
    """Return the refusal of a simulation, which knows no other way."""
    return SessionError(f"{why}: {_joined(_ways(request))}")


def _plays_simulated(request: SessionRequest) -> bool:
    """Return whether a simulation takes the strategy, once it has some rounds."""
    own = _own(request.strategy)
    return has_few_states(own) or isinstance(own, OscarsGrind | Labouchere)


def _own(strategy: Strategy) -> Strategy:
    return strategy.strategy if isinstance(strategy, WithRules) else strategy


def _ways(request: SessionRequest) -> list[str]:
    """Return what has not been given, and then what may be given otherwise."""
    own, ways = _own(request.strategy), []
    if request.wager.maximum_units is None and not isinstance(own, Flat):
        ways.append("give the table a maximum")
    a_target = "a target" if request.target_cents is None else "a nearer target"
    ways.append(f"set {a_target}")
    ways.append("stake a larger unit")
    if request.rounds is not None:
        ways.append("play fewer rounds")
    if not has_few_states(own) and not isinstance(own, OscarsGrind | Labouchere):
        ways.append("let it come back to states it has been in")
    return ways


def _joined(ways: list[str]) -> str:
    *others, last = ways
    return f"{', '.join(others)} or {last}" if others else last
