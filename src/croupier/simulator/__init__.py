"""Strategies and sessions by the billion: drawn, not reckoned."""

from croupier.simulator.engines import ENGINES, Engine
from croupier.simulator.estimates import Estimate, QuantileEstimate
from croupier.simulator.own import load_own
from croupier.simulator.playing import simulate
from croupier.simulator.result import Simulation

__all__ = [
    "ENGINES",
    "Engine",
    "Estimate",
    "QuantileEstimate",
    "Simulation",
    "load_own",
    "simulate",
]
