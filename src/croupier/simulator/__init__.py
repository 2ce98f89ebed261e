"""Strategies and sessions by the billion: drawn, not reckoned."""

from croupier.simulator.compiler import load_own
from croupier.simulator.engines import ENGINES, Engine
from croupier.simulator.estimates import Estimate, QuantileEstimate
from croupier.simulator.simulation import Simulation, simulate

__all__ = [
    "ENGINES",
    "Engine",
    "Estimate",
    "QuantileEstimate",
    "Simulation",
    "load_own",
    "simulate",
]
