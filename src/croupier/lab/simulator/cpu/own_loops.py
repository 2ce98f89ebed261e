"""The user's functions, compiled into the loop that plays sessions round by round."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, cast

import numba
import numpy as np
from numba.core.errors import NumbaError
from numba.experimental import jitclass  # type: ignore[attr-defined]

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.cpu.random_words import compiled_bare
from croupier.lab.simulator.cpu.round_loop import (
    Loop,
    Sit,
    new_memory,
    play_sessions,
    with_names,
)
from croupier.lab.simulator.cpu.session_counts import CountTerms, Share, count
from croupier.lab.simulator.cpu.steps import stakes
from croupier.lab.simulator.own.plan import OwnPlan
from croupier.lab.simulator.own.seat import COUNTS, FLAGS, ROOMS, TABLES, Seat
from croupier.lab.simulator.plan import OwnFunction, SessionPlan
from croupier.lab.simulator.session_records import Integers
from croupier.lab.simulator.stakes import StakeRules

_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""Colour escapes in the compiler's messages."""
_INSIDE = numba.njit(nogil=True, forceinline=True)

_Names = dict[str, Callable[..., Any]]
"""Functions that replace the loop's own, by name."""


def own_player(plan: SessionPlan, *, is_counted: bool) -> tuple[Loop, Sit]:
    """Return the loop of a user's function, and a maker of Players."""
    if isinstance(plan, OwnPlan):
        seat_type = _seat_class().class_type.instance_type
        asked = _compiled(plan.function, plan.name, seat_type)
        tables = [getattr(plan, name) for name in TABLES]
        is_limited = plan.is_limited

        def sit() -> Any:
            rooms = (np.zeros(size, np.int64) for size in ROOMS.values())
            return _seat_class()(*tables, is_limited, *rooms)

        return _loop(_seat_names, asked, is_counted), sit
    own: OwnFunction = plan.own
    whole = numba.types.int64
    asked = _compiled(own.function, own.name, *[whole] * 4, whole[::1])
    _check_whole(own.name, asked.nopython_signatures[0].return_type)
    return _loop(_function_names, asked, is_counted), new_memory


@lru_cache(maxsize=8)
def _compiled(function: Callable[..., Any], name: str, *arguments: Any) -> Any:
    """Compile the function once for all bankrolls and limits."""
    # An index outside `memory` must be an error, not a read of other memory.
    asked = numba.njit(boundscheck=True)(getattr(function, "py_func", function))
    try:
        asked.compile(arguments)
    except (NumbaError, TypeError) as error:
        raise SessionError(
            f"the strategy {name} can't be compiled: {_first_sentence(error)}; the"
            " engine plain plays it as it is"
        ) from error
    return asked


def _check_whole(name: str, found: object) -> None:
    """Check the compiled type of a function's result."""
    if not isinstance(found, numba.types.Integer | numba.types.Boolean):
        raise SessionError(
            f"the strategy {name} must return a whole number of units, and it returns"
            f" {found}"
        )


def _first_sentence(error: Exception) -> str:
    lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in")]
    return told[0].rstrip(":") if told else type(error).__name__


@cache
def _seat_class() -> Any:
    """Return `Seat` as a compiled class, with arrays."""
    many = dict.fromkeys((*TABLES, *ROOMS), numba.types.int64[::1])
    wholes = dict.fromkeys(COUNTS, numba.types.int64)
    flags = dict.fromkeys(FLAGS, numba.types.boolean)
    return jitclass({**many, **wholes, **flags})(Seat)


def _function_names(asked: Callable[..., Any]) -> _Names:
    """Return the loop's functions for a user's function of units."""

    def clear(memory: Integers, _bankroll: int) -> None:
        for place in range(len(memory)):
            memory[place] = 0

    def stake(  # noqa: PLR0917 - a loop is given its columns one by one
        rules: StakeRules,
        cents: int,
        memory: Integers,
        rounds: int,
        bankroll: int,
        won: int,
        units: int,
        _result: int,
    ) -> tuple[int, int]:
        wanted = asked(rounds, bankroll * cents, won * cents, units, memory)
        staked, end, _ = stakes(int(wanted), 0, bankroll, rules)
        return staked, end

    return {"sit_down": clear, "stake": stake}


def _seat_names(asked: Callable[..., Any]) -> _Names:
    """Return the loop's functions for a user's function of a seat."""

    def sit_down(seat: Any, bankroll: int) -> None:
        seat.sit_down(bankroll)

    def stake(
        _rules: StakeRules,
        _cents: int,
        seat: Any,
        _rounds: int,
        _bankroll: int,
        _won: int,
        _units: int,
        _result: int,
    ) -> Any:
        asked(seat)
        return seat.stake()

    def pay(_nets: Integers, seat: Any, _units: int, case: int) -> Any:
        return seat.settle(case)

    return {"sit_down": sit_down, "stake": stake, "pay": pay}


@compiled_bare
def _unwatched(marks: Integers, bankroll: int) -> None:
    """Mark nothing: the sessions are only counted."""


@compiled_bare
def _tally(
    into: tuple[CountTerms, Share],
    _place: int,
    end: int,
    rounds: int,
    staked: int,
    bankroll: int,
    _marks: Integers,
) -> None:
    count(end, rounds, staked, bankroll, into[0], into[1])


@lru_cache(maxsize=8)
def _loop(
    names: Callable[[Callable[..., Any]], _Names],
    asked: Callable[..., Any],
    is_counted: bool,
) -> Loop:
    given: _Names = {name: _INSIDE(source) for name, source in names(asked).items()}
    if is_counted:
        given |= {"watch": _unwatched, "sink": _tally}
    return cast("Loop", numba.njit(nogil=True)(with_names(play_sessions, **given)))
