"""Sessions by a function of the user's own, compiled together with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, cast

import numba
import numpy as np
from numba.core.errors import NumbaError

from croupier.lab.sessions import SessionError, Shortfall
from croupier.lab.simulator.cpu.random_words import (
    DrawnOutcomes,
    WordCuts,
    compiled_loop,
    philox,
    word_cuts,
    word_of,
)
from croupier.lab.simulator.cpu.session_counts import (
    NO_END,
    PLAYING,
    RUINED,
    STOPPED,
    Bounds,
    CountTerms,
    Share,
    bounds,
    count,
    end_by_bankroll,
)
from croupier.lab.simulator.cpu.step_table import Numbers
from croupier.lab.simulator.plan import MEMORY, OwnFunction, SimulationPlan
from croupier.lab.simulator.session_records import Integers

_NONE, _ONE = np.uint64(0), np.uint64(1)
_LOWER = np.uint64(0xFFFFFFFF)

_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""What the compiler sets its words in bold with."""

Play = Callable[["OwnTerms", WordCuts, CountTerms, Share], None]


class OwnTerms(NamedTuple):
    """The bounds of a session, and how outcomes are cut from words."""

    rounds: int
    bankroll: int
    bounds: Bounds
    greatest: int
    stops_over_maximum: bool
    stops_over_bankroll: bool
    ruined_over_bankroll: bool
    grain_cents: int
    nets: Numbers
    bits: int
    per_word: int
    per_block: int


class CutTerms(Protocol):
    """How many outcomes are cut from a word, and from a block of them."""

    @property
    def bits(self) -> int: ...

    @property
    def per_word(self) -> int: ...

    @property
    def per_block(self) -> int: ...


def own_terms(plan: SimulationPlan, own: OwnFunction) -> OwnTerms:
    return OwnTerms(
        rounds=plan.rounds,
        bankroll=plan.bankroll,
        bounds=bounds(plan),
        greatest=own.greatest,
        stops_over_maximum=own.over_maximum is Shortfall.STOP,
        stops_over_bankroll=own.over_bankroll is Shortfall.STOP,
        ruined_over_bankroll=own.over_bankroll is Shortfall.START_AGAIN,
        grain_cents=plan.grain_cents,
        nets=np.array(plan.nets, np.int64),
        bits=plan.dice.bits,
        per_word=plan.dice.per_word,
        per_block=plan.dice.per_block,
    )


def own_cuts(plan: DrawnOutcomes) -> WordCuts:
    """Cut words of either width, as numbers of 64 bits."""
    return WordCuts(
        *(each.astype(np.uint64) for each in word_cuts(plan, plan.dice.bits))
    )


def compile_own(own: OwnFunction) -> Play:
    """Return a loop over sessions that asks the function; or `SessionError`."""
    return _loop(compiled_function(own))


def compiled_function(own: OwnFunction) -> Callable[..., Any]:
    """Return the user's function as machine code; or raise `SessionError`."""
    return _compiled(own.function, own.name)


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


def session_of(
    asked: Callable[..., Any], watch: Callable[[Integers, int], None]
) -> Callable[..., tuple[int, int, int, int]]:
    """Return one session by a function: its end, rounds, staked units and bankroll.

    `watch` is told the bankroll after each round, with the marks that it keeps.
    """

    def play_session(  # noqa: PLR0917 - a loop is given its columns one by one
        terms: OwnTerms,
        cuts: WordCuts,
        seed: np.uint64,
        session: np.uint64,
        memory: Integers,
        results: Integers,
        marks: Integers,
    ) -> tuple[int, int, int, int]:
        for place in range(len(memory)):
            memory[place] = 0
        bankroll, rounds, staked = terms.bankroll, 0, 0
        units = won = 0
        while True:
            end = end_by_bankroll(bankroll, terms.bounds)
            if end == NO_END:
                cents = terms.grain_cents
                wanted = asked(rounds, bankroll * cents, won * cents, units, memory)
                units, end = allowed_stake(int(wanted), bankroll, terms)
            if end == NO_END and rounds == terms.rounds:
                end = PLAYING
            if end != NO_END:
                return end, rounds, staked, bankroll
            at = rounds % terms.per_block
            if at == 0:
                block = np.uint64(rounds // terms.per_block)
                fill(results, block, session, seed, cuts, terms)
            won = units * terms.nets[results[at]]
            bankroll += won
            staked += units
            rounds += 1
            watch(marks, bankroll)

    made: Callable[..., tuple[int, int, int, int]]
    made = numba.njit(nogil=True)(play_session)
    return made


@compiled_loop
def unwatched(marks: Integers, bankroll: int) -> None:
    """Keep nothing of the way: the sessions are only counted."""


@lru_cache(maxsize=8)
def _loop(asked: Callable[..., Any]) -> Play:
    """Return the loop over the sessions of a share, for one function."""
    play_session = session_of(asked, unwatched)

    def play_own(
        terms: OwnTerms, cuts: WordCuts, counted_by: CountTerms, share: Share
    ) -> None:
        memory = np.zeros(MEMORY, np.int64)
        results = np.zeros(terms.per_block, np.int64)
        marks = np.zeros(0, np.int64)
        for place in range(share.sessions):
            session = np.uint64(share.first + place)
            end, rounds, staked, bankroll = play_session(
                terms, cuts, share.seed, session, memory, results, marks
            )
            count(end, rounds, staked, bankroll, counted_by, share)

    return cast("Play", numba.njit(nogil=True)(play_own))


@compiled_loop
def allowed_stake(wanted: int, bankroll: int, terms: OwnTerms) -> tuple[int, int]:
    """Return the units staked, and an end if it is one."""
    if wanted <= 0 or (wanted > terms.greatest and terms.stops_over_maximum):
        return 0, STOPPED
    units, allowed = min(wanted, terms.greatest), bankroll // terms.bounds.unit
    if units > allowed and terms.stops_over_bankroll:
        return 0, STOPPED
    if units > allowed and terms.ruined_over_bankroll:
        return 0, RUINED
    return min(units, allowed), NO_END


@compiled_loop
def fill(  # noqa: PLR0917 - a loop is given its columns one by one
    results: Numbers,
    block: np.uint64,
    session: np.uint64,
    seed: np.uint64,
    cuts: WordCuts,
    terms: CutTerms,
) -> None:
    """Fill in the kinds of results of one block."""
    first = philox(block, session, _NONE, seed)
    mask = _LOWER if terms.bits == 32 else ~_NONE
    words = terms.per_block // terms.per_word
    for place in range(words):
        word, attempt = word_of(first, place, words), _NONE
        while (word * cuts.rejecting[0]) & mask < cuts.rejecting[1]:
            attempt += _ONE
            word = word_of(philox(block, session, attempt, seed), place, words)
        for digit in range(terms.per_word):
            kind = 0
            for bound in cuts.bounds:
                kind += word >= bound
            results[place * terms.per_word + digit] = kind
            word = (word * cuts.sides[0]) & mask
