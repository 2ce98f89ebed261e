"""Engines by name: what plays the sessions of a plan."""

from __future__ import annotations

from typing import Protocol

from croupier.odds.sessions import SessionError
from croupier.rules.notation import shown
from croupier.simulator.own import told
from croupier.simulator.plan import OwnFunction, Plan
from croupier.simulator.tally import Tally

ENGINES = ("cpu", "gpu", "plain")


class Engine(Protocol):
    """Plays sessions and counts them; all engines count the same."""

    def run(self, plan: Plan, first: int, count: int) -> Tally:
        """The sessions `first`, `first + 1`, … of the plan."""


def engine_named(name: str, workers: int | None = None) -> Engine:
    """An engine; raises `SessionError` where it is not there."""
    match name:
        case "cpu":
            return _cpu(workers)
        case "gpu":
            from croupier.simulator.gpu import GpuEngine

            return GpuEngine()
        case "plain":
            from croupier.simulator.plain import PlainEngine

            return PlainEngine()
    raise SessionError(
        f"there is no engine {shown(str(name))}; there are {', '.join(ENGINES)}"
    )


def check_workers(workers: int | None) -> None:
    if workers is not None and (type(workers) is not int or workers < 1):
        raise SessionError(f"at least one worker is needed, not {shown(str(workers))}")


def run_engine(engine: Engine, plan: Plan, first: int, count: int) -> Tally:
    """What the engine counts; an error of a user's own function in one sentence."""
    try:
        return engine.run(plan, first, count)
    except Exception as error:
        if isinstance(error, SessionError) or not isinstance(plan.machine, OwnFunction):
            raise
        raise SessionError(f"{plan.machine.name} failed: {told(error)}") from error


def _cpu(workers: int | None) -> Engine:
    try:
        from croupier.simulator.cpu_engine import CpuEngine
    except ImportError as error:
        raise SessionError(
            "the engine cpu needs numba: pip install 'croupier[simulator]'"
        ) from error
    return CpuEngine(workers)
