"""Sessions by a function of the user's own, compiled together with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numba
from numba.core.errors import NumbaError

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.cpu.random_words import compiled_loop
from croupier.lab.simulator.cpu.round_loop import (
    Loop,
    play_session,
    play_sessions,
    record,
    with_names,
)
from croupier.lab.simulator.cpu.session_counts import CountTerms, Share, count
from croupier.lab.simulator.cpu.step_table import stakes
from croupier.lab.simulator.plan import OwnFunction
from croupier.lab.simulator.session_records import Integers
from croupier.lab.simulator.stakes import StakeRules

_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""What the compiler sets its words in bold with."""


def compile_own(own: OwnFunction, *, is_counted: bool) -> Loop:
    """Return a loop over sessions that counts or records; or raise `SessionError`."""
    return _loop(_compiled(own.function, own.name), is_counted)


@lru_cache(maxsize=8)
def _compiled(function: Callable[..., int], name: str) -> Callable[..., Any]:
    """Compile it once, whatever bankroll and limits bound its stakes."""
    source = getattr(function, "py_func", function)
    # An index outside `memory` must be an error, not another's memory.
    asked = numba.njit(boundscheck=True)(source)
    whole = numba.types.int64
    try:
        asked.compile((whole, whole, whole, whole, numba.types.int64[::1]))
    except NumbaError as error:
        raise SessionError(
            f"the strategy {name} can't be compiled: {first_sentence(error)}"
        ) from error
    [found] = asked.nopython_signatures
    check_whole(name, found.return_type)
    return cast("Callable[..., Any]", asked)


def check_whole(name: str, found: object) -> None:
    """Check the type that the compiler has found for what a function returns."""
    if not isinstance(found, numba.types.Integer | numba.types.Boolean):
        raise SessionError(
            f"the strategy {name} must return a whole number of units, and it returns"
            f" {found}"
        )


def first_sentence(error: Exception) -> str:
    """Return what the compiler did not like, without its many other lines."""
    lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in")]
    return told[0].rstrip(":") if told else type(error).__name__


def stake_of(asked: Callable[..., Any]) -> Callable[..., tuple[int, int]]:
    """Return the source of a stake by a function of units."""

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

    return stake


@compiled_loop
def clear(memory: Integers, _bankroll: int) -> None:
    for place in range(len(memory)):
        memory[place] = 0


@compiled_loop
def unwatched(marks: Integers, bankroll: int) -> None:
    """Keep nothing of the way: the sessions are only counted."""


@compiled_loop
def tally(
    into: tuple[CountTerms, Share],
    _place: int,
    end: int,
    rounds: int,
    staked: int,
    bankroll: int,
    _marks: Integers,
) -> None:
    """Count an ended session."""
    count(end, rounds, staked, bankroll, into[0], into[1])


@lru_cache(maxsize=8)
def _loop(asked: Callable[..., Any], is_counted: bool) -> Loop:
    names = {"sit_down": clear, "stake": numba.njit(stake_of(asked))}
    if is_counted:
        names["watch"] = unwatched
    session = numba.njit(nogil=True)(with_names(play_session, **names))
    sink = tally if is_counted else record
    loop = with_names(play_sessions, play_session=session, sink=sink)
    return cast("Loop", numba.njit(nogil=True)(loop))
