"""Rounds at a table in plain Python: a lean loop for one Player.

Nothing but the seat is kept, and nothing but the strategy is asked. What a round brings
is read from the game's table of pays, which the tests hold against the rules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from operator import index

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.own.plan import OwnPlan
from croupier.lab.simulator.own.seat import ROOMS, Seat
from croupier.lab.simulator.session_records import (
    MARKS,
    Integers,
    begin_marks,
    mark_bankroll,
)
from croupier.lab.simulator.stakes import SessionEnd


class _WholeSeat(Seat):
    """A seat that takes no part of a cent, as the compiled one can't."""

    def lay(self, area: int, cents: int) -> bool:
        return super().lay(index(area), index(cents))


class PlainTable:
    """A table at which one session after the other is played."""

    def __init__(self, plan: OwnPlan) -> None:
        self._plan = plan
        self._pays: list[list[int]] = plan.pays.tolist()
        self._seat = _WholeSeat(
            plan.wins.tolist(),
            plan.numbers.tolist(),
            plan.least.tolist(),
            plan.most.tolist(),
            plan.is_limited,
            *([0] * size for size in ROOMS.values()),
        )

    def play(self, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""
        for place in range(into.shape[1]):
            into[:, place] = self.record(first + place)

    def record(self, session: int, rounds: int | None = None) -> list[int]:
        """Return what is recorded of one session, after so many rounds at most.

        Raises `SessionError`, also where the strategy fails.
        """
        most = self._plan.rounds if rounds is None else min(rounds, self._plan.rounds)
        try:
            return self._played(session, most)
        except SessionError:
            raise
        except Exception as error:
            said = one_line(error)
            raise SessionError(f"{self._plan.name} failed: {said}") from error

    def _played(self, session: int, rounds: int) -> list[int]:
        plan, seat, pays = self._plan, self._seat, self._pays
        choose, target, floor = plan.choose, plan.target, plan.floor_cents
        areas, cents = seat.areas, seat.cents
        marks, staked, drawn = [0] * MARKS, 0, outcomes(plan, session)
        seat.sit_down(plan.bankroll_cents)
        begin_marks(marks, plan.bankroll_cents)
        end = SessionEnd.PLAYING
        while True:
            bankroll = seat.bankroll_cents
            if bankroll >= target:
                end = SessionEnd.REACHED
                break
            if bankroll <= floor:
                end = SessionEnd.STOPPED
                break
            choose(seat)
            if seat.has_left:
                end = SessionEnd.STOPPED
                break
            if seat.laid_cents > bankroll or bankroll == 0:
                end = SessionEnd.RUINED
                break
            if seat.round == rounds:
                break
            case = next(drawn)
            paid, net = pays[case], 0
            for wager in range(seat.wagers):
                net += cents[wager] * paid[areas[wager]]
            staked += seat.laid_cents
            seat.settle(case, net)
            mark_bankroll(marks, seat.bankroll_cents)
        return [end, seat.round, staked, seat.bankroll_cents, *marks[: MARKS - 1]]


def course_cents(plan: OwnPlan, session: int, rounds: int) -> list[int]:
    """Return the bankroll before a session and after each of so many rounds."""
    seen: list[int] = []

    def watched(seat: Seat) -> None:
        seen.append(seat.bankroll_cents)
        plan.choose(seat)

    table = PlainTable(replace(plan, choose=watched))
    _, played, _, bankroll, *_ = table.record(session, rounds)
    # It is asked once more after the last round, unless the bankroll was the end.
    return [*seen[:played], bankroll]


def outcomes(plan: OwnPlan, session: int) -> Iterator[int]:
    """Yield the cases that come up in a session, by their places, without end."""
    drawn = plan.dice.outcomes(plan.seed, session)
    if plan.dice.sides == len(plan.cases):
        return drawn
    return (bisect_right(plan.ends, outcome) for outcome in drawn)
