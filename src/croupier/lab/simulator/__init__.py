"""Strategies and sessions by the billion: drawn, not reckoned."""

from croupier.lab.simulator.compiler import load_own
from croupier.lab.simulator.engines import ENGINES, Engine
from croupier.lab.simulator.estimates import Estimate, QuantileEstimate
from croupier.lab.simulator.own.seat import Seat, area_codes, number_codes
from croupier.lab.simulator.own.sessions import StrategySessions, play_strategy
from croupier.lab.simulator.session_records import SessionRecords
from croupier.lab.simulator.simulation import Simulation, simulate
from croupier.lab.simulator.stakes import SessionEnd

__all__ = [
    "ENGINES",
    "Engine",
    "Estimate",
    "QuantileEstimate",
    "Seat",
    "SessionEnd",
    "SessionRecords",
    "Simulation",
    "StrategySessions",
    "area_codes",
    "load_own",
    "number_codes",
    "play_strategy",
    "simulate",
]
