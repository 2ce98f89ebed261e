"""Sessions at a table by a strategy of the user's own, compiled together with it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

import numba
import numpy as np
from numba.core.errors import NumbaError
from numba.experimental import jitclass  # type: ignore[attr-defined]

from croupier.batch.kernels import cores
from croupier.lab.sessions import SessionError
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.cpu.function_sessions import first_sentence
from croupier.lab.simulator.cpu.round_loop import (
    Drawing,
    Room,
    begin,
    drawing,
    fill,
    new_room,
    record,
    watch,
)
from croupier.lab.simulator.own.plan import Choose, OwnPlan
from croupier.lab.simulator.own.seat import COUNTS, FLAGS, ROOMS, TABLES, Seat
from croupier.lab.simulator.session_records import COLUMNS, Integers
from croupier.lab.simulator.stakes import NO_END, PLAYING, REACHED, RUINED, STOPPED

_SHARE_ROUNDS = 1 << 18
"""A share has about so many."""


class SeatTerms(NamedTuple):
    """The bounds of a session, and what a cent wins by case and area."""

    bankroll: int
    target: int
    floor: int
    rounds: int
    pays: Integers


def seat_terms(plan: OwnPlan) -> SeatTerms:
    return SeatTerms(
        plan.bankroll_cents, plan.target, plan.floor_cents, plan.rounds, plan.pays
    )


class SeatEngine:
    """Plays on all cores, or on as many as it is told."""

    def __init__(self, plan: OwnPlan, workers: int | None = None) -> None:
        """Compile the strategy; raise `SessionError` where it can't be."""
        self._workers = cores() if workers is None else workers
        self._plan, self._play_sessions = (
            plan,
            _compile_strategy(plan.choose, plan.name),
        )
        self._terms, self._drawn = seat_terms(plan), drawing(plan)

    def play(self, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""
        size = max(1, _SHARE_ROUNDS // self._plan.rounds)
        shares = deque(range(0, into.shape[1], size))
        threads = max(1, min(self._workers, len(shares)))
        with ThreadPoolExecutor(threads) as pool:
            done = [
                pool.submit(self._play_shares, shares, size, first, into)
                for _ in range(threads)
            ]
            for each in done:
                each.result()

    def _play_shares(
        self, shares: deque[int], size: int, first: int, into: Integers
    ) -> None:
        seat = self._seat()
        while shares:
            try:
                begin = shares.popleft()
            except IndexError:
                return
            part = np.zeros((len(COLUMNS), min(size, into.shape[1] - begin)), np.int64)
            self._play(seat, first + begin, part)
            into[:, begin : begin + part.shape[1]] = part

    def _play(self, seat: Any, first: int, part: Integers) -> None:
        try:
            room = new_room(self._drawn)
            self._play_sessions(self._terms, self._drawn, seat, room, first, part)
        except Exception as error:
            said = one_line(error)
            raise SessionError(f"{self._plan.name} failed: {said}") from error

    def _seat(self) -> Any:
        return _compiled_seat()(
            *(getattr(self._plan, name) for name in TABLES),
            self._plan.is_limited,
            *(np.zeros(size, np.int64) for size in ROOMS.values()),
        )


@cache
def _compiled_seat() -> Any:
    """Return `Seat` with arrays, whose methods are compiled where they are called."""
    many = dict.fromkeys((*TABLES, *ROOMS), numba.types.int64[::1])
    wholes = dict.fromkeys(COUNTS, numba.types.int64)
    flags = dict.fromkeys(FLAGS, numba.types.boolean)
    # Whether an area has won, by case.
    many["wins"] = numba.types.boolean[::1]
    return jitclass({**many, **wholes, **flags})(Seat)


@lru_cache(maxsize=8)
def _compile_strategy(choose: Choose, name: str) -> Callable[..., None]:
    """Return a loop over sessions that asks the strategy; or raise `SessionError`."""
    # An index outside `memory` must be an error, not another's memory.
    asked = numba.njit(boundscheck=True)(choose)
    try:
        asked.compile((_compiled_seat().class_type.instance_type,))
    except (NumbaError, TypeError) as error:
        raise SessionError(
            f"the strategy {name} can't be compiled: {first_sentence(error)}; the"
            " engine plain plays it as it is"
        ) from error
    session = session_of_seat(asked)

    def play_seat(  # noqa: PLR0917 - a loop is given its columns one by one
        terms: SeatTerms, drawn: Drawing, seat: Any, room: Room, first: int, into: Any
    ) -> None:
        for place in range(into.shape[1]):
            number = np.uint64(first + place)
            session(terms, drawn, seat, number, room.results, room.marks, into, place)

    return cast("Callable[..., None]", numba.njit(nogil=True)(play_seat))


@numba.njit
def _end_by_bankroll(seat: Any, terms: SeatTerms) -> int:
    """Return the end that the bankroll brings before the strategy is asked."""
    if seat.bankroll_cents >= terms.target:
        return REACHED
    return STOPPED if seat.bankroll_cents <= terms.floor else NO_END


@numba.njit
def _end_by_layout(seat: Any, terms: SeatTerms) -> int:
    """Return the end that the strategy brings by the chips laid."""
    if seat.has_left:
        return STOPPED
    if seat.laid_cents > seat.bankroll_cents or seat.bankroll_cents == 0:
        return RUINED
    return PLAYING if seat.round == terms.rounds else NO_END


def session_of_seat(asked: Callable[..., Any]) -> Callable[..., None]:
    """Return one session by a strategy, which is recorded in a column of `into`.

    It is a loop of its own: in `round_loop` a seat, whose holders numba counts, would
    take 1.2 times as long.
    """

    def play_session(  # noqa: PLR0917 - a loop is given its columns one by one
        terms: SeatTerms,
        drawn: Drawing,
        seat: Any,
        session: np.uint64,
        results: Integers,
        marks: Integers,
        into: Integers,
        place: int,
    ) -> None:
        seat.sit_down(terms.bankroll)
        begin(marks, terms.bankroll)
        staked = 0
        while True:
            end = _end_by_bankroll(seat, terms)
            if end == NO_END:
                asked(seat)
                end = _end_by_layout(seat, terms)
            if end != NO_END:
                break
            at = seat.round % drawn.per_block
            if at == 0:
                fill(results, np.uint64(seat.round // drawn.per_block), session, drawn)
            case, net = results[at], 0
            for wager in range(seat.wagers):
                net += seat.cents[wager] * terms.pays[case, seat.areas[wager]]
            staked += seat.laid_cents
            seat.settle(case, net)
            watch(marks, seat.bankroll_cents)
        record(into, place, end, seat.round, staked, seat.bankroll_cents, marks)

    return cast("Callable[..., None]", numba.njit(nogil=True)(play_session))
