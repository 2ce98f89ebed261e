"""Sessions: a Player's bankroll over many rounds, by a strategy, under the limits.

The names of a sweep load their module when they are first used.
"""

from typing import TYPE_CHECKING

from croupier.lab.sessions.progressions import (
    STRATEGIES,
    DAlembert,
    Fibonacci,
    Flat,
    Labouchere,
    Martingale,
    OscarsGrind,
    StateTable,
    WinningRun,
    find_strategy,
    read_strategy,
)
from croupier.lab.sessions.result import Arithmetic, SessionResult
from croupier.lab.sessions.solver import session
from croupier.lab.sessions.strategy import SessionError, Shortfall, Strategy
from croupier.lazy_names import lazy_names
from croupier.numeric.figure import Figure

if TYPE_CHECKING:
    from croupier.lab.sessions.parameter_sweep import SessionSweep, sweep_sessions

__all__ = [
    "STRATEGIES",
    "Arithmetic",
    "DAlembert",
    "Fibonacci",
    "Figure",
    "Flat",
    "Labouchere",
    "Martingale",
    "OscarsGrind",
    "SessionError",
    "SessionResult",
    "SessionSweep",
    "Shortfall",
    "StateTable",
    "Strategy",
    "WinningRun",
    "find_strategy",
    "read_strategy",
    "session",
    "sweep_sessions",
]

__getattr__ = lazy_names(__name__, {"parameter_sweep": "SessionSweep sweep_sessions"})
