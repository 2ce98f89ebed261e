"""Sessions side by side, with one or several varied parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from croupier.errors import plain_int
from croupier.lab.sessions.request import Wager
from croupier.lab.sessions.result import SessionResult
from croupier.lab.sessions.solver import session
from croupier.lab.sessions.strategy import SessionError
from croupier.numeric.figure import Figure
from croupier.odds.model import Model
from croupier.rules.game import Game
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import figure_count, figure_money, figure_percent
from croupier.tabular.plots import legend_above, new_figure

_WRITTEN: Mapping[str, Callable[[Figure], str]] = {
    "reached": figure_percent,
    "ruined": figure_percent,
    "ahead": figure_percent,
    "rounds_played": figure_count,
    "staked_cents": figure_money,
    "net_cents": figure_money,
}
"""The figures of the table, and the format of each."""


@dataclass(frozen=True, repr=False)
class SessionSweep(Tabled):
    """The results of sessions, by the values of the varied parameters."""

    names: tuple[str, ...]
    results: Mapping[tuple[Any, ...], SessionResult]

    def table(self) -> TextTable:
        """Return a row for each session."""
        return TextTable(
            f"Sessions by {' and '.join(self.names)}",
            (*self.names, *(f">{name.removesuffix('_cents')}" for name in _WRITTEN)),
            [
                (
                    *map(_text, values),
                    *(write(getattr(result, name)) for name, write in _WRITTEN.items()),
                )
                for values, result in self.results.items()
            ],
        )

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each session."""
        return data_frame(
            {
                **dict(zip(self.names, map(_plain, values), strict=True)),
                **{name: getattr(result, name).value for name in _WRITTEN},
                "error": result.error,
            }
            for values, result in self.results.items()
        )

    def plot(self, figure: str = "reached") -> Plot:
        """Draw a figure over the first parameter, with a line for each other choice."""
        if figure not in _WRITTEN:
            raise SessionError(f"a plot shows one of: {', '.join(_WRITTEN)}")
        lines: dict[str, dict[Any, float]] = {}
        for (first, *others), result in self.results.items():
            line = lines.setdefault(", ".join(map(_text, others)), {})
            line[_plain(first)] = float(getattr(result, figure))
        drawing = new_figure(8, 4)
        axes = drawing.add_subplot()
        for name, line in lines.items():
            axes.plot([*line], [*line.values()], marker="o", label=name)
        axes.set_xlabel(self.names[0])
        axes.set_ylabel(figure)
        if len(lines) > 1:
            legend_above(axes)
        return Plot(drawing)

    def __repr__(self) -> str:
        return f"<SessionSweep of {len(self.results)} sessions>"


def _plain(value: object) -> object:
    """Return a number as it is, any other value as text."""
    value = plain_int(value)
    return value if isinstance(value, int | float) else _text(value)


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    game = value.game if isinstance(value, Model) else value
    return str(getattr(game, "name", game))


def sweep_sessions(
    game: str | Game | Model,
    wager: Wager,
    *,
    over: Mapping[str, Iterable[Any]],
    **words: Any,
) -> SessionSweep:
    """Return a session for every choice of the parameters in `over`.

    The parameters are `game`, `wager` or other arguments of `croupier.session`; all
    sessions share `words`. Raises the errors of `croupier.session`.
    """
    choices = {name: list(values) for name, values in over.items()}
    if not choices or not all(choices.values()):
        raise SessionError("name a parameter to vary, with its values")
    results: dict[tuple[Any, ...], SessionResult] = {}
    for values in product(*choices.values()):
        asked = {"game": game, "wager": wager, **words}
        asked.update(zip(choices, values, strict=True))
        key = tuple(tuple(v) if isinstance(v, list) else v for v in values)
        results[key] = session(asked.pop("game"), asked.pop("wager"), **asked)
    return SessionSweep(tuple(choices), results)
