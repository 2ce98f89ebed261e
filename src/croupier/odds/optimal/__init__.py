"""Best play: how to turn a bankroll into a target, as far as that can be done."""

from croupier.odds.optimal.play import BestPlay, Over, best_play

__all__ = ["BestPlay", "Over", "best_play"]
