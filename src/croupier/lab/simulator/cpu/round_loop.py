"""The compiled loop that plays sessions round by round.

The loop calls global functions to sit down, stake, pay and hand on an ended session.
The functions here are for a table of states and a record; `with_names` replaces them.
They are not closures, because numba can't cache a loop that encloses compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from croupier.lab.simulator.cpu.random_words import (
    Words,
    compiled_bare,
    compiled_inside,
    philox,
    word_cuts,
    word_of,
)
from croupier.lab.simulator.cpu.steps import Numbers, ends, next_turn, row_after
from croupier.lab.simulator.plan import MEMORY, Machine, SessionPlan, SimulationPlan
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

begin, watch = compiled_bare(begin_marks), compiled_bare(mark_bankroll)


class _StatePlayer(NamedTuple):
    """A Player with a table of states; `memory[0]` is the state."""

    memory: Integers
    units: Numbers
    after: Numbers
    short: Numbers


class _SessionTerms(NamedTuple):
    """The bounds of a session, and the pay of its results."""

    rounds: int
    bankroll: int
    rules: StakeRules
    grain_cents: int
    nets: Numbers
    """By result, the net result of a unit; unused by a seat, which has its own."""


class Drawing(NamedTuple):
    """The seed, and the numbers that cut its words into outcomes, in either width."""

    seed: np.uint64
    bits: int
    per_word: int
    per_block: int
    bounds: Words
    sides: Words
    rejecting: Words


class _Room(NamedTuple):
    """The arrays that a loop writes to, because it can't allocate."""

    results: Integers
    """The kinds of results of one block."""
    marks: Integers


def session_terms(plan: SessionPlan) -> _SessionTerms:
    nets = np.array(plan.nets, np.int64)
    return _SessionTerms(plan.rounds, plan.bankroll, plan.rules, plan.grain_cents, nets)


def drawing(plan: SessionPlan) -> Drawing:
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


def new_memory() -> Integers:
    return np.zeros(MEMORY, np.int64)


def new_room(drawn: Drawing) -> _Room:
    return _Room(np.zeros(drawn.per_block, np.int64), np.zeros(MARKS, np.int64))


def with_names(loop: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """Return a copy of the loop's Python source, with these global names replaced."""
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
def pay(nets: Numbers, _player: _StatePlayer, units: int, result: int) -> int:
    won: int = units * nets[result]
    return won


@compiled_bare
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


@compiled_bare
def fill(results: Numbers, block: np.uint64, session: np.uint64, by: Drawing) -> None:
    """Draw the kinds of results of one block."""
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


@compiled_bare
def play_sessions(  # noqa: PLR0917 - a loop is given its columns one by one
    terms: _SessionTerms,
    drawn: Drawing,
    player: Any,
    room: _Room,
    first: int,
    count: int,
    into: Any,
) -> None:
    """Play sessions one after the other, and hand each to the sink."""
    results, marks = room.results, room.marks
    # Numba counts the references to arrays in each round if they are arguments.
    rules, cents = terms.rules, terms.grain_cents
    for place in range(count):
        session = np.uint64(first + place)
        sit_down(player, terms.bankroll)
        begin(marks, terms.bankroll)
        bankroll, rounds, staked = terms.bankroll, 0, 0
        units = won = result = 0
        while True:
            end = ends(bankroll, rules)
            if end == NO_END:
                units, end = stake(
                    rules, cents, player, rounds, bankroll, won, units, result
                )
            if end == NO_END and rounds == terms.rounds:
                end = PLAYING
            if end != NO_END:
                break
            at = rounds % drawn.per_block
            if at == 0:
                fill(results, np.uint64(rounds // drawn.per_block), session, drawn)
            result = results[at]
            won = pay(terms.nets, player, units, result)
            bankroll += won
            staked += units
            rounds += 1
            watch(marks, bankroll)
        sink(into, place, end, rounds, staked, bankroll, marks)


Loop = Callable[[_SessionTerms, Drawing, Any, _Room, int, int, Any], None]
Sit = Callable[[], Any]
"""Returns a new Player for a thread."""


def player_of(plan: SessionPlan, *, is_counted: bool) -> tuple[Loop, Sit]:
    """Return a plan's loop and a maker of Players; raise `SessionError`.

    Sessions of a table of states are counted elsewhere, by steps or by positions.
    """
    if isinstance(plan, SimulationPlan) and isinstance(plan.machine, Machine):
        machine = plan.machine
        tables = (machine.units, machine.after, machine.short)
        arrays = [np.array(table, np.int64) for table in tables]
        return cast("Loop", play_sessions), lambda: _StatePlayer(new_memory(), *arrays)
    from croupier.lab.simulator.cpu.own_loops import own_player

    return own_player(plan, is_counted=is_counted)
