"""A session taken apart: its terms, its chain, and a second way to play it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from croupier.odds.chips import read_terms
from croupier.odds.model import model_of
from croupier.odds.sessions.chain import Chain, ChainEnd
from croupier.odds.sessions.exploration import SessionTerms, compile_chain
from croupier.odds.sessions.solution import Solution
from croupier.odds.sessions.strategy import (
    Shortfall,
    Strategy,
    rule_over_bankroll,
    rule_over_maximum,
)
from croupier.odds.sessions.unit_wager import unit_wager

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
) -> SessionTerms:
    """In units of currency; what a session is compiled from."""
    model = model_of(game)
    terms = read_terms(model.game, limits=limits)
    return SessionTerms(
        bankroll * 100,
        None if target is None else target * 100,
        rounds,
        unit_wager(model, wager, terms, 100),
        strategy,
    )


def chain_of(terms: SessionTerms) -> Chain:
    return compile_chain(terms)


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

    def __init__(self, terms: SessionTerms) -> None:
        self.terms = terms
        self.ends: Ends = {}
        self.rounds = self.staked_cents = Fraction(0)
        self._walk(terms.strategy.start, terms.bankroll_cents, Fraction(1), 0)

    def _walk(self, state: Any, cents: int, chance: Fraction, done: int) -> None:
        terms = self.terms
        if terms.target_cents is not None and cents >= terms.target_cents:
            return self._end("reached", cents, chance)
        state, units = self._next(state, cents)
        if units is None:
            return self._end(state, cents, chance)
        if done == terms.rounds:
            return self._end("playing", cents, chance)
        self.rounds += chance
        self.staked_cents += chance * units * terms.wager.stake_cents
        for net, how_likely in terms.wager.result.outcomes:
            won = units * int(net)
            after = terms.strategy.after(state, Fraction(won, terms.wager.stake_cents))
            self._walk(after, cents + won, chance * how_likely, done + 1)
        return None

    def _end(self, name: str, cents: int, chance: Fraction) -> None:
        key = name, cents
        self.ends[key] = self.ends.get(key, Fraction(0)) + chance

    def _next(self, state: Any, cents: int) -> tuple[Any, int | None]:
        """The state that is played and its units; or how it ends, and None."""
        strategy, unit = self.terms.strategy, self.terms.wager.stake_cents
        left = "stopped" if cents >= unit else "ruined"
        units, most = strategy.stake(state), self.terms.wager.maximum_units
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


def play_at_random(
    terms: SessionTerms, choose: Callable[[], int], sessions: int
) -> list[tuple[str, int, int, int]]:
    """Sessions played out: how each ended, its cents, rounds and cents staked."""
    tree = Tree.__new__(Tree)
    tree.terms = terms
    nets = [int(net) for net in terms.wager.result.values]
    played = []
    for _ in range(sessions):
        state, cents, done, staked = terms.strategy.start, terms.bankroll_cents, 0, 0
        while True:
            if terms.target_cents is not None and cents >= terms.target_cents:
                played.append(("reached", cents, done, staked))
                break
            state, units = tree._next(state, cents)
            if units is None or done == terms.rounds:
                end = state if units is None else "playing"
                played.append((end, cents, done, staked))
                break
            won = units * nets[choose()]
            staked += units * terms.wager.stake_cents
            state = terms.strategy.after(state, Fraction(won, terms.wager.stake_cents))
            cents, done = cents + won, done + 1
    return played
