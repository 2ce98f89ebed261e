"""Records of single sessions of a plan, compiled: the course of each bankroll."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numba
import numpy as np

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.cpu.function_sessions import (
    OwnTerms,
    compiled_function,
    fill,
    own_cuts,
    own_terms,
    session_of,
)
from croupier.lab.simulator.cpu.random_words import WordCuts, compiled_loop
from croupier.lab.simulator.cpu.session_counts import (
    NO_END,
    PLAYING,
    RUINED,
    STOPPED,
    Bounds,
    bounds,
    end_by_bankroll,
)
from croupier.lab.simulator.cpu.step_table import Numbers
from croupier.lab.simulator.plan import MEMORY, Machine, OwnFunction, SimulationPlan
from croupier.lab.simulator.session_records import (
    COLUMNS,
    MARKS,
    Integers,
    begin_marks,
    mark_bankroll,
)

FIRST_MARK = len(COLUMNS) - (MARKS - 1)
"""The column of the first mark."""

begin, mark = compiled_loop(begin_marks), compiled_loop(mark_bankroll)


class MachineTerms(NamedTuple):
    """A table of states, what bounds a session, how outcomes are cut from words."""

    rounds: int
    bankroll: int
    bounds: Bounds
    starts_again: bool
    stops: bool
    units: Numbers
    after: Numbers
    short: Numbers
    nets: Numbers
    bits: int
    per_word: int
    per_block: int


def course_recorder(plan: SimulationPlan) -> Callable[[int, Integers], None]:
    """Return what records sessions of the plan, in grains and units."""
    cuts, seed = own_cuts(plan), np.uint64(plan.seed)
    if isinstance(plan.machine, OwnFunction):
        asked = compiled_function(plan.machine)
        terms = own_terms(plan, plan.machine)
        return partial(_function_loop(asked), terms, cuts, seed)
    machine, room = _machine_terms(plan, plan.machine), _Room.of(plan)
    return partial(_record_machine, machine, cuts, seed, room)


def _machine_terms(plan: SimulationPlan, machine: Machine) -> MachineTerms:
    return MachineTerms(
        rounds=plan.rounds,
        bankroll=plan.bankroll,
        bounds=bounds(plan),
        starts_again=machine.over_bankroll is Shortfall.START_AGAIN,
        stops=machine.over_bankroll is Shortfall.STOP,
        units=np.array(machine.units, np.int64),
        after=np.array(machine.after, np.int64).reshape(-1),
        short=np.array(machine.short, np.int64),
        nets=np.array(plan.nets, np.int64),
        bits=plan.dice.bits,
        per_word=plan.dice.per_word,
        per_block=plan.dice.per_block,
    )


class _Room(NamedTuple):
    """Where a loop writes, which does not allocate by itself."""

    results: Numbers
    """Of one block of rounds."""
    marks: Integers

    @classmethod
    def of(cls, plan: SimulationPlan) -> _Room:
        results = np.zeros(plan.dice.per_block, np.int64)
        return cls(results, np.zeros(MARKS, np.int64))


@compiled_loop
def _record_machine(  # noqa: PLR0917 - a loop is given its columns one by one
    terms: MachineTerms,
    cuts: WordCuts,
    seed: np.uint64,
    room: _Room,
    first: int,
    into: Integers,
) -> None:
    """Play sessions by a table of states, as `plain` says."""
    results, marks = room.results, room.marks
    kinds = len(terms.nets)
    for place in range(into.shape[1]):
        state, rounds, staked, bankroll = 0, 0, 0, terms.bankroll
        begin(marks, bankroll)
        while True:
            stake, state, end = _machine_stake(terms, state, bankroll)
            if end == NO_END and rounds == terms.rounds:
                end = PLAYING
            if end != NO_END:
                break
            at = rounds % terms.per_block
            if at == 0:
                block = np.uint64(rounds // terms.per_block)
                fill(results, block, np.uint64(first + place), seed, cuts, terms)
            row = state
            if stake < terms.units[row] and terms.short[row] >= 0:
                row = terms.short[row] + stake - 1
            state = terms.after[row * kinds + results[at]]
            bankroll += stake * terms.nets[results[at]]
            staked += stake
            rounds += 1
            mark(marks, bankroll)
        write_record(into, place, end, rounds, staked, bankroll, marks)


@compiled_loop
def _machine_stake(
    terms: MachineTerms, state: int, bankroll: int
) -> tuple[int, int, int]:
    """Return the units staked, the state that they are staked in, and an end."""
    end = end_by_bankroll(bankroll, terms.bounds)
    if end != NO_END:
        return 0, state, end
    stake, allowed = terms.units[state], bankroll // terms.bounds.unit
    if stake == 0:
        return 0, state, STOPPED
    if stake <= allowed:
        return stake, state, NO_END
    if terms.stops:
        return 0, state, STOPPED
    if not terms.starts_again:
        return allowed, state, NO_END
    if state == 0 or terms.units[0] > allowed:
        return 0, state, RUINED
    return terms.units[0], 0, NO_END


@compiled_loop
def write_record(  # noqa: PLR0917 - a loop is given its columns one by one
    into: Integers,
    place: int,
    end: int,
    rounds: int,
    staked: int,
    bankroll: int,
    marks: Integers,
) -> None:
    into[0, place] = end
    into[1, place] = rounds
    into[2, place] = staked
    into[3, place] = bankroll
    for each in range(MARKS - 1):
        into[FIRST_MARK + each, place] = marks[each]


@lru_cache(maxsize=8)
def _function_loop(asked: Callable[..., Any]) -> Callable[..., None]:
    """Return the loop over sessions for one function of the user's own."""
    play_session = session_of(asked, mark)

    def record_own(
        terms: OwnTerms, cuts: WordCuts, seed: np.uint64, first: int, into: Integers
    ) -> None:
        memory = np.zeros(MEMORY, np.int64)
        results = np.zeros(terms.per_block, np.int64)
        marks = np.zeros(MARKS, np.int64)
        for place in range(into.shape[1]):
            begin(marks, terms.bankroll)
            session = np.uint64(first + place)
            end, rounds, staked, bankroll = play_session(
                terms, cuts, seed, session, memory, results, marks
            )
            write_record(into, place, end, rounds, staked, bankroll, marks)

    made: Callable[..., None] = numba.njit(nogil=True)(record_own)
    return made
