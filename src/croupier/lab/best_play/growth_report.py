"""Stakes for growth as a table of text, as JSON, and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from math import expm1
from typing import TYPE_CHECKING, Any

from croupier.lab.best_play.best_play_plot import LINE, MARK, QUIET
from croupier.lab.best_play.growth import GrowthPlay, edge_of
from croupier.lab.best_play.growth_search import ROUNDING
from croupier.lab.sessions.figure_formats import figure_json, percent
from croupier.lab.sessions.report import model_notes
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable
from croupier.tabular.plots import legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _growth_head(play: GrowthPlay) -> str:
    bankroll, chip = write_cents(play.bankroll_cents), write_cents(play.chip_cents)
    return (
        f"{play.model.game.title}: stakes for growth at {bankroll} in chips of {chip}"
    )


def searched_stakes(play: GrowthPlay) -> str:
    return (
        f"any stakes in whole chips that the limits allow on {len(play.choices)} areas"
        " of which no two win together, with something kept back"
    )


def _growth_rows(play: GrowthPlay) -> Iterator[tuple[str, str]]:
    yield "growth of the bankroll, a round", f"{play.percent_a_round:.4g} %"
    doubled = play.doubling_rounds
    if doubled is not None:
        yield "doubled after, rounds", f"{doubled:,.0f}"
    part = play.staked_cents / play.bankroll_cents
    yield "staked", f"{write_cents(play.staked_cents)}, {part:.2%} of the bankroll"
    yield "net result of a round, expected", write_cents(round(play.net_cents))
    yield "something wins", percent(play.winning_chance)


def _growth_notes(play: GrowthPlay) -> Iterator[str]:
    yield from model_notes(play.model)
    yield f"Searched: {searched_stakes(play)}."
    if not play.stakes:
        yield "Nothing is staked: every stake that was searched shrinks the bankroll."
    yield f"No stakes that were searched grow faster by more than {ROUNDING:.0e}."


def growth_table(play: GrowthPlay) -> TextTable:
    """Return the stake on each area, with its chance and the Player's edge."""
    choices = {choice.name: choice for choice in play.choices}
    rows = []
    for chips in play.stakes:
        choice = choices[chips.wager]
        chance = sum(choice.chances)
        rows.append((str(chips), percent(chance), f"{float(edge_of(choice)):.2%}"))
    return TextTable(
        _growth_head(play),
        ("wager", ">wins", ">the Player's edge"),
        rows,
        tuple(_growth_notes(play)),
    )


def growth_text(play: GrowthPlay) -> str:
    table = growth_table(play)
    return "\n".join(
        [
            table.title,
            "",
            *TextTable("", ("", ""), list(_growth_rows(play))).lines(),
            "",
            *([*table.lines(), ""] if table.rows else []),
            *table.notes,
        ]
    )


def growth_json(play: GrowthPlay) -> dict[str, Any]:
    choices = zip(play.choices, play.found.stakes, strict=True)
    return {
        **play.model.document(),
        "searched": searched_stakes(play),
        "bankroll_cents": play.bankroll_cents,
        "chip_cents": play.chip_cents,
        "growth": figure_json(play.growth),
        "growth_excess": ROUNDING,
        "doubling_rounds": play.doubling_rounds,
        "staked_cents": play.staked_cents,
        "net_cents": float(play.net_cents),
        "something_wins": float(play.winning_chance),
        "stakes": [
            {
                "wager": choice.name,
                "stake_cents": chips * play.chip_cents,
                "probability": float(sum(choice.chances)),
                "player_edge": float(edge_of(choice)),
            }
            for choice, chips in choices
        ],
    }


_STEPS = 200
_MOST_MULTIPLE = 3


def plot_growth(play: GrowthPlay) -> Figure:
    """Draw two pictures; raise `SessionError` without matplotlib."""
    figure = new_figure(9, 7)
    stakes, curve = figure.subplots(2, 1)
    _draw_stakes(stakes, play)
    _draw_curve(curve, play)
    figure.suptitle(_growth_head(play), fontsize=10)
    return figure


def _draw_stakes(axes: Axes, play: GrowthPlay) -> None:
    """Draw a bar for each area's stake."""
    unit = play.chip_cents / 100
    names = [choice.name.replace("straight_up:", "") for choice in play.choices]
    places = range(len(names))
    axes.bar(places, [chips * unit for chips in play.found.stakes], color=LINE)
    axes.set_xticks(list(places), names, fontsize=7, rotation=90)
    axes.set_ylabel("stake")
    axes.set_ylim(bottom=0)


def _draw_curve(axes: Axes, play: GrowthPlay) -> None:
    """Draw the growth over multiples of the stakes."""
    multiples = [place / _STEPS for place in range(_MOST_MULTIPLE * _STEPS + 1)]
    found = [(each, play.growth_at(each)) for each in multiples]
    points = [(each, 100 * expm1(g)) for each, g in found if g is not None]
    axes.plot(
        [each for each, _ in points],
        [growth for _, growth in points],
        color=LINE,
        label="growth a round",
    )
    axes.plot([1.0], [play.percent_a_round], "o", color=MARK, label="these stakes")
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.set_xlabel("multiple of these stakes")
    axes.set_ylabel("growth a round, %")
    axes.set_xlim(0, _MOST_MULTIPLE)
    legend_above(axes)
