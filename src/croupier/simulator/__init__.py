"""Strategies and sessions by the billion: drawn, not reckoned."""

from croupier.simulator.engines import ENGINES, Engine
from croupier.simulator.estimates import Estimate, QuantileEstimate
from croupier.simulator.simulation import Simulation, simulate
from croupier.simulator.user_strategy import load_own

__all__ = [
    "ENGINES",
    "Engine",
    "Estimate",
    "QuantileEstimate",
    "Simulation",
    "load_own",
    "simulate",
]
