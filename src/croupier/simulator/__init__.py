"""Strategies and sessions by the billion: drawn, not reckoned."""

from croupier.simulator.compiler import load_own
from croupier.simulator.engines import ENGINES, Engine
from croupier.simulator.estimates import Estimate, QuantileEstimate
from croupier.simulator.own.seat import Seat, area_codes, number_codes
from croupier.simulator.own.sessions import StrategySessions, play_strategy
from croupier.simulator.plan import SessionEnd
from croupier.simulator.session_records import SessionRecords
from croupier.simulator.simulation import Simulation, simulate

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
