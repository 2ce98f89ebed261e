"""A session taken apart: its request, its chain, and a second way to play it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from croupier.lab.sessions import STRATEGIES
from croupier.lab.sessions.chain import Chain, ChainEnd, compile_chain
from croupier.lab.sessions.request import SessionRequest, read_request
from croupier.lab.sessions.result import Solution
from croupier.lab.sessions.strategy import (
    Shortfall,
    Strategy,
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
        self.paths: list[tuple[Fraction, list[int]]] = []
        """All courses of the bankroll, in cents, each with its probability."""
        self.rounds = self.staked_cents = Fraction(0)
        self._walk(request.strategy.start, [request.bankroll_cents], Fraction(1))

    def _walk(self, state: Any, course: list[int], chance: Fraction) -> None:
        request, cents = self.request, course[-1]
        if request.target_cents is not None and cents >= request.target_cents:
            return self._end("reached", course, chance)
        lost = request.stop_loss_cents
        if lost is not None and request.bankroll_cents - cents >= lost:
            has_a_unit = cents >= request.wager.stake_cents
            return self._end("stopped" if has_a_unit else "ruined", course, chance)
        state, units = self._next(state, cents)
        if units is None:
            return self._end(state, course, chance)
        if len(course) - 1 == request.rounds:
            return self._end("playing", course, chance)
        self.rounds += chance
        self.staked_cents += chance * units * request.wager.stake_cents
        for net, how_likely in request.wager.result.outcomes:
            won = units * int(net)
            after = request.strategy.after(
                state, Fraction(won, request.wager.stake_cents)
            )
            self._walk(after, [*course, cents + won], chance * how_likely)
        return None

    def _end(self, name: str, course: list[int], chance: Fraction) -> None:
        self.paths.append((chance, course))
        key = name, course[-1]
        self.ends[key] = self.ends.get(key, Fraction(0)) + chance

    def _next(self, state: Any, cents: int) -> tuple[Any, int | None]:
        """The state that is played and its units; or how it ends, and None."""
        strategy, unit = self.request.strategy, self.request.wager.stake_cents
        left = "stopped" if cents >= unit else "ruined"
        units, most = strategy.stake(state), self.request.wager.maximum_units
        if units == 0:
            return left, None
        if most is not None and units > most:
            match strategy.over_maximum:
                case Shortfall.STOP:
                    return left, None
                case Shortfall.START_AGAIN:
                    state = strategy.start
                    units = strategy.stake(state)
            units = min(units, most)
        if units * unit <= cents:
            return state, units
        match strategy.over_bankroll:
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


WAGERS = [
    ("mbs-roulette-v3", "red@1"),
    ("mbs-roulette-v2", "dozen:1@2"),
    ("mbs-complete-bet-v2", "orphelins@1"),
    ("mbs-fast-action-v2", "17@1"),
    ("rws-triple-zero", "red@1 + 17@1"),
]


def random_requests(seed: int, count: int) -> list[SessionRequest]:
    """Short sessions of any strategy, game and bounds."""
    chance = random.Random(seed)
    requests = []
    for _ in range(count):
        game, wager = chance.choice(WAGERS)
        bankroll = chance.randint(30, 45)
        requests.append(
            asked(
                STRATEGIES[chance.choice([*STRATEGIES])],
                game=game,
                wager=wager,
                bankroll=bankroll,
                target=chance.choice([None, bankroll + chance.randint(1, 30)]),
                stop_loss=chance.choice([None, chance.randint(1, bankroll)]),
                rounds=chance.randint(1, 5),
            )
        )
    return requests


def assert_within_the_bound(
    request: SessionRequest, exact: Solution, floats: Solution
) -> None:
    chain = chain_of(request)
    found, true = ends_of(chain, floats), ends_of(chain, exact)
    relative, lost = floats.relative_error, floats.lost_mass
    for key in true.keys() | found.keys():
        chance = true.get(key, Fraction(0))
        off = abs(found.get(key, Fraction(0)) - chance)
        assert off <= relative * chance + lost, key
    assert abs(floats.rounds - exact.rounds) <= (
        relative * exact.rounds + floats.lost_rounds
    )
    assert abs(floats.units - exact.units) <= (
        relative * exact.units + floats.lost_units
    )
