"""Compiles the request of a session into the plan that engines play."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, islice
from math import gcd
from numbers import Integral
from typing import Any

from croupier.errors import plain_int
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.exploration import (
    MAXIMUM_STATES,
    FoundState,
    PointSpan,
    StateWalk,
    TooManyStates,
    WalkRules,
)
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.strategy import (
    FunctionStrategy,
    PlayedState,
    Shortfall,
    too_large,
)
from croupier.lab.simulator.plan import MOST_UNITS, Machine, OwnFunction, SimulationPlan
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lab.simulator.strategy_functions import function_of
from croupier.lab.simulator.stream import Dice
from croupier.rules.notation import shown

MAXIMUM_SESSIONS = 10**12
_MAXIMUM_SEED = 2**64 - 1
_DRAWN_BITS = 48
"""The length of a drawn seed, which people write down."""
_HIGHEST = 2**62
"""In grains: larger bankrolls could not be counted exactly."""
_MAXIMUM_SHORT_ROWS = 200_000
_HASTE = 20_000
"""After these steps of the walk, the first state is taken to meet every bankroll.

Each series of a strategy begins there, often with a slightly larger bankroll.
"""
_PATIENCE = 500_000
"""After these steps of the walk, every state is taken to meet every bankroll."""
_MAXIMUM_CUTS = 250_000

_Row = list[int | None]
"""The place of the next state by kind of result; None if the result can't come."""


def compile_plan(
    request: SessionRequest, *, sessions: int, seed: int | None = None
) -> SimulationPlan:
    """Return the plan of a simulation; raise `SessionError`."""
    if request.rounds is None:
        raise SessionError("a simulation needs a number of rounds")
    asked = checked_number(sessions, MAXIMUM_SESSIONS, "a simulation", "sessions")
    numbers = asked, checked_seed(seed)
    if isinstance(request.strategy, FunctionStrategy):
        own = _own_function(request, request.strategy)
        plan = _checked(_plan(request, own, *numbers))
        _try_function(plan, own)
        return plan
    walk = _MachineWalk(request)
    try:
        walk.follow_rounds(request.rounds)
        machine = _machine(walk)
    except (TooManyStates, TooManyCuts) as error:
        function = function_of(request)
        if function is None:
            raise _refusal(request, error) from error
        return _checked(_plan(request, function, *numbers))
    plan = _plan(request, machine, *numbers)
    summit = walk.lattice.cents(walk.highest) // plan.grain_cents
    return _checked(replace(plan, summit=summit))


def _checked(plan: SimulationPlan) -> SimulationPlan:
    if plan.highest >= _HIGHEST:
        large = "the bankrolls can grow too large to be counted"
        raise too_large(large)
    return plan


def checked_number(given: int, most: int, what: str, of: str) -> int:
    """Return a number of rounds or sessions; raise `SessionError`."""
    number = plain_int(given)
    if type(number) is not int or not 1 <= number <= most:
        raise SessionError(f"{what} has 1 to {most:,} {of}, not {shown(str(number))}")
    return number


def checked_seed(given: int | None) -> int:
    """Return the seed, or draw one; raise `SessionError`."""
    if given is None:
        return int.from_bytes(os.urandom(_DRAWN_BITS // 8), "big")
    seed = plain_int(given)
    if type(seed) is not int or not 0 <= seed <= _MAXIMUM_SEED:
        raise SessionError(
            f"a seed is a whole number from 0 to {_MAXIMUM_SEED}, not"
            f" {shown(str(seed))}"
        )
    return seed


def _plan(
    request: SessionRequest, machine: Machine | OwnFunction, sessions: int, seed: int
) -> SimulationPlan:
    assert request.rounds is not None
    result, unit = request.wager.result, request.wager.stake_cents
    nets, floor = request.nets, request.floor_cents
    bounds = [cents for cents in (request.target_cents, floor) if cents and cents > 0]
    grain = gcd(request.bankroll_cents, unit, *nets, *bounds)
    # A die has two sides or more, even if there is only one result.
    sides = max(result.denominator, 2)
    scale = sides // result.denominator
    target = request.target_cents
    return SimulationPlan(
        seed=seed,
        sessions=sessions,
        rounds=request.rounds,
        dice=Dice(sides),
        ends=tuple(scale * end for end in accumulate(result.numerators)),
        nets=tuple(net // grain for net in nets),
        unit=unit // grain,
        bankroll=request.bankroll_cents // grain,
        target=None if target is None else target // grain,
        floor=floor // grain,
        machine=machine,
        grain_cents=grain,
    )


def _own_function(request: SessionRequest, strategy: FunctionStrategy) -> OwnFunction:
    most, over_maximum = request.wager.maximum_units, strategy.over_maximum
    if most is None:
        most, over_maximum = MOST_UNITS, strategy.over_bankroll
    if request.target_cents is not None and over_maximum is strategy.over_bankroll:
        # No bankroll below the target pays for more.
        most = min(most, request.target_cents // request.wager.stake_cents + 1)
    return OwnFunction(
        strategy.name,
        strategy.function,
        min(most, MOST_UNITS),
        over_maximum,
        strategy.over_bankroll,
    )


class TooManyCuts(Exception):
    """The bankroll can cut more stakes than a table may have rows."""


class _MachineWalk(StateWalk):
    """A walk that may meet too many bankrolls, but never too few."""

    def __init__(self, request: SessionRequest) -> None:
        rules = WalkRules(
            patience=_PATIENCE,
            most_units=min(request.wager.maximum_units or MOST_UNITS, MOST_UNITS),
            keeps_unpaid=True,
        )
        self.by_sign = request.strategy.by_sign
        self._cuts = 0
        super().__init__(request, rules)

    def hasten(self) -> None:
        if self.target is not None and self.steps > _HASTE:
            self.meet_everywhere(self.played.first)

    def cut_stakes(self, fewest: int, most: int) -> Iterable[int]:
        """Return no stakes if only winning or losing counts: see `_follow_cut`."""
        if self.by_sign:
            return ()
        self._cuts += max(0, most + 1 - fewest)
        if self._cuts > _MAXIMUM_CUTS:
            raise TooManyCuts
        return range(fewest, most + 1)

    def cut_span(self, state: PlayedState, span: PointSpan) -> PointSpan | None:
        """Return the span whose bankrolls cut the stake, if one row serves them all."""
        if not self.by_sign or self.over_bankroll is not Shortfall.STAKE_ALLOWED:
            return None
        high = min(span.high, self.point(state.units)) if state.units else 0
        return PointSpan(span.low, high) if span.low < high else None

    def _follow(self, found: FoundState, fresh: PointSpan) -> None:
        super()._follow(found, fresh)
        cut = self.cut_span(found.played, fresh)
        if cut is not None:
            self._follow_cut(found, cut)

    def _follow_cut(self, found: FoundState, cut: PointSpan) -> None:
        """Follow, as one span, all stakes that the bankroll can't pay in full.

        A bankroll of u units and a rest becomes u × (unit + net) and the same rest.
        If net is zero or more, that rises with the bankroll. Otherwise it lies between
        two bounds: the fewest units without a rest, and the most units with the largest
        rest. So no bankroll is left out, even if the span crosses the target.
        """
        unit, lattice = self.unit_cents, self.lattice
        first, last = lattice.cents(cut.low), lattice.cents(cut.high - 1)
        fewest, most = first // unit, last // unit
        self.steps += len(self.nets)
        for net in self.nets:
            if net >= 0:
                low, high = first + fewest * net, last + most * net
                self.highest = max(self.highest, lattice.first_at(high))
            else:
                low = fewest * (unit + net)
                high = min(most * (unit + net) + unit - 1, last + fewest * net)
            span = PointSpan(lattice.first_at(low), lattice.first_at(high + 1))
            points = span.moved(0, self.least_played, self._top)
            if points is not None:
                state = self.after(found, fewest * net)
                self._meet(state, points)


def _refusal(
    request: SessionRequest, error: TooManyStates | TooManyCuts
) -> SessionError:
    """Return the error for a strategy that neither a table nor a function can play."""
    name = f"the strategy {request.strategy.name}"
    if isinstance(error, TooManyCuts):
        return SessionError(
            f"{name} has too many stakes that the bankroll may cut: let it stop or"
            " start again there (over_bankroll), or stake a larger unit"
        )
    many = (
        f"{name} has more than {MAXIMUM_STATES:,} states in {request.rounds:,} rounds"
    )
    return too_large(many)


def _machine(walk: _MachineWalk) -> Machine:
    rows: list[_Row] = []
    extra: list[_Row] = []
    short: list[int] = []
    nothing: _Row = [None] * len(walk.nets)
    for found in walk.found:
        by_units = dict(_rows(walk, found))
        together = _together(by_units.values(), len(walk.nets))
        if together is None:
            rows.append(by_units.pop(found.played.units, nothing))
            short.append(len(walk.found) + len(extra))
            most = max(by_units, default=0)
            extra.extend(by_units.get(u, nothing) for u in range(1, most + 1))
        else:
            rows.append(together)
            short.append(-1)
        if len(extra) > _MAXIMUM_SHORT_ROWS:
            raise TooManyCuts
    after = tuple(tuple(place or 0 for place in row) for row in (*rows, *extra))
    # A stake that no bankroll pays is lowered, but so that still none pays it.
    units = tuple(
        min(
            found.played.units,
            walk.lattice.cents(found.points.high - 1) // walk.unit_cents + 1,
        )
        for found in walk.found
    )
    positions = sum(found.points.high - found.points.low for found in walk.found)
    return Machine(units, after, tuple(short), walk.over_bankroll, positions)


def _rows(walk: _MachineWalk, found: FoundState) -> Iterator[tuple[int, _Row]]:
    """Yield the states after each stake by kind of result; one row if signs suffice."""
    span = found.followed
    if span is None:
        return
    if walk.by_sign:
        _check_signs(walk, found)
    stakes = [units for units, _, _ in walk.stakes(found.played, *span)]
    if not stakes and (cut := walk.cut_span(found.played, span)) is not None:
        stakes = [walk.lattice.cents(cut.low) // walk.unit_cents]
    for units in stakes:
        afters = [walk.after(found, units * net) for net in walk.nets]
        yield units, [walk.places.get(state) for state in afters]


def _check_signs(walk: _MachineWalk, found: FoundState) -> None:
    """Check that only winning or losing mattered in the states that were followed."""
    by_sign: dict[int, PlayedState] = {}
    for won, state in found.afters.items():
        if by_sign.setdefault((won > 0) - (won < 0), state) is not state:
            raise SessionError(
                f"{walk.played.name} promises by `by_sign` that only winning or losing"
                " counts, but what comes next depends on how much"
            )


def _together(rows: Iterable[_Row], kinds: int) -> _Row | None:
    """Return one row that agrees with all of these; None if they differ."""
    merged: _Row = [None] * kinds
    for row in rows:
        for kind, place in enumerate(row):
            if place is not None and merged[kind] not in {None, place}:
                return None
            merged[kind] = merged[kind] if place is None else place
    return merged


_TRIED_ROUNDS = 100


def _try_function(plan: SimulationPlan, own: OwnFunction) -> None:
    """Play a few rounds with a function; raise `SessionError` if it fails."""
    from croupier.lab.simulator.plain import course

    def checked(*given: Any) -> int:
        try:
            units: object = own.function(*given)
        except Exception as error:
            raise SessionError(f"{own.name} failed: {one_line(error)}") from error
        if isinstance(units, bool) or not isinstance(units, Integral):
            raise SessionError(
                f"{own.name} must return a whole number of units, not {units!r:.40}"
            )
        if given[0] == 0 and units <= 0:
            raise SessionError(f"{own.name} stakes nothing at the start")
        return int(units)

    tried = replace(plan, machine=replace(own, function=checked))
    first, *_ = islice(course(tried, 0), _TRIED_ROUNDS)
    if first.end is not SessionEnd.PLAYING:
        raise SessionError(
            f"{own.name} asks at the start for more than is allowed, and stops there"
        )


def one_line(error: BaseException) -> str:
    said = " ".join(f"{error}".split())[:200]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
