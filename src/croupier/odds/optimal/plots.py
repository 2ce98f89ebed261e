"""Best play drawn: the probability of the target from each bankroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.odds.optimal.reckoning import BestPlay
from croupier.odds.optimal.telling import best_play_head
from croupier.odds.sessions.plots import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_best_play(best: BestPlay) -> Figure:
    """The best probability beside that of a fair game; without matplotlib raises."""
    figure = new_figure(9, 5)
    axes = figure.subplots()
    rows = list(best.plan())
    money = [cents / 100 for cents, _, _ in rows]
    axes.step(
        money,
        [100 * value for _, _, value in rows],
        where="post",
        color="#16325c",
        label="best play",
    )
    fair = [min(100.0, 100 * cents / best.target_cents) for cents, _, _ in rows]
    axes.plot(money, fair, color="#9a9a9a", linewidth=0.8, label="a fair game")
    axes.plot(
        [best.bankroll_cents / 100],
        [100 * float(best.probability)],
        "o",
        color="#b3261e",
        label="this bankroll",
    )
    axes.set_xlabel("bankroll")
    axes.set_ylabel("target reached, %")
    axes.legend(loc="upper left", fontsize=8)
    figure.suptitle(best_play_head(best), fontsize=10)
    return figure
