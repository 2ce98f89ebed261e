"""Best play towards a target, and stakes for growth."""

from croupier.lab.best_play.growth import GrowthPlay, favourable_wheel, growth_play
from croupier.lab.best_play.play import BestPlay, Over, best_play

__all__ = [
    "BestPlay",
    "GrowthPlay",
    "Over",
    "best_play",
    "favourable_wheel",
    "growth_play",
]
