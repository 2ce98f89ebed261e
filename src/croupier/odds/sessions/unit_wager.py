"""The base wager of a session: what one unit stakes, and what it may win or lose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from croupier.odds.chips import (
    PLAYER,
    Chips,
    TableTerms,
    lay_chips,
    read_chips,
    round_result,
)
from croupier.odds.distribution import Distribution
from croupier.odds.model import Model
from croupier.odds.sessions.strategy import SessionError
from croupier.rules.cents import write_cents
from croupier.rules.game import Game
from croupier.rules.layout import WagerType


@dataclass(frozen=True)
class UnitWager:
    """One unit of a wager, or of several that are placed together every time."""

    text: str
    stake_cents: int
    result: Distribution
    """The net cents of one round with one unit."""
    maximum_units: int | None
    """As many units as the table's limits allow; None where there is no limit."""

    @property
    def edge(self) -> Fraction:
        """What the House keeps of each cent staked."""
        return -self.result.mean / self.stake_cents


def unit_wager(
    model: Model,
    wagers: str | Iterable[str | Chips],
    terms: TableTerms,
    chip_cents: int,
) -> UnitWager:
    """One unit of the wagers, judged by the table's limits and its smallest chip.

    Raises `SessionError`, and what `lay_chips` raises.
    """
    chips = _read(wagers)
    state = lay_chips(model.game, chips, terms)
    totals = {
        area: cents
        for (player, area), cents in state.board.player_cents.items()
        if player == PLAYER
    }
    for area, cents in totals.items():
        _check_chip(area, cents, chip_cents)
    result = round_result(
        model, chips, limits=terms.limits, settings=terms.settings, laid=terms.laid
    )
    units = [_maximum_units(model.game, terms, *each) for each in totals.items()]
    bounds = [bound for bound in units if bound is not None]
    return UnitWager(
        " + ".join(map(str, chips)),
        sum(totals.values()),
        result,
        min(bounds, default=None),
    )


def _read(wagers: str | Iterable[str | Chips]) -> list[Chips]:
    each = wagers.split("+") if isinstance(wagers, str) else wagers
    chips = [read_chips(c.strip()) if isinstance(c, str) else c for c in each]
    if not chips:
        raise SessionError("name a wager with its stake, such as red@10")
    return chips


def _check_chip(area: str, cents: int, chip_cents: int) -> None:
    chip = write_cents(chip_cents)
    if cents < chip_cents:
        raise SessionError(
            f"{write_cents(cents)} on {area} is below the chip unit of {chip}"
        )
    if cents % chip_cents:
        raise SessionError(
            f"{write_cents(cents)} on {area} can't be laid in chips of {chip}"
        )


def _maximum_units(game: Game, terms: TableTerms, area: str, cents: int) -> int | None:
    """How many times the cents fit under the area's maxima; they must at least once."""
    wager_type = game.area_by_name[area].wager_type
    limit = terms.limits.of(wager_type)
    if limit is not None and cents < limit.minimum_cents:
        raise SessionError(
            f"{write_cents(cents)} on {area} is below the table's minimum of"
            f" {write_cents(limit.minimum_cents)}"
        )
    maximum = maximum_cents(terms, wager_type)
    if maximum is not None and cents > maximum:
        raise SessionError(
            f"{write_cents(cents)} on {area} is above the table's maximum of"
            f" {write_cents(maximum)}"
        )
    return None if maximum is None else maximum // cents


def maximum_cents(terms: TableTerms, wager_type: WagerType) -> int | None:
    """The most that one Player may have on an area: by the limits, and by A8's cap."""
    caps = terms.settings.area_maximum_cents
    limit = terms.limits.of(wager_type)
    known = [
        limit.maximum_cents if limit else None,
        caps.get(wager_type, caps.get(None)),
    ]
    return min((cents for cents in known if cents is not None), default=None)
