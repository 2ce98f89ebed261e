"""Oscar's grind and Labouchère as functions with a few numbers of memory.

Their states are the result and stake of a series, or the numbers of a line. At ordinary
bankrolls these are more states than a table holds.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from functools import lru_cache
from typing import NamedTuple

from croupier.lab.sessions.progressions import Labouchere, OscarsGrind
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.strategy import (
    RuledStrategy,
    Shortfall,
)
from croupier.lab.simulator.plan import MEMORY, MOST_UNITS, OwnFunction

MOST_UNITS_OF_LINES = 2**24
"""The maximum stake if neither the table nor a target bounds the numbers of a line.

It is lower than `MOST_UNITS`, so that amounts in cents fit a compiled function.
"""

_StakeFunction = Callable[[int, int, int, int, MutableSequence[int]], int]


class _StakeTerms(NamedTuple):
    """The bounds of stakes, and the rules for starting a series again."""

    unit_cents: int
    most_units: int
    """The table's maximum."""
    starts_again_over_maximum: bool
    starts_again_over_bankroll: bool


def function_of(request: SessionRequest) -> OwnFunction | None:
    """Return a function that plays the strategy, or None if there is none."""
    assert request.rounds is not None
    strategy, terms = request.strategy, _terms(request)
    own = strategy.own if isinstance(strategy, RuledStrategy) else None
    if isinstance(own, OscarsGrind):
        won, units = own.start[0] * terms.unit_cents, own.start[1]
        if won.denominator != 1:
            return None
        # Only a win raises the stake, by one unit: this bounds it if the table's
        # maximum is higher.
        most = min(terms.most_units, units + request.rounds)
        return _own_function(request, grind(terms, int(won), units), most)
    if isinstance(own, Labouchere):
        if max(own.longest, len(own.start)) >= MEMORY:
            return None
        if not _bounds_lines(request):
            terms = terms._replace(most_units=MOST_UNITS_OF_LINES)
        greatest = _most_by_lines(request, own, terms)
        return _own_function(request, line(terms, own.start, own.longest), greatest)
    return None


def _terms(request: SessionRequest) -> _StakeTerms:
    most, strategy = request.wager.maximum_units, request.strategy
    return _StakeTerms(
        request.wager.stake_cents,
        MOST_UNITS if most is None else min(most, MOST_UNITS),
        strategy.over_maximum is Shortfall.START_AGAIN,
        strategy.over_bankroll is Shortfall.START_AGAIN,
    )


def _own_function(
    request: SessionRequest, function: _StakeFunction, greatest: int
) -> OwnFunction:
    """Return the function with the stake rules that the engine has to apply."""
    strategy, limited = request.strategy, request.wager.maximum_units is not None
    stops = limited and strategy.over_maximum is Shortfall.STOP
    return OwnFunction(
        strategy.name,
        function,
        greatest,
        Shortfall.STOP if stops else Shortfall.STAKE_ALLOWED,
        strategy.over_bankroll,
    )


def _bounds_lines(request: SessionRequest) -> bool:
    """Return whether the numbers of a line are bounded over any number of rounds."""
    return (
        request.target_cents is not None
        or request.wager.maximum_units is not None
        or max(request.nets) <= request.wager.stake_cents
    )


def _most_by_lines(request: SessionRequest, own: Labouchere, terms: _StakeTerms) -> int:
    """Return a bound on the stakes, in units.

    If no win pays more than its stake, the sum of the bankroll and the rest of the line
    grows in each round by at most a new line, and by less than a unit more if a loss is
    not a whole number of units. A target bounds the bankroll.
    """
    assert request.rounds is not None
    unit, limited = terms.unit_cents, request.wager.maximum_units is not None
    if limited and request.strategy.over_maximum is Shortfall.STOP:
        # A lower bound would stop sessions whose stakes the bankroll cuts.
        return terms.most_units
    bounds = [terms.most_units]
    if request.target_cents is not None:
        bounds.append(request.target_cents // unit + 1)
    if max(request.nets) <= unit:
        won = (request.rounds + 1) * (sum(own.start) + 1)
        bounds.append(request.bankroll_cents // unit + won + 1)
    return min(bounds)


@lru_cache(maxsize=8)
def grind(terms: _StakeTerms, first_won: int, first_units: int) -> _StakeFunction:
    """Return `OscarsGrind` as a function; a series begins with these cents and units.

    Its memory is the net result of the series, in cents, and the stake, in units.
    """
    unit_cents, most_units, over_maximum, over_bankroll = terms

    def stake(
        _round: int, bankroll: int, net: int, _units: int, memory: MutableSequence[int]
    ) -> int:
        won, units = memory[0] + net, memory[1]
        begins = units == 0 or won >= unit_cents
        if not begins:
            if net > 0:
                units += 1
            units = min(units, -((won - unit_cents) // unit_cents))
            begins = (over_maximum and units > most_units) or (
                over_bankroll and min(units, most_units) * unit_cents > bankroll
            )
        if begins:
            won, units = first_won, first_units
        memory[0], memory[1] = won, units
        return units

    return stake


@lru_cache(maxsize=8)
def line(terms: _StakeTerms, start: tuple[int, ...], longest: int) -> _StakeFunction:
    """Return `Labouchere` as a function, by its first line and its greatest length.

    Its memory is the length of the line, and its numbers.
    """
    unit_cents, most_units, over_maximum, over_bankroll = terms

    def stake(
        _round: int, bankroll: int, net: int, _units: int, memory: MutableSequence[int]
    ) -> int:
        length = memory[0]
        if net < 0:
            length += 1
            if length <= longest:
                memory[length] = -(net // unit_cents)
            else:
                length = 0
        elif net > 0:
            length = max(0, length - 2)
            for place in range(1, length + 1):
                memory[place] = memory[place + 1]
        units = memory[1] + memory[length] if length > 1 else memory[1]
        if (
            length == 0
            or (over_maximum and units > most_units)
            or (over_bankroll and min(units, most_units) * unit_cents > bankroll)
        ):
            length = len(start)
            for place in range(length):
                memory[place + 1] = start[place]
            units = memory[1] + memory[length] if length > 1 else memory[1]
        memory[0] = length
        return units

    return stake
