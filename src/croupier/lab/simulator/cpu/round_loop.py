"""Sessions round by round, compiled: one loop for records, functions and seats.

The loop names the functions by which a Player sits down, stakes and is paid, and where
an ended session goes: here those of a table of states, and of a record. `with_names`
puts others in their place. They are names and no closures, because numba keeps no loop
on disk that encloses other compiled functions.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from croupier.lab.simulator.cpu.random_words import (
    DrawnOutcomes,
    Words,
    compiled_inside,
    compiled_loop,
    philox,
    word_cuts,
    word_of,
)
from croupier.lab.simulator.cpu.step_table import Numbers, ends, next_turn, row_after
from croupier.lab.simulator.plan import MEMORY, Machine, SimulationPlan
from croupier.lab.simulator.session_records import (
    COLUMNS,
    MARKS,
    Integers,
    begin_marks,
    mark_bankroll,
)
from croupier.lab.simulator.stakes import NO_END, PLAYING, StakeRules

_FIRST_MARK = len(COLUMNS) - (MARKS - 1)
_NONE, _ONE = np.uint64(0), np.uint64(1)
_LOWER = np.uint64(0xFFFFFFFF)

begin, watch = compiled_loop(begin_marks), compiled_loop(mark_bankroll)


class _StatePlayer(NamedTuple):
    """A Player who goes by a table of states; the state is the first of the memory."""

    memory: Integers
    units: Numbers
    after: Numbers
    short: Numbers


class SessionTerms(NamedTuple):
    """The bounds of a session, and what its results pay."""

    rounds: int
    bankroll: int
    rules: StakeRules
    grain_cents: int
    pays: Numbers
    """By result: what a unit wins or loses; of a seat by result and area."""


class Drawing(NamedTuple):
    """How outcomes are drawn by a seed and cut from words of either width."""

    seed: np.uint64
    bits: int
    per_word: int
    per_block: int
    bounds: Words
    sides: Words
    rejecting: Words


class Room(NamedTuple):
    """Where a loop writes, which does not allocate by itself."""

    results: Integers
    """Of one block of rounds."""
    marks: Integers


def session_terms(plan: SimulationPlan) -> SessionTerms:
    nets = np.array(plan.nets, np.int64)
    return SessionTerms(plan.rounds, plan.bankroll, plan.rules, plan.grain_cents, nets)


def drawing(plan: DrawnOutcomes) -> Drawing:
    dice, cuts = plan.dice, word_cuts(plan, plan.dice.bits)
    return Drawing(
        np.uint64(plan.seed),
        dice.bits,
        dice.per_word,
        dice.per_block,
        cuts.bounds.astype(np.uint64),
        cuts.sides.astype(np.uint64),
        cuts.rejecting.astype(np.uint64),
    )


def _state_player(machine: Machine) -> _StatePlayer:
    tables = (machine.units, machine.after, machine.short)
    arrays = (np.array(table, np.int64) for table in tables)
    return _StatePlayer(new_memory(), *arrays)


def new_memory() -> Integers:
    return np.zeros(MEMORY, np.int64)


def new_room(drawn: Drawing) -> Room:
    return Room(np.zeros(drawn.per_block, np.int64), np.zeros(MARKS, np.int64))


def with_names(loop: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """Return the source of a loop with other functions in place of these names."""
    source: Any = getattr(loop, "py_func", loop)
    return FunctionType(source.__code__, {**source.__globals__, **names})


@compiled_inside
def sit_down(player: _StatePlayer, _bankroll: int) -> None:
    player.memory[0] = 0


@compiled_inside
def stake(  # noqa: PLR0917 - a loop is given its columns one by one
    rules: StakeRules,
    _cents: int,
    player: _StatePlayer,
    rounds: int,
    bankroll: int,
    _won: int,
    units: int,
    result: int,
) -> tuple[int, int]:
    """Return the units staked, and an end or `NO_END`."""
    state = player.memory[0]
    if rounds > 0:
        row = row_after(state, units, player.units, player.short)
        state = player.after[row, result]
    state, staked, end = next_turn(bankroll, state, player.units, rules)
    player.memory[0] = state
    return staked, end


@compiled_inside
def pay(pays: Numbers, _player: _StatePlayer, units: int, result: int) -> int:
    won: int = units * pays[result]
    return won


@compiled_loop
def record(  # noqa: PLR0917 - a loop is given its columns one by one
    into: Integers,
    place: int,
    end: int,
    rounds: int,
    staked: int,
    bankroll: int,
    marks: Integers,
) -> None:
    """Record an ended session in a column."""
    into[0, place] = end
    into[1, place] = rounds
    into[2, place] = staked
    into[3, place] = bankroll
    for each in range(MARKS - 1):
        into[_FIRST_MARK + each, place] = marks[each]


sink = record


@compiled_loop
def fill(results: Numbers, block: np.uint64, session: np.uint64, by: Drawing) -> None:
    """Fill in the kinds of results of one block."""
    first = philox(block, session, _NONE, by.seed)
    mask = _LOWER if by.bits == 32 else ~_NONE
    words = by.per_block // by.per_word
    for place in range(words):
        word, attempt = word_of(first, place, words), _NONE
        while (word * by.rejecting[0]) & mask < by.rejecting[1]:
            attempt += _ONE
            word = word_of(philox(block, session, attempt, by.seed), place, words)
        for digit in range(by.per_word):
            kind = 0
            for bound in by.bounds:
                kind += word >= bound
            results[place * by.per_word + digit] = kind
            word = (word * by.sides[0]) & mask


@compiled_loop
def play_session(  # noqa: PLR0917 - a loop is given its columns one by one
    terms: SessionTerms,
    drawn: Drawing,
    player: Any,
    session: np.uint64,
    results: Integers,
    marks: Integers,
) -> tuple[int, int, int, int]:
    """Play a session; return its end, rounds, staked units and bankroll."""
    sit_down(player, terms.bankroll)
    begin(marks, terms.bankroll)
    bankroll, rounds, staked = terms.bankroll, 0, 0
    units = won = result = 0
    # Arrays among a function's arguments would be counted in each round.
    rules, cents = terms.rules, terms.grain_cents
    while True:
        end = ends(bankroll, rules)
        if end == NO_END:
            units, end = stake(
                rules, cents, player, rounds, bankroll, won, units, result
            )
        if end == NO_END and rounds == terms.rounds:
            end = PLAYING
        if end != NO_END:
            return end, rounds, staked, bankroll
        at = rounds % drawn.per_block
        if at == 0:
            fill(results, np.uint64(rounds // drawn.per_block), session, drawn)
        result = results[at]
        won = pay(terms.pays, player, units, result)
        bankroll += won
        staked += units
        rounds += 1
        watch(marks, bankroll)


@compiled_loop
def play_sessions(  # noqa: PLR0917 - a loop is given its columns one by one
    terms: SessionTerms,
    drawn: Drawing,
    player: Any,
    room: Room,
    first: int,
    count: int,
    into: Any,
) -> None:
    """Play sessions one after the other; each goes to the sink."""
    for place in range(count):
        end, rounds, staked, bankroll = play_session(
            terms, drawn, player, np.uint64(first + place), room.results, room.marks
        )
        sink(into, place, end, rounds, staked, bankroll, room.marks)


Loop = Callable[[SessionTerms, Drawing, Any, Room, int, int, Any], None]


def course_recorder(plan: SimulationPlan) -> Callable[[int, Integers], None]:
    """Return a function that records sessions of the plan, in grains and units."""
    terms, drawn, machine = session_terms(plan), drawing(plan), plan.machine
    loop, player = cast("Loop", play_sessions), cast("Any", None)
    if isinstance(machine, Machine):
        player = _state_player(machine)
    else:
        from croupier.lab.simulator.cpu.function_sessions import compile_own

        loop, player = compile_own(machine, is_counted=False), new_memory()

    def record_sessions(first: int, into: Integers) -> None:
        loop(terms, drawn, player, new_room(drawn), first, into.shape[1], into)

    return record_sessions
