"""Sessions calculated again: all positions in a dictionary, in whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from tests.figures.oracle.strategies import START_AGAIN, STOP, State, Strategy

REACHED, RUINED, STOPPED, PLAYING = "reached", "ruined", "stopped", "playing"
STOPPED_BY_LOSS = "stopped_by_loss"
"""The part of what has stopped that the stop-loss has; counted apart."""


@dataclass(frozen=True)
class Plan:
    """What is played: a unit's net results with their weights, and when it ends."""

    unit_cents: int
    nets: Mapping[int, int]
    bankroll: int
    strategy: Strategy
    target: int | None = None
    rounds: int | None = None
    maximum_units: int | None = None
    over_maximum: str = ""
    over_bankroll: str = ""
    stop_loss: int | None = None

    @property
    def whole(self) -> int:
        return sum(self.nets.values())


@dataclass(frozen=True)
class Position:
    """The position of a session before a round; `cents` is the bankroll."""

    state: State
    cents: int


@dataclass(frozen=True)
class Course:
    """The positions of a session after a number of rounds."""

    ends: Mapping[str, Fraction]
    bankrolls: Mapping[int, Fraction]


@dataclass(frozen=True)
class Session:
    """The figures of a session: its ends, its bankrolls, and what it takes."""

    ends: Mapping[str, Fraction]
    bankrolls: Mapping[int, Fraction]
    rounds_played: Fraction
    staked_cents: Fraction
    course: tuple[Course, ...] = ()


def first_position(plan: Plan) -> Position:
    return Position(plan.strategy.start, plan.bankroll)


def next_round(plan: Plan, here: Position) -> tuple[Position, int] | str:
    """Return the position that a round is played from and its units, or the end."""
    strategy = plan.strategy
    again = replace(here, state=strategy.start)
    most = inf if plan.maximum_units is None else plan.maximum_units
    pays_for = here.cents // plan.unit_cents
    leaves = STOPPED if pays_for >= 1 else RUINED
    if plan.target is not None and here.cents >= plan.target:
        return REACHED
    if plan.stop_loss is not None and here.cents <= plan.bankroll - plan.stop_loss:
        return STOPPED_BY_LOSS if pays_for >= 1 else RUINED
    units = strategy.units(here.state)
    if units == 0:
        return leaves
    if units > most:
        rule = plan.over_maximum or strategy.over_maximum
        if rule == STOP:
            return leaves
        here = again if rule == START_AGAIN else here
        units = int(min(strategy.units(here.state), most))
    if units > pays_for:
        rule = plan.over_bankroll or strategy.over_bankroll
        if rule == STOP:
            return leaves
        here = again if rule == START_AGAIN else here
        first = int(min(strategy.units(strategy.start), most))
        units = first if rule == START_AGAIN else pays_for
    return (here, units) if 0 < units <= pays_for else RUINED


def steps(plan: Plan, here: Position, units: int) -> Iterator[tuple[Position, int]]:
    """Yield each position after the round, with its weight."""
    for net, weight in plan.nets.items():
        won = Fraction(net * units, plan.unit_cents)
        state = plan.strategy.after(here.state, won) if net else here.state
        yield Position(state, here.cents + net * units), weight


def play(plan: Plan) -> Session:
    """Play a number of rounds: every position, with its weight."""
    assert plan.rounds is not None
    whole = plan.whole
    ended: Counter[tuple[str, int]] = Counter()
    alive: Counter[Position] = Counter({first_position(plan): 1})
    rounds_played = staked = 0
    course = []
    for _ in range(plan.rounds):
        ended = Counter({end: weight * whole for end, weight in ended.items()})
        rounds_played *= whole
        staked *= whole
        following: Counter[Position] = Counter()
        for position, weight in alive.items():
            found = next_round(plan, position)
            assert not isinstance(found, str)
            here, units = found
            rounds_played += weight * whole
            staked += weight * whole * units * plan.unit_cents
            for there, chance in steps(plan, here, units):
                following[there] += weight * chance
        alive = Counter()
        for position, weight in following.items():
            found = next_round(plan, position)
            if isinstance(found, str):
                ended[found, position.cents] += weight
            else:
                alive[position] += weight
        course.append(_course(ended, alive))
    total = sum(ended.values()) + sum(alive.values())
    return Session(
        course[-1].ends,
        course[-1].bankrolls,
        Fraction(rounds_played, total),
        Fraction(staked, total),
        tuple(course),
    )


def _course(
    ended: Mapping[tuple[str, int], int], alive: Mapping[Position, int]
) -> Course:
    total = sum(ended.values()) + sum(alive.values())
    ends: Counter[str] = Counter()
    bankrolls: Counter[int] = Counter()
    for (end, cents), weight in ended.items():
        ends[end] += weight
        bankrolls[cents] += weight
    for position, weight in alive.items():
        ends[PLAYING] += weight
        bankrolls[position.cents] += weight
    return Course(
        {end: Fraction(weight, total) for end, weight in ends.items()},
        {cents: Fraction(bankrolls[cents], total) for cents in sorted(bankrolls)},
    )
