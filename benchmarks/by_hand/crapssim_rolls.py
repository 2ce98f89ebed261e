"""A strategy of the user's own in crapssim: one bet a roll, doubled after a loss.

Not installed with the project: `pip install crapssim` into its environment first.
"""

from __future__ import annotations

from crapssim.bet import Field
from crapssim.strategy.tools import Player, Strategy
from crapssim.table import Table


class DoubleOnce(Strategy):
    """Ten on the field; twenty after a roll that lost."""

    def __init__(self) -> None:
        self._before = 0.0

    def update_bets(self, player: Player) -> None:
        """Lay the next roll's bet by how the last one ended."""
        has_lost = player.bankroll < self._before
        self._before = player.bankroll
        player.add_bet(Field(20 if has_lost else 10))

    def completed(self, player: Player) -> bool:
        """Stop when ruined."""
        return player.bankroll < 20


def play(rolls: int, bankroll: int, seed: int) -> int:
    """Return how many rolls were played."""
    table = Table(seed=seed)
    table.add_player(bankroll, DoubleOnce())
    table.run(max_rolls=rolls, max_shooter=float("inf"), verbose=False, runout=False)
    return table.dice.n_rolls
