"""Oscar's grind as a function, for sessions with more states than a table may have.

What a series has won and what it stakes are told apart by hundreds of units: in long
sessions without a target that is more than a table holds, and two numbers of memory.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from functools import lru_cache

from croupier.odds.sessions.progressions import OscarsGrind
from croupier.odds.sessions.request import SessionRequest
from croupier.odds.sessions.strategy import Shortfall
from croupier.simulator.plan import OwnFunction

Grind = Callable[[int, int, int, int, MutableSequence[int]], int]


def function_of(request: SessionRequest) -> OwnFunction | None:
    """Return what plays as the strategy does; None for any but Oscar's grind."""
    if not isinstance(request.strategy, OscarsGrind):
        return None
    assert request.rounds is not None
    # A win adds one unit to the stake, and nothing else does.
    most = request.rounds + 1
    if request.wager.maximum_units is not None:
        most = min(most, request.wager.maximum_units)
    return OwnFunction(
        request.strategy.name,
        grind(request.wager.stake_cents, most),
        most,
        Shortfall.STAKE_ALLOWED,
        Shortfall.STAKE_ALLOWED,
    )


@lru_cache(maxsize=8)
def grind(unit_cents: int, most_units: int) -> Grind:
    """Return Oscar's grind at a table that takes so many units of so many cents.

    Its memory is what the series has won, in cents, and the stake, in units.
    """

    def stake(
        _round: int, bankroll: int, net: int, _units: int, memory: MutableSequence[int]
    ) -> int:
        won, units = memory[0] + net, memory[1]
        if units == 0 or won >= unit_cents:
            won, units = 0, 1
        else:
            if net > 0:
                units += 1
            units = min(units, -((won - unit_cents) // unit_cents))
        if min(units, most_units) * unit_cents > bankroll:
            won, units = 0, 1
        memory[0], memory[1] = won, units
        return units

    return stake
