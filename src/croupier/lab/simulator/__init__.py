"""Random sessions, by the billion, of any strategy.

The names for own strategies load their modules when they are first used.
"""

from typing import TYPE_CHECKING

from croupier.lab.simulator.engines import ENGINES
from croupier.lab.simulator.estimates import Estimate, QuantileEstimate
from croupier.lab.simulator.session_records import SessionRecords
from croupier.lab.simulator.simulation import PlayedSessions, Simulation, simulate
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lazy_names import lazy_names

if TYPE_CHECKING:
    from croupier.lab.simulator.own.files import load_own
    from croupier.lab.simulator.own.seat import Seat, area_codes, number_codes
    from croupier.lab.simulator.own.sessions import StrategySessions, play_strategy

__all__ = [
    "ENGINES",
    "Estimate",
    "PlayedSessions",
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

__getattr__ = lazy_names(
    __name__,
    {
        "own.files": "load_own",
        "own.seat": "Seat area_codes number_codes",
        "own.sessions": "StrategySessions play_strategy",
    },
)
