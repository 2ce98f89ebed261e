"""A session taken apart: its request, its chain, and a second way to play it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from croupier.lab.sessions.chain import Chain, ChainEnd, compile_chain
from croupier.lab.sessions.request import SessionRequest, read_request
from croupier.lab.sessions.result import Solution
from croupier.lab.sessions.strategy import (
    Shortfall,
    Strategy,
    rule_over_bankroll,
    rule_over_maximum,
)

Ends = dict[tuple[str, int], Fraction]
"""By what has come of it and the cents: how likely that is."""
NAMES = {
    ChainEnd.RUINED: "ruined",
    ChainEnd.REACHED: "reached",
    ChainEnd.STOPPED: "stopped",
}


def quiet(_done: int, _of: int) -> None:
    """No progress."""


def asked(
    strategy: Strategy,
    *,
    game: str = "mbs-roulette-v3",
    wager: str = "red@1",
    bankroll: int = 10,
    target: int | None = 20,
    rounds: int | None = 6,
    limits: tuple[str, ...] = (),
    stop_loss: int | None = None,
) -> SessionRequest:
    """In units of currency; what a session is compiled from."""
    return read_request(
        game,
        wager,
        bankroll=bankroll,
        target=target,
        rounds=rounds,
        strategy=strategy,
        limits=limits,
        stop_loss=stop_loss,
    )


def chain_of(request: SessionRequest) -> Chain:
    return compile_chain(request)


def ends_of(chain: Chain, solved: Solution) -> Ends:
    """What a solver has found, in cents."""
    found = {
        (NAMES[end], chain.lattice.cents(point)): chance
        for end, points in solved.ended.items()
        for point, chance in points.items()
    }
    for point, chance in solved.playing.items():
        found["playing", chain.lattice.cents(point)] = chance
    return found


class Tree:
    """Every sequence of outcomes, one by one, straight from the words of the rules."""

    def __init__(self, request: SessionRequest) -> None:
        self.request = request
        self.ends: Ends = {}
        self.rounds = self.staked_cents = Fraction(0)
        self._walk(request.strategy.start, request.bankroll_cents, Fraction(1), 0)

    def _walk(self, state: Any, cents: int, chance: Fraction, done: int) -> None:
        request = self.request
        if request.target_cents is not None and cents >= request.target_cents:
            return self._end("reached", cents, chance)
        lost = request.stop_loss_cents
        if lost is not None and request.bankroll_cents - cents >= lost:
            has_a_unit = cents >= request.wager.stake_cents
            return self._end("stopped" if has_a_unit else "ruined", cents, chance)
        state, units = self._next(state, cents)
        if units is None:
            return self._end(state, cents, chance)
        if done == request.rounds:
            return self._end("playing", cents, chance)
        self.rounds += chance
        self.staked_cents += chance * units * request.wager.stake_cents
        for net, how_likely in request.wager.result.outcomes:
            won = units * int(net)
            after = request.strategy.after(
                state, Fraction(won, request.wager.stake_cents)
            )
            self._walk(after, cents + won, chance * how_likely, done + 1)
        return None

    def _end(self, name: str, cents: int, chance: Fraction) -> None:
        key = name, cents
        self.ends[key] = self.ends.get(key, Fraction(0)) + chance

    def _next(self, state: Any, cents: int) -> tuple[Any, int | None]:
        """The state that is played and its units; or how it ends, and None."""
        strategy, unit = self.request.strategy, self.request.wager.stake_cents
        left = "stopped" if cents >= unit else "ruined"
        units, most = strategy.stake(state), self.request.wager.maximum_units
        if units == 0:
            return left, None
        if most is not None and units > most:
            match rule_over_maximum(strategy):
                case Shortfall.STOP:
                    return left, None
                case Shortfall.START_AGAIN:
                    state = strategy.start
                    units = strategy.stake(state)
            units = min(units, most)
        if units * unit <= cents:
            return state, units
        match rule_over_bankroll(strategy):
            case Shortfall.STAKE_ALLOWED if cents >= unit:
                return state, cents // unit
            case Shortfall.STOP:
                return left, None
            case Shortfall.START_AGAIN:
                first = strategy.stake(strategy.start)
                first = first if most is None else min(first, most)
                if first * unit <= cents:
                    return strategy.start, first
        return "ruined", None


def every_path(request: SessionRequest) -> list[tuple[Fraction, list[int]]]:
    """All courses of the bankroll, in cents, each with its probability."""
    rules = Tree.__new__(Tree)
    rules.request = request
    start, lost = request.bankroll_cents, request.stop_loss_cents
    found = []
    waiting = [(request.strategy.start, [start], Fraction(1))]
    while waiting:
        state, course, chance = waiting.pop()
        cents = course[-1]
        state, units = rules._next(state, cents)
        has_ended = (
            (request.target_cents is not None and cents >= request.target_cents)
            or (lost is not None and start - cents >= lost)
            or units is None
            or len(course) - 1 == request.rounds
        )
        if has_ended or units is None:
            found.append((chance, course))
            continue
        for net, how_likely in request.wager.result.outcomes:
            won = units * int(net)
            after = request.strategy.after(
                state, Fraction(won, request.wager.stake_cents)
            )
            waiting.append((after, [*course, cents + won], chance * how_likely))
    return found


def play_at_random(
    request: SessionRequest, choose: Callable[[], int], sessions: int
) -> list[tuple[str, int, int, int]]:
    """Sessions played out: how each ended, its cents, rounds and cents staked."""
    tree = Tree.__new__(Tree)
    tree.request = request
    nets = [int(net) for net in request.wager.result.values]
    played = []
    for _ in range(sessions):
        state, cents, done, staked = (
            request.strategy.start,
            request.bankroll_cents,
            0,
            0,
        )
        while True:
            if request.target_cents is not None and cents >= request.target_cents:
                played.append(("reached", cents, done, staked))
                break
            state, units = tree._next(state, cents)
            if units is None or done == request.rounds:
                end = state if units is None else "playing"
                played.append((end, cents, done, staked))
                break
            won = units * nets[choose()]
            staked += units * request.wager.stake_cents
            state = request.strategy.after(
                state, Fraction(won, request.wager.stake_cents)
            )
            cents, done = cents + won, done + 1
    return played
